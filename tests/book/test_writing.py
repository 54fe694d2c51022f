"""The editor below an exercise and Python in the page, used as readers use them."""

import importlib
import json
import re
import time

import pytest
import yaml

from dpteach.chapters.catalog import names
from tests.axe import complaints
from tests.book import small
from tests.book.test_pages import too_wide
from tests.browser import frame
from tests.public import ROOT

pytestmark = pytest.mark.browser
PAGE = "chapters/09-dp-sgd.html"
MACROS = yaml.safe_load((ROOT / "_config.yml").read_text())["sphinx"]["config"][
    "dpteach_macros"
]
SECONDS = 60_000  # a busy machine starts Python slowly
RIGHT = """\
import numpy as np


def clip(G, C):
    return G / np.maximum(1.0, np.linalg.norm(G, axis=1, keepdims=True) / C)
"""
EACH_ENTRY = "import numpy as np\n\n\ndef clip(G, C):\n    return np.clip(G, -C, C)\n"
FLOOD = """\
import numpy as np


def clip(G, C):
    print("x" * 10**6)
    return [np.ones(10**6) for _ in range(10**6)]
"""


@pytest.fixture(scope="module")
def address(gallery, site):
    return f"{site(gallery)}/{PAGE}"


class Place:
    """One exercise of an open page."""

    def __init__(self, page, name="clip"):
        self.page, self.here = page, page.locator(f"[data-write={name}]")

    def open(self):
        self.here.locator("button").click()
        self.here.locator(".cm-content").wait_for()
        return self

    def put(self, text):
        self.here.locator(".cm-content").click()
        self.page.keyboard.press("Control+A")
        self.page.keyboard.press("Delete")
        self.page.keyboard.insert_text(text)

    def check(self, text=None):
        """Run the check, and return what the page shows then."""
        if text is not None:
            self.put(text)
        self.here.locator(".go").click()
        return self.shown()

    def shown(self):
        self.here.locator(".go:not([aria-disabled])").wait_for(timeout=SECONDS)
        parts = (self.here.locator(each).inner_text() for each in (".said", ".shown"))
        return "\n".join(parts)


def folder(requests):
    fetched = (url for url in requests if not url.startswith("blob:"))
    return {re.sub(r".*/_static/", "", url) for url in fetched}


def test_nothing_comes_before_it_is_asked_for(address, visit):
    seen = visit(address)
    seen.page.wait_for_load_state("networkidle")
    before = len(seen.requests)
    assert not any("codemirror" in url or "python" in url for url in seen.requests)
    place = Place(seen.page).open()
    assert folder(seen.requests[before:]) == {
        *("vendor/codemirror/editor.js", "write.css", "write.js", "exercises/clip.js"),
        *("sanitize.js", "python.js"),
    }
    before = len(seen.requests)
    place.check()
    assert {name.split("/")[0] for name in folder(seen.requests[before:])} == {
        *("python", "python.html", "python-worker.js"),
    }
    assert seen.third_party == []
    assert seen.errors == []


