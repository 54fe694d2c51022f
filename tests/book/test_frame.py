"""What stands around the text: contents, lists, fonts, themes, links to other pages."""

import re
import threading
from io import BytesIO

import pytest
from pypdf import PdfReader
from serve import server

from tests.browser import frame

pytestmark = pytest.mark.browser
CHAPTER = "chapters/09-dp-sgd.html"


@pytest.fixture(scope="module")
def fresh(book):
    """The book from a server that lets nothing be kept, as many hosts do."""
    made = server(book)
    threading.Thread(target=made.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{made.server_port}"
    made.shutdown()
    made.server_close()


def printed(page) -> list:
    """Print the page, and return its sheets."""
    return list(PdfReader(BytesIO(page.pdf(format="A4"))).pages)


def fonts_of(sheets) -> set[str]:
    """Return the names of the fonts on some sheets."""
    found = set()
    for sheet in sheets:
        for font in (sheet["/Resources"].get("/Font") or {}).values():
            kept = font.get_object()
            about = kept.get("/FontDescriptor") or {}
            name = kept.get("/BaseFont") or about.get_object().get("/FontName", "")
            found.add(str(name).split("+")[-1])
    return found


def test_paper_has_the_fonts_of_the_screen(fresh, visit):
    """Whatever the host says of keeping files, and a while after the page came."""
    page = visit(f"{fresh}/{CHAPTER}").page
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(1500)
    names = " ".join(fonts_of(printed(page)))
    for wanted in ("KaTeX_Main-Regular", "KaTeX_Math-Italic", "SourceSerif4-Regular"):
        assert wanted in names
    assert not re.search(r"(DejaVu|Liberation)Serif( |-Bold|$)", names)


@pytest.mark.thorough
def test_paper_is_not_half_empty(fresh, visit):
    """At most one sheet in six, the last aside, holds less than a third of the most."""
    page = visit(f"{fresh}/{CHAPTER}").page
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    sheets = printed(page)[:-1]
    lowest = []
    for sheet in sheets:
        places = []
        sheet.extract_text(
            visitor_text=lambda text, cm, tm, *_, places=places: (
                places.append(tm[5] * cm[3] + cm[5]) if text.strip() else None
            )
        )
        lowest.append(min(places, default=842.0))
    empty = [k + 1 for k, low in enumerate(lowest) if low > 842 * 0.45]
    assert len(empty) <= len(sheets) / 6, (empty, len(sheets))


def test_italics_are_the_books_own_at_the_first_visit(fresh, visit):
    seen = visit(f"{fresh}/{CHAPTER}")
    page = seen.page
    page.wait_for_load_state("networkidle")
    client = page.context.new_cdp_session(page)
    client.send("DOM.enable")
    client.send("CSS.enable")
    root = client.send("DOM.getDocument")["root"]["nodeId"]
    asked = {"nodeId": root, "selector": "article p > em"}
    node = client.send("DOM.querySelector", asked)["nodeId"]
    fonts = client.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]
    assert {font["familyName"] for font in fonts} == {"Source Serif 4"}


def test_the_contents_show_where_one_is(book, visit):
    page = visit((book / "chapters/21-check-ins.html").as_uri(), height=768).page
    here = page.locator("#contents [aria-current=page]")
    assert here.count() == 1
    frame(page)
    box = here.bounding_box()
    assert 0 < box["y"] < 700
    page.set_viewport_size({"width": 390, "height": 844})
    page.click("#open-contents")
    frame(page)
    assert 0 < here.bounding_box()["y"] < 800


@pytest.mark.parametrize(
    ("width", "beside"), [(390, False), (1024, True), (1366, True)]
)
def test_on_this_page(width, beside, book, visit):
    page = visit((book / CHAPTER).as_uri(), width=width, height=768).page
    assert page.locator("nav.here").is_visible() == beside
    fold = page.locator(".here-fold")
    assert fold.is_visible() != beside
    text = page.locator("article p").first.bounding_box()["width"]
    assert text > (300 if width == 390 else 560)
    if not beside:
        title = page.locator("h1").bounding_box()
        assert fold.bounding_box()["y"] > title["y"]
        fold.locator("summary").click()
        fold.locator("a", has_text="What clipping does").click()
        page.wait_for_timeout(800)
        assert "#what-clipping-does" in page.url


