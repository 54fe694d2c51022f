"""The exercises: one module each, named by the function or the question."""

from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any


@cache
def names() -> tuple[str, ...]:
    """List every exercise and question."""
    return tuple(sorted(each.name for each in iter_modules(__path__)))


def load(name: str) -> Any:
    """Find the ``EXERCISE`` of one module."""
    return import_module(f".{name}", __name__).EXERCISE
