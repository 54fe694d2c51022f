"""DP-FTRL and its variants: exact price, exact identities, what the sources print."""

from math import log, sqrt

import array_api_strict
import numpy as np
import pytest

from dpteach import (
    Problem,
    Relation,
    constraints,
    losses,
)
from dpteach.accounting import epsilon_of, gaussian_epsilon
from dpteach.algorithms.streams import least_squares_ftrl
from dpteach.algorithms.streams.composite_ftrl import (
    ElasticNet,
    GroupLasso,
    composite_dp_ftrl,
)
from dpteach.algorithms.streams.ftrl import dp_ftrl, dp_ftrl_noise_multiplier
from dpteach.algorithms.streams.least_squares_ftrl import (
    least_squares_dp_ftrl,
    least_squares_dp_ftrl_noise_multiplier,
)
from dpteach.algorithms.streams.momentum_ftrl import momentum_dp_ftrl
from dpteach.algorithms.streams.prefix_noise import tree_noise
from dpteach.algorithms.streams.tree import levels
from dpteach.arrays import clip, to_numpy
from dpteach.auditing import (
    Tape,
    exact_mu,
    linear_audit,
    noise_map,
)
from dpteach.privacy import Trace

ZERO, REPLACE = Relation.ZERO_OUT, Relation.REPLACE
EVERYWHERE = constraints.Everywhere()

VARIANTS = {
    "plain": (dp_ftrl, {}),
    "momentum": (momentum_dp_ftrl, {"momentum": 0.9}),
    "elastic net": (composite_dp_ftrl, {"penalty": ElasticNet(0.0, 0.3)}),
    "group lasso": (composite_dp_ftrl, {"penalty": GroupLasso(0.0, 2)}),
}


def logistic(n=40, p=4, constraint=EVERYWHERE, seed=0):
    rng = np.random.default_rng(seed)
    X, y = rng.standard_normal((n, p)), rng.choice([-1.0, 1.0], n)
    return Problem(X, y, losses.logistic, constraint)


def regression(n=40, p=3, radius=1.0, seed=0):
    rng = np.random.default_rng(seed)
    X = clip(rng.standard_normal((n, p)), 1.0)
    y = X @ np.linspace(-0.5, 0.5, p) + 0.1 * rng.standard_normal(n)
    return Problem(X, y, losses.squared, constraints.L2Ball(radius))


# --- The price, from the code as it runs ----------------------------------------------


@pytest.mark.claim(
    "11-dp-ftrl",
    "The noise map recovered from each variant's own code costs exactly the μ "
    "that its event states.",
    order=1,
)
@pytest.mark.parametrize("relation", [ZERO, REPLACE])
@pytest.mark.parametrize("n", [1, 2, 5, 8])
@pytest.mark.parametrize("name", VARIANTS)
def test_theorem_6_14_the_running_code_costs_what_the_event_says(name, n, relation):
    """Clip norm 3, gradients a thousand times as long: an unclipped one would show."""
    algorithm, extra = VARIANTS[name]
    settings = {"clip_norm": 3.0, "noise_multiplier": 2.5, "regularization": 2.0}

    def path(D, rng):
        return algorithm(D, rng=rng, relation=relation, **settings, **extra).path

    audit = linear_audit(path, n=n, relation=relation, scale=1000.0)
    D = Problem(np.zeros((n, 2)), np.ones(n), losses.linear, EVERYWHERE)
    event = algorithm(D, rng=0, relation=relation, **settings, **extra).event
    assert event.relation is relation
    assert event.releases == levels(n)
    assert audit.mu == pytest.approx(event.mu, rel=1e-7)
    assert audit.mus[0] == audit.mu  # the first record is in the most nodes


@pytest.mark.parametrize("n", [2, 7, 8])
def test_with_honaker_the_event_is_an_upper_bound(n):
    def path(D, rng):
        return dp_ftrl(
            D, clip_norm=1.0, noise_multiplier=2.0, regularization=1.0, rng=rng,
            estimator="honaker",
        ).path  # fmt: skip

    audit = linear_audit(path, n=n, relation=ZERO)
    assert 0.8 * sqrt(levels(n)) / 2 < audit.mu < sqrt(levels(n)) / 2


