"""Local SGD: what each user's noise is, what it costs, and what it does to learning."""

from math import sqrt

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import expon, gamma, uniform

from dpteach import (
    Problem,
    Relation,
    checks,
    constraints,
    losses,
)
from dpteach.algorithms.local.local_sgd import (
    local_noise_variance,
    local_randomizer,
    local_sgd,
    local_sgd_learning_rate,
    local_sgd_risk_bound,
)
from dpteach.arrays import clip, to_numpy
from dpteach.auditing import Tape
from dpteach.privacy import Trace
from tests import problems
from tests.algorithms.case import Case
from tests.statistics import assert_distribution, assert_mean_below


class UnitRadius(np.random.Generator):
    """Answers each radius by its scale: the noise then shows the scale itself."""

    def __init__(self):
        super().__init__(np.random.PCG64(0))

    def standard_gamma(self, shape, size=None):  # noqa: ARG002  (as in Generator)
        return np.ones(size)


def population(n, p, far=1.0, seed=0):
    """Absolute loss on the unit sphere, y = ⟨w*, x⟩ with ‖w*‖ = ``far``."""
    X = np.random.default_rng(seed).standard_normal((n, p))
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    return Problem(X, far * X[:, 0], losses.absolute, constraints.Everywhere())


def exact_epsilon(randomizer, vectors):
    """The exact ε of location noise of density ∝ exp(−‖z‖/scale), from running code.

    A tape of zeros shows where each report is centered, and radii of 1 show the scale.
    """
    centers = [randomizer(v, Tape([])) for v in vectors]
    z = randomizer(0 * vectors[0], UnitRadius())
    farthest = max(np.linalg.norm(a - b) for a in centers for b in centers)
    return farthest / np.linalg.norm(z)


RECORDS = [s * 10.0**k * np.ones(3) / sqrt(3) for k in (-1, 0, 2) for s in (-1, 1)]


@pytest.mark.claim(
    "20-banco",
    "The exact ε of a report, from the running code, is the one that the event states.",
    order=3,
)
@pytest.mark.claim(
    "19-local-privacy",
    "The exact ε of a report, from the running code, is the one that the event states.",
    order=1,
)
@pytest.mark.parametrize(("epsilon", "G"), [(0.5, 1.0), (1.0, 2.0), (4.0, 0.3)])
def test_the_exact_audit_finds_epsilon(epsilon, G):
    def sound(v, rng):
        return local_randomizer(v, epsilon=epsilon, clip_norm=G, rng=rng)

    assert exact_epsilon(sound, RECORDS) == pytest.approx(epsilon, rel=1e-12)


@pytest.mark.claim(
    "19-local-privacy",
    "Without the clip, with half the scale, or with noise for another norm, that "
    "audit finds more.",
    order=2,
)
@pytest.mark.parametrize("broken", ["no clip", "half the scale", "noise for G = 1"])
def test_the_exact_audit_catches_what_is_broken(broken):
    def randomizer(v, rng):
        if (
            broken == "half the scale"
        ):  # scale G/ε: forgets that two records are 2G apart
            return local_randomizer(v, epsilon=2.0, clip_norm=2.0, rng=rng)
        if broken == "no clip":
            return v + local_randomizer(0 * v, epsilon=1.0, clip_norm=2.0, rng=rng)
        noise = local_randomizer(0 * v, epsilon=1.0, clip_norm=1.0, rng=rng)
        return local_randomizer(v, epsilon=1.0, clip_norm=2.0, rng=Tape([])) + noise

    assert exact_epsilon(randomizer, RECORDS) > 1.9


@pytest.mark.claim(
    "19-local-privacy",
    "Lengths follow a gamma distribution and directions are uniform; an exponential "
    "length "
    "is caught.",
    order=3,
)
def test_lengths_follow_a_gamma_distribution_and_directions_are_uniform():
    """False alarm 4e-6 in all; an exponential length, or normal noise, is caught."""
    p, epsilon, G = 5, 2.0, 3.0
    v = np.zeros((4000, p))
    z = local_randomizer(v, epsilon=epsilon, clip_norm=G, rng=0)
    length = np.linalg.norm(z, axis=1)
    assert_distribution(length, gamma(p, scale=2 * G / epsilon))
    with pytest.raises(AssertionError):
        assert_distribution(length, expon(scale=2 * G / epsilon))
    # Archimedes: of a uniform direction in 3 dimensions each coordinate is uniform
    three = local_randomizer(v[:, :3], epsilon=epsilon, clip_norm=G, rng=1)
    across = three / np.linalg.norm(three, axis=1, keepdims=True)
    for j in range(3):
        assert_distribution((across[:, j] + 1) / 2, uniform())


