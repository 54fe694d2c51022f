"""The chapters: the map of what needs what, and where to start."""

import html

from docutils import nodes
from sphinx.application import Sphinx

from .tables import Generated, load

WIDTH, HEIGHT, DX, DY = 124, 32, 146, 58


class Chapters(Generated):
    """Every chapter by part, with what it needs; those that exist are links."""

    depends = ("chapters.yml",)

    def make(self) -> list[nodes.Node]:
        """Return the map, and the list, which says the same."""
        rows, parts = load("chapters.yml"), {}
        for row in rows:
            parts.setdefault(row["part"], []).append(self.entry(row))
        blocks = "".join(
            f"<section><h3>{html.escape(part)}</h3><ol>{''.join(entries)}</ol></section>"
            for part, entries in parts.items()
        )
        return [
            nodes.raw("", chart(rows, self.address), format="html"),
            nodes.raw("", f'<div class="chapters">{blocks}</div>', format="html"),
        ]

    def address(self, row) -> str | None:
        """Return where a chapter is, if it exists."""
        if row["file"] not in self.env.found_docs:
            return None
        return self.env.app.builder.get_relative_uri(self.env.docname, row["file"])

    def entry(self, row) -> str:
        """Return one line of the list."""
        title, address = html.escape(row["title"]), self.address(row)
        name = f'<a href="{address}">{title}</a>' if address else title
        needs = ", ".join(str(each) for each in row["needs"])
        after = f" <small>after {needs}</small>" if needs else ""
        soon = "" if address else ' class="soon"'
        return f'<li value="{row["number"]}"{soon}>{name}{after}</li>'


def chart(rows, address) -> str:
    """Draw who needs whom: a row for each step of the longest way there."""
    depth: dict[int, int] = {}
    for row in rows:  # a chapter needs only earlier ones
        needs = (depth[each] for each in row["needs"])
        depth[row["number"]] = 1 + max(needs, default=-1)
    levels: dict[int, list[int]] = {}
    for number, level in depth.items():
        levels.setdefault(level, []).append(number)
    wide = max(len(level) for level in levels.values())
    place = {
        number: ((k + (wide - len(level)) / 2) * DX, row * DY)
        for row, level in levels.items()
        for k, number in enumerate(level)
    }
    width, height = (wide - 1) * DX + WIDTH, max(levels) * DY + HEIGHT
    lines = "".join(
        f'<path d="{curve(place[each], place[row["number"]])}"/>'
        for row in rows
        for each in row["needs"]
    )
    boxes = "".join(box(row, place[row["number"]], address(row)) for row in rows)
    return (
        '<figure class="map" role="group" aria-label="Map of the chapters: lines lead '
        'from a chapter to those that need it, as in the list below">'
        f'<svg viewBox="-2 -2 {width + 4:g} {height + 4:g}">'
        f'<g class="needs" aria-hidden="true">{lines}</g>{boxes}</svg></figure>'
    )


def box(row, place, address: str | None) -> str:
    """Return one chapter's box, a link where the chapter exists."""
    x, y = place
    text = (
        f"<title>{row['number']} {html.escape(row['title'])}</title>"
        f'<rect x="{x:g}" y="{y:g}" width="{WIDTH}" height="{HEIGHT}" rx="6"/>'
        f'<text x="{x + 9:g}" y="{y + 21:g}"><tspan class="number">{row["number"]}'
        f"</tspan> {html.escape(row['short'])}</text>"
    )
    if address:
        return f'<a href="{address}">{text}</a>'
    return f'<g class="soon">{text}</g>'


def curve(start, end) -> str:
    """Return the path from the foot of one box to the head of another."""
    x, y = start[0] + WIDTH / 2, start[1] + HEIGHT
    u, v = end[0] + WIDTH / 2, end[1]
    middle = (y + v) / 2
    return f"M{x:g} {y:g}C{x:g} {middle:g} {u:g} {middle:g} {u:g} {v:g}"


class Start(Generated):
    """Where to start: the first chapter that exists, or where this reader left."""

    depends = ("chapters.yml",)

    def make(self) -> list[nodes.Node]:
        """Return two links."""
        pages = [row["file"] for row in load("chapters.yml")]
        first = next((page for page in pages if page in self.env.found_docs), None)
        uri, here = self.env.app.builder.get_relative_uri, self.env.docname
        start = (
            f'<a class="go" data-continue href="{uri(here, first)}">Start reading</a>'
            if first
            else ""
        )
        how = uri(here, "book/how-to-read")
        more = f'<a href="{how}">How to read, run and teach</a>'
        return [nodes.raw("", f'<p class="start">{start} {more}</p>', format="html")]


def setup(app: Sphinx) -> None:
    """Register the directives."""
    app.add_directive("chapters", Chapters)
    app.add_directive("start", Start)
