"""Small changes to the lines of a module, one at a time."""

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass

from tests.chapters.mutants import changes, difference, setter

NEUTRAL = {ast.Or: False, ast.And: True}


@dataclass(frozen=True)
class Mutant:
    """One change: where it is, what it changes, and the module with it."""

    function: str
    line: int
    change: str
    tree: ast.Module

    @property
    def key(self) -> str:
        """Name the change without its line, which other edits move."""
        return f"{self.function}: {self.change}"


def mutants(source: str, functions: list[str] | None = None) -> Iterator[Mutant]:
    """Yield each mutant of a module, or of some of its functions and classes."""
    tree, seen = ast.parse(source), {}
    for at, owner in enumerate(tree.body):
        name = getattr(owner, "name", "module")
        if not _counts(owner) or (functions is not None and name not in functions):
            continue
        before = ast.unparse(owner).splitlines()
        for number, node in enumerate(ast.walk(owner)):
            if node in _skipped(owner):
                continue
            for change in (*changes(node), *drops(node)):
                mutant = copy.deepcopy(tree)
                change(list(ast.walk(mutant.body[at]))[number])
                after = ast.unparse(mutant.body[at]).splitlines()
                if after == before:
                    continue
                text = difference(before, after)
                seen[name, text] = seen.get((name, text), 0) + 1
                if seen[name, text] > 1:
                    text += f" #{seen[name, text]}"
                ast.fix_missing_locations(mutant)
                yield Mutant(name, node.lineno, text, mutant)


def drops(node: ast.AST) -> Iterator:
    """List what leaves a guard out: a refusal, a call, one part of a condition, abs."""
    match node:
        case ast.If(body=[ast.Raise(), *_]):
            yield setter("test", ast.Constant(False))
        case ast.Expr(value=ast.Call()):
            yield setter("value", ast.Constant(None))
        case ast.BoolOp(values=values):
            for k in range(len(values)):
                neutral = ast.Constant(NEUTRAL[type(node.op)])
                yield setter("values", [*values[:k], neutral, *values[k + 1 :]])
        case ast.Call(func=ast.Name(id="abs")):
            yield setter("func", ast.parse("lambda x: x", mode="eval").body)


def _counts(owner: ast.stmt) -> bool:
    # not imports, docstrings, or lists of strings
    return isinstance(
        owner, ast.FunctionDef | ast.ClassDef | ast.Assign | ast.AnnAssign
    ) and bool(list(ast.walk(owner)))


def _skipped(owner: ast.stmt) -> set[ast.AST]:
    """Find what no mutant touches: words of errors, annotations and decorators."""
    found = set()
    for node in ast.walk(owner):
        parts = []
        if isinstance(node, ast.Raise):
            parts = [node]
        elif isinstance(node, ast.FunctionDef):
            parts = [*node.decorator_list, node.returns]
        elif isinstance(node, ast.arg | ast.AnnAssign):
            parts = [node.annotation]
        elif isinstance(node, ast.ClassDef):
            parts = node.decorator_list
        for part in parts:
            found.update(ast.walk(part) if part is not None else ())
    return found
