"""How a chapter opens: its picture first, with a hook, its time, and what it needs.

``chapters.yml`` says for each chapter which figure opens it, and a hook of at most 20
words. The figure is taken out of the text and put below the title, so it stands there
once; where it stood, a line leads back to it. Minutes are counted from the page: words,
figures and exercises. A title that ends in ★ may wait; the line of the time says so.
"""

import html
import re
from math import ceil

from docutils import nodes
from myst_parser.mdit_to_docutils.base import default_slugify
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform

from .tables import load

# What one minute is enough for, and how long one of these takes.
WORDS_A_MINUTE = 180
MINUTES_A_FIGURE = 1.5
MINUTES_AN_EXERCISE = 5
STAR = "sections with ★ may wait for a second reading"
RATE = "180 words a minute, 3 minutes for 2 figures, and 5 for each exercise"
ENDS = "<!-- the opening ends -->"  # where frame.py puts the page's list of sections


def minutes(words: int, figures: int, exercises: int) -> int:
    """Return how long a chapter takes, to five minutes.

    >>> minutes(words=3600, figures=6, exercises=5)
    55
    """
    exact = words / WORDS_A_MINUTE
    exact += MINUTES_A_FIGURE * figures + MINUTES_AN_EXERCISE * exercises
    return 5 * ceil(exact / 5)


def counted(document: nodes.document) -> tuple[int, int, int]:
    """Count a chapter's words, figures and exercises."""
    raw = " ".join(node.astext() for node in document.findall(nodes.raw))
    text = " ".join(
        node.astext()
        for kind in (nodes.paragraph, nodes.title)
        for node in document.findall(kind)
    )
    return (
        len(text.split()),
        raw.count('<figure class="dpt"'),
        len(re.findall(r' data-write="\w+"', raw)),
    )


def starred(document: nodes.document) -> str:
    """Say what a star in a title means, if a title has one."""
    titles = (title.astext() for title in document.findall(nodes.title))
    return f" · {STAR}" if any("★" in title for title in titles) else ""


def address(title: str) -> str:
    """Name a section as its title does: a star changes no address.

    >>> address("A second way ★")
    'a-second-way'
    """
    return default_slugify(title.replace(" ★", ""))


class Opening(SphinxPostTransform):
    """Put the chapter's picture below its title."""

    default_priority = 895  # after what follows a question was folded
    formats = ("html",)

    def run(self, **kwargs) -> None:
        """Change the tree of a chapter's page."""
        rows = [row for row in load("chapters.yml") if row["file"] == self.env.docname]
        section = self.document.next_node(nodes.section)
        if not rows or section is None or "opens" not in rows[0]:
            return
        (row,) = rows
        title = section.next_node(nodes.title)
        cell = self.cell(row["opens"])
        opening = nodes.container(classes=["opening"])
        opening += nodes.raw("", self.line(row), format="html")
        back = f'<p class="above"><a href="#{row["opens"]}">See the figure at the top'
        cell.replace_self(nodes.raw("", f"{back}</a></p>", format="html"))
        opening += cell
        place = section.index(title) + 1
        section.insert(place, [opening, nodes.raw("", ENDS, format="html")])

    def cell(self, figure: str) -> nodes.Element:
        """Find the cell that shows a figure."""
        for node in self.document.findall(nodes.container):
            if node.get("nb_element") == "cell_code" and any(
                f'<figure class="dpt" id="{figure}"' in raw.astext()
                for raw in node.findall(nodes.raw)
            ):
                return node
        raise ValueError(
            f"{self.env.docname}: book/chapters.yml says that the figure {figure!r} "
            "opens it, and no cell shows it"
        )

    def line(self, row) -> str:
        """Write the hook, the minutes, and the chapters that come before."""
        uri, here = self.env.app.builder.get_relative_uri, self.env.docname
        pages = {each["number"]: each["file"] for each in load("chapters.yml")}
        needs = [
            f'<a href="{uri(here, pages[number])}">{number}</a>'
            if pages[number] in self.env.found_docs
            else str(number)
            for number in row["needs"]
        ]
        after = listed(needs)
        time = minutes(*counted(self.document))
        star = starred(self.document)
        return (
            f'<p class="hook">{html.escape(row["hook"])}</p>'
            f'<p class="time"><b title="{RATE}">{time} minutes</b> · '
            f"{f'needs {after}' if after else 'needs no other chapter'}{star}</p>"
        )


def listed(needs: list[str]) -> str:
    """Write the chapters that another one needs.

    >>> listed(["2", "5"])
    'chapters 2 and 5'
    """
    if not needs:
        return ""
    if not needs[1:]:
        return f"chapter {needs[0]}"
    return f"chapters {', '.join(needs[:-1])} and {needs[-1]}"


def setup(app: Sphinx) -> None:
    """Register the transform."""
    app.add_post_transform(Opening)
