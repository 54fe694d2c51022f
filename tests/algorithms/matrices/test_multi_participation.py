"""One call for many passes: what it chooses, what it promises, and its proof."""

from itertools import pairwise
from math import sqrt

import numpy as np
import pytest

from dpteach.algorithms.matrices.buffered_toeplitz import Buffers
from dpteach.algorithms.matrices.factorization import (
    Factorization,
    independent_factorization,
)
from dpteach.algorithms.matrices.matrix_mechanism import MatrixMechanism
from dpteach.algorithms.matrices.multi_participation import (
    multi_participation_factorization,
)
from dpteach.algorithms.matrices.participation_bound import participation_lower_bound
from dpteach.algorithms.matrices.toeplitz import square_root_factorization
from dpteach.algorithms.matrices.toeplitz_encoder import Bands, InverseBands

SETTINGS = (
    ({"steps": 24, "epochs": 3}, Factorization),
    ({"steps": 24, "epochs": 24}, Factorization),
    ({"steps": 24, "epochs": 1}, Factorization),
    ({"steps": 24, "participations": 3, "separation": 8}, Factorization),
    ({"steps": 25, "participations": 2, "separation": 4}, Buffers),
    ({"steps": 24, "participations": 1, "separation": 1}, Factorization),
    ({"steps": 300, "epochs": 3}, Bands),
    ({"steps": 300, "epochs": 150}, Bands),
    ({"steps": 300, "epochs": 3, "memory": 0}, InverseBands),
    ({"steps": 300, "epochs": 3, "memory": 1}, Buffers),
)


@pytest.mark.parametrize(("arguments", "kind"), SETTINGS)
def test_the_best_that_fits(arguments, kind):
    best, certificate = multi_participation_factorization(**arguments)
    bound = certificate.lower_bound
    assert isinstance(best.encoder, kind)
    assert bound <= best.mean_error <= best.max_error
    assert best.memory <= arguments.get("memory", 300)
    assert best.sensitivity.exact
    rule = best.steps, best.participations, best.separation, best.equally_spaced
    for other in (
        independent_factorization(best.steps),
        square_root_factorization(best.steps),
    ):
        if arguments.get("memory", 1):
            assert MatrixMechanism(other, *rule).mean_error > best.mean_error
    if arguments["steps"] == 24 and "epochs" in arguments:
        assert best.mean_error < bound * (1 + 1e-5)


@pytest.mark.parametrize(
    ("arguments", "method"),
    [
        ({"steps": 24, "epochs": 3}, "passes in one order"),
        ({"steps": 24, "participations": 3, "separation": 8}, "separated"),
        ({"steps": 300, "epochs": 3}, "the formula of participation_lower_bound"),
    ],
)
def test_a_certificate_says_how_it_was_proved(arguments, method):
    """A random record proves the bound again, from its patterns alone."""
    best, certificate = multi_participation_factorization(memory=0, **arguments)
    assert method in certificate.method
    proof, k, d = certificate.proof, best.participations, best.separation
    if arguments["steps"] > 256:
        assert proof is None
        bound = participation_lower_bound(300, participations=k, separation=d)
        assert certificate.lower_bound == bound
        return
    assert proof is not None
    assert (np.diff(proof.patterns) >= d).all()  # the rule allows each of them
    assert proof.patterns.shape[1] <= k
    W = proof.correlations()
    squares = np.linalg.eigvalsh(W.cumsum(axis=0).cumsum(axis=1))  # A W Aᵀ
    total = np.sqrt(np.maximum(squares, 0)).sum() / sqrt(24)
    assert certificate.lower_bound == pytest.approx(total, rel=1e-6)


def test_more_memory_is_never_worse():
    errors = [
        multi_participation_factorization(64, epochs=4, memory=m)[0].mean_error
        for m in (0, 1, 3, 15, 63)
    ]
    # One buffer is as good as three here, but for rounding
    assert all(b <= a * (1 + 1e-12) for a, b in pairwise(errors))
    assert errors[-1] == pytest.approx(4.40785, abs=1e-5)
    assert errors[-2] == pytest.approx(4.4864, abs=1e-3)


def test_rules_are_checked():
    with pytest.raises(ValueError, match="or both `participations` and `separation`"):
        multi_participation_factorization(20, epochs=2, participations=3)
    with pytest.raises(ValueError, match="or both `participations` and `separation`"):
        multi_participation_factorization(20)
    with pytest.raises(ValueError, match="`epochs` must divide `steps`=20, got 3"):
        multi_participation_factorization(20, epochs=3)


BAD_INPUT = {
    multi_participation_factorization: [
        {"steps": 6, "epochs": 2, "memory": 0},  # without buffers: milliseconds
        {"steps": 6, "participations": 2, "separation": 3, "memory": 0},
    ],
}
