"""``{errata}``: where a source is wrong, read from ``book/errata.yml``."""

from docutils import nodes
from sphinx.application import Sphinx

from .tables import SOURCES, Generated, anchor, load, one_line

KINDS = {
    "artifact": "in the copy that we read",
    "typo": "typo",
    "loose": "loose statement",
    "wrong": "wrong statement",
    "privacy": "breaks the stated privacy",
    "unsettled": "not settled",
    "improvement": "valid, and can be sharpened",
}


class Errata(Generated):
    """Where a source is wrong, what it prints, what we do, and a witness.

    With the option "improvements": what is right there, and can be sharpened.
    """

    optional_arguments = 1
    depends = ("errata.yml",)

    def make(self) -> list[nodes.Node]:
        """Return one section for each source."""
        improved = "improvements" in self.arguments
        rows = [
            row
            for row in load("errata.yml")
            if (row["kind"] == "improvement") == improved
        ]
        if improved:
            return [self.block(row) for row in sorted(rows, key=_number)]
        out = []
        for source in dict.fromkeys(["chapter", "lecture", "ftrl", *SOURCES]):
            ours = [row for row in rows if row["source"] == source]
            if ours:
                ours.sort(key=_number)
                title = SOURCES[source][0].upper() + SOURCES[source][1:]
                blocks = [self.block(row) for row in ours]
                out.append(self.section(title, f"errata-{source}", blocks))
        return out

    def block(self, row) -> nodes.container:
        """Return one erratum, with its anchor."""
        block = nodes.container(classes=["erratum"], ids=[anchor(row["id"])])
        block["target"] = row["id"]
        head = nodes.paragraph("", "", nodes.strong(text=row["id"]))
        head += [*plain(f" {row['place']} "), nodes.emphasis(text=KINDS[row["kind"]])]
        facts = nodes.definition_list()
        for word, key in (
            ("Printed", "printed"),
            ("Here", "ours"),
            ("Witness", "witness"),
        ):
            if row.get(key):
                facts += _fact(word, plain(one_line(row[key])))
        if row.get("test"):
            facts += _fact("Test", [nodes.literal(text=row["test"])])
        if row.get("page") in self.env.found_docs:
            facts += _fact(
                "Discussed in", self.parse(self.page_link(row["page"]))[0].children
            )
        block += [head, facts]
        return block


def _fact(word: str, said: list[nodes.Node]) -> nodes.definition_list_item:
    item = nodes.definition_list_item("", nodes.term(text=word))
    item += nodes.definition("", nodes.paragraph("", "", *said))
    return item


def plain(text: str) -> list[nodes.Node]:
    """Return text as it stands, but for `code`: formulas in errata are no Markdown."""
    return [
        nodes.literal(text=part) if place % 2 else nodes.Text(part)
        for place, part in enumerate(text.split("`"))
    ]


def _number(row) -> tuple[str, int, str]:
    letter, _, digits = row["id"].partition("-")
    number = "".join(each for each in digits if each.isdigit())
    return letter, int(number or 0), digits


def setup(app: Sphinx) -> None:
    """Register the directive."""
    app.add_directive("errata", Errata)
