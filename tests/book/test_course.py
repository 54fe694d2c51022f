"""The two downloads: a student's holds no answer, an instructor's holds every one."""

import inspect
import json
import os
import re
import subprocess
import sys
import zipfile
from functools import cache

import course
import nbformat
import pytest
import yaml

from dpteach.chapters.catalog import explanation, load, names
from dpteach.grading.exercise import Exercise
from dpteach.grading.judge import command
from dpteach.grading.judge.course import course_of, read_course
from tests.chapters.banks import NAMES, right, wrong
from tests.public import ROOT

STANDARD = read_course(course.STANDARD, names)
# Of every exercise and every question that there is.
WHOLE = course_of({"exercises": list(names())}, names, "all")
QUESTIONS = [name for name in names() if not isinstance(load(name), Exercise)]


def squeezed(text):
    """Leave out what does not matter, so that a reformatted answer is still found."""
    return re.sub(r"\s+", "", text)


@pytest.fixture(scope="module")
def student():
    return course.student_files(WHOLE)


@pytest.fixture(scope="module")
def instructor():
    return course.instructor_files(WHOLE, course.STANDARD.read_text("utf-8"))


def test_the_page_and_the_pack_give_the_commands_statuses(instructor):
    said = {
        command.REFUSED: "2 if it refuses something",
        command.NO_SANDBOX: "3 if no sandbox works here",
        command.SOME_UNGRADED: "4 if some answer could not be graded",
        command.NOT_WRITTEN: "5 if no more can be written",
    }
    page = (ROOT / "book" / "marks.md").read_text("utf-8")
    for text in (page, instructor["README.md"]):
        words = " ".join(text.split())
        for status, sentence in said.items():
            assert sentence.startswith(f"{status} ")
            assert sentence in words


@cache
def printed():
    """Return all code that statements and starters show."""
    return "".join(
        squeezed(load(each).starter + load(each).statement) for each in NAMES
    )


@cache
def answers(name):
    """List the lines of right answers that nothing shows, as (squeezed, line).

    An exercise may show code, to be audited, that uses a line of another's answer.
    """
    shown = printed() + squeezed(load(name).worked[0])
    lines = [
        line
        for answer in right(name)
        for line in inspect.getsource(answer).splitlines()[1:]
    ]
    parts = [(squeezed(line), line) for line in lines]
    return [
        (part, line) for part, line in parts if len(part) >= 25 and part not in shown
    ]


def given_away(text, name):
    """List the lines of right answers that stand in a squeezed text."""
    return [line for part, line in answers(name) if part in text]


def plain(text):
    """Return a notebook's cells as text; all else as it is."""
    if not text.startswith("{"):
        return text
    return "\n".join("".join(cell["source"]) for cell in json.loads(text)["cells"])


def test_the_students_pack_holds_no_solution(student):
    assert {f"{name}.ipynb" for name in NAMES} <= student.keys()
    whole = {file: squeezed(plain(text)) for file, text in student.items()}
    for name in NAMES:
        assert not [
            (file, line)
            for file, text in whole.items()
            for line in given_away(text, name)
        ], name


def test_an_answer_in_the_students_pack_would_be_seen():
    """Power: each right answer, put into the pack, is found there."""
    for name in NAMES:
        sources = [squeezed(inspect.getsource(each)) for each in right(name)]
        assert any(given_away(each, name) for each in sources)


def test_the_students_pack_holds_no_explanation(student, instructor):
    """No line of its words; the code is looked for above. The instructor's has all."""
    whole = "\n".join(map(plain, student.values()))
    for name in [*NAMES, *QUESTIONS]:
        words = re.sub(r"```.*?```", "", explanation(name), flags=re.DOTALL)
        for line in words.splitlines():
            assert len(line) < 40 or line not in whole, (name, line)
    assert explanation("clip") in instructor["solutions/clip.md"]
    assert explanation("what_costs") in instructor["questions.md"]


def test_the_students_pack_names_nothing_that_answers(student):
    for file, text in student.items():
        assert file.endswith((".ipynb", ".md"))
        for word in (
            "bank",
            "right_",
            "wrong_",
            "tests/",
            "import dpteach",
            "EXERCISE",
        ):
            assert word not in plain(text), (file, word)


@pytest.mark.parametrize("name", QUESTIONS)
def test_the_students_pack_asks_the_questions_and_does_not_answer(student, name):
    text, question = plain(student["questions.ipynb"]), load(name)
    assert f"{name} = None" in text
    assert question.statement in text
    assert question.praise not in text
    told = getattr(question, "feedback", {}).values()
    told = told or [told for _, told in question.misconceptions]
    assert not [each for each in told if each in text]


