"""Names of curves stand beside their own curve and on nothing, in every state."""

import shutil

import numpy as np
import pytest

from dpteach import Slider, explore
from dpteach.figures import _page as page
from dpteach.figures._beside import beside
from dpteach.figures.axes import Axes
from dpteach.figures.marks import Band, Line, Points
from dpteach.figures.predict import Choose
from dpteach.figures.quiz import Choice, Question
from tests.browser import browser, frame, site, visit

__all__ = ["browser", "site", "visit"]
pytestmark = pytest.mark.browser
AXES = Axes("steps T", "noise", xlim=(0, 10), ylim=(0, 10))
X = np.linspace(0, 10, 41)
ASKED = Question(
    "which", "Which?", [Choice("up", True, "It is."), Choice("down", False, "No.")]
)
# Text and curves as they are drawn: how far each name is from each curve, in pixels.
DISTANCES = """id => {
  const figure = document.getElementById(id);
  const svg = [...figure.querySelectorAll(".dpt-picture svg")]
    .find(each => each.getBoundingClientRect().width);
  const layout = svg.getAttribute("class").slice(4);
  const box = node => node.getBoundingClientRect();
  const entries = [...figure.querySelectorAll(".dpt-legend li")];
  const far = ({ left, right, top, bottom }, mark) => {
    const path = document.getElementById(`${id}-${layout}-${mark}-0`);
    const matrix = path.getScreenCTM();
    const length = path.getTotalLength();
    let least = Infinity;
    for (let at = 0; at <= length; at += 1) {
      const { x, y } = path.getPointAtLength(at).matrixTransform(matrix);
      const across = Math.max(left - x, 0, x - right);
      const down = Math.max(top - y, 0, y - bottom);
      least = Math.min(least, Math.hypot(across, down));
    }
    return least;
  };
  const names = [...svg.querySelectorAll(".dpt-names text")]
    .filter(each => box(each).width);
  const pairs = names.flatMap((one, k) => names.slice(k + 1).map(other => {
    const [a, b] = [box(one), box(other)];
    return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  }));
  const outer = box(svg);
  return {
    far: Object.fromEntries(names.map(name => [name.textContent,
      Object.fromEntries(entries.map(({ textContent, dataset }) =>
        [textContent, far(box(name), dataset.marks.split(" ")[0])]))])),
    crossed: pairs.some(each => each),
    within: names.every(each => box(each).right <= outer.right + 1
      && box(each).left >= outer.left - 1),
    legend: entries.filter(each => box(each).width > 2).map(each => each.textContent),
  };
}"""


def curves(name, **more):
    """Three curves that turn with a slider, so that two of them cross."""

    def turning(clip_norm):
        slope = clip_norm - 1
        return [
            Line(X, 5 + slope * (X - 5), "turning", "private"),
            Line(X, np.full_like(X, 5.0), "level", "reference"),
            Line(X, 9 - 0.05 * X, "high", "bound"),
            Points([5], [5 + 2 * slope], "yours", "private", moves="clip_norm"),
        ]

    stops = tuple(round(each, 2) for each in np.linspace(0.1, 1.9, 10))
    return explore(
        turning, axes=AXES, title="Turning", alt="Curves.", caption="",
        identity=name, clip_norm=Slider(stops, start=1.9), **more,
    )  # fmt: skip


def appearing(name):
    """A curve that is not there before the slider says so, as a player's is."""

    def appears(steps):
        x = X if steps > 3 else np.full_like(X, 2.0)
        y = np.full_like(X, 5.0)
        return [Line(x, y, "late", "private"), Line(X, y + 3, "high", "bound")]

    return explore(
        appears, axes=AXES, title="Late", alt="Curves.", caption="", identity=name,
        steps=Slider((1, 2, 3, 4, 5, 6, 7), start=7),
    )  # fmt: skip


def equal(name):
    """Two curves that are one: neither name is nearer to its own."""

    def same(steps):
        y = np.full_like(X, float(steps))
        return [Line(X, y, "one", "private"), Line(X, y, "other", "bound")]

    return explore(
        same, axes=AXES, title="One", alt="Curves.", caption="", identity=name,
        steps=Slider((1, 2, 3, 4, 5, 6, 7)),
    )  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("labels")
    shutil.copytree(page.STATIC, folder / "static")
    asked = curves("c", asks=Choose(ASKED, hides=["high"]))
    figures = (curves("a"), equal("b"), asked, appearing("d"))
    body = "".join(each.page(folder / "static" / "figures") for each in figures)
    (folder / "index.html").write_text(page.standalone(f"<h1>Names</h1>{body}"))
    return folder


def opened(folder, site, visit, **how):
    seen = visit(f"{site(folder)}/index.html", height=2600, **how)
    seen.page.locator("#c fieldset.dpt-controls:not([disabled])").wait_for()
    frame(seen.page)
    return seen.page


@pytest.mark.parametrize("width", [1366, 390])
def test_a_name_is_nearest_to_its_own_curve_in_every_state(folder, site, visit, width):
    tab = opened(folder, site, visit, width=width)
    slider = tab.locator("#a-clip_norm")
    slider.focus()
    tab.keyboard.press("Home")
    for _ in range(10):
        frame(tab)
        seen = tab.evaluate(DISTANCES, "a")
        assert seen["within"]
        assert not seen["crossed"]
        for name, far in seen["far"].items():
            others = min(d for other, d in far.items() if other not in (name, "yours"))
            assert 1 < far[name] < 24, (name, far)
            assert others > 1, (name, far)
        assert len(seen["far"]) == 4
        tab.keyboard.press("ArrowRight")