def test_the_calibrated_noise_costs_the_budget():
    for n in (1, 64, 1000):
        z = dp_ftrl_noise_multiplier(1.0, 1e-6, steps=n)
        D = Problem(np.zeros((n, 1)), np.ones(n), losses.linear, EVERYWHERE)
        out = dp_ftrl(D, clip_norm=1.0, noise_multiplier=z, regularization=1.0, rng=0)
        assert epsilon_of(out.event, 1e-6) == pytest.approx(1.0, rel=1e-9)


@pytest.mark.parametrize("name", [*VARIANTS, "least squares"])
def test_a_stream_cannot_lose_a_record(name):
    D, algorithm, extra = regression(), least_squares_dp_ftrl, {"row_norm": 1.0}
    if name in VARIANTS:
        D, (algorithm, extra) = logistic(), VARIANTS[name]
        extra = {**extra, "clip_norm": 1.0}
    settings = {"noise_multiplier": 1.0, "regularization": 1.0, "rng": 0, **extra}
    with pytest.raises(ValueError, match="`relation` must keep the stream's length"):
        algorithm(D, relation=Relation.ADD_REMOVE, **settings)


def test_an_empty_stream_is_refused():
    D = Problem(np.zeros((0, 2)), np.zeros(0), losses.linear, EVERYWHERE)
    with pytest.raises(ValueError, match="`problem` must have at least one record"):
        dp_ftrl(D, clip_norm=1.0, noise_multiplier=1.0, regularization=1.0, rng=0)


# --- The models -----------------------------------------------------------------------


def test_four_steps_without_noise():
    """|θ − d|, d = 1, 1, −1, 1, Λ = 2."""
    D = Problem(
        np.ones((4, 1)), np.array([1.0, 1.0, -1.0, 1.0]), losses.absolute, EVERYWHERE
    )
    trace = Trace()
    out = dp_ftrl(
        D, clip_norm=1.0, noise_multiplier=1.0, regularization=2.0, rng=Tape(),
        trace=trace,
    )  # fmt: skip
    assert out.path[:, 0].tolist() == [0, 0.5, 1, 0.5, 1]
    assert [float(g[0]) for g in trace["gradient"]] == [-1, -1, 1, -1]
    assert out.theta.tolist() == [0.5]  # the average of the first four
    assert trace["t"] == [1, 2, 3, 4]


def test_lazy_projection_is_not_projected_descent():
    """g = (−1, 0) six times, then (1, 0) four times, in a ball of radius 2."""
    y = np.array([1.0] * 6 + [-1.0] * 4)
    D = Problem(np.tile([1.0, 0.0], (10, 1)), y, losses.linear, constraints.L2Ball(2.0))
    out = dp_ftrl(
        D, clip_norm=1.0, noise_multiplier=1.0, regularization=1.0, rng=Tape()
    )
    assert out.path[1:, 0].tolist() == [1, 2, 2, 2, 2, 2, 2, 2, 2, 2]
    greedy, theta = [], np.zeros(2)
    for t in range(10):
        theta = D.constraint.project(theta - D.record_gradient(theta, t))
        greedy.append(float(theta[0]))
    assert greedy == [1, 2, 2, 2, 2, 2, 1, 0, -1, -2]


@pytest.mark.claim(
    "11-dp-ftrl",
    "Without a constraint it is gradient descent with correlated noise, to twelve "
    "digits.",
    order=3,
)
def test_it_is_descent_with_correlated_noise():
    """Without a constraint: θ_{t+1} = θ_t − (∇_t + b_t − b_{t−1})/Λ, to rounding."""
    D, Lam, trace = logistic(), 3.0, Trace()
    out = dp_ftrl(
        D, clip_norm=1.0, noise_multiplier=2.0, regularization=Lam, rng=1, trace=trace
    )
    theta, before = np.zeros(D.p), np.zeros(D.p)
    for t, b in enumerate(trace["noise"]):
        assert np.allclose(out.path[t], theta, rtol=0, atol=1e-12)
        g = clip(D.record_gradient(theta, t), 1.0)
        theta, before = theta - (g + b - before) / Lam, b
    assert np.allclose(out.path[-1], theta, rtol=0, atol=1e-12)
    noise = tree_noise(D.n, sigma=2.0, shape=(D.p,), rng=1)
    assert np.array_equal(np.stack(trace["noise"]), noise)


