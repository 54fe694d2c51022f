"""A figure of the tour: one line, trained exactly, by DP-SGD and by DP-FTRL."""

from functools import cache
from typing import Any

import numpy as np

from ... import checks
from ...algorithms.gradients.sgd import dp_sgd, dp_sgd_learning_rate
from ...algorithms.streams.ftrl import dp_ftrl, dp_ftrl_noise_multiplier
from ...algorithms.streams.regret import dp_ftrl_regularization
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
from ...privacy import Relation, Release
from ..shared.tied_noise import DELTA, noise_for
from . import lines
from .lines import best_line, patients

EPSILONS = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
RUNS, STEPS = 200, 100


@cache
def _trained(epsilon: float) -> tuple[Release, Release]:
    """Train 200 lines by DP-SGD, and 200 by DP-FTRL."""
    D = patients()
    kind: dict[str, Any] = {"lipschitz": 1.0, "distance": 1.0}
    lam = noise_for(epsilon, STEPS)
    rate = dp_sgd_learning_rate(n=D.n, p=2, steps=STEPS, noise_multiplier=lam, **kind)
    run: dict[str, Any] = {
        "clip_norm": 1.0, "relation": Relation.ZERO_OUT, "rng": 0, "runs": (RUNS,),
    }  # fmt: skip
    at_once = dp_sgd(D, noise_multiplier=lam, learning_rate=rate, steps=STEPS, **run)
    lam = dp_ftrl_noise_multiplier(epsilon, DELTA, steps=D.n)
    Lam = dp_ftrl_regularization(steps=D.n, p=2, noise_multiplier=lam, **kind)
    one_by_one = dp_ftrl(D, noise_multiplier=lam, regularization=Lam, **run)
    return at_once, one_by_one


@figure(
    axes=(
        Axes(
            "slope",
            "level at index 25",
            xlim=(-3, 17),
            ylim=(105, 185),
            yticks=(120, 140, 160, 180),
            title="200 lines of each",
        ),
        Axes(
            "ε of a run",
            "risk",
            xlim=(0.1, 10),
            ylim=(30, 70),
            xscale="log",
            xticks=(0.1, 1, 10),
            title="What privacy costs",
        ),
    ),
    title="Three ways to train one line",
    alt=(
        "In the panel “200 lines of each”, a point with a small cloud around it and a "
        "wide cloud near it; both shrink as epsilon grows. In the panel “What privacy "
        "costs”, two falling curves of risk above a level line; the one of DP-FTRL is "
        "higher."
    ),
    caption=(
        "442 patients. DP-SGD: 100 steps over all of them. DP-FTRL: one pass, in the "
        "order of the list; the average of its 442 lines is drawn. Both use the "
        "learning rates of their theorems, so nothing was tuned on these patients. "
        "Bands: eight runs in ten."
    ),
    identity="three-ways",
    epsilon=Slider(EPSILONS, start=1),
)
def three_ways(epsilon: float) -> list[Mark]:
    """Draw 200 lines of DP-SGD and of DP-FTRL about the best one, and their risks.

    Examples
    --------
    >>> one_pass, many_steps, best, *_ = three_ways(1.0)
    >>> len(one_pass.x), len(many_steps.x), len(best.x)
    (200, 200, 1)
    """
    checks.one_of(EPSILONS, epsilon=epsilon)
    at_once, one_by_one = _trained(epsilon)
    best, least = best_line(), float(patients().risk(best_line()))
    risks, now = _risks(), EPSILONS.index(epsilon)
    mean, (low, high) = risks.mean(axis=2), np.quantile(risks, [0.1, 0.9], axis=2)
    here = mean[:, now]
    more = [f"{100 * (risk / least - 1):.0f}%" for risk in here]
    return [
        lines.cloud(one_by_one.theta, "DP-FTRL", "measured", (0.25, 1.0)),
        lines.cloud(at_once.theta, "DP-SGD", "private", (0.25, 1.0)),
        Points([lines.slope(best)], [lines.level(best)], "no noise", "non_private"),
        Band(EPSILONS, low[1], high[1], "DP-FTRL", "measured", panel=1),
        Line(EPSILONS, mean[1], "DP-FTRL", "measured", panel=1),
        Points([epsilon], here[1:], "DP-FTRL", "measured", panel=1),
        Band(EPSILONS, low[0], high[0], "DP-SGD", "private", panel=1),
        Line(EPSILONS, mean[0], "DP-SGD", "private", panel=1),
        Points([epsilon], here[:1], "DP-SGD", "private", panel=1, moves="epsilon"),
        Line([0.1, 10], [least, least], "no noise", "non_private", panel=1),
        Sentence(
            f"Without noise the risk is {write(least)}. At ε = {{epsilon}} the risk of "
            f"DP-SGD is {more[0]} higher on average, and that of DP-FTRL {more[1]} "
            "higher."
        ),
        Spent((at_once.event, one_by_one.event), DELTA),
    ]


def _risks() -> np.ndarray:
    # For DP-SGD and DP-FTRL, each ε and each run: shape (2, 7, 200)
    D, trained = patients(), [_trained(epsilon) for epsilon in EPSILONS]
    return np.array([[D.risk(each[k].theta) for each in trained] for k in (0, 1)])
