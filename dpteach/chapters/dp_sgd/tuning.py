"""More figures of the chapter on DP-SGD: tightness, the best T, and the clip norm."""

from functools import cache
from typing import Any

import numpy as np

from ... import checks
from ...algorithms.gradients.sgd import dp_sgd, dp_sgd_learning_rate, dp_sgd_risk_bound
from ...auditing import Tape
from ...constraints import L2Ball
from ...data import diabetes, mean_estimation
from ...figures.axes import Axes
from ...figures.explore import Slider
from ...figures.figure import figure
from ...figures.marks import (
    Band,
    Line,
    Mark,
    Points,
    Sentence,
    Spent,
)
from ...figures.style import write
from ...losses import linear, squared
from ...privacy import Event
from ...problem import Problem
from ..shared.tied_noise import DELTA, noise_for
from .risk import least_risk, problem


@cache
def _tight(epsilon: float, steps: int) -> tuple[float, float, Event]:
    """Measure the excess risk per record; return it, its bound and the event."""
    n, p = 500, 20
    X = mean_estimation(n=n, p=p, bias=1.0, rng=0).X
    D, lam = Problem(X, np.ones(n), linear, L2Ball(1.0)), noise_for(epsilon, steps)
    known: dict[str, Any] = {"n": n, "p": p, "steps": steps, "noise_multiplier": lam}
    eta = dp_sgd_learning_rate(**known, lipschitz=1.0, distance=1.0)
    settings: dict[str, Any] = {"clip_norm": 1.0, "learning_rate": eta, "steps": steps}
    release = dp_sgd(D, noise_multiplier=lam, rng=0, runs=(100,), **settings)
    excess = D.risk(release.theta) + np.linalg.norm(X.sum(axis=0))
    bound = dp_sgd_risk_bound(**known, lipschitz=1.0, distance=1.0)
    return float(np.mean(excess)) / n, bound / n, release.event


@figure(
    axes=Axes(
        "steps T",
        "excess risk per record",
        xlim=(3, 1000),
        ylim=(0.01, 1),
        xscale="log",
        yscale="log",
    ),
    title="Where the bound is nearly met",
    alt="Measured excess risk and the bound run close to each other, both falling.",
    caption="Linear losses on the unit ball in 20 dimensions; 500 records, all alike.",
    identity="tight-instance",
    epsilon=Slider((0.1, 0.3, 0.5, 1, 2, 3, 10), start=1),
)
def tight_instance(epsilon: float) -> list[Mark]:
    """Measure risk where every record pulls the same way, beside the bound.

    Examples
    --------
    >>> bound, measured, *_ = tight_instance(1.0)
    >>> bool((measured.y < bound.y).all())
    True
    """
    steps = (3, 10, 30, 100, 300, 1000)
    measured, bounds, events = zip(*[_tight(epsilon, T) for T in steps], strict=True)
    ratio = np.divide(bounds, measured)
    return [
        Line(steps, bounds, "bound of Theorem 6.11", "bound"),
        Line(steps, measured, "measured, mean of 100 runs", "measured"),
        Sentence(
            f"At ε = {{epsilon}} and 1,000 steps the bound is {ratio[-1]:.1f} times "
            f"what we measure; over all T shown, at least {ratio.min():.1f} times."
        ),
        Spent(events[-1], DELTA),
    ]


VALLEY_STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
FIXED_RATE = 0.003


@cache
def _fixed_rate(epsilon: float, steps: int) -> tuple[np.ndarray, Event]:
    """Compute the 10th, 50th and 90th percentile of excess risk, and the event."""
    settings: dict[str, Any] = {"clip_norm": 1.0, "learning_rate": FIXED_RATE}
    lam = noise_for(epsilon, steps)
    release = dp_sgd(
        problem(), steps=steps, noise_multiplier=lam, rng=0, runs=(20,), **settings
    )
    excess = problem().risk(release.path[-1]) / problem().n - least_risk()
    return np.quantile(np.maximum(excess, 1e-9), [0.1, 0.5, 0.9]), release.event


@figure(
    axes=Axes(
        "steps T",
        "excess risk per record",
        xlim=(1, 1000),
        ylim=(5e-4, 3),
        xscale="log",
        yscale="log",
    ),
    title="With a fixed learning rate there is a best T",
    alt="A valley: excess risk falls with the steps, then rises again.",
    caption=(
        f"The last model of 20 runs on 569 tumors, at the learning rate {FIXED_RATE}, "
        "all with the same total ε. Found on the private records themselves, which "
        "you must not do: the search is not charged to ε."
    ),
    identity="best-steps",
    epsilon=Slider((0.3, 0.5, 1, 2, 3, 5, 10), start=1),
)
def best_steps(epsilon: float) -> list[Mark]:
    """Measure the last model against T, at a learning rate that stays fixed.

    Examples
    --------
    >>> _, line, best, *_ = best_steps(1.0)
    >>> float(best.x[0])  # neither 1 nor 1,000
    50.0
    """
    spreads, events = zip(*[_fixed_rate(epsilon, T) for T in VALLEY_STEPS], strict=True)
    low, middle, high = np.transpose(spreads)
    best = int(np.argmin(middle))
    return [
        Band(VALLEY_STEPS, low, high, "measured", "measured"),
        Line(VALLEY_STEPS, middle, "measured", "measured"),
        Points([VALLEY_STEPS[best]], [middle[best]], "best number of steps", "private"),
        Sentence(
            f"At ε = {{epsilon}} the best number of steps is about "
            f"{VALLEY_STEPS[best]}; with 1,000 the last model is "
            f"{middle[-1] / middle[best]:.1f} times as far from the best."
        ),
        Spent(events[best], DELTA),
    ]


