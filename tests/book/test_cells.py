"""The button below a chapter's cells, used as readers use it."""

import json
import re

import chapter_cells
import pytest
import runtime

from tests.axe import complaints
from tests.book import small
from tests.book.test_pages import too_wide
from tests.browser import frame
from tests.public import ROOT

browser = pytest.mark.browser
PAGE = "chapters/09-dp-sgd.html"
SECONDS = 60_000  # a busy machine starts Python slowly


@pytest.fixture(scope="module")
def address(gallery, site):
    return f"{site(gallery)}/{PAGE}"


class Cell:
    """One of the cells of an open page, counted among those with a button."""

    def __init__(self, page, number):
        self.page = page
        self.place = page.locator("[data-run]").nth(number)
        self.whole = page.locator(".cell", has=page.locator("[data-run]")).nth(number)
        self.go = self.place.get_by_role("button", name="Run this cell")

    def run(self):
        """Press the button, and return what the cell shows when it has run."""
        self.go.click()
        return self.shown()

    def shown(self):
        said = self.place.locator(".said").filter(has_text=re.compile(r"\.$|\. "))
        said.wait_for(timeout=SECONDS)  # what is told on the way ends otherwise
        self.place.locator("button:not([aria-disabled])").first.wait_for()
        ran = self.whole.locator(".cell_output.ran")
        said = self.place.locator(".said").inner_text()
        return said, ran.inner_text() if ran.is_visible() else ""

    def put(self, text):
        self.place.locator(".cm-content").click()
        self.page.keyboard.press("Control+A")
        self.page.keyboard.press("Delete")
        self.page.keyboard.insert_text(text)


def files(requests):
    fetched = (url for url in requests if not url.startswith("blob:"))
    return {url.partition("/_static/")[2] for url in fetched}


@browser
def test_a_cell_runs_after_those_above_it_and_nothing_came_before(address, visit):
    seen = visit(address)
    seen.page.wait_for_load_state("networkidle")
    before = len(seen.requests)
    assert not any("codemirror" in url or "python" in url for url in seen.requests)
    said, shown = Cell(seen.page, 1).run()
    assert "after the cell above it" in said
    assert shown.strip() == "4.0"
    asked = files(seen.requests[before:])
    editor = {
        "vendor/codemirror/editor.js", "write.css", "sanitize.js", "python.js",
        "cells.js",
    }  # fmt: skip
    assert editor < asked
    assert all("python" in name for name in asked - editor)
    assert seen.third_party == []
    # The cell above ran, and the page shows of it what it showed.
    assert Cell(seen.page, 0).place.locator(".editor").count() == 0
    said, shown = Cell(seen.page, 2).run()
    assert (said, shown) == ("The cell ran here, and printed nothing.", "")
    said, shown = Cell(seen.page, 3).run()
    assert "above" not in said
    assert shown.strip() == "total 3.0"
    spoken = Cell(seen.page, 3).place.locator("[role=status]").text_content()
    assert spoken.endswith("Its result: total 3.0\n")
    assert seen.errors == []


@browser
@pytest.mark.slow
def test_a_changed_value_changes_what_is_printed_below_too(address, visit):
    seen = visit(address)
    first, second = Cell(seen.page, 0), Cell(seen.page, 1)
    assert first.run()[1].strip() == "scale 2.0"
    assert second.run()[1].strip() == "4.0"
    first.put("import numpy as np\n\nscale = 8.0\nprint('scale', scale)")
    assert first.run()[1].strip() == "scale 8.0"
    assert second.run()[1].strip() == "8.0"
    # Changed and not run, it runs before the one below.
    first.put("import numpy as np\n\nscale = 2.0\nprint('now', scale)")
    said, shown = second.run()
    assert "after the cell above it" in said
    assert shown.strip() == "4.0"
    assert first.shown()[1].strip() == "now 2.0"
    first.place.get_by_role("button", name="Reset").click()
    assert first.place.locator(".editor").count() == 0
    assert "scale 2.0" in first.whole.locator(".cell_output").first.inner_text()
    assert first.whole.locator(".cell_output.ran").is_hidden()
    assert seen.page.evaluate("document.activeElement.textContent") == "Run this cell"
    assert seen.errors == []


