"""A figure of the chapter on the exponential mechanism: a bell under every density."""

from functools import cache
from math import sqrt

import numpy as np

from ... import checks, losses
from ...accounting import trade_off
from ...algorithms.pure.regularized_exponential import regularized_exponential_event
from ...constraints import Everywhere
from ...figures.axes import Axes
from ...figures.explore import Slider
from ...figures.figure import figure
from ...figures.marks import Line, Mark, Points, Sentence, Spent
from ...figures.style import write
from ...privacy import Event, Gaussian, Relation
from ...problem import Problem

LABELS = (1.0, 1.0, 1.0, -1.0, -1.0, -1.0)
LOSSES = {
    "linear": losses.linear,
    "logistic": losses.logistic,
    "hinge": losses.hinge,
    "absolute": losses.absolute,
}
ALARMS = np.linspace(0.02, 0.98, 49)
CELLS = 20_000
SHOWN = np.linspace(-3, 3, 601)


def densities(
    loss: str, exponent: float, regularization: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Compute both neighbors' densities on a fine grid of a line, by quadrature.

    Examples
    --------
    >>> grid, without, having = densities("linear", 1.0, 4.0)
    >>> step = grid[1] - grid[0]
    >>> round(float(without.sum() * step), 6), round(float(having @ grid * step), 3)
    (1.0, 0.25)
    """
    checks.one_of(tuple(LOSSES), loss=loss)
    c, Lam = checks.moderate(exponent=exponent, regularization=regularization)
    reach = 9 / sqrt(c * Lam) + (len(LABELS) + 1) / Lam
    grid = np.linspace(-reach, reach, CELLS + 1)
    found = []
    for labels in (LABELS, (*LABELS, 1.0)):
        X, y = np.ones((len(labels), 1)), np.array(labels)
        D = Problem(X, y, LOSSES[loss], Everywhere())
        log = -c * (D.risk(grid[:, None]) + Lam / 2 * grid**2)
        weight = np.exp(log - log.max())
        found.append(weight / weight.sum() / (grid[1] - grid[0]))
    return grid, found[0], found[1]


def _power(grid: np.ndarray, without: np.ndarray, having: np.ndarray) -> np.ndarray:
    # Here the ratio of the densities rises with θ, so the best tests are "θ ≥ t".
    alarms, hits = (
        np.cumsum(each[::-1]) * (grid[1] - grid[0]) for each in (without, having)
    )
    return np.interp(ALARMS, alarms, hits)


@cache
def _most_hits(event: Event) -> np.ndarray:
    return 1 - np.array([trade_off(event, float(a)) for a in ALARMS])


@figure(
    axes=(
        Axes(
            "model θ",
            "density, largest = 1",
            xlim=(-3, 3),
            ylim=(0, 1.05),
            title="Two neighbors’ densities",
        ),
        Axes(
            "false alarms α",
            "hits",
            xlim=(0, 1),
            ylim=(0, 1),
            title="What the best test sees",
        ),
    ),
    title="No loss tells more than a line",
    alt=(
        "In the panel “Two neighbors’ densities”, two bells side by side. In the panel "
        "“What the best test sees”, the hits of the best test rise above the diagonal. "
        "They lie on the theorem’s curve for linear loss and below it for the others."
    ),
    caption=(
        "By quadrature, on a line: three records with label +1 and three with −1, and "
        "one more with +1; L = 1. The exponent is the one that the theorem gives for μ."
    ),
    identity="regularized-exponential",
    loss=Slider(tuple(LOSSES), start="linear"),
    mu=Slider((0.3, 0.5, 0.7, 1, 2, 3), start=1),
    regularization=Slider((1, 1.5, 2, 3, 5, 7, 10), start=3),
)
def best_test(loss: str, mu: float, regularization: float) -> list[Mark]:
    """Compare the best test against one record with the price of the mechanism.

    Examples
    --------
    >>> *_, bound, hits, _, _ = best_test("linear", 1.0, 3.0)
    >>> bool(abs(hits.y - bound.y).max() < 1e-4)
    True
    >>> *_, bound, hits, _, _ = best_test("hinge", 1.0, 3.0)
    >>> bool((hits.y <= bound.y + 1e-4).all())
    True
    """
    mu, Lam = checks.moderate(mu=mu, regularization=regularization)
    c = Lam * mu**2
    event = regularized_exponential_event(
        c, lipschitz=1.0, regularization=Lam, relation=Relation.ADD_REMOVE
    )
    grid, without, having = densities(loss, c, Lam)
    hits = _power(grid, without, having)
    bound = _most_hits(event)
    top, middle = max(without.max(), having.max()), len(ALARMS) // 2
    bells = [np.interp(SHOWN, grid, each / top, 0, 0) for each in (without, having)]
    return [
        Line(SHOWN, bells[0], "without the record", "reference"),
        Line(SHOWN, bells[1], "with the record", "private"),
        Line(ALARMS, ALARMS, "guessing", "reference", panel=1),
        Line(ALARMS, bound, "the theorem", "bound", panel=1),
        Points(ALARMS, hits, "the best test", "measured", panel=1),
        Sentence(
            f"With {{loss}} loss, μ = {{mu}} and Λ = {{regularization}} the exponent "
            f"is c = {write(c)}. At a false-alarm rate of {write(ALARMS[middle])} the "
            f"best test has a hit rate of {write(float(hits[middle]))}; the theorem "
            f"allows {write(float(bound[middle]))}."
        ),
        Spent(Gaussian(1 / mu, relation=Relation.ADD_REMOVE), 1e-6),
    ]
