"""What instructors get agrees with the package, and students do not stumble on keys."""

import doctest
import re
from itertools import pairwise

import pytest

from dpteach.chapters.ch08_dp_sgd import questions as sgd_questions
from dpteach.chapters.shared import stream_questions
from dpteach.figures.quiz import Question
from tests.public import ROOT

KEYS = sorted((ROOT / "book" / "teach" / "keys").glob("*.md"))
TEACH = ROOT / "book" / "teach"
# The plan of each lecture, and the questions that it may ask.
PLANS = {"08": sgd_questions, "11": stream_questions}
each_plan = pytest.mark.parametrize("number", PLANS)


def plan(number):
    return TEACH / f"{number}-lecture.md"


def test_every_lecture_has_its_plan_slides_and_key():
    assert {path.stem[:2] for path in TEACH.glob("*.md")} == set(PLANS)
    assert {path.stem[:2] for path in KEYS} == set(PLANS)


@pytest.mark.parametrize("path", KEYS, ids=lambda path: path.stem)
def test_the_numbers_of_a_key_are_computed(path):
    failed, tried = doctest.testfile(str(path), module_relative=False)
    assert tried > 0
    assert failed == 0


def test_only_the_plan_says_where_the_key_is():
    folders = ("book", "chapters", "exercises", "dpteach")
    kinds = {".md", ".ipynb", ".yml", ".py"}
    pages = {
        path: path.read_text("utf-8")
        for folder in folders
        for path in (ROOT / folder).rglob("*")
        if path.suffix in kinds and "_build" not in path.parts
    }
    for key in KEYS:
        named = {path for path, text in pages.items() if key.stem in text}
        told = plan(key.stem[:2])
        assert named - set(KEYS) == {told}
        assert not re.search(rf"\]\([^)]*{key.stem}", pages[told])  # no link


@each_plan
def test_the_plan_names_every_question_there_is(number):
    questions = vars(PLANS[number]).values()
    there = {q.identity for q in questions if type(q) is Question}
    text = plan(number).read_text("utf-8")
    table = text[text.index("## The plan") : text.index("## To assign")]
    assert {name for name in there if f"`{name}`" in table} == there


@each_plan
def test_the_plan_fills_its_minutes_and_shows_every_slide(number):
    rows = re.findall(
        r"^\| (\d+) to (\d+) \| (\d+) \|", plan(number).read_text(), flags=re.M
    )
    times = [(int(start), int(end)) for start, end, _ in rows]
    assert times[0][0] == 0
    assert times[-1][1] == 75
    assert all(a[1] == b[0] for a, b in pairwise(times))
    text = (TEACH / f"{number}-slides.md").read_text()
    slides = re.findall(r"^## (\d+)\. ", text, flags=re.M)
    assert [number for *_, number in rows] == slides


@pytest.mark.browser
@each_plan
def test_slides_print_one_a_page(number, book, visit):
    """Besides the page that says what they are."""
    path = book / "book" / "teach" / f"{number}-slides.html"
    page = visit(path.as_uri()).page
    page.wait_for_load_state("networkidle")
    paper = page.pdf(prefer_css_page_size=True)
    slides = re.findall(r"^## ", (TEACH / f"{number}-slides.md").read_text(), re.M)
    assert len(re.findall(rb"/Type\s*/Page[^s]", paper)) == len(slides) + 1
