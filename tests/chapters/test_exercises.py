"""What every exercise keeps: one name, few misreadings, and no private import."""

import ast
from functools import cache
from importlib import import_module

import pytest

from dpteach.chapters.catalog import ROOMS, load, names, rooms
from tests.chapters.banks import FOLDERS, NAMES
from tests.public import PACKAGE, ROOT

MOST = 10  # misreadings that an exercise explains; others get a general hint
FILES = sorted(
    path
    for pattern in ("grading/*.py", "chapters/*/exercises/**/*.py")
    for path in PACKAGE.glob(pattern)
)


@pytest.mark.parametrize("name", names())
def test_an_exercise_has_one_name_in_every_tree(name):
    room = rooms()[name]
    assert load(name).name == name
    if name in NAMES:  # a function; questions have no bank, and no notebook
        assert FOLDERS[name] == ROOT / "tests" / "chapters" / room / name
        assert f"def {name}(" in load(name).starter
        assert (ROOT / "exercises" / f"{name}.ipynb").exists()


@cache
def misreadings(name):
    """List the pairs of a wrong formula and what is said of it, each once.

    They are found in the tables of the exercise's module, or modules.
    """
    own = [
        {key: value for key, value in vars(module).items() if key[:2] != "__"}
        for module in _modules(name)
    ]
    return tuple(found_in(own))


def _modules(name):
    home = f"dpteach.chapters.{rooms()[name]}.exercises.{name}"
    folder = ROOMS / rooms()[name] / "exercises" / name
    inner = [path.stem for path in sorted(folder.glob("*.py"))]
    return [
        import_module(f"{home}.{each}" if each != "__init__" else home)
        for each in inner or ["__init__"]
    ]


def found_in(namespaces):
    pairs = {}
    for namespace in namespaces:
        for table in namespace.values():
            named = isinstance(table, dict)  # by the names of bugs
            rows = table.items() if named else table if isinstance(table, tuple) else ()
            for row in rows:
                if _explains(row) and (named or callable(row[0])):
                    pairs[row[1], str(row[0])] = row
    return pairs.values()


def _explains(row):
    pair = isinstance(row, tuple) and len(row) == 2
    return pair and isinstance(row[1], str) and " " in row[1]


@pytest.mark.parametrize("name", NAMES)
def test_an_exercise_explains_ten_misreadings_at_most(name):
    """So that a grader stays short, and its messages can all be read again."""
    assert len(misreadings(name)) <= MOST


def test_the_misreadings_are_found():
    """Power: in one file and in several, in a table and in two."""
    for name in ("clip", "laplace_mean", "private_step", "repair_accountant"):
        assert len(misreadings(name)) == MOST
    eleven = tuple((lambda x, k=k: k * x, f"Not {k} times.") for k in range(11))
    assert len(found_in([{"_MISREAD": eleven, "other": (1, 2)}])) == 11


def private_imports(source):
    """List the private names that a module takes from another one.

    A module that begins with an underscore serves its own folder.
    """
    return [
        alias.name
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.name.startswith("_") and not alias.name.startswith("__")
    ]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_no_private_name_crosses_modules(path):
    assert not private_imports(path.read_text("utf-8"))


def test_a_private_import_is_caught():
    """Power: one inside a function as well."""
    assert private_imports("def f():\n    from .tree import _heap") == ["_heap"]
    assert not private_imports("from ._priced_cases import apart")
