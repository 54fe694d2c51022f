"""Slides: what a cell of a chapter shows, without running it again.

``{shown} chapters/09-dp-sgd`` takes a line of the cell's code, and puts what this cell
shows in its own place. So a slide has the chapter's figure, whatever becomes of it.
"""

from functools import cache

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxDirective


class shown(nodes.General, nodes.Element):
    """The place of what a cell shows."""


class Shown(SphinxDirective):
    """``{shown} chapter``, with a line of the cell's code below it."""

    has_content = True
    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Keep the place until all chapters are read."""
        chapter = self.arguments[0]
        self.env.note_dependency(self.env.doc2path(chapter))
        node = shown("", chapter=chapter, line="\n".join(self.content).strip())
        self.set_source_info(node)
        return [node]


def outputs(doctree: nodes.document, line: str) -> list[nodes.Element]:
    """Copy what the one cell that has this line shows."""
    copies = []
    for cell in doctree.findall(nodes.container):
        if cell.get("nb_element") != "cell_code":
            continue
        code = cell.next_node(nodes.literal_block)
        if code is None or line not in map(str.strip, code.astext().splitlines()):
            continue
        copies += [
            output.deepcopy()
            for output in cell.findall(nodes.container)
            if output.get("nb_element") == "cell_code_output"
        ]
    if len(copies) != 1:
        raise ValueError(
            f"{len(copies)} cells that show something have {line!r}, not 1"
        )
    for html in copies[0].findall(nodes.raw):  # slides lie in a folder of book/
        html[:] = [nodes.Text(html.astext().replace('href="../book/', 'href="../'))]
    return copies


class Fill(SphinxPostTransform):
    """Put in what the cells show, before it is chosen in which form."""

    default_priority = 1

    def run(self, **kwargs) -> None:
        """Replace each place."""
        chapter = cache(self.env.get_doctree)  # read once for all slides of a deck
        for node in list(self.document.findall(shown)):
            found = outputs(chapter(node["chapter"]), node["line"])
            cell = nodes.container("", *found)
            cell["classes"] = ["cell"]
            node.replace_self(cell)


def setup(app: Sphinx) -> None:
    """Register the directive and what fills its places."""
    app.add_node(shown)
    app.add_directive("shown", Shown)
    app.add_post_transform(Fill)
