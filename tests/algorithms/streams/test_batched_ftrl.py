"""DP-FTRL over batches, epochs and with momentum: what it equals, what it costs."""

from math import sqrt

import numpy as np
import pytest

from dpteach import (
    Problem,
    Relation,
    checks,
    constraints,
    losses,
)
from dpteach.algorithms.matrices.factorization import (
    correlated_noise,
    independent_factorization,
    tree_factorization,
)
from dpteach.algorithms.matrices.matrix_ftrl import matrix_ftrl
from dpteach.algorithms.matrices.toeplitz import square_root_factorization
from dpteach.algorithms.streams.batched_ftrl import batched_ftrl
from dpteach.algorithms.streams.momentum_ftrl import momentum_dp_ftrl
from dpteach.auditing import Tape, linear_audit, noise_map
from tests.algorithms.streams.case import LAM, ftrl_case, problem

KNOWN = {"clip_norm": 0.7, "noise_multiplier": 3.0, "regularization": 2.0}


@pytest.mark.claim(
    "14-dp-ftrl-in-practice",
    "One record a batch and one pass is DP-FTRL with that factorization.",
    order=4,
)
def test_one_record_a_batch_and_one_epoch_is_matrix_ftrl():
    D, f = problem(constraint=constraints.L2Ball(0.5)), square_root_factorization(12)
    ours = batched_ftrl(D, factorization=f, rng=5, runs=(2,), **KNOWN)
    theirs = matrix_ftrl(D, factorization=f, rng=5, runs=(2,), **KNOWN)
    assert np.allclose(ours.path, theirs.path, rtol=1e-12)
    assert np.allclose(ours.theta, theirs.theta, rtol=1e-12)
    assert ours.event == theirs.event


def test_with_a_tree_and_momentum_it_is_dp_ftrlm():
    """No noise: the same models. Noise: the same covariance of all models."""
    D, f = problem(8), tree_factorization(8)
    known = {**KNOWN, "momentum": 0.6}
    silent = batched_ftrl(D, factorization=f, rng=Tape([]), **known)
    assert np.allclose(
        silent.path, momentum_dp_ftrl(D, rng=Tape([]), **known).path, rtol=1e-12
    )
    flat = problem(8, loss=losses.linear)

    def ours(rng):
        return batched_ftrl(flat, factorization=f, rng=rng, **known).path

    def theirs(rng):
        # a node's noise is λ of one release there, and √levels of it here
        spread = known | {"noise_multiplier": 3.0 * f.sensitivity}
        return momentum_dp_ftrl(flat, rng=rng, **spread).path

    a, b = noise_map(ours).matrix, noise_map(theirs).matrix
    assert np.allclose(a @ a.T, b @ b.T, atol=1e-12)


@pytest.mark.claim(
    "14-dp-ftrl-in-practice",
    "Momentum is heavy-ball descent on gradients with correlated noise, to twelve "
    "digits.",
    order=3,
)
def test_momentum_is_heavy_ball_on_gradients_with_correlated_noise():
    """u_t = γ u_{t−1} + g_t + b_t − b_{t−1}, θ_{t+1} = θ_t − u_t/Λ, over two epochs."""
    D, f, gamma, T, E = problem(12), square_root_factorization(4), 0.8, 4, 2
    out = batched_ftrl(D, factorization=f, epochs=E, momentum=gamma, rng=9, **KNOWN)
    rng = np.random.default_rng(9)
    sigma = 0.7 * 3.0 * f.sensitivity
    epochs = [correlated_noise(f, sigma=sigma, shape=(3,), rng=rng) for _ in range(E)]
    b = np.concatenate([epochs[0], epochs[0][-1] + epochs[1]])
    a = np.diff(b, axis=0, prepend=np.zeros((1, 3)))
    theta = u = np.zeros(3)
    for t in range(E * T):
        rows = np.arange(t % T * 3, t % T * 3 + 3)
        u = gamma * u + D.clipped_gradient(theta, 0.7, rows=rows) + a[t]
        theta = theta - u / 2.0
        assert np.allclose(out.path[t + 1], theta, rtol=1e-12)


def test_independent_noise_without_constraint_is_noisy_descent():
    D, f = problem(12), independent_factorization(4)
    out = batched_ftrl(D, factorization=f, rng=1, **KNOWN)
    z = 0.7 * 3.0 * np.random.default_rng(1).standard_normal((4, 3))
    theta = np.zeros(3)
    for t in range(4):
        g = D.clipped_gradient(theta, 0.7, rows=np.arange(3 * t, 3 * t + 3))
        theta = theta - (g + z[t]) / 2.0
        assert np.allclose(out.path[t + 1], theta, rtol=1e-12)


