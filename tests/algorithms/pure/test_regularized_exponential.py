"""The regularized exponential mechanism: its exact price, its draws, its bound."""

from math import sqrt

import numpy as np
import pytest
from scipy import integrate, special, stats

from dpteach import Problem, Relation, constraints, losses
from dpteach.accounting import epsilon_of
from dpteach.algorithms.pure._minimum import minimum
from dpteach.algorithms.pure.regularized_exponential import (
    regularized_exponential_event,
    regularized_exponential_mechanism,
    regularized_exponential_risk_bound,
)
from dpteach.auditing import linear_audit
from tests import problems
from tests.algorithms.case import Case

ANYWHERE = constraints.Everywhere()
KIND = {"exponent": 2.0, "lipschitz": 1.0, "regularization": 3.0}


@pytest.mark.claim(
    "07-exponential-mechanism",
    "With linear losses the running code of the regularized mechanism has exactly the "
    "theorem’s μ, to nine digits, for every relation.",
    order=23,
)
@pytest.mark.parametrize("relation", list(Relation))
@pytest.mark.parametrize(("c", "Lam"), [(0.25, 1.0), (2.0, 3.0), (1.0, 100.0)])
def test_linear_losses_meet_the_price(c, Lam, relation):
    """The tape replays normals; the coins that keep a proposal are fair ones."""

    def draw(D, tape):
        tape.random = np.random.default_rng(0).random
        return regularized_exponential_mechanism(
            D, exponent=c, lipschitz=1.0, regularization=Lam, rng=tape,
            relation=relation,
        ).theta  # fmt: skip

    kind = {"lipschitz": 1.0, "regularization": Lam, "relation": relation}
    audit = linear_audit(draw, n=3, relation=relation)
    event = regularized_exponential_event(c, **kind)
    assert audit.mu == pytest.approx(event.mu, rel=1e-9)
    assert event.mu == pytest.approx(relation.sensitivity * sqrt(c / Lam), rel=1e-12)


def density(risk, c, Lam, grid):
    log = -c * (risk + Lam / 2 * grid**2)
    height = np.exp(log - log.max())
    return height / integrate.simpson(height, x=grid)


def largest_mu(p, q, grid):
    """The largest μ that a test of p against q shows, thresholds on the likelihood.

    A test with errors α and β shows Φ⁻¹(1 − α) − Φ⁻¹(β); rounding hides tails.
    """
    order = np.argsort(np.log(p) - np.log(q))
    missed, kept = (np.cumsum(each[order]) * (grid[1] - grid[0]) for each in (p, q))
    seen = (missed > 1e-6) & (kept < 1 - 1e-6)
    return np.max(special.ndtri(kept[seen]) - special.ndtri(missed[seen]))


PHI = {
    "linear": lambda z, y: -y * z,
    "logistic": lambda z, y: np.logaddexp(0, -y * z),
    "absolute": lambda z, y: np.abs(z - y),
    "hinge": lambda z, y: np.maximum(0, 1 - y * z),
    "huber": losses.huber(0.3).value,
}


@pytest.mark.claim(
    "07-exponential-mechanism",
    "No test beats the price of the regularized mechanism: by quadrature, for 120 "
    "random pairs of neighbors with five losses, kinked ones too.",
    order=22,
)
@pytest.mark.parametrize("name", PHI)
@pytest.mark.parametrize("replaced", [False, True])
def test_no_test_beats_the_price(name, replaced):
    rng, found = np.random.default_rng(1), []
    for _ in range(12):
        n, k = int(rng.integers(0, 6)), 2 if replaced else 1
        Lam, mu = 10 ** rng.uniform(-1, 2), 10 ** rng.uniform(-0.5, 0.4)
        c = Lam * (mu / k) ** 2
        width = 1 / sqrt(c * Lam)
        grid = np.linspace(-1, 1, 40_001) * (9 * width + (n + 2) / Lam)
        x, y = rng.uniform(-1, 1, n + 2), rng.choice([-1.0, 1.0], n + 2)
        x[-2:] = 1.0, -1.0 if replaced else 0.0
        y[-2:] = 1.0
        terms = [PHI[name](a * grid, b) for a, b in zip(x, y, strict=True)]
        first, second = (sum(terms[:n]) + terms[i] for i in (n, n + 1))
        p, q = (density(risk, c, Lam, grid) for risk in (first, second))
        for one, other in ((p, q), (q, p)):
            event = regularized_exponential_event(
                c,
                lipschitz=1.0,
                regularization=Lam,
                relation=Relation.REPLACE if replaced else Relation.ADD_REMOVE,
            )
            assert event.mu == pytest.approx(mu)
            found.append(largest_mu(one, other, grid) / mu)
    assert max(found) <= 1 + 2e-3
    # power: the linear loss uses all of it, so that a factor left out would be seen
    if name == "linear":
        assert min(found) > 0.99
    assert max(found) > 0.2


