"""Marks refuse what cannot be drawn, and lie where the axes say."""

import numpy as np
import pytest

from dpteach.figures import (
    Axes,
    Band,
    Bars,
    Cells,
    Line,
    Points,
    Sentence,
    Spent,
)
from dpteach.figures._paint import NARROW, RC, WIDE, text_width, tick_words
from dpteach.figures.axes import UNIT
from dpteach.privacy import Gaussian, Pure, Relation

NAN = float("nan")
ADD = Relation.ADD_REMOVE


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Line([1, 2], [1], "a", "bound"), "`y` must have 2 entries"),
        (lambda: Line([], [], "a", "bound"), "`x` must have one axis"),
        (lambda: Line([[1]], [[1]], "a", "bound"), "`x` must have one axis"),
        (lambda: Line([1, NAN], [1, 2], "a", "bound"), "`x` must be finite"),
        (lambda: Line(["a"], [1], "a", "bound"), "`x` must be an array of numbers"),
        (lambda: Line([1], [1], " ", "bound"), "`label` must say"),
        (lambda: Line([1], [1], 3, "bound"), "`label` must be"),
        (lambda: Line([1], [1], "a", "blue"), "`role` must be one of"),
        (lambda: Line([1], [1], "a", "bound", panel=-1), "`panel` must be"),
        (lambda: Band([1], [2], [1], "a", "bound"), "`high` must be at least"),
        (lambda: Bars([1], [2], "a", "bound", width=0), "`width` must be"),
        (lambda: Bars([1], [2], "a", "bound", base=NAN), "`base` must be"),
        (lambda: Cells([1], [1], [1.5], "a", "bound"), "`level` must lie between"),
        (lambda: Points([1], [float("inf")], "a", "bound"), "`y` must be finite"),
        (lambda: Sentence(""), "`text` must say"),
        (lambda: Sentence(3), "`text` must be"),
        (lambda: Spent(3, 1e-6), "`event` must be"),
        (lambda: Spent((), 1e-6), "`event` must hold"),
        (lambda: Spent(Gaussian(1.0, relation=ADD), 0.0), "`delta` must be"),
        (lambda: Spent(Pure(1.0, relation=ADD), -0.1), "`delta` must be"),
        (lambda: Spent(Pure(1.0, relation=ADD), 1.0), "`delta` must be"),
        (lambda: Spent(Pure(1.0, relation=ADD), at_least=1), "`at_least` must"),
        (
            lambda: Axes("x", "y", xlim=(1, 0), ylim=(0, 1)),
            "`xlim` must ascend",
        ),
        (lambda: Axes("x", "y", xlim=3, ylim=(0, 1)), "`xlim` must be two numbers"),
        (
            lambda: Axes("x", "y", xlim=(0, 1), ylim=(0, 1), xticks={0: 1}),
            "`xticks` must be",
        ),
        (
            lambda: Axes("x", "y", xlim=(0, NAN), ylim=(0, 1)),
            "`xlim` must be a finite",
        ),
        (
            lambda: Axes("x", "y", xlim=(0, 1), ylim=(0, 1), xscale="log"),
            "`xlim` must start above 0",
        ),
        (
            lambda: Axes("x", "y", xlim=(0, 1), ylim=(0, 1), yscale="sqrt"),
            "`yscale` must be one of",
        ),
    ],
)
def test_mistakes_are_named(make, message):
    with pytest.raises((ValueError, TypeError), match=message):
        make()


def test_marks_keep_what_they_were_given():
    x = np.array([1.0, 2.0])
    line = Line(x, x, "a", "bound")
    x[0] = 9
    assert line.x.tolist() == [1.0, 2.0]
    with pytest.raises(ValueError, match="read-only"):
        line.x[0] = 3


def test_places_are_parts_of_the_panel():
    axes = Axes("x", "y", xlim=(0, 10), ylim=(0.01, 1), yscale="log")
    line = Line([0, 5, 10], [0.01, 0.1, 1], "a", "bound")
    assert axes.place(line).tolist() == [[0, 0], [UNIT // 2, UNIT // 2], [UNIT, UNIT]]
    far = Line([1e9, -1e9], [1e-300, 1e300], "a", "bound")
    assert np.abs(axes.place(far)).max() == 4 * UNIT


def test_a_logarithmic_axis_refuses_zero_and_names_the_mark():
    axes = Axes("x", "y", xlim=(1, 10), ylim=(1, 10), yscale="log")
    with pytest.raises(ValueError, match="`y` of the mark 'runs' must be above 0"):
        axes.place(Bars([1], [5], "runs", "measured"))


def test_the_statement_is_computed_from_the_event():
    noise = Gaussian(4.22467888932683, relation=ADD)
    assert Spent(noise, 1e-6).statement == (
        "Total privacy cost: ε = 1, δ = 10⁻⁶, when one record is added or removed."
    )
    two = (Pure(0.5, relation=Relation.REPLACE), Pure(2.0, relation=Relation.REPLACE))
    assert "ε from 0.5 to 2, δ = 10⁻¹²" in Spent(two, 1e-12).statement
    assert "when one record is replaced" in Spent(two, 1e-12).statement
    assert "ε from 0.5 to 2, δ = 0, when" in Spent(two).statement
    pure = Pure(0.5, releases=3, relation=ADD)
    assert "cost: at least ε = 1.5, δ = 0," in Spent(pure, at_least=True).statement
    with pytest.raises(ValueError, match="share one relation"):
        Spent((noise, two[0]), 1e-6)


def test_what_is_pure_is_stated_without_delta():
    one = Pure(0.5, releases=4, relation=ADD)
    assert Spent(one, 0.0).statement.startswith("Total privacy cost: ε = 2, δ = 0,")
    assert "ε = 2, δ = 0.01" not in Spent(one, 0.01).statement  # δ = 0.01 lowers it


def test_cells_are_dots_if_they_are_many_and_of_one_shade():
    k = np.arange(101.0)
    assert Cells(k, k, 0 * k + 0.5, "a", "bound").scattered
    assert not Cells(k, k, k / 100, "a", "bound").scattered  # a map
    assert not Cells(k[:9], k[:9], 0 * k[:9], "a", "bound").scattered


def test_a_word_at_a_tick_has_room_beside_the_panel():
    """On a phone, too, where "1,000,000" and "FTRL, root" ran out of the picture."""
    named = {1: "one", 2: "FTRL, root"}
    wide = Axes("x", "y", xlim=(0, 1), ylim=(1, 1e7), yscale="log", yticks=(1, 1e6))
    words = Axes("x", "y", xlim=(0, 1), ylim=(0, 3), yticks=named)
    short = Axes("x", "y", xlim=(0, 1), ylim=(0, 1))
    assert tick_words(short.ylim, "linear", None)[0] == "0"
    for layout in (WIDE, NARROW):
        assert layout.fitted((short,)) == layout
        for axes, word in ((wide, "1,000,000"), (words, "FTRL, root")):
            room = layout.fitted((short, axes)).left - RC["ytick.major.pad"]
            assert room > text_width(word, layout.font)
    assert NARROW.left < text_width("FTRL, root", NARROW.font)  # power
