"""The judge: sends cases to workers, compares what comes back, and writes marks down.

Each exercise of each student gets a worker of its own, so that an answer that ends its
process, or never ends, takes nothing from the others.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from ..clock import TimeUp, limited, of_this_thread
from ..exercise import Exercise
from ..questions import Choice, Number, Order
from ..report import Report
from .course import Course, Task
from .isolation import Limits
from .keys import seed_of
from .remote import Remote
from .submissions import Submission, defines
from .wire import Malformed, NotLoaded, Worker, WorkerEnded

# The last word, in seconds, if a check itself should hang on what an answer returned.
_LAST = 1800.0

RIGHT, WRONG, UNGRADED = "right", "wrong", "could not be graded"


@dataclass(frozen=True)
class Verdict:
    """What one answer is worth, and why.

    Parameters
    ----------
    exercise : str
        Its name.
    status : {"right", "wrong", "could not be graded"}
        Whether every check was passed, if that is known.
    score, points : float
        What it gets, and what it could get; without what lateness costs.
    report : str
        What the student may read.
    seconds : float
        How long it took.
    reason : str, optional
        Why a person should look at it, if one should.
    """

    exercise: str
    status: str
    score: float
    points: float
    report: str
    seconds: float
    reason: str = ""

    @property
    def passed(self) -> bool:
        """Whether the answer is right."""
        return self.status == RIGHT


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
    digest : str
        Of the files that were graded.
    """

    student: str
    verdicts: tuple[Verdict, ...]
    share: float = 1.0
    submitted: str = ""
    digest: str = ""

    @property
    def score(self) -> float:
        """The points, after what lateness costs."""
        return self.share * sum(each.score for each in self.verdicts)

    @property
    def points(self) -> float:
        """The most that could be had."""
        return sum(each.points for each in self.verdicts)

    @property
    def ungraded(self) -> bool:
        """Whether an answer could not be graded."""
        return any(each.status == UNGRADED for each in self.verdicts)


