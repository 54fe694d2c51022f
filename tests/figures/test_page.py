"""The page in a browser: keyboard, mouse, touch, deep links, dark, print, no script."""

import random
import re
import shutil
from urllib.parse import parse_qs

import pytest

from dpteach import Slider, explore
from dpteach.chapters.guessing_game import thresholds
from dpteach.chapters.prefix_sums import nodes as tree
from dpteach.figures import _page as page
from dpteach.figures.explore import even
from dpteach.figures.style import write
from tests.axe import complaints
from tests.browser import (
    Visit,
    browser,
    frame,
    put,
    site,
    visit,
)
from tests.figures.sample import sample

__all__ = ["browser", "site", "visit"]
pytestmark = pytest.mark.browser
FAR = '<p style="height: 2200px">A long way down.</p>'
NUMBERS = ("epsilon", "noise_multiplier", "steps")  # relation has words
WORDS = "A chapter has words before its figure, and these stand for them. " * 4


@pytest.fixture(scope="module")
def figure():
    return sample()


@pytest.fixture(scope="module")
def folder(figure, tmp_path_factory):
    folder = tmp_path_factory.mktemp("page")
    shutil.copytree(page.STATIC, folder / "static")
    body = figure.page(folder / "static" / "figures")
    (folder / "index.html").write_text(page.standalone(f"<p>{WORDS}</p>{body}"))
    other = sample("other").page(folder / "static" / "figures")
    (folder / "long.html").write_text(page.standalone(body + FAR + other))
    playing = sample("playing", plays="epsilon").page(folder / "static" / "figures")
    (folder / "playing.html").write_text(page.standalone(playing))
    picking = tree.nodes_of_a_sum.explorer
    picked = picking.page(folder / "static" / "figures")
    (folder / "picking.html").write_text(page.standalone(picked))
    dragged = dragging().page(folder / "static" / "figures")
    (folder / "dragging.html").write_text(page.standalone(dragged))
    (folder / "broken.html").write_text(
        page.standalone(body.replace("everything.js", "nothing.js"))
    )
    (folder / "stale.html").write_text(
        page.standalone(re.sub('data-hash="[^"]*"', 'data-hash="0"', body))
    )
    return folder


def dragging():
    """The figure of a threshold with a table, and a stop at each quarter."""
    fewer = {"epsilon": Slider((1, 3)), "noise": Slider(("Laplace", "normal"))}
    fewer |= {"threshold": Slider(even(-4, 5, 0.25), start=0.5), "in_hand": ""}
    test = thresholds.threshold_test
    return explore(test.experiment, **{**test.declaration, **fewer})


@pytest.fixture(scope="module")
def address(folder, site):
    return f"{site(folder)}/index.html"


def ready(seen, identity="everything"):
    seen.page.wait_for_selector(f"#{identity} fieldset:not([disabled])")
    return seen.page


def until(tab, expression, arg=None):
    """Ask again and again; Playwright's own way needs eval, which the policy bars."""
    for _ in range(100):
        if tab.evaluate(expression, arg):
            return
        tab.wait_for_timeout(50)
    raise AssertionError(expression)


def slider(tab, key, identity="everything"):
    return tab.locator(f"#{identity}-{key}")


def shown(tab, figure):
    """Read the paths, the words and the sliders off the page."""
    return tab.evaluate(
        """id => {
          const figure = document.getElementById(id);
          const say = line => [...line.childNodes].map(node =>
            node.nodeType === 3 ? node.data : `{${node.dataset.key}}`)
            .join("").replaceAll("\u00a0=\u00a0", " = ");
          const paths = layout =>
            [...figure.querySelectorAll(`path[id^=${id}-${layout}]`)]
              .map(path => path.getAttribute("d"));
          const wide = figure.querySelector("svg.dpt-wide").checkVisibility();
          return {
            layout: wide ? "wide" : "narrow",
            paths: paths(wide ? "wide" : "narrow"),
            texts: [...figure.querySelectorAll("[data-text]")].map(say),
            at: [...figure.querySelectorAll("input:not([type=radio]:not(:checked))")]
              .map(input => +input.value),
            values: [...figure.querySelectorAll("output, input:checked + span")]
              .map(value => value.textContent),
          };
        }""",
        figure.identity,
    )


def drawn(figure, state, layout="wide"):
    """Compute the same in Python."""
    marks, states = figure.marks(state), figure.states
    return {
        "layout": layout,
        "paths": figure.pictures[layout].all_paths(marks),
        "texts": list(figure.texts(state)),
        "at": states.positions[state].tolist(),
        "values": [states.text(state, key) for key in states.keys],
    }


