"""Every chapter ends in "What to remember", and says nothing there that is new."""

import json
import re

import pytest
import yaml

from tests.public import ROOT

CHAPTERS = sorted((ROOT / "chapters").glob("*.ipynb"))
PARTS = ("One formula.", "One picture.", "Three mistakes.", "Where next.")
each_chapter = pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)


def sources(path):
    """The text of each cell, in order."""
    cells = json.loads(path.read_text("utf-8"))["cells"]
    return ["".join(cell["source"]) for cell in cells]


def ending(path):
    """The cell that ends the lesson, and the text of all others."""
    cells = sources(path)
    (place,) = (
        i for i, text in enumerate(cells) if text.startswith("## What to remember\n")
    )
    return cells[place], "\n\n".join(cells[:place] + cells[place + 1 :])


def parts(text):
    """What stands under each of the four headings, which must come in their order."""
    names = re.findall(r"^\*\*([^*]+\.)\*\*", text, flags=re.M)
    assert tuple(names) == PARTS
    return re.split(r"^\*\*[^*]+\.\*\*", text, flags=re.M)[1:]


def numbers(text):
    """The numbers of a text, without those of a list, of an address or of a power."""
    text = re.sub(r"^\d\. ", "", text, flags=re.M)
    text = re.sub(r"\]\([^)]*\)|\{doc\}`[^`]*`|[_^]\{?-?\w+\}?", "", text)
    whole = r"(?<![\w.])\d+(?:,\d{3})*(?:\.\d+)?"
    return set(re.findall(whole, text.replace("{,}", ",")))


def new_numbers(text, rest):
    """Numbers that the rest of the chapter does not have."""
    return numbers(text) - numbers(rest) - set("123")


@each_chapter
def test_a_chapter_ends_in_a_formula_a_picture_three_mistakes_and_a_way_on(path):
    formula, picture, mistakes, onward = parts(ending(path)[0])
    assert formula.count("$$") == 2
    assert re.search(r"\]\(#[\w-]+\?", picture)
    assert re.findall(r"^(\d)\. \S", mistakes, flags=re.M) == ["1", "2", "3"]
    rows = yaml.safe_load((ROOT / "book" / "chapters.yml").read_text("utf-8"))
    place = {row["file"].split("/")[-1]: row["number"] for row in rows}
    linked = re.findall(r"<([\w/-]+)>`", onward)
    last = path == CHAPTERS[-1]
    later = [name for name in linked if place.get(name, -1) > place[path.stem]]
    assert later or (last and linked)


@each_chapter
def test_it_comes_before_the_exercises(path):
    cells = [text.split("\n")[0] for text in sources(path)]
    place = cells.index("## What to remember")
    assert cells[place + 1].startswith(("## Exercises", "## History"))


@each_chapter
def test_each_of_its_numbers_is_in_the_chapter(path):
    assert new_numbers(*ending(path)) == set()


def test_a_number_that_the_chapter_does_not_have_is_found():
    rest = "It costs $0.721$, and 442 people, or $12{,}000$, in 80 of 100."
    assert new_numbers("At $\\varepsilon_0$: $0.721$ for 442 of 12,000.", rest) == set()
    assert new_numbers("It costs $0.712$ for 443.", rest) == {"0.712", "443"}
