"""Note what the cells of a chapter open, and which definitions of dpteach run.

A kernel calls ``start`` before the first cell. What is imported is known from the
source; a function is marked by a line that is put before its first one, for a tracer
would double the time of a build.
"""

import ast
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import Any

from fingerprint import Source

PACKAGE = "dpteach"
MARKS = "__ran__"  # the name under which each module of ours has RAN
RAN = bytearray()  # for each function, whether it ran in this cell
PLACES: list[tuple[str, str]] = []  # its file, and the name at the top that it is in


def start(root: str, opened: str, ran: str, shell: Any) -> None:
    """Write in two files what is read of the folder ``root``, and what a cell runs."""
    log = os.open(opened, os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def note(event: str, args: tuple[Any, ...]) -> None:
        if event == "open" and isinstance(args[0], str | os.PathLike):
            path, reads = os.path.abspath(args[0]), args[2] & os.O_ACCMODE == 0
            inside = path.startswith(f"{root}{os.sep}")
            if reads and inside and not path.endswith((".py", ".pyc")):
                os.write(log, f"{path}\n".encode())

    def write(_: object) -> None:
        Path(ran).write_text("".join(sorted(places())), encoding="utf-8")
        RAN[:] = bytes(len(RAN))

    sys.addaudithook(note)
    sys.meta_path.insert(0, Finder(Path(root)))
    shell.events.register("post_run_cell", write)
    write(None)


def places() -> Iterator[str]:
    """Say which definitions have run, a line for each."""
    marked = {place for place, ran in zip(PLACES, RAN, strict=True) if ran}
    return (f"{file} {name}\n" for file, name in marked)


@dataclass
class Finder:
    """Finds the modules of dpteach, to mark what they define."""

    root: Path

    def find_spec(
        self, name: str, path: Any, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Leave to others what is not ours."""
        if name.partition(".")[0] != PACKAGE:
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec and isinstance(spec.loader, SourceFileLoader):
            spec.loader = Loader(name, spec.loader.path)
            spec.loader.root = self.root
        return spec


class Loader(SourceFileLoader):
    """Runs a module whose functions are marked."""

    root: Path

    def get_code(self, fullname: str) -> Any:  # noqa: ARG002  (as importlib calls it)
        """Compile the source, for what is kept in a file has no marks."""
        tree, path = ast.parse(self.get_data(self.path)), Path(self.path)
        file = path.relative_to(self.root).as_posix()
        tree = marked(Source(path, tree), file)
        return compile(tree, self.path, "exec", dont_inherit=True)

    def exec_module(self, module: ModuleType) -> None:
        """Forget what runs while it is imported.

        What that computes matters if the name to which it is bound is used.
        """
        before = bytes(RAN)
        vars(module)[MARKS] = RAN
        try:
            super().exec_module(module)
        finally:
            RAN[:] = before.ljust(len(RAN), b"\0")


def marked(module: Source, file: str) -> ast.Module:
    """Put a mark into each function of a module; no line moves."""
    names = {id(node): name for name, nodes in module.defined.items() for node in nodes}

    def visit(node: ast.AST, name: str) -> None:
        name = names.get(id(node), name)
        for child in ast.iter_child_nodes(node):
            visit(child, name)
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            return
        set_item = ast.Attribute(ast.Name(MARKS, ast.Load()), "__setitem__", ast.Load())
        mark = ast.Call(set_item, [ast.Constant(len(RAN)), ast.Constant(1)], [])
        RAN.append(0)
        PLACES.append((file, name))
        if isinstance(node, ast.Lambda):
            node.body = ast.BoolOp(ast.Or(), [mark, node.body])  # a mark is None
        else:
            first = 1 if ast.get_docstring(node, clean=False) is not None else 0
            node.body.insert(first, ast.Expr(mark))

    visit(module.tree, "")
    return ast.fix_missing_locations(module.tree)
