"""`show`: an algorithm as the book states it, beside the code that runs."""

import ast
import inspect
import os
import re
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from html import escape

from ._page import STATIC

LINE = re.compile(r"^(\s*)# (\d+): (.*)$")
ERRATA = re.compile(r"\s*\[((?:[ELFRB]-\d+\w*(?:, )?)+)\]$")
# The book's page of errata, relative to a chapter.
ERRATA_PAGE = "../book/errata.html"


@dataclass(frozen=True)
class Row:
    """One line of an algorithm.

    Parameters
    ----------
    number : str
        The book's number for it; empty before the first line.
    pseudocode : str
        What the book says.
    errata : tuple of str
        Ids of the errata because of which the line differs from its source.
    depth : int
        How deep it is nested in blocks.
    code : str
        What runs.
    """

    number: str
    pseudocode: str
    errata: tuple[str, ...]
    depth: int
    code: str


class show:
    """Show an algorithm in two columns: the book's lines, and the code that runs.

    Parameters
    ----------
    algorithm : callable
        A function whose lines carry the book's numbers, such as ``dp_sgd``. What is
        shown is its current source.

    Raises
    ------
    TypeError
        If the function has no source, or no numbered lines.

    Examples
    --------
    >>> from dpteach import dp_sgd
    >>> show(dp_sgd).rows[1].pseudocode, show(dp_sgd).rows[1].code
    ('θ_0 ← Π_C(0)', 'theta = C.project(D.zeros(*runs))')
    """

    def __init__(self, algorithm: Callable) -> None:
        self.name = getattr(algorithm, "__name__", repr(algorithm))
        try:
            source = textwrap.dedent(inspect.getsource(inspect.unwrap(algorithm)))
        except (TypeError, OSError):
            raise TypeError(
                f"`algorithm` must be a function with its source, got {algorithm!r}. "
                "Pass an algorithm of dpteach, such as dp_sgd."
            ) from None
        self.rows, self.checks = _rows(source)
        if len(self.rows) < 2:
            raise TypeError(
                f"`algorithm` must carry the book's line numbers, got {self.name}. "
                f"For functions that only compute a formula, see help({self.name})."
            )

    def __repr__(self) -> str:
        """Write both columns one below the other."""
        lines = []
        for row in self.rows:
            note = f"  [{', '.join(row.errata)}]" if row.errata else ""
            said = "    " * row.depth + row.pseudocode
            lines.append(f"{row.number:>2}  {said}{note}".rstrip())
            lines += [f"        {line}" for line in row.code.splitlines()]
        return "\n".join(lines).strip("\n")

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        """Show the table; outside the book it includes its style sheet."""
        if os.environ.get("DPTEACH_BOOK"):
            return {"text/html": self.html(links=True), "text/plain": repr(self)}
        style = (STATIC / "explore.css").read_text(encoding="utf-8")
        shown = f"<style>{style}</style>{self.html()}"
        return {"text/html": shown, "text/plain": repr(self)}

    def html(self, links: bool = False) -> str:
        """Write the table.

        Parameters
        ----------
        links : bool, optional
            Whether errata are linked to their page, which only the book has.

        Returns
        -------
        str
            One element, a scrolling region with a table in it.
        """
        rows = "".join(_html_row(row, links) for row in self.rows)
        folded = ""
        if self.checks:
            count = len(self.checks.splitlines())
            folded = (
                f"<details><summary>Before that, arguments are checked ({count} "
                f"line{'s' * (count > 1)})</summary>{_colored(self.checks)}</details>"
            )
        return (
            '<div class="dpt dpt-show"><table><caption>'
            f"<code>{escape(self.name)}"
            "</code>: the book’s lines, and the code that runs</caption>"
            '<thead><tr><th scope="col"><span class="dpt-hidden">Line</span></th>'
            '<th scope="col">In the book</th><th scope="col">In the code</th></tr>'
            f"</thead><tbody>{rows}</tbody></table>{folded}</div>"
        )


