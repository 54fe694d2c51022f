"""Formula and figure speak: ``formula-curves.yml`` says which part is which curve.

A part is underlined in the color of its curve, with its dash. Below the formula stands
a list of the curves, each with its sample from the figure's legend; speak.js lights a
part and its curve together. The TeX of the chapters stays as it is.
"""

import html
import re
from functools import cache

from bs4 import BeautifulSoup, Tag
from docutils import nodes
from sphinx.util import logging

from . import ROOT, read_yaml

LOGGER = logging.getLogger(__name__)
SAMPLE = re.compile(r"var\(--dpt-(?!paper|ink|grid)([a-z-]+)\)")


@cache
def table() -> dict[str, dict]:
    """Read which formulas speak of which figures."""
    return read_yaml(ROOT / "book" / "formula-curves.yml")


def role(sample: Tag) -> str:
    """Return which role a sample of a curve is drawn in."""
    return SAMPLE.search(str(sample))[1]


def mark(tex: str, curves: dict[str, list[str]], samples: dict[str, Tag]) -> str:
    """Underline each part of a formula, and note its curve and role.

    A part that does not occur is an error.
    """
    for k, (name, parts) in enumerate(curves.items()):
        for part in parts:
            pattern = r"\s+".join(map(re.escape, part.split()))
            # letters are no part of a command's name
            pattern = r"(?<![a-zA-Z\\])" * part[0].isalpha() + pattern
            pattern += r"(?![a-zA-Z])" * part[-1].isalpha()
            if not re.search(pattern, tex):
                raise ValueError(f"no part {part!r} in the formula {tex!r}.")
            data = f"curve={k}, role={role(samples[name])}"
            marked = rf"\htmlData{{{data}}}{{\underline{{{part}}}}}"
            tex = re.sub(pattern, lambda _, to=marked: to, tex, count=1)
    return tex


def legend(document: nodes.document, identity: str) -> dict[str, Tag]:
    """Return the samples of a figure of this page, by the names of its curves."""
    for raw in document.findall(nodes.raw):
        if f'<figure class="dpt" id="{identity}"' in raw.astext():
            soup = BeautifulSoup(raw.astext(), "html.parser")
            entries = soup.select(f"figure#{identity} .dpt-legend li")
            return {entry.get_text(): entry.svg for entry in entries}
    return {}


def key(spoken: dict, samples: dict[str, Tag], said: dict[str, str]) -> str:
    """Write the list of curves below a formula; each leads to the figure."""
    figure, items = spoken["figure"], []
    for k, name in enumerate(spoken["curves"]):
        items.append(
            f'<li><a href="#{figure}" data-curve="{k}">'
            f'{samples[name]}{html.escape(name)}<span class="dpt-hidden">, in the '
            f"figure, is this part: {said[name]}</span></a></li>"
        )
    return (
        f'<div class="dpt speaks" data-figure="{figure}">In the figure:'
        f"<ul>{''.join(items)}</ul></div>"
    )


def of(document: nodes.document, label: str | None, location) -> tuple[dict, dict]:
    """Return what a formula says of a figure of its page, and the samples there."""
    spoken = table().get(label or "")
    if not spoken:
        return {}, {}
    samples = legend(document, spoken["figure"])
    for name in spoken["curves"]:
        if name not in samples:
            LOGGER.warning(
                "formula-curves.yml: %s has no curve %r", spoken["figure"], name,
                location=location,
            )  # fmt: skip
            return {}, {}
    return spoken, samples
