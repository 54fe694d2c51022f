"""Figures of the chapter on the exponential mechanism: a density, and what it costs."""

from functools import cache

import numpy as np

from ... import checks, losses
from ...algorithms.pure.exponential import (
    exponential_mechanism_exponent,
    exponential_mechanism_risk_bound,
)
from ...algorithms.pure.exponential_samplers import Grid, Piecewise
from ...constraints import Box
from ...data import diabetes
from ...figures.axes import Axes
from ...figures.explore import Slider, even
from ...figures.figure import figure
from ...figures.marks import (
    Band,
    Cells,
    Line,
    Mark,
    Points,
    Sentence,
    Spent,
)
from ...figures.predict import Choose
from ...figures.style import write
from ...privacy import Relation, Selection
from ...problem import Problem
from . import questions as ask

_GRID = np.linspace(-1, 1, 121)
_C = Box(-1.0, 1.0)


def _median(records: np.ndarray) -> Problem:
    return Problem(np.ones((len(records), 1)), records, losses.absolute, _C)


@figure(
    asks=Choose(
        ask.HALF,
        hides=["log of the ratio"],
        ghosts=[
            [(-0.95, -0.95), (0, 0), (0.93, 0.95)],
            [(0.93, 0.52), (0, 0.08), (-0.95, -0.3)],
            [(-0.95, -2), (0, 0), (0.93, 2)],
        ],
        panel=1,
    ),
    axes=(
        Axes(
            "model θ",
            "part of the largest",
            xlim=(-1, 1),
            ylim=(0, 1.05),
            title="Two neighbors’ densities",
        ),
        Axes(
            "model θ",
            "log ratio, in nats",
            xlim=(-1, 1),
            ylim=(-4.5, 4.5),
            title="How far apart they are",
        ),
    ),
    title="The density of a private median",
    alt=(
        "In the panel “Two neighbors’ densities”, two densities that fall away from "
        "−1, nearly equal. In the panel “How far apart they are”, the log of their "
        "ratio, a straight line inside the band that ε allows."
    ),
    caption=(
        "Exact, by closed forms. The textbook’s exponent stops at half of ε when a "
        "record is added; when one is replaced it uses all of ε."
    ),
    identity="exponential-density",
    epsilon=Slider(even(0.1, 0.9, 0.1) + even(1, 3, 0.25), start=1),
    n=Slider((1, 2, 3, 5, 10, 30, 100, 300, 1000), start=10),
    method=Slider(("exact", "textbook"), start="textbook"),
)
def density_and_ratio(epsilon: float, n: int, method: str) -> list[Mark]:
    """Compare the densities of a median with and without one record.

    Examples
    --------
    >>> *_, ratio, sentence, spent = density_and_ratio(1.0, 100, "textbook")
    >>> round(float(abs(ratio.y).max()), 3)  # half of the nominal ε is used
    0.49
    """
    checks.count(n=n)
    c = exponential_mechanism_exponent(
        epsilon, lipschitz=1.0, diameter=2.0, method=method
    )
    records = np.full(int(n), -1.0)
    first, second = (
        Piecewise().log_density(_median(each), c, _GRID)
        for each in (records, np.append(records, 1.0))
    )
    top, ratio = max(first.max(), second.max()), second - first
    loss = np.abs(_GRID[:, None] - records).sum(axis=1)
    return [
        Line(_GRID, loss / loss.max(), "loss, its largest value = 1", "non_private"),
        Line(_GRID, np.exp(first - top), "density without the record", "reference"),
        Line(_GRID, np.exp(second - top), "density with the record", "private"),
        Band(_GRID, -epsilon, epsilon, "what ε allows", "bound", panel=1),
        Line(_GRID, ratio, "log of the ratio", "measured", panel=1),
        Sentence(
            "With ε = {epsilon}, n = {n} and every record at −1, one more record at +1 "
            f"moves the log-density by {write(float(np.abs(ratio).max()))} at most. "
            f"Its values span {write(float(np.ptp(ratio)))}, at most c·B = "
            f"{write(2 * c)}."
        ),
        Spent(Selection(2 * c, relation=Relation.ADD_REMOVE)),
    ]


SIDE = 0.125  # of a cell
DRAWS = 60


@cache
def _patients() -> tuple[Problem, np.ndarray, np.ndarray]:
    """Absolute regression on two measurements, and its risk on the grid."""
    X = diabetes().X[:, (2, 8)]  # body mass, and a blood fat
    D = Problem(X, diabetes().y, losses.absolute, Box(-2.0, 2.0))
    points = Grid(SIDE).points(D)
    return D, points, D.risk(points)