@pytest.mark.parametrize(
    "script",
    [
        "Object.defineProperty(window, 'localStorage', {get() { throw Error(); }})",
        "Storage.prototype.setItem = () => { throw new Error('full'); }",
    ],
    ids=["refused", "full"],
)
def test_where_nothing_is_kept_the_editor_says_so(address, visit, script):
    seen = visit(address)
    seen.page.add_init_script(script)
    seen.page.reload()
    keys = Place(seen.page).open().here.locator(".keys").inner_text()
    assert "This browser keeps nothing" in keys
    assert "stays in this browser" not in keys
    seen.page.close()
    kept = Place(visit(address).page).open().here.locator(".keys").inner_text()
    assert "Your text stays in this browser." in kept
    assert seen.errors == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("width", "dark", "touch"),
    [
        (390, True, True),
        pytest.param(1280, False, False, marks=pytest.mark.thorough),
    ],
)
def test_answers_are_told_what_the_notebook_tells(address, visit, width, dark, touch):
    seen = visit(address, width=width, dark=dark, has_touch=touch)
    page = seen.page
    place = Place(page).open()
    said = place.check(EACH_ENTRY)
    assert "clip: not yet" in said
    assert "Each entry is cut by itself" in said
    assert "clip: passed, 7 of 7 checks" in place.check(RIGHT)
    assert complaints(page, within="[data-write=clip]") == []
    said = place.check("def clip(G, C):\n    return G @ G\n")
    assert "in the line “return G @ G”" in said
    assert place.here.locator(".stumbled").inner_text().strip() == "return G @ G"
    assert complaints(page, "color-contrast", within="[data-write=clip]") == []
    frame(page)
    assert too_wide(page) == []
    # A long line passes behind the numbers, which stay.
    behind, above = (
        place.here.locator(f".cm-{each}").evaluate(
            "each => getComputedStyle(each).backgroundColor"
        )
        for each in ("editor", "gutters")
    )
    assert behind == above
    said = place.check("def clip(G, C):\n    return G G\n")
    assert "SyntaxError" in said
    assert place.here.locator(".stumbled").inner_text().strip() == "return G G"
    assert "no function with the name clip" in place.check("x = 1\n")
    assert "has no torch" in place.check("import torch\n")
    assert seen.errors == []


@pytest.mark.slow
@pytest.mark.thorough
def test_loops_and_floods_are_ended_and_python_goes_on(address, visit):
    seen = visit(address)
    place = Place(seen.page).open()
    said = place.check("def clip(G, C):\n    while True:\n        pass\n")
    assert "no result after 5 s" in said
    assert "MemoryError" in place.check(FLOOD)
    assert "RecursionError" in place.check("def clip(G, C):\n    return clip(G, C)\n")
    assert "clip: passed" in place.check(RIGHT)
    # One call that Python's alarm cannot end: the worker is ended instead.
    place.put(
        "from collections import deque\nfrom itertools import repeat\n\n\n"
        "def clip(G, C):\n    deque(repeat(0), maxlen=0)\n"
    )
    place.here.locator(".go").click()
    start = time.monotonic()
    assert "no sign of life" in place.shown()
    assert time.monotonic() - start > 9
    assert "clip: passed" in place.check(RIGHT)
    # And by hand.
    place.put("while True:\n    pass\n")
    place.here.locator(".go").click()
    seen.page.wait_for_timeout(500)
    place.here.get_by_role("button", name="Stop").click()
    assert "You stopped it" in place.shown()
    assert "clip: passed" in place.check(RIGHT)


@pytest.mark.thorough
def test_a_run_while_python_starts_afresh_starts_no_second_one(address, visit):
    seen = visit(address)
    place = Place(seen.page).open()
    place.check(RIGHT)
    place.put("while True:\n    pass\n")
    place.here.locator(".go").click()
    seen.page.wait_for_timeout(500)
    place.here.get_by_role("button", name="Stop").click()
    assert "You stopped it" in place.shown()
    assert "clip: passed" in place.check(RIGHT)
    assert seen.page.locator("iframe").count() == 1
    started = [url for url in seen.requests if url.endswith("python.html")]
    assert len(started) == 2
    files = [url for url in seen.requests if url.endswith("python.bin")]
    assert len(files) == 1


@pytest.mark.thorough
def test_stopped_while_it_loads_it_says_so_and_loads_anew(address, visit):
    seen = visit(address)
    place = Place(seen.page).open()
    place.put(RIGHT)
    seen.page.context.route("**/python.bin", lambda _: None)  # it never comes
    with seen.page.expect_request("**/python.bin"):
        place.here.locator(".go").click()
    place.here.get_by_role("button", name="Stop").click()
    assert place.shown().startswith("You stopped it.")
    seen.page.context.unroute("**/python.bin")
    assert "clip: passed" in place.check(RIGHT)


