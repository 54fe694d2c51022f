"""Progress: questions answered and exercises passed, kept in this browser alone."""

import json

import pytest

from tests.axe import complaints

pytestmark = pytest.mark.browser
PAGE = "chapters/09-dp-sgd.html"
FRONT = "book/index.html"
# The small book's chapter asks three questions, and checks two exercises.


@pytest.fixture(scope="module")
def address(gallery, site):
    return f"{site(gallery)}/"


def answer(page, name, *, choice=0):
    page.locator(f"#quiz-{name} input").nth(choice).check()
    page.locator(f"#quiz-{name} .dpt-check").click()


def done(page):
    return page.inner_text("#done")


def told(page, begins="You have answered"):
    said = page.locator("[data-kept] [role=status]", has_text=begins)
    said.wait_for()
    return said.inner_text()


def marks(page):
    return page.locator("#contents .done").all_inner_texts()


def passed(page, name):
    """Pass an exercise, as the editor says when its check has passed."""
    page.evaluate(
        f"localStorage.setItem('passed:{name}', 'yes'),"
        " dispatchEvent(new Event('dpt-progress'))"
    )


def test_answers_and_passes_count_and_visits_do_not(address, visit):
    seen = visit(address + PAGE)
    page = seen.page
    page.locator(".colophon").scroll_into_view_if_needed()
    assert done(page) == "0 of 5 done"
    assert marks(page) == []
    assert not any("asked.js" in url for url in seen.requests)
    answer(page, "steps")
    answer(page, "again", choice=1)  # an answer, if a wrong one
    page.locator("#quiz-last .dpt-skip").click()  # no answer
    assert done(page) == "2 of 5 done"
    assert page.locator(".passed").count() == 0
    assert page.locator("#next-open").get_attribute("href") == "#exercise-clip"
    passed(page, "clip")
    assert done(page) == "3 of 5 done"
    assert page.locator("#exercise-clip .passed").inner_text() == "✓ passed"
    assert page.locator(".passed").count() == 1
    assert page.get_by_role("heading", name="Another.", level=3).count() == 1
    assert page.locator("#next-open").get_attribute("href") == "#exercise-what-costs"
    page.wait_for_selector("#contents .done")
    assert marks(page) == ["3 of 5 done"]
    page.reload()
    assert done(page) == "3 of 5 done"
    page.goto(address + FRONT)
    assert told(page) == (
        "You have answered 2 of 3 questions and passed 1 of 2 exercises."
    )
    assert page.locator(".chapters li .done").inner_text().strip() == "3 of 5 done"
    bars = page.evaluate(
        "[...document.querySelectorAll('.map rect.done')].map((bar) =>"
        " bar.getAttribute('width') / bar.previousSibling.getAttribute('width'))"
    )
    assert bars == [pytest.approx(3 / 5)]
    assert complaints(page) == []
    assert seen.errors == []


def test_the_front_page_leads_back(address, visit):
    page = visit(address + PAGE).page
    page.goto(address + FRONT)
    go = page.locator("a.go")
    assert go.inner_text() == "Continue where you left off"
    go.click()
    assert page.url == address + PAGE


def test_a_file_takes_it_to_another_browser(address, visit, tmp_path):
    page = visit(address + PAGE).page
    answer(page, "steps", choice=1)
    passed(page, "clip")
    page.evaluate("localStorage.setItem('write:clip', 'def clip(G, C): ...')")
    page.evaluate("localStorage.setItem('somebody', 'else')")
    page.goto(address + FRONT)
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as a file").click()
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    kept = json.loads(file.read_text())["kept"]
    assert kept == {
        "answer:chapters/09-dp-sgd:steps": "b",
        "passed:clip": "yes",
        "write:clip": "def clip(G, C): ...",
    }
    other = visit(address + FRONT).page
    assert told(other).startswith("You have answered 0 of 3")
    other.get_by_label("Load from a file").set_input_files(file)
    assert told(other, "Loaded") == (
        "Loaded: 3 entries. 1 of them is a text in an editor: code of whoever wrote "
        "the file, so read it before you run it."
    )
    assert told(other) == (
        "You have answered 1 of 3 questions and passed 1 of 2 exercises."
    )
    other.goto(address + PAGE)
    assert done(other) == "2 of 5 done"
    assert other.locator("#quiz-steps input").nth(1).is_checked()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        '{"book": "Another", "kept": {}}',
        '{"book": "Private Optimization", "kept": {"theme": "dark"}}',
        '{"book": "Private Optimization", "kept": {"passed:clip": 1}}',
        '{"book": "Private Optimization"}',
    ],
)
def test_a_file_of_another_kind_changes_nothing(text, address, visit, tmp_path):
    file = tmp_path / "other.json"
    file.write_text(text)
    page = visit(address + FRONT).page
    told(page)
    before = page.evaluate("JSON.stringify(localStorage)")
    page.get_by_label("Load from a file").set_input_files(file)
    assert "other.json" in told(page, "nothing was changed")
    assert page.evaluate("JSON.stringify(localStorage)") == before


def test_delete_deletes_all_of_it_and_nothing_else(address, visit):
    page = visit(address + PAGE).page
    answer(page, "steps")
    page.evaluate("localStorage.setItem('tries:clip', '2')")
    page.evaluate("localStorage.setItem('answer:book/teach/09-slides:odds', 'a')")
    page.evaluate("localStorage.setItem('theme', 'dark')")
    page.goto(address + FRONT)
    told(page)
    page.once("dialog", lambda dialog: dialog.dismiss())
    page.get_by_role("button", name="Delete").click()
    assert "answered 1 of" in told(page)  # asked, and thought better of it
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Delete").click()
    told(page, "You have answered 0 of 3")
    assert page.locator(".map .done, .chapters .done, #contents .done").count() == 0
    assert page.locator(".map a[aria-label]").count() == 0
    left = set(page.evaluate("Object.keys(localStorage)"))
    assert left == {"answers", "theme"}


def test_an_answer_in_another_tab_is_counted(address, visit):
    front = visit(address + FRONT).page
    told(front, "You have answered 0")
    other = front.context.new_page()
    other.goto(address + PAGE)
    answer(other, "steps")
    told(front, "You have answered 1")


def test_pages_of_an_earlier_edition_are_forgotten(address, visit):
    page = visit(address + FRONT).page
    page.evaluate("localStorage.setItem('read', '[\"chapters/09-dp-sgd\"]')")
    page.reload()
    assert page.evaluate("localStorage.getItem('read')") is None
    assert marks(page) == []


def test_what_is_asked_is_what_the_pages_ask(book):
    """The list has each question and each exercise of each page, and no other."""
    text = (book / "_static" / "asked.js").read_text()
    asked = json.loads(text.removeprefix("window.dpteachAsked=").rstrip(";\n"))
    assert sorted(asked) == sorted(
        f"chapters/{path.stem}" for path in (book / "chapters").glob("*.html")
    )
    for name, kinds in asked.items():
        page = (book / f"{name}.html").read_text()
        for kind, mark in (("questions", "data-quiz"), ("exercises", "data-write")):
            assert len(kinds[kind]) == len(set(kinds[kind])) == page.count(f'{mark}="')
    everything = [one for kinds in asked.values() for one in kinds["exercises"]]
    assert len(everything) > 50
