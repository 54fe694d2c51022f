"""An edited title: seconds to its page, and to the end of its chapter's tests.

Both are processor seconds of all processes, in a copy of the working tree, as ratios to
what a reader may wait on two idle cores: 20 seconds for the page, which one core makes,
and 60 for the tests, which both run. The copy takes along what the last build left.
"""

import re
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import harness

ROOT = Path(__file__).resolve().parents[2]
LEFT_OUT = shutil.ignore_patterns(
    ".git", ".venv", ".venvs", ".cache", "__pycache__", "node_modules", "dist"
)
CHAPTER = "dp-sgd"
FIGURE = Path("dpteach/chapters/dp_sgd/descent.py")
TITLE = re.compile(r'(?<=title=")([^"]+)(?=",\n    alt=)')
PAGE = Path("book/_build/html/chapters")


def spent(*command: str, root: Path) -> float:
    """Run a command, and return the processor seconds that it and its children took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, *command],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.exit(done.stdout + done.stderr)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def report(what: str, seconds: float, most: float) -> None:
    """Print the ratio of what was taken to the most that may be."""
    ratio = seconds / most
    said = harness.verdict(f"{what}, CPU / {most:g} s", ratio, 1)
    print(f"{what}: {seconds:.1f} of {most:g} s CPU = {ratio:.3f}{said}")


def main() -> None:
    """Edit a title in a copy, and time what an author waits for."""
    build = ("book/_tools/build.py", "--chapter", CHAPTER)
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "book"
        shutil.copytree(ROOT, root, ignore=LEFT_OUT, symlinks=True)
        first = spent(*build, root=root)
        print(f"the first build of the chapter in a new place: {first:.1f} s CPU")
        source = (root / FIGURE).read_text("utf-8")
        edited, count = TITLE.subn(r"\1, edited", source)
        assert count, f"{FIGURE} has no title"
        (root / FIGURE).write_text(edited, encoding="utf-8")
        seconds = spent(*build, root=root)
        (page,) = (root / PAGE).glob(f"*-{CHAPTER}.html")
        assert page.read_text("utf-8").count(", edited") >= count
        report("an edited title on its page", seconds, 20)
        tests = spent(
            "-m", "pytest", "-q", "-n2", "-m", "", "--chapter", CHAPTER, root=root
        )
        report("the tests of its chapter", tests, 2 * 60)


if __name__ == "__main__":
    main()
