"""Random batches under correlated noise: the steps, and what a record's visits move."""

import numpy as np
import pytest

from dpteach import Problem, constraints, losses
from dpteach.algorithms.matrices.optimal_bands import optimal_bands
from dpteach.algorithms.matrices.sampled_mechanism import SAMPLINGS
from dpteach.algorithms.matrices.toeplitz_encoder import InverseBands
from dpteach.algorithms.streams.sampled_ftrl import sampled_ftrl
from dpteach.auditing import Tape, exact_mu
from tests.algorithms.case import Case
from tests.algorithms.streams.case import problem
from tests.algorithms.streams.sampled import CLAIM, C, mechanism

KNOWN = {"clip_norm": 0.7, "regularization": 2.0}


def tapes(D, made, seed):
    """The models without noise, and how they move with each normal."""

    def path(normals):
        tape = Tape(normals, others=np.random.default_rng(seed))
        return sampled_ftrl(D, mechanism=made, rng=tape, **KNOWN).path.ravel()

    still = path([])
    return still, np.array([path(e) - still for e in np.eye(9)]).T


@pytest.mark.parametrize("sampling", SAMPLINGS)
def test_a_record_moves_the_sums_by_the_columns_of_its_visits(sampling):
    """From the noise map of the running code, for each pattern that the coins gave."""
    made, M = mechanism(sampling), C.factorization(9).encoder
    X, seen = np.array([[50.0], [0.0], [0.0]]), set()
    for seed in range(8):
        D, without = (
            Problem(rows, np.ones(3), losses.linear, constraints.Everywhere())
            for rows in (X, 0 * X)
        )
        still, B = tapes(D, made, seed)
        coins = np.random.default_rng(seed)
        visits = np.array([0 in batch for batch in made.batches(3, rng=coins)])
        seen.add(tuple(visits))
        found = exact_mu(B, still - tapes(without, made, seed)[0])
        move = np.linalg.norm(M @ visits) / 2.0
        assert found == pytest.approx(move, rel=1e-8, abs=1e-9)
        if sampling == "cyclic Poisson":  # no more than all of one group's coins
            assert found <= np.sqrt(3) * np.linalg.norm(C.coefficients) / 2 + 1e-9
    assert len(seen) > 1 or sampling == "fixed order"


def test_the_steps_by_hand():
    D, made, gamma = problem(8), mechanism("cyclic Poisson"), 0.8
    out = sampled_ftrl(D, mechanism=made, momentum=gamma, rng=9, **KNOWN)
    rng = np.random.default_rng(9)
    batches = list(made.batches(8, rng=rng))
    b = 0.7 * 2.0 * (C.factorization(9).decoder @ rng.standard_normal((9, 3)))
    theta = v = s = np.zeros(3)
    for t in range(9):
        s = s + D.clipped_gradient(theta, 0.7, rows=batches[t])
        v = gamma * v + s + b[t]
        theta = -v / 2.0
        assert np.allclose(out.path[t + 1], theta, rtol=1e-10)
    assert np.allclose(out.theta, out.path[:-1].mean(axis=0))
    assert out.event is CLAIM


def test_draws_that_are_made_again_are_the_same():
    """Batches come first: coins between the draws would break the correlation."""
    D, r = problem(8), (1.0, -0.7, -0.1)
    one, two = (
        sampled_ftrl(
            D, mechanism=mechanism("b-min-sep", encoder=InverseBands(r, redraw=again)),
            rng=4, **KNOWN,
        )
        for again in (False, True)
    )  # fmt: skip
    assert np.array_equal(one.path, two.path)


def test_other_array_libraries():
    strict = pytest.importorskip("array_api_strict")
    D, made = problem(8), mechanism("b-min-sep")
    S = Problem(strict.asarray(D.X), strict.asarray(D.y), D.loss, D.constraint)
    a, b = (sampled_ftrl(each, mechanism=made, rng=1, **KNOWN) for each in (D, S))
    assert np.allclose(a.path, np.asarray(b.path), rtol=1e-12)


BAD_INPUT = {
    sampled_ftrl: {
        "problem": Problem(
            np.array([[1.0, 0.0], [0.0, 1.0], [0.6, 0.8], [0.8, 0.6]]),
            np.ones(4),
            losses.absolute,
            constraints.Everywhere(),
        ),
        "mechanism": mechanism("cyclic Poisson", encoder=optimal_bands(9, bands=2)),
        "clip_norm": 1.0,
        "regularization": 1.0,
        "momentum": 0.5,
        "rng": 0,
    },
}

COMMON = {
    "sampled_ftrl": Case(
        sampled_ftrl,
        losses.logistic,
        constraints.L2Ball(1.0),
        {"mechanism": mechanism("b-min-sep"), "clip_norm": 0.7, "regularization": 20.0},
        path=10,
        epsilon=2.0,  # what its event says
        delta=1e-3,
        batched=False,
        normal=False,  # coins draw the batches
    ),
}
