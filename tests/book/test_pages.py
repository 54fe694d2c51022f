"""Every page of the book: nothing leaves it, nothing complains, everyone can read it.

What is looked at is the real book; ``test_gallery.py`` asks more of a small one that
holds everything a page can hold, so that a page without a fault is no accident here.
"""

import re
from dataclasses import dataclass
from importlib import import_module
from urllib.parse import unquote, urlsplit

import pytest

from tests.axe import ask_once_a_look, complaints, thin
from tests.browser import frame
from tests.public import ROOT
from tests.samples import sampled

pytestmark = pytest.mark.browser

TOC = (ROOT / "book" / "_toc.yml").read_text()
PAGES = [*re.findall(r"(?:file|root): (\S+)", TOC), "search"]
# One page or two of each kind.
KINDS = (
    *("book/index", "chapters/03-composition", "chapters/21-check-ins"),
    *("book/instructors", "book/teach/09-lecture"),
    *("book/teach/09-slides", "book/notation", "book/theorems", "book/errata"),
    *("book/glossary", "book/references", "book/api/streams", "book/status", "search"),
)


def shifted(page) -> float:
    """Return the layout shift since the page was opened."""
    return page.evaluate(
        """() => new Promise((done) => {
          let total = 0;
          new PerformanceObserver((list) => {
            for (const each of list.getEntries()) total += each.value;
          }).observe({ type: "layout-shift", buffered: true });
          setTimeout(() => done(total), 100);
        })"""
    )


def too_wide(page) -> list[str]:
    """Return what sticks out of the screen and does not scroll by itself."""
    return page.evaluate(
        """() => document.documentElement.scrollWidth <= innerWidth ? [] :
          [...document.querySelectorAll("body *")]
            .filter((e) => e.getBoundingClientRect().right > innerWidth + 1)
            .slice(0, 5).map((e) => e.outerHTML.slice(0, 120))"""
    )


PICTURES = ".dpt:not(.dpt-quiz, .dpt-show, .math), img"
# What breaks up a text: questions, tables, algorithms and results of code, too.
LOOKED_AT = "figure, .dpt, img, table, .cell_output, .algorithm"


def longest_without(page, what: str, least: int) -> float:
    """Return the most pixels before the exercises without any of these.

    Those of a height of at most ``least`` do not count, nor do pictures in questions.
    """
    return page.evaluate(
        """([what, least]) => {
          const article = document.querySelector("article").getBoundingClientRect();
          const end = document.getElementById("exercises")?.getBoundingClientRect().top;
          const seen = [...document.querySelectorAll(`article :is(${what})`)]
            .filter((each) => !each.parentElement.closest(".dpt-quiz"));
          const boxes = seen.map((each) => each.getBoundingClientRect())
            .filter((box) => box.height > least && box.top < (end ?? Infinity))
            .map((box) => [box.top, box.bottom]).sort((a, b) => a[0] - b[0]);
          let last = article.top, longest = 0;
          for (const [top, bottom] of [...boxes, [end ?? article.top, 0]]) {
            longest = Math.max(longest, top - last);
            last = Math.max(last, bottom);
          }
          return longest;
        }""",
        [what, least],
    )


@pytest.fixture(scope="module")
def address(book, site):
    return site(book)


@pytest.mark.parametrize("name", sampled(PAGES, KINDS))
def test_a_page_keeps_to_itself_and_reads_well(name, address, visit):
    """Third-party requests, console, CSP, axe in both themes, 360 px, layout shift."""
    seen = visit(f"{address}/{name}.html")
    page = seen.page
    page.evaluate("document.fonts.ready.then(() => true)")
    policy = page.get_attribute("meta[http-equiv=Content-Security-Policy]", "content")
    assert policy.startswith(
        "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'"
    )
    assert "unsafe" not in policy.split("script-src")[1]
    assert page.get_attribute("html", "lang") == "en"
    assert len(page.get_attribute("meta[name=description]", "content")) > 40
    assert page.locator("h1").count() == 1
    assert shifted(page) < 0.05  # a busy machine may bring a formula's font late
    if name.startswith("chapters/"):
        assert longest_without(page, LOOKED_AT, least=30) < 2500
        assert longest_without(page, PICTURES, least=100) < 3000
    page.set_viewport_size({"width": 360, "height": 740})
    frame(page)
    assert too_wide(page) == []
    page.set_viewport_size({"width": 1280, "height": 800})
    thin(page)  # test_gallery.py asks axe about formulas as they are
    ask_once_a_look(page)
    assert complaints(page) == []
    page.set_viewport_size({"width": 360, "height": 740})
    page.emulate_media(color_scheme="dark")
    frame(page)  # what scrolls now can be focused from the next frame on
    dark = ("scrollable-region-focusable", "target-size", "color-contrast")
    assert complaints(page, *dark) == []
    assert seen.third_party == []
    assert seen.errors == []


