"""What is public in dpteach, found by walking it; several tests share it."""

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
# One page of the book; what it does, the package does under these rules.
PAGE = "dpteach.tiny"
UPPER = ("dpteach.figures", "dpteach.grading", "dpteach.chapters")


@cache
def modules() -> tuple[ModuleType, ...]:
    """Import every public module."""
    found = [dpteach]
    for info in pkgutil.walk_packages(dpteach.__path__, "dpteach."):
        if not any(part.startswith("_") for part in info.name.split(".")):
            found.append(import_module(info.name))
    return tuple(found)


def _handed_out(module: ModuleType) -> Iterator[Any]:
    """What a package lists in ``__all__``; else what a module defines itself."""
    for name in getattr(module, "__all__", ()):
        yield getattr(module, name)
    if not hasattr(module, "__all__"):
        for name, value in vars(module).items():
            if not name.startswith("_") and value_module(value) == module.__name__:
                yield value


def value_module(value: Any) -> str | None:
    """Name the module that defines a function or a class; None for all else."""
    # A cached function wraps the one that was written.
    written = inspect.unwrap(value) if callable(value) else value
    if inspect.isfunction(written) or inspect.isclass(written):
        return written.__module__
    return None


@cache
def objects() -> dict[str, Any]:
    """Collect the functions and classes that a reader may call, by full name.

    On floors 1 to 4 a package such as ``dpteach.data`` hands out what ``__all__``
    lists; one without a list, such as ``dpteach.algorithms``, all that its modules
    define. Of figures and grading it is what dpteach itself hands out.
    """
    found: dict[str, Any] = {}
    closed = tuple(
        module.__name__ + "."
        for module in modules()
        if hasattr(module, "__path__") and hasattr(module, "__all__")
    )[1:]  # dpteach itself lists names of every floor
    for module in modules()[1:]:
        if module.__name__.startswith((*GROUND, PAGE, *closed, *UPPER)):
            continue
        for value in _handed_out(module):
            home = value_module(value)
            if home is not None:
                found[f"{home}.{value.__qualname__}"] = value
    for name in dpteach._HOME:
        value = getattr(dpteach, name)
        found[f"{value_module(value)}.{value.__qualname__}"] = value
    return found


def functions() -> dict[str, Any]:
    """Collect the public functions by full name."""
    return {name: each for name, each in objects().items() if not inspect.isclass(each)}


def parameters(public: Any) -> list[str]:
    """List the keywords of a public function, or of a class where it is made."""
    if isinstance(public, EnumType) or _is_error(public):  # no reader makes one
        return []
    return [
        each.name
        for each in inspect.signature(public).parameters.values()
        if each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD)
        and not each.name.startswith("_")
    ]


def _is_error(public: Any) -> bool:
    return inspect.isclass(public) and issubclass(public, BaseException)


def table(name: str) -> Any:
    """Read ``book/<name>.yml``."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the same, ten times faster
    return yaml.load((ROOT / "book" / f"{name}.yml").read_text("utf-8"), loader)