@pytest.mark.claim("19-local-privacy", "The variance of the noise is exact.", order=4)
@pytest.mark.parametrize("p", [2, 3, 5, 20])
def test_the_variance_is_exact(p):
    """E‖z‖² of the gamma distribution, by quadrature."""
    length = gamma(p, scale=2 * 1.5 / 0.7)
    second, _ = quad(lambda r: r * r * length.pdf(r), 0, np.inf, epsabs=1e-6)
    want = local_noise_variance(0.7, p=p, clip_norm=1.5)
    assert second == pytest.approx(want, rel=1e-8)
    assert want == pytest.approx(4 * 1.5**2 * (p * p + p) / 0.7**2, rel=1e-15)


@pytest.mark.claim(
    "19-local-privacy",
    "Without noise it is one pass of projected gradient descent on clipped gradients.",
    order=5,
)
def test_without_noise_it_is_one_pass_of_projected_gradient_descent():
    D = population(20, 3)
    D = Problem(D.X, D.y, D.loss, constraints.L2Ball(0.3))
    out = local_sgd(D, epsilon=1.0, clip_norm=0.5, learning_rate=0.2, rng=Tape([]))
    w, path = np.zeros(3), []
    for x, y in zip(D.X, D.y, strict=True):
        path.append(w)
        g = np.sign(x @ w - y) * x
        w = w - 0.2 * g * min(1, 0.5 / np.linalg.norm(g))
        w = w / max(1, np.linalg.norm(w) / 0.3)
    assert np.allclose(out.path, path, rtol=1e-12, atol=1e-15)
    assert np.allclose(out.theta, np.mean(path, axis=0), rtol=1e-12)


def test_runs_paths_and_traces_have_their_shapes():
    D, trace = population(10, 3), Trace()
    settings = {"epsilon": 1.0, "clip_norm": 1.0, "learning_rate": 0.1}
    out = local_sgd(D, rng=1, runs=(4, 2), path_every=3, trace=trace, **settings)
    assert out.theta.shape == (4, 2, 3)
    assert out.path.shape == (3, 4, 2, 3)
    assert len(trace["gradient"]) == 10
    assert out.event.epsilon == 1.0
    assert out.event.relation is Relation.REPLACE
    whole = local_sgd(D, rng=1, runs=(4, 2), **settings)
    assert np.array_equal(whole.path[2::3], out.path)
    assert np.array_equal(whole.theta, out.theta)


def test_classes_work_too():
    X = population(6, 3).X
    D = Problem(X, np.arange(6) % 3, losses.softmax(3), constraints.Everywhere())
    out = local_sgd(D, epsilon=1.0, clip_norm=1e-3, learning_rate=1.0, rng=Tape([]))
    steps = np.linalg.norm(np.diff(out.path, axis=0), axis=1)
    assert np.allclose(steps, 1e-3)  # every gradient is longer than G, and was clipped


def test_array_api_strict_gives_the_same_numbers():
    strict = pytest.importorskip("array_api_strict")
    D = population(8, 3)
    S = Problem(strict.asarray(D.X), strict.asarray(D.y), D.loss, D.constraint)
    settings = {"epsilon": 1.0, "clip_norm": 1.0, "learning_rate": 0.1, "rng": 3}
    a, b = (local_sgd(each, runs=(2,), **settings) for each in (D, S))
    assert np.allclose(a.path, to_numpy(b.path), rtol=1e-12)


@pytest.mark.claim(
    "19-local-privacy",
    "Measured risk stays below the bound, and its rate is the best.",
    order=6,
)
def test_the_risk_bound_holds_and_its_rate_is_the_best():
    """60 runs; false alarm 1e-6. A bound twice too small would show."""
    n, p, epsilon = 2000, 4, 4.0
    same = {"n": n, "p": p, "clip_norm": 1.0, "distance": 1.0}
    eta = local_sgd_learning_rate(epsilon, **same)
    bound = local_sgd_risk_bound(epsilon, learning_rate=eta, **same)
    for k in (0.9, 1.1):
        assert local_sgd_risk_bound(epsilon, learning_rate=k * eta, **same) > bound
    D = population(n, p)
    out = local_sgd(
        D, epsilon=epsilon, clip_norm=1.0, learning_rate=eta, rng=0, runs=(60,)
    )
    fresh = population(20_000, p, seed=9)
    assert_mean_below(fresh.risk(out.theta) / fresh.n, bound)


def test_the_wrong_learning_rate_costs_what_the_bound_says():
    """At |w*| = 100, tuned for 1: the introduction's learning-rate pain, in numbers."""
    same = {"n": 10_000, "p": 5, "clip_norm": 1.0}
    eta = local_sgd_learning_rate(4.0, distance=1.0, **same)
    wrong = local_sgd_risk_bound(4.0, learning_rate=eta, distance=100.0, **same)
    best = local_sgd_learning_rate(4.0, distance=100.0, **same)
    right = local_sgd_risk_bound(4.0, learning_rate=best, distance=100.0, **same)
    assert wrong / right == pytest.approx(50, rel=0.01)


