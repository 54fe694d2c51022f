// Run a Python script under the Pyodide of the pages, without a browser:
// node run.mjs PAGE|BARE SCRIPT [ARGUMENT ...], in the root of the repository.
// PAGE: with what a page gets, and nothing more. BARE: with all of NumPy, with this
// repository, and with the pure packages of the folder in $PURE_PACKAGES, pytest's.
import fs from "node:fs";
import path from "node:path";
import zlib from "node:zlib";
import { pathToFileURL } from "node:url";

const root = process.cwd();
const [kind, script, ...rest] = process.argv.slice(2);
const cache = path.join(root, ".cache", "python");
const folder = (start) =>
  path.join(cache, fs.readdirSync(cache).find((name) => name.startsWith(start)), "files");
const pyodide = path.join(folder("pyodide@"), "package");
const { loadPyodide } = await import(pathToFileURL(path.join(pyodide, "pyodide.mjs")));
const python = await loadPyodide({
  indexURL: `${pyodide}/`, env: {
    HOME: "/tmp", PYTEST_DISABLE_PLUGIN_AUTOLOAD: "1",
    ...(kind === "PAGE" && { DPTEACH_BOOK: "page" }), // as the worker
  },
  stdout: (line) => console.log(line), stderr: (line) => console.error(line),
});
const { FS } = python;
python._module.LDSO.loadedLibsByName.__main__.exports.backtrace = () => 0; // as the worker
const mount = (there, here) => {
  FS.mkdirTree(here);
  FS.mount(FS.filesystems.NODEFS, { root: there }, here);
};
mount(root, "/repository");
if (kind === "PAGE") {
  const site = zlib.gunzipSync(fs.readFileSync(path.join(root, "book/_build/python/site.bin")));
  let end = site.indexOf(10) + 1; // as the worker
  for (const [name, size] of JSON.parse(site.subarray(0, end))) {
    const to = `/lib/python3.11/site-packages/${name}`;
    FS.mkdirTree(path.dirname(to));
    FS.writeFile(to, site.subarray(end, end += size));
  }
} else {
  mount(path.join(folder("emscripten-forge"), "lib/python3.11/site-packages"), "/numpy");
  mount(process.env.PURE_PACKAGES, "/pure");
}
// As the page's worker does: an alarm that Python asks for between two lines. Here it counts
// milliseconds of this process, or a busy machine would make an answer endless.
const spent = () => process.cpuUsage().user / 1000;
let at = Infinity;
python.setInterruptBuffer({
  get 0() {
    const now = spent();
    if (now < at) return 0;
    at = now + 100;
    return 14;
  },
  set 0(_) { /* nothing is kept */ },
});
python.globals.set("setitimer", (_, seconds) => {
  const now = spent();
  const left = at === Infinity ? 0 : Math.max(at - now, 1) / 1000;
  at = seconds ? now + 1000 * seconds : Infinity;
  return [left, 0];
});
python.globals.set("processor", () => process.cpuUsage().user / 1e6); // seconds
python.globals.set("arguments", python.toPy(rest));
python.runPython(`
import os, sys
os.chdir("/repository")
if ${kind === "PAGE" ? "False" : "True"}:
    sys.path[:0] = ["/numpy", "/pure", "/repository"]
sys.argv = [${JSON.stringify(script)}, *arguments]
`);
process.exitCode = python.runPython(fs.readFileSync(path.join(root, script), "utf8")) ?? 0;
