"""Noisy steps that are paid for: their exact price, and where they end."""

import numpy as np
import pytest

from dpteach import Problem, constraints, losses
from dpteach.accounting import gaussian_mu
from dpteach.auditing import exact_mu, noise_map
from dpteach.chapters.exponential_mechanism import langevin_price as price
from dpteach.mechanisms import exponential_choice_probabilities


@pytest.mark.claim(
    "07-exponential-mechanism",
    "T Langevin steps cost μ = cL√(ηT/2), no more and no less: by tape, from the "
    "running code, with a linear loss.",
    order=30,
)
@pytest.mark.parametrize("steps", [1, 2, 30])
def test_the_steps_cost_what_the_theorem_says(steps):
    """The last model alone meets the bound, where a record always pulls one way."""

    def read(n):
        D = Problem(
            np.ones((n, 1)), np.ones(n), losses.linear, constraints.Everywhere()
        )
        kind = {"exponent": 0.7, "steps": steps, "runs": 1}
        return noise_map(lambda rng: price.walk(D, rng=rng, **kind))

    having, lacking = read(3), read(2)
    mu = 0.7 * (price.STEP_SIZE * steps / 2) ** 0.5
    found = exact_mu(having.matrix, having.mean - lacking.mean)
    assert found == pytest.approx(mu, rel=1e-9)


def test_the_exponent_spends_the_budget():
    for epsilon, steps in ((0.1, 1), (1, 30), (3, 1000)):
        c = price.exponent_for(epsilon, steps)
        mu = c * (price.STEP_SIZE * steps / 2) ** 0.5
        assert mu == pytest.approx(gaussian_mu(epsilon, price.DELTA), rel=1e-12)


def test_long_chains_have_arrived_and_short_ones_have_not():
    """At 1000 steps the chains have the risk of exact draws, within 40 %."""
    for epsilon in (0.3, 1, 3):
        c = price.exponent_for(epsilon, 30)
        chain, same, *_ = price.chain_price(epsilon, c, 30)
        assert chain.y[-1] == pytest.approx(same.y[-1], rel=0.4)
        assert chain.y[0] > 10 * same.y[0]


def test_three_models_by_hand():
    """The chapter's example: probabilities, and the odds of two models."""
    before, after = (
        exponential_choice_probabilities(-np.array(risk), exponent=np.log(3))
        for risk in ([10.0, 11.0, 12.0], [11.0, 11.0, 12.0])
    )
    np.testing.assert_allclose(before, np.array([9, 3, 1]) / 13)
    np.testing.assert_allclose(after, np.array([3, 3, 1]) / 7)
    odds = before[0] / after[0] * after[1] / before[1]
    assert odds == pytest.approx(3)
