"""The experiments on check-ins and shuffling: pure, drawn by ``explore``.

Beside each experiment stands what ``explore`` has to know of it, in capitals.
"""

from functools import cache
from math import pi, sqrt
from typing import Any

import numpy as np

from .. import checks, losses
from ..algorithms.check_in_privacy import (
    averaged_updates_epsilon,
    fixed_window_dummies,
    fixed_window_epsilon,
    sliding_window_epsilon,
)
from ..algorithms.check_ins import averaged_updates, fixed_window, sliding_window
from ..algorithms.local_sgd import local_noise_variance
from ..algorithms.response_instances import fixed_window_instance, shuffling_instance
from ..algorithms.shuffling import shuffling_epsilon
from ..constraints import L2Ball
from ..privacy import Pure, Relation
from ..problem import Problem
from .axes import Axes
from .marks import Bars, Cells, Line, Mark, Points, Sentence, Spent
from .results import stored
from .style import write

CLIENTS, DELTA = 10_000, 1e-6
GUESTS = 60  # clients on the board
BOARDS = (10, 20, 30, 60)
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
        Bars([1, 2, 3], np.clip(heights, 1, 10_000), "updates", "measured", base=1),
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
            ylim=(1, 10_000),
            yscale="log",
            xticks=(),
            yticks=(1, 10, 100, 1000, 10_000),
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