@pytest.mark.parametrize("dark", [False, True])
def test_the_first_click_on_the_theme_shows(dark, book, visit):
    page = visit((book / CHAPTER).as_uri(), dark=dark).page
    paper = "getComputedStyle(document.body).backgroundColor"
    before = page.evaluate(paper)
    page.click("#theme")
    assert page.evaluate(paper) != before
    page.click("#theme")
    page.click("#theme")
    assert page.evaluate(paper) == before
    assert page.get_attribute("html", "data-theme") == "auto"


def test_chapters_lead_to_chapters(book):
    """And the last one to the pages after them, not to a plan for teachers."""
    files = sorted(path.name for path in (book / "chapters").glob("*.html"))
    for name, after in zip(files, [*files[1:], None], strict=True):
        text = (book / "chapters" / name).read_text()
        link = re.search(r'<a class="after" href="([^"]*)"', text)[1]
        assert link == after if after else "teach" not in link


def test_what_was_verified_is_one_line(book, visit):
    page = visit((book / CHAPTER).as_uri()).page
    folded = page.locator(".dpt-verified")
    assert folded.bounding_box()["height"] < 60
    said = folded.locator("summary").inner_text()
    folded.locator("summary").click()
    assert int(re.match(r"\d+", said)[0]) == folded.locator("li").count()


def test_the_bibtex_is_copied_too(book, visit):
    page = visit((book / CHAPTER).as_uri()).page
    page.evaluate(
        "navigator.clipboard.writeText = (text) => { window.copied = text;"
        " return Promise.resolve() }"
    )
    page.locator("summary", has_text="Cite this page").click()
    page.get_by_role("button", name="Copy the BibTeX").click()
    assert page.evaluate("window.copied").startswith("@book{dpteach")


def test_a_button_pressed_twice_gets_its_own_words_back(book, visit):
    page = visit((book / CHAPTER).as_uri()).page
    page.evaluate("navigator.clipboard.writeText = () => Promise.resolve()")
    page.locator("summary", has_text="Cite this page").click()
    own = "Copy the BibTeX"
    button = page.get_by_role("button", name=own).element_handle()
    for _ in range(2):
        button.click()
        page.wait_for_timeout(100)
    assert button.inner_text() == "Copied"
    page.wait_for_timeout(1600)
    assert button.inner_text() == own


def test_no_output_is_cut(book, visit):
    """What a cell prints goes on below; code itself may scroll."""
    for name in ("06-private-erm", "12-prefix-sums"):
        page = visit((book / f"chapters/{name}.html").as_uri()).page
        cut = page.evaluate(
            """() => [...document.querySelectorAll(".cell_output pre")]
              .filter((e) => e.scrollWidth > e.clientWidth + 1)
              .map((e) => e.textContent.slice(0, 60))"""
        )
        assert cut == []


WIDE = """() => [...document.querySelectorAll(".katex-display")]
  .filter((e) => e.checkVisibility() && e.scrollWidth > e.clientWidth + 1)
  .map((e) => e.textContent.slice(0, 40))"""


@pytest.mark.parametrize("number", [2, 3, 9, 13, 17, 20, 21])
def test_formulas_are_whole_where_there_is_room(number, book, visit):
    (path,) = book.glob(f"chapters/{number:02}-*.html")
    page = visit(path.as_uri()).page
    assert page.locator(".on-board").first.is_visible()
    assert not page.locator(".on-phone").first.is_visible()
    assert page.evaluate(WIDE) == []
    page.set_viewport_size({"width": 390, "height": 844})
    frame(page)
    assert page.locator(".on-phone").first.is_visible()
    assert not page.locator(".on-board").first.is_visible()


def test_a_page_is_described_by_its_first_sentences_up_to_a_formula(book):
    """A first paragraph with a formula used to be passed over for any later one."""
    for name, first in (
        (
            "chapters/03-composition",
            "One noisy step costs little. But a run has thousands, and next month you",
        ),
        ("book/lecture-14", "Lecture 14 of Adam Smith’s course "),
    ):
        head = (book / f"{name}.html").read_text().partition("</head>")[0]
        assert f'name="description" content="{first}' in head
