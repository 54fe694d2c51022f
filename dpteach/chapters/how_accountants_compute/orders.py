"""Figure of the chapter on accountants: a table of orders that misses the best one."""

from functools import cache

import numpy as np

from ... import checks
from ...accounting import epsilon_of, renyi_epsilon, sampled_gaussian_rdp
from ...figures.axes import Axes
from ...figures.explore import Slider, even
from ...figures.figure import figure
from ...figures.marks import Line, Mark, Points, Sentence, Spent
from ...figures.style import write
from ...privacy import Relation, SampledGaussian

# A setting in the tests of a library: 10 passes over 10⁸ records in batches of 1,024.
RATE, STEPS, DELTA = 1024 / 1e8, 976_563, 1e-7
NOISES = even(0.1, 1, 0.05)
# The orders that the library tries, and those of the curve.
TABLE = (1.25, 1.5, 1.75, 2, 2.25, 2.5, 3, 3.5, 4, 4.5, *range(5, 64), 128, 256, 512)
CURVE = 1 + np.geomspace(1e-3, 63, 97)


@cache
def epsilons(noise_multiplier: float, order: float) -> float:
    """Compute the ε that one order proves, by the better bound.

    Examples
    --------
    >>> f"{epsilons(0.1, 1.25):,.0f}"
    '5,907,982'
    """
    moment = STEPS * sampled_gaussian_rdp(
        order, rate=RATE, noise_multiplier=noise_multiplier
    )
    return renyi_epsilon([order], [moment], DELTA)


def _best(found: np.ndarray) -> str:
    at = int(np.argmin(found))
    orders = (*TABLE, *CURVE)
    return f"{write(float(orders[at]))}, proves ε = {write(found[at])}"


@figure(
    axes=Axes(
        "order, less 1",
        "ε at δ = 10⁻⁷",
        xlim=(1e-3, 64),
        ylim=(0.01, 1e9),
        xscale="log",
        yscale="log",
    ),
    title="A table that begins too late",
    alt=(
        "On logarithmic axes the ε that an order proves falls, has a lowest point at "
        "1.03, and rises steeply. The first of the orders in the table lies far up "
        "the slope, thousands of times above the lowest point. The price is a level "
        "line just below the lowest point."
    ),
    caption=(
        "976,563 Poisson samples at q = 1.024·10⁻⁵; a record is added or removed. The "
        "table holds 1.25, 1.5, 1.75 and so on up to 512, as a widely used library "
        "had it."
    ),
    identity="late-table",
    noise_multiplier=Slider(NOISES, start=0.1),
)
def late_table(noise_multiplier: float) -> list[Mark]:
    """Compare the best order of a table with all orders, and with the price.

    Examples
    --------
    >>> every, table, price, *_ = late_table(0.1)
    >>> round(float(price.y[0]), 2), round(float(every.y.min()))
    (1198.93, 1296)
    """
    checks.one_of(NOISES, noise_multiplier=noise_multiplier)
    lam = float(noise_multiplier)
    event = SampledGaussian(
        lam, rate=RATE, releases=STEPS, relation=Relation.ADD_REMOVE
    )
    every, table = (
        np.array([epsilons(lam, float(order)) for order in several])
        for several in (CURVE, TABLE)
    )
    price = epsilon_of(event, DELTA)
    return [
        Line(CURVE - 1, np.minimum(every, 1e10), "one order", "measured"),
        Points(
            np.array(TABLE[:-3]) - 1,
            np.minimum(table[:-3], 1e10),
            "order of the table",
            "broken",
        ),
        Line([1e-3, 64], [price, price], "price", "private"),
        Sentence(
            f"At λ = {{noise_multiplier}} the best order of the table, {_best(table)}. "
            f"The best order of all, {_best(np.append(table, every))}. The price is "
            f"{write(price)}."
        ),
        Spent(event, DELTA),
    ]
