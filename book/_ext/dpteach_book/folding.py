"""Fold proofs and whatever has the class "dropdown" into ``<details>``.

They open by keyboard, touch and mouse without a script, and print open (book.css).
A proof's steps are an ordered list whose items begin with a bold label.
"""

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform


class details(nodes.General, nodes.Element):
    """A folded block: its first child is the summary."""


class summary(nodes.General, nodes.TextElement):
    """What a folded block shows."""


def _visit_details(self, node) -> None:
    self.body.append(self.starttag(node, "details"))


def _depart_details(self, node) -> None:
    self.body.append("</details>\n")


def _visit_summary(self, node) -> None:
    self.body.append(self.starttag(node, "summary", ""))


def _depart_summary(self, node) -> None:
    self.body.append("</summary>\n")


class Fold(SphinxPostTransform):
    """Turn foldable nodes into details, for HTML alone."""

    default_priority = 400
    formats = ("html",)

    def run(self, **kwargs) -> None:  # noqa: ARG002
        """Fold each admonition that asks for it."""
        for node in list(self.document.findall(nodes.Element)):
            classes = node.get("classes", [])
            if "proof" in classes and isinstance(node, nodes.admonition):
                self.fold(node, _take_proof_word(node))
            elif "dropdown" in classes and isinstance(node, nodes.Admonition):
                title = node.next_node(nodes.title)
                if title is None or title.parent is not node:
                    words = [nodes.Text(node.tagname.capitalize())]
                else:
                    words = title.children
                    node.remove(title)
                self.fold(node, words)

    def fold(self, node, words) -> None:
        """Put a details in the node's place."""
        folded = details("", classes=["fold", *node["classes"]], ids=node["ids"])
        folded += summary("", "", *words)
        folded += node.children
        node.replace_self(folded)


def _take_proof_word(node) -> list[nodes.Node]:
    """Remove the "Proof." that sphinx-proof writes at the start of the first line."""
    for text in node.findall(nodes.Text):
        if text.astext().startswith("Proof. "):
            text.parent.replace(text, nodes.Text(text.astext()[len("Proof. ") :]))
            break
    node["ids"] = []  # sphinx-proof gives every proof the same one
    return [nodes.Text("Proof")]


def setup(app) -> None:
    """Register the two nodes and the transform."""
    app.add_node(details, html=(_visit_details, _depart_details))
    app.add_node(summary, html=(_visit_summary, _depart_summary))
    app.add_post_transform(Fold)
