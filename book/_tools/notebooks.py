"""The stored form of notebooks.

Chapters and exercises have no outputs, cells have fixed ids (a hash of their place and
their first version), and the first code cell, which installs dpteach, is the same in
all.
"""

import json
from hashlib import sha256
from pathlib import Path

from dpteach_book import install

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("chapters", "exercises", "capstones")
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}


def paths() -> list[Path]:
    """Return every notebook of the repository."""
    found = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*.ipynb")]
    return sorted(path for path in found if ".ipynb_checkpoints" not in path.parts)


def tidy(notebook: dict, name: str) -> dict:
    """Return a notebook in its stored form."""
    cells = [cell for cell in notebook["cells"] if not is_install(cell)]
    code = next((i for i, cell in enumerate(cells) if cell["cell_type"] == "code"), 0)
    first = {
        "cell_type": "code",
        "id": "install",
        "metadata": {"tags": ["remove-cell"]},
        "source": install.stored_cell(),
    }
    cells = [*cells[:code], first, *cells[code:]]
    seen: set[str] = set()
    return {
        "cells": [_cell(cell, place, name, seen) for place, cell in enumerate(cells)],
        "metadata": {
            "kernelspec": KERNEL,
            "language_info": {"name": "python"},
            **{
                k: v
                for k, v in notebook["metadata"].items()
                if k in ("description", "title")
            },
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def is_install(cell: dict) -> bool:
    """Say whether a cell is the generated one, which an editor may have renamed."""
    said = "".join(cell["source"]).startswith("# Installs dpteach ")
    return cell.get("id") == "install" or (cell["cell_type"] == "code" and said)


def _cell(cell: dict, place: int, name: str, seen: set[str]) -> dict:
    source = cell["source"]
    lines = (source if isinstance(source, str) else "".join(source)).splitlines(True)
    identity = cell.get("id", "")
    if not identity or identity in seen:
        identity = sha256(f"{name} {place} {lines}".encode()).hexdigest()[:8]
    seen.add(identity)
    kept = {k: v for k, v in cell.get("metadata", {}).items() if k == "tags" and v}
    out = {"cell_type": cell["cell_type"], "id": identity, "metadata": kept}
    if cell["cell_type"] == "code":
        out |= {"execution_count": None, "outputs": []}
    if cell.get("attachments"):
        out["attachments"] = cell["attachments"]
    out["source"] = lines
    return out


def text(notebook: dict) -> str:
    """Return the file's text: sorted keys, so that a diff shows what changed."""
    return json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def files() -> dict[Path, str]:
    """Return the text that each chapter's notebook should have."""
    return {
        path: text(tidy(json.loads(path.read_text(encoding="utf-8")), path.stem))
        for path in paths()
        if path.parent.name in ("chapters", "capstones")
    }
