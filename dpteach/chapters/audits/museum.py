"""The leak museum: what each leak claims, and what it really costs."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from math import inf

import numpy as np

from ... import checks
from ...figures.axes import Axes
from ...figures.explore import Slider
from ...figures.figure import figure
from ...figures.marks import Cells, Line, Mark, Points, Sentence, Spent
from ...figures.style import write
from ...privacy import Approximate, Relation
from ..shared.tied_noise import DELTA, noise_for
from . import leaks
from .leak_prices import (
    Pair,
    Price,
    best_of,
    discrete_epsilon,
    floats_epsilon,
    gaussian_pair_epsilon,
    shuffled_epsilon,
    stopped_epsilon,
    threshold_epsilon,
)


@dataclass(frozen=True)
class Leak:
    """One exhibit: leaky code, its repair, and what each costs.

    Parameters
    ----------
    name : str
        What was done.
    found : str
        A thread of a library in which it is discussed, or a citation.
    leaky, repaired : callable
        The code.
    price, repaired_price : callable
        From the ε that is claimed, at δ = 10⁻⁶, to the least ε that two neighbors
        allow. For shuffled batches it is a lower bound of that.
    relation : Relation, optional
        What kind of neighbors the two are.
    """

    name: str
    found: str
    leaky: Callable
    repaired: Callable
    price: Price
    repaired_price: Price
    relation: Relation = Relation.ADD_REMOVE


def _rows(*columns: float, n: int = 7, p: int = 4) -> np.ndarray:
    """Make n equal rows of length p."""
    return np.tile(np.resize(np.array(columns, dtype=float), p), (n, 1))


def _with(others: np.ndarray, *last: float) -> np.ndarray:
    return np.vstack([others, np.resize(np.array(last), others.shape[1])])


# Neighbors on which the leaks show: the last record is in, or out, or zeroed out.
QUIET = np.zeros((7, 4))
ONE_MORE: Pair = (_with(QUIET, 1e3), QUIET)
ZEROED: Pair = (_with(QUIET, 1e3), _with(QUIET, 0.0))
TURNS_THE_MEAN: Pair = (_with(_rows(2.0), -1e3), _with(_rows(2.0), 0.0))
TURNS_A_GROUP: Pair = (
    np.vstack([_with(_rows(1e3, n=3), -1e6), np.zeros((4, 4))]),
    np.vstack([_with(_rows(1e3, n=3), 0.0), np.zeros((4, 4))]),
)
_SIX_AND_ONE = np.array([6.0] * 6 + [-36.0])[:, None]
TURNS_THE_BATCH: Pair = (np.vstack([_SIX_AND_ONE, [[1e6]]]), _SIX_AND_ONE)
NOBODY_PULLS: Pair = (np.zeros((10, 256)), np.zeros((9, 256)))
EIGHT_OR_SEVEN: Pair = (np.full((8, 1), 50.0), np.full((7, 1), 50.0))
# Fifty answers just below 0, and a last one there; one record turns this around.
BELOW = np.array([[-1.0] * 49 + [0.0]])
CROSSES: Pair = (np.vstack([BELOW, [[1.0] * 49 + [-1.0]]]), BELOW)
REPLACED: Pair = (_with(QUIET, 1e3), _with(QUIET, -1e3))


def _by_tape(mechanism: Callable, pair: Pair, releases: int = 1) -> Price:
    return lambda epsilon: gaussian_pair_epsilon(
        mechanism, pair, noise_for(epsilon, releases)
    )


def _right_replaced(G: np.ndarray, lam: float, rng: np.random.Generator) -> np.ndarray:
    return leaks.right_sum(G, 2 * lam, rng)  # a record that turns around moves by 2


right = leaks.right_sum
LEAKS = (
    Leak(
        "clip the mean of a batch",
        "APPFL/APPFL#349",
        leaks.clip_after_mean,
        right,
        _by_tape(leaks.clip_after_mean, TURNS_THE_MEAN),
        _by_tape(right, TURNS_THE_MEAN),
        Relation.ZERO_OUT,
    ),
    Leak(
        "clip each layer by itself",
        "fedbiomed/fedbiomed#1443",
        leaks.clip_by_layer,
        right,
        _by_tape(leaks.clip_by_layer, ONE_MORE),
        _by_tape(right, ONE_MORE),
    ),
    Leak(
        "clip means of microbatches",
        "tensorflow/privacy#620",
        leaks.clip_by_microbatch,
        right,
        _by_tape(leaks.clip_by_microbatch, TURNS_A_GROUP),
        _by_tape(right, TURNS_A_GROUP),
        Relation.ZERO_OUT,
    ),
    Leak(
        "center by the batch (BatchNorm)",
        "meta-pytorch/opacus#319",
        leaks.batch_statistics,
        right,
        _by_tape(leaks.batch_statistics, TURNS_THE_BATCH),
        _by_tape(right, TURNS_THE_BATCH),
    ),
    Leak(
        "divide the noise by the batch twice",
        "Tramèr et al. 2022",
        leaks.noise_of_a_mean_twice,
        right,
        _by_tape(leaks.noise_of_a_mean_twice, ZEROED),
        _by_tape(right, ZEROED),
        Relation.ZERO_OUT,
    ),
    Leak(
        "a quarter of the noise per device",
        "google-deepmind/optax#148",
        leaks.noise_by_device,
        right,
        _by_tape(leaks.noise_by_device, ONE_MORE),
        _by_tape(right, ONE_MORE),
    ),
    Leak(
        "one key for two layers",
        "jax-ml/jax#3646",
        leaks.one_key_for_two_layers,
        right,
        _by_tape(leaks.one_key_for_two_layers, (_with(QUIET, 1e3, 0, 0, 0), QUIET)),
        _by_tape(right, (_with(QUIET, 1e3, 0, 0, 0), QUIET)),
    ),
    Leak(
        "a seed in the code",
        "IBM/differential-privacy-library#72",
        leaks.public_seed,
        right,
        _by_tape(leaks.public_seed, ONE_MORE),
        _by_tape(right, ONE_MORE),
    ),
    Leak(
        "divide by the number of records",
        "meta-pytorch/opacus#571, #819",
        leaks.private_divisor,
        leaks.right_divisor,
        _by_tape(leaks.private_divisor, NOBODY_PULLS),
        _by_tape(leaks.right_divisor, NOBODY_PULLS),
    ),
    Leak(
        "replaced, priced as removed",
        "google/differential-privacy#378",
        leaks.right_sum,
        _right_replaced,
        _by_tape(leaks.right_sum, REPLACED),
        _by_tape(_right_replaced, REPLACED),
        Relation.REPLACE,
    ),
    Leak(
        "shuffled, priced as Poisson",
        "ftramer/Handcrafted-DP#2",
        leaks.shuffled_epoch,
        leaks.right_coins,
        shuffled_epsilon,
        lambda epsilon: epsilon,
        Relation.ZERO_OUT,
    ),
    Leak(
        "the lower end of a range twice",
        "IBM/differential-privacy-library#110",
        leaks.one_endpoint,
        leaks.right_endpoints,
        lambda epsilon: 25 * epsilon,
        lambda epsilon: epsilon,
    ),
    Leak(
        "the best of twenty runs",
        "aidotse/LeakPro#438",
        leaks.best_of_twenty,
        leaks.right_one_run,
        best_of(20),
        best_of(1),
    ),
    Leak(
        "stop on a private loss",
        "no thread that we know of",
        leaks.stop_on_private_loss,
        leaks.right_fixed_steps,
        stopped_epsilon,
        _by_tape(leaks.right_fixed_steps, EIGHT_OR_SEVEN, 4),
    ),
    Leak(
        "floating-point noise",
        "opendp/opendp#414",
        leaks.floating_point,
        leaks.right_count,
        floats_epsilon,
        discrete_epsilon,
    ),
    Leak(
        "no noise on a threshold",
        "Lyu et al. 2017",
        leaks.stop_without_threshold_noise,
        leaks.right_above_threshold,
        lambda epsilon: threshold_epsilon(epsilon, CROSSES, noise=False),
        lambda epsilon: threshold_epsilon(epsilon, CROSSES, noise=True),
    ),
)  # fmt: skip

EPSILONS = (0.3, 0.5, 1, 2, 3, 5, 10)
TOP = 2000.0
EXHIBITS = tuple(range(1, len(LEAKS) + 1))


@cache
def prices(epsilon: float) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Price every exhibit and its repair.

    Examples
    --------
    >>> leaky, repaired = prices(1.0)
    >>> min(leaky) > 2 and max(repaired) <= 1 + 1e-9
    True
    """
    checks.positive(epsilon=epsilon)
    leaky = tuple(leak.price(epsilon) for leak in LEAKS)
    return leaky, tuple(leak.repaired_price(epsilon) for leak in LEAKS)


