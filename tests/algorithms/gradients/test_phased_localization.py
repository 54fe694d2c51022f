"""Localization in phases: its exact price, its steps, and its risk on new records."""

from math import log2, sqrt

import numpy as np
import pytest

from dpteach import Problem, Relation, constraints, losses
from dpteach.accounting import noise_multiplier
from dpteach.algorithms.gradients.phased_localization import (
    phased_localization,
    phased_localization_learning_rate,
    phased_localization_risk_bound,
)
from dpteach.auditing import Tape, linear_audit
from tests import problems
from tests.algorithms.case import Case

KNOWN = {"lipschitz": 1.0, "smoothness": 0.25}


def run(D, rng, *, eta=0.5, lam=1.0, **more):
    return phased_localization(
        D, **KNOWN, learning_rate=eta, noise_multiplier=lam, rng=rng, **more
    )


@pytest.mark.parametrize("relation", [Relation.ZERO_OUT, Relation.REPLACE])
@pytest.mark.parametrize("n", [2, 5, 8, 33])
def test_linear_losses_meet_the_price_but_for_one_record_of_a_phase(n, relation):
    """The running code, all models: μ is (1 − 1/n_1) times the event's, exactly."""

    def path(D, rng):
        return run(D, rng, lam=4.0, relation=relation).path

    audit = linear_audit(path, n=n, relation=relation)
    claim = run(problems.SIGNS, 0, lam=4.0, relation=relation).event.mu
    assert claim == pytest.approx(relation.sensitivity / 4.0)
    assert audit.mu == pytest.approx((1 - 1 / (n // 2)) * claim, rel=1e-12, abs=1e-15)


def steps_apart(n, relation, worst, eta, factor=1.0):
    """How far apart records drive the first phase's averages, in units of kLη."""
    rng, apart = np.random.default_rng(worst), 0.0
    for _ in range(60):
        X = rng.standard_normal((n, 2))
        X /= np.linalg.norm(X, axis=1, keepdims=True)
        y, i = rng.choice([-1.0, 1.0], n), int(rng.integers(n // 2))
        other, label = X.copy(), y.copy()
        other[i] = 0.0 if relation is Relation.ZERO_OUT else -X[i]
        one, two = (
            run(
                Problem(rows, label, losses.logistic, constraints.L2Ball(2.0)),
                Tape([]),
                eta=eta,
                relation=relation,
            ).path[0]
            for rows in (X, other)
        )
        apart = max(apart, float(np.linalg.norm(one - two)))
    return apart / (relation.sensitivity * eta * factor)


@pytest.mark.parametrize("relation", [Relation.ZERO_OUT, Relation.REPLACE])
def test_no_record_moves_a_phase_farther_than_its_noise_was_made_for(relation):
    """Rates up to the longest that is allowed, 2/β = 8; and power: half is too few."""
    shares = [steps_apart(16, relation, k, eta) for k, eta in enumerate((0.1, 1.0, 8))]
    assert max(shares) <= 1
    assert steps_apart(16, relation, 0, 0.1, factor=0.25) > 1


def test_without_noise_each_phase_is_a_pass_from_the_average_before():
    D, x, i = problems.LONG_ROWS, np.zeros(3), 0
    out = phased_localization(
        D, lipschitz=9.0, smoothness=9.0, learning_rate=0.1, noise_multiplier=1.0,
        rng=Tape([]),
    )  # fmt: skip
    assert len(out.path) == int(log2(D.n))
    for j, model in enumerate(out.path, start=1):
        theta, models = x, []
        for _ in range(D.n // 2**j):
            models.append(theta)
            step = 0.1 / 4 ** (j - 1) * D.record_gradient(theta, i)
            theta, i = D.constraint.project(theta - step), i + 1
        x = np.mean(models, axis=0)
        np.testing.assert_allclose(model, x, rtol=1e-12, atol=1e-15)
    np.testing.assert_array_equal(out.theta, out.path[-1])


def test_each_phase_has_a_quarter_of_the_noise_before():
    """Noise of a zero gradient: 20,000 runs; six standard errors are 1e-9 for each."""
    D = Problem(np.zeros((8, 1)), np.ones(8), losses.logistic, constraints.Everywhere())
    path = run(D, 0, eta=2.0, lam=3.0, runs=(20_000,)).path[..., 0]
    noise = np.diff(np.concatenate([np.zeros((1, 20_000)), path]), axis=0)
    for j, deviation in enumerate(noise.std(axis=1)):
        assert deviation == pytest.approx(6.0 / 4**j, rel=6 / sqrt(40_000))
        assert deviation != pytest.approx(6.0 / 3**j, rel=6 / sqrt(40_000)) or j == 0


def phase_by_phase(L, W, n, p, lam, eta):
    """The proof's sum, one term a phase, without rounding n down to a power of 2."""
    total, start = 0.0, W**2
    for j in range(1, n.bit_length()):
        rate, records = eta / 4 ** (j - 1), n // 2**j
        total += start / (2 * rate * records) + rate * L**2 / 2
        start = p * (lam * L * rate) ** 2
    return total + L * sqrt(start)


def test_the_bound_is_at_least_the_sum_of_its_phases():
    """For 500 settings, and within 30% of it where n is a power of 2."""
    rng = np.random.default_rng(0)
    for _ in range(500):
        n, p = int(rng.integers(2, 5000)), int(rng.integers(1, 500))
        L, W, lam, eta = 10 ** rng.uniform(-2, 2, 4)
        known = {"lipschitz": L, "distance": W, "p": p, "noise_multiplier": lam}
        bound = phased_localization_risk_bound(**known, n=n, learning_rate=eta)
        assert bound >= phase_by_phase(L, W, n, p, lam, eta) * (1 - 1e-12)
        N = 1024
        bound = phased_localization_risk_bound(**known, n=N, learning_rate=eta)
        assert bound <= 1.3 * phase_by_phase(L, W, N, p, lam, eta)


def test_the_rate_is_the_best_and_never_too_long():
    known = {"lipschitz": 2.0, "distance": 3.0, "n": 4096, "p": 20}
    known["noise_multiplier"] = 4.0
    eta = phased_localization_learning_rate(**known, smoothness=1e-3)
    best = phased_localization_risk_bound(**known, learning_rate=eta)
    root = 2 * 2.0 * 3.0 * sqrt(2 / (3 * 4096) + 16 * 20 * 16 / 4096**2)
    assert best == pytest.approx(root, rel=1e-4)  # the last noise is the rest
    for factor in (0.9, 1.1):
        assert (
            phased_localization_risk_bound(**known, learning_rate=factor * eta) > best
        )
    assert phased_localization_learning_rate(**known, smoothness=1e3) == 2e-3


def excess(n, p, lam, draws=12, runs=8):
    """The excess on new records of a linear loss, with means against the start.

    Records are signs over √p, so that F(θ) = −⟨θ, m⟩ on the unit ball is exact.
    """
    known = {"lipschitz": 1.0, "distance": 1.0, "n": n, "p": p}
    known["noise_multiplier"] = lam
    eta = phased_localization_learning_rate(**known, smoothness=1e-3)
    bias, values = 1 / sqrt(n), []
    for seed in range(draws):
        rng = np.random.default_rng(seed)
        X = np.where(rng.random((n, p)) < (1 + bias) / 2, 1.0, -1.0) / sqrt(p)
        out = phased_localization(
            Problem(X, np.ones(n), losses.linear, constraints.L2Ball(1.0)),
            lipschitz=1.0, smoothness=1e-3, learning_rate=eta, noise_multiplier=lam,
            rng=seed, runs=(runs,),
        )  # fmt: skip
        values.append(bias - bias / sqrt(p) * out.theta.sum(axis=-1).mean())
    return values, phased_localization_risk_bound(**known, learning_rate=eta)


@pytest.mark.parametrize("n", [64, 256])
def test_the_risk_on_new_records_keeps_its_bound(n):
    """Six standard errors below it, and above a tenth of it: the bound is not idle."""
    values, bound = excess(n, 4, 1.0)
    mean, error = np.mean(values), np.std(values) / sqrt(len(values))
    assert mean + 6 * error < bound
    assert mean > 0.1 * bound


def test_what_the_proof_needs_is_refused_otherwise():
    D = problems.SIGNS
    assert np.isfinite(run(D, 0, eta=8.0).theta).all()
    with pytest.raises(ValueError, match="`learning_rate` must be at most 2/"):
        run(D, 0, eta=8.0001)
    with pytest.raises(ValueError, match="`relation`"):
        run(D, 0, relation=Relation.ADD_REMOVE)
    one = Problem(np.ones((1, 1)), np.ones(1), losses.logistic, constraints.L2Ball(1.0))
    with pytest.raises(ValueError, match="at least 2 records"):
        run(one, 0)
    hinge = Problem(D.X, D.y, losses.hinge, constraints.L2Ball(1.0))
    with pytest.raises(ValueError, match="smooth loss"):
        run(hinge, 0)


BAD_INPUT = {
    phased_localization_learning_rate: {
        "lipschitz": 1.0,
        "smoothness": 0.25,
        "distance": 3.0,
        "n": 64,
        "p": 5,
        "noise_multiplier": 2.0,
    },
    phased_localization_risk_bound: {
        "lipschitz": 1.0,
        "distance": 3.0,
        "n": 64,
        "p": 5,
        "noise_multiplier": 2.0,
        "learning_rate": 0.1,
    },
    phased_localization: {
        "problem": problems.SIGNS,
        **KNOWN,
        "learning_rate": 0.5,
        "noise_multiplier": 4.0,
        "rng": 0,
        "relation": Relation.REPLACE,
        "out_of_bounds": "clip",
        "runs": (2,),
    },
}

COMMON = {
    "phased_localization": Case(
        phased_localization,
        losses.logistic,
        constraints.L2Ball(1.5),
        KNOWN
        | {
            "learning_rate": 0.5,
            "noise_multiplier": noise_multiplier(0.7, 1e-9, relation=Relation.ZERO_OUT),
        },
        path=3,
        epsilon=0.7,
        delta=1e-9,
    )
}
