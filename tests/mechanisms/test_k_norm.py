"""Noise with a density that falls with a norm."""

import numpy as np
import pytest
from scipy import stats

from dpteach.arrays import l2_laplace
from dpteach.auditing import Tape
from dpteach.mechanisms import k_norm_mechanism
from dpteach.privacy import Relation
from tests.mechanisms.draws import CALLS


@pytest.mark.claim(
    "08-objective-perturbation",
    "The tilt has a Gamma length in a uniform direction.",
    order=3,
)
def test_noise_has_a_gamma_length_in_a_uniform_direction():
    """KS at 1e-6. Trap: NumPy's gamma takes a scale; ε/(2L) in its place is caught."""
    p, epsilon = 5, 1.0
    b = l2_laplace(np.random.default_rng(0), 2 / epsilon, np.zeros((20_000, p)))
    length = np.linalg.norm(b, axis=1)
    assert stats.kstest(length, stats.gamma(p, scale=2 / epsilon).cdf).pvalue > 1e-6
    assert stats.kstest(length, stats.gamma(p, scale=epsilon / 2).cdf).pvalue < 1e-6
    # a coordinate of the direction, with a Beta distribution on [−1, 1]
    share = stats.beta((p - 1) / 2, (p - 1) / 2, loc=-1, scale=2)
    assert stats.kstest(b[:, 2] / length, share.cdf).pvalue > 1e-6
    square = stats.gamma(p, scale=2.0)
    assert square.var() + square.mean() ** 2 == pytest.approx(4 * p * (p + 1))
    trap = stats.gamma(p, scale=0.5)
    assert trap.var() + trap.mean() ** 2 == pytest.approx(7.5)


VALUES = np.array([1.0, -2.0, 0.5])

# 20,000 draws, a Kolmogorov test at 1e-6: a scale wrong by a tenth fails it
DRAWS, ALARM = 20_000, 1e-6


@pytest.mark.claim(
    "02-sensitivity",
    "K-norm draws have a Gamma length and no preferred direction.",
    order=3,
)
@pytest.mark.parametrize("factor", [1.0, 0.9])
def test_k_norm_noise_has_its_length_and_no_direction(factor):
    """False alarms 2e-6; power: a scale of nine tenths is caught."""
    call = CALLS[k_norm_mechanism]
    out = k_norm_mechanism(np.zeros(3), rng=2, runs=(DRAWS,), **call)
    length = np.linalg.norm(out.theta, axis=-1)
    p = stats.kstest(factor * length, stats.gamma(3, scale=4.0).cdf).pvalue
    assert (p > ALARM) == (factor == 1.0)
    # a coordinate of a uniform direction in space is uniform on [−1, 1]
    cosine = out.theta[:, 0] / length
    assert stats.kstest(cosine, stats.uniform(-1, 2).cdf).pvalue > ALARM


def test_k_norm_noise_on_a_tape_is_the_direction_times_the_length():
    class Longer(Tape):
        def standard_gamma(self, _, size=None):
            return np.full(size, 2.0)

    call = CALLS[k_norm_mechanism]
    out = k_norm_mechanism(VALUES, rng=Longer([3.0, 0.0, 4.0]), **call)
    assert out.theta - VALUES == pytest.approx(np.array([0.6, 0.0, 0.8]) * 2 * 4)


BAD_INPUT = {
    k_norm_mechanism: {
        "values": np.array([1.0, 2.0]),
        "sensitivity": 1.0,
        "epsilon": 1.0,
        "rng": 0,
        "relation": Relation.ADD_REMOVE,
        "runs": (2,),
    },
}
