"""Figures of the chapter on privacy: a guesser, and how often a guess is right.

Where no mechanism is named, the worst that the promise allows is drawn.
"""

from functools import cache
from math import exp, sinh, sqrt

import numpy as np

from ... import checks
from ...accounting import gaussian_mu, guess_probability, posterior_bounds
from ...data import breast_cancer
from ...figures.axes import Axes
from ...figures.explore import Slider, even
from ...figures.figure import figure
from ...figures.marks import (
    Band,
    Line,
    Mark,
    Points,
    Sentence,
    Spent,
)
from ...figures.predict import Choose
from ...figures.style import write
from ...mechanisms import randomized_response, randomized_response_probabilities
from ...privacy import (
    Approximate,
    Gaussian,
    Pure,
    Relation,
)
from ..shared import guessing_questions as ask
from ._curves import corner_line, least_misses
from .noisy_counts import least_noise

_UNIT = {"xlim": (0, 1), "ylim": (0, 1), "xticks": (0, 0.25, 0.5, 0.75, 1)}
_BELIEFS = np.linspace(0.01, 0.99, 50)


EPSILONS = even(0.1, 0.9, 0.1) + even(1, 5, 0.25)
_EPSILONS = even(0.1, 0.98, 0.02) + even(1, 5, 0.05)
# 1, 2, …, 9 times each power of ten.
_DELTAS = tuple(float(f"{k}e{power}") for power in range(-6, -1) for k in range(1, 10))


@figure(
    asks=Choose(
        ask.BELIEF,
        hides=["what ε allows", "your guesser", "with the output"],
        ghosts=[
            [(0.02, 0.055), (0.1, 0.272), (0.2, 0.544), (0.36, 0.98)],
            [(0.02, 0.06), (0.1, 0.25), (0.25, 0.5), (0.5, 0.76), (0.93, 0.96)],
            [(0.02, 0.73), (0.5, 0.73), (0.72, 0.73)],
            [(0.96, 0.99), (0.5, 0.99), (0.06, 0.99)],
        ],
    ),
    axes=(
        Axes(
            "belief before",
            "belief after",
            title="How far a belief can move",
            **_UNIT,
        ),
        Axes(
            "belief before",
            "best guess is right, at most",
            title="How often a guess is right",
            xlim=(0, 1),
            ylim=(0.45, 1),
            xticks=(0, 0.25, 0.5, 0.75, 1),
        ),
    ),
    title="The guessing game",
    alt=(
        "In the panel “How far a belief can move”, a lens around the diagonal, wider "
        "for larger epsilon. In the panel “How often a guess is right”, a V, and a "
        "curve above it that bridges its lowest part."
    ),
    caption=(
        "Beliefs that Ann is in the data. The first picture shows the bounds by ε; "
        "where δ is above 0, some outputs may break them. The second shows the best "
        "that any guesser can reach against any release with this promise."
    ),
    identity="guessing-game",
    in_hand="guessing_game",
    epsilon=Slider(_EPSILONS, start=1),
    delta=Slider((*_DELTAS, 0.1), start=1e-06),
    prior=Slider(even(0.01, 0.99, 0.01), start=0.5),
)
def guessing_game(epsilon: float, delta: float, prior: float) -> list[Mark]:
    """Draw how far a belief can move, and how often the best guess is right.

    Examples
    --------
    >>> *_, said, _ = guessing_game(1.0, 1e-6, 0.1)
    >>> said.written[:63]
    'Before: {prior}. After: between 0.0393 and 0.232, with δ aside.'
    """
    event = Approximate(epsilon, delta, relation=Relation.ADD_REMOVE)
    low, high = posterior_bounds(prior, epsilon)
    lens = np.array([posterior_bounds(p, epsilon) for p in _BELIEFS])
    right = [guess_probability(event, p) for p in _BELIEFS]
    here, blind = guess_probability(event, prior), max(prior, 1 - prior)
    return [
        Band(_BELIEFS, lens[:, 0], lens[:, 1], "what ε allows", "private"),
        Line([0, 1], [0, 1], "nothing learned", "reference"),
        Points([prior, prior], [low, high], "your guesser", "private"),
        Line(_BELIEFS, right, "with the output", "private", panel=1),
        Line([0, 0.5, 1], [1, 0.5, 1], "nothing learned", "reference", panel=1),
        Points([prior], [here], "your guesser", "private", panel=1, moves="prior"),
        Sentence(
            "Before: {prior}. After: between {low} and {high}, with δ aside. With δ = "
            "{delta} counted, the best guess is right at most {right} times in 100; "
            "without the output, {blind}.",
            {"low": low, "high": high, "right": 100 * here, "blind": 100 * blind},
        ),
        Spent(event, delta),
    ]


