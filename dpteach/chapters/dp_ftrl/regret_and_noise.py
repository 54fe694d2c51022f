"""Figures of the chapter on DP-FTRL: regret and its parts, noise and its steps."""

from functools import cache

import numpy as np

from ... import checks
from ...accounting import gaussian_epsilon, gaussian_mu
from ...algorithms.gradients.online import (
    lazy_gradient_descent,
    online_gradient_descent,
)
from ...algorithms.streams.ftrl import dp_ftrl, dp_ftrl_noise_multiplier
from ...algorithms.streams.prefix_noise import tree_noise
from ...algorithms.streams.regret import dp_ftrl_regret_bound
from ...algorithms.streams.tree import levels
from ...auditing import Tape
from ...constraints import L2Ball
from ...data import planted_logistic
from ...figures.axes import Axes
from ...figures.explore import Linked, Slider
from ...figures.figure import figure
from ...figures.marks import Band, Bars, Line, Mark, Points, Sentence, Spent
from ...figures.predict import Choose
from ...figures.style import write
from ...losses import linear, logistic
from ...privacy import Gaussian, Relation
from ...problem import Problem
from ..shared import stream_questions as ask

DELTA = 1e-6
RADIUS = 3.0
LENGTHS = (32, 64, 128, 256, 512, 1024)
# Budgets whose noise differs by factors of √2; the third one is 1.
EPSILONS = tuple(
    float(f"{gaussian_epsilon(gaussian_mu(1.0, DELTA) * 2 ** (k / 2), DELTA):.6g}")
    for k in range(-2, 7)
)
REGULARIZATIONS = (3, 10, 30, 100, 300, 1000, 3000)


@cache
def _noise_for(epsilon: float, steps: int) -> float:
    return dp_ftrl_noise_multiplier(epsilon, DELTA, steps=int(steps))


tied = Linked(("noise_multiplier", "epsilon", "steps"), _noise_for)


@cache
def _stream(steps: int) -> tuple[Problem, float]:
    """Make a stream of two-class records; find its planted model's average loss."""
    drawn = planted_logistic(n=steps, p=5, strength=RADIUS, rng=1)
    D = Problem(drawn.X, drawn.y, logistic, L2Ball(RADIUS))
    planted = RADIUS / np.sqrt(5) * np.ones(5)
    return D, float(D.risk(planted)) / steps


@cache
def _measured(epsilon: float, steps: int, regularization: float) -> float:
    """Compute the mean average regret of 20 runs against the planted model."""
    D, best = _stream(steps)
    path = dp_ftrl(
        D,
        clip_norm=1.0,
        noise_multiplier=_noise_for(epsilon, steps),
        regularization=regularization,
        rng=0,
        runs=(20,),
    ).path[:-1]
    scores = np.einsum("trp,tp->tr", path, D.X)
    return float(D.loss.value(scores, D.y[:, None]).mean()) - best


@cache
def _bound(noise_multiplier: float, steps: int, regularization: float) -> dict:
    return dp_ftrl_regret_bound(
        steps=steps,
        p=5,
        noise_multiplier=noise_multiplier,
        regularization=regularization,
        lipschitz=1.0,
        distance=RADIUS,
    )


@figure(
    axes=Axes(
        "regularization Λ",
        "regret per record",
        xlim=(3, 3000),
        ylim=(0.01, 300),
        xscale="log",
        yscale="log",
    ),
    title="Where regret comes from",
    alt=(
        "A falling line for noise and a rising one for the pull to zero. Their sum "
        "is a valley; the measured regret lies far below it."
    ),
    caption=(
        "Logistic loss on a ball of radius 3 in 5 dimensions; records planted, one "
        "pass. The bound is that of Theorem 6.15, corrected. The search is not charged "
        "to ε."
    ),
    identity="regret-split",
    linked=tied,
    epsilon=Slider(EPSILONS, start=1),
    noise_multiplier=Slider(),
    steps=Slider(LENGTHS, start=256),
    regularization=Slider(REGULARIZATIONS, start=100),
)
def regret_split(
    epsilon: float, noise_multiplier: float, steps: int, regularization: float
) -> list[Mark]:
    """Draw the bound on regret and its parts over Λ, and the measured regret.

    Examples
    --------
    >>> noise, drift, bound, measured, *_ = regret_split(1.0, 10.0, 64, 100)
    >>> bool((measured.y < bound.y).all())
    True
    """
    T, lams = int(steps), np.array(REGULARIZATIONS, dtype=float)
    terms = [_bound(noise_multiplier, T, Lam) for Lam in REGULARIZATIONS]
    noise = np.array([each["noise"] + each["stability"] for each in terms])
    bias, total = (np.array([t[name] for t in terms]) for name in ("bias", "total"))
    found = np.array([_measured(epsilon, T, Lam) for Lam in REGULARIZATIONS])
    here, best = REGULARIZATIONS.index(regularization), int(np.argmin(total))
    event = Gaussian(noise_multiplier, releases=levels(T), relation=Relation.ZERO_OUT)
    return [
        Line(lams, noise, "noise and stability, falls with Λ", "reference"),
        Line(lams, bias, "drawn to zero, rises with Λ", "non_private"),
        Line(lams, total, "bound, their sum", "bound"),
        Line(lams, found, "measured, mean of 20 runs", "measured"),
        Points(
            [lams[here]], [total[here]], "your Λ", "private", moves="regularization"
        ),
        Sentence(
            f"At Λ = {{regularization}} the bound is {write(total[here])} and the "
            f"regret {write(found[here])} per record. Of the values shown, the bound "
            f"is least at Λ = {write(lams[best])}, the regret at Λ = "
            f"{write(lams[int(np.argmin(found))])}."
        ),
        Spent(event, DELTA),
    ]


