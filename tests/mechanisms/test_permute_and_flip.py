"""Permute and flip."""

import itertools

import numpy as np
import pytest

from dpteach.mechanisms import (
    exponential_choice_probabilities,
    noisy_max_probabilities,
    permute_and_flip_probabilities,
)
from dpteach.mechanisms.permute_and_flip import permute_and_flip_choice
from dpteach.privacy import Relation

TABLES = (
    exponential_choice_probabilities,
    permute_and_flip_probabilities,
    noisy_max_probabilities,
)


def test_permute_and_flip_is_the_average_over_all_orders():
    scores = np.array([0.0, -0.3, -1.0, -2.5])
    coin, table = np.exp(scores), np.zeros(4)
    for order in itertools.permutations(range(4)):
        left = 1.0
        for i in order:
            table[i] += left * coin[i] / 24
            left *= 1 - coin[i]
    assert permute_and_flip_probabilities(scores, exponent=1.0) == pytest.approx(
        table, rel=1e-12
    )


@pytest.mark.claim(
    "02-sensitivity",
    "Permute and flip is never worse than the exponential mechanism.",
    order=7,
)
def test_permute_and_flip_is_never_worse_than_the_exponential_mechanism():
    rng = np.random.default_rng(1)
    for _ in range(200):
        scores = rng.normal(scale=2, size=int(rng.integers(2, 9)))
        mean = [table(scores, exponent=1.0) @ scores for table in TABLES[:2]]
        assert mean[1] >= mean[0] - 1e-12


BAD_INPUT = {
    permute_and_flip_choice: {
        "scores": np.array([1.0, 2.0]),
        "sensitivity": 1.0,
        "epsilon": 1.0,
        "rng": 0,
        "relation": Relation.ADD_REMOVE,
        "monotone": True,
        "runs": (2,),
    },
    permute_and_flip_probabilities: {"scores": np.array([1.0, 2.0]), "exponent": 1.0},
}
