"""A chapter's lecture, read from book/teach/lectures: slides, lab and homework.

What is said in class is written there. What the chapter has (its figures, questions and
exercises, with their titles) is looked up, so that none can be named that is not there.
"""

import ast
import json
import re
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import yaml

from dpteach.chapters import catalog
from dpteach.figures.figure import Figure
from dpteach.figures.predict import Choose, Draw, Place
from dpteach.figures.quiz import Question

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "book" / "teach" / "lectures"
LAB_MINUTES = 20


@dataclass(frozen=True)
class Slide:
    """One slide: text, or what a cell of a chapter shows, and what to say about it."""

    title: str
    minutes: int
    notes: str
    text: str = ""
    cell: str = ""  # a line of the cell's code
    then: str = ""  # what to say after a vote
    chapter: int | None = None  # another chapter than the lecture's


@dataclass(frozen=True)
class Step:
    """A part of the lab."""

    minutes: int
    do: str


@dataclass(frozen=True)
class Problem:
    """A problem that people mark."""

    title: str
    points: int
    text: str


@dataclass(frozen=True)
class Lecture:
    """One lecture, and what goes with it."""

    number: int
    topic: str
    chapter: str  # such as chapters/09-dp-sgd
    ready: str
    aims: str
    slides: tuple[Slide, ...]
    spare: str
    lab: str
    lab_steps: tuple[Step, ...]
    exercises: dict[str, int]
    problems: tuple[Problem, ...]

    @property
    def name(self) -> str:
        """Two digits, as in the names of its files."""
        return f"{self.number:02}"

    @property
    def minutes(self) -> int:
        """How long the slides take, without the lab."""
        return sum(slide.minutes for slide in self.slides)

    @property
    def points(self) -> int:
        """What all homework is worth."""
        written = sum(problem.points for problem in self.problems)
        return written + sum(self.exercises.values())

    @property
    def key(self) -> Path:
        """The answers to its problems."""
        slug = self.chapter.removeprefix("chapters/")
        return FOLDER.parent / "keys" / f"{slug}-key.md"

    @property
    def votes(self) -> list[tuple[int, Slide, Question | Draw | Place]]:
        """Its questions to vote on, with the numbers of their slides.

        A figure that asks is one if the slide says what to say after the vote.
        """
        votes = []
        for number, slide in enumerate(self.slides, start=1):
            question = self.question(slide)
            if question and (slide.then or not self.shows_figure(slide)):
                votes.append((number, slide, question))
        return votes

    def question(self, slide: Slide) -> Question | Draw | Place | None:
        """Return what a slide asks, if it asks."""
        return question_in(self.shown(slide))

    def shown(self, slide: Slide) -> Any:
        """Return the figure or question that a slide shows."""
        return displayed(self.source(slide), slide.cell) if slide.cell else None

    def shows_figure(self, slide: Slide) -> bool:
        """Say whether a slide shows a figure."""
        return isinstance(self.shown(slide), Figure)

    def source(self, slide: Slide) -> str:
        """Return the chapter whose cell a slide shows."""
        return self.chapter if slide.chapter is None else chapters()[slide.chapter]


def question_in(shown: Any) -> Question | Draw | Place | None:
    """Return the question that a cell shows, by itself or in a figure."""
    asks = shown.declaration.get("asks") if isinstance(shown, Figure) else shown
    if isinstance(asks, Choose):
        return asks.question
    return asks if isinstance(asks, Question | Draw | Place) else None


@cache
def chapters() -> dict[int, str]:
    """Return the file of each chapter."""
    text = (ROOT / "book" / "chapters.yml").read_text(encoding="utf-8")
    return {row["number"]: row["file"] for row in yaml.safe_load(text)}


@cache
def cells(chapter: str) -> list[str]:
    """List the code of a chapter's cells that the book runs, without magics."""
    text = (ROOT / f"{chapter}.ipynb").read_text(encoding="utf-8")
    return [
        "".join(cell["source"])
        for cell in json.loads(text)["cells"]
        if cell["cell_type"] == "code"
        and cell["id"] != "install"
        and "skip-execution" not in cell["metadata"].get("tags", [])
    ]


def cell_with(chapter: str, line: str) -> str:
    """Find the one cell of a chapter that has this line."""
    found = [
        code for code in cells(chapter) if line in map(str.strip, code.splitlines())
    ]
    if len(found) != 1:
        raise ValueError(f"{chapter}: {len(found)} cells have the line {line!r}, not 1")
    return found[0]


def displayed(chapter: str, line: str) -> Any:
    """Return the figure or question that a cell displays; None if it computes."""
    cell_with(chapter, line)
    module, dot, attribute = line.partition(".")
    if not (dot and attribute.isidentifier() and module in _imported(chapter)):
        return None
    return getattr(import_module(_imported(chapter)[module]), attribute)


@cache
def _imported(chapter: str) -> dict[str, str]:
    """Say which module each name of a chapter's imports is."""
    found = {}
    for code in cells(chapter):
        for node in ast.walk(ast.parse(code)):
            if isinstance(node, ast.ImportFrom):
                for each in node.names:
                    found[each.asname or each.name] = f"{node.module}.{each.name}"
    return found


@cache
def read(number: int) -> Lecture:
    """Read a lecture, and look up all that it names."""
    path = FOLDER / f"{number:02}.yml"
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the same, ten times faster
    found = yaml.load(path.read_text(encoding="utf-8"), loader)
    found = _named(found, chapters()[number])
    lab, homework = found.pop("lab"), found.pop("homework")
    lecture = Lecture(
        number=number,
        chapter=chapters()[number],
        slides=tuple(Slide(**each) for each in found.pop("slides")),
        lab=lab["exercise"],
        lab_steps=tuple(Step(**each) for each in lab["steps"]),
        exercises=homework["exercises"],
        problems=tuple(Problem(**each) for each in homework["problems"]),
        **found,
    )
    demand(lecture)
    return lecture


def _named(found: Any, chapter: str) -> Any:
    """Say by name which question or figure stands in a text as a cell's line."""
    if isinstance(found, dict):
        return {
            key: each if key == "cell" else _named(each, chapter)
            for key, each in found.items()
        }
    if isinstance(found, list):
        return [_named(each, chapter) for each in found]
    if not isinstance(found, str):
        return found

    def name(match: re.Match[str]) -> str:
        shown = displayed(chapter, match[1])
        if isinstance(shown, Question):
            return f"`{shown.identity}`"
        return f"*{shown.explorer.title}*"

    return re.sub(r"`([a-z_]+\.[A-Za-z_]+)`", name, found)


def demand(lecture: Lecture) -> None:
    """Refuse what names a thing that is not there, or leaves a vote without a word."""
    for slide in lecture.slides:
        if slide.cell:
            displayed(lecture.source(slide), slide.cell)
    for _, slide, _ in lecture.votes:
        if not slide.then:
            raise ValueError(f"{lecture.name}: what follows the vote {slide.title!r}?")
    unknown = {lecture.lab, *lecture.exercises} - set(catalog.names())
    if unknown:
        raise ValueError(f"{lecture.name}: there is no exercise {sorted(unknown)}")


def every() -> list[Lecture]:
    """Read all lectures, in the order of the chapters."""
    return [read(int(path.stem)) for path in sorted(FOLDER.glob("*.yml"))]
