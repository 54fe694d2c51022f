"""What instructors get agrees with the package, and students do not stumble on keys."""

import doctest
import re
from itertools import pairwise

import pytest
import yaml

from dpteach.chapters import catalog
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


@pytest.mark.parametrize("heading", ["One lecture", "Six weeks", "Twelve weeks"])
def test_a_syllabus_sets_what_is_read_before(heading):
    """Exercises belong to chapters read by then, and chapters to those they need."""
    text = (ROOT / "book" / "syllabi.md").read_text("utf-8")
    part = text.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    rows = [row for row in part.splitlines() if re.match(r"\| .*`", row)]
    rooms = {name: int(room[2:4]) for name, room in catalog.rooms().items()}
    chapters = yaml.safe_load((ROOT / "book" / "chapters.yml").read_text("utf-8"))
    needs = {row["number"]: set(row["needs"]) for row in chapters}
    read: set[int] = set()
    for row in rows:
        read |= {int(number) for number in re.findall(r"/chapters/(\d\d)-", row)}
        asked = re.findall(r"`(\w+)`", row)
        assert asked
        assert {rooms[name] for name in asked} <= read
        assert heading == "One lecture" or all(needs[each] <= read for each in read)
    if heading == "Twelve weeks":
        assert read == set(range(22))


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
