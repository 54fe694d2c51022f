"""Write every file in git that is made from others: generated.py [--check].

Each part says what its files should be; what is on disk and should not be, goes. Pages
that git does not keep are written when the book is built: see ``page_sources``.
"""

import sys
from pathlib import Path

import atomic
import exercise_notebooks
import facade
import lists
import notebooks

ROOT = Path(__file__).resolve().parents[2]
PARTS = (
    notebooks.files,
    exercise_notebooks.files,
    lists.files,
    facade.files,
)
# Nothing stands in this place but what is made.
WHOLE = "exercises/*.ipynb"


def files() -> dict[Path, str]:
    """Return the text that each generated file should have."""
    return {path: text for part in PARTS for path, text in part().items()}


def superfluous(texts: dict[Path, str]) -> list[Path]:
    """List the files that nothing makes any more."""
    return sorted(path for path in ROOT.glob(WHOLE) if path not in texts)


def stale(texts: dict[Path, str]) -> list[Path]:
    """List the files that are not as they should be, or should not be."""
    return superfluous(texts) + [
        path
        for path, text in texts.items()
        if not path.exists() or path.read_text(encoding="utf-8") != text
    ]


def main() -> None:
    """Write what is out of date, or name it."""
    texts = files()
    outdated = stale(texts)
    for path in outdated:
        print(path.relative_to(ROOT))
    if "--check" in sys.argv:
        sys.exit("These are out of date: make generated" if outdated else 0)
    for path in superfluous(texts):
        path.unlink()
    for path in set(outdated) & texts.keys():
        atomic.write(path, texts[path])


if __name__ == "__main__":
    main()
