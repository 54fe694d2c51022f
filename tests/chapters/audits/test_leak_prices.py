"""The prices of leaks are those of an integral, or of what is counted."""

from math import exp

import numpy as np
import pytest
from scipy.stats import binomtest, norm

from dpteach.accounting import epsilon_of
from dpteach.auditing import event_epsilon_lower_bound
from dpteach.chapters.audits import leak_prices, leaks, museum
from dpteach.chapters.shared.tied_noise import noise_for
from dpteach.privacy import Relation, SampledGaussian


@pytest.mark.parametrize("epsilon", [0.3, 3.0])
def test_the_price_of_two_sizes_of_noise_is_that_of_an_integral(epsilon):
    """Three weights, ten records or two: an integral over the length of a vector."""
    pair = np.zeros((3, 3)), np.zeros((2, 3))
    found = leak_prices.gaussian_pair_epsilon(
        leaks.private_divisor, pair, epsilon, 1e-3
    )
    x = np.linspace(0, 30, 600_001)[1:]
    few, many = 2 / 2, 2 / 3  # their sizes, times the same number

    def density(size):
        mass = x**2 * np.exp(-((x / size) ** 2) / 2) / size**3
        return mass / mass.sum()

    p, q = density(few), density(many)
    deltas = [np.maximum(a - exp(found) * b, 0).sum() for a, b in ((p, q), (q, p))]
    assert max(deltas) == pytest.approx(1e-3, rel=1e-3)


@pytest.mark.parametrize("runs", [1, 20])
def test_the_price_of_the_best_run_is_that_of_an_integral(runs):
    found = leak_prices.best_of(runs)(1.0)
    mu = 1 / noise_for(1.0, 1)
    x = np.linspace(-12, 12, 400_001)

    def density(move):
        log = norm.logpdf(x - move) + (runs - 1) * norm.logcdf(x - move)
        return np.exp(log) * runs * (x[1] - x[0])

    p, q = density(0.0), density(mu)
    deltas = [np.maximum(a - exp(found) * b, 0).sum() for a, b in ((p, q), (q, p))]
    assert max(deltas) == pytest.approx(1e-6, rel=1e-3)


def test_the_event_of_shuffled_batches_is_as_likely_as_computed():
    """In 500 epochs; each rate fails by chance at 1e-7 at most."""
    lam, threshold = leak_prices.coin_noise(1.0), 3.0
    rates = leak_prices.shuffled_rates(threshold, lam)
    rng = np.random.default_rng(5)
    for pull, rate in zip((1.0, 0.0), rates, strict=True):
        G = np.full((100, 1), -1.0)  # a batch of one record each
        G[0] = pull
        out = np.array([leaks.shuffled_epoch(G, lam, rng)[:, 0] for _ in range(500)])
        hits = int(((out + 1) / lam > threshold).any(axis=1).sum())
        assert binomtest(hits, 500, rate).pvalue > 1e-7


def test_coins_cost_what_is_claimed():
    event = SampledGaussian(
        leak_prices.coin_noise(1.0),
        rate=1 / leak_prices.BATCHES,
        releases=leak_prices.BATCHES,
        relation=Relation.ZERO_OUT,
    )
    assert epsilon_of(event, 1e-6) <= 1


@pytest.mark.claim(
    "22-audits",
    "A noisy count of 1 never shows bits finer than 2⁻⁵³ near zero, and a noisy count "
    "of 0 does: 20,000 runs of each kind refute ε = 1 at a risk of one in a million.",
    order=30,
)
def test_the_last_bits_tell_zero_from_one():
    lam, rng, n = noise_for(1.0, 1), np.random.default_rng(0), 20_000
    zero, one = (count + lam * rng.standard_normal(n) for count in (0, 1))
    hits = int(leaks.last_bits(zero).sum())
    assert not leaks.last_bits(one).any()
    assert binomtest(hits, n, leak_prices.last_bits_rate(lam)).pvalue > 1e-7
    bound = event_epsilon_lower_bound(hits, n, 0, n, delta=1e-6, false_alarm=1e-6)
    assert bound == pytest.approx(3.745, abs=1e-3)
    # Why it is impossible: near −1 all doubles are multiples of 2⁻⁵³.
    z = -rng.uniform(0.75, 1.25, 10_000)
    assert not leaks.last_bits(1 + z).any()


def test_what_cannot_be_priced_is_refused():
    def both(G, lam, rng):  # mean and size differ
        return len(G) * (1 + lam * rng.standard_normal(2))

    with pytest.raises(ValueError, match="`pair` must give noises"):
        leak_prices.gaussian_pair_epsilon(both, museum.ONE_MORE, 1.0)