def test_the_starters_in_the_students_pack_run_and_fail(student):
    for name in ("clip", "exact_delta", "private_step"):
        notebook = nbformat.reads(student[f"{name}.ipynb"], as_version=4)
        nbformat.validate(notebook)
        found = {}
        for cell in notebook.cells:
            if cell.cell_type == "code":
                exec(cell.source, found)
        assert not load(name).grade(found[name], 1).passed


@pytest.mark.parametrize("name", NAMES)
def test_the_instructors_solution_stands_alone_and_passes(instructor, name):
    found = {}
    exec(instructor[f"solutions/{name}.py"], found)
    assert load(name).grade(found[name], 1).passed


@pytest.mark.parametrize("name", NAMES)
def test_the_instructors_pack_explains(instructor, name):
    text = instructor[f"solutions/{name}.md"]
    exercise = load(name)
    assert exercise.praise in text
    for sentence, _ in exercise.checks:
        assert sentence in text
    for answer, _ in wrong(name):
        assert f"`{answer.__name__}`" in text
    assert f"def {right(name)[0].__name__}" in instructor[f"banks/{name}.py"]


def test_the_instructors_pack_has_questions_keys_and_the_course(instructor):
    for name in QUESTIONS:
        assert f"(`{name}`)" in instructor["questions.md"]
        assert load(name).praise in instructor["questions.md"]
    assert {"keys/09-dp-sgd-key.md", "keys/13-dp-ftrl-key.md"} <= instructor.keys()
    assert "exercises:" in instructor["course.yml"]
    # Every command that the instructions print is one that there is.
    for word in ("judge", "verify", "export"):
        assert f"python -m dpteach.grading {word}" in instructor["README.md"]


def test_the_command_writes_both_alike_each_time(tmp_path):
    packs = []
    for folder in ("one", "two"):
        done = subprocess.run(
            [sys.executable, "book/_tools/course.py", "--out", tmp_path / folder],
            cwd=ROOT, capture_output=True, text=True, check=False,
            env={**os.environ, "PYTHONPATH": f"{ROOT}:{ROOT / 'book' / '_ext'}"},
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        packs.append({
            path.name: path.read_bytes() for path in (tmp_path / folder).iterdir()
        })  # fmt: skip
    assert packs[0] == packs[1]
    assert packs[0].keys() == {"student.zip", "instructor.zip"}
    with zipfile.ZipFile(tmp_path / "one" / "student.zip") as archive:
        inside = archive.namelist()
    coded = [each.name for each in STANDARD.tasks if each.name in NAMES]
    assert set(inside) == {
        "student/README.md", "student/questions.ipynb",
        *(f"student/{name}.ipynb" for name in coded),
    }  # fmt: skip


def test_the_instructions_say_what_the_course_says(student):
    text = course.student_files(STANDARD)["README.md"]
    for each in STANDARD.tasks:
        assert f"`{each.name}`) | {each.points:g} |" in text
    due = course_of(
        {"exercises": ["clip"], "due": "2026-10-05T23:59:00+00:00",
         "late": {"per_day": 0.1}}, names, "x",
    )  # fmt: skip
    told = course.student_files(due)["README.md"]
    assert "due on 2026-10-05 at 23:59 UTC. Each day begun after that costs 10%" in told
    assert "It proves nothing to anyone else" in student["README.md"]


def test_the_course_on_the_page_can_be_read():
    text = (ROOT / "book" / "marks.md").read_text("utf-8")
    (block,) = re.findall(r"```yaml\n(.*?)```", text, re.DOTALL)
    found = course_of(yaml.safe_load(block), names, "the page")
    assert found.points == 8
    assert found.per_day == 0.1
    assert found.due is not None


def test_the_students_are_told_all_that_lateness_costs():
    late = {"per_day": 0.1, "days": 5}
    made = course_of({"exercises": ["clip"], "due": "2026-10-05", "late": late}, names,
                     "course")  # fmt: skip
    told = course.student_files(made)["README.md"]
    assert "10% of the points" in told
    assert "5 days after it nothing counts" in told


@pytest.mark.parametrize(
    ("tool", "named", "told"),
    [("course", "nowhere", "nowhere cannot be read"),
     ("lecture_packs", "99", "no chapter '99'")],
)  # fmt: skip
def test_what_is_not_there_is_said_to_be_so(tool, named, told):
    done = subprocess.run(
        [sys.executable, ROOT / "book" / "_tools" / f"{tool}.py", named],
        capture_output=True, text=True, cwd=ROOT, check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT / "book" / "_ext")},
    )  # fmt: skip
    assert done.returncode == 2
    assert told in done.stderr