@pytest.mark.claim(
    "14-dp-ftrl-in-practice",
    "All models, as the code makes them, cost exactly what the event states, for "
    "one pass and for three.",
    order=1,
)
@pytest.mark.parametrize("relation", [Relation.ZERO_OUT, Relation.REPLACE])
@pytest.mark.parametrize(("epochs", "momentum"), [(1, 0.0), (1, 0.9), (3, 0.0)])
def test_the_running_code_spends_exactly_what_its_event_says(
    relation, epochs, momentum
):
    """From the noise map of all models. Momentum is free."""
    f = square_root_factorization(3)
    events = []

    def release(D, rng):
        out = batched_ftrl(
            D,
            factorization=f,
            epochs=epochs,
            momentum=momentum,
            rng=rng,
            relation=relation,
            **KNOWN,
        )
        events.append(out.event)
        return out.path

    found = linear_audit(release, n=6, relation=relation, scale=100.0)
    claimed = relation.sensitivity * sqrt(epochs) / 3.0
    assert events[0].mu == pytest.approx(claimed, rel=1e-12)
    assert found.mu <= claimed * (1 + 1e-9)
    assert found.mu == pytest.approx(claimed, rel=1e-8)


@pytest.mark.claim(
    "14-dp-ftrl-in-practice",
    "An exact sum that is kept, noise that is used twice and passes that are not "
    "paid are caught.",
    order=2,
)
@pytest.mark.parametrize("broken", ["one noise", "exact sum", "priced once"])
def test_the_audit_catches_a_broken_epoch(broken):
    """Two epochs of three steps claim √2/λ; each variant spends more."""
    f, lam, T = square_root_factorization(3), 3.0, 3

    def release(D, rng):
        noise = correlated_noise(
            f, sigma=lam * f.sensitivity, shape=(2 * D.p,), rng=rng
        )
        first, second = noise[:, : D.p], noise[:, D.p :]
        if broken == "one noise":
            second = first
        g = np.stack([D.clipped_record_gradient(D.zeros(), i, 1.0) for i in range(T)])
        s = np.cumsum(g, axis=0)
        left = 0 * first[-1] if broken == "exact sum" else first[-1]
        if broken == "one noise":
            left = 0 * left
        return np.concatenate([s + first, s[-1] + left + s + second])

    found = linear_audit(release, n=T, relation=Relation.ZERO_OUT, scale=100.0)
    claimed = (1.0 if broken == "priced once" else sqrt(2)) / lam
    assert found.mu > 1.2 * claimed


def test_mistakes_are_named():
    f = square_root_factorization(5)
    with pytest.raises(ValueError, match="divides the 12 records into equal batches"):
        batched_ftrl(problem(12), factorization=f, rng=0, **KNOWN)
    with pytest.raises(ValueError, match="`relation` must keep the number of records"):
        batched_ftrl(
            problem(10),
            factorization=f,
            rng=0,
            relation=Relation.ADD_REMOVE,
            **KNOWN,
        )
    with pytest.raises(ValueError, match="`momentum` must be below 1"):
        batched_ftrl(problem(10), factorization=f, rng=0, momentum=1.0, **KNOWN)


def test_epochs_must_fit_into_memory_and_have_records(monkeypatch):
    """Models of two numbers, after two batches in each of three epochs, five runs."""
    D = Problem(np.ones((4, 2)), np.ones(4), losses.linear, constraints.L2Ball(1.0))
    kind = {"factorization": square_root_factorization(2), "clip_norm": 1.0}
    kind |= {"noise_multiplier": 1.0, "regularization": 1.0, "epochs": 3, "rng": 0}
    none = Problem(D.X[:0], D.y[:0], D.loss, D.constraint)
    with pytest.raises(ValueError, match="divides the 0 records"):
        batched_ftrl(none, **kind)
    monkeypatch.setattr(checks, "_memory", lambda: 8 * 12 * 5)
    assert batched_ftrl(D, **kind, runs=(5,)).path.shape == (7, 5, 2)
    monkeypatch.setattr(checks, "_memory", lambda: 8 * 12 * 5 - 1)
    with pytest.raises(ValueError, match="`runs` must be small enough for memory"):
        batched_ftrl(D, **kind, runs=(5,))
    monkeypatch.setattr(checks, "_memory", lambda: 8 * 11)
    with pytest.raises(ValueError, match="`epochs` must be small enough for memory"):
        batched_ftrl(D, **kind)


BAD_INPUT = {
    batched_ftrl: {
        "problem": Problem(
            np.array([[1.0, 0.0], [0.0, 1.0], [0.6, 0.8], [0.8, 0.6]]),
            np.ones(4),
            losses.absolute,
            constraints.Everywhere(),
        ),
        "factorization": square_root_factorization(2),
        "clip_norm": 1.0,
        "noise_multiplier": 1.0,
        "regularization": 1.0,
        "epochs": 2,
        "momentum": 0.5,
        "rng": 0,
        "relation": Relation.ZERO_OUT,
        "runs": (2,),
    },
}

COMMON = {
    "batched_ftrl": ftrl_case(
        batched_ftrl,
        # Two epochs, so √2 times the noise of one release; three batches each.
        noise_multiplier=LAM / sqrt(4) * sqrt(2),
        path=7,
        clip_norm=0.6,
        factorization=square_root_factorization(3),
        epochs=2,
        momentum=0.5,
    ),
}
