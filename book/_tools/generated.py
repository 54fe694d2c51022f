"""Write every file that is made from others: generated.py [--check].

Each part says what its files should be; what is on disk and should not be, goes.
"""

import sys
from pathlib import Path

import api_pages
import exercise_notebooks
import facade
import lecture_pages
import lists
import notebooks

ROOT = Path(__file__).resolve().parents[2]
PARTS = (
    notebooks.files,
    exercise_notebooks.files,
    lists.files,
    lecture_pages.files,
    api_pages.files,
    facade.files,
)
# Nothing stands in these folders but what is made.
WHOLE = (
    "exercises/*.ipynb",
    "book/api/*.md",
    "book/teach/*-slides.md",
    "book/teach/*-lecture.md",
)


def files() -> dict[Path, str]:
    """Return the text that each generated file should have."""
    return {path: text for part in PARTS for path, text in part().items()}


def superfluous(made: dict[Path, str]) -> list[Path]:
    """List the files that nothing makes any more."""
    return sorted(p for each in WHOLE for p in ROOT.glob(each) if p not in made)


def stale(made: dict[Path, str]) -> list[Path]:
    """List the files that are not as they should be, or should not be."""
    return superfluous(made) + [
        path
        for path, text in made.items()
        if not path.exists() or path.read_text(encoding="utf-8") != text
    ]


def main() -> None:
    """Write what is out of date, or name it."""
    made = files()
    found = stale(made)
    for path in found:
        print(path.relative_to(ROOT))
    if "--check" in sys.argv:
        sys.exit("These are out of date: make generated" if found else 0)
    for path in superfluous(made):
        path.unlink()
    for path in set(found) & made.keys():
        path.write_text(made[path], encoding="utf-8")


if __name__ == "__main__":
    main()
