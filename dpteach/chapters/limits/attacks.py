"""Figures of the chapter on lower bounds: two attacks, and all algorithms."""

from collections.abc import Callable
from functools import cache
from math import sqrt

import numpy as np

from ... import checks
from ...accounting import gaussian_mu
from ...arrays import l2_laplace
from ...figures.axes import Axes
from ...figures.explore import Slider
from ...figures.figure import figure
from ...figures.marks import (
    Cells,
    Line,
    Mark,
    Points,
    Sentence,
    Spent,
)
from ...figures.predict import Choose
from ...figures.style import write
from ...lower_bounds import (
    packing_attack,
    packing_code,
    packing_success_cap,
    pure_excess_lower_bound,
    tracing_attack,
    tracing_excess_lower_bound,
)
from ...privacy import Gaussian, Pure, Relation
from . import questions as ask
from .same_problem import (
    ALGORITHMS,
    EPSILONS,
    FEATURES,
    PURE,
    RECORDS,
    all_algorithms,
)
from .upper_bounds import promised_excess

DELTA = 1e-6
REPLACE = Relation.REPLACE

# ------------------------------------------------------------------------- tracing

SAMPLE = 100
ERRORS = (0.1, 0.15, 0.25, 0.4, 0.6, 1.0)
SIGNS = (30, 60, 100, 200, 300, 600, 1000, 2000, 3000)
_EDGES = np.linspace(-4.25, 8.25, 26)