@pytest.mark.parametrize("p", [1, 2, 5, 20])
def test_the_tail_of_every_marginal(p):
    """E e^{βξ} = (1 − 4G²β²/ε²)^{−(p+1)/2}: angle by quadrature."""
    scale = 2.0  # 2G/ε
    for beta in (0.1, 0.25, 0.4):
        k = beta * scale
        if p == 1:
            value = ((1 - k) ** -1 + (1 + k) ** -1) / 2
        else:
            # u = cos φ has density ∝ sin^{p−2} φ in φ; E e^{kru} = (1 − ku)^{−p}
            top, _ = quad(
                lambda f, k=k: np.sin(f) ** (p - 2) * (1 - k * np.cos(f)) ** -p,
                0,
                np.pi,
            )
            value = top / quad(lambda f: np.sin(f) ** (p - 2), 0, np.pi)[0]
        assert value == pytest.approx((1 - k * k) ** (-(p + 1) / 2), rel=1e-7)
        if p == 5 and beta == 0.25:
            assert value == pytest.approx(2.370370370, rel=1e-9)


def test_noise_whose_square_is_no_float_is_refused():
    for epsilon, G in ((1e-80, 1e80), (1e80, 1e-80)):
        with pytest.raises(ValueError, match="similar in magnitude to `clip_norm`"):
            local_noise_variance(epsilon, p=2, clip_norm=G)
    assert local_noise_variance(1e-60, p=1, clip_norm=1e60) == pytest.approx(8e240)


def test_the_average_is_of_the_models_where_the_first_is_not_zero():
    D = Problem(np.eye(2), np.ones(2), losses.logistic, constraints.Simplex())
    out = local_sgd(D, epsilon=1.0, clip_norm=1.0, learning_rate=0.1, rng=Tape([]))
    assert np.array_equal(out.path[0], [0.5, 0.5])
    assert np.allclose(out.theta, out.path.mean(axis=0))


def test_paths_must_fit_into_memory(monkeypatch):
    """Three runs keep two models of two numbers each."""
    D = Problem(np.eye(2), np.ones(2), losses.logistic, constraints.L2Ball(1.0))
    kind = {"epsilon": 1.0, "clip_norm": 1.0, "learning_rate": 0.1, "rng": 0}
    monkeypatch.setattr(checks, "_memory", lambda: 8 * 12)
    assert local_sgd(D, **kind, runs=(3,)).path.shape == (2, 3, 2)
    monkeypatch.setattr(checks, "_memory", lambda: 8 * 11)
    with pytest.raises(ValueError, match="`runs` must be small enough for memory"):
        local_sgd(D, **kind, runs=(3,))


def test_no_records_are_refused():
    D = Problem(
        np.zeros((0, 2)), np.zeros(0), losses.absolute, constraints.Everywhere()
    )
    with pytest.raises(ValueError, match="`problem` must hold at least one record"):
        local_sgd(D, epsilon=1.0, clip_norm=1.0, learning_rate=0.1, rng=0)
    with pytest.raises(ValueError, match="`path_every` must be at most n"):
        local_sgd(
            population(3, 2),
            epsilon=1.0,
            clip_norm=1.0,
            learning_rate=0.1,
            rng=0,
            path_every=4,
        )


@pytest.mark.parametrize("loss", [losses.logistic, losses.squared, losses.softmax(3)])
def test_a_clipped_record_gradient_is_the_clipped_gradient_of_the_record(loss):
    rng = np.random.default_rng(0)
    X = 3 * rng.standard_normal((5, 2))
    y = np.arange(5) % 3 if loss.classes else np.sign(rng.standard_normal(5))
    D = Problem(X, y, loss, constraints.Everywhere())
    theta = rng.standard_normal((4, D.p))
    for i in range(5):
        for G in (1e-3, 1.0, 1e3):
            want = clip(D.record_gradient(theta, i), G)
            got = D.clipped_record_gradient(theta, i, G)
            assert np.allclose(got, want, rtol=1e-12, atol=1e-15)
        one = D.clipped_record_gradient(theta[0], i, 1.0)
        assert np.allclose(one, clip(D.record_gradient(theta[0], i), 1.0))


USERS = {"epsilon": 1.0, "n": 100, "p": 3, "clip_norm": 1.0, "distance": 1.0}
BAD_INPUT = {
    local_randomizer: {
        "v": np.ones((2, 3)),
        "epsilon": 1.0,
        "clip_norm": 1.0,
        "rng": 0,
    },
    local_noise_variance: {"epsilon": 1.0, "p": 3, "clip_norm": 1.0},
    local_sgd: {
        "problem": problems.ABSOLUTE,
        "epsilon": 1.0,
        "clip_norm": 1.0,
        "rng": 0,
        "path_every": 1,
        "runs": (2,),
        "trace": Trace(),
        "learning_rate": 0.1,
    },
    local_sgd_learning_rate: USERS,
    local_sgd_risk_bound: {**USERS, "learning_rate": 0.1},
}

COMMON = {
    "local_sgd": Case(
        local_sgd,
        losses.logistic,
        constraints.L2Ball(1.0),
        {"epsilon": 0.7, "learning_rate": 0.1, "clip_norm": 0.6},
        path=12,
        epsilon=0.7,
        delta=1e-9,
        n=12,
    ),
}
