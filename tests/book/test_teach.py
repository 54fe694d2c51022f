"""What instructors get agrees with the chapters; students do not stumble on keys."""

import doctest
import re
import zipfile
from dataclasses import replace
from functools import cache

import lecture_packs
import lecture_pages
import lectures
import pytest
import yaml
from chapter import chapters

from dpteach.chapters import catalog
from dpteach.figures.figure import Figure
from tests.public import ROOT

TEACH = ROOT / "book" / "teach"
KEYS = sorted((TEACH / "keys").glob("*.md"))
NUMBERS = sorted(int(path.stem) for path in lectures.FOLDER.glob("*.yml"))
each_lecture = pytest.mark.parametrize(
    "lecture", NUMBERS, ids="{:02}".format, indirect=True
)
each_key = pytest.mark.parametrize("path", KEYS, ids=lambda path: path.stem)
PROBLEM = re.compile(r"^## Problem (\d+)\. (.*) \((\d+) points\)$", re.MULTILINE)
PART = re.compile(r"^\*\*\((\w)\)(?: and \((\w)\))? (\d+) points?\.\*\*", re.MULTILINE)


@pytest.fixture
def lecture(request):
    """Read when a test asks for it, and not where tests are only listed."""
    return lectures.read(request.param)


def said(lecture):
    """Return all that was written for a lecture."""
    return "\n".join(
        f"{slide.text}\n{slide.notes}\n{slide.then}" for slide in lecture.slides
    )


def test_every_chapter_has_a_lecture_and_every_lecture_a_key():
    assert [each.number for each in chapters()] == NUMBERS
    assert sorted(lecture.key for lecture in lectures.every()) == KEYS


@each_lecture
def test_minutes_add_up(lecture):
    """A lecture and its lab fill 75 minutes, or the lecture alone does."""
    lab = sum(step.minutes for step in lecture.lab_steps)
    assert lab == lectures.LAB_MINUTES
    assert lecture.minutes == 75 or lecture.minutes + lab == 75
    assert all(slide.minutes > 0 for slide in lecture.slides)


@each_lecture
def test_a_lecture_is_made_of_its_chapter(lecture):
    """Figures that move, two to four votes, and an exercise of the chapter's room."""
    shown = [
        lectures.displayed(lecture.source(slide), slide.cell)
        for slide in lecture.slides
        if slide.cell
    ]
    assert sum(isinstance(each, Figure) for each in shown) >= 2
    assert 2 <= len(lecture.votes) <= 4
    rooms = {catalog.rooms()[name] for name in lecture.exercises}
    # The tour has no exercises of its own.
    assert rooms == {catalog.rooms()[lecture.lab]}
    room = lecture.chapter.rpartition("/")[2][3:].replace("-", "_")
    assert rooms == ({room} if lecture.number else {"sensitivity"})


@each_lecture
def test_each_slide_says_something(lecture):
    for slide in lecture.slides:
        assert slide.cell or slide.text, slide.title
        assert len(slide.notes.split()) >= 5, slide.title


@each_lecture
def test_the_questions_that_notes_name_are_in_the_chapters(lecture):
    sources = {lecture.chapter, *(lecture.source(slide) for slide in lecture.slides)}
    there = set()
    for chapter in sources:
        for code in lectures.cells(chapter):
            line = code.strip().splitlines()[-1]
            if re.fullmatch(r"\w+\.[A-Za-z_]+", line):
                question = lectures.question_in(lectures.displayed(chapter, line))
                if question:
                    there.add(question.identity)
    named = re.findall(r"`([a-z]+(?:-[a-z]+)+)`", said(lecture) + lecture.spare)
    assert set(named) <= there


def test_what_is_not_there_is_refused():
    """Power: a figure or an exercise that is gone, and a vote without a word."""
    with pytest.raises(ValueError, match="0 cells have the line"):
        lectures.displayed("chapters/09-dp-sgd", "descent.gone")
    whole = lectures.read(9)
    for change in (
        {"lab": "gone"},
        {"exercises": {"gone": 1}},
        {"slides": (lectures.Slide("A vote", 5, "notes", cell="ask.ODDS"),)},
    ):
        with pytest.raises(ValueError, match="09: "):
            lectures.demand(replace(whole, **change))


