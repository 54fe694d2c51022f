"""Figures of the chapter on private risk minimization: parts of a risk, two noises."""

from functools import cache
from math import sqrt

import numpy as np

from ... import checks
from ...algorithms.pure import _minimum as minimum_module
from ...algorithms.pure import output as output_module
from ...algorithms.pure._minimum import minimum
from ...algorithms.pure.output import output_perturbation_sensitivity
from ...arrays import l2_laplace
from ...constraints import Everywhere
from ...data import synthetic
from ...data.synthetic import planted_logistic
from ...figures.axes import Axes
from ...figures.explore import Slider
from ...figures.figure import figure
from ...figures.marks import (
    Bars,
    Line,
    Mark,
    Points,
    Sentence,
    Spent,
)
from ...figures.predict import Choose, Draw
from ...figures.results import stored
from ...figures.style import write
from ...losses import logistic
from ...mechanisms import k_norm
from ...privacy import Pure, Relation
from ...problem import Problem
from . import questions as ask

PARTS = (
    ("sampling", "reference"),
    ("more regularization", "bound"),
    ("noise", "private"),
)


def _risks(
    population: Problem, n: int, Lam: float, epsilons: list[float], seed: int
) -> np.ndarray:
    """Measure mean true excess risks per record: without noise, and the increase."""
    P, rng, zero = population, np.random.default_rng(seed), population.zeros()
    reach = output_perturbation_sensitivity(lipschitz=1.0, regularization=Lam)
    rows = []
    for _ in range(8):  # data sets, drawn from the population
        drawn = rng.choice(P.n, n, replace=False)
        D = Problem(P.X[drawn], P.y[drawn], P.loss, P.constraint)
        theta = minimum(D, Lam, zero, 1e-3)
        plain, noise = float(P.risk(theta)), l2_laplace(rng, 1.0, P.zeros(10))
        added = [np.mean(P.risk(theta + reach / e * noise)) - plain for e in epsilons]
        rows.append([plain, *added])
    best = float(P.risk(minimum(P, 1e-6, zero, 1e-2)))
    return (np.mean(rows, axis=0) - [best, *[0.0] * len(epsilons)]) / P.n


@stored(
    uses=(
        minimum_module,
        output_module,
        synthetic,
        k_norm,
    ),
    seed=0,
    counts=[300, 1000, 3000, 10_000],
    dimensions=[2, 10, 50],
    epsilons=[0.1, 0.3, 1.0, 3.0],
    regularizations=[0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0],
    population=20_000,
)
def parts_of_a_risk(
    seed: int,
    counts: list[int],
    dimensions: list[int],
    epsilons: list[float],
    regularizations: list[float],
    population: int,
) -> dict:
    """Measure the parts of output perturbation's true excess risk, at the best Λ.

    Examples
    --------
    >>> parts_of_a_risk()["best"][2][1]  # n = 3000, p = 10: less privacy, less Λ
    [100.0, 30.0, 10.0, 3.0]
    """
    found: dict[str, list] = {"parts": [], "best": []}
    for n in counts:
        parts, best = [], []
        for p in dimensions:
            drawn = planted_logistic(n=population, p=p, strength=5.0, rng=seed)
            P = Problem(drawn.X, drawn.y, logistic, Everywhere())
            plain, *noise = np.transpose(
                [_risks(P, n, Lam, epsilons, seed) for Lam in regularizations]
            )
            at = [int(np.argmin(plain + added)) for added in noise]
            parts.append(
                [
                    [plain.min(), plain[i] - plain.min(), added[i]]
                    for i, added in zip(at, noise, strict=True)
                ]
            )
            best.append([regularizations[i] for i in at])
        found["parts"].append(np.round(parts, 6).tolist())
        found["best"].append(best)
    return found


COUNTED = (300, 1000, 3000, 10_000)


