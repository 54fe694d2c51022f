"""Pages that are made from their sources, so that each thing is written once.

``load`` reads the YAML files beside the pages; a directive that is ``Generated`` writes
MyST, and can make tables and sections whose rows other pages link to.
"""

from functools import cache

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from . import ROOT, read_yaml

SOURCES = {
    "chapter": "Chapter 6",
    "lecture": "Lecture 14",
    "ftrl": "the DP-FTRL paper",
    "check-ins": "the check-ins paper",
    "banco": "the BANCO paper",
    "book": "an earlier edition of this book",
}


@cache
def load(name: str):
    """Read one of the book's YAML files, once; an absent or empty one has no rows."""
    path = ROOT / "book" / name
    return (read_yaml(path) or []) if path.exists() else []


def anchor(text: str) -> str:
    """Return a row's anchor: "E-19" is at #e-19, "Theorem 6.10" at #theorem-6-10."""
    if text.startswith("symbol "):  # X and x are two symbols
        return text.replace(" ", "-").replace("_", "-")
    return nodes.make_id(text)


class Generated(SphinxDirective):
    """A directive that writes MyST and lets the parser read it."""

    has_content = False
    depends: tuple[str, ...] = ()

    def run(self) -> list[nodes.Node]:
        """Note what the page is made from, and make it."""
        for name in self.depends:
            self.env.note_dependency(str(ROOT / "book" / name))
        return self.make()

    def make(self) -> list[nodes.Node]:
        """Return the page's content."""
        raise NotImplementedError

    def parse(self, text: str) -> list[nodes.Node]:
        """Read MyST."""
        node = nodes.Element()
        node.document = self.state.document
        lines = StringList(
            text.splitlines(), source=self.env.doc2path(self.env.docname)
        )
        self.state.nested_parse(lines, self.content_offset, node)
        return node.children

    def section(self, title: str, identity: str, content: list) -> nodes.section:
        """Return a section, which the page's own contents will list."""
        section = nodes.section(ids=[anchor(identity)], names=[identity.lower()])
        section += nodes.title("", "", *self.parse(title)[0].children)
        section += content
        return section

    def table(self, head: list[str], rows: list[tuple[str, list[str]]], kind: str):
        """Return a table whose rows have anchors; each cell is a line of MyST."""
        table = nodes.table(classes=["made", kind])
        group = nodes.tgroup(cols=len(head))
        group += [nodes.colspec(colwidth=1) for _ in head]
        top, body = nodes.thead(), nodes.tbody()
        top += self.row(head)
        for identity, cells in rows:
            row = self.row(cells)
            row["ids"] = [anchor(identity)]
            row["target"] = identity
            body += row
        group += [top, body]
        table += group
        return table

    def row(self, cells: list[str]) -> nodes.row:
        """Return one row."""
        row = nodes.row()
        for cell in cells:
            entry = nodes.entry()
            entry += self.parse(cell) if cell else []
            row += entry
        return row

    def page_link(self, page: str | None, words: str = "") -> str:
        """Link to a page that exists; announce a chapter that does not yet."""
        if not page or page in self.env.found_docs:
            return f"[{words}](/{page})" if page else words
        number = page.removeprefix("chapters/").partition("-")[0].lstrip("0") or "0"
        return f"*chapter {number}, in preparation*"


def one_line(text) -> str:
    """Return a text of the YAML files without its line breaks."""
    return " ".join(str(text).split())


def offer_anchors(app: Sphinx, doctree: nodes.document) -> None:
    """Let chapters link to a row: [E-19](../book/errata.md#e-19), or [E-19](#e-19)."""
    docname = app.env.docname
    slugs = app.env.metadata[docname].setdefault("myst_slugs", {})
    standard = app.env.get_domain("std")
    for node in doctree.findall(
        lambda each: "target" in getattr(each, "attributes", ())
    ):
        name = anchor(node["target"])
        slugs[name] = (0, name, node["target"])
        standard.labels[name] = (docname, name, node["target"])
        standard.anonlabels[name] = (docname, name)


def setup(app: Sphinx) -> None:
    """Register the anchors of rows."""
    app.connect("doctree-read", offer_anchors)
