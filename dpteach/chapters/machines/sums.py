"""Figures of the chapter on machines: what rounding does to the sum of the data."""

from functools import cache
from statistics import NormalDist

import numpy as np

from ... import checks
from ...algorithms._running_total import RunningTotal
from ...figures.axes import Axes
from ...figures.explore import Slider
from ...figures.figure import figure
from ...figures.marks import Line, Mark, Points, Sentence, Spent
from ...figures.style import write
from ...privacy import Gaussian, Relation

CROSSINGS = (0, 1, 2, 3, 4, 5)
NOISE = (2, 3, 4, 6, 8, 12, 16, 24, 32)
_START = 64  # records of size 1 before the first power of two
_SHOWN = np.linspace(1, 1_320_000, 400).astype(int)


@cache
def straddling_stream() -> tuple[np.ndarray, tuple[int, ...]]:
    """Make the stream whose single-precision totals drift apart when one record leaves.

    All records lie in [0, 1]. The first is the one that is left out, so that the second
    total stays behind by one. When one of them has passed a power of two and the other
    has not, records of 1.2 units in the last place are added: below the power of two
    they count as one unit, above it as two.

    Examples
    --------
    >>> stream, ends = straddling_stream()
    >>> bool(stream.min() >= 0), float(stream.max()), ends[:2]
    (True, 1.0, (64, 262208))
    """
    behind, ahead = _START - 1.0, float(_START)
    parts, ends = [np.ones(_START)], [_START]
    for power in (_START * 2.0**k for k in range(len(CROSSINGS) - 1)):
        unit = float(np.spacing(np.nextafter(np.float32(power), np.float32(0))))
        count = round((power - behind) / unit)
        parts.append(np.full(count, float(np.float32(1.2 * unit))))
        ends.append(sum(map(len, parts)))
        behind, ahead = power, ahead + 2 * unit * count
        whole, rest = divmod(2 * power - ahead, 1.0)  # until the next power of two
        parts += [np.ones(int(whole)), np.full(int(rest > 0), rest)]
        behind += whole + rest
        ahead = 2 * power
    return np.concatenate(parts)[: ends[-1]], tuple(ends)


def rounded_totals(records: np.ndarray) -> np.ndarray:
    """Add up in single precision, as an array of that type is added up.

    Examples
    --------
    >>> float(rounded_totals(np.array([2.0**24, 1.0]))[-1]) == 2.0**24  # one is lost
    True
    """
    return np.add.accumulate(records.astype(np.float32)).astype(float)


def exact_totals(records: np.ndarray) -> np.ndarray:
    """Add up on the grid of ``RunningTotal``, on which float64 rounds nothing.

    Examples
    --------
    >>> float(exact_totals(np.array([2.0**24, 1.0]) / 2**24)[-1]) == 1 + 2.0**-24
    True
    """
    grid = RunningTotal(len(records), clip_norm=1.0).grid
    return np.add.accumulate(np.trunc(records / grid)) * grid


def tree_mu(shift: np.ndarray, noise_multiplier: float) -> float:
    """Compute the μ of the tree's noise for two runs whose totals differ by ``shift``.

    A node's value is a difference of two totals, and each node has its own noise.

    Examples
    --------
    >>> round(tree_mu(np.ones(4), 1.0) ** 2)  # one leaf, and the two nodes above it
    3
    """
    s = np.concatenate([[0.0], shift])
    t = np.arange(1, len(s))
    nodes = s[t] - s[t - (t & -t)]  # of t leaves, the node that ends there
    return float(np.sqrt((nodes**2).sum())) / noise_multiplier


@cache
def totals_apart(crossings: int, *, single: bool) -> np.ndarray:
    """Compute how far apart the totals of the two streams are, record by record.

    Examples
    --------
    >>> [float(totals_apart(2, single=single)[-1]) for single in (True, False)]
    [4.0, 1.0]
    """
    stream, ends = straddling_stream()
    records = stream[: ends[crossings]]
    without = records.copy()
    without[0] = 0.0
    totals = rounded_totals if single else exact_totals
    return totals(records) - totals(without)


