"""Live prose: ``[set $q = 1$](#five-accountants?rate=1)`` sets a figure of the page.

The address is the one that the figure itself writes when it is moved. Copies of the
notebooks and paper show the words alone.
"""

from urllib.parse import parse_qsl

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform


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


def setup(app: Sphinx) -> None:
    """Connect to Sphinx."""
    app.add_transform(FigureLinks)
