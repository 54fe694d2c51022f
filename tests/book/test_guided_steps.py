"""A walk: steps pass below a picture that stays, and each sets the figure."""

import pytest
from docutils import nodes
from dpteach_book.guided_steps import steps_after
from sphinx.errors import ExtensionError

from tests.browser import frame

FIGURE = "#five-accountants"
STEPS = f"{FIGURE} .dpt-walk > li"
HASH = "location.hash"


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


def bring(page, selector, share):
    """Scroll until the top of an element lies at a share of the screen's height."""
    page.locator(selector).evaluate(
        "(e, share) => scrollBy({ behavior: 'instant',"
        " top: e.getBoundingClientRect().top - share * innerHeight })",
        share,
    )
    frame(page)
    page.wait_for_timeout(100)


def asked(page):
    """Return how many accountants the figure shows."""
    return int(page.locator(f"{FIGURE}-accountants").input_value()) + 1


def above(page):
    """Return where the picture lies: its top and bottom, and the bar's bottom."""
    return page.evaluate(
        f"""() => {{
          const at = document.querySelector("{FIGURE} .dpt-picture");
          const {{ top, bottom }} = at.getBoundingClientRect();
          const bar = document.querySelector(".bar").getBoundingClientRect().bottom;
          return [top, bottom, bar];
        }}"""
    )


PHONE = {"width": 390, "height": 844, "has_touch": True, "is_mobile": True}


@pytest.mark.browser
@pytest.mark.parametrize("how", [{}, PHONE], ids=["laptop", "phone"])
def test_each_step_sets_the_figure_as_it_passes_below_the_picture(chapter, how):
    page = chapter(**how)
    assert page.locator(STEPS).count() == 5
    curves = [f"{FIGURE}-{side}-4-0" for side in ("wide", "narrow")]
    for k in (1, 2, 3, 4, 5, 4, 2, 1):
        bring(page, f"{STEPS}:nth-child({k})", 0.7)
        assert asked(page) == k
        assert page.locator(f"{STEPS}[data-now]").count() == 1
        assert page.locator(f"{STEPS}:nth-child({k})[data-now]").count() == 1
        top, bottom, bar = above(page)
        assert bar - 1 <= top
        assert bottom < page.viewport_size["height"] * 0.75
        if k == 5:
            shown = page.locator(curves[bool(how)]).get_attribute("d")
    assert page.locator(curves[bool(how)]).get_attribute("d") != shown
    assert page.evaluate(HASH) == ""  # to scroll is not to choose
    bring(page, "#budgets-add-up", 0.2)  # past the figure, in one leap
    assert asked(page) == 5


@pytest.mark.browser
def test_after_the_walk_the_figure_is_the_readers(chapter):
    """Its sliders lie below the picture; what the walk does not set stays as it is."""
    page = chapter()
    bring(page, f"{FIGURE} .dpt-controls", 0.6)
    page.locator(f"{FIGURE}-steps").press("End")
    page.locator(f"{FIGURE}-accountants").press("ArrowLeft")
    frame(page)
    assert asked(page) == 4
    bring(page, f"{STEPS}:nth-child(2)", 0.7)
    assert asked(page) == 2
    assert page.locator(f"{FIGURE}-steps").input_value() == "3"
    said = page.locator(f"{FIGURE} .dpt-said").inner_text()
    assert "10,000 steps" in said.replace("\u00a0", " ")


@pytest.mark.browser
def test_a_link_leads_to_the_sliders_and_its_state_stays(chapter):
    page = chapter("#five-accountants?rate=1&accountants=3")
    page.wait_for_timeout(500)
    assert asked(page) == 3
    top, bottom, bar = above(page)
    controls = page.locator(f"{FIGURE} .dpt-controls").bounding_box()
    assert bar - 1 <= top < bottom <= controls["y"] + 1
    assert controls["y"] + controls["height"] <= 768


@pytest.mark.browser
def test_a_step_is_a_link_for_the_keyboard(chapter):
    page = chapter()
    link = page.locator(f"{STEPS}:nth-child(3) a")
    link.focus()
    frame(page)
    assert link.bounding_box()["y"] >= above(page)[1]  # below the picture, not behind
    page.keyboard.press("Enter")
    page.wait_for_timeout(500)
    assert asked(page) == 3
    assert "accountants=3" in page.evaluate(HASH)


@pytest.mark.browser
@pytest.mark.parametrize(
    "how",
    [{"reduced_motion": "reduce"}, {"java_script_enabled": False}],
    ids=["less motion", "no script"],
)
def test_without_motion_or_script_it_is_a_list_and_the_whole_figure(chapter, how):
    page = chapter(**how)
    texts = page.locator(STEPS).all_inner_texts()
    assert [text.split()[0] for text in texts] == [
        "Basic", "Advanced", "Concentrated", "Rényi", "The",
    ]  # fmt: skip
    page.locator(f"{STEPS}:nth-child(2)").scroll_into_view_if_needed()
    heights = [step.bounding_box()["height"] for step in page.locator(STEPS).all()]
    assert max(heights) < 0.3 * 768
    said = page.locator(f"{FIGURE} .dpt-said").inner_text()
    assert "0.721 (contour)" in said
    place = "e => getComputedStyle(e).position"
    assert page.locator(f"{FIGURE} .dpt-picture").evaluate(place) == "static"


@pytest.mark.browser
def test_paper_has_no_room_between_the_steps(chapter):
    page = chapter()
    page.emulate_media(media="print")
    heights = [step.bounding_box()["height"] for step in page.locator(STEPS).all()]
    assert max(heights) < 0.3 * 768
