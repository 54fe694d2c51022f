"""Figures of the chapter on mechanisms: three noises, and two formulas.

All distributions and prices are exact; only the clouds of points are drawn, with fixed
seeds.
"""

from functools import cache
from math import cos, log, radians, sin, sqrt
from typing import Any

import numpy as np

from ... import checks
from ...accounting import gaussian_delta, gaussian_mu
from ...figures.axes import Axes
from ...figures.explore import Slider, even, geometric
from ...figures.figure import figure
from ...figures.marks import (
    Line,
    Mark,
    Points,
    Sentence,
    Spent,
)
from ...figures.predict import Choose, Draw
from ...figures.style import write
from ...mechanisms import (
    gaussian_mechanism,
    k_norm_mechanism,
    laplace_mechanism,
)
from ...privacy import (
    Gaussian,
    Relation,
    Release,
)
from . import questions as ask

DELTA = 1e-6
NOISES = ("Laplace", "K-norm", "Gaussian")
DIRECTIONS = tuple(range(360))
_TURN = np.linspace(0, 2 * np.pi, 65)
_HALF = 1.6783  # Gamma(2) is below this half of the time
_POINTS = 60


DELTAS = (1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3)


@cache
def _cloud(noise: str, epsilon: float) -> Release:
    """Publish (0, 0) sixty times; one record has a Euclidean length of 1 at most."""
    zero, relation = np.zeros(2), Relation.ADD_REMOVE
    common: dict[str, Any] = {"epsilon": epsilon, "relation": relation, "rng": 4}
    common["runs"] = (_POINTS,)
    if noise == "Laplace":  # a vector of length 1 has entries that add up to √2 at most
        return laplace_mechanism(zero, sensitivity=sqrt(2), **common)
    if noise == "K-norm":
        return k_norm_mechanism(zero, sensitivity=1.0, **common)
    return gaussian_mechanism(zero, sensitivity=1.0, delta=DELTA, **common)


def _half_of_draws(noise: str, epsilon: float) -> np.ndarray:
    """Outline the smallest region with half of all draws, shape ``(65, 2)``."""
    circle = np.c_[np.cos(_TURN), np.sin(_TURN)]
    if noise == "Laplace":
        diamond = circle / np.abs(circle).sum(axis=1, keepdims=True)
        return _HALF * sqrt(2) / epsilon * diamond
    if noise == "K-norm":
        return _HALF / epsilon * circle
    return sqrt(2 * log(2)) / gaussian_mu(epsilon, DELTA) * circle


def _at_one() -> dict[str, Any]:
    """Hand the page what it scales: the draws, and half of all draws, at ε = 1."""
    return {
        "drawn": {noise: _cloud(noise, 1.0).theta.tolist() for noise in NOISES},
        "half": {noise: _half_of_draws(noise, 1.0).tolist() for noise in NOISES},
        "delta": DELTA,
    }


def _cost(noise: str, epsilon: float, turn: Any) -> Any:
    """Compute the cost of a record of length 1, by its direction in radians."""
    entries = np.abs(np.cos(turn)) + np.abs(np.sin(turn))
    return epsilon * (entries / sqrt(2) if noise == "Laplace" else 1 + 0 * entries)


