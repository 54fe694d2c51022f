"""Bounds and calibrations at the ends of their ranges: finite, or refused by name."""

import math

import numpy as np
import pytest

from dpteach import algorithms
from dpteach.privacy import Relation

# the least float above 0: 1/β is infinite
TINY = 5e-324
SIZES = {"noise_multiplier": 1.0, "lipschitz": 1.0}


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("exponential_mechanism_risk_bound", {"exponent": 1.0, "p": 3}),
        (
            "dp_ftrl_regularization",
            {"steps": 1, "p": 7, "distance": 1.0, **SIZES},
        ),
        (
            "online_to_batch_bound",
            {"regret": 1.0, "steps": 9, "lipschitz": 1.0, "diameter": 1.0},
        ),
        ("prefix_noise_bound", {"steps": 3, "p": 2, "sigma": 1.0}),
        (
            "private_frank_wolfe_risk_bound",
            {"n": 9, "steps": 9, "corners": 9, "curvature_constant": 1.0, "scale": 1.0},
        ),
        (
            "localization_radius",
            {"epsilon": 1.0, "p": 2, "lipschitz": 1.0, "regularization": 1.0},
        ),
    ],
)
def test_a_bound_is_finite_however_rarely_it_may_fail(name, arguments):
    bound = getattr(algorithms, name)
    found, near = (bound(failure_probability=b, **arguments) for b in (TINY, 1e-300))
    assert near < found < 1.2 * near or arguments["steps"] == 1
    assert math.isfinite(found)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("fixed_window_epsilon", {"slots": 10}),
        ("sliding_window_epsilon", {"window": 10, "method": "textbook"}),
        ("shuffling_epsilon", {"n": 1000, "method": "textbook"}),
        ("averaged_updates_epsilon", {"n": 100, "slots": 10, "delta_sizes": TINY}),
    ],
)
def test_amplification_is_finite_at_any_delta(name, arguments):
    epsilon = getattr(algorithms, name)(0.5, TINY, clip=False, **arguments)
    assert 0.5 < epsilon < 1e3


def test_the_normal_tilt_is_priced_at_any_epsilon():
    """The power of e overflowed beyond 709, and 0 times it was still 0."""
    delta = algorithms.gaussian_objective_delta
    kind = {"smoothness": 1e-10, "regularization": 1.0}
    assert delta(1e-50, 1000.0, sign_monotone=False, **kind) == 1.0
    loud = algorithms.gaussian_objective_noise_multiplier
    lam = loud(1000.0, 0.1, sign_monotone=False, **kind)
    assert delta(lam, 1000.0, sign_monotone=False, **kind) <= 0.1
    assert delta(0.999 * lam, 1000.0, sign_monotone=False, **kind) > 0.1
    # (1 + e^{700}) δ_G(700; μ) where δ_G is near e^{−750}, by its upper tail
    mu = 15.0
    found = delta(1 / mu, 1400.0, relation=Relation.REPLACE, **kind)
    a, b = 700 / mu - mu / 2, 700 / mu + mu / 2
    tail = 700 - a * a / 2 + math.log((1 / a - 1 / b) / math.sqrt(2 * math.pi))
    assert math.log(found) == pytest.approx(tail, abs=0.01)


def test_what_leaves_the_range_of_floats_is_refused_by_name():
    for size in (1e100, 1e-100):
        with pytest.raises(ValueError, match="`l1_radius` must be"):
            algorithms.lasso_constants(l1_radius=size, feature_bound=size)
    with pytest.raises(ValueError, match="`steps` must be small enough for memory"):
        algorithms.least_squares_regret_bound(
            steps=2**53,
            p=1,
            noise_multiplier=1.0,
            regularization=1.0,
            row_norm=1.0,
            radius=1.0,
        )
    with pytest.raises(ValueError, match="`tolerance` must be"):
        algorithms.output_perturbation_sensitivity(
            lipschitz=1.0, regularization=1e-3, tolerance=1e308
        )
    with pytest.raises(ValueError, match="`strong_convexity` must be"):
        algorithms.objective_perturbation_risk_bound(
            p=1, regularization=1.0, distance=1.0, strong_convexity=1e308, **SIZES
        )
    with pytest.raises(ValueError, match="`lipschitz` times `noise_multiplier`"):
        algorithms.objective_perturbation_risk_bound(
            p=1, regularization=1, distance=1, lipschitz=1e100, noise_multiplier=1e100
        )
    with pytest.raises(ValueError, match="`steps` must be small enough for memory"):
        algorithms.prefix_sum_lower_bound(2**53)


@pytest.mark.parametrize("relation", list(Relation))
def test_the_tilts_noise_meets_its_budget_to_the_last_bit(relation):
    """One time in twenty k/λ + κ was ε and one unit of rounding."""
    rng = np.random.default_rng(0)
    for _ in range(500):
        epsilon, smoothness = map(float, 10 ** rng.uniform([-3, -3], [1.3, 1]))
        least = smoothness / math.expm1(epsilon)
        for Lam in (None, 1.0000001 * least, 100 * least):
            lam, Lam = algorithms.objective_perturbation_parameters(
                epsilon, smoothness=smoothness, regularization=Lam, relation=relation
            )
            spent = relation.sensitivity / lam + math.log1p(smoothness / Lam)
            assert epsilon * (1 - 1e-15) <= spent <= epsilon
