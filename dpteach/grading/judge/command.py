"""``python -m dpteach.grading``: judge a class, check marks, make wrappers."""

import argparse
import errno
import json
import os
import signal
import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from .batch import all_marks
from .course import Course, course_of, moment, read_course, read_times
from .exports import as_gradescope, as_prairielearn
from .isolation import describe
from .judge import UNGRADED, Judge, Marks, Verdict, printable
from .keys import read_key
from .results import Results, write
from .sandbox import obstacle
from .submissions import Submission, left_out, single, submissions
from .wrappers import WRAPPERS, lost

Load = Callable[[str], Any]
Names = Callable[[], tuple[str, ...]]

# What the command ends with. Python ends with 1 if the judge itself is at fault.
DONE, REFUSED, NO_SANDBOX, SOME_UNGRADED, NOT_WRITTEN = 0, 2, 3, 4, 5
# What asks the judge to end; what is done by then is kept.
STOPS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
# What a system says when no more can be written.
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EROFS)


class NoSandbox(Exception):
    """No sandbox works here, and nobody said to do without."""


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
        0 if all went well; 2 if something is refused; 3 if no sandbox works here; 4 if
        some answer could not be graded; 5 if no more can be written, as on a full disk;
        128 and the signal's number if a signal ended it. A fault of the judge is 1.
    """
    given = _parser().parse_args(arguments)
    try:
        return given.run(given, load, names)
    except ModuleNotFoundError as error:
        return _failed(f"{error}. It comes with dpteach's extra `courses`.", REFUSED)
    except ValueError as error:
        return _failed(str(error), REFUSED)
    except NoSandbox as error:
        return _failed(str(error), NO_SANDBOX)
    except OSError as error:
        if error.errno not in _FULL:
            return _failed(str(error), REFUSED)
        return _failed(f"{error}. What was written before is kept.", NOT_WRITTEN)


def _failed(reason: str, status: int) -> int:
    print(f"error: {reason}", file=sys.stderr)
    return status


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
    _add_class(judge)
    judge.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    _add_course(judge)
    _add_unsafe(judge)
    judge.set_defaults(run=_judge)


def _add_class(command: argparse.ArgumentParser) -> None:
    """Add whose marks are given, and where they are."""
    command.add_argument("submissions", type=Path, help="a file or a folder a student")
    command.add_argument("--out", type=Path, required=True, help="where marks go")
    command.add_argument("--times", type=Path, help="CSV with student and submitted")


def _add_one(one: argparse.ArgumentParser) -> None:
    """Add what a grading service tells of one student."""
    one.add_argument("submission", type=Path, help="the folder with the files")
    one.add_argument("--results", type=Path, required=True, help="results.json")
    one.add_argument("--format", choices=("gradescope", "prairielearn"), required=True)
    one.add_argument("--metadata", type=Path, help="Gradescope's, for the time")
    one.add_argument("--student", default="student")
    _add_course(one)
    _add_unsafe(one)
    one.set_defaults(run=_one)


def _add_course(command: argparse.ArgumentParser) -> None:
    """Add what was asked, and the secret that goes with it."""
    command.add_argument("--course", type=Path, help="a YAML file; see the book")
    command.add_argument("--exercises", help="instead of a course: clip,private_step")
    command.add_argument("--key", type=Path, help="the course's secret")


def _add_unsafe(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--unsafe", action="store_true", help="judge without a sandbox"
    )


def _add_verify(verify: argparse.ArgumentParser) -> None:
    """Add which marks are checked: as for ``judge``."""
    _add_class(verify)
    _add_course(verify)
    verify.set_defaults(run=_verify)


def _add_export(export: argparse.ArgumentParser) -> None:
    """Add for which system a wrapper is made, and where."""
    export.add_argument("system", choices=tuple(WRAPPERS))
    export.add_argument("--course", type=Path, required=True)
    export.add_argument("--key", type=Path, required=True)
    export.add_argument("--out", type=Path, required=True)
    export.add_argument(
        "--unsafe", action="store_true",
        help="for a service whose containers allow no sandbox: do without",
    )  # fmt: skip
    export.set_defaults(run=_export)


def _course(given: argparse.Namespace, names: Names) -> Course:
    if (given.course is None) == (given.exercises is None):
        raise ValueError(
            "Give either --course with a YAML file or --exercises with names, such as "
            "--exercises clip,private_step."
        )
    if given.course is not None:
        return read_course(given.course, names)
    tasks = [each.strip() for each in given.exercises.split(",") if each.strip()]
    return course_of({"exercises": tasks}, names, "--exercises")


def _isolation(given: argparse.Namespace) -> str:
    """Choose how answers are kept apart, and say so; refuse to do without."""
    if not hasattr(os, "killpg"):
        raise ValueError(
            "The judge needs Linux or macOS. On Windows, use the Windows Subsystem "
            "for Linux."
        )
    isolation = "none" if given.unsafe else "bubblewrap"
    if not given.unsafe and (reason := obstacle()):
        raise NoSandbox(
            f"{reason} Without a sandbox a student's code could read and change what "
            "you can. To judge people whom you trust without one, add --unsafe."
        )
    print(describe(isolation), file=sys.stderr)
    return isolation


def _judge(given: argparse.Namespace, load: Load, names: Names) -> int:
    from tqdm import tqdm  # it comes with `courses`

    course = _course(given, names)
    handed_in, times = _handed_in(given, course)
    if given.jobs < 1:
        raise ValueError(f"--jobs must be at least 1, got {given.jobs}.")
    results = Results(given.out, course, _key(given))
    judge = Judge(course, load, results.key, _isolation(given))
    marks, remaining = _earlier(results, handed_in, times)
    before = _catch_stops()
    ready = all_marks(judge, remaining, times, given.jobs)
    try:  # where nobody looks, no bar is drawn
        for each in tqdm(ready, total=len(remaining), unit="student", disable=None):
            results.keep(each)
            marks.append(each)
    except _Stopped as stop:
        left = sum(not results.kept(s, times.get(s.student)) for s in handed_in)
        reason = f"stopped, with {left} students left. The same command goes on there."
        return _failed(reason, 128 + stop.number)
    finally:
        ready.close()
        for number, handler in before.items():
            signal.signal(number, handler)
    marks.sort(key=lambda each: each.student)
    results.finish(marks)
    return _summary(course, marks, given.out)


def _earlier(
    results: Results, handed_in: list[Submission], times: dict[str, datetime]
) -> tuple[list[Marks], list[Submission]]:
    """Part what was graded in an earlier run from what is left to do."""
    marks, remaining = [], []
    for each in handed_in:
        kept = results.kept(each, times.get(each.student))
        marks.append(kept) if kept else remaining.append(each)
    if marks:
        _note(f"the marks of {len(marks)} from an earlier run are kept")
    return marks, remaining


class _Stopped(BaseException):
    """A signal asks the judge to end."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def _stop(number: int, _: Any) -> None:
    raise _Stopped(number)


