"""Wrong p-values of a sampler's draws, and what they reveal."""

from collections.abc import Callable
from functools import partial
from typing import Any, Literal

import numpy as np

Case = tuple[np.ndarray, np.ndarray, np.ndarray]  # draws, edges, probabilities


def _special() -> Any:
    from scipy import special  # when a p-value is asked for, and not before

    return special


def _counts(
    draws: np.ndarray, edges: np.ndarray, side: Literal["left", "right"] = "right"
) -> np.ndarray:
    """Count the draws in each cell; ``side`` says which one a draw on an edge is in."""
    cells = np.searchsorted(edges, draws, side=side)
    return np.bincount(cells, minlength=len(edges) + 1)


def observed_and_expected(
    draws: np.ndarray, edges: np.ndarray, probabilities: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return how many draws each cell holds, and how many it should hold."""
    return _counts(draws, edges), len(draws) * probabilities


def _pearson(observed: np.ndarray, expected: np.ndarray) -> float:
    return float(((observed - expected) ** 2 / expected).sum())


def _statistic(*case: np.ndarray) -> float:
    return _pearson(*observed_and_expected(*case))


def _upper(statistic: float, probabilities: np.ndarray, more: int = 0) -> float:
    """Return how likely the chi-square law exceeds it; ``more`` degrees of freedom."""
    return float(_special().chdtrc(len(probabilities) - 1 + more, statistic))


def reference(*case: np.ndarray, more: int = 0) -> float:
    """Return the right p-value; ``more`` degrees of freedom make a wrong one."""
    return _upper(_statistic(*case), case[2], more)


Statistic = Callable[[np.ndarray, np.ndarray], float]  # of observed and expected


def _with(statistic: Statistic) -> Callable[..., float]:
    """Return the p-value of another statistic, as if it had the chi-square law."""
    return lambda *case: _upper(statistic(*observed_and_expected(*case)), case[2])


def _other_side(draws: np.ndarray, edges: np.ndarray, p: np.ndarray) -> float:
    return _upper(_pearson(_counts(draws, edges, "left"), len(draws) * p), p)


def _equal_width(draws: np.ndarray, _: np.ndarray, p: np.ndarray) -> float:
    return _upper(_pearson(np.histogram(draws, len(p))[0], len(draws) * p), p)


def _inner(*case: np.ndarray, more: int, closed: bool) -> float:
    o, e = observed_and_expected(*case)
    inside = np.histogram(case[0], case[1])[0] if closed else o[1:-1]
    return _upper(_pearson(inside, e[1:-1]), case[2], more)


def _only(*case: np.ndarray, at_least: float) -> float:
    """Leave out empty cells, or those where few draws are expected."""
    o, e = observed_and_expected(*case)
    kept = (o if at_least == 1 else e) >= at_least
    return _upper(_pearson(o[kept], e[kept]), case[2])


def _largest(*case: np.ndarray) -> float:
    o, e = observed_and_expected(*case)
    return float(
        2 * _special().ndtr(-np.abs((o - e) / np.sqrt(e * (1 - case[2]))).max())
    )


def _as_normal(*case: np.ndarray) -> float:
    k = len(case[2]) - 1
    return float(_special().ndtr(-(_statistic(*case) - k) / np.sqrt(2 * k)))


def _density(*case: np.ndarray) -> float:
    half, x = (len(case[2]) - 1) / 2, _statistic(*case) / 2
    return float(np.exp((half - 1) * np.log(x) - x - _special().gammaln(half)) / 2)


_DEGREES = "How many of the numbers are free, once their sum is known?"
_OUTER = "The draws below the first edge and above the last one are left out."
# Wrong answers that many give, and what they reveal.
MISREAD = (
    (
        lambda draws, edges, p: abs(np.mean(draws < edges[0]) - p[0]),
        "That is how far one share is off, in one of the cells. Is that much, for so "
        "many draws?",
    ),
    (
        lambda *case: float(_special().chdtr(len(case[2]) - 1, _statistic(*case))),
        "That is the chance of a smaller statistic. Draws that fit badly make it "
        "large.",
    ),
    (
        lambda *case: 2 * min(reference(*case), 1 - reference(*case)),
        "That asks on both sides. A small statistic is a good fit, and no alarm.",
    ),
    (_statistic, "That is the statistic itself, which has no upper limit."),
    (
        partial(reference, more=1),
        "That has as many degrees of freedom as cells. " + _DEGREES,
    ),
    (
        partial(reference, more=-1),
        "That has two degrees of freedom less than cells. Nothing was fitted here: "
        "edges and probabilities are given.",
    ),
    (
        lambda *case: float(_special().chdtrc(len(case[0]) - 1, _statistic(*case))),
        "The degrees of freedom count cells, not draws.",
    ),
    (
        _with(lambda o, e: ((o - e) ** 2 / o).sum()),
        "Each square is divided by what was observed: a cell that happens to be "
        "nearly empty counts too much.",
    ),
    (
        _with(lambda o, e: ((o - e) ** 2).sum()),
        "The squares are added up as they are. By how much does the number of draws "
        "in a cell vary, if the sampler is right?",
    ),
    (
        _with(lambda o, e: ((o - e) ** 2 / (e * (1 - e / e.sum()))).sum()),
        "Each cell is divided by its own variance, n·p(1 − p), as if the cells were "
        "independent. They are not: what one cell lacks, others have.",
    ),
    (
        _with(lambda o, e: (((o - e) / e) ** 2).sum()),
        "That adds up squares of relative differences: rare cells count too much.",
    ),
    (_with(lambda o, e: (np.abs(o - e) / e).sum()), "The differences are not squared."),
    (_with(lambda o, e: abs(((o - e) / e).sum())), "Differences of both signs cancel."),
    (
        _with(lambda o, e: ((np.abs(o - e) - 0.5) ** 2 / e).sum()),
        "Half a draw is taken off each difference. The statement has no such "
        "correction.",
    ),
    (
        _with(lambda o, e: 2 * _special().xlogy(o, o / e).sum()),
        "That is the likelihood ratio, another statistic with nearly the same law.",
    ),
    (
        _with(lambda o, e: _pearson(o, e / e.sum())),
        "Numbers of draws are compared with probabilities. The two have not the same "
        "unit.",
    ),
    (
        _with(lambda o, e: _pearson(o / o.sum(), e / e.sum())),
        "That is the statistic of shares. A share of 10 % that should be 11 % says "
        "little after ten draws, and much after a million: n is lost.",
    ),
    (
        _with(lambda o, e: _pearson(o, 0 * e + e.mean())),
        "All cells are taken as equally probable.",
    ),
    (
        _other_side,
        "A draw on an edge went into the cell below it.",
    ),
    (
        _equal_width,
        "These are cells of equal width between the least and the largest draw; the "
        "edges are given.",
    ),
    (partial(_inner, more=0, closed=True), _OUTER),
    (partial(_inner, more=-2, closed=True), _OUTER),
    (partial(_inner, more=0, closed=False), _OUTER),
    (partial(_inner, more=-2, closed=False), _OUTER),
    (
        partial(_only, at_least=1),
        "Empty cells are left out. That a cell stays empty is news too.",
    ),
    (
        partial(_only, at_least=5),
        "Cells with fewer than 5 expected draws are left out, and with them what "
        "happened there.",
    ),
    (
        _largest,
        "That looks only at the cell that is off the most. Among many cells one is "
        "always off by some deviations.",
    ),
    (
        _as_normal,
        "The statistic was taken as normal. Its upper tail is longer than that.",
    ),
    (
        _density,
        "That is the density of the chi-square law. A probability is an area under "
        "it.",
    ),
)  # fmt: skip


def crafted(
    counts: tuple[int, ...], edges: tuple[float, ...], probabilities: tuple[float, ...]
) -> Case:
    """Spread draws over the cells; the first of each upper cell lies on its edge."""
    wide = np.array([edges[0] - 3.0, *edges, edges[-1] + 5.0])
    draws = [
        low + (high - low) * np.arange(k) / k
        for k, low, high in zip(counts, wide, wide[1:], strict=False)
    ]
    return np.concatenate(draws), np.array(edges), np.array(probabilities)


# On these all the wrong answers above differ.
PROBES = (
    crafted((2, 3, 1, 4), (-1.0, 0.5, 2.0), (0.1, 0.3, 0.4, 0.2)),
    crafted((4, 2, 7, 1, 3), (-2.0, -0.5, 1.0, 4.0), (0.15, 0.25, 0.3, 0.2, 0.1)),
    crafted((0, 9, 13, 10, 5), (-3.0, -1.5, 0.0, 2.0), (0.05, 0.3, 0.3, 0.25, 0.1)),
)
