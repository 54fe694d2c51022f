"""Prices by simulation: the weights by enumeration, the bound against exact prices."""

from itertools import product

import numpy as np
import pytest
from scipy.stats import beta as beta_distribution
from scipy.stats import norm

from dpteach import Relation
from dpteach.accounting import delta_of
from dpteach.algorithms.matrices._random_visits import Bins, Separated
from dpteach.algorithms.matrices._weighed_draws import bounded
from dpteach.algorithms.matrices.simulated_delta import simulated_delta
from dpteach.algorithms.matrices.toeplitz_encoder import Bands
from dpteach.privacy import AllocatedGaussian, SampledGaussian

COLUMN = np.array([0.9, 0.5, 0.3, 0.0, 0.0, 0.0, 0.0])
BINS = Bins(np.array([0.9, 0.5, 0.3, 0.2, 0.1, 0.1, 0.0]), 3)
APART = Separated(COLUMN, 3, 0.4)
RELATION = Relation.ADD_REMOVE


def patterns(visits):
    """Each pattern of visits with its probability, from the definition."""
    T = len(visits.column)
    if isinstance(visits, Bins):
        for o in range(visits.bins):
            yield np.arange(T) % visits.bins == o, 1 / visits.bins
        return
    b, p = visits.separation, visits.probability
    for coins in product((0, 1), repeat=T):
        for first, start in enumerate(visits.starts):
            share, free = start, first
            for t, comes in enumerate(coins):
                if t < free:
                    share *= not comes
                else:
                    share *= p if comes else 1 - p
                    free = t + b if comes else free
            if share:
                yield np.array(coins, dtype=bool), share


def listed(visits):
    """The means and the probabilities of all patterns."""
    T = len(visits.column)
    C = np.zeros((T, T))
    for t in range(T):
        C[t:, t] = visits.column[: T - t]
    marks, shares = zip(*patterns(visits), strict=True)
    return np.array(marks, dtype=float) @ C.T, np.array(shares)


@pytest.mark.parametrize("visits", [BINS, APART])
@pytest.mark.parametrize("s", [1.0, 1.3, 1.8, -0.2, -0.6])
def test_tilted_draws_are_what_the_theorem_needs(visits, s):
    """Its weights are E[P/R] = E[Q/R] = 1, and Jensen's inequality holds of each."""
    means, shares = listed(visits)
    assert shares.sum() == pytest.approx(1, rel=1e-12)
    squares = np.sum(means**2, axis=1)
    kappa = (s - 1) / 2
    log_z = np.log(shares @ np.exp(kappa * squares))
    assert visits.log_mean(np.array(kappa)) == pytest.approx(log_z, rel=1e-9, abs=1e-12)
    assert visits.largest() == pytest.approx(squares.max(), rel=1e-12)

    log_p, log_r = visits.draw(s, 40_000, np.random.default_rng(3))
    assert (log_r - s * (log_p - log_z)).min() > -1e-9
    for log_weight in (log_p - log_r, -log_r):
        weight = np.exp(log_weight)
        error = weight.std() / 200
        assert abs(weight.mean() - 1) < 5.2 * error + 1e-12  # 2e-7 each


def test_patterns_that_are_not_tilted_are_caught():
    """Power: drawn with their own probabilities, and weighed as if they were tilted."""

    class Plain(Separated):
        def _visits(self, _, count, rng):
            return super()._visits(0.0, count, rng)

    plain = Plain(COLUMN, 3, 0.4)
    log_p, log_r = plain.draw(1.8, 40_000, np.random.default_rng(3))
    for log_weight in (log_p - log_r, -log_r):
        weight = np.exp(log_weight)
        assert abs(weight.mean() - 1) > 5.2 * weight.std() / 200


def test_likelihood_ratios_are_those_of_the_definition():
    means, shares = listed(APART)
    y = np.random.default_rng(0).normal(size=(7, 50))
    C = np.array([np.eye(7)[t] for t in range(7)])
    for t in range(7):
        C[t] = np.concatenate([np.zeros(t), COLUMN[: 7 - t]])
    u = C @ y
    ratio = shares @ np.exp(means @ y - np.sum(means**2, axis=1)[:, None] / 2)
    logs = APART._from_start(APART._backward(u - APART.squares[:, None] / 2))
    np.testing.assert_allclose(logs, np.log(ratio), rtol=1e-9, atol=1e-9)