def _catch_stops() -> dict[int, Any]:
    """Let signals end the run, but those that were to be ignored, as under nohup."""
    return {
        number: signal.signal(number, _stop)
        for number in STOPS
        if signal.getsignal(number) is not signal.SIG_IGN
    }


def _key(given: argparse.Namespace) -> bytes:
    """Read the secret. If nobody says where it is, it lies beside the results."""
    beside = given.out.parent / f"{given.out.name}.key"
    return read_key(given.key or beside)


def _handed_in(
    given: argparse.Namespace, course: Course
) -> tuple[list[Submission], dict[str, datetime]]:
    """Find what was handed in and when, and name what is strange about it."""
    handed_in = submissions(given.submissions)
    if not handed_in:
        raise ValueError(f"There is no submission in {given.submissions}.")
    times = {} if given.times is None else read_times(given.times, course)
    students = {each.student for each in handed_in}
    if aside := left_out(given.submissions):
        _note(
            f"{_few(aside)} left out: a submission is a notebook, a .py file or a "
            "folder, no link, and its name does not begin with _"
        )
    if unknown := sorted(times.keys() - students):
        _note(f"{given.times} names {_few(unknown)}, of whom nothing is here")
    if given.times is not None and (missing := sorted(students - times.keys())):
        _note(f"{given.times} has no time of {_few(missing)}: marked as on time")
    for student in students:  # before hours are spent
        course.share(times.get(student))
    return handed_in, times


