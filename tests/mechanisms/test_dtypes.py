"""The mechanisms in 32 bits, and far from 1: noise is always there, and finite."""

import numpy as np
import pytest

from dpteach import Relation
from dpteach.mechanisms import (
    exponential_choice,
    gaussian_mechanism,
    k_norm_mechanism,
    laplace_mechanism,
    permute_and_flip_choice,
    report_noisy_max,
)

RELATION = {"relation": Relation.ADD_REMOVE}
ADDED = {
    "laplace": lambda v, **more: laplace_mechanism(v, epsilon=1.0, **more, **RELATION),
    "gaussian": lambda v, **more: gaussian_mechanism(
        v, epsilon=1.0, delta=1e-6, **more, **RELATION
    ),
    "k_norm": lambda v, **more: k_norm_mechanism(v, epsilon=1.0, **more, **RELATION),
}
CHOICES = (exponential_choice, report_noisy_max, permute_and_flip_choice)
HOSTILE = (0.0, 1.0, -3.4e38, 3.4e38, 9.96921e36, 1e30, 1e-30, 1e-45, -0.0)
every_mechanism = pytest.mark.parametrize("mechanism", ADDED.values(), ids=ADDED)


@every_mechanism
@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("sensitivity", [1e-100, 1e-50, 1e-6, 1.0, 1e38, 1e50, 1e100])
def test_noise_is_always_there_and_finite(mechanism, dtype, sensitivity):
    """Two draws of continuous noise in 64 bits are never equal, nor the value."""
    values = np.array(HOSTILE, dtype=dtype)
    out = mechanism(values, sensitivity=sensitivity, rng=0, runs=(30,)).theta
    assert out.dtype == np.float64
    assert np.isfinite(out).all()
    for column, value in zip(out.T, values, strict=True):
        assert len(np.unique(column)) > 15, value  # of sixteenths of a scale
        assert (column != value).mean() > 0.8


@every_mechanism
def test_values_of_usual_size_are_not_cut(mechanism):
    for dtype in ("float32", "float64"):
        out = mechanism(np.array([1e9], dtype=dtype), sensitivity=1e-5, rng=3).theta
        assert abs(float(out[0]) - 1e9) <= 1e-3


@pytest.mark.parametrize("choice", CHOICES)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.filterwarnings("error")
def test_a_choice_is_the_same_wherever_its_scores_lie(choice, dtype):
    """Scores near 2²³, and a hopeless third: differences of 1 decide, as near 0."""
    near, far = (np.array([base, base + 1], dtype=dtype) for base in (0.0, 2.0**23 - 2))
    kind = {"sensitivity": 1.0, "epsilon": 2.0, "rng": 1, "runs": (1000,)}
    wanted = choice(near, **kind, **RELATION).theta
    assert np.array_equal(choice(far, **kind, **RELATION).theta, wanted)
    assert 0.6 < wanted.mean() < 0.85  # a share of e/(1 + e) = 0.73, or near it
    least = -3.4e38 if dtype == "float32" else -1e150
    hopeless = np.array([0.0, 1.0, least], dtype=dtype)
    index = choice(hopeless, **kind | {"epsilon": 1e100}, **RELATION).theta
    assert (index == 1).all()
