"""A walk: numbered steps below the picture of a figure, of which one is seen at a time.

The cell of the figure has the tag "walk", and the list after it holds the steps. Each
begins with a link that sets the figure (see ``figure_links``), and explore.js shows the
step in whose state the figure is. In the notebook it is a list after a figure. It stays
one on paper and without a script.
"""

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.transforms.post_transforms import SphinxPostTransform

STEPS = "<!-- steps -->"  # as a figure writes it, below its picture


class GuidedSteps(SphinxPostTransform):
    """Put the steps into the card of their figure."""

    default_priority = 880  # after outputs were chosen and links were resolved
    formats = ("html",)

    def run(self, **kwargs) -> None:
        """Move the list after each cell that asks for it."""
        for cell in list(self.document.findall(nodes.container)):
            if "tag_walk" in cell.get("classes", []):
                self.walk(cell, steps_after(cell))

    def walk(self, cell: nodes.Element, steps: nodes.enumerated_list) -> None:
        """Put the list where the figure leaves a place for it."""
        steps.parent.remove(steps)
        steps["classes"].append("dpt-walk")
        for raw in list(cell.findall(nodes.raw)):
            head, mark, tail = raw.astext().partition(STEPS)
            if mark:
                before, after = (nodes.raw("", t, format="html") for t in (head, tail))
                raw.parent.replace(raw, [before, steps, after])
                return
        raise ExtensionError("a cell has the tag walk, and shows no figure")


def steps_after(cell: nodes.Element) -> nodes.enumerated_list:
    """Return the numbered list that follows a cell, each step with its link."""
    after = cell.next_node(nodes.enumerated_list, descend=False, siblings=True)
    place = cell.parent.index(cell) + 1
    if after is None or cell.parent.index(after) != place:
        raise ExtensionError("a cell has the tag walk, and no numbered list follows it")
    for step in after:
        if not any("live" in each["classes"] for each in step.findall(nodes.reference)):
            raise ExtensionError(f"a step sets no figure: {step.astext()[:40]}")
    return after


def setup(app: Sphinx) -> None:
    """Register the transform."""
    app.add_post_transform(GuidedSteps)
