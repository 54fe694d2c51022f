"""Figure of two stages: what a second look is worth as the records become more."""

from functools import cache

import numpy as np

from ... import checks, numerics
from ...algorithms.pure.localized_exponential import localization_radius
from ...data import diabetes
from ...figures.axes import Axes
from ...figures.explore import Slider
from ...figures.figure import figure
from ...figures.marks import Line, Mark, Points, Sentence, Spent
from ...figures.style import write
from ...privacy import Composed, Pure, Relation, Selection

COPIES = (1, 3, 10, 30, 100, 300, 1000)  # of 442 records
RECORDS = tuple(442 * m for m in COPIES)
BETA, CELLS = 0.05, 1500


def _noise(count: int) -> np.ndarray:
    """List the middles of cells of equal probability, for Laplace noise of scale 1."""
    half = -np.log1p(-(np.arange(count) + 0.5) / count)
    return np.concatenate([-half[::-1], half])


@cache
def _sums() -> tuple[np.ndarray, np.ndarray]:
    """Sort the labels, and add up their powers 0, 1 and 2 from the left."""
    y = np.sort(diabetes().y)
    powers = np.stack([y**0, y, y * y])
    return y, np.concatenate([np.zeros((3, 1)), np.cumsum(powers, axis=1)], axis=1)


def _risk(theta: np.ndarray) -> np.ndarray:
    """Add up 442 Huber losses of width 1 around each center."""
    y, sums = _sums()
    low, high = (np.searchsorted(y, theta + side) for side in (-1, 1))
    (k0, y0, _), (k1, y1, y2), (k, total, _) = (
        sums[:, low], sums[:, high] - sums[:, low], sums[:, [-1]]
    )  # fmt: skip
    square = (k1 * theta - 2 * y1) * theta / 2 + y2 / 2
    above, sum_above = k - k0 - k1, total - y0 - y1
    return square + (k0 * theta - y0) + (sum_above - above * theta) - (k0 + above) / 2


@cache
def _best(copies: int, regularization: float) -> tuple[float, float]:
    """Find the best center, and 𝒥 there."""

    def slope(theta: float) -> float:
        step = 1e-6
        ends = _risk(np.array([theta - step, theta + step]))
        return copies * float(np.diff(ends)[0]) / (2 * step) + regularization * theta

    theta = numerics.safe_root(slope, 1.0, -1.0)
    return theta, copies * float(_risk(np.array([theta]))[0]) + (
        regularization / 2 * theta**2
    )


def _mean(f: np.ndarray, exponent: float) -> np.ndarray:
    """Compute the mean excess of draws with density ∝ e^{−cf}, on cells of one size."""
    weight = np.exp(-exponent * (f - f.min(axis=-1, keepdims=True)))
    return np.sum(weight * f, axis=-1) / np.sum(weight, axis=-1)


@cache
def _three(epsilon: float, regularization: float, copies: int) -> tuple[float, ...]:
    """Compute the mean excess, per record, of noise, of one draw, and of two stages."""
    best, least = _best(copies, regularization)
    middle = (np.arange(CELLS) + 0.5) / CELLS * 2 - 1

    def excess(points: np.ndarray) -> np.ndarray:
        return copies * _risk(points) + regularization / 2 * points**2 - least

    scale = 1 / (regularization * epsilon)
    noise = np.mean(excess(best + scale * _noise(4000)))
    direct = _mean(excess(np.linspace(-1, 1, 40_001)), epsilon / 2)
    kind = {"lipschitz": 1.0, "regularization": regularization, "p": 1}
    r = localization_radius(epsilon, failure_probability=BETA, **kind)
    # the guess stays in [−1, 1], and so does the draw
    guess = np.clip(best + 2 * scale * _noise(100), -1, 1)[:, None]
    low, high = np.maximum(guess - r, -1), np.minimum(guess + r, 1)
    points = (low + high) / 2 + (high - low) / 2 * middle
    twice = np.mean(_mean(excess(points), epsilon / 2 / min(2 * r, 2.0)))
    n = 442 * copies
    return float(noise) / n, float(direct) / n, float(twice) / n


@figure(
    axes=Axes(
        "records n",
        "mean excess per record",
        xlim=(RECORDS[0], RECORDS[-1]),
        ylim=(1e-10, 1),
        xscale="log",
        yscale="log",
    ),
    title="What a second look is worth",
    alt=(
        "Three lines over the number of records. Noise alone stays nearly flat, and "
        "the two that draw fall like 1/n. At the default two stages start above noise "
        "alone and end far below it."
    ),
    caption=(
        "Integrals on fine grids, good to 2%: a center for the labels of 442 diabetes "
        "patients, each counted up to 1,000 times; Huber loss, models in [−1, 1]."
    ),
    identity="looking-twice",
    epsilon=Slider((0.1, 0.3, 0.5, 1, 2, 3, 10), start=1),
    regularization=Slider((10, 30, 50, 100, 200, 300, 1000), start=100),
    n=Slider(RECORDS, start=442_000),
)
def second_look(epsilon: float, regularization: float, n: int) -> list[Mark]:
    """Compare two stages with each kind of stage alone, as the records become more.

    Examples
    --------
    >>> noise, direct, twice, *_ = second_look(1.0, 100, 442)
    >>> bool(noise.y[0] < twice.y[0]), bool(twice.y[-1] < noise.y[-1] / 30)
    (True, True)
    """
    checks.moderate(regularization=regularization)
    checks.one_of(RECORDS, n=n)
    found = [_three(epsilon, regularization, copies) for copies in COPIES]
    noise, direct, twice = np.transpose(found)
    at = RECORDS.index(n)
    names = ("adding noise", "one draw", "two stages")
    half = Pure(epsilon / 2, relation=Relation.ADD_REMOVE)
    draw = Selection(epsilon / 2, relation=Relation.ADD_REMOVE)
    return [
        Line(RECORDS, noise, "noise alone, for all of ε", "measured"),
        Line(RECORDS, direct, "one draw, for all of ε", "reference"),
        Line(RECORDS, twice, "two stages", "private"),
        Points([n], [twice[at]], "your n", "private", moves="n"),
        Sentence(
            "At ε = {epsilon}, Λ = {regularization} and {n} records the mean excess "
            f"per record is {write(noise[at])} with noise alone, {write(direct[at])} "
            f"with one draw and {write(twice[at])} with two stages. The best is "
            f"{names[int(np.argmin(found[at]))]}."
        ),
        Spent(Composed((half, draw))),
    ]
