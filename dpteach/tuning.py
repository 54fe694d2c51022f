"""Floor 4. Tuning that is paid for: repeat a private run a random number of times."""

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from . import checks
from .accounting import delta_of, epsilon_of
from .arrays import Rng, as_rng
from .privacy import EVENTS, Approximate, Event, Pure, Release


def random_stopping_epsilon(
    event: Event, delta: float, *, expected_runs: float
) -> float:
    r"""Bound the ε of the best of a geometric number of private runs.

    Parameters
    ----------
    event : Event
        What one run spends, its score included.
    delta : float
        :math:`\delta` of the published run; 0 is for what is pure.
    expected_runs : float
        :math:`m`, how many runs there are on average, at least 1. After each run a
        coin stops with probability :math:`\gamma = 1/m`.

    Returns
    -------
    float
        :math:`\varepsilon + 2s` in nats, where one run is
        :math:`(\varepsilon, \gamma\delta)`-private, and :math:`s` is the least number
        with :math:`(1-\gamma)\,\delta(s) \le \gamma\,(e^s - 1)`. For ε-private runs it
        is below :math:`3\varepsilon`, whatever :math:`m` is.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of its range, or the event cannot be priced.

    Notes
    -----
    The problem, and 3ε for pure runs: Liu and Talwar, 2019. Rényi bounds, and other
    numbers of runs: Papernot and Steinke, 2022. Bounds by the price curve of a run:
    Koskela, Redberg and Wang, 2024. The constants here are derived in chapter 23.

    Examples
    --------
    >>> from dpteach.privacy import Relation
    >>> run = Pure(1.0, relation=Relation.ADD_REMOVE)
    >>> for m in (1, 10, 1000):  # the best of ten runs, all published, would cost 10
    ...     print(round(random_stopping_epsilon(run, 0, expected_runs=m), 3))
    1.0
    2.591
    2.995
    """
    checks.instance(EVENTS, event=event)
    delta, expected_runs = _checked(delta, expected_runs)
    gamma = 1 / expected_runs
    return epsilon_of(event, gamma * delta) + 2 * _tail_ratio(event, gamma)


def _checked(delta: Any, expected_runs: Any) -> tuple[float, float]:
    delta = checks.between(0, 1, delta=delta)
    if delta:
        delta = checks.probability(delta=delta)
    return delta, checks.between(1, 1e12, expected_runs=expected_runs)


def _tail_ratio(event: Event, gamma: float) -> float:
    """Find s: how much likelier a record makes it that no later run is better."""

    def enough(s: float) -> bool:
        return (1 - gamma) * delta_of(event, s) <= gamma * math.expm1(s)

    low, high = 0.0, 1.0
    if enough(low):
        return low
    while not enough(high):
        low, high = high, 2 * high
    while high - low > 1e-9 * high:
        middle = (low + high) / 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def random_stopping(
    run: Callable[[Any], tuple[float, Release]],
    *,
    expected_runs: float,
    delta: float,
    rng: Rng,
) -> Release:
    r"""Repeat a private run until a coin says stop, and publish the best one.

    Parameters
    ----------
    run : callable
        ``run(rng)`` returns a score, the higher the better, and a ``Release`` whose
        event pays for both. It draws its own learning rate, and whatever else is tuned,
        from ``rng``.
    expected_runs : float
        :math:`m`, how many runs there are on average, at least 1.
    delta : float
        :math:`\delta`, at which the result is priced.
    rng : int, Generator or None
        Where all randomness comes from. An int makes the search repeatable.

    Returns
    -------
    Release
        The run with the highest score, the first of equal ones, priced by
        ``random_stopping_epsilon``. How many runs there were stays secret.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of its range, a score is not a number, or two runs cost
        different amounts.

    Notes
    -----
    Liu and Talwar, 2019; Papernot and Steinke, 2022.

    Examples
    --------
    >>> import numpy as np
    >>> from dpteach.privacy import Gaussian, Relation
    >>> def run(rng):  # a private count, scored by itself
    ...     count = 5 + 2 * rng.standard_normal(1)
    ...     event = Gaussian(2.0, relation=Relation.ADD_REMOVE)
    ...     return count[0], Release(count, count[None], event)
    >>> best = random_stopping(run, expected_runs=10, delta=1e-6, rng=0)
    >>> round(best.event.epsilon, 2)  # one run costs 2.26
    3.38
    """
    if not callable(run):
        raise TypeError(
            f"`run` must be a function of a generator, got {run!r:.60}. "
            "It returns a score and a Release."
        )
    delta, expected_runs = _checked(delta, expected_runs)
    rng, gamma = as_rng(rng), 1 / expected_runs

    # 1: run once: score, best ← run
    score, best = _scored(run, rng)
    event = best.event
    epsilon = random_stopping_epsilon(event, delta, expected_runs=expected_runs)
    # 2: until a coin of probability γ says stop
    while rng.random() >= gamma:
        # 3: run again, and keep what scores higher
        other, release = _scored(run, rng)
        if release.event != event:
            raise ValueError(
                f"`run` must cost the same each time, got {release.event!r} after "
                f"{event!r}. Give all candidates the budget of the most expensive one."
            )
        if other > score:
            score, best = other, release
    # 4: return the best
    return replace(best, event=_spent(epsilon, delta, event))


def _scored(run: Callable, rng: Any) -> tuple[float, Release]:
    found = run(rng)
    if not isinstance(found, tuple) or len(found) != 2:
        raise TypeError(
            f"`run` must return a score and a Release, got {checks.shown(found)}. "
            "Write return score, release."
        )
    score, release = found
    checks.finite(run=score)
    checks.instance(Release, run=release)
    return float(score), release


def _spent(epsilon: float, delta: float, event: Event) -> Event:
    if epsilon == 0:
        raise ValueError(
            f"`delta` must be smaller, got {delta!r}: at that δ the run has ε = 0, so "
            "no event says what it costs."
        )
    if delta == 0:
        return Pure(epsilon, relation=event.relation)
    return Approximate(epsilon, delta, relation=event.relation)
