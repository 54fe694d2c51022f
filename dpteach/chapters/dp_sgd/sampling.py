"""A figure of the chapter on DP-SGD: what a record's gradient is worth."""

from math import sqrt
from typing import Any

import numpy as np

from ... import checks, losses
from ... import problem as problem_module
from ...accounting import calibrate
from ...algorithms.gradients import sampled_sgd, sgd
from ...algorithms.gradients.sampled_sgd import sampled_dp_sgd
from ...algorithms.gradients.sgd import dp_sgd
from ...data import real
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
from ...privacy import Gaussian, Relation, SampledGaussian
from ..shared.tied_noise import DELTA, noise_for
from .risk import N_TUMORS, RADIUS, least_risk, problem

EPSILONS = (0.3, 1.0, 3.0)
PASSES = (4, 8, 16, 32, 64, 128, 256)  # record gradients over n
RATES = (0.2, 0.05)


def _event(noise_multiplier: float, rate: float, steps: int) -> SampledGaussian:
    return SampledGaussian(
        noise_multiplier, rate=rate, releases=steps, relation=Relation.ADD_REMOVE
    )


def _learning_rate(rate: float, steps: int, noise_multiplier: float) -> float:
    # The bound's best rate, with the variance of the coins beside that of the noise.
    n, p, q = N_TUMORS, problem().p, rate
    square = n**2 + n * (1 - q) / q + p * (noise_multiplier / q) ** 2
    return RADIUS / sqrt(steps * square)


@stored(
    uses=(
        sampled_sgd,
        sgd,
        problem_module,
        losses,
        real,
    ),
    epsilons=EPSILONS,
    passes=PASSES,
    rates=RATES,
    runs=10,
    seed=0,
)
def risk_for_gradients(
    epsilons: tuple, passes: tuple, rates: tuple, runs: int, seed: int
) -> dict:
    """Measure mean excess risk per record, for rates 1, 0.2 and 0.05."""
    D, best = problem(), least_risk()
    table = np.empty((1 + len(rates), len(epsilons), len(passes)))
    noise = np.empty((len(rates), len(epsilons), len(passes)))
    for e, epsilon in enumerate(epsilons):
        for k, T in enumerate(passes):
            lam = noise_for(epsilon, T)
            common: dict[str, Any] = {"clip_norm": 1.0, "noise_multiplier": lam}
            eta = _learning_rate(1.0, T, lam)
            full = dp_sgd(
                D, steps=T, learning_rate=eta, rng=seed, runs=(runs,), **common
            )
            table[0, e, k] = np.mean(D.risk(full.theta)) / D.n - best
            for r, q in enumerate(rates):
                lam, thetas = _sampled(epsilon, q, round(T / q), runs, seed)
                noise[r, e, k] = lam
                table[r + 1, e, k] = np.mean(D.risk(thetas)) / D.n - best
    return {"risk": np.round(table, 6).tolist(), "noise": np.round(noise, 5).tolist()}


def _sampled(
    epsilon: float, rate: float, steps: int, runs: int, seed: int
) -> tuple[float, np.ndarray]:
    lam = calibrate(lambda z: _event(z, rate, steps), epsilon, DELTA)
    eta = _learning_rate(rate, steps, lam)
    settings: dict[str, Any] = {"clip_norm": 1.0, "steps": steps, "rate": rate}
    thetas = [
        sampled_dp_sgd(
            problem(), noise_multiplier=lam, learning_rate=eta, rng=seed + s, **settings
        ).theta
        for s in range(runs)
    ]
    return lam, np.stack(thetas)


@figure(
    axes=Axes(
        "record gradients computed",
        "excess risk per record",
        xlim=(N_TUMORS * PASSES[0], N_TUMORS * PASSES[-1]),
        ylim=(0.01, 0.5),
        xticks=(3_000, 10_000, 30_000, 100_000),
        xscale="log",
        yscale="log",
    ),
    title="What a gradient is worth",
    alt=(
        "Three falling lines; those of sampled batches lie below the full one. A point "
        "on each at the chosen number of gradients."
    ),
    caption=(
        "Logistic regression on 569 tumors, mean of 10 runs, noise calibrated for "
        "each point by the sampled Gaussian’s price, learning rates from the bound "
        "with the variance of the coins. Nothing was tuned on these data."
    ),
    identity="oracle-cost",
    epsilon=Slider(EPSILONS),
    passes=Slider(PASSES, start=32),
)
def oracle_cost(epsilon: float, passes: int) -> list[Mark]:
    """Draw excess risk against the number of record gradients, at the same price.

    Examples
    --------
    >>> full, often, seldom, *_ = oracle_cost(1.0, 32)
    >>> bool(seldom.y[0] < full.y[0])  # few gradients: samples use them better
    True
    """
    checks.one_of(EPSILONS, epsilon=epsilon)
    checks.one_of(PASSES, passes=passes)
    e, values = EPSILONS.index(epsilon), risk_for_gradients()
    full, often, seldom = (rows[e] for rows in values["risk"])
    gradients = N_TUMORS * np.array(PASSES)
    at, T = PASSES.index(passes), int(passes)
    here = [full[at], often[at], seldom[at]]
    events = (
        Gaussian(noise_for(epsilon, T), releases=T, relation=Relation.ADD_REMOVE),
        *(
            _event(values["noise"][r][e][at], q, round(T / q))
            for r, q in enumerate(RATES)
        ),
    )
    return [
        Line(gradients, full, "all records, each step", "reference"),
        Line(gradients, often, "samples, q = 0.2", "measured"),
        Line(gradients, seldom, "samples, q = 0.05", "private"),
        Points([gradients[at]] * 3, here, "at your number of passes", "non_private"),
        Sentence(
            f"At ε = {{epsilon}} and {gradients[at]:,} record gradients, full "
            f"steps end {write(full[at])} from the best, samples of one in five "
            f"{write(often[at])}, samples of one in twenty {write(seldom[at])}."
        ),
        Spent(events, DELTA),
    ]
