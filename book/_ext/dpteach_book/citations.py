"""The list of references: titles as their authors wrote them, no numbers in front."""

from functools import cache
from typing import Any

from docutils import nodes
from pybtex import plugin
from pybtex.style.formatting.plain import Style as Plain
from pybtex.style.template import field, sentence
from sphinx.application import Sphinx


class Style(Plain):
    """Entries by surname; capitals of a title stay (Gaussian, DP-SGD, Rényi)."""

    def format_title(self, e, which_field, as_sentence=True):
        """Keep a title as it is."""
        title = field(which_field)
        return sentence[title] if as_sentence else title


def as_list(
    app: Sphinx,
    pagename: str,
    templatename: str,
    context: dict[str, Any],
    doctree: nodes.document | None,
) -> None:
    """Make the entries items of a list; browsers do not know their other role."""
    if "doc-biblioentry" in context.get("body", ""):
        body = context["body"].replace('role="doc-biblioentry"', 'role="listitem"')
        context["body"] = body


def setup(app: Sphinx) -> None:
    """Register the style under the name that the configuration gives."""
    # Each citation looks for the same few plugins among all that is installed.
    plugin._load_entry_point = cache(plugin._load_entry_point)
    plugin.register_plugin("pybtex.style.formatting", "dpteach", Style)
    app.setup_extension("sphinxcontrib.bibtex")
    app.connect("html-page-context", as_list)