@figure(
    axes=Axes(
        "weight of body mass", "weight of a blood fat", xlim=(-2, 2), ylim=(-2, 2)
    ),
    title="Good models are exponentially more likely",
    alt=(
        "A square of cells. The darkest lie around the best model, and they fade "
        "outward; sixty draws are scattered in the same way."
    ),
    caption=(
        "442 diabetes patients, absolute loss, two measurements. The cells are those "
        "of the exact grid sampler; a draw is then moved at random within its cell."
    ),
    identity="exponential-heat",
    epsilon=Slider(
        even(0.03, 0.09, 0.01) + even(0.1, 0.9, 0.1) + even(1, 10, 0.5), start=1
    ),
)
def heat_map(epsilon: float) -> list[Mark]:
    """Draw the exponential mechanism's distribution over a plane of models, with draws.

    Examples
    --------
    >>> spread, sharp = heat_map(0.1)[0], heat_map(10.0)[0]
    >>> [int((cells.shade > 4).sum()) for cells in (spread, sharp)]
    [246, 4]
    """
    D, points, risk = _patients()
    c = exponential_mechanism_exponent(
        epsilon, lipschitz=1.0, diameter=D.constraint.diameter(D.p)
    )
    mass = np.exp(Grid(SIDE).log_probabilities(D, c)[1])
    rng = np.random.default_rng(0)
    drawn = Grid(SIDE).sample(D, c, rng, (DRAWS,))
    drawn = drawn + SIDE * (rng.random(drawn.shape) - 0.5)  # within its cell
    best = points[np.argmin(risk)]
    half = 1 + int(np.searchsorted(np.cumsum(np.sort(mass)[::-1]), 0.5))
    excess = float(mass @ risk - risk.min()) / D.n
    bound = exponential_mechanism_risk_bound(c, p=D.p) / D.n
    return [
        Cells(points[:, 0], points[:, 1], mass / mass.max(), "probability", "private",
              width=SIDE, height=SIDE),
        Points(drawn[:, 0], drawn[:, 1], f"{DRAWS} draws", "measured"),
        Points(best[:1], best[1:], "best model", "non_private"),
        Sentence(
            f"At ε = {{epsilon}}, {half:,} of {len(mass):,} cells hold half of the "
            f"probability. The mean excess risk is {write(excess)} per record; the "
            f"theorem says at most {write(bound)}."
        ),
        Spent(Selection(epsilon, relation=Relation.ADD_REMOVE)),
    ]  # fmt: skip


DIMENSIONS = tuple(sorted({round(p) for p in np.geomspace(1, 300, 21)}))
_ANGLE = np.linspace(0, np.pi, 4001)[1:-1]
_LOG_RADIUS = np.linspace(-36, 0, 40_001)


def _mean(log_weight: np.ndarray, values: np.ndarray) -> float:
    weight = np.exp(log_weight - log_weight.max())
    return float(weight @ values / weight.sum())


@cache
def _linear_excess(kappa: float, p: int) -> float:
    """Compute E(1 − u) for u of density ∝ e^{κu}(1 − u²)^{(p−1)/2}, as u = cos φ."""
    fall = 1 - np.cos(_ANGLE)
    return _mean(p * np.log(np.sin(_ANGLE)) - kappa * fall, fall)


@cache
def _cone_excess(kappa: float, p: int) -> float:
    """Compute E r for r of density ∝ r^{p−1}e^{−κr} on [0, 1], as r = e^s."""
    radius = np.exp(_LOG_RADIUS)
    return _mean(p * _LOG_RADIUS - kappa * radius, radius)


@figure(
    axes=Axes(
        "dimension p",
        "mean excess risk per record",
        xlim=(1, 300),
        ylim=(1e-5, 100),
        xscale="log",
        yscale="log",
    ),
    title="The bound, and two losses",
    alt=(
        "The bound rises with the dimension. The cone's points lie on it, then bend "
        "to stay below 1; the linear loss runs below in parallel."
    ),
    caption=(
        "Exact, by integrals: n equal records on the unit ball, each a cone ‖θ‖₂ or "
        "a linear loss −⟨θ, x⟩ of length 1."
    ),
    identity="exponential-risk",
    epsilon=Slider(even(0.1, 0.9, 0.1) + even(1, 10, 0.5), start=1),
    n=Slider((100, 200, 500, 1000, 2000, 5000, 10000), start=100),
)
def risk_against_dimension(epsilon: float, n: int) -> list[Mark]:
    """Compare the mean excess risk of two losses with the bound p/c.

    Examples
    --------
    >>> bound, cone, linear, *_ = risk_against_dimension(1.0, 1000)
    >>> bool((cone.y < 1.001 * bound.y).all()), round(float(cone.y[0] / bound.y[0]), 6)
    (True, 1.0)
    """
    checks.count(n=n)
    c = exponential_mechanism_exponent(epsilon, lipschitz=1.0, diameter=2.0)
    p = np.array(DIMENSIONS, dtype=float)
    bound = p / c / n
    cone = np.array([_cone_excess(c * n, each) for each in DIMENSIONS])
    linear = np.array([_linear_excess(c * n, each) for each in DIMENSIONS])
    at = DIMENSIONS.index(10)
    return [
        Line(p, bound, "bound p/c, per record", "bound"),
        Points(p, cone, "cone", "measured"),
        Line(p, linear, "linear loss", "private"),
        Sentence(
            f"With {{n}} records, ε = {{epsilon}} and p = 10 the bound is "
            f"{write(float(bound[at]))} per record; the cone has "
            f"{write(float(cone[at]))}, the linear loss {write(float(linear[at]))}."
        ),
        Spent(Selection(epsilon, relation=Relation.ADD_REMOVE)),
    ]
