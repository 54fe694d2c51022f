"""Figures of the chapter on the exponential mechanism: a density, and what it costs.

Beside each experiment stands what ``explore`` has to know of it, in capitals.
"""

from typing import Any

import numpy as np

from .. import checks, losses
from ..algorithms.exponential import exponential_mechanism_exponent
from ..algorithms.exponential_samplers import Piecewise
from ..constraints import Box
from ..privacy import Relation, Selection
from ..problem import Problem
from .axes import Axes
from .marks import Band, Line, Mark, Sentence, Spent
from .style import write

DELTA = 1e-9  # pure ε: no δ is spent, and this one buys nothing
_GRID = np.linspace(-1, 1, 121)
_C = Box(-1.0, 1.0)


def _median(records: np.ndarray) -> Problem:
    return Problem(np.ones((len(records), 1)), records, losses.absolute, _C)


def density_and_ratio(epsilon: float, n: int, method: str) -> list[Mark]:
    """Compare the densities of a median with and without one record.

    Parameters
    ----------
    epsilon : float
        The nominal budget, in nats.
    n : int
        How many records sit at −1; the neighbour has one more, at +1.
    method : {"exact", "textbook"}
        Which exponent: ε/(L‖C‖₂), or half of that.

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
        Line(_GRID, loss / loss.max(), "loss, its largest value = 1", "reference"),
        Line(_GRID, np.exp(first - top), "density without the record", "private"),
        Line(_GRID, np.exp(second - top), "density with the record", "measured"),
        Band(_GRID, -epsilon, epsilon, "what ε allows", "bound", panel=1),
        Line(_GRID, ratio, "log of the ratio", "private", panel=1),
        Sentence(
            "With ε = {epsilon} and {n} records at −1, one record more at +1 moves the "
            f"log-density by {write(float(np.abs(ratio).max()))} at most. Its values "
            f"span {write(float(np.ptp(ratio)))}, at most c·B = {write(2 * c)}."
        ),
        Spent(Selection(2 * c, relation=Relation.ADD_REMOVE), DELTA),
    ]


DENSITY: dict[str, Any] = {
    "axes": (
        Axes(
            "model θ", "part of the largest", xlim=(-1, 1), ylim=(0, 1.05),
            title="Two neighbors' densities",
        ),
        Axes(
            "model θ", "log ratio, in nats", xlim=(-1, 1), ylim=(-4.5, 4.5),
            title="How far apart they are",
        ),
    ),
    "title": "The density of a private median",
    "alt": (
        "Left, two densities that fall away from −1, nearly equal. Right, the log of "
        "their ratio, a straight line inside the band that ε allows."
    ),
    "caption": (
        "Exact, by closed forms. The textbook's exponent stops at half of ε when a "
        "record is added; when one is replaced it uses all of ε."
    ),
    "identity": "exponential-density",
}  # fmt: skip
