"""Figure of the chapter on machines: what a search for the best run costs."""

from functools import cache
from math import exp, log1p

import numpy as np

from ...accounting import gaussian_epsilon
from ...figures.axes import Axes
from ...figures.explore import Slider
from ...figures.figure import figure
from ...figures.marks import Line, Mark, Points, Sentence, Spent
from ...figures.style import write
from ...privacy import Approximate
from ...tuning import random_stopping_epsilon
from ..shared.tied_noise import DELTA
from .leaks import budget_event

BUDGETS = (0.1, 0.2, 0.3, 0.5, 1.0, 2.0, 3.0)
RUNS = (1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000)


def best_of_epsilon(mu: float, runs: int) -> float:
    """Compute the exact ε of the best of many normal numbers, at δ = 10⁻⁶.

    Each run releases a number of deviation 1, which a record moves by μ and which is
    its own score. That is one case; what all cases cost is bounded by composition.

    Examples
    --------
    >>> round(best_of_epsilon(0.2, 1), 3) == round(gaussian_epsilon(0.2, 1e-6), 3)
    True
    """
    from scipy.special import log_ndtr

    # The best of K has distribution function Φ^K, and density K Φ^{K−1} φ.
    x = np.linspace(-10.0, 10.0 + mu, 200_001)
    density = [
        np.log(runs) + (runs - 1) * log_ndtr(x - m) - (x - m) ** 2 / 2
        for m in (0.0, mu)
    ]
    step = (x[1] - x[0]) / (2 * np.pi) ** 0.5
    pairs = ((density[1], density[0]), (density[0], density[1]))
    return max(_epsilon(P, P - Q, step) for P, Q in pairs)


def _epsilon(log_density: np.ndarray, loss: np.ndarray, step: float) -> float:
    mass = step * np.exp(log_density)
    low, high = 0.0, 200.0
    while high - low > 1e-7:
        middle = (low + high) / 2
        delta = mass @ np.maximum(-np.expm1(np.minimum(middle - loss, 0.0)), 0.0)
        low, high = (low, middle) if delta <= DELTA else (middle, high)
    return high


@cache
def _prices(epsilon: float) -> tuple[np.ndarray, ...]:
    event = budget_event(epsilon)
    composed = [gaussian_epsilon(event.mu * k**0.5, DELTA) for k in RUNS]
    stopped = [
        random_stopping_epsilon(event, DELTA, expected_runs=float(k)) for k in RUNS
    ]
    exact = [best_of_epsilon(event.mu, k) for k in RUNS]
    return np.array(composed), np.array(stopped), np.array(exact)


@figure(
    axes=Axes(
        "runs",
        "ε of what is published",
        xlim=(1, 1000),
        ylim=(0.05, 400),
        xscale="log",
        yscale="log",
    ),
    title="What the best of many runs costs",
    alt=(
        "A level line for the claim that the search is free. Above it a curve that "
        "rises slowly, for a random number of runs, and one that rises steeply, for "
        "publishing all runs."
    ),
    caption=(
        "Each run is a Gaussian release with the ε of the slider, its score included, "
        "at δ = 10⁻⁶. A search that stops at random makes this many runs on average. "
        "The exact curve is for one case, in which a run is its own score."
    ),
    identity="price-of-tuning",
    epsilon=Slider(BUDGETS, start=1),
    expected_runs=Slider(RUNS, start=10),
)
def price_of_tuning(epsilon: float, expected_runs: int) -> list[Mark]:
    """Draw the price of the best run against the number of runs.

    Examples
    --------
    >>> free, composed, stopped, exact, *_ = price_of_tuning(1.0, 10)
    >>> bool((stopped.y < composed.y)[1:].all())
    True
    """
    composed, stopped, exact = _prices(epsilon)
    here = RUNS.index(expected_runs)
    event = budget_event(epsilon)
    best = Approximate(float(stopped[here]), DELTA, relation=event.relation)
    return [
        Line(RUNS, [epsilon] * len(RUNS), "claimed: the search is free", "broken"),
        Line(RUNS, composed, "all runs published", "bound"),
        Line(RUNS, stopped, "random number of runs", "private"),
        Line(RUNS, exact, "fixed number, exact for one case", "measured"),
        Points([expected_runs], [stopped[here]], "here", "private",
               moves="expected_runs"),
        Sentence(
            f"Publish the best run, of {{expected_runs}} on average, each with "
            f"ε = {{epsilon}}: ε = {write(float(stopped[here]))} is proved if a coin "
            f"ends the search, and {write(float(composed[here]))} if the number is "
            f"fixed. In one case the fixed number costs "
            f"{write(float(exact[here]))} exactly."
        ),
        Spent(best, DELTA),
    ]  # fmt: skip


def pure_best_of(epsilon: float, runs: int) -> float:
    """Compute the exact ε of the best of several coins, each ε-private.

    A run is 1 with probability p = 1/(1 + e^{−ε}) if the record is out, and 1 − p if
    it is in; a 1 scores higher. Nothing but the best is published.

    Examples
    --------
    >>> round(pure_best_of(1.0, 10), 9)
    10.0
    """
    never = -log1p(exp(epsilon)) * runs, -log1p(exp(-epsilon)) * runs
    return never[1] - never[0]