def _summary(course: Course, marks: list[Marks], out: Path) -> int:
    print(f"{len(marks)} submissions, {course.points:g} points each.")
    for k, task in enumerate(course.tasks):
        passed = sum(each.verdicts[k].passed for each in marks)
        print(f"  {task.name}: {passed} of {len(marks)} right")
    for each in marks:
        for verdict in each.verdicts:
            if verdict.status == UNGRADED:
                print(f"{_named(each, verdict)}: {UNGRADED}, {verdict.reason}")
            elif verdict.reason:
                print(f"{_named(each, verdict)}: look, {verdict.reason}")
    print(f"Marks are in {out / 'marks.csv'}, feedback in {out / 'feedback'}.")
    return SOME_UNGRADED if any(each.ungraded for each in marks) else DONE


def _named(marks: Marks, verdict: Verdict) -> str:
    return printable(f"{marks.student}, {verdict.exercise}")


def _note(text: str) -> None:
    print(f"note: {printable(text)}", file=sys.stderr)


def _few(names: list[str]) -> str:
    return ", ".join(names[:5]) + (f" and {len(names) - 5} more" * (len(names) > 5))


def _one(given: argparse.Namespace, load: Load, names: Names) -> int:
    course = _course(given, names)
    student, submitted, due = given.student, None, course.due
    if given.metadata is not None:
        student, submitted, due = _metadata(given.metadata, given.student, due)
    if given.key is None:
        raise ValueError("--key is needed: it draws the cases that are tried.")
    submission = single(given.submission, student)
    key, course = read_key(given.key), replace(course, due=due)
    status = DONE
    try:
        judge = Judge(course, load, key, _isolation(given))
        marks = judge.marks(submission, submitted)
    except NoSandbox as error:
        print(f"error: {error}", file=sys.stderr)
        status, reason = NO_SANDBOX, "no sandbox works where it was to be graded"
        marks = Judge(course, load, key, "none").no_marks(submission, submitted, reason)
    form = as_gradescope if given.format == "gradescope" else as_prairielearn
    write(given.results, json.dumps(form(marks), indent=1))
    return status or (SOME_UNGRADED if marks.ungraded else DONE)


def _metadata(
    path: Path, student: str, due: datetime | None
) -> tuple[str, datetime | None, datetime | None]:
    """Read who handed in and when, and the due date if the course gives none."""
    metadata = json.loads(path.read_text("utf-8"))
    users = metadata.get("users") or [{}]
    student = str(users[0].get("id", student))
    submitted = metadata.get("created_at")
    theirs = (metadata.get("assignment") or {}).get("due_date")
    if due is None and theirs:
        due = moment(theirs, "Gradescope's due_date")
    when = moment(submitted, "created_at") if submitted else None
    return student, when, due


def _verify(given: argparse.Namespace, load: Load, names: Names) -> int:
    del load
    if given.key is None or not given.key.exists():
        raise ValueError(f"--key must be the course's secret, got {given.key}.")
    course = _course(given, names)
    handed_in, times = _handed_in(given, course)
    results = Results(given.out, course, read_key(given.key))
    marks, judged = results.verified(handed_in, times)
    print(
        f"The marks of {len(marks)} students are as the judge wrote them on {judged}, "
        "for this course and for what these students handed in."
    )
    return DONE


def _export(given: argparse.Namespace, load: Load, names: Names) -> int:
    course = read_course(given.course, names)
    written = WRAPPERS[given.system](
        course, given.course, read_key(given.key), given.out, load, unsafe=given.unsafe
    )
    print(f"Written: {written}")
    for each in lost(given.system, course, load):
        _note(each)
    return DONE
