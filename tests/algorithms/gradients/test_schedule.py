"""A batch size and epochs, in the arguments of the algorithms, with their rounding."""

import numpy as np
import pytest

from dpteach import Problem, constraints, losses
from dpteach.algorithms import sampled_dp_sgd, sampling_schedule


def test_the_papers_mnist_run():
    """Batches of 250 of 60,000 images for 20 epochs: 4,800 steps, nothing rounded."""
    plan = sampling_schedule(n=60_000, batch_size=250, epochs=20)
    assert (plan.rate, plan.steps, plan.batches, plan.left_out) == (
        1 / 240, 4800, 240, 0
    )  # fmt: skip
    assert plan.passes == 20
    assert plan.rounding.startswith("Nothing is rounded")


@pytest.mark.parametrize("n", [10, 997, 1797, 60_001])
@pytest.mark.parametrize("b", [1, 7, 9])
@pytest.mark.parametrize("epochs", [1, 3, 100])
def test_the_passes_are_those_asked_for_to_half_a_batch(n, b, epochs):
    plan = sampling_schedule(n=n, batch_size=b, epochs=epochs)
    assert abs(plan.passes - epochs) <= 0.5 * plan.rate * (1 + 1e-9)
    assert plan.batches * plan.batch_size + plan.left_out == n
    assert ("passes, not" in plan.rounding) == (plan.passes != epochs)
    assert ("leave out" in plan.rounding) == (plan.left_out > 0)


def test_several_batches_of_a_step_are_one():
    plan = sampling_schedule(n=1000, batch_size=20, epochs=5, accumulation=3)
    assert plan == sampling_schedule(n=1000, batch_size=60, epochs=5)


def test_the_usual_rate_moves_the_model_against_the_mean():
    """Gradients of 1 and no noise to speak of: a step of the usual rate, on average."""
    n, usual = 4000, 0.5
    plan = sampling_schedule(n=n, batch_size=1000, epochs=1)
    D = Problem(np.ones((n, 1)), np.ones(n), losses.linear, constraints.Everywhere())
    out = sampled_dp_sgd(
        D, rate=plan.rate, steps=plan.steps, clip_norm=2.0, noise_multiplier=1e-6,
        learning_rate=plan.learning_rate(usual), rng=0,
    )  # fmt: skip
    assert plan.steps == 4
    # four batches of 1000 ± 27 records each: six deviations of their mean are 0.083
    assert out.path[-1][0] == pytest.approx(4 * usual, rel=0.09)


def test_a_batch_of_all_records_is_refused():
    with pytest.raises(ValueError, match="take dp_sgd"):
        sampling_schedule(n=100, batch_size=25, epochs=1, accumulation=4)


BAD_INPUT = {
    sampling_schedule: {"n": 1000, "batch_size": 20, "epochs": 3, "accumulation": 2}
}
