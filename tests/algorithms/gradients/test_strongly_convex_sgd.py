"""DP-SGD on strongly convex risks: its average, its price, its bound and the proof."""

import numpy as np
import pytest

from dpteach import (
    Problem,
    Relation,
    constraints,
    losses,
)
from dpteach.algorithms.gradients.sgd import dp_sgd_noise_multiplier, dp_sgd_risk_bound
from dpteach.algorithms.gradients.strongly_convex_sgd import (
    strongly_convex_dp_sgd,
    strongly_convex_risk_bound,
)
from dpteach.auditing import Tape, adaptive_audit
from dpteach.privacy import Gaussian, Trace
from tests import problems
from tests.algorithms.case import Case

pytestmark = pytest.mark.claim(
    "09-dp-sgd",
    "On strongly convex risks the bound with curvature holds, and the sum in its "
    "proof holds on every path.",
    order=9,
)


def regression(n=200, p=3, seed=0):
    """Least squares in a ball of radius 1, its largest gradient and its curvature."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, p))
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    y = np.clip(X @ rng.standard_normal(p) + rng.standard_normal(n), -1, 1)
    D = Problem(X, y, losses.squared, constraints.L2Ball(1.0))
    m = float(np.linalg.eigvalsh(X.T @ X)[0])
    return D, 2.0, m  # |⟨x, θ⟩ − y| ≤ 2


def minimizer(D):
    """Descend without noise, until nothing moves."""
    theta = np.zeros(D.p)
    for _ in range(2000):
        theta = D.constraint.project(theta - D.gradient(theta) / D.n)
    return theta


def settings(L, m, T=30, lam=20.0):
    return {
        "clip_norm": L,
        "steps": T,
        "noise_multiplier": lam,
        "strong_convexity": m,
    }


def test_the_average_weighs_model_t_by_t_plus_one():
    D, L, m = regression()
    out = strongly_convex_dp_sgd(D, **settings(L, m), rng=0, runs=(2,))
    path = np.concatenate([np.zeros((1, 2, 3)), out.path])  # θ_0 counts too
    weights = np.arange(1, 32)
    wanted = np.einsum("t,trp->rp", weights / weights.sum(), path)
    np.testing.assert_allclose(out.theta, wanted, rtol=1e-12)


def test_steps_shrink_and_noise_enters_them():
    D, L, m = regression()
    z = np.random.default_rng(1).standard_normal((30, 3))
    out = strongly_convex_dp_sgd(D, **settings(L, m), rng=Tape(z))
    theta = np.zeros(3)
    for t in range(30):
        step = D.clipped_gradient(theta, L) + L * 20.0 * z[t]
        theta = D.constraint.project(theta - 2 / (m * (t + 2)) * step)
        np.testing.assert_allclose(out.path[t], theta, rtol=1e-11, atol=1e-13)


@pytest.mark.parametrize("relation", list(Relation))
def test_the_running_code_spends_exactly_what_its_event_says(relation):
    def path(D, rng):
        keywords = settings(0.7, 3.0, T=5, lam=4.0)
        return strongly_convex_dp_sgd(D, **keywords, rng=rng, relation=relation).path

    claimed = Gaussian(4.0, releases=5, relation=relation).mu
    found = adaptive_audit(path, steps=5, relation=relation, scale=1000.0)
    assert found == pytest.approx(claimed, rel=1e-9)


@pytest.mark.parametrize("seed", range(20))
def test_the_sum_of_the_proof_holds_on_every_path(seed):
    """Exact, no mean is taken: steps 2 to 4 of the proof, on noisy paths."""
    D, L, m = regression()
    best, trace = minimizer(D), Trace()
    out = strongly_convex_dp_sgd(D, **settings(L, m), rng=seed, trace=trace)
    path = np.concatenate([np.zeros((1, 3)), out.path])[:-1]
    v = np.array(trace["gradient"]) + np.array(trace["noise"])
    t = np.arange(30)
    progress = np.einsum("tp,tp->t", v, path - best)
    progress -= m / 2 * np.sum((path - best) ** 2, axis=1)
    price = np.sum(v**2, axis=1) / (m * (t + 2))
    assert np.sum((t + 1) * progress) <= np.sum((t + 1) * price)


@pytest.mark.parametrize("steps", [1, 3, 30, 300])
@pytest.mark.parametrize("noise", [2.0, 50.0])
def test_the_bound_holds(steps, noise):
    """The mean of 200 runs; the bound is above it by many standard errors."""
    D, L, m = regression()
    known = settings(L, m, T=steps, lam=noise)
    out = strongly_convex_dp_sgd(D, **known, rng=0, runs=(200,))
    excess = D.risk(out.theta) - D.risk(minimizer(D))
    bound = strongly_convex_risk_bound(
        n=D.n,
        p=D.p,
        steps=steps,
        noise_multiplier=noise,
        lipschitz=L,
        strong_convexity=m,
    )
    assert excess.mean() + 6 * excess.std() / 200**0.5 < bound


def test_curvature_beats_the_general_bound_in_the_end():
    """1/T against 1/√T: from T = 10 on the two bounds cross once."""
    known = {"n": 442, "p": 1, "noise_multiplier": 5.0, "lipschitz": 2.0}
    ratios = [
        strongly_convex_risk_bound(**known, steps=T, strong_convexity=442.0)
        / dp_sgd_risk_bound(**known, steps=T, distance=1.0)
        for T in (10, 100, 1000, 10_000)
    ]
    assert ratios == sorted(ratios, reverse=True)
    assert ratios[0] > 1 > ratios[-1]


def test_e20_twice_the_loss_has_twice_the_bound():
    """L and m double with the loss: L²/m doubles, as the risk does; L/m stays."""
    known = {"n": 100, "p": 3, "steps": 50, "noise_multiplier": 9.0}
    once = strongly_convex_risk_bound(**known, lipschitz=1.0, strong_convexity=30.0)
    twice = strongly_convex_risk_bound(**known, lipschitz=2.0, strong_convexity=60.0)
    assert twice == pytest.approx(2 * once, rel=1e-12)


BAD_INPUT = {
    strongly_convex_dp_sgd: {
        "problem": problems.LONG_ROWS,
        "clip_norm": 1.0,
        "steps": 3,
        "noise_multiplier": 2.0,
        "strong_convexity": 4.0,
        "rng": 0,
        "relation": Relation.REPLACE,
        "runs": (2,),
        "trace": None,
    },
    strongly_convex_risk_bound: {
        "n": 10,
        "p": 3,
        "steps": 5,
        "noise_multiplier": 2.0,
        "lipschitz": 1.0,
        "strong_convexity": 4.0,
    },
}

COMMON = {
    "strongly_convex_dp_sgd": Case(
        strongly_convex_dp_sgd,
        losses.squared,
        constraints.L2Ball(1.0),
        {
            "clip_norm": 0.6,
            "steps": 6,
            "noise_multiplier": dp_sgd_noise_multiplier(
                0.7, 1e-6, steps=6, relation=Relation.ADD_REMOVE
            ),
            "strong_convexity": 5.0,
            "relation": Relation.ADD_REMOVE,
        },
        path=6,
        epsilon=0.7,
        delta=1e-6,
    ),
}
