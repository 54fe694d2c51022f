"""What is public in dpteach, found by walking it; the tests of the house share it."""

import inspect
import pkgutil
from collections.abc import Iterator
from enum import EnumType
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import yaml

import dpteach

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "dpteach"

# Floor 0 serves the package itself: a reader of the book never calls it.
GROUND = ("dpteach.arrays", "dpteach.checks", "dpteach.numerics")
# Of the upper floors a reader calls what these packages hand out.
UPPER = ("dpteach.figures", "dpteach.grading")


@cache
def modules() -> tuple[ModuleType, ...]:
    """Import every public module."""
    found = [dpteach]
    for info in pkgutil.walk_packages(dpteach.__path__, "dpteach."):
        if not any(part.startswith("_") for part in info.name.split(".")):
            found.append(import_module(info.name))
    return tuple(found)


def _own(module: ModuleType) -> Iterator[tuple[str, Any]]:
    for name, value in vars(module).items():
        # A cached function wraps the one that was written.
        written = inspect.unwrap(value) if callable(value) else value
        public = inspect.isfunction(written) or inspect.isclass(written)
        if public and written.__module__ == module.__name__:
            yield name, value


def _entry_points(package: str) -> Iterator[tuple[str, Any]]:
    module = import_module(package)
    for name in getattr(module, "__all__", ()):
        value = getattr(module, name)
        if inspect.isfunction(value) or inspect.isclass(value):
            yield f"{value.__module__}.{value.__qualname__}", value


@cache
def objects() -> dict[str, Any]:
    """Collect functions and classes that a reader may call, by full name.

    On floors 1 to 4 that is everything without an underscore; above, what
    ``dpteach.figures`` and ``dpteach.grading`` list in ``__all__``.
    """
    found: dict[str, Any] = {}
    for module in modules():
        name = module.__name__
        if name in GROUND or name.startswith(UPPER):
            continue
        for key, value in _own(module):
            if not key.startswith("_"):
                found[f"{name}.{key}"] = value
    for package in UPPER:
        if (PACKAGE / package.rpartition(".")[2]).exists():
            found.update(_entry_points(package))
    return found


def functions() -> dict[str, Any]:
    """Collect the public functions by full name."""
    return {name: each for name, each in objects().items() if not inspect.isclass(each)}


def parameters(public: Any) -> list[str]:
    """List the keywords of a public function, or of a class where it is made."""
    if isinstance(public, EnumType):  # nobody makes one
        return []
    return [
        each.name
        for each in inspect.signature(public).parameters.values()
        if each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD)
        and not each.name.startswith("_")
    ]


def table(name: str) -> Any:
    """Read ``book/<name>.yml``."""
    return yaml.safe_load((ROOT / "book" / f"{name}.yml").read_text("utf-8"))
