"""What is asked of a class, for how many points, and until when: one small file."""

import csv
import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from math import ceil, isfinite
from pathlib import Path
from typing import Any

from .submissions import named

_KEYS = {"title", "exercises", "due", "late"}
_LATE = {"grace_minutes", "per_day", "days"}


@dataclass(frozen=True)
class Task:
    """One exercise of a course.

    Parameters
    ----------
    name : str
        The exercise.
    points : float
        What a right answer gives.
    partial : bool
        Whether an answer that fails a check gets a share for those before it.
    """

    name: str
    points: float = 1.0
    partial: bool = False


@dataclass(frozen=True)
class Course:
    """What is asked, for how many points, and until when.

    Parameters
    ----------
    title : str
        A heading for the marks.
    tasks : tuple of Task
        In the order in which marks are listed.
    due : datetime, optional
        Until when. Without it nothing is late.
    grace : timedelta
        How late is not late yet.
    per_day : float
        The share of the points that each day begun after ``due`` costs.
    days : int, optional
        After so many days begun nothing counts. Without it ``per_day`` alone decides.
    """

    title: str
    tasks: tuple[Task, ...]
    due: datetime | None = None
    grace: timedelta = timedelta(0)
    per_day: float = 0.0
    days: int | None = None

    @property
    def points(self) -> float:
        """The most that can be had."""
        return sum(each.points for each in self.tasks)

    @property
    def digest(self) -> str:
        """A hash of all that a course says."""
        text = json.dumps(asdict(self), default=str, sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()

    def share(self, submitted: datetime | None) -> float:
        """Return what share of the points a submission of this time keeps."""
        if submitted is None or self.due is None:
            return 1.0
        if (submitted.tzinfo is None) != (self.due.tzinfo is None):
            raise ValueError(
                f"`due` is {self.due} and a submission's time is {submitted}: give "
                "both with a time zone, such as 2026-10-05T23:59:00+00:00, or neither."
            )
        late = submitted - self.due
        if late <= self.grace:
            return 1.0
        begun = ceil(late / timedelta(days=1))
        if self.days is not None and begun > self.days:
            return 0.0
        return max(0.0, 1.0 - self.per_day * begun)


def read_course(path: Path, names: Callable[[], tuple[str, ...]]) -> Course:
    """Read a course from a YAML file.

    Parameters
    ----------
    path : Path
        The file.
    names : callable
        Lists the exercises that there are.

    Returns
    -------
    Course
        What it says.

    Raises
    ------
    ValueError
        If the file cannot be read, or says what cannot be meant.
    """
    import yaml  # an extra: only who gives marks needs it

    try:
        found = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, yaml.YAMLError, UnicodeDecodeError) as error:
        raise ValueError(f"{path} cannot be read: {error}") from None
    return course_of(found, names, str(path))


def course_of(found: Any, names: Callable[[], tuple[str, ...]], path: str) -> Course:
    """Make a course of what a YAML file says."""
    table = _table(found, _KEYS, path)
    exercises = table.get("exercises")
    if isinstance(exercises, list):
        exercises = {str(name): 1 for name in exercises}
    if not isinstance(exercises, Mapping) or not exercises:
        raise ValueError(f"{path}: `exercises` must list at least one exercise.")
    tasks = tuple(_task(str(name), value, path) for name, value in exercises.items())
    unknown = {task.name for task in tasks} - set(names())
    if unknown:
        raise ValueError(
            f"{path}: there is no exercise {', '.join(sorted(unknown))}. There are "
            f"{', '.join(names())}."
        )
    grace, per_day, days = _late(table.get("late") or {}, path)
    return Course(
        title=str(table.get("title", "Exercises")),
        tasks=tasks,
        due=None if table.get("due") is None else moment(table["due"], f"{path}: due"),
        grace=grace,
        per_day=per_day,
        days=days,
    )


def _late(found: Any, path: str) -> tuple[timedelta, float, int | None]:
    """Read what lateness costs: after how long, how much a day, for how many days."""
    late = _table(found, _LATE, f"{path}: `late`")
    grace = _number(late.get("grace_minutes", 0), "grace_minutes", path)
    per_day = _number(late.get("per_day", 0), "per_day", path)
    if per_day > 1:
        raise ValueError(
            f"{path}: `per_day` is a share of the points, at most 1, got {per_day!r}. "
            "For 10 percent write 0.1."
        )
    days = late.get("days")
    most = None if days is None else int(_number(days, "days", path))
    return timedelta(minutes=grace), per_day, most


def moment(value: Any, what: str) -> datetime:
    """Read a time, such as 2026-10-05T23:59:00+00:00."""
    if isinstance(value, datetime):
        return value
    text = str(value).strip()
    try:
        found = datetime.fromisoformat(text)
        # A day alone means the whole of it.
        return found.replace(hour=23, minute=59, second=59) if len(text) < 11 else found
    except ValueError:
        raise ValueError(
            f"{what} must be a time such as 2026-10-05T23:59:00+00:00, got {value!r}."
        ) from None


def read_times(path: Path, course: Course) -> dict[str, datetime]:
    """Read from a CSV file when each student handed in.

    Parameters
    ----------
    path : Path
        Has the columns ``student`` and ``submitted``. An empty time means that
        nothing was handed in.
    course : Course
        Has a ``due``.

    Returns
    -------
    dict
        From students to times.

    Raises
    ------
    ValueError
        If the file is none of this kind; all that is wrong is named at once.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file))
    except (UnicodeDecodeError, csv.Error) as error:
        raise ValueError(f"{path} is no CSV file in UTF-8: {error}.") from None
    if not rows or not {"student", "submitted"} <= set(rows[0]):
        raise ValueError(f"{path} must have the columns student and submitted.")
    if course.due is None:
        raise ValueError(f"{path} gives times, but the course has no `due`: add it.")
    times: dict[str, datetime] = {}
    wrong = []
    for row in rows:
        student, time = named(row["student"] or ""), (row["submitted"] or "").strip()
        if not time:  # as systems list whoever has handed in nothing
            continue
        if student in times:
            wrong.append(f"{path} has two times of {student}: leave one of them")
        try:
            times[student] = moment(time, f"{path}: {student}")
        except ValueError as error:
            wrong.append(str(error).rstrip("."))
    if wrong:
        raise ValueError("; ".join(wrong) + ".")
    return times


def _table(found: Any, known: set[str], path: str) -> Mapping[str, Any]:
    if not isinstance(found, Mapping):
        raise ValueError(f"{path} must be a table with {', '.join(sorted(known))}.")
    strange = {str(key) for key in found} - known
    if strange:
        raise ValueError(
            f"{path} has no key {', '.join(sorted(strange))}; it has "
            f"{', '.join(sorted(known))}."
        )
    return found


def _task(name: str, value: Any, path: str) -> Task:
    if not isinstance(value, Mapping):
        return Task(name, _number(value, name, path))
    table = _table(value, {"points", "partial"}, f"{path}: `{name}`")
    partial = table.get("partial", False)
    if not isinstance(partial, bool):
        raise ValueError(f"{path}: `partial` of {name} must be true or false.")
    return Task(name, _number(table.get("points", 1), name, path), partial)


def _number(value: Any, what: str, path: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"{path}: `{what}` must be a number, got {value!r}.")
    if not isfinite(value) or value < 0:
        raise ValueError(f"{path}: `{what}` must be at least 0, got {value!r}.")
    return value
