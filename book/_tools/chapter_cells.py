"""Which cells of the chapters a reader can run on the page: chapter_cells.py.

Every cell that a page shows as code is tried under the page's own Python, without a
browser. Those that print what the built book prints, soon enough, are listed in
``book/cells.json`` and get a button; the others stand there with the reason. The book
and Python for the page must be built.
"""

import json
import math
import re
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import atomic
from bs4 import BeautifulSoup, Tag
from runtime import CHAPTERS, visible

ROOT = Path(__file__).resolve().parents[2]
HTML = ROOT / "book" / "_build" / "html" / "chapters"
LIST = ROOT / "book" / "cells.json"
COMMAND = ("node", "tests/pyodide/run.mjs", "PAGE", "tests/pyodide/cells.py")
MOST = 10.0  # seconds of this machine's processor: a phone takes several times as long
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?")


def printed(page: Path) -> list[str]:
    """Return what the built page shows below each of these cells."""
    soup = BeautifulSoup(page.read_text("utf-8"), "html.parser")
    hidden = re.compile("^tag_")
    return [
        " ".join(below.get_text().split()) if (below := _output(cell)) else ""
        for cell in soup.select("div.cell")
        if not any(map(hidden.match, cell["class"]))
    ]


def _output(cell: Tag) -> Tag | None:
    return cell.select_one(".cell_output")


def same(found: str, wanted: str) -> bool:
    """Say whether two outputs agree, up to the last digits of numbers."""
    if NUMBER.split(found) != NUMBER.split(wanted):
        return False
    pairs = zip(NUMBER.findall(found), NUMBER.findall(wanted), strict=True)
    near = {"rel_tol": 1e-6, "abs_tol": 1e-9}
    return all(math.isclose(*map(float, pair), **near) for pair in pairs)


def tried(chapters: Mapping[str, list[dict[str, Any]]]) -> dict[str, dict[str, Any]]:
    """Run cells under the page's Python, chapter by chapter, and return what they told.

    A cell that fails is left out, and the others run without it.
    """
    with tempfile.NamedTemporaryFile("w", suffix=".json", dir=ROOT / ".cache") as file:
        json.dump(chapters, file)
        file.flush()
        done = subprocess.run(
            [*COMMAND, f".cache/{Path(file.name).name}"],
            cwd=ROOT, check=True, text=True, stdout=subprocess.PIPE,
        )  # fmt: skip
    told = map(json.loads, done.stdout.splitlines())
    return {each.pop("chapter"): each for each in told}


def fault(told: Mapping[str, Any], wanted: str) -> str:
    """Say why a cell that ran gets no button; nothing, if it gets one."""
    html = BeautifulSoup(told["html"], "html.parser").get_text()
    found = " ".join(f"{told['printed']} {html}".split())
    if not same(found, wanted):
        return f"prints {found[:60]!r}, and the book {wanted[:60]!r}"
    return "takes too long on a page" if told["seconds"] > MOST else ""


def sorted_out() -> dict[str, dict[str, Any]]:
    """Return for each chapter the cells to ``run``, and why others are ``left_out``."""
    todo = {path.stem: [*visible(path)] for path in sorted(CHAPTERS.glob("*.ipynb"))}
    wanted = {
        cell["id"]: text
        for chapter, cells in todo.items()
        for cell, text in zip(cells, printed(HTML / f"{chapter}.html"), strict=True)
    }
    out = {name: {"run": [], "left_out": {}} for name in todo}
    while todo:
        for name, each in tried(todo).items():
            faults = {
                key: fault(told, wanted[key]) for key, told in each["told"].items()
            }
            reasons = each["failed"] | {key: why for key, why in faults.items() if why}
            out[name]["run"] = [key for key, why in faults.items() if not why]
            out[name]["left_out"] |= reasons
            todo[name] = [cell for cell in todo[name] if cell["id"] not in reasons]
            if not any(faults.values()):  # else the rest is run without them
                del todo[name]
    return out


def main() -> None:
    """Write the list, and say how many cells run."""
    found = sorted_out()
    atomic.write(LIST, json.dumps(found, indent=1, ensure_ascii=False) + "\n")
    runs = sum(len(each["run"]) for each in found.values())
    print(f"{runs} cells run on their pages; {LIST.name} says why others do not")


if __name__ == "__main__":
    main()
