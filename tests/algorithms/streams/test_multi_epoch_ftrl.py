"""Many passes under one noise: what it equals, what it costs, which rules it keeps."""

import numpy as np
import pytest

from dpteach import Problem, Relation, checks, constraints, losses
from dpteach.algorithms.matrices.buffered_toeplitz import Buffers
from dpteach.algorithms.matrices.factorization import (
    Factorization,
    independent_factorization,
    tree_factorization,
)
from dpteach.algorithms.matrices.matrix_mechanism import MatrixMechanism
from dpteach.algorithms.matrices.optimal_bands import optimal_banded_factorization
from dpteach.algorithms.matrices.optimal_participation import (
    optimal_epochs_factorization,
)
from dpteach.algorithms.matrices.toeplitz import square_root_factorization
from dpteach.algorithms.matrices.toeplitz_encoder import Bands, InverseBands
from dpteach.algorithms.streams.batched_ftrl import batched_ftrl
from dpteach.algorithms.streams.multi_epoch_ftrl import multi_epoch_ftrl
from dpteach.auditing import Tape, linear_audit
from tests.algorithms.streams.case import LAM, ftrl_case, problem

KNOWN = {"clip_norm": 0.7, "noise_multiplier": 3.0, "regularization": 2.0}
PASSES, BATCHES = 3, 4
RULES = {"participations": PASSES, "separation": BATCHES}
T = PASSES * BATCHES


def encoders():
    yield "each vector", independent_factorization(T)
    yield "square root", square_root_factorization(T)
    yield "optimum", optimal_epochs_factorization(T, epochs=PASSES)[0]
    yield "bands", optimal_banded_factorization(T, bands=BATCHES, **RULES)
    yield "equal bands", Bands((1.0, 0.6, 0.3))
    yield "one lag", InverseBands((1.0, -0.7))
    yield "buffers", Buffers((0.9, 0.4), (0.2, 0.3))
    yield "tree", tree_factorization(T)


ENCODERS = dict(encoders())


def mechanism(name, **more):
    return MatrixMechanism(ENCODERS[name], T, **{**RULES, **more})


@pytest.mark.parametrize("relation", [Relation.ZERO_OUT, Relation.REPLACE])
@pytest.mark.parametrize("name", ENCODERS)
def test_the_running_code_spends_what_its_event_says(name, relation):
    """From the noise map of all models: exactly, but for a tree, with more nodes."""
    made = mechanism(name, equally_spaced=name == "optimum")
    events = []

    def release(D, rng):
        out = multi_epoch_ftrl(
            D, mechanism=made, epochs=PASSES, rng=rng, relation=relation, **KNOWN
        )
        events.append(out.event)
        return out.path

    found = linear_audit(release, n=BATCHES, relation=relation, scale=100.0)
    assert events[0].mu == relation.sensitivity / 3.0
    assert found.mu <= events[0].mu * (1 + 1e-9)
    if name != "tree":
        assert found.mu == pytest.approx(events[0].mu, rel=1e-8)


@pytest.mark.parametrize("broken", ["one pass", "no overlap", "late start"])
def test_the_audit_catches_a_sensitivity_that_is_too_small(broken):
    """Power: noise for one pass, for √k columns, for the last pattern."""
    f = square_root_factorization(T)
    too_small = {
        "one pass": f.sensitivity,
        "no overlap": np.sqrt(PASSES) * f.sensitivity,
        "late start": np.linalg.norm(f.encoder[:, BATCHES - 1 :: BATCHES].sum(axis=1)),
    }[broken]
    made = mechanism("square root")

    def release(D, rng):
        lam = 3.0 * too_small / made.sensitivity.value
        known = KNOWN | {"noise_multiplier": lam}
        return multi_epoch_ftrl(D, mechanism=made, epochs=PASSES, rng=rng, **known).path

    found = linear_audit(release, n=BATCHES, relation=Relation.ZERO_OUT, scale=100.0)
    assert found.mu > 1.02 / 3.0


def test_fresh_noise_in_each_pass_is_a_block_encoder():
    """batched_ftrl is the special case whose C has one block for each pass."""
    D, f = problem(12, constraint=constraints.L2Ball(0.5)), square_root_factorization(4)
    eye = np.eye(PASSES)
    C = np.kron(eye, f.encoder)
    blocks = Factorization(np.tri(T) @ np.linalg.inv(C), C)
    made = MatrixMechanism(blocks, T, equally_spaced=True, **RULES)
    assert made.sensitivity.value == pytest.approx(
        np.sqrt(PASSES) * f.sensitivity, rel=1e-12
    )
    known = KNOWN | {"noise_multiplier": 3.0 / np.sqrt(PASSES)}
    ours = multi_epoch_ftrl(D, mechanism=made, epochs=PASSES, rng=5, **known)
    theirs = batched_ftrl(D, factorization=f, epochs=PASSES, rng=5, **KNOWN)
    assert np.allclose(ours.path, theirs.path, rtol=1e-10)
    assert ours.event.mu == pytest.approx(theirs.event.mu, rel=1e-12)


