"""Comparisons of three check-in protocols, and of the bounds on shuffling."""

from math import pi, sqrt
from typing import Any

import numpy as np

from ... import checks, losses
from ...algorithms.local import _reports, check_ins, local_sgd
from ...algorithms.local import _slots as slots_module
from ...algorithms.local.check_in_privacy import (
    averaged_updates_epsilon,
    fixed_window_epsilon,
    sliding_window_epsilon,
)
from ...algorithms.local.check_ins import averaged_updates, fixed_window, sliding_window
from ...algorithms.local.local_sgd import local_noise_variance
from ...algorithms.local.response_instances import shuffling_instance
from ...algorithms.local.shuffling import shuffling_epsilon
from ...constraints import L2Ball
from ...figures.axes import Axes
from ...figures.explore import Slider, even
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
from ...privacy import Approximate, Relation
from ...problem import Problem
from .slots import DELTA

MANY = (1000, 10_000, 100_000, 1_000_000)
LOCAL = (0.5, 1.0, 2.0)
CLIENTS = (100, 300, 1000, 3000, 10_000, 30_000, 100_000)
_P = 2


def _crowd(n: int, seed: int) -> Problem:
    """Put clients on the unit circle; each knows ⟨θ*, x⟩ with θ* = (½, 0)."""
    angle = np.random.default_rng([seed, 1]).uniform(0, 2 * pi, n)
    X = np.c_[np.cos(angle), np.sin(angle)]
    return Problem(X, X[:, 0] / 2, losses.absolute, L2Ball(1.0))


def _left(theta: np.ndarray) -> float:
    """Compute the population risk of a model, over that of the zero model."""
    return float(np.linalg.norm(theta - np.array([0.5, 0.0]))) / 0.5


@stored(
    uses=(
        slots_module,
        check_ins,
        local_sgd,
        _reports,
    ),
    clients=MANY,
    local_epsilons=LOCAL,
    repeats=(16, 4, 1, 1),
    seed=0,
)
def risk_of_check_ins(
    clients: tuple[int, ...],
    local_epsilons: tuple[float, ...],
    repeats: tuple[int, ...],
    seed: int,
) -> dict:
    """Measure how much risk each of three protocols leaves."""
    risks = np.zeros((3, len(local_epsilons), len(clients)))
    for i, e0 in enumerate(local_epsilons):
        for j, (n, runs) in enumerate(zip(clients, repeats, strict=True)):
            for run in range(runs):
                risks[:, i, j] += np.array(_three(e0, n, seed + run)) / runs
    names = ("fixed", "averaged", "sliding")
    rounded = np.vectorize(lambda risk: float(f"{risk:.5g}"))(risks).tolist()
    return dict(zip(names, rounded, strict=True))


def _three(e0: float, n: int, seed: int) -> tuple[float, ...]:
    D, many, window = _crowd(n, seed), round(n ** (2 / 3)), n // 10
    variance = local_noise_variance(e0, p=_P, clip_norm=1.0)
    known: dict[str, Any] = {"local_epsilon": e0, "clip_norm": 1.0, "rng": seed}
    rate, averaged = 2 / sqrt(1 + variance), 2 / sqrt(1 + variance * many / n)
    runs = (
        fixed_window(D, slots=n, check_in_probability=1.0, learning_rate=rate, **known),
        averaged_updates(D, slots=many, learning_rate=averaged, **known),
        sliding_window(D, window=window, learning_rate=rate, **known),
    )
    return tuple(_left(run.theta) for run in runs)