# What stands beside the rows, eight in each panel.
ROOMS = 2
SHORT = (
    "mean clipped", "layer by layer", "microbatches", "BatchNorm", "divided twice",
    "per device", "one key", "seed in code", "divided by n", "replaced", "shuffled",
    "low end twice", "best of 20", "early stop", "floats", "no threshold",
)  # fmt: skip
ROWS = len(LEAKS) // ROOMS


def _room(first: int) -> Axes:
    names = enumerate(SHORT[first : first + ROWS])
    return Axes(
        "ε at δ = 10⁻⁶",
        "",
        xlim=(0.1, TOP),
        ylim=(0.4, ROWS + 0.6),
        xscale="log",
        xticks={0.1: "0.1", 1.0: "1", 10.0: "10", 100.0: "100", TOP: "∞"},
        yticks={ROWS - k: f"{word} {first + k + 1}" for k, word in names},
        title=f"Exhibits {first + 1} to {first + ROWS}",
    )


@figure(
    axes=tuple(_room(first) for first in range(0, len(LEAKS), ROWS)),
    title="The leak museum",
    alt=(
        "Two panels of eight rows. In each row a cross for what a leak costs lies to "
        "the right of the line of what is claimed, four of them at the right edge. "
        "Their repairs lie on the line or to its left."
    ),
    caption=(
        "Each exhibit on one pair of neighbors. Exhibit 11 is a lower bound; the "
        "others are exact for their pair."
    ),
    identity="museum",
    plays="exhibit",
    epsilon=Slider(EPSILONS, start=1),
    exhibit=Slider(EXHIBITS, start=4),
)
def museum(epsilon: float, exhibit: int) -> list[Mark]:
    """Show what every leak costs beside what it claims.

    Examples
    --------
    >>> *_, sentence, _ = museum(1.0, 2)
    >>> sentence.text.startswith("Exhibit {exhibit}, “clip each layer by itself”")
    True
    """
    checks.count(exhibit=exhibit)
    checks.one_of(EXHIBITS, exhibit=exhibit)
    leaky, repaired = prices(epsilon)
    leak, paid = LEAKS[exhibit - 1], leaky[exhibit - 1]
    cost = "an infinite ε" if paid == inf else f"ε = {write(paid)}"
    least = "at least " if leak.leaky is leaks.shuffled_epoch else ""
    return [
        *(mark for room in range(ROOMS) for mark in _hung(epsilon, exhibit, room)),
        Sentence(
            f"Exhibit {{exhibit}}, “{leak.name}”, claims ε = {{epsilon}} and costs "
            f"{least}{cost}. Repaired it costs {write(repaired[exhibit - 1])} on the "
            f"same neighbors. Seen in {leak.found}."
        ),
        Spent(
            Approximate(min(paid, TOP), DELTA, relation=leak.relation),
            DELTA,
            at_least=True,
        ),
    ]


def _hung(epsilon: float, exhibit: int, room: int) -> list[Mark]:
    """Draw the exhibits of one panel; what is looked at has a light behind it."""
    here = slice(room * ROWS, (room + 1) * ROWS)
    leaky, repaired = (np.array(each[here]) for each in prices(epsilon))
    height = np.arange(ROWS, 0, -1)
    lit = np.where(np.arange(1, len(LEAKS) + 1)[here] == exhibit, 0.3, 0.0)
    middle = np.full(ROWS, (0.1 + TOP) / 2)
    marks: list[Mark] = [
        Cells(
            middle, height, lit, "this one", "measured",
            width=TOP - 0.1, height=0.9, panel=room,
        ),
        Line([epsilon] * 2, [0.4, ROWS + 0.6], "claimed", "bound", panel=room),
        Points(np.maximum(repaired, 0.1), height, "repaired", "private", panel=room),
        Points(np.minimum(leaky, TOP), height, "leaky", "broken", panel=room),
    ]  # fmt: skip
    return marks
