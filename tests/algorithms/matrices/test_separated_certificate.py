"""The bound for separated records: valid, near the optimum, and found in seconds."""

import time

import numpy as np
import pytest

from dpteach.algorithms.matrices.dual_certificate import (
    DualCertificate,
    best_certificate,
)
from dpteach.algorithms.matrices.matrix_mechanism import MatrixMechanism
from dpteach.algorithms.matrices.optimal_bands import optimal_banded_factorization
from dpteach.algorithms.matrices.optimal_participation import (
    optimal_epochs_factorization,
)
from dpteach.algorithms.matrices.separated_certificate import (
    _climb,
    separated_certificate,
)

# (T, k, d): the bound, and how far below the best bands it may be
BRACKETS = {
    (16, 2, 8): (2.41780, 1.0006),
    (16, 4, 4): (3.69734, 1.003),
    (32, 4, 8): (4.0720, 1.003),
    (64, 4, 16): (4.4718, 1.004),
    (128, 8, 16): (7.6781, 1.012),
}


@pytest.mark.parametrize(("T", "k", "d"), BRACKETS)
def test_separation_is_another_contract(T, k, d):
    """Its bound is above the optimum of equal spacing: more patterns are allowed."""
    expected, gap = BRACKETS[T, k, d]
    bound = separated_certificate(T, participations=k, separation=d).lower_bound
    assert bound == pytest.approx(expected, rel=1e-3)
    rules = {"participations": k, "separation": d}
    bands = optimal_banded_factorization(T, bands=d, **rules)
    assert bound <= MatrixMechanism(bands, T, **rules).mean_error <= bound * gap
    assert bound > 1.001 * optimal_epochs_factorization(T, epochs=k)[1].lower_bound


@pytest.mark.parametrize(
    ("T", "k", "d"),
    [(40, 4, 7), (10, 3, 4), (9, 5, 2), (5, 9, 3), (6, 2, 9), (65, 5, 16), (50, 50, 1)],
)
def test_patterns_keep_the_rule(T, k, d):
    steps = separated_certificate(T, participations=k, separation=d).patterns
    assert len(np.unique(steps, axis=0)) == len(steps)
    assert steps.shape[1] == max(min(k, T // d), 1)
    assert (np.diff(steps, axis=1) >= d).all()
    assert 1 <= steps.min() <= steps.max() <= T


def test_patterns_that_matter_are_better_than_as_many_at_random():
    T, k, d = 64, 4, 16
    chosen = separated_certificate(T, participations=k, separation=d)
    spread = np.sort(np.random.default_rng(0).integers(0, 16, (1000, k)), axis=1)
    random = np.unique(spread, axis=0)[: len(chosen.patterns)] + d * np.arange(k) + 1
    assert best_certificate(random, T).lower_bound < 0.99 * chosen.lower_bound


def test_climbing_raises_the_sum_of_each_pattern_and_keeps_the_rule():
    rng = np.random.default_rng(0)
    size = np.abs(rng.standard_normal((20, 20)))
    size += size.T
    start = np.array([[0, 4, 8, 12], [7, 11, 15, 19], [1, 6, 12, 18]])
    best = _climb(size, start, 4)
    assert (np.diff(best, axis=1) >= 4).all()

    def total(J):
        return size[np.ix_(J, J)].sum()

    gains = [total(J) - total(old) for J, old in zip(best, start, strict=True)]
    assert min(gains) > -1e-12
    assert max(gains) > 1


@pytest.mark.thorough
def test_the_time_does_not_grow_with_the_participations():
    """T = 200 took minutes where records came a hundred times. Processor time."""
    for k, d in ((100, 1), (100, 2), (20, 10), (4, 50)):
        start = time.process_time()
        proof = separated_certificate(200, participations=k, separation=d)
        assert time.process_time() - start < 40
        assert isinstance(proof, DualCertificate)


BAD_INPUT = {
    separated_certificate: {"steps": 6, "participations": 2, "separation": 2},
}