# ------------------------------------------------------------ noise and its steps

_STEPS = 64
_TIMES = tuple(range(2, _STEPS + 1, 2))


@figure(
    asks=Choose(
        ask.STEPS,
        hides=["noise of the tree", "covariance with the next step"],
        ghosts=[
            [(1, 0), (12, 4), (25, 1), (40, -5), (52, -4), (62, 6)],
            [(1, 0.5), (12, -1.4), (25, 0.8), (40, -1.2), (52, 0.9), (62, -0.4)],
            [(1, 0), (12, 4), (25, 9), (40, 14), (52, 19), (62, 23)],
        ],
    ),
    axes=(
        Axes("step t", "noise", xlim=(0, 64), ylim=(-6, 24), title="Noise in the sum"),
        Axes(
            "step t",
            "variance",
            xlim=(0.3, 16.7),
            ylim=(-1.3, 5.6),
            title="Noise in a step",
        ),
    ),
    title="The tree as noise in gradient descent",
    alt=(
        "In the panel “Noise in the sum”, noise of the tree stays near zero while a "
        "random walk drifts away. In the panel “Noise in a step”, bars: variances "
        "above zero, covariances of successive steps below zero."
    ),
    caption="Node noise of deviation 1. The second panel is exact.",
    identity="noise-and-steps",
    plays="t",
    estimator=Slider(("plain", "Honaker"), start="plain"),
    t=Slider(_TIMES, start=_STEPS),
)
def noise_and_steps(estimator: str, t: int = _STEPS) -> list[Mark]:
    """Draw the noise in the sums, its steps, and the covariance of successive steps.

    Examples
    --------
    >>> tree, fresh, *_ = noise_and_steps("plain")
    >>> len(tree.x)
    64
    """
    checks.one_of(("plain", "Honaker"), estimator=estimator)
    checks.one_of(_TIMES, t=t)
    b, B = _noise(estimator.lower())
    steps = np.diff(B, axis=0, prepend=0.0)
    variance = np.sum(steps**2, axis=1)
    together = np.sum(steps[1:] * steps[:-1], axis=1)
    walk = np.cumsum(np.random.default_rng(6).standard_normal(_STEPS))
    size, every = float(np.sqrt(variance.mean())), np.arange(1, _STEPS + 1)
    # What comes after step t lies on step t: nothing of it is seen yet.
    now, seen = np.minimum(every, t), every <= t
    variance, together = variance * seen, together * seen[1:]
    cov = "covariance with the next step"
    return [
        Line(now, b[now - 1], "noise of the tree", "private"),
        Line(
            now, size * walk[now - 1], "independent steps of the same size", "reference"
        ),
        Bars(every[:16], variance[:16], "variance of a step", "private", panel=1),
        Bars(every[:15] + 0.5, together[:15], cov, "reference", panel=1, width=0.4),
        Sentence(
            f"{{t}} steps have variances that sum to {write(variance.sum())}. Yet the "
            f"noise after them has variance {write(np.sum(B[t - 1] ** 2))}, because "
            "each step takes back part of the one before."
        ),
    ]


@cache
def _noise(estimator: str) -> tuple[np.ndarray, np.ndarray]:
    """Draw the noise of 64 sums, and find the map that makes it from normals."""
    drawn = tree_noise(_STEPS, sigma=1.0, shape=(1,), rng=5, estimator=estimator)
    draws = 2 * _STEPS - 1 if estimator == "honaker" else _STEPS
    # Coordinate k of the shape is made from normal number k alone.
    unit, shape = Tape(np.eye(draws)), (draws,)
    found = tree_noise(_STEPS, sigma=1.0, shape=shape, rng=unit, estimator=estimator)
    return drawn[:, 0], found


# ------------------------------------------------------------ lazy and greedy


