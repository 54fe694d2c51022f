"""What the chapter on local privacy says and proves, checked by numbers."""

from math import expm1, log, sqrt, tanh

import numpy as np
import pytest

from dpteach.algorithms import hemisphere_length
from dpteach.chapters.local_privacy.randomizers import LEAST


def divergence(epsilon, rng):
    """Kullback-Leibler divergence over its bound, for a randomizer of 4 reports."""
    low = rng.uniform(0.1, 1, 4)
    A = low * np.exp(epsilon * rng.integers(0, 2, (5, 4)))
    A /= A.sum(axis=1, keepdims=True)
    spread = log((A.max(axis=0) / A.min(axis=0)).max())  # its true local privacy
    P, other = rng.dirichlet(np.ones(5), 2)
    tau = 0.5 * np.abs(P - other).sum()
    m, m_other = P @ A, other @ A
    found = float(np.sum(m * np.log(m / m_other)))
    return found / (tau * expm1(spread)) ** 2


@pytest.mark.claim(
    "19-local-privacy",
    "Reports tell two populations apart no better than the lemma says, for 4,000 "
    "random randomizers and populations.",
    order=11,
)
def test_reports_contract_divergences():
    rng = np.random.default_rng(0)
    ratios = [divergence(eps, rng) for eps in (0.1, 0.5, 1.0, 3.0) for _ in range(1000)]
    assert max(ratios) <= 1
    assert max(ratios) > 0.2  # not idle


def test_a_square_root_in_place_of_the_square_is_caught():
    """Power: with τ in place of τ² the bound would be far from met."""
    quarter, e = tanh(0.05), expm1(0.1)
    p, q = 0.5 + 0.1 * quarter / 2, 0.5 - 0.1 * quarter / 2
    exact = p * log(p / q) + q * log(q / p)
    assert exact < (0.1 * e) ** 2 < 0.02 * 0.1 * e


def test_the_numbers_of_the_text():
    for epsilon in np.linspace(0.01, 1, 100):
        for p in (1, 2, 10, 1000):
            B = hemisphere_length(epsilon, p=p, clip_norm=1.0)
            ratio = B / (LEAST * sqrt(p) / expm1(epsilon))
            assert ratio < 12.2
            assert epsilon > 0.02 or ratio < 6.62
    assert LEAST / expm1(0.1) == pytest.approx(3.66, abs=0.005)
    # a survey: one of 12 conditions each, or all twelve
    assert 0.5 / tanh(0.5) / sqrt(5000) == pytest.approx(0.0153, abs=1e-4)
    assert 0.5 / tanh(1 / 24) / sqrt(60_000) == pytest.approx(0.049, abs=1e-4)
    assert (0.5 / tanh(0.5) / 0.02) ** 2 == pytest.approx(2927, abs=1)
    assert sqrt(0.25 / 1300 + 2 * (12 / 1300) ** 2) == pytest.approx(0.019, abs=1e-4)
    # 580 of 1,000 say yes
    honest, lied = 1 - 0.32**2, 4 - 0.32**2
    assert 1000 * honest / lied == pytest.approx(230, abs=1)
