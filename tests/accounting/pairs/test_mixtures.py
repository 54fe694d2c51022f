"""Gaussian releases that are moved at random, beside integrals and other directions."""

import math

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import binom, norm

from dpteach.accounting import price_of
from dpteach.accounting.pairs.mixtures import MixedGaussian
from dpteach.privacy import Gaussian, MixtureOfGaussians, Relation, SampledGaussian

ADD, REPLACE, ZERO = Relation.ADD_REMOVE, Relation.REPLACE, Relation.ZERO_OUT
# δ of one release at λ = 1 and q = 0.01, by bisection and by quadrature
ONE_STEP = {
    0.001: 6.34636455e-3,
    0.01: 3.32757945e-3,
    0.02: 1.77671549e-3,
    0.05: 4.41413865e-4,
    0.1: 9.33184568e-5,
    0.2: 1.17206617e-5,
    0.5: 2.45564806e-7,
    1.0: 2.95694898e-9,
}
# ε at δ = 1e-6, which dp_accounting rounds to 3.214, 0.629 and 2.004
MANY = [
    (1.0, 0.01, 1000, 3.2142310),
    (1.0, 0.001, 5000, 0.6289051),
    (2.0, 0.01, 2000, 2.0036414),
]


def replaced(noise, rate, steps=1):
    return SampledGaussian(noise, rate=rate, releases=steps, relation=REPLACE)


@pytest.mark.parametrize(("epsilon", "delta"), ONE_STEP.items())
def test_one_step_of_a_replaced_record(epsilon, delta):
    price = price_of(replaced(1.0, 0.01), epsilon=epsilon)
    assert price.lower <= delta * (1 + 1e-8)
    assert delta * (1 - 1e-8) <= price.delta
    assert price.delta - price.lower < 2e-5 * delta


@pytest.mark.parametrize(("noise", "rate", "steps", "epsilon"), MANY)
def test_many_steps_of_a_replaced_record(noise, rate, steps, epsilon):
    price = price_of(replaced(noise, rate, steps), delta=1e-6)
    assert price.lower - 5e-8 <= epsilon <= price.epsilon + 5e-8
    assert price.kind == "certified"


@pytest.mark.parametrize(
    ("kind", "relation"),
    [
        (MixedGaussian(0.8, (0.0, 1.0), (0.9, 0.1), True), REPLACE),
        (MixedGaussian(2.0, (0.0, 1.0, 2.0), (0.81, 0.18, 0.01), True), REPLACE),
        (MixedGaussian(1.5, (0.5, 3.0), (0.7, 0.3), False), ZERO),
    ],
    ids=repr,
)
def test_two_releases_beside_an_integral_over_the_plane(kind, relation):
    step, noise = 0.02, kind.noise_multiplier
    x = np.arange(-14, 14, step)

    def density(sign):
        at = zip(kind.moves, kind.probabilities, strict=True)
        one = sum(w * norm.pdf(x, sign * m, noise) for m, w in at)
        return np.outer(one, one) * step**2

    P, Q = density(1), density(-1 if kind.replaced else 0)
    event = MixtureOfGaussians(
        noise,
        sensitivities=kind.moves,
        probabilities=kind.probabilities,
        releases=2,
        relation=relation,
    )
    for epsilon in (0.1, 1.0):
        sides = [(P, Q), (Q, P)]
        truth = max(
            float(np.sum(np.maximum(first - math.exp(epsilon) * second, 0)))
            for first, second in sides
        )
        price = price_of(event, epsilon=epsilon)
        assert price.lower <= truth * (1 + 3e-4)
        assert truth * (1 - 3e-4) <= price.delta <= truth * (1 + 6e-4)
        assert price.delta - price.lower < 1e-5 * price.delta


def divergence(P, Q, epsilon, far):
    def over(x):
        return max(P(x) - math.exp(epsilon) * Q(x), 0.0)

    return quad(over, -far, far, limit=500, epsabs=1e-13, points=[0.0])[0]


