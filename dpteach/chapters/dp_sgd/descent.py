"""More figures of the chapter on DP-SGD: models as points of a plane."""

from functools import cache
from statistics import NormalDist
from typing import Any

import numpy as np

from ...accounting import gaussian_mu
from ...algorithms.gradients.sgd import dp_sgd, dp_sgd_learning_rate
from ...arrays import clip
from ...constraints import L2Ball
from ...data import breast_cancer
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
from ...figures.style import write
from ...losses import logistic
from ...privacy import Event
from ...problem import Problem
from ..shared.attackers_view import VIEW, bell
from ..shared.tied_noise import DELTA, noise_for, tied
from .risk import N_TUMORS, minimizer


@cache
def _plane() -> Problem:
    """Pose it with two measurements, so that a model is a point in the plane."""
    data = breast_cancer()
    return Problem(clip(3 * data.X[:, [27, 21]], 1.0), data.y, logistic, L2Ball(10.0))


@cache
def _best_of_plane() -> np.ndarray:
    return minimizer(_plane())


@cache
def _plane_without_one() -> Problem:
    """Leave out the record that the best model gets most wrong."""
    D = _plane()
    keep = np.arange(D.n) != np.argmin(D.y * (D.X @ _best_of_plane()))
    return Problem(D.X[keep], D.y[keep], D.loss, D.constraint)


@cache
def _clouds(epsilon: float) -> tuple[np.ndarray, np.ndarray, Event]:
    """Train models; return two weights each, with the record and without."""
    settings: dict[str, Any] = {"clip_norm": 1.0, "learning_rate": 0.02, "steps": 20}
    lam = noise_for(epsilon, 20)
    having, lacking = (
        dp_sgd(D, noise_multiplier=lam, rng=seed, runs=(100,), **settings)
        for D, seed in ((_plane(), 0), (_plane_without_one(), 1))
    )
    return having.theta.T, lacking.theta.T, having.event


@figure(
    axes=(
        Axes(
            "weight of concave points",
            "weight of texture",
            xlim=(-9.5, -1.5),
            ylim=(-5, 2),
            title="100 models each",
        ),
        VIEW,
    ),
    title="What one record changes",
    alt=(
        "In the panel “100 models each”, two clouds of models that shrink as epsilon "
        "grows. In the panel “What the attacker sees”, two bell curves that nearly "
        "coincide at small epsilon and move apart as it grows."
    ),
    caption=(
        "Logistic regression on two measurements of 569 tumors, 20 steps, clip norm 1, "
        "learning rate 0.02. The record left out is the one that the best model gets "
        "most wrong. The bell curves are the worst case: whatever an attacker computes "
        "from the released path, and whichever record it is about, reveals no more "
        "than these two do."
    ),
    identity="cloud",
    epsilon=Slider((0.1, 0.2, 0.3, 0.5, 1, 2, 3, 5, 10, 20, 30), start=1),
)
def cloud(epsilon: float) -> list[Mark]:
    """Train 100 private models with one record, and 100 without it.

    Examples
    --------
    >>> with_record, without, *_ = cloud(1.0)
    >>> len(with_record.x), len(without.x)
    (100, 100)
    """
    having, lacking, event = _clouds(epsilon)
    best, mu = _best_of_plane(), gaussian_mu(epsilon, DELTA)
    right = 100 * NormalDist().cdf(mu / 2)
    accuracy = 100 * np.mean(np.sign(having.T @ _plane().X.T) == _plane().y)
    return [
        Points(having[0], having[1], "with the record", "private"),
        Points(lacking[0], lacking[1], "without it", "reference"),
        Points(best[:1], best[1:], "best model, no privacy", "non_private"),
        bell(mu, "with the record", "private"),
        bell(0.0, "without it", "reference"),
        Sentence(
            f"At ε = {{epsilon}}, nobody who sees all models of a run can say whether "
            f"the record was there and be right more than {right:.0f} times in 100. "
            f"A coin is right 50 times. The average model sorts {accuracy:.0f} of 100 "
            f"tumors correctly."
        ),
        Spent(event, DELTA),
    ]


