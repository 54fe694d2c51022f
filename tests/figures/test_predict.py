"""A figure asks: what answers is masked, and a guess stays beside the truth."""

import re
import shutil

import numpy as np
import pytest

from dpteach.figures import Axes, Line, Points, Sentence, Slider
from dpteach.figures import _page as page
from dpteach.figures.explore import explore
from dpteach.figures.predict import SAMPLES, Choose, Draw, Place, smooth
from dpteach.figures.quiz import Choice, Question
from tests.axe import complaints
from tests.browser import browser, frame, put, site, visit

__all__ = ["browser", "site", "visit"]
QUESTION = Question(
    "growth",
    "How does the noise grow?",
    [
        Choice("like T", False, "Variances add up, and noise is their root."),
        Choice("like √T", True, "Variances add up."),
        Choice("not at all", False, "Each step adds some."),
    ],
)
GHOSTS = [[(1, 1), (100, 50)], [(1, 1), (30, 6), (100, 12)], [(1, 1), (100, 1)]]
AXES = Axes(
    "steps T", "noise", xlim=(1, 100), ylim=(0.5, 100), xscale="log", yscale="log"
)
T = np.geomspace(1, 100, 9)
HIDES = ["noise", "yours"]


def curves(steps):
    return [
        Line(T, T, "like T", "reference"),
        Line(T, np.sqrt(T), "noise", "measured"),
        Points([steps], [steps**0.5], "yours", "private", moves="steps"),
        Sentence(f"After {{steps}} steps the noise is {steps**0.5:.3g}."),
    ]


def choose(**more):
    return Choose(QUESTION, **{"hides": HIDES, "ghosts": GHOSTS, **more})


def draw(**more):
    given = {"hides": HIDES, "why": "Variances add up.", **more}
    return Draw("drawn", "Draw the noise.", **given)


def place(**more):
    given = {"hides": HIDES, "truth": 25.0, "why": "5² = 25.", **more}
    return Place("placed", "When is the noise 5?", **given)


def figure(asks, identity="noise"):
    return explore(
        curves,
        asks=asks,
        axes=AXES,
        title="Noise grows",
        alt="Two rising lines.",
        identity=identity,
        steps=Slider([1, 4, 25, 100], start=25),
    )


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: choose(hides=[]), "`hides` must name what answers"),
        (lambda: choose(hides="noise"), "`hides` must be a list"),
        (lambda: choose(ghosts=GHOSTS[:2]), "`ghosts` must be one for each of the 3"),
        (lambda: choose(ghosts=[[(1, 2)]] * 3), "`ghosts` must hold curves"),
        (lambda: Choose("What?", hides=HIDES), "`question` must be a Question"),
        (lambda: draw(why=" "), "`why` must say something"),
        (lambda: draw(near=2.0), "`near`"),
        (lambda: Draw("A b", "c", hides=HIDES, why="d"), "`identity` must consist of"),
        (lambda: place(truth=float("nan")), "`truth` must be"),
        (lambda: figure(choose(hides=["gone"])), "marks of the figure, got 'gone'"),
        (lambda: figure(choose(panel=1)), "`panel` must be below 1"),
        (
            lambda: figure(choose(ghosts=[[(1, 1), (1000, 1)]] * 3)),
            "`ghosts` must stay within the axes",
        ),
        (lambda: figure(choose(ghosts=[GHOSTS[0]] * 3)), "`ghosts` must end apart"),
        (lambda: figure(draw(hides=["yours"])), "must begin with the label of a Line"),
        (lambda: figure(place(truth=500.0)), "`truth` must be on the x axis"),
        (lambda: figure(QUESTION), "`asks` must be"),
    ],
)
def test_mistakes_are_named(make, message):
    with pytest.raises((ValueError, TypeError), match=message):
        make()


def test_it_reads_as_text():
    assert str(choose()) == str(QUESTION)
    assert str(draw()) == "Draw the noise.\nAnswer: Variances add up."
    assert repr(figure(place())).startswith(
        "When is the noise 5?\nAnswer: 25. 5² = 25."
    )


