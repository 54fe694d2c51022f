"""Figures of the chapter on objective perturbation: the purpose of regularization."""

from functools import cache
from typing import Any

import numpy as np

from ... import checks, losses
from ...algorithms.pure.objective import (
    objective_perturbation,
    objective_perturbation_log_density,
    objective_perturbation_parameters,
)
from ...constraints import Everywhere
from ...figures.axes import Axes
from ...figures.explore import Slider, geometric
from ...figures.figure import figure
from ...figures.marks import (
    Band,
    Bars,
    Line,
    Mark,
    Points,
    Sentence,
    Spent,
)
from ...figures.predict import Choose
from ...figures.style import write
from ...privacy import Pure, Relation
from ...problem import Problem
from . import questions as ask

REGULARIZATIONS = tuple(np.geomspace(1e-3, 10, 25))
_NEAR, _TAIL = np.linspace(-12, 12, 2401), np.geomspace(12, 200, 60)
_LINE = np.concatenate([-_TAIL, _NEAR, _TAIL])[:, None]


def _signs(*labels: float) -> Problem:
    X = np.ones((len(labels), 1))
    return Problem(X, np.array(labels, dtype=float), losses.logistic, Everywhere())


_PAIRS = [
    (_signs(*labels), _signs(*labels, new))
    for labels in ((), (1, -1), (1,) * 8, (-1,) * 8)
    for new in (1, -1)
]


@cache
def _exact(noise_multiplier: float, regularization: float) -> float:
    """Compute the worst log-ratio of densities over eight neighbors, on a grid."""
    kind = {"lipschitz": 1.0, "regularization": regularization}
    worst = 0.0
    for pair in _PAIRS:
        first, second = (
            objective_perturbation_log_density(
                D, _LINE, **kind, noise_multiplier=noise_multiplier
            )
            for D in pair
        )
        worst = max(worst, float(np.max(np.abs(first - second))))
    return worst


@figure(
    asks=Choose(
        ask.REGULARIZE,
        hides=[
            "exact ε, worst of eight pairs",
            "1/λ + ln(1 + β/Λ)",
            "least Λ, tight",
            "least Λ, the source’s",
        ],
        ghosts=[
            [(9, 0.55), (0.1, 0.6), (0.0012, 0.6)],
            [(9, 0.5), (1, 0.6), (0.1, 1.4), (0.01, 3.6), (0.0012, 11)],
            [(9, 0.45), (1, 0.4), (0.1, 0.25), (0.01, 0.12), (0.0012, 0.06)],
        ],
    ),
    axes=Axes(
        "regularization Λ",
        "ε, in nats",
        xlim=(1e-3, 10),
        ylim=(0.03, 30),
        xscale="log",
        yscale="log",
    ),
    title="Too little regularization breaks privacy",
    alt=(
        "The exact ε falls as regularization grows; left of the least allowed value "
        "it climbs above the nominal line."
    ),
    caption="Exact, by the density of the minimum: logistic loss on a line.",
    identity="objective-regularization",
    epsilon=Slider((0.3, 0.5, 0.7, 1, 1.5, 2, 3), start=1),
)
def epsilon_against_regularization(epsilon: float) -> list[Mark]:
    """Draw the exact ε of objective perturbation as its regularization shrinks.

    Examples
    --------
    >>> exact, claim, nominal, *_ = epsilon_against_regularization(1.0)
    >>> bool((exact.y <= claim.y).all()), bool(exact.y[0] > nominal.y[0])
    (True, True)
    """
    checks.positive(epsilon=epsilon)
    lam = 2 / epsilon
    Lam = np.array(REGULARIZATIONS)
    exact = np.array([_exact(lam, float(each)) for each in Lam])
    claim = 1 / lam + np.log1p(0.25 / Lam)
    kind: dict[str, Any] = {"smoothness": 0.25}
    tight = objective_perturbation_parameters(epsilon, **kind)[1]
    book = objective_perturbation_parameters(epsilon, **kind, method="textbook")[1]
    events = tuple(Pure(float(each), relation=Relation.ADD_REMOVE) for each in claim)
    return [
        Line(Lam, exact, "exact ε, worst of eight pairs", "measured"),
        Line(Lam, claim, "1/λ + ln(1 + β/Λ)", "bound"),
        Line(Lam, np.full(len(Lam), epsilon), "nominal ε", "reference"),
        Points([tight], [epsilon], "least Λ, tight", "private"),
        Points([book], [epsilon], "least Λ, the source’s", "non_private"),
        Sentence(
            f"At noise λ = {write(lam)} for ε = {{epsilon}} the source asks for "
            f"Λ ≥ {write(book)}; {write(tight)} suffices. At Λ = 0.001 the exact ε "
            f"is {write(float(exact[0]))}."
        ),
        Spent(events),
    ]