def _rows(source: str) -> tuple[list[Row], str]:
    lines = source.splitlines()
    function = ast.parse(source).body[0]
    if not isinstance(function, ast.FunctionDef):
        raise TypeError(
            f"`algorithm` must be a function, got {source.splitlines()[0]!r}."
        )
    starts = [k for k, line in enumerate(lines) if LINE.match(line)]
    if not starts:
        return [], ""
    letters, checks = _before(function, lines, starts[0])
    rows = [Row("", "", (), 0, letters)] if letters else []
    margin = function.body[0].col_offset
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        rows.append(_row(lines[start:end], margin))
    return rows, checks


def _before(function: ast.FunctionDef, lines: list[str], first: int) -> tuple[str, str]:
    # Assignments to the book's letters are shown; checks of arguments are folded away.
    kept: list[str] = []
    folded: list[str] = []
    for k, statement in enumerate(function.body):
        if statement.lineno > first or (k == 0 and ast.get_docstring(function)):
            continue
        assigns = isinstance(statement, ast.Assign | ast.AnnAssign)
        binds = assigns and not _is_check(statement.value)
        last = statement.end_lineno or statement.lineno
        (kept if binds else folded).extend(lines[statement.lineno - 1 : last])
    return textwrap.dedent("\n".join(kept)), textwrap.dedent("\n".join(folded))


def _is_check(value: ast.expr | None) -> bool:
    # checks.count(n=n), which hands the number back as Python's own
    called = value.func if isinstance(value, ast.Call) else None
    owner = called.value if isinstance(called, ast.Attribute) else None
    return isinstance(owner, ast.Name) and owner.id == "checks"


def _row(lines: list[str], margin: int) -> Row:
    found = LINE.match(lines[0])
    if found is None:
        raise AssertionError(lines[0])
    indent, number, said = found.groups()
    k = 1
    while k < len(lines) and lines[k].strip().startswith("#"):
        said += " " + lines[k].strip("# ")  # a long line runs over several comments
        k += 1
    ids = ERRATA.search(said)
    return Row(
        number=number,
        pseudocode=said[: ids.start()] if ids else said,
        errata=tuple(ids[1].split(", ")) if ids else (),
        depth=(len(indent) - margin) // 4,
        code="\n".join(line[margin:] for line in lines[k:]).strip("\n"),
    )


def _html_row(row: Row, links: bool) -> str:
    notes = "".join(
        f' <a class="dpt-erratum" href="{ERRATA_PAGE}#{each.lower()}">{each}</a>'
        if links
        else f' <span class="dpt-erratum">{each}</span>'
        for each in row.errata
    )
    if not row.number:
        said = '<span class="dpt-letters">The book’s letters</span>'
        whole = f'<td colspan="2" style="--depth:0">{said}{_colored(row.code)}</td>'
        return f"<tr><td></td>{whole}</tr>"  # a header without text would not be one
    head = f'<tr><th scope="row">{row.number}</th>'
    said = _raised(escape(row.pseudocode))
    code = _colored(row.code) if row.code.strip() else ""
    book = f'<td style="--depth:{row.depth}">{said}{notes}</td>'
    return f"{head}{book}<td>{code}</td></tr>"


def _raised(text: str) -> str:
    # θ_{t+1}, Σ_{i∈B_t} and Σ^T as the book prints them
    for sign, tag in (("_", "sub"), ("^", "sup")):
        pattern = rf"{re.escape(sign)}(?:\{{([^{{}}]*)\}}|(\w+))"
        text = re.sub(
            pattern, lambda m, t=tag: f"<{t}>{_raised(m[1] or m[2])}</{t}>", text
        )
    return text


def _colored(code: str) -> str:
    from pygments import highlight
    from pygments.formatters.html import HtmlFormatter
    from pygments.lexers.python import PythonLexer

    lines = highlight(code, PythonLexer(), HtmlFormatter(nowrap=True)).rstrip("\n")
    # A line that is too long for its column hangs below where it starts.
    starts = [len(line) - len(line.lstrip()) for line in code.splitlines()]
    hanging = "".join(
        f'<span class="dpt-code" style="--start:{start}ch">{line}\n</span>'
        for start, line in zip(starts, lines.split("\n"), strict=True)
    )
    return f"<pre>{hanging}</pre>"
