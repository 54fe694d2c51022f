"""The μ, true positives and Rényi divergences of events, each computed again."""

import math

import numpy as np
import pytest
from scipy.stats import norm

from dpteach.accounting import (
    delta_of,
    mu_of,
    renyi_divergence,
    restate,
    sampled_gaussian_rdp,
    trade_off,
    true_positives,
)
from dpteach.accounting.rules.gaussian import log_delta
from dpteach.privacy import (
    Approximate,
    Composed,
    Concentrated,
    DiscreteLaplace,
    Gaussian,
    MixtureOfGaussians,
    NotPrivate,
    Pure,
    RandomizedResponse,
    Relation,
    SampledGaussian,
)

ADD, REPLACE = Relation.ADD_REMOVE, Relation.REPLACE


def test_the_mu_of_gaussian_releases_is_their_own():
    event = Composed((Gaussian(3.0, relation=ADD), Gaussian(4.0, relation=ADD)))
    assert mu_of(event) == pytest.approx(5 / 12, rel=1e-14)
    with_rho = Composed((event, Concentrated(0.5, relation=ADD)))
    assert mu_of(with_rho) > math.hypot(5 / 12, 1.0)


@pytest.mark.parametrize(
    "event",
    [
        Pure(0.3, releases=6, relation=ADD),
        SampledGaussian(1.1, rate=0.01, releases=400, relation=ADD),
    ],
    ids=repr,
)
@pytest.mark.parametrize("slack", [1e-9, 1e-4])
def test_mu_is_the_least_that_is_nowhere_too_small(event, slack):
    mu = mu_of(event, slack)
    epsilons = np.linspace(0.003, 4.1, 23)
    curve = np.array([delta_of(event, float(each)) for each in epsilons])
    assert np.all(curve <= np.exp(log_delta(mu, epsilons)) + slack)
    fine = np.linspace(0, 2.5, 26)
    curve = np.array([delta_of(event, float(each)) for each in fine])
    assert np.any(curve > np.exp(log_delta(0.97 * mu, fine)) + slack)


def test_what_fails_more_often_than_the_slack_has_no_mu():
    event = Approximate(0.5, 1e-6, relation=ADD)
    assert mu_of(event, 1e-7) == mu_of(NotPrivate(relation=ADD)) == math.inf
    assert mu_of(event, 1e-5) < 1


@pytest.mark.parametrize("mu", [0.3, 2.0])
def test_true_positives_of_a_gaussian_release(mu):
    event = Gaussian(1 / mu, relation=ADD)
    for alarms in (1e-4, 0.01, 0.3):
        exact = norm.cdf(norm.ppf(alarms) + mu)
        found = true_positives(event, alarms)
        assert exact <= found * (1 + 1e-9)
        assert found <= exact * (1 + 1e-6)
        assert found == pytest.approx(1 - trade_off(event, alarms), rel=1e-12)


def test_true_positives_of_randomized_response():
    """A test that says "in" at the true answer of k, or now and then."""
    k, epsilon = 4, 1.2
    event = RandomizedResponse(epsilon, categories=k, relation=REPLACE)
    true = math.exp(epsilon) / (math.exp(epsilon) + k - 1)
    other = true / math.exp(epsilon)
    assert true_positives(event, other) == pytest.approx(true, rel=1e-6)
    assert true_positives(event, other / 2) == pytest.approx(true / 2, rel=1e-6)


def test_divergences_of_finite_losses_by_all_outcomes():
    x = np.arange(-300, 301)
    P, Q = (np.exp(-np.abs(x - shift) / 2.5) for shift in (3, 0))
    answers, others = np.ones((2, 5))
    answers[0] = others[1] = math.exp(0.8)
    pairs = {
        DiscreteLaplace(2.5, sensitivity=3, relation=ADD): (P, Q),
        RandomizedResponse(0.8, categories=5, relation=ADD): (answers, others),
        Pure(0.8, relation=ADD): (answers[:2], others[:2]),
    }
    for order in (1.01, 2.0, 7.5, 40.0):
        total = 0.0
        for event, (first, second) in pairs.items():
            first, second = first / first.sum(), second / second.sum()
            moment = math.fsum(second * (first / second) ** order)
            total += math.log(moment) / (order - 1)
            assert renyi_divergence(event, order) == pytest.approx(
                math.log(moment) / (order - 1), rel=1e-9
            )
        whole = renyi_divergence(Composed(tuple(pairs)), order)
        assert whole == pytest.approx(total, rel=1e-9)


@pytest.mark.parametrize("relation", [ADD, REPLACE])
def test_divergences_of_a_mixture_by_quadrature(relation):
    noise, moves, shares = 1.3, (0, 1, 2), (0.6, 0.3, 0.1)

    x = np.arange(-25, 60, 0.002)

    def log_density(sign):
        terms = zip(moves, shares, strict=True)
        logs = [math.log(w) + norm.logpdf(x, sign * m, noise) for m, w in terms]
        return np.logaddexp.reduce(logs)

    P, Q = log_density(1), log_density(-1 if relation is REPLACE else 0)
    event = MixtureOfGaussians(
        noise, sensitivities=moves, probabilities=shares, relation=relation
    )
    for order in (1.5, 4.0):
        found = []
        for first, second in ((P, Q), (Q, P)):
            moment = np.sum(np.exp(order * first + (1 - order) * second)) * 0.002
            found.append(math.log(moment) / (order - 1))
        divergence = renyi_divergence(event, order)
        assert max(found) * (1 - 1e-9) <= divergence <= max(found) * (1 + 1e-5)


def test_known_divergences():
    sampled = SampledGaussian(1.0, rate=0.01, releases=3, relation=ADD)
    one = sampled_gaussian_rdp(6.0, rate=0.01, noise_multiplier=1.0)
    assert renyi_divergence(sampled, 6.0) == pytest.approx(3 * one, rel=1e-9)
    assert renyi_divergence(restate(sampled, REPLACE), 6.0) > 3 * one
    assert renyi_divergence(Concentrated(0.2, relation=ADD), 6.0) == pytest.approx(1.2)
    assert renyi_divergence(Approximate(0.2, 1e-9, relation=ADD), 6.0) == math.inf
    with pytest.raises(ValueError, match="`order` must be small enough"):
        renyi_divergence(restate(sampled, REPLACE), 600.0)
    with pytest.raises(ValueError, match="`order` must be above 1"):
        renyi_divergence(sampled, 1.0)
