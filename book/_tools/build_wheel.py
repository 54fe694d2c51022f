"""Build the package's wheel, which the published book serves: build_wheel.py [FOLDER].

Beside it lies its SHA-256, as ``sha256sum --check`` reads it. The same sources make the
same bytes.
"""

import shutil
import sys
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
OUT = ROOT / "book" / "_build" / "wheel"


class Unavailable(Exception):
    """The wheel cannot be built here, and why."""


def make(out: Path = OUT) -> Path:
    """Build the wheel into an empty folder, and return its path."""
    try:
        from hatchling.builders.wheel import WheelBuilder
    except ImportError:
        raise Unavailable("hatchling is not installed; `make read` does it") from None
    shutil.rmtree(out, ignore_errors=True)
    builder = WheelBuilder(str(ROOT))
    (made,) = builder.build(directory=str(out), versions=["standard"])
    path = Path(made)
    digest = sha256(path.read_bytes()).hexdigest()
    path.with_name(f"{path.name}.sha256").write_text(f"{digest}  {path.name}\n")
    return path


def main() -> None:
    """Build it, and say where it is."""
    try:
        made = make(Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else OUT)
    except Unavailable as why:
        sys.exit(f"The wheel cannot be built here: {why}.")
    print(f"{made} and its SHA-256 beside it")


if __name__ == "__main__":
    main()
