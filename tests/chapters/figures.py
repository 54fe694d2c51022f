"""The figures of the book, found where they are declared, and where they are shown."""

import ast
import json
from functools import cache
from importlib import import_module
from pkgutil import walk_packages

from dpteach import chapters
from dpteach.figures.figure import Figure
from tests.public import ROOT

ROOMS = "dpteach.chapters."


@cache
def declared():
    """Collect every figure by its place: ``dp_sgd.descent.cloud``."""
    found = {}
    for info in walk_packages(chapters.__path__, chapters.__name__ + "."):
        if ".exercises" not in info.name:
            for name, value in vars(import_module(info.name)).items():
                if isinstance(value, Figure) and value.__module__ == info.name:
                    place = f"{info.name.removeprefix(chapters.__name__ + '.')}.{name}"
                    found[place] = value
    return found


def _imported(source):
    found = {}
    for node in ast.parse(source.replace("%pip", "#")).body:
        if isinstance(node, ast.ImportFrom) and node.module.startswith(ROOMS):
            for alias in node.names:
                room = node.module.removeprefix(ROOMS)
                found[alias.asname or alias.name] = f"{room}.{alias.name}"
    return found


@cache
def shown():
    """List the places that the last lines of each chapter's cells show, in order."""
    found = {}
    for path in sorted((ROOT / "chapters").glob("*.ipynb")):
        places, modules = found.setdefault(path.stem, []), {}
        for cell in json.loads(path.read_text("utf-8"))["cells"]:
            source = "".join(cell["source"])
            if cell["cell_type"] == "code" and cell["id"] != "install":
                modules |= _imported(source)
                last = source.splitlines()[-1] if source else ""
                module, _, name = last.partition(".")
                place = f"{modules.get(module)}.{name}"
                if place in declared():
                    places.append(place)
    return found
