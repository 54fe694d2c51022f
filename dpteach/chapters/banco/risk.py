"""The experiments on the risk of BANCO and SGD: pure functions with fixed seeds."""

from typing import Any

import numpy as np

from ... import checks
from ...algorithms.local.banco import banco, banco_risk_bound
from ...algorithms.local.local_sgd import local_sgd, local_sgd_learning_rate
from ...figures.axes import Axes
from ...figures.explore import Slider
from ...figures.figure import figure
from ...figures.marks import (
    Line,
    Mark,
    Points,
    Sentence,
    Spent,
)
from ...figures.results import stored
from ...figures.style import write
from ...privacy import Pure, Relation
from ..shared import users as users_module
from ..shared.users import (
    BUDGETS,
    DISTANCES,
    EPSILONS,
    FACTORS,
    UNIT_RISK,
    USES,
    P,
    digits,
    risk_by_learning_rate,
    risk_left,
    users,
)

USERS = (100, 300, 1000, 3000, 10_000, 30_000, 100_000)


@stored(
    uses=(*USES, users_module),
    epsilons=EPSILONS,
    distances=(0.1, 1.0, 10.0, 100.0),
    users=USERS,
    runs=8,
    seed=1,
)
def risk_by_users(
    epsilons: tuple[float, ...],
    distances: tuple[float, ...],
    users: tuple[int, ...],
    runs: int,
    seed: int,
) -> dict:
    """Measure BANCO, with our constants and the source's, and SGD given a norm."""
    made: dict[str, list] = {}
    for epsilon in epsilons:
        for distance in distances:
            found = _by_users(epsilon, distance, users, runs, seed)
            for name, risks in found.items():
                made.setdefault(name, []).append([digits(each) for each in risks])
    count = len(distances)
    return {
        name: [rows[k : k + count] for k in range(0, len(rows), count)]
        for name, rows in made.items()
    }


def _by_users(
    epsilon: float, distance: float, many: tuple[int, ...], runs: int, seed: int
) -> dict[str, list[float]]:
    known: dict[str, Any] = {"epsilon": epsilon, "clip_norm": 1.0}
    known |= {"rng": seed, "runs": (runs,)}
    found: dict[str, list[float]] = {}
    for method in ("exact", "textbook"):
        # BANCO does not know n, so the first models of a long run are a short run.
        path = banco(users(many[-1], distance), method=method, **known).path
        total = np.cumsum(path, axis=0)
        found[method] = [risk_left(total[n - 1] / n, distance) for n in many]
    for name, told in (("told", distance), ("told 1", 1.0)):
        found[name] = []
        for n in many:
            rate = local_sgd_learning_rate(
                epsilon, n=n, p=P, clip_norm=1.0, distance=told
            )
            D = users(n, distance)
            out = local_sgd(D, learning_rate=rate, path_every=n, **known)
            found[name].append(risk_left(out.theta, distance))
    return found


@figure(
    axes=(
        Axes(
            "learning rate, over the best for norm 1",
            "risk, over that of the zero model",
            xlim=(1 / 16, 256),
            ylim=(1e-3, 100),
            xscale="log",
            yscale="log",
            xticks=FACTORS,
            yticks=(0.001, 0.01, 0.1, 1, 10, 100),
        ),
    ),
    title="The learning rate that nobody knows",
    alt=(
        "A valley, the risk of SGD over its learning rate, whose bottom moves right "
        "as the best model moves away. A level line, BANCO, crosses it."
    ),
    caption=(
        "10,000 users on the unit sphere in 5 dimensions, absolute loss, each reports "
        "once; mean of 16 runs, averaged models, stored. The best rate is chosen in "
        "hindsight; a private search would cost users or budget, and that is not "
        "charged here."
    ),
    identity="seven-rates",
    epsilon=Slider(BUDGETS, start=4),
    distance=Slider(DISTANCES, start=10),
)
def seven_rates(epsilon: float, distance: float) -> list[Mark]:
    """Compare BANCO, untuned, with SGD at seven learning rates.

    Examples
    --------
    >>> sgd, untuned, *_ = seven_rates(4.0, 30.0)
    >>> bool(untuned.y[0] < sgd.y[2])  # the rate that is best for norm 1
    True
    """
    checks.one_of(BUDGETS, epsilon=epsilon)
    checks.one_of(DISTANCES, distance=distance)
    values = risk_by_learning_rate()
    at = BUDGETS.index(epsilon), DISTANCES.index(distance)
    sgd = np.array(values["sgd"])[at]
    untuned = np.array(values["banco"])[at]
    best = int(np.argmin(sgd))
    return [
        Line(FACTORS, sgd, "SGD at this rate", "private"),
        Line(
            [FACTORS[0], FACTORS[-1]],
            [untuned] * 2,
            "BANCO, no rate",
            "measured",
        ),
        Points([FACTORS[best]], [sgd[best]], "the best of the seven", "private"),
        _verdict(sgd, float(untuned)),
        Spent(Pure(epsilon, relation=Relation.REPLACE)),
    ]


