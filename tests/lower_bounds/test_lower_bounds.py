"""Section 6.5.1: explicit bounds, attacks within their caps, mechanisms in between."""

from math import exp, log, sqrt

import mpmath
import numpy as np
import pytest
from scipy import special, stats

from dpteach import Relation
from dpteach.algorithms.pure.exponential import (
    exponential_mechanism,
    exponential_mechanism_exponent,
    exponential_mechanism_risk_bound,
)
from dpteach.algorithms.pure.rejection_samplers import LinearOnBall
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
    pure_excess_lower_bound,
    tracing_attack,
    tracing_cap,
    tracing_excess_lower_bound,
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


@pytest.mark.claim(
    "15-lower-bounds",
    "The number of planted copies is the largest that the proof allows.",
    order=2,
)
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


@pytest.mark.claim(
    "15-lower-bounds",
    "No private mean is decoded more often than the packing allows; a mean with "
    "too little noise is.",
    order=1,
)
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


@pytest.mark.claim(
    "15-lower-bounds",
    "The fingerprinting identity holds to rounding, for five statistics.",
    order=3,
)
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


@pytest.mark.claim(
    "15-lower-bounds",
    "A Gaussian mean lies above the tracing bound, within four times; the attack "
    "stays below its cap.",
    order=4,
)
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


@pytest.mark.claim("15-lower-bounds", "A mean that is too accurate is traced.", order=5)
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


@pytest.mark.claim(
    "15-lower-bounds",
    "The reduction holds with its constants on random data.",
    order=6,
)
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


# ---- excess risk, for every algorithm


def most_correlation(epsilon, m, p):
    """The most of E⟨θ, v⟩ that the proof allows, by quadrature over its tail."""
    epsilon, root = mpmath.mpf(epsilon), mpmath.sqrt(2 * mpmath.mpf(epsilon) * m / p)
    tail = mpmath.quad(
        lambda t: mpmath.exp(epsilon * m - p * t**2 / 2), [root, root + 1, mpmath.inf]
    )
    return float(root + tail)


@pytest.mark.parametrize(("epsilon", "n", "p"), [(1.0, 1000, 100), (0.3, 41, 30)])
def test_the_pure_bound_on_excess_is_that_of_its_proof(epsilon, n, p):
    m = min(n, int(2 * p / (9 * epsilon)))
    m -= (n - m) % 2
    wanted = m * (1 - most_correlation(epsilon, m, p))
    assert pure_excess_lower_bound(epsilon, n=n, p=p) == pytest.approx(wanted)


def test_a_law_that_tells_all_it_may_keeps_the_cap_on_correlation():
    """All 2^8 words: the law of a model, uniform without the word, tilted toward it.

    The best two-valued tilt with ratios within e^{εm} of uniform stays below the cap;
    a cap that pays for one record, not for m, is broken.
    """
    p = 8
    words = np.array(np.meshgrid(*[[-1, 1]] * p)).reshape(p, -1).T / sqrt(p)
    inner = np.sort(words @ words[0])  # ⟨θ, v⟩ under a uniform law of θ

    def told(epsilon, m):
        most = 0.0
        for k in range(1, len(inner)):  # the k best words get the largest chance
            high = min(exp(epsilon * m) / len(inner), 1 / k)
            low = (1 - k * high) / (len(inner) - k)
            if low * len(inner) * exp(epsilon * m) >= 1:
                most = max(most, high * inner[-k:].sum() + low * inner[:-k].sum())
        return most

    for epsilon, m in ((0.05, 8), (0.2, 6), (0.5, 4), (0.5, 8)):
        assert 0.1 < told(epsilon, m) <= most_correlation(epsilon, m, p)
    assert told(0.5, 8) > most_correlation(0.5, 1, p)


@pytest.mark.claim(
    "15-lower-bounds",
    "The pure bound on excess risk is the integral of its proof; thirty times the "
    "budget breaks it.",
    order=7,
)
def test_measured_excess_keeps_the_pure_bound_and_less_noise_breaks_it():
    """Exact means of the exponential mechanism on m planted copies, m as in the bound.

    A mechanism of thirty times the budget has less excess than the bound at ε.
    """
    for epsilon, p in ((0.2, 60), (1.0, 100), (2.0, 400)):
        n = 4000
        m = int(2 * p / (9 * epsilon))
        m -= (n - m) % 2

        def excess(epsilon, m=m, p=p):
            c = exponential_mechanism_exponent(
                epsilon, lipschitz=1.0, diameter=2.0, relation=Relation.REPLACE
            )
            bessel = [mpmath.besseli(p / 2 + k, c * m) for k in (1, 0)]
            return m * (1 - float(bessel[0] / bessel[1]))

        bound = pure_excess_lower_bound(epsilon, n=n, p=p)
        assert excess(30 * epsilon) < bound <= excess(epsilon)
        assert bound > 4 * packing_excess_lower_bound(epsilon, n=n, p=p) / 2


