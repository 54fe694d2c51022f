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
from ...figures.explore import Linked, Slider, even
from ...figures.figure import figure
from ...figures.marks import Band, Cells, Line, Mark, Points, Sentence, Spent
from ...figures.predict import Choose
from ...figures.style import write
from ...privacy import Approximate, Relation
from . import questions as ask

CLIENTS, DELTA = 10_000, 1e-6
SIDE = 0.86  # of a square that stands for one in a hundred
GUESTS = 36  # clients on the board
BOARDS = (12, 18, 36)
SLOTS = (10, 30, 100, 300, 1000, 3000, 10_000)
EPSILONS = (0.01, 0.02, 0.03, 0.05, 0.1, 0.3, 1.0)
WINDOWS = (100, 200, 300, 500, 1000, 2000, 3000, 5000, 10_000)


@cache
def report_epsilon(
    epsilon: float, slots: int, check_in_probability: float, method: str = "sum"
) -> float:
    """Find the largest ε₀ of a report with which the whole run keeps to a budget.

    Examples
    --------
    >>> e0 = report_epsilon(0.1, 1000, 0.1)
    >>> round(fixed_window_epsilon(e0, DELTA, slots=1000, check_in_probability=0.1), 6)
    0.1
    """
    epsilon = checks.moderate(epsilon=epsilon)
    low, high = epsilon, 20.0
    known = {"slots": int(slots), "check_in_probability": check_in_probability}
    while high - low > 1e-9 * high:
        middle = (low + high) / 2
        bound = fixed_window_epsilon(middle, DELTA, method=method, clip=False, **known)
        low, high = (middle, high) if bound <= epsilon else (low, middle)
    return low


def report_noise(epsilon: float, slots: int, check_in_probability: float) -> float:
    """Compute the noise that each client must add, for a budget of the whole run.

    Examples
    --------
    >>> alone = 2 / 0.1  # if everybody knew whose report it is
    >>> round(alone / report_noise(0.1, 1000, 0.1), 1)
    19.1
    """
    return 2 / report_epsilon(epsilon, slots, check_in_probability)


@figure(
    asks=Choose(
        ask.COINS_SAVE,
        hides=["with coins", "saved by the coins", "your m"],
        ghosts=[
            [(105, 17.5), (9000, 17.5)],
            [(105, 3), (1000, 1.6), (9000, 1)],
            [(105, 0.24), (9000, 0.24)],
        ],
        panel=1,
    ),
    axes=(
        Axes(
            "a square is one in a hundred",
            "",
            xlim=(0, 22),
            ylim=(0, 10),
            xticks={5: "100 clients", 17: "100 slots"},
            yticks=(),
            title="Who is heard, and who fills the slots",
        ),
        Axes(
            "slots m",
            "noise λ of a report",
            xlim=(100, 10_000),
            ylim=(0.2, 300),
            xscale="log",
            yscale="log",
            xticks=(100, 1000, 10_000),
            title="What the budget asks for",
        ),
    ),
    title="Where did my update go?",
    alt=(
        "In the panel “Who is heard, and who fills the slots”, two squares of a "
        "hundred: clients who are used, turned away or at home, and slots with a "
        "client’s report or a dummy. In the panel “What the budget asks for”, the "
        "noise of a report: a level line without coins, and far below it a curve "
        "that falls with the number of slots."
    ),
    caption=(
        "10,000 clients, expected values; fixed window, δ = 10⁻⁶, one record replaced. "
        "λ = 2/ε₀ is the scale of a report’s noise, in clip norms. Move ε, λ, m or "
        "p₀: another one follows."
    ),
    identity="where-updates-go",
    linked=Linked(
        ("report_noise", "epsilon", "slots", "check_in_probability"), report_noise
    ),
    epsilon=Slider(EPSILONS, start=0.1),
    report_noise=Slider(),
    slots=Slider(WINDOWS, start=1000),
    check_in_probability=Slider((0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1), start=0.1),
)
def where_updates_go(
    epsilon: float, report_noise: float, slots: int, check_in_probability: float
) -> list[Mark]:
    """Count used, dropped and dummy updates, and the noise that a budget asks for.

    Examples
    --------
    >>> used, away, home, in_use, dummy, *_ = where_updates_go(0.1, 1.05, 1000, 0.1)
    >>> [round(float(part.width.sum() / SIDE), 1) for part in (in_use, dummy)]  # slots
    [63.2, 36.8]
    """
    checks.one_of(WINDOWS, slots=slots)
    checks.positive(report_noise=report_noise)
    m, p0 = int(slots), check_in_probability
    dummies = fixed_window_dummies(CLIENTS, slots=m, check_in_probability=p0)
    coins = [2 / report_epsilon(epsilon, k, p0) for k in WINDOWS]
    alone = [2 / epsilon] * len(WINDOWS)
    return [
        *_split(m, p0, dummies),
        Band(WINDOWS, coins, alone, "saved by the coins", "measured", panel=1),
        Line(WINDOWS, alone, "without coins, 2/ε", "bound", panel=1),
        Line(WINDOWS, coins, "with coins", "private", panel=1),
        Points([m], [report_noise], "your m", "private", panel=1, moves="slots"),
        _asked(epsilon, report_noise, p0, m - dummies, dummies),
        Spent(Approximate(epsilon, DELTA, relation=Relation.REPLACE), DELTA),
    ]


