"""Neighbors with equal randomness: no noise moves by more than is stated."""

from dataclasses import replace
from math import inf, sqrt

import numpy as np
import pytest

from dpteach import Problem, Relation, constraints, losses
from dpteach.auditing import NotGaussian, replayed_mu
from dpteach.auditing.leaks import leaky_dp_sgd
from dpteach.constraints import Everywhere
from dpteach.privacy import Gaussian, SampledGaussian
from tests.algorithms.case import cases

# Additive normal noise, on all of R^p: a projection would hide what it cuts off.
NORMAL = {
    name: case
    for name, case in cases().items()
    if name
    in (
        "dp_sgd",
        "dp_sgd huber",
        "dp_sgd absolute",
        "dp_sgd linear",
        "dp_sgd classes",
        "sampled_dp_sgd",
        "output_perturbation gaussian",
        "bolt_on_sgd",
        "dp_ftrl",
        "dp_ftrl honaker",
        "momentum_dp_ftrl",
        "matrix_ftrl",
        "batched_ftrl",
    )
}


def linear(case, row, label=1.0):
    """A problem of the case with the linear loss, if it may be, and one record set."""
    D = case.problem()
    loss = D.loss if D.loss.classes or "linear" in D.loss.name else losses.logistic
    y = np.where(D.y >= 0, 1.0, -1.0) if D.loss.classes is None else D.y
    X = D.X.copy()
    X[3], y[3] = row, label
    return Problem(X, y, loss, Everywhere())


def stated_mu(event):
    """The μ of a Gaussian event; of a sampled one that of steps that all hold it."""
    assert isinstance(event, Gaussian | SampledGaussian)
    return event.relation.sensitivity * sqrt(event.releases) / event.noise_multiplier


ROWS = (0.0, 0.3, -1.0, 1e6, 1e30, -1e150)


@pytest.mark.parametrize("name", NORMAL)
def test_no_neighbor_moves_the_noise_by_more_than_the_event_states(name):
    """A record at zero, and replaced where the event allows it, by six kinds."""
    case = NORMAL[name]
    event = case.run(case.problem(), 0).event
    relation = event.relation

    def path(D, rng):
        return case.run(D, rng).path

    pairs = [(0.0, row) for row in ROWS]
    if relation is Relation.REPLACE:
        pairs += [(-row, row) for row in ROWS]
    claimed = stated_mu(event)
    largest = 0.0
    for k, (one, other) in enumerate(pairs):
        found = replayed_mu(path, linear(case, one), linear(case, other), rng=k)
        assert found <= claimed * (1 + 1e-6), (one, other)
        largest = max(largest, found)
    assert largest > 0.05 * claimed  # the record is seen at all


def test_the_sharpest_record_is_found():
    """A linear loss pulls by L in each step: the bound is met."""
    case = cases()["dp_sgd linear"]
    D = replace(case.problem(), constraint=Everywhere())
    X = D.X.copy()
    X[3] = [9.0, 0, 0]
    y = D.y.copy()
    y[3] = 1.0
    none = Problem(
        np.where(np.arange(12)[:, None] == 3, 0.0, X), y, D.loss, Everywhere()
    )
    event = case.run(D, 0).event
    found = replayed_mu(
        lambda d, rng: case.run(d, rng).path,
        Problem(X, y, D.loss, Everywhere()),
        none,
        rng=0,
    )
    share = stated_mu(event) / event.relation.sensitivity
    assert found == pytest.approx(share, rel=1e-6)


def test_broken_variants_are_found():
    """Three ways to leave one thing out of DP-SGD; each claims μ = 1/2."""
    ways = leaky_dp_sgd(clip_norm=1.0, steps=4, noise_multiplier=4.0)
    D = Problem(np.array([[10.0, 0]]), np.ones(1), losses.linear, Everywhere())
    none = Problem(np.zeros((1, 2)), np.ones(1), losses.linear, Everywhere())
    found = {way: replayed_mu(run, D, none, rng=1) for way, run in ways.items()}
    assert found.pop("nothing") == pytest.approx(0.5)
    assert found["the clip"] == pytest.approx(5.0)
    assert found["the growth of the noise with T"] == pytest.approx(1.0)
    # one draw covers a pull that never changes, and none that does
    one, other = (
        Problem(d.X / 10, d.y, losses.logistic, Everywhere()) for d in (D, none)
    )
    assert replayed_mu(ways["nothing"], one, other, rng=1) <= 0.5
    assert replayed_mu(ways["the fresh draw"], one, other, rng=1) == inf


def test_other_noise_is_refused():
    with pytest.raises(NotGaussian, match="laplace"):
        replayed_mu(lambda D, rng: [D + rng.laplace()], 0.0, 1.0, rng=0)


BAD_INPUT = {
    replayed_mu: {
        "release": lambda _data, rng: np.zeros(1) + rng.standard_normal(1),
        "data": constraints.L2Ball(1.0),
        "neighbor": constraints.L2Ball(2.0),
        "rng": 0,
    }
}
# Data are whatever the release takes.
ANYTHING = {f"{v!r:.12}" for v in (object(), 1j, {})} | {"a word", "0.5", "the class"}
ALSO_ACCEPTED = {(replayed_mu, each): ANYTHING for each in ("data", "neighbor")}