@each_lecture
def test_the_key_covers_all_that_people_mark(lecture):
    """Each problem, part by part, with points that add up and a rubric."""
    text = lecture.key.read_text("utf-8")
    found = [(each[2], int(each[3])) for each in PROBLEM.finditer(text)]
    assert found == [(each.title, each.points) for each in lecture.problems]
    answers = re.split("^## .*$", text, flags=re.MULTILINE)[1:]
    for problem, answer in zip(lecture.problems, answers, strict=True):
        wanted = re.findall(r"^- \((\w)\) ", problem.text, re.MULTILINE)
        parts = PART.findall(answer)
        assert [each for one, two, _ in parts for each in (one, two) if each] == wanted
        assert sum(int(points) for *_, points in parts) == problem.points
        assert "| points | level |" in answer
        rows = re.findall(r"^\| (\d+) to (\d+) \| ", answer, re.MULTILINE)
        levels = {
            point for low, high in rows for point in range(int(low), int(high) + 1)
        }
        assert levels == set(range(problem.points + 1))


@each_key
def test_the_numbers_of_a_key_are_computed(path):
    failed, tried = doctest.testfile(str(path), module_relative=False)
    assert tried > 0
    assert failed == 0


@cache
def packs(number):
    """Make both packs of a lecture once; several tests look at them."""
    return lecture_packs.packs(lectures.read(number))


@each_lecture
def test_the_packs_hold_the_homework_and_the_instructors_its_answers(lecture):
    student, instructor = packs(lecture.number).values()
    assert (
        sum(lecture.exercises.values())
        + sum(problem.points for problem in lecture.problems)
        == lecture.points
    )
    assert f"{lecture.points} points in all" in student["problems.md"]
    for name in {lecture.lab, *lecture.exercises}:
        if f"{name}.ipynb" in student:
            assert f"solutions/{name}.py" in instructor
        else:
            assert f"{name} = None" in student["questions.ipynb"]
            assert f"(`{name}`)" in instructor["questions.md"]
    assert f"keys/{lecture.key.name}" in instructor
    course = yaml.safe_load(instructor["course.yml"])
    assert course["exercises"].keys() == lecture.exercises.keys()
    for page in ("plan.md", "slides.md", "problems.md"):
        assert not re.search(r"\{(doc|prf:\w+|shown|dropdown)\}", instructor[page])


def sentences(text):
    """Cut a key into what would give an answer away."""
    text = re.sub(r"(?s:```.*?```)|^#.*$", "", text, flags=re.MULTILINE)
    return {part.strip() for part in re.split(r"[.\n|]", text) if len(part) > 40}


@each_lecture
def test_no_answer_is_in_the_students_pack(lecture):
    student = packs(lecture.number)["student"]
    whole = "\n".join(student.values())
    key = sentences(lecture.key.read_text("utf-8"))
    assert len(key) > 10
    assert not [part for part in key if part in whole]
    assert not [name for name in student if "key" in name or "plan" in name]
    for problem in lecture.problems:  # power: the sheet is what is looked at
        assert lecture_packs.plain(problem.text).strip() in student["problems.md"]


def test_no_page_has_a_key_or_says_where_it_is():
    """Nor a sentence of it; the repository holds it, and the instructor's pack."""
    folders = ("book", "chapters", "exercises", "dpteach")
    kinds = {".md", ".ipynb", ".yml", ".py"}
    pages = {
        path: path.read_text("utf-8")
        for folder in folders
        for path in (ROOT / folder).rglob("*")
        if path.suffix in kinds and "_build" not in path.parts and path not in KEYS
    }
    for key in KEYS:
        assert not [path for path, text in pages.items() if key.stem in text]
    public = "\n".join(lecture_pages.files(lectures.every()).values())
    for key in KEYS:
        text = key.read_text("utf-8")
        answers = sentences(text[text.index("## Problem 1") :])
        assert not [part for part in answers if part in public]


def test_the_table_lists_every_lecture():
    page = lecture_pages.table(lectures.every())
    for lecture in lectures.every():
        (row,) = re.findall(rf"^\| {lecture.number} \[.*$", page, re.MULTILINE)
        assert f"[{lecture.minutes} min](teach/{lecture.name}-lecture.md)" in row
        assert f"[{len(lecture.slides)}](teach/{lecture.name}-slides.md)" in row
        assert f"[{lecture.points} points]" in row
        parts = sum(
            len(re.findall(r"^- \(\w\)", p.text, re.M)) for p in lecture.problems
        )
        assert f"| {parts} parts |" in row


