"""``{floors}``: the floors of the package, drawn from the contract that holds them.

Modules, and which floor each stands on, come from ``pyproject.toml``; the chapters'
folders and the kinds of algorithms are those that exist. A phone gets a narrow drawing.
"""

import html
import re
import tomllib
from itertools import count

from docutils import nodes
from sphinx.application import Sphinx

from . import ROOT
from .tables import Generated

PACKAGE = ROOT / "dpteach"
# What stands on each floor, from the ground up
WORDS = (
    "Arrays, numbers, checks of arguments",
    "What a run spends; losses; sets",
    "Data, the problem, what a run costs",
    "Mechanisms, and algorithms built on them",
    "Audits, lower bounds, samplers, tables",
    "What draws and moves a figure",
    "What judges an answer",
    "Figures, questions, exercises by chapter",
)
# Layers that share a floor with the layer that they stand on
SHARES = {"device_noise", "any_loss", "losses", "networks", "algorithms", "tables"}
WIDE, NARROW = 680, 340
LINE, GAP, PAD = 26, 7, 10
LETTER = 6.9  # the width of a letter in a box, in the drawing's units


def floors() -> list[list[str]]:
    """Return the modules of each floor, from the ground up."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    contract = tomllib.loads(text)["tool"]["importlinter"]["contracts"][0]
    layers = [re.findall(r"dpteach\.(\w+)", each) for each in contract["layers"]]
    found: list[list[str]] = []
    for layer in reversed(layers):
        if SHARES & set(layer):
            found[-1] += layer
        else:
            found.append(layer)
    return found


def boxes(module: str) -> list[str]:
    """Return what is written in the boxes of a module: its name, or its folders'."""
    if (PACKAGE / f"{module}.py").exists():
        return [f"{module}.py"]
    if module not in ("algorithms", "chapters"):
        return [f"{module}/"]
    inside = sorted(path.parent.name for path in (PACKAGE / module).glob("*/*.py"))
    return [f"{module}/{each}/" for each in dict.fromkeys(inside)]


def drawing(width: int, kind: str) -> str:
    """Draw the floors, the highest above, each as wide as the drawing."""
    parts: list[str] = []
    y = 2
    for number, modules in reversed(list(zip(count(), floors(), strict=False))):
        names = [box for module in modules for box in boxes(module)]
        content, height = floor(number, names, y, width)
        frame = (
            f'<rect class="floor" x="1" y="{y}" width="{width - 2}" height="{height}"/>'
        )
        parts += [frame, *content]
        y += height + GAP
    return f'<svg class="{kind}" viewBox="0 0 {width} {y}">{"".join(parts)}</svg>'


def floor(number: int, names: list[str], y: int, width: int) -> tuple[list[str], int]:
    """Draw one floor's words and boxes, and return how high it is."""
    said = f"<tspan>{number}</tspan> {html.escape(WORDS[number])}"
    parts = [f'<text x="{PAD + 2}" y="{y + 20}">{said}</text>']
    x, top = PAD, y + LINE + 4
    for name in names:
        wide = len(name) * LETTER + 14
        if x + wide > width - PAD and x > PAD:
            x, top = PAD, top + LINE + GAP
        box = f'x="{x:g}" y="{top}" width="{wide:g}" height="{LINE}" rx="5"'
        at = f'x="{x + 7:g}" y="{top + 17}"'
        parts.append(f'<rect {box}/><text class="name" {at}>{name}</text>')
        x += wide + GAP
    return parts, top + LINE + PAD - y


class Floors(Generated):
    """The drawing, and in words what stands on each floor."""

    def make(self) -> list[nodes.Node]:
        """Return both drawings; the style sheet shows the one that fits."""
        self.env.note_dependency(str(ROOT / "pyproject.toml"))
        alt = (
            "The package dpteach as eight floors, each with its modules. From the "
            "ground up: "
            + "; ".join(f"{k}, {words}" for k, words in enumerate(WORDS))
            + ". Nothing imports upward."
        )
        figure = (
            f'<figure class="floors" role="img" aria-label="{html.escape(alt)}">'
            f"{drawing(WIDE, 'wide')}{drawing(NARROW, 'narrow')}</figure>"
        )
        return [nodes.raw("", figure, format="html")]


def setup(app: Sphinx) -> None:
    """Register the directive."""
    app.add_directive("floors", Floors)