@pytest.mark.claim(
    "11-dp-ftrl",
    "With momentum it is the heavy ball, to twelve digits.",
    order=4,
)
def test_momentum_is_the_heavy_ball_with_correlated_noise():
    """u_t = γu_{t−1} + ∇_t + b_t − b_{t−1}, θ_{t+1} = θ_t − u_t/Λ, to rounding."""
    D, Lam, gamma = logistic(), 3.0, 0.9
    out = momentum_dp_ftrl(
        D, clip_norm=1.0, noise_multiplier=2.0, regularization=Lam, momentum=gamma,
        rng=1,
    )  # fmt: skip
    noise = tree_noise(D.n, sigma=2.0, shape=(D.p,), rng=1)
    theta, u = np.zeros(D.p), np.zeros(D.p)
    for t, a in enumerate(np.diff(noise, axis=0, prepend=0.0)):
        assert np.allclose(out.path[t], theta, rtol=0, atol=1e-12)
        u = gamma * u + clip(D.record_gradient(theta, t), 1.0) + a
        theta = theta - u / Lam
    assert np.allclose(out.path[-1], theta, rtol=0, atol=1e-12)


def test_variants_reduce_to_the_plain_algorithm():
    for constraint in (EVERYWHERE, constraints.L2Ball(0.5), constraints.Box(-0.1, 0.2)):
        D = logistic(constraint=constraint)
        settings = {
            "clip_norm": 1.0, "noise_multiplier": 1.0, "regularization": 2.0, "rng": 3,
        }  # fmt: skip
        plain = dp_ftrl(D, **settings).path
        still = momentum_dp_ftrl(D, momentum=0.0, **settings).path
        free = composite_dp_ftrl(D, penalty=ElasticNet(0.0), **settings).path
        assert np.allclose(still, plain, rtol=0, atol=1e-14)
        assert np.allclose(free, plain, rtol=0, atol=1e-14)


def test_momentum_of_one_is_refused():
    for bad in (1.0, 1, -0.1, 1.5):
        with pytest.raises(ValueError, match="`momentum` must be"):
            momentum_dp_ftrl(
                logistic(), clip_norm=1.0, noise_multiplier=1.0, regularization=1.0,
                momentum=bad, rng=0,
            )  # fmt: skip


@pytest.mark.parametrize("name", [*VARIANTS, "least squares"])
def test_batches_of_runs_and_array_libraries_agree(name):
    settings = {"noise_multiplier": 2.0, "regularization": 3.0, "rng": 5}
    if name == "least squares":
        D, algorithm, extra = regression(), least_squares_dp_ftrl, {"row_norm": 1.0}
    else:
        D, (algorithm, extra) = logistic(), VARIANTS[name]
        extra = {**extra, "clip_norm": 1.0}
    many = algorithm(D, runs=(2, 3), **settings, **extra)
    assert many.path.shape == (D.n + 1, 2, 3, D.p)
    assert many.theta.shape == (2, 3, D.p)
    assert np.allclose(many.theta, many.path[:-1].mean(axis=0))
    xp = array_api_strict
    strict = Problem(xp.asarray(D.X), xp.asarray(D.y), D.loss, D.constraint)
    other = algorithm(strict, runs=(2, 3), **settings, **extra)
    assert np.allclose(to_numpy(other.path), many.path, rtol=1e-9, atol=1e-9)
    single = Problem(D.X.astype(np.float32), D.y, D.loss, D.constraint)
    assert algorithm(single, **settings, **extra).path.dtype == np.float32


