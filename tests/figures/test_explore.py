# ruff: noqa: ARG005 (an experiment must have its sliders as parameters)
"""The declaration: what it refuses, and what it hands to page and print."""

import re
from html.parser import HTMLParser

import numpy as np
import pytest

from dpteach.figures import (
    Axes,
    Line,
    Points,
    Sentence,
    Spent,
)
from dpteach.figures.explore import Linked, Slider, explore
from dpteach.privacy import Gaussian, Relation
from tests.figures.sample import sample

VOID = {"input", "br", "hr", "img", "meta", "link"}
AXES = Axes("x", "y", xlim=(0, 1), ylim=(0, 1))


class Reader(HTMLParser):
    """Read HTML strictly: every element closed in its turn."""

    def __init__(self):
        super().__init__()
        self.open, self.elements, self.text = [], [], []

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        assert len(dict(attrs)) == len(attrs), f"doubled attribute in {tag}"
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


def read(html):
    reader = Reader()
    reader.feed(html)
    assert not reader.open
    return reader


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    return sample().page(tmp_path_factory.mktemp("figures"))


def test_the_page_is_well_formed_and_its_ids_are_unique(page):
    elements = read(page).elements
    ids = [attrs["id"] for _, attrs in elements if "id" in attrs]
    assert len(ids) == len(set(ids))
    named = {attrs["for"] for _, attrs in elements if "for" in attrs}
    assert named <= set(ids)
    used = re.findall(r"url\(#([^)]+)\)", page)
    used += [a["xlink:href"][1:] for _, a in elements if "xlink:href" in a]
    assert set(used) <= set(ids)


def test_two_figures_share_no_id(tmp_path):
    one, other = (
        {a["id"] for _, a in read(sample(name).page(tmp_path)).elements if "id" in a}
        for name in ("one", "other")
    )
    assert not one & other


def test_the_page_has_no_script_no_handler_and_no_other_address(page):
    reader = read(page)
    for tag, attrs in reader.elements:
        assert tag not in ("script", "iframe", "object", "style")
        assert not [name for name in attrs if name.startswith("on")]
        for name in ("src", "href", "xlink:href"):
            assert not attrs.get(name, "#").startswith("http")


def test_the_page_says_everything_in_words(page):
    elements = read(page).elements
    pictures = [a for tag, a in elements if tag == "svg" and a.get("role") == "img"]
    assert len(pictures) == 2
    assert {a["aria-label"] for a in pictures} == {
        'Curves, bars and cells; "all" of them.'
    }
    live = [a for _, a in elements if a.get("aria-live")]
    assert [a["class"] for a in live if "class" in a] == ["dpt-said"]
    assert len(live) == 2  # the sentences, and the cost
    inputs = [a for tag, a in elements if tag == "input"]
    assert [a["type"] for a in inputs] == ["range"] * 3 + ["radio"] * 2
    assert [a["aria-valuetext"] for a in inputs[:3]] == ["1", "10", "100"]
    assert ["checked" in a for a in inputs[3:]] == [True, False]
    groups = [a for _, a in elements if a.get("role") == "radiogroup"]
    assert [a["aria-labelledby"] for a in groups] == ["everything-relation"]
    assert "&lt;with&gt; noise 10, add." in page
    assert '<b class="dpt-number" data-key="steps">100</b>' in page
    assert "Every mark &amp; &lt;more&gt;" in page
    legend = re.findall(r"</svg>(\w+)</li>", page)
    names = ["band", "line", "still", "bound", "points", "bars", "cells"]
    assert legend == names


def test_text_in_the_picture_is_text_in_the_pages_font(page):
    assert re.search(r"<text [^>]*>x</text>", page)
    assert "font-family" not in page
    assert "DejaVu" not in page


def test_the_book_gets_html_a_picture_and_words(tmp_path, monkeypatch):
    monkeypatch.setenv("DPTEACH_BOOK", str(tmp_path))
    bundle = sample()._repr_mimebundle_()
    assert set(bundle) == {"text/html", "image/png", "text/plain"}
    assert bundle["image/png"].startswith(b"\x89PNG")
    assert 'data-table="everything.js"' in bundle["text/html"]
    digest = re.search(r'data-hash="(\w+)"', bundle["text/html"])[1]
    assert digest in (tmp_path / "everything.js").read_text()[:60]
    assert "100 steps <with> noise 10" in bundle["text/plain"]
    assert "Total privacy cost: ε" in bundle["text/plain"]
    again = sample()._repr_mimebundle_()
    assert again["text/html"] == bundle["text/html"]


def lines(steps):
    return [Line([0, 1], [0, 1 / steps], "a", "bound")]


def declare(experiment=lines, axes=AXES, steps=(1, 2), **more):
    given = {"title": "t", "alt": "a line", "identity": "test"} | more
    return explore(experiment, axes=axes, steps=Slider(steps), **given)


def chance(steps):
    """Forget the seed."""
    draws = np.random.default_rng().random(2)
    return [Line([0, steps], draws, "a", "bound")]


NOISE = Spent(Gaussian(5.0, relation=Relation.ADD_REMOVE), 1e-6)


