"""Runs behind the DP-FTRL paper's figure 1(a): its network on MNIST, by four methods.

A run is a minute of a processor, and there are some 300, so each one is kept as soon as
it is finished: ``make figure-1a MINUTES=60`` goes on where the last one stopped. The
learning rate of each method is chosen on 10,000 held-out images of the training set, at
full length, and that search is not charged to ε.
"""

from collections.abc import Iterator
from functools import cache
from itertools import product
from math import sqrt
from typing import Any

import numpy as np

from ...accounting import calibrate, gaussian_mu
from ...algorithms.gradients import sampled_sgd
from ...algorithms.gradients.sampled_sgd import sampled_dp_sgd
from ...algorithms.matrices import factorization as factorization_module
from ...algorithms.matrices.factorization import (
    independent_factorization,
    tree_factorization,
)
from ...algorithms.matrices.multi_participation import (
    multi_participation_factorization,
)
from ...algorithms.streams import batched_ftrl as batched_ftrl_module
from ...algorithms.streams import multi_epoch_ftrl as multi_epoch_module
from ...algorithms.streams.batched_ftrl import batched_ftrl
from ...algorithms.streams.multi_epoch_ftrl import multi_epoch_ftrl
from ...constraints import Everywhere
from ...figures.results import downloaded, kept
from ...networks import dp_ftrl_network
from ...privacy import Gaussian, Relation, SampledGaussian
from ...problem import Problem
from . import quick_network
from .quick_network import QuickNetwork

# DP-SGD on Poisson samples and without their gains; DP-FTRL with a new tree for each
# epoch (Honaker), and with one noise for all epochs from at most four buffers.
METHODS = ("sampled", "independent", "tree", "buffers")
DELTA = 1e-5
MOMENTUM = 0.9
HELD_OUT = 10_000
USES = (
    quick_network,
    sampled_sgd,
    batched_ftrl_module,
    multi_epoch_module,
    factorization_module,
)


@cache
def _images(data: str) -> tuple[np.ndarray, ...]:
    X, y, X_test, y_test = downloaded(f"{data}_pixels")
    return *(_scaled(X), y), *(_scaled(X_test), y_test)


def _scaled(pixels: np.ndarray) -> np.ndarray:
    """Let pixels go from -1 to 1, as in the paper."""
    return pixels.astype(np.float32) / np.float32(127.5) - 1


def event_of(
    method: str, noise_multiplier: float, *, steps: int, epochs: int
) -> Gaussian | SampledGaussian:
    """Return the event of a method, for some epochs of some steps each."""
    if method == "sampled":
        return SampledGaussian(
            noise_multiplier,
            rate=1 / steps,
            releases=steps * epochs,
            relation=Relation.ADD_REMOVE,
        )
    releases = 1 if method == "buffers" else epochs
    return Gaussian(noise_multiplier, releases=releases, relation=Relation.ZERO_OUT)


@cache
def noise_of(method: str, epsilon: float, *, steps: int, epochs: int) -> float:
    """Return the noise multiplier that a method needs."""
    if method == "sampled":
        return calibrate(
            lambda z: event_of(method, z, steps=steps, epochs=epochs), epsilon, DELTA
        )
    releases = event_of(method, 1.0, steps=steps, epochs=epochs).releases
    return sqrt(releases) / gaussian_mu(epsilon, DELTA)


@cache
def _buffers(steps: int, epochs: int):
    return multi_participation_factorization(steps * epochs, epochs=epochs, memory=4)[0]


def _last(
    method: str, D: Problem, steps: int, epochs: int, noise: float, rate: float, rng
) -> np.ndarray:
    """Train one model. The rate is for mean gradients, with what momentum adds."""
    how: dict[str, Any] = {
        "clip_norm": 1.0,
        "noise_multiplier": noise,
        "momentum": MOMENTUM,
    }
    rate = rate * (1 - MOMENTUM)
    if method == "sampled":
        T, eta = steps * epochs, rate / D.n
        return sampled_dp_sgd(
            D, rate=1 / steps, steps=T, learning_rate=eta, path_every=T, rng=rng, **how
        ).path[-1]
    how |= {"regularization": D.n / steps / rate, "epochs": epochs, "rng": rng}
    if method == "buffers":
        return multi_epoch_ftrl(D, mechanism=_buffers(steps, epochs), **how).path[-1]
    independent = method == "independent"
    return batched_ftrl(
        D,
        factorization=independent_factorization(steps)
        if independent
        else tree_factorization(steps, estimator="honaker"),
        **how,
    ).path[-1]


