"""Report noisy max."""

import math

import numpy as np
import pytest

from dpteach.mechanisms import (
    noisy_max_probabilities,
)
from dpteach.mechanisms.noisy_max import report_noisy_max
from dpteach.privacy import Relation


def test_noisy_max_of_two_has_its_closed_form():
    # the difference of two Laplace variables exceeds g with probability (2+g)e^{-g}/4
    for gap in (0.0, 0.5, 3.0, 20.0):
        low = noisy_max_probabilities(np.array([0.0, -gap]), exponent=1.0)[1]
        assert low == pytest.approx((2 + gap) * math.exp(-gap) / 4, rel=1e-9)


BAD_INPUT = {
    report_noisy_max: {
        "scores": np.array([1.0, 2.0]),
        "sensitivity": 1.0,
        "epsilon": 1.0,
        "rng": 0,
        "relation": Relation.ADD_REMOVE,
        "monotone": True,
        "runs": (2,),
    },
    noisy_max_probabilities: {"scores": np.array([1.0, 2.0]), "exponent": 1.0},
}
