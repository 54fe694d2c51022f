"""A matrix mechanism under a rule of participation: its numbers are its matrices'."""

import numpy as np
import pytest

from dpteach import Relation
from dpteach.algorithms.matrices.factorization import (
    Factorization,
    independent_factorization,
)
from dpteach.algorithms.matrices.matrix_mechanism import MatrixMechanism
from dpteach.algorithms.matrices.optimal_buffers import optimal_buffers
from dpteach.algorithms.matrices.toeplitz import square_root_factorization
from dpteach.algorithms.matrices.toeplitz_encoder import Bands


def test_the_numbers_of_a_mechanism_are_those_of_its_matrices():
    rules = {"participations": 3, "separation": 5}
    for encoder in (optimal_buffers(20, **rules), square_root_factorization(20)):
        made = MatrixMechanism(encoder, 20, **rules)
        f = encoder if isinstance(encoder, Factorization) else encoder.factorization(20)
        moved = np.linalg.norm(f.encoder[:, [0, 5, 10]].sum(axis=1))
        assert made.sensitivity.value == pytest.approx(moved, rel=1e-12)
        rows = np.linalg.norm(f.decoder, axis=1)
        assert made.mean_error == pytest.approx(
            moved * np.sqrt(np.mean(rows**2)), rel=1e-12
        )
        assert made.max_error == pytest.approx(moved * rows.max(), rel=1e-12)
        assert made.event(3.0, relation=Relation.REPLACE).mu == 2 / 3


def test_rules_are_checked():
    with pytest.raises(ValueError, match="`encoder` must have `steps`=5, got 4"):
        MatrixMechanism(independent_factorization(4), 5, 1, 1)
    with pytest.raises(ValueError, match="`equally_spaced` participations must fill"):
        MatrixMechanism(Bands((1.0,)), 5, 2, 2, equally_spaced=True)


BAD_INPUT = {
    MatrixMechanism: {
        "encoder": Bands((1.0, 0.5)),
        "steps": 6,
        "participations": 2,
        "separation": 3,
        "equally_spaced": True,
    },
}
