"""``python -m dpteach.grading``: judge a class, check marks, make wrappers."""

import argparse
import csv
import json
import os
import sys
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

from .course import Course, course_of, moment, read_course
from .exports import as_gradescope, as_prairielearn, read_signed, write_all
from .isolation import WAYS, describe
from .judge import Judge, Marks
from .keys import read_key
from .submissions import left_out, named, single, submissions
from .ways import best_way, works
from .wrappers import WRAPPERS, lost

Load = Callable[[str], Any]
Names = Callable[[], tuple[str, ...]]


def main(arguments: list[str], load: Load, names: Names) -> int:
    """Run the command; return its exit status.

    Parameters
    ----------
    arguments : list of str
        Without the program's name.
    load : callable
        Finds an exercise by its name.
    names : callable
        Lists the exercises that there are.

    Returns
    -------
    int
        0 if all went well, 1 if something is refused.
    """
    given = _parser().parse_args(arguments)
    try:
        return given.run(given, load, names)
    except ModuleNotFoundError as error:
        print(
            f"error: {error}. It comes with dpteach's extra `courses`.", file=sys.stderr
        )
        return 1
    except (ValueError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m dpteach.grading",
        description="Marks for coded exercises: each answer runs in a sandbox.",
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    _add_judge(commands.add_parser("judge", help="grade a folder of submissions"))
    _add_one(
        commands.add_parser("one", help="grade one student, for a grading service")
    )
    _add_verify(commands.add_parser("verify", help="check the signature of marks"))
    _add_export(commands.add_parser("export", help="make a wrapper for another system"))
    return parser


def _add_judge(judge: argparse.ArgumentParser) -> None:
    """Add what a class is graded with."""
    judge.add_argument("submissions", type=Path, help="a file or a folder a student")
    judge.add_argument("--out", type=Path, required=True, help="where marks go")
    judge.add_argument("--times", type=Path, help="CSV with student and submitted")
    judge.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    _add_grading(judge)
    judge.set_defaults(run=_judge)


def _add_one(one: argparse.ArgumentParser) -> None:
    """Add what a grading service tells of one student."""
    one.add_argument("submission", type=Path, help="the folder with the files")
    one.add_argument("--results", type=Path, required=True, help="results.json")
    one.add_argument("--format", choices=("gradescope", "prairielearn"), required=True)
    one.add_argument("--metadata", type=Path, help="Gradescope's, for the time")
    one.add_argument("--student", default="student")
    _add_grading(one)
    one.set_defaults(run=_one)


def _add_grading(command: argparse.ArgumentParser) -> None:
    """Add what is asked of whoever gives marks, to a class or to one student."""
    command.add_argument("--course", type=Path, help="a YAML file; see the book")
    command.add_argument("--exercises", help="instead of a course: clip,private_step")
    command.add_argument("--key", type=Path, help="the course's secret")
    command.add_argument("--way", choices=WAYS[:2], help="default: the best one here")
    command.add_argument(
        "--unsafe", action="store_true", help="judge without a sandbox"
    )


def _add_verify(verify: argparse.ArgumentParser) -> None:
    """Add which marks are checked, and by which key."""
    verify.add_argument("results", type=Path)
    verify.add_argument("--key", type=Path, required=True)
    verify.set_defaults(run=_verify)


def _add_export(export: argparse.ArgumentParser) -> None:
    """Add for which system a wrapper is made, and where."""
    export.add_argument("system", choices=tuple(WRAPPERS))
    export.add_argument("--course", type=Path, required=True)
    export.add_argument("--key", type=Path, required=True)
    export.add_argument("--out", type=Path, required=True)
    export.set_defaults(run=_export)


def _course(given: argparse.Namespace, names: Names) -> Course:
    if (given.course is None) == (given.exercises is None):
        raise ValueError(
            "Give either --course with a YAML file or --exercises with names, such as "
            "--exercises clip,private_step."
        )
    if given.course is not None:
        return read_course(given.course, names)
    asked = [each.strip() for each in given.exercises.split(",") if each.strip()]
    return course_of({"exercises": asked}, names, "--exercises")


def _way(given: argparse.Namespace) -> str:
    """Choose how answers are kept apart, and say so; refuse to do without."""
    if not hasattr(os, "killpg"):
        raise ValueError(
            "The judge needs Linux or macOS. On Windows, use the Windows Subsystem "
            "for Linux."
        )
    if given.unsafe:
        way = "none"
    elif given.way is not None:
        if not works(given.way):
            raise ValueError(f"--way {given.way} does not work on this machine.")
        way = given.way
    else:
        way = best_way()
        if way == "none":
            raise ValueError(
                "Nothing on this machine keeps a student's code apart: bubblewrap is "
                "not installed or not allowed, and neither are Linux namespaces. On "
                "Debian and Ubuntu, type: apt install bubblewrap. On macOS and "
                "Windows, use a Linux container or virtual machine. To judge people "
                "whom you trust without a sandbox, add --unsafe."
            )
    print(describe(way), file=sys.stderr)
    return way


def _judge(given: argparse.Namespace, load: Load, names: Names) -> int:
    from tqdm import tqdm  # an extra: only who gives marks needs it

    course = _course(given, names)
    found = submissions(given.submissions)
    if not found:
        raise ValueError(f"There is no submission in {given.submissions}.")
    times = {} if given.times is None else _times(given.times, course)
    _tell_left_out(given, {each.student for each in found}, set(times))
    for each in found:  # before hours are spent
        course.share(times.get(each.student))
    if given.jobs < 1:
        raise ValueError(f"--jobs must be at least 1, got {given.jobs}.")
    key = read_key(given.key or given.out / "course.key")
    judge = Judge(course, load, key, _way(given))
    ready = judge.all_marks(found, times, given.jobs)
    # Where nobody looks, no bar is drawn.
    marks = list(tqdm(ready, total=len(found), unit="student", disable=None))
    marks.sort(key=lambda each: each.student)
    write_all(given.out, course.title, marks, key)
    _summary(course, marks, given.out)
    return 0


def _tell_left_out(
    given: argparse.Namespace, students: set[str], timed: set[str]
) -> None:
    """Name what is nobody's, and who is in one of the folder and the times alone."""
    if aside := left_out(given.submissions):
        _note(
            f"{_few(aside)} left out: a submission is a notebook, a .py file or a "
            "folder, no link, and its name does not begin with _"
        )
    if unknown := sorted(timed - students):
        _note(f"{given.times} names {_few(unknown)}, of whom nothing is here")
    if timed and (missing := sorted(students - timed)):
        _note(f"{given.times} has no row for {_few(missing)}: marked as on time")


def _summary(course: Course, marks: list[Marks], out: Path) -> None:
    print(f"{len(marks)} submissions, {course.points:g} points each.")
    for k, asked in enumerate(course.asked):
        passed = sum(each.verdicts[k].passed for each in marks)
        print(f"  {asked.name}: {passed} of {len(marks)} right")
    broken = sorted({each.student for each in marks for v in each.verdicts if v.broken})
    if broken:
        print(f"Look at these yourself, they could not be graded: {', '.join(broken)}")
    print(f"Marks are in {out / 'marks.csv'}, feedback in {out / 'feedback'}.")


def _note(text: str) -> None:
    print(f"note: {text}", file=sys.stderr)


def _few(names: list[str]) -> str:
    return ", ".join(names[:5]) + (f" and {len(names) - 5} more" * (len(names) > 5))


def _times(path: Path, course: Course) -> dict[str, datetime]:
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file))
    except UnicodeDecodeError:
        raise ValueError(f"{path} is not in UTF-8. Save it in UTF-8.") from None
    if not rows or not {"student", "submitted"} <= set(rows[0]):
        raise ValueError(f"{path} must have the columns student and submitted.")
    if course.due is None:
        raise ValueError(f"{path} gives times, but the course has no `due`: add it.")
    times: dict[str, datetime] = {}
    for row in rows:
        student = named(row["student"] or "")
        if student in times:
            raise ValueError(
                f"{path} has two times of {student}. Leave the one that counts."
            )
        times[student] = moment(row["submitted"], f"{path}: {student}")
    return times