def test_the_page_equals_python_along_a_random_walk(figure, address, visit):
    """Every character of every path and sentence, after each of 40 moves of sliders.

    The window is made narrow and wide on the way: what was hidden has caught up.
    """
    seen = visit(address)
    tab = ready(seen)
    rng, states = random.Random(0), figure.states
    state, recent = states.start, list(states.order)
    assert shown(tab, figure) == drawn(figure, state)
    for move in range(40):
        layout = ("wide", "narrow")[move // 10 % 2]
        if move % 10 == 0:
            width = {"wide": 1000, "narrow": 360}[layout]
            tab.set_viewport_size({"width": width, "height": 800})
            frame(tab)
            assert shown(tab, figure) == drawn(figure, state, layout)
        key = rng.choice(states.keys)
        to = rng.randrange(len(states.stops[key]))
        put(tab, "everything", key, to)
        frame(tab)
        state = states.move(state, key, to, recent)
        if key in recent:
            recent.remove(key)
            recent.append(key)
        assert shown(tab, figure) == drawn(figure, state, layout)
    assert not seen.errors


def test_paper_has_both_layouts_as_they_are(figure, address, visit):
    """The printer chooses a layout after the page was told that it will print."""
    seen = visit(address)
    tab = ready(seen)
    key = figure.states.keys[0]
    put(tab, "everything", key, 0)
    frame(tab)
    state = figure.states.move(figure.states.start, key, 0, list(figure.states.order))
    tab.evaluate("dispatchEvent(new Event('beforeprint'))")
    wanted = figure.pictures["narrow"].all_paths(figure.marks(state))
    found = tab.evaluate(
        "id => [...document.querySelectorAll(`path[id^=${id}-narrow]`)]"
        ".map(path => path.getAttribute('d'))",
        figure.identity,
    )
    assert found == wanted


def test_keys_reach_both_ends_of_every_slider(figure, address, visit):
    tab = ready(visit(address))
    for key in NUMBERS:
        last = len(figure.states.stops[key]) - 1
        slider(tab, key).focus()
        for _ in range(last):
            tab.keyboard.press("ArrowLeft")
            frame(tab)
        assert slider(tab, key).input_value() == "0"
        for _ in range(last):
            tab.keyboard.press("ArrowRight")
            frame(tab)
        assert slider(tab, key).input_value() == str(last)
        said = slider(tab, key).get_attribute("aria-valuetext")
        assert said == tab.locator(f'[data-key="{key}"] output').inner_text()


def test_the_mouse_drags_a_slider(address, visit):
    tab = ready(visit(address))
    box = slider(tab, "epsilon").bounding_box()
    middle = box["y"] + box["height"] / 2
    before = tab.locator("#everything-wide-1-0").get_attribute("d")
    tab.mouse.move(box["x"] + box["width"] * 0.35, middle)
    tab.mouse.down()
    tab.mouse.move(box["x"] + box["width"] - 2, middle, steps=6)
    tab.mouse.up()
    frame(tab)
    assert slider(tab, "epsilon").input_value() == "3"
    assert tab.locator("#everything-wide-1-0").get_attribute("d") != before
    assert slider(tab, "steps").input_value() == "1"


def test_a_finger_taps_a_slider_and_scrolls_past_it(address, visit):
    seen = visit(address, width=390, has_touch=True, is_mobile=True)
    tab = ready(seen)
    target = slider(tab, "steps")
    target.scroll_into_view_if_needed()
    box = target.bounding_box()
    assert box["height"] >= 44
    tab.touchscreen.tap(box["x"] + box["width"] - 4, box["y"] + box["height"] / 2)
    frame(tab)
    assert target.input_value() == "2"
    assert target.evaluate("input => getComputedStyle(input).touchAction") == "pan-y"


def test_the_slider_that_follows_is_marked(address, visit):
    tab = ready(visit(address))
    follows = tab.locator("[data-follows]")
    assert follows.get_attribute("data-key") == "noise_multiplier"
    assert "follows" in follows.inner_text()
    put(tab, "everything", "noise_multiplier", 5)
    frame(tab)
    assert follows.get_attribute("data-key") == "epsilon"


@pytest.mark.parametrize(
    ("keys", "position"),
    [
        ("ArrowRight", 2), ("ArrowUp", 2), ("ArrowLeft", 0), ("ArrowDown", 0),
        ("Home", 0), ("End", 2), ("End End ArrowRight", 2), ("Home PageUp", 1),
    ],
)  # fmt: skip
def test_a_number_in_a_sentence_is_moved_by_keyboard(keys, position, address, visit):
    tab = ready(visit(address))
    number = tab.get_by_role("slider", name="steps").and_(tab.locator(".dpt-number"))
    number.focus()
    for key in keys.split():
        tab.keyboard.press(key)
    frame(tab)
    assert slider(tab, "steps").input_value() == str(position)
    text = tab.locator("#everything output[for=everything-steps]").inner_text()
    assert number.inner_text() == text
    assert number.get_attribute("aria-valuenow") == str(position)
    assert number.get_attribute("aria-valuetext") == text
    assert number.evaluate("node => node === document.activeElement")
    put(tab, "everything", "steps", 0)
    frame(tab)
    assert number.get_attribute("aria-valuenow") == "0"


def test_a_number_in_a_sentence_is_dragged_and_tapped(address, visit):
    tab = ready(visit(address))
    number = tab.locator(".dpt-number").first
    number.scroll_into_view_if_needed()
    box = number.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    steps = slider(tab, "steps")
    for far, position in ((-200, "0"), (18, "1"), (3, "2"), (3, "0"), (200, "2")):
        tab.mouse.move(x, y)
        tab.mouse.down()
        tab.mouse.move(x + far, y + 2)  # three pixels are a tap: to the next, or round
        tab.mouse.up()
        frame(tab)
        assert steps.input_value() == position
    tab.mouse.move(x - 100, y)  # no hand on it
    frame(tab)
    assert steps.input_value() == "2"
    tab.mouse.move(x, y)
    tab.mouse.down(button="right")  # the browser's menu
    tab.mouse.move(x - 100, y)
    tab.mouse.up(button="right")
    number.focus()
    tab.keyboard.press("Control+ArrowLeft")  # the browser's own as well
    frame(tab)
    assert steps.input_value() == "2"


def finger(tab, place, across, down):
    """Put a finger on the middle of a place, move it in eight steps, and lift it."""
    box, hand = place.bounding_box(), tab.context.new_cdp_session(tab)
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    steps = [(x + across * k / 8, y + down * k / 8) for k in range(9)]
    for kind, at in zip(["touchStart"] + 8 * ["touchMove"], steps, strict=True):
        point = {"x": at[0], "y": at[1]}
        hand.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [point]})
        frame(tab)
    hand.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    frame(tab)


