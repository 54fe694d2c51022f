"""Typeset formulas while the book is built: no script reaches the reader.

KaTeX runs inside this process (mini-racer is V8 as a wheel, so there is no node to
install). What KaTeX cannot read is a warning, and the build makes warnings errors.
"""

import html
import json
import re
from functools import cache
from typing import ClassVar
from xml.etree import ElementTree

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging
from sphinx.util.math import get_node_equation_number

from . import ROOT, formula_curves
from .symbols import symbols

LOGGER = logging.getLogger(__name__)
SOURCE = ROOT / "book" / "_static" / "vendor" / "katex" / "katex.min.js"
BASE = '<span class="base">'  # what KaTeX calls a part that is never broken
RENDER = """
(tex, options) => {
  const trust = ({ command }) => command === "\\\\htmlData"; // see formula_curves.py
  try { return katex.renderToString(tex, { ...JSON.parse(options), trust }) }
  catch (error) { return "!" + error.message }
}
"""


@cache
def _engine():
    from py_mini_racer import MiniRacer

    engine = MiniRacer()
    engine.eval(SOURCE.read_text(encoding="utf-8") + ";0")
    engine.eval(f"const render = {RENDER}; 0")
    return engine


@cache
def _typeset(tex: str, display: bool, macros: str) -> str:
    options = {
        "displayMode": display,
        "throwOnError": True,
        "strict": "ignore",
        "macros": json.loads(macros),
    }
    return _engine().call("render", tex, json.dumps(options))


def typeset(tex: str, *, display: bool = False, macros=None, location=None) -> str:
    """Return a formula as HTML with MathML, or warn and return its source."""
    out = _typeset(tex, display, json.dumps(macros or {}, sort_keys=True))
    if out.startswith("!"):
        LOGGER.warning("KaTeX cannot read %r: %s", tex, out[1:], location=location)
        return f"<code>{html.escape(tex)}</code>"
    return out


def _symbols_of(self, node) -> str:
    page = self.builder.current_docname
    keys = symbols(node.astext(), self.config.dpteach_macros, page)
    return f' data-symbols="{" ".join(keys)}"' if keys else ""


def _inline(self, node: nodes.math) -> None:
    tex = typeset(node.astext(), macros=self.config.dpteach_macros, location=node)
    if "tied" in node.parent.get("classes", []):
        # a line may end within the formula, between its parts, and nowhere else
        head, *parts = tex.split(BASE)
        tex = head + "<wbr>".join(BASE + part for part in parts)
    self.body.append(f'<span class="math"{_symbols_of(self, node)}>{tex}</span>')
    raise nodes.SkipNode


def _block(self, node: nodes.math_block) -> None:
    tex = node.astext()
    wrapped = node.get("no-wrap", node.get("nowrap", False))
    if not wrapped and "\\\\" in tex and "\\begin" not in tex:
        tex = f"\\begin{{aligned}}{tex}\\end{{aligned}}"
    number = ""
    if node.get("number"):
        number = f'<span class="eqno">{get_node_equation_number(self, node)}</span>'
        number = number.replace(">", ">(", 1).replace("</", ")</")
    anchors = "".join(f'<span id="{anchor}"></span>' for anchor in node.get("ids", []))
    macros = self.config.dpteach_macros
    spoken, samples = formula_curves.of(self.document, node.get("label"), node)
    curves = spoken.get("curves", {})

    def set_display(tex: str) -> str:
        marked = formula_curves.mark(tex, curves, samples)
        return typeset(marked, display=True, macros=macros, location=node)

    out = set_display(tex)
    if (longer := on_board(tex, macros)) != tex:
        wide = set_display(longer)
        out = f'<div class="on-board">{wide}</div><div class="on-phone">{out}</div>'
    data, kind = _symbols_of(self, node), " dpt" if spoken else ""
    self.body.append(
        f'<div class="math display{kind}"{data}>{anchors}{out}{number}</div>\n'
    )
    if spoken:
        words = {name: spell(parts, macros) for name, parts in curves.items()}
        self.body.append(formula_curves.key(spoken, samples, words))
    raise nodes.SkipNode


def spell(parts: list[str], macros: dict[str, str]) -> str:
    """Return parts of a formula as MathML alone, for those who hear it."""
    matches = (re.search(r"<math.*?</math>", typeset(p, macros=macros)) for p in parts)
    return " and ".join(match[0] for match in matches if match)


