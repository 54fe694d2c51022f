"""An edited title: seconds to its page, and to the end of its chapter's tests.

Both are processor seconds of all processes, in a copy of the working tree, as ratios to
what an author may wait on two idle cores: 20 seconds for the page, which one core
makes, and 60 for the tests, which both run. The copy has what the last build left.
Small, it is the little book of the tests, and the tests are only listed.
"""

import harness  # isort: skip
import re
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import build

ROOT = Path(__file__).resolve().parents[2]
LEFT_OUT = shutil.ignore_patterns(
    ".git", ".venv", ".venvs", ".cache", "__pycache__", "node_modules", "dist"
)
CHAPTER = "dp-sgd"
TITLE = re.compile(r'(?<=\btitle=")(?=[^"]+",\n    alt=)')  # of a figure, not of axes
PAGE = "html/chapters/09-dp-sgd.html"


def spent(command: list[str], root: Path) -> float:
    """Run a command, and return the processor seconds that it and its children took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        command, cwd=root, env=build.environment(root), capture_output=True, text=True
    )
    if done.returncode:
        sys.exit(done.stdout + done.stderr)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def report(what: str, seconds: float, most: float) -> None:
    """Print the ratio of what was taken to the most that may be."""
    said = harness.verdict(what, seconds / most, 1)
    print(f"{what}: {seconds:.1f} s CPU of {most:g} = {seconds / most:.3f}{said}")


def book(root: Path) -> tuple[list[str], Path, Path]:
    """Copy the book; return how to build the chapter, a source, and what is built."""
    shutil.copytree(ROOT, root, ignore=LEFT_OUT, symlinks=True)
    command = [sys.executable, "book/_tools/build.py", "--chapter", CHAPTER]
    source = root / "dpteach" / "chapters" / "dp_sgd" / "descent.py"
    return command, source, root / "book" / "_build"


def small_book(root: Path) -> tuple[list[str], Path, Path]:
    """Do the same with the little book of the tests."""
    from tests.book import small

    small.make(root, ("markdown", "# DP-SGD"), ("hidden", small.FIGURE))
    command = build.command(root, root / "out", "chapters/09-dp-sgd")
    return command, root / "chapters" / "09-dp-sgd.ipynb", root / "out" / "_build"


def main() -> None:
    """Edit a title in a copy, and time what an author waits for."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "book"
        command, source, built = (small_book if harness.SMALL else book)(root)
        print(f"the chapter, before any edit: {spent(command, root):.1f} s CPU")
        text = source.read_text("utf-8")
        edited = re.sub(r'title=\\?"(?=Noise grows)', lambda m: f"{m[0]}Edited: ", text)
        edited = TITLE.sub("Edited: ", edited)
        assert edited != text
        source.write_text(edited, encoding="utf-8")
        seconds = spent(command, root)
        assert "Edited: " in (built / PAGE).read_text("utf-8")
        report("an edited title on its page", seconds, 20)
    tests = [sys.executable, "-m", "pytest", "-q", "-m", "", "--chapter", CHAPTER]
    tests += ["--collect-only"] if harness.SMALL else ["-n2"]
    report("the tests of its chapter", spent(tests, ROOT), 2 * 60)


if __name__ == "__main__":
    main()