def test_it_works_by_keyboard_alone(address, visit):
    page = visit(address).page
    button = page.locator("[data-write=clip] button")
    button.focus()
    page.keyboard.press("Enter")
    page.locator("[data-write=clip] .cm-content:focus").wait_for()
    page.keyboard.press("Control+A")
    for line in ("def clip(G, C):", "return 0 * G"):
        page.keyboard.type(line)
        page.keyboard.press("Enter")  # the second line is indented by the first
    place = Place(page)
    text = place.here.locator(".cm-content").inner_text()
    assert "\n    return 0 * G" in text
    page.keyboard.press("Tab")  # indents
    assert place.here.locator(".cm-content:focus").count() == 1
    page.keyboard.press("Control+Z")
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")  # leaves
    assert page.evaluate("document.activeElement.textContent") == "Run check"
    page.keyboard.press("Enter")
    assert "clip: not yet" in place.shown()
    # The focus stays where it was, and from there one stops what never ends.
    assert page.evaluate("document.activeElement.textContent") == "Run check"
    place.put("while True:\n    pass\n")
    for key in ("Escape", "Tab", "Enter", "Enter", "Tab"):
        page.keyboard.press(key)  # pressed twice, the button runs one check
    assert page.evaluate("document.activeElement.textContent") == "Stop"
    page.keyboard.press("Enter")
    assert "You stopped it" in place.shown()
    assert page.evaluate("document.activeElement.textContent") == "Run check"
    page.keyboard.press("Shift+Tab")
    assert place.here.locator(".cm-content:focus").count() == 1
    editor = place.here.get_by_role("textbox")
    assert editor.get_attribute("aria-label") == "Your answer, clip"
    described = editor.get_attribute("aria-describedby")
    assert "Escape, then Tab" in page.locator(f"#{described}").inner_text()


def test_a_text_is_kept_and_can_be_taken_away(address, visit):
    page = visit(address).page
    place = Place(page).open()
    start = place.here.locator(".cm-content").inner_text()
    place.put(EACH_ENTRY)
    page.reload()
    place = Place(page)
    assert place.here.locator("button").inner_text() == "Go on with your answer"
    place.open()
    assert "np.clip" in place.here.locator(".cm-content").inner_text()
    with page.expect_download() as taken:
        place.here.get_by_role("button", name="Download as a notebook").click()
    assert taken.value.suggested_filename == "clip.ipynb"
    notebook = json.loads(taken.value.path().read_text())
    (answer,) = (
        cell
        for cell in notebook["cells"]
        if cell["metadata"].get("tags") == ["answer:clip"]
    )
    assert "".join(answer["source"]) == EACH_ENTRY
    for _ in range(3):
        place.here.get_by_role("button", name="hint").click()
    assert place.here.locator(".hints li").count() == 3
    assert place.here.get_by_role("button", name="hint").count() == 0
    place.here.get_by_role("button", name="Reset").click()
    assert place.here.locator(".cm-content").inner_text() == start
    page.reload()
    assert Place(page).here.locator("button").inner_text() == "Write it here"


@pytest.mark.thorough
def test_a_question_is_answered_in_the_same_way(address, visit):
    place = Place(visit(address).page, "what_costs").open()
    said = place.check('from dpteach import check\n\ncheck("what_costs", "a")\n')
    assert "what_costs: not yet" in said
    assert place.here.get_by_role("button", name="Download").count() == 0


@pytest.mark.thorough
def test_an_explanation_opens_after_three_tries_and_is_kept(address, visit):
    """With code in colors and formulas; the page says when, and counts the tries."""
    seen = visit(address)
    place = Place(seen.page).open()
    said = place.here.locator(".explained")
    assert said.inner_text() == ""
    place.check("def clip(G, C):\n    return G G\n")  # not checked, so no try
    assert said.inner_text() == ""
    place.check(EACH_ENTRY)
    assert "when you pass, or after 2 more tries" in said.inner_text()
    seen.page.reload()
    place = Place(seen.page).open()
    said = place.here.locator(".explained")
    place.check(EACH_ENTRY)
    assert "after 1 more try." in said.inner_text()
    place.check(EACH_ENTRY)
    said.locator("summary", has_text="Explanation").click()
    assert "A record is a row" in said.inner_text()
    assert said.locator(".katex").count() > 3
    assert said.locator("pre .nf", has_text="clip").is_visible()
    assert complaints(seen.page, within="[data-write=clip]") == []
    seen.page.set_viewport_size({"width": 390, "height": 844})
    frame(seen.page)
    assert too_wide(seen.page) == []
    seen.page.reload()
    place = Place(seen.page).open()
    assert place.here.locator(".explained summary").is_visible()
    assert seen.page.inner_text("#done") == "0 of 5 done"
    assert seen.errors == []


