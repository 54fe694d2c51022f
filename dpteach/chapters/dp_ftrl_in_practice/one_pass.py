"""Runs behind the chapter on DP-FTRL in practice: DP-SGD and DP-FTRL on real data.

The learning rate of each method is chosen on rows that are held out, and the model is
then measured on test rows. That search is not charged to ε.
"""

from functools import cache

import numpy as np

from ... import losses, problem
from ...accounting import calibrate, gaussian_mu
from ...algorithms.gradients import sampled_sgd
from ...algorithms.gradients.sampled_sgd import sampled_dp_sgd
from ...algorithms.matrices import _matrices, toeplitz
from ...algorithms.matrices import factorization as factorization_module
from ...algorithms.matrices.factorization import (
    Factorization,
    independent_factorization,
    tree_factorization,
)
from ...algorithms.matrices.toeplitz import square_root_factorization
from ...algorithms.streams import batched_ftrl as batched_ftrl_module
from ...algorithms.streams.batched_ftrl import batched_ftrl
from ...constraints import Everywhere
from ...data import _copies, digits
from ...data import real as real_module
from ...figures.results import downloaded, stored
from ...losses import softmax
from ...privacy import Gaussian, Relation, SampledGaussian
from ...problem import Problem

# DP-SGD on Poisson samples; then DP-FTRL with three ways to correlate its noise.
METHODS = ("sampled", "independent", "tree", "root")
ZERO_OUT = Relation.ZERO_OUT


@cache
def _factorization(method: str, steps: int) -> Factorization:
    if method == "independent":
        return independent_factorization(steps)
    if method == "tree":
        return tree_factorization(steps, estimator="honaker")
    return square_root_factorization(steps, normalized=True)


def event_of(
    method: str, noise_multiplier: float, *, steps: int, epochs: int
) -> Gaussian | SampledGaussian:
    """Return the event of a method, for some epochs of some steps each."""
    if method == "sampled":
        return SampledGaussian(
            noise_multiplier, rate=1 / steps, releases=steps * epochs, relation=ZERO_OUT
        )
    return Gaussian(noise_multiplier, releases=epochs, relation=ZERO_OUT)


@cache
def _noise(method: str, epsilon: float, delta: float, steps: int, epochs: int) -> float:
    if method == "sampled":
        return calibrate(
            lambda z: event_of(method, z, steps=steps, epochs=epochs), epsilon, delta
        )
    return epochs**0.5 / gaussian_mu(epsilon, delta)


def _train(
    method: str, D: Problem, steps: int, epochs: int, noise: float, rate: float, seed
) -> np.ndarray:
    """Train one model; the learning rate is for the mean gradient of a batch."""
    rng = np.random.default_rng(seed)
    if method == "sampled":
        return sampled_dp_sgd(
            D,
            rate=1 / steps,
            clip_norm=1.0,
            steps=steps * epochs,
            noise_multiplier=noise,
            learning_rate=rate / D.n,
            rng=rng,
            relation=ZERO_OUT,
        ).path[-1]
    return batched_ftrl(
        D,
        factorization=_factorization(method, steps),
        clip_norm=1.0,
        noise_multiplier=noise,
        regularization=D.n / steps / rate,
        epochs=epochs,
        rng=rng,
    ).path[-1]


def _hits(theta: np.ndarray, X: np.ndarray, y: np.ndarray) -> float:
    """Compute the share of rows whose class has the largest score."""
    return float(np.mean(np.argmax(X @ theta.reshape(X.shape[1], -1), axis=1) == y))


