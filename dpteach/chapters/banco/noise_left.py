"""The flagship of the chapter on BANCO: ε, users, and the noise that is left."""

from math import sqrt
from typing import Any

import numpy as np

from ... import checks
from ...algorithms.local.banco import banco, banco_risk_bound
from ...algorithms.local.local_sgd import (
    local_noise_variance,
    local_sgd,
    local_sgd_learning_rate,
)
from ...figures.axes import Axes
from ...figures.explore import Linked, Slider
from ...figures.figure import figure
from ...figures.marks import Line, Mark, Points, Sentence, Spent
from ...figures.predict import Draw
from ...figures.results import stored
from ...figures.style import write
from ...privacy import Pure, Relation
from ..shared import users as users_module
from ..shared.users import UNIT_RISK, USES, P, digits, risk_left, users

# Twice the ε, or four times the users, halve the noise that is left: so any two of the
# three sliders have a third.
EPSILONS = (1.0, 2.0, 4.0, 8.0, 16.0)
USERS = (256, 1024, 4096, 16_384, 65_536)
DISTANCES = (0.1, 1.0, 10.0, 100.0)
FAR = tuple(np.geomspace(0.1, 100, 25).tolist())


@stored(
    uses=(*USES, users_module),
    epsilons=EPSILONS,
    distances=DISTANCES,
    users=USERS,
    runs=8,
    seed=2,
)
def risk_by_distance(
    epsilons: tuple[float, ...],
    distances: tuple[float, ...],
    users: tuple[int, ...],
    runs: int,
    seed: int,
) -> dict:
    """Measure BANCO, and SGD that was told the norm 1, for each number of users."""
    found = np.empty((2, len(epsilons), len(users), len(distances)))
    for i, epsilon in enumerate(epsilons):
        for k, distance in enumerate(distances):
            found[:, i, :, k] = _risks(epsilon, distance, users, runs, seed)
    rounded = np.vectorize(digits)(found)
    return {"banco": rounded[0].tolist(), "told 1": rounded[1].tolist()}


def _risks(
    epsilon: float, distance: float, many: tuple[int, ...], runs: int, seed: int
) -> np.ndarray:
    known: dict[str, Any] = {"epsilon": epsilon, "clip_norm": 1.0}
    known |= {"rng": seed, "runs": (runs,)}
    # BANCO does not know n, so the first models of a long run are a short run.
    total = np.cumsum(banco(users(many[-1], distance), **known).path, axis=0)
    untuned = [risk_left(total[n - 1] / n, distance) for n in many]
    told = []
    for n in many:
        rate = local_sgd_learning_rate(epsilon, n=n, p=P, clip_norm=1.0, distance=1.0)
        out = local_sgd(users(n, distance), learning_rate=rate, path_every=n, **known)
        told.append(risk_left(out.theta, distance))
    return np.array([untuned, told])


def noise_left(epsilon: float, n: int) -> float:
    """Compute the noise that is left in the mean of all reports.

    Examples
    --------
    >>> noise_left(1.0, 1024) / noise_left(1.0, 4096)  # four times the users
    2.0
    """
    n = checks.count(n=int(n))
    return sqrt(local_noise_variance(epsilon, p=P, clip_norm=1.0) / n)


@figure(
    asks=Draw(
        "too-far",
        "SGD has the learning rate that is best if the best model is at distance 1. "
        "Draw what it leaves of the risk, for each distance at which the best model "
        "may be.",
        hides=["SGD told ‖w*‖ = 1", "SGD’s theorem, told 1"],
        why="At distance 100 it leaves most of the risk. Its steps are a hundred "
        "times too short: they add up to a length of about 16, and many users only "
        "make the noise smaller.",
    ),
    axes=Axes(
        "distance of the best model, ‖w*‖",
        "risk, over that of the zero model",
        xlim=(0.1, 100),
        ylim=(3e-3, 30),
        xscale="log",
        yscale="log",
        xticks=(0.1, 1, 10, 100),
        yticks=(0.01, 0.1, 1, 10),
    ),
    title="One algorithm for every distance",
    alt=(
        "Over the distance of the best model, BANCO’s measured risk is a nearly level "
        "line, and its theorem another one above it. SGD that was told the distance 1 "
        "is lower on the left, and rises to the zero model’s risk on the right; its "
        "theorem makes a valley with its bottom at 1."
    ),
    caption=(
        "Users on the unit sphere in 5 dimensions, absolute loss, one report each, "
        "averaged models. Lines with points: measured, mean of 8 runs, stored. The "
        "theorems’ curves are bounds. Move ε, λ or n: another one follows."
    ),
    identity="every-distance",
    linked=Linked(("noise_left", "epsilon", "n"), noise_left),
    epsilon=Slider(EPSILONS, start=4),
    noise_left=Slider(),
    n=Slider(USERS, start=65_536),
)
def every_distance(epsilon: float, noise_left: float, n: int) -> list[Mark]:
    """Compare BANCO with SGD that was tuned for one distance, at all distances.

    Examples
    --------
    >>> ours, told, *_ = every_distance(4.0, 0.0107, 65_536)
    >>> bool(ours.y[-1] < told.y[-1])  # the best model is at distance 100
    True
    """
    checks.one_of(EPSILONS, epsilon=epsilon)
    checks.one_of(USERS, n=n)
    checks.positive(noise_left=noise_left)
    at = EPSILONS.index(epsilon), USERS.index(n)
    found = {name: np.array(rows)[at] for name, rows in risk_by_distance().items()}
    far = np.array(FAR)
    known: dict[str, Any] = {"n": int(n), "p": P, "clip_norm": 1.0}
    ours = [banco_risk_bound(epsilon, distance=d, **known) / d for d in FAR]
    best = sqrt(1 / n + noise_left**2)  # of SGD at the best rate, over ‖w*‖
    told = best * (far**2 + 1) / (2 * far)
    return [
        _clipped(DISTANCES, found["banco"], "BANCO, measured", "private"),
        _clipped(DISTANCES, found["told 1"], "SGD told ‖w*‖ = 1", "broken"),
        _clipped(FAR, np.array(ours) / UNIT_RISK, "BANCO’s theorem", "bound"),
        _clipped(FAR, told / UNIT_RISK, "SGD’s theorem, told 1", "reference"),
        _clipped(
            [0.1, 100], np.full(2, best / UNIT_RISK), "told ‖w*‖ itself", "non_private"
        ),
        Points(DISTANCES, _inside(found["banco"]), "BANCO, measured", "private"),
        _at_the_end(found, ours[-1] / UNIT_RISK),
        Spent(Pure(epsilon, relation=Relation.REPLACE)),
    ]


def _at_the_end(found: dict[str, np.ndarray], bound: float) -> Sentence:
    untuned, told = (write(100 * float(found[k][-1])) for k in ("banco", "told 1"))
    return Sentence(
        "{n} reports at ε = {epsilon} leave noise λ = {noise_left} in their mean. With "
        f"the best model at distance 100, BANCO leaves {untuned}% of the risk of the "
        f"zero model, and SGD that was told 1 leaves {told}%. BANCO’s theorem allows "
        f"{write(100 * bound)}%."
    )


def _inside(y: np.ndarray) -> np.ndarray:
    return np.clip(y, 3e-3, 30)


def _clipped(x: object, y: np.ndarray, label: str, role: str) -> Line:
    return Line(x, _inside(y), label, role)
