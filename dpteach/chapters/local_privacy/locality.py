"""The experiments of the chapter on local privacy: pure functions with fixed seeds."""

from functools import cache
from math import ceil, sqrt

import numpy as np

from ... import checks
from ...algorithms.local.local_sgd import (
    local_noise_variance,
    local_randomizer,
    local_sgd_learning_rate,
    local_sgd_risk_bound,
)
from ...arrays import l2_laplace
from ...figures.axes import Axes
from ...figures.explore import Linked, Slider
from ...figures.figure import figure
from ...figures.marks import (
    Cells,
    Line,
    Mark,
    Points,
    Sentence,
    Spent,
)
from ...figures.predict import Choose, Place
from ...figures.style import write
from ...privacy import Pure, Relation
from ..shared.users import (
    BUDGETS,
    DISTANCES,
    FACTORS,
    UNIT_RISK,
    P,
    risk_by_learning_rate,
)
from . import questions as ask

SIZES = tuple(10**k for k in range(2, 7))  # where the lines are drawn
TRIED = {100: 100, 1000: 40, 10_000: 16}  # users that are simulated, and how often


_SPAN = (FACTORS[0], FACTORS[-1])


@cache
def _errors(epsilon: float, p: int) -> tuple[np.ndarray, np.ndarray]:
    """Measure the error of a mean of unit vectors: local noise, and central noise."""
    local, central = [], []
    for n, runs in TRIED.items():
        rng = np.random.default_rng(n)
        errors = np.empty((2, runs))
        for k in range(runs):
            v = rng.standard_normal((n, p)) + np.eye(p)[0]
            v /= np.linalg.norm(v, axis=1, keepdims=True)
            mean = v.mean(axis=0)
            sent = local_randomizer(v, epsilon=epsilon, clip_norm=1.0, rng=rng)
            summed = v.sum(axis=0) + l2_laplace(rng, 2 / epsilon, mean)
            away = sent.mean(axis=0) - mean, summed / n - mean
            errors[:, k] = [np.sum(each**2) for each in away]
        squares = errors.mean(axis=1)
        local.append(sqrt(squares[0]))
        central.append(sqrt(squares[1]))
    return np.array(local), np.array(central)


# Factors of √2, so that each noise belongs to several budgets and numbers of users
PRICES = tuple(float(f"{2 ** (k / 2):.6g}") for k in range(-4, 5))
USERS = tuple(125 * 4**k for k in range(7))
DRAWN_P = 10  # the length of a user's vector in the figure


def _noise_of_mean(epsilon: float, n: float, p: int = DRAWN_P) -> float:
    """Compute σ/√n: how far the noise moves the mean of n local reports."""
    return sqrt(local_noise_variance(epsilon, p=p, clip_norm=1.0) / n)


@figure(
    asks=Place(
        "local-price",
        "At ε = 1 a trusted server needs 210 users for a mean whose noise is 0.1 "
        "long. How many does it take if each user adds noise of that distribution "
        "herself?",
        hides=["local", "local runs", "your n"],
        truth=44_000,
        why="The mean of n noise terms is σ/√n long, and a single one over n is σ/n. "
        "For the same error √n must be as large as n was: 210 · 210.",
    ),
    axes=(
        Axes(
            "users n",
            "error of the mean, ℓ2",
            xlim=(100, 1_000_000),
            ylim=(1e-5, 100),
            xscale="log",
            yscale="log",
            xticks=SIZES[:-1],  # a fourth would not fit on a phone
            yticks=(1e-4, 0.01, 1, 100),
        ),
    ),
    title="The price of locality",
    alt=(
        "Falling lines over the number of users. The line of local noise falls half "
        "as steeply as that of central noise, and lies above it; measured points lie "
        "on both."
    ),
    caption=(f"Vectors of norm 1 with {DRAWN_P} entries; points: 16 to 100 runs."),
    identity="locality",
    linked=Linked(("mean_noise", "epsilon", "n"), _noise_of_mean),
    picks="n",
    epsilon=Slider(PRICES, start=1),
    mean_noise=Slider(),
    n=Slider(USERS, start=2000),
)
def locality(epsilon: float, mean_noise: float, n: int) -> list[Mark]:
    """Compare the error of a private mean with local and with central noise.

    Examples
    --------
    >>> local, central, *_ = locality(1.0, 0.47, 2000)
    >>> (local.y / central.y).round(0)  # √n: 10 for a hundred users
    array([  10.,   32.,  100.,  316., 1000.])
    """
    checks.one_of(PRICES, epsilon=epsilon)
    checks.one_of(USERS, n=n)
    checks.positive(mean_noise=mean_noise)
    sizes = np.array(SIZES, float)
    noise = _noise_of_mean(epsilon, 1)
    found = _errors(epsilon, DRAWN_P)
    enough = [ceil((noise / 0.1) ** 2 - 1e-6), ceil(noise / 0.1 - 1e-6)]
    return [
        Line(SIZES, noise / np.sqrt(sizes), "local", "private"),
        Line(SIZES, noise / sizes, "central", "non_private"),
        Line(SIZES, 1 / np.sqrt(sizes), "sampling alone", "reference"),
        Points([*TRIED], found[0], "local runs", "measured"),
        Points([*TRIED], found[1], "central runs", "broken"),
        Points([n], [noise / sqrt(n)], "your n", "private", moves="n"),
        Sentence(
            "With ε = {epsilon}, noise moves the mean of {n} local reports by "
            f"{{mean_noise}}, and that of a trusted server by {write(noise / n)}. An "
            f"error of 0.1 takes {write(enough[0])} local reports, or "
            f"{write(enough[1])} users with the server."
        ),
        Spent(Pure(epsilon, relation=Relation.REPLACE)),
    ]


