"""The judge: sends cases to workers, compares what comes back, and writes marks down.

Each exercise of each student gets a worker of its own, so that an answer that ends its
process, or never ends, takes nothing from the others.
"""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from datetime import datetime
from multiprocessing import get_context
from typing import Any

import numpy as np

from ..clock import TimeUp, limited
from ..exercise import Exercise
from ..questions import Choice, Number, Order
from ..report import Fault, Report
from .course import Asked, Course
from .isolation import Limits
from .keys import seed_of
from .remote import RemoteStudent
from .submissions import Submission
from .wire import Broken, Worked

# The last word, if a check itself should hang on what an answer returned.
_LAST = 300.0


@dataclass(frozen=True)
class Verdict:
    """What one answer is worth, and why.

    Parameters
    ----------
    exercise : str
        Its name.
    passed : bool
        Whether every check was passed.
    score, points : float
        What it gets, and what it could get; without what lateness costs.
    report : str
        What the student may read.
    seconds : float
        How long it took.
    broken : str, optional
        What kept the judge from grading it. A person should look at it.
    """

    exercise: str
    passed: bool
    score: float
    points: float
    report: str
    seconds: float
    broken: str = ""


@dataclass(frozen=True)
class Marks:
    """What one student gets.

    Parameters
    ----------
    student : str
        The name.
    verdicts : tuple of Verdict
        One for each exercise, in the order of the course.
    share : float
        What lateness leaves.
    submitted : str
        When it was handed in, if that is known.
    """

    student: str
    verdicts: tuple[Verdict, ...]
    share: float = 1.0
    submitted: str = ""

    @property
    def score(self) -> float:
        """The points, after what lateness costs."""
        return self.share * sum(each.score for each in self.verdicts)

    @property
    def points(self) -> float:
        """The most that could be had."""
        return sum(each.points for each in self.verdicts)


