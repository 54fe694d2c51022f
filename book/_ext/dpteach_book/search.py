"""What the search page looks through: sections, statements, errata, terms, figures.

Once the pages are written, they are cut into entries, each with its own anchor, and go
to ``_static/search-entries.js``. ``search.js`` ranks them in the reader's browser, so a
search asks nothing of any server, and works from disk too.
"""

import html
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import atomic
from bs4 import BeautifulSoup, Tag
from sphinx.application import Sphinx

from . import page_cache

# What is no text of a page's own: links to headings, code, buttons, its frame.
SILENT = (
    "a.headerlink, .highlight, pre, .write, script, style, .eqno, button, "
    ".colophon, nav, .chapter-bar, .here-fold, .dpt-held > summary, .kept"
)
STATEMENTS = "div.proof[id], div.exercise[id], div.definition[id], div.example[id]"
BLOCKS = ("p", "li", "dt", "dd", "td", "th", "div", "label", "legend", "summary")
INVISIBLE = re.compile("[\u200b\u2061\u2062\u2063]")
DRAWING = re.compile(r"<svg\b.*?</svg>", re.DOTALL)
SPAN = re.compile(r"<(/?)span\b[^>]*>")
ANNOTATION = re.compile(r"<annotation.*?</annotation>", re.DOTALL)


def symbols(formula: str) -> str:
    """Return a short formula's symbols, and an ellipsis for a long one."""
    mathml = ANNOTATION.sub("", formula.partition("</math>")[0])
    text = INVISIBLE.sub("", re.sub("<[^>]*>", "", mathml))
    return text if len(html.unescape(text)) <= 12 else "…"


def emptied(drawing: str) -> str:
    """Return a drawing's tag, with what it says of the drawing, and nothing inside."""
    return drawing[: drawing.index(">") + 1] + "</svg>"


def light(
    page: str,
    formula: Callable[[str], str] = symbols,
    drawing: Callable[[str], str] = emptied,
) -> str:
    """Return a page's main part, with little in place of formulas and drawings."""
    page = page_cache.main(page)
    out, end = [], 0
    for start in re.finditer('<span class="katex(?:-display)?">', page):
        if start.start() < end:
            continue  # within the last one
        depth = 0
        for tag in SPAN.finditer(page, start.start()):
            depth += -1 if tag[1] else 1
            if depth == 0:
                break
        whole = page[start.start() : tag.end()]
        out += [page[end : start.start()], formula(whole)]
        end = tag.end()
    page = "".join([*out, page[end:]])
    return DRAWING.sub(lambda found: drawing(found[0]), page)


def words(tag: Tag | None) -> str:
    """Return what a tag says."""
    return " ".join(tag.get_text().split()) if tag else ""


@dataclass(frozen=True)
class Page:
    """A page that is cut, and how its entries say where they are."""

    name: str  # such as chapters/09-dp-sgd
    chapter: str  # its number, or nothing
    title: str

    def entry(
        self, kind: str, anchor: str, title: str, text: str, number: str = ""
    ) -> dict[str, str]:
        """Return one thing that can be found on the page."""
        where = f"Chapter {self.chapter}: {self.title}" if self.chapter else self.title
        address = f"{self.name}.html#{anchor}" if anchor else self.name
        entry = {"kind": kind, "to": address, "title": title}
        entry |= {"where": where, "text": text}
        return entry | ({"number": number} if number else {})


# Each of these reads a tag of its kind: its title, its text, and its number.
Reading = tuple[str, str, str]


def figure(tag: Tag, page: Page) -> Reading:
    """Read a figure: what its drawing and its sentence say."""
    title = words(tag.select_one(".dpt-title"))
    drawing = tag.select_one("svg[role=img]")
    label = drawing["aria-label"] if drawing else ""
    return f"Figure: {title}", f"{label} {words(tag.select_one('.dpt-said'))}", ""


def exercise(tag: Tag, page: Page) -> Reading:
    """Read the paragraph with an exercise's number and name in bold."""
    number, _, name = words(tag.strong).partition(".")
    key = f"Exercise {page.chapter}.{number}"
    return f"{key}. {name.strip().rstrip('.')}", words(tag), key


def statement(tag: Tag, page: Page) -> Reading:
    """Read a theorem, an algorithm, an exercise in a frame."""
    head = tag.find(class_="admonition-title")
    title = re.sub(r"^(\w+ [\d.]+) \((.*)\)$", r"\1. \2", words(head))
    head.decompose()
    return title, words(tag), title.partition(". ")[0]


def erratum(tag: Tag, page: Page) -> Reading:
    """Read an erratum, whose first paragraph is its title."""
    head = tag.find("p")
    key, title = words(head.strong), words(head)
    head.decompose()
    return f"Erratum {title}", words(tag), key


def row(tag: Tag, page: Page) -> Reading:
    """Read a row of the notation, or of the theorems."""
    texts = map(words, tag.find_all(["td", "th"]))
    cells = [text for text in texts if text]
    if tag["id"].startswith("symbol-"):
        return " ".join(cells[:2]), " ".join(cells[2:]), ""
    what, _, more = cells[1].partition(". ")
    return f"{cells[0]}. {what.rstrip('.')}", " ".join([more, *cells[2:]]), cells[0]