def at_rest(tab):
    """Wait until what a finger pushed stands still: a tap on a moving page stops it."""
    tab.evaluate(
        """() => new Promise((done) => {
          let last, since;
          const look = (now) => {
            if (scrollY !== last) [last, since] = [scrollY, now];
            if (now - since > 150) done();
            else requestAnimationFrame(look);
          };
          requestAnimationFrame(look);
        })"""
    )


PHONE = {"width": 390, "height": 700, "has_touch": True, "is_mobile": True}


def test_a_finger_drags_a_number_sideways_and_scrolls_up_and_down(folder, visit):
    """Twelve stops for 80 pixels, and the page stays; then the other way round."""
    tab = ready(visit((folder / "dragging.html").as_uri(), **PHONE), "threshold-test")
    number = tab.locator("#threshold-test .dpt-number").first
    number.evaluate("node => node.scrollIntoView({ block: 'center' })")
    frame(tab)
    before = tab.evaluate("scrollY")
    finger(tab, number, 80, 0)
    assert slider(tab, "threshold", "threshold-test").input_value() == "30"
    assert tab.evaluate("scrollY") == before
    finger(tab, number, 4, 120)
    assert slider(tab, "threshold", "threshold-test").input_value() == "30"
    assert tab.evaluate("scrollY") < before - 60
    at_rest(tab)
    tab.touchscreen.tap(*middle(number))
    frame(tab)
    assert slider(tab, "threshold", "threshold-test").input_value() == "31"


def middle(place):
    box = place.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_finger_drags_a_ring_and_scrolls_beside_it(folder, visit):
    low = {**PHONE, "height": 600}  # so that there is something to scroll
    tab = ready(visit((folder / "dragging.html").as_uri(), **low), "threshold-test")
    ring = tab.locator("#threshold-test .dpt-ring:visible").last
    ring.evaluate("node => node.scrollIntoView({ block: 'center' })")
    frame(tab)
    before, rest = tab.evaluate("scrollY"), rings_of(tab)[1]
    finger(tab, ring, -60, -60)
    x, y = rings_of(tab)[1]
    assert (x, y) == pytest.approx((rest[0] - 60, rest[1] - 60), abs=25)
    assert tab.evaluate("scrollY") == before
    finger(tab, tab.locator("#threshold-test .dpt-title"), 0, 80)
    assert tab.evaluate("scrollY") < before - 40


def test_a_figure_keeps_its_height_until_its_sentence_grows(address, visit):
    tab = ready(visit(address, width=390))
    heights = tab.evaluate(
        """async () => {
          const figure = document.getElementById("everything");
          const [line] = figure.querySelectorAll("[data-text]");
          const found = [];
          const more = document.createTextNode("");
          line.append(more);
          for (const words of ["", "Many words. ".repeat(30), ""]) {
            more.data = words;
            for (let k = 0; k < 3; k += 1) await new Promise(requestAnimationFrame);
            const end = figure.lastElementChild.getBoundingClientRect().bottom;
            const box = figure.getBoundingClientRect();
            found.push([box.height, box.bottom - end]);
          }
          return found;
        }"""
    )
    (short, below), (long, as_far), (after, blank) = heights
    assert long > short + 100
    assert as_far == pytest.approx(below, abs=0.1)
    assert after == long
    assert blank > below + 100
    tab.set_viewport_size({"width": 800, "height": 600})
    until(
        tab,
        "(far) => { const figure = document.getElementById('everything');"
        " const end = figure.lastElementChild.getBoundingClientRect().bottom;"
        " return Math.abs(figure.getBoundingClientRect().bottom - end - far) < 9; }",
        below,
    )
    tab.emulate_media(media="print")
    style = "node => getComputedStyle(node).contain"
    assert "size" not in tab.locator("#everything").evaluate(style).split()