def _one(given: argparse.Namespace, load: Load, names: Names) -> int:
    course = _course(given, names)
    student, submitted, due = given.student, None, course.due
    if given.metadata is not None:
        student, submitted, due = _metadata(given.metadata, given.student, due)
    if due is not course.due:
        course = Course(**{**vars(course), "due": due})
    if given.key is None:
        raise ValueError("--key is needed: it draws the cases that are tried.")
    judge = Judge(course, load, read_key(given.key), _way(given))
    marks = judge.marks(single(given.submission, student), submitted)
    write = as_gradescope if given.format == "gradescope" else as_prairielearn
    given.results.parent.mkdir(parents=True, exist_ok=True)
    given.results.write_text(json.dumps(write(marks), indent=1), "utf-8")
    return 0


def _metadata(
    path: Path, student: str, due: datetime | None
) -> tuple[str, datetime | None, datetime | None]:
    """Read who handed in and when, and the due date if the course gives none."""
    told = json.loads(path.read_text("utf-8"))
    users = told.get("users") or [{}]
    student = str(users[0].get("id", student))
    submitted = told.get("created_at")
    there = (told.get("assignment") or {}).get("due_date")
    if due is None and there:
        due = moment(there, "Gradescope's due_date")
    when = moment(submitted, "created_at") if submitted else None
    return student, when, due


def _verify(given: argparse.Namespace, load: Load, names: Names) -> int:
    del load, names
    if not given.key.exists():
        raise ValueError(f"There is no key in {given.key}.")
    marks = read_signed(given.results, read_key(given.key))
    print(f"The marks of {len(marks)} students are as the judge wrote them.")
    return 0


def _export(given: argparse.Namespace, load: Load, names: Names) -> int:
    course = read_course(given.course, names)
    key = read_key(given.key)
    made = WRAPPERS[given.system](course, given.course, key, given.out, load)
    print(f"Written: {made}")
    for each in lost(given.system, course, load):
        _note(each)
    return 0
