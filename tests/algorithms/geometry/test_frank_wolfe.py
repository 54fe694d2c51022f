"""Frank-Wolfe [Algorithm 5]: its path, its gap and its bound."""

from fractions import Fraction
from math import log

import numpy as np
import pytest

from dpteach import (
    Problem,
    constraints,
    losses,
)
from dpteach.algorithms.geometry.frank_wolfe import (
    decreasing_step,
    frank_wolfe,
)
from dpteach.algorithms.geometry.frank_wolfe_bounds import (
    frank_wolfe_gap,
    frank_wolfe_risk_bound,
    private_frank_wolfe_risk_bound,
)
from dpteach.algorithms.geometry.lasso import (
    lasso_constants,
    private_lasso_risk_bound,
    private_lasso_steps,
)
from dpteach.algorithms.geometry.private_frank_wolfe import (
    private_frank_wolfe,
    private_frank_wolfe_noise,
)
from tests import problems
from tests.algorithms.geometry.samples import (
    BALL,
    TINY,
    curvature,
    lasso_problem,
    noisy_minimum_pmf,
)
from tests.errata import erratum


@pytest.mark.claim(
    "17-frank-wolfe",
    "Without noise it follows Frank-Wolfe's exact trace in fractions.",
    order=1,
)
def test_frank_wolfe_follows_the_exact_trace():
    path = [
        ("0", "0", "9/8", "2"),
        ("1", "0", "1/8", "1/2"),
        ("1/3", "-2/3", "9/8", "7/3"),
        ("2/3", "-1/3", "7/24", "1/2"),
        ("4/5", "-1/5", "29/200", "7/50"),
        ("13/15", "-2/15", "67/600", "1/25"),
        ("19/21", "-2/21", "41/392", "1/147"),
        ("13/14", "-1/14", "41/392", "13/196"),
    ]
    exact = np.array([[float(Fraction(a)) for a in row] for row in path])
    theta = frank_wolfe(TINY, steps=8)
    np.testing.assert_allclose(theta, exact[:, :2], atol=1e-15)
    np.testing.assert_allclose(TINY.risk(theta), exact[:, 2], atol=1e-15)
    np.testing.assert_allclose(frank_wolfe_gap(TINY, theta), exact[:, 3], atol=1e-14)


@pytest.mark.claim(
    "17-frank-wolfe",
    "Constant steps keep a share of the start; the decreasing step does not.",
    order=2,
)
@erratum("E-33")
def test_e33_constant_steps_do_not_converge(actual):
    """E-33. The weight of the start is (1 − 1/T)^{T−1} → 1/e, whatever f is."""
    line = Problem(np.ones((1, 1)), np.ones(1), losses.linear, BALL)
    for T, one, two in ((10, 0.38742049, 0.45698606), (1000, actual, 0.36879888)):
        start = float(line.risk(np.zeros(1)) + 1)
        for step, wanted in ((1 / T, one), (1 / (T + 2), two)):
            last = frank_wolfe(line, steps=T, step=lambda t, s=step: s)[-1]  # noqa: ARG005  (a step rule takes t)
            assert float(line.risk(last) + 1) / start == pytest.approx(wanted, rel=1e-5)
        assert float(line.risk(frank_wolfe(line, steps=T)[-1]) + 1) == 0
    # a quadratic whose minimum is the corner 1: the gap stays at e^{−2} of its start
    corner = Problem(np.ones((1, 1)), np.ones(1), losses.squared, BALL)
    last = frank_wolfe(corner, steps=3000, step=lambda t: 1 / 3000)[-1]  # noqa: ARG005  (a step rule takes t)
    assert float(corner.risk(last)) / 0.5 == pytest.approx(0.13535, rel=1e-3)
    # and one whose minimum is inside
    inside = Problem(np.ones((1, 1)), np.array([0.3]), losses.squared, BALL)
    good = frank_wolfe(inside, steps=3000)[-1]
    assert float(inside.risk(good)) < 1e-6


