"""Typeset formulas while the book is built: no script reaches the reader.

KaTeX runs inside this process (mini-racer is V8 as a wheel, so there is no node to
install). What KaTeX cannot read is a warning, and the build makes warnings errors.
"""

import html
import json
import re
from functools import cache

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging
from sphinx.util.math import get_node_equation_number

from . import ROOT
from .symbols import symbols

LOGGER = logging.getLogger(__name__)
TAIL = re.compile(r"[,.;:?!)]+")
SHORT = 30  # characters of TeX: a longer formula may be broken, and its tail with it
SOURCE = ROOT / "book" / "_static" / "vendor" / "katex" / "katex.min.js"
RENDER = """
(tex, options) => {
  try { return katex.renderToString(tex, JSON.parse(options)) }
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


def _asked(self, node) -> str:
    page = self.builder.current_docname
    keys = symbols(node.astext(), self.config.dpteach_macros, page)
    return f' data-symbols="{" ".join(keys)}"' if keys else ""


class Tails(SphinxPostTransform):
    """Give a short formula the comma or full stop after it: browsers break between."""

    default_priority = 900
    formats = ("html",)

    def run(self, **_) -> None:
        """Take the tail from the text that follows."""
        for formula in list(self.document.findall(nodes.math)):
            after = formula.next_node(descend=False, siblings=True)
            tail = TAIL.match(after.astext()) if isinstance(after, nodes.Text) else None
            if tail and len(formula.astext()) <= SHORT:
                formula["tail"] = tail[0]
                after.parent.replace(after, nodes.Text(after[tail.end() :]))


def _inline(self, node: nodes.math) -> None:
    tex = typeset(node.astext(), macros=self.config.dpteach_macros, location=node)
    math = f'<span class="math"{_asked(self, node)}>{tex}</span>'
    tail = node.get("tail", "")
    self.body.append(f'<span class="unbroken">{math}{tail}</span>' if tail else math)
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
    anchors = "".join(f'<span id="{each}"></span>' for each in node.get("ids", []))
    out = typeset(tex, display=True, macros=self.config.dpteach_macros, location=node)
    asked = _asked(self, node)
    self.body.append(f'<div class="math display"{asked}>{anchors}{out}{number}</div>\n')
    raise nodes.SkipNode


def setup(app) -> None:
    """Make KaTeX the book's renderer."""
    app.add_config_value("dpteach_macros", {}, "env", [dict])
    app.add_post_transform(Tails)
    app.add_html_math_renderer(
        "dpteach_katex",
        inline_renderers=(_inline, None),
        block_renderers=(_block, None),
    )
