"""What a chapter can show depends on every definition that its cells reach.

``fingerprint`` says whether a stored *value* is fresh, so texts, decorators and what
refuses an argument do not count there. A page shows titles, captions and docstrings:
here the whole source of a definition counts, and what it names in decorators, defaults
and annotations is reached as well.
"""

import ast
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import fingerprint
from fingerprint import ROOT, Place, Source, resolve, source

PACKAGE = ROOT / "dpteach"
# What loads a package's names when they are first used. Which module a name comes from
# is read from the imports that these packages give to type checkers.
LOADER = PACKAGE / "_lazy.py"
# What imports an exercise by its name, when it is called.
BY_NAME = ("check", "load")


def reached(start: Iterable[Place]) -> set[Place]:
    """Find every definition of ``dpteach`` that some definitions use.

    A place ``(file, "")`` is what a file does when it is imported, besides defining.
    """
    places: set[Place] = set()
    waiting = [*start, *((LOADER, name) for name in source(LOADER).defined)]
    while waiting:
        place = waiting.pop()
        path, name = place
        if place in places or PACKAGE not in path.parents:
            continue
        places.add(place)
        waiting += uses(place)
        if name:
            waiting += ((each, "") for each in _imported_with(path))
    return places


@cache
def _imported_with(path: Path) -> tuple[Path, ...]:
    """Return a file, and the packages around it, which are imported before it."""
    above = [folder / "__init__.py" for folder in path.parents if folder != ROOT]
    inside = [each for each in above if each.is_relative_to(PACKAGE) and each.exists()]
    return path, *inside


@cache
def uses(place: Place) -> frozenset[Place]:
    """List all that a definition names."""
    here = source(place[0])
    return frozenset(other for node in statements(place) for other in named(here, node))


def statements(place: Place) -> list[ast.stmt]:
    """List the statements behind a name, or those that act when a file is imported."""
    path, name = place
    here = source(path)
    if name:
        return here.defined.get(name, [])
    return [node for node in here.tree.body if _acts(node)]


def _acts(node: ast.stmt) -> bool:
    """Say whether a statement does something besides binding names."""
    if isinstance(node, ast.Expr):
        return not isinstance(node.value, ast.Constant)
    if isinstance(node, ast.If | ast.Try | ast.With):
        return any(map(_acts, [*node.body, *getattr(node, "orelse", [])]))
    return isinstance(node, ast.For | ast.While | ast.Delete | ast.Assert | ast.Raise)


def text(place: Place) -> str:
    """Return the source of a definition, its decorators included."""
    lines = _lines(place[0])
    return "".join(
        "".join(lines[first_line(node) - 1 : node.end_lineno])
        for node in statements(place)
    )


@cache
def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines(keepends=True)


def first_line(node: ast.stmt) -> int:
    """Return the line at which a statement begins, its decorators included."""
    above = [each.lineno for each in getattr(node, "decorator_list", ())]
    return min([node.lineno, *above])


def named(here: Source, tree: ast.AST) -> set[Place]:
    """List the definitions of ours that the names in some code stand for.

    A module that is handed on as a value stands for all that it defines.
    """
    nodes = list(ast.walk(tree))
    bound = here.imported | here.bindings(nodes) | _packages(nodes)
    inner = {id(node.value) for node in nodes if isinstance(node, ast.Attribute)}
    places: set[Place] = set()
    for node in nodes:
        if isinstance(node, ast.Call) and node.args:
            places |= _by_name(node.func, node.args[0])
        for path, name in _meant(node, here, bound):
            places.add((path, name))
            if not name and id(node) not in inner:
                places |= {(path, each) for each in source(path).defined}
    return places


def _by_name(function: ast.expr, argument: ast.expr) -> set[Place]:
    """List the definitions of an exercise that a call finds by its name."""
    called = getattr(function, "attr", getattr(function, "id", ""))
    if called not in BY_NAME or not isinstance(argument, ast.Constant):
        return set()
    name = argument.value
    files = {
        file
        for folder in PACKAGE.glob("chapters/*/exercises")
        for file in (folder / f"{name}.py", *(folder / str(name)).glob("*.py"))
        if file.exists()
    }
    return {(file, each) for file in files for each in source(file).defined}


def _packages(nodes: Iterable[ast.AST]) -> dict[str, Place]:
    """Say what ``import dpteach.figures`` binds: the package at its beginning."""
    aliases = (
        alias for node in nodes if isinstance(node, ast.Import) for alias in node.names
    )
    first = PACKAGE.name
    binds = any(
        each.asname is None and each.name.partition(".")[0] == first for each in aliases
    )
    return {first: (PACKAGE / "__init__.py", "")} if binds else {}


def _meant(node: ast.AST, here: Source, bound: dict[str, Place]) -> list[Place]:
    """List the definitions and modules that an expression can name.

    They may be several: the cells of a chapter, read as one module, may import a name
    and assign it elsewhere.
    """
    if isinstance(node, ast.Name):
        own = [(here.path, node.id)] if node.id in here.defined else []
        return own + ([resolve(bound[node.id])] if node.id in bound else [])
    if isinstance(node, ast.Attribute):
        homes = _meant(node.value, here, bound)
        return [_member(path, node.attr) for path, name in homes if not name]
    return []


def _member(path: Path, name: str) -> Place:
    """Find what a module has under a name: a definition, or a module inside."""
    known = source(path).defined | source(path).imported
    if name not in known and path.name == "__init__.py":
        for inside in (f"{name}.py", f"{name}/__init__.py"):
            if (path.parent / inside).exists():
                return path.parent / inside, ""
    return resolve((path, name))


def of_code(code: str, name: str = "cells") -> set[Place]:
    """Find every definition that some code reaches, such as that of a chapter."""
    module = Source(ROOT / f"{name}.py", ast.parse(code))
    return reached(named(module, module.tree))


def forget() -> None:
    """Read every source anew, as a new process does."""
    for known in (source, uses, _imported_with, _lines, fingerprint._file):
        known.cache_clear()


def edited(places: Iterable[Place]) -> list[Path]:
    """List the files of some definitions that are not as they were read."""

    def now(path: Path) -> str:
        return path.read_text(encoding="utf-8") if path.exists() else ""

    files = sorted({path for path, _ in places})
    return [path for path in files if now(path) != "".join(_lines(path))]