def changing(make):
    """Make an experiment whose second state differs in kind from its first."""
    return lambda steps: make() if steps == 1 else lines(steps)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: declare(alt=""), "`alt` must say"),
        (lambda: declare(title=" "), "`title` must say"),
        (lambda: declare(alt=3), "`alt` must be a str"),
        (lambda: declare(3), "`experiment` must be a function"),
        (lambda: declare(axes=3), "`axes` must be"),
        (lambda: declare(axes=[]), "`axes` must"),
        (lambda: declare(plays="mu"), "`plays` must be one of"),
        (lambda: declare(picks="mu"), "`picks` must be one of"),
        (lambda: declare(in_hand="nothing"), "`in_hand` must name a file beside"),
        (lambda: declare(given=3), "`given` must be a function"),
        (lambda: declare(identity="A b"), "`identity` must consist of"),
        (lambda: declare(lambda epsilon: lines(1)), "`steps` must be a parameter"),
        (lambda: declare(lambda steps, mu: lines(1)), "`mu` must have a slider"),
        (lambda: declare(lambda steps: 3), "`experiment` must return a list"),
        (lambda: declare(lambda steps: [3]), "`experiment` must return marks"),
        (
            lambda: declare(lambda steps: [Points([0], [0], "a", "bound", moves="T")]),
            "`moves` must be one of",
        ),
        (
            lambda: declare(lambda steps: [Line([0], [0], "a", "bound", panel=1)]),
            "`panel` must be below 1, got 1",
        ),
        (
            lambda: explore(lines, axes=AXES, title="t", alt="a", pace=Slider([1, 2])),
            "`pace` must be a row of book/notation.yml",
        ),
        (
            lambda: declare(changing(lambda: [Line([0], [0], "a", "bound")])).table(),
            "one kind, label, role and number of points",
        ),
        (
            lambda: declare(changing(lambda: [*lines(1), *lines(1)])).table(),
            "as many marks and sentences",
        ),
        (
            lambda: declare(changing(lambda: [*lines(1), Sentence("b")])).table(),
            "as many marks and sentences",
        ),
        (
            lambda: declare(lambda steps: [*lines(1), Sentence("{pace} b")]).html(0),
            "`text` must name sliders in braces, got {pace}",
        ),
        (
            lambda: declare(lambda steps: [*lines(1), Sentence("ε is 1")]),
            "`experiment` must return a Spent",
        ),
        (lambda: declare(title="Risk at ε = 1"), "must return a Spent"),
        (lambda: declare(chance).table(), "must give the same marks"),
        (
            lambda: declare(axes=Axes("ε", "y", xlim=(0, 1), ylim=(0, 1))),
            "must return a Spent",
        ),
        (
            lambda: explore(
                lambda epsilon: lines(1), axes=AXES, title="t", alt="a",
                identity="test", epsilon=Slider([1, 2]),
            ),
            "must return a Spent",
        ),
    ],
)  # fmt: skip
def test_mistakes_are_named(make, message):
    with pytest.raises((ValueError, TypeError), match=message):
        make()


def test_epsilon_may_be_shown_with_its_total():
    figure = declare(lambda steps: [*lines(steps), NOISE], title="Risk at this ε")
    assert figure.texts(0) == (NOISE.statement,)


def test_a_solver_may_tie_two_sliders():
    figure = explore(
        lambda steps, noise_multiplier: lines(steps + noise_multiplier),
        axes=AXES, title="t", alt="a", identity="test",
        linked=Linked(("noise_multiplier", "steps"), lambda steps: steps**0.5),
        noise_multiplier=Slider(), steps=Slider([1, 4, 9]),
    )  # fmt: skip
    assert figure.states.stops["noise_multiplier"] == [1.0, 2.0, 3.0]


def test_an_experiment_is_called_once_a_state():
    calls = []

    def counted(steps):
        calls.append(steps)
        return lines(steps)

    figure = declare(counted)
    figure.table(), figure.html(0), figure.html(1), repr(figure)
    assert sorted(calls) == [1, 2, 2]  # the start once more: is it the same again?


def simplest(*, steps):
    """The least that a figure can show."""
    return [Line([1, 2], [1, steps], "noise", "private")]


BAD_INPUT = {
    explore: {
        "experiment": simplest,
        "axes": Axes("steps T", "noise", xlim=(1, 2), ylim=(0, 9)),
        "title": "Noise grows",
        "alt": "A rising line.",
        "caption": "One line.",
        "identity": "noise-grows",
        "linked": None,
        "plays": "steps",
        "picks": "steps",
        "steps": Slider([4, 9], start=4),
    },
}
# Words in a figure are any words.
ALSO_ACCEPTED = {
    (explore, name): {"another word", "capitals"}
    for name in ("title", "alt", "caption", "identity")
}


def test_a_sentence_has_its_numbers_written_into_it():
    said = Sentence("{steps} steps err by {error}, {error} each.", {"error": 1 / 3})
    assert said.written == "{steps} steps err by 0.333, 0.333 each."
    with pytest.raises(ValueError, match="`error` must be a finite number"):
        Sentence("{error}", {"error": float("nan")})
