"""Randomized response."""

import math

import numpy as np
import pytest

from dpteach.mechanisms import (
    randomized_response,
    randomized_response_probabilities,
)
from dpteach.privacy import Relation

ADD, REPLACE = Relation.ADD_REMOVE, Relation.REPLACE


@pytest.mark.claim("01-guessing-game", "Its draws follow its table.", order=3)
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
    assert (
        np.abs(counts - randomized_response_probabilities(3, epsilon=1.0)).max() < bound
    )
    assert (
        np.abs(counts - randomized_response_probabilities(3, epsilon=1.1)).max() > bound
    )


@pytest.mark.claim("01-guessing-game", "Randomized response costs exactly ε.", order=2)
def test_randomized_response_costs_epsilon_exactly():
    for classes in (2, 3, 10):
        table = randomized_response_probabilities(classes, epsilon=0.7)
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


def test_bytes_lie_as_long_numbers_do():
    """99 + 99 is no signed byte: sums that overflow would leave some reports out."""
    call = {"epsilon": 0.5, "rng": 3, "relation": REPLACE}
    for dtype, K in ((np.int8, 100), (np.uint8, 200), (np.uint8, 256), (np.uint64, 9)):
        for true in (0, K // 2, K - 1):
            answers = np.full(5000, true)
            wide = randomized_response(answers, classes=K, **call).theta
            narrow = randomized_response(answers.astype(dtype), classes=K, **call).theta
            np.testing.assert_array_equal(narrow, wide)
            assert len(np.unique(wide)) == K


def test_answers_are_classes():
    call = {"epsilon": 1.0, "rng": 0, "relation": REPLACE}
    for wrong in ([-1, 1], [-2, 0], [0, 3]):
        with pytest.raises(ValueError, match="`answers` must be from 0 to 2"):
            randomized_response(np.array(wrong), classes=3, **call)
    assert randomized_response(np.array([1, 2]), classes=3, **call).theta.shape == (2,)
    with pytest.raises(ValueError, match="`classes`"):
        randomized_response(np.array([0]), classes=1, **call)
    with pytest.raises(ValueError, match="`classes`"):
        randomized_response_probabilities(1, epsilon=1.0)


def test_a_masked_answer_is_refused_and_not_published_as_masked():
    """The mask went through to what is published, and told who had not answered."""
    answers = np.ma.array([1, 2, 0], mask=[True, False, False])
    with pytest.raises(TypeError, match=r"`answers` must be .* none of them masked"):
        randomized_response(answers, classes=3, epsilon=1.0, rng=0, relation=REPLACE)


def test_a_table_that_cannot_fit_is_refused_with_its_bytes():
    with pytest.raises(ValueError, match=r"`classes` .* memory \(8e\+12 bytes"):
        randomized_response_probabilities(10**6, epsilon=1.0)
    assert randomized_response_probabilities(1000, epsilon=1.0).shape == (1000, 1000)


BAD_INPUT = {
    randomized_response: {
        "answers": np.array([0, 1, 2]),
        "classes": 3,
        "epsilon": 1.0,
        "rng": 0,
        "relation": Relation.REPLACE,
        "runs": (2,),
    },
    randomized_response_probabilities: {"classes": 3, "epsilon": 1.0},
}