@figure(
    asks=Choose(
        ask.LARGEST,
        hides=["more regularization", "noise"],
    ),
    axes=Axes(
        "records n",
        "mean excess true risk per record",
        xlim=(-0.6, 3.6),
        ylim=(0, 0.2),
        xticks={k: f"{n:,}" for k, n in enumerate(COUNTED)},
    ),
    title="What the true risk is made of",
    alt=(
        "Four bars that get lower as there are more records. Each is stacked from a "
        "thin part for sampling, a thick one for regularization and one for noise."
    ),
    caption=(
        "Output perturbation, logistic loss, a population of 20,000 synthetic "
        "records; means of 8 data sets and 10 draws each, at the Λ that was best in "
        "hindsight. That choice is not charged to ε."
    ),
    identity="risk-parts",
    p=Slider((2, 10, 50), start=10),
    epsilon=Slider((0.1, 0.3, 1, 3), start=0.3),
)
def risk_parts(p: int, epsilon: float) -> list[Mark]:
    """Show what the true risk of output perturbation is made of, as records are added.

    Examples
    --------
    >>> bars = risk_parts(10, 0.1)[:12]
    >>> few, many = bars[:3], bars[9:]
    >>> [[round(float(bar.height[0]), 3) for bar in stack] for stack in (few, many)]
    [[0.017, 0.158, 0.171], [0.0, 0.027, 0.039]]
    """
    values, known = parts_of_a_risk(), parts_of_a_risk.arguments
    checks.one_of(tuple(known["dimensions"]), p=p)
    checks.one_of(tuple(known["epsilons"]), epsilon=epsilon)
    parts = np.array(values["parts"])[
        :, known["dimensions"].index(p), known["epsilons"].index(epsilon)
    ]
    total = parts.sum(axis=1)
    share = 100 * parts[:, 1:].sum(axis=1) / total
    return [
        *[
            Bars(
                [k],
                [stack[: part + 1].sum()],
                *named,
                base=float(stack[:part].sum()),
            )
            for k, stack in enumerate(parts)
            for part, named in enumerate(PARTS)
        ],
        Sentence(
            "In {p} dimensions at ε = {epsilon} the mean excess true risk falls from "
            f"{write(float(total[0]))} with 300 records to {write(float(total[-1]))} "
            f"with 10,000. With 1,000 records, {write(float(share[1]))}% of it is the "
            "price of privacy."
        ),
        Spent(Pure(epsilon, relation=Relation.ADD_REMOVE)),
    ]


COUNTS = (10, 30, 100, 300, 1000, 3000)


@figure(
    asks=Draw(
        "erm-noise-on-data",
        "You can average the records and add noise once, as drawn, or add noise to "
        "each record and average. Draw the error of the second.",
        hides=["noise on each record", "measured, noise on each record"],
        why="An average of n noise terms is √n times shorter than one. But a record’s "
        "part in the average is 1/n, so noise on the average may be n times shorter: "
        "a factor of √n, which is 10 for a hundred records.",
    ),
    axes=Axes(
        "records n",
        "root mean square error of a mean",
        xlim=(10, 3000),
        ylim=(1e-3, 1000),
        xscale="log",
        yscale="log",
    ),
    title="Noise on the data, or on the answer",
    alt=(
        "Two falling lines. The line of noise on each record falls as slowly as the "
        "error of sampling, and lies far above it; the line of noise on the mean falls "
        "twice as fast."
    ),
    caption=(
        "The mean of n vectors of norm at most 1, with noise of density ∝ "
        "exp(−‖b‖/s). Lines by formula; points over 40 or more runs with a fixed "
        "seed."
    ),
    identity="noise-on-data",
    epsilon=Slider((0.1, 0.2, 0.3, 0.5, 1, 2, 3, 5, 10), start=1),
    p=Slider((1, 2, 3, 5, 10, 20, 50), start=10),
)
def noise_on_data(epsilon: float, p: int) -> list[Mark]:
    """Compare noise on each record with noise on their mean.

    Examples
    --------
    >>> data, answer, *_ = noise_on_data(1.0, 10)
    >>> (data.y / answer.y).round(1).tolist()  # √n times as far
    [3.2, 5.5, 10.0, 17.3, 31.6, 54.8]
    """
    checks.positive(epsilon=epsilon)
    checks.count(p=p)
    n = np.array(COUNTS, dtype=float)
    # Records have norm at most 1: a replaced one moves by 2, and the mean by 2/n.
    scale = 2 / epsilon
    each = sqrt(p * (p + 1)) * scale
    seen = [_mean_of_noises(p, count) * scale for count in COUNTS]
    need = max(1, round(each**2))
    return [
        Line(n, each / np.sqrt(n), "noise on each record", "bound"),
        Line(n, each / n, "noise on the mean", "private"),
        Points(n, seen, "measured, noise on each record", "measured"),
        Line(n, 1 / np.sqrt(n), "bound on the error of sampling alone", "reference"),
        Sentence(
            f"At ε = {{epsilon}} and p = {{p}}, noise on the mean is below the error "
            f"of sampling from n = {write(need)} on. Noise on each record is "
            f"{write(each)} times that error, for every n."
        ),
        Spent(Pure(epsilon, relation=Relation.REPLACE)),
    ]


@cache
def _mean_of_noises(p: int, n: int) -> float:
    """Measure the root mean square length of the mean of n noises of scale 1."""
    runs = max(40, 20_000 // n)
    noise = l2_laplace(np.random.default_rng(0), 1.0, np.zeros((runs, n, p)))
    return float(np.sqrt(np.mean(np.sum(noise.mean(axis=1) ** 2, axis=-1))))