@kept(uses=USES)
def trained_networks(
    data: str,
    method: str,
    epsilon: float,
    batch: int,
    epochs: int,
    rate: float,
    seed: int,
) -> dict:
    """Train on 50,000 images; measure on 10,000 held-out ones, and on the test."""
    X, y, X_test, y_test = _images(data)
    rng = np.random.default_rng([seed, METHODS.index(method)])
    order = np.random.default_rng(seed).permutation(len(y))
    out, rest = order[:HELD_OUT], order[HELD_OUT:]
    exact = dp_ftrl_network(seed=seed)
    loss = QuickNetwork(exact.shape, exact.layers, seed=seed)
    D = Problem(X[rest], y[rest], loss, Everywhere())
    steps = D.n // batch
    noise = noise_of(method, epsilon, steps=steps, epochs=epochs)
    theta = _last(method, D, steps, epochs, noise, rate, rng)

    def right(X: np.ndarray, y: np.ndarray) -> float:
        hits = loss.scores_at(theta, X).argmax(axis=1) == y
        return round(100 * float(np.mean(hits)), 2)

    return {
        "noise": float(f"{noise:.6g}"),
        "held_out": right(X[out], y[out]),
        "test": right(X_test, y_test),
    }


# The paper has five seeds, too.
EPOCHS = 20
BATCHES = (250, 1000)
EPSILONS = (1.0, 2.0, 4.0, 8.0, 16.0)


def cells(
    batches: tuple[int, ...] = BATCHES,
    epsilons: tuple[float, ...] = EPSILONS,
    data: str = "mnist",
) -> list[dict[str, Any]]:
    """List the cells of the figure, the methods of one setting side by side."""
    return [
        {
            "data": data,
            "method": method,
            "epsilon": epsilon,
            "batch": batch,
            "epochs": EPOCHS,
        }
        for batch, epsilon, method in product(batches, epsilons, METHODS)
    ]


SEEDS = 5
MOST_RATES = 6
# Where the search for a rate begins, at ε = 8 and batches of 250. It grows as the root
# of ε, and as the batch.
FIRST_RATES = {"sampled": 0.5, "independent": 0.125, "tree": 0.25, "buffers": 0.5}


def chosen(cell: dict[str, Any], seeds: int = SEEDS) -> dict:
    """Choose a rate on the first seed's held-out images; run the other seeds with it.

    The search takes steps of a factor of 2, and goes on where the best rate is an end.
    """
    doublings = np.log2(cell["epsilon"] / 8) / 2 + np.log2(cell["batch"] / 250)
    middle = FIRST_RATES[cell["method"]] * 2.0 ** round(doublings)
    tried = {}

    def held_out(rate: float) -> float:
        tried[rate] = trained_networks(**cell, rate=rate, seed=0)
        return tried[rate]["held_out"]

    scores = {rate: held_out(rate) for rate in (middle, middle / 2, 2 * middle)}
    while len(scores) < MOST_RATES:
        best = max(scores, key=scores.__getitem__)
        beyond = {min(scores): best / 2, max(scores): 2 * best}.get(best)
        if beyond is None:
            break
        scores[beyond] = held_out(beyond)
    best = max(scores, key=scores.__getitem__)
    rest = [trained_networks(**cell, rate=best, seed=k) for k in range(1, seeds)]
    tests = [run["test"] for run in (tried[best], *rest)]
    return {
        "noise": tried[best]["noise"], "rate": best, "test": tests, "held_out": scores
    }  # fmt: skip


def figure_1a(
    batches: tuple[int, ...] = BATCHES, data: str = "mnist"
) -> Iterator[tuple[dict[str, Any], dict]]:
    """Go through the cells: first the range of ε with one seed, then with all seeds."""
    for epsilons in ((4.0, 1.0, 16.0), EPSILONS):
        for seeds in (1, SEEDS):
            for cell in cells(batches, epsilons, data):
                yield cell, chosen(cell, seeds)
