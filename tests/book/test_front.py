"""The front page: a figure in the first screen, which moves by itself once."""

import pytest

pytestmark = pytest.mark.browser


def watch(page, seconds: float) -> set[str]:
    """Return the values that the first slider shows within a time."""
    slider, seen = page.locator("figure.dpt input[type=range]").first, set()
    for _ in range(int(seconds * 10)):
        seen.add(slider.input_value())
        page.wait_for_timeout(100)
    return seen


def test_the_figure_of_the_first_screen_moves_once_and_rests(book, visit):
    seen = visit((book / "book" / "index.html").as_uri(), height=900)
    page = seen.page
    assert page.locator("figure.dpt").first.bounding_box()["y"] < 500
    slider = page.locator("figure.dpt input[type=range]").first
    start = slider.get_attribute("value")
    assert len(watch(page, 6)) > 3
    assert watch(page, 1) == {start}
    assert "#" not in page.url  # a visit is no place in the figure
    assert seen.errors == []


def test_a_reader_who_wants_no_motion_gets_none(book, visit):
    url = (book / "book" / "index.html").as_uri()
    page = visit(url, height=900, reduced_motion="reduce").page
    page.wait_for_selector("figure.dpt fieldset:not([disabled])")
    assert len(watch(page, 2)) == 1


def test_a_hand_on_the_figure_stops_it(book, visit):
    page = visit((book / "book" / "index.html").as_uri(), height=900).page
    page.wait_for_selector("figure.dpt fieldset:not([disabled])")
    slider = page.locator("figure.dpt input[type=range]").first
    slider.focus()
    page.keyboard.press("End")
    page.wait_for_timeout(100)
    assert watch(page, 2) == {slider.get_attribute("max")}
