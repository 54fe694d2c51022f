"""Figures of the chapter on lower bounds: mechanisms between two proved lines.

Beside each experiment stands what ``explore`` has to know of it, in capitals.
"""

from typing import Any

import numpy as np

from .. import checks
from ..algorithms.exponential import (
    exponential_mechanism_exponent,
    exponential_mechanism_risk_bound,
)
from ..algorithms.rejection_samplers import LinearOnBall
from ..lower_bounds import hard_problem, packing_excess_lower_bound
from ..privacy import Relation, Selection
from .axes import Axes
from .marks import Line, Mark, Points, Sentence, Spent
from .style import write

DELTA = 1e-9  # pure ε: no δ is spent, and this one buys nothing
DIMENSIONS = (6, 10, 18, 32, 56, 100, 178, 316)
RUNS = 400


def between_the_bounds(epsilon: float, n: int) -> list[Mark]:
    """Put the exponential mechanism's excess risk between its upper and lower bound.

    Parameters
    ----------
    epsilon : float
        The budget, in nats, when a record is replaced.
    n : int
        How many records there are, all of them one vertex of the cube.

    Returns
    -------
    list of marks
        What ``explore`` draws.

    Raises
    ------
    ValueError, TypeError
        If a value is out of its range.

    Examples
    --------
    >>> upper, measured, lower, *_ = between_the_bounds(1.0, 1000)
    >>> bool((measured.y <= upper.y).all() and (measured.y >= lower.y).all())
    True
    """
    checks.positive(epsilon=epsilon)
    checks.count(n=n)
    relation = Relation.REPLACE
    c = exponential_mechanism_exponent(
        epsilon, lipschitz=1.0, diameter=2.0, relation=relation
    )
    upper = [exponential_mechanism_risk_bound(c, p=p) / n for p in DIMENSIONS]
    lower = [packing_excess_lower_bound(epsilon, n=n, p=p) / 2 / n for p in DIMENSIONS]
    measured = [_measured(c, int(n), p) / n for p in DIMENSIONS]
    p = np.array(DIMENSIONS, dtype=float)
    floor = 1e-9  # below the panel, where the packing proves nothing yet
    gap = measured[-1] / max(lower[-1], floor)
    return [
        Line(p, np.minimum(upper, 10), "upper bound p/(c n)", "bound"),
        Points(p, measured, "exponential mechanism", "private"),
        Line(p, np.maximum(lower, floor), "no ε-DP algorithm is below", "reference"),
        Sentence(
            f"At p = {DIMENSIONS[-1]}, ε = {{epsilon}} and {{n}} records the mean "
            f"excess is {write(measured[-1])}: {write(gap)} times what the packing "
            "proves for every algorithm, and below its own upper bound."
        ),
        Spent(Selection(epsilon, relation=relation), DELTA),
    ]


def _measured(c: float, n: int, p: int) -> float:
    # All records are one vertex: only their sum matters, so one long row will do.
    D = hard_problem(np.full((1, p), n / np.sqrt(p)))
    theta = LinearOnBall().sample(D, c, np.random.default_rng(p), (RUNS,))
    return float(np.mean(D.risk(theta) + n))


BOUNDS: dict[str, Any] = {
    "axes": Axes(
        "entries of a record p", "mean excess risk a record", xlim=(5, 400),
        ylim=(1e-5, 10), xscale="log", yscale="log",
    ),
    "title": "Between two bounds",
    "alt": "Points rise with the dimension between two parallel lines.",
    "caption": (
        "Exact draws from the exponential mechanism, 400 a point, on the lower bounds' "
        "own data. The lower line counts half of m/8, the bound on the mean."
    ),
    "identity": "lower-bounds-between",
}  # fmt: skip