@pytest.mark.parametrize("heading", ["One lecture", "Six weeks", "Twelve weeks"])
def test_a_syllabus_sets_what_is_read_before(heading):
    """Exercises belong to chapters read by then, and chapters to those they need."""
    text = (ROOT / "book" / "syllabi.md").read_text("utf-8")
    part = text.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    rows = [row for row in part.splitlines() if re.match(r"\| .*`", row)]
    chapters = yaml.safe_load((ROOT / "book" / "chapters.yml").read_text("utf-8"))
    numbers = {row["file"][12:].replace("-", "_"): row["number"] for row in chapters}
    rooms = {name: numbers[room] for name, room in catalog.rooms().items()}
    needs = {row["number"]: set(row["needs"]) for row in chapters}
    read: set[int] = set()
    for row in rows:
        read |= {int(number) for number in re.findall(r"/chapters/(\d\d)-", row)}
        asked = re.findall(r"`(\w+)`", row)
        assert asked
        assert {rooms[name] for name in asked} <= read
        assert heading == "One lecture" or all(needs[each] <= read for each in read)
    if heading == "Twelve weeks":
        assert read == {
            row["number"]
            for row in chapters
            if (ROOT / f"{row['file']}.ipynb").exists()
        }


def test_the_packs_of_the_site_are_those_of_the_lectures(book):
    for name, student in (
        (each.name, packs(each.number)["student"]) for each in lectures.every()
    ):
        with zipfile.ZipFile(book / "lectures" / f"{name}-student.zip") as archive:
            inside = {
                each.removeprefix(f"{name}-student/"): archive.read(each).decode()
                for each in archive.namelist()
            }
        assert inside == student
    assert not list((book / "lectures").glob("*instructor*"))


@pytest.mark.browser
@each_lecture
def test_a_slide_shows_what_its_chapter_shows(lecture, book):
    """The same figure, table and all: not one that was drawn anew."""
    deck = (book / "book" / "teach" / f"{lecture.name}-slides.html").read_text("utf-8")
    for slide in lecture.slides:
        shown = slide.cell and lectures.displayed(lecture.source(slide), slide.cell)
        if isinstance(shown, Figure):
            there = (book / f"{lecture.source(slide)}.html").read_text("utf-8")
            pattern = rf'<figure class="dpt" id="{shown.explorer.identity}"[^>]*>'
            assert re.search(pattern, deck)[0] == re.search(pattern, there)[0]


@pytest.mark.browser
@pytest.mark.parametrize("number", ["06", "09", "23"])
def test_slides_print_one_a_page(number, book, visit):
    """Besides the page that says what they are."""
    path = book / "book" / "teach" / f"{number}-slides.html"
    page = visit(path.as_uri()).page
    page.wait_for_load_state("networkidle")
    paper = page.pdf(prefer_css_page_size=True)
    slides = lectures.read(int(number)).slides
    assert len(re.findall(rb"/Type\s*/Page[^s]", paper)) == len(slides) + 1


STAGE = """() => {
    const slide = document.querySelector("section.now").getBoundingClientRect()
    const last = Math.max(...[...document.querySelectorAll("section.now .fitted > *")]
        .map(each => each.getBoundingClientRect().bottom))
    return {ratio: slide.width / slide.height, bottom: slide.bottom, last,
            said: document.querySelector(".deck .said").textContent.trim(),
            where: document.querySelector(".deck .where").textContent}
}"""


@pytest.mark.browser
@pytest.mark.parametrize("number", ["09", "23"])
def test_a_deck_is_presented_slide_by_slide(number, book, visit):
    """Each slide fits 16 to 9, has its notes, and turns by key."""
    path = book / "book" / "teach" / f"{number}-slides.html"
    seen = visit(path.as_uri())
    page = seen.page
    page.set_viewport_size({"width": 1366, "height": 768})
    page.click(".present button")
    slides = lectures.read(int(number)).slides
    for k in range(len(slides)):
        stage = page.evaluate(STAGE)
        assert stage["where"] == f"{k + 1} / {len(slides)}"
        assert stage["ratio"] == pytest.approx(16 / 9, abs=0.01)
        assert stage["last"] <= stage["bottom"] + 1, slides[k].title
        assert len(stage["said"]) > 20
        page.keyboard.press("ArrowRight")
    page.keyboard.press("n")
    assert page.is_visible(".deck .said")
    page.keyboard.press("Escape")
    assert page.query_selector(".deck") is None
    assert not seen.errors


@pytest.mark.browser
def test_the_page_for_instructors_is_one_screen(book, visit):
    page = visit((book / "book" / "instructors.html").as_uri()).page
    page.set_viewport_size({"width": 1366, "height": 768})
    bottoms = page.evaluate(
        "() => [...document.querySelectorAll('.teach-lectures, .teach-course')]"
        ".map(each => each.getBoundingClientRect().bottom)"
    )
    assert max(bottoms) <= 768
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
