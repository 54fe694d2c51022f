"""A theorem's noise keeps its promise, or is refused beyond its range."""

import math

import pytest

from dpteach.accounting import epsilon_of, noise_multiplier
from dpteach.algorithms import (
    dp_ftrl_noise_multiplier,
    dp_sgd_noise_multiplier,
    least_squares_dp_ftrl_noise_multiplier,
    private_frank_wolfe,
    private_frank_wolfe_noise,
    tree_noise_multiplier,
)
from dpteach.algorithms.streams.tree import levels
from dpteach.privacy import Gaussian, Pure, Relation
from tests.algorithms.geometry.samples import lasso_problem

REPLACE = Relation.REPLACE


def _gaussian(calibrated, releases):
    def event(epsilon, delta, steps):
        z = calibrated(epsilon, delta, steps)
        return Gaussian(z, releases=releases(steps), relation=REPLACE)

    return event


def _corners(epsilon, delta, steps):
    kind = {"steps": steps, "lipschitz_l1": 2.0, "l1_radius": 1.0}
    b = private_frank_wolfe_noise(
        epsilon, delta, relation=REPLACE, method="textbook", **kind
    )
    return Pure(2 * 2.0 * 2 / b, releases=steps - 1, relation=REPLACE)


BOOK = {"relation": REPLACE, "method": "textbook"}
# (ε, δ, steps) ↦ the event of an algorithm that runs with the theorem's noise
EVENTS = {
    "noise_multiplier": _gaussian(
        lambda e, d, k: noise_multiplier(e, d, releases=k, **BOOK), lambda k: k
    ),
    "dp_sgd": _gaussian(
        lambda e, d, T: dp_sgd_noise_multiplier(e, d, steps=T, **BOOK), lambda T: T
    ),
    "tree": _gaussian(
        lambda e, d, n: tree_noise_multiplier(e, d, steps=n, **BOOK), levels
    ),
    "dp_ftrl": _gaussian(
        lambda e, d, n: dp_ftrl_noise_multiplier(e, d, steps=n, **BOOK), levels
    ),
    "least_squares_dp_ftrl": _gaussian(
        lambda e, d, n: least_squares_dp_ftrl_noise_multiplier(e, d, steps=n, **BOOK),
        lambda n: 2 * levels(n),
    ),
    "private_frank_wolfe": _corners,
}


@pytest.mark.parametrize("name", EVENTS)
@pytest.mark.parametrize("delta", [1e-12, 1e-6, 0.1, 0.9])
def test_the_noise_of_a_theorem_meets_its_budget_or_is_refused(name, delta):
    ratios = (0.01, 1, 7.99, 8.01, 30, 300, 3000)  # of ε to ln(1/δ)
    for ratio in ratios:
        epsilon = -ratio * math.log(delta)
        for steps in (2, 1000):
            if name == "private_frank_wolfe" and ratio > 8:
                with pytest.raises(ValueError, match="epsilon"):
                    EVENTS[name](epsilon, delta, steps)
                continue
            event = EVENTS[name](epsilon, delta, steps)
            assert epsilon_of(event, delta) <= epsilon


def test_the_formula_of_the_corners_costs_more_beyond_its_range():
    """Power: without the refusal, ε = 400 would cost 793."""
    steps, delta = 1000, 1e-6
    one = 400 / math.sqrt(-8 * steps * math.log(delta))
    spent = Pure(one, releases=steps - 1, relation=REPLACE)
    assert epsilon_of(spent, delta) == pytest.approx(792.9, abs=0.1)


def test_an_algorithm_with_laplace_noise_says_what_to_take_instead():
    kind = {"lipschitz_l1": 2.0, "steps": 10, "epsilon": 400, "delta": 1e-6, "rng": 0}
    with pytest.raises(ValueError, match=r"8 ln\(1/δ\) = 110.5.*noise='exponential'"):
        private_frank_wolfe(lasso_problem(4, 3), noise="laplace", **kind)
    released = private_frank_wolfe(lasso_problem(4, 3), noise="exponential", **kind)
    assert epsilon_of(released.event, 1e-6) <= 400
