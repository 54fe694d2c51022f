"""Questions answer back on the page, and read as text everywhere else."""

import re
import shutil

import pytest

from dpteach.figures import _page as page
from dpteach.figures.quiz import Choice, Question
from tests.browser import browser, site, visit
from tests.figures.test_explore import read

__all__ = ["browser", "site", "visit"]
RIGHT = Choice("twice", True, "Noise grows as √T.")
WRONG = Choice("four <times>", False, 'Budgets add, "variances" too.')
LAST = Choice("no more", False, "Each step is another look at the data.")


def question(identity="steps", **more):
    return Question(
        identity, "How much more noise do 4T steps need?", [WRONG, RIGHT, LAST], **more
    )


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Choice("", True, "a"), "`text` must say"),
        (lambda: Choice("a", True, " "), "`why` must say"),
        (lambda: Choice("a", 1, "b"), "`right` must be a bool"),
        (lambda: Question("a", "b", [RIGHT]), "`choices` must be two or more"),
        (lambda: Question("a", "b", [RIGHT, RIGHT]), "`choices` must be two or more"),
        (
            lambda: Question("a", "b", [WRONG, LAST]),
            "`choices` must include a right one",
        ),
        (lambda: Question("a", "b", 3), "`choices` must be"),
        (lambda: Question("a", "b", [RIGHT, 3]), "`choices` must be a Choice"),
        (lambda: Question("a", "", [RIGHT, WRONG]), "`text` must ask"),
        (lambda: Question("A b", "c", [RIGHT, WRONG]), "`identity` must consist of"),
    ],
)
def test_mistakes_are_named(make, message):
    with pytest.raises((ValueError, TypeError), match=message):
        make()


def test_it_reads_as_text():
    assert str(question(reveal="So budget for √T.")) == (
        "How much more noise do 4T steps need?\n  a) four <times>\n  b) twice\n"
        "  c) no more\nAnswer: b) Noise grows as √T. So budget for √T."
    )


def test_both_forms_are_well_formed(monkeypatch):
    monkeypatch.delenv("DPTEACH_BOOK", raising=False)
    plain = question()._repr_mimebundle_()["text/html"]
    body = re.sub(r"<style>.*?</style>", "", plain, flags=re.S)
    read(body)
    assert "<input" not in body
    assert "<details" in body
    monkeypatch.setenv("DPTEACH_BOOK", "anywhere")
    book = question()._repr_mimebundle_()["text/html"]
    elements = read(book).elements
    assert [a["type"] for tag, a in elements if tag == "input"] == ["radio"] * 3
    assert not [a for _, a in elements for name in a if name.startswith("on")]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("quiz")
    shutil.copytree(page.STATIC, folder / "static")
    body = question(reveal="So budget for √T.").html() + question("other").html()
    (folder / "index.html").write_text(page.standalone(body))
    return folder


@pytest.fixture
def tab(folder, site, visit):
    seen = visit(f"{site(folder)}/index.html")
    yield seen.page
    assert not seen.errors
    assert not seen.third_party


def verdict(tab):
    return tab.locator("#quiz-steps .dpt-verdict").inner_text()


@pytest.mark.browser
def test_a_wrong_choice_is_told_what_it_overlooks(tab):
    assert not tab.locator("#quiz-steps .dpt-answers").is_visible()
    tab.locator("#quiz-steps .dpt-check").click()
    assert verdict(tab) == "Choose an answer first."
    tab.get_by_label("four <times>").first.check()
    tab.locator("#quiz-steps .dpt-check").click()
    assert verdict(tab) == f"Not quite. {WRONG.why}"
    assert not tab.locator("#quiz-steps .dpt-answers").is_visible()
    tab.reload()  # a wrong choice is an answer, too
    assert verdict(tab) == f"Not quite. {WRONG.why}"
    assert tab.get_by_label("four <times>").first.is_checked()
    tab.locator("#quiz-steps .dpt-skip").click()  # which only shows the answers now
    assert tab.locator("#quiz-steps .dpt-answers").is_visible()
    tab.reload()
    assert verdict(tab) == f"Not quite. {WRONG.why}"


@pytest.mark.browser
def test_keys_suffice_and_the_answer_is_kept_in_the_browser_alone(tab):
    tab.locator("#quiz-steps input").first.focus()
    tab.keyboard.press("ArrowDown")
    tab.keyboard.press("Tab")
    tab.keyboard.press("Enter")
    assert verdict(tab) == f"Right. {RIGHT.why}"
    assert not tab.locator("#quiz-steps .dpt-skip").is_visible()
    tab.reload()
    assert verdict(tab) == f"Right. {RIGHT.why}"
    assert tab.locator("#quiz-other .dpt-verdict").inner_text() == ""
    assert tab.evaluate("document.cookie") == ""


@pytest.mark.browser
def test_skipping_shows_the_answers(tab):
    tab.locator("#quiz-steps .dpt-skip").click()
    answers = tab.locator("#quiz-steps .dpt-answers")
    assert answers.get_attribute("open") is not None
    assert RIGHT.why in answers.inner_text()
    assert "So budget for √T." in answers.inner_text()
    tab.reload()
    assert verdict(tab) == "Skipped."
    assert answers.get_attribute("open") is None
    tab.get_by_label("twice").first.check()  # it can still be answered
    tab.locator("#quiz-steps .dpt-check").click()
    assert verdict(tab) == f"Right. {RIGHT.why}"


@pytest.mark.browser
def test_without_scripts_the_answers_are_folded(folder, visit):
    url = (folder / "index.html").as_uri()
    tab = visit(url, java_script_enabled=False).page
    assert tab.locator("#quiz-steps summary").is_visible()
    assert not tab.locator("#quiz-steps .dpt-check").is_visible()
    assert not tab.get_by_text("So budget for √T.").is_visible()


@pytest.mark.browser
def test_paper_has_question_and_answer(tab):
    tab.emulate_media(media="print")
    assert tab.get_by_text("So budget for √T.").is_visible()
    assert not tab.locator("#quiz-steps .dpt-check").is_visible()


@pytest.mark.browser
def test_it_is_accessible_in_both_themes(folder, visit):
    from axe_playwright_python.sync_playwright import Axe

    for dark in (False, True):
        tab = visit((folder / "index.html").as_uri(), dark=dark).page
        tab.locator("#quiz-steps .dpt-skip").click()
        tab.locator("#quiz-other input").first.check()
        tab.locator("#quiz-other .dpt-check").click()
        found = Axe().run(tab, context=".dpt-quiz")
        assert found.violations_count == 0, found.generate_report()