def reference(tag: Tag, page: Page) -> Reading:
    """Read a reference: authors and title come before where it appeared, in italics."""
    text = words(tag.p)
    ahead = " ".join(str(tag.p.contents[0]).split()) + " "
    title = ahead.partition(". In ")[0].rstrip(" .,")
    return title, text.removeprefix(title).lstrip(" ."), ""


# What is cut out of a page, in this order, so that it is found once.
KINDS = (
    ("figure", "figure.dpt", figure),
    ("exercise", "p[id^=exercise-]", exercise),
    ("statement", STATEMENTS, statement),
    ("erratum", "div.erratum", erratum),
    ("row", "tr[id]", row),
    ("reference", "div.citation[id]", reference),
)


def entries(name: str, text: str) -> list[dict[str, str]]:
    """Cut a page into what can be found on it, outermost last."""
    main = BeautifulSoup(light(text), "html.parser").main
    for tag in main.select(SILENT):
        tag.decompose()
    for tag in main.find_all(BLOCKS):
        tag.append(" ")  # what stands below one another is not one word
    whole = words(main.find("h1"))
    number, _, title = whole.partition(" ")
    page = Page(name, "", whole)
    if name.startswith("chapters/"):
        page = Page(name, number, title)
    lecture = name.startswith("book/teach/")  # it shows what the chapter has
    listed = []
    for kind, selector, read in KINDS:
        for tag in main.select(selector):
            if tag.get("id") and not lecture:
                anchor = tag["id"]
                listed.append(page.entry(kind, anchor, *read(tag, page)))
            tag.decompose()
    if lecture:
        return [*listed, *headings(main, page)]
    if name.startswith("book/api/"):
        return [*listed, *functions(main, page)]
    return [*listed, *terms(main, page), *sections(main, page)]


def headings(main: Tag, page: Page) -> Iterator[dict[str, str]]:
    """Find a lecture by the titles of its slides alone."""
    main.find("h1").decompose()
    titles = map(words, main.find_all(re.compile("h[1-4]")))
    anchor = main.find("section", id=True)["id"]
    yield page.entry("page", anchor, page.title, ". ".join(titles))


def functions(main: Tag, page: Page) -> Iterator[dict[str, str]]:
    """Find a page of the reference, and each function on it by its first sentence."""
    first = main.find("section", id=True)
    yield page.entry("page", first["id"], page.title, words(first.p))
    for tag in main.select("dt.sig[id]"):
        meaning = tag.find_next_sibling("dd")
        title, text = tag.select_one(".descname"), meaning.p if meaning else None
        yield page.entry("api", tag["id"], words(title), words(text))


def terms(main: Tag, page: Page) -> Iterator[dict[str, str]]:
    """Find the terms of the glossary, each with the section that its link names."""
    for tag in main.select("dl.glossary dt[id]"):
        meaning = tag.find_next_sibling("dd")
        text, see, _ = words(meaning).rpartition(" See ")
        links = meaning.select('a[href^="../chapters/"]') if see else []
        home = {"home": links[-1]["href"].removeprefix("../")} if links else {}
        entry = page.entry("term", tag["id"], words(tag), text or words(meaning))
        yield entry | home
    for glossary in main.select("dl.glossary"):
        glossary.decompose()


def sections(main: Tag, page: Page) -> Iterator[dict[str, str]]:
    """Find each section by its own text, without that of the sections in it."""
    for section in reversed(main.find_all("section")):
        head = section.find(re.compile("h[1-4]"), recursive=False)
        if head is None or not section.get("id"):
            continue
        title = re.sub(r"^[\d.]+ (?=\S)", "", words(head))
        kind = "page" if head.name == "h1" else "section"
        number = f"Chapter {page.chapter}" if page.chapter and kind == "page" else ""
        head.decompose()
        yield page.entry(kind, section["id"], title, words(section), number)
        section.decompose()


def write(app: Sphinx, exception: Exception | None) -> None:
    """Cut all pages into entries."""
    if exception or app.builder.name != "html":
        return
    listed = [
        entry
        for name, text in page_cache.texts(app).items()
        for entry in page_cache.once(app, entries, name, text)
    ]
    table = json.dumps(listed, ensure_ascii=False, separators=(",", ":"))
    path = Path(app.outdir) / "_static" / "search-entries.js"
    atomic.write(path, f"window.dpteachEntries={table};\n")


def own_page(app: Sphinx) -> None:
    """Write the search page, and not Sphinx's index, which knows whole pages alone."""
    if app.builder.name == "html":
        app.builder.search = False
        app.config.html_additional_pages["search"] = "search.html"


def setup(app: Sphinx) -> None:
    """Take the place of Sphinx's search."""
    app.connect("builder-inited", own_page)
    app.connect("build-finished", write, priority=850)
