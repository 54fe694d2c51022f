"""The flagship of the chapter on lower bounds: the bound as ε, λ and T move."""

from functools import cache

import numpy as np

from ... import checks
from ...accounting import gaussian_mu
from ...algorithms.gradients import sgd
from ...algorithms.gradients.sgd import (
    dp_sgd,
    dp_sgd_learning_rate,
    dp_sgd_noise_multiplier,
    dp_sgd_risk_bound,
)
from ...figures.axes import Axes
from ...figures.explore import Linked, Slider
from ...figures.figure import figure
from ...figures.marks import Band, Line, Mark, Points, Sentence, Spent
from ...figures.results import stored
from ...figures.style import write
from ...lower_bounds import tracing_excess_lower_bound
from ...privacy import Gaussian, Relation
from ..shared.tied_noise import EPSILONS
from . import same_problem
from .same_problem import DELTA, FEATURES, REPLACE, copies_of, planted

STEPS = tuple(2**k for k in range(2, 11))
MEASURED = (32, 100, 316, 1000)
RECORDS = tuple(np.rint(np.geomspace(10, 100_000, 41)).astype(int).tolist())


@stored(
    uses=(sgd, same_problem),
    epsilons=EPSILONS,
    steps=STEPS,
    records=MEASURED,
    runs=8,
    seed=3,
)
def excess_by_steps(
    epsilons: tuple[float, ...],
    steps: tuple[int, ...],
    records: tuple[int, ...],
    runs: int,
    seed: int,
) -> dict:
    """Measure the excess of DP-SGD per record, at the worst of its data."""
    found = np.zeros((len(epsilons), len(steps), len(records)))
    for j, n in enumerate(records):
        for copies in copies_of(n):
            rng = np.random.default_rng([seed, n, copies])
            D = planted(n, copies, rng)
            least = float(np.linalg.norm(D.X.sum(axis=0)))
            for i, epsilon in enumerate(epsilons):
                for k, T in enumerate(steps):
                    lam = noise_for(epsilon, T)
                    rate = dp_sgd_learning_rate(
                        n=n, p=D.p, lipschitz=1.0, distance=1.0, steps=T,
                        noise_multiplier=lam,
                    )  # fmt: skip
                    out = dp_sgd(
                        D, clip_norm=1.0, learning_rate=rate, steps=T,
                        noise_multiplier=lam, rng=rng, runs=(runs,), **REPLACE,
                    )  # fmt: skip
                    excess = (float(np.mean(D.risk(out.theta))) + least) / n
                    found[i, k, j] = max(found[i, k, j], excess)
    return {"excess": np.vectorize(lambda x: float(f"{x:.4g}"))(found).tolist()}


@cache
def noise_for(epsilon: float, steps: int) -> float:
    """Compute the noise multiplier of DP-SGD, when a record is replaced.

    Examples
    --------
    >>> round(noise_for(1.0, 256) / noise_for(1.0, 64), 6)  # four times the steps
    2.0
    """
    return dp_sgd_noise_multiplier(epsilon, DELTA, steps=int(steps), **REPLACE)


@cache
def _least(epsilon: float) -> np.ndarray:
    mu = gaussian_mu(epsilon, DELTA)
    return np.array(
        [tracing_excess_lower_bound(mu, n=n, p=FEATURES) / n for n in RECORDS]
    )


@cache
def _promised(epsilon: float, steps: int) -> np.ndarray:
    lam = noise_for(epsilon, steps)
    bounds = [
        dp_sgd_risk_bound(
            n=n, p=FEATURES, steps=steps, noise_multiplier=lam, lipschitz=1.0,
            distance=1.0,
        ) / n
        for n in RECORDS
    ]  # fmt: skip
    return np.minimum(bounds, 1.0)  # the excess of the model 0 is at most 1


@figure(
    axes=Axes(
        "records n",
        "excess risk per record",
        xlim=(10, 100_000),
        ylim=(1e-5, 1.2),
        xscale="log",
        yscale="log",
    ),
    title="Impossible, unknown, reached",
    alt=(
        "Two falling curves with a shaded region between them. Below the lower one no "
        "μ-GDP algorithm can be; above the upper one DP-SGD provably is not. Points "
        "of DP-SGD lie near the upper curve."
    ),
    caption=(
        "Linear risk on the unit ball, p = 100, δ = 10⁻⁶, one record replaced. Points: "
        "the worst of several numbers of planted copies, 8 runs each, stored. Move ε, "
        "λ "
        "or T: another one follows."
    ),
    identity="impossible-reached",
    linked=Linked(("noise_multiplier", "epsilon", "steps"), noise_for),
    epsilon=Slider(EPSILONS),
    noise_multiplier=Slider(),
    steps=Slider(STEPS, start=256),
)
def impossible_reached(
    epsilon: float, noise_multiplier: float, steps: int
) -> list[Mark]:
    """Draw what is impossible at ε, and what DP-SGD with λ and T reaches.

    Examples
    --------
    >>> between, least, promised, *_ = impossible_reached(1.0, noise_for(1.0, 64), 64)
    >>> bool((least.y < promised.y).all())
    True
    """
    checks.one_of(EPSILONS, epsilon=epsilon)
    checks.one_of(STEPS, steps=steps)
    checks.positive(noise_multiplier=noise_multiplier)
    least, promised = _least(epsilon), _promised(epsilon, int(steps))
    measured = excess_by_steps()["excess"][EPSILONS.index(epsilon)][STEPS.index(steps)]
    low = np.maximum(least, 1e-5)
    return [
        Band(RECORDS, low, promised, "unknown", "measured"),
        Line(RECORDS, low, "lower bound for μ-GDP", "reference"),
        Line(RECORDS, promised, "DP-SGD’s theorem", "bound"),
        Points(MEASURED, measured, "DP-SGD, measured", "private"),
        Sentence(
            f"At ε = {{epsilon}}, DP-SGD with T = {{steps}} steps needs λ = "
            f"{{noise_multiplier}}. With 1,000 records its theorem allows "
            f"{write(_at(promised, 1000))} per record, {write(measured[-1])} was "
            f"measured, and no μ-GDP algorithm of this price is below "
            f"{write(_at(least, 1000))}."
        ),
        Spent(
            Gaussian(noise_multiplier, releases=int(steps), relation=Relation.REPLACE),
            DELTA,
        ),
    ]


def _at(curve: np.ndarray, n: int) -> float:
    return float(curve[RECORDS.index(n)])
