"""Two stages under pure ε: the radius, the distribution of the draw, ε, the bound."""

import math

import numpy as np
import pytest
from scipy import integrate, stats

from dpteach import Problem, Relation, constraints, losses
from dpteach.accounting import epsilon_of
from dpteach.algorithms.pure._minimum import minimum
from dpteach.algorithms.pure.exponential import exponential_mechanism_risk_bound
from dpteach.algorithms.pure.localized_exponential import (
    localization_radius,
    localized_exponential_mechanism,
    localized_exponential_risk_bound,
)
from tests import problems
from tests.algorithms.case import Case

ANYWHERE = constraints.Everywhere()
LINE = Problem(np.ones((6, 1)), np.array([1.0, 1, 1, -1, 1, -1]), losses.logistic,
               ANYWHERE)  # fmt: skip
KIND = {"lipschitz": 1.0, "regularization": 3.0, "failure_probability": 0.05}


def objective(D, Lam, theta):
    return D.risk(theta) + Lam / 2 * np.sum(theta**2, axis=-1)


def excess(D, Lam, theta):
    best = minimum(D, Lam, np.zeros(D.p), 1e-9)
    return objective(D, Lam, theta) - objective(D, Lam, best)


def density_in_ball(D, Lam, exponent, low, high):
    """Compute ∝ e^{−c𝒥} between two ends, on a line, with its integral."""
    grid = np.linspace(low, high, 1001)
    height = np.exp(-exponent * excess(D, Lam, grid[:, None]))
    mass = integrate.cumulative_simpson(height, x=grid, initial=0.0)
    return grid, height / mass[-1], mass / mass[-1]


@pytest.mark.claim(
    "07-exponential-mechanism",
    "The second of two stages draws exactly from the density in its ball.",
    order=20,
)
@pytest.mark.parametrize("constraint", [ANYWHERE, constraints.Box(-0.3, 0.2)])
def test_the_draw_has_the_density_that_the_algorithm_states(constraint):
    """KS at 1e-6 with 600 draws, each put through its own distribution function."""
    D = Problem(LINE.X, LINE.y, losses.logistic, constraint)
    out = localized_exponential_mechanism(D, epsilon=8.0, **KIND, rng=0, runs=(600,))
    r = localization_radius(8.0, p=1, **KIND)
    size = min(2 * r, constraint.diameter(1))
    low, high = getattr(constraint, "low", -9.0), getattr(constraint, "high", 9.0)

    def levels(c):
        found = []
        for center, drawn in zip(out.path[0][:, 0], out.theta[:, 0], strict=True):
            ends = max(center - r, low), min(center + r, high)
            grid, _, mass = density_in_ball(D, 3.0, c, *ends)
            found.append(np.interp(drawn, grid, mass))
        return stats.kstest(found, "uniform").pvalue

    c = 8.0 / 2 / size
    assert levels(c) > 1e-6
    assert levels(3 * c) < 1e-6
    assert np.all(constraint.project(out.theta) == out.theta)
    assert np.all(np.abs(out.theta - out.path[0]) <= r)


def test_in_three_dimensions_lengths_and_directions_are_drawn_exactly():
    """KS at 1e-6 with 600 draws, in closed form: without records 𝒥 = (Λ/2)‖θ‖².

    From a center at distance R the density of the offset z is ∝ e^{−a(‖z‖²/2 + R z₁)},
    where a = cΛ and z₁ points outward. So its length s has the density
    ∝ s² e^{−as²/2} sinh(aRs)/(aRs), and z₁/s one that is exponential on [−1, 1].
    """
    D = Problem(np.empty((0, 3)), np.empty(0), losses.logistic, ANYWHERE)
    out = localized_exponential_mechanism(D, epsilon=8.0, **KIND, rng=3, runs=(600,))
    r = localization_radius(8.0, p=3, **KIND)
    a = 3.0 * 8.0 / 2 / (2 * r)
    z, R = out.theta - out.path[0], np.linalg.norm(out.path[0], axis=1)
    s = np.linalg.norm(z, axis=1)
    outward = np.sum(z * out.path[0], axis=1) / (R * s)
    grid = np.linspace(0, r, 1001)
    height = grid * np.exp(-a * grid**2 / 2) * np.sinh(a * R[:, None] * grid)
    mass = integrate.cumulative_simpson(height, x=grid, initial=0.0)
    lengths = [
        np.interp(each, grid, row / row[-1]) for each, row in zip(s, mass, strict=True)
    ]
    assert stats.kstest(lengths, "uniform").pvalue > 1e-6
    steep = a * R * s
    levels = np.expm1(-steep * (outward + 1)) / np.expm1(-2 * steep)
    assert stats.kstest(levels, "uniform").pvalue > 1e-6
    # power: neither a length with another exponent nor a direction without the tilt
    assert stats.kstest((s / r) ** 3, "uniform").pvalue < 1e-6
    assert stats.kstest((outward + 1) / 2, "uniform").pvalue < 1e-6