@pytest.mark.parametrize("loss", [losses.logistic, losses.huber(0.5)])
def test_draws_have_the_density_that_the_algorithm_states(loss):
    """KS at 1e-6 with 3000 draws; another exponent is seen."""
    y = np.array([1.0, 1, 1, -1, 1, -1])
    D = Problem(np.full((6, 1), 0.9), y, loss, ANYWHERE)
    theta = regularized_exponential_mechanism(D, **KIND, rng=3, runs=(3000,)).theta
    grid = np.linspace(-9, 9, 20_001)
    risk = D.risk(grid[:, None])

    def level(c):
        mass = integrate.cumulative_simpson(
            density(risk, c, 3.0, grid), x=grid, initial=0.0
        )
        return stats.kstest(np.interp(theta[:, 0], grid, mass), "uniform").pvalue

    assert level(2.0) > 1e-6
    assert level(4.0) < 1e-6


def test_in_the_plane_directions_are_drawn_exactly():
    """One coordinate at a time, by quadrature; KS at 1e-6 with 2000 draws."""
    D = Problem(np.array([[0.6, 0.8], [-1.0, 0.0]]), np.ones(2), losses.logistic,
                ANYWHERE)  # fmt: skip
    theta = regularized_exponential_mechanism(D, **KIND, rng=4, runs=(2000,)).theta
    axis = np.linspace(-4, 4, 401)
    points = np.stack(np.meshgrid(axis, axis, indexing="ij"), -1)
    log = -2.0 * (D.risk(points) + 1.5 * np.sum(points**2, -1))
    joint = np.exp(log - log.max())
    for j in (0, 1):
        mass = np.cumsum(joint.sum(axis=1 - j))
        levels = np.interp(theta[:, j], axis + 0.01, mass / mass[-1])
        assert stats.kstest(levels, "uniform").pvalue > 1e-6
        assert stats.kstest(1 - levels**1.3, "uniform").pvalue < 1e-6


@pytest.mark.parametrize("p", [1, 3])
def test_the_mean_excess_keeps_to_its_bound(p):
    """500 draws: the mean is off by far less than the gap; the optimum as stated."""
    rng = np.random.default_rng(5)
    X = rng.standard_normal((50, p))
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    y = np.where(rng.random(50) < 1 / (1 + np.exp(-2 * X[:, 0])), 1.0, -1.0)
    D = Problem(X, y, losses.logistic, ANYWHERE)
    best = minimum(D, 1e-9, D.zeros(), 1e-6)
    mu, W = 1.0, float(np.linalg.norm(best))
    Lam = sqrt(2 * p) / (mu * W)
    c = Lam * mu**2
    theta = regularized_exponential_mechanism(
        D, exponent=c, lipschitz=1.0, regularization=Lam, rng=6, runs=(500,)
    ).theta
    bound = regularized_exponential_risk_bound(c, p=p, regularization=Lam, distance=W)
    assert bound == pytest.approx(W * sqrt(2 * p) / mu)
    mean = float(np.mean(D.risk(theta) - D.risk(best)))
    assert bound / 20 < mean <= bound


def test_hostile_records_leave_finite_models():
    X = np.array([[1e150, -1e150], [3e-310, 0.0], [1.0, 1.0]])
    for loss in (losses.logistic, losses.huber(1.0)):
        D = Problem(X, np.array([1.0, -1.0, 1.0]), loss, ANYWHERE)
        theta = regularized_exponential_mechanism(D, **KIND, rng=0, runs=(20,)).theta
        assert np.isfinite(theta).all()
    single = Problem(np.ones((4, 1), np.float32), np.ones(4, np.float32),
                     losses.logistic, ANYWHERE)  # fmt: skip
    theta = regularized_exponential_mechanism(single, **KIND, rng=0, runs=(20,)).theta
    assert theta.dtype == np.float32


def test_what_the_sampler_cannot_draw_is_refused():
    kinked = Problem(np.ones((2, 1)), np.ones(2), losses.hinge, ANYWHERE)
    with pytest.raises(ValueError, match="smooth loss"):
        regularized_exponential_mechanism(kinked, **KIND, rng=0)
    ball = Problem(np.ones((2, 1)), np.ones(2), losses.logistic, constraints.L2Ball(1))
    with pytest.raises(ValueError, match="no constraint"):
        regularized_exponential_mechanism(ball, **KIND, rng=0)


BAD_INPUT = {
    regularized_exponential_event: KIND | {"relation": Relation.REPLACE},
    regularized_exponential_mechanism: {
        "problem": problems.SIGNS,
        **KIND,
        "rng": 0,
        "relation": Relation.REPLACE,
        "out_of_bounds": "clip",
        "runs": (2,),
    },
    regularized_exponential_risk_bound: {
        "exponent": 2.0,
        "p": 3,
        "regularization": 1.0,
        "distance": 2.0,
    },
}
COMMON = {
    "regularized exponential": Case(
        regularized_exponential_mechanism,
        losses.logistic,
        ANYWHERE,
        {"exponent": 2.0, "lipschitz": 1.0, "regularization": 20.0},
        path=1,
        epsilon=epsilon_of(
            regularized_exponential_event(2.0, lipschitz=1.0, regularization=20.0),
            1e-6,
        ),
        delta=1e-6,
        normal=False,
        rtol=1e-7,
    ),
}
