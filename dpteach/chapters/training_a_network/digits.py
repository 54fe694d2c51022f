"""Figure of the chapter on networks: a network learns digits, at every budget.

A network of 2,442 weights on small images, DP-SGD on all records. The learning rate is
chosen on held-out images, and the last model is measured on test images.
"""

from functools import cache
from statistics import NormalDist

import numpy as np

from ... import checks, data, losses, networks
from ...accounting import gaussian_epsilon, gaussian_mu
from ...algorithms.gradients import sgd
from ...algorithms.gradients.sgd import dp_sgd
from ...auditing import Tape
from ...constraints import Everywhere
from ...data import _copies, real
from ...figures.axes import Axes
from ...figures.explore import Linked, Slider
from ...figures.figure import figure
from ...figures.marks import Band, Line, Mark, Points, Sentence, Spent
from ...figures.results import stored
from ...networks import Dense, Network, Tanh
from ...privacy import Gaussian, Relation
from ...problem import Problem
from ..shared import tied_noise
from ..shared.attackers_view import VIEW, bell
from ..shared.tied_noise import DELTA, noise_for

# Budgets whose noise differs by factors of 2, and steps by factors of 4: every noise
# multiplier belongs to several pairs of them, as in the chapter on DP-SGD.
EPSILONS = tuple(
    float(f"{gaussian_epsilon(gaussian_mu(1.0, DELTA) * 2.0**k, DELTA):.6g}")
    for k in range(-1, 4)
)
STEPS = (4, 16, 64, 256)
RATES = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)  # for the mean gradient
MODELS = {"network": 2442, "softmax": 650}
PARTS = (1200, 1500)  # to train, to choose rates, and to test

tied = Linked(("noise_multiplier", "epsilon", "steps"), noise_for)


@cache
def images() -> tuple[tuple[np.ndarray, np.ndarray], ...]:
    """Split the digits: to train, to choose the learning rate, to test.

    Examples
    --------
    >>> [len(y) for _, y in images()]
    [1200, 300, 297]
    """
    whole = data.digits()
    order = np.random.default_rng(0).permutation(whole.n)
    return tuple(
        (whole.X[rows], whole.y[rows]) for rows in np.split(order, list(PARTS))
    )


@cache
def network() -> Network:
    """Build it: 65 numbers go in, 32 units with tanh, ten scores come out.

    Examples
    --------
    >>> network().start.size
    2442
    """
    return Network((65,), [Dense(32), Tanh(), Dense(10)], seed=1)


def problem(model: str) -> Problem:
    """Pose the training of the network, or of softmax regression.

    Examples
    --------
    >>> problem("network").p, problem("softmax").p
    (2442, 650)
    """
    checks.one_of(tuple(MODELS), model=model)
    loss = network() if model == "network" else losses.softmax(10)
    return Problem(*images()[0], loss, Everywhere())


def accuracy(model: str, theta: np.ndarray, part: int) -> float:
    """Compute how many images of a part, in 100, are recognized.

    Examples
    --------
    >>> round(accuracy("softmax", problem("softmax").zeros(), 2))  # all are called 0
    11
    """
    checks.one_of(tuple(MODELS), model=model)
    checks.finite_array(ndim=1, theta=theta)
    checks.count(0, part=part)
    X, y = images()[part]
    linear = model == "softmax"
    scores = X @ theta.reshape(65, 10) if linear else network().scores_at(theta, X)
    return 100 * float(np.mean(scores.argmax(axis=1) == y))


def _last(model: str, steps: int, noise: float, rate: float, rng) -> np.ndarray:
    D = problem(model)
    return dp_sgd(
        D, clip_norm=1.0, steps=steps, noise_multiplier=noise,
        learning_rate=rate / D.n, path_every=steps, rng=rng,
    ).path[-1]  # fmt: skip


@stored(
    uses=(sgd, networks, losses, real, _copies, tied_noise),
    epsilons=EPSILONS,
    steps=STEPS,
    rates=RATES,
    runs=4,
    seed=0,
)
def accuracy_of_networks(
    epsilons: tuple[float, ...],
    steps: tuple[int, ...],
    rates: tuple[float, ...],
    runs: int,
    seed: int,
) -> dict:
    """Measure the last model on test images: mean, least and most of some runs."""
    return {
        model: {
            "private": [
                [_measured(model, e, T, rates, runs, [seed, i, j]) for j, T in at]
                for i, e in enumerate(epsilons)
            ],
            "without_noise": [_silent(model, T, rates) for T in steps],
        }
        for model in MODELS
        for at in [list(enumerate(steps))]
    }