@figure(
    axes=(
        Axes(
            "learning rate, over the best for norm 1",
            "risk, over that of the zero model",
            xlim=_SPAN,
            ylim=(1e-3, 1e3),
            xscale="log",
            yscale="log",
            xticks=FACTORS,
            yticks=(0.001, 0.01, 0.1, 1, 10, 100, 1000),
        ),
    ),
    title="One pass, one rate",
    alt=(
        "Two valleys over the learning rate, the bound above and the measurement "
        "below. Both move right as the best model moves away from 0."
    ),
    caption=(
        "10,000 users on the unit sphere in 5 dimensions, absolute loss, each "
        "reports once; mean of 16 runs, averaged models, stored."
    ),
    identity="one-pass-one-rate",
    epsilon=Slider(BUDGETS, start=4),
    distance=Slider((0.1, 0.3, 1, 3, 10, 30, 100), start=1),
)
def learning_rates(epsilon: float, distance: float) -> list[Mark]:
    """Show the valley of one-pass SGD: its bound, and what is measured.

    Examples
    --------
    >>> bound, measured, *_ = learning_rates(4.0, 1.0)
    >>> bool((measured.y <= bound.y).all())
    True
    """
    checks.one_of(BUDGETS, epsilon=epsilon)
    checks.one_of(DISTANCES, distance=distance)
    unit, best = _rate(epsilon, 1.0), _rate(epsilon, distance)
    bounds = _bounds(epsilon, distance, [k * unit for k in FACTORS])
    lowest = _bounds(epsilon, distance, [best])
    at = BUDGETS.index(epsilon), DISTANCES.index(distance)
    sgd = np.array(risk_by_learning_rate()["sgd"])[at]
    worst = float(np.max(sgd) / np.min(sgd))
    return [
        Line(FACTORS, bounds, "bound", "bound"),
        Line(FACTORS, sgd, "measured", "private"),
        Points(
            [best / unit],
            lowest,
            "the theorem’s rate",
            "bound",
        ),
        Sentence(
            "With the best model at distance {distance}, the theorem’s rate is "
            f"{write(float(best / unit))} times that for norm 1. Of the seven rates "
            f"the worst leaves {write(worst)} times the risk of the best."
        ),
        Spent(Pure(epsilon, relation=Relation.REPLACE)),
    ]


def _rate(epsilon: float, distance: float) -> float:
    return local_sgd_learning_rate(epsilon, distance=distance, **_KNOWN)


def _bounds(epsilon: float, distance: float, rates: list[float]) -> np.ndarray:
    """Bound the risk at each rate, over that of the zero model."""
    known = {"distance": distance, **_KNOWN}
    bounds = [
        local_sgd_risk_bound(epsilon, learning_rate=rate, **known) for rate in rates
    ]
    return np.array(bounds) / (distance * UNIT_RISK)


_KNOWN = {"n": risk_by_learning_rate.arguments["n"], "p": P, "clip_norm": 1.0}


GOOD, BAD = "less than 4 times the least risk", "4 times or more"


@figure(
    asks=Choose(
        ask.BLIND,
        hides=[GOOD, BAD, "best of the row"],
    ),
    axes=(
        Axes(
            "learning rate, over the best for norm 1",
            "distance of the best model",
            xlim=(-0.5, 6.5),
            ylim=(-0.5, 6.5),
            xticks=dict(enumerate(("1/16", "1/4", *map(write, FACTORS[2:])))),
            yticks=dict(enumerate(map(write, DISTANCES))),
        ),
    ),
    title="What a blind choice costs",
    alt=(
        "A board of seven distances and seven rates. The cells that cost less than "
        "four times the least risk lie along a diagonal, two or three in a row; all "
        "others cost more, and the corners most."
    ),
    caption=(
        "A row for each distance. The stronger the color of a cell of the second kind, "
        "the more it costs, over the best of its row. Settings as in the figure above."
    ),
    identity="blind-choice",
    epsilon=Slider(BUDGETS, start=4),
)
def blind_choice(epsilon: float) -> list[Mark]:
    """Measure the cost of choosing one of seven rates without looking at data.

    Examples
    --------
    >>> good, bad, *_ = blind_choice(4.0)
    >>> int((good.width > 0).sum()), int((bad.width > 0).sum())  # of 49 cells
    (20, 29)
    """
    checks.one_of(BUDGETS, epsilon=epsilon)
    sgd = np.array(risk_by_learning_rate()["sgd"])[BUDGETS.index(epsilon)]
    penalty = (sgd / sgd.min(axis=1, keepdims=True)).ravel()
    y, x = np.divmod(np.arange(penalty.size), len(FACTORS))
    bad = penalty >= 4
    # Worse by a factor of 1,000 has the strongest color.
    level = np.clip(np.log(penalty) / np.log(1000), 0.2, 1)
    best = sgd.argmin(axis=1)
    return [
        _cells(x, y, np.full(penalty.size, 0.5), ~bad, GOOD, "private"),
        _cells(x, y, level, bad, BAD, "broken"),
        Points(best, np.arange(len(best)), "best of the row", "private"),
        Sentence(
            f"At ε = {{epsilon}}, {bad.sum()} of 49 blind choices leave 4 times the "
            f"risk of the best rate or more; the median leaves "
            f"{write(float(np.median(penalty)))} times, the worst "
            f"{write(float(penalty.max()))} times."
        ),
        Spent(Pure(epsilon, relation=Relation.REPLACE)),
    ]


def _cells(
    x: np.ndarray, y: np.ndarray, level: np.ndarray, here: np.ndarray, *named: str
) -> Cells:
    size = 0.94 * here
    return Cells(x, y, level, *named, width=size, height=size)
