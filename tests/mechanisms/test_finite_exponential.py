"""The exponential mechanism among finitely many choices."""

import numpy as np

from dpteach.mechanisms import (
    exponential_choice,
    exponential_choice_probabilities,
)
from dpteach.privacy import Relation

ADD, REPLACE = Relation.ADD_REMOVE, Relation.REPLACE


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
    table = exponential_choice_probabilities(scores, exponent=1.0)
    assert np.abs(np.bincount(out.theta) / 10_000 - table).max() <= 1e-4


BAD_INPUT = {
    exponential_choice: {
        "scores": np.array([1.0, 2.0]),
        "sensitivity": 1.0,
        "epsilon": 1.0,
        "rng": 0,
        "relation": Relation.ADD_REMOVE,
        "monotone": True,
        "runs": (2,),
        "method": "gumbel",
    },
    exponential_choice_probabilities: {"scores": np.array([1.0, 2.0]), "exponent": 1.0},
}
