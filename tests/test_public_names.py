"""Files are nouns a reader would look up, short enough to be read in one go."""

import ast
import io
import tokenize

import facade
import pytest

from tests.public import PACKAGE, functions

FORBIDDEN = {"utils", "util", "helpers", "helper", "base", "manager", "engine", "core"}
FILES = sorted(PACKAGE.rglob("*.py"))
BLANK = {
    tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT,
    tokenize.ENDMARKER, tokenize.ENCODING,
}  # fmt: skip


def code_lines(source: str) -> set[int]:
    """Number the lines that hold code: no blank line, comment or docstring."""
    lines = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in BLANK:
            lines.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef):
            first = node.body[0] if node.body else None
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                lines -= set(range(first.lineno, first.end_lineno + 1))
    return lines


def long_functions(source: str, limit: int = 25) -> list[str]:
    """Name the functions whose bodies hold more than ``limit`` lines of code."""
    lines, found = code_lines(source), []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef):
            body = range(node.body[0].lineno, node.end_lineno + 1)
            length = len(lines & set(body))
            if length > limit:
                found.append(f"{node.name}: {length} lines")
    return found


def test_no_module_has_a_name_that_says_nothing():
    assert not [str(path) for path in FILES if path.stem in FORBIDDEN]


def test_no_module_bears_the_name_of_a_public_function():
    names = {name.rpartition(".")[2] for name in functions()}
    # An exercise's file is named by the function that the student writes, and an
    # algorithm's or a figure's by itself. dpteach hands them out: see test_import.
    named = (PACKAGE / "chapters", PACKAGE / "algorithms", PACKAGE / "figures")
    modules = {path.stem for path in FILES if not set(named) & set(path.parents)}
    assert not names & modules


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_file_and_its_functions_are_short(path):
    before, _, rest = path.read_text("utf-8").partition(facade.START)
    source = before + rest.rpartition(facade.END)[2]  # without what is generated
    limit = 140 if PACKAGE / "algorithms" in path.parents else 280
    assert len(code_lines(source)) <= limit
    assert not long_functions(source)


def test_the_counts_are_right():
    """Power: a function of 26 lines is too long; comments and docstrings are free."""
    body = "\n".join(f"    x{i} = {i}\n    # why\n" for i in range(26))
    assert long_functions(f'def f():\n    """Say.\n\n    More.\n    """\n{body}')
    assert not long_functions(f"def f():\n{body.replace('    x0 = 0', '')}")
