"""Noise on an answer: reduction to the answer, the law of the noise, and its price."""

import math

import numpy as np
import pytest
from scipy import stats

from dpteach.accounting import delta_of, epsilon_of
from dpteach.auditing import Tape
from dpteach.mechanisms import gaussian_mechanism, k_norm_mechanism, laplace_mechanism
from dpteach.privacy import Gaussian, Pure, Relation

ADD, REPLACE = Relation.ADD_REMOVE, Relation.REPLACE
VALUES = np.array([1.0, -2.0, 0.5])
CALLS = {
    laplace_mechanism: {"sensitivity": 2.0, "epsilon": 0.5, "relation": ADD},
    k_norm_mechanism: {"sensitivity": 2.0, "epsilon": 0.5, "relation": ADD},
    gaussian_mechanism: {
        "sensitivity": 2.0,
        "epsilon": 0.5,
        "delta": 1e-6,
        "relation": ADD,
    },
}
# 20,000 draws, a Kolmogorov test at 1e-6: a scale wrong by a tenth fails it
DRAWS, ALARM = 20_000, 1e-6


@pytest.mark.parametrize("mechanism", CALLS)
def test_without_noise_the_answer_is_published(mechanism):
    out = mechanism(VALUES, rng=Tape([]), runs=(2,), **CALLS[mechanism])
    assert np.array_equal(out.theta, [VALUES, VALUES])
    assert out.path.shape == (1, 2, 3)


@pytest.mark.parametrize("mechanism", CALLS)
def test_a_seed_repeats_and_the_dtype_stays(mechanism):
    first, second = (
        mechanism(VALUES.astype(np.float32), rng=7, **CALLS[mechanism]).theta
        for _ in range(2)
    )
    assert first.dtype == np.float32
    assert np.array_equal(first, second)


@pytest.mark.claim(
    "02-mechanisms",
    "Laplace draws have the scale that the theorem asks for.",
    order=2,
)
@pytest.mark.parametrize("factor", [1.0, 0.9])
def test_laplace_noise_has_its_scale(factor):
    """False alarms 1e-6; power: a scale of nine tenths is caught."""
    call = CALLS[laplace_mechanism]
    out = laplace_mechanism(np.zeros(1), rng=1, runs=(DRAWS,), **call)
    p = stats.kstest(factor * out.theta[:, 0], stats.laplace(scale=4.0).cdf).pvalue
    assert (p > ALARM) == (factor == 1.0)


@pytest.mark.claim(
    "02-mechanisms",
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


@pytest.mark.claim(
    "02-mechanisms",
    "Gaussian noise costs exactly what was asked, for each relation.",
    order=4,
)
@pytest.mark.parametrize("relation", list(Relation))
@pytest.mark.parametrize("method", ["exact", "classical"])
def test_gaussian_noise_costs_what_was_asked(relation, method):
    call = {**CALLS[gaussian_mechanism], "relation": relation, "method": method}
    tape = Tape([1.0, 0.0, 0.0])
    out = gaussian_mechanism(VALUES, rng=tape, **call)
    sigma = out.theta[0] - VALUES[0]
    # the event's μ is the sensitivity over the standard deviation, for every relation
    assert isinstance(out.event, Gaussian)
    assert out.event.mu == pytest.approx(2.0 / sigma, rel=1e-12)
    assert delta_of(out.event, 0.5) <= 1e-6
    if method == "exact":
        assert delta_of(out.event, 0.5) == pytest.approx(1e-6, rel=1e-6)
    else:
        assert sigma == pytest.approx(2 * math.sqrt(2 * math.log(1.25e6)) / 0.5)


def test_the_classical_formula_is_refused_where_it_is_not_proved():
    call = {**CALLS[gaussian_mechanism], "epsilon": 9.0, "method": "classical"}
    with pytest.raises(ValueError, match="`epsilon` must be at most 1"):
        gaussian_mechanism(VALUES, rng=0, **call)


@pytest.mark.parametrize("mechanism", [laplace_mechanism, k_norm_mechanism])
def test_pure_noise_costs_epsilon(mechanism):
    out = mechanism(VALUES, rng=0, **CALLS[mechanism])
    assert out.event == Pure(0.5, relation=ADD)
    assert epsilon_of(out.event, 1e-12) == pytest.approx(0.5, rel=1e-9)


@pytest.mark.claim(
    "02-mechanisms",
    "Laplace and K-norm noise: no log-density moves by more than ε between neighbors.",
    order=1,
)
def test_log_densities_move_by_epsilon_at_most():
    """Exact: the densities at random points, for neighbours at the sensitivity."""
    rng = np.random.default_rng(3)
    x = rng.normal(scale=10, size=(1000, 3))
    step = rng.dirichlet(np.ones(3), 1000) * 2.0  # ‖·‖₁ = Δ
    change = np.abs(x - step).sum(1) - np.abs(x).sum(1)
    assert np.max(np.abs(change)) * 0.5 / 2.0 <= 0.5 + 1e-12
    step *= 2.0 / np.linalg.norm(step, axis=1, keepdims=True)  # ‖·‖₂ = Δ
    change = np.linalg.norm(x - step, axis=1) - np.linalg.norm(x, axis=1)
    assert np.max(np.abs(change)) * 0.5 / 2.0 <= 0.5 + 1e-12
    # power: Laplace noise of one scale does not serve a Euclidean sensitivity
    change = np.abs(-step).sum(1)
    assert np.max(change) * 0.5 / 2.0 > 0.6
