"""Private choices: their laws against tables, their exact price, their draws."""

import itertools
import math

import numpy as np
import pytest

from dpteach.mechanisms import (
    exponential_choice,
    exponential_choice_law,
    noisy_max_law,
    permute_and_flip_choice,
    permute_and_flip_law,
    randomized_response,
    randomized_response_law,
    report_noisy_max,
)
from dpteach.privacy import Pure, Relation, Selection

ADD, REPLACE = Relation.ADD_REMOVE, Relation.REPLACE
LAWS = (exponential_choice_law, permute_and_flip_law, noisy_max_law)
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
    exponential_choice: exponential_choice_law,
    permute_and_flip_choice: permute_and_flip_law,
    report_noisy_max: noisy_max_law,
}


@pytest.mark.parametrize("exponent", TABLES)
def test_laws_have_the_reference_values(exponent):
    for law, table in zip(LAWS, TABLES[exponent], strict=True):
        ours = law(np.array([0.0, -1.0, -2.0]), exponent=exponent)
        assert ours == pytest.approx(table, rel=1e-12)


@pytest.mark.parametrize("exponent", PRICES)
def test_the_exact_price_of_two_neighbours_has_the_reference_values(exponent):
    for law, price in zip(LAWS, PRICES[exponent], strict=True):
        p = law(np.array([0.0, 0.0, 0.0]), exponent=exponent)
        q = law(np.array([-1.0, 1.0, 0.0]), exponent=exponent)
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
    for law, gap in ((exponential_choice_law, choice), (permute_and_flip_law, flip)):
        assert -law(scores, exponent=exponent) @ scores == pytest.approx(gap, rel=1e-12)


def test_laws_are_probabilities_and_ignore_a_shift():
    rng = np.random.default_rng(0)
    for m in (1, 2, 7, 40):
        scores = rng.normal(scale=3, size=m)
        for law in LAWS:
            p = law(scores, exponent=0.7)
            assert p.sum() == pytest.approx(1, rel=1e-12)
            assert np.all(np.diff(p[np.argsort(scores)]) >= 0)
            assert law(scores + 100, exponent=0.7) == pytest.approx(p, rel=1e-9)


def test_permute_and_flip_is_the_average_over_all_orders():
    scores = np.array([0.0, -0.3, -1.0, -2.5])
    coin, law = np.exp(scores), np.zeros(4)
    for order in itertools.permutations(range(4)):
        left = 1.0
        for i in order:
            law[i] += left * coin[i] / 24
            left *= 1 - coin[i]
    assert permute_and_flip_law(scores, exponent=1.0) == pytest.approx(law, rel=1e-12)


def test_noisy_max_of_two_has_its_closed_form():
    # the difference of two Laplace variables exceeds g with probability (2+g)e^{-g}/4
    for gap in (0.0, 0.5, 3.0, 20.0):
        low = noisy_max_law(np.array([0.0, -gap]), exponent=1.0)[1]
        assert low == pytest.approx((2 + gap) * math.exp(-gap) / 4, rel=1e-9)


@pytest.mark.claim(
    "02-mechanisms",
    "Permute and flip is never worse than the exponential mechanism.",
    order=7,
)
def test_permute_and_flip_is_never_worse_than_the_exponential_mechanism():
    rng = np.random.default_rng(1)
    for _ in range(200):
        scores = rng.normal(scale=2, size=int(rng.integers(2, 9)))
        mean = [law(scores, exponent=1.0) @ scores for law in LAWS[:2]]
        assert mean[1] >= mean[0] - 1e-12


@pytest.mark.claim(
    "02-mechanisms",
    "Exponential choices have bounded range; noisy max and permute and flip have not.",
    order=6,
)
def test_bounded_range_holds_for_exponential_choices_alone():
    """Exact, over random neighbours: log-ratios lie within ε of each other."""
    rng = np.random.default_rng(2)
    widest = dict.fromkeys(LAWS, 0.0)
    for _ in range(300):
        scores, change = rng.normal(size=4), rng.choice([-1.0, 1.0], 4)
        for law in LAWS:
            p, q = (law(each, exponent=0.5) for each in (scores, scores + change))
            widest[law] = max(widest[law], np.ptp(np.log(p / q)))
    assert widest[exponential_choice_law] <= 1 + 1e-12
    assert widest[permute_and_flip_law] > 1.05  # so its event is Pure, not Selection


