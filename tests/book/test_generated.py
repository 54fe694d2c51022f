"""What is made from other files is as it would be made today."""

import json
import re

import generated
import lists
import page_sources
import pytest

from dpteach.chapters.catalog import load, rooms
from dpteach.grading.exercise import Exercise
from tests.public import ROOT


@pytest.fixture(scope="module")
def made():
    return generated.files()


def test_everything_generated_is_as_it_would_be_made_today(made):
    stale = [str(path.relative_to(ROOT)) for path in generated.stale(made)]
    assert not stale, f"make generated: {stale}"


def test_what_is_missing_or_changed_or_too_much_is_found(made):
    """Power: one file of each kind."""
    first, second, *_ = made
    new, gone = second.with_name("new.md"), ROOT / "exercises" / "clip.ipynb"
    others = {**made, first: made[first] + " ", new: ""}
    del others[gone]
    assert set(generated.stale(others)) >= {first, new, gone}
    assert new not in generated.stale(made)


def test_the_contents_name_each_page_that_the_build_writes():
    """And git keeps none of them."""
    contents = (ROOT / "book" / "_toc.yml").read_text("utf-8")
    texts = page_sources.files()
    pages = {path.relative_to(ROOT).with_suffix("").as_posix() for path in texts}
    table = "book/teach/table"  # which the page for instructors includes
    assert {page for page in pages if f" {page}\n" not in contents} == {table}
    listed = re.findall(r"book/(?:teach|api)/\S+", contents)
    assert set(listed) == pages - {table}
    ignored = (ROOT / ".gitignore").read_text("utf-8").split()
    assert set(page_sources.PATTERNS) <= set(ignored)
    assert all(any(path.match(each) for each in ignored) for path in texts)


def test_a_link_that_is_a_number_is_the_number_of_its_chapter():
    pages = [*(ROOT / "book").glob("*.md"), *(ROOT / "chapters").glob("*.ipynb")]
    links = r"{doc}`(?:[Cc]hapter )?(\d+) </chapters/(\d+)-"
    pairs = [pair for p in pages for pair in re.findall(links, p.read_text("utf-8"))]
    assert len(pairs) > 50
    assert not [pair for pair in pairs if int(pair[0]) != int(pair[1])]


def test_the_readme_lists_every_algorithm_that_is_cited():
    rows = "\n".join(lists.algorithms())
    for name in ("dp_sgd", "dp_ftrl", "private_frank_wolfe", "exponential_mechanism"):
        assert f"[`{name}`](dpteach/algorithms/" in rows
    assert "`dp_sgd_noise_multiplier`" not in rows  # no algorithm of the book


def test_each_exercise_is_listed_once_with_its_own_chapter():
    rows = lists.exercise_list()[2:]
    asking = [name for name in rooms() if isinstance(load(name), Exercise)]
    assert sorted(row.split("]")[0].removeprefix("| [") for row in rows) == sorted(
        asking
    )
    # Chapter 9 asks for it too, but it stands in chapter 12.
    (tree,) = [row for row in rows if row.startswith("| [tree_prefix_sums]")]
    assert tree.endswith("| [12](../chapters/12-prefix-sums.ipynb) |")
    numbers = [int(row.split("[")[-1].split("]")[0]) for row in rows]
    assert numbers == sorted(numbers)


def test_an_exercise_that_no_cell_checks_is_named(monkeypatch):
    monkeypatch.setattr(lists, "asked", lambda _: [])
    with pytest.raises(ValueError, match=r"none does: .*'clip'"):
        lists.exercise_list()


def test_a_page_without_a_place_for_its_list_is_refused():
    page = "Before\n<!-- x: written by make generated -->\nold\n<!-- /x -->\nAfter\n"
    assert lists.put_in(page, "x", ["new"]) == page.replace("old", "new")
    with pytest.raises(ValueError, match="must have a line"):
        lists.put_in("Before\nAfter\n", "x", ["new"])


def test_notebooks_of_exercises_are_in_their_stored_form(made):
    for path, text in made.items():
        if path.suffix == ".ipynb":
            cells = json.loads(text)["cells"]
            assert len({cell["id"] for cell in cells}) == len(cells)
            assert not any(cell.get("outputs") for cell in cells)
            assert sum(cell["id"] == "install" for cell in cells) == 1
