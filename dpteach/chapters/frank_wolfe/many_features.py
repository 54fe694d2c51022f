"""Figures of the chapter on Frank-Wolfe: far more features than records."""

from functools import cache
from math import log, sqrt
from typing import Any

import numpy as np

from ... import checks
from ...accounting import zcdp_rho
from ...algorithms.geometry import _corners
from ...algorithms.geometry import private_frank_wolfe as private_polytope
from ...algorithms.geometry.frank_wolfe import frank_wolfe
from ...algorithms.geometry.private_frank_wolfe import (
    private_frank_wolfe,
    private_frank_wolfe_noise,
)
from ...algorithms.gradients import sgd
from ...algorithms.gradients.sgd import (
    dp_sgd,
    dp_sgd_learning_rate,
    dp_sgd_noise_multiplier,
)
from ...constraints import L1Ball
from ...figures.axes import Axes
from ...figures.explore import Slider
from ...figures.figure import figure
from ...figures.marks import (
    Line,
    Mark,
    Points,
    Sentence,
    Spent,
)
from ...figures.results import stored
from ...figures.style import write
from ...losses import squared
from ...privacy import Gaussian, Relation, Selection
from ...problem import Problem

DELTA = 1e-6
RECORDS = 1000
EPSILONS = (0.5, 1.0, 2.0, 4.0)
FEATURES = (10, 32, 100, 316, 1000, 3162, 10_000, 31_623, 100_000)
# What each method may choose from; the best is shown, and the search is not charged to
# ε.
WALKS = (3, 6, 12, 24)  # T of Frank-Wolfe
RATES = (0.3, 1.0, 3.0)  # DP-SGD's learning rate, over that of Theorem 6.11
DESCENT = 20  # T of DP-SGD


def _signs(features: int, seed: int) -> Problem:
    """Signs as features, two of which matter."""
    rng = np.random.default_rng([seed, features])
    X = 2 * rng.integers(0, 2, (RECORDS, features), dtype=np.int8) - np.int8(1)
    X = X.astype(np.float32)
    noise = 0.1 * rng.standard_normal(RECORDS)
    y = np.clip(0.6 * X[:, 0] - 0.4 * X[:, 1] + noise, -1, 1).astype(np.float32)
    return Problem(X, y, squared, L1Ball(1.0))


def _by_votes(D: Problem, epsilon: float, runs: int, seed: int) -> float:
    kind: dict[str, Any] = {"lipschitz_l1": 2.0, "epsilon": epsilon, "delta": DELTA}
    kind |= {"rng": seed, "runs": (runs,)}
    fits = [private_frank_wolfe(D, steps=T, path_every=T, **kind) for T in WALKS]
    return min(float(np.mean(D.risk(fit.theta))) for fit in fits)


def _by_descent(D: Problem, epsilon: float, runs: int, seed: int) -> float:
    # At 0 no residual exceeds 1, so no gradient is longer than √p, and none is clipped.
    L, T = sqrt(D.p), DESCENT
    lam = dp_sgd_noise_multiplier(epsilon, DELTA, steps=T)
    known: dict[str, Any] = {"steps": T, "noise_multiplier": lam}
    rate = dp_sgd_learning_rate(n=RECORDS, p=D.p, lipschitz=L, distance=1.0, **known)
    fits = [
        dp_sgd(
            D, clip_norm=L, learning_rate=factor * rate, rng=seed, runs=(runs,), **known
        )
        for factor in RATES
    ]
    return min(float(np.mean(D.risk(fit.theta))) for fit in fits)


@stored(
    uses=(
        private_polytope,
        _corners,
        sgd,
    ),
    epsilons=EPSILONS,
    features=FEATURES,
    runs=4,
    seed=0,
)
def lasso_in_many_dimensions(
    epsilons: tuple[float, ...], features: tuple[int, ...], runs: int, seed: int
) -> dict:
    """Measure the excess risk per record of both methods, and of the zero model."""
    votes = np.empty((len(epsilons), len(features)))
    descent, zero = np.empty_like(votes), []
    for j, p in enumerate(features):
        D = _signs(p, seed)
        least = float(D.risk(frank_wolfe(D, steps=150)[-1]))
        zero.append(float(f"{(float(D.risk(D.zeros())) - least) / RECORDS:.6g}"))
        for i, epsilon in enumerate(epsilons):
            votes[i, j] = _by_votes(D, epsilon, runs, seed) - least
            descent[i, j] = _by_descent(D, epsilon, runs, seed) - least
    return {
        "frank_wolfe": _digits(votes / RECORDS),
        "dp_sgd": _digits(descent / RECORDS),
        "zero": zero,
    }


