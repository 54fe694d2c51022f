// Python for a page, in a worker of its own: whatever a reader's text does, the page goes
// on. It is handed all that it needs, for it can ask for nothing: python.html.
(() => {
"use strict";
const MOST_MEMORY = 512 * 2 ** 20; // of the 2 GiB that could be had: phones have no more
const AGAIN = 100; // ms: a loop that swallows one alarm gets another
const SIGALRM = 14;

// Memory that is full is Python's MemoryError; without an end the browser ends the tab.
const grow = WebAssembly.Memory.prototype.grow;
WebAssembly.Memory.prototype.grow = function (pages) {
  if (this.buffer.byteLength + pages * 65536 > MOST_MEMORY) throw new RangeError("full");
  return grow.call(this, pages);
};

// The alarm that WebAssembly has not: Python looks here between two lines of a text.
const alarm = { at: Infinity, beat: 0 };
const signals = {
  get 0() {
    const now = performance.now();
    if (now > alarm.beat + 500) { alarm.beat = now; postMessage({ kind: "beat" }); }
    if (now < alarm.at) return 0;
    alarm.at = now + AGAIN;
    return SIGALRM;
  },
  set 0(_) { /* nothing is kept */ },
};
function setitimer(_, seconds) {
  const now = performance.now();
  const left = alarm.at === Infinity ? 0 : Math.max(alarm.at - now, 1) / 1000;
  alarm.at = seconds ? now + 1000 * seconds : Infinity;
  return [left, 0];
}

// Pyodide asks for its parts by their own names, of a host that is none.
const HOST = "https://python.invalid/";
const unpacked = (bytes, kind) => new Response(
  new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")),
  { headers: { "Content-Type": kind } });
const parts = (files) => ({
  "pyodide.asm.wasm": () => unpacked(files["python.bin"], "application/wasm"),
  "python_stdlib.zip": () => unpacked(files["stdlib.bin"], "application/zip"),
  "pyodide-lock.json": () => Response.json({
    info: { arch: "wasm32", platform: "emscripten_3_1_46", python: "3.11.3", version: "0.25.1" },
    packages: {},
  }),
});

// A line lists the files and their sizes; then they follow one after the other.
function unpack(FS, bytes, folder) {
  let end = bytes.indexOf(10) + 1;
  for (const [name, size] of JSON.parse(new TextDecoder().decode(bytes.subarray(0, end)))) {
    const path = `${folder}/${name}`;
    FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
    FS.writeFile(path, bytes.subarray(end, end += size), { canOwn: true });
  }
}

// What a browser lets a script reach, no text gets: the policy is the wall, this a second one.
const WITHHELD = `
import sys
import pyodide.http, pyodide.webloop, pyodide._package_loader

for module in (pyodide.http, pyodide.webloop, pyodide._package_loader):
    for name, value in list(vars(module).items()):
        if type(value).__name__ == "JsProxy":
            delattr(module, name)
for name in list(sys.modules):
    if name.partition(".")[0] in ("js", "pyodide_js"):
        del sys.modules[name]
`;
function withhold(python) {
  for (const name of ["js", "pyodide_js"]) python.unregisterJsModule(name);
  python.runPython(WITHHELD, { globals: python.toPy({}) });
}

// Ask for something elsewhere, and say which rule of the policy refused it, or "".
const ask = self.fetch.bind(self);
const PROBE = "https://nothing-leaves.invalid/";
const proof = () => new Promise((done) => {
  addEventListener("securitypolicyviolation", (event) => {
    if (event.blockedURI.startsWith(PROBE.slice(0, -1))) done(event.effectiveDirective);
  });
  const later = () => setTimeout(done, 1000, ""); // its name has no address: it fails anyhow
  ask(PROBE).then(() => done(""), later);
});

let run, memory;
async function start(files) {
  const given = parts(files);
  self.fetch = async (url) => given[String(url).replace(HOST, "")]();
  const python = await loadPyodide({
    indexURL: HOST, env: { HOME: "/home/pyodide", DPTEACH_BOOK: "page" }, stdin: () => null, stdout: () => {}, stderr: () => {},
  });
  // The one function that this NumPy asks for and Pyodide lacks: it reports the caller, so
  // that NumPy may reuse the memory of a large intermediate result. 0: not known.
  python._module.LDSO.loadedLibsByName.__main__.exports.backtrace = () => 0;
  const site = await unpacked(files["site.bin"]).arrayBuffer();
  unpack(python.FS, new Uint8Array(site), "/lib/python3.11/site-packages");
  python.setInterruptBuffer(signals);
  const page = python.pyimport("dpteach.chapters.page");
  page.lend_alarm(setitimer);
  page.count_wide_integers();
  page.warm_up();
  const { run_cell: runCell, lend_view: lendView } = python.pyimport("dpteach.chapters.cells");
  lendView((html) => postMessage({ kind: "view", html }));
  const tables = () => python.pyimport("dpteach.tables.page");
  const answers = {
    run: ({ text, name }) => page.run(text, name),
    cell: ({ text, name }) => runCell(text, name),
    table: ({ request, table }) => {
      if (table) python.FS.writeFile("/tmp/table.csv", new Uint8Array(table));
      return tables().answer(JSON.stringify(request));
    },
  };
  run = (data) => answers[data.kind](data);
  memory = () => python._module.HEAP8.length;
  withhold(python);
}

let ready;
onmessage = async ({ data }) => {
  try {
    if (data.kind === "start") {
      ready = start(data.files);
      await ready;
      postMessage({ kind: "ready" });
    } else if (data.kind === "proof") {
      postMessage({ kind: "proof", refused: await proof() });
    } else {
      await ready;
      postMessage({ ...JSON.parse(run(data)), kind: data.kind, memory: memory() });
    }
  } catch (error) {
    postMessage({ kind: "broken", why: String(error?.message ?? error) });
  }
};
})();
