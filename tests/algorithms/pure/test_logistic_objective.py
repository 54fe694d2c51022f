"""Objective perturbation for the logistic loss: a price for each score."""

from math import log1p

import numpy as np
import pytest

from dpteach.algorithms.pure.logistic_objective import (
    logistic_objective_epsilon,
    logistic_objective_noise_multiplier,
)
from tests.algorithms.pure.tilted import PAIRS, exact_epsilon


def test_logistic_losses_are_priced_score_by_score():
    """The closed form is the maximum over scores, between exact ε and the cap."""
    q = np.linspace(0, 1, 100_001)
    for lam in (0.1, 0.49, 0.5, 0.51, 2.0, 50.0):
        for Lam in (1e-3, 0.1, 1.0, 30.0):
            kind = {"smoothness": 0.25, "regularization": Lam}
            found = logistic_objective_epsilon(lam, **kind)
            scan = np.max(q / lam + np.log1p(q * (1 - q) / Lam))
            assert found == pytest.approx(scan, rel=1e-8)
            assert scan <= found * (1 + 1e-14)
            assert found <= 1 / lam + log1p(0.25 / Lam)
            worst = max(exact_epsilon(pair, lam, Lam) for pair in PAIRS[:2])
            assert worst <= found * (1 + 1e-9)
    for epsilon, Lam in ((1.0, 1.0), (0.5, 3.0), (8.0, 0.01), (1.0, 1e6)):
        kind = {"smoothness": 0.25, "regularization": Lam}
        lam = logistic_objective_noise_multiplier(epsilon, **kind)
        assert logistic_objective_epsilon(lam, **kind) <= epsilon
        assert logistic_objective_epsilon(0.999 * lam, **kind) > epsilon
    # units: rows of norm 3 and nine times the regularization cost the same
    assert logistic_objective_epsilon(
        2.0, smoothness=9 / 4, regularization=9.0
    ) == pytest.approx(
        logistic_objective_epsilon(2.0, smoothness=0.25, regularization=1.0)
    )


def test_a_budget_that_only_covers_the_determinant_is_refused():
    kind = {"smoothness": 0.25, "regularization": 1.0}
    with pytest.raises(ValueError, match="`epsilon` must be above"):
        logistic_objective_noise_multiplier(log1p(0.25), **kind)


BAD_INPUT = {
    logistic_objective_epsilon: {
        "noise_multiplier": 2.0,
        "smoothness": 0.25,
        "regularization": 1.0,
    },
    logistic_objective_noise_multiplier: {
        "epsilon": 1.0,
        "smoothness": 0.25,
        "regularization": 1.0,
    },
}
