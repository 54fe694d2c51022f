"""Build the book, unless it is built: build.py [--force].

Warnings are errors, and so is a cell that fails. A stamp beside the output bears the
hash of everything that went in; tests and `make` ask here, so that it is built once.
"""

import fcntl
import hashlib
import os
import platform
import shutil
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import build_wheel
import runtime

ROOT = Path(__file__).resolve().parents[2]
HTML = ROOT / "book" / "_build" / "html"
STAMP = ROOT / "book" / "_build" / "inputs"
SOURCES = (
    "_config.yml",
    "CITATION.cff",
    "SECURITY.md",
    "pyproject.toml",
    "book",
    "chapters",
    "dpteach",
    "exercises",
)
HIDDEN = {"_build", "__pycache__", ".ipynb_checkpoints", "node_modules"}
TOOLS = ("jupyter-book", "sphinx", "myst-nb", "numpy", "matplotlib", "ipywidgets")


def inputs() -> str:
    """Return the hash of the sources and of the tools' versions."""
    digest = hashlib.sha256(platform.python_version().encode())
    digest.update(" ".join(version(name) for name in TOOLS).encode())
    for source in SOURCES:
        path = ROOT / source
        for each in sorted(path.rglob("*")) if path.is_dir() else [path]:
            hidden = HIDDEN & set(each.parts)
            if each.is_file() and not hidden:
                digest.update(each.relative_to(ROOT).as_posix().encode())
                digest.update(each.read_bytes())
    return digest.hexdigest()


def fresh() -> bool:
    """Say whether the book that is there is made of what is here."""
    return STAMP.exists() and STAMP.read_text() == inputs()


def command(root: Path = ROOT, output: Path = ROOT / "book") -> list[str]:
    """Return the command that builds; all pages, because runs are cached anyway."""
    return [
        *(str(Path(sys.executable).with_name("jupyter-book")), "build", str(root)),
        *("--toc", str(root / "book" / "_toc.yml"), "--path-output", str(output)),
        *("--all", "-W", "--keep-going", "--quiet"),
    ]


def bring_python() -> None:
    """Make Python for the pages; where that cannot be had, say so and go on without.

    The editors are there all the same, and their button explains. ``make test`` fails
    then, so that nobody publishes such a book unaware.
    """
    try:
        print(f"Python for the pages: {runtime.make()['megabytes']} MB", flush=True)
    except runtime.Unavailable as why:
        shutil.rmtree(runtime.OUT, ignore_errors=True)
        print(
            f"The pages go WITHOUT PYTHON: {why}. When it can be had, "
            "book/_tools/build.py --force builds them anew.",
            file=sys.stderr,
            flush=True,
        )


def bring_wheel() -> None:
    """Build the wheel that the site serves; without it, say so and go on.

    Then the notebooks of the site ask the package index at once. ``make test`` fails.
    """
    try:
        build_wheel.make()
    except build_wheel.Unavailable as why:
        shutil.rmtree(build_wheel.OUT, ignore_errors=True)
        print(f"The site goes WITHOUT THE WHEEL: {why}.", file=sys.stderr, flush=True)


def bring_packs() -> None:
    """Put each lecture's pack for students beside the pages."""
    command = [sys.executable, "book/_tools/lecture_packs.py", "--students"]
    paths = os.pathsep.join((str(ROOT), str(ROOT / "book" / "_ext")))
    subprocess.run(
        [*command, "--out", str(HTML / "lectures")],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": paths},
        check=True,
    )


def build(force: bool = False) -> Path:
    """Build if need be, one process at a time, and return the folder of pages."""
    STAMP.parent.mkdir(parents=True, exist_ok=True)
    with (STAMP.parent / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if force or not fresh():
            STAMP.unlink(missing_ok=True)
            now = inputs()
            bring_python()
            bring_wheel()
            done = subprocess.run(command(), cwd=ROOT, check=False)
            if done.returncode:
                raise RuntimeError("The book does not build: see the messages above.")
            bring_packs()
            STAMP.write_text(now)
    return HTML


def main() -> None:
    """Build, and say where."""
    try:
        folder = build("--force" in sys.argv)
    except RuntimeError as error:
        sys.exit(str(error))
    print(f"The book is in {folder.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
