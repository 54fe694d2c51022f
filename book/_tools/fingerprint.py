"""One fingerprint for everything that is stored: a hash of the code that decides it.

A stored value is fresh as long as the definitions that it uses say what they said.
Where they stand in the repository, how they are imported, what their comments,
docstrings and messages say does not count. So moving a file makes nothing stale.

Where values are stored that a run computed (``refusals=False``), what can only refuse
an argument does not count either: a check, an ``if`` that ends in a ``ValueError`` or a
``TypeError``. The run was not refused, and a check changes no value.

The definitions are found from the source alone: a name in a function leads to what the
module, or the module that it is imported from, defines under that name.
"""

import ast
import hashlib
import inspect
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from types import ModuleType
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
Place = tuple[Path, str]  # a file, and a name that it defines at its top level
ABOUT_ONESELF = ("decorator_list", "returns", "type_comment", "type_params", "kind")


@dataclass(frozen=True)
class Source:
    """A module as its file has it, not as it runs."""

    path: Path
    tree: ast.Module = field(repr=False, compare=False)

    @cached_property
    def defined(self) -> dict[str, list[ast.stmt]]:
        """The statements that define each name of the top level."""
        found: dict[str, list[ast.stmt]] = {}
        for node in _statements(self.tree.body):
            for name in _names_bound(node):
                found.setdefault(name, []).append(node)
        return found

    @cached_property
    def imported(self) -> dict[str, Place]:
        """What the imports of the top level bind; modules have no name inside."""
        return self.bindings(_statements(self.tree.body))

    def bindings(self, nodes: Iterable[ast.AST]) -> dict[str, Place]:
        """Say where the names that some imports bind come from."""
        found: dict[str, Place] = {}
        for node in nodes:
            if isinstance(node, ast.ImportFrom):
                above = self._folder(node.level)
                base = above.joinpath(*(node.module or "").split("."))
                for alias in node.names:
                    place = _file(base / alias.name), ""
                    if place[0] is None:
                        place = _file(base), alias.name
                    if place[0] is not None:
                        found[alias.asname or alias.name] = place
            elif isinstance(node, ast.Import):
                for alias in node.names:
                    path = _file(ROOT.joinpath(*alias.name.split(".")))
                    if path is not None and alias.asname:
                        found[alias.asname] = path, ""
        return found

    def _folder(self, level: int) -> Path:
        return self.path.parents[level - 1] if level else ROOT


@cache
def source(path: Path) -> Source:
    """Read a file once."""
    return Source(path, ast.parse(path.read_text(encoding="utf-8")))


@cache
def _file(base: Path) -> Path | None:
    for path in (base.with_name(base.name + ".py"), base / "__init__.py"):
        if path.is_file():
            return path
    return None


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    for node in body:
        yield node
        if isinstance(node, ast.If | ast.Try | ast.With):
            yield from _statements(node.body)
            yield from _statements(getattr(node, "orelse", []))


