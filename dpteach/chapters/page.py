"""What a page of the book needs from Python: run a text, and report the outcome."""

import json
import signal
import traceback
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from functools import wraps
from html import escape
from typing import Any

import numpy as np

from ..grading import clock
from ..grading.clock import TimeUp, limited
from ..grading.report import Fault, Report
from ._reader import MOST_PRINTED, SECONDS, Printed, value_of, words_of
from .explained import unexplained
from .grader import check

FILE = "<your text>"
PROGRAM = "my_dp"  # the reader's own, of several functions


def run(text: str, name: str | None = None) -> str:
    r"""Run a reader's text as a notebook runs a cell, then check what it defines.

    Parameters
    ----------
    text : str
        The content of the editor.
    name : str or None, optional
        The exercise, and so the function to check, or ``my_dp`` for the reader's own
        program. None, the default, checks nothing.

    Returns
    -------
    str
        JSON: what was ``printed``, the ``html`` of the report or of the last value,
        whether the answer ``passed``, the number of the ``line`` that raised an error,
        or null, and the exercise that was ``tried``, or null. (How often, and what
        explains it, the page knows itself.)

    Examples
    --------
    >>> told = json.loads(run("def clip(G, C):\n    return G G", "clip"))
    >>> told["passed"], told["line"]
    (False, 2)
    """
    printed = Printed()
    with redirect_stdout(printed), redirect_stderr(printed):
        try:
            told = _told(text, name)
        except TimeUp:
            told = _failed(
                f"Your code did not finish within {SECONDS:g} seconds, before "
                "anything was checked. Does a loop outside the function never end?"
            )
        except BaseException as error:  # whatever it raises, the page must go on
            told = _failed(*_stumbled(error))
    return json.dumps({"printed": printed.text} | told)


def _told(text: str, name: str | None) -> dict[str, Any]:
    names: dict[str, Any] = {"__name__": "__main__"}
    value = limited(lambda: value_of(text, FILE, names), SECONDS)
    if name == PROGRAM:
        from .program.my_dp import grade  # here: the first check needs none of it

        value = grade(names)
    elif name is not None and not isinstance(value, Report):
        if name not in names:
            return _failed(f"Your code defines no function with the name {name}.")
        value = check(name, names[name])
    if isinstance(value, Report):
        line = _line_of(value.fault, text) if value.fault else None
        return {
            "html": unexplained(value)._repr_html_(),
            "passed": value.passed,
            "line": line,
            "tried": value.name,
        }
    html = "" if value is None else f"<pre>{escape(repr(value)[:MOST_PRINTED])}</pre>"
    return {"html": html, "passed": False, "line": None, "tried": None}


def _line_of(fault: Fault, text: str) -> int | None:
    """Find the line that a fault quotes, if exactly one line is like it."""
    found = [
        number
        for number, line in enumerate(text.splitlines(), start=1)
        if line.strip() and fault.seen.endswith(f"in the line “{line.strip()}”")
    ]
    return found[0] if len(found) == 1 else None


def _failed(words: str, line: int | None = None, where: str = "") -> dict[str, Any]:
    shown = f"<pre>{escape(where)}</pre>" if where else ""
    html = (
        '<div role="status" style="border-left: 0.3em solid #d54309; '
        f'padding: 0.1em 1em"><p><strong>{escape(words)}</strong></p>{shown}</div>'
    )
    return {"html": html, "passed": False, "line": line, "tried": None}


def _stumbled(error: BaseException) -> tuple[str, int | None, str]:
    """Say what was raised, in which line of the text, and through which calls."""
    words = words_of(error)
    if isinstance(error, SyntaxError) and error.filename == FILE:
        said = traceback.format_exception_only(error)[1:-1]
        return f"{words}, in line {error.lineno}", error.lineno, "".join(said)
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename == FILE
    ]
    if not frames:
        return words, None, ""
    way = "\n".join(f"line {frame.lineno}: {frame.line}" for frame in frames[-5:])
    return f"{words}, in line {frames[-1].lineno}", frames[-1].lineno, way


def lend_alarm(setitimer: Callable[..., tuple[float, float]]) -> None:
    """Give Python in a browser an alarm: it has signals, but nothing sends them.

    Parameters
    ----------
    setitimer : callable
        The page's function, which does what ``signal.setitimer`` does elsewhere.
    """
    signal.__dict__.update(ITIMER_REAL=0, setitimer=setitimer)
    clock.how_limited = lambda: "signal"


def count_wide_integers() -> None:
    """Let 32-bit NumPy count the integers that it draws, and repeat by them.

    There ``rng.integers`` still draws 64-bit integers, and ``bincount`` and ``repeat``
    refuse them, so an answer that is right elsewhere would fail on the page.
    """
    np.bincount = _narrowed(np.bincount, 0)
    np.repeat = _narrowed(np.repeat, 1)


def _narrowed(function: Callable, place: int) -> Any:
    @wraps(function)
    def called(*given: Any, **named: Any) -> Any:
        if len(given) > place and getattr(given[place], "dtype", None) == np.int64:
            narrow = given[place].astype(np.intp)
            given = (*given[:place], narrow, *given[place + 1 :])
        return function(*given, **named)

    return called


def warm_up() -> None:
    """Import what every check needs, and check once: then the first check is quick."""
    check("clip", lambda G, C: C * G, seed=0)