def test_a_notebook_shows_everything_and_folds_the_answer():
    html = figure(choose()).html(0, layouts=("wide",))
    assert "data-hides" not in html
    assert "<input" not in html
    assert QUESTION.text in html
    assert '<details class="dpt-answers"><summary>The answer' in html


def test_what_is_hidden_is_marked_in_both_layouts_and_in_the_legend(tmp_path):
    html = figure(choose()).page(tmp_path)
    hidden = re.findall(r'<path data-hides id="noise-(\w+)-(\d)-0"', html)
    assert hidden == [("wide", "1"), ("wide", "2"), ("narrow", "1"), ("narrow", "2")]
    assert re.findall(r'<li data-marks="(\d)" data-hides="(\w+)"', html) == [
        ("1", "asked"),
        ("2", "quiet"),
    ]
    assert html.count('class="dpt-ghost"') == 2 * len(GHOSTS)
    assert 'data-quiz="growth"' in html


def test_the_truth_of_a_drawn_line_is_the_line():
    data = draw().data((AXES,), curves(25))
    truth = np.array(data["truth"].split(","), dtype=float)
    at = 100 ** np.linspace(0, 1, SAMPLES)  # as far as the axis reaches
    wanted = np.log(np.sqrt(at) / 0.5) / np.log(100 / 0.5)
    np.testing.assert_allclose(truth, wanted, atol=6e-4)  # three digits


def test_a_line_that_ends_early_is_not_judged_beyond():
    marks = [Line([1, 10], [1, 3], "noise", "measured")]
    truth = draw(hides=["noise"]).data((AXES,), marks)["truth"].split(",")
    assert truth[0] != ""
    assert truth[-1] == ""
    assert sum(map(bool, truth)) == (SAMPLES + 1) // 2


def test_a_smooth_path_goes_through_its_points():
    ends = [(0.0, 1.0), (2.0, 5.0), (7.0, 3.0)]
    path = smooth(ends)
    numbers = [float(n) for n in re.findall(r"-?[\d.]+", path)]
    assert path.count("C") == 2
    assert (numbers[0], numbers[1]) == ends[0]
    assert (numbers[6], numbers[7], numbers[12], numbers[13]) == (2, 5, 7, 3)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("predict")
    shutil.copytree(page.STATIC, folder / "static")
    body = "<h1>Guesses</h1>" + "".join(
        figure(asks, name).page(folder / "static" / "figures")
        for name, asks in (("a", choose()), ("b", draw()), ("c", place()))
    )
    (folder / "index.html").write_text(page.standalone(body))
    return folder


@pytest.fixture
def tab(folder, site, visit):
    seen = visit(f"{site(folder)}/index.html", held=True, height=2600)
    seen.page.locator("#c fieldset.dpt-controls:not([disabled])").wait_for()
    yield seen.page
    assert not seen.errors
    assert not seen.third_party


LINE = "#{}-wide-1-0"
OTHER = "#{}-wide-0-0"


def masked(tab, name):
    """Say whether the answer is not seen, while the rest is."""
    assert tab.locator(OTHER.format(name)).is_visible()
    hidden = not tab.locator(LINE.format(name)).is_visible()
    svg = tab.locator(f"#{name} svg.dpt-wide")
    assert ("Masked until" in svg.get_attribute("aria-label")) == hidden
    assert tab.locator(f"#{name} .dpt-said").is_visible() != hidden
    return hidden


def verdict(tab, name):
    return tab.locator(f"#{name} .dpt-verdict").inner_text()


def answer(tab, name):
    tab.locator(f"#{name} .dpt-check").click()
    frame(tab)


@pytest.mark.browser
def test_a_wrong_choice_may_be_followed_by_another(tab):
    assert masked(tab, "a")
    answer(tab, "a")
    assert verdict(tab, "a") == "Choose one first."
    tab.locator("#a .dpt-ask input").first.check()
    assert tab.locator("#a .dpt-wide .dpt-ghost[data-lit]").count() == 1
    answer(tab, "a")
    assert verdict(tab, "a").startswith("Not quite. Variances add up, and noise")
    assert masked(tab, "a")
    assert tab.locator("#a .dpt-ask input").first.is_disabled()
    tab.keyboard.press("Space")  # the next one has the focus
    answer(tab, "a")
    assert verdict(tab, "a") == "Right. Variances add up."
    assert not masked(tab, "a")
    tab.reload()
    tab.locator("#a[data-answered=ab]").wait_for()
    assert verdict(tab, "a") == "Right. Variances add up."
    tab.locator("#a .dpt-again").click()
    assert masked(tab, "a")


