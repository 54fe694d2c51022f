"""The small book, which holds everything a page can hold, used as readers use it."""

import json
import random
import re
import zipfile

import pytest

from tests.book import figures_of, small  # first: it finds the tools

import offline  # isort: skip

from axe_playwright_python.base import AXE_SCRIPT

from tests import axe
from tests.axe import complaints
from tests.book.test_pages import shifted, too_wide
from tests.browser import frame, put

pytestmark = pytest.mark.browser
PAGE = "chapters/09-dp-sgd.html"
OPEN = "for (const e of document.querySelectorAll('details')) e.open = true"

FAULTS = """document.querySelector("article").insertAdjacentHTML("beforeend",
  '<img src="x.png"><p style="color:#ccc">pale</p>')"""


@pytest.fixture(scope="module")
def address(gallery, site):
    return f"{site(gallery)}/{PAGE}"


@pytest.fixture(scope="module")
def explorer():
    (found,) = figures_of.source(small.FIGURE)
    return found


def awake(page):
    """Wait until the figure can be moved."""
    page.locator("#growth").scroll_into_view_if_needed()
    page.wait_for_selector("#growth fieldset:not([disabled])")
    return page


def test_axe_finds_nothing_with_everything_open(address, visit):
    page = awake(visit(address).page)
    page.evaluate(OPEN)
    assert complaints(page) == []
    page.emulate_media(color_scheme="dark")
    assert complaints(page) == []


def test_axe_has_power(address, visit):
    page = visit(address).page
    page.evaluate(FAULTS)
    found = " ".join(complaints(page))
    assert "image-alt" in found
    assert "color-contrast" in found


def test_axe_sees_what_is_pale_in_the_dark_alone(address, visit):
    page = visit(address).page
    page.add_style_tag(content="@media (prefers-color-scheme: dark) {"
                       " main p { color: #345 } }")  # fmt: skip
    assert complaints(page, "color-contrast") == []
    page.emulate_media(color_scheme="dark")
    assert "color-contrast" in " ".join(complaints(page, "color-contrast"))


@pytest.mark.thorough
def test_axe_made_fast_says_what_axe_says(address, visit):
    """Each answer of each rule, with each color and ratio, faults among them."""
    page = awake(visit(address).page)
    page.evaluate(OPEN)
    page.evaluate(FAULTS)
    page.wait_for_load_state("networkidle")  # fonts change the sizes that axe tells
    said = []
    for script in (AXE_SCRIPT, axe.FAST):
        page.evaluate(script)
        kinds = ("violations", "passes", "incomplete", "inapplicable")
        said.append(axe.found(page, kinds=kinds))
    assert said[0] == said[1]
    assert len(json.dumps(said[0])) > 100_000


@pytest.mark.parametrize(
    ("scheme", "color"),
    [("light", "#ccc"), pytest.param("dark", "#345", marks=pytest.mark.thorough)],
)
def test_words_of_one_look_have_the_contrast_that_axe_finds(
    scheme, color, address, visit
):
    """Each pair of colors at each size that axe meets anywhere, faults among them."""
    page = awake(visit(address).page)
    page.emulate_media(color_scheme=scheme)
    page.evaluate(OPEN)
    page.evaluate(FAULTS.replace("#ccc", color))
    page.wait_for_load_state("networkidle")

    def measured():
        said = axe.found(page, "color-contrast", kinds=("violations", "passes"))
        data = [each["any"][0]["data"] for rule in said for each in rule["nodes"]]
        return {
            (each["fgColor"], each["bgColor"], each["fontSize"], each["contrastRatio"])
            for each in data
        }

    everywhere = measured()
    assert len(everywhere) > 5
    axe.ask_once_a_look(page)
    page.emulate_media(color_scheme=scheme)
    assert measured() == everywhere
    said = " ".join(complaints(page))
    assert "color-contrast" in said
    assert "image-alt" in said


def test_the_policy_has_power(address, visit):
    """An inline script and a request elsewhere are refused, and are seen."""
    seen = visit(address)
    seen.page.evaluate(
        """() => {
          const script = document.createElement("script");
          script.textContent = "window.broken = 1";
          document.body.append(script);
          new Image().src = "https://elsewhere.example/x.png";
        }"""
    )
    seen.page.wait_for_timeout(200)
    assert seen.page.evaluate("window.broken") is None
    assert any("Content Security Policy" in error for error in seen.errors)


