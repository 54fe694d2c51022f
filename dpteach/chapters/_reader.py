"""What a page does with any text of its reader: run it, and say how that went."""

import ast
import io
import linecache
import re
import traceback
from typing import Any

# A text may run this long; each call within a check has its own limit.
SECONDS = 10.0
MOST_PRINTED = 10_000


class Printed(io.TextIOBase):
    """Keeps the beginning of what is printed, so that it cannot fill the page."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.left = MOST_PRINTED

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


def value_of(text: str, file: str, names: dict[str, Any]) -> Any:
    """Run a text as a notebook runs a cell, and return the value of its last line.

    The text stands for a file, so that tracebacks and ``inspect`` find its lines.
    """
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    tree, last = ast.parse(text, file), None
    if tree.body and isinstance(end := tree.body[-1], ast.Expr):
        tree.body.pop()
        last = ast.Expression(end.value)
    exec(compile(tree, file, "exec", dont_inherit=True), names)
    return last and eval(compile(last, file, "eval", dont_inherit=True), names)


def words_of(error: BaseException) -> str:
    """Say what was raised, as the last line of a traceback does."""
    # Of a package that could be loaded there, Pyodide gives the name in its text only.
    quoted = re.search(r"[Mm]odule '([\w.]+)'", str(error))
    if type(error) is ModuleNotFoundError and (error.name or quoted):
        name = error.name or (quoted and quoted[1])
        return (
            f"The page's Python has no {name}: it has NumPy and a few functions "
            "of SciPy. The notebook runs where you can install more"
        )
    return traceback.format_exception_only(error)[-1].strip()
