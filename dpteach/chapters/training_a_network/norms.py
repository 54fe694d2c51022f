"""Figures of the chapter on networks: record norms, and three ways to compute them."""

from functools import cache
from math import sqrt

import numpy as np

from ... import checks
from ...algorithms.gradients.sgd import dp_sgd
from ...auditing import Tape
from ...figures.axes import Axes
from ...figures.explore import Slider, even
from ...figures.figure import figure
from ...figures.marks import Line, Mark, Points, Sentence
from ...figures.predict import Choose, Place
from ...figures.style import write
from . import questions as ask
from .digits import problem

TRAINED = (0, 4, 8, 16, 32, 64, 128)
CLIP_NORMS = even(0.1, 0.9, 0.1) + even(1, 10, 0.25)
SHARES = np.arange(1, 100)


@cache
def norms_of_records() -> dict[int, np.ndarray]:
    """Compute the norm of each record's gradient along clipped descent without noise.

    Examples
    --------
    >>> start = norms_of_records()[0]
    >>> len(start), bool(start.max() < 3)
    (1200, True)
    """
    D = problem("network")
    path = dp_sgd(
        D, clip_norm=1.0, steps=TRAINED[-1], noise_multiplier=1.0, rng=Tape([]),
        learning_rate=4 / D.n,
    ).path  # fmt: skip
    models = {T: path[T - 1] if T else D.zeros() for T in TRAINED}
    return {
        T: np.array([np.linalg.norm(D.record_gradient(theta, i)) for i in range(D.n)])
        for T, theta in models.items()
    }