def test_reset_goes_back_to_the_start(figure, address, visit):
    tab = ready(visit(address))
    for key in figure.states.keys:
        put(tab, "everything", key, 0)
    tab.locator(".dpt-reset").click()
    frame(tab)
    assert shown(tab, figure) == drawn(figure, figure.states.start)


def test_the_address_carries_the_values(address, visit):
    tab = ready(visit(address))
    put(tab, "everything", "epsilon", 3)
    until(tab, "location.hash.includes('epsilon=4')")
    name, _, query = tab.url.partition("#")[2].partition("?")
    assert name == "everything"
    assert parse_qs(query) == {
        "epsilon": ["4"], "noise_multiplier": ["2.5"], "steps": ["100"],
        "relation": ["add"],
    }  # fmt: skip
    assert tab.evaluate("history.length") <= 2  # moves are not steps back


@pytest.mark.parametrize(
    ("query", "values"),
    [
        ("epsilon=2&steps=400", ["2", "10", "400", "add"]),
        ("noise_multiplier=20&steps=100", ["0.5", "20", "100", "add"]),
        ("relation=replace", ["1", "10", "100", "replace"]),
        ("epsilon=1.9&pace=3", ["2", "5", "100", "add"]),
        ("relation=nonsense", ["1", "10", "100", "add"]),
    ],
)
def test_an_address_opens_a_state(query, values, folder, figure, visit):
    url = f"{(folder / 'long.html').as_uri()}#other?{query}"
    tab = ready(visit(url), "other")
    figure = sample("other")
    until(
        tab,
        "values => [...document.querySelectorAll("
        "'#other :is(output, input:checked + span)')]"
        ".map(o => o.textContent).join() === values",
        ",".join(values),
    )
    assert tab.evaluate("scrollY") > 1000
    assert shown(tab, figure)["values"] == values


def test_a_link_within_the_page_opens_a_state(address, visit):
    tab = ready(visit(address))
    tab.evaluate("location.hash = '#everything?epsilon=4'")
    until(tab, "document.getElementById('everything-epsilon').value === '3'")


def test_a_link_in_the_text_sets_a_figure_and_back_leads_to_the_text(folder, visit):
    """Also when the address is the link's already; a figure in view stays in place."""
    body = (folder / "index.html").read_text()
    link = '<a id="set" href="#everything?epsilon=4">Set ε = 4</a>'
    away = folder / "prose.html"
    away.write_text(body.replace("</main>", f"{FAR}{link}{FAR}</main>"))
    tab = ready(visit(away.as_uri()))
    for _ in range(2):
        tab.locator("#set").scroll_into_view_if_needed()
        place = tab.evaluate("scrollY")
        assert place > 1500
        tab.locator("#set").press("Enter")
        until(tab, "document.getElementById('everything-epsilon').value === '3'")
        until(tab, "scrollY < 400")
        tab.wait_for_timeout(400)  # the figure writes its address
        assert "epsilon=4" in tab.url
        tab.go_back()
        until(tab, "place => Math.abs(scrollY - place) < 5", place)
        assert "?" not in tab.url
        tab.evaluate("location.hash = 'everything?epsilon=4'")
        tab.wait_for_timeout(400)
    near = body.replace(f"<p>{WORDS}</p>", f"<p>{link}</p>")
    (folder / "near.html").write_text(near)
    tab = ready(visit((folder / "near.html").as_uri(), height=1400))
    tab.locator("#set").click()
    until(tab, "document.getElementById('everything-epsilon').value === '3'")
    tab.wait_for_timeout(100)
    assert tab.evaluate("scrollY") == 0


def test_a_table_is_loaded_when_its_figure_nears(folder, site, visit):
    seen = visit(f"{site(folder)}/long.html")
    tab = ready(seen)
    assert not any("other.js" in url for url in seen.requests)
    tab.mouse.wheel(0, 2000)
    ready(seen, "other")
    assert any("other.js" in url for url in seen.requests)
    assert not seen.third_party


def test_it_works_from_disk_under_the_policy(folder, figure, visit):
    seen = visit((folder / "index.html").as_uri())
    tab = ready(seen)
    put(tab, "everything", "epsilon", 0)
    frame(tab)
    assert shown(tab, figure)["values"][0] == "0.5"
    assert not seen.errors
    assert not seen.third_party


@pytest.mark.parametrize(
    ("file", "why"),
    [("broken", "could not be loaded"), ("stale", "another version of this page")],
)
def test_a_table_that_does_not_fit_is_told(file, why, folder, site, visit):
    seen = visit(f"{site(folder)}/{file}.html")
    note = seen.page.wait_for_selector(".dpt-failed")
    assert why in note.inner_text()
    assert seen.page.locator(".dpt-wide").is_visible()
    assert any(why in error for error in seen.errors)


