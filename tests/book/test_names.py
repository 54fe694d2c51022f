"""Names that must be one in the whole book, checked without building it."""

import json
import pkgutil
import re
from collections import Counter
from importlib import import_module

from dpteach import chapters
from dpteach.figures.figure import Figure
from dpteach.figures.predict import Choose, Draw, Place
from dpteach.figures.quiz import Question
from tests.public import ROOT

LABEL = re.compile(r"^:label: (\S+)$|^\$\$ \((\S+)\)$|^\((\S+)\)=$", re.M)


def prose():
    """The Markdown of every page."""
    for path in sorted((ROOT / "chapters").glob("*.ipynb")):
        cells = json.loads(path.read_text("utf-8"))["cells"]
        yield "\n\n".join("".join(c["source"]) for c in cells)
    for path in sorted((ROOT / "book").rglob("*.md")):
        if "_build" not in path.parts:
            yield path.read_text("utf-8")


def labels(text):
    return ["".join(found) for found in LABEL.findall(text)]


def twice(names):
    return sorted(name for name, count in Counter(names).items() if count > 1)


def test_a_label_stands_once_in_the_book():
    """Sphinx would warn, after minutes; two chapters were written at once."""
    found = [label for text in prose() for label in labels(text)]
    assert len(found) > 20
    assert not twice(found)


def test_two_labels_of_one_name_are_seen():
    text = (
        ":::{prf:theorem} A\n:label: thm-a\n:::\n\n$$\nx\n$$ (eq-b)\n\n:label: thm-a\n"
    )
    assert labels(text) == ["thm-a", "eq-b", "thm-a"]
    assert twice(labels(text)) == ["thm-a"]


def test_a_question_has_a_name_of_its_own():
    """The browser keeps answers by it, for all pages together."""
    found = {}
    for info in pkgutil.walk_packages(chapters.__path__, "dpteach.chapters."):
        module = import_module(info.name)
        for value in vars(module).values():
            asks = value
            if isinstance(value, Figure):
                asks = value.declaration.get("asks")
            if isinstance(asks, Choose):
                asks = asks.question  # which may stand in a list of questions, too
            if isinstance(asks, Question | Draw | Place):
                found[id(asks)] = asks
    assert len(found) > 20
    assert not twice(each.identity for each in found.values())


def test_the_entries_of_the_glossary_stand_apart():
    """A merge by union drops the empty lines between them."""
    text = (ROOT / "book" / "glossary.md").read_text("utf-8")
    body = text.split(":::{glossary}\n")[1].split("\n:::")[0]
    entries = [each.splitlines() for each in body.strip().split("\n\n")]
    assert all(len(e) > 1 and all(x[:1] == " " for x in e[1:]) for e in entries)
    assert not twice(entry[0] for entry in entries)