def test_momentum_and_the_sums_by_hand():
    """v_t = γ v_{t−1} + s_t + b_t with the columns of B."""
    D, gamma = problem(8), 0.8
    made = mechanism("buffers")
    out = multi_epoch_ftrl(
        D, mechanism=made, epochs=PASSES, momentum=gamma, rng=9, **KNOWN
    )
    z = np.random.default_rng(9).standard_normal((T, 3))
    sigma = 0.7 * 3.0 * made.sensitivity.value
    b = sigma * (made.encoder.factorization(T).decoder @ z)
    theta = v = s = np.zeros(3)
    for t in range(T):
        first = t % BATCHES * 2
        s = s + D.clipped_gradient(theta, 0.7, rows=np.arange(first, first + 2))
        v = gamma * v + s + b[t]
        theta = -v / 2.0
        assert np.allclose(out.path[t + 1], theta, rtol=1e-10)
    assert np.allclose(out.theta, out.path[:-1].mean(axis=0))


def test_draws_that_are_made_again_train_the_same_model():
    D, r = problem(8), (1.0, -0.7, -0.1)
    one, two = (
        multi_epoch_ftrl(
            D,
            mechanism=MatrixMechanism(InverseBands(r, redraw=again), T, **RULES),
            epochs=PASSES,
            rng=4,
            **KNOWN,
        )
        for again in (False, True)
    )
    assert np.array_equal(one.path, two.path)


def test_passes_must_keep_the_rule():
    made = mechanism("buffers")
    run = {"mechanism": made, "rng": 0, **KNOWN}
    for epochs in (4, 6, 5):  # nearer to each other, and no divisor
        with pytest.raises(ValueError, match="`epochs` must divide the 12 steps"):
            multi_epoch_ftrl(problem(12), epochs=epochs, **run)
    assert len(multi_epoch_ftrl(problem(12), epochs=2, **run).path) == T + 1
    spaced = MatrixMechanism(made.encoder, T, 6, 2, equally_spaced=True)
    with pytest.raises(ValueError, match="a multiple of 2 steps"):
        multi_epoch_ftrl(problem(12), epochs=4, **run | {"mechanism": spaced})
    assert multi_epoch_ftrl(problem(12), epochs=3, **run | {"mechanism": spaced})
    with pytest.raises(ValueError, match="divides the 10 records into equal batches"):
        multi_epoch_ftrl(problem(10), epochs=3, **run)
    with pytest.raises(ValueError, match="`relation` must keep the number of records"):
        multi_epoch_ftrl(problem(12), epochs=3, relation=Relation.ADD_REMOVE, **run)
    with pytest.raises(ValueError, match="`momentum` must be below 1"):
        multi_epoch_ftrl(problem(12), epochs=3, momentum=1.0, **run)


def test_paths_must_fit_into_memory(monkeypatch):
    D = Problem(np.ones((4, 2)), np.ones(4), losses.linear, constraints.L2Ball(1.0))
    kind = {"mechanism": mechanism("buffers"), "epochs": 3, "rng": 0, **KNOWN}
    monkeypatch.setattr(checks, "_memory", lambda: 8 * 26 * 5)
    assert multi_epoch_ftrl(D, **kind, runs=(5,)).path.shape == (T + 1, 5, 2)
    monkeypatch.setattr(checks, "_memory", lambda: 8 * 26 * 5 - 1)
    with pytest.raises(ValueError, match="`runs` must be small enough for memory"):
        multi_epoch_ftrl(D, **kind, runs=(5,))


def test_other_array_libraries():
    strict = pytest.importorskip("array_api_strict")
    D = problem(8)
    S = Problem(strict.asarray(D.X), strict.asarray(D.y), D.loss, D.constraint)
    for name in ("optimum", "buffers", "one lag", "equal bands"):
        made = mechanism(name, equally_spaced=name == "optimum")
        run = {"mechanism": made, "epochs": 3, "rng": 1, "runs": (2,), **KNOWN}
        a, b = multi_epoch_ftrl(D, **run), multi_epoch_ftrl(S, **run)
        assert np.allclose(a.path, np.asarray(b.path), rtol=1e-12)


def test_without_noise_it_is_the_same_as_restarted_passes():
    D, made = problem(8), mechanism("one lag")
    silent = multi_epoch_ftrl(D, mechanism=made, epochs=PASSES, rng=Tape([]), **KNOWN)
    other = batched_ftrl(
        D, factorization=independent_factorization(BATCHES), epochs=PASSES,
        rng=Tape([]), **KNOWN,
    )  # fmt: skip
    assert np.allclose(silent.path, other.path, rtol=1e-12)


BAD_INPUT = {
    multi_epoch_ftrl: {
        "problem": Problem(
            np.array([[1.0, 0.0], [0.0, 1.0], [0.6, 0.8], [0.8, 0.6]]),
            np.ones(4),
            losses.absolute,
            constraints.Everywhere(),
        ),
        "mechanism": MatrixMechanism(Buffers((0.5,), (0.3,)), 4, 2, 2),
        "epochs": 2,
        "clip_norm": 1.0,
        "noise_multiplier": 1.0,
        "regularization": 1.0,
        "momentum": 0.5,
        "rng": 0,
        "relation": Relation.ZERO_OUT,
        "runs": (2,),
    },
}

COMMON = {
    "multi_epoch_ftrl": ftrl_case(
        multi_epoch_ftrl,
        # One release of sensitivity 1: the tree's noise is for √4 of it.
        noise_multiplier=LAM / 2,
        path=13,
        clip_norm=0.6,
        mechanism=mechanism("buffers"),
        epochs=3,
        momentum=0.5,
    ),
}