def _names_bound(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        for target in targets:
            for each in ast.walk(target):
                if isinstance(each, ast.Name):
                    yield each.id


def place_of(thing: Callable[..., Any]) -> Place:
    """Say where a function or a class is defined."""
    written = inspect.unwrap(thing)
    return Path(inspect.getfile(written)).resolve(), written.__qualname__


def resolve(place: Place) -> Place:
    """Follow a name that a module hands on to the module that defines it."""
    path, name = place
    while name and name not in source(path).defined and name in source(path).imported:
        path, name = source(path).imported[name]
    return path, name


@cache
def uses(
    place: Place, refusals: bool = True, annotations: bool = True
) -> tuple[tuple[ast.AST, Place], ...]:
    """List the names in a definition that other definitions of ours stand behind.

    Those that only annotations name, and those that only what refuses an argument
    names, may be left out.
    """
    return tuple(_uses(place, refusals, annotations))


def _uses(
    place: Place, refusals: bool, annotations: bool
) -> Iterator[tuple[ast.AST, Place]]:
    path, name = place
    here = source(path)
    for statement in here.defined.get(name, ()):
        bound = here.imported | here.bindings(ast.walk(statement))
        for node in _counted(statement, refusals, annotations):
            if isinstance(node, ast.Name) and node.id in here.defined:
                yield node, (path, node.id)
            elif isinstance(node, ast.Name) and node.id in bound:
                home, inside = resolve(bound[node.id])
                if not inside or inside in source(home).defined:
                    yield node, (home, inside)  # else another library's, handed on
            elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                home, inside = bound.get(node.value.id, (None, "-"))
                if home is not None and inside == "":
                    submodule = _file(home.parent / node.attr)
                    known = node.attr in source(home).defined | source(home).imported
                    yield (
                        node,
                        (submodule, "")
                        if submodule and not known
                        else resolve((home, node.attr)),
                    )


def _counted(node: ast.AST, refusals: bool, annotations: bool) -> Iterator[ast.AST]:
    """Walk what counts: no imports, decorators or texts."""
    yield node
    for name, value in ast.iter_fields(node):
        if name not in ABOUT_ONESELF and (annotations or name != "annotation"):
            for each in value if isinstance(value, list) else [value]:
                if not isinstance(each, ast.AST) or _is_said(each):
                    continue
                if refusals or not is_refusal(each):
                    yield from _counted(each, refusals, annotations)


def _is_said(node: ast.AST) -> bool:
    """Say whether a node is an import, a docstring, or a text with spaces."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return len(node.value.split()) != 1
    return isinstance(node, ast.Import | ast.ImportFrom | ast.JoinedStr)


def is_refusal(node: ast.AST) -> bool:
    """Say whether all that a statement can do is to refuse an argument."""
    if isinstance(node, ast.If):
        return not node.orelse and is_refusal(node.body[-1])
    if isinstance(node, ast.For):
        return not node.orelse and all(map(is_refusal, node.body))
    if isinstance(node, ast.Raise):
        call = node.exc
        kind = call.func if isinstance(call, ast.Call) else call
        return isinstance(kind, ast.Name) and kind.id in ("ValueError", "TypeError")
    if isinstance(node, ast.Expr | ast.Assign) and isinstance(node.value, ast.Call):
        called = (
            node.value.func
        )  # checks.count(steps=steps), or steps = checks.count(…)
        return (
            isinstance(called, ast.Attribute)
            and isinstance(called.value, ast.Name)
            and called.value.id == "checks"
        )
    return False


def reached(
    start: Iterable[Place],
    within: Iterable[Path],
    refusals: bool = True,
    annotations: bool | None = None,
) -> set[Place]:
    """Find all definitions that some use, in the files and folders that count.

    What annotations alone name counts as refusals do, unless it is said.
    """
    counted = [path.resolve() for path in within]
    kinds = refusals, refusals if annotations is None else annotations
    found: set[Place] = set()
    waiting = [resolve(place) for place in start]
    while waiting:
        place = waiting.pop()
        inside = any(path in (place[0], *place[0].parents) for path in counted)
        if inside and place[1] and place not in found:
            found.add(place)
            waiting += [other for _, other in uses(place, *kinds)]
    return found


def meaning(place: Place, refusals: bool = True) -> str:
    """Write a definition so that what does not count does not show."""
    used = uses(place, refusals, refusals)
    targets = {id(node): other[1] or "module" for node, other in used}

    def silent(node: Any) -> bool:
        return _is_said(node) or (is_refusal(node) and not refusals)

    def write(node: Any) -> str:
        if not isinstance(node, ast.AST):
            return repr(node)
        if id(node) in targets:
            return targets[id(node)]
        parts = []
        for name, value in ast.iter_fields(node):
            if name in (*ABOUT_ONESELF, "ctx") or value is None or value == []:
                continue
            each = value if isinstance(value, list) else [value]
            kept = [write(v) for v in each if not silent(v)]
            parts.append(f"{name}={kept}")
        return f"{type(node).__name__}({' '.join(parts)})"

    path, name = place
    return "\n".join(write(node) for node in source(path).defined[name])


def fingerprint(
    things: Iterable[Callable[..., Any] | Place],
    *,
    within: Iterable[Path],
    arguments: Any = None,
    refusals: bool = True,
) -> str:
    """Hash the definitions that some functions use, as far as certain files go.

    Parameters
    ----------
    things : iterable of callable or (path, name)
        Where to start.
    within : iterable of Path
        The files, and folders of files, whose definitions count.
    arguments : JSON value, optional
        What they are called with.
    refusals : bool
        Whether what can only refuse an argument counts.
    """
    start = [place_of(each) if callable(each) else each for each in things]
    digest = hashlib.sha256(json.dumps(arguments, sort_keys=True).encode())
    found = reached(start, within, refusals)
    for text in sorted(meaning(place, refusals) for place in found):
        digest.update(text.encode() + b"\n")
    return digest.hexdigest()


def file_of(module: ModuleType) -> Path:
    """Return the file of a module, or the folder of a package."""
    path = Path(inspect.getfile(module)).resolve()
    return path.parent if path.name == "__init__.py" else path
