"""The cells of a notebook, run in the worker: each statement by itself.

It stands alone, like the worker.
"""

import ast
import linecache

try:
    from ..calling import described
except ImportError:  # in the sandbox, where there is no dpteach
    from calling import described  # pyright: ignore[reportMissingImports]

_PYTHON_CELLS = ("%%time", "%%capture", "%%prun")


def is_definition(statement):
    """Tell whether a statement only defines names: such ones end, and spoil nothing."""
    if isinstance(statement, (ast.Assign, ast.AnnAssign)):
        return not any(
            isinstance(each, ast.Call)
            or (isinstance(each, (ast.Attribute, ast.Subscript)) and _is_set(each))
            for each in ast.walk(statement)
        )
    return isinstance(
        statement,
        (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef),
    )


def _is_set(target):
    return isinstance(target.ctx, ast.Store)


def load(cells, definitions_alone):
    """Run cells, statement by statement; what cannot run is skipped, and noted.

    The third result says whether anything but definitions was run.
    """
    names = {"__name__": "__main__", "__builtins__": __builtins__}
    names["display"] = lambda *_, **__: None
    errors, more, future = [], False, []
    for number, cell in enumerate(cells):
        place = f"<cell {number + 1}>"
        linecache.cache[place] = (len(cell), None, cell.splitlines(True), place)
        try:
            statements = parsed(cell, place)
        except BaseException as error:
            errors.append(described(error))
            continue
        for statement in statements:
            if not is_definition(statement):
                if definitions_alone:
                    continue
                more = True
            try:
                lone = ast.Module([*future, statement], [])
                exec(compile(lone, place, "exec"), names)
                future += [statement] * is_future(statement)
            except BaseException as error:
                errors.append(described(error))
    return names, errors[:5], more


def is_future(statement):
    """Tell an import that changes how all that follows is read."""
    return isinstance(statement, ast.ImportFrom) and statement.module == "__future__"


def parsed(cell, place):
    """Parse a cell, and leave out the lines that are commands for the notebook.

    Such a line is one that Python cannot read: ``% 3`` may also continue the line
    above. Lines keep their numbers. A cell that begins with ``%%time`` is Python after
    that; one that begins with ``%%bash``, say, is not, and gives no statements.
    """
    begin = (cell.split(None, 1) or [""])[0]
    if begin.startswith("%%") and begin not in _PYTHON_CELLS:
        return []
    lines = cell.split("\n")
    while True:
        try:
            return ast.parse("\n".join(lines), place).body
        except SyntaxError as error:
            at = (error.lineno or 0) - 1
            line = lines[at].strip() if 0 <= at < len(lines) else ""
            if not (line.startswith(("%", "!", "?")) or line.endswith("?")):
                raise
            lines[at] = lines[at][: lines[at].index(line)] + "pass"
