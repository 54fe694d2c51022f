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
from collections.abc import Collection
from html import unescape
from pathlib import Path

import atomic
from bs4 import BeautifulSoup, Tag
from sphinx.application import Sphinx

from . import page_cache
from .search import light

KINDS = {"proof", "exercise", "erratum"}
NOTATION = "book/notation"  # whose symbols are shown wherever they are used
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
    address = f"{page}.html"
    if path:
        address = posixpath.normpath(posixpath.join(posixpath.dirname(page), path))
    return f"{address}#{fragment}"


def cuttings(page: str, text: str, targets: Collection[str]) -> dict[str, str]:
    """Return the previews of a page's blocks that are targets; of the notation, all."""
    aside: list[str] = []  # most of a page's tags; they come back as they are

    def put_aside(whole: str) -> str:
        aside.append(whole)
        return f"<!--{len(aside) - 1}-->"

    main = BeautifulSoup(light(text, put_aside, put_aside), "html.parser").main
    blocks = {tag["id"]: tag for tag in main.find_all(is_block)}
    for mark in main.select("div.math > span[id]"):
        blocks[mark["id"]] = mark.parent
    return {
        f"{page}.html#{name}": ASIDE.sub(lambda mark: aside[int(mark[1])], cut(tag))
        for name, tag in blocks.items()
        if f"{page}.html#{name}" in targets
        or (page == NOTATION and name.startswith("symbol-"))
    }


def write(app: Sphinx, exception: Exception | None) -> None:
    """Cut out what links point at."""
    if exception or app.builder.name != "html":
        return
    pages = page_cache.texts(app)
    targets: dict[str, set[str]] = {}
    for page, text in pages.items():
        for link in LINK.findall(page_cache.main(text)):
            if address := target(page, unescape(link)):
                home = address.partition("#")[0].removesuffix(".html")
                targets.setdefault(home, set()).add(address)
    previews: dict[str, str] = {}
    for page, text in pages.items():  # one tree at a time
        if page == NOTATION or page in targets:
            own = sorted(targets.get(page, ()))
            previews |= page_cache.once(app, cuttings, page, text, own)
    table = json.dumps(previews, ensure_ascii=False, separators=(",", ":"))
    script = f"window.dpteachPreviews={table};\n"
    atomic.write(Path(app.outdir) / "_static" / "previews.js", script)


def setup(app: Sphinx) -> None:
    """Write the previews after the pages."""
    app.connect("build-finished", write, priority=800)
