"""Private choices: probabilities against tables, their exact price, their draws."""

import math

import array_api_strict
import numpy as np
import pytest

from dpteach.mechanisms import (
    exponential_choice,
    exponential_choice_probabilities,
    noisy_max_probabilities,
    permute_and_flip_choice,
    permute_and_flip_probabilities,
    report_noisy_max,
)
from dpteach.privacy import Pure, Relation, Selection

ADD, REPLACE = Relation.ADD_REMOVE, Relation.REPLACE

PROBABILITIES = (
    exponential_choice_probabilities,
    permute_and_flip_probabilities,
    noisy_max_probabilities,
)

TABLES = {
    1.0: (
        [0.66524095577482188953, 0.24472847105479765247, 0.090030573170380457998],
        [0.76498832725192714092, 0.17564187585774383697, 0.059369796890329022117],
        [0.67126522672569416839, 0.24622468243341723014, 0.082510090840888601476],
    ),
    0.5: (
        [0.5064803910556540259, 0.30719588571849839707, 0.18632372322584757702],
        [0.58717166960743873704, 0.26607696983157840698, 0.14675136056098285598],
        [0.51965138738051216553, 0.30570598203987608334, 0.17464263057951937221],
    ),
}

PRICES = {
    1.0: (1.3089936757762706131, 1.7253573631198449633, 1.3962223912301522673),
    0.5: (0.58165738197362488446, 0.82040326036441900265, 0.64640121531626423423),
}

CHOICES = {
    exponential_choice: exponential_choice_probabilities,
    permute_and_flip_choice: permute_and_flip_probabilities,
    report_noisy_max: noisy_max_probabilities,
}


@pytest.mark.parametrize("exponent", TABLES)
def test_probabilities_have_the_reference_values(exponent):
    for probabilities, table in zip(PROBABILITIES, TABLES[exponent], strict=True):
        ours = probabilities(np.array([0.0, -1.0, -2.0]), exponent=exponent)
        assert ours == pytest.approx(table, rel=1e-12)


@pytest.mark.parametrize("exponent", PRICES)
def test_the_exact_price_of_two_neighbors_has_the_reference_values(exponent):
    for probabilities, price in zip(PROBABILITIES, PRICES[exponent], strict=True):
        p = probabilities(np.array([0.0, 0.0, 0.0]), exponent=exponent)
        q = probabilities(np.array([-1.0, 1.0, 0.0]), exponent=exponent)
        ratio = np.abs(np.log(p / q))
        assert np.max(ratio) == pytest.approx(price, rel=1e-11)
        assert np.max(ratio) <= 2 * exponent


@pytest.mark.parametrize(
    ("exponent", "choice", "flip"),
    [
        (1.0, 0.42478961739555856847, 0.2943814696384018812),
        (0.5, 0.67984333217019355112, 0.55957969095354411893),
    ],
)
def test_the_expected_gap_has_the_reference_values(exponent, choice, flip):
    scores = np.array([0.0, -1.0, -2.0])
    for probabilities, gap in (
        (exponential_choice_probabilities, choice),
        (permute_and_flip_probabilities, flip),
    ):
        assert -probabilities(scores, exponent=exponent) @ scores == pytest.approx(
            gap, rel=1e-12
        )


def test_probabilities_add_up_to_one_and_ignore_a_shift():
    rng = np.random.default_rng(0)
    for m in (1, 2, 7, 40):
        scores = rng.normal(scale=3, size=m)
        for probabilities in PROBABILITIES:
            p = probabilities(scores, exponent=0.7)
            assert p.sum() == pytest.approx(1, rel=1e-12)
            assert np.all(np.diff(p[np.argsort(scores)]) >= 0)
            assert probabilities(scores + 100, exponent=0.7) == pytest.approx(
                p, rel=1e-9
            )


@pytest.mark.claim(
    "02-sensitivity",
    "Exponential choices have bounded range; noisy max and permute and flip have not.",
    order=6,
)
def test_bounded_range_holds_for_exponential_choices_alone():
    """Exact, over random neighbors: log-ratios lie within ε of each other."""
    rng = np.random.default_rng(2)
    widest = dict.fromkeys(PROBABILITIES, 0.0)
    for _ in range(300):
        scores, change = rng.normal(size=4), rng.choice([-1.0, 1.0], 4)
        for probabilities in PROBABILITIES:
            p, q = (
                probabilities(each, exponent=0.5) for each in (scores, scores + change)
            )
            widest[probabilities] = max(widest[probabilities], np.ptp(np.log(p / q)))
    assert widest[exponential_choice_probabilities] <= 1 + 1e-12
    assert (
        widest[permute_and_flip_probabilities] > 1.05
    )  # so its event is Pure, not Selection


def _deviation(mechanism, seed, exponent_factor=1.0, **more):
    scores, n = np.array([0.0, -1.0, -2.0]), 100_000
    out = mechanism(
        scores, sensitivity=1.0, epsilon=2.0, rng=seed, relation=ADD, runs=(n,), **more
    )
    probabilities = CHOICES[mechanism](scores, exponent=exponent_factor)
    return np.max(np.abs(np.bincount(out.theta, minlength=3) / n - probabilities))


@pytest.mark.claim(
    "02-sensitivity",
    "Choices that are drawn follow the distributions that the figure shows.",
    order=8,
)
@pytest.mark.parametrize("mechanism", CHOICES)
def test_draws_follow_the_distribution(mechanism):
    """Hoeffding, three cells, 1e-6 together; power: a factor of two in c is caught."""
    bound = math.sqrt(math.log(6 / 1e-6) / (2 * 100_000))
    assert _deviation(mechanism, 11) < bound
    assert _deviation(mechanism, 11, exponent_factor=2.0) > bound
    assert _deviation(mechanism, 11, exponent_factor=2.0, monotone=True) < bound


@pytest.mark.parametrize("mechanism", CHOICES)
def test_choices_carry_their_event(mechanism):
    call = {"sensitivity": 1.0, "epsilon": 0.5, "rng": 0, "relation": REPLACE}
    out = mechanism(np.array([0.0, 1.0]), **call)
    kind = Selection if mechanism is exponential_choice else Pure
    assert out.event == kind(0.5, relation=REPLACE)
    assert out.theta.shape == ()


def test_scores_count_in_units_of_their_sensitivity():
    """Scores and sensitivity, both fourfold, give the same choices, draw by draw."""
    scores = np.array([0.0, -1.0, -2.0])
    call = {"epsilon": 2.0, "rng": 3, "relation": ADD, "runs": (1000,)}
    for mechanism in CHOICES:
        one = mechanism(scores, sensitivity=1.0, **call)
        four = mechanism(4 * scores, sensitivity=4.0, **call)
        np.testing.assert_array_equal(one.theta, four.theta)
        assert len(np.unique(one.theta)) == 3


@pytest.mark.parametrize("mechanism", CHOICES)
def test_a_choice_is_an_array_of_the_scores_own_library(mechanism):
    scores = np.array([0.0, -1.0, -2.0])
    call = {"sensitivity": 1.0, "epsilon": 2.0, "rng": 3, "relation": ADD, "runs": (9,)}
    strict = mechanism(array_api_strict.asarray(scores), **call).theta
    assert type(strict) is type(array_api_strict.asarray(scores))
    np.testing.assert_array_equal(np.asarray(strict), mechanism(scores, **call).theta)