@figure(
    axes=(
        Axes(
            "first coordinate",
            "second coordinate",
            xlim=(-6, 6),
            ylim=(-6, 6),
            xticks=(-5, 0, 5),
            yticks=(-5, 0, 5),
            title="A sum, published",
        ),
        Axes(
            "direction of the record, in degrees",
            "cost over ε",
            xlim=(0, 360),
            ylim=(0, 1.2),
            xticks=(0, 90, 180, 270, 360),
            title="What it costs",
        ),
    ),
    title="A record, what it moves, and the noise that hides it",
    alt=(
        "In the panel “A sum, published”, a cloud of points and two outlines, slightly "
        "apart. In the panel “What it costs”, the cost of a record by its direction: "
        "for Laplace noise it reaches the budget only along the diagonals, for the two "
        "others everywhere."
    ),
    caption=(
        "The exact sum without the record is at the origin. Each noise is made for "
        "records of Euclidean length 1 in any direction; Gaussian noise for δ = 10⁻⁶, "
        "at which its cost is stated."
    ),
    identity="noise-clouds",
    in_hand="clouds",
    given=_at_one,
    noise=Slider(NOISES, start="Laplace"),
    direction=Slider(DIRECTIONS, start=15),
    epsilon=Slider(even(1, 4, 0.05), start=1),
)
def clouds(noise: str, direction: float, epsilon: float) -> list[Mark]:
    """Publish a sum of vectors in the plane; one record of length 1 comes or goes.

    Examples
    --------
    >>> *_, here, _, spent = clouds("Laplace", 0.0, 1.0)
    >>> round(float(here.y[0]), 3)  # along an axis, Laplace noise hides more than asked
    0.707
    """
    checks.one_of(NOISES, noise=noise)
    checks.positive(epsilon=epsilon)
    checks.finite(direction=direction)
    out, turn = _cloud(noise, epsilon), radians(direction)
    tip = np.array([cos(turn), sin(turn)])
    half, cost = _half_of_draws(noise, epsilon), _cost(noise, epsilon, turn)
    around, degrees = _cost(noise, epsilon, _TURN) / epsilon, np.degrees(_TURN)
    x, y = np.transpose(half + tip)
    return [
        Points(out.theta[:, 0], out.theta[:, 1], "published, 60 runs", "private"),
        Line(half[:, 0], half[:, 1], "half of all runs, without it", "private"),
        Line(x, y, "half of all runs, with the record", "reference"),
        Line([0, tip[0]], [0, tip[1]], "what the record moves", "broken"),
        Points([tip[0]], [tip[1]], "this record", "broken", moves="direction"),
        Line(degrees, around, "what a record costs", "measured", panel=1),
        Line([0, 360], [1, 1], "the budget", "bound", panel=1),
        _priced(direction, cost / epsilon),
        Sentence(
            "With {noise} noise for ε = {epsilon}, a record that points to "
            "{direction}° costs {cost}.",
            {"cost": float(cost)},
        ),
        Spent(out.event, DELTA if noise == "Gaussian" else 0.0),
    ]


def _priced(direction: float, cost: float) -> Points:
    x, y = [direction], [cost]
    return Points(x, y, "this record", "broken", panel=1, moves="direction")


# ------------------------------------------------------------ noise and dimension

_LENGTHS = np.unique(np.rint(np.geomspace(1, 10_000, 41)))


@figure(
    asks=Draw(
        "which-noise",
        "Each record has Euclidean length 1, and ε = 1. K-norm noise fits that "
        "length, and is as long as the dimension p. Draw the length of Gaussian noise.",
        hides=["Gaussian"],
        why="It grows as √p: 134 against 1,000 for p = 1,000. This is what a small δ "
        "buys. In few dimensions the noise without a δ is shorter.",
    ),
    axes=Axes(
        "dimension p",
        "length of the noise (root mean square)",
        xlim=(1, 10_000),
        ylim=(0.3, 100_000),
        xscale="log",
        yscale="log",
        yticks=(1, 10, 100, 1000, 10_000),
    ),
    title="How long the noise is",
    alt=(
        "Three rising lines on logarithmic axes: Laplace and K-norm noise rise side "
        "by side, Gaussian noise half as steeply; it starts higher and ends far "
        "lower."
    ),
    caption=(
        "Records of Euclidean length 1. Laplace and K-norm noise are ε-private, "
        "without δ; Gaussian noise has the least size for ε and δ. Exact."
    ),
    identity="noise-lengths",
    in_hand="lengths",
    given=lambda: {"p": _LENGTHS.tolist()},
    epsilon=Slider(geometric(0.1, 10, 121), start=1),
    delta=Slider(geometric(1e-9, 1e-3, 61), start=1e-06),
)
def lengths(epsilon: float, delta: float) -> list[Mark]:
    """Compare the lengths of three noises, by the dimension of the answer.

    Examples
    --------
    >>> laplace, k_norm, normal, *_ = lengths(1.0, 1e-6)
    >>> bool(laplace.y[-1] > k_norm.y[-1] > normal.y[-1])  # p = 10,000
    True
    """
    p, mu = _LENGTHS, gaussian_mu(epsilon, delta)
    laplace, k_norm, normal = (
        sqrt(2) * p / epsilon, np.sqrt(p * (p + 1)) / epsilon, np.sqrt(p) / mu
    )  # fmt: skip
    # √(p(p+1))/ε against √p/μ
    crossing = max(1, int(np.floor((epsilon / mu) ** 2 - 1)) + 1)
    return [
        Line(p, laplace, "Laplace", "reference"),
        Line(p, k_norm, "K-norm", "measured"),
        Line(p, normal, "Gaussian", "private"),
        Sentence(
            "At ε = {epsilon} and δ = {delta}, Gaussian noise is the shortest from "
            "p = {crossing} on. At p = 10,000 K-norm noise is {longer} times as long.",
            {"crossing": crossing, "longer": float(k_norm[-1] / normal[-1])},
        ),
        Spent(Gaussian(1 / mu, relation=Relation.ADD_REMOVE), delta),
    ]


