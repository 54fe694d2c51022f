"""What ``ftrl_passes`` grades by is what the package runs."""

import numpy as np
import pytest

from dpteach import Problem, constraints, losses
from dpteach.algorithms.matrices.factorization import tree_factorization
from dpteach.algorithms.matrices.toeplitz import square_root_factorization
from dpteach.algorithms.streams.batched_ftrl import batched_ftrl
from dpteach.auditing import Tape, noise_map
from dpteach.chapters.dp_ftrl_in_practice.exercises.ftrl_passes import (
    misreadings,
)
from dpteach.chapters.dp_ftrl_in_practice.exercises.ftrl_passes.noise import _moves

EPOCHS, REG, GAMMA = 3, 1.7, 0.6
FACTORS = (tree_factorization(3), square_root_factorization(2))


def rows(n, p):
    X = np.random.default_rng(4).normal(size=(n, p))
    return X / np.linalg.norm(X, axis=1, keepdims=True)


def path(X, factors, rng):
    problem = Problem(X, np.ones(len(X)), losses.logistic, constraints.Everywhere())
    known = {"clip_norm": 1.0, "regularization": REG, "momentum": GAMMA}
    return batched_ftrl(
        problem, factorization=factors, epochs=EPOCHS, noise_multiplier=2.0,
        rng=rng, **known,
    ).path  # fmt: skip


@pytest.mark.parametrize("factors", FACTORS)
def test_without_noise_the_models_are_those_of_the_package(factors):
    X = rows(2 * factors.steps, 2)
    wanted = path(X, factors, Tape())
    found = misreadings.noiseless(X, factors.decoder, EPOCHS, REG, GAMMA)
    np.testing.assert_allclose(found, wanted, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("factors", FACTORS)
def test_the_noise_has_the_distribution_of_the_package(factors):
    """Exact: its map, recovered by a noise tape from the running code."""
    zeros = np.zeros((factors.steps, 1))
    wanted = noise_map(lambda rng: path(zeros, factors, rng)).covariance
    b = misreadings.each_pass_anew(factors.decoder, EPOCHS)
    N = 2.0 * factors.sensitivity * misreadings.noise_rows(b, REG, GAMMA)
    np.testing.assert_allclose(N @ N.T, wanted, rtol=1e-10, atol=1e-12)


def test_every_wrong_answer_of_the_tables_differs_from_the_right_one():
    """So that no hint can meet a right answer, nor hide another hint."""
    factors, E = square_root_factorization(3), 3
    X, B = rows(6, 2), factors.decoder
    found = [misreadings.noiseless(X, B, E, REG, GAMMA)]
    found += [wrong(X, B, E, REG, GAMMA) for wrong, _ in misreadings.PATHS]
    _demand_different(found)
    roots = [misreadings.noise_rows(misreadings.each_pass_anew(B, E), REG, GAMMA)]
    roots += [wrong(B, E, REG, GAMMA) for wrong, _ in misreadings.NOISES]
    _demand_different([N @ N.T for N in roots])


def _demand_different(found):
    for k, one in enumerate(found):
        for other in found[:k]:
            assert not np.allclose(one, other, rtol=1e-4)


def test_a_record_moves_the_models_by_what_it_adds_to_the_sums():
    """The record of the last batch, in two passes, by hand: momentum ½, Λ = 1."""
    moves = _moves(T=2, epochs=2, reg=1.0, gamma=0.5)
    assert len(moves) == 4  # two places, and the same or the opposite way again
    np.testing.assert_allclose(-moves[1], [0, 0, 1, 1.5, 2.75])
    np.testing.assert_allclose(-moves[3], [0, 0, 1, 1.5, 0.75])