@pytest.mark.parametrize("relation", list(Relation))
def test_both_stages_together_cost_epsilon(relation):
    out = localized_exponential_mechanism(
        LINE, epsilon=0.7, **KIND, relation=relation, rng=0
    )
    assert epsilon_of(out.event, 0) == pytest.approx(0.7, rel=1e-12)
    assert out.event.relation is relation


@pytest.mark.parametrize("relation", [Relation.ADD_REMOVE, Relation.REPLACE])
def test_no_pair_of_outputs_tells_neighbors_apart_by_more_than_epsilon(relation):
    """The joint density of guess and draw, on a grid of both, for logistic records."""
    epsilon, Lam = 2.0, 3.0
    kind = {"p": 1, "tolerance": 1e-8, "relation": relation}
    r = localization_radius(epsilon, **KIND, **kind)
    k, worst = relation.sensitivity, 0.0
    c, scale = epsilon / (4 * k * r), 2 * (k + 2e-8) / (Lam * epsilon)
    more = Problem(np.ones((7, 1)), np.append(LINE.y, 1.0), losses.logistic, ANYWHERE)
    turned = Problem(np.ones((7, 1)), np.append(LINE.y, -1.0), losses.logistic,
                     ANYWHERE)  # fmt: skip
    pair = (more, turned if relation is Relation.REPLACE else LINE)
    best = [minimum(D, Lam, np.zeros(1), 1e-9)[0] for D in pair]
    for center in np.linspace(-3, 3, 41):
        first = (abs(center - best[1]) - abs(center - best[0])) / scale
        one, two = (density_in_ball(D, Lam, c, center - r, center + r)[1] for D in pair)
        worst = max(worst, float(np.max(np.abs(first + np.log(one / two)))))
    assert 0.3 * epsilon < worst <= epsilon
    # the exponent of a ball that is half as large would cost more
    broken = 4 * c
    one, two = (density_in_ball(D, Lam, broken, -r, r)[1] for D in pair)
    assert np.max(np.abs(np.log(one / two))) > epsilon / 2


@pytest.mark.claim(
    "07-exponential-mechanism",
    "Two stages keep to their bound on the risk, and their ball holds the best model.",
    order=21,
)
@pytest.mark.parametrize(("p", "Lam"), [(1, 5.0), (3, 60.0), (8, 400.0)])
def test_the_ball_holds_the_best_model_and_the_draw_keeps_to_its_bound(p, Lam):
    """500 runs; more than 60 misses of 25 expected at most: below 1e-9."""
    rng = np.random.default_rng(1)
    X = rng.standard_normal((200, p))
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    D = Problem(X, np.sign(X[:, 0] + 0.3), losses.logistic, ANYWHERE)
    kind = {"lipschitz": 1.0, "regularization": Lam, "failure_probability": 0.05}
    out = localized_exponential_mechanism(D, epsilon=1.0, **kind, rng=2, runs=(500,))
    best, r = minimum(D, Lam, np.zeros(p), 1e-9), localization_radius(1.0, p=p, **kind)
    distance = np.linalg.norm(out.path[0] - best, axis=1)
    assert np.sum(distance > r) < 60
    assert np.sum(distance > r / 4) > 60  # power: a quarter of r would not do
    f = excess(D, Lam, out.theta)
    bound = localized_exponential_risk_bound(1.0, p=p, **kind)
    assert np.sum(f > bound) < 60
    assert bound < 300 * np.mean(f)


@pytest.mark.parametrize("p", [3, 300])
def test_the_length_of_the_noise_keeps_to_its_quantile(p):
    """P(Gamma(p) > p + √(2pt) + t) ≤ e^{−t}, exactly, at p of 3 and 300."""
    for beta in (0.3, 0.01, 1e-9):
        kind = {"lipschitz": 1.0, "regularization": 2.0, "failure_probability": beta}
        length = localization_radius(4.0, p=p, **kind) / (2 / 2.0 / 4.0)
        assert stats.gamma(p).sf(length) <= beta
        assert stats.gamma(p).sf(0.5 * length) > beta