def _verdict(sgd: np.ndarray, untuned: float) -> Sentence:
    best, beaten = int(np.argmin(sgd)), int(np.sum(untuned < sgd))
    return Sentence(
        f"With the best model at distance {{distance}}, SGD is best at "
        f"{write(FACTORS[best])} times the rate for norm 1: it leaves "
        f"{write(100 * float(sgd[best]))}% of the risk of the zero model, and the "
        f"worst rate {write(100 * float(np.max(sgd)))}%. BANCO, which is told "
        f"nothing, leaves {write(100 * untuned)}%: better than {beaten} of the 7 "
        f"rates, and {write(float(untuned / sgd[best]))} times the best."
    )


@figure(
    axes=(
        Axes(
            "users n",
            "risk, over that of the zero model",
            xlim=(100, 100_000),
            ylim=(1e-3, 10),
            xscale="log",
            yscale="log",
            xticks=(100, 1000, 10_000, 100_000),
            yticks=(0.001, 0.01, 0.1, 1, 10),
        ),
    ),
    title="The bound and the measurement",
    alt=(
        "Falling curves over the number of users. The bound is on top; BANCO starts "
        "level and then falls below it; SGD that was told the norm is lowest."
    ),
    caption=(
        "Users on the unit sphere in 5 dimensions, absolute loss, each reports once; "
        "mean of 8 runs, averaged models, stored."
    ),
    identity="banco-users",
    epsilon=Slider(EPSILONS, start=4),
    distance=Slider((0.1, 1, 10, 100), start=10),
)
def risk_against_users(epsilon: float, distance: float) -> list[Mark]:
    """Compare BANCO with its bound, and with SGD that was given a norm.

    Examples
    --------
    >>> bound, ours, *_ = risk_against_users(4.0, 10.0)
    >>> bool((ours.y < bound.y).all())
    True
    """
    distances = risk_by_users.arguments["distances"]
    checks.one_of(EPSILONS, epsilon=epsilon)
    checks.one_of(distances, distance=distance)
    values, at = risk_by_users(), (EPSILONS.index(epsilon), distances.index(distance))
    curves = {name: np.array(table)[at] for name, table in values.items()}
    bound = _bound(epsilon, distance)
    ours, told = (100 * float(curves[name][-1]) for name in ("exact", "told"))
    return [
        Line(USERS, bound, "Theorem 2, bound", "bound"),
        _curve(curves["exact"], "BANCO", "private"),
        _curve(curves["textbook"], "BANCO, printed σ₁D", "reference"),
        _curve(curves["told"], "SGD, told ‖w*‖", "measured"),
        _curve(curves["told 1"], "SGD, told ‖w*‖ = 1", "broken"),
        Sentence(
            "With the best model at distance {distance}, 100,000 users leave BANCO "
            f"{write(ours)}% of the risk of the zero model, where the theorem says at "
            f"most {write(100 * float(bound[-1]))}%. SGD that is told the "
            f"norm leaves {write(told)}%; told that it is 1, "
            f"{write(100 * float(curves['told 1'][-1]))}%."
        ),
        Spent(Pure(epsilon, relation=Relation.REPLACE)),
    ]


def _bound(epsilon: float, distance: float) -> np.ndarray:
    """Bound the risk for each number of users, over that of the zero model."""
    bounds = [
        banco_risk_bound(epsilon, n=n, p=P, clip_norm=1.0, distance=distance)
        for n in USERS
    ]
    return np.array(bounds) / (distance * UNIT_RISK)


def _curve(risks: np.ndarray, label: str, role: str) -> Line:
    return Line(USERS, risks, label, role)
