"""Write the lock of the versions that were tested, with hashes: lock.py.

Run with the Python of the environment in which tests pass: its versions are locked, by
uv, for every system and every newer Python. ``locked.txt`` has what the book needs,
``locked-dev.txt`` what its tests need besides. To install in place, hatchling asks for
editables.
"""

import re
import subprocess
import sys
import tempfile
from importlib.metadata import distributions
from pathlib import Path

import atomic

ROOT = Path(__file__).resolve().parents[2]
LOCK, LOCK_DEV = ROOT / "locked.txt", ROOT / "locked-dev.txt"
HEAD = """\
# The versions with which the book was tested, for `make … LOCKED=1`.
# Written by `make lock`; pip refuses a file whose hash is not listed here.
"""
HEAD_DEV = f"""\
# What the tests need besides {LOCK.name}, and with it, for `make test LOCKED=1`.
# Written by `make lock`; pip refuses a file whose hash is not listed here.
"""


def compiled(extra: str, held: Path) -> dict[str, str]:
    """Lock an extra at the versions held; return for each package its lines."""
    with tempfile.TemporaryDirectory() as folder:
        more = Path(folder, "more.in")
        more.write_text("editables\n", "utf-8")
        command = [
            *("uv", "pip", "compile", "--quiet", "--universal", "--generate-hashes"),
            *("--no-header", "--no-annotate", "--no-emit-index-url"),
            *("--no-emit-find-links", "--python-version", sys.version.split()[0]),
            *("--extra", extra, "--constraint", str(held), "pyproject.toml", str(more)),
        ]
        done = subprocess.run(command, cwd=ROOT, text=True, stdout=subprocess.PIPE)
    if done.returncode:
        sys.exit("uv found no versions that fit: see above")
    lines = re.split(r"^(?=[\w.-]+==)", done.stdout, flags=re.MULTILINE)
    return {line.partition(" \\")[0]: line for line in lines if line}


def main() -> None:
    """Lock what is installed here, as far as the book and its tests need it."""
    there = sorted({f"{each.name}=={each.version}\n" for each in distributions()})
    with tempfile.TemporaryDirectory() as folder:
        held = Path(folder, "there.txt")
        held.write_text("".join(there), "utf-8")
        book, dev = compiled("book", held), compiled("dev", held)
    more = [lines for package, lines in dev.items() if package not in book]
    atomic.write(LOCK, HEAD + "".join(book.values()))
    atomic.write(LOCK_DEV, HEAD_DEV + "".join(more))
    for path in (LOCK, LOCK_DEV):
        print(f"{path.name}: {len(packages(path))} packages")


def packages(path: Path = LOCK) -> dict[str, str]:
    """Return the locked version of each package."""
    found = re.findall(r"^([\w.-]+)==(\S+)", path.read_text("utf-8"), re.MULTILINE)
    return dict(found)


if __name__ == "__main__":
    main()
