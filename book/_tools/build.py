"""Build the book, unless it is built: build.py [--force | --chapter NAME].

Warnings are errors, and so is a cell that fails. A stamp beside the output bears the
hash of everything that went in, and of the pages that came out; tests and ``make`` ask
here, so that it is built once. With a chapter's number or name its pages are brought up
to date, in seconds, and the others wait for the next build of the whole book.
"""

import argparse
import fcntl
import hashlib
import json
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path

import atomic
import build_wheel
import chapter
import runtime

ROOT = Path(__file__).resolve().parents[2]
HTML = ROOT / "book" / "_build" / "html"
STAMP = ROOT / "book" / "_build" / "stamp.json"
SOURCES = (
    "_config.yml",
    "CITATION.cff",
    "SECURITY.md",
    "pyproject.toml",
    "book",
    "chapters",
    "dpteach",
    "exercises",
    "capstones",
)
# What the page of error rates counts.
GRADED = ("false_rejects.json", "bank.py")
HIDDEN = {"_build", "__pycache__", ".ipynb_checkpoints", "node_modules"}
TOOLS = ("jupyter-book", "sphinx", "myst-nb", "numpy", "matplotlib", "ipywidgets")


def inputs() -> str:
    """Return the hash of the sources and of the tools' versions."""
    digest = hashlib.sha256(platform.python_version().encode())
    digest.update(" ".join(version(name) for name in TOOLS).encode())
    for file in sorted(sources()):
        digest.update(file.relative_to(ROOT).as_posix().encode())
        digest.update(file.read_bytes())
    return digest.hexdigest()


def sources() -> Iterator[Path]:
    """List the files that the book is made of."""
    for source in SOURCES:
        path = ROOT / source
        for file in path.rglob("*") if path.is_dir() else [path]:
            if file.is_file() and not HIDDEN & set(file.parts):
                yield file
    for name in GRADED:
        yield from (ROOT / "tests" / "chapters").glob(f"*/*/{name}")


def outputs() -> dict[str, str]:
    """Return the hash of each file that readers get."""
    return {
        path.relative_to(HTML).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(HTML.rglob("*"))
        if path.is_file()
    }


def fresh() -> bool:
    """Say whether the book that is there is whole, and made of what is here."""
    if not STAMP.exists():
        return False
    stamp = json.loads(STAMP.read_text(encoding="utf-8"))
    return stamp["inputs"] == inputs() and stamp["outputs"].items() <= outputs().items()


def command(
    root: Path = ROOT, output: Path = ROOT / "book", chapter: str = ""
) -> list[str]:
    """Return the command that renders the pages of a book, or of one chapter."""
    render = [sys.executable, str(ROOT / "book" / "_tools" / "render.py")]
    one = ["--chapter", chapter] if chapter else []
    return [*render, str(root), str(output), *one]


def environment(root: Path = ROOT) -> dict[str, str]:
    """Return the environment of a command that imports the book's own modules."""
    paths = [root, root / "book" / "_ext", root / "book" / "_tools"]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, paths))}


def run(tool: str, *arguments: str) -> None:
    """Run one of the book's tools."""
    path = ROOT / "book" / "_tools" / tool
    command = [sys.executable, str(path), *arguments]
    done = subprocess.run(command, cwd=ROOT, env=environment(), check=False)
    if done.returncode:
        raise RuntimeError(f"{tool} fails: see the messages above.")


def render(chapter: str = "") -> None:
    """Render the pages; whatever Sphinx warns of is an error."""
    done = subprocess.run(
        command(chapter=chapter), cwd=ROOT, env=environment(), check=False
    )
    if done.returncode < 0:
        raise RuntimeError(f"The build was ended from outside: {-done.returncode}.")
    if done.returncode:
        raise RuntimeError("The book does not build: see the messages above.")


def bring_python() -> None:
    """Make Python for the pages; where that cannot be had, say so and go on without.

    The editors are there all the same, and their button explains.
    """
    try:
        with locked("lock-python"):
            size = runtime.make()["megabytes"]
        print(f"Python for the pages: {size} MB", flush=True)
    except runtime.Unavailable as why:
        shutil.rmtree(runtime.OUT, ignore_errors=True)
        lack("PYTHON", why)


def bring_wheel() -> None:
    """Build the wheel that the site serves; without it, say so and go on.

    Then the notebooks of the site install the repository instead.
    """
    try:
        build_wheel.make()
    except build_wheel.Unavailable as why:
        shutil.rmtree(build_wheel.OUT, ignore_errors=True)
        lack("THE WHEEL", why)


def lack(what: str, why: Exception) -> None:
    """Say what the pages go without; where CI builds what it will publish, stop."""
    words = f"The pages go WITHOUT {what}: {why}."
    if os.environ.get("CI"):
        raise RuntimeError(words)
    later = "When it can be had, book/_tools/build.py --force builds them anew."
    print(words, later, file=sys.stderr, flush=True)


def bring_packs() -> None:
    """Put each lecture's pack for students beside the pages."""
    run("lecture_packs.py", "--students", "--out", str(HTML / "lectures"))


def build(force: bool = False) -> Path:
    """Build if need be, one process at a time, and return the folder of pages."""
    with locked():
        if force or not fresh():
            STAMP.unlink(missing_ok=True)
            bring_python()
            bring_wheel()
            run("page_sources.py")
            now = inputs()
            shutil.rmtree(HTML, ignore_errors=True)  # a page that was renamed goes
            render()
            bring_packs()
            stamp = {"inputs": now, "outputs": outputs()}
            atomic.write(STAMP, json.dumps(stamp, indent=1))
    return HTML


def build_chapter(name: str) -> Path:
    """Bring the pages of one chapter up to date, and return its page.

    Where no book was built yet, every page is read first, so that references lead
    somewhere; of the other chapters nothing runs.
    """
    found = chapter.find(name)
    with locked():
        STAMP.unlink(missing_ok=True)  # other pages may be stale now
        run("page_sources.py", name)
        render(found.docname)
    return HTML / f"{found.docname}.html"


@contextmanager
def locked(what: str = "lock") -> Iterator[None]:
    """Wait until no other process builds the book, or what else is named."""
    STAMP.parent.mkdir(parents=True, exist_ok=True)
    with (STAMP.parent / what).open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def main() -> None:
    """Build, and say where."""
    parser = argparse.ArgumentParser(description=__doc__)
    either = parser.add_mutually_exclusive_group()
    either.add_argument("--force", action="store_true", help="even if it is built")
    either.add_argument("--chapter", help="its number or its name")
    given = parser.parse_args()
    try:
        if given.chapter:
            page = build_chapter(given.chapter)
            print(f"The chapter is {page.relative_to(ROOT)}")
        else:
            print(f"The book is in {build(given.force).relative_to(ROOT)}")
    except (RuntimeError, ValueError) as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
