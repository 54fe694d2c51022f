"""Exact audits: the price of a map of noise, and of an adaptive run."""

import numpy as np
import pytest

from dpteach import Relation, dp_sgd
from dpteach.arrays import clip
from dpteach.auditing import (
    NotGaussian,
    exact_mu,
    linear_audit,
)
from dpteach.privacy import Gaussian
from tests.auditing.optimizers import descend


def test_mu_of_known_mechanisms():
    assert exact_mu(np.eye(3) * 2.0, np.ones(3)) == pytest.approx(np.sqrt(3) / 2)
    assert exact_mu(np.array([[3.0, 4.0]]), np.array([1.0])) == pytest.approx(0.2)
    # A second copy of the same noise tells everything, and no noise tells it too.
    assert exact_mu(np.ones((2, 1)), np.array([1.0, 0.0])) == np.inf
    assert exact_mu(np.ones((2, 1)), np.array([1.0, 1.0])) == pytest.approx(1)
    assert exact_mu(np.zeros((2, 3)), np.array([0.0, 1.0])) == np.inf
    assert exact_mu(np.zeros((2, 0)), np.array([0.0, 1.0])) == np.inf
    assert exact_mu(np.zeros((2, 3)), np.zeros(2)) == 0.0
    assert exact_mu(np.eye(2), np.zeros(2)) == 0.0
    # What is not published costs nothing.
    assert exact_mu(np.zeros((0, 3)), np.zeros(0)) == 0.0
    assert exact_mu(np.zeros((0, 0)), np.zeros((0, 2))) == 0.0


def test_mu_does_not_depend_on_units_or_on_what_is_said_twice():
    rng = np.random.default_rng(4)
    B, z = rng.standard_normal((5, 8)), rng.standard_normal(5)
    d = B @ B.T @ z
    mu = exact_mu(B, d)
    units = 10.0 ** np.array([-9, -3, 0, 4, 11])
    assert exact_mu(B * units[:, None], d * units) == pytest.approx(mu, rel=1e-12)
    again = rng.standard_normal((4, 5))
    both = np.vstack([np.eye(5), again])
    assert exact_mu(both @ B, both @ d) == pytest.approx(mu, rel=1e-10)


def test_mu_of_a_record_that_may_move_any_way_is_that_of_the_worst():
    rng = np.random.default_rng(6)
    B, d = rng.standard_normal((6, 9)), rng.standard_normal((6, 3))
    directions = rng.standard_normal((3, 2000))
    directions /= np.linalg.norm(directions, axis=0)
    worst, found = exact_mu(B, d), [exact_mu(B, d @ v) for v in directions.T]
    assert 0.97 * worst < max(found) <= worst * (1 + 1e-12)
    assert exact_mu(B, d[:, :1]) == pytest.approx(exact_mu(B, d[:, 0]))


@pytest.mark.parametrize("n", [10, 300])
def test_mu_of_ill_conditioned_maps_is_exact(n):
    # out_t = Σ_{s ≤ t} η_s (g_s + z_s): every μ is √n, whatever the learning rates.
    B = np.tril(np.ones((n, n))) * 2.0 ** -np.linspace(0, 20, n)
    assert exact_mu(B, B @ np.ones(n)) == pytest.approx(np.sqrt(n), rel=1e-6)
    noiseless = np.vstack([B, B[-1:] + 0.0])
    moved = np.append(B @ np.ones(n), B[-1] @ np.ones(n) * (1 + 1e-5))
    assert exact_mu(noiseless, moved) == np.inf


def test_mu_agrees_with_many_digits():
    from mpmath import matrix, mp

    rng = np.random.default_rng(8)
    with mp.workdps(60):
        for size in (3, 6):
            # An integer matrix with a condition number near 1e6, hence exact in mpmath.
            B = rng.integers(-9, 9, (size, size)).astype(float)
            B[-1] = B[0] * 10 + 2.0**-16 * B[-1]
            d = rng.integers(-9, 9, size).astype(float)
            z = mp.lu_solve(matrix(B.tolist()), matrix(d.tolist()))
            wanted = mp.sqrt(sum(entry**2 for entry in z))
            assert exact_mu(B, d) == pytest.approx(float(wanted), rel=1e-8)


@pytest.mark.parametrize(
    ("relation", "factor"),
    [(Relation.ADD_REMOVE, 1), (Relation.ZERO_OUT, 1), (Relation.REPLACE, 2)],
)
def test_the_audit_of_an_adaptive_optimizer_is_its_theorem(relation, factor):
    audit = linear_audit(descend, n=3, p=3, relation=relation, scale=1e3)
    assert np.allclose(audit.mus, factor * np.sqrt(4) / 2.0, rtol=1e-8)
    assert audit.data.shape == (3, 12)
    assert audit.noise.shape == (12, 12)


def test_dp_sgd_costs_what_its_event_says():
    run = {"clip_norm": 2.0, "steps": 5, "noise_multiplier": 3.0}

    def path(D, rng):
        return dp_sgd(D, **run, learning_rate=0.1, rng=rng).path

    for relation in Relation:
        audit = linear_audit(path, n=2, relation=relation, scale=100.0)
        event = Gaussian(3.0, releases=5, relation=relation)
        assert np.allclose(audit.mus, event.mu, rtol=1e-9)
    assert audit.noise.shape == (10, 10)


