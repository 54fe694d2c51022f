"""Trade-off curves of tables, right and wrong, and their reasons: for ``trade_off``."""

# ruff: noqa: ARG005  (wrong answers of one table share one signature)

from collections.abc import Callable
from itertools import product

import numpy as np

Table = np.ndarray
Key = Callable[[Table, Table], Table]
Answer = Callable[[Table, Table, Table], Table]
EXACT = 1e-9


def _corners(P: Table, Q: Table, key: Table) -> tuple[Table, Table]:
    """Say "in" on more and more outputs, in the order of a key: errors at each stop."""
    order = np.argsort(key, kind="stable")
    alarms, hits = np.cumsum(Q[order]), np.cumsum(P[order])
    return np.append(0.0, alarms), np.append(1.0, 1 - hits)


def _ratio(P: Table, Q: Table) -> Table:
    """Sort by P/Q, from the largest on: an angle knows no division by 0."""
    return np.arctan2(Q, P)


def _by(key: Key) -> Answer:
    """Join the stops by straight lines: a coin is tossed about one output."""
    return lambda P, Q, alpha: np.interp(alpha, *_corners(P, Q, key(P, Q)))


def least_misses(P: Table, Q: Table, alpha: Table) -> Table:
    """Return the least share of misses at each share of false alarms."""
    return np.interp(alpha, *_corners(P, Q, _ratio(P, Q)))


def _whole(key: Key) -> Answer:
    """Stay at the last stop that alpha allows: no coin is tossed."""

    def answer(P: Table, Q: Table, alpha: Table) -> Table:
        alarms, misses = _corners(P, Q, key(P, Q))
        return misses[np.searchsorted(alarms, alpha + EXACT, side="right") - 1]

    return answer


def _one_too_many(P: Table, Q: Table, alpha: Table) -> Table:
    alarms, misses = _corners(P, Q, _ratio(P, Q))
    return misses[np.searchsorted(alarms, alpha - EXACT).clip(max=len(P))]


def _best_set(P: Table, Q: Table, alpha: Table) -> Table:
    if len(P) > 8:
        return np.full(alpha.shape, np.nan)
    sets = np.array(list(product((0, 1), repeat=len(P))))
    fits = (sets @ Q)[:, None] <= alpha + EXACT
    return np.where(fits, 1 - (sets @ P)[:, None], 1.0).min(axis=0)


def _one_promise(P: Table, Q: Table, alpha: Table) -> Table:
    eps = np.abs(np.log(P / Q)).max()
    return np.maximum(1 - np.exp(eps) * alpha, np.exp(-eps) * (1 - alpha))


def _one_threshold(P: Table, Q: Table, alpha: Table) -> Table:
    said = P > Q
    return np.interp(alpha, [0, Q[said].sum(), 1], [1, 1 - P[said].sum(), 0])


def _one_output(P: Table, Q: Table, alpha: Table) -> Table:
    return 1 - (P * np.minimum(1, alpha[:, None] / Q)).max(axis=1)


def _as_it_stands(P: Table, Q: Table, alpha: Table) -> Table:
    return np.interp(alpha, np.cumsum(Q), 1 - np.cumsum(P))


def _no_start(P: Table, Q: Table, alpha: Table) -> Table:
    alarms, misses = _corners(P, Q, _ratio(P, Q))
    return np.interp(alpha, alarms[1:], misses[1:])


def _nothing_sure(P: Table, Q: Table, alpha: Table) -> Table:
    return least_misses(P[Q > 0], Q[Q > 0], alpha) + 0 * alpha


# Orders in which outputs are taken that many try, and what is wrong with each.
ORDERS: tuple[tuple[Key, str], ...] = (
    (
        lambda P, Q: np.arctan2(P, Q),
        "This begins with the outputs that speak most against the record: it is the "
        "worst of all tests.",
    ),
    (
        lambda P, Q: -P,
        "This begins with the outputs that P makes likely. They may be as likely "
        "without the record: what does a hit cost in false alarms?",
    ),
    (
        lambda P, Q: Q,
        "This begins with the outputs that Q makes unlikely. They may bring no hits "
        "either: how much does a false alarm buy?",
    ),
    (
        lambda P, Q: Q - P,
        "This begins with the largest difference. A rare output may have a small "
        "difference, and tell more for what it costs.",
    ),
    (
        lambda P, Q: np.arange(len(P)),
        "This takes the outputs in the order in which they stand in the table.",
    ),
)
_COIN = (
    "Between two of your tests lies a better one, which tosses a coin about a single "
    "output."
)
# Wrong answers that many give, and what they reveal.
CURVES = (
    (_whole(_ratio), _COIN),
    (_best_set, _COIN),
    (
        _one_too_many,
        "This takes an output too many: then there are more false alarms than alpha.",
    ),
    (
        lambda P, Q, alpha: 1 - least_misses(P, Q, alpha),
        "Those are the hits. Misses are what is left.",
    ),
    (
        lambda P, Q, alpha: least_misses(Q, P, alpha),
        "The roles are exchanged: a false alarm says “in” when Q is true, a miss says "
        "“out” when P is.",
    ),
    *((_by(key), told) for key, told in ORDERS),
    *((_whole(key), told) for key, told in ORDERS),
    (_as_it_stands, ORDERS[-1][1]),
    (
        _one_promise,
        "That is what one ε promises, the largest in the table. This pair of tables is "
        "safer than its worst output.",
    ),
    (
        lambda P, Q, alpha: np.maximum(1 - alpha - np.abs(P - Q).sum() / 2, 0),
        "That is what δ at ε = 0 promises: one straight line, and the curve bends away "
        "from it.",
    ),
    (
        _one_threshold,
        "That mixes one test with blind guesses. Where alpha is small, a test that "
        "trusts fewer outputs does better.",
    ),
    (
        lambda P, Q, alpha: P[P <= Q].sum() + 0 * alpha,
        "That is one test, the same for every alpha. How many false alarms has it?",
    ),
    (
        _one_output,
        "That says “in” on one output only. What is left of alpha may be spent on "
        "another.",
    ),
    (
        lambda P, Q, alpha: 1 - alpha,
        "That is a coin which never looks at the output.",
    ),
    (
        _no_start,
        "The least false alarms of a test are none at all, and there your curve "
        "does not begin.",
    ),
    (
        _nothing_sure,
        "An output that only P can give is a sure hit, and costs nothing.",
    ),
    (
        lambda P, Q, alpha: np.minimum(
            least_misses(P, Q, alpha), least_misses(Q, P, alpha)
        ),
        "That is the lower of two curves, for two pairs of roles. Only one was asked "
        "for.",
    ),
    (
        lambda P, Q, alpha: np.maximum(
            least_misses(P, Q, alpha), least_misses(Q, P, alpha)
        ),
        "That is the upper of two curves, for two pairs of roles. Only one was asked "
        "for.",
    ),
    (
        lambda P, Q, alpha: least_misses(P, Q, np.sort(alpha)),
        "Those are the misses for the sorted shares; each belongs to its own place.",
    ),
    (
        lambda P, Q, alpha: (alpha + least_misses(P, Q, alpha)) / 2,
        "That is how often a guess is wrong that starts at 50%. Only the misses count "
        "here.",
    ),
)  # fmt: skip
