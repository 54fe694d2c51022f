"""Above-threshold: the exact chances of its stop, its price, and what breaks it."""

from functools import cache
from itertools import product
from math import exp

import numpy as np
import pytest
from scipy import stats

from dpteach import secure
from dpteach.mechanisms import above_threshold, above_threshold_probabilities
from dpteach.privacy import Pure, Relation

ADD = Relation.ADD_REMOVE
LEVELS = (-40.0, -2.0, 0.0, 3.0, 40.0)
ONE_WAY = ((0, 1), (1, 0), (1, 1))
BOTH_WAYS = (*ONE_WAY, (1, -1), (-1, 1))


@cache
def chances(answers, b1, b2):
    return above_threshold_probabilities(
        np.array(answers, dtype=float), threshold=0.0, threshold_scale=b1,
        answer_scale=b2,
    )  # fmt: skip


def stops(answers, b1, b2):
    return chances(tuple(answers), b1, b2)


def true_loss(b1, b2, looks, moves):
    """The largest log-ratio of two distributions, over levels and moves."""
    worst = 0.0
    for early, last, (first, then) in product(LEVELS, LEVELS, moves):
        q = [early] * (looks - 1) + [last]
        moved = [early + first] * (looks - 1) + [last + then]
        one, other = stops(q, b1, b2), stops(moved, b1, b2)
        seen = np.minimum(one, other) > 1e-250
        worst = max(worst, np.abs(np.log(one[seen] / other[seen])).max())
    return worst


@pytest.mark.parametrize(("a", "b"), [(2.0, 4.0), (1.0, 0.3), (0.5, 7.0)])
def test_one_look_has_its_closed_form(a, b):
    for gap in (0.0, 0.5, 3.0, 20.0):
        one = (a * a * exp(-gap / a) - b * b * exp(-gap / b)) / (2 * (a * a - b * b))
        assert stops([-gap], a, b)[0] == pytest.approx(one, rel=1e-10)
        assert stops([gap], a, b)[1] == pytest.approx(one, rel=1e-10)


def test_the_distribution_is_that_of_a_sum_over_a_fine_grid():
    rho = np.linspace(-80, 80, 400_001)
    weight = np.exp(-np.abs(rho) / 2)
    weight /= weight.sum()
    alive, expected = np.ones_like(rho), []
    for q in (-3.0, 1.0, 0.5):
        stay = stats.laplace.cdf(rho - q, scale=4.0)
        expected.append(np.sum(weight * alive * (1 - stay)))
        alive = alive * stay
    ours = stops([-3.0, 1.0, 0.5], 2.0, 4.0)
    assert ours == pytest.approx([*expected, np.sum(weight * alive)], rel=1e-6)
    assert ours.sum() == pytest.approx(1, rel=1e-12)
    assert stops([], 2.0, 4.0) == pytest.approx([1.0])


@pytest.mark.claim(
    "03-composition",
    "Above-threshold costs ε for any number of looks, and needs all of it: from its "
    "exact distribution.",
    order=31,
)
@pytest.mark.parametrize(("looks", "loss"), [(1, 0.25), (2, 0.5), (10, 1.0), (40, 1)])
def test_the_price_holds_for_any_number_of_looks_and_is_reached(looks, loss):
    """In units of 1/ε: the noise of the algorithm, and halved where it may be."""
    found = true_loss(2.0, 4.0, looks, BOTH_WAYS)
    assert loss - 0.01 < found <= 1 + 1e-9
    assert true_loss(2.0, 2.0, looks, ONE_WAY) <= 1 + 1e-9


def test_less_noise_breaks_the_price():
    """Power: halved noise on answers costs 1.5 ε; none on the threshold ε/2 a look."""
    assert true_loss(2.0, 2.0, 10, BOTH_WAYS) == pytest.approx(1.5, abs=0.01)
    for looks in (4, 20):
        broken = true_loss(0.0, 2.0, looks, BOTH_WAYS)
        assert broken == pytest.approx(looks / 2, rel=1e-6)


def test_the_running_code_has_this_distribution():
    """Chi-square at 1e-6 over 6,000 runs; the chances of other noise are refused."""
    q, rng, counts = [5.0, 9.0, 7.0], np.random.default_rng(0), np.zeros(4)
    run = {"threshold": 8.0, "sensitivity": 2.0, "epsilon": 0.5, "relation": ADD}
    for monotone, b2 in ((False, 16.0), (True, 8.0)):
        counts[:] = 0
        for _ in range(6_000):
            out = above_threshold(q, **run, looks=3, rng=rng, monotone=monotone)
            counts[int(out.theta)] += 1
        for scale, right in ((b2, True), (24 - b2, False)):
            chances = above_threshold_probabilities(
                np.array(q), threshold=8.0, threshold_scale=8.0, answer_scale=scale
            )
            p = stats.chisquare(counts, chances * counts.sum()).pvalue
            assert (p > 1e-6) == right
    assert out.event == Pure(0.5, relation=ADD)


def test_answers_are_read_one_at_a_time_and_no_more_than_allowed():
    read = []

    def answers():
        for t in range(10**9):
            read.append(t)
            yield -1e300 if t < 3 else 1e300

    run = {"threshold": 0.0, "sensitivity": 1.0, "epsilon": 1.0, "relation": ADD}
    assert int(above_threshold(answers(), **run, looks=50, rng=0).theta) == 3
    assert read == [0, 1, 2, 3]
    assert int(above_threshold(answers(), **run, looks=2, rng=0).theta) == 2
    assert int(above_threshold([], **run, looks=2, rng=0).theta) == 0


BAD_INPUT = {
    above_threshold: {
        "answers": np.array([1.0, 3.0, 2.0]),
        "threshold": 2.0,
        "sensitivity": 1.0,
        "epsilon": 1.0,
        "looks": 3,
        "rng": 0,
        "relation": ADD,
        "monotone": True,
    },
    above_threshold_probabilities: {
        "answers": np.array([1.0, 3.0, 2.0]),
        "threshold": 2.0,
        "threshold_scale": 2.0,
        "answer_scale": 4.0,
    },
}


def test_a_memoryview_is_refused_as_an_argument():
    """Of some formats it cannot be read, and that ended in NotImplementedError."""
    view = memoryview(np.array([1.0, 2.0], dtype=">f8"))
    call = {"epsilon": 1.0, "relation": Relation.ADD_REMOVE}
    with pytest.raises(TypeError, match="`answers` must give one number"):
        above_threshold(view, threshold=0.0, sensitivity=1.0, looks=2, rng=0, **call)
    with pytest.raises(TypeError, match="`counts` must be a list of ints"):
        secure.release_histogram(view, **call)