@erratum("E-31")
def test_e31_the_curvature_of_a_quadratic(actual):
    """E-31. Γ = max‖X(a − b)‖² belongs to ½‖Xθ − y‖²; without the ½ it is twice."""
    D = Problem(
        np.random.default_rng(5).normal(size=(4, 2)), np.ones(4), losses.squared, BALL
    )
    X = D.X
    far = max(
        np.sum((X @ (a - b)) ** 2)
        for a in np.concatenate([np.eye(2), -np.eye(2)])
        for b in np.concatenate([np.eye(2), -np.eye(2)])
    )
    assert curvature(D) == pytest.approx(far, rel=1e-9)
    assert curvature(D, scale=2.0) == pytest.approx(actual * far, rel=1e-9)
    # centrally symmetric: at most 4 max‖Xθ‖², for the form with ½
    assert far <= 4 * max(np.sum(X**2, axis=0)) * (1 + 1e-12)
    one = lasso_constants(l1_radius=1.0, feature_bound=np.max(np.abs(X)))
    assert far <= D.n * one.curvature_constant


def test_theorem_6_19_with_the_decreasing_step():
    rng = np.random.default_rng(1)
    for _ in range(5):
        D = Problem(
            rng.normal(size=(6, 3)), 2 * rng.normal(size=6), losses.squared, BALL
        )
        gamma, path = curvature(D), frank_wolfe(D, steps=60)
        best = np.min(D.risk(frank_wolfe(D, steps=1000)))
        for T in (2, 5, 20, 60):
            excess = float(D.risk(path[T - 1])) - best
            assert excess <= frank_wolfe_risk_bound(curvature_constant=gamma, steps=T)
        gaps = frank_wolfe_gap(D, path)
        assert np.all(gaps >= D.risk(path) - best - 1e-9)


@pytest.mark.claim(
    "17-frank-wolfe",
    "Corners that are only nearly the best cost what they lack, the worst of them too.",
    order=7,
)
def test_theorem_6_23_the_bound_grows_by_what_a_corner_lacks():
    """Corners within a of the best, the worst of them: 2Γ/(T + 1) + a holds.

    Power: without the + a it fails.
    """
    rng, late = np.random.default_rng(2), []
    corners = np.concatenate([np.eye(3), -np.eye(3)])
    for a in (0.3, 3.0):
        D = Problem(
            rng.normal(size=(6, 3)), 2 * rng.normal(size=6), losses.squared, BALL
        )
        best = np.min(D.risk(frank_wolfe(D, steps=1000)))
        theta, gamma = np.zeros(3), curvature(D)
        for t in range(1, 200):
            scores = corners @ D.gradient(theta)
            near = theta + decreasing_step(t) * (corners - theta)
            near = near[scores <= scores.min() + a]
            theta = near[np.argmax(D.risk(near))]
            excess = float(D.risk(theta)) - best
            bound = frank_wolfe_risk_bound(curvature_constant=gamma, steps=t + 1)
            assert excess <= bound + a
            late.append(excess > bound)
    assert any(late)


def test_every_model_is_in_the_simplex():
    D = Problem(
        np.random.default_rng(0).normal(size=(9, 4)),
        np.ones(9),
        losses.squared,
        constraints.Simplex(),
    )
    path = frank_wolfe(D, steps=40)
    np.testing.assert_allclose(path.sum(axis=1), 1)
    assert np.all(path >= 0)
    assert frank_wolfe_gap(D, path)[-1] < frank_wolfe_gap(D, path)[0] / 10


