"""The optimum for many passes, beside known numbers and its own certificate."""

import numpy as np
import pytest

from dpteach.algorithms.matrices.matrix_mechanism import MatrixMechanism
from dpteach.algorithms.matrices.optimal_participation import (
    optimal_epochs_factorization,
)
from dpteach.algorithms.matrices.sensitivity import epochs_sensitivity

# (T, passes): the optimum to six digits. jax_privacy has 4.408 and 7.509.
OPTIMA = {
    (4, 2): 1.910155,
    (8, 2): 2.146913,
    (16, 2): 2.407736,
    (16, 4): 3.670608,
    (64, 1): 2.099857,
    (64, 4): 4.407853,
    (64, 8): 7.008548,
    (128, 8): 7.509216,
    (256, 16): 13.30364,
}


@pytest.mark.parametrize(("T", "epochs"), OPTIMA)
def test_the_optimum_and_its_proof(T, epochs):
    best, proof = optimal_epochs_factorization(T, epochs=epochs)
    made = MatrixMechanism(best, T, epochs, T // epochs, equally_spaced=True)
    assert proof.lower_bound <= made.mean_error
    assert made.mean_error == pytest.approx(OPTIMA[T, epochs], rel=1e-6)
    assert proof.lower_bound == pytest.approx(OPTIMA[T, epochs], rel=1e-6)
    assert np.array_equal(best.encoder, np.tril(best.encoder))


def test_the_columns_of_one_record_are_orthogonal_and_found_by_the_proof():
    """They are nearly so before any entry is set to 0: the optimum demands it."""
    best, proof = optimal_epochs_factorization(24, epochs=3)
    X = proof.gram()
    for o in range(8):
        part = X[o::8, o::8]
        assert np.allclose(part, np.diag(np.diag(part)), atol=1e-4 * part.max())
        part = (best.encoder.T @ best.encoder)[o::8, o::8]
        assert np.allclose(part, np.diag(np.diag(part)), atol=1e-12)
    assert epochs_sensitivity(best, epochs=3).exact


def test_passes_that_do_not_fill_the_steps_are_refused():
    with pytest.raises(ValueError, match="`epochs` must divide `steps`=64, got 5"):
        optimal_epochs_factorization(64, epochs=5)


BAD_INPUT = {
    optimal_epochs_factorization: {"steps": 4, "epochs": 2},
}