def test_without_scripts_the_start_is_whole(folder, visit):
    tab = visit((folder / "index.html").as_uri(), java_script_enabled=False).page
    assert tab.locator(".dpt-wide").is_visible()
    assert not tab.locator(".dpt-controls").is_visible()
    assert not tab.locator(".dpt-reset").is_visible()
    assert "100 steps <with> noise 10" in tab.inner_text("#everything")
    assert "Privacy cost: ε" in tab.inner_text("#everything")


def test_print_shows_the_values_and_no_sliders(address, visit):
    tab = ready(visit(address))
    put(tab, "everything", "epsilon", 2)
    frame(tab)
    tab.emulate_media(media="print")
    assert not tab.locator("input").first.is_visible()
    assert not tab.locator(".dpt-reset").is_visible()
    assert tab.locator("#everything output").first.inner_text() == "2"


@pytest.mark.parametrize("width", [360, 390, 768, 1280])
def test_nothing_sticks_out_and_text_can_be_read(width, address, visit):
    tab = ready(visit(address, width=width))
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    layout = ".dpt-narrow" if width < 500 else ".dpt-wide"
    assert tab.locator(layout).is_visible()
    sizes = tab.evaluate(
        """layout => {
          const svg = document.querySelector(layout);
          const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
          return [...svg.querySelectorAll("text")].map(text =>
            scale * parseFloat(getComputedStyle(text).fontSize));
        }""",
        layout,
    )
    assert len(sizes) > 10
    assert min(sizes) >= 11


def test_dark_pages_have_the_dark_colors(address, visit):
    strokes = []
    for dark in (False, True):
        tab = ready(visit(address, dark=dark))
        strokes.append(
            tab.locator("#everything-wide-1-0").evaluate(
                "p => getComputedStyle(p).stroke"
            )
        )
        page_color, text = tab.evaluate(
            """() => [
              getComputedStyle(document.querySelector("figure")).backgroundColor,
              getComputedStyle(document.querySelector("svg text")).fill,
            ]"""
        )
        assert page_color == ("rgb(20, 24, 30)" if dark else "rgb(255, 255, 255)")
        assert text == ("rgb(223, 228, 234)" if dark else "rgb(36, 41, 47)")
    assert strokes == ["rgb(23, 145, 95)", "rgb(52, 234, 144)"]


def test_nothing_moves_by_itself(address, visit):
    tab = ready(visit(address, reduced_motion="reduce"))
    moving = tab.evaluate(
        """[...document.querySelectorAll(".dpt, .dpt *")].filter(node => {
          const style = getComputedStyle(node);
          return style.animationName !== "none" || style.transitionDuration !== "0s"
            || style.scrollBehavior === "smooth";
        }).length"""
    )
    assert moving == 0


def values_seen(tab, milliseconds):
    """Collect the values of ε that the figure shows, in order."""
    return tab.evaluate(
        """milliseconds => new Promise(done => {
          const output = document.querySelector("#playing output");
          const seen = [output.value];
          new MutationObserver(() => seen.push(output.value)).observe(
            output, {childList: true, characterData: true, subtree: true});
          setTimeout(() => done(seen), milliseconds);
        })""",
        milliseconds,
    )


PLAY = "#playing .dpt-play"


def playing(folder, visit, **how):
    """Open the figure that runs, with its picture in sight."""
    tab = ready(visit((folder / "playing.html").as_uri(), **how), "playing")
    tab.locator("#playing").scroll_into_view_if_needed()
    return tab


def test_a_figure_runs_to_its_end_and_again(folder, visit):
    """By keyboard alone; each state on the way is one that Python computed."""
    tab = playing(folder, visit)
    button = tab.locator(PLAY)
    assert len(values_seen(tab, 600)) == 1  # nothing moves by itself
    button.focus()
    tab.keyboard.press("Enter")
    assert button.inner_text() == "Pause"
    assert button.get_attribute("aria-pressed") == "true"
    assert tab.locator("#playing .dpt-said").get_attribute("aria-live") == "off"
    seen = values_seen(tab, 3500)
    assert set(seen) <= {"1", "2", "4"}
    assert seen[-1] == "4"
    assert button.inner_text() == "Play again"
    assert tab.locator("#playing .dpt-said").get_attribute("aria-live") == "polite"
    until(tab, "location.hash.includes('epsilon=4')")
    tab.keyboard.press("Enter")
    seen = values_seen(tab, 1000)
    assert "0.5" in seen or "1" in seen


def test_a_run_is_stopped_stepped_and_scrubbed(folder, visit):
    tab = playing(folder, visit)
    tab.locator(PLAY).click()
    tab.locator(PLAY).click()
    assert tab.locator(PLAY).inner_text() == "Play"
    now = slider(tab, "epsilon", "playing").input_value()
    assert len(values_seen(tab, 1200)) == 1
    tab.get_by_role("button", name="One step on").click()
    frame(tab)
    assert slider(tab, "epsilon", "playing").input_value() == str(int(now) + 1)
    for _ in range(5):  # and no further than the beginning
        tab.get_by_role("button", name="One step back").click()
    frame(tab)
    assert slider(tab, "epsilon", "playing").input_value() == "0"
    tab.locator(PLAY).click()
    slider(tab, "epsilon", "playing").focus()
    tab.keyboard.press("End")  # a hand on the slider takes over
    frame(tab)
    assert tab.locator(PLAY).inner_text() == "Play again"
    assert slider(tab, "epsilon", "playing").input_value() == "3"


