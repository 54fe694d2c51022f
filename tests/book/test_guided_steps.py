"""A walk: of the steps below a picture one is seen, that of the figure's state."""

from itertools import pairwise

import pytest
from docutils import nodes
from dpteach_book.guided_steps import steps_after
from sphinx.errors import ExtensionError

from tests.browser import frame

FIGURE = "#five-accountants"
STEPS = f"{FIGURE} .dpt-walk > li"


def cell_and(*after: nodes.Element) -> nodes.Element:
    """Return a cell with what follows it in its section."""
    section = nodes.section("", nodes.container(classes=["tag_walk"]), *after)
    return section[0]


def step(*classes: str) -> nodes.Element:
    link = nodes.reference("", "Basic", refuri="#five?accountants=1", classes=classes)
    return nodes.list_item("", nodes.paragraph("", "", link))


def test_the_steps_are_the_list_after_the_figure():
    steps = nodes.enumerated_list("", step("live"), step("live"))
    assert steps_after(cell_and(steps)) is steps
    with pytest.raises(ExtensionError, match="no numbered list follows"):
        steps_after(cell_and())
    with pytest.raises(ExtensionError, match="no numbered list follows"):
        steps_after(cell_and(nodes.paragraph(), nodes.enumerated_list("", step())))
    with pytest.raises(ExtensionError, match="sets no figure: Basic"):
        steps_after(cell_and(nodes.enumerated_list("", step("live"), step())))


@pytest.fixture
def chapter(book, visit):
    """Return ``chapter(anchor, …)``, which opens chapter 3."""
    address = (book / "chapters/03-composition.html").as_uri()

    def open_chapter(anchor="", **how):
        how = {"width": 1366, "height": 768} | how
        page = visit(address + anchor, **how).page
        if how.get("java_script_enabled", True):
            page.locator(FIGURE).scroll_into_view_if_needed()
            page.locator(f"{FIGURE} fieldset:not([disabled])").wait_for()
        return page

    return open_chapter


def asked(page):
    """Return how many accountants the figure shows."""
    return int(page.locator(f"{FIGURE}-accountants").input_value()) + 1


def seen(page):
    """Return the numbers of the steps that are seen."""
    steps = page.locator(STEPS).all()
    return [k for k, step in enumerate(steps, 1) if step.is_visible()]


def press(page, key, selector=f"{FIGURE}-accountants"):
    page.locator(selector).press(key)
    frame(page)


PHONE = {"width": 390, "height": 844, "has_touch": True, "is_mobile": True}


@pytest.mark.browser
@pytest.mark.parametrize("how", [{}, PHONE], ids=["laptop", "phone"])
def test_one_step_is_seen_and_it_is_the_one_that_the_figure_shows(chapter, how):
    page = chapter(**how)
    assert page.locator(STEPS).count() == 5
    height = page.locator(FIGURE).bounding_box()["height"]
    assert seen(page) == [5]
    press(page, "Home")
    for k in (1, 2, 3, 4, 5):
        assert seen(page) == [asked(page)] == [k]
        assert page.locator(FIGURE).bounding_box()["height"] == height  # nothing jumps
        press(page, "ArrowRight")


@pytest.mark.browser
def test_what_plays_leads_from_step_to_step(chapter):
    page = chapter()
    press(page, "Home")
    page.locator(f"{FIGURE} [data-step='1']").click()
    frame(page)
    assert seen(page) == [2]
    assert "accountants=2" in page.evaluate(
        "new Promise(done => setTimeout(() => done(location.hash), 600))"
    )


@pytest.mark.browser
def test_what_no_step_sets_leaves_the_step(chapter):
    page = chapter()
    press(page, "ArrowLeft")
    press(page, "End", f"{FIGURE}-steps")
    assert seen(page) == [4]
    said = page.locator(f"{FIGURE} .dpt-said").inner_text()
    assert "10,000 steps" in said.replace("\u00a0", " ")


@pytest.mark.browser
def test_a_link_leads_to_its_step(chapter):
    page = chapter("#five-accountants?rate=1&accountants=3")
    page.wait_for_timeout(500)
    assert seen(page) == [asked(page)] == [3]


@pytest.mark.browser
@pytest.mark.parametrize("media", ["print", "no script"])
def test_on_paper_and_without_a_script_it_is_a_list_and_the_whole_figure(
    chapter, media
):
    page = chapter(java_script_enabled=media == "print")
    if media == "print":
        page.emulate_media(media="print")
    assert seen(page) == [1, 2, 3, 4, 5]
    boxes = [step.bounding_box() for step in page.locator(STEPS).all()]
    for one, other in pairwise(boxes):
        assert one["y"] + one["height"] <= other["y"] + 1
    texts = page.locator(STEPS).all_inner_texts()
    assert [text.split()[0] for text in texts] == [
        "Basic", "Advanced", "Concentrated", "Rényi", "The",
    ]  # fmt: skip
    said = page.locator(f"{FIGURE} .dpt-said").inner_text()
    assert "0.721 (contour)" in said
