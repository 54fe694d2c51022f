"""The exercises: one module each, named by the function or the question."""

from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any


@cache
def names() -> tuple[str, ...]:
    """List every exercise and question."""
    found = sorted(each.name for each in iter_modules(__path__))
    return tuple(name for name in found if not name.startswith("_"))


def load(name: str) -> Any:
    """Find the ``EXERCISE`` of one module."""
    return import_module(f".{name}", __name__).EXERCISE
