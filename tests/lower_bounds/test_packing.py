"""Packing: codes, copies, and how often a private mean is decoded."""

from math import exp, log, sqrt

import numpy as np
import pytest
from scipy import stats

from dpteach.arrays import l2_laplace
from dpteach.lower_bounds import (
    packing_attack,
    packing_code,
    packing_copies,
    packing_data,
    packing_lower_bound,
    packing_success_cap,
)
from dpteach.lower_bounds.packing import EXPONENT


def test_theorem_6_25_packing_agrees_with_the_published_values():
    assert pytest.approx(0.130812035941137, rel=1e-13) == EXPONENT
    assert packing_copies(0.1, n=1000, p=50) == 58
    assert packing_lower_bound(0.1, n=1000, p=50) == pytest.approx(0.029)
    assert packing_copies(1.0, n=100, p=200) == 24  # 25 would leave an odd rest
    assert packing_lower_bound(1.0, n=100, p=200) == pytest.approx(0.12)


@pytest.mark.claim(
    "18-limits",
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
        mean = X.mean(axis=0)
        return mean + l2_laplace(rng, scale, mean)

    return mechanism


@pytest.mark.claim(
    "18-limits",
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


BAD_INPUT = {
    packing_copies: {"epsilon": 0.1, "n": 100, "p": 50},
    packing_lower_bound: {"epsilon": 0.1, "n": 100, "p": 50},
    packing_success_cap: {"epsilon": 0.1, "copies": 5, "codewords": 64},
    packing_code: {"p": 24, "codewords": 3, "rng": 0},
    packing_data: {"word": np.array([0.5, -0.5, 0.5, 0.5]), "n": 4, "copies": 2},
    packing_attack: {
        "mechanism": lambda X, rng: X.mean(axis=0) + 0 * rng.random(),
        "code": np.array([[0.5, 0.5, 0.5, 0.5], [0.5, -0.5, 0.5, -0.5]]),
        "n": 4,
        "copies": 2,
        "repetitions": 3,
        "rng": 0,
    },
}
