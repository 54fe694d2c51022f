"""What a page of the book asks of Python: run a reader's text, say what came of it."""

import io
import json
import linecache
import signal
import traceback
from contextlib import redirect_stderr, redirect_stdout
from collections.abc import Callable
from html import escape
from typing import Any

from . import clock
from .clock import TimeUp, limited
from .grader import check

FILE = "<your answer>"
# The reader's text by itself may run this long; a call within a check has its own limit.
SECONDS = 10.0
_MOST_PRINTED = 10_000


class _Printed(io.TextIOBase):
    """Keeps the beginning of what is printed: a flood must not fill the page."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.left = _MOST_PRINTED

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        if self.left > 0:
            self.parts.append(text[: self.left])
        self.left -= len(text)
        return len(text)

    @property
    def text(self) -> str:
        end = "\n… and more, which is not shown." if self.left < 0 else ""
        return "".join(self.parts) + end


def run(text: str, name: str) -> str:
    """Run a reader's text, then check what it defines under the exercise's name.

    Parameters
    ----------
    text : str
        What stands in the editor.
    name : str
        The exercise, hence the function that the text must define.

    Returns
    -------
    str
        JSON: what was ``printed``, the report as ``html``, whether it ``passed``, and
        the number of the ``line`` where the text stumbled (null if it did not).

    Examples
    --------
    >>> told = json.loads(run("def clip(G, C):\\n    retrun G", "clip"))
    >>> told["passed"], told["line"]
    (False, 2)
    """
    printed, names = _Printed(), {"__name__": "__main__"}
    linecache.cache[FILE] = (len(text), None, text.splitlines(keepends=True), FILE)
    with redirect_stdout(printed), redirect_stderr(printed):
        try:
            code = compile(text, FILE, "exec", dont_inherit=True)
            limited(lambda: exec(code, names), SECONDS)
            if name not in names:
                raise NameError(f"your text does not define {name}")
            report = check(name, names[name])
            told = {"html": report._repr_html_(), "passed": report.passed, "line": None}
        except TimeUp:
            told = _failed(
                f"Your text did not come to its end within {SECONDS:g} seconds, before "
                "anything was checked. Does a loop at its outermost level never end?"
            )
        except BaseException as error:
            told = _failed(*_stumbled(error))
    return json.dumps({"printed": printed.text} | told)


def _failed(words: str, line: int | None = None, where: str = "") -> dict[str, Any]:
    shown = f"<pre>{escape(where)}</pre>" if where else ""
    html = (
        '<div role="status" style="border-left: 0.3em solid #d54309; '
        f'padding: 0.1em 1em"><p><strong>{escape(words)}</strong></p>{shown}</div>'
    )
    return {"html": html, "passed": False, "line": line}


def _stumbled(error: BaseException) -> tuple[str, int | None, str]:
    """Say what was raised, in which line of the text, and how it came there."""
    words = "".join(traceback.format_exception_only(error)).strip().splitlines()[-1]
    if isinstance(error, SyntaxError) and error.filename == FILE:
        at = "".join(traceback.format_exception_only(error)).splitlines()[1:-1]
        return f"{words}, in line {error.lineno}", error.lineno, "\n".join(at)
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
    """Give Python in a browser an alarm: it has signals, and nothing that sends one.

    Parameters
    ----------
    setitimer : callable
        The page's own, which does what ``signal.setitimer`` does elsewhere.
    """
    vars(signal).update(ITIMER_REAL=0, setitimer=setitimer)
    vars(clock).update(how_limited=lambda: "signal")


def warm_up() -> None:
    """Import what every check needs, and check once, so that the first is quick."""
    check("clip", lambda G, C: C * G, seed=0)
