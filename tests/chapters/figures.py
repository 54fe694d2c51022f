"""The figures of the book, found where they are declared."""

from functools import cache
from importlib import import_module
from pkgutil import walk_packages

from dpteach import chapters
from dpteach.figures.figure import Figure


@cache
def declared():
    """Collect every figure by its place: ``ch08_dp_sgd.descent.cloud``."""
    found = {}
    for info in walk_packages(chapters.__path__, chapters.__name__ + "."):
        if ".exercises" not in info.name:
            for name, value in vars(import_module(info.name)).items():
                if isinstance(value, Figure) and value.__module__ == info.name:
                    place = f"{info.name.removeprefix(chapters.__name__ + '.')}.{name}"
                    found[place] = value
    return found
