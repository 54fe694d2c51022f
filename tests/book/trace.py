"""Run a chapter's cells, and print which definitions of dpteach ran: trace.py NOTEBOOK.

It must be a process of its own: modules run once, and results are cached.
"""

import ast
import json
import os
import sys
import tempfile
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from types import FrameType

from dpteach_book import ROOT, runs

PACKAGE = f"{ROOT / 'dpteach'}{os.sep}"


def show(value: object) -> None:
    """Do what a front end asks of a value that a cell ends with."""
    if hasattr(value, "_repr_mimebundle_"):
        value._repr_mimebundle_()
    elif hasattr(value, "_repr_html_"):
        value._repr_html_()
    elif value is not None:
        repr(value)


def importing(frame: FrameType | None) -> bool:
    """Say whether a module of ours is being imported.

    What it computes then matters if the name to which it is bound is used.
    """
    while frame:
        code = frame.f_code
        if code.co_name == "<module>" and code.co_filename.startswith(PACKAGE):
            return True
        frame = frame.f_back
    return False


def ran(notebook: Path) -> set[tuple[str, int]]:
    """Run the cells, and return where each function of ours that ran begins."""
    codes = set()

    def note(frame, *_) -> None:  # for calls alone, because it returns nothing
        code = frame.f_code
        ours = code not in codes and code.co_filename.startswith(PACKAGE)
        if ours and not importing(frame):
            codes.add(code)

    cells = runs.running(json.loads(notebook.read_text("utf-8")))
    space: dict = {"__name__": "__main__"}
    os.chdir(notebook.parent)
    sys.settrace(note)
    try:
        for cell in cells:
            tree = ast.parse(runs.parsed([cell]))
            last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
            exec(compile(tree, cell["id"], "exec"), space)
            if last:
                show(
                    eval(compile(ast.Expression(last.value), cell["id"], "eval"), space)
                )
    finally:
        sys.settrace(None)
    return {(code.co_filename, code.co_firstlineno) for code in codes}


def main() -> None:
    """Print "file:line" of each definition that ran."""
    notebook = Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["DPTEACH_BOOK"] = folder
        with redirect_stdout(StringIO()):
            lines = ran(notebook)
    for path, line in sorted(lines):
        print(f"{Path(path).relative_to(ROOT)}:{line}")


if __name__ == "__main__":
    main()
