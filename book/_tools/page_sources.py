"""Write the sources of pages that are made when the book is built: page_sources.py.

These are the plan and the slides of each lecture, their table, and the pages of the API
reference.
Git does not keep them. With a chapter's number or name its lecture alone is written, if
the other pages are there.
"""

import sys
from pathlib import Path

import api_pages
import atomic
import chapter
import lecture_pages
import lectures

ROOT = Path(__file__).resolve().parents[2]
# Nothing stands in these places but what is made.
PATTERNS = (
    "book/api/*.md",
    "book/teach/*-lecture.md",
    "book/teach/*-slides.md",
    "book/teach/table.md",
)


def files() -> dict[Path, str]:
    """Return the text of every such page."""
    every = lectures.every()
    table = lecture_pages.TEACH / "table.md"
    return {
        **api_pages.files(),
        **lecture_pages.files(every),
        table: lecture_pages.table(every),
    }


def present() -> set[Path]:
    """List the pages that are there."""
    return {path for pattern in PATTERNS for path in ROOT.glob(pattern)}


def put(texts: dict[Path, str]) -> None:
    """Write the texts that are new: Sphinx reads again what has a new date."""
    for path, text in texts.items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            atomic.write(path, text)


def main() -> None:
    """Write them all, or those of one chapter."""
    if len(sys.argv) > 1 and present():
        one = chapter.find(sys.argv[1])
        put(lecture_pages.files([lectures.read(one.number)]))
        return
    texts = files()
    put(texts)
    for path in present() - texts.keys():
        path.unlink()


if __name__ == "__main__":
    main()