def _digits(values: np.ndarray) -> list[list[float]]:
    # Four digits: single precision differs between machines.
    return [[float(f"{value:.4g}") for value in row] for row in values]


@cache
def _noises(epsilon: float) -> tuple[np.ndarray, np.ndarray]:
    """Compute noise over the largest signal, at T = 20: vote, and gradient."""
    T, p = DESCENT, np.array(FEATURES, dtype=float)
    kind: dict[str, Any] = {"lipschitz_l1": 2.0, "l1_radius": 1.0}
    b = private_frank_wolfe_noise(epsilon, DELTA, steps=T, **kind)
    lam = dp_sgd_noise_multiplier(epsilon, DELTA, steps=T)
    # A vote errs by b ln(2p) at most, on average; a gradient by Lλ√p. At 0
    # the most that n records can cause is n, and nL.
    return b * np.log(2 * p) / RECORDS, lam * np.sqrt(p) / RECORDS


@figure(
    axes=(
        Axes(
            "features p",
            "excess risk per record",
            xlim=(8, 1.3e5),
            ylim=(3e-3, 1),
            xscale="log",
            yscale="log",
            title="How far from the best",
        ),
        Axes(
            "features p",
            "noise over signal",
            xlim=(8, 1.3e5),
            ylim=(0.02, 20),
            xscale="log",
            yscale="log",
            title="Noise of one step",
        ),
    ),
    title="A logarithm against a root",
    alt=(
        "In the panel “How far from the best”, the excess of DP-SGD rises to that of "
        "the model 0, while Frank-Wolfe's stays below it. In the panel “Noise of one "
        "step”, one noise rises slowly, the other along a steep line."
    ),
    caption=(
        "LASSO, 1,000 records of signs, two of which matter; 4 runs per point. Each "
        "method has its best of a few settings; that search is not charged to ε. The "
        "signal is the most that the records can cause at the model 0."
    ),
    identity="many-features",
    p=Slider(FEATURES, start=10000),
    epsilon=Slider(EPSILONS, start=1),
)
def log_or_root(epsilon: float, p: int) -> list[Mark]:
    """Compare private Frank-Wolfe with DP-SGD as features are added.

    Examples
    --------
    >>> votes, descent, *_ = log_or_root(2.0, 100_000)
    >>> bool(votes.y[-1] < descent.y[-1] / 3)
    True
    """
    checks.one_of(EPSILONS, epsilon=epsilon)
    checks.one_of(FEATURES, p=p)
    i, j, found = EPSILONS.index(epsilon), FEATURES.index(p), lasso_in_many_dimensions()
    votes, descent = found["frank_wolfe"][i], found["dp_sgd"][i]
    vote, gradient = _noises(epsilon)
    return [
        Line(FEATURES, votes, "private Frank-Wolfe", "private"),
        Line(FEATURES, descent, "DP-SGD", "measured"),
        Line(FEATURES, found["zero"], "the model 0", "reference"),
        Points([p], [votes[j]], "private Frank-Wolfe", "private", moves="p"),
        Points([p], [descent[j]], "DP-SGD", "measured"),
        Line(FEATURES, vote, "of a vote, as log p", "private", panel=1),
        Line(FEATURES, gradient, "of a gradient, as √p", "measured", panel=1),
        Points([p], [vote[j]], "of a vote, as log p", "private", panel=1, moves="p"),
        Points([p], [gradient[j]], "of a gradient, as √p", "measured", panel=1),
        Sentence(
            f"With {{p}} features, ln 2p = {log(2 * p):.1f} and √p = {sqrt(p):.3g}. At "
            f"ε = {{epsilon}} Frank-Wolfe is {write(votes[j])} per record from the "
            f"best model, DP-SGD {write(descent[j])}, and the model 0, which uses no "
            f"data, {write(found['zero'][j])}."
        ),
        Spent(_both(epsilon), DELTA),
    ]


def _both(epsilon: float) -> tuple[Gaussian | Selection, ...]:
    one = Relation.ADD_REMOVE
    lam = dp_sgd_noise_multiplier(epsilon, DELTA, steps=DESCENT)
    choices = [
        Selection(
            sqrt(8 * zcdp_rho(epsilon, DELTA) / (T - 1)), releases=T - 1, relation=one
        )
        for T in WALKS
    ]
    return (*choices, Gaussian(lam, releases=DESCENT, relation=one))
