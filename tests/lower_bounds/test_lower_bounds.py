"""Section 6.5.1: explicit bounds, attacks within their caps, mechanisms in between."""

from math import exp, log, sqrt

import mpmath
import numpy as np
import pytest
from scipy import special, stats

from dpteach import Relation
from dpteach.algorithms.exponential import (
    exponential_mechanism,
    exponential_mechanism_exponent,
    exponential_mechanism_risk_bound,
)
from dpteach.algorithms.rejection_samplers import LinearOnBall
from dpteach.lower_bounds import (
    excess_from_distance,
    fingerprint,
    hard_problem,
    mean_from_model,
    packing_attack,
    packing_code,
    packing_copies,
    packing_data,
    packing_excess_lower_bound,
    packing_lower_bound,
    packing_success_cap,
    tracing_attack,
    tracing_cap,
    tracing_lower_bound,
)
from dpteach.lower_bounds.packing import EXPONENT
from dpteach.mechanisms.k_norm import spherical_laplace

# ---- packing


def test_theorem_6_25_packing_agrees_with_the_published_values():
    assert pytest.approx(0.130812035941137, rel=1e-13) == EXPONENT
    assert packing_copies(0.1, n=1000, p=50) == 58
    assert packing_lower_bound(0.1, n=1000, p=50) == pytest.approx(0.029)
    assert packing_copies(1.0, n=100, p=200) == 24  # 25 would leave an odd rest
    assert packing_lower_bound(1.0, n=100, p=200) == pytest.approx(0.12)


def test_the_number_of_copies_is_the_largest_that_the_proof_allows():
    for n in (1, 2, 7, 50, 51):
        for p in (1, 5, 6, 40, 500):
            for epsilon in (0.01, 0.3, 2.0, 50.0):
                m = packing_copies(epsilon, n=n, p=p)
                allowed = [
                    k
                    for k in range(n + 1)
                    if (n - k) % 2 == 0 and epsilon * k <= EXPONENT * p - log(2)
                ]
                assert m == max(allowed, default=0)
                # then a guess succeeds at most half the time
                if m:
                    assert exp(epsilon * m - EXPONENT * p) <= 0.5 * (1 + 1e-12)


def test_a_code_keeps_its_distance_and_data_their_sum():
    code = packing_code(p=24, codewords=64, rng=0)
    apart = np.linalg.norm(code[:, None] - code[None], axis=-1)
    assert np.min(apart[~np.eye(64, dtype=bool)]) >= 1 - 1e-12
    np.testing.assert_allclose(np.abs(code), 1 / sqrt(24))
    first, second = (packing_data(word, n=30, copies=6) for word in code[:2])
    np.testing.assert_allclose(first.sum(axis=0), 6 * code[0], atol=1e-12)
    assert np.sum(np.any(first != second, axis=1)) == 6
    np.testing.assert_allclose(np.linalg.norm(first, axis=1), 1)
    assert packing_data(code[0], n=6, copies=6).shape == (6, 24)
    with pytest.raises(ValueError, match="`codewords` must be fewer"):
        packing_code(p=4, codewords=100, rng=0)
    with pytest.raises(ValueError, match="`copies` must be at most"):
        packing_data(code[0], n=5, copies=2)


def laplace_mean(epsilon):
    """The ε-DP mean under replacement: noise of density ∝ exp(−εn‖b‖/2)."""

    def mechanism(X, rng):
        scale = 2 / (len(X) * epsilon)
        return X.mean(axis=0) + scale * spherical_laplace(rng, X.shape[1:], X)

    return mechanism


def test_a_private_mean_is_decoded_no_more_often_than_the_cap():
    """Binomial test at 1e-6 in 2000 plays; a mean with a quarter of the noise fails it.

    The cap pays for m records by group privacy; paying once would be refuted.
    """
    code = packing_code(p=24, codewords=64, rng=0)
    for epsilon, copies in ((0.05, 20), (0.2, 6), (0.2, 14)):
        kind = {"code": code, "n": 40, "copies": copies, "repetitions": 2000, "rng": 1}
        cap = packing_success_cap(epsilon, copies=copies, codewords=64)
        hits = packing_attack(laplace_mean(epsilon), **kind)
        assert stats.binom(2000, cap).sf(hits - 1) > 1e-6
        loud = packing_attack(laplace_mean(40 * epsilon), **kind)
        assert stats.binom(2000, cap).sf(loud - 1) < 1e-6
    kind |= {"n": 60, "copies": 60}
    hits = packing_attack(laplace_mean(0.2), **kind)
    once = packing_success_cap(0.2, copies=1, codewords=64)
    assert stats.binom(2000, once).sf(hits - 1) < 1e-6