# --- Composite losses -----------------------------------------------------------------

S = np.array([3.0, -0.5, 1.2, -7.25, 0.0])


@pytest.mark.parametrize(
    ("penalty", "constraint", "expected"),
    [
        (ElasticNet(0.25), EVERYWHERE, [-1, 0, -0.1, 3.125, 0]),
        (ElasticNet(0.25, 0.5), EVERYWHERE, [-0.5, 0, -0.05, 1.5625, 0]),
        (
            ElasticNet(0.25),
            constraints.L2Ball(1.5),
            [-0.45695141, 0, -0.04569514, 1.42797317, 0],
        ),
        (ElasticNet(0.0), constraints.Box(-1.0, 1.0), [-1, 0.25, -0.6, 1, 0]),
        (ElasticNet(0.0), constraints.L1Ball(2.0), [0, 0, 0, 2, 0]),
    ],
)
def test_leaders_after_four_steps(penalty, constraint, expected):
    found = constraint.project(penalty.leader(S, 4, 2.0))
    assert np.allclose(found, expected, rtol=0, atol=1e-8)


def test_the_leader_on_the_simplex():
    assert constraints.Simplex().project(-S / 2.0).tolist() == [0, 0, 0, 1, 0]


@pytest.mark.claim(
    "11-dp-ftrl",
    "Each leader is the least point of its set, for every penalty.",
    order=5,
)
@pytest.mark.parametrize("constraint", [
    EVERYWHERE, constraints.L2Ball(0.7), constraints.L1Ball(0.9),
    constraints.Box(-0.3, 0.4),
])  # fmt: skip
@pytest.mark.parametrize(
    "penalty", [ElasticNet(0.1), ElasticNet(0.1, 0.2), GroupLasso(0.2, 2)]
)
def test_a_leader_is_the_least_point_of_the_set(penalty, constraint):
    """No feasible point nearby, and none far away, has a smaller value."""
    if not isinstance(constraint, penalty.sets):
        with pytest.raises(ValueError, match="`penalty` GroupLasso has a closed form"):
            composite_dp_ftrl(
                logistic(constraint=constraint), penalty=penalty, clip_norm=1.0,
                noise_multiplier=1.0, regularization=1.0, rng=0,
            )  # fmt: skip
        return
    rng = np.random.default_rng(0)
    for _ in range(20):
        s, t, Lam = (
            2 * rng.standard_normal(4),
            int(rng.integers(1, 8)),
            rng.uniform(1, 4),
        )

        def objective(theta, s=s, t=t, Lam=Lam):
            quadratic = Lam / 2 * np.sum(theta**2, axis=-1)
            return theta @ s + t * penalty.value(theta) + quadratic

        best = constraint.project(penalty.leader(s, t, Lam))
        scale = 10 ** rng.uniform(-6, 0.5, (4000, 1))
        others = constraint.project(best + scale * rng.standard_normal((4000, 4)))
        assert objective(best) <= objective(others).min() + 1e-12


def test_thresholds_grow_with_the_steps_and_noise_does_not():
    """The gradients are 0: every nonzero weight is noise, and the last ones are 0.

    At t = n the noise has one node, of deviation 5, and the threshold is 256.
    """
    D = Problem(np.zeros((512, 50)), np.ones(512), losses.linear, EVERYWHERE)
    out = composite_dp_ftrl(
        D, penalty=ElasticNet(0.5), clip_norm=1.0, noise_multiplier=5.0,
        regularization=1.0, rng=0,
    )  # fmt: skip
    zeros = np.mean(out.path == 0, axis=-1)
    assert zeros[1:9].mean() < 0.8
    assert zeros[-100:].min() == 1.0


# --- Least squares --------------------------------------------------------------------