def choose(
    method: str, splits: list, budget: tuple, rates: tuple, runs: tuple, seed: int
) -> dict:
    """Choose in each split the rate by held-out rows; measure new runs on test rows.

    With several splits ``hits`` has the mean of each, otherwise one entry for each run.
    """
    epsilon, delta, steps, epochs = budget
    noise = _noise(method, epsilon, delta, steps, epochs)

    def hits(split: int, part: int, rate: float) -> list[float]:
        (X, y), *_ = parts = splits[split]
        D = Problem(X, y, softmax(10), Everywhere())
        seeds = [
            [seed, part, k + runs[part - 1] * split] for k in range(runs[part - 1])
        ]
        models = (_train(method, D, steps, epochs, noise, rate, each) for each in seeds)
        return [_hits(theta, *parts[part]) for theta in models]

    chosen = [
        max(rates, key=lambda rate: np.mean(hits(split, 1, rate)))
        for split in range(len(splits))
    ]
    found = 100 * np.array([hits(split, 2, rate) for split, rate in enumerate(chosen)])
    units = found.mean(axis=1) if len(splits) > 1 else found[0]
    return {
        "noise": float(f"{noise:.6g}"),
        "rates": chosen,
        "hits": [round(float(each), 3) for each in units],
    }


def _table(
    splits: list, epsilons: tuple, delta: float, schedules: tuple, rates: dict, **how
) -> dict[str, list]:
    """Run all methods: a list over schedules of lists over ε for each of them."""
    return {
        method: [
            [
                choose(
                    method,
                    splits,
                    (epsilon, delta, steps, epochs),
                    rates=rates[method],
                    **how,
                )
                for epsilon in epsilons
            ]
            for steps, epochs in schedules
        ]
        for method in METHODS
    }


USES = (
    batched_ftrl_module,
    factorization_module,
    _matrices,
    toeplitz,
    sampled_sgd,
    problem,
    losses,
)


@stored(
    uses=USES,
    epsilons=(0.5, 1.0, 2.0, 4.0, 8.0, 16.0),
    delta=1e-5,
    schedules=((1000, 1),),  # steps of one epoch, epochs
    rates={
        "sampled": (1.0, 2.0, 4.0, 8.0, 16.0),
        "independent": (0.25, 0.5, 1.0, 2.0, 4.0, 8.0),
        "tree": (1.0, 2.0, 4.0, 8.0, 16.0, 32.0),
        "root": (1.0, 2.0, 4.0, 8.0, 16.0, 32.0),
    },
    runs=(1, 3),  # to choose, to measure
    seed=0,
)
def accuracy_on_mnist(
    epsilons: tuple, delta: float, schedules: tuple, rates: dict, runs: tuple, seed: int
) -> dict:
    """Train on 50,000 images, choose on 10,000 others, measure on the 10,000 test."""
    X, y, X_test, y_test = downloaded("mnist")
    order = np.random.default_rng(seed).permutation(len(y))
    parts = *((X[k], y[k]) for k in np.split(order, [50_000])), (X_test, y_test)
    return _table([parts], epsilons, delta, schedules, rates, runs=runs, seed=seed)


@stored(
    uses=(*USES, real_module, _copies),
    epsilons=(1.0, 2.0, 4.0, 8.0, 16.0, 32.0),
    delta=1e-4,
    schedules=((300, 1), (120, 5)),
    rates=(0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0),
    runs=(4, 8),
    splits=5,
    seed=0,
)
def accuracy_on_digits(
    epsilons: tuple,
    delta: float,
    schedules: tuple,
    rates: tuple,
    runs: tuple,
    splits: int,
    seed: int,
) -> dict:
    """Train on 1,200 images, choose on 297 others, measure on 300: in each split."""
    parts, every = digits_in_splits(splits), dict.fromkeys(METHODS, rates)
    return _table(parts, epsilons, delta, schedules, every, runs=runs, seed=seed)


def digits_in_parts(split: int) -> tuple:
    """Split the digits: 1,200 to train, 297 held out, 300 to test.

    Five splits, 0 to 4, go around one fixed order: no two have a test image in common.
    """
    all_of_them = digits()
    order = np.random.default_rng(0).permutation(all_of_them.n)
    parts = np.split(np.roll(order, 300 * split), [1200, 1497])
    return tuple((all_of_them.X[k], all_of_them.y[k]) for k in parts)


def digits_in_splits(count: int) -> list[tuple]:
    """List the first splits of the digits."""
    return [digits_in_parts(split) for split in range(count)]