@figure(
    axes=Axes("step t", "model", xlim=(0, 10), ylim=(-6.5, 6.5)),
    title="Two ways to stay in the set",
    alt=(
        "A shaded strip is the set. The sum of the pulls rises out of it and comes "
        "back. The lazy line is the sum, cut at the border; the greedy line leaves the "
        "border as soon as the pulls turn."
    ),
    caption="One weight, Λ = 1, learning rate 1, no noise.",
    identity="lazy-or-greedy",
    plays="t",
    radius=Slider((1, 1.5, 2, 2.5, 3, 4, 5, 6), start=2),
    t=Slider(range(11), start=10),
)
def lazy_or_greedy(radius: float, t: int = 10) -> list[Mark]:
    """Follow lazy and greedy projection: gradients that pull up, then down.

    Examples
    --------
    >>> lazy, greedy, *_ = lazy_or_greedy(2.0)
    >>> lazy.y.tolist()[-1], greedy.y.tolist()[-1]
    (2.0, -2.0)
    """
    y = np.array([1.0] * 6 + [-1.0] * 4)
    D = Problem(np.ones((10, 1)), y, linear, L2Ball(radius))
    lazy = lazy_gradient_descent(D, regularization=1.0)[:, 0]
    greedy = online_gradient_descent(D, learning_rate=1.0)[:, 0]
    pulls = np.r_[0, np.cumsum(y)]
    shown = np.minimum(np.arange(11), t)  # what comes later lies on step t, unseen
    edge = np.full(2, radius)
    return [
        Line(shown, lazy[shown], "lazy: project the sum", "private"),
        Line(shown, greedy[shown], "greedy: project each step", "bound"),
        Line(shown, pulls[shown], "the sum, not cut", "reference"),
        Band([0, 10], -edge, edge, "the set", "measured"),
        Sentence(
            "With radius {radius}, at t = {t} of six pulls up and then four down: the "
            f"lazy model is at {write(float(lazy[t]))}, the sum "
            f"{write(float(pulls[t]))} back in the set. The greedy one is at "
            f"{write(float(greedy[t]))}."
        ),
    ]


# ------------------------------------------------------------ any order

_RECORDS, _LAMBDA = 128, 60.0


@cache
def _losses(epsilon: float, order: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Run DP-FTRL on records in this order; return its losses and the last model."""
    D, _ = _stream(_RECORDS)
    rows = list(order)
    path = dp_ftrl(
        Problem(D.X[rows], D.y[rows], D.loss, D.constraint),
        clip_norm=1.0,
        noise_multiplier=_noise_for(epsilon, _RECORDS),
        regularization=_LAMBDA,
        rng=3,
    ).path
    scores = np.sum(path[:-1] * D.X[rows], axis=1)
    return D.loss.value(scores, D.y[rows]), path[-1]


def _worst_next(epsilon: float) -> tuple[int, ...]:
    """Let an adversary choose each record after seeing the model that will pay."""
    D, _ = _stream(_RECORDS)
    order, left = [0], set(range(1, _RECORDS))
    while left:
        # One seed gives the same noise, so later records do not change earlier models.
        _, theta = _losses(epsilon, tuple(order))
        loss = D.loss.value(D.X @ theta, D.y)
        order.append(max(left, key=lambda i: loss[i]))
        left.remove(order[-1])
    return tuple(order)


@figure(
    asks=Choose(ask.ORDER, hides=["worst next (adversary)"]),
    axes=Axes("records so far, t", "loss paid so far", xlim=(1, 128), ylim=(0, 200)),
    title="The same records in three orders",
    alt="Three rising curves of loss; the adversary's is above the two others.",
    caption=(
        "128 records, one seed, Λ = 60. The adversary sees each model before it "
        "chooses the record on which the model pays. The price is that of any one "
        "record turned to ⊥ in its place, with the order kept."
    ),
    identity="any-order",
    epsilon=Slider((0.3, 0.5, 1, 2, 3, 5, 10), start=1),
)
def any_order(epsilon: float) -> list[Mark]:
    """Follow regret when the same records come in three orders.

    Examples
    --------
    >>> drawn, sorted_by_label, worst, *_ = any_order(1.0)
    >>> bool(worst.y[-1] > drawn.y[-1])
    True
    """
    D, best = _stream(_RECORDS)
    z = _noise_for(epsilon, _RECORDS)
    orders = {
        "as drawn": tuple(range(_RECORDS)),
        "sorted by label": tuple(int(i) for i in np.argsort(D.y, kind="stable")),
        "worst next (adversary)": _worst_next(epsilon),
    }
    t = np.arange(1, _RECORDS + 1)
    paid = {name: np.cumsum(_losses(epsilon, o)[0]) for name, o in orders.items()}
    regrets = {name: float(total[-1]) / _RECORDS - best for name, total in paid.items()}
    bound = _bound(z, _RECORDS, _LAMBDA)["total"]
    event = Gaussian(z, releases=levels(_RECORDS), relation=Relation.ZERO_OUT)
    roles = ("measured", "reference", "broken")
    said = ", ".join(f"{write(found)} {name}" for name, found in regrets.items())
    return [
        *[
            Line(t, paid[name], name, role)
            for name, role in zip(orders, roles, strict=True)
        ],
        Sentence(
            f"At ε = {{epsilon}} the regret per record is {said}. Theorem 6.15 allows "
            f"{write(bound)} on average, for every order."
        ),
        Spent(event, DELTA),
    ]