def test_sums_of_signs_with_uniform_means_are_uniform():
    """The moments in the tracing bound, by enumeration of the number of ones."""
    for k in range(1, 12):
        ones = np.arange(k + 1)
        chance = special.binom(k, ones) * special.beta(ones + 1, k - ones + 1)
        np.testing.assert_allclose(chance, 1 / (k + 1))
        T = 2.0 * ones - k
        assert np.mean(T**2) == pytest.approx(k * (k + 2) / 3)
        fourth = k * (k + 2) * (3 * k * k + 6 * k - 4) / 15
        assert np.mean(T**4) == pytest.approx(fourth)


def tracing_data(k, p, rng):
    P = 2 * rng.random(p) - 1
    return np.where(rng.random((k, p)) < (1 + P) / 2, 1.0, -1.0) / sqrt(p), P / sqrt(p)


def test_a_models_correlation_with_records_is_twice_that_with_means():
    """E⟨θ, S − kP⟩ = 2 E⟨θ, P⟩ for any model; here for S/‖S‖. 5 standard errors."""
    rng, left, right = np.random.default_rng(0), [], []
    for _ in range(4000):
        X, P = tracing_data(6, 20, rng)
        S = X.sum(axis=0)
        theta = S / max(np.linalg.norm(S), 1e-12)
        left.append(theta @ (S - 6 * P))
        right.append(2 * theta @ P)
    gap = np.subtract(left, right)
    assert abs(gap.mean()) <= 5 * gap.std() / sqrt(len(gap))
    assert np.mean(left) > 20 * gap.std() / sqrt(len(gap))  # and it is not zero


@pytest.mark.claim(
    "15-lower-bounds",
    "A Gaussian sum keeps the bound with δ within six times; fifty times the μ "
    "breaks it.",
    order=8,
)
@pytest.mark.parametrize(("mu", "p"), [(0.25, 100), (0.5, 400)])
def test_measured_excess_keeps_the_tracing_bound_and_less_noise_breaks_it(mu, p):
    """A Gaussian sum, made a unit model: within 6 times the bound on its own data.

    With fifty times the μ its excess is below the bound; 5 standard errors each.
    """
    chi = np.expm1(mu * mu)
    k = int(sqrt(p / 3 / chi))
    rng = np.random.default_rng(0)
    bound = tracing_excess_lower_bound(mu, n=k, p=p)

    def excess(price):
        found = []
        for _ in range(400):
            S = tracing_data(k, p, rng)[0].sum(axis=0)
            noisy = S + 2 / price * rng.standard_normal(p)
            found.append(np.linalg.norm(S) - S @ noisy / np.linalg.norm(noisy))
        return np.mean(found), 5 * np.std(found) / sqrt(400)

    mean, error = excess(mu)
    assert bound <= mean - error
    assert mean + error <= 6 * bound
    mean, error = excess(50 * mu)
    assert mean + error < bound
    # far from the best k, n copies more cannot lower the bound
    assert tracing_excess_lower_bound(mu, n=k + 1000, p=p) >= 0.9 * bound
    assert tracing_excess_lower_bound(mu, n=1, p=p) >= 0


def test_bounds_on_excess_at_the_edges():
    assert pure_excess_lower_bound(50.0, n=10, p=3) == 0
    assert tracing_excess_lower_bound(40.0, n=10, p=3) == 0
    assert tracing_excess_lower_bound(1e-6, n=2, p=3) > 0
    # about √p/(6μ) and 0.074 p/ε
    assert tracing_excess_lower_bound(1e-3, n=10**6, p=10**4) == pytest.approx(
        100 / 6e-3, rel=0.01
    )
    assert pure_excess_lower_bound(0.01, n=10**7, p=10**5) == pytest.approx(
        2 / 27 * 10**7, rel=0.01
    )
