"""Squared sensitivity of a tree to a record that comes more than once: exact."""

from itertools import combinations, pairwise
from math import sqrt

import numpy as np
import pytest
from scipy.stats import binom

from dpteach.accounting import gaussian_epsilon
from dpteach.algorithms.streams.participation import (
    epochs_squared_sensitivity,
    resampling_multiplicity,
    separated_squared_sensitivity,
    squared_sensitivity,
)
from dpteach.algorithms.streams.streaming_tree import RestartedTree
from dpteach.auditing import exact_mu
from tests.algorithms.streams.nodes import all_noise, effect, noise_of, restarted

# steps per epoch, epochs: all nodes, left children
EPOCHS = {
    (3, 2): (8, 6),
    (4, 2): (10, 9),
    (5, 3): (13, 10),
    (8, 4): (40, 34),
    (10, 5): (45, 34),
    (100, 20): (425, 312),
    (240, 20): (798, 601),
    (100, 100): (14349, 10784),
    (1395, 50): (4924, None),
}

# steps, participations, separation: all nodes
SEPARATED = {
    (8, 2, 1): 14,
    (8, 3, 2): 20,
    (12, 3, 3): 20,
    (16, 3, 4): 23,
    (13, 3, 4): 13,
    (16, 4, 3): 40,
    (20, 3, 5): 23,
    (24, 4, 5): 36,
    (22, 5, 3): 57,
    (32, 9, 3): 186,
    (64, 8, 7): 158,
    (128, 8, 15): 166,
}

# steps per epoch, epochs, epochs a tree: S², and with completion
RESTARTS = {
    (240, 20, 5): (340, 415),
    (240, 20, 1): (160, 179),
    (100, 100, 20): (2125, 4129),
    (100, 100, 5): (1000, 1570),
    (100, 100, 1): (700, 799),
    (1395, 50, 5): (730, 991),
}


def by_definition(participations, steps, estimator):
    """Count, node by node, the participations below it."""
    total, h = 0, 0
    while 1 << h <= steps:
        for i in range(steps >> h):
            if estimator == "honaker" or i % 2 == 0:
                below = [t for t in participations if i << h < t <= (i + 1) << h]
                total += len(below) ** 2
        h += 1
    return total


def patterns(steps, k, d):
    for size in range(1, k + 1):
        for pattern in combinations(range(1, steps + 1), size):
            if all(b - a >= d for a, b in pairwise(pattern)):
                yield pattern


@pytest.mark.parametrize("estimator", ["plain", "honaker"])
def test_a_pattern_costs_the_squares_of_its_counts(estimator):
    rng = np.random.default_rng(0)
    for steps in (1, 2, 5, 16, 37):
        for _ in range(20):
            size = rng.integers(1, min(steps, 6) + 1)
            pattern = tuple(int(t) for t in rng.choice(steps, size, replace=False) + 1)
            found = squared_sensitivity(pattern, steps=steps, estimator=estimator)
            assert found == by_definition(pattern, steps, estimator)


@pytest.mark.parametrize(("plan", "expected"), EPOCHS.items())
def test_epochs_in_one_order(plan, expected):
    for estimator, each in zip(("honaker", "plain"), expected, strict=True):
        if each is None:  # no reference value
            continue
        found = epochs_squared_sensitivity(
            steps_per_epoch=plan[0], epochs=plan[1], estimator=estimator
        )
        assert found == each


def test_many_epochs_cost_more_than_their_sum():
    """The count of 100 epochs at 14 levels each would understate 14349 by 10.25."""
    found = epochs_squared_sensitivity(
        steps_per_epoch=100, epochs=100, estimator="honaker"
    )
    assert round(found / (100 * 14), 2) == 10.25


@pytest.mark.parametrize(("plan", "expected"), RESTARTS.items())
def test_restarts_and_completion(plan, expected):
    steps, epochs, every = plan
    for complete, each in zip((False, True), expected, strict=True):
        found = epochs_squared_sensitivity(
            steps_per_epoch=steps,
            epochs=epochs,
            estimator="honaker",
            restart_every=steps * every,
            complete=complete,
        )
        assert found == each