@pytest.mark.browser
def test_a_ghost_is_chosen_by_hand(tab):
    ghost = tab.locator("#a .dpt-wide .dpt-ghost[data-choice=b] circle").bounding_box()
    tab.mouse.click(ghost["x"] + 8, ghost["y"] + 8)
    assert tab.locator("#a .dpt-ask input").nth(1).is_checked()


@pytest.mark.browser
def test_a_line_is_drawn_by_hand_and_judged_by_its_distance(tab):
    assert masked(tab, "b")
    pad = tab.locator("#b .dpt-wide .dpt-pad").bounding_box()
    left, width = pad["x"] + 13, pad["width"] - 26
    low, high = pad["y"] + pad["height"] - 13, pad["y"] + 13
    truth = [np.log(np.sqrt(t) / 0.5) / np.log(200) for t in T]
    for shift, word in ((0.0, "Close"), (0.3, "Not quite")):
        for k, y in enumerate(truth):
            at = left + width * k / 8, low + (high - low) * min(y + shift, 1)
            tab.mouse.move(*at)
            if k == 0:
                tab.mouse.down()
        tab.mouse.up()
        answer(tab, "b")
        assert verdict(tab, "b").startswith(f"{word}: on average a factor of ")
        assert not masked(tab, "b")
        if shift:
            assert "too high. Variances add up." in verdict(tab, "b")
        kept = tab.locator("#b").get_attribute("data-answered")
        assert len(kept.split(",")) == 9
        told = verdict(tab, "b")
        tab.reload()
        tab.locator("#b[data-answered]").wait_for()
        assert verdict(tab, "b") == told  # judged after rounding
        tab.locator("#b .dpt-again").click()


@pytest.mark.browser
def test_keys_draw_and_place(tab):
    handle = tab.locator("#b .dpt-wide .dpt-handle")
    handle.first.focus()
    tab.keyboard.press("PageUp")
    tab.keyboard.press("ArrowRight")
    tab.keyboard.press("ArrowDown")
    frame(tab)
    assert [handle.nth(k).get_attribute("aria-valuenow") for k in (0, 1)] == [
        "60",
        "48",
    ]
    answer(tab, "b")
    assert not masked(tab, "b")
    assert masked(tab, "c")
    slider = tab.locator("#c .dpt-ask input")
    slider.focus()
    tab.keyboard.press("ArrowRight")
    assert tab.locator("#c .dpt-ask output").inner_text() == "10"
    slider.fill("280")
    answer(tab, "c")
    assert verdict(tab, "c").startswith("Close: a factor of 1 too high")
    tab.reload()
    tab.locator('#c[data-answered="280"]').wait_for()
    assert tab.locator("#c .dpt-wide text.dpt-truth").text_content() == "25"


@pytest.mark.browser
def test_the_truth_is_that_of_the_start_and_the_guess_pales_elsewhere(tab):
    put(tab, "c", "steps", 0)
    frame(tab)
    assert tab.locator("#c[data-moved]").count() == 1
    tab.locator("#c .dpt-skip").click()
    frame(tab)
    assert tab.locator("#c[data-moved]").count() == 0
    assert tab.locator("#c output").nth(1).inner_text() == "25"
    assert verdict(tab, "c") == "Skipped. 5²\u00a0=\u00a025."
    assert tab.evaluate("localStorage.length") == 1


@pytest.mark.browser
def test_a_link_that_sets_a_masked_figure_reveals_it(tab):
    tab.evaluate("location.hash = '#a?steps=4'")
    tab.locator("#a[data-answered]").wait_for()
    assert not masked(tab, "a")
    assert tab.locator("#a .dpt-controls output").inner_text() == "4"
    assert tab.evaluate("localStorage.length") == 0  # it is no answer
    assert masked(tab, "b")