def said_mu(crossings: int, noise_multiplier: float) -> float:
    """Compute the μ that a tree over the stream states.

    Examples
    --------
    >>> round(said_mu(4, 4.0), 4)  # √21/4
    1.1456
    """
    steps = straddling_stream()[1][crossings]
    return steps.bit_length() ** 0.5 / noise_multiplier


def _right(mu: float) -> float:
    return 100 * NormalDist().cdf(mu / 2)


@figure(
    axes=(
        Axes(
            "thousands of records so far",
            "how far apart the totals are",
            xlim=(0, 1350),
            ylim=(0.5, 64),
            yscale="log",
            yticks={1: "1", 2: "2", 4: "4", 8: "8", 16: "16", 32: "32"},
            title="One record less",
        ),
        Axes(
            "powers of two that are crossed",
            "right guesses in 100",
            xlim=(-0.3, 5.3),
            ylim=(48, 101),
            xticks=CROSSINGS,
            title="What the attacker sees",
        ),
    ),
    title="A sum that forgets what one record is worth",
    alt=(
        "In the panel “One record less”, the totals of two streams that differ in one "
        "record of size one stay one apart on a grid, and in single precision their "
        "distance doubles at each power of two. In the panel “What the attacker sees”, "
        "right guesses climb far above what the noise was priced for."
    ),
    caption=(
        "Records between 0 and 1; the first is present in one stream and 0 in the "
        "other. A tree of noise is added to the totals. The crosses are the exact "
        "privacy of the totals as single precision computes them; on the grid it is "
        "what the event says."
    ),
    identity="straddling-sum",
    crossings=Slider(CROSSINGS, start=4),
    noise_multiplier=Slider(NOISE, start=4),
)
def straddling(crossings: int, noise_multiplier: float) -> list[Mark]:
    """Follow the totals of two neighboring streams, rounded and on a grid.

    Examples
    --------
    >>> rounded, grid, *_ = straddling(4, 4.0)
    >>> float(rounded.y[-1]), float(grid.y[-1])
    (16.0, 1.0)
    """
    checks.one_of(CROSSINGS, crossings=crossings)
    checks.one_of(NOISE, noise_multiplier=noise_multiplier)
    rounded, grid = (totals_apart(crossings, single=single) for single in (True, False))
    t = np.minimum(_SHOWN, len(rounded))
    said, mu = said_mu(crossings, noise_multiplier), tree_mu(rounded, noise_multiplier)
    event = Gaussian(
        float(noise_multiplier),
        releases=len(rounded).bit_length(),
        relation=Relation.ZERO_OUT,
    )
    return [
        Line(t / 1000, np.abs(rounded[t - 1]), "single precision", "broken"),
        Line(t / 1000, np.abs(grid[t - 1]), "on a grid, in float64", "private"),
        *_attacks(crossings, noise_multiplier),
        Sentence(
            f"Crossings: {{crossings}}. With λ = {{noise_multiplier}}, after "
            f"{len(rounded):,} records one record has moved a rounded total by "
            f"{write(float(np.abs(rounded).max()))}. The event says μ = {write(said)}; "
            f"for totals in single precision μ is {write(mu)}, and {write(_right(mu))} "
            f"guesses in 100 are right instead of {write(_right(said))}."
        ),
        Spent(event, 1e-6, at_least=mu > said * 1.001),
    ]


def _attacks(crossings: int, noise_multiplier: float) -> list[Mark]:
    said = [_right(said_mu(c, noise_multiplier)) for c in CROSSINGS]
    shifts = [totals_apart(c, single=True) for c in CROSSINGS]
    true = [_right(tree_mu(shift, noise_multiplier)) for shift in shifts]
    here = [crossings], [said[crossings]]
    return [
        Line(CROSSINGS, said, "stated by the event", "bound", panel=1),
        Points(CROSSINGS, true, "true, in single precision", "broken", panel=1),
        Points(*here, "here", "private", panel=1, moves="crossings"),
    ]
