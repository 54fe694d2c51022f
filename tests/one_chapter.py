"""What concerns one chapter, of all tests: ``pytest --chapter dp-sgd``.

Its own files; of the long tables the rows that are its own (its exercises, figures,
questions, stored results, lecture, errata); and the tests behind its claims, errata and
theorems. What needs the whole book waits for ``make test-book``.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import chapter as chapters
import pytest
import verify
import yaml
from chapter import ROOT, Chapter

from dpteach.chapters.catalog import rooms

# Tests whose cases are chapters, or what a chapter has.
TABLES = (
    "tests/book/test_chapters.py",
    "tests/book/test_checklist.py",
    "tests/book/test_figure_links.py",
    "tests/book/test_reading.py",
    "tests/book/test_references.py",
    "tests/book/test_teach.py",
    "tests/chapters",
    "tests/figures/test_results.py",
    "tests/grading/test_report.py",
    "tests/test_errata.py",
    "tests/test_theorems.py",
)


class Concern:
    """What concerns a chapter, by its number or its name."""

    def __init__(self, name: str) -> None:
        self.chapter: Chapter = chapters.find(name)
        self.folders = [
            ROOT / parent / "chapters" / self.chapter.package
            for parent in ("dpteach", "tests")
        ]
        self.results = {
            path.name for path in (self.folders[0] / "results").glob("*.json")
        }
        self.tests = set(shown_by(self.chapter))

    def reads(self, path: Path) -> bool:
        """Say whether a file, or some file of a folder, must be collected."""
        places = [*self.folders, *(ROOT / name for name in TABLES)]
        places += [ROOT / test.partition("::")[0] for test in self.tests]
        return any(
            path.is_relative_to(place) or place.is_relative_to(path) for place in places
        )

    def keeps(self, item: pytest.Item) -> bool:
        """Say whether a test is about the chapter, by its file, name or case."""
        if "book" in getattr(item, "fixturenames", ()):
            return False
        if any(item.path.is_relative_to(folder) for folder in self.folders):
            return True
        file = item.path.relative_to(ROOT).as_posix()
        name = getattr(item, "originalname", None) or item.name
        if {file, f"{file}::{name}"} & self.tests:
            return True
        call = getattr(item, "callspec", None)
        return bool(call) and any(self.owns(*case) for case in call.params.items())

    def owns(self, parameter: str, value: Any) -> bool:
        """Say whether the value of a test's parameter is the chapter, or part of it."""
        one = self.chapter
        if isinstance(value, dict):  # a row of errata.yml or theorems.yml
            return value.get("page") == one.docname
        if isinstance(value, int):
            return parameter in ("lecture", "number") and value == one.number
        if isinstance(value, Path):
            return value.stem in (one.stem, f"{one.stem}-key")
        if not isinstance(value, str):
            return False
        return (
            value in (one.stem, one.docname)
            or value.startswith(f"{one.package}.")  # a figure
            or rooms().get(value) == one.package  # an exercise
            or f"{value}.json" in self.results
        )


def shown_by(one: Chapter) -> Iterator[str]:
    """List the tests that show the chapter's claims, errata and theorems."""
    for claim in verify.claims().get(one.stem, ()):
        yield claim.test
    for table, key in (("errata", "test"), ("theorems", "tested")):
        text = (ROOT / "book" / f"{table}.yml").read_text(encoding="utf-8")
        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the same, but faster
        for row in yaml.load(text, loader):
            if row["page"] == one.docname and key in row:
                yield row[key]
