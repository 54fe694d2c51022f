"""Formulas know which symbols of the notation stand in them."""

import json
import re

import pytest
from docutils import nodes
from dpteach_book.katex import tie
from dpteach_book.symbols import meanings, notation, rows, symbols, tokens

from tests.public import ROOT


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


def test_a_formula_keeps_what_touches_it():
    line = nodes.paragraph()
    for part in ("n", r"\varepsilon = 1", "q"):
        line += [nodes.math("", part), nodes.Text(", and (")]
    line += [
        nodes.math("", r"\sum_i \ell_i"),
        nodes.Text(" is long), "),
        nodes.math("", "k"),
    ]
    said = line.astext()
    for math in list(line.findall(nodes.math)):
        tie(math)
    assert line.astext() == said
    tied = [each.astext() for each in line.findall(nodes.inline)]
    assert tied == ["n,", r"(\varepsilon = 1,", "(q,", r"(\sum_i \ell_i"]


def test_a_letter_in_another_face_is_another_letter():
    assert tokens(r"\mathbb{E}") == tokens(r"\mathbb E")
    assert "E" not in tokens(r"\mathbb{E}[x]")
    assert "E" in tokens(r"E[x]")


def test_a_letter_means_what_it_means_in_its_chapter():
    chapter = symbols("m", {}, "chapters/09-dp-sgd")
    assert chapter == ["strong_convexity"]
    assert "strong_convexity" not in symbols("m", {}, "chapters/21-check-ins")
    assert "strong_convexity" not in symbols("m", {}, "book/lecture-14")
    assert symbols("m", {}, "chapters/20-banco") == ["bet"]
    assert symbols("m", {}, "chapters/18-limits") == ["copies"]


def test_the_names_of_environments_are_no_letters():
    assert symbols(r"\begin{aligned} 1 \end{aligned}", {}, "chapters/14-") == []


def test_the_height_of_a_line_break_is_no_letter():
    assert tokens(r"a \\[.4em] b") == tokens(r"a \\ b")
    assert tokens(r"\le [m]")[-2:] == ("m", "]")


# A clip norm takes the place of a Lipschitz constant in every statement and proof.
ONE_NOTION = {"clip norm", "Lipschitz constant"}
CHAPTERS = sorted(f"chapters/{f.stem}" for f in (ROOT / "chapters").glob("*.ipynb"))


def two_meanings(page: str, formula: str) -> list[str]:
    """Name the letters of a formula that have several meanings on a page."""
    table = notation()
    names = {
        letter: {table[key]["name"] for key in meanings(keys, page)}
        for letter, keys in rows().items()
        if set(letter) <= set(tokens(formula))
    }
    return [
        f"{''.join(letter)}: {', '.join(sorted(several))}"
        for letter, several in names.items()
        if len(several) > 1 and several != ONE_NOTION
    ]


@pytest.mark.parametrize("page", CHAPTERS)
def test_no_letter_has_two_meanings_within_a_chapter(page):
    cells = json.loads((ROOT / f"{page}.ipynb").read_text("utf-8"))["cells"]
    text = "".join("".join(c["source"]) for c in cells if c["cell_type"] == "markdown")
    formulas = re.findall(r"\$+([^$]+)\$+", text)
    assert not {said for one in formulas for said in two_meanings(page, one)}


# What means the same in every chapter that says nothing else. A row of any other letter
# names its chapters: elsewhere it would explain a formula by a meaning of other pages.
EVERYWHERE = {
    *(r"\varepsilon", r"\delta", r"\mu", r"\lambda", r"\rho", r"\sigma", r"\Delta"),
    *(r"\theta", r"\eta", r"\Lambda", r"\ell", r"\mathcalL", r"\mathcalC"),
    *("n", "p", "t", "T", "L", r"\mathcalT", r"\bot"),
}


def test_a_letter_that_is_not_everywhere_the_same_names_its_chapters():
    bare = {
        letter[0]
        for letter, keys in rows().items()
        if len(letter) == 1 and any("chapters" not in notation()[key] for key in keys)
    }
    assert bare == EVERYWHERE


@pytest.mark.parametrize(
    ("formula", "page", "meaning"),
    [
        (r"\varepsilon = \frac k\lambda", "08-objective", "factor_of_relation"),
        (r"\kappa < \varepsilon", "08-objective", "bend_price"),
        (r"\le \frac{n\,p}{m}", "06-private-erm", "strong_convexity"),
        (r"p \le e^\varepsilon q", "22-audits", "some_probability"),
        (r"1 - e^{-t}", "07-exponential-mechanism", "tail_level"),
        (r"g_t + b_t", "09-dp-sgd", "step_noise"),
        (r"\ln T + \gamma_E", "15-matrix-factorization", "euler_gamma"),
    ],
)
def test_a_formula_is_explained_by_its_own_chapter(formula, page, meaning):
    assert meaning in symbols(formula, {}, f"chapters/{page}")


def test_a_second_meaning_is_noticed(monkeypatch):
    table = dict(notation())
    table["smoothness"] = {**table["smoothness"], "chapters": [12]}
    monkeypatch.setattr("tests.book.test_symbols.notation", lambda: table)
    monkeypatch.setattr("dpteach_book.symbols.notation", lambda: table)
    assert two_meanings("chapters/12-prefix-sums", r"\beta") == [
        r"\beta: failure probability, smoothness"
    ]
