"""A class is graded side by side, a process for each student; marks come one by one."""

import signal
from collections import deque
from collections.abc import Iterator
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
) -> Iterator[Marks]:
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
    waiting = deque(submissions)
    running: dict[Any, tuple[Any, Submission, datetime | None]] = {}
    try:
        while waiting or running:
            while waiting and len(running) < jobs:
                submission = waiting.popleft()
                submitted = times.get(submission.student)
                ours, theirs = context.Pipe(duplex=False)
                process = context.Process(
                    target=_grade, args=(judge, submission, submitted, theirs)
                )
                process.start()
                theirs.close()  # or nobody would see that the process has ended
                running[ours] = process, submission, submitted
            ready: list[Any] = wait(list(running))
            for connection in ready:
                process, submission, submitted = running.pop(connection)
                try:
                    marks = connection.recv()
                except (EOFError, OSError):
                    process.join()
                    reason = f"the judge's own process {_ended(process.exitcode)}"
                    marks = judge.no_marks(submission, submitted, reason)
                process.join()
                connection.close()
                yield marks
    finally:
        for process, *_ in running.values():
            process.kill()  # its worker ends with it
            process.join()


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
