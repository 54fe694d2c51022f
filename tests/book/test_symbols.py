"""Formulas know which symbols of the notation stand in them."""

import sys

import pytest
from docutils import nodes

from tests.public import ROOT

sys.path.insert(0, str(ROOT / "book" / "_ext"))

from dpteach_book.katex import keep_stops
from dpteach_book.symbols import symbols, tokens


@pytest.mark.parametrize(
    ("tex", "keys"),
    [
        (r"\lambda", {"noise_multiplier"}),
        (r"\sqrt{T}/\lambda", {"steps", "noise_multiplier"}),
        (r"\eps", {"epsilon"}),
        (r"\mathrm{T}", set()),
        (r"\Theta", set()),
    ],
)
def test_symbols_of_a_formula(tex, keys):
    found = set(symbols(tex, {"\\eps": "\\varepsilon"}))
    assert keys <= found
    if not keys:
        assert "steps" not in found


def test_a_short_formula_keeps_the_stop_after_it():
    line = nodes.paragraph()
    for part in ("n", r"\varepsilon = 1", r"\sum_i \ell_i + \frac{\Lambda}{2} x^2 + y"):
        line += [nodes.math("", part), nodes.Text(", and ")]
    line += nodes.math("", "k")
    said = line.astext()
    keep_stops(None, line, "")
    stops = [node.get("stop", "") for node in line.findall(nodes.math)]
    assert stops == [",", ",", "", ""]  # a long one may break; the last has none
    assert said.replace(",", "", 2) == line.astext()


def test_a_letter_in_another_face_is_another_letter():
    assert tokens(r"\mathbb{E}") == tokens(r"\mathbb E")
    assert "E" not in tokens(r"\mathbb{E}[x]")
    assert "E" in tokens(r"E[x]")


def test_a_letter_means_what_it_means_in_its_chapter():
    chapter = symbols("m", {}, "chapters/08-dp-sgd")
    assert chapter == ["strong_convexity"]
    assert "strong_convexity" not in symbols("m", {}, "chapters/18-check-ins")
    assert "strong_convexity" not in symbols("m", {}, "book/lecture-14")