def test_a_run_is_as_fast_as_is_asked(folder, visit):
    def lasts(speed):
        tab = playing(folder, visit)
        tab.locator("#playing select").select_option(speed)
        slider(tab, "epsilon", "playing").fill("0")
        tab.evaluate(
            """() => {
              const button = document.querySelector(".dpt-play");
              const begun = performance.now();
              new MutationObserver(() => {
                if (button.textContent === "Pause") return;
                window.took ??= performance.now() - begun;
              }).observe(button, { childList: true, subtree: true });
              button.click();
            }"""
        )
        until(tab, "window.took > 0")
        return tab.evaluate("window.took")

    assert lasts("1") > 1.6 * lasts("4")


def test_a_run_waits_while_it_is_out_of_sight(folder, visit):
    tab = playing(folder, visit, height=500)
    tab.evaluate(
        "document.body.insertAdjacentHTML('beforeend', '<p style=height:3000px>')"
    )
    tab.locator(PLAY).click()
    tab.evaluate("scrollTo({ top: 2500, behavior: 'instant' })")
    tab.wait_for_timeout(200)
    assert len(values_seen(tab, 1800)) == 1
    tab.evaluate("document.querySelector('.dpt-picture').scrollIntoView()")
    assert values_seen(tab, 3000)[-1] == "4"


def test_a_click_in_a_panel_picks_the_nearest_stop(folder, visit):
    """Record 13 of the tree, on a wide and on a narrow page, and nothing outside."""
    for width in (1280, 390):
        tab = ready(
            visit((folder / "picking.html").as_uri(), width=width), "tree-nodes"
        )
        picture = tab.locator("#tree-nodes .dpt-picture svg:visible").first
        size = picture.bounding_box()
        boxes = tree_boxes(picture, size)
        for (left, top, across, down), panel in zip(boxes, (0, 1), strict=True):
            for t in (13, 4):
                x = left + across * (t - 0.5) / 16
                picture.click(position={"x": x, "y": top + down / 2})
                frame(tab)
                assert slider(tab, "t", "tree-nodes").input_value() == str(t - 1), panel
        picture.click(position={"x": size["width"] / 2, "y": 1})
        frame(tab)
        assert slider(tab, "t", "tree-nodes").input_value() == "3"


def rings_of(tab):
    """Where the rings of the figure are, in pixels: one in each panel."""
    rings = tab.locator("#threshold-test .dpt-ring:visible circle:last-child")
    boxes = [ring.bounding_box() for ring in rings.all()]
    return [(b["x"] + b["width"] / 2, b["y"] + b["height"] / 2) for b in boxes]


@pytest.mark.parametrize("width", [1280, 390])
def test_a_point_with_a_ring_is_dragged_to_the_nearest_stop(width, folder, visit):
    """Both rings, from where the hand took them; the other follows."""
    tab = ready(
        visit((folder / "dragging.html").as_uri(), width=width, height=1400),
        "threshold-test",
    )
    threshold = slider(tab, "threshold", "threshold-test")
    last = int(threshold.get_attribute("max"))
    rest = rings_of(tab)
    for which in (0, 1):
        for stop in (last, 0, 13):
            put(tab, "threshold-test", "threshold", stop)
            frame(tab)
            goal = rings_of(tab)
            tab.locator(".dpt-reset").click()
            frame(tab)
            assert rings_of(tab) == rest
            (x, y), off = rest[which], 6
            tab.mouse.move(x + off, y - off)
            tab.mouse.down()
            tab.mouse.move(goal[which][0] + off, goal[which][1] - off, steps=4)
            frame(tab)
            found = rings_of(tab)
            # at its ends the curve has several stops within a pixel
            assert found[which] == pytest.approx(goal[which], abs=1)
            assert which == 1 or threshold.input_value() == str(stop)
            tab.mouse.up()
            tab.mouse.move(x, y)
            frame(tab)
            assert rings_of(tab) == found  # nothing follows a hand that let go
            tab.locator(".dpt-reset").click()


def test_a_ring_leaves_other_buttons_and_the_paper_alone(folder, visit):
    tab = ready(visit((folder / "dragging.html").as_uri()), "threshold-test")
    rest = rings_of(tab)
    tab.mouse.move(*rest[0])
    tab.mouse.down(button="right")
    tab.mouse.move(rest[0][0] + 60, rest[0][1])
    tab.mouse.up(button="right")
    frame(tab)
    assert rings_of(tab) == rest
    tab.emulate_media(media="print")
    assert rings_of(tab) == []


