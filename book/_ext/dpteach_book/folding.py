"""Fold proofs, ``{dropdown}`` and the class "dropdown" into ``<details>``.

They open by keyboard, touch and mouse without a script, and print open (book.css).
A proof's steps begin with a bold label. The code of a figure folds into its card.
"""

from typing import ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxDirective

CODE = "<!-- code -->"  # as a figure writes it


class details(nodes.General, nodes.Element):
    """A folded block: its first child is the summary."""


class summary(nodes.General, nodes.TextElement):
    """What a folded block shows."""


def _visit_details(self, node) -> None:
    more = {"open": "open"} if node.get("open") else {}
    if node.get("holds"):
        more["data-holds"] = node["holds"]  # a question's identity: see answers.py
    self.body.append(self.starttag(node, "details", **more))


def _depart_details(self, node) -> None:
    self.body.append("</details>\n")


def _visit_summary(self, node) -> None:
    self.body.append(self.starttag(node, "summary", ""))


def _depart_summary(self, node) -> None:
    self.body.append("</summary>\n")


class Dropdown(SphinxDirective):
    """``{dropdown} Title``, in the place of sphinx-design's, which needs its styles."""

    has_content = True
    required_arguments = 1
    final_argument_whitespace = True
    option_spec: ClassVar = {"open": directives.flag, "class": directives.class_option}

    def run(self) -> list[nodes.Node]:
        """Return a folded block."""
        words, messages = self.state.inline_text(self.arguments[0], self.lineno)
        node = details("", classes=["fold", *self.options.get("class", [])])
        node["open"] = "open" in self.options
        node += summary("", "", *words)
        self.state.nested_parse(self.content, self.content_offset, node)
        return [node, *messages]


class Fold(SphinxPostTransform):
    """Turn foldable nodes into details, for HTML alone."""

    default_priority = 400
    formats = ("html",)

    def run(self, **kwargs) -> None:
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


class Code(SphinxPostTransform):
    """Put the code of a figure into its card, and that of a question nowhere.

    A cell whose input is hidden has one output. A figure leaves a place for its code
    (``CODE`` in ``dpteach.figures._page``); the code of questions and of the record of
    tests is for the notebook, which has it.
    """

    default_priority = 190  # before MyST-NB folds it above the output
    formats = ("html",)

    def run(self, **kwargs) -> None:
        """Move the input of each such cell."""
        for cell in list(self.document.findall(nodes.container)):
            if (
                cell.get("nb_element") != "cell_code"
                or cell.get("hide_mode") != "input"
            ):
                continue
            source, output = cell[0], cell[-1]
            if source.get("nb_element") != "cell_code_source" or source is output:
                continue
            del cell["hide_mode"]
            cell.remove(source)
            self.place(source, output)

    def place(self, source, output) -> None:
        """Put the code where the output wants it."""
        for raw in list(output.findall(nodes.raw)):
            text = raw.astext()
            if any(mark in text for mark in ('class="dpt dpt-quiz"', "dpt-verified")):
                return
            head, mark, tail = text.partition(CODE)
            if mark:
                parts = [
                    nodes.raw("", head, format="html"),
                    folded_code(source),
                    nodes.raw("", tail, format="html"),
                ]
                raw.parent.replace(raw, parts)
                return
        output.parent.append(folded_code(source))


def folded_code(source) -> details:
    """Return code below a button."""
    node = details("", classes=["code"])
    node += summary("", "Code")
    node += source
    return node


def _take_proof_word(node) -> list[nodes.Node]:
    """Remove the "Proof." that sphinx-proof writes at the start of the first line."""
    for text in node.findall(nodes.Text):
        if text.astext().startswith("Proof. "):
            text.parent.replace(text, nodes.Text(text.astext()[len("Proof. ") :]))
            break
    node["ids"] = []  # sphinx-proof gives every proof the same one
    return [nodes.Text("Proof")]


def setup(app: Sphinx) -> None:
    """Register the two nodes and the transform."""
    app.add_node(details, html=(_visit_details, _depart_details))
    app.add_node(summary, html=(_visit_summary, _depart_summary))
    app.add_post_transform(Fold)
    app.add_post_transform(Code)
    app.add_directive("dropdown", Dropdown, override=True)