def test_a_name_on_another_curve_is_seen_by_this_test(folder, site, visit):
    tab = opened(folder, site, visit, width=1366)
    tab.evaluate(
        """() => {
          const names = document.querySelectorAll("#a svg.dpt-wide .dpt-names text");
          const named = text => [...names].find(each => each.textContent === text);
          const place = named("level").getAttribute("transform");
          named("high").setAttribute("transform", place);
        }"""
    )
    seen = tab.evaluate(DISTANCES, "a")
    assert seen["crossed"]
    assert seen["far"]["high"]["high"] > 24


def test_a_curve_that_is_not_there_has_no_name(folder, site, visit):
    tab = opened(folder, site, visit, width=1366)
    assert set(tab.evaluate(DISTANCES, "d")["far"]) == {"late", "high"}
    tab.locator("#d-steps").focus()
    tab.keyboard.press("Home")
    frame(tab)
    assert set(tab.evaluate(DISTANCES, "d")["far"]) == {"high"}
    tab.keyboard.press("End")
    frame(tab)
    assert set(tab.evaluate(DISTANCES, "d")["far"]) == {"late", "high"}


def test_what_stands_beside_its_curve_leaves_the_legend(folder, site, visit):
    tab = opened(folder, site, visit, width=1366)
    assert tab.evaluate(DISTANCES, "a")["legend"] == []
    assert tab.locator("#a .dpt-legend").evaluate("each => each.offsetHeight") == 0


def test_curves_that_are_one_have_no_names_beside_them(folder, site, visit):
    tab = opened(folder, site, visit, width=1366)
    seen = tab.evaluate(DISTANCES, "b")
    assert seen["legend"] == ["one", "other"]
    assert seen["far"] == {}


def test_who_hears_the_page_hears_the_legend(folder, site, visit):
    tab = opened(folder, site, visit, width=1366)
    entries = tab.locator("#a").get_by_role("listitem")
    assert entries.all_inner_texts() == ["turning", "level", "high", "yours"]
    assert tab.locator("#a .dpt-names").first.get_attribute("aria-hidden") == "true"


@pytest.mark.parametrize("width", [1366, 390])
def test_what_is_asked_has_its_name_after_the_answer(folder, site, visit, width):
    tab = opened(folder, site, visit, width=width, held=True)
    shown = tab.locator(f"#c svg.dpt-{'wide' if width > 500 else 'narrow'} .dpt-names")
    high, level = (shown.get_by_text(each, exact=True) for each in ("high", "level"))
    assert not high.is_visible()
    assert level.is_visible()
    assert tab.evaluate(DISTANCES, "c")["legend"] == ["high"]
    tab.locator("#c input[value=a]").check()
    tab.locator("#c .dpt-check").click()
    frame(tab)
    assert high.is_visible()
    assert tab.evaluate(DISTANCES, "c")["legend"] == []


def test_names_come_when_all_answers_are_shown(folder, site, visit):
    tab = opened(folder, site, visit, width=1366, held=True)
    tab.evaluate("() => { document.documentElement.dataset.answers = 'shown'; }")
    frame(tab)
    seen = tab.evaluate(DISTANCES, "c")
    assert seen["legend"] == []
    assert len(seen["far"]) == 4


def test_a_page_without_scripts_has_the_names(folder, site, visit):
    tab = visit(f"{site(folder)}/index.html", java_script_enabled=False).page
    names = tab.locator("#a svg.dpt-wide .dpt-names text")
    assert names.all_text_contents() == ["yours", "turning", "level", "high"]
    assert all(name.is_visible() for name in names.all())


def test_on_paper_the_legend_has_all(folder, site, visit):
    tab = opened(folder, site, visit, width=1366)
    tab.emulate_media(media="print")
    seen = tab.evaluate(DISTANCES, "a")
    assert seen["legend"] == ["turning", "level", "high", "yours"]
    assert seen["far"] == {}


BOXES = [(50.0, 30.0, 600.0, 250.0)]


def found(*marks, avoid=()):
    return {name.label: name for name in beside(marks, [AXES], BOXES, 13.5, avoid)}


def test_python_finds_room_where_there_is_room():
    marks = curves("e").marks(0)
    assert set(found(*marks)) == {mark.label for mark in marks}
    assert found(Line(X, X, "one", "private"), Line(X, X, "other", "bound")) == {}


def test_names_of_neighbors_keep_clear_of_each_other():
    """Each would choose the room between the two points."""
    names = found(
        Points([7.4], [9.1], "the left point", "private"),
        Points([9.6], [9.9], "the right point", "bound"),
    )
    left, right = sorted(names.values(), key=lambda name: name.left)
    beside_it = left.left + left.width < right.left
    assert beside_it or abs(left.middle - right.middle) > 15


def test_what_a_reader_may_choose_is_kept_free():
    level = Line(X, np.full_like(X, 5.0), "level", "private")
    name = found(level)["level"]
    across = np.array([[name.left, name.middle], [name.left + 40, name.middle]])
    other = found(level, avoid=[(0, across)])["level"]
    assert (other.left, other.middle) != (name.left, name.middle)


def test_a_cloud_and_cells_have_no_name_beside_them():
    many = Points(np.linspace(1, 9, 80), np.full(80, 5.0), "cloud", "private")
    few = Points([2, 8], [2, 2], "two", "private")
    assert set(found(many, few)) == {"two"}


def test_the_name_of_a_band_is_in_it():
    high = Band(X, np.full_like(X, 4.0), np.full_like(X, 6.0), "band", "measured")
    low = Band(X, np.full_like(X, 5.0), np.full_like(X, 5.2), "band", "measured")
    assert found(high)["band"].middle == 125
    assert found(low) == {}
