"""Hold back the words that follow a question until its reader has answered.

On a chapter's page the text between a question and the next picture, heading or
question folds into ``<details class="dpt-held">``. A picture is never folded: a figure
that answers a question asks it itself, and masks its answer. book.js opens the fold
when the reader answers or skips; a link that leads inside, a search in the page, and
print open it too. Without a script it is a fold like any other. A notebook shows
everything.
"""

import re
from collections.abc import Iterator

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform

from .folding import details, summary

QUIZ = re.compile(r'<(?:div|figure) class="dpt[ "][^>]* data-quiz="([^"]+)"')
PICTURE = re.compile(
    r'<figure class="dpt|class="dpt[^"]* dpt-drawing| data-game=|<img '
)
NEVER = {"Verified", "Exercises"}  # sections that hold nothing back
SILENT = (nodes.comment, nodes.target, nodes.substitution_definition)
WORDS = (
    '<span class="shut">The answer, once you have made your guess</span>'
    '<span class="open">Fold the answer again</span>'
)


def question_of(node: nodes.Node) -> str | None:
    """Return the identity of the question that a cell shows, if it shows one."""
    if not isinstance(node, nodes.Element) or node.get("nb_element") != "cell_code":
        return None
    matches = (QUIZ.search(raw.astext()) for raw in node.findall(nodes.raw))
    return next((match[1] for match in matches if match), None)


def is_picture(node: nodes.Node) -> bool:
    """Say whether a node shows a figure, a drawing or a game."""
    return any(
        isinstance(each, nodes.image) or PICTURE.search(each.astext())
        for kind in (nodes.raw, nodes.image)
        for each in node.findall(kind)
    )


def answers(section: nodes.section) -> Iterator[tuple[str, list[nodes.Node]]]:
    """List each question of a section with what it holds back."""
    title = section.next_node(nodes.title)
    if title is not None and title.astext() in NEVER:
        return
    identity, after = None, []
    for node in [*section.children, None]:
        question = question_of(node) if node is not None else None
        ends = node is None or question or isinstance(node, nodes.section)
        if ends or is_picture(node):
            while after and isinstance(after[-1], SILENT):
                after.pop()  # such as the address of the next heading
            if identity and any(not isinstance(other, SILENT) for other in after):
                yield identity, after
            identity, after = question, []
        elif identity:
            after.append(node)


class Hold(SphinxPostTransform):
    """Fold what follows each question of a chapter."""

    default_priority = 890  # after outputs were chosen and code was put into its card
    formats = ("html",)

    def run(self, **kwargs) -> None:
        """Fold, section by section."""
        if not self.env.docname.startswith("chapters/"):
            return
        for section in list(self.document.findall(nodes.section)):
            for identity, after in list(answers(section)):
                node = details("", classes=["dpt-held"], holds=identity)
                node += summary("", "", nodes.raw("", WORDS, format="html"))
                section.insert(section.index(after[0]), node)
                for answer in after:
                    section.remove(answer)
                    node += answer


def setup(app: Sphinx) -> None:
    """Register the transform."""
    app.add_post_transform(Hold)
