"""The experiments of the chapters on local privacy and BANCO: pure and seeded.

Beside each experiment stands what ``explore`` has to know of it, in capitals.
"""

from functools import cache
from math import exp, lgamma, pi, sqrt
from typing import Any

import numpy as np

from .. import checks, losses
from ..algorithms.banco import BET_RANGE, banco, banco_tail
from ..algorithms.betting import bet
from ..algorithms.local_sgd import local_sgd, local_sgd_learning_rate
from ..constraints import Everywhere
from ..privacy import Pure, Relation
from ..problem import Problem
from .axes import Axes
from .marks import Line, Mark, Points, Sentence, Spent
from .style import write

N, P, DELTA = 4000, 3, 1e-9
FACTORS = (1 / 16, 1 / 4, 1, 4, 16, 64, 256)


@cache
def _users(distance: float) -> Problem:
    """Put users on the unit sphere; each knows ⟨w*, x⟩ exactly, with ‖w*‖ given."""
    X = np.random.default_rng(0).standard_normal((N, P))
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    return Problem(X, distance * X[:, 0], losses.absolute, Everywhere())


def _risk(theta: np.ndarray, distance: float) -> float:
    """Compute the population risk: E|⟨x, w − w*⟩| = ‖w − w*‖ E|x_1|, over runs."""
    away = np.linalg.norm(theta - distance * np.eye(P)[0], axis=-1)
    return float(np.mean(away)) * exp(lgamma(P / 2) - lgamma((P + 1) / 2)) / sqrt(pi)


@cache
def _measured(epsilon: float, distance: float) -> tuple[float, ...]:
    """Measure the risk of SGD at seven rates around the best for norm 1, and BANCO."""
    D = _users(distance)
    settings = {"epsilon": epsilon, "clip_norm": 1.0, "rng": 1, "runs": (8,)}
    best = local_sgd_learning_rate(epsilon, n=N, p=P, clip_norm=1.0, distance=1.0)
    risks = [
        _risk(
            local_sgd(D, learning_rate=k * best, path_every=N, **settings).theta,
            distance,
        )
        for k in FACTORS
    ]
    return (*risks, _risk(banco(D, path_every=N, **settings).theta, distance))


def no_learning_rate(epsilon: float, distance: float) -> list[Mark]:
    """Compare BANCO, untuned, with SGD at seven learning rates.

    Parameters
    ----------
    epsilon : float
        The privacy of each user's one report.
    distance : float
        How far the best model lies from 0: nobody knows.

    Returns
    -------
    list of marks
        What ``explore`` draws.

    Raises
    ------
    ValueError, TypeError
        If a value is out of its range.

    Examples
    --------
    >>> sgd, untuned, *_ = no_learning_rate(4.0, 10.0)
    >>> bool(untuned.y[0] < sgd.y[2])  # the rate that is best for norm 1
    True
    """
    checks.positive(epsilon=epsilon, distance=distance)
    *sgd, untuned = _measured(epsilon, distance)
    start = _risk(np.zeros((1, P)), distance)
    relative = np.array(sgd) / start
    best = FACTORS[int(np.argmin(sgd))]
    return [
        Line(FACTORS, np.clip(relative, 1e-3, 10), "SGD at this rate", "private"),
        Line(
            [FACTORS[0], FACTORS[-1]],
            np.clip([untuned / start] * 2, 1e-3, 10),
            "BANCO, no rate",
            "measured",
        ),
        Points([best], [np.clip(min(sgd) / start, 1e-3, 10)], "best rate", "private"),
        Sentence(
            f"With the best model {{distance}} from 0, SGD is best at "
            f"{write(best)} times the rate for norm 1, and leaves "
            f"{100 * min(sgd) / start:.0f} % of the risk of the zero model. BANCO, "
            f"which is told nothing, leaves {100 * untuned / start:.0f} %."
        ),
        Spent(Pure(epsilon, relation=Relation.REPLACE), DELTA),
    ]


NO_LEARNING_RATE: dict[str, Any] = {
    "axes": (
        Axes(
            "learning rate, over the best for norm 1",
            "risk, over that of the zero model",
            xlim=(1 / 16, 256),
            ylim=(1e-3, 10),
            xscale="log",
            yscale="log",
            xticks=FACTORS,
            yticks=(0.001, 0.01, 0.1, 1, 10),
        ),
    ),
    "title": "The learning rate that nobody knows",
    "alt": (
        "A valley, the risk of SGD over its learning rate, whose bottom moves right as "
        "the best model moves away. A level line, BANCO, crosses it."
    ),
    "caption": (
        "4000 users on the unit sphere in 3 dimensions, absolute loss, each reports "
        "once; mean of 8 runs, averaged models. The rate is not searched for "
        "privately: a search would cost users or budget."
    ),
    "identity": "no-learning-rate",
}


def bettor(x: float, steps: int) -> list[Mark]:
    """Show what BANCO averages when it places a bet.

    Parameters
    ----------
    x : float
        What was won so far.
    steps : int
        How many reports have come.

    Returns
    -------
    list of marks
        What ``explore`` draws.

    Raises
    ------
    ValueError, TypeError
        If a value is out of its range.

    Examples
    --------
    >>> gain, *_ = bettor(0.0, 100)  # nothing won: each stake and its opposite cancel
    >>> bool(np.allclose(gain.y, -gain.y[::-1]))
    True
    """
    checks.finite(x=x)
    checks.count(steps=steps)
    variance, b = banco_tail(4.0, p=P, clip_norm=1.0)
    a, y = min(BET_RANGE, 1 / b), steps * (variance / 2 + 1)
    stake = np.linspace(-a, a, 201)
    gain = stake * np.exp(stake * x - stake**2 * y)
    top = np.max(np.abs(gain))
    m = float(bet(x, y, a))
    return [
        Line(stake, gain / top, "stake times its wealth", "private"),
        Line([-a, a], [0, 0], "nothing", "reference"),
        Sentence(
            f"After {{steps}} reports and winnings of {{x}}, BANCO walks "
            f"{write(m)} along its direction: the mean of the curve, whose largest "
            f"value is {write(top)}."
        ),
        Spent(Pure(4.0, relation=Relation.REPLACE), DELTA),
    ]


BETTOR: dict[str, Any] = {
    "axes": (
        Axes(
            "stake β",
            "β times the wealth of betting β, scaled",
            xlim=(-BET_RANGE, BET_RANGE),
            ylim=(-1.1, 1.1),
        ),
    ),
    "title": "How much to bet",
    "alt": (
        "A curve over stakes from −a to a. It is odd while nothing is won; winnings "
        "lift one side, and more reports squeeze it towards zero."
    ),
    "caption": (
        "ε = 4 for each report, 3 dimensions, gradients of norm at most 1. The wealth "
        "of a bettor who always stakes β is exp(βx − β²y); its average is what BANCO "
        "can be sure of on average."
    ),
    "identity": "bettor",
}
