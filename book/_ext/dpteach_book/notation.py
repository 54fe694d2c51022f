"""``{notation}``: every symbol, read from ``book/notation.yml``."""

from docutils import nodes
from sphinx.application import Sphinx

from .tables import SOURCES, Generated, load


class Notation(Generated):
    """Every symbol: what it means, its unit, its name in each source."""

    depends = ("notation.yml",)

    def make(self) -> list[nodes.Node]:
        """Return a table of the letters, and one of the keywords without a letter."""
        rows = []
        for key, row in sorted(load("notation.yml").items(), key=_by_name):
            symbols = row.get("sources", {}) or {}
            elsewhere = "; ".join(
                f"{SOURCES.get(source, source)}: {symbol}"
                for source, symbol in symbols.items()
                if symbol and symbol != row["symbol"]
            )
            meaning = row["meaning"].rstrip(".") + "." + _where(row.get("chapters"))
            unit = row.get("unit") or ""
            name = f"**{row['name']}**"
            symbol = f"${row['tex']}$" if row.get("tex") else ""
            keyword = "" if row.get("letter") else f"`{key}`"
            rows.append(
                (f"symbol {key}", [symbol, name, keyword, meaning, unit, elsewhere])
            )
        head = ["symbol", "name", "keyword", "meaning", "unit", "elsewhere"]
        letters = [row for row in rows if row[1][0]]
        words = [row for row in rows if not row[1][0]]
        return [
            self.section("Letters", "letters", [self.table(head, letters, "notation")]),
            self.section("Words", "words", [self.table(head, words, "notation")]),
        ]


def _where(chapters: list[int] | None) -> str:
    """Say in which chapters a letter means this, where it has other meanings."""
    if not chapters:
        return ""
    return f" (Chapter{'s' * (len(chapters) > 1)} {', '.join(map(str, chapters))}.)"


def _by_name(item) -> str:
    return item[1]["name"].lower()


def setup(app: Sphinx) -> None:
    """Register the directive."""
    app.add_directive("notation", Notation)