def test_6_59_holds_with_high_probability():
    """One choice: exact chances of a gap above the bound. A walk: 200 runs at β = 0.01.

    At most 14 of 200 runs may fail, more have a chance below 1e-6; without the
    logarithm of β the exact chance at β = 0.01 is too large.
    """
    scores = np.array([0.0, 0.1, 0.5, 2.0, 4.0, 7.0])
    known = {"n": 1, "steps": 2, "corners": 6, "curvature_constant": 1e-9}
    for b in (0.3, 1.0, 3.0):
        for noise in ("gumbel", "laplace"):
            pmf = noisy_minimum_pmf(scores, noise, b)
            for beta in (0.5, 0.1, 0.01):
                bound = private_frank_wolfe_risk_bound(
                    **known, scale=b, noise=noise, failure_probability=beta
                )
                assert pmf[scores > bound].sum() <= beta
            mean = private_frank_wolfe_risk_bound(**known, scale=b, noise=noise)
            assert pmf @ scores <= mean
    # a gap of b ln|S|, the bound on the mean, is common and not rare
    weight = np.exp(-log(100) * np.array([0.0] + [1.0] * 100))
    assert 1 - weight[0] / weight.sum() > 0.4
    D, T, beta = lasso_problem(500, 20), 10, 0.01
    best = float(np.min(D.risk(frank_wolfe(D, steps=400))))
    out = private_frank_wolfe(
        D, lipschitz_l1=2.0, epsilon=1.0, delta=1e-6, steps=T, rng=0, runs=(200,)
    )
    b = private_frank_wolfe_noise(1.0, 1e-6, steps=T, lipschitz_l1=2.0, l1_radius=1.0)
    bound = private_frank_wolfe_risk_bound(
        n=500, steps=T, corners=40, curvature_constant=4.0, scale=b,
        failure_probability=beta,
    )  # fmt: skip
    assert np.sum(D.risk(out.theta) - best > bound) <= 14


def test_fact_6_20_a_linear_function_is_least_at_a_corner():
    rng = np.random.default_rng(0)
    for _ in range(50):
        corners, g = rng.standard_normal((7, 3)), rng.standard_normal(3)
        points = rng.dirichlet(np.ones(7), 200) @ corners
        assert np.min(corners @ g) <= np.min(points @ g) + 1e-12


def test_remark_6_17_needs_the_diameter():
    """q = 1: the Hessian xxᵀ maps ‖v‖₁ = 1 to at most B² in the largest entry.

    With the diameter 2s of the ball that is the exact 4B²s²; with s, a fourth of it.
    """
    B, s = 2.0, 3.0
    x = np.array([B, -B, 0.5])
    H = np.max(np.abs(np.outer(x, x)))  # max over ‖v‖₁ = 1 of the largest entry
    corners = s * np.concatenate([np.eye(3), -np.eye(3)])
    diameter = max(np.abs(a - b).sum() for a in corners for b in corners)
    truth = lasso_constants(l1_radius=s, feature_bound=B).curvature_constant
    one = Problem(x[None], np.zeros(1), losses.squared, constraints.L1Ball(s))
    assert curvature(one) == pytest.approx(truth)
    assert H * diameter**2 == pytest.approx(truth)
    assert H * s**2 < truth / 3


def test_corollary_6_24_has_a_constant():
    """Above the bound at its steps, and below the form without ρ: 27 settings."""
    for n in (200, 5000, 10**6):
        for p in (1, 20, 10**5):
            for epsilon, delta in ((0.5, 1e-6), (1.0, 1e-9), (8.0, 1e-3)):
                T = private_lasso_steps(epsilon, delta, n=n, p=p)
                b = private_frank_wolfe_noise(
                    epsilon, delta, steps=T, lipschitz_l1=2.0, l1_radius=1.0
                )
                exact = private_frank_wolfe_risk_bound(
                    n=n, steps=T, corners=2 * p, curvature_constant=4.0, scale=b
                )
                closed = private_lasso_risk_bound(epsilon, delta, n=n, p=p)
                logs = n * log(2 * p) ** 2 * (log(1 / delta) + epsilon)
                assert exact <= closed * (1 + 1e-12)
                assert closed <= 7.6 * logs ** (1 / 3) / epsilon ** (2 / 3)
    ratio = [
        private_lasso_risk_bound(1.0, 1e-6, n=n, p=100) for n in (10**3, 8 * 10**3)
    ]
    assert ratio[1] / ratio[0] == pytest.approx(2)
    with pytest.raises(ValueError, match="`n` must be larger"):
        private_lasso_steps(0.01, 1e-9, n=1, p=10**6)


def test_the_decreasing_step():
    assert [decreasing_step(t) for t in (1, 2, 3)] == [1, 2 / 3, 0.5]


BAD_INPUT = {
    decreasing_step: {"t": 3},
    frank_wolfe: {
        "problem": problems.SQUARES,
        "steps": 4,
        "step": lambda t: 2 / (t + 1),
    },
    frank_wolfe_gap: {"problem": problems.SQUARES, "theta": np.zeros((1, 2))},
    frank_wolfe_risk_bound: {"curvature_constant": 4.0, "steps": 7},
}
