"""Each way through the book reads no chapter before those that it needs."""

import json
import re

import pytest
import yaml

from tests.public import ROOT

PAGE = (ROOT / "book/how-to-read.md").read_text("utf-8")
ROWS = yaml.safe_load((ROOT / "book/chapters.yml").read_text("utf-8"))
NEEDS = {row["number"]: set(row["needs"]) for row in ROWS}
PART = PAGE.partition("(ways-through)=\n")[2].partition("\n## Run\n")[0]
LINK = r"\{doc\}`(\d+) </chapters/(\d\d)-[\w-]+>`(?: to \{doc\}`(\d+) <)?"


def chapters(text):
    """The numbers of the chapters in a text; "to" takes along those between."""
    found = []
    for shown, file, last in re.findall(LINK, text):
        assert int(shown) == int(file)
        found += range(int(shown), int(last or shown) + 1)
    return list(dict.fromkeys(found))


def too_early(numbers, known=()):
    """Name chapters that come before one that they need."""
    read, early = set(known), []
    for number in numbers:
        if NEEDS[number] - read:
            early.append(number)
        read.add(number)
    return early


def way(name):
    (row,) = re.findall(rf"^\| {name}.*$", PART, flags=re.M)
    return chapters(row)


def test_there_are_three_ways_and_the_front_page_leads_to_them():
    assert re.findall(r"^\| an? (\w+)", PART, flags=re.M) == [
        "evening", "weekend", "term",
    ]  # fmt: skip
    assert "<ways-through>" in (ROOT / "book/index.md").read_text("utf-8")


def test_a_weekend_reads_no_chapter_too_early():
    assert way("a weekend")[:2] == [0, 1]
    assert too_early(way("a weekend")) == []


def test_an_evening_ends_where_its_chapter_asks_for_more():
    """Of chapter 9 only the first sections, up to one that is there."""
    *before, last = way("an evening")
    assert too_early(before) == []
    (file,) = (ROOT / "chapters").glob(f"{last:02d}-*.ipynb")
    cells = json.loads(file.read_text("utf-8"))["cells"]
    titles = re.findall(
        r"^## (.+)$", "\n".join("".join(c["source"]) for c in cells), flags=re.M
    )
    (until,) = re.findall(r'up to "([^"]+)"', PART)
    assert 2 <= titles.index(until) <= 4


@pytest.mark.parametrize(
    "topic", ["Streams and phones", "networks are", "without a trusted server"]
)
def test_one_more_weekend_stands_on_the_first(topic):
    (sentence,) = (
        each for each in re.split(r"(?<=[.`>])(?:\. |, and )", PART) if topic in each
    )
    assert chapters(sentence)
    assert too_early(chapters(sentence), known=way("a weekend")) == []


def test_a_chapter_too_early_is_noticed():
    assert too_early([0, 1, 9]) == [9]
    assert chapters("{doc}`12 </chapters/12-a>` to {doc}`14 </chapters/14-b>`") == [
        12, 13, 14,
    ]  # fmt: skip
