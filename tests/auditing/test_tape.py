"""The noise tape: what it replays, what it refuses, and the exact audits it gives."""

import numpy as np
import pytest

from dpteach import Relation, dp_sgd
from dpteach.arrays import clip, standard_normal
from dpteach.auditing import (
    NotGaussian,
    Tape,
    adaptive_audit,
    exact_mu,
    linear_audit,
    noise_map,
)
from dpteach.privacy import Gaussian

Z = np.random.default_rng(1).standard_normal(200)


def test_every_method_of_a_generator_is_the_tapes_own():
    inherited = [
        name
        for name in dir(np.random.Generator)
        if not name.startswith("_") and name not in vars(Tape)
    ]
    assert inherited == []


def test_normals_are_replayed_in_order_whatever_the_call():
    tape = Tape(Z)
    got = [
        np.atleast_1d(tape.standard_normal()),
        tape.standard_normal(2),
        tape.standard_normal((2, 3)).ravel(),
        (tape.normal(1.0, [2.0, 4.0]) - 1) / [2, 4],
        (tape.normal(size=(1, 2)) / 1.0).ravel(),
        tape.standard_normal(out=np.empty(3)),
        np.log(tape.lognormal(size=2)),
        tape.multivariate_normal(np.zeros(2), np.eye(2)),
    ]
    assert np.allclose(np.concatenate(got), Z[:20], rtol=1e-12)
    assert tape.draws == 20
    assert tape.other == []


def test_types_and_shapes_are_those_of_a_real_generator():
    real, tape = np.random.default_rng(0), Tape(Z)
    for call in (
        lambda rng: rng.standard_normal(),
        lambda rng: rng.standard_normal(3, dtype=np.float32),
        lambda rng: rng.standard_normal((2, 1)),
        lambda rng: rng.normal(),
        lambda rng: rng.normal(np.zeros(4), 1.0),
        lambda rng: rng.normal(np.zeros((3, 1)), np.ones(2)),
        lambda rng: rng.normal(0, 1, 5),
        lambda rng: rng.lognormal(size=2),
        lambda rng: rng.multivariate_normal([0, 0], np.eye(2), 3),
        lambda rng: rng.laplace(),
        lambda rng: rng.laplace(np.ones(3), 2.0),
        lambda rng: rng.gumbel(size=4),
        lambda rng: rng.standard_gamma(2.0, size=3),
    ):
        a, b = call(real), call(tape)
        assert np.shape(a) == np.shape(b)
        assert np.asarray(a).dtype == np.asarray(b).dtype
        assert isinstance(b, float) == isinstance(a, float)


def test_correlated_normals_have_their_covariance():
    root = np.array([[2.0, 0, 0], [1, 1, 0], [0, 3, 0.5]])
    found = noise_map(lambda rng: rng.multivariate_normal(np.ones(3), root @ root.T))
    assert np.allclose(found.covariance, root @ root.T, rtol=1e-12)
    assert np.array_equal(found.mean, np.ones(3))


def test_a_tape_of_zeros_is_a_run_without_noise():
    tape = Tape()
    assert np.array_equal(tape.laplace(np.arange(3.0), 9.0), np.arange(3.0))
    assert tape.gumbel(loc=4.0, scale=2.0) == 4.0
    assert tape.gamma(3.0, 2.0) == 0.0
    assert tape.normal(7.0, 2.0) == 7.0
    assert tape.other == ["laplace", "gumbel", "gamma"]


@pytest.mark.parametrize(
    "call",
    [
        lambda rng: rng.random(3),
        lambda rng: rng.integers(5),
        lambda rng: rng.choice([1, 2]),
        lambda rng: rng.permutation(4),
        lambda rng: rng.shuffle([1, 2]),
        lambda rng: rng.spawn(2),
        lambda rng: rng.bit_generator,
    ],
)
def test_what_a_tape_cannot_replay_it_refuses(call):
    with pytest.raises(NotGaussian, match="`rng"):
        call(Tape(Z))


def test_coins_come_from_others_where_it_is_given():
    tape = Tape(Z, others=np.random.default_rng(5))
    assert np.array_equal(tape.random(3), np.random.default_rng(5).random(3))
    assert tape.laplace() != 0.0
    assert tape.other == ["random", "laplace"]
    with pytest.raises(NotGaussian, match="spawn"):
        tape.spawn(1)


