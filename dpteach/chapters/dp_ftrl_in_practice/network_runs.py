"""Runs behind the DP-FTRL paper's figure 1(a): its network on MNIST, by four methods.

A run is three minutes of a processor, so each one is kept as soon as it is finished:
``make experiments NAMES=network_on_mnist`` may be stopped and goes on from there.
The learning rate of each method is chosen on 10,000 held-out images of the training
set, and that search is not charged to ε.
"""

from functools import cache
from math import sqrt

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
from ...figures.results import downloaded, kept, stored
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
def _images() -> tuple[np.ndarray, ...]:
    X, y, X_test, y_test = downloaded("mnist_pixels")
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
    how = {"clip_norm": 1.0, "noise_multiplier": noise, "momentum": MOMENTUM}
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
def trained_on_mnist(
    method: str, epsilon: float, batch: int, epochs: int, rate: float, seed: int
) -> dict:
    """Train on 50,000 images; measure on 10,000 held-out ones, and on the test."""
    X, y, X_test, y_test = _images()
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


def chosen(
    method: str, epsilon: float, batch: int, epochs: int, rates: tuple, seeds: int
) -> dict:
    """Choose the rate by the first seed's held-out images; run the other seeds."""
    fixed = {"method": method, "epsilon": epsilon, "batch": batch, "epochs": epochs}
    first = {rate: trained_on_mnist(**fixed, rate=rate, seed=0) for rate in rates}
    rate = max(rates, key=lambda each: first[each]["held_out"])
    rest = [trained_on_mnist(**fixed, rate=rate, seed=k) for k in range(1, seeds)]
    return {
        "noise": first[rate]["noise"],
        "rate": rate,
        "held_out": [first[each]["held_out"] for each in rates],
        "test": [run["test"] for run in (first[rate], *rest)],
    }


# The paper has 20 epochs, batches of 250 and 1,000, and five seeds: to go on towards it,
# extend these arguments. Runs that are finished are kept.
@stored(
    uses=USES,
    epsilons=(8.0,),
    batches=(250,),
    epochs=5,
    rates={
        "sampled": {"8": (1.0, 0.5, 2.0)},
        "independent": {"8": (0.25, 0.125, 0.5)},
        "tree": {"8": (0.5, 0.25, 1.0)},
        "buffers": {"8": (0.5, 1.0, 0.25)},
    },
    seeds=1,
    seed=0,
)
def network_on_mnist(
    epsilons: tuple, batches: tuple, epochs: int, rates: dict, seeds: int, seed: int
) -> dict:
    """Collect the runs: a mapping of methods over lists over batches of lists over ε.

    All methods get the same effort, and the first runs are those of the first ε.
    """
    if seed:
        raise ValueError(f"`seed` must be 0, where the runs begin, got {seed}.")
    out = {method: [[None] * len(epsilons) for _ in batches] for method in METHODS}
    for i, epsilon in enumerate(epsilons):
        for j, batch in enumerate(batches):
            for method in METHODS:
                out[method][j][i] = chosen(
                    method, epsilon, batch, epochs,
                    tuple(rates[method][f"{epsilon:g}"]), seeds,
                )  # fmt: skip
    return out
