"""A figure in hand on a page: it moves without a table, as Python would draw it."""

import random
import shutil

import pytest

from dpteach.chapters.composition import prices
from dpteach.chapters.guessing_game import thresholds
from dpteach.chapters.machines import cards
from dpteach.figures import _page as page
from tests.book.figures_of import same
from tests.browser import browser, frame, site, visit
from tests.figures.test_page import drawn, ready, shown, slider, until

__all__ = ["browser", "site", "visit"]
pytestmark = pytest.mark.browser
TEST, DRIFT = thresholds.threshold_test.explorer, prices.drift.explorer
TIED = cards.label.explorer
FIGURES = [TEST, DRIFT, TIED]


@pytest.fixture(scope="module")
def address(tmp_path_factory, site):
    folder = tmp_path_factory.mktemp("in-hand")
    shutil.copytree(page.STATIC, folder / "static")
    for figure in FIGURES:
        body = figure.page(folder / "static" / "figures")
        (folder / f"{figure.identity}.html").write_text(page.standalone(body))
    return site(folder)


def assert_same(tab, figure, state, layout):
    """Compare a page with Python; ``figures_of.same`` says how exactly."""
    seen, wanted = shown(tab, figure), drawn(figure, state, layout)
    paths = zip(seen.pop("paths"), wanted.pop("paths"), strict=True)
    assert seen == wanted
    assert [pair for pair in paths if not same(*pair, figure)] == []


@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: figure.identity)
@pytest.mark.parametrize(("layout", "width"), [("wide", 1000), ("narrow", 360)])
def test_every_sentence_is_pythons_and_every_place_to_a_tenth(
    figure, layout, width, address, visit
):
    """After each of ten moves: paths, sentences, values and places of the sliders."""
    seen = visit(f"{address}/{figure.identity}.html", width=width)
    tab, states = ready(seen, figure.identity), figure.states
    rng, state, recent = random.Random(3), states.start, list(states.order)
    assert_same(tab, figure, state, layout)
    for _ in range(10):
        key = rng.choice(states.keys)
        to = rng.randrange(len(states.stops[key]))
        tab.locator(f"#{figure.identity}-{key}").evaluate(
            "(input, to) => { input.value = to;"
            " input.dispatchEvent(new Event('input', { bubbles: true })) }",
            to,
        )
        frame(tab)
        state = states.move(state, key, to, recent)
        recent = [name for name in recent if name != key] + [key] * (key in recent)
        assert_same(tab, figure, state, layout)
    assert seen.errors == []
    assert seen.third_party == []


def test_the_page_and_python_differ_where_states_differ(address, visit):
    """Power: the next stop is drawn otherwise."""
    tab = ready(visit(f"{address}/threshold-test.html"), TEST.identity)
    start = TEST.states.start
    with pytest.raises(AssertionError):
        assert_same(tab, TEST, start + 1, "wide")


def test_a_link_reaches_a_value_between_the_old_stops(address, visit):
    link = "threshold-test?epsilon=2.35&noise=Laplace&threshold=1.15"
    tab = ready(visit(f"{address}/threshold-test.html#{link}"), TEST.identity)
    until(tab, "document.querySelector('#threshold-test-epsilon').value == 41")
    values = tab.locator("output, input:checked + span").all_inner_texts()
    assert values == ["2.35", "Laplace", "1.15"]
    assert tab.locator(".dpt-note").count() == 0
    slider(tab, "threshold", TEST.identity).press("ArrowRight")
    until(tab, "location.hash.endsWith('threshold=1.2')")


def test_a_point_is_dragged_through_more_than_forty_places(address, visit):
    """Each move of the hand is followed, so the sentence is never behind."""
    tab = ready(visit(f"{address}/threshold-test.html", width=1000), TEST.identity)
    ring = tab.locator("svg.dpt-wide .dpt-ring").first
    box = ring.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    tab.mouse.move(x, y)
    tab.mouse.down()
    seen = set()
    for k in range(60):
        tab.mouse.move(x + k, y)
        frame(tab)
        seen.add(tab.locator("#threshold-test output").last.inner_text())
    tab.mouse.up()
    assert len(seen) > 40


def test_whichever_of_tied_sliders_is_moved_the_picture_follows_at_once(address, visit):
    """From event to the frame after it, in half of 40 moves, on a busy machine too."""
    tab = ready(visit(f"{address}/privacy-label.html"), TIED.identity)
    took = tab.evaluate(
        """async () => {
          const took = [];
          for (let k = 0; k < 40; k += 1) {
            const key = ["epsilon", "noise_multiplier", "steps"][k % 3];
            const input = document.getElementById(`privacy-label-${key}`);
            input.value = (17 * k) % (+input.max + 1);
            const begun = performance.now();
            input.dispatchEvent(new Event("input", { bubbles: true }));
            await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
            took.push(performance.now() - begun);
          }
          return took;
        }"""
    )
    assert sorted(took)[20] < 50


def test_a_process_in_hand_plays(address, visit):
    tab = ready(visit(f"{address}/drift.html"), DRIFT.identity)
    slider(tab, "steps", DRIFT.identity).press("Home")
    tab.click(".dpt-play")
    until(tab, "+document.querySelector('#drift-steps').value > 5")
    tab.click(".dpt-play")