def _percent(p: float) -> str:
    return f"{100 * p:.1f}".removesuffix(".0")


_OUTPUTS = np.linspace(-10, 11, 127)


@figure(
    axes=(
        Axes(
            "noisy count",
            "density, its peak at 1",
            xlim=(-10, 11),
            ylim=(0, 1.05),
            yticks=(0, 0.5, 1),
            title="Two distributions of the output",
        ),
        Axes(
            "noisy count",
            "logarithm of the ratio",
            xlim=(-10, 11),
            ylim=(-4, 4),
            title="What an output tells",
        ),
    ),
    title="Two distributions, and their ratio",
    alt=(
        "In the panel “Two distributions of the output”, two equal peaks, one shifted "
        "by 1. In the panel “What an output tells”, the logarithm of their ratio: for "
        "Laplace noise it stays between two level lines, for normal noise it is a "
        "straight line that crosses them."
    ),
    caption=(
        "A count, with noise. Without Ann it is centered at 0, with her at 1. The "
        "noise is the least for its promise: ε alone for Laplace noise, ε with δ = "
        "0.01 for Gaussian noise. A ratio of e to the ε is the most that ε allows."
    ),
    identity="two-distributions-of-a-count",
    epsilon=Slider(even(0.5, 3, 0.05), start=1),
    noise=Slider(("Laplace", "normal"), start="normal"),
)
def two_distributions(epsilon: float, noise: str) -> list[Mark]:
    """Draw how a noisy count is distributed with and without a record, and the ratio.

    Examples
    --------
    >>> _, _, ratio, *_ = two_distributions(1.0, "Laplace")
    >>> round(float(ratio.y.min()), 6), round(float(ratio.y.max()), 6)
    (-1.0, 1.0)
    """
    distribution, x = least_noise(epsilon, noise), _OUTPUTS
    having, lacking = distribution.log_density(x - 1), distribution.log_density(x)
    scale = distribution.scale
    told = _within(epsilon) if noise == "Laplace" else _beyond(epsilon, scale)
    return [
        Line(x, np.exp(having), "with Ann", "private"),
        Line(x, np.exp(lacking), "without Ann", "reference"),
        Line(x, having - lacking, "ln of the ratio", "measured", panel=1),
        Line([-10, 11], [epsilon, epsilon], "±ε", "bound", panel=1),
        Line([-10, 11], [-epsilon, -epsilon], "±ε", "bound", panel=1),
        Sentence(f"ε = {{epsilon}}, {{noise}} noise of scale {write(scale)}. {told}"),
        Spent(distribution.event, distribution.delta),
    ]


def _within(epsilon: float) -> str:
    return (
        "The ratio never leaves the strip: no output is more than "
        f"{write(exp(epsilon))} times as likely with Ann as without."
    )


def _beyond(epsilon: float, sigma: float) -> str:
    from scipy.special import ndtr

    edge = epsilon * sigma**2 + 0.5  # where the ratio reaches e^ε
    often, otherwise = (float(ndtr((c - edge) / sigma)) for c in (1, 0))
    return (
        f"Outputs above {write(edge)} break the strip. They come with probability "
        f"{write(often)} if Ann is in and {write(otherwise)} if not. The first minus "
        f"{write(exp(epsilon))} times the second is "
        f"{write(often - exp(epsilon) * otherwise)}: δ."
    )


