"""What a link to a theorem, a term or a symbol shows before it is followed.

Once the pages are written, the blocks that have anchors are cut out of them: theorems
and algorithms, exercises, glossary terms, rows of the tables, errata. Those that some
link points at, and every row of the notation, go to ``_static/previews.js``, which a
page loads at the first hover or tap.
"""

import copy
import json
import posixpath
import re
from html import unescape
from pathlib import Path

from bs4 import BeautifulSoup, Tag

from .search import light

KINDS = {"proof", "exercise", "erratum"}
NOTATION = "book/notation.html"  # whose symbols are shown wherever they are used
MAIN = re.compile(r"<main\b.*</main>", re.DOTALL)
ASIDE = re.compile(r"<!--(\d+)-->")
LINK = re.compile(r'<a\s[^>]*?href="([^"]*)"')


def is_block(tag: Tag) -> bool:
    """Say whether a tag is something that can be shown by itself."""
    if not tag.get("id"):
        return False
    return tag.name in ("tr", "dt") or (
        tag.name == "div" and bool(KINDS & set(tag.get("class", [])))
    )


def inner(tag: Tag) -> str:
    """Return what is inside, without anchors and without links that lead astray."""
    tag = copy.copy(tag)
    for link in tag.find_all("a", class_="headerlink"):
        link.decompose()
    for link in tag.find_all("a"):
        link.unwrap()
    for each in tag.find_all(id=True):
        del each["id"]
    return tag.decode_contents().strip()


def cut(tag: Tag) -> str:
    """Return the HTML of a preview."""
    if tag.name == "tr":
        return row(tag)
    if tag.name == "dt":
        meaning = tag.find_next_sibling("dd")
        if meaning and "sig" in tag.get("class", []):
            meaning = meaning.p  # of a function its first sentence
        return (
            f"<p><strong>{inner(tag)}</strong></p>{inner(meaning) if meaning else ''}"
        )
    if "math" in tag.get("class", []):
        return f'<div class="math display">{inner(tag)}</div>'
    return inner(tag)


def row(tag: Tag) -> str:
    """Return a table's row: its first two cells as a head, the others by name."""
    heads = [each.get_text() for each in tag.find_parent("table").thead.find_all("th")]
    cells = [
        re.sub(r"^<p>|</p>$", "", inner(cell)) for cell in tag.find_all(["td", "th"])
    ]
    lines = [
        f'<dt>{head}</dt><dd class="{head}">{cell}</dd>'
        for head, cell in zip(heads[2:], cells[2:], strict=True)
        if cell
    ]
    return f"<p><strong>{' '.join(cells[:2])}</strong></p><dl>{''.join(lines)}</dl>"


def target(page: str, link: str) -> str | None:
    """Return "path#anchor" for a link within the book."""
    path, _, fragment = link.partition("#")
    if not fragment or re.match(r"[a-z]+:", link):
        return None
    if path:
        page = posixpath.normpath(posixpath.join(posixpath.dirname(page), path))
    return f"{page}#{fragment}"


def cuttings(page: str, text: str, wanted: set[str | None]) -> dict[str, str]:
    """Return the previews of what a page has of the wanted; of the notation, all."""
    kept: list[str] = []  # most of a page's tags; they come back as they are

    def aside(whole: str) -> str:
        kept.append(whole)
        return f"<!--{len(kept) - 1}-->"

    main = BeautifulSoup(light(text, aside, aside), "html.parser").main
    blocks = {tag["id"]: tag for tag in main.find_all(is_block)}
    for mark in main.select("div.math > span[id]"):
        blocks[mark["id"]] = mark.parent
    return {
        f"{page}#{name}": ASIDE.sub(lambda mark: kept[int(mark[1])], cut(tag))
        for name, tag in blocks.items()
        if f"{page}#{name}" in wanted
        or (page == NOTATION and name.startswith("symbol-"))
    }


def write(app, exception) -> None:
    """Cut out what links point at."""
    if exception or app.builder.name != "html":
        return
    out = Path(app.outdir)
    pages = {
        f"{docname}.html": (out / f"{docname}.html").read_text(encoding="utf-8")
        for docname in sorted(app.env.found_docs)
    }
    wanted = {
        target(page, unescape(link))
        for page, text in pages.items()
        for link in LINK.findall(text, *MAIN.search(text).span())
    }
    shown: dict[str, str] = {}
    for page, text in pages.items():  # one tree at a time
        if page == NOTATION or any(f"{page}#" in (key or "") for key in wanted):
            shown |= cuttings(page, text, wanted)
    text = json.dumps(shown, ensure_ascii=False, separators=(",", ":"))
    script = f"window.dpteachPreviews={text};\n"
    (out / "_static" / "previews.js").write_text(script, encoding="utf-8")


def setup(app) -> None:
    """Write the previews after the pages."""
    app.connect("build-finished", write, priority=800)
