"""Figures of the chapter on DP-SGD: its risk against its bound, and the price of noise.

The data are the breast-cancer set, logistic loss and a ball of radius 5; risks are per
record, and runs are shown by their mean and by the range of eight in ten of them.
"""

from functools import cache
from math import sqrt
from typing import Any

import numpy as np

from ... import (
    checks,
    constraints,
    data,
    losses,
)
from ...algorithms.gradients import sgd
from ...algorithms.gradients.sgd import (
    dp_sgd,
    dp_sgd_learning_rate,
    dp_sgd_noise_multiplier,
    dp_sgd_risk_bound,
)
from ...auditing import Tape
from ...data import _copies, real
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
from ...figures.predict import Choose
from ...figures.results import stored
from ...figures.style import write
from ...privacy import Gaussian, Relation
from ...problem import Problem
from ..shared import tied_noise
from ..shared.tied_noise import DELTA, EPSILONS, noise_for, tied
from . import questions as ask

RADIUS = 5.0
# A public count of records, for learning rates: the size that the set was published
# with.
N_TUMORS = 569
STEPS = tuple(2**k for k in range(13))


@cache
def problem() -> Problem:
    """Build the problem of these figures.

    Examples
    --------
    >>> problem().n, problem().p
    (569, 31)
    """
    cells = data.breast_cancer()
    return Problem(cells.X, cells.y, losses.logistic, constraints.L2Ball(RADIUS))


def _bound_arguments(steps: int, noise_multiplier: float) -> dict:
    return {
        "n": N_TUMORS,
        "p": problem().p,
        "steps": steps,
        "noise_multiplier": noise_multiplier,
        "lipschitz": losses.logistic.lipschitz * data.breast_cancer().row_norm,
        "distance": RADIUS,  # from θ_0 = 0 to any model of the ball
    }


def _bound(steps: int, noise_multiplier: float) -> float:
    known = _bound_arguments(steps, noise_multiplier)
    return dp_sgd_risk_bound(**known) / known["n"]


@stored(
    uses=(sgd, real, _copies, tied_noise),
    epsilons=EPSILONS,
    steps=STEPS,
    runs=50,
    seed=0,
)
def risk_of_dp_sgd(
    epsilons: tuple[float, ...], steps: tuple[int, ...], runs: int, seed: int
) -> dict:
    """Measure the excess risk per record: its mean, and where 8 in 10 runs lie."""
    D, best = problem(), least_risk()
    table = np.empty((3, len(epsilons), len(steps)))
    for i, epsilon in enumerate(epsilons):
        for j, T in enumerate(steps):
            lam = noise_for(epsilon, T)
            rate = dp_sgd_learning_rate(**_bound_arguments(T, lam))
            release = dp_sgd(
                D, clip_norm=1.0, steps=T, noise_multiplier=lam, learning_rate=rate,
                rng=np.random.default_rng([seed, i, j]), runs=(runs,),
            )  # fmt: skip
            excess = D.risk(release.theta) / D.n - best
            table[:, i, j] = excess.mean(), *np.quantile(excess, [0.1, 0.9])
    silent = []
    for T in steps:
        rate = RADIUS / (D.n * sqrt(T))  # the best rate's limit as noise vanishes
        release = dp_sgd(
            D, clip_norm=1.0, steps=T, noise_multiplier=1.0, learning_rate=rate,
            rng=Tape([]),
        )  # fmt: skip
        silent.append(D.risk(release.theta) / D.n - best)
    rows = dict(
        zip(("mean", "low", "high", "without_noise"), (*table, silent), strict=True)
    )
    return {name: _digits(row) for name, row in rows.items()}


def _digits(values: Any) -> Any:
    # Six digits: what differs between machines is not stored.
    if np.ndim(values):
        return [_digits(value) for value in values]
    return float(f"{values:.6g}")


def minimizer(D: Problem) -> np.ndarray:
    """Compute θ*, the best model without privacy, by accelerated projected gradients.

    Examples
    --------
    >>> bool(problem().risk(minimizer(problem())) < problem().risk(problem().zeros()))
    True
    """
    checks.instance(Problem, D=D)
    smoothness = D.loss.smoothness * np.linalg.norm(D.X, 2) ** 2
    theta = ahead = D.constraint.project(D.zeros())
    weight = 1.0
    for _ in range(4000):
        step = ahead - D.gradient(ahead) / smoothness
        following = D.constraint.project(step)
        next_weight = (1 + np.sqrt(1 + 4 * weight**2)) / 2
        ahead = following + (weight - 1) / next_weight * (following - theta)
        theta, weight = following, next_weight
    return theta


@cache
def least_risk() -> float:
    """Compute the least risk per record in the ball, to ten digits.

    Examples
    --------
    >>> round(least_risk(), 4)
    0.3069
    """
    return float(problem().risk(minimizer(problem()))) / problem().n


