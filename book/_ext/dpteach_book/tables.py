"""Directives that make pages from their sources: each thing is written once.

``{notation}``, ``{errata}`` and ``{theorems}`` read the YAML files beside the pages,
``{api} dpteach.algorithms`` reads the docstrings, ``{status}`` what the build ran.
"""

import importlib
import importlib.util
import inspect
import pkgutil
import platform
import re
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import version

import yaml
from docutils import nodes
from docutils.statemachine import StringList
from sphinx.util.docutils import SphinxDirective

from . import ROOT

SOURCES = {
    "chapter": "Chapter 6",
    "lecture": "Lecture 14",
    "ftrl": "the DP-FTRL paper",
    "check-ins": "the check-ins paper",
    "banco": "the BANCO paper",
    "book": "this book's first edition",
}
KINDS = {
    "artefact": "in the copy that we read",
    "typo": "slip of the pen",
    "loose": "loose statement",
    "wrong": "wrong statement",
    "privacy": "breaks the stated privacy",
    "unsettled": "not settled",
    "improvement": "valid, and can be sharpened",
}


@cache
def load(name: str):
    """Read one of the book's YAML files, once; an absent or empty one has no rows."""
    path = ROOT / "book" / name
    return (
        (yaml.safe_load(path.read_text(encoding="utf-8")) or [])
        if path.exists()
        else []
    )


def anchor(text: str) -> str:
    """Return a row's anchor: "E-19" is at #e-19, "Theorem 6.10" at #theorem-6-10."""
    if text.startswith("symbol "):  # X and x are two symbols
        return text.replace(" ", "-").replace("_", "-")
    return nodes.make_id(text)


class Made(SphinxDirective):
    """A directive that writes MyST and lets the parser read it."""

    has_content = False
    depends: tuple[str, ...] = ()

    def run(self) -> list[nodes.Node]:
        """Note what the page is made from, and make it."""
        for name in self.depends:
            self.env.note_dependency(str(ROOT / "book" / name))
        return self.make()

    def make(self) -> list[nodes.Node]:
        """Return the page's content."""
        raise NotImplementedError

    def parse(self, text: str) -> list[nodes.Node]:
        """Read MyST."""
        node = nodes.Element()
        node.document = self.state.document
        lines = StringList(
            text.splitlines(), source=self.env.doc2path(self.env.docname)
        )
        self.state.nested_parse(lines, self.content_offset, node)
        return node.children

    def section(self, title: str, identity: str, content: list) -> nodes.section:
        """Return a section, which the page's own contents will list."""
        section = nodes.section(ids=[anchor(identity)], names=[identity.lower()])
        section += nodes.title("", "", *self.parse(title)[0].children)
        section += content
        return section

    def table(self, head: list[str], rows: list[tuple[str, list[str]]], kind: str):
        """Return a table whose rows have anchors; each cell is a line of MyST."""
        table = nodes.table(classes=["made", kind])
        group = nodes.tgroup(cols=len(head))
        group += [nodes.colspec(colwidth=1) for _ in head]
        top, body = nodes.thead(), nodes.tbody()
        top += self.row(head)
        for identity, cells in rows:
            row = self.row(cells)
            row["ids"] = [anchor(identity)]
            row["target"] = identity
            body += row
        group += [top, body]
        table += group
        return table

    def row(self, cells: list[str]) -> nodes.row:
        """Return one row."""
        row = nodes.row()
        for cell in cells:
            entry = nodes.entry()
            entry += self.parse(cell) if cell else []
            row += entry
        return row

    def page_link(self, page: str | None, words: str = "") -> str:
        """Link to a page that exists; announce a chapter that does not yet."""
        if not page or page in self.env.found_docs:
            return f"[{words}](/{page})" if page else words
        number = page.removeprefix("chapters/").partition("-")[0].lstrip("0") or "0"
        return f"*chapter {number}, in preparation*"


