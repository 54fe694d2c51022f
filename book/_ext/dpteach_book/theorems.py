"""``{theorems}``: what the sources state, read from ``book/theorems.yml``."""

from docutils import nodes

from .made import SOURCES, Made, load, one_line


class Theorems(Made):
    """Every numbered statement: where it is discussed, computed and tested."""

    depends = ("theorems.yml",)

    def make(self) -> list[nodes.Node]:
        """Return one section for each source."""
        rows, out = load("theorems.yml"), []
        head = ["statement", "what it says", "chapter", "function", "test"]
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
        """Return the cells of one statement."""
        test, function = row.get("test"), row.get("function")
        name = function.rsplit(".", 1)[-1] if function else ""
        return [
            f"**{row['id']}**",
            one_line(row.get("title", "")),
            self.page_link(row.get("page")),
            f"{{py:obj}}`{name} <{function}>`"
            if function
            else one_line(row.get("reason", "")),
            f"`{test.rsplit('::', 1)[-1]}`" if test else "",
        ]


def setup(app) -> None:
    """Register the directive."""
    app.add_directive("theorems", Theorems)