@figure(
    axes=(
        Axes(
            "clients n",
            "risk, over that of the zero model",
            xlim=(900, 1_100_000),
            ylim=(1e-3, 3),
            xscale="log",
            yscale="log",
            xticks=MANY[:3],
            yticks=(0.001, 0.01, 0.1, 1),
            title="What is learned",
        ),
        Axes(
            "clients n",
            "ε at δ = 10⁻⁶",
            xlim=(900, 1_100_000),
            ylim=(1e-3, 5),
            xscale="log",
            yscale="log",
            xticks=MANY[:3],
            yticks=(0.001, 0.01, 0.1, 1),
            title="What it costs",
        ),
    ),
    title="Three protocols",
    alt=(
        "In the panel “What is learned”, three curves of risk fall as the number of "
        "clients grows, and that of averaged updates is the lowest if clients are few. "
        "In the panel “What it costs”, three curves of ε: fixed and sliding windows "
        "fall, while the bound for averaged updates stays at the top for a long time."
    ),
    caption=(
        "Clients on the unit circle, absolute loss, models in the unit ball; each "
        "reports at most once. Last models, means of 16, 4, 1 and 1 runs, stored. One "
        "record is replaced. "
        "Bounds are cut at one report’s ε₀, which always holds. The total is that of "
        "your n."
    ),
    identity="three-protocols",
    picks="n",
    local_epsilon=Slider(LOCAL, start=1),
    n=Slider(MANY, start=MANY[-1]),
)
def three_protocols(local_epsilon: float, n: int = MANY[-1]) -> list[Mark]:
    """Compare what three protocols learn, and what the coins hide in each.

    Examples
    --------
    >>> marks = three_protocols(1.0)
    >>> fixed, averaged = marks[0].y, marks[1].y
    >>> bool(averaged[0] < fixed[0])  # nobody is turned away, and noise averages out
    True
    """
    checks.one_of(LOCAL, local_epsilon=local_epsilon)
    checks.one_of(MANY, n=n)
    k = MANY.index(n)
    risks, at = risk_of_check_ins(), LOCAL.index(local_epsilon)
    prices = np.array([_prices_of_three(local_epsilon, n) for n in MANY]).T
    left = [100 * float(risks[name][at][k]) for name in _PROTOCOLS]
    price = [float(each[k]) for each in prices]
    return [
        *(
            Line(MANY, np.clip(risks[name][at], 1e-3, 3), label, role)
            for name, (label, role) in _PROTOCOLS.items()
        ),
        Points([n] * 3, np.array(left) / 100, "your n", "non_private"),
        *(
            Line(MANY, each, label, role, panel=1)
            for each, (label, role) in zip(prices, _PROTOCOLS.values(), strict=True)
        ),
        Sentence(
            "With {n} clients, reports of ε₀ = {local_epsilon} each: the fixed "
            f"window leaves {write(left[0])}% of the risk at ε = {write(price[0])}, "
            f"averaged updates {write(left[1])}% at {write(price[1])}, sliding "
            f"windows {write(left[2])}% at {write(price[2])}."
        ),
        Spent(_proved(price), DELTA),
    ]


def _proved(prices: list[float]) -> tuple[Approximate, ...]:
    return tuple(Approximate(e, DELTA, relation=Relation.REPLACE) for e in prices)


_PROTOCOLS = {
    "fixed": ("fixed window, m = n", "private"),
    "averaged": ("averaged, m³ = n²", "measured"),
    "sliding": ("sliding, m = n/10", "reference"),
}


def _prices_of_three(e0: float, n: int) -> tuple[float, float, float]:
    many = round(n ** (2 / 3))
    return (
        fixed_window_epsilon(e0, DELTA, slots=n),
        averaged_updates_epsilon(e0, DELTA / 2, n=n, slots=many, delta_sizes=DELTA / 2),
        sliding_window_epsilon(e0, DELTA, window=n // 10),
    )


@figure(
    axes=(
        Axes(
            "reports n",
            "ε at δ = 10⁻⁶, when one record is replaced",
            xlim=(100, 100_000),
            ylim=(1e-4, 5),
            xscale="log",
            yscale="log",
            xticks=CLIENTS[::2],
        ),
    ),
    title="The shuffle race",
    alt=(
        "Five falling curves. At small ε they are close together; as ε grows, the "
        "older bounds stay at the top while the numerical one stays near the exact "
        "instance."
    ),
    caption=(
        "Bounds are cut at one report’s ε₀, which always holds. The total is the "
        "numerical bound. The instance is randomized response, with all others holding "
        "0."
    ),
    identity="shuffle-race",
    local_epsilon=Slider(even(0.1, 0.9, 0.1) + even(1, 4, 0.2), start=0.5),
)
def shuffle_race(local_epsilon: float) -> list[Mark]:
    """Race the bounds on shuffling against each other and one exact instance.

    Examples
    --------
    >>> numerical, closed, theorem, swap, instance, *_ = shuffle_race(1.0)
    >>> bool((instance.y <= numerical.y + 1e-9).all())
    True
    """
    numerical, closed, theorem, swap = (
        np.clip(
            [shuffling_epsilon(local_epsilon, DELTA, n=n, method=m) for n in CLIENTS],
            1e-4,
            None,
        )
        for m in ("numerical", "closed", "textbook", "swap")
    )
    exact = [shuffling_instance(local_epsilon, DELTA, n=n) for n in CLIENTS]
    better = "Theorem 5.1" if theorem[-1] < closed[-1] else "the clones' closed form"
    return [
        Line(CLIENTS, numerical, "clones, numerical", "private"),
        Line(CLIENTS, closed, "clones, closed form", "measured"),
        Line(CLIENTS, theorem, "Theorem 5.1", "bound"),
        Line(CLIENTS, swap, "swapping (2019)", "broken"),
        Line(CLIENTS, exact, "one instance, exact", "reference"),
        Sentence(
            f"Among 100,000 reports of {{local_epsilon}} each, {better} is the better "
            f"formula; the numerical bound says {write(float(numerical[-1]))}, and one "
            f"instance has {write(float(exact[-1]))}."
        ),
        Spent(_proved(numerical.tolist()), DELTA),
    ]
