"""The figures of a chapter, as Python has them, beside what a page shows."""

import ast
import re

from bs4 import BeautifulSoup

from dpteach.figures.explore import explore
from dpteach.figures.figure import Figure
from tests.chapters.figures import declared, shown


def source(*cells: str) -> list[explore]:
    """Run cells in order and return the figures that they would display."""
    space: dict = {"__name__": "__main__"}
    found = []
    for cell in cells:
        tree = ast.parse(cell)
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, "cell", "exec"), space)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), space)
            if isinstance(value, Figure):  # as chapters declare theirs
                value = value.explorer
            if isinstance(value, explore):
                found.append(value)
    return found


def chapter(name: str) -> list[explore]:
    """Return the figures that a chapter shows."""
    return [declared()[place].explorer for place in shown()[name]]


def same(shown: str, wanted: str, explorer: explore) -> bool:
    """Compare two paths: to the last digit, where the page computes it a tenth apart.

    A place that lies between two tenths of a pixel, but for the sixteenth digit, is
    rounded up here and down there.
    """
    if not explorer.form or shown == wanted:
        return shown == wanted
    number = r"-?\d+(?:\.\d+)?"
    if re.sub(number, "", shown) != re.sub(number, "", wanted):
        return False
    pairs = zip(re.findall(number, shown), re.findall(number, wanted), strict=True)
    return all(abs(float(a) - float(b)) < 0.11 for a, b in pairs)


# All of it at once: a question to the page costs more than its answer.
SEEN = """(figure) => [
  figure.querySelector("svg.dpt-narrow")?.checkVisibility() ?? false,
  Object.fromEntries(
    [...figure.querySelectorAll("path[id]")].map((e) => [e.id, e.getAttribute("d")])),
  [...figure.querySelectorAll("[data-text]")].map((e) => e.textContent),
]"""


def differences(page, explorer: explore, state: int) -> list[str]:
    """Return where a figure as it is seen differs from Python's, in a state."""
    wanted = BeautifulSoup(explorer.html(state), "html.parser")
    narrow, paths, texts = page.locator(f"figure#{explorer.identity}").evaluate(SEEN)
    out = []
    for path in wanted.select(f".dpt-{'narrow' if narrow else 'wide'} path[id]"):
        shown = paths[path["id"]]
        if not same(shown, path["d"], explorer):
            out.append(f"{path['id']}: {shown[:60]} is not {path['d'][:60]}")
    for text, said in zip(texts, wanted.select("[data-text]"), strict=True):
        if text != said.get_text():
            out.append(f"{text!r} is not {said.get_text()!r}")
    return out