ALIGNED = re.compile(r"^\s*\\begin\{aligned\}(.*)\\end\{aligned\}\s*$", re.DOTALL)
BREAK = re.compile(r"\\\\(?:\[[^\]]*\])?")
RELATION = r"(?:\\le|\\ge|\\approx|=|<|>)(?![a-zA-Z])"
WIDEST = 33.0  # em: what stands beside a number in a column of text


def on_board(tex: str, macros: dict[str, str]) -> str:
    """Join the lines of a formula that was broken so that a phone can show it.

    A line that begins with an operator goes on the one before. One that begins with a
    relation does, if the one before has none yet. What would be too wide stays broken.
    """
    match = ALIGNED.match(tex)
    if not match:
        return tex
    broken, lines = BREAK.split(match[1]), []
    for line in broken:
        bare = re.sub(r"^\s*&?\s*(?:\{\}\s*)?(?:\\q?quad\s*)?", "", line)
        goes_on = re.match(r"[+-]", bare) or (
            re.match(RELATION, bare) and not re.search(RELATION, lines[-1])
            if lines
            else None
        )
        waits = lines and re.search(r"=\s*$", lines[-1])
        if lines and (goes_on or waits) and "&" in line[: len(line) - len(bare)]:
            longer = aligned(f"{lines[-1].rstrip()} {bare.lstrip()}")
            if width(longer.replace("&", ""), macros) <= WIDEST:
                lines[-1] = longer
                continue
        lines.append(line)
    if len(lines) == len(broken):
        return tex
    inside = r" \\[.3em]".join(lines)
    return f"\\begin{{aligned}}{inside}\\end{{aligned}}"


def aligned(line: str) -> str:
    """Put the mark at which lines are aligned before the first relation alone."""
    line = line.replace("&", "")
    return re.sub(RELATION, lambda match: "&" + match[0], line, count=1)


def width(tex: str, macros: dict[str, str]) -> float:
    """Estimate how wide a formula will be, in em, from its MathML."""
    out = typeset(tex, display=True, macros=macros)
    mathml = re.search(r"<semantics>(.*?)<annotation", out, re.DOTALL)
    return _em(ElementTree.fromstring(html_entities(mathml[1]))) if mathml else 0.0


def html_entities(text: str) -> str:
    """Return text whose entities XML knows."""
    return text.replace("&nbsp;", "\u00a0")


def _em(node: ElementTree.Element) -> float:
    parts = [_em(child) for child in node]
    match node.tag:
        case "mfrac" | "munder" | "mover" | "munderover":
            return max(parts) + 0.2
        case "msub" | "msup" | "msubsup":
            return parts[0] + 0.7 * max(parts[1:])
        case "msqrt":
            return sum(parts) + 0.9
        case "mspace":
            return 0.3
        case "mo":
            text = node.text or ""
            return 0.4 * len(text) if text in "()[],.|∥⟨⟩{}" else 1.3
        case "mi" | "mn" | "mtext":
            return 0.53 * len(node.text or "")
    return sum(parts)


def tie(math: nodes.math) -> None:
    """Put a formula and what touches it into one element, within which no line ends.

    A browser may end a line between a formula and any character, also a full stop.
    """
    parent, k = math.parent, math.parent.index(math)
    tied = nodes.inline("", "", classes=["tied"])
    for at, pattern in ((k - 1, r"[(\[“]$"), (k + 1, r"^[]).,;:!?”’…-]+")):
        text = parent[at] if 0 <= at < len(parent) else None
        touching = isinstance(text, nodes.Text) and re.search(pattern, text)
        if touching:
            parent[at] = nodes.Text(text[: touching.start()] + text[touching.end() :])
            tied += nodes.Text(touching[0])
        if at < k:
            tied += math
    if len(tied) > 1:
        parent[k] = tied


class Tied(SphinxPostTransform):
    """Keep a full stop, or a bracket, on the line of the formula that it touches."""

    default_priority = 900
    formats: ClassVar = ("html",)

    def run(self, **_) -> None:
        """Tie all."""
        for math in list(self.document.findall(nodes.math)):
            tie(math)


def setup(app: Sphinx) -> None:
    """Make KaTeX the book's renderer."""
    app.add_config_value("dpteach_macros", {}, "env", [dict])
    app.add_post_transform(Tied)
    app.add_html_math_renderer(
        "dpteach_katex",
        inline_renderers=(_inline, None),
        block_renderers=(_block, None),
    )