def test_sliders_by_keyboard_to_both_ends(address, visit):
    seen = visit(address)
    page = awake(seen.page)
    for slider in page.locator("#growth input[type=range]").all():
        last = slider.get_attribute("max")
        slider.focus()
        for key, stop in (("End", last), ("Home", "0"), ("ArrowRight", "1")):
            page.keyboard.press(key)
            frame(page)
            assert slider.input_value() == stop
            shown = slider.locator("xpath=..").locator("output").inner_text()
            assert slider.get_attribute("aria-valuetext") == shown
    assert seen.errors == []


def test_sliders_by_mouse_to_both_ends(address, visit):
    page = awake(visit(address).page)
    path = page.locator("#growth path[id='growth-wide-1-0']")
    slider = page.locator("#growth input[type=range]").first
    box, before = slider.bounding_box(), path.get_attribute("d")
    y = box["y"] + box["height"] / 2
    for x, stop in ((box["width"] - 3, slider.get_attribute("max")), (3, "0")):
        page.mouse.move(box["x"] + box["width"] / 2, y)
        page.mouse.down()
        page.mouse.move(box["x"] + x, y, steps=4)
        page.mouse.up()
        frame(page)
        assert slider.input_value() == stop
        assert path.get_attribute("d") != before


def test_the_page_equals_python_at_random_states(address, visit, explorer):
    """Each path and each sentence, in five states drawn with a fixed seed."""
    page = awake(visit(address).page)
    states = explorer.states
    for state in random.Random(8).sample(range(len(states.values)), 5):
        for k, key in enumerate(states.keys):
            if key not in states.order[:1]:
                put(page, explorer.identity, key, states.positions[state][k])
        frame(page)
        assert figures_of.differences(page, explorer, state) == []


def test_the_comparison_has_power(address, visit, explorer):
    page = awake(visit(address).page)
    start = explorer.states.start
    assert figures_of.differences(page, explorer, start) == []
    assert figures_of.differences(page, explorer, start + 1) != []


def test_figure_proof_and_formula_without_a_script(address, visit):
    page = visit(address, java_script_enabled=False).page
    assert page.locator("#growth .dpt-wide").is_visible()
    assert not page.locator("#growth fieldset").is_visible()
    assert page.locator(".katex-display").is_visible()
    step = page.get_by_text("One step.")
    assert not step.is_visible()
    page.locator("summary", has_text="Proof").click()
    assert step.is_visible()
    page.locator("summary", has_text="A longer way").click()
    assert page.get_by_text("Look at the norm.").is_visible()
    for button in page.locator("button").all():
        assert not button.is_visible() or button.get_attribute("popovertarget")


def test_what_scrolls_in_a_fold_is_a_tab_stop_once_it_is_open(address, visit):
    """A closed fold is not laid out only to ask, which made a phone wait."""
    page = awake(visit(address, width=360, height=740).page)
    page.evaluate(
        "document.querySelector('article').insertAdjacentHTML('beforeend', "
        "`<details id=fold><summary>More</summary><pre>${'wide '.repeat(99)}</pre>"
        "</details>`)"
    )
    page.evaluate("dispatchEvent(new Event('resize'))")
    code = page.locator("#fold pre")
    assert code.get_attribute("tabindex") is None
    page.locator("#fold summary").click()
    code.and_(page.locator("[tabindex='0']")).wait_for(state="attached")


def test_a_narrow_page_does_not_scroll_sideways(address, visit):
    page = awake(visit(address, width=360, height=740).page)
    page.evaluate(OPEN)
    assert too_wide(page) == []
    wide = page.locator(".katex-display").first
    assert wide.evaluate("e => e.scrollWidth > e.clientWidth")  # it scrolls by itself
    assert wide.get_attribute("tabindex") == "0"
    page.set_viewport_size({"width": 340, "height": 740})
    page.evaluate("document.querySelector('article').insertAdjacentHTML('beforeend', "
                  "'<div style=\"width:900px\">wide</div>')")  # fmt: skip
    assert too_wide(page) != []  # power


@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_shifts(width, address, visit):
    page = visit(address, width=width).page
    page.wait_for_load_state("networkidle")
    for _ in range(6):
        page.mouse.wheel(0, 500)
        page.wait_for_timeout(60)
    assert shifted(page) < 0.01


def test_from_disk_figures_move_and_search_finds(gallery, visit):
    seen = visit((gallery / PAGE).as_uri())
    awake(seen.page)
    assert seen.errors == []
    seen = visit((gallery / "search.html").as_uri() + "?q=noise")
    seen.page.wait_for_selector("#search-results li")
    assert "DP-SGD" in seen.page.inner_text("#search-results")
    assert seen.errors == []


