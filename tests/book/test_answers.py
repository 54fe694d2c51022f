"""The words after a question are folded until it is answered, and no picture is."""

import pytest
from bs4 import BeautifulSoup

from tests.axe import complaints
from tests.browser import frame

pytestmark = pytest.mark.browser
PAGE = "chapters/09-dp-sgd.html"
FOLD = "details.dpt-held"
THEOREM = "#theorem-held"


@pytest.fixture(scope="module")
def address(gallery, site):
    return f"{site(gallery)}/{PAGE}"


def shut(page):
    """Return, for each fold of the page, whether it is shut."""
    return page.locator(FOLD).evaluate_all("all => all.map((each) => !each.open)")


def test_a_choice_opens_what_follows_and_is_remembered(address, visit):
    seen = visit(address, held=True)
    page = seen.page
    assert shut(page) == [True, True]  # the last question of a section holds nothing
    assert not page.locator(THEOREM).is_visible()
    assert page.locator(f"{FOLD} > summary").first.inner_text() == (
        "The answer, once you have made your guess"
    )
    page.locator("#quiz-steps input").last.check()  # wrong, and committed all the same
    page.locator("#quiz-steps .dpt-check").click()
    assert shut(page) == [False, True]
    assert page.locator(THEOREM).is_visible()
    page.locator("#quiz-again .dpt-skip").click()
    assert shut(page) == [False, False]
    page.reload()
    assert shut(page) == [False, False]
    assert page.locator("#quiz-steps input").last.is_checked()
    assert page.locator("#quiz-again .dpt-verdict").inner_text() == "Skipped."
    assert seen.errors == []


def test_the_fold_asks_for_a_choice(address, visit):
    """By mouse and by keyboard; an answered one folds and unfolds freely."""
    page = visit(address, held=True).page
    fold = page.locator(f"{FOLD} > summary").first
    for ask in (fold.click, lambda: fold.press("Enter")):
        ask()
        assert shut(page)[0]
        assert "or skip" in page.locator("#quiz-steps .dpt-verdict").inner_text()
        assert page.evaluate("document.activeElement.name") == "quiz-steps"
    page.keyboard.press("Space")
    page.locator("#quiz-steps .dpt-check").press("Enter")
    page.locator("#quiz-steps input").last.check()
    page.locator("#quiz-steps .dpt-check").press("Enter")
    assert not shut(page)[0]
    fold.click()
    assert shut(page)[0]
    fold.click()
    assert not shut(page)[0]


def test_a_figure_after_a_question_stands_open(address, visit):
    page = visit(address, held=True).page
    assert page.locator(f"{FOLD} figure.dpt").count() == 0
    figure = page.locator("figure#held")
    figure.scroll_into_view_if_needed()
    figure.locator("fieldset:not([disabled])").wait_for()
    assert shut(page) == [True, True]
    slider = figure.locator("input[type=range]").first
    before = figure.locator("output").first.inner_text()
    slider.press("End")
    slider.press("End")
    frame(page)
    assert figure.locator("output").first.inner_text() != before
    assert figure.locator(".dpt-wide").first.bounding_box()["height"] > 100


def hidden_figures(page):
    """Name the figures of a page that a fold hides when it opens."""
    soup = BeautifulSoup(page, "html.parser")
    return [each["id"] for each in soup.select("details:not([open]) figure.dpt[id]")]


def test_no_figure_of_the_book_is_hidden_when_its_page_opens(book):
    """A figure that answers a question masks the answer; it is there all the same."""
    asking = 0
    for path in sorted((book / "chapters").glob("*.html")):
        page = path.read_text("utf-8")
        assert hidden_figures(page) == [], path.name
        asking += page.count('class="dpt-ask"')
    assert asking >= 30


def test_a_hidden_figure_is_seen():
    """Power: the test above would find one."""
    figure = '<details class="dpt-held"><figure class="dpt" id="a"></figure></details>'
    assert hidden_figures(figure) == ["a"]


def test_links_lead_into_a_fold(address, visit):
    """From elsewhere and from the page itself."""
    page = visit(f"{address}{THEOREM}", held=True).page
    assert shut(page) == [False, True]
    assert 0 <= page.locator(THEOREM).bounding_box()["y"] < 400
    page = visit(address, held=True).page
    page.evaluate(f"location.hash = '{THEOREM}'")
    frame(page)
    assert shut(page) == [False, True]


def test_a_search_finds_what_is_folded(address, visit):
    """The browser searches a fold of its own, and opens it; here by a link to words."""
    page = visit(f"{address}#:~:text=Again%20twice", held=True).page
    page.get_by_text("Again twice.", exact=True).wait_for()
    assert shut(page) == [True, False]
    assert page.locator(f"[hidden] {THEOREM}, [aria-hidden] {THEOREM}").count() == 0


def test_without_a_script_it_is_a_fold_like_any_other(address, visit):
    page = visit(address, held=True, java_script_enabled=False).page
    assert not page.locator(THEOREM).is_visible()
    page.locator(f"{FOLD} > summary").first.click()
    assert page.locator(THEOREM).is_visible()
    assert not page.locator("#answers").is_visible()


def test_the_setting_shows_all_answers_and_is_kept(address, visit):
    page = visit(address, held=True).page
    page.get_by_label("Always show answers").check()
    assert shut(page) == [False, False]
    page.reload()
    assert shut(page) == [False, False]
    assert page.get_by_label("Always show answers").is_checked()
    assert not page.locator(f"{FOLD} > summary").first.is_visible()
    page.get_by_label("Always show answers").uncheck()
    assert shut(page) == [True, True]
    page.reload()
    assert shut(page) == [True, True]


def test_print_shows_what_is_held_and_no_fold(address, visit):
    page = visit(address, held=True).page
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator(THEOREM).is_visible()
    assert not page.locator(f"{FOLD} > summary").first.is_visible()
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert shut(page) == [True, True]


@pytest.mark.parametrize("width", [390, 1366])
def test_nothing_moves_when_answers_come_back(width, address, visit):
    """An answer of an earlier visit is there from the first paint on."""
    page = visit(address, held=True, width=width, height=768).page
    for skip in page.locator(".dpt-skip").all():
        skip.click()
    page.reload()
    page.wait_for_load_state("networkidle")
    shift = page.evaluate(
        """() => new Promise((done) => {
          let total = 0;
          new PerformanceObserver((list) => {
            for (const each of list.getEntries()) total += each.value;
          }).observe({ type: "layout-shift", buffered: true });
          setTimeout(() => done(total), 100);
        })"""
    )
    assert shift < 0.02
    assert shut(page) == [False, False]


@pytest.mark.parametrize("dark", [False, True])
def test_everybody_can_use_the_folds(dark, address, visit):
    page = visit(address, held=True, width=390, dark=dark).page
    assert complaints(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.locator("#quiz-steps .dpt-skip").click()
    assert complaints(page) == []
