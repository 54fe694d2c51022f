"""The tracing game in its chapter: ten guesses, by hand and by keyboard."""

import pytest

from tests.browser import frame

pytestmark = pytest.mark.browser


@pytest.fixture
def chapter(book):
    return (book / "chapters" / "18-limits.html").as_uri()


@pytest.mark.parametrize(("width", "height"), [(1366, 768), (390, 844)])
def test_ten_guesses_on_one_screen(chapter, visit, width, height):
    seen = visit(chapter, width=width, height=height)
    page = seen.page
    page.wait_for_selector(".game [data-guess=ann]:enabled")
    bar = page.locator(".bar").bounding_box()["height"]
    assert page.locator(".game").bounding_box()["height"] < height - bar
    bars = page.get_attribute(".game path.left", "d")
    page.focus("[data-guess=ann]")
    for _ in range(10):
        page.keyboard.press("Enter")
    right = page.locator(".tally .right").count()
    assert right + page.locator(".tally .wrong").count() == 10
    assert f"You: {right} of 10. Best" in page.inner_text(".game [role=status]")
    assert page.evaluate("document.activeElement.textContent") == "Play again"
    page.locator("#tracing-p").press("End")
    frame(page)
    assert page.get_attribute(".game path.left", "d") != bars
    assert "p\u00a0=\u00a0100 signs" in page.inner_text(".told")
    assert "96.2%" in page.inner_text(".told")
    assert seen.errors == []


def test_without_a_script_the_best_scores_are_read(chapter, visit):
    page = visit(chapter, java_script_enabled=False).page
    page.evaluate(
        "document.querySelectorAll('details').forEach(e => { e.open = true })"
    )
    cells = page.locator(".unplayed td").all_inner_texts()
    assert cells == ["6.4", "7.9", "8.7", "9.6"]
    assert not page.locator(".game button").first.is_visible()