@browser
@pytest.mark.slow
@pytest.mark.parametrize(
    ("width", "dark", "touch"),
    [
        (390, True, True),
        pytest.param(1280, False, False, marks=pytest.mark.thorough),
    ],
)
def test_errors_are_told_with_the_readers_own_lines(address, visit, width, dark, touch):
    seen = visit(address, width=width, dark=dark, has_touch=touch)
    page = seen.page
    if touch:
        sizes = page.locator("[data-run] button").evaluate_all(
            "all => all.map(each => each.getBoundingClientRect().height)"
        )
        assert min(sizes) >= 44
    second, last = Cell(page, 1), Cell(page, 3)
    second.run()
    assert complaints(page, within=".cell:has([data-run])") == []
    second.put("def root(x):\n    return x / 0\n\n\nroot(1)")
    said, shown = second.run()
    assert "stopped with an error in line 2" in said
    assert shown.splitlines()[0] == "ZeroDivisionError: division by zero"
    assert "line 5: root(1)\nline 2: return x / 0" in shown
    assert second.place.locator(".stumbled").inner_text().strip() == "return x / 0"
    assert complaints(page, within=".cell:has([data-run])") == []
    frame(page)
    assert too_wide(page) == []
    # A cell below does not run, and leads here.
    said, shown = last.run()
    assert "A cell above, “def root(x):”, stopped with an error" in said
    last.place.locator(".said a").click()
    assert page.evaluate("location.hash") == "#cell-" + second.place.get_attribute(
        "data-run"
    )
    # An error in a function of another cell names that cell.
    second.put("def root(x):\n    return x / 0")
    second.run()
    third = Cell(page, 2)
    _, shown = third.run()
    assert "in the cell “def root(x):”, line 2: return x / 0" in shown
    second.put("def root(x)\n    return 1")
    assert "SyntaxError" in second.run()[1]
    assert second.place.locator(".stumbled").inner_text().strip() == "def root(x)"
    second.put("import torch")
    assert "has no torch" in second.run()[1]
    assert seen.errors == []


TRAINING = """\
import numpy as np
from dpteach import Problem, constraints, networks
from dpteach.chapters.training_a_network.live import train_in_view

X, y = np.eye(4), np.arange(4) % 2
loss = networks.Network((4,), [networks.Dense(2)], seed=1)
train_in_view(Problem(X, y, loss, constraints.Everywhere()), clip_norm=1.0,
              steps=20, noise_multiplier=4.0, learning_rate=0.1, rng=0)
"""
SEEN = """
    const out = document.querySelector(".cell_output.ran");
    window.views = [];
    new MutationObserver(() => window.views.push(out.innerText))
        .observe(out, { childList: true });
"""


@browser
@pytest.mark.slow
def test_a_training_is_seen_while_it_runs_on_a_phone_and_by_keyboard(address, visit):
    seen = visit(address, width=390)
    cell = Cell(seen.page, 0)
    cell.run()
    cell.put(TRAINING)
    seen.page.evaluate(SEEN)
    seen.page.keyboard.press("Control+Enter")
    _, shown = cell.shown()
    views = seen.page.evaluate("window.views")
    steps = [int(n) for text in views for n in re.findall(r"Step (\d+) of 20", text)]
    assert len(set(steps)) > 10
    assert steps == sorted(steps)
    costs = [float(e) for text in views for e in re.findall(r"ε = (\d+\.\d+)", text)]
    assert costs == sorted(costs)
    assert costs[-1] > 2 * costs[0]
    assert "Step 20 of 20" in shown
    assert "71 right guesses in 100" in cell.place.locator(".said").text_content()
    assert too_wide(seen.page) == []
    assert complaints(seen.page, within=".cell:has([data-run])") == []
    assert seen.errors == []


