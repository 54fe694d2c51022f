"""Discrete Laplace noise and one of k answers, by listing all outcomes."""

import itertools
import math

import numpy as np
import pytest

from dpteach.accounting import price_of
from dpteach.accounting.pairs.finite_noise import DiscreteLaplaceNoise, RandomAnswer
from dpteach.privacy import (
    Composed,
    DiscreteLaplace,
    Pure,
    RandomizedResponse,
    Relation,
    SampledLaplace,
)

ADD, REPLACE = Relation.ADD_REMOVE, Relation.REPLACE


def geometric(scale, shift=0, far=400):
    x = np.arange(-far, far + 1)
    mass = np.exp(-np.abs(x - shift) / scale)
    return mass * math.tanh(0.5 / scale)


def delta(P, Q, epsilon, steps):
    """Sum over all outcomes of so many releases."""
    first, second = P, Q
    for _ in range(steps - 1):
        first, second = (np.outer(a, b).ravel() for a, b in ((first, P), (second, Q)))
    return math.fsum(np.maximum(first - math.exp(epsilon) * second, 0))


@pytest.mark.parametrize(("scale", "shift"), [(1.0, 1), (2.0, 3), (5.0, 4), (0.7, 2)])
@pytest.mark.parametrize("steps", [1, 2])
def test_discrete_laplace_noise_by_all_outcomes(scale, shift, steps):
    event = DiscreteLaplace(scale, sensitivity=shift, releases=steps, relation=ADD)
    P, Q = geometric(scale, shift), geometric(scale)
    for epsilon in (0.0, 0.3, 0.9 * shift / scale):
        truth = delta(P, Q, epsilon, steps)
        price = price_of(event, epsilon=epsilon)
        assert price.lower <= truth * (1 + 1e-9) + 1e-15
        assert truth * (1 - 1e-9) <= price.delta
        assert price.delta <= truth * (1 + 1e-5) + 1e-15
        for less in range(shift):
            assert delta(geometric(scale, less), Q, epsilon, steps) <= truth + 1e-15


@pytest.mark.parametrize("answers", [3, 5, 6])
@pytest.mark.parametrize("steps", [1, 3, 4])
def test_randomized_response_by_all_outcomes(answers, steps):
    epsilon_0 = 0.6
    P = np.ones(answers)
    Q = np.ones(answers)
    P[0] = Q[1] = math.exp(epsilon_0)
    P, Q = P / P.sum(), Q / Q.sum()
    event = RandomizedResponse(
        epsilon_0, categories=answers, releases=steps, relation=REPLACE
    )
    for epsilon in (0.0, 0.25, 0.7, 1.3):
        truth = delta(P, Q, epsilon, steps)
        price = price_of(event, epsilon=epsilon)
        assert price.lower <= truth * (1 + 1e-9) + 1e-15
        assert truth * (1 - 1e-9) <= price.delta <= truth * (1 + 1e-4) + 1e-15


def test_two_answers_are_a_pure_release_and_more_cost_less():
    public = {"releases": 20, "relation": REPLACE}
    two = price_of(RandomizedResponse(0.5, categories=2, **public), delta=1e-6)
    pure = price_of(Pure(0.5, **public), delta=1e-6)
    assert two == pure
    prices = [
        price_of(RandomizedResponse(0.5, categories=k, **public), delta=1e-6).epsilon
        for k in (3, 10, 100, 10_000)
    ]
    assert prices == sorted(prices, reverse=True)
    assert prices[0] < pure.epsilon


def test_total_variation_is_delta_at_zero():
    for scale, shift in itertools.product((0.3, 1.0, 8.0), (1, 2, 3, 8)):
        kind = DiscreteLaplaceNoise(scale, shift)
        truth = delta(geometric(scale, shift), geometric(scale), 0.0, 1)
        assert kind.total_variation == pytest.approx(truth, rel=1e-12)
        assert math.exp(kind.log_delta(0.0)) == pytest.approx(truth, rel=1e-12)
    answer = RandomAnswer(0.6, 5)
    assert math.exp(answer.log_delta(0.0)) == pytest.approx(answer.total_variation)
    assert answer.log_delta(0.6) == -math.inf


def test_many_integers_are_nearly_real_numbers():
    """Of so many losses, groups are joined; both sides still hold."""
    fine = DiscreteLaplace(1e5, sensitivity=10**5, releases=30, relation=ADD)
    real = SampledLaplace(1.0, releases=30, relation=ADD)
    found, known = (price_of(event, delta=1e-6) for event in (fine, real))
    assert found.epsilon == pytest.approx(known.epsilon, rel=1e-5)
    assert found.lower == pytest.approx(known.lower, rel=1e-5)
    assert not DiscreteLaplaceNoise(1e5, 10**5).tight


@pytest.mark.parametrize(
    "event",
    [
        DiscreteLaplace(1e-3, sensitivity=2, releases=5, relation=ADD),
        RandomizedResponse(2000.0, categories=7, releases=5, relation=ADD),
    ],
)
def test_of_huge_losses_the_largest_alone_counts(event):
    price = price_of(event, delta=1e-6)
    assert 2000 * (1 - 1e-6) <= price.lower <= price.epsilon
    assert price.epsilon == pytest.approx(10_000, rel=1e-6)
    assert price.method.endswith("as if only its largest loss were known")
    assert price.kind == "upper bound"


def test_at_delta_zero_losses_add_up():
    both = Composed(
        (
            DiscreteLaplace(4.0, sensitivity=2, releases=3, relation=REPLACE),
            RandomizedResponse(0.25, categories=5, releases=2, relation=REPLACE),
        )
    )
    assert price_of(both, delta=0).epsilon == pytest.approx(2.0, rel=1e-12)