@dataclass(frozen=True)
class Judge:
    """Grades submissions in a way that holds against hostile code.

    Parameters
    ----------
    course : Course
        What is asked.
    load : callable
        Finds an exercise or a question by its name.
    key : bytes
        The course's secret.
    way : str
        How workers are kept apart; see ``isolation``.
    limits : Limits
        What an answer may use.
    """

    course: Course
    load: Callable[[str], Any]
    key: bytes
    way: str
    limits: Limits = field(default_factory=Limits)

    def marks(self, submission: Submission, submitted: datetime | None = None) -> Marks:
        """Grade all exercises of one student, one after the other."""
        known = _Known()
        verdicts = tuple(
            self.verdict(submission, each, known) for each in self.course.asked
        )
        told = "" if submitted is None else submitted.isoformat()
        share = self.course.share(submitted)
        return Marks(submission.student, verdicts, share, told)

    def all_marks(
        self,
        found: list[Submission],
        times: dict[str, datetime],
        jobs: int,
    ) -> Iterator[Marks]:
        """Grade a class on ``jobs`` cores, and yield marks as they are ready."""
        if jobs == 1 or len(found) == 1:
            for each in found:
                yield self.marks(each, times.get(each.student))
            return
        with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
            waiting = [
                pool.submit(self.marks, each, times.get(each.student)) for each in found
            ]
            for done in as_completed(waiting):
                yield done.result()

    def verdict(self, submission: Submission, asked: Asked, known: "_Known") -> Verdict:
        """Grade one answer, whatever it does."""
        begin, broken = time.monotonic(), ""
        try:
            report = limited(lambda: self._report(submission, asked.name, known), _LAST)
        except (Exception, TimeUp) as error:
            broken = f"{type(error).__name__}: {error}"[:300]
            told = "This answer could not be graded. Your instructor will look at it."
            report = told
        seconds = round(time.monotonic() - begin, 3)
        if isinstance(report, str):  # nothing to run, or nothing that runs
            told, passed, share = report, False, 0.0
        else:
            told, passed = str(report), report.passed
            share = 1.0 if passed else 0.0
            if asked.partial and not passed:
                share = report.reached / len(report.checks)
        score = asked.points * share
        told, broken = printable(told), printable(broken)
        return Verdict(asked.name, passed, score, asked.points, told, seconds, broken)

    def _report(
        self, submission: Submission, name: str, known: "_Known"
    ) -> Report | str:
        cells, trouble = submission.cells(name)
        exercise = self.load(name)
        if not cells:
            return f"{name}: {trouble or 'there is no code in what was handed in'}."
        seed = seed_of(self.key, submission.student, name)
        if isinstance(exercise, Number | Choice | Order):
            return self._question(exercise, cells, seed)
        whole = None
        if not known.stops:
            try:
                whole, beside = self._graded(exercise, cells, seed)
                if whole.passed or not beside:
                    return whole
            except Broken:
                # Something beside the answer ended Python, or never ends. From here
                # on it is left out, for the student's other answers too.
                known.stops = True
        # What is beside an answer may spoil it, as a line that changes NumPy does.
        try:
            alone, _ = self._graded(exercise, cells, seed, definitions_alone=True)
        except Broken as broken:
            told = f"{name}: the code that was handed in does not run: {broken}."
            return whole or told
        return alone if whole is None or alone.passed else whole

    def _graded(
        self,
        exercise: Exercise,
        cells: list[str],
        seed: int,
        *,
        definitions_alone: bool = False,
    ) -> tuple[Report, bool]:
        """Return the report, and whether more was run than definitions."""
        # Once as in a notebook; then, if noise was read from a tape, with ordinary
        # generators too. Code that looks for the tape must pass both.
        for ordinary in (False, True):
            with self._worked(cells, definitions_alone) as worked:
                student = RemoteStudent(
                    worked, exercise.name, exercise.parameters, exercise.seconds,
                    ordinary=ordinary,
                )  # fmt: skip
                report = _checked(exercise, student, seed + ordinary)
            if not (report.passed and student.taped):
                break
        return report, worked.beside

    def _question(self, question: Any, cells: list[str], seed: int) -> Report | str:
        name = question.name
        try:
            value = self._value(name, cells, definitions_alone=False)
        except Broken:
            try:
                value = self._value(name, cells, definitions_alone=True)
            except Broken as broken:
                told = "the code that was handed in could not be run"
                return f"{name}: {told}; {broken}."
        if value is None:
            return (
                f"{name}: no answer that is a number or a text. Write a line such as "
                f"{name} = ... in a cell."
            )
        try:
            return question.grade(value, seed)
        except (TypeError, ValueError) as error:
            return f"{name}: {error}"

    def _value(self, name: str, cells: list[str], *, definitions_alone: bool) -> Any:
        with self._worked(cells, definitions_alone) as worked:
            return worked.value(name)

    def _worked(self, cells: list[str], definitions_alone: bool) -> Worked:
        way, limits = self.way, self.limits
        return Worked(
            cells, way=way, limits=limits, definitions_alone=definitions_alone
        )


def printable(text: str) -> str:
    """Replace what no file or terminal can take: an error says what its code wants."""
    return "".join(
        each if each == "\n" or each.isprintable() else "\N{REPLACEMENT CHARACTER}"
        for each in text
    )


@dataclass
class _Known:
    """What is known of a student's notebook: whether running all of it stops."""

    stops: bool = False


def _checked(exercise: Exercise, student: RemoteStudent, seed: int) -> Report:
    """Run the checks up to the first that fails, as ``Exercise.grade`` does."""
    fault, reached = None, 0
    try:
        student.demand_signature()
        for number, (_, run) in enumerate(exercise.checks):
            run(student, np.random.default_rng([seed, number]))
            reached += 1
    except Fault as found:
        fault = found
    sentences = tuple(sentence for sentence, _ in exercise.checks)
    # The seed stays secret, because anyone who knows it can draw the cases.
    return Report(exercise.name, sentences, fault, reached, None, (), exercise.praise)