def test_success_caps():
    assert packing_success_cap(0.2, copies=20, codewords=64) == pytest.approx(
        0.8530960942678787
    )
    assert packing_success_cap(1.0, copies=20, codewords=64) == 1.0


# ---- tracing


def test_theorem_6_25_tracing_agrees_with_the_published_values():
    assert tracing_lower_bound(1.0, n=100, p=100) == pytest.approx(0.0467409013238656)
    assert tracing_lower_bound(0.5, n=1000, p=10_000) == pytest.approx(
        0.102815541313358
    )
    assert tracing_cap(1.0) == pytest.approx(stats.norm.cdf(1 / sqrt(2)))
    assert tracing_lower_bound(100.0, n=10, p=10) == pytest.approx(0.0, abs=1e-100)


@pytest.mark.parametrize(
    "statistic",
    [
        lambda x: x.mean(axis=1),
        lambda x: np.sign(x.sum(axis=1)),
        lambda x: np.clip(x.mean(axis=1), -0.3, 0.3),
        lambda x: x[:, 0],
        lambda x: np.exp(x[:, 0] - x[:, 1] * x[:, 2]),
    ],
)
def test_the_fingerprinting_identity_is_exact(statistic):
    for n in (3, 4, 7):
        left, right = fingerprint(statistic, n=n)
        assert left == pytest.approx(right, abs=1e-13)


def test_fingerprints_of_the_published_statistics():
    assert fingerprint(lambda x: np.sign(x.sum(axis=1)), n=3)[0] == pytest.approx(0.8)
    clipped = fingerprint(lambda x: np.clip(x.mean(axis=1), -0.3, 0.3), n=3)
    assert clipped[0] == pytest.approx(0.24)
    # without the average over P the identity fails: at P = 0.9 alone the sides differ
    x = np.array([[-1.0], [1.0]])
    chance = (1 + 0.9 * x[:, 0]) / 2
    left = np.sum(chance * x[:, 0] * (x[:, 0] - 0.9))
    right = 1 + 1 / 3 - np.sum(chance * (x[:, 0] - 0.9) ** 2)
    assert abs(left - right) > 0.5


def gaussian_mean(mu):
    """A μ-GDP mean of signs under replacement, clipped to [−1, 1]."""

    def mechanism(X, rng):
        sigma = 2 * sqrt(X.shape[1]) / (len(X) * mu)
        noisy = X.mean(axis=0) + sigma * rng.standard_normal(X.shape[1])
        return np.clip(noisy, -1, 1)

    return mechanism


@pytest.mark.parametrize(
    ("n", "p", "mu", "error", "bound"),
    [(50, 2000, 1.0, 0.887, 0.2544), (200, 2000, 0.3, 0.837, 0.2638)],
)
def test_tracing_a_gaussian_mean(n, p, mu, error, bound):
    """The measured error is above the bound, the attack below its cap.

    Standard errors over 30 data sets are below 0.01 for the error; for the area,
    below 0.011 (1500 or more pairs of scores), so the cap has 14 of them to spare.
    """
    out = tracing_attack(gaussian_mean(mu), n=n, p=p, repetitions=30, rng=0)
    floor = tracing_lower_bound(mu, n=n, p=p)
    assert floor == pytest.approx(bound, abs=1e-4)
    assert out.error == pytest.approx(error, abs=0.03)
    assert floor < out.error < 4 * floor
    assert 0.5 < out.area < tracing_cap(mu)


def test_an_accurate_mean_is_traced():
    """Power: with μ = 100 the error is below the bound at 0.3, and all is traced."""
    out = tracing_attack(gaussian_mean(100.0), n=50, p=2000, repetitions=10, rng=0)
    assert out.error < tracing_lower_bound(0.3, n=50, p=2000)
    assert out.area > 0.999 > tracing_cap(0.3)