def test_the_map_of_a_mechanism_is_found_to_rounding_error():
    rng = np.random.default_rng(2)
    B, m = rng.standard_normal((6, 9)) * 10.0 ** rng.uniform(-3, 3, (6, 1)), np.ones(6)
    found = noise_map(lambda tape: m + B @ tape.standard_normal(9))
    assert np.allclose(found.matrix, B, rtol=1e-12, atol=1e-14)
    assert found.draws == 9


def test_sums_of_draws_and_single_precision_pass():
    like = np.zeros(3, dtype=np.float32)
    found = noise_map(lambda rng: standard_normal(rng, (3,), like) * 2 + rng.normal())
    assert np.allclose(found.covariance, 4 * np.eye(3) + 1)


@pytest.mark.parametrize(
    ("mechanism", "reason"),
    [
        (lambda rng: rng.laplace(size=2), "rng.laplace"),
        (lambda rng: rng.normal() ** 3, "not affine"),
        (lambda rng: np.clip(rng.normal(size=3), -2, 2), "not affine"),
        (lambda rng: abs(rng.normal()), "not affine"),
        (lambda rng: np.random.default_rng().normal() + rng.normal(), "two results"),
        (lambda rng: rng.normal() if rng.normal() > 0 else 0.0, "more or fewer"),
        (lambda rng: np.full(2, np.nan) * rng.normal(), "finite"),
        (lambda rng: np.exp(rng.normal()), "not affine"),
    ],
)
def test_what_is_not_gaussian_is_told_so(mechanism, reason):
    with pytest.raises(NotGaussian, match=reason):
        noise_map(mechanism)


def test_coins_can_be_held_fixed():
    def subsampled(rng):
        chosen = rng.random(50) < 0.5
        return chosen.sum() + 3 * rng.standard_normal(2)

    found = noise_map(subsampled, others=lambda: np.random.default_rng(3))
    assert found.other == ("random",)
    assert np.array_equal(found.matrix, 3 * np.eye(2))


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


def descend(
    problem, rng, *, steps=4, sigma=2.0, clipped=True, fresh=True, scalar=False
):
    """DP-SGD with momentum in five lines, and three ways to get it wrong."""
    theta, velocity, path, b = problem.zeros(), problem.zeros(), [], None
    for _ in range(steps):
        g = problem.clipped_gradient(theta, 1.0) if clipped else problem.gradient(theta)
        if fresh or b is None:
            b = sigma * rng.standard_normal(None if scalar else theta.shape)
        velocity = 0.9 * velocity + g + b
        theta = theta - 0.1 * velocity
        path.append(theta)
    return np.array(path)


@pytest.mark.parametrize(
    ("relation", "factor"),
    [(Relation.ADD_REMOVE, 1), (Relation.ZERO_OUT, 1), (Relation.REPLACE, 2)],
)
def test_the_audit_of_an_adaptive_optimizer_is_its_theorem(relation, factor):
    audit = linear_audit(descend, n=3, p=3, relation=relation, scale=1e3)
    assert np.allclose(audit.mus, factor * np.sqrt(4) / 2.0, rtol=1e-8)
    assert audit.data.shape == (3, 12)
    assert audit.noise.shape == (12, 12)


def test_the_audit_catches_what_is_broken():
    def mu(**broken):
        release = lambda D, rng: descend(D, rng, **broken)  # noqa: E731
        return linear_audit(release, n=2, relation=Relation.ZERO_OUT, scale=1e3).mu

    assert mu() == pytest.approx(1.0)
    assert mu(clipped=False) == pytest.approx(1000.0)
    assert mu(scalar=True) == np.inf
    # Noise drawn once and used at all steps: the differences of steps carry none, but
    # a constant gradient does not show there. The audit of all signs sees it.
    assert mu(fresh=False) == pytest.approx(0.5)
    stuck = lambda D, rng: descend(D, rng, fresh=False)  # noqa: E731
    assert adaptive_audit(stuck, steps=4, relation=Relation.ZERO_OUT) == np.inf
    assert mu(sigma=1.0) == pytest.approx(2.0)


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