def test_the_bound_is_the_exponential_mechanisms_on_the_ball():
    for k, relation in ((1, Relation.ADD_REMOVE), (2, Relation.REPLACE)):
        kind = {"lipschitz": 3.0, "regularization": 7.0, "failure_probability": 0.1}
        bound = localized_exponential_risk_bound(0.5, p=4, **kind, relation=relation)
        t = math.log(10)
        x = 4 + math.sqrt(8 * t) + t
        assert bound == pytest.approx(8 * k**2 * 9 * x**2 / (7 * 0.25))
        # on a set that is smaller than the ball: one stage, at half of ε
        small = localized_exponential_risk_bound(
            0.5, p=4, **kind, relation=relation, diameter=1e-3
        )
        c = 0.25 / (k * 3.0 * 1e-3)
        assert small == pytest.approx(
            exponential_mechanism_risk_bound(c, p=4, failure_probability=0.1)
        )


def test_more_regularization_makes_the_second_look_worth_its_price():
    """Looking once on a disk of diameter 2 costs 2p/ε whatever Λ is."""
    once = exponential_mechanism_risk_bound(0.5, p=2, failure_probability=0.05)
    kind = {"p": 2, "lipschitz": 1.0, "failure_probability": 0.05, "diameter": 2.0}
    weak, strong = (
        localized_exponential_risk_bound(1.0, regularization=Lam, **kind)
        for Lam in (1.0, 1000.0)
    )
    assert strong < once / 10
    assert weak > once


@pytest.mark.parametrize("relation", list(Relation))
def test_the_draw_spends_half_of_epsilon_on_a_ball_of_twice_the_radius(
    relation, monkeypatch
):
    asked = []

    def draw(*arguments):
        centers, r, c = arguments[3:6]
        asked.append((r, c))
        return centers

    place = "dpteach.algorithms.pure.localized_exponential.draw_in_balls"
    monkeypatch.setattr(place, draw)
    kind = KIND | {"relation": relation}
    localized_exponential_mechanism(LINE, epsilon=8.0, **kind, rng=0)
    ((r, c),) = asked
    assert r == localization_radius(8.0, p=1, **kind, tolerance=1e-8)
    assert c == pytest.approx(8.0 / 2 / (relation.sensitivity * 2 * r))


def test_what_the_solver_may_miss_widens_the_ball():
    """The guess is γ/Λ off, and its noise is larger by the reach of 2γ/Λ."""
    exact, loose = (localization_radius(8.0, p=1, **KIND, tolerance=t) for t in (0, 1))
    t = math.log(1 / 0.05)
    length = 1 + math.sqrt(2 * t) + t
    added = 2 / 8.0 * (2 * 1 / 3.0) * length + 1 / 3.0
    assert loose - exact == pytest.approx(added)


def test_a_set_without_an_interior_is_refused():
    D = Problem(np.eye(3), np.ones(3), losses.logistic, constraints.Simplex())
    with pytest.raises(ValueError, match="an interior"):
        localized_exponential_mechanism(D, epsilon=1.0, **KIND, rng=0)


BAD_INPUT = {
    localization_radius: {
        "epsilon": 1.0,
        "p": 3,
        "lipschitz": 1.0,
        "regularization": 1.0,
        "failure_probability": 0.1,
        "tolerance": 0.1,
        "relation": Relation.REPLACE,
    },
    localized_exponential_mechanism: {
        "problem": problems.SIGNS,
        "epsilon": 1.0,
        "lipschitz": 1.0,
        "regularization": 1.0,
        "failure_probability": 0.1,
        "rng": 0,
        "relation": Relation.REPLACE,
        "tolerance": 1e-6,
        "out_of_bounds": "clip",
        "runs": (2,),
    },
    localized_exponential_risk_bound: {
        "epsilon": 1.0,
        "p": 3,
        "lipschitz": 1.0,
        "regularization": 1.0,
        "failure_probability": 0.1,
        "diameter": 2.0,
        "relation": Relation.REPLACE,
    },
}

COMMON = {
    "localized exponential": Case(
        localized_exponential_mechanism,
        losses.logistic,
        constraints.L2Ball(1.0),
        {
            "epsilon": 0.7,
            "lipschitz": 1.0,
            "regularization": 20.0,
            "failure_probability": 0.1,
            "tolerance": 1e-5,
        },
        path=2,
        epsilon=0.7,
        delta=1e-9,
        normal=False,
        rtol=1e-7,
    ),
}