def _deviation(mechanism, seed, exponent_factor=1.0, **more):
    scores, n = np.array([0.0, -1.0, -2.0]), 100_000
    out = mechanism(
        scores, sensitivity=1.0, epsilon=2.0, rng=seed, relation=ADD, runs=(n,), **more
    )
    law = CHOICES[mechanism](scores, exponent=exponent_factor)
    return np.max(np.abs(np.bincount(out.theta, minlength=3) / n - law))


@pytest.mark.claim(
    "02-mechanisms",
    "Choices that are drawn follow the laws that the figure shows.",
    order=8,
)
@pytest.mark.parametrize("mechanism", CHOICES)
def test_draws_follow_the_law(mechanism):
    """Hoeffding, three cells, 1e-6 together; power: a factor of two in c is caught."""
    bound = math.sqrt(math.log(6 / 1e-6) / (2 * 100_000))
    assert _deviation(mechanism, 11) < bound
    assert _deviation(mechanism, 11, exponent_factor=2.0) > bound
    assert _deviation(mechanism, 11, exponent_factor=2.0, monotone=True) < bound


def test_inverse_cdf_is_exact_on_a_grid_of_uniforms():
    class Grid(np.random.Generator):
        def random(self, size=None):
            return (np.arange(size[0]) + 0.5) / size[0]

    scores = np.array([0.0, -1.0, -2.0])
    out = exponential_choice(
        scores,
        sensitivity=1.0,
        epsilon=2.0,
        method="inverse_cdf",
        rng=Grid(np.random.PCG64(0)),
        relation=ADD,
        runs=(10_000,),
    )
    law = exponential_choice_law(scores, exponent=1.0)
    assert np.abs(np.bincount(out.theta) / 10_000 - law).max() <= 1e-4


@pytest.mark.parametrize("mechanism", CHOICES)
def test_choices_carry_their_event(mechanism):
    call = {"sensitivity": 1.0, "epsilon": 0.5, "rng": 0, "relation": REPLACE}
    out = mechanism(np.array([0.0, 1.0]), **call)
    kind = Selection if mechanism is exponential_choice else Pure
    assert out.event == kind(0.5, relation=REPLACE)
    assert out.theta.shape == ()


@pytest.mark.claim("01-privacy", "Its draws follow its table.", order=3)
def test_randomized_response_is_its_table():
    """Hoeffding over nine cells, 1e-6 together; power: ε = 1 is not ε = 1.1."""
    n, epsilon = 300_000, 1.0
    answers = np.repeat(np.arange(3), n // 3)
    out = randomized_response(
        answers, classes=3, epsilon=epsilon, rng=5, relation=REPLACE
    )
    counts = np.zeros((3, 3))
    np.add.at(counts, (answers, out.theta), 3 / n)
    bound = math.sqrt(math.log(18 / 1e-6) / (2 * n / 3))
    assert np.abs(counts - randomized_response_law(3, epsilon=1.0)).max() < bound
    assert np.abs(counts - randomized_response_law(3, epsilon=1.1)).max() > bound


@pytest.mark.claim("01-privacy", "Randomized response costs exactly ε.", order=2)
def test_randomized_response_costs_epsilon_exactly():
    for classes in (2, 3, 10):
        table = randomized_response_law(classes, epsilon=0.7)
        assert table.sum(axis=1) == pytest.approx(np.ones(classes))
        assert np.max(table / table.min(axis=0)) == pytest.approx(math.exp(0.7))
    with pytest.raises(ValueError, match="`relation` must be"):
        randomized_response(
            np.array([0, 1]), classes=2, epsilon=1.0, rng=0, relation=ADD
        )
    with pytest.raises(ValueError, match="`answers` must be from 0"):
        randomized_response(
            np.array([0, 2]), classes=2, epsilon=1.0, rng=0, relation=REPLACE
        )
    with pytest.raises(TypeError, match="`answers` must be a NumPy array"):
        randomized_response([0, 1], classes=2, epsilon=1.0, rng=0, relation=REPLACE)