@pytest.mark.parametrize(("rules", "expected"), SEPARATED.items())
def test_separated_participations(rules, expected):
    steps, k, d = rules
    found = separated_squared_sensitivity(
        steps=steps, participations=k, separation=d, estimator="honaker"
    )
    assert found == expected


def test_the_largest_published_setting_is_exact():
    found = separated_squared_sensitivity(
        steps=2000, participations=6, separation=314, estimator="honaker"
    )
    assert found == 79
    epsilon = gaussian_epsilon(sqrt(found) / 7, 1e-10)
    assert epsilon == pytest.approx(8.52609344345209455, rel=1e-9)


def test_the_price_of_a_published_example():
    """100 epochs of 100 steps, a completed tree every 20, noise 46.3: ε = 6.43."""
    squared = epochs_squared_sensitivity(
        steps_per_epoch=100, epochs=100, estimator="honaker", restart_every=2000,
        complete=True,
    )  # fmt: skip
    assert squared == 4129
    assert gaussian_epsilon(sqrt(squared) / 46.3, 1e-5) == pytest.approx(6.43, abs=5e-3)


@pytest.mark.parametrize("estimator", ["plain", "honaker"])
@pytest.mark.parametrize(
    ("steps", "k", "d"),
    [(1, 1, 1), (7, 2, 9), (8, 3, 2), (11, 4, 2), (13, 3, 4), (15, 5, 1), (16, 4, 3)],
)
def test_the_recursion_finds_what_brute_force_finds(steps, k, d, estimator):
    best = max(
        squared_sensitivity(each, steps=steps, estimator=estimator)
        for each in patterns(steps, k, d)
    )
    found = separated_squared_sensitivity(
        steps=steps, participations=k, separation=d, estimator=estimator
    )
    assert found == best


@pytest.mark.claim(
    "12-prefix-sums",
    "The worst pattern is found exactly; equal spacing is not it.",
    order=9,
)
@pytest.mark.parametrize(
    ("rules", "equal", "worst", "pattern"),
    [
        ((22, 5, 3, "honaker"), 55, 57, (1, 4, 7, 13, 16)),
        ((64, 8, 7, "honaker"), 150, 158, (1, 8, 15, 25, 32, 49, 56, 63)),
        ((38, 8, 5, "plain"), 82, 83, None),
        ((32, 9, 3, "honaker"), 180, 186, None),
        ((128, 8, 15, "honaker"), 158, 166, None),
    ],
)
def test_equal_spacing_is_not_the_worst_case(rules, equal, worst, pattern):
    steps, k, d, estimator = rules

    def cost(each):
        return squared_sensitivity(each, steps=steps, estimator=estimator)

    spaced = [
        tuple(range(b, b + j * d, d))
        for j in range(1, k + 1)
        for b in range(1, steps - (j - 1) * d + 1)
    ]
    assert max(map(cost, spaced)) == equal
    found = separated_squared_sensitivity(
        steps=steps, participations=k, separation=d, estimator=estimator
    )
    assert found == worst > equal
    if pattern:
        assert min(np.diff(pattern)) >= d
        assert cost(pattern) == worst


def test_what_makes_no_sense_is_refused():
    with pytest.raises(ValueError, match="`participations` must be different steps"):
        squared_sensitivity((1, 1), steps=4)
    with pytest.raises(ValueError, match="`participations` must be steps 1"):
        squared_sensitivity((5,), steps=4)
    with pytest.raises(ValueError, match="`complete` must be False"):
        squared_sensitivity((1,), steps=4, complete=True)


def test_no_participation_costs_nothing():
    assert squared_sensitivity((), steps=4) == 0


def test_a_full_tree_is_complete_without_more_leaves():
    for estimator in ("plain", "honaker"):
        rules = {"steps": 12, "restart_every": 4, "estimator": estimator}
        for record in [(1,), (4,), (2, 3), (1, 6, 12)]:
            completed = squared_sensitivity(record, complete=True, **rules)
            assert completed == squared_sensitivity(record, **rules)


