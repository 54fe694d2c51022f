"""What the search page looks through: sections, statements, errata, terms, figures.

Once the pages are written, they are cut into entries, each with its own anchor, and go
to ``_static/search-entries.js``. ``search.js`` ranks them in the reader's browser, so a
search asks nothing of any server, and works from disk too.
"""

import html
import json
import re
from collections.abc import Callable
from pathlib import Path

from bs4 import BeautifulSoup, Tag

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
    page = page[page.index("<main") : page.rindex("</main>") + len("</main>")]
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


def entries(page: str, text: str) -> list[dict[str, str]]:
    """Cut a page into what can be found on it, outermost last."""
    main = BeautifulSoup(light(text), "html.parser").main
    for each in main.select(SILENT):
        each.decompose()
    for each in main.find_all(BLOCKS):
        each.append(" ")  # what stands below one another is not one word
    heading = main.find("h1")
    whole = words(heading)
    number, _, name = whole.partition(" ")
    chapter = number if page.startswith("chapters/") else ""
    where = f"Chapter {chapter}: {name}" if chapter else whole
    lecture = page.startswith("book/teach/")  # it shows what the chapter has
    found: list[dict[str, str]] = []

    def add(kind: str, anchor: str, title: str, text: str, *, number: str = "") -> None:
        entry = {"kind": kind, "to": f"{page}.html#{anchor}" if anchor else page}
        entry |= {"title": title, "where": where, "text": text}
        found.append(entry | ({"number": number} if number else {}))

    def take(selector: str, kind: str, read) -> None:
        # An entry is taken out of what is around it, so that it is found once.
        for tag in main.select(selector):
            if tag.get("id") and not lecture:
                title, text, number = read(tag)
                add(kind, tag["id"], title, text, number=number)
            tag.decompose()

    def statement(tag: Tag) -> tuple[str, str, str]:
        head = tag.find(class_="admonition-title")
        title = words(head)
        title = re.sub(r"^(\w+ [\d.]+) \((.*)\)$", r"\1. \2", title)
        head.decompose()
        return title, words(tag), title.partition(". ")[0]

    def erratum(tag: Tag) -> tuple[str, str, str]:
        head = tag.find("p")
        key, title = words(head.strong), words(head)
        head.decompose()
        return f"Erratum {title}", words(tag), key

    def figure(tag: Tag) -> tuple[str, str, str]:
        title = words(tag.select_one(".dpt-title"))
        seen = tag.select_one("svg[role=img]")
        text = [seen["aria-label"] if seen else "", words(tag.select_one(".dpt-said"))]
        return f"Figure: {title}", " ".join(text), ""

    def term(tag: Tag) -> tuple[str, str, str]:
        return words(tag), words(tag.find_next_sibling("dd")), ""

    def function(tag: Tag) -> tuple[str, str, str]:
        meaning = tag.find_next_sibling("dd")
        name = tag.select_one(".descname")
        return words(name), words(meaning.p if meaning else None), ""

    def row(tag: Tag) -> tuple[str, str, str]:
        cells = [words(each) for each in tag.find_all(["td", "th"])]
        cells = [cell for cell in cells if cell]
        if tag["id"].startswith("symbol-"):
            return " ".join(cells[:2]), " ".join(cells[2:]), ""
        what, _, more = cells[1].partition(". ")
        return f"{cells[0]}. {what.rstrip('.')}", " ".join([more, *cells[2:]]), cells[0]

    def reference(tag: Tag) -> tuple[str, str, str]:
        text = words(tag.p)
        # Authors and title come before where it appeared, which is in italics.
        ahead = " ".join(str(tag.p.contents[0]).split()) + " "
        title = ahead.partition(". In ")[0].rstrip(" .,")
        return title, text.removeprefix(title).lstrip(" ."), ""

    def exercise(tag: Tag) -> tuple[str, str, str]:
        text = words(tag)
        name = words(tag.strong)
        key = f"Exercise {chapter}.{name.partition('.')[0]}"
        return f"{key}. {name.partition('. ')[2].rstrip('.')}", text, key

    take("figure.dpt", "figure", figure)
    take("p[id^=exercise-]", "exercise", exercise)
    take(STATEMENTS, "statement", statement)
    take("div.erratum", "erratum", erratum)
    take("tr[id]", "row", row)
    take("div.citation[id]", "reference", reference)
    api = page.startswith("book/api/")
    if api:
        first = main.find("section", id=True)
        add("page", first["id"], whole, words(first.p))
        for tag in main.select("dt.sig[id]"):
            title, text, _ = function(tag)
            add("api", tag["id"], title, text)
    elif lecture:  # found by titles
        heading.decompose()
        titles = [words(each) for each in main.find_all(re.compile("h[1-4]"))]
        add("page", main.find("section", id=True)["id"], whole, ". ".join(titles))
    else:
        for tag in main.select("dl.glossary dt[id]"):
            title, text, _ = term(tag)
            add("term", tag["id"], title, text)
        for each in main.select("dl.glossary"):
            each.decompose()
        for section in reversed(main.find_all("section")):
            head = section.find(re.compile("h[1-4]"), recursive=False)
            if head is None or not section.get("id"):
                continue
            title = re.sub(r"^[\d.]+ (?=\S)", "", words(head))
            top = head.name == "h1"
            head.decompose()
            own = f"Chapter {chapter}" if chapter and top else ""
            kind = "page" if top else "section"
            add(kind, section["id"], title, words(section), number=own)
            section.decompose()
    return found


def write(app, exception) -> None:
    """Cut all pages into entries."""
    if exception or app.builder.name != "html":
        return
    out, found = Path(app.outdir), []
    for page in sorted(app.env.found_docs):
        text = (out / f"{page}.html").read_text(encoding="utf-8")
        found += entries(page, text)
    table = json.dumps(found, ensure_ascii=False, separators=(",", ":"))
    script = f"window.dpteachEntries={table};\n"
    (out / "_static" / "search-entries.js").write_text(script, encoding="utf-8")


def own_page(app) -> None:
    """Write the search page, and not Sphinx's index, which knows whole pages alone."""
    if app.builder.name == "html":
        app.builder.search = False
        app.config.html_additional_pages["search"] = "search.html"


def setup(app) -> None:
    """Take the place of Sphinx's search."""
    app.connect("builder-inited", own_page)
    app.connect("build-finished", write, priority=850)
