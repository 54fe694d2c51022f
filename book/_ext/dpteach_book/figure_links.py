"""Live prose: ``[set $q = 1$](#five-accountants?rate=1)`` sets a figure of the page.

The address is the one that the figure itself writes when it is moved. Copies of the
notebooks and paper show the words alone.
"""

from typing import Any
from urllib.parse import parse_qsl

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform
from sphinx.util.logging import getLogger

LOGGER = getLogger(__name__)


class FigureLinks(SphinxTransform):
    """Take links to a figure's state for what they are, not for names of sections."""

    default_priority = 870  # before MyST looks for such a section

    def apply(self, **_) -> None:
        """Mark all."""
        for link in self.document.findall(nodes.reference):
            if link.get("id_link") and "?" in link["refuri"]:
                del link["id_link"]
                link["internal"] = True
                link["classes"].append("live")
                if all(isinstance(each, nodes.math) for each in link):
                    # a name for readers who do not see formulas
                    state = parse_qsl(link["refuri"].partition("?")[2])
                    values = (f"{key.replace('_', ' ')} = {to}" for key, to in state)
                    link["reftitle"] = f"Set {', '.join(values)}"


def look(
    app: Sphinx,
    docname: str,
    template: str,
    context: dict[str, Any],
    doctree: nodes.document | None,
) -> None:
    """Warn of a link whose figure is not on the page."""
    for link in doctree.findall(nodes.reference) if doctree else ():
        if "live" in link["classes"]:
            figure = link["refuri"].partition("?")[0].removeprefix("#")
            if f'id="{figure}"' not in context["body"]:
                LOGGER.warning("the page shows no figure %r", figure, location=docname)


def setup(app: Sphinx) -> None:
    """Connect to Sphinx."""
    app.add_transform(FigureLinks)
    app.connect("html-page-context", look)