RUNS = 2000
BOWL = np.linspace(-3, 3, 121)
EDGES = np.linspace(-3, 3, 41)
_DATA = _signs(*(1,) * 8, -1, -1)  # ten records, eight of them +1


def _bowl(theta: np.ndarray, Lam: float) -> np.ndarray:
    return _DATA.risk(theta[:, None]) + Lam / 2 * theta**2


def _fan(ends: np.ndarray, Lam: float) -> list[Mark]:
    # The minimum of a run reveals its tilt: b = −(gradient of the bowl there).
    tilts = -(_DATA.gradient(ends[:, None])[:, 0] + Lam * ends)
    bowl, lowest = _bowl(BOWL, Lam), _bowl(ends, Lam) + tilts * ends
    return [
        *[Line(BOWL, bowl + b * BOWL, "tilted bowls", "private") for b in tilts],
        Line(BOWL, bowl, "no tilt", "reference"),
        Points(ends, lowest, "minima", "private"),
    ]


@figure(
    axes=(
        Axes(
            "model θ",
            "regularized risk",
            xlim=(-3, 3),
            ylim=(-5, 25),
            title="At most six of the bowls",
        ),
        Axes(
            "model θ",
            "part of the largest",
            xlim=(-3, 3),
            ylim=(0, 1.3),
            title="Where their minima lie",
        ),
    ),
    title="A random tilt moves the minimum",
    alt=(
        "In the panel “At most six of the bowls”, a bowl and six tilted copies of it, "
        "whose lowest points differ. In the panel “Where their minima lie”, a "
        "histogram of such points under its exact density."
    ),
    caption="Logistic loss on a line; ten records, eight of them +1.",
    identity="objective-tilt",
    plays="runs",
    epsilon=Slider((0.5, 0.6, 0.7, 0.8, 1, 1.5, 2), start=0.5),
    regularization=Slider((1, 1.5, 2, 2.5, 3, 3.5, 4), start=2),
    runs=Slider((*range(1, 7), 20, 100, 500, RUNS), start=RUNS),
)
def tilted_bowl(epsilon: float, regularization: float, runs: int = RUNS) -> list[Mark]:
    """Tilt a regularized risk at random, and see where its minimum goes.

    Examples
    --------
    >>> *_, bars, density, sentence, spent = tilted_bowl(1.0, 2.0)
    >>> bool(abs(bars.height - np.interp(bars.x, density.x, density.y)).max() < 0.15)
    True
    """
    lam, Lam = objective_perturbation_parameters(
        epsilon, smoothness=0.25, regularization=regularization
    )
    kind: dict[str, Any] = {"lipschitz": 1.0, "regularization": Lam}
    kind["noise_multiplier"] = lam
    out = objective_perturbation(_DATA, smoothness=0.25, rng=1, runs=(RUNS,), **kind)
    theta = out.theta[:runs, 0]
    first = np.minimum(np.arange(6), runs - 1)  # a run to come lies on the last one
    count = np.histogram(theta, EDGES)[0] / (len(theta) * (EDGES[1] - EDGES[0]))
    density = np.exp(objective_perturbation_log_density(_DATA, BOWL[:, None], **kind))
    middle, top = (EDGES[1:] + EDGES[:-1]) / 2, float(density.max())
    return [
        *_fan(theta[first], Lam),
        Bars(middle, np.minimum(count / top, 1.3), "all minima", "measured",
             panel=1, width=float(EDGES[1] - EDGES[0])),
        Line(BOWL, density / top, "exact density", "private", panel=1),
        Sentence(
            f"At ε = {{epsilon}} and Λ = {{regularization}} a tilt has mean size "
            f"{write(lam)}. The middle half of {{runs}} minima spans "
            f"{write(float(np.ptp(np.quantile(theta, [0.25, 0.75]))))}."
        ),
        Spent(out.event),
    ]  # fmt: skip