def sums(monkeypatch, D, **settings):
    """Every noisy M_t and m_t that the algorithm makes its models from."""
    seen = []

    def leader(M, m, _):
        seen.append(np.concatenate([M.ravel(), m.ravel()]))
        return np.zeros(m.shape)

    monkeypatch.setattr(least_squares_ftrl, "_leader", leader)
    return lambda rng, D=D: (
        seen.clear(),
        least_squares_dp_ftrl(D, rng=rng, **settings),
        np.stack(seen),
    )[-1]


@pytest.mark.claim("11-dp-ftrl", "Least squares costs two trees.", order=2)
@pytest.mark.parametrize("n", [1, 2, 5])
def test_least_squares_costs_two_trees(monkeypatch, n):
    """Records a thousand times too long, labels of 50: both are cut."""
    L, z = 2.0, 3.0
    settings = {"row_norm": L, "noise_multiplier": z, "regularization": 1.0}

    def problem(x, y):
        X, labels = np.zeros((n, 2)), np.zeros(n)
        X[0], labels[0] = x, y
        return Problem(X, labels, losses.squared, constraints.L2Ball(1.0))

    run = sums(monkeypatch, problem(np.zeros(2), 0.0), **settings)
    silent = noise_map(run)

    def moved(x, y):
        return run(Tape(), problem(x, y)).ravel() - silent.mean

    event = least_squares_dp_ftrl(problem(np.zeros(2), 0.0), rng=0, **settings).event
    assert event.releases == 2 * levels(n)
    long = 1000 * np.array([np.cos(1.0), np.sin(1.0)])
    mu = exact_mu(silent.matrix, moved(long, 50.0))
    assert mu == pytest.approx(sqrt(2 * levels(n)) / z, rel=1e-9)
    assert mu == pytest.approx(event.mu, rel=1e-9)
    # Who forgets the moments' tree would count this much.
    covariances = exact_mu(silent.matrix, moved(long, 0.0))
    assert covariances == pytest.approx(sqrt(levels(n)) / z, rel=1e-9)


def test_replacing_a_record_of_least_squares_costs_less_than_twice(monkeypatch):
    """‖xxᵀ − x′x′ᵀ‖² + ‖yx − y′x′‖² is at most 4.5, at 60°; the event counts 8."""
    settings = {"row_norm": 1.0, "noise_multiplier": 1.0, "regularization": 1.0}

    def problem(x, y):
        return Problem(
            np.array([x]), np.array([y]), losses.squared, constraints.L2Ball(1.0)
        )

    run = sums(monkeypatch, problem([0.0, 0.0], 0.0), **settings)
    B = noise_map(run).matrix
    costs = []
    for angle in np.linspace(0, np.pi, 181):
        here = run(Tape(), problem([1.0, 0.0], 1.0)).ravel()
        there = run(Tape(), problem([np.cos(angle), np.sin(angle)], -1.0)).ravel()
        costs.append(exact_mu(B, here - there) ** 2)
    assert max(costs) == pytest.approx(4.5, rel=1e-9)
    assert np.argmax(costs) == 60


def test_the_noise_of_the_covariances_is_that_of_an_orthonormal_basis(monkeypatch):
    """Variance σ²L⁴ on the diagonal, half of it beside, and symmetric."""
    D = Problem(np.zeros((1, 3)), np.zeros(1), losses.squared, constraints.L2Ball(1.0))
    run = sums(monkeypatch, D, row_norm=2.0, noise_multiplier=3.0, regularization=1.0)
    covariance = noise_map(run).covariance[:9, :9]
    variances = np.diag(covariance).reshape(3, 3) / (3.0 * 2.0**2) ** 2
    assert np.allclose(variances, np.full((3, 3), 0.5) + 0.5 * np.eye(3), rtol=1e-12)
    assert covariance[1, 3] == pytest.approx(covariance[1, 1])  # entries (0,1), (1,0)


def test_without_noise_it_is_ridge_regression():
    D, Lam = regression(radius=100.0), 2.0
    out = least_squares_dp_ftrl(
        D, row_norm=1.0, noise_multiplier=1.0, regularization=Lam, rng=Tape()
    )
    ridge = np.linalg.solve(D.X.T @ D.X + Lam * np.eye(D.p), D.X.T @ D.y)
    assert np.allclose(out.path[-1], ridge, rtol=0, atol=1e-12)
    assert out.path[0].tolist() == [0.0] * D.p