@figure(
    axes=Axes(
        "false alarms: says “in” for a record that is not",
        "misses: says “out” for a record that is in",
        **_UNIT,
    ),
    title="What a test for one record can reach",
    alt=(
        "Falling curves from the upper left to the lower right: a straight one for "
        "blind guessing, below it a curve for Gaussian noise, and below that two "
        "lines with a corner. All sag toward the origin as epsilon grows."
    ),
    caption=(
        "Every test is a point of this square, and no test for a release is below its "
        "curve. Shaded: better than blind, and allowed by the promise. Randomized "
        "response has promise ε alone. The Gaussian mechanism has the least noise for "
        "(ε, δ)."
    ),
    identity="trade-off-curves",
    in_hand="trade_off_curves",
    epsilon=Slider(_EPSILONS, start=1),
    delta=Slider((*_DELTAS, 0.1), start=0.01),
    false_alarms=Slider(even(0.01, 0.5, 0.01), start=0.1),
)
def trade_off_curves(epsilon: float, delta: float, false_alarms: float) -> list[Mark]:
    """Draw the least miss rate of any test against its false alarms.

    Examples
    --------
    >>> promise, response, *_ = trade_off_curves(1.0, 0.01, 0.1)
    >>> response.outline[1].round(3)  # wrong 27 times in 100, either way
    array([0.269, 0.269])
    """
    from scipy.special import ndtr

    checks.positive(epsilon=epsilon)
    checks.probability(delta=delta, false_alarms=false_alarms)
    mu = gaussian_mu(epsilon, delta)
    here, most = _misses(false_alarms, mu), least_misses(false_alarms, epsilon, delta)
    # every threshold of the best score against Gaussian noise is one test
    thresholds = np.linspace(-4, 4 + mu, 81)
    return [
        corner_line(epsilon, delta, "all of (ε, δ)", "bound"),
        corner_line(epsilon, 0, "randomized response", "measured"),
        Line(ndtr(-thresholds), ndtr(thresholds - mu), "Gaussian mechanism", "private"),
        Line([0, 1], [1, 0], "blind guessing", "reference"),
        Points([false_alarms], [here], "your test", "private", moves="false_alarms"),
        _tests_allowed(epsilon, delta),
        Sentence(
            "A test with false alarms in a share {false_alarms} of cases misses at "
            "least {here} against the Gaussian mechanism. The promise alone, "
            "ε = {epsilon} with δ = {delta}, would allow {most}.",
            {"here": here, "most": most},
        ),
        Spent(Gaussian(1 / mu, relation=Relation.ADD_REMOVE), delta),
    ]


def _tests_allowed(epsilon: float, delta: float) -> Band:
    corner = corner_line(epsilon, delta, "all of (ε, δ)", "bound")
    return Band(corner.x, corner.y, 1 - corner.x, corner.label, corner.role)


def _misses(alarms: float, mu: float) -> float:
    from scipy.special import ndtr, ndtri

    return float(ndtr(-ndtri(alarms) - mu))


PEOPLE = (10, 25, 60, 150, 300, 569)
_RUNS = 400


@cache
def _survey(epsilon: float) -> tuple[float, ...]:
    """Ask the first n samples 400 times; the root mean square error of each n."""
    answers = (breast_cancer().y < 0).astype(int)
    says = randomized_response_probabilities(2, epsilon=epsilon)
    errors = []
    for k, n in enumerate(PEOPLE):
        reports = randomized_response(
            answers[:n], classes=2, epsilon=epsilon, rng=k, runs=(_RUNS,),
            relation=Relation.REPLACE,
        ).theta  # fmt: skip
        share = (reports.mean(axis=1) - says[0, 1]) / (says[1, 1] - says[0, 1])
        errors.append(float(sqrt(np.mean((share - answers[:n].mean()) ** 2))))
    return tuple(errors)


@figure(
    axes=Axes(
        "people asked, n",
        "typical error, in percentage points",
        xlim=(9, 630),
        ylim=(0.05, 400),
        xscale="log",
        yscale="log",
        xticks=(10, 30, 100, 300),
        yticks=(0.1, 1, 10, 100),
    ),
    title="A survey in which everybody may lie",
    alt=(
        "On logarithmic axes, measured errors fall along a line of slope one half. "
        "Below them a steeper line falls: a count to which a trusted curator adds "
        "noise."
    ),
    caption=(
        "The share of malignant tumors among the first n of 569 samples, each reported "
        "by randomized response. Points: root mean square over 400 surveys. Line: the "
        "theorem. Dotted: a curator who knows all answers, and adds Laplace noise of "
        "scale 1/ε to the count of malignant ones."
    ),
    identity="survey-by-coins",
    epsilon=Slider(EPSILONS, start=1),
)
def survey(epsilon: float) -> list[Mark]:
    """Draw the error of a survey by randomized response against how many are asked.

    Examples
    --------
    >>> theorem, curator, measured, *_ = survey(1.0)
    >>> bool((abs(measured.y / theorem.y - 1) < 0.2).all())
    True
    """
    checks.positive(epsilon=epsilon)
    n = np.array(PEOPLE)
    error = 100 / (2 * sinh(epsilon / 2) * np.sqrt(n))
    return [
        Line(n, error, "theorem", "bound"),
        Line(n, 100 * sqrt(2) / (epsilon * n), "with a trusted curator", "reference"),
        Points(n, 100 * np.array(_survey(epsilon)), "measured", "measured"),
        Sentence(
            f"At ε = {{epsilon}} a person tells the truth {_percent(_truth(epsilon))} "
            "times in 100. With all 569 answers the share is off by "
            f"{write(error[-1])} percentage points, typically."
        ),
        Spent(Pure(epsilon, relation=Relation.REPLACE)),
    ]


def _truth(epsilon: float) -> float:
    return float(randomized_response_probabilities(2, epsilon=epsilon)[0, 0])
