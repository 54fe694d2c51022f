"""A Poisson sample that is cut to a largest batch: all samples of a few records."""

import itertools
import math

import numpy as np
import pytest
from scipy.stats import norm

from dpteach.accounting import price_of
from dpteach.accounting.pairs.truncated import truncated_sample
from dpteach.privacy import Relation, SampledGaussian, TruncatedSampledGaussian

ADD = Relation.ADD_REMOVE


def sums(values, rate, most):
    """List the sums of all samples, and how likely each is."""
    found = []
    for coins in itertools.product((0, 1), repeat=len(values)):
        heads = [v for v, coin in zip(values, coins, strict=True) if coin]
        likely = math.prod(rate if coin else 1 - rate for coin in coins)
        kept = list(itertools.combinations(heads, min(most, len(heads))))
        found += [(sum(each), likely / len(kept)) for each in kept]
    return found


def delta(first, second, noise, epsilon):
    x = np.arange(-14, 14, 0.002)
    P, Q = (
        sum(share * norm.pdf(x, at, noise) for at, share in each)
        for each in (first, second)
    )
    return float(np.sum(np.maximum(P - math.exp(epsilon) * Q, 0))) * 0.002


@pytest.mark.parametrize("most", [1, 2, 3])
def test_all_samples_of_four_records(most):
    """Power: for B = 1 some data sets cost more than a sample that is not cut."""
    noise, rate, n = 1.2, 0.4, 4
    cut = TruncatedSampledGaussian(noise, rate=rate, batch_size=most, n=n, relation=ADD)
    whole = SampledGaussian(noise, rate=rate, relation=ADD)
    beyond = []
    for epsilon in (0.05, 0.5):
        price, full = (price_of(e, epsilon=epsilon) for e in (cut, whole))
        worst = 0.0
        for others in itertools.combinations_with_replacement((-1, 0, 1), n - 1):
            with_it, without = (
                sums(values, rate, most) for values in ((1, *others), others)
            )
            for pair in ((with_it, without), (without, with_it)):
                worst = max(worst, delta(*pair, noise, epsilon))
        assert price.lower <= worst + 1e-9
        assert worst <= price.delta + 1e-9
        beyond.append(worst > full.delta + 1e-6)
    assert any(beyond) == (most == 1)


def test_how_often_a_record_enters():
    rate, n = 0.3, 6
    for most in (1, 3, 5):
        kind = truncated_sample(2.0, rate, most, n)
        enters = crowded = 0.0
        for others in range(n):
            likely = math.comb(n - 1, others) * rate**others
            likely *= (1 - rate) ** (n - 1 - others)
            enters += likely * rate * min(1, most / (others + 1))
            crowded += likely * (others >= most)
        assert kind.enters == pytest.approx(enters, rel=1e-8)
        assert kind.enters <= enters
        assert kind.crowded == pytest.approx(crowded, rel=1e-8)
        assert kind.crowded >= crowded


def test_a_batch_that_never_overflows_is_a_poisson_sample():
    public = {"rate": 0.01, "releases": 100, "relation": ADD}
    full = price_of(SampledGaussian(1.0, **public), delta=1e-6)
    same = TruncatedSampledGaussian(1.0, batch_size=500, n=500, **public)
    assert price_of(same, delta=1e-6) == full
    rare = TruncatedSampledGaussian(1.0, batch_size=200, n=10_000, **public)
    price = price_of(rare, delta=1e-6)
    assert full.lower <= price.epsilon <= full.epsilon * (1 + 1e-5)
    often = TruncatedSampledGaussian(1.0, batch_size=100, n=10_000, **public)
    assert price_of(often, delta=1e-6).epsilon > 2 * full.epsilon


def test_lists_keep_all_probability():
    kind = truncated_sample(1.0, 0.2, 3, 12)
    for removed in (True, False):
        pair = kind.worst(removed)
        assert math.fsum(np.exp(pair.log_mass)) == pytest.approx(1, abs=1e-12)
        assert np.all(np.diff(pair.loss) >= 0)
        assert math.exp(pair.log_delta(0.0)) <= kind.total_variation * (1 + 1e-9)
    for relation in (Relation.ZERO_OUT, Relation.REPLACE):
        with pytest.raises(ValueError, match=r"must be Relation\.ADD_REMOVE"):
            TruncatedSampledGaussian(
                1.0, rate=0.1, batch_size=3, n=9, relation=relation
            )
