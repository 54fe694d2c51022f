"""Prices of the chapter: against closed forms, quadrature and a second library."""

import itertools
import math

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import ndtr
from scipy.stats import norm

from dpteach.accounting import epsilon_of, gaussian_delta
from dpteach.chapters.amplification.mixtures import (
    binomial_pairs,
    composed_epsilon,
)
from dpteach.privacy import (
    AllocatedGaussian,
    FixedSizeGaussian,
    Relation,
    SampledGaussian,
)


def coins(noise, rate, releases):
    return SampledGaussian(
        noise, rate=rate, releases=releases, relation=Relation.ADD_REMOVE
    )


def two_bins(noise):
    """ε of two bins at δ = 1e-5."""
    event = AllocatedGaussian(noise, steps=2, relation=Relation.ADD_REMOVE)
    return epsilon_of(event, 1e-5)


@pytest.mark.parametrize(
    ("noise", "rate", "releases", "delta"),
    [
        (1.0, 0.1, 1, 1e-6),
        (0.7, 1e-3, 1000, 1e-6),
        (4.0, 0.01, 10_000, 1e-5),
        (2.0, 0.3, 30, 1e-9),
        (0.8, 1e-5, 30_000, 1e-7),
    ],
)
@pytest.mark.parametrize("reach", [1, 2])
def test_one_trial_costs_what_coins_cost(noise, rate, releases, delta, reach):
    """Drawn at most once, at a distance of ``reach``: certified prices are at hand."""
    pairs = binomial_pairs(reach * noise, trials=1, probability=rate, reach=reach)
    ours = composed_epsilon(pairs, releases=releases, delta=delta)
    exact = epsilon_of(coins(noise, rate, releases), delta)
    assert exact <= ours <= exact * (1 + 1e-6)


def black_scholes(spread, strike):
    """E[(Y − strike)₊] for a lognormal Y of mean 1."""
    if strike <= 0:
        return 1 - strike
    d = -math.log(strike) / spread + spread / 2
    return ndtr(d) - strike * ndtr(d - spread)


def two_bins_delta(noise, epsilon, spread_after=None):
    """δ of two bins for a removed record, by quadrature over the first output.

    ``spread_after(z)`` is the length of the second gradient over the noise, if it
    depends on the first output.
    """

    def inner(z):
        first = math.exp(z / noise - 0.5 / noise**2)
        spread = spread_after(z) if spread_after else 1 / noise
        return norm.pdf(z) * black_scholes(spread, 2 * math.exp(epsilon) - first) / 2

    return quad(inner, -12, 14, limit=800, epsabs=1e-14, points=[0.0])[0]


@pytest.mark.claim(
    "10-amplification",
    "The price of balls and bins is an upper bound, and sharp: for two bins it agrees "
    "with quadrature to a thousandth.",
    order=3,
)
@pytest.mark.parametrize("noise", [0.6, 1.0, 2.5])
def test_two_bins_agree_with_quadrature(noise):
    ours = two_bins(noise)
    assert two_bins_delta(noise, ours) <= 1e-5
    assert two_bins_delta(noise, ours * 0.999) > 1e-5
    # Power: with a tenth more noise the bound would be too low
    assert two_bins_delta(noise, two_bins(1.1 * noise)) > 1.2e-5


@pytest.mark.parametrize("noise", [0.6, 1.0, 2.5])
@pytest.mark.parametrize("short", [0.0, 0.3, 0.9])
def test_gradients_that_react_do_not_cost_more(noise, short):
    """The second gradient is short after a small first output, or after a large one."""
    ours = two_bins(noise)
    for sign in (1, -1):

        def spread(z, sign=sign):
            return (1.0 if sign * z > 0 else max(short, 1e-9)) / noise

        assert two_bins_delta(noise, ours, spread) <= 1e-5


def hockey_stick(p, q, epsilon, step):
    return np.maximum(p - math.exp(epsilon) * q, 0).sum() * step


@pytest.mark.claim(
    "10-amplification",
    "When a record of a fixed batch is replaced, the price of one step covers every "
    "small data set that was tried, and one data set meets it.",
    order=5,
)
@pytest.mark.parametrize("m", [1, 2])
def test_a_replaced_record_of_a_fixed_batch(m):
    """All batches of a small data set, with gradients drawn from [−1, 1]."""
    rng, noise, n = np.random.default_rng(5), 0.9, 4
    x = np.linspace(-12, 12, 6001)
    step, q = x[1] - x[0], m / n

    def output(values):
        batches = [sum(b) for b in itertools.combinations(values, m)]
        return np.mean([norm.pdf(x, loc=s, scale=noise) for s in batches], axis=0)

    def bound(epsilon):
        inner = math.log1p(math.expm1(epsilon) / q)
        return q * gaussian_delta(2 / noise, inner)

    nearest = 0.0
    for case in range(60):
        data = rng.uniform(-1, 1, n) if case else -np.ones(n)
        other = data.copy()
        other[0] = rng.uniform(-1, 1) if case else 1.0
        for epsilon in (0.0, 0.3, 1.0):
            found = hockey_stick(output(other), output(data), epsilon, step)
            assert found <= bound(epsilon) * (1 + 1e-6)
            nearest = max(nearest, found / bound(epsilon))
    assert nearest > 1 - 1e-5  # others at −1, the record from −1 to 1


def test_many_replaced_steps_cost_at_least_either_direction():
    for noise, rate, releases in ((1.4, 1e-3, 1000), (6.0, 0.05, 200)):
        event = FixedSizeGaussian(
            noise,
            batch_size=round(1000 * rate),
            n=1000,
            releases=releases,
            relation=Relation.REPLACE,
        )
        either = epsilon_of(coins(noise / 2, rate, releases), 1e-6)
        assert either <= epsilon_of(event, 1e-6) <= 1.1 * either


def test_a_second_library_agrees_on_draws_with_replacement():
    from dp_accounting.pld import privacy_loss_distribution as pld
    from scipy.stats import binom

    k = np.arange(6)
    theirs = pld.from_mixture_gaussian_mechanism(
        4.0,
        sensitivities=list(2.0 * k),
        sampling_probs=list(binom.pmf(k, 5, 0.02) / binom.cdf(5, 5, 0.02)),
        value_discretization_interval=1e-3,
    ).self_compose(50)
    wanted = theirs.get_epsilon_for_delta(1e-6)
    pairs = binomial_pairs(4.0, trials=5, probability=0.02, reach=2)
    ours = composed_epsilon(pairs, releases=50, delta=1e-6)
    assert wanted * 0.98 <= ours <= wanted * 1.002  # theirs rounds up, too


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (
            lambda: binomial_pairs(1.0, trials=0, probability=0.1, reach=1),
            "trials",
        ),
        (
            lambda: binomial_pairs(1.0, trials=2, probability=0.1, reach=0.5),
            "reach",
        ),
        (
            lambda: composed_epsilon(
                binomial_pairs(1.0, trials=5, probability=0.1, reach=1),
                releases=100,
                delta=1e-16,
            ),
            "delta",
        ),
    ],
)
def test_mistakes_are_named(call, name):
    with pytest.raises((ValueError, TypeError), match=f"`{name}`"):
        call()