CLIP_NORMS = (0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0)
N_PATIENTS = 442


@cache
def _center() -> Problem:
    """Pose it: find one number near 442 targets, their mean if nothing were clipped."""
    y = diabetes().y
    return Problem(np.ones((len(y), 1)), y, squared, L2Ball(1.0))


@cache
def _clipped(clip_norm: float) -> tuple[float, np.ndarray, Event]:
    """Find where clipped descent ends without noise, and private runs' distances."""
    D, steps, lam = _center(), 100, noise_for(1.0, 100)
    settings: dict[str, Any] = {"clip_norm": clip_norm, "steps": steps}
    settings |= {"noise_multiplier": lam}
    exact = dp_sgd(D, learning_rate=1 / N_PATIENTS, rng=Tape([]), **settings)
    eta = 0.3 / (N_PATIENTS * min(1.0, clip_norm))
    noisy = dp_sgd(D, learning_rate=eta, rng=0, runs=(200,), **settings)
    # The last half of the path, which has forgotten the start.
    ends = noisy.path[steps // 2 :].mean(axis=0)[..., 0]
    spread = np.quantile(np.abs(ends - D.y.mean()), [0.1, 0.5, 0.9])
    return float(exact.path[-1][0]), spread, noisy.event


def _pulls(clip_norm: float, end: float) -> list[Mark]:
    """Draw the gradient and the sum of clipped ones, and where each vanishes."""
    D = _center()
    theta = np.linspace(-1, 1, 81)[:, None]
    gradient = D.gradient(theta)[:, 0] / D.n
    clipped = D.clipped_gradient(theta, clip_norm)[:, 0] / D.n
    return [
        Line(theta[:, 0], gradient, "gradient", "non_private"),
        Line(theta[:, 0], clipped, "clipped gradients", "private"),
        Points([D.y.mean()], [0], "where descent ends", "non_private"),
        Points([end], [0], "where clipped descent ends", "private"),
    ]


def _mine(clip_norm: float, away: float) -> Points:
    x, y = [clip_norm], [away]
    return Points(x, y, "your choice", "private", panel=1, moves="clip_norm")


@figure(
    axes=(
        Axes(
            "model θ",
            "average pull on θ",
            xlim=(-1, 1),
            ylim=(-0.8, 1.2),
            title="Which way is down?",
        ),
        Axes(
            "clip norm L",
            "distance from the mean",
            xlim=(0.05, 2),
            ylim=(0, 0.12),
            xscale="log",
            title="Where it ends",
        ),
    ),
    title="Clipping moves the goal",
    alt=(
        "In the panel “Which way is down?”, two rising curves that cross zero at "
        "different models. In the panel “Where it ends”, distance from the mean: high "
        "for small clip norms because of the clip, and rising again for large ones "
        "because of the noise."
    ),
    caption=(
        "Squared loss in one dimension: find one number near the disease targets of "
        "442 patients. Without a clip that is their mean; with a small clip, their "
        "median. 100 steps; median and 8 in 10 of 200 runs. The search is not charged "
        "to ε."
    ),
    identity="clipping",
    clip_norm=Slider(CLIP_NORMS, start=0.3),
)
def clipping(clip_norm: float) -> list[Mark]:
    """Compare the sum of clipped gradients with the gradient.

    Examples
    --------
    >>> _, _, mean, median, *_ = clipping(0.05)
    >>> bool(median.x[0] < mean.x[0])  # they vanish at different models
    True
    """
    checks.one_of(CLIP_NORMS, clip_norm=clip_norm)
    mean, y = float(_center().y.mean()), _center().y
    ends, spreads, events = zip(*[_clipped(L) for L in CLIP_NORMS], strict=True)
    low, middle, high = np.transpose(spreads)
    here = CLIP_NORMS.index(clip_norm)
    shortened = 100 * np.mean(np.abs(mean - y) > clip_norm)
    away = np.abs(np.subtract(ends, mean))
    return [
        *_pulls(clip_norm, ends[here]),
        Band(CLIP_NORMS, low, high, "clipped, with noise", "measured", panel=1),
        Line(CLIP_NORMS, middle, "clipped, with noise", "measured", panel=1),
        Line(CLIP_NORMS, away, "clipped, no noise", "private", panel=1),
        _mine(clip_norm, middle[here]),
        Sentence(
            f"L = {{clip_norm}} shortens {shortened:.0f} of 100 gradients at the mean. "
            f"Clipping alone ends {write(float(away[here]))} from the mean; clipping "
            f"with noise for ε = 1 ends {write(float(middle[here]))} from it."
        ),
        Spent(events[here], DELTA),
    ]