def test_a_drag_of_a_ring_is_no_click_in_its_panel(folder, visit):
    """It is held at its edge, 10 pixels off: a click there is nearer to another sum."""
    tab = ready(visit((folder / "picking.html").as_uri()), "tree-nodes")
    ring = tab.locator("#tree-nodes .dpt-ring:visible circle:last-child")
    places = []
    for t in (8, 3):
        slider(tab, "t", "tree-nodes").fill(str(t - 1))
        frame(tab)
        box = ring.bounding_box()
        places.append((box["x"] + box["width"] / 2, box["y"] + box["height"] / 2))
    (there, up), (x, y) = places
    tab.mouse.move(x - 10, y)
    tab.mouse.down()
    tab.mouse.move(there - 10, up, steps=3)
    tab.mouse.up()
    frame(tab)
    assert slider(tab, "t", "tree-nodes").input_value() == "7"


def tree_boxes(picture, size):
    """List the panels in pixels, from the boxes that the figure's table holds.

    A picture that is lower than its width asks for stands in the middle.
    """
    figure = tree.nodes_of_a_sum.explorer
    name = picture.get_attribute("class").replace("dpt-", "")
    width, height = map(float, picture.get_attribute("viewBox").split()[2:])
    scale = min(size["width"] / width, size["height"] / height)
    left = (size["width"] - scale * width) / 2
    top = (size["height"] - scale * height) / 2
    return [
        [left + scale * x, top + scale * y, scale * across, scale * down]
        for x, y, across, down in figure.pictures[name].boxes
    ]


def test_who_wants_less_motion_may_still_press_play(folder, visit):
    """Nothing runs by itself, a step is one state, and Play runs when it is pressed."""
    tab = playing(folder, visit, reduced_motion="reduce")
    assert tab.locator(PLAY).is_visible()
    assert len(values_seen(tab, 1000)) == 1
    tab.get_by_role("button", name="One step on").click()
    frame(tab)
    assert slider(tab, "epsilon", "playing").input_value() == "2"
    assert len(values_seen(tab, 1000)) == 1
    tab.locator(PLAY).click()
    assert len(values_seen(tab, 2500)) > 1
    assert complaints(tab, within="figure") == []


def test_a_link_to_no_stop_goes_to_the_nearest_and_says_so(address, visit):
    tab = ready(visit(f"{address}#everything?epsilon=1.1&steps=100"))
    note = tab.locator(".dpt-note")
    note.wait_for()
    assert "privacy ε 1.1" in note.inner_text()
    assert note.inner_text().endswith("the nearest here is 1.")
    put(tab, "everything", "steps", 0)
    frame(tab)
    assert note.count() == 0
    tab.goto("about:blank")
    tab.goto(f"{address}#everything?epsilon=2&steps=100.0")
    tab.wait_for_selector("#everything fieldset:not([disabled])")
    tab.wait_for_timeout(300)
    assert slider(tab, "epsilon").input_value() == "2"
    assert note.count() == 0


def test_a_link_finds_its_figure_where_the_page_has_grown(folder, site, visit):
    """As in WebKit, which does not hold a place when what is above it grows."""
    seen = visit("about:blank", height=600)
    tab = seen.page
    grow = (
        "document.head.insertAdjacentHTML('beforeend',"
        " '<style>html { overflow-anchor: none }</style>');"
        "document.body.insertAdjacentHTML('afterbegin', '<p style=height:900px>');"
    )

    def late(route):
        tab.evaluate(grow)
        route.continue_()

    tab.route("**/other.js*", late)
    tab.goto(f"{site(folder)}/long.html#other?epsilon=2")
    tab.wait_for_selector("#other fieldset:not([disabled])")
    tab.wait_for_timeout(300)
    assert abs(tab.locator("#other").bounding_box()["y"]) < 60
    assert slider(tab, "epsilon", "other").input_value() == "2"


def test_tracks_show_their_ends_and_their_stops(figure, address, visit):
    tab = ready(visit(address))
    for key in NUMBERS:
        row = tab.locator(f"#everything .dpt-slider[data-key={key}]")
        low, high = row.locator(".dpt-end").all_inner_texts()
        stops = [write(stop) for stop in figure.states.stops[key]]
        assert (low, high) == (stops[0], stops[-1])
        marks = "e => getComputedStyle(e).getPropertyValue('--dpt-gaps')"
        assert row.locator("input").evaluate(marks) == str(len(stops) - 1)
    tracks = [tab.locator(f"#everything-{key}").bounding_box() for key in NUMBERS]
    assert len({(track["x"], track["width"]) for track in tracks}) == 1


def test_words_are_buttons_of_which_one_is_chosen(figure, address, visit):
    """By mouse, by arrow keys from the one that is chosen, and by Reset."""
    seen = visit(address)
    tab = ready(seen)
    group = tab.get_by_role("radiogroup", name="neighboring relation")
    one, other = (group.get_by_role("radio", name=n) for n in ("add", "replace"))
    path = tab.locator("#everything-wide-1-0")
    before = path.get_attribute("d")
    states = figure.states
    start, moved = states.start, states.move(states.start, "relation", 1)
    assert (one.is_checked(), other.is_checked()) == (True, False)
    other.click()
    frame(tab)
    assert shown(tab, figure) == drawn(figure, moved)
    until(tab, "location.hash.includes('relation=replace')")
    tab.keyboard.press("ArrowLeft")
    frame(tab)
    assert shown(tab, figure) == drawn(figure, start)
    assert one.evaluate("input => document.activeElement === input")
    tab.keyboard.press("ArrowRight")
    tab.locator("#everything .dpt-reset").click()
    frame(tab)
    assert (one.is_checked(), other.is_checked()) == (True, False)
    assert path.get_attribute("d") == before
    assert seen.errors == []