def test_a_pass_opens_the_explanation_and_counts(address, visit):
    page = visit(address).page
    place = Place(page).open()
    place.check(RIGHT)
    assert place.here.locator(".explained summary").is_visible()
    assert page.inner_text("#done") == "1 of 5 done"
    assert page.locator("#exercise-clip .passed").inner_text() == "✓ passed"
    heard = place.here.locator(".heard[role=status]")  # stood there before the check
    assert heard.text_content() == place.here.locator(".shown > div").inner_text()
    assert "clip: passed" in heard.text_content()
    assert place.here.locator(".shown [role=status]").count() == 0
    onward = place.here.locator(".shown .next-open")
    assert onward.get_attribute("href") == "#exercise-what-costs"
    question = Place(page, "what_costs").open()
    question.check('from dpteach import check\n\ncheck("what_costs", "c")\n')
    assert question.here.locator(".explained summary").is_visible()
    assert page.inner_text("#done") == "2 of 5 done"


def test_pasted_signs_are_mended_when_the_reader_asks(address, visit):
    place = Place(visit(address).page).open()
    mend = place.here.get_by_role("button", name="Mend pasted quotes and spaces")
    place.put("def clip(G, C):\n    return G")
    assert not mend.is_visible()
    place.put(
        "def clip(G, C):\n    “”” ‘rows’ ”””\n\u00a0\u00a0\u00a0 return G − 1\u200b"
    )
    mend.click()
    assert not mend.is_visible()
    text = place.page.evaluate("localStorage.getItem('write:clip')")
    assert text == 'def clip(G, C):\n    """ \'rows\' """\n    return G - 1'
    assert "plain now" in place.here.locator(".said").inner_text()


def test_what_cannot_run_says_why_and_what_can(gallery, address, visit):
    place = Place(visit((gallery / PAGE).as_uri()).page).open()
    said = place.check(RIGHT)
    assert "opened from disk" in said
    assert "python -m http.server" in said
    assert "The notebook runs anywhere" in said
    page = visit(address).page
    page.evaluate(
        "document.querySelector('[data-write]').removeAttribute('data-python')"
    )
    assert "built without Python" in Place(page).open().check()


def test_every_exercise_has_its_file(monkeypatch):
    """The task and the hints of each can be typeset, and its notebook is there."""
    writing = importlib.import_module("dpteach_book.writing")
    katex = importlib.import_module("dpteach_book.katex")
    monkeypatch.setattr(katex.LOGGER, "warning", pytest.fail)
    render = writing.reader(MACROS)
    for name in names():
        told = writing.of_exercise(name, f'check("{name}", 1)', render)
        json.dumps(told)
        assert told["starter"].endswith("\n"), name
        said = [told.get("task", ""), told["explanation"], *told["hints"]]
        assert "$" not in "".join(said), name
        if not told["checked"]:
            assert told["starter"].startswith("from dpteach import check\n"), name
            continue
        (answer,) = (
            cell
            for cell in told["notebook"]["cells"]
            if cell["metadata"].get("tags") == [f"answer:{name}"]
        )
        assert "".join(answer["source"]).strip() == told["starter"].strip(), name


def test_a_page_without_exercises_knows_nothing_of_it(gallery):
    assert "data-write" not in (gallery / "book" / "notation.html").read_text()
    assert small.WRITE.count("check(") == 1
