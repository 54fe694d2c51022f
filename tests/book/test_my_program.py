"""The page on which a reader's own program grows, used as readers use it."""

import pytest

from dpteach.chapters.program.my_dp import borrowed
from dpteach.chapters.program.parts import HEAD, PARTS
from tests.axe import complaints
from tests.book.test_pages import too_wide
from tests.book.test_writing import Place
from tests.chapters.test_program import TINY
from tests.public import ROOT

pytestmark = pytest.mark.browser
PAGE = "book/my-program.html"
OWN = "import numpy as np\n\n\ndef tree_prefix_sums(x, sigma, rng):\n    return x\n"


@pytest.fixture(scope="module")
def address(book, site):
    return f"{site(book)}/{PAGE}"


def kept(page):
    return page.evaluate("localStorage.getItem('write:my_dp')")


def test_a_program_grows_is_kept_and_is_taken_away(address, visit):
    seen = visit(address, width=390)
    page = seen.page
    page.evaluate(
        "own => { localStorage.setItem('write:tree_prefix_sums', own);"
        "localStorage.setItem('passed:tree_prefix_sums', 'yes'); }",
        OWN,
    )
    place = Place(page, "my_dp").open()
    press = lambda words: place.here.get_by_role("button", name=words).click()  # noqa: E731
    text = HEAD
    for part in PARTS:
        if part.name == "tree_noise":  # the reader's own answer comes along
            press("Add your tree_prefix_sums")
            more = (
                f"{OWN.removeprefix('import numpy as np').strip()}\n\n\n{part.joined}"
            )
        elif part.name == "clip":
            press("Add clip")
            more = part.starter
        else:
            press(f"Take the book’s {part.name}")
            more = borrowed(part)
        text = f"{text.rstrip()}\n\n\n{more}"
        assert kept(page) == text
    assert place.here.get_by_role("button", name="Take").count() == 0
    assert complaints(page, within="[data-write=my_dp]") == []
    assert too_wide(page) == []
    page.reload()
    place = Place(page, "my_dp").open()
    with page.expect_download() as taken:
        place.here.get_by_role("button", name="Download my_dp.py").click()
    assert taken.value.suggested_filename == "my_dp.py"
    assert taken.value.path().read_text("utf-8") == text
    assert seen.errors == []


@pytest.mark.slow
def test_the_page_names_the_part_and_passes_the_whole(address, visit):
    seen = visit(address)
    place = Place(seen.page, "my_dp").open()
    assert "no function clip" in place.check()
    said = place.check(TINY.replace("eta / q * (total", "eta * (total"))
    assert "my_dp: not yet, 2 of 9 checks" in said
    assert "too small by 1/q" in said
    assert "my_dp: passed, 9 of 9 checks" in place.check(TINY)
    assert seen.errors == []


def test_the_page_lists_every_part_with_its_chapter(book):
    html = (book / PAGE).read_text("utf-8")
    for part in PARTS:
        assert f'<code class="docutils literal notranslate">{part.name}</code>' in (
            html.replace('<span class="pre">', "").replace("</span>", "")
        )
        assert f"{part.chapter.removeprefix('chapters/')}.html" in html
    assert (ROOT / "book/my-program.md").read_text("utf-8").count("{program-parts}") == 1
