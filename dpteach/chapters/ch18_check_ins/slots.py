"""The experiments on who checks in, and where updates go."""

from functools import cache

import numpy as np

from ... import checks
from ...algorithms.local.check_in_privacy import (
    fixed_window_dummies,
    fixed_window_epsilon,
)
from ...algorithms.local.response_instances import fixed_window_instance
from ...figures.axes import Axes
from ...figures.explore import Slider
from ...figures.figure import figure
from ...figures.marks import (
    Bars,
    Cells,
    Line,
    Mark,
    Points,
    Sentence,
    Spent,
)
from ...figures.style import write
from ...privacy import Approximate, Relation

CLIENTS, DELTA = 10_000, 1e-6
GUESTS = 60  # clients on the board
BOARDS = (10, 20, 30, 60)
SLOTS = (10, 30, 100, 300, 1000, 3000, 10_000)


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


@figure(
    axes=(
        Axes(
            "used, not used, dummies",
            "updates",
            xlim=(0.4, 3.6),
            ylim=(1, 10_000),
            yscale="log",
            xticks=(),
            yticks=(1, 10, 100, 1000, 10_000),
            title="Expected, of 10,000 clients",
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
    title="Where did my update go?",
    alt=(
        "Left, three bars: updates used, clients not used, dummies. Right, three "
        "curves of ε that fall with the number of slots: bounds above, one instance "
        "below."
    ),
    caption=(
        "One run; a client reports at most once, so ε₀ holds too. The total is that "
        "of the solid line. The instance is randomized response with client 1 always "
        "chosen: it shows how loose bounds may be, and prices nothing."
    ),
    identity="where-updates-go",
    local_epsilon=Slider((0.25, 0.5, 1, 2, 4), start=1),
    slots=Slider(SLOTS, start=1000),
    check_in_probability=Slider((0.01, 0.1, 0.5, 1), start=0.1),
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
        The probability that each of 10,000 clients takes part.

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
        Bars([1, 2, 3], np.clip(heights, 1, 10_000), "updates", "measured", base=1),
        Line(SLOTS, published, "Theorem 3.2, cut at ε₀", "bound", panel=1),
        Line(SLOTS, ours, "its sum, before rounding up", "private", panel=1),
        Line(SLOTS, instance, "one instance, exact", "reference", panel=1),
        Points([slots], [now], "your m", "private", panel=1, moves="slots"),
        Sentence(
            f"Of {came:,.0f} clients who check in, {used:.0f} are used and "
            f"{came - used:.0f} not; {dummies:.0f} of {{slots}} slots hold dummies. "
            f"Each report alone has ε₀ = {{local_epsilon}}; all together they have "
            f"ε = {write(now)} at δ = 10⁻⁶, when one record is replaced."
        ),
        Spent(Approximate(now, DELTA, relation=Relation.REPLACE), DELTA),
    ]


@cache
def _board(
    slots: int, p0: float, t: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Let t clients choose: who asked, who comes, which slot, who is chosen in it."""
    rng = np.random.default_rng(82)
    comes = rng.random(GUESTS) < p0
    slot = np.floor(rng.random(GUESTS) * slots).astype(int)
    order = rng.permutation(GUESTS)  # the first of a slot in this order is chosen
    asked, chosen = np.isin(np.arange(GUESTS), order[:t]), np.zeros(GUESTS, dtype=bool)
    for i in range(slots):
        there = [j for j in order[:t] if comes[j] and slot[j] == i]
        chosen[there[:1]] = True
    return asked, comes & asked, slot, chosen


@figure(
    axes=(
        Axes(
            "slots, from the first to the last",
            "clients",
            xlim=(0, GUESTS),
            ylim=(-3, 11),
            xticks=(),
            yticks=(),
        ),
    ),
    title="The check-in board",
    alt=(
        "A row of slots. A slot holds the one client that is used, with others stacked "
        "above it, or a dummy. Below the row are the clients who stay at home."
    ),
    caption=(
        "60 clients, one draw of all coins. A dummy is a report on a zero gradient, "
        "with the same noise as any other: nobody outside can distinguish it from a "
        "client’s."
    ),
    identity="check-in-board",
    plays="t",
    slots=Slider(BOARDS, start=60),
    check_in_probability=Slider((0.25, 0.5, 0.75, 1), start=1),
    t=Slider(range(2, GUESTS + 1, 2), start=GUESTS),
)
def board(slots: int, check_in_probability: float, t: int = GUESTS) -> list[Mark]:
    """Let 60 clients drop into slots; empty slots become dummies.

    Parameters
    ----------
    slots : int
        How many reports the server uses: one of ``BOARDS``.
    check_in_probability : float
        The probability that each client takes part.
    t : int, optional
        How many clients have tossed their coins; all, if left out.

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
    >>> used, away, home, dummies, _ = board(60, 1.0)
    >>> [int((kind.width > 0).sum()) for kind in (used, away, home, dummies)]
    [37, 23, 0, 23]
    """
    checks.one_of(BOARDS, slots=slots)
    checks.between(0, 1, check_in_probability=check_in_probability)
    checks.one_of(tuple(range(1, GUESTS + 1)), t=t)
    asked, comes, slot, chosen = _board(slots, check_in_probability, t)
    pitch, wide = GUESTS / slots, min(GUESTS / slots, 3.0)
    x, home = (slot + 0.5) * pitch, np.arange(GUESTS) + 0.5
    away = comes & ~chosen
    empty = np.setdiff1d(np.arange(slots), slot[chosen])
    # A slot that is empty in the end gets a dummy, and not before.
    filled = empty if t == GUESTS else empty[:0]
    dummies = np.arange(GUESTS) < len(filled)
    at = np.zeros(GUESTS)
    at[dummies] = (filled + 0.5) * pitch
    return [
        _squares(x, 0 * x, chosen, wide, "used", "private"),
        _squares(x, _heights(slot, away), away, wide, "turned away", "reference"),
        _squares(home, 0 * x - 2, asked & ~comes, 1.0, "at home", "non_private"),
        _squares(at, 0 * x, dummies, wide, "dummy", "broken"),
        Sentence(
            f"Of {{t}} clients {comes.sum()} come, {chosen.sum()} are used and "
            f"{away.sum()} turned away. "
            + _vacancies(slots, check_in_probability, len(empty), t)
        ),
    ]


def _vacancies(slots: int, p0: float, empty: int, t: int) -> str:
    """Say how many slots are empty, and in the end how many were expected to be."""
    if t < GUESTS:
        return f"{empty} of {{slots}} slots are still empty."
    mean = fixed_window_dummies(GUESTS, slots=slots, check_in_probability=p0)
    return (
        f"{empty} of {{slots}} slots hold dummies, where "
        f"m(1 − p₀/m)ⁿ = {write(mean)} are expected."
    )


def _heights(slot: np.ndarray, away: np.ndarray) -> np.ndarray:
    """Stack the clients who are not used on the chosen one, which is at the bottom."""
    height = np.zeros(GUESTS)
    for i in np.unique(slot):
        there = np.flatnonzero(away & (slot == i))
        height[there] = 1 + np.arange(len(there))
    return height


def _squares(
    x: np.ndarray, y: np.ndarray, shown: np.ndarray, wide: float, label: str, role: str
) -> Cells:
    # a client of another kind is a square without size
    size = np.where(shown, 0.8, 0.0)
    full = np.ones(GUESTS)
    return Cells(x, y, full, label, role, width=wide * size, height=size)