@pytest.mark.parametrize("relation", [ADD, REPLACE])
def test_one_release_of_a_user_beside_quadrature(relation):
    count, rate, noise = 4, 0.3, 1.7
    shares = binom.pmf(range(count + 1), count, rate)

    def mixture(sign):
        return lambda x: float(shares @ norm.pdf(x, sign * np.arange(count + 1), noise))

    P, Q = mixture(1), mixture(-1)
    if relation is ADD:
        Q = norm(0, noise).pdf
    event = MixtureOfGaussians(
        noise,
        sensitivities=range(count + 1),
        probabilities=shares,
        relation=relation,
    )
    for epsilon in (0.0, 0.4, 1.5):
        pairs = [(P, Q), (Q, P)]
        truth = max(divergence(*pair, epsilon, 25.0) for pair in pairs)
        price = price_of(event, epsilon=epsilon)
        assert price.lower <= truth * (1 + 1e-9)
        assert truth * (1 - 1e-9) <= price.delta <= truth * (1 + 1e-4)


def in_the_plane(first, second, q, epsilon, noise):
    """δ of (1 − q)N(0) + qN(g) against (1 − q)N(0) + qN(g'), on a fine grid."""
    x = np.arange(-9, 9, 0.05) * noise
    one = np.exp(-(x**2) / (2 * noise**2))
    base = np.outer(one, one)

    def density(g):
        a, b = (np.exp((2 * x * part - part**2) / (2 * noise**2)) for part in g)
        return base * (1 - q + q * np.outer(a, b))

    gap = density(first) - math.exp(epsilon) * density(second)
    return float(np.sum(np.maximum(gap, 0))) * 0.05**2 / (2 * math.pi)


def test_no_other_direction_or_length_costs_more():
    """Power: against the price of removing the record, opposite ones do."""
    rng, opposite = np.random.default_rng(36), 0
    for _ in range(25):
        turns, sizes = rng.uniform(0, 2 * math.pi, 2), rng.uniform(0, 1, 2) ** 0.25
        first, second = (
            size * np.array([math.cos(turn), math.sin(turn)])
            for size, turn in zip(sizes, turns, strict=True)
        )
        q, noise = rng.uniform(0.05, 0.9), rng.uniform(0.7, 2)
        epsilon = rng.uniform(0.01, 0.8)
        found = in_the_plane(first, second, q, epsilon, noise)
        worst = MixedGaussian(noise, (0.0, 1.0), (1 - q, q), True).worst(True)
        assert found <= math.exp(worst.log_delta(epsilon)) + 1e-6
        alone = SampledGaussian(noise, rate=q, relation=ADD)
        opposite += found > price_of(alone, epsilon=epsilon).delta + 1e-6
    assert opposite > 3


def test_a_user_with_one_record_is_a_sampled_record():
    public = {"releases": 200, "relation": ADD}
    user = MixtureOfGaussians(
        1.0, sensitivities=(1, 0), probabilities=(0.02, 0.98), **public
    )
    record = price_of(SampledGaussian(1.0, rate=0.02, **public), delta=1e-6)
    found = price_of(user, delta=1e-6)
    assert found.lower <= record.epsilon
    assert record.lower <= found.epsilon <= record.epsilon * (1 + 1e-6)


def test_cells_keep_probability_and_the_mean_of_the_ratio():
    kind = MixedGaussian(0.5, (0.0, 1.0, 3.0), (0.5, 0.3, 0.2), True)
    for pair in (kind.worst(True), kind.reached(True)):
        assert math.fsum(np.exp(pair.log_mass)) == pytest.approx(1, abs=1e-13)
        other = np.exp(pair.log_mass - pair.loss)
        assert math.fsum(other) == pytest.approx(1, abs=1e-13)
        assert np.all(np.diff(pair.loss) >= 0)
    for epsilon in (0.1, 2.0):
        assert kind.reached(True).log_delta(epsilon) <= kind.worst(True).log_delta(
            epsilon
        )


def test_what_bounds_a_mixture_without_an_integral():
    kind = MixedGaussian(2.0, (0.0, 1.0, 3.0), (0.5, 0.3, 0.2), False)
    assert kind.spread == 1.5
    assert MixedGaussian(2.0, (1.0, 3.0), (0.5, 0.5), True).spread == 3.0
    exact = math.exp(kind.worst(True).log_delta(0.0))
    assert exact <= kind.total_variation <= 1.1 * exact
    always = MixtureOfGaussians(
        2.0, sensitivities=[3.0], probabilities=[1.0], relation=ADD
    )
    known = price_of(Gaussian(2.0 / 3, relation=ADD), delta=1e-6)
    assert price_of(always, delta=1e-6).epsilon == pytest.approx(
        known.epsilon, rel=1e-6
    )
