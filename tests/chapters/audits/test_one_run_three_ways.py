"""The figure of one run's three audits, and the theorem behind two of them."""

import numpy as np
import pytest
from scipy.stats import binom, norm

from dpteach.chapters.audits import one_run_three_ways as ways


@pytest.mark.claim(
    "22-audits",
    "In every state of the figure of three audits none proves more than the truth.",
    order=45,
)
def test_no_bound_is_above_the_truth_and_scores_prove_most():
    for canaries in ways.CANARIES:
        for epsilon in ways.EPSILONS:
            pair, curve, score = ways.bounds(epsilon, canaries)
            assert 0 <= pair <= curve <= score < epsilon


def test_its_numbers_are_those_that_the_chapter_reads_from_it():
    assert ways.bounds(4, 10_000) == pytest.approx((0.93, 1.89, 3.64), abs=5e-3)
    *_, sentence, _ = ways.one_run_three_ways(4, 1000)
    assert "prove 1.63, and the scores 3.05" in sentence.text


@pytest.mark.parametrize("mu", [0.3, 1.0, 2.5])
def test_the_theorem_holds_of_the_best_guesses_about_independent_canaries(mu):
    """All m guesses are right independently, each with probability Φ(μ/2).

    With half of the μ an inequality fails.
    """
    m = 40
    j = np.arange(m + 1)
    p = binom.pmf(j, m, norm.cdf(mu / 2))
    right = np.array([np.sum((j / m * p)[i + 1 :]) for i in range(m)])
    wrong = np.array([np.sum(((m - j) / m * p)[i:]) for i in range(m)])
    assert (right <= norm.cdf(norm.ppf(wrong) + mu) * (1 + 1e-9)).all()
    assert (right > norm.cdf(norm.ppf(wrong) + mu / 2)).any()


def test_states_that_are_not_declared_are_refused():
    with pytest.raises(ValueError, match="`canaries`"):
        ways.one_run_three_ways(4, 7)
    with pytest.raises(ValueError, match="`epsilon`"):
        ways.one_run_three_ways(5, 1000)
