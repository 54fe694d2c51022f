"""What instructors get agrees with the package, and students do not stumble on keys."""

import doctest
import re
from itertools import pairwise

import pytest

from dpteach.figures import sgd_questions
from dpteach.figures.quiz import Question
from tests.public import ROOT

KEYS = sorted((ROOT / "exercises" / "teach").glob("*.md"))
PLAN = ROOT / "book" / "teach" / "08-lecture.md"
SLIDES = ROOT / "book" / "teach" / "08-slides.md"


@pytest.mark.parametrize("path", KEYS, ids=lambda path: path.stem)
def test_the_numbers_of_a_key_are_computed(path):
    failed, tried = doctest.testfile(str(path), module_relative=False)
    assert tried > 0
    assert failed == 0


def test_only_the_plan_says_where_the_key_is():
    folders = ("book", "chapters", "exercises", "dpteach/grading")
    kinds = {".md", ".ipynb", ".yml", ".py"}
    pages = [
        path
        for folder in folders
        for path in (ROOT / folder).rglob("*")
        if path.suffix in kinds and "_build" not in path.parts
    ]
    named = {path for path in pages if "dp-sgd-key" in path.read_text("utf-8")}
    assert named - set(KEYS) == {PLAN}
    assert not re.search(r"\]\([^)]*dp-sgd-key", PLAN.read_text("utf-8"))  # no link


def test_the_plan_names_every_question_there_is():
    there = {q.identity for q in vars(sgd_questions).values() if type(q) is Question}
    text = PLAN.read_text("utf-8")
    table = text[text.index("## The plan") : text.index("## To assign")]
    assert {name for name in there if f"`{name}`" in table} == there


def test_the_plan_fills_its_minutes_and_shows_every_slide():
    rows = re.findall(r"^\| (\d+) to (\d+) \| (\d+) \|", PLAN.read_text(), flags=re.M)
    times = [(int(start), int(end)) for start, end, _ in rows]
    assert times[0][0] == 0
    assert times[-1][1] == 75
    assert all(a[1] == b[0] for a, b in pairwise(times))
    slides = re.findall(r"^## (\d+)\. ", SLIDES.read_text(), flags=re.M)
    assert [number for *_, number in rows] == slides