@figure(
    asks=Choose(
        ask.NORMS,
        hides=["after T steps"],
        ghosts=[
            [(2, 0.1), (50, 0.1), (98, 0.12)],
            [(2, 0.003), (50, 0.03), (90, 0.6), (98, 8)],
            [(2, 1.2), (50, 1.4), (98, 2.0)],
        ],
    ),
    axes=Axes(
        "records, by the length of the gradient, in %",
        "norm of the gradient",
        xlim=(0, 100),
        ylim=(0.001, 20),
        yscale="log",
    ),
    title="What one record may do",
    alt=(
        "At the start the norms of all records lie on a level line between 1 and 2. "
        "After training they rise from a hundredth to about ten: most gradients have "
        "become short, and a few have become long. A level line at the clip norm cuts "
        "off the longest."
    ),
    caption=(
        "1,200 images of digits, a network of 2,442 weights, clipped descent without "
        "noise. Norms of records are private: this is the curator's view."
    ),
    identity="record-norms",
    steps=Slider(TRAINED, start=128),
    clip_norm=Slider(CLIP_NORMS, start=1.0),
)
def record_norms(steps: int, clip_norm: float) -> list[Mark]:
    """Draw the norms of all records' gradients, at the start and after some steps.

    Examples
    --------
    >>> start, trained, *_ = record_norms(128, 1.0)
    >>> bool(trained.y[0] < start.y[0]), bool(trained.y[-1] > start.y[-1])
    (True, True)
    """
    checks.one_of(TRAINED, steps=steps)
    checks.moderate(clip_norm=clip_norm)
    start, now = norms_of_records()[0], norms_of_records()[steps]
    longest = np.sort(now)[-len(now) // 10 :].sum() / now.sum()
    cut = 100 * np.mean(now > clip_norm)
    return [
        Line(SHARES, np.percentile(start, SHARES), "at the start", "reference"),
        Line(SHARES, np.percentile(now, SHARES), "after T steps", "measured"),
        Line([0, 100], [clip_norm, clip_norm], "clip norm L", "bound"),
        Sentence(
            f"After {{steps}} steps, L = {{clip_norm}} shortens {cut:.0f} of 100 "
            f"gradients. The longest tenth has {100 * longest:.0f}% of all the length; "
            f"the longest is {write(float(now.max()))}."
        ),
    ]


INPUTS = (16, 36, 72, 144, 288, 576, 1152, 2304)
OUTPUTS = (16, 32, 64, 96, 128, 192, 256)
POSITIONS = np.unique(np.round(np.geomspace(1, 4096, 61)))


@figure(
    asks=Place(
        "ghost-border",
        "A convolution has 144 inputs and 32 outputs. Up to how many positions do two "
        "tables of inner products need less memory than the gradient itself?",
        hides=["two tables of inner products", "where they are equal"],
        truth=48,
        why="The tables hold 2S² numbers, the gradient 144 · 32. They are equal at "
        "S = 48, an image of 7 by 7. Large images favor the gradient itself.",
    ),
    axes=Axes(
        "positions S of a record",
        "numbers to keep for each record",
        xlim=(1, 4096),
        ylim=(1, 1e8),
        xscale="log",
        yscale="log",
    ),
    title="Two ways to a record's norm",
    alt=(
        "On logarithmic axes a level line, the gradient in full, and a rising line, "
        "the tables of inner products, which crosses it. To the left of the crossing "
        "the tables are smaller. A third line, what both begin with, rises more slowly."
    ),
    caption=(
        "One layer whose weights are used at S positions: a convolution, or a sentence "
        "of S words. A dense layer has S = 1. No data are used."
    ),
    identity="ghost-or-whole",
    inputs=Slider(INPUTS, start=144),
    outputs=Slider(OUTPUTS, start=32),
)
def ghost_or_whole(inputs: int, outputs: int) -> list[Mark]:
    """Compare the memory of a record's gradient with that of its inner products.

    Examples
    --------
    >>> *_, border, said = ghost_or_whole(144, 32)
    >>> float(border.x[0])
    48.0
    """
    inputs, outputs = checks.count(inputs=inputs, outputs=outputs)
    whole = inputs * outputs
    border = sqrt(whole / 2)
    return [
        Line([1, 4096], [whole, whole], "the gradient in full", "non_private"),
        Line(POSITIONS, 2 * POSITIONS**2, "two tables of inner products", "private"),
        Line(
            POSITIONS,
            POSITIONS * (inputs + outputs),
            "what both begin with",
            "reference",
        ),
        Points([border], [whole], "where they are equal", "private"),
        Sentence(
            f"With {{inputs}} inputs and {{outputs}} outputs, a gradient has {whole:,} "
            f"numbers. Inner products need fewer below S = {border:.0f}; a dense layer "
            f"needs 2."
        ),
    ]


TRUE_NORM = 30.0  # of each record's gradient, in clip norms
LARGER = np.geomspace(1, 1e9, 181)
PRECISIONS = ("float32", "float64")
PLACES = (4, 8, 16, 32, 64, 128, 256)


def _record(larger: float, positions: int, rng: np.random.Generator) -> tuple:
    """Make one record's (a, g): parts that are longer than their sum by a factor."""
    a = np.ones((positions, 1)) * rng.normal(size=(1, 8))
    g = rng.normal(size=(positions, 1)) * rng.normal(size=(1, 4))
    g -= g.mean(axis=0)
    rest = rng.normal(size=(1, 4))
    whole, parts = np.linalg.norm(a.T @ np.tile(rest, (positions, 1))), 1.0
    parts = np.linalg.norm(a) * np.linalg.norm(g)
    g = g * sqrt(larger**2 - 1) / parts + rest / whole
    return a, TRUE_NORM * g


def _adds(a: np.ndarray, g: np.ndarray, dtype: str) -> float:
    """Compute the norm of what a record adds if its ghost norm sets the factor."""
    low, high = a.astype(dtype), g.astype(dtype)
    square = float(((low @ low.T) * (high @ high.T)).sum())
    ghost = sqrt(max(square, 0.0))
    exact = np.linalg.norm(low.astype(float).T @ high.astype(float))
    return float(exact / max(ghost, 1.0))


@figure(
    axes=Axes(
        "how much longer the parts are than their sum",
        "norm that a record adds, in clip norms",
        xlim=(1, 1e9),
        ylim=(1e-7, 1000),
        xscale="log",
        yscale="log",
    ),
    title="Rounding breaks the clip",
    alt=(
        "Up to parts a thousand times longer than their sum, all records add exactly "
        "one clip norm. Beyond, in single precision, points scatter over many orders "
        "of magnitude, and some add thirty clip norms. In double precision this "
        "begins only at a hundred million."
    ),
    caption=(
        "181 records with gradients of norm 30 L, made of parts that cancel. The norm "
        "comes from inner products in the given precision, the sum is exact. Seed 0."
    ),
    identity="ghosts-in-single-precision",
    dtype=Slider(PRECISIONS, start="float32"),
    positions=Slider(PLACES, start=16),
)
def rounding(dtype: str, positions: int) -> list[Mark]:
    """Draw what records add whose norms were computed from inner products.

    Examples
    --------
    >>> single, *_ = rounding("float32", 16)
    >>> bool(single.y.max() > 20)  # L would be 1
    True
    """
    checks.one_of(PRECISIONS, dtype=dtype)
    checks.one_of(PLACES, positions=positions)
    rng = np.random.default_rng(0)
    records = [_record(float(each), positions, rng) for each in LARGER]
    adds = np.array([_adds(a, g, dtype) for a, g in records])
    over = adds > 1.001
    first = f"the first at {write(LARGER[over][0])} times" if over.any() else "none"
    return [
        Points(LARGER, adds, "what a record adds", "broken"),
        Line([1, 1e9], [1, 1], "clip norm", "bound"),
        Sentence(
            f"In {{dtype}} and with {{positions}} positions, {over.sum()} of 181 "
            f"records add more than L ({first}), at worst {write(adds.max())} L."
        ),
    ]