@browser
@pytest.mark.thorough
def test_an_endless_loop_is_stopped_by_keyboard_and_names_come_back(address, visit):
    page = visit(address).page
    first, second = Cell(page, 0), Cell(page, 1)
    first.run()
    second.go.focus()
    page.keyboard.press("Enter")
    assert second.shown()[1].strip() == "4.0"
    assert page.evaluate("document.activeElement.textContent") == "Run this cell"
    second.put("while True:\n    pass")
    page.keyboard.press("Control+Enter")
    stop = second.place.get_by_role("button", name="Stop")
    stop.wait_for()
    # Meanwhile another cell waits its turn.
    first.go.click()
    assert "at work elsewhere" in first.place.locator(".said").inner_text()
    second.place.locator(".cm-content").focus()
    for key in ("Escape", "Tab", "Tab"):
        page.keyboard.press(key)
    assert page.evaluate("document.activeElement.textContent") == "Stop"
    page.keyboard.press("Enter")
    assert "You stopped it" in second.shown()[0]
    second.put("scale")
    said, shown = second.run()  # the new Python knows of nothing
    assert "after the cell above it" in said
    assert shown.strip() == "2.0"


@browser
@pytest.mark.thorough
def test_an_exercise_and_a_cell_share_one_python(address, visit):
    seen = visit(address)
    Cell(seen.page, 0).run()
    place = seen.page.locator("[data-write=clip]")
    place.locator("button").click()
    place.locator(".cm-content").wait_for()
    before = len(seen.requests)
    place.locator(".go").click()
    place.locator(".shown > div").wait_for(timeout=SECONDS)
    assert files(seen.requests[before:]) == set()
    said, shown = Cell(seen.page, 1).run()
    assert "above" not in said  # names of cells outlive a check
    assert shown.strip() == "4.0"
    assert seen.errors == []


@browser
@pytest.mark.thorough
def test_print_disk_and_no_script_show_the_page_as_it_was(gallery, address, visit):
    seen = visit(address)
    cell = Cell(seen.page, 1)
    cell.run()
    cell.put("1 + 1")
    cell.run()
    seen.page.emulate_media(media="print")
    assert cell.place.is_hidden()
    assert cell.whole.locator(".cell_output.ran").is_hidden()
    assert "np.sqrt" in cell.whole.locator(".cell_input").inner_text()
    assert "4.0" in cell.whole.locator(".cell_output").first.inner_text()
    page = visit((gallery / PAGE).as_uri()).page
    assert page.locator("[data-run]").count() == 0
    page = visit(address, java_script_enabled=False).page
    assert page.locator("[data-run]").first.is_hidden()


def test_only_cells_that_ran_get_a_button(gallery):
    page = (gallery / PAGE).read_text()
    assert page.count("data-run=") == len(small.RUN)
    assert "data-run" not in (gallery / "book" / "notation.html").read_text()


def test_every_listed_cell_is_one_and_every_other_has_its_reason():
    listed = json.loads(chapter_cells.LIST.read_text("utf-8"))
    for path in sorted((ROOT / "chapters").glob("*.ipynb")):
        told = listed[path.stem]
        shown = [cell["id"] for cell in runtime.visible(path)]
        assert sorted([*told["run"], *told["left_out"]]) == sorted(shown), path.stem
        assert all(told["left_out"].values())


@pytest.mark.parametrize(
    ("found", "wanted", "agree"),
    [
        ("mu = 0.5", "mu = 0.5000000001", True),
        ("differ by 2.2e-16", "differ by 1.1e-16", True),
        ("mu = 0.5", "mu = 0.501", False),
        ("mu = 0.5", "nu = 0.5", False),
        ("1 2", "1 2 3", False),
        ("-1", "1", False),
    ],
)
def test_outputs_agree_up_to_the_last_digits(found, wanted, agree):
    assert chapter_cells.same(found, wanted) is agree
