"""Optimal buffers: known errors, several participations, and local minima."""

import numpy as np
import pytest

from dpteach.algorithms.matrices.buffered_toeplitz import Buffers
from dpteach.algorithms.matrices.optimal_buffers import optimal_buffers

BUFFERED = {
    (128, 1): (2.4793, 2.7726),
    (128, 2): (2.3993, 2.6175),
    (128, 3): (2.3979, 2.6103),
    (128, 4): (2.3979, 2.6101),
    (1024, 1): (3.4568, 3.8649),
    (1024, 2): (3.0840, 3.3298),
    (1024, 3): (3.0587, 3.2776),
    (1024, 4): (3.0574, 3.27294),
}


@pytest.mark.parametrize(("T", "m"), BUFFERED)
def test_buffered_errors(T, m):
    mean, largest = BUFFERED[T, m]
    got = optimal_buffers(T, buffers=m).factorization(T).mean_error
    assert got == pytest.approx(mean, rel=3e-5)
    got = optimal_buffers(T, buffers=m, objective="max").factorization(T).max_error
    assert got == pytest.approx(largest, rel=3e-5)


def test_buffered_parameters_and_their_stationarity():
    """T = 1024: the decays and weights. T = 128: moving any of them makes it worse."""
    best = optimal_buffers(1024)
    assert best.decay == pytest.approx((0.996244, 0.873194), abs=2e-6)
    assert best.weights == pytest.approx((0.090282, 0.330697), abs=2e-6)
    best = optimal_buffers(128)
    least = best.factorization(128).mean_error
    for i in range(2):
        for factor in (0.999, 1.001):
            scale = tuple(factor if j == i else 1.0 for j in range(2))
            decay = tuple(d * f for d, f in zip(best.decay, scale, strict=True))
            weights = tuple(w * f for w, f in zip(best.weights, scale, strict=True))
            for moved in (Buffers(decay, best.weights), Buffers(best.decay, weights)):
                assert moved.factorization(128).mean_error > least


# (T, k, d, m): the error; a peer's golden parameters for 10⁵ steps are below
AGAIN = {
    (1000, 1, 1000, 2): 3.0758,
    (1000, 10, 100, 1): 12.4494,
    (1000, 10, 100, 2): 12.1939,
    (2048, 8, 256, 2): 11.0926,
    (2048, 8, 256, 3): 11.0858,
    (2048, 32, 64, 1): 31.2064,
    (2048, 32, 64, 2): 30.9601,
    (10**5, 1, 10**5, 2): 4.943046,
    (10**7, 100, 10**5, 4): 108.90602,
}


@pytest.mark.parametrize(("T", "k", "d", "m"), AGAIN)
def test_buffers_for_records_that_come_again(T, k, d, m):
    rules = {"participations": k, "separation": d}
    best = optimal_buffers(T, buffers=m, **rules)
    assert best.mean_error(T, **rules) == pytest.approx(AGAIN[T, k, d, m], rel=2e-5)
    assert best.sensitivity(T, **rules).exact


def test_the_golden_buffers_of_a_peer():
    """jax_privacy's two buffers for the largest error of 10⁵ steps, to five digits."""
    best = optimal_buffers(10**5, buffers=2, objective="max")
    assert best.decay == pytest.approx((0.9999528892, 0.9857068667), abs=2e-6)
    assert best.weights == pytest.approx((0.0122853238, 0.1878393665), abs=2e-6)


def test_no_parameter_can_be_moved_to_advantage():
    for objective, k in (("mean_error", 4), ("max_error", 1)):
        rules = {"participations": k, "separation": 250}
        best = optimal_buffers(1000, objective=objective[:-6], **rules)
        least = getattr(best, objective)(1000, **rules)
        for i in range(2):
            for factor in (0.998, 1.002):
                scale = np.where(np.arange(2) == i, factor, 1.0)
                slower = tuple((1 - scale * (1 - np.array(best.decay))).tolist())
                heavier = tuple((scale * np.array(best.weights)).tolist())
                for moved in (
                    Buffers(slower, best.weights),
                    Buffers(best.decay, heavier),
                ):
                    assert getattr(moved, objective)(1000, **rules) > least


def test_too_many_buffers_are_refused():
    with pytest.raises(ValueError, match="`buffers` must be at most 8"):
        optimal_buffers(16, buffers=9)


BAD_INPUT = {
    optimal_buffers: {
        "steps": 4,
        "buffers": 1,
        "participations": 2,
        "separation": 2,
        "objective": "mean",
    },
}