def test_a_finger_presses_a_word_and_paper_shows_the_chosen_one(address, visit):
    seen = visit(address, width=390, has_touch=True, is_mobile=True)
    tab = ready(seen)
    other = tab.locator("#everything-relation-1")
    other.scroll_into_view_if_needed()
    assert other.bounding_box()["height"] >= 44
    other.tap()
    frame(tab)
    assert other.is_checked()
    words = tab.locator("#everything .dpt-buttons label")
    assert [word.is_visible() for word in words.all()] == [True, True]
    tab.emulate_media(media="print")
    assert [word.is_visible() for word in words.all()] == [False, True]
    assert words.last.inner_text() == "replace"


def test_a_slider_that_follows_looks_like_one(address, visit):
    tab = ready(visit(address))
    look = "e => [getComputedStyle(e).opacity, getComputedStyle(e).accentColor]"
    follows = slider(tab, "noise_multiplier").evaluate(look)
    leads = slider(tab, "epsilon").evaluate(look)
    assert follows[0] < leads[0]
    assert follows[1] != leads[1]
    before = slider(tab, "epsilon").bounding_box()
    put(tab, "everything", "noise_multiplier", 5)  # ε follows; tracks keep their length
    frame(tab)
    assert slider(tab, "epsilon").bounding_box() == before


def test_the_cost_is_a_badge_that_opens(figure, address, visit):
    tab = ready(visit(address))
    cost = tab.locator("#everything .dpt-cost")
    badge = cost.locator("summary [aria-live]")
    states, start = figure.states, figure.states.start
    moved = states.move(start, "epsilon", 3, list(states.order))
    wanted = [page.badge(figure.texts(state)[-1]) for state in (start, moved)]
    assert wanted[0] != wanted[1]
    assert badge.inner_text().replace("\u00a0", " ") == wanted[0]
    assert not cost.locator("p").is_visible()
    before = tab.locator("#everything").bounding_box()["height"]
    cost.locator("summary").click()
    assert "added or removed" in cost.locator("p").inner_text()
    until(tab, "(h) => document.querySelector('#everything').offsetHeight > h", before)
    put(tab, "everything", "epsilon", 3)
    frame(tab)
    assert badge.inner_text().replace("\u00a0", " ") == wanted[1]
    cost.locator("summary").click()
    until(
        tab,
        "(h) => Math.abs(document.querySelector('#everything').offsetHeight - h) < 40",
        before,
    )


@pytest.mark.parametrize("width", [390, 1280])
def test_the_figure_keeps_its_height_when_it_wakes(width, folder, site, visit):
    tab = visit(f"{site(folder)}/long.html", width=width).page
    height = "document.getElementById('other').getBoundingClientRect().height"
    asleep = tab.evaluate(height)
    tab.evaluate("scrollTo(0, document.body.scrollHeight)")
    ready(Visit(tab), "other")
    assert abs(tab.evaluate(height) - asleep) < 1


@pytest.fixture(scope="module")
def captioned(tmp_path_factory):
    """Return a page with a figure whose caption is long."""
    folder = tmp_path_factory.mktemp("captioned")
    shutil.copytree(page.STATIC, folder / "static")
    parts = dict.fromkeys(("legend", "pictures", "said"), "")
    shown = page.figure("told", title="T", caption=LONG, **parts)
    (folder / "index.html").write_text(page.standalone(f"<h1>Told</h1>{shown}"))
    return folder


LONG = "Means of 400 runs; the best rate is chosen in hindsight, not charged to ε. " * 2


@pytest.mark.parametrize(("width", "folds"), [(390, True), (1280, False)])
def test_a_long_caption_folds_on_a_phone_alone(width, folds, captioned, site, visit):
    tab = visit(f"{site(captioned)}/index.html", width=width, height=800).page
    summary, height = tab.locator("#told summary"), "#told figcaption"
    assert summary.is_visible() == folds
    before = tab.locator(height).bounding_box()["height"]
    assert (before < 30) == folds
    assert complaints(tab, within="figure") == []
    if folds:
        summary.click()
        assert tab.locator(height).bounding_box()["height"] > before + 30
    tab.emulate_media(media="print")
    assert not summary.is_visible()
    assert LONG.strip() in tab.locator(height).inner_text()


def test_a_short_caption_stays_open():
    assert page.about("Exact & short.") == "Exact &amp; short."


def test_the_figure_is_accessible_in_both_themes(address, visit):
    for dark in (False, True):
        tab = ready(visit(address, dark=dark))
        assert complaints(tab, within="figure") == []