@cache
def _paths(epsilon: float, steps: int) -> tuple[np.ndarray, Event]:
    """Return eight paths from zero, shape (61, 8, 2): 61 points for every T."""
    lam = noise_for(epsilon, steps)
    eta = dp_sgd_learning_rate(
        n=N_TUMORS, p=2, steps=steps, noise_multiplier=lam, lipschitz=1.0, distance=10.0
    )
    settings: dict[str, Any] = {"clip_norm": 1.0, "learning_rate": eta, "steps": steps}
    release = dp_sgd(_plane(), noise_multiplier=lam, rng=0, runs=(8,), **settings)
    path = np.concatenate([np.zeros((1, 8, 2)), release.path])
    place = np.linspace(0, steps, 61)  # places along the way, between two models
    left = np.minimum(place.astype(int), steps - 1)
    part = (place - left)[:, None, None]
    return (1 - part) * path[left] + part * path[left + 1], release.event


_ABOVE = (0.02, 0.05, 0.1, 0.2)  # risk over that of the best model


@cache
def _level_lines() -> list[np.ndarray]:
    """Return where the risk is one of four amounts above the least, shape (2, 73) each.

    From the best model the risk grows along each ray, so bisection finds the place.
    """
    D, best = _plane(), _best_of_plane()
    turn = np.linspace(0, 2 * np.pi, 73)
    rays = np.c_[np.cos(turn), np.sin(turn)]
    lines = []
    for above in _ABOVE:
        low, high = np.zeros((73, 1)), np.full((73, 1), 100.0)
        for _ in range(50):
            middle = (low + high) / 2
            risks = [D.risk(best + row) for row in middle * rays]
            far = np.asarray(risks)[:, None] > D.risk(best) + above * D.n
            low, high = np.where(far, low, middle), np.where(far, middle, high)
        lines.append((best + low * rays).T)
    return lines


@figure(
    axes=Axes(
        "weight of concave points", "weight of texture", xlim=(-10, 2), ylim=(-5, 3)
    ),
    title="Eight runs, with the same privacy",
    alt=(
        "Paths from the origin down a valley of level lines toward the best model, "
        "more ragged with more noise."
    ),
    caption=(
        "Two measurements of 569 tumors, in a ball of radius 10, at the theorem's "
        "learning rate. On level lines the risk is 0.02, 0.05, 0.1 or 0.2 above the "
        "least. ε is for the whole run."
    ),
    identity="fan",
    linked=tied,
    plays="elapsed",
    epsilon=Slider((0.1, 0.2, 0.3, 1, 3, 5, 10), start=1),
    noise_multiplier=Slider(),
    steps=Slider((5, 10, 20, 50, 100, 200), start=50),
    elapsed=Slider(tuple(range(0, 101, 10)), start=100),
)
def fan(
    epsilon: float, noise_multiplier: float, steps: int, elapsed: int = 100
) -> list[Mark]:
    """Follow eight private runs through the plane of weights.

    Examples
    --------
    >>> first, *_ = fan(1.0, noise_for(1.0, 10), 10)
    >>> float(first.x[0]), float(first.y[0])  # every run starts at zero
    (0.0, 0.0)
    """
    paths, event = _paths(epsilon, int(steps))
    upto = np.minimum(np.arange(len(paths)), round(elapsed * (len(paths) - 1) / 100))
    best, now = _best_of_plane(), paths[upto[-1]]
    runs: list[Mark] = [
        Line(run[upto, 0], run[upto, 1], "private runs", "private")
        for run in paths.swapaxes(0, 1)
    ]
    above = np.mean([_plane().risk(theta) for theta in now]) - _plane().risk(best)
    return [
        *runs,
        *[Line(x, y, "equal risk", "reference") for x, y in _level_lines()],
        Points(now[:, 0], now[:, 1], "where they are", "measured"),
        Points(best[:1], best[1:], "best model, no privacy", "non_private"),
        Sentence(f"ε = {{epsilon}}: noise {write(noise_multiplier)} in each step."),
        Sentence(
            f"After {{elapsed}}% of {{steps}} steps, the risk is "
            f"{write(above / N_TUMORS)} above the least on average."
        ),
        Spent(event, DELTA),
    ]
