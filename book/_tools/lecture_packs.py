"""Make the two downloads of each lecture: lecture_packs.py [CHAPTER …] [--out FOLDER].

A lecture's packs are those of a course that asks for its lab and its homework, with the
problems for people: the student's has their text, the instructor's their key as well.
"""

import argparse
import json
import re
from functools import cache
from pathlib import Path

import chapter
import yaml
from course import instructor_files, student_files, zipped
from lecture_pages import lecture_page, problems, slides_page
from lectures import ROOT, Lecture, every, read

from dpteach.chapters.catalog import names
from dpteach.grading.judge.course import course_of

STATEMENT = re.compile(r"\{prf:(\w+)\} (.*)\n:label: (\S+)")
_SHEET = """\
# Homework: {topic}

{points} points in all. {coded} of them are for the exercises, which have notebooks of
their own. Here {are} for paper. Write what you computed, and why it is right.

{problems}
"""
_ON_PAPER = """
## On paper

`problems.md` has what is marked by people, for {points} points. `{lab}.ipynb` is the
lab.
"""
_LECTURE = """
## The lecture

`plan.md` is the plan by the minute, with the votes and the lab; `slides.md` has the
text of the slides. Show the slides from the book, where they move:
`book/teach/{name}-slides.html`. `keys/` has the answers to `problems.md`, with points
and rubrics; its numbers can be computed again with `python -m doctest`.
"""


def course_source(lecture: Lecture) -> str:
    """Write the homework as a course, for the judge; the lab is worth nothing extra."""
    course = {
        "title": f"Homework: {lecture.topic}",
        "exercises": {
            name: {"points": points, "partial": True} if points > 1 else points
            for name, points in lecture.exercises.items()
        },
    }
    return yaml.safe_dump(course, sort_keys=False, allow_unicode=True)


def packs(lecture: Lecture) -> dict[str, dict[str, str]]:
    """Return the files of both packs."""
    source = course_source(lecture)
    course = course_of(yaml.safe_load(source), names, lecture.name)
    student = student_files(course)
    lab = {"title": "", "exercises": [lecture.lab]}
    for name, text in student_files(course_of(lab, names, lecture.lab)).items():
        student.setdefault(name, text)
    written = sum(problem.points for problem in lecture.problems)
    student["README.md"] += _ON_PAPER.format(points=written, lab=lecture.lab)
    student["problems.md"] = sheet(lecture)
    instructor = {
        name: text
        for name, text in instructor_files(course, source).items()
        if not name.startswith("keys/")
    }
    for name, text in instructor_files(course_of(lab, names, ""), "").items():
        if name.startswith(("solutions/", "banks/")):
            instructor.setdefault(name, text)
    instructor["README.md"] += _LECTURE.format(name=lecture.name)
    instructor[f"keys/{lecture.key.name}"] = lecture.key.read_text(encoding="utf-8")
    instructor["plan.md"] = plain(lecture_page(lecture))
    instructor["slides.md"] = plain(slides_page(lecture))
    instructor["problems.md"] = student["problems.md"]
    return {"student": student, "instructor": instructor}


def sheet(lecture: Lecture) -> str:
    """Write the problems that people mark, for students."""
    return _SHEET.format(
        topic=lecture.topic,
        points=lecture.points,
        coded=sum(lecture.exercises.values()),
        are="is a problem" if len(lecture.problems) == 1 else "are problems",
        problems=plain(problems(lecture)),
    )


@cache
def statements() -> dict[str, str]:
    """Say of each label of a chapter what it is, and its title."""
    names = {}
    for each in chapter.chapters():
        text = each.notebook.read_text(encoding="utf-8")
        cells = ("".join(cell["source"]) for cell in json.loads(text)["cells"])
        for kind, title, label in STATEMENT.findall("\n".join(cells)):
            names[label] = f"the {kind} “{title.partition(' [')[0]}”"
    return names


def plain(page: str) -> str:
    """Return a page of the book for those who read it as it is."""
    page = re.sub(r"\A---\n.*?\n---\n+", "", page, flags=re.DOTALL)
    page = re.sub(r"\{prf:ref\}`([^`]+)`", lambda found: statements()[found[1]], page)
    page = re.sub(r"\{doc\}`([^`<]+?)(?: <[^>]+>)?`", r"`\1`", page)
    page = re.sub(r"\[([^\]]+)\]\(/[^)]*\)", r"\1", page)
    page = re.sub(r"```\{shown\} (\S+)\n(.*?)\n```", r"*Shown: `\2` of \1*", page)
    page = re.sub(r":::\{dropdown\} (.*)\n:class: notes\n", r"*\1*\n", page)
    return page.replace("\n:::\n", "\n")


def write(out: Path, lectures: list[Lecture], kinds: tuple[str, ...]) -> list[Path]:
    """Write a zip of each kind for each lecture."""
    made = []
    for lecture in lectures:
        both = packs(lecture)
        for kind in kinds:
            top = f"{lecture.name}-{kind}"
            zipped(out / f"{top}.zip", top, both[kind])
            made.append(out / f"{top}.zip")
    return made


def main() -> None:
    """Write both packs of the lectures that are named, or of all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("chapter", nargs="*", help="numbers or names")
    parser.add_argument("--students", action="store_true", help="theirs alone")
    parser.add_argument("--out", type=Path, default=ROOT / "dist" / "lectures")
    given = parser.parse_args()
    try:
        chosen = [read(chapter.find(name).number) for name in given.chapter]
    except ValueError as error:
        parser.error(str(error))
    kinds = ("student",) if given.students else ("student", "instructor")
    made = write(given.out, chosen or every(), kinds)
    print(f"{given.out}: {len(made)} packs")


if __name__ == "__main__":
    main()