def test_the_trust_region_step_is_exact():
    """The conditions of optimality hold to rounding, concave and degenerate or not."""
    rng = np.random.default_rng(0)
    for k in range(300):
        p = int(rng.integers(1, 6))
        A = rng.standard_normal((p, p))
        M = (A + A.T) / 2 * rng.uniform(0.1, 10) + rng.uniform(-3, 3) * np.eye(p)
        m = rng.standard_normal(p) * rng.choice([0, 1e-9, 1, 100])
        R = rng.uniform(0.1, 3)
        w, V = np.linalg.eigh(M)
        if k % 5 == 0:  # nothing along the lowest direction
            m = m - V[:, 0] * (V[:, 0] @ m)
        theta = least_squares_ftrl._leader(M, m, R)
        length, residual = np.linalg.norm(theta), m - M @ theta
        nu = theta @ residual / length**2 if length else 0.0
        size = np.abs(w).max()
        assert np.linalg.norm(residual - nu * theta) < 1e-13 * (
            np.linalg.norm(m) + size * R
        )
        assert length < R * (1 + 1e-13)
        assert min(nu, w[0] + nu) > -1e-13 * size
        assert min(nu / size, (R - length) / R) < 1e-13


def test_least_squares_wants_squares_and_a_ball():
    settings = {
        "row_norm": 1.0, "noise_multiplier": 1.0, "regularization": 1.0, "rng": 0,
    }  # fmt: skip
    with pytest.raises(ValueError, match="`problem` must have the squared loss"):
        least_squares_dp_ftrl(logistic(), **settings)
    D = regression()
    with pytest.raises(ValueError, match="`problem` must be constrained to an L2Ball"):
        least_squares_dp_ftrl(Problem(D.X, D.y, losses.squared, EVERYWHERE), **settings)


def test_least_squares_noise_is_that_of_two_trees():
    one = dp_ftrl_noise_multiplier(2.0, 1e-6, steps=100)
    two = least_squares_dp_ftrl_noise_multiplier(2.0, 1e-6, steps=100)
    assert two == pytest.approx(sqrt(2) * one, rel=1e-9)


# --- Errata ---------------------------------------------------------------------------


def test_e26_a_nodes_noise_is_l_lambda_once():
    """E-26: σ = Lλ, passed to a tree that multiplies by L, would be L²λ."""

    def path(D, rng):
        return dp_ftrl(
            D, clip_norm=3.0, noise_multiplier=2.0, regularization=1.0, rng=rng
        ).path

    audit = linear_audit(path, n=4, relation=ZERO, scale=100.0)
    assert audit.mu == pytest.approx(sqrt(3) / 2, rel=1e-9)
    first = audit.noise[2]  # θ_2 = −(∇_1 + b_1): b_1 has deviation 6, not 18
    assert np.linalg.norm(first) == pytest.approx(6.0)
    # The gradient is taken at θ_t: |θ − d| at θ_2 = 1/2, not at θ_1 = 0.
    D = Problem(np.ones((2, 1)), np.array([1.0, 0.25]), losses.absolute, EVERYWHERE)
    trace = Trace()
    dp_ftrl(
        D, clip_norm=1.0, noise_multiplier=1.0, regularization=2.0, rng=Tape(),
        trace=trace,
    )  # fmt: skip
    assert [float(g[0]) for g in trace["gradient"]] == [-1.0, 1.0]


def test_l01_descent_goes_down():
    """L-01: with a plus, one step from 0 on |w − 1| has loss 1.1 instead of 0.9."""
    D = Problem(np.ones((1, 1)), np.ones(1), losses.absolute, EVERYWHERE)
    out = dp_ftrl(
        D, clip_norm=1.0, noise_multiplier=1.0, regularization=10.0, rng=Tape()
    )
    assert float(D.risk(out.path[1])) == pytest.approx(0.9)
    assert float(D.risk(-out.path[1])) == pytest.approx(1.1)