def test_a_dark_page_is_never_painted_light(address, visit):
    """The reader's choice is on the page before its style sheet is applied."""
    seen = visit(address)
    page = seen.page
    assert page.get_attribute("html", "data-theme") == "auto"
    page.click("#theme")
    assert page.get_attribute("html", "data-theme") == "dark"
    page.add_init_script(
        "new MutationObserver(() => { if (document.body)"
        " window.first ??= document.documentElement.dataset.theme })"
        ".observe(document, { childList: true, subtree: true })"
    )
    page.reload()
    assert page.evaluate("window.first") == "dark"
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert sum(map(int, re.findall(r"\d+", paper)[:3])) < 200


def test_links_show_what_they_lead_to(address, visit):
    seen = visit(address)
    page = seen.page
    for link, words in (
        ("theorem-private", "-private"),
        ("term-release", "What an algorithm publishes"),
        ("e-19", "Witness"),
        ("eq-noise", "ln"),
    ):
        page.locator(f"main a[href*='{link}']").first.hover()
        card = page.locator(".preview:popover-open")
        card.wait_for()
        assert words in card.inner_text().replace("\n", ""), link
        page.keyboard.press("Escape")
        assert page.locator(".preview:popover-open").count() == 0
    page.locator("main a[href*='term-release']").first.focus()  # by keyboard too
    page.locator(".preview:popover-open").wait_for()
    assert complaints(page) == []
    assert seen.errors == []


def test_the_first_tap_shows_and_the_second_follows(address, visit):
    page = visit(address, width=390, height=800, has_touch=True).page
    link = page.locator("main a[href*='term-release']").first
    link.tap()
    page.locator(".preview:popover-open").wait_for()
    assert page.url == address
    link.tap()
    page.wait_for_url("**/glossary.html#term-release")


def test_formulas_tell_their_symbols(address, visit):
    page = visit(address).page
    page.locator("main [data-symbols~=noise_multiplier] .katex-html").first.hover()
    card = page.locator(".preview:popover-open")
    card.wait_for()
    assert "noise multiplier" in card.inner_text()
    assert "Lecture 14" in card.inner_text()  # its name in each source


LOOSE = """() => {
  const article = document.querySelector("article");
  const found = new Set();
  for (let width = 120; width < 480; width += 1) {
    article.style.width = `${width}px`;
    const words = document.createTreeWalker(article, NodeFilter.SHOW_TEXT);
    while (words.nextNode()) {
      const { data, previousSibling: before } = words.currentNode;
      if (!/^[.,;:)]/.test(data) || !before?.matches?.(".math")) continue;
      const range = document.createRange();
      range.setStart(words.currentNode, 0);
      range.setEnd(words.currentNode, 1);
      const last = [...before.getClientRects()].pop();
      const { top } = range.getBoundingClientRect();
      if (top > last.bottom) found.add(before.textContent);
    }
  }
  return [...found];
}"""


def test_no_line_begins_with_a_full_stop(address, visit):
    """What touches a formula stays with it. Power: untied, some does not."""
    page = awake(visit(address).page)
    page.evaluate(OPEN)
    assert page.evaluate(LOOSE) == []
    page.evaluate(
        """() => document.head.append(Object.assign(document.createElement("style"),
          { textContent: ".tied { white-space: normal !important }" }))"""
    )
    assert page.evaluate(LOOSE)


def test_the_contents_open_on_a_phone_without_a_script(address, visit):
    page = visit(address, width=390, java_script_enabled=False).page
    assert not page.locator("#contents").is_visible()
    page.click("#open-contents")
    assert page.locator("#contents").is_visible()
    page.locator("#contents a", has_text="Glossary").click()
    page.wait_for_url("**/glossary.html")


def test_print_opens_what_is_folded_and_shows_no_frame(address, visit):
    page = awake(visit(address, held=True).page)
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.get_by_text("One step.").is_visible()
    assert not page.locator(".bar").is_visible()
    assert not page.locator("#contents").is_visible()
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator("details[open]").count() == 0


def test_a_page_can_be_cited(address, visit):
    page = visit(address).page
    page.locator("summary", has_text="Cite this page").click()
    assert "DP-SGD" in page.inner_text("#citation")
    assert "version 0" in page.inner_text("#citation")
    assert "@book{dpteach" in page.inner_text(".cite pre")


def test_the_offline_copy_is_whole(gallery, tmp_path, visit):
    """Unpacked somewhere else, it reads and moves from disk."""
    made = offline.pack(gallery, tmp_path / "book.zip")
    with zipfile.ZipFile(made) as archive:
        archive.extractall(tmp_path)
    seen = visit((tmp_path / "private-optimization" / "index.html").as_uri())
    seen.page.wait_for_url("**/book/index.html")
    seen.page.click("a.go")
    awake(seen.page)
    assert seen.errors == []
    assert seen.third_party == []
