"""Write the lock of the versions that were tested, with hashes: lock.py.

Run with the Python of the environment in which tests pass: its versions are locked, by
uv, for every system and every newer Python. To install in place, hatchling asks for
editables.
"""

import re
import subprocess
import sys
import tempfile
from importlib.metadata import distributions
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LOCK = ROOT / "locked.txt"
HEAD = """\
# The versions with which the book was tested, for `make read LOCKED=1`.
# Written by `make lock`; pip refuses a file whose hash is not listed here.
"""


def main() -> None:
    """Lock what is installed here, as far as the book needs it."""
    there = sorted({f"{each.name}=={each.version}\n" for each in distributions()})
    with tempfile.TemporaryDirectory() as folder:
        held, more = Path(folder, "there.txt"), Path(folder, "more.in")
        held.write_text("".join(there), "utf-8")
        more.write_text("editables\n", "utf-8")
        command = [
            *("uv", "pip", "compile", "--quiet", "--universal", "--generate-hashes"),
            *("--no-header", "--no-annotate", "--no-emit-index-url"),
            *("--no-emit-find-links", "--python-version", sys.version.split()[0]),
            *(
                "--extra",
                "book",
                "--constraint",
                str(held),
                "pyproject.toml",
                str(more),
            ),
        ]
        done = subprocess.run(command, cwd=ROOT, text=True, stdout=subprocess.PIPE)
    if done.returncode:
        sys.exit("uv found no versions that fit: see above")
    LOCK.write_text(HEAD + done.stdout, "utf-8")
    print(f"{LOCK.name}: {len(packages())} packages")


def packages() -> dict[str, str]:
    """Return the locked version of each package."""
    found = re.findall(r"^([\w.-]+)==(\S+)", LOCK.read_text("utf-8"), re.MULTILINE)
    return dict(found)


if __name__ == "__main__":
    main()