@cache
def _traced(error: float, p: int) -> tuple[np.ndarray, np.ndarray, float, float]:
    """Compute the densities of both scores, the area, and the noise's deviation."""
    # A mean of n signs with mean P has variance (1 − P²)/n: 2/(3n) over all P.
    sigma = sqrt(error**2 - 2 / (3 * SAMPLE))

    def noisy_mean(X: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        return X.mean(axis=0) + sigma * rng.standard_normal(X.shape[1])

    out = tracing_attack(noisy_mean, n=SAMPLE, p=p, repetitions=30, rng=0)
    spread = float(np.std(out.outside))
    inside, outside = (
        np.histogram(scores / spread, _EDGES, density=True)[0]
        for scores in (out.inside, out.outside)
    )
    return inside, outside, out.area, sigma


@figure(
    axes=Axes(
        "score, in deviations of a stranger’s",
        "how often",
        xlim=(-4, 8),
        ylim=(0, 0.5),
        yticks=(),
    ),
    title="An accurate mean reveals its records",
    alt="Two bell curves; that of the records moves right as the error falls.",
    caption=(
        "Means of 100 records with Gaussian noise; the attacker knows the distribution "
        "of the records. 3,000 scores of each kind."
    ),
    identity="lower-bounds-tracing",
    error=Slider(ERRORS, start=0.25),
    p=Slider(SIGNS, start=3000),
)
def tracing_scores(error: float, p: int) -> list[Mark]:
    """Score records and strangers by a published mean of a chosen accuracy.

    Examples
    --------
    >>> records, strangers, *_ = tracing_scores(0.1, 3000)
    >>> bool(records.x[np.argmax(records.y)] > 3)  # far from the strangers' 0
    True
    """
    checks.count(p=p)
    checks.positive(error=error)
    if error**2 <= 2 / (3 * SAMPLE):
        raise ValueError(
            f"`error` must be above 0.082, got {error!r}, which is the error of the "
            "mean without noise."
        )
    inside, outside, area, sigma = _traced(error, int(p))
    lam = SAMPLE * sigma / sqrt(p)
    apart = sqrt(2 * p / 3) / (SAMPLE * error)
    middle = (_EDGES[1:] + _EDGES[:-1]) / 2
    return [
        Line(middle, inside, "records", "private"),
        Line(middle, outside, "strangers", "reference"),
        Sentence(
            "With an error of {error} on each of {p} signs, the attacker ranks a "
            f"record above a stranger in {100 * area:.0f} of 100 pairs. On average a "
            f"record’s score lies √(2p/3)/(nα) = {write(apart)} deviations to the "
            "right."
        ),
        Spent(Gaussian(lam, relation=REPLACE), DELTA),
    ]


# ------------------------------------------------------------------------- packing

WORDS, LENGTH, HOLDERS, PLAYS = 64, 24, 60, 1000
COPIES = (2, 6, 10, 16, 24, 34, 46, 60)


@cache
def _found(epsilon: float) -> np.ndarray:
    """Compute how often the planted word is found, for each number of copies."""
    code = packing_code(p=LENGTH, codewords=WORDS, rng=0)

    def private_mean(X: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        scale = 2 / (len(X) * epsilon)  # one record replaced moves the mean by 2/n
        mean = X.mean(axis=0)
        return mean + l2_laplace(rng, scale, mean)

    hits = [
        packing_attack(
            private_mean, code=code, n=HOLDERS, copies=m, repetitions=PLAYS, rng=m
        )
        for m in COPIES
    ]
    return np.array(hits) / PLAYS


@figure(
    axes=Axes(
        "copies m of the planted word, of 60 records",
        "share of plays",
        xlim=(0, 61),
        ylim=(5e-3, 1.1),
        yscale="log",
    ),
    title="Few copies of a word stay hidden",
    alt="A bent line rises to 1 on the left of a measured one that rises later.",
    caption=(
        "64 words of 24 signs, far apart from each other; 1,000 plays per point, with "
        "noise of density exp(−εn‖b‖/2)."
    ),
    identity="lower-bounds-packing",
    epsilon=Slider((0.05, 0.07, 0.1, 0.14, 0.2, 0.28, 0.4, 0.57, 0.8), start=0.2),
)
def planted_words(epsilon: float) -> list[Mark]:
    """Plant words, and count how often an ε-DP mean reveals them.

    Examples
    --------
    >>> found, cap, *_ = planted_words(1.0)
    >>> bool((found.y <= cap.y + 0.02).all())
    True
    """
    checks.positive(epsilon=epsilon)
    cap = [packing_success_cap(epsilon, copies=m, codewords=WORDS) for m in COPIES]
    hidden = [m for m, each in zip(COPIES, cap, strict=True) if each <= 0.5]
    return [
        Line(COPIES, np.maximum(_found(epsilon), 1e-3), "found, this mean", "private"),
        Line(COPIES, cap, "at most, for every ε-DP mean", "bound"),
        Line(COPIES, [1 / WORDS] * len(COPIES), "by guessing", "reference"),
        Sentence(
            f"At ε = {{epsilon}}: {_told(hidden)}. With m copies the cap is exp(εm)/64."
        ),
        Spent(Pure(epsilon, relation=REPLACE)),
    ]


def _told(hidden: list[int]) -> str:
    if not hidden:
        return "2 copies of a word may already be found more often than not"
    return (
        f"up to {hidden[-1]} copies, no ε-DP mean finds the word more than half of the "
        "time"
    )


# ------------------------------------------------------------ all algorithms at once

SHORT = dict(
    zip(
        ALGORITHMS,
        ("expon.", "output", "object.", "SGD", "FTRL", "F.-W.", "local", "BANCO"),
        strict=True,
    )
)
_PLACE = {name: len(ALGORITHMS) - k for k, name in enumerate(ALGORITHMS)}


@figure(
    asks=Choose(
        ask.NEAREST,
        hides=["measured", "its theorem: at most", "open between them"],
    ),
    axes=Axes(
        "worst mean excess risk per record",
        "",
        xlim=(1e-3, 1.6),
        ylim=(0.4, len(ALGORITHMS) + 0.6),
        xscale="log",
        yticks={_PLACE[name]: SHORT[name] for name in ALGORITHMS},
    ),
    title="All algorithms on one problem",
    alt=(
        "A row for each of eight algorithms. On the left of each row is the least "
        "possible excess risk, then the measured one, then what its theorem allows."
    ),
    caption=(
        "Rows: exponential mechanism, output and objective perturbation, DP-SGD, "
        "DP-FTRL, private Frank-Wolfe, local SGD, BANCO. Linear risk, 100 signs a "
        "record, the worst of several numbers of planted words, 20 runs each. Three "
        "theorems are about independent draws, do not apply, and stand at the edge. "
        "Every row has this total; three of them use δ."
    ),
    identity="lower-bounds-all",
    epsilon=Slider(EPSILONS, start=1),
    n=Slider(RECORDS, start=1000),
)
def between_the_bounds(epsilon: float, n: int) -> list[Mark]:
    """Compare all algorithms of the book on one problem, each between its two bounds.

    Examples
    --------
    >>> _, least, measured, promised, *_ = between_the_bounds(1.0, 1000)
    >>> bool((least.x < measured.x).all() and (measured.x < promised.x).all())
    True
    """
    checks.one_of(EPSILONS, epsilon=epsilon)
    checks.one_of(RECORDS, n=n)
    i, k = EPSILONS.index(epsilon), RECORDS.index(n)
    rows = [_PLACE[name] for name in ALGORITHMS]
    found = np.array([all_algorithms()[name][i][k] for name in ALGORITHMS])
    least = np.array([least_excess(name, epsilon)[k] for name in ALGORITHMS])
    promise = np.array([promised_excess(name, epsilon)[k] for name in ALGORITHMS])
    left = np.maximum(least, 1e-3)
    return [
        Cells(
            (left + found) / 2,
            rows,
            np.ones(len(rows)),
            "open between them",
            "reference",
            width=found - left,
            height=0.08,
        ),
        Points(left, rows, "least for this kind of privacy", "reference"),
        Points(found, rows, "measured", "private"),
        Points(np.minimum(promise, 1.5), rows, "its theorem: at most", "bound"),
        _nearest_and_farthest(found / least),
        Spent(_gauss(epsilon), DELTA),
    ]


def _nearest_and_farthest(times: np.ndarray) -> Sentence:
    near, far = int(np.argmin(times)), int(np.argmax(times))
    return Sentence(
        f"At ε = {{epsilon}} and {{n}} records, {ALGORITHMS[near]} is the nearest "
        f"to its lower bound, with {write(float(times[near]))} times the least "
        f"excess, and {ALGORITHMS[far]} the farthest, with "
        f"{write(float(times[far]))} times."
    )


def _gauss(epsilon: float) -> Gaussian:
    return Gaussian(2 / gaussian_mu(epsilon, DELTA), relation=REPLACE)


def least_excess(algorithm: str, epsilon: float) -> np.ndarray:
    """Bound the mean excess per record from below, for an algorithm's kind of privacy.

    Examples
    --------
    >>> pure, gauss = (least_excess(a, 1.0)[-1] for a in ("BANCO", "DP-SGD"))
    >>> bool(pure > gauss)  # pure privacy costs more, though little at p = 100
    True
    """
    checks.one_of(ALGORITHMS, algorithm=algorithm)
    checks.positive(epsilon=epsilon)

    def each(bound: Callable[..., float], price: float) -> np.ndarray:
        found = [bound(price, n=n, p=FEATURES) / n for n in RECORDS]
        return np.maximum(found, 1e-9)

    if algorithm not in PURE:
        return each(tracing_excess_lower_bound, gaussian_mu(epsilon, DELTA))
    # Pure ε is ε²/2-zCDP, and the bound holds for ρ-zCDP with μ = √(2ρ).
    traced = each(tracing_excess_lower_bound, epsilon)
    return np.maximum(each(pure_excess_lower_bound, epsilon), traced)
