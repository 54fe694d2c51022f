"""Figure: a noisy mean and the lower bounds of curved risks on one axis, exactly."""

from functools import cache

import numpy as np

from ... import checks
from ...figures.axes import Axes
from ...figures.explore import Slider, even
from ...figures.figure import figure
from ...figures.marks import Line, Mark, Points, Sentence, Spent
from ...figures.style import write
from ...lower_bounds import minimax_mean_error, strongly_convex_excess_lower_bound
from ...privacy import Pure, Relation

RECORDS = np.unique(np.round(np.geomspace(1, 1000, 40))).astype(int)
FEW = np.arange(1, 9)  # where all private algorithms fit into a linear program
BUDGETS = even(0.5, 4, 0.1)
SIZES = (1, 2, 5, 10, 20, 50, 100)
LEAST = 1e-5  # where the axis ends; a bound of 0 lies below it


def noisy_mean_excess(epsilon: float, n: np.ndarray, p: int) -> np.ndarray:
    """Compute (n/2) E‖Z‖² = p(p + 1)/(2nε²), Z of density e^{−nε‖z‖}, on all data.

    Examples
    --------
    >>> noisy_mean_excess(1.0, np.array([2, 4]), 1)
    array([0.5 , 0.25])
    """
    epsilon = checks.moderate(epsilon=epsilon)
    return p * (p + 1) / (2 * np.asarray(n) * epsilon**2)


@cache
def least_excess(epsilon: float) -> np.ndarray:
    """Compute the least excess that is possible with a few signs, one in a record.

    Examples
    --------
    >>> least_excess(1.0)[1].round(3)  # of two signs: 0.72²/4
    np.float64(0.13)
    """
    epsilon = checks.moderate(epsilon=epsilon)
    return np.array(
        [n / 8 * minimax_mean_error(epsilon, n=int(n))[1] ** 2 for n in FEW]
    )


def impossible(epsilon: float, p: int) -> np.ndarray:
    """Bound the excess of every ε-private algorithm from below, at each n."""
    return np.array(
        [
            strongly_convex_excess_lower_bound(epsilon, 0.0, n=int(n), p=p)
            for n in RECORDS
        ]
    )


@figure(
    axes=Axes(
        "records n",
        "excess risk, a sum",
        xlim=(0.9, 1100),
        ylim=(LEAST, 3e4),
        xscale="log",
        yscale="log",
    ),
    title="A noisy mean and its limits",
    alt=(
        "On logarithmic axes the excess of a noisy mean falls as a straight line over "
        "the number of records. A rising line for the middle of the ball crosses it. "
        "At one sign, eight points for what is possible with up to eight records lie "
        "below both, and the general lower bound lies at the bottom."
    ),
    caption=(
        "Losses ½‖θ − ½d‖² of records of length 1, so L = Δ = 1, one record replaced. "
        "The excess of the noisy mean is the same on all data. The points are linear "
        "programs over all ε-private algorithms for p = 1. A lower bound of 0 is drawn "
        "at the bottom."
    ),
    identity="curved-limits",
    p=Slider(SIZES, start=1),
    epsilon=Slider(BUDGETS, start=1),
)
def noisy_mean_and_limits(p: int, epsilon: float) -> list[Mark]:
    """Draw, over the number of records, what is reached and what is impossible.

    Examples
    --------
    >>> exact, middle, low, known, *_ = noisy_mean_and_limits(1, 1.0)
    >>> bool((known.y < noisy_mean_excess(1.0, known.x, 1)).all())
    True
    """
    checks.one_of(SIZES, p=p)
    checks.one_of(BUDGETS, epsilon=epsilon)
    low, known = impossible(epsilon, p), least_excess(epsilon)
    exact = noisy_mean_excess(epsilon, RECORDS, p)
    bound = "is 0, and says nothing"
    if low[-1] > 0:
        bound = f"is {write(float(low[-1]))}"
    return [
        Line(RECORDS, exact, "noisy mean, exact", "private"),
        Line(RECORDS, RECORDS / 8, "the middle, without data", "bound"),
        Line(RECORDS, np.maximum(low, LEAST), "impossible below", "reference"),
        Points(FEW, known, "least possible for p = 1", "measured"),
        Sentence(
            f"With p = {{p}} and 1,000 records the noisy mean has an excess of "
            f"{write(float(exact[-1]))}, and the lower bound {bound}. With eight "
            f"records of one sign {write(float(known[-1]))} is possible, and the noisy "
            f"mean has {write(float(noisy_mean_excess(epsilon, FEW, 1)[-1]))}."
        ),
        Spent(Pure(epsilon, relation=Relation.REPLACE)),
    ]