@cache
def _board(slots: int, p0: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Let clients choose: who comes, which slot, and who is chosen in it."""
    rng = np.random.default_rng(82)
    comes = rng.random(GUESTS) < p0
    slot = np.floor(rng.random(GUESTS) * slots).astype(int)
    order = rng.permutation(GUESTS)  # the first of a slot in this order is chosen
    chosen = np.zeros(GUESTS, dtype=bool)
    for i in range(slots):
        there = [j for j in order if comes[j] and slot[j] == i]
        chosen[there[:1]] = True
    return comes, slot, chosen


def board(slots: int, check_in_probability: float) -> list[Mark]:
    """Let 60 clients drop into slots; empty slots become dummies.

    Parameters
    ----------
    slots : int
        How many reports the server uses: one of ``BOARDS``.
    check_in_probability : float
        With what chance each client takes part.

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
    comes, slot, chosen = _board(slots, check_in_probability)
    pitch = GUESTS / slots
    x = (slot + 0.5) * pitch
    away = comes & ~chosen
    # the chosen one below, who came in vain above it
    height = np.zeros(GUESTS)
    for i in range(slots):
        there = np.flatnonzero(away & (slot == i))
        height[there] = 1 + np.arange(len(there))
    empty = np.ones(slots, dtype=bool)
    empty[slot[chosen]] = False
    everyone = np.arange(GUESTS)
    dummies = everyone < empty.sum()
    at = np.zeros(GUESTS)
    at[: empty.sum()] = (np.flatnonzero(empty) + 0.5) * pitch
    mean = fixed_window_dummies(
        GUESTS, slots=slots, check_in_probability=check_in_probability
    )
    wide = min(pitch, 3.0)
    return [
        _squares(x, 0 * x, chosen, wide, "used", "private"),
        _squares(x, height, away, wide, "turned away", "reference"),
        _squares(everyone + 0.5, 0 * x - 2, ~comes, 1.0, "at home", "non_private"),
        _squares(at, 0 * x, dummies, wide, "dummy", "broken"),
        Sentence(
            f"Of {GUESTS} clients {comes.sum()} come, {chosen.sum()} are used and "
            f"{away.sum()} turned away; {empty.sum()} of {{slots}} slots hold dummies, "
            f"where m(1 − p₀/m)ⁿ = {write(mean)} are expected."
        ),
    ]


def _squares(
    x: np.ndarray, y: np.ndarray, shown: np.ndarray, wide: float, label: str, role: str
) -> Cells:
    # who is not of this kind is a square without size
    size = np.where(shown, 0.8, 0.0)
    full = np.ones(GUESTS)
    return Cells(x, y, full, label, role, width=wide * size, height=size)


BOARD: dict[str, Any] = {
    "axes": (
        Axes(
            "slots, from the first to the last",
            "clients",
            xlim=(0, GUESTS),
            ylim=(-3, 11),
            xticks=(),
            yticks=(),
        ),
    ),
    "title": "The check-in board",
    "alt": (
        "A row of slots. A slot holds the one client that is used, with others stacked "
        "above it, or a dummy. Below the row stand the clients at home."
    ),
    "caption": (
        "60 clients, one draw of all coins. A dummy is a report on a zero gradient, "
        "with the same noise as any other: nobody outside can tell it from a client’s."
    ),
    "identity": "check-in-board",
}

# -- three protocols, up to a million clients ----------------------------------------

MANY = (1000, 10_000, 100_000, 1_000_000)
LOCAL = (0.5, 1.0, 2.0)
_P = 2


def _crowd(n: int, seed: int) -> Problem:
    """Put clients on the unit circle; each knows ⟨θ*, x⟩ with θ* = (½, 0)."""
    angle = np.random.default_rng([seed, 1]).uniform(0, 2 * pi, n)
    X = np.c_[np.cos(angle), np.sin(angle)]
    return Problem(X, X[:, 0] / 2, losses.absolute, L2Ball(1.0))


def _left(theta: np.ndarray) -> float:
    """Compute the population risk of a model, over that of the zero model."""
    return float(np.linalg.norm(theta - np.array([0.5, 0.0]))) / 0.5


@stored(
    uses=(
        "dpteach.algorithms._slots",
        "dpteach.algorithms.check_ins",
        "dpteach.algorithms.local_sgd",
    ),
    clients=MANY,
    local_epsilons=LOCAL,
    repeats=(16, 4, 1, 1),
    seed=0,
)
def risk_of_check_ins(
    clients: tuple[int, ...],
    local_epsilons: tuple[float, ...],
    repeats: tuple[int, ...],
    seed: int,
) -> dict:
    """Measure what each of three protocols leaves of the risk."""
    risks = np.zeros((3, len(local_epsilons), len(clients)))
    for i, e0 in enumerate(local_epsilons):
        for j, (n, runs) in enumerate(zip(clients, repeats, strict=True)):
            for run in range(runs):
                risks[:, i, j] += np.array(_three(e0, n, seed + run)) / runs
    names = ("fixed", "averaged", "sliding")
    rounded = np.vectorize(lambda risk: float(f"{risk:.5g}"))(risks).tolist()
    return dict(zip(names, rounded, strict=True))


def _three(e0: float, n: int, seed: int) -> tuple[float, ...]:
    D, many, window = _crowd(n, seed), round(n ** (2 / 3)), n // 10
    variance = local_noise_variance(e0, p=_P, clip_norm=1.0)
    known: dict[str, Any] = {"local_epsilon": e0, "clip_norm": 1.0, "rng": seed}
    rate, averaged = 2 / sqrt(1 + variance), 2 / sqrt(1 + variance * many / n)
    runs = (
        fixed_window(D, slots=n, check_in_probability=1.0, learning_rate=rate, **known),
        averaged_updates(D, slots=many, learning_rate=averaged, **known),
        sliding_window(D, window=window, learning_rate=rate, **known),
    )
    return tuple(_left(run.theta) for run in runs)


def three_protocols(local_epsilon: float) -> list[Mark]:
    """Compare what three protocols learn, and what the coins hide in each.

    Parameters
    ----------
    local_epsilon : float
        The privacy of one report: one of ``LOCAL``.

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
    >>> marks = three_protocols(1.0)
    >>> fixed, averaged = marks[0].y, marks[1].y
    >>> bool(averaged[0] < fixed[0])  # nobody is turned away, and noise averages out
    True
    """
    checks.one_of(LOCAL, local_epsilon=local_epsilon)
    risks, at = risk_of_check_ins(), LOCAL.index(local_epsilon)
    prices = np.array([_prices_of_three(local_epsilon, n) for n in MANY]).T
    names = (
        ("fixed window, m = n", "private"),
        ("averaged, m = n^⅔", "measured"),
        ("sliding, m = n/10", "reference"),
    )
    left = [100 * float(risks[key][at][-1]) for key in ("fixed", "averaged", "sliding")]
    price = [float(each[-1]) for each in prices]
    return [
        *(
            Line(MANY, np.clip(risks[key][at], 1e-3, 3), label, role)
            for key, (label, role) in zip(
                ("fixed", "averaged", "sliding"), names, strict=True
            )
        ),
        *(
            Line(MANY, each, label, role, panel=1)
            for each, (label, role) in zip(prices, names, strict=True)
        ),
        Sentence(
            "With a million clients, reports of {local_epsilon} each: the fixed "
            f"window leaves {write(left[0])} % of the risk at ε = {write(price[0])}, "
            f"averaged updates {write(left[1])} % at {write(price[1])}, sliding "
            f"windows {write(left[2])} % at {write(price[2])}."
        ),
        Spent(Pure(local_epsilon, relation=Relation.REPLACE), DELTA),
    ]


def _prices_of_three(e0: float, n: int) -> tuple[float, float, float]:
    many = round(n ** (2 / 3))
    return (
        fixed_window_epsilon(e0, DELTA, slots=n),
        averaged_updates_epsilon(e0, DELTA / 2, n=n, slots=many, delta_sizes=DELTA / 2),
        sliding_window_epsilon(e0, DELTA, window=n // 10),
    )


THREE_PROTOCOLS: dict[str, Any] = {
    "axes": (
        Axes(
            "clients n",
            "risk, over that of the zero model",
            xlim=(1000, 1_000_000),
            ylim=(1e-3, 3),
            xscale="log",
            yscale="log",
            xticks=MANY[:3],
            yticks=(0.001, 0.01, 0.1, 1),
            title="What is learned",
        ),
        Axes(
            "clients n",
            "ε, when one record is replaced",
            xlim=(1000, 1_000_000),
            ylim=(1e-3, 5),
            xscale="log",
            yscale="log",
            xticks=MANY[:3],
            yticks=(0.001, 0.01, 0.1, 1),
            title="REPLACE, δ = 10⁻⁶",
        ),
    ),
    "title": "Three protocols",
    "alt": (
        "Left, three falling curves of risk over the number of clients, averaged "
        "updates lowest where clients are few. Right, three curves of ε: fixed and "
        "sliding windows fall, the bound for averaged updates stays at the top for "
        "long."
    ),
    "caption": (
        "Clients on the unit circle, absolute loss, models in the unit ball; each "
        "reports at most once. Last models, means of 16, 4, 1 and 1 runs, stored. "
        "Bounds are cut at one report’s ε₀, which always holds: that is the total "
        "below."
    ),
    "identity": "three-protocols",
}