def _split(m: int, p0: float, dummies: float) -> list[Cells]:
    """Split a hundred clients, and a hundred slots, by what becomes of them."""
    used, come = 100 * (m - dummies) / CLIENTS, 100 * p0
    filled, beside = 100 * (m - dummies) / m, 12
    return [
        _squares_of(0, used, 1, "a report is used", "private"),
        _squares_of(used, max(come, used), 0.75, "turned away", "reference"),
        _squares_of(come, 100, 0.25, "at home", "non_private"),
        _squares_of(0, filled, 1, "a report is used", "private", beside),
        _squares_of(filled, 100, 0.5, "dummy", "broken", beside),
    ]


def _squares_of(
    low: float, high: float, level: float, label: str, role: str, left: float = 0
) -> Cells:
    """Fill a board of ten by ten from square ``low`` to ``high``, parts of them too."""
    row, column = np.divmod(np.arange(100), 10)
    start, end = (np.clip(each - np.arange(100), 0, 1) for each in (low, high))
    x = left + column + 0.5 + SIDE * (start + end - 1) / 2
    return Cells(x, row + 0.5, np.full(100, level), label, role,
                 width=SIDE * (end - start), height=SIDE)  # fmt: skip


def _asked(
    epsilon: float, noise: float, p0: float, used: float, dummies: float
) -> Sentence:
    return Sentence(
        f"For ε = {{epsilon}} in all, a report may have ε₀ = {write(2 / noise)}: noise "
        f"λ = {{report_noise}} in place of {write(2 / epsilon)}. Of "
        f"{CLIENTS * p0:,.0f} clients who come, {used:,.0f} are used; "
        f"{dummies:,.0f} of {{slots}} slots hold dummies."
    )


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
    axes=Axes(
        "slots m",
        "ε, when one record is replaced",
        xlim=(10, 10_000),
        ylim=(1e-4, 5),
        xscale="log",
        yscale="log",
        xticks=(10, 100, 1000, 10_000),
    ),
    title="A bound and one instance",
    alt=(
        "Three curves of ε that fall with the number of slots: the printed bound, the "
        "sum that it rounds up, and one exact instance below both. Between the last "
        "two a shaded band, in which the truth for the worst data lies."
    ),
    caption=(
        "δ = 10⁻⁶; bounds are cut at one report’s ε₀, which always holds. The total is "
        "that of the solid line at 10,000 slots. The instance is randomized response "
        "with client 1 always chosen: it shows how loose bounds may be, and prices "
        "nothing."
    ),
    identity="bound-and-instance",
    local_epsilon=Slider(even(0.25, 0.95, 0.05) + even(1, 4, 0.1), start=1),
    check_in_probability=Slider((0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1), start=0.1),
)
def bound_and_instance(local_epsilon: float, check_in_probability: float) -> list[Mark]:
    """Compare two bounds on what the coins hide with one exact instance.

    Examples
    --------
    >>> published, ours, instance, *_ = bound_and_instance(1.0, 0.1)
    >>> bool((instance.y < ours.y).all() and (ours.y <= published.y).all())
    True
    """
    ours, published, instance = _prices(local_epsilon, check_in_probability)
    return [
        Line(SLOTS, published, "Theorem 3.2, cut at ε₀", "bound"),
        Line(SLOTS, ours, "its sum, before rounding up", "private"),
        Line(SLOTS, np.maximum(instance, 1e-4), "one instance, exact", "reference"),
        Band(
            SLOTS,
            np.maximum(instance, 1e-4),
            ours,
            "somewhere here: the truth for the worst data",
            "measured",
        ),
        Sentence(
            f"With 10,000 slots, reports of {{local_epsilon}} and p₀ = "
            f"{{check_in_probability}}, the bound proves {write(ours[-1])}. One "
            f"instance has {write(instance[-1])}: the truth for the worst data lies "
            "between the two."
        ),
        Spent(Approximate(ours[-1], DELTA, relation=Relation.REPLACE), DELTA),
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
            ylim=(-3, 7),
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
        "36 clients, one draw of all coins. A dummy is a report on a zero gradient, "
        "with the same noise as any other: nobody outside can distinguish it from a "
        "client’s."
    ),
    identity="check-in-board",
    plays="t",
    slots=Slider(BOARDS, start=36),
    check_in_probability=Slider((0.25, 0.4, 0.5, 0.6, 0.75, 0.9, 1), start=0.75),
    t=Slider(range(2, GUESTS + 1, 2), start=GUESTS),
)
def board(slots: int, check_in_probability: float, t: int = GUESTS) -> list[Mark]:
    """Let 36 clients drop into slots; empty slots become dummies.

    Examples
    --------
    >>> used, away, home, dummies, _ = board(36, 1.0)
    >>> [int((kind.width > 0).sum()) for kind in (used, away, home, dummies)]
    [22, 14, 0, 14]
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
