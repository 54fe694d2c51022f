"""The experiments on check-ins and shuffling: pure, drawn by ``explore``.

Beside each experiment stands what ``explore`` has to know of it, in capitals.
"""

from functools import cache
from typing import Any

import numpy as np

from .. import checks
from ..algorithms.check_in_privacy import fixed_window_dummies, fixed_window_epsilon
from ..algorithms.response_instances import fixed_window_instance, shuffling_instance
from ..algorithms.shuffling import shuffling_epsilon
from ..privacy import Pure, Relation
from .axes import Axes
from .marks import Bars, Line, Mark, Points, Sentence, Spent
from .style import write

CLIENTS, DELTA = 10_000, 1e-6
SLOTS = (10, 30, 100, 300, 1000, 3000, 10_000)
CROWDS = (100, 300, 1000, 3000, 10_000, 30_000, 100_000)


@cache
def _prices(e0: float, p0: float) -> tuple[list[float], ...]:
    settings = [{"slots": m, "check_in_probability": p0} for m in SLOTS]
    return (
        [fixed_window_epsilon(e0, DELTA, **each) for each in settings],
        [
            fixed_window_epsilon(e0, DELTA, method="textbook", **each)
            for each in settings
        ],
        [fixed_window_instance(e0, DELTA, **each) for each in settings],
    )


def where_updates_go(
    local_epsilon: float, slots: int, check_in_probability: float
) -> list[Mark]:
    """Count used, dropped and dummy updates, and price what the coins hide.

    Parameters
    ----------
    local_epsilon : float
        The privacy of one report.
    slots : int
        How many reports the server uses: one of ``SLOTS``.
    check_in_probability : float
        With what chance each of 10 000 clients takes part.

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
    >>> bars, *_ = where_updates_go(1.0, 1000, 0.1)
    >>> used, dropped, dummies = (float(h) for h in bars.height)
    >>> round(used + dropped), round(used + dummies)  # who came; what the server uses
    (1000, 1000)
    """
    checks.one_of(SLOTS, slots=slots)
    ours, published, instance = _prices(local_epsilon, check_in_probability)
    dummies = fixed_window_dummies(
        CLIENTS, slots=slots, check_in_probability=check_in_probability
    )
    used, came = slots - dummies, CLIENTS * check_in_probability
    now = ours[SLOTS.index(slots)]
    heights = np.array([used, came - used, dummies])
    return [
        Bars([1, 2, 3], np.clip(heights, 0, 10_000), "updates", "measured"),
        Line(SLOTS, published, "Theorem 3.2, cut at ε₀", "bound", panel=1),
        Line(SLOTS, ours, "its sum, before rounding up", "private", panel=1),
        Line(SLOTS, instance, "one instance, exact", "reference", panel=1),
        Points([slots], [now], "your m", "private", panel=1),
        Sentence(
            f"Of {came:.0f} clients who check in, {used:.0f} are used and "
            f"{came - used:.0f} not; {dummies:.0f} of {{slots}} slots hold dummies. "
            f"Each report is {{local_epsilon}}-private; together they are "
            f"{write(now)}-private at δ = 10⁻⁶, when one record is replaced."
        ),
        Spent(Pure(local_epsilon, relation=Relation.REPLACE), DELTA),
    ]


WHERE_UPDATES_GO: dict[str, Any] = {
    "axes": (
        Axes(
            "used, not used, dummies",
            "updates",
            xlim=(0.4, 3.6),
            ylim=(0, 10_000),
            xticks=(),
            title="Expected, of 10 000 clients",
        ),
        Axes(
            "slots m",
            "ε, when one record is replaced",
            xlim=(10, 10_000),
            ylim=(1e-4, 5),
            xscale="log",
            yscale="log",
            xticks=(10, 100, 1000, 10_000),
            title="REPLACE, δ = 10⁻⁶",
        ),
    ),
    "title": "Where did my update go?",
    "alt": (
        "Left, three bars: updates used, clients not used, dummies. Right, three "
        "curves of ε that fall with the number of slots: bounds above, one instance "
        "below."
    ),
    "caption": (
        "One run; a client reports at most once, so ε₀ always holds: that is the total "
        "below. The instance is randomized response with client 1 always chosen: it "
        "shows room, and prices nothing."
    ),
    "identity": "where-updates-go",
}


def shuffle_race(local_epsilon: float) -> list[Mark]:
    """Race the bounds on shuffling against each other and one exact instance.

    Parameters
    ----------
    local_epsilon : float
        The privacy of one report.

    Returns
    -------
    list of marks
        What ``explore`` draws.

    Raises
    ------
    ValueError, TypeError
        If the value is out of its range.

    Examples
    --------
    >>> numerical, closed, theorem, swap, instance, *_ = shuffle_race(1.0)
    >>> bool((instance.y <= numerical.y + 1e-9).all())
    True
    """
    numerical, closed, theorem, swap = (
        np.clip(
            [shuffling_epsilon(local_epsilon, DELTA, n=n, method=m) for n in CROWDS],
            1e-4,
            None,
        )
        for m in ("numerical", "closed", "textbook", "swap")
    )
    exact = [shuffling_instance(local_epsilon, DELTA, n=n) for n in CROWDS]
    better = "Theorem 5.1" if theorem[-1] < closed[-1] else "the clones' closed form"
    return [
        Line(CROWDS, numerical, "clones, numerical", "private"),
        Line(CROWDS, closed, "clones, closed form", "measured"),
        Line(CROWDS, theorem, "Theorem 5.1", "bound"),
        Line(CROWDS, swap, "swapping (2019)", "broken"),
        Line(CROWDS, exact, "one instance, exact", "reference"),
        Sentence(
            f"Among 100 000 reports of {{local_epsilon}} each, {better} is the better "
            f"formula; the numerical bound says {write(float(numerical[-1]))}, and one "
            f"instance has {write(float(exact[-1]))}."
        ),
        Spent(Pure(local_epsilon, relation=Relation.REPLACE), DELTA),
    ]


SHUFFLE_RACE: dict[str, Any] = {
    "axes": (
        Axes(
            "reports n",
            "ε, when one record is replaced",
            xlim=(100, 100_000),
            ylim=(1e-4, 5),
            xscale="log",
            yscale="log",
            xticks=CROWDS[::2],
        ),
    ),
    "title": "The shuffle race: REPLACE, δ = 10⁻⁶",
    "alt": (
        "Five falling curves. At small ε they are close together; as it grows the "
        "older bounds stay at the top while the numerical one keeps near the exact "
        "instance."
    ),
    "caption": (
        "Bounds are cut at one report's ε₀, which always holds: that is the total "
        "below. The instance is randomized response, all others holding 0."
    ),
    "identity": "shuffle-race",
}