def makings(text: str) -> set[str]:
    """Return what makes a page work: its scripts, its parts and their attributes."""
    return {
        *re.findall(r'<script[^>]*\ssrc="([^"?]+)', text),
        *re.findall(r"\s(data-[a-z-]+)=", text),
        *(
            part
            for each in re.findall(r'class="(dpt[^"]*)"', text)
            for part in each.split()
        ),
    }


def test_pages_work_from_disk(book, visit):
    """Each chapter, and pages with every script and every part that a page can have."""
    met, said = set(), {}
    for name in PAGES:
        path = book / f"{name}.html"
        own = makings(path.read_text())
        if own <= met and not name.startswith("chapters/"):
            continue
        met |= own
        seen = visit(path.as_uri())
        seen.page.wait_for_timeout(100)
        elsewhere = [url for url in seen.requests if not url.startswith("file:")]
        said |= {name: [*seen.errors, *elsewhere]}
        seen.page.close()
    assert {name: each for name, each in said.items() if each} == {}
    assert len(said) > 25


@dataclass
class Source:
    """What the tests below look at in a page as it is written."""

    ids: list[str]
    links: list[str | None]
    alts: list[str]
    unnamed: list[str]


READ = """(text) => {
  const page = new DOMParser().parseFromString(text, "text/html");
  const all = (what) => [...page.querySelectorAll(what)];
  return {
    ids: all("[id]").map((e) => e.id),
    links: all("a, link, script, img").map(
      (e) => e.getAttribute("href") || e.getAttribute("src")),
    alts: all("img").map((e) => (e.getAttribute("alt") ?? "").trim()),
    unnamed: all("figure.dpt svg[role=img]")
      .filter((e) => !e.getAttribute("aria-label") && !e.querySelector("title"))
      .map((e) => e.outerHTML.slice(0, 120)),
  };
}"""


@pytest.fixture(scope="module")
def sources(book, browser) -> dict[str, Source]:
    """Read every page, once, as a browser reads it."""
    tab = browser.new_page()
    found = {
        path.relative_to(book).as_posix(): Source(
            **tab.evaluate(READ, path.read_text())
        )
        for path in sorted(book.rglob("*.html"))
    }
    tab.close()
    return found


def test_links_within_the_book_lead_somewhere(book, sources):
    anchors = {name: set(page.ids) for name, page in sources.items()}
    broken = []
    for name, page in sources.items():
        for to in page.links:
            if not to or urlsplit(to).scheme:
                continue
            path, _, fragment = to.partition("#")
            # 404.html, at the root, is sent for any address: its links begin there.
            place = unquote(path.split("?")[0]).removeprefix("/")
            file = (book / name).parent / place
            file = (file if path else book / name).resolve()
            if file.is_dir():
                file /= "index.html"
            at = file.relative_to(book.resolve()).as_posix()
            if not file.exists() or (
                fragment and "?" not in fragment and fragment not in anchors.get(at, ())
            ):
                broken.append(f"{name}: {to}")
    assert broken == []
    assert len(sources) >= len(PAGES)


def test_no_page_fetches_from_elsewhere(book):
    """In the sources of pages too: no script, style or image with a host."""
    for path in [*book.rglob("*.html"), *book.rglob("*.css")]:
        text = path.read_text()
        assert not re.search(r"(src|srcset)=.https?:", text), path
        assert not re.search(r"<link[^>]+stylesheet[^>]+https?:", text), path
        assert not re.search(r"url\(.?(https?:)?//", text), path
        assert not re.search(r"<[^>]+\son[a-z]+=", text), path


def test_every_picture_says_what_it_shows(sources):
    for name, page in sources.items():
        for alt in page.alts:
            assert alt, name
            assert not re.search(r"\.(png|svg|jpe?g)$|[0-9a-f]{16}", alt), (
                f"{name}: {alt}"
            )
        assert page.unnamed == [], name


def test_ids_are_unique(sources):
    for name, page in sources.items():
        ids = page.ids
        assert len(ids) == len(set(ids)), (name, {i for i in ids if ids.count(i) > 1})


def test_the_repository_is_linked_only_where_it_is_known(book):
    repository = import_module("dpteach_book.repository")  # small found its folder
    text = (book / "book" / "contributing.html").read_text()
    assert ("Report a problem" in text) == bool(repository.find())