def test_the_audit_refuses_what_it_cannot_price():
    def whole(D, rng):  # the sum is clipped, not each record
        return clip(D.gradient(D.zeros()), 1.0) + rng.standard_normal(2)

    def guessed(D, rng):  # noise that is scaled by the data
        return D.gradient(D.zeros()) + (1 + np.abs(D.X).max()) * rng.standard_normal(2)

    for release, reason in ((whole, "not a sum"), (guessed, "depends on the data")):
        with pytest.raises(NotGaussian, match=reason):
            linear_audit(release, n=3, relation=Relation.ZERO_OUT)


def test_what_is_tolerated_does_not_depend_on_units():
    """Rounding at 1e8 is no hidden leak, and a clip of a thousandth is seen."""
    B = np.array([[1.0], [3.0], [7.0]])
    assert exact_mu(B, 1.1e8 * B[:, 0]) == pytest.approx(1.1e8, rel=1e-12)

    def whole(D, rng):
        return clip(D.gradient(D.zeros()), 1e-3) + rng.standard_normal(2)

    with pytest.raises(NotGaussian, match="not a sum"):
        linear_audit(whole, n=3, relation=Relation.ZERO_OUT, scale=1e-3)


def test_so_many_records_are_refused_at_once():
    for n, p in ((10**6, 2), (2000, 10**9)):
        with pytest.raises(ValueError, match="`n` must be small enough for memory"):
            linear_audit(lambda *_: 0.0, n=n, p=p, relation=Relation.ZERO_OUT)


def test_a_record_of_a_tree_costs_what_it_touches():
    def prefix_sums(D, rng):  # four leaves, two pairs, one root
        x = -D.X
        one, two = (
            x + rng.normal(size=x.shape),
            x[::2] + x[1::2] + rng.normal(size=(2, 2)),
        )
        return [one[0], two[0], two[0] + one[2], x.sum(0) + rng.normal(size=2)]

    audit = linear_audit(prefix_sums, n=4, relation=Relation.ZERO_OUT)
    # Only nodes that are released count: leaves 1 and 3, pair 1, the root.
    assert np.allclose(audit.mus**2, [3, 2, 2, 1])


BAD_INPUT = {
    exact_mu: {"B": np.eye(2), "d": np.ones(2)},
    linear_audit: {
        "release": lambda D, rng: (
            D.clipped_gradient(D.zeros(), 1.0) + rng.standard_normal(D.p)
        ),
        "n": 2,
        "relation": Relation.ZERO_OUT,
        "p": 2,
        "scale": 1.0,
    },
}


def weighted(D, rng, *, weights=1.0, start=0.0, of_n=0.0):
    """Publish a weighted sum of records, a constant and a multiple of their number."""
    weights = np.broadcast_to(weights, len(D.X))
    told = start + of_n * len(D.X)
    return weights @ D.X + told + 4 * rng.standard_normal(D.X.shape[1])


@pytest.mark.parametrize("start", [0.0, 5.0])
@pytest.mark.parametrize("relation", [Relation.ZERO_OUT, Relation.REPLACE])
def test_each_record_has_its_own_price_and_the_worst_one_counts(relation, start):
    audit = linear_audit(
        lambda D, rng: weighted(D, rng, weights=[1.0, -3.0, 0.5], start=start),
        n=3, relation=relation, scale=2.0,
    )  # fmt: skip
    alone = relation.sensitivity * 2.0 * np.array([1.0, 3.0, 0.5]) / 4
    assert audit.mus == pytest.approx(alone)
    assert audit.mu == pytest.approx(alone.max())


def test_a_record_that_is_added_changes_their_number():
    """Its gradient and what n adds, in each entry; among zeros n stays what it was."""
    release = lambda D, rng: weighted(D, rng, of_n=7.0)  # noqa: E731  (one line is clearer)
    added = linear_audit(release, n=1, relation=Relation.ADD_REMOVE)
    zeroed = linear_audit(release, n=1, relation=Relation.ZERO_OUT)
    record = np.cos([1.0, 2.0]) / np.linalg.norm(np.cos([1.0, 2.0]))
    assert added.mu == pytest.approx(np.linalg.norm(record + 7) / 4)
    assert zeroed.mu == pytest.approx(1 / 4)


def no_sum(D, rng):
    """One entry is a sum over the records, the other one is not."""
    total = D.X.sum(axis=0)
    return np.array([total[0], np.tanh(total[1])]) + rng.standard_normal(2)


def longer(D, rng):
    """More numbers are published if there is something to publish."""
    return rng.standard_normal(4)[: 2 + 2 * bool(D.X.any())]


def draws_more(D, rng):
    """The generator is asked once more if there is something to hide."""
    z = rng.standard_normal(2)
    if D.X.any():
        rng.standard_normal()
    return D.X.sum(axis=0) + z


def louder(D, rng):
    """The noise is larger if there is something to hide."""
    return D.X.sum(axis=0) + (1 + D.X.any()) * rng.standard_normal(2)


@pytest.mark.parametrize("release", [no_sum, longer, draws_more, louder])
def test_what_is_not_affine_or_depends_on_the_data_is_refused(release):
    with pytest.raises(NotGaussian):
        linear_audit(release, n=3, relation=Relation.ZERO_OUT)
