"""A chapter's cells on its page: they run one at a time and share their names."""

import json
import traceback
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from html import escape
from typing import Any

from ..grading.clock import TimeUp, limited
from ._reader import MOST_PRINTED, Printed, value_of, words_of

# A phone may need some ten times as long as this book's builder, and Stop is at hand.
SECONDS = 60.0

_names: dict[str, Any] = {"__name__": "__main__"}
_titles: dict[str, str] = {}  # of the cells that ran, by the file that they stand for
_views: list[Callable[[str], Any]] = []


def run_cell(text: str, cell: str) -> str:
    r"""Run one cell of a chapter, with the names that earlier ones have left.

    Parameters
    ----------
    text : str
        What the cell says now.
    cell : str
        Its identity, the same whenever it runs.

    Returns
    -------
    str
        JSON: what was ``printed``; the ``html`` of the last value as a notebook shows
        it, and the same as ``plain`` text, both empty if there is none; the ``error``
        in words, or null; the ``way`` to it, the reader's own lines that were called;
        and the number of the ``line`` of this cell at which it stopped, or null.

    Examples
    --------
    >>> told = json.loads(run_cell("half = 1 / 2", "a"))
    >>> json.loads(run_cell("print(half)\nhalf / 0", "b"))["way"]
    ['line 2: half / 0']
    """
    file, printed = f"<cell {cell}>", Printed()
    _titles[file] = text.strip().partition("\n")[0].strip()
    told = {"html": "", "plain": "", "error": None, "way": [], "line": None}
    with redirect_stdout(printed), redirect_stderr(printed):
        try:
            told |= _shown(limited(lambda: value_of(text, file, _names), SECONDS))
        except TimeUp:
            told["error"] = (
                f"The cell did not finish within {SECONDS:g} seconds, so it was "
                "stopped. Does a loop never end?"
            )
        except BaseException as error:  # whatever it raises, the page must go on
            told |= _stumbled(error, file)
    return json.dumps({"printed": printed.text} | told)


def lend_view(view: Callable[[str], Any]) -> None:
    """Give cells a place where they can show how far they are, as HTML.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> lend_view(print)
    >>> show(SimpleNamespace(_repr_html_=lambda: "<p>half of it</p>"))
    <p>half of it</p>
    >>> _views.clear()
    """
    _views[:] = [view]


def show(value: Any) -> None:
    """Show a value while its cell goes on; where no page has lent a view, do nothing.

    Examples
    --------
    >>> show(3)
    """
    for view in _views:
        view(value._repr_html_())


def forget() -> None:
    """Forget what cells have left, as a restarted notebook does.

    Examples
    --------
    >>> told = run_cell("half = 1 / 2", "a")
    >>> forget()
    >>> json.loads(run_cell("half", "b"))["error"]
    "NameError: name 'half' is not defined"
    """
    _names.clear()
    _names["__name__"] = "__main__"
    _titles.clear()


def _shown(value: Any) -> dict[str, str]:
    if value is None:
        return {}
    plain = repr(value)[:MOST_PRINTED]
    bundle = getattr(value, "_repr_mimebundle_", None)
    written = getattr(value, "_repr_html_", None)
    html = bundle().get("text/html") if bundle else written() if written else None
    return {"html": html or f"<pre>{escape(plain)}</pre>", "plain": plain}


def _stumbled(error: BaseException, file: str) -> dict[str, Any]:
    """Say what was raised, and through which lines of which cells."""
    words = words_of(error)
    if isinstance(error, SyntaxError) and error.filename == file:
        said = "".join(traceback.format_exception_only(error)[1:-1]).rstrip()
        return {"error": words, "way": [said] if said else [], "line": error.lineno}
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename in _titles
    ]
    here = [frame.lineno for frame in frames if frame.filename == file]
    way = [
        ("" if frame.filename == file else f"in the cell “{_titles[frame.filename]}”, ")
        + f"line {frame.lineno}: {frame.line}"
        for frame in frames[-5:]
    ]
    return {"error": words, "way": way, "line": here[-1] if here else None}
