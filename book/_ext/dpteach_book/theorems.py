"""``{theorems}``: what the sources state, read from ``book/theorems.yml``."""

from docutils import nodes
from sphinx.application import Sphinx

from .tables import SOURCES, Generated, load, one_line


class Theorems(Generated):
    """Every statement of the sources: where it is taught, proved, computed, tested."""

    depends = ("theorems.yml",)

    def make(self) -> list[nodes.Node]:
        """Return one section for each source."""
        rows, out = load("theorems.yml"), []
        head = ["statement", "what it says", "taught", "proved", "computed", "tested"]
        for source, title in SOURCES.items():
            ours = [row for row in rows if row["source"] == source]
            if ours:
                table = self.table(
                    head, [(self.key(row), self.cells(row)) for row in ours], "theorems"
                )
                name = title[0].upper() + title[1:]
                out.append(self.section(name, f"theorems-{source}", [table]))
        return out

    @staticmethod
    def key(row) -> str:
        """Return what the row's anchor is made of."""
        return (
            row["id"] if row["source"] == "chapter" else f"{row['source']} {row['id']}"
        )

    def cells(self, row) -> list[str]:
        """Return the cells of one statement; an empty one says that it is not so."""
        test, function = row.get("tested"), row.get("computed")
        name = function.rsplit(".", 1)[-1] if function else ""
        text = one_line(f"{row['title']}. {row.get('why', '')}")
        if "not_covered" in row:
            text += f" *Not covered:* {one_line(row['not_covered'])}"
        return [
            f"**{row['id']}**",
            text,
            self.page_link(row["page"]) if "taught" in row else "",
            "yes" if "proved" in row else "",
            f"{{py:obj}}`{name} <{function}>`" if function else "",
            f"`{test.rsplit('::', 1)[-1]}`" if test else "",
        ]


def setup(app: Sphinx) -> None:
    """Register the directive."""
    app.add_directive("theorems", Theorems)
