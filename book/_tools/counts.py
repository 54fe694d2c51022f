"""How much the book has: chapters that have a page, their figures, and exercises.

Each is counted where it is, and no figure is computed for it.
"""

import ast
import json
import re
from functools import cache
from pathlib import Path

import yaml

from dpteach.chapters import catalog

ROOT = Path(__file__).resolve().parents[2]
CONTENTS = ROOT / "book" / "chapters.yml"
IMPORT = re.compile(r"^from (dpteach\.\S+) import (.+)$", re.MULTILINE)


@cache
def figures_of(module: str) -> frozenset[str]:
    """List the figures that a module of a chapter declares, without importing it."""
    path = ROOT / f"{module.replace('.', '/')}.py"
    if not path.exists():
        return frozenset()
    return frozenset(
        node.name
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef)
        for each in node.decorator_list
        if isinstance(each, ast.Call) and getattr(each.func, "id", "") == "figure"
    )


def figures_shown(notebook: str) -> int:
    """Count the cells of a notebook whose last line is a figure."""
    modules: dict[str, str] = {}
    shown = 0
    for cell in json.loads(notebook)["cells"]:
        if cell["cell_type"] != "code":
            continue
        source = "".join(cell["source"])
        for package, names in re.findall(
            r"^from (dpteach\.\S+) import (.+)$", source, re.M
        ):
            for name in names.split(","):
                first, _, alias = name.strip().partition(" as ")
                modules[alias or first] = f"{package}.{first}"
        last = source.splitlines()[-1] if source else ""
        module, _, name = last.partition(".")
        shown += module in modules and name in figures_of(modules[module])
    return shown


def numbers() -> dict[str, int]:
    """Count chapters, figures and exercises."""
    pages = [
        ROOT / f"{row['file']}.ipynb"
        for row in yaml.safe_load(CONTENTS.read_text(encoding="utf-8"))
    ]
    texts = [page.read_text(encoding="utf-8") for page in pages if page.exists()]
    return {
        "chapters": len(texts),
        "figures": sum(map(figures_shown, texts)),
        "exercises": len(catalog.names()),
    }
