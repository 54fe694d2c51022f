// Compile what the graders import, under the Python that will run it:
// node precompile.mjs PYODIDE STAGE. Sources that were compiled are replaced, but for
// dpteach's, which show their lines; and chapters' are not compiled, since exercises are
// found by their files.
import path from "node:path";
import { pathToFileURL } from "node:url";

const [pyodide, stage] = process.argv.slice(2).map((each) => path.resolve(each));
const { loadPyodide } = await import(pathToFileURL(path.join(pyodide, "pyodide.mjs")));
const python = await loadPyodide({ indexURL: `${pyodide}/` });
python.FS.mkdir("/stage");
python.FS.mount(python.FS.filesystems.NODEFS, { root: stage }, "/stage");
python.runPython(`
import importlib.util, py_compile, sys
from pathlib import Path

stdlib, site = Path("/stage/stdlib"), Path("/stage/site")
sys.path[:0] = [str(stdlib), str(site)]
from dpteach.chapters.page import warm_up

warm_up()
started = set()
for module in list(sys.modules.values()):
    name = getattr(module, "__file__", None) or ""
    for old in ("/lib/python311.zip/", "/lib/python3.11/", f"{stdlib}/"):
        if name.startswith(old):
            started.add(stdlib / name.removeprefix(old))
    if name.startswith(f"{site}/") and not name.startswith(f"{site}/dpteach/chapters/"):
        started.add(Path(name))
for path in sorted(each for each in started if each.suffix == ".py" and each.exists()):
    within = path.relative_to(stdlib if stdlib in path.parents else site)
    ours = "dpteach" in path.parts
    to = importlib.util.cache_from_source(str(path)) if ours else f"{path}c"
    where = f"/lib/python3.11/site-packages/{within}" if ours else f"/lib/{within}"
    # A page has no help(), so docstrings of the standard library stay behind. NumPy
    # does not start without its own.
    bare = 2 if stdlib in path.parents else -1
    py_compile.compile(str(path), to, where, doraise=True, optimize=bare,
                       invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
    if not ours:
        path.unlink()
`);