def test_a_pause_too_long_for_memory_is_refused_with_its_size():
    with pytest.raises(ValueError, match="participations"):
        separated_squared_sensitivity(steps=10**6, participations=10, separation=10**6)


def test_resampling_multiplicity():
    """n = 1000, δ' = 1e-6: 9 for the one record that differs, where 20.7 is printed."""
    k = resampling_multiplicity(1000, failure_probability=1e-6)
    assert k == 9
    assert binom.sf(9, 1000, 1e-3) <= 1e-6 < binom.sf(8, 1000, 1e-3)
    assert resampling_multiplicity(1000, failure_probability=1e-9) == 11
    assert resampling_multiplicity(1000, failure_probability=1e-5) == 8
    assert resampling_multiplicity(1, failure_probability=1e-9) == 1


@pytest.mark.claim(
    "12-prefix-sums",
    "A record that comes several times costs the squares of its counts.",
    order=7,
)
@pytest.mark.parametrize(
    ("steps", "participations"),
    [(8, (1, 5)), (8, (2, 3, 4)), (22, (1, 4, 7, 13, 16)), (13, (1, 6, 11, 13))],
)
def test_several_participations_cost_what_their_pattern_says(steps, participations):
    B = all_noise(steps, "plain")
    mu = exact_mu(B, effect(steps, participations))
    squared = squared_sensitivity(participations, steps=steps)
    assert mu**2 == pytest.approx(squared, rel=1e-10)


@pytest.mark.parametrize("complete", [False, True])
@pytest.mark.parametrize(
    ("steps", "every", "participations"),
    [
        (12, 3, (1, 4, 7, 10)),
        (12, 6, (1, 7)),
        (11, 5, (2, 3, 6, 11)),
        (10, 7, (1, 5, 8)),
        (4, 9, (1, 3)),
    ],
)
def test_a_restarted_tree_costs_what_its_pattern_says(
    steps, every, participations, complete
):
    B = noise_of(steps, lambda rng: restarted(steps, every, rng, complete=complete))
    mu = exact_mu(B, effect(steps, participations))
    plan = {"steps": steps, "restart_every": every, "complete": complete}
    assert mu**2 <= squared_sensitivity(participations, **plan) * (1 + 1e-10)
    # The published sums say all that the nodes say, once each tree's last sum is whole.
    if not complete:
        assert mu**2 == pytest.approx(squared_sensitivity(participations, **plan))


@pytest.mark.claim("12-prefix-sums", "A restart from the exact sum is caught.", order=8)
def test_a_restart_from_the_exact_sum_is_caught():
    """The old vectors would be released again under the new tree's noise alone."""

    class Forgetful(RestartedTree):
        def add(self, v):
            noisy = super().add(v)
            return noisy - self._left  # without what the finished trees left behind

    steps, every = 8, 4
    d = effect(steps, (1,))
    claimed = squared_sensitivity((1,), steps=steps, restart_every=every)
    honest = noise_of(steps, lambda rng: restarted(steps, every, rng))
    assert exact_mu(honest, d) ** 2 == pytest.approx(claimed)
    broken = noise_of(
        steps,
        lambda rng: Forgetful(
            steps, restart_every=every, clip_norm=1.0, sigma=1.0, shape=(1,), rng=rng
        ),
    )
    assert exact_mu(broken, d) ** 2 > 1.3 * claimed


PLAN = {"estimator": "plain", "restart_every": 4, "complete": True}
BAD_INPUT = {
    squared_sensitivity: {"participations": (1, 4), "steps": 8, **PLAN},
    epochs_squared_sensitivity: {"steps_per_epoch": 4, "epochs": 2, **PLAN},
    separated_squared_sensitivity: {
        "steps": 8,
        "participations": 2,
        "separation": 3,
        "estimator": "honaker",
    },
    resampling_multiplicity: {"n": 10, "failure_probability": 0.01},
}


def test_a_step_after_the_last_is_refused_beside_one_that_is_there():
    with pytest.raises(ValueError, match="`participations` must be steps 1, …, 8"):
        squared_sensitivity((1, 9), steps=8)