class CannotGrade(Exception):
    """Something that is no fault of an answer keeps it from being graded."""


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
    isolation : str
        How workers are kept apart; see ``isolation``.
    limits : Limits
        What an answer may use.
    """

    course: Course
    load: Callable[[str], Any]
    key: bytes
    isolation: str
    limits: Limits = field(default_factory=Limits)

    def marks(self, submission: Submission, submitted: datetime | None = None) -> Marks:
        """Grade all exercises of one student, one after the other."""
        notebook = _Notebook()
        verdicts = [
            self.verdict(submission, task, notebook) for task in self.course.tasks
        ]
        return self._marks(submission, verdicts, submitted)

    def no_marks(
        self, submission: Submission, submitted: datetime | None, reason: str
    ) -> Marks:
        """Write down that nothing of a student's could be graded, and why."""
        verdicts = [ungraded(task, reason) for task in self.course.tasks]
        return self._marks(submission, verdicts, submitted)

    def _marks(
        self,
        submission: Submission,
        verdicts: list[Verdict],
        submitted: datetime | None,
    ) -> Marks:
        time = "" if submitted is None else submitted.isoformat()
        share = self.course.share(submitted)
        return Marks(
            submission.student, tuple(verdicts), share, time, submission.digest
        )

    def verdict(
        self, submission: Submission, task: Task, notebook: "_Notebook"
    ) -> Verdict:
        """Grade one answer, whatever it does."""
        elapsed = of_this_thread()
        try:
            verdict = limited(lambda: self._verdict(submission, task, notebook), _LAST)
        except (Exception, TimeUp) as error:
            verdict = ungraded(task, _reason(error))
        return replace(verdict, seconds=round(elapsed.seconds(), 3))

    def _verdict(
        self, submission: Submission, task: Task, notebook: "_Notebook"
    ) -> Verdict:
        exercise = self.load(task.name)
        starter = getattr(exercise, "starter", "")  # questions have none
        cells, unread = submission.cells(task.name, starter)
        if unread and not defines(cells, task.name):
            more = f" (nor can {len(unread) - 1} more of the files)" * (len(unread) > 1)
            raise CannotGrade(unread[0] + more)
        seed = seed_of(self.key, submission.student, task.name, cells)
        if isinstance(exercise, Number | Choice | Order):
            outcome, share = self._question(exercise, cells, seed), None
        else:
            outcome = self._report(exercise, cells, seed, notebook)
            share = exercise.share if task.partial else None
        if isinstance(outcome, str):  # nothing that runs
            return _without_report(task, outcome)
        status = RIGHT if outcome.passed else WRONG
        score = share(outcome) if share else float(outcome.passed)
        several = submission.defining(task.name)
        reason = ""
        if status == WRONG and len(several) > 1:
            reason = printable(f"{task.name} is defined in {' and in '.join(several)}")
        # The seed stays secret, because anyone who knows it can draw the cases.
        text = printable(str(replace(outcome, seed=None)))
        score *= task.points
        return Verdict(task.name, status, score, task.points, text, 0.0, reason)

    def _report(
        self, exercise: Exercise, cells: list[str], seed: int, notebook: "_Notebook"
    ) -> Report | str:
        whole = None
        if not notebook.stops:
            try:
                whole, more = self._graded(exercise, cells, seed)
                if whole.passed or not more:
                    return whole
            except NotLoaded:
                # Something beside the answer ended Python, or never ends. From here
                # on it is left out, for the student's other answers too.
                notebook.stops = True
        # What is beside an answer may spoil it, as a line that changes NumPy does.
        try:
            alone, _ = self._graded(exercise, cells, seed, definitions_alone=True)
        except NotLoaded as error:
            return whole or f"the code that was handed in does not run: {error}"
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
        # Once as in a notebook; then, if chosen draws were replayed, with ordinary
        # generators too. Code that looks for replayed draws must pass both.
        for refuse_replay in (False, True):
            for _ in range(2):  # once more if somebody else ended the process
                with self._worker(cells, definitions_alone) as worker:
                    remote = Remote(worker, exercise.name, refuse_replay=refuse_replay)
                    report = exercise.run(exercise.student(remote), seed)
                if not worker.killed:
                    break
            if not (report.passed and remote.replayed):
                break
        return report, worker.more_than_definitions

    def _question(self, question: Any, cells: list[str], seed: int) -> Report | str:
        name = question.name
        try:
            value = self._value(name, cells, definitions_alone=False)
        except (NotLoaded, WorkerEnded, Malformed, TimeUp):
            try:
                value = self._value(name, cells, definitions_alone=True)
            except (NotLoaded, WorkerEnded, Malformed, TimeUp) as error:
                return f"the code that was handed in could not be run; {error}"
        if value is None:
            return (
                f"no answer that is a number or a text. Write a line such as {name} = "
                "... in a cell"
            )
        try:
            return question.grade(value, seed)
        except (TypeError, ValueError) as error:
            return str(error)

    def _value(self, name: str, cells: list[str], *, definitions_alone: bool) -> Any:
        with self._worker(cells, definitions_alone) as worker:
            return worker.value(name)

    def _worker(self, cells: list[str], definitions_alone: bool) -> Worker:
        return Worker(
            cells,
            isolation=self.isolation,
            limits=self.limits,
            definitions_alone=definitions_alone,
        )


def ungraded(task: Task, reason: str) -> Verdict:
    """Write down that an answer could not be graded, and why."""
    reason = printable(reason)
    report = (
        f"{task.name}: this answer could not be graded: {reason}. Your instructor will "
        "look at it."
    )
    return Verdict(task.name, UNGRADED, 0.0, task.points, report, 0.0, reason)


def _without_report(task: Task, text: str) -> Verdict:
    report = printable(f"{task.name}: {text.rstrip('.')}.")
    return Verdict(task.name, WRONG, 0.0, task.points, report, 0.0)


def _reason(error: BaseException) -> str:
    if isinstance(error, CannotGrade):
        return str(error)
    if isinstance(error, TimeUp):
        return "it took the judge too long"
    return f"{type(error).__name__}: {error}"[:300].rstrip(": .")


def printable(text: str) -> str:
    """Replace what no file or terminal can take: an error says what its code wants."""
    return "".join(
        each if each == "\n" or each.isprintable() else "\N{REPLACEMENT CHARACTER}"
        for each in text
    )


@dataclass
class _Notebook:
    """What is known of a student's notebook: whether running all of it stops."""

    stops: bool = False
