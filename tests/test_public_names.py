"""Files are nouns a reader would look up, short enough to be read in one go."""

import ast
import re
from pathlib import Path

import facade
from lines_to_open import code_lines

from tests.public import PACKAGE, functions

FORBIDDEN = {"utils", "util", "helpers", "helper", "base", "manager", "engine", "core"}
FILES = sorted(PACKAGE.rglob("*.py"))
CHECK = re.compile(r"(\w+(, \w+)* = )?checks\.\w+\(")


def long_functions(source: str, limit: int = 25) -> list[str]:
    """Name the functions whose bodies hold more than ``limit`` lines of code.

    Lines that check an argument, and hand it back, are free: ``show`` folds them away.
    """
    lines, found = code_lines(source), []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef):
            body = set(range(node.body[0].lineno, node.end_lineno + 1))
            if len(body) <= limit:
                continue
            for each in ast.walk(node):
                if isinstance(each, ast.stmt) and CHECK.match(ast.unparse(each)):
                    body -= set(range(each.lineno, each.end_lineno + 1))
            length = len(lines & body)
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


def too_long(path: Path) -> list[str]:
    """Say what of a file is too long, without what is generated, and what explains."""
    before, _, rest = path.read_text("utf-8").partition(facade.START)
    source = before + rest.rpartition(facade.END)[2]
    source = re.sub(r'^EXPLANATION = r?""".*?"""$', "", source, flags=re.M | re.S)
    limit = 140 if PACKAGE / "algorithms" in path.parents else 280
    lines = len(code_lines(source))
    return long_functions(source) + [f"{lines} lines"] * (lines > limit)


def test_files_and_their_functions_are_short():
    found = {str(path.relative_to(PACKAGE)): too_long(path) for path in FILES}
    assert not {path: what for path, what in found.items() if what}


def test_the_counts_are_right():
    """Power: a function of 26 lines is too long; comments and docstrings are free."""
    body = "\n".join(f"    x{i} = {i}\n    # why\n" for i in range(26))
    assert long_functions(f'def f():\n    """Say.\n\n    More.\n    """\n{body}')
    assert not long_functions(f"def f():\n{body.replace('    x0 = 0', '')}")
    assert not long_functions(
        f"def f():\n{body.replace('0 = 0', '0 = checks.count(n=n)')}"
    )


def private_names_imported(path: Path) -> list[str]:
    """List the names ``_x`` that a file takes from another module of the package.

    A module ``_x`` may be imported: what it defines under plain names is for the
    modules beside it. So may ``_x`` of a package that is not ours.
    """
    found = []
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level:
            source = path.parents[node.level - 1].joinpath(
                *(node.module or "").split(".")
            )
            for alias in node.names:
                is_module = (source / f"{alias.name}.py").exists()
                private = alias.name.startswith("_") and not alias.name.endswith("__")
                if private and not is_module:
                    found.append(f"{path.name}: {alias.name} of {source.name}")
    return found


def test_no_private_name_is_imported_from_another_module():
    assert not [name for path in FILES for name in private_names_imported(path)]


def test_a_private_name_is_seen(tmp_path):
    """Power: a name is found, also inside a function; a module is let through."""
    (tmp_path / "_tools.py").write_text("def plain(): ...\n", "utf-8")
    file = tmp_path / "one.py"
    file.write_text("from . import _tools\nfrom ._tools import plain\n", "utf-8")
    assert not private_names_imported(file)
    file.write_text("def f():\n    from ._tools import _hidden\n", "utf-8")
    assert private_names_imported(file) == ["one.py: _hidden of _tools"]


# How often a tensor was written to: PyTorch documents it, under this name.
DOCUMENTED = {"_version"}


def private_attributes(path: Path) -> list[str]:
    """List the ``x._name`` of a file in which neither x nor _name is the file's own.

    ``self._name`` may come from a parent class; modules are another library's.
    """
    tree = ast.parse(path.read_text("utf-8"))
    modules = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
    }
    own = {
        getattr(node, "name", None) or getattr(node, "attr", None) or node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
        or (
            isinstance(getattr(node, "ctx", None), ast.Store)
            and isinstance(node, ast.Attribute | ast.Name)
        )
    }
    return [
        f"{path.name}: {ast.unparse(node)}"
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and node.attr.startswith("_")
        and not node.attr.endswith("_")
        and node.attr not in own | DOCUMENTED
        and not (isinstance(node.value, ast.Name) and node.value.id in modules)
        and not (isinstance(node.value, ast.Name) and node.value.id in ("self", "cls"))
    ]


def test_no_private_attribute_of_another_module_is_used():
    assert not [name for path in FILES for name in private_attributes(path)]


def test_a_private_attribute_is_seen(tmp_path):
    """Power: another's is found; one's own, a parent's and a library's are let pass."""
    file = tmp_path / "one.py"
    text = "import sys\nx._kept = 1\nx._kept; self._up; sys._getframe"
    file.write_text(text, "utf-8")
    assert not private_attributes(file)
    file.write_text("def f(problem):\n    return problem._row_norms\n", "utf-8")
    assert private_attributes(file) == ["one.py: problem._row_norms"]