@pytest.mark.claim(
    "15-matrix-factorization",
    "A simulated price is never below the exact one where that is known, and near it.",
    order=60,
)
def test_a_known_price_is_just_below_the_bound():
    epsilon = 1.0
    coins = SampledGaussian(1.0, rate=0.2, releases=6, relation=RELATION)
    picks = AllocatedGaussian(1.0 / 2**0.5, steps=3, relation=RELATION)
    steps = {"steps": 6, "noise_multiplier": 1.0, "epsilon": epsilon, "draws": 1 << 15}
    for event, more in (
        (coins, {"separation": 1, "probability": 0.2}),
        (picks, {"separation": 3}),
    ):
        exact = delta_of(event, epsilon)
        found = simulated_delta(Bands((1.0,)), rng=1, **steps, **more)
        assert exact < found < 1.3 * exact
        more |= {"noise_multiplier": 1.2}  # power: too much noise is assumed
        assert simulated_delta(Bands((1.0,)), rng=1, **steps | more) < exact


def test_overlapping_columns_by_integration_in_the_plane():
    """Two bins, two steps, two bands: no event has this price."""
    m = np.array([[1.0, 0.6], [0.0, 1.0]]) / 1.2
    x = np.linspace(-8, 9, 800)
    y0, y1 = np.meshgrid(x, x, indexing="ij")
    q = norm.pdf(y0) * norm.pdf(y1)
    p = sum(norm.pdf(y0 - a) * norm.pdf(y1 - b) for a, b in m) / 2
    area, e = (x[1] - x[0]) ** 2, np.exp(1.0)
    exact = area * max(np.maximum(p - e * q, 0).sum(), np.maximum(q - e * p, 0).sum())
    settings = {"steps": 2, "separation": 2, "noise_multiplier": 1.2, "epsilon": 1.0}
    found = simulated_delta(Bands((1.0, 0.6)), **settings, draws=1 << 16, rng=0)
    assert exact < found < 1.1 * exact


def test_the_confidence_bound_is_above_that_of_binomial_counts():
    for hits, beta in ((0, 1e-9), (3, 1e-3), (40, 1e-6)):
        exact = beta_distribution.ppf(1 - beta, hits + 1, 1000 - hits)
        found = bounded(hits / 1000, 0.0, 1000, beta)
        assert exact * (1 - 1e-6) <= found <= 1.35 * exact
    assert bounded(0.0, 0.0, 1000, 1e-9) == pytest.approx(1 - 1e-9 ** (1 / 1000))
    assert bounded(1.0, 0.0, 1000, 1e-9) == 1.0


def test_what_no_proof_covers_is_refused():
    known = {"steps": 8, "noise_multiplier": 1.0, "epsilon": 1.0, "rng": 0}
    with pytest.raises(ValueError, match="no coefficient below 0"):
        simulated_delta(Bands((1.0, -0.1)), separation=4, **known)
    with pytest.raises(ValueError, match="at most `separation`=2 bands"):
        simulated_delta(Bands((1.0, 0.5, 0.2)), separation=2, probability=0.1, **known)
    with pytest.raises(ValueError, match="`separation` must be at most `steps`=8"):
        simulated_delta(Bands((1.0,)), separation=9, **known)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("probability", [None, 0.2])
def test_extreme_settings_have_a_bound(probability):
    """Without noise δ is 1; where noise or ε is huge, what few draws can prove is 0."""

    def bound(noise_multiplier, epsilon):
        return simulated_delta(
            Bands((1.0, 0.5)), steps=6, separation=3, probability=probability,
            noise_multiplier=noise_multiplier, epsilon=epsilon, draws=64, rng=0,
        )  # fmt: skip

    assert bound(1e-90, 1.0) == 1.0
    assert bound(1e-3, 1.0) > 0.5  # a record may never come
    assert bound(1e90, 1.0) < 1e-100
    assert bound(1.0, 1e300) < 1e-100
    assert 0 < bound(1.0, 0.0) <= 1
    assert 0 < bound(1e-3, 1e300) < 1e-100


BAD_INPUT = {
    simulated_delta: {
        "encoder": Bands((1.0, 0.5)),
        "steps": 6,
        "separation": 3,
        "noise_multiplier": 1.0,
        "epsilon": 1.0,
        "probability": 0.2,
        "draws": 64,
        "failure_probability": 1e-3,
        "rng": 0,
    },
}
