"""A class is graded side by side, a process for each student; marks come one by one."""

import signal
from collections import deque
from collections.abc import Generator
from datetime import datetime
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from typing import Any

from .judge import Judge, Marks
from .submissions import Submission


def all_marks(
    judge: Judge,
    submissions: list[Submission],
    times: dict[str, datetime],
    jobs: int,
) -> Generator[Marks, None, None]:
    """Grade a class, and yield each student's marks as soon as they are ready.

    A process that is killed costs its own student alone, who then could not be graded.

    Parameters
    ----------
    judge : Judge
        Grades one student.
    submissions : list of Submission
        What was handed in.
    times : dict
        When, by student; whoever is not in it was in time.
    jobs : int
        How many students are graded at once.

    Yields
    ------
    Marks
        Of one student after the other, in no particular order.
    """
    context = get_context("forkserver")
    context.set_forkserver_preload([Judge.__module__])
    waiting, running = deque(submissions), {}
    try:
        while waiting or running:
            while waiting and len(running) < jobs:
                one = _Running(context, judge, waiting.popleft(), times)
                running[one.connection] = one
            for connection in wait(list(running)):
                yield running.pop(connection).marks()
    finally:
        for one in running.values():
            one.process.kill()  # its worker ends with it
            one.process.join()


class _Running:
    """A process that grades one student."""

    def __init__(
        self,
        context: Any,
        judge: Judge,
        submission: Submission,
        times: dict[str, datetime],
    ) -> None:
        self.judge, self.submission = judge, submission
        self.submitted = times.get(submission.student)
        self.connection, theirs = context.Pipe(duplex=False)
        given = judge, submission, self.submitted, theirs
        self.process = context.Process(target=_grade, args=given)
        self.process.start()
        theirs.close()  # or nobody would see that the process has ended

    def marks(self) -> Marks:
        """Take the marks, or the reason why there are none."""
        try:
            marks = self.connection.recv()
        except (EOFError, OSError):
            self.process.join()
            reason = f"the judge's own process {_ended(self.process.exitcode)}"
            marks = self.judge.no_marks(self.submission, self.submitted, reason)
        self.process.join()
        self.connection.close()
        return marks


def _grade(
    judge: Judge,
    submission: Submission,
    submitted: datetime | None,
    connection: Connection,
) -> None:
    # Whoever types Ctrl-C means the process that started this one.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    connection.send(judge.marks(submission, submitted))


def _ended(code: int | None) -> str:
    if code is not None and code < 0:
        return f"was killed ({signal.Signals(-code).name}): is there enough memory?"
    return f"ended with status {code}"