# ------------------------------------------------------------ classical and exact

EPSILONS = even(0.1, 0.9, 0.1) + even(1, 20, 0.5)
_CURVE = np.geomspace(0.1, 20, 60)


def _classical(epsilon: Any, delta: float) -> Any:
    """Compute √(2 ln(1.25/δ))/ε, the classical noise multiplier."""
    return sqrt(2 * log(1.25 / delta)) / epsilon


def _really(epsilon: float, delta: float) -> float:
    """Compute the true δ of the classical noise, divided by the δ that it promises."""
    return gaussian_delta(1 / float(_classical(epsilon, delta)), float(epsilon)) / delta


@cache
def _exact_curve(delta: float) -> tuple[np.ndarray, np.ndarray, float]:
    """Return the exact noise, the classical true δ over δ, and where it passes 1."""
    noise = np.array([1 / gaussian_mu(float(e), delta) for e in _CURVE])
    ratio = np.array([_really(float(e), delta) for e in _CURVE])
    low, high = 1.0, 20.0
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (
            (middle, high) if _really(middle, delta) <= 1 else (low, middle)
        )  # fmt: skip
    return noise, ratio, low


@figure(
    asks=Choose(
        ask.CLASSICAL,
        hides=["classical formula", "your ε"],
        ghosts=[
            [(0.1, 8), (1, 25), (5, 90), (18, 300)],
            [(0.1, 0.0006), (1, 0.01), (5, 0.5), (18, 30)],
            [(0.1, 0.0003), (1, 0.0012), (5, 0.004), (18, 0.012)],
        ],
        panel=1,
    ),
    axes=(
        Axes(
            "ε",
            "noise multiplier λ",
            xlim=(0.1, 20),
            ylim=(0.1, 100),
            xscale="log",
            yscale="log",
            title="Noise",
        ),
        Axes(
            "ε",
            "true δ over promised δ",
            xlim=(0.1, 20),
            ylim=(1e-4, 1e3),
            xscale="log",
            yscale="log",
            title="What the formula keeps",
        ),
    ),
    title="A formula outside its range",
    alt=(
        "In the panel “Noise”, two falling lines: the classical noise lies above the "
        "least noise for small ε and below it for large ε. In the panel “What the "
        "formula keeps”, a line that rises and crosses 1."
    ),
    caption=(
        "Both panels are exact. The formula √(2 ln(1.25/δ))/ε is proved for ε up to "
        "1. The total below is what its noise really costs."
    ),
    identity="classical-and-exact",
    epsilon=Slider(EPSILONS, start=10),
    delta=Slider(DELTAS, start=1e-06),
)
def classical_and_exact(epsilon: float, delta: float) -> list[Mark]:
    """Compare the classical formula for Gaussian noise with the least noise.

    Examples
    --------
    >>> *_, broken, _, spent = classical_and_exact(10, 1e-6)
    >>> bool(broken.y[0] > 1)  # more than the promised δ
    True
    """
    exact, ratio, fails = _exact_curve(delta)
    here, least = _classical(epsilon, delta), 1 / gaussian_mu(epsilon, delta)
    true, more = _really(epsilon, delta), here / least
    verdict = (
        f"{write(more)} times the least noise: it keeps its promise"
        if true <= 1
        else f"{write(more)} times the least noise: too little"
    )
    return [
        Line(_CURVE, _classical(_CURVE, delta), "classical formula", "broken"),
        Line(_CURVE, exact, "least noise that suffices", "private"),
        Points([epsilon], [here], "your ε", "broken", moves="epsilon"),
        Line(_CURVE, ratio, "classical formula", "broken", panel=1),
        Line([0.1, 20], [1, 1], "what it promises", "bound", panel=1),
        Points([epsilon], [true], "your ε", "broken", panel=1, moves="epsilon"),
        Sentence(
            f"At ε = {{epsilon}} and δ = {{delta}} the classical formula adds {verdict}"
            f". It fails from ε = {write(fails)} on."
        ),
        Spent(Gaussian(here, relation=Relation.ADD_REMOVE), delta),
    ]
