// Python for a page, in a worker of its own: whatever a reader's text does, the page goes
// on. It is told where its files lie, tells how far it has come, and then runs answers.
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

// Fetch all at once, tell how much has come, unpack while it comes. What is compiled is
// handed over as it was sent: only then does a browser keep what it compiled, and that is
// half of the time to the first result. It is counted when it is compiled.
const WASM = "python.wasm";
const files = {};
function load(folder, sizes) {
  const total = Object.values(sizes).reduce((sum, size) => sum + size, 0);
  let loaded = 0;
  const more = (size) => postMessage({ kind: "loaded", loaded: loaded += size, total });
  const compile = WebAssembly.instantiateStreaming;
  WebAssembly.instantiateStreaming = async (sent, imports) => {
    const response = await sent;
    const made = response.headers.get("Content-Type") === "application/wasm"
      ? await compile(response, imports)
      : await WebAssembly.instantiate(await response.arrayBuffer(), imports);
    more(sizes[WASM]);
    return made;
  };
  for (const name of Object.keys(sizes)) {
    files[name] = fetch(folder + name).then((response) => {
      if (!response.ok) throw new Error(`${name}: ${response.status}`);
      if (name === WASM) return response;
      const count = new TransformStream({
        transform(chunk, out) {
          more(chunk.byteLength);
          out.enqueue(chunk);
        },
      });
      return response.body.pipeThrough(count).pipeThrough(new DecompressionStream("gzip"));
    });
  }
}
const given = async (name) => new Response(await files[name]);
// Pyodide asks for its parts by their own names.
const parts = {
  "pyodide.asm.wasm": () => files[WASM],
  "python_stdlib.zip": () => given("stdlib.bin"),
  "pyodide-lock.json": () => Response.json({
    info: { arch: "wasm32", platform: "emscripten_3_1_46", python: "3.11.3", version: "0.25.1" },
    packages: {},
  }),
};

// A line lists the files and their sizes; then they follow one after the other.
function unpack(FS, bytes, folder) {
  let end = bytes.indexOf(10) + 1;
  for (const [name, size] of JSON.parse(new TextDecoder().decode(bytes.subarray(0, end)))) {
    const path = `${folder}/${name}`;
    FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
    FS.writeFile(path, bytes.subarray(end, end += size), { canOwn: true });
  }
}

let run, memory;
async function start({ folder, sizes }) {
  load(folder, sizes);
  importScripts(`${folder}pyodide.js`);
  const fetched = self.fetch;
  self.fetch = (url, ...more) =>
    parts[String(url).split("/").at(-1)]?.() ?? fetched(url, ...more);
  const python = await loadPyodide({
    indexURL: folder, env: { HOME: "/home/pyodide", DPTEACH_BOOK: "page" }, stdin: () => null, stdout: () => {}, stderr: () => {},
  });
  self.fetch = fetched;
  // The one function that this NumPy asks for and Pyodide lacks: it reports the caller, so
  // that NumPy may reuse the memory of a large intermediate result. 0: not known.
  python._module.LDSO.loadedLibsByName.__main__.exports.backtrace = () => 0;
  const site = await (await given("site.bin")).arrayBuffer();
  unpack(python.FS, new Uint8Array(site), "/lib/python3.11/site-packages");
  postMessage({ kind: "unpacked" });
  python.setInterruptBuffer(signals);
  const page = python.pyimport("dpteach.chapters.page");
  page.lend_alarm(setitimer);
  page.count_wide_integers();
  page.warm_up();
  const { run_cell: runCell } = python.pyimport("dpteach.chapters.cells");
  run = ({ kind, text, name }) => (kind === "cell" ? runCell(text, name) : page.run(text, name));
  memory = () => python._module.HEAP8.length;
}

let ready;
onmessage = async ({ data }) => {
  try {
    if (data.kind === "start") {
      ready = start(data);
      await ready;
      postMessage({ kind: "ready" });
    } else {
      await ready;
      const told = JSON.parse(run(data));
      postMessage({ kind: "told", memory: memory(), ...told });
    }
  } catch (error) {
    postMessage({ kind: "broken", why: String(error?.message ?? error) });
  }
};