_ALONE = np.linspace(-8, 8, 241)


@figure(
    axes=(
        Axes(
            "model θ",
            "part of the largest",
            xlim=(-8, 8),
            ylim=(0, 1.05),
            title="Two neighbors’ densities",
        ),
        Axes(
            "model θ",
            "log ratio, in nats",
            xlim=(-8, 8),
            ylim=(-6, 6),
            title="How far apart they are",
        ),
    ),
    title="What the tilt costs, and what the determinant costs",
    alt=(
        "In the panel “Two neighbors’ densities”, a flat density and one with a peak. "
        "In the panel “How far apart they are”, the log of their ratio, a hump that "
        "leaves the band that ε allows, and its two parts."
    ),
    caption=(
        "Exact: no data against one record, logistic loss on a line, noise λ = 2/ε. In "
        "more dimensions this is any direction in which the other records have no part."
    ),
    identity="objective-ratio",
    in_hand="density_ratio",
    given=lambda: {"models": _ALONE.tolist()},
    epsilon=Slider(geometric(0.5, 4, 46), start=1),
    regularization=Slider(geometric(0.001, 10, 81), start=0.01),
)
def density_ratio(epsilon: float, regularization: float) -> list[Mark]:
    """Compare the densities without data and with one record, and split their ratio.

    Examples
    --------
    >>> _, _, _, whole, tilt, determinant, *_ = density_ratio(1.0, 0.01)
    >>> bool(np.allclose(whole.y, tilt.y + determinant.y))
    True
    """
    checks.positive(epsilon=epsilon, regularization=regularization)
    lam, Lam, at = 2 / epsilon, regularization, _ALONE[:, None]
    kind = {"lipschitz": 1.0, "regularization": Lam, "noise_multiplier": lam}
    pair = _PAIRS[0]  # no record, and one
    first, second = (objective_perturbation_log_density(D, at, **kind) for D in pair)
    top, whole = max(first.max(), second.max()), second - first
    sizes = [np.abs(D.gradient(at)[:, 0] + Lam * _ALONE) for D in pair]
    tilt, kappa = (sizes[0] - sizes[1]) / lam, float(np.log1p(0.25 / Lam))
    return [
        Line(_ALONE, np.exp(first - top), "density without the record", "reference"),
        Line(_ALONE, np.exp(second - top), "density with the record", "private"),
        Band(_ALONE, -epsilon, epsilon, "what ε allows", "bound", panel=1),
        Line(_ALONE, whole, "log of the ratio", "measured", panel=1),
        Line(_ALONE, tilt, "of it, the tilt", "non_private", panel=1),
        Line(_ALONE, whole - tilt, "of it, the determinant", "broken", panel=1),
        Sentence(
            "At ε = {epsilon} and Λ = {regularization} the log-ratio reaches {most}. "
            "The tilt can cost {tilt}, the determinant {determinant}.",
            {"most": float(np.abs(whole).max()), "tilt": 1 / lam, "determinant": kappa},
        ),
        Spent(Pure(1 / lam + kappa, relation=Relation.ADD_REMOVE)),
    ]