def test_l06_the_counterfactual_model_has_seen_one_gradient_less():
    """L-06: w'_t = −s_{t−1}/λ. With +s_t/λ the second one would be 2/λ, not −1/λ."""
    D = Problem(np.ones((4, 1)), -np.ones(4), losses.linear, EVERYWHERE)  # g ≡ 1
    Lam, noisy, exact = 5.0, Trace(), Tape()
    settings = {"clip_norm": 1.0, "noise_multiplier": 2.0, "regularization": Lam}
    counterfactual = dp_ftrl(D, rng=exact, **settings).path[:-1, 0]
    assert counterfactual == pytest.approx(-np.arange(4) / Lam)
    actual = dp_ftrl(D, rng=1, trace=noisy, **settings).path[:-1, 0]
    # So the noise term is −(1/nλ) Σ ⟨g_t, Z_{t−1}⟩, with Z_0 = 0.
    Z = np.concatenate([[0.0], np.stack(noisy["noise"])[:-1, 0]])
    assert np.mean(actual - counterfactual) == pytest.approx(-np.mean(Z) / Lam)


def test_f10_sampling_helps_up_to_a_critical_order_only():
    """F-10: q = 0.01, σ = 1. RDP at α = 32 is 11.2, where αq²/(2σ²) is 0.0016."""
    from math import lgamma

    q, sigma = 0.01, 1.0

    def rdp(alpha):
        terms = [
            lgamma(alpha + 1) - lgamma(i + 1) - lgamma(alpha - i + 1)
            + i * log(q) + (alpha - i) * log(1 - q) + (i * i - i) / (2 * sigma**2)
            for i in range(alpha + 1)
        ]  # fmt: skip
        return float(np.logaddexp.reduce(terms)) / (alpha - 1)

    assert rdp(2) == pytest.approx(1.71813422074547931e-4, rel=1e-9)
    assert rdp(32) == pytest.approx(11.2462759370480688, rel=1e-9)
    assert 32 * q**2 / (2 * sigma**2) == pytest.approx(1.6e-3)


def test_paper_epsilon_of_a_language_model():
    """σ = 1.13, 1600 rounds, δ = 1e-6, each user once: 17.67 exactly, "~19" printed."""
    assert gaussian_epsilon(sqrt(levels(1600)) / 1.13, 1e-6) == pytest.approx(
        17.6667507612065793, rel=1e-10
    )


# --- What is refused ------------------------------------------------------------------


def test_models_that_would_overflow_are_refused():
    for dtype, least in ((np.float64, 1e-300), (np.float32, 1e-30)):
        D = logistic()
        single = Problem(D.X.astype(dtype), D.y, D.loss, D.constraint)
        for algorithm, extra in VARIANTS.values():
            with pytest.raises(
                ValueError, match="`regularization` must not be so small"
            ):
                algorithm(
                    single, clip_norm=1.0, noise_multiplier=1.0, regularization=least,
                    rng=0, **extra,
                )  # fmt: skip


def test_noise_that_would_be_zero_is_refused():
    with pytest.raises(ValueError, match="`row_norm` must not be so small"):
        least_squares_dp_ftrl(
            regression(), row_norm=1e-200, noise_multiplier=1.0, regularization=1.0,
            rng=0,
        )  # fmt: skip


def test_groups_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="`group_size` must divide"):
        composite_dp_ftrl(
            logistic(p=4), penalty=GroupLasso(0.1, 3), clip_norm=1.0,
            noise_multiplier=1.0, regularization=1.0, rng=0,
        )  # fmt: skip


def test_penalties_are_what_they_say():
    theta = np.array([[3.0, -4.0, 0.0, 0.0], [0.0, 1.0, -1.0, 0.0]])
    assert ElasticNet(2.0, 0.5).value(theta).tolist() == [20.25, 4.5]
    assert GroupLasso(2.0, 2).value(theta).tolist() == [10.0, 4.0]