class Notation(Made):
    """Every symbol: what it means, its unit, its name in each source."""

    depends = ("notation.yml",)

    def make(self) -> list[nodes.Node]:
        """Return a table of the letters, and one of the keywords without a letter."""
        rows = []
        for key, row in sorted(load("notation.yml").items(), key=_by_name):
            told = row.get("sources", {}) or {}
            elsewhere = "; ".join(
                f"{SOURCES.get(source, source)}: {symbol}"
                for source, symbol in told.items()
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


class Errata(Made):
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
                facts += _fact(word, plain(_one_line(row[key])))
        if row.get("test"):
            facts += _fact("Test", [nodes.literal(text=row["test"])])
        if row.get("page") in self.env.found_docs:
            facts += _fact(
                "Told in", self.parse(self.page_link(row["page"]))[0].children
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


def _one_line(text) -> str:
    return " ".join(str(text).split())


class Theorems(Made):
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
        said = _one_line(f"{row['title']}. {row.get('why', '')}")
        if "not_covered" in row:
            said += f" *Not covered:* {_one_line(row['not_covered'])}"
        return [
            f"**{row['id']}**",
            said,
            self.page_link(row["page"]) if "taught" in row else "",
            "yes" if "proved" in row else "",
            f"{{py:obj}}`{name} <{function}>`" if function else "",
            f"`{test.rsplit('::', 1)[-1]}`" if test else "",
        ]


def public_modules(package: str) -> list[str]:
    """Return a package's modules, those that begin with an underscore left out."""
    module = importlib.import_module(package)
    names = [package]
    if hasattr(module, "__path__"):
        for each in pkgutil.walk_packages(module.__path__, f"{package}."):
            if not any(part.startswith("_") for part in each.name.split(".")):
                names.append(each.name)
    return names


def public_members(name: str) -> list[tuple[str, str]]:
    """Return ("autofunction" or "autoclass", name) for what a module defines itself."""
    module = importlib.import_module(name)
    members = []
    for member, found in vars(module).items():
        value = inspect.unwrap(found) if callable(found) else found  # beneath a cache
        here = getattr(value, "__module__", None) == name
        if member.startswith("_") or not here:
            continue
        if inspect.isclass(value):
            members.append(("autoclass", f"{name}.{member}"))
        elif inspect.isfunction(value):
            members.append(("autofunction", f"{name}.{member}"))
    return members


class Api(Made):
    """The documentation of some modules, from their docstrings.

    A package stands for those of its modules that no other page names.
    """

    optional_arguments = 100

    def make(self) -> list[nodes.Node]:
        """Return one section for each module that defines something public."""
        out, pages = [], (ROOT / "book" / "api").glob("*.md")
        text = " ".join(path.read_text(encoding="utf-8") for path in pages)
        named = set(re.findall(r"\bdpteach\.[\w.]+\w", text))
        for package in self.arguments:
            if importlib.util.find_spec(package) is None:
                continue  # a floor that no chapter needs yet
            for name in public_modules(package):
                if name != package and name in named:
                    continue
                members = public_members(name)
                if members:
                    out.append(
                        self.section(f"`{name}`", name, self.body(name, members))
                    )
        return out

    def body(self, name: str, members: list[tuple[str, str]]) -> list[nodes.Node]:
        """Return a module's own words, then its members."""
        self.env.note_dependency(inspect.getfile(importlib.import_module(name)))
        words = (inspect.getdoc(importlib.import_module(name)) or "").replace("``", "`")
        lines = []
        for directive, member in members:
            lines += [f".. {directive}:: {member}"]
            lines += ["   :members:", ""] if directive == "autoclass" else [""]
        rst = "\n".join(["```{eval-rst}", *lines, "```"])
        return [*self.parse(words), *self.parse(rst)]


class Status(Made):
    """When each chapter last ran, how long it took, and with which versions.

    Chapters are read in the order of the contents, so this page asks again when all
    have been: see ``fill``.
    """

    def make(self) -> list[nodes.Node]:
        """Leave a place."""
        return [status_place()]


class status_place(nodes.General, nodes.Element):
    """Where the table of runs goes."""


VERSIONS = ("numpy", "scipy", "matplotlib", "ipywidgets", "jupyter-book", "sphinx")


def fill(app, doctree, docname: str) -> None:
    """Put the table of runs in its place, once every chapter has run."""
    for place in list(doctree.findall(status_place)):
        head = nodes.row()
        for words in ("chapter", "last ran (UTC)", "took"):
            head += nodes.entry("", nodes.paragraph(text=words))
        body = nodes.tbody()
        for page in sorted(app.env.nb_metadata):
            ran = app.env.nb_metadata[page].get("exec_data")
            if ran:
                body += _run_row(app, page, ran)
        group = nodes.tgroup("", *(nodes.colspec(colwidth=1) for _ in range(3)), cols=3)
        group += [nodes.thead("", head), body]
        table = nodes.table("", group, classes=["made", "status"])
        table = nodes.container("", table, classes=["scroll"])
        versions = ", ".join(f"{name} {version(name)}" for name in VERSIONS)
        words = f"Python {platform.python_version()}, {versions}, {platform.system()}."
        place.replace_self([table, nodes.paragraph(text=words)])


def _run_row(app, page: str, ran: dict) -> nodes.row:
    title = app.env.titles[page].astext()
    uri = app.builder.get_relative_uri("book/status", page)
    when = datetime.fromtimestamp(ran["mtime"], UTC).strftime("%Y-%m-%d %H:%M")
    link = nodes.reference("", title, refuri=uri, internal=True)
    row = nodes.row()
    row += nodes.entry("", nodes.paragraph("", "", link))
    row += nodes.entry("", nodes.paragraph(text=when))
    row += nodes.entry("", nodes.paragraph(text=f"{ran['runtime'] or 0:.1f} s"))
    return row


def offer_anchors(app, doctree) -> None:
    """Let chapters link to a row: [E-19](../book/errata.md#e-19), or [E-19](#e-19)."""
    docname = app.env.docname
    slugs = app.env.metadata[docname].setdefault("myst_slugs", {})
    standard = app.env.get_domain("std")
    for node in doctree.findall(
        lambda each: "target" in getattr(each, "attributes", ())
    ):
        name = anchor(node["target"])
        slugs[name] = (0, name, node["target"])
        standard.labels[name] = (docname, name, node["target"])
        standard.anonlabels[name] = (docname, name)


def setup(app) -> None:
    """Register the directives."""
    app.connect("doctree-read", offer_anchors)
    app.add_node(status_place)
    for directive in (Notation, Errata, Theorems, Api, Status):
        app.add_directive(directive.__name__.lower(), directive)
    app.connect("doctree-resolved", fill)