# ---- the reduction


def test_e38_the_excess_is_at_least_half_the_squared_distance():
    """E-38. ‖S‖(1 − ⟨θ, θ*⟩) ≥ ½‖S‖‖θ − θ*‖²; vertices; the risk is θ_priv's."""
    rng, slack = np.random.default_rng(0), np.inf
    for _ in range(2000):
        p = rng.integers(2, 8)
        D = hard_problem(rng.uniform(0.1, 20) * rng.normal(size=(1, p)))
        S = D.X[0]
        theta, best = rng.normal(size=p), S / np.linalg.norm(S)
        theta *= rng.uniform() / np.linalg.norm(theta)
        excess = float(D.risk(theta) - D.risk(best))
        bound = excess_from_distance(
            float(np.linalg.norm(theta - best)), planted=float(np.linalg.norm(S))
        )
        slack = min(slack, excess - bound)
    assert slack >= -1e-12
    # on the sphere it is an equality
    assert float(D.risk(-best) - D.risk(best)) == pytest.approx(
        excess_from_distance(2.0, planted=float(np.linalg.norm(S)))
    )
    # part 2 prints the cube [−1/√p, 1/√p]^p; the proof of 6.26 needs its vertices: in
    # the cube all records may be 0, and then every model has excess 0
    assert hard_problem(np.zeros((5, 3))).risk(np.ones(3)) == 0
    # with 𝓛(θ; D) for a fixed θ the statement would not speak of the algorithm at all
    assert float(hard_problem(np.eye(2)).risk(np.zeros(2))) == 0


def test_e38_rescaling_a_model_estimates_the_mean():
    """E-38. ‖(M/n)θ − q‖ ≤ (M/n)‖θ − θ*‖ + 1/n when ‖S‖ is within 1 of M."""
    rng = np.random.default_rng(1)
    for _ in range(500):
        n, p = 40, 6
        X = rng.choice([-1.0, 1.0], (n, p)) / sqrt(p)
        S = X.sum(axis=0)
        M = np.linalg.norm(S) + rng.uniform(-1, 1)
        if M <= 0:
            continue
        theta = rng.normal(size=p)
        theta *= rng.uniform() / np.linalg.norm(theta)
        error = np.linalg.norm(mean_from_model(theta[None], planted=M, n=n)[0] - S / n)
        apart = np.linalg.norm(theta - S / np.linalg.norm(S))
        assert error <= M / n * apart + 1 / n + 1e-12


def test_theorem_6_26_the_exponential_mechanism_lies_between_the_bounds():
    """Exact expected excess on planted data: m/16 ≤ m(1 − A(cm)) ≤ p/c.

    A(κ) = I_{p/2+1}(κ)/I_{p/2}(κ) is the mean cosine; one draw checks it.
    """
    for epsilon in (0.05, 0.2, 1.0):
        for p in (30, 100, 400):
            n = 2000
            m = packing_copies(epsilon, n=n, p=p)
            c = exponential_mechanism_exponent(
                epsilon, lipschitz=1.0, diameter=2.0, relation=Relation.REPLACE
            )
            bessel = [mpmath.besseli(p / 2 + k, c * m) for k in (1, 0)]
            cosine = float(bessel[0] / bessel[1])
            excess = m * (1 - cosine)
            assert packing_excess_lower_bound(epsilon, n=n, p=p) == m / 8
            assert m / 16 <= excess <= exponential_mechanism_risk_bound(c, p=p)
    word = packing_code(p=20, codewords=1, rng=0)[0]
    out = exponential_mechanism(
        hard_problem(packing_data(word, n=60, copies=40)),
        epsilon=1.0,
        lipschitz=1.0,
        sampler=LinearOnBall(),
        relation=Relation.REPLACE,
        rng=0,
        runs=(20_000,),
    )
    wanted = special.ive(11, 10) / special.ive(10, 10)
    seen = out.theta @ word
    assert abs(seen.mean() - wanted) < 5.2 * seen.std() / sqrt(20_000)