def _measured(
    model: str, epsilon: float, T: int, rates: tuple, runs: int, seed: list[int]
) -> dict:
    """Choose the rate on held-out images, one run each; then measure fresh runs."""
    noise = noise_for(epsilon, T)

    def rng(k: int) -> np.random.Generator:
        return np.random.default_rng([*seed, k])

    def held_out(rate: float) -> float:
        return accuracy(model, _last(model, T, noise, rate, rng(runs)), 1)

    best = max(rates, key=held_out)
    tested = [
        accuracy(model, _last(model, T, noise, best, rng(k)), 2) for k in range(runs)
    ]
    return {
        "rate": best,
        "mean": round(float(np.mean(tested)), 3),
        "low": round(min(tested), 3),
        "high": round(max(tested), 3),
    }


def _silent(model: str, T: int, rates: tuple) -> float:
    """Measure clipped descent without noise, at the rate that is best held out."""
    ends = [_last(model, T, 1.0, rate, Tape([])) for rate in rates]
    return round(accuracy(model, max(ends, key=lambda w: accuracy(model, w, 1)), 2), 3)


@figure(
    axes=(
        Axes(
            "steps T",
            "images recognized, in %",
            xlim=(4, 256),
            ylim=(0, 100),
            xscale="log",
            xticks=STEPS,
            title="What it learns",
        ),
        VIEW,
    ),
    title="A network learns digits in private",
    alt=(
        "In the panel “What it learns”, three curves over the number of steps. The "
        "network without noise rises to 98. "
        "With noise it stays below, by more the smaller the budget is. Softmax "
        "regression is above the network at small budgets, and below it at large ones. "
        "In the panel “What the attacker sees”, three bell curves: without an image, "
        "after one step with it, and, farther off, after all steps."
    ),
    caption=(
        "1,200 images to train, 297 to test; DP-SGD on all records, clip norm 1, the "
        "last model. Lines: mean of 4 runs; band: least and most. Rates were chosen "
        "on 300 held-out images; that search is not charged to ε. One image is 0.3%."
    ),
    identity="network-on-digits",
    linked=tied,
    epsilon=Slider(EPSILONS, start=EPSILONS[2]),
    noise_multiplier=Slider(),
    steps=Slider(STEPS, start=64),
)
def learned(epsilon: float, noise_multiplier: float, steps: int) -> list[Mark]:
    """Draw how many images the last model recognizes, against the number of steps.

    Examples
    --------
    >>> _, mean, *_ = learned(EPSILONS[-1], noise_for(EPSILONS[-1], 64), 64)
    >>> bool(mean.y[2] > 90)
    True
    """
    checks.one_of(EPSILONS, epsilon=epsilon)
    checks.one_of(STEPS, steps=steps)
    i, j, values = EPSILONS.index(epsilon), STEPS.index(steps), accuracy_of_networks()
    (mean, low, high), (linear, *_) = (
        _spread(values[model]["private"][i]) for model in MODELS
    )
    event = Gaussian(noise_multiplier, releases=steps, relation=Relation.ADD_REMOVE)
    silent = values["network"]["without_noise"]
    guesses = 100 * NormalDist().cdf(event.mu / 2)
    return [
        Band(STEPS, low, high, "network, private", "private"),
        Line(STEPS, mean, "network, private", "private"),
        Line(STEPS, linear, "softmax regression, private", "measured"),
        Line(STEPS, silent, "network, without noise", "non_private"),
        Points([steps], [mean[j]], "your choice of T", "private", moves="steps"),
        bell(0.0, "without the image", "reference"),
        bell(1 / noise_multiplier, "after one step", "bound"),
        bell(event.mu, "after all steps", "private"),
        Sentence(
            f"{{steps}} steps at ε = {{epsilon}}: the network recognizes "
            f"{mean[j]:.1f}% of the test images, softmax regression {linear[j]:.1f}%. "
            f"The best guess whether a given image was there is right "
            f"{guesses:.0f} times in 100."
        ),
        Spent(event, DELTA),
    ]


def _spread(entries: list[dict]) -> list[list[float]]:
    return [[each[key] for each in entries] for key in ("mean", "low", "high")]