@pytest.mark.browser
def test_an_answer_of_an_earlier_edition_counts(folder, site, visit):
    url = f"{site(folder)}/index.html"
    tab = visit(url, held=True).page
    for name, value in (("growth", "a"), ("drawn", "c"), ("placed", "b")):
        tab.evaluate("([k, v]) => localStorage.setItem(k, v)",
                     [f"answer:/index.html:{name}", value])  # fmt: skip
    tab.reload()
    for name in "abc":
        tab.locator(f"#{name}[data-answered]").wait_for()
        assert not masked(tab, name)
    assert verdict(tab, "a").startswith("Not quite.")


@pytest.mark.browser
def test_the_setting_shows_all_at_once(tab):
    assert all(masked(tab, name) for name in "abc")
    tab.evaluate("document.documentElement.dataset.answers = 'shown'")
    frame(tab)
    assert not any(masked(tab, name) for name in "abc")
    assert not tab.locator(".dpt-ask").first.is_visible()
    tab.evaluate("document.documentElement.dataset.answers = ''")
    frame(tab)
    assert all(masked(tab, name) for name in "abc")


@pytest.mark.browser
def test_without_scripts_and_on_paper_all_is_shown(folder, visit, tab):
    plain = visit((folder / "index.html").as_uri(), java_script_enabled=False).page
    assert plain.locator(LINE.format("a")).is_visible()
    assert plain.locator("#a .dpt-said").is_visible()
    assert not plain.locator("#a .dpt-ask").is_visible()
    assert not plain.locator("#a .dpt-wide .dpt-ghost").first.is_visible()
    tab.emulate_media(media="print")
    assert tab.locator(LINE.format("a")).is_visible()
    assert tab.locator("#a .dpt-said").is_visible()
    assert not tab.locator("#a .dpt-wide .dpt-ghost").first.is_visible()


@pytest.mark.browser
def test_a_finger_draws_and_does_not_scroll(folder, site, visit):
    tab = visit(f"{site(folder)}/index.html", held=True, width=390, has_touch=True).page
    tab.locator("#b fieldset.dpt-controls:not([disabled])").wait_for()
    pad = tab.locator("#b .dpt-narrow .dpt-pad")
    pad.scroll_into_view_if_needed()
    box, top = pad.bounding_box(), tab.evaluate("scrollY")
    send = tab.context.new_cdp_session(tab).send
    x, y = box["x"] + 20, box["y"] + 20
    for kind, down in (("touchStart", 0), ("touchMove", 80), ("touchMove", 160)):
        point = [{"x": x + down / 2, "y": y + down}]
        send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": point})
    send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    assert tab.evaluate("scrollY") == top
    assert tab.locator("#b[data-chosen]").count() == 1


@pytest.mark.browser
def test_on_a_phone_the_buttons_below_come_with_the_answer(folder, site, visit):
    """There a question, its picture, its choices and the sliders fill the screen."""
    tab = visit(f"{site(folder)}/index.html", held=True, width=390, height=2600).page
    tab.locator("#c fieldset.dpt-controls:not([disabled])").wait_for()
    reset = tab.locator("#a .dpt-reset")
    assert tab.locator("#a .dpt-controls").is_visible()
    assert not reset.is_visible()
    tab.locator("#a .dpt-skip").click()
    assert reset.is_visible()
    tab.locator("#a .dpt-again").click()
    assert not reset.is_visible()
    tab.evaluate("document.documentElement.dataset.answers = 'shown'")
    assert reset.is_visible()


@pytest.mark.browser
@pytest.mark.parametrize("dark", [False, True])
def test_everybody_can_answer(dark, folder, visit, site):
    page_ = visit(f"{site(folder)}/index.html", held=True, dark=dark).page
    page_.locator("#c fieldset.dpt-controls:not([disabled])").wait_for()
    assert complaints(page_) == []
    page_.locator("#a .dpt-skip").click()
    page_.locator("#b .dpt-wide .dpt-handle").first.press("ArrowUp")
    page_.locator("#b .dpt-check").click()
    assert complaints(page_) == []
