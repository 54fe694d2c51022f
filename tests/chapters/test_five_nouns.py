"""The five nouns of the package are explained once, and linked where they appear."""

import inspect
import re

import pytest

import dpteach
from dpteach import privacy
from dpteach.chapters.tour import lines
from tests.chapters.test_endings import CHAPTERS, sources

NOUNS = ("Problem", "Relation", "Event", "Release", "Trace")


def explained():
    """The rows of the table: noun and what stands beside it."""
    cells = sources(next(p for p in CHAPTERS if p.stem == "01-guessing-game"))
    (text,) = (each for each in cells if each.startswith("(five-nouns)="))
    return dict(re.findall(r"^\| `(\w+)` \| (.+) \|$", text, flags=re.M))


def test_each_noun_has_a_row_and_is_a_class_of_the_package():
    assert tuple(explained()) == NOUNS
    for noun in NOUNS:
        assert inspect.isclass(getattr(dpteach, noun, getattr(privacy, noun, None)))


def test_the_example_is_the_run_of_the_tour():
    run = {"clip_norm": 1.0, "steps": 100, "learning_rate": 1e-3, "rng": 0}
    release = dpteach.dp_sgd(lines.patients(), noise_multiplier=42.3, **run)
    event = release.event
    for said in ("Gaussian", f"{event.noise_multiplier:g}", f"{event.releases}"):
        assert said in explained()["Event"]
    assert repr(event.relation) in explained()["Relation"]
    tour = "\n".join(sources(CHAPTERS[0]))
    assert "noise_multiplier=42.3" in tour
    assert '"steps": 100' in tour


@pytest.mark.parametrize("stem", ["00-tour", "02-sensitivity", "05-convex", "23-"])
def test_a_noun_is_linked_where_it_first_appears(stem):
    (path,) = (each for each in CHAPTERS if each.stem.startswith(stem))
    assert "<five-nouns>`" in "\n".join(sources(path))
