"""The chapters: the map of what needs what, and where to start."""

import html

from docutils import nodes

from .tables import Made, load

WIDTH, HEIGHT, DX, DY = 104, 30, 138, 42


class Chapters(Made):
    """Every chapter by part, with what it needs; those that exist are links."""

    depends = ("chapters.yml",)

    def make(self) -> list[nodes.Node]:
        """Return the map and the list."""
        rows = load("chapters.yml")
        titles = {row["number"]: row["title"] for row in rows}
        parts = dict.fromkeys(row["part"] for row in rows)
        lines = []
        for part in parts:
            lines += [f"\n**{part}**\n"]
            for row in (each for each in rows if each["part"] == part):
                needs = ", ".join(str(each) for each in row["needs"])
                told = f" *after {needs}*" if needs else ""
                name = self.page_link(row["file"], titles[row["number"]])
                soon = "" if row["file"] in self.env.found_docs else " *in preparation*"
                lines.append(f"- {row['number']} {name}{told}{soon}")
        return [
            self.map(rows),
            nodes.container("", *self.parse("\n".join(lines)), classes=["chapters"]),
        ]

    def map(self, rows) -> nodes.raw:
        """Draw who needs whom: a column for each step of the longest way there."""
        depth: dict[int, int] = {}
        for row in rows:  # a chapter needs only earlier ones
            depth[row["number"]] = 1 + max(
                (depth[each] for each in row["needs"]), default=-1
            )
        place, used = {}, {}
        for row in rows:
            column = depth[row["number"]]
            place[row["number"]] = (column * DX, used.get(column, 0) * DY)
            used[column] = used.get(column, 0) + 1
        tall = max(used.values())
        place = {
            number: (x, y + (tall - used[x // DX]) * DY / 2)
            for number, (x, y) in place.items()
        }
        width, height = (max(used) * DX + WIDTH, (tall - 1) * DY + HEIGHT)
        lines = [
            f'<path d="{_curve(place[each], place[row["number"]])}"/>'
            for row in rows
            for each in row["needs"]
        ]
        boxes = "".join(self.box(row, place[row["number"]]) for row in rows)
        return nodes.raw(
            "",
            '<figure class="map" role="group" aria-label="Map of the chapters: lines '
            'lead from a chapter to those that need it, as in the list below">'
            f'<svg viewBox="-2 -2 {width + 4} {height + 4}" width="{width + 4}">'
            f'<g class="needs" aria-hidden="true">{"".join(lines)}</g>{boxes}'
            "</svg></figure>",
            format="html",
        )

    def box(self, row, place) -> str:
        """Return one chapter's box, a link where the chapter exists."""
        x, y = place
        known = row["file"] in self.env.found_docs
        short = html.escape(row["title"].split(":")[0])
        word = short if len(short) <= 17 else short[:16].rstrip() + "…"
        text = (
            f"<title>{row['number']} {html.escape(row['title'])}</title>"
            f'<rect x="{x}" y="{y}" width="{WIDTH}" height="{HEIGHT}" rx="6"/>'
            f'<text x="{x + 8}" y="{y + 19.5}"><tspan class="number">{row["number"]}'
            f"</tspan> {word}</text>"
        )
        if not known:
            return f'<g class="soon">{text}</g>'
        address = self.env.app.builder.get_relative_uri(self.env.docname, row["file"])
        return f'<a href="{address}">{text}</a>'


def _curve(start, end) -> str:
    (x, y), (u, v) = start, end
    x, y, v = x + WIDTH, y + HEIGHT / 2, v + HEIGHT / 2
    middle = (x + u) / 2
    return f"M{x} {y:g}C{middle:g} {y:g} {middle:g} {v:g} {u} {v:g}"


class Start(Made):
    """Where to start: the first chapter that exists, or where this reader left."""

    depends = ("chapters.yml",)

    def make(self) -> list[nodes.Node]:
        """Return two links."""
        pages = [row["file"] for row in load("chapters.yml")]
        first = next((page for page in pages if page in self.env.found_docs), None)
        uri = self.env.app.builder.get_relative_uri
        here = self.env.docname
        start = (
            f'<a class="go" data-continue href="{uri(here, first)}">Start reading</a>'
            if first
            else ""
        )
        how = (
            f'<a href="{uri(here, "book/how-to-read")}">How to read, run and teach</a>'
        )
        return [nodes.raw("", f'<p class="start">{start} {how}</p>', format="html")]


def setup(app) -> None:
    """Register the directives."""
    app.add_directive("chapters", Chapters)
    app.add_directive("start", Start)
