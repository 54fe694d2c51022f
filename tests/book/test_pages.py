"""Every page of the book: nothing leaves it, nothing complains, everyone can read it.

What is looked at is the real book; ``test_gallery.py`` asks more of a small one that
holds everything a page can hold, so that a page without a fault is no accident here.
"""

import re
from importlib import import_module
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from bs4 import BeautifulSoup

from tests.public import ROOT

pytestmark = pytest.mark.browser

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
TOC = (ROOT / "book" / "_toc.yml").read_text()
PAGES = [*re.findall(r"(?:file|root): (\S+)", TOC), "search"]


def complaints(page, *rules: str) -> list[str]:
    """Return what axe says of a page as it stands, by all its rules or by some."""
    options = {"runOnly": list(rules) or TAGS, "resultTypes": ["violations"]}
    found = Axe().run(page, options=options).response["violations"]
    return [
        f"{each['id']} ({each['impact']}): {node['html'][:120]} {node['target']}"
        for each in found
        for node in each["nodes"]
    ]


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


@pytest.fixture(scope="module")
def address(book, site):
    return site(book)


@pytest.mark.parametrize("name", PAGES)
def test_a_page_keeps_to_itself_and_reads_well(name, address, visit):
    """Third-party requests, console, CSP, axe in both themes, 360 px, layout shift."""
    seen = visit(f"{address}/{name}.html")
    page = seen.page
    page.wait_for_load_state("networkidle")
    policy = page.get_attribute("meta[http-equiv=Content-Security-Policy]", "content")
    assert policy.startswith(
        "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'"
    )
    assert "unsafe" not in policy.split("script-src")[1]
    assert page.get_attribute("html", "lang") == "en"
    assert len(page.get_attribute("meta[name=description]", "content")) > 40
    assert page.locator("h1").count() == 1
    assert shifted(page) < 0.05  # a busy machine may bring a formula's font late
    assert complaints(page) == []
    page.emulate_media(color_scheme="dark")  # which changes colors and nothing else
    assert complaints(page, "color-contrast") == []
    page.set_viewport_size({"width": 360, "height": 740})
    assert too_wide(page) == []
    narrow = complaints(page, "scrollable-region-focusable", "target-size")
    assert narrow == []
    assert seen.third_party == []
    assert seen.errors == []


@pytest.mark.parametrize("name", PAGES)
def test_a_page_works_from_disk(name, book, visit):
    seen = visit((book / f"{name}.html").as_uri())
    seen.page.wait_for_timeout(100)
    assert seen.errors == []
    assert seen.third_party == []
    assert all(url.startswith("file:") for url in seen.requests)


HEIGHTS = """() => [...document.querySelectorAll("main section > *")]
  .filter((e) => !e.querySelector("figure.dpt")).map((e) => {
    const { top, height } = e.getBoundingClientRect();
    return [top + scrollY, height];
  })"""


@pytest.mark.parametrize("width", [390, 1280])
def test_text_that_rests_stays_where_it_is(width, address, visit):
    """Out of sight it is not drawn, so that a figure's next frame comes sooner."""
    url = f"{address}/chapters/08-dp-sgd.html"
    page = visit(url, width=width, reduced_motion="reduce").page
    page.wait_for_selector("p.rests")
    resting = page.evaluate(HEIGHTS)
    page.evaluate(
        "document.querySelectorAll('.rests')"
        ".forEach((each) => each.classList.remove('rests'))"
    )
    assert len(resting) > 100
    for (top, height), (at, size) in zip(resting, page.evaluate(HEIGHTS), strict=True):
        assert top == pytest.approx(at, abs=1)
        assert height == pytest.approx(size, abs=1)


def test_text_that_rests_is_found_and_printed(address, visit):
    page = visit(f"{address}/chapters/08-dp-sgd.html", width=390).page
    last = page.locator("p.rests").last
    last.wait_for()
    assert not last.evaluate("e => e.checkVisibility({contentVisibilityAuto: true})")
    words = last.text_content().split(". ")[0][:60]
    assert page.evaluate("(words) => find(words)", words)
    page.wait_for_timeout(100)
    assert last.evaluate("e => e.checkVisibility({contentVisibilityAuto: true})")
    box = last.bounding_box()
    assert 0 <= box["y"] <= 844
    page.emulate_media(media="print")
    hidden = page.evaluate(
        "[...document.querySelectorAll('.rests')].filter("
        "(e) => getComputedStyle(e).contentVisibility !== 'visible').length"
    )
    assert hidden == 0


def soups(book: Path) -> dict[str, BeautifulSoup]:
    """Read every page."""
    return {
        path.relative_to(book).as_posix(): BeautifulSoup(
            path.read_text(), "html.parser"
        )
        for path in sorted(book.rglob("*.html"))
    }


def test_links_within_the_book_lead_somewhere(book):
    pages = soups(book)
    anchors = {
        name: {tag["id"] for tag in soup.find_all(id=True)}
        for name, soup in pages.items()
    }
    broken = []
    for name, soup in pages.items():
        for tag in soup.find_all(["a", "link", "script", "img"]):
            to = tag.get("href") or tag.get("src")
            if not to or urlsplit(to).scheme:
                continue
            path, _, fragment = to.partition("#")
            file = (book / name).parent / unquote(path.split("?")[0])
            file = (file if path else book / name).resolve()
            if file.is_dir():
                file /= "index.html"
            at = file.relative_to(book.resolve()).as_posix()
            if not file.exists() or (
                fragment and "?" not in fragment and fragment not in anchors.get(at, ())
            ):
                broken.append(f"{name}: {to}")
    assert broken == []
    assert len(pages) >= len(PAGES)


def test_no_page_fetches_from_elsewhere(book):
    """In the sources of pages too: no script, style or image with a host."""
    for path in [*book.rglob("*.html"), *book.rglob("*.css")]:
        text = path.read_text()
        assert not re.search(r"(src|srcset)=.https?:", text), path
        assert not re.search(r"<link[^>]+stylesheet[^>]+https?:", text), path
        assert not re.search(r"url\(.?(https?:)?//", text), path
        assert not re.search(r"<[^>]+\son[a-z]+=", text), path


def test_every_picture_says_what_it_shows(book):
    for name, soup in soups(book).items():
        for image in soup.find_all("img"):
            alt = image.get("alt", "").strip()
            assert alt, f"{name}: {image}"
            assert not re.search(r"\.(png|svg|jpe?g)$|[0-9a-f]{16}", alt), (
                f"{name}: {alt}"
            )
        for figure in soup.select("figure.dpt svg[role=img]"):
            assert figure.get("aria-label") or figure.find("title"), name


def test_ids_are_unique(book):
    for name, soup in soups(book).items():
        ids = [tag["id"] for tag in soup.find_all(id=True)]
        assert len(ids) == len(set(ids)), (name, {i for i in ids if ids.count(i) > 1})


def test_the_repository_is_linked_only_where_it_is_known(book):
    repository = import_module("dpteach_book.repository")  # small found its folder
    text = (book / "book" / "contributing.html").read_text()
    assert ("Report a problem" in text) == bool(repository.find())
