"""The ways from other books and courses lead to exercises of the chapters they name."""

import re

import pytest
import yaml

from dpteach.chapters import catalog
from dpteach.chapters.catalog import explanation
from tests.public import ROOT

TEXT = (ROOT / "book" / "syllabi.md").read_text("utf-8")
CHAPTERS = yaml.safe_load((ROOT / "book" / "chapters.yml").read_text("utf-8"))
NUMBERS = {row["file"][12:].replace("-", "_"): row["number"] for row in CHAPTERS}
ROWS = [
    row
    for heading in ("From other books", "From other courses")
    for row in TEXT.partition(f"## {heading}\n")[2].partition("\n## ")[0].splitlines()
    if row.startswith("| ") and "here | lab" not in row
]


def chapters(row):
    """The numbers of the chapters in a row; "to" takes along those between."""
    named = [int(number) for number in re.findall(r"/chapters/(\d\d)-", row)]
    between = re.search(r"</chapters/(\d\d)-[\w-]+>` to \{doc\}`(\d+) ", row)
    return {*named, *(range(*map(int, between.groups())) if between else ())}


@pytest.mark.parametrize("row", ROWS)
def test_a_row_names_exercises_of_its_chapters_or_says_that_there_are_none(row):
    exercises = re.findall(r"`([a-z_0-9]+)`", row)
    rooms = {name: NUMBERS[room] for name, room in catalog.rooms().items()}
    assert {rooms[name] for name in exercises} <= chapters(row)
    assert bool(exercises) != (
        "not here |" in row or "no exercise |" in row or "Paper" in row
    )


def test_propose_test_release_has_no_exercise_and_no_row_says_otherwise():
    """Rows named the exercise on above-threshold."""
    told = [row for row in ROWS if "propose-test-release" in row]
    assert len(told) == 3
    assert all(row.endswith("| no exercise |") for row in told)
    assert not any(
        "propose" in explanation(name).lower()
        for name, room in catalog.rooms().items()
        if room == "composition"
    )


def test_a_range_of_chapters_is_read():
    row = "Chapters {doc}`13 </chapters/13-dp-ftrl>` to {doc}`15 </chapters/15-m>`"
    assert chapters(row) == {13, 14, 15}


def test_a_link_to_a_chapter_bears_its_number():
    links = re.findall(r"\{doc\}`(\d+) </chapters/(\d\d)-", TEXT)
    assert links
    assert all(int(shown) == int(file) for shown, file in links)
