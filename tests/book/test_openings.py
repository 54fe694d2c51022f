"""A chapter opens with its picture, a hook, its time, and what it needs."""

import pytest
import yaml
from docutils.core import publish_doctree
from dpteach_book import openings
from dpteach_book.tables import load

from tests.chapters.figures import declared, shown
from tests.public import ROOT

SIZES = [(1366, 768), (390, 844)]
SHIFT = """() => new Promise((done) => {
  let total = 0;
  new PerformanceObserver((list) => {
    for (const each of list.getEntries()) total += each.value;
  }).observe({ type: "layout-shift", buffered: true });
  setTimeout(() => done(total), 3000);
})"""


@pytest.fixture
def chapter(gallery, site, visit):
    """Open the small book's chapter."""

    def opened(**how):
        return visit(f"{site(gallery)}/chapters/09-dp-sgd.html", **how)

    return opened


def test_each_chapter_has_a_hook_of_few_words():
    rows = [row for row in load("chapters.yml") if "opens" in row]
    assert len(rows) >= 22
    for row in rows:
        assert 5 <= len(row["hook"].split()) <= 20, row["hook"]
    assert len({row["opens"] for row in rows}) == len(rows)


def test_the_figure_that_opens_a_chapter_is_one_that_it_shows():
    """The build would stop at another, after minutes."""
    for row in load("chapters.yml"):
        name = row["file"].removeprefix("chapters/")
        if "opens" in row and name in shown():
            figures = [declared()[place] for place in shown()[name]]
            assert row["opens"] in [
                each.declaration.get("identity") or each.__name__.replace("_", "-")
                for each in figures
            ], name


def test_minutes_count_words_figures_and_exercises():
    assert openings.minutes(0, 0, 0) == 0
    assert openings.minutes(1800, 0, 0) == 10
    assert openings.minutes(1801, 0, 0) == 15
    assert openings.minutes(1800, 10, 3) == 40


def test_a_list_of_chapters_reads_well():
    assert openings.listed([]) == ""
    assert openings.listed(["1"]) == "chapter 1"
    assert openings.listed(["1", "2"]) == "chapters 1 and 2"
    assert openings.listed(["1", "2", "3"]) == "chapters 1, 2 and 3"


def test_a_star_is_explained_where_there_is_one():
    plain = "First\n=====\n\nText.\n\nSecond ★\n========\n\nText.\n"
    assert openings.STAR in openings.starred(publish_doctree(plain))
    assert openings.starred(publish_doctree(plain.replace(" ★", ""))) == ""


def test_a_star_changes_no_address():
    assert openings.address("A second way ★") == openings.address("A second way")
    config = yaml.safe_load((ROOT / "_config.yml").read_text("utf-8"))
    named = config["sphinx"]["config"]["myst_heading_slug_func"]
    assert named == f"{openings.__name__}.{openings.address.__name__}"


@pytest.mark.browser
@pytest.mark.parametrize(("width", "height"), SIZES)
def test_the_picture_is_in_the_first_screen(width, height, chapter):
    page = chapter(width=width, height=height).page
    picture = page.locator(".opening .dpt-picture").bounding_box()
    assert 0 < picture["y"] < picture["y"] + picture["height"] <= height
    title, hook = page.locator("h1"), page.locator(".opening .hook")
    assert title.bounding_box()["y"] < hook.bounding_box()["y"] < picture["y"]
    aims = page.locator("#the-problem").bounding_box()["y"]
    assert picture["y"] < aims
    assert page.locator("#growth").count() == 1
    assert page.locator('.above a[href="#growth"]').count() == 1


@pytest.mark.browser
def test_it_says_how_long_it_takes_and_what_it_needs(chapter):
    page = chapter().page
    said = page.locator(".opening .time").inner_text()
    assert said == "15 minutes · needs chapters 3 and 6"


@pytest.mark.browser
@pytest.mark.parametrize(("width", "height"), SIZES)
def test_nothing_shifts(width, height, chapter):
    page = chapter(width=width, height=height).page
    assert page.evaluate(SHIFT) < 0.001


@pytest.mark.browser
def test_a_phone_says_in_which_section_one_is(chapter):
    page = chapter(width=390, height=844).page
    assert page.locator(".bar .home").is_visible()
    page.locator("#why-it-is-private").evaluate("e => e.scrollIntoView()")
    page.locator(".bar .at", has_text="9.3 Why it is private").wait_for()  # it glides
    assert not page.locator(".bar .home").is_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    wide = chapter(width=1366).page
    wide.locator("#why-it-is-private").evaluate("e => e.scrollIntoView()")
    wide.locator(".here .now").wait_for()
    assert wide.locator(".bar .home").is_visible()
    assert not wide.locator(".bar .at").is_visible()