@figure(
    asks=Choose(
        ask.BEST_STEPS,
        hides=["DP-SGD, measured", "bound (6.46)", "your choice of T"],
        ghosts=[
            [(1, 0.28), (8, 0.26), (64, 0.19), (512, 0.075), (4000, 0.0165)],
            [(1, 0.28), (8, 0.27), (64, 0.21), (512, 0.15), (4000, 0.14)],
            [(1, 0.28), (8, 0.26), (64, 0.2), (512, 0.38), (4000, 1.9)],
        ],
    ),
    axes=Axes(
        "steps T",
        "excess risk per record",
        xlim=(1, STEPS[-1]),
        ylim=(0.01, 20),
        xscale="log",
        yscale="log",
        xticks=(1, 4, 16, 64, 256, 1024, 4096),
    ),
    title="Excess risk against the number of steps",
    alt=(
        "On logarithmic axes, measured excess risk falls with the steps and then "
        "flattens. The bound runs above it with the same shape."
    ),
    caption=(
        "Logistic regression on 569 tumors, 31 weights in a ball of radius 5, each "
        "point at the theorem’s learning rate for its T. Line: mean of 50 runs; "
        "band: 8 runs in 10. Nothing was tuned on these data."
    ),
    identity="risk-against-steps",
    linked=tied,
    epsilon=Slider(EPSILONS),
    noise_multiplier=Slider(),
    steps=Slider(STEPS, start=1024),
)
def risk_against_steps(
    epsilon: float, noise_multiplier: float, steps: int
) -> list[Mark]:
    """Draw the excess risk of DP-SGD against its number of steps, beside the bound.

    Examples
    --------
    >>> marks = risk_against_steps(1.0, noise_for(1.0, 256), 256)
    >>> marks[-1].statement[:25]
    'Total privacy cost: ε = 1'
    """
    checks.one_of(EPSILONS, epsilon=epsilon)
    checks.one_of(STEPS, steps=steps)
    i, j, values = EPSILONS.index(epsilon), STEPS.index(steps), risk_of_dp_sgd()
    bound = [_bound(T, noise_for(epsilon, T)) for T in STEPS]
    mean = values["mean"][i]
    measured = "DP-SGD, measured"
    return [
        Band(STEPS, values["low"][i], values["high"][i], measured, "measured"),
        Line(STEPS, values["without_noise"], "same, without noise", "non_private"),
        Line(STEPS, mean, measured, "measured"),
        Line(STEPS, bound, "bound (6.46)", "bound"),
        Points([steps], [mean[j]], "your choice of T", "private", moves="steps"),
        Sentence(
            f"At T = {{steps}}, ε = {{epsilon}} needs the noise multiplier "
            f"λ = {write(noise_multiplier)}. The model is then "
            f"{write(mean[j])} above the least risk on average; the bound allows "
            f"{write(bound[j])}."
        ),
        Spent(
            Gaussian(noise_multiplier, releases=steps, relation=Relation.ADD_REMOVE),
            DELTA,
        ),
    ]


PRICE: dict[str, Any] = {
    "axes": Axes(
        "privacy ε, in total",
        "noise multiplier λ",
        xlim=(0.1, 10),
        ylim=(1, 10_000),
        xscale="log",
        yscale="log",
    ),
    "title": "The noise that a budget needs",
    "alt": "Two falling lines, close together; the theorem’s formula is above.",
    "identity": "price-of-noise",
}


def price_of_noise(steps: int, delta: float) -> list[Mark]:
    """Draw the noise of Theorem 6.10 beside the least noise that suffices.

    Examples
    --------
    >>> exact, textbook, *_ = price_of_noise(steps=100, delta=1e-6)
    >>> bool((exact.y < textbook.y).all())
    True
    """
    checks.count(steps=steps)
    checks.probability(delta=delta)
    epsilons = np.geomspace(0.1, 10, 21)
    exact, textbook = (
        [
            dp_sgd_noise_multiplier(float(e), delta, steps=steps, method=method)
            for e in epsilons
        ]
        for method in ("exact", "textbook")
    )
    middle = len(epsilons) // 2
    more = 100 * (textbook[middle] / exact[middle] - 1)
    spent = tuple(
        Gaussian(lam, releases=steps, relation=Relation.ADD_REMOVE)
        for lam in (exact[0], exact[-1])
    )
    return [
        Line(epsilons, exact, "least noise that suffices", "private"),
        Line(epsilons, textbook, "Theorem 6.10", "bound"),
        Sentence(
            f"At ε = 1, {{steps}} steps need λ = {write(exact[middle])}; the theorem’s "
            f"formula asks for {write(textbook[middle])}, {more:.0f}% more."
        ),
        Spent(spent, delta),
    ]
