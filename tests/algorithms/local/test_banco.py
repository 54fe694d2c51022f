"""BANCO: the conditions of its proof, its bounds, and its runs."""

import math
from dataclasses import replace

import mpmath
import numpy as np
import pytest

from dpteach import Problem, constraints, losses
from dpteach.algorithms.local._stakes import capped, stake
from dpteach.algorithms.local.banco import (
    BET_RANGE,
    banco,
    banco_risk_bound,
    banco_tail,
)
from dpteach.algorithms.local.betting import bet
from dpteach.algorithms.local.local_sgd import local_noise_variance, local_sgd
from dpteach.arrays import to_numpy
from dpteach.auditing import Tape
from dpteach.privacy import Trace
from tests import problems
from tests.algorithms.case import Case
from tests.errata import erratum

NODES = np.polynomial.legendre.leggauss(200)


def population(n, p, far=1.0, seed=0):
    X = np.random.default_rng(seed).standard_normal((n, p))
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    return Problem(X, far * X[:, 0], losses.absolute, constraints.Everywhere())


def mean_distance(p):
    """E|x_1| of a uniform direction: the risk of w is this times ‖w − w*‖."""
    return math.exp(math.lgamma(p / 2) - math.lgamma((p + 1) / 2)) / math.sqrt(math.pi)


def test_bet_range():
    exact = mpmath.findroot(lambda z: mpmath.log(1 - z) + z + z * z, 0.68)
    assert float(exact) == pytest.approx(0.683802623752020681, rel=1e-15)
    assert 0 < exact - BET_RANGE < 1e-5
    z = np.linspace(-BET_RANGE, 3, 1001)
    assert np.all(np.log1p(z) >= z - z * z - 1e-16)


@pytest.mark.claim(
    "20-banco",
    "The noise's constants satisfy their condition, and ours with equality.",
    order=4,
)
@pytest.mark.parametrize("p", [1, 5, 20])
def test_the_tail_condition_holds_and_is_tight(p):
    for epsilon, G in ((0.5, 1.0), (1.0, 2.0), (4.0, 0.3)):
        variance, b = banco_tail(epsilon, p=p, clip_norm=G)
        book, same = banco_tail(epsilon, p=p, clip_norm=G, method="textbook")
        assert b == same == 4 * G / epsilon
        assert book == pytest.approx(18 * p**2 * G**2 / epsilon**2)
        beta = np.linspace(0, 1 / b, 201)[1:]
        log_moment = -(p + 1) / 2 * np.log1p(-((2 * G * beta / epsilon) ** 2))
        assert np.all(log_moment <= beta**2 * variance / 2 * (1 + 1e-12))
        assert np.all(log_moment <= beta**2 * book / 2)
        assert log_moment[-1] == pytest.approx(beta[-1] ** 2 * variance / 2)
    a_dimension = banco_tail(1.0, p=1, clip_norm=1.0)[0] / 2
    assert a_dimension == pytest.approx(4.602913159228494, rel=1e-14)  # 16 ln(4/3)
    assert banco_tail(1.0, p=20, clip_norm=1.0)[0] == pytest.approx(96.661176)


def potential_gap(x, y, g, p, epsilon, G, scaled=True, upside_down=False):
    """(E Φ(x + s, y + dy) − Φ − g m)/Φ, with the exact moments of the noise."""
    t, w = NODES
    variance, b = banco_tail(epsilon, p=p, clip_norm=G if scaled else 1.0)
    a = min(BET_RANGE / G, b if upside_down else 1 / b)
    dy, k = variance / 2 + G**2, a * t
    here = 0.5 * w * np.exp(k * x - k * k * y)
    moment = (1 - (2 * G * k / epsilon) ** 2) ** (-(p + 1) / 2)
    then = here * np.exp(k * g - k * k * dy) * moment
    return (then.sum() - here.sum() - g * (here * k).sum()) / here.sum()


@pytest.mark.claim(
    "20-banco",
    "On average the gambler's wealth grows by what is won, in every state tried.",
    order=5,
)
def test_the_potential_inequality_behind_theorem_3():
    """The gambler's wealth grows by what is won: E Φ' ≤ Φ + g m, in every state."""
    rng = np.random.default_rng(0)
    for p in (1, 5, 20):
        for G, epsilon in ((0.2, 4.0), (1.0, 1.0), (1.0, 4.0), (1.5, 1.0), (10.0, 2.0)):
            for _ in range(25):
                x, y = rng.normal() * 20 * G, rng.uniform(0, 50) * G**2
                gap = potential_gap(x, y, rng.uniform(-G, G), p, epsilon, G)
                assert gap <= 1e-9


@pytest.mark.claim(
    "20-banco",
    "Constants that forget the gradient bound break it.",
    order=6,
)
@pytest.mark.parametrize(
    ("G", "epsilon", "scaled", "unscaled"),
    [(1.5, 1.0, -0.0361, 0.5683), (2.0, 2.0, -0.0919, 0.3570)],
)
def test_constants_that_forget_the_gradient_bound_break_it(
    G, epsilon, scaled, unscaled
):
    gap = potential_gap(0.0, 0.0, 0.0, 5, epsilon, G)
    assert gap == pytest.approx(scaled, abs=1e-4)
    broken = potential_gap(0.0, 0.0, 0.0, 5, epsilon, G, scaled=False)
    assert broken == pytest.approx(unscaled, abs=1e-3)


@erratum("B-01")
def test_b01_the_tail_bound_is_four_over_epsilon(claimed, actual):
    """B-01: with b = ε/4 the bet reaches where the moments are infinite (ε = 1)."""
    epsilon = 1.0
    assert min(BET_RANGE, 1 / (epsilon / 4)) == BET_RANGE > epsilon / 2
    assert banco_tail(1.0, p=5, clip_norm=1.0)[1] == claimed  # at ε = 1 alone
    assert banco_tail(2.0, p=5, clip_norm=1.0)[1] == actual
    # at ε = 1.4 the moments exist, and the inequality fails where ours holds
    rng, failures = np.random.default_rng(0), 0
    for _ in range(120):
        state = rng.normal() * 20, rng.uniform(0, 50), rng.uniform(-1, 1)
        assert potential_gap(*state, 5, 1.4, 1.0) <= 1e-9
        failures += potential_gap(*state, 5, 1.4, 1.0, upside_down=True) > 1e-9
    assert failures > 20
    for epsilon in (2.8, 4.0, 5.8):  # where both readings give the same a
        assert min(BET_RANGE, 4 / epsilon) == min(BET_RANGE, epsilon / 4)


def learners(D, sign, epsilon, rng):
    """Algorithm 1 line by line, with the direction's sign to choose."""
    variance, b = banco_tail(epsilon, p=D.p, clip_norm=1.0)
    w = q = np.zeros(D.p)
    x, squares, a, path, directions, reports = (
        0.0,
        0.0,
        min(BET_RANGE, 1 / b),
        [],
        [],
        [],
    )
    for t in range(1, D.n + 1):
        path.append(w)
        directions.append(q)
        z = rng.standard_normal(D.p)
        z = z * ((2 / epsilon) * rng.standard_gamma(D.p) / np.linalg.norm(z))
        report = z - D.record_gradient(w, t - 1)
        reports.append(report)
        x, squares = x + np.vecdot(report, q), squares + np.vecdot(report, report)
        q = q + sign * (report / math.sqrt(squares))
        q = q / max(1.0, math.sqrt(np.vecdot(q, q)))
        w = bet(x, t * (variance / 2 + 1), a) * q
    return np.array(path), np.array(directions), np.array(reports)


@erratum("B-02")
def test_b02_the_direction_step_may_have_either_sign(claimed, actual):
    """B-02: the models agree to the last bit; only with plus is Reg^D small."""
    D = population(2000, 5)
    plus, q, reports = learners(D, 1, 4.0, np.random.default_rng(5))
    minus, opposite, _ = learners(D, -1, 4.0, np.random.default_rng(5))
    assert np.array_equal(plus, minus)
    assert np.array_equal(q, -opposite)
    out = banco(D, epsilon=4.0, clip_norm=1.0, rng=np.random.default_rng(5))
    assert np.allclose(out.path, plus, rtol=1e-8, atol=1e-12)
    best = reports.sum(axis=0) / np.linalg.norm(reports.sum(axis=0))

    assert np.sign(opposite[-1] @ best) == claimed
    assert np.sign(q[-1] @ best) == actual

    def regret(directions):
        return float(np.sum(reports @ best - np.vecdot(reports, directions)))

    sigma2 = 1 + local_noise_variance(4.0, p=5, clip_norm=1.0)
    assert regret(q) < 3 * math.sqrt(sigma2 * 2000) < regret(opposite)


@pytest.mark.claim(
    "20-banco",
    "Regret splits into length and direction, in a run as it happened.",
    order=7,
)
def test_theorem_3_splits_the_regret_in_two():
    """An identity, on a run as it happened: no expectation is needed."""
    D, epsilon = population(300, 4), 3.0
    path, q, reports = learners(D, 1, epsilon, np.random.default_rng(2))
    out = banco(D, epsilon=epsilon, clip_norm=1.0, rng=np.random.default_rng(2))
    assert np.allclose(out.path, path, rtol=1e-8, atol=1e-12)
    coins = np.vecdot(reports, q)
    m = np.where(
        np.any(q, axis=1), np.vecdot(path, q) / np.maximum(np.vecdot(q, q), 1e-9), 0
    )
    for u in (np.array([1.0, 0, 0, 0]), np.array([-3.0, 2, 0, 5]), np.zeros(4)):
        size = np.linalg.norm(u)
        regret = np.sum(reports @ u - np.vecdot(reports, path))
        length = np.sum(coins * (size - m))
        towards = u / size if size else u
        direction = np.sum(reports @ towards - coins)
        assert regret == pytest.approx(length + size * direction, rel=1e-9)


@pytest.mark.claim(
    "20-banco",
    "Measured risk stays below the bound, for norms that differ by a factor of 100.",
    order=8,
)
@pytest.mark.parametrize("far", [0.3, 3.0, 30.0])
def test_theorem_2_the_bound_holds_without_knowing_the_norm(far):
    """40 runs a case. The bound has so much room that chance does not enter."""
    n, p, epsilon = 4000, 3, 4.0
    D = population(n, p, far)
    out = banco(D, epsilon=epsilon, clip_norm=1.0, rng=0, runs=(40,), path_every=n)
    target = np.array([far, 0, 0])
    risk = mean_distance(p) * np.mean(np.linalg.norm(out.theta - target, axis=-1))
    bound = banco_risk_bound(epsilon, n=n, p=p, clip_norm=1.0, distance=far)
    assert risk < bound / 2
    assert bound < banco_risk_bound(
        epsilon, n=n, p=p, clip_norm=1.0, distance=far, method="textbook"
    )


def test_theorem_2_the_rate_is_that_of_the_theorem():
    """d‖w‖/(ε√T) times the root of a logarithm, in each of its letters."""

    def bound(**changes):
        given = {"epsilon": 1.0, "n": 10**8, "p": 10, "clip_norm": 1.0, "distance": 5.0}
        given.update(changes)
        return banco_risk_bound(given.pop("epsilon"), **given, method="textbook")

    assert bound() / bound(n=10**10) == pytest.approx(10, rel=0.12)
    assert bound(distance=50.0) / bound() == pytest.approx(10, rel=0.15)
    assert bound(p=100) / bound() == pytest.approx(10, rel=0.2)
    assert bound(epsilon=0.1) / bound() == pytest.approx(10, rel=0.2)


@pytest.mark.parametrize("far", [0.1, 1.0, 100.0])
def test_theorem_2_for_many_users_the_length_is_what_the_page_says(far):
    """Step 4: x*² = 4y ln(4a y^1.5 ‖w*‖/(√π x*)), read off the bound; not for few."""
    epsilon, p, c = 1.0, 5, 1.0
    variance, b = banco_tail(epsilon, p=p, clip_norm=1.0)
    second = 1 + local_noise_variance(epsilon, p=p, clip_norm=1.0)

    def error(n):
        bound = banco_risk_bound(epsilon, n=n, p=p, clip_norm=1.0, distance=far)
        x = (n * bound - 1) / far - (2 / c + c) * math.sqrt(second * n)
        y, a = n * (variance / 2 + 1), min(BET_RANGE, 1 / b)
        wanted = 4 * y * math.log(4 * a * y**1.5 * far / (math.sqrt(math.pi) * x))
        return abs(x * x / wanted - 1)

    assert max(error(10**k) for k in (5, 6, 9)) < 1e-9 < 1e-3 < error(10)


def test_the_measured_row_of_the_comparison():
    """p = 5, ε = 4, T = 1e4, ‖w*‖ = 1: risk .034; the source's constants .17.

    32 runs of standard deviation .005 each: the window is over 5 standard errors wide
    on either side, and the two constants are 100 apart.
    """
    D, target = population(10_000, 5), np.eye(5)[0]
    settings = {"epsilon": 4.0, "clip_norm": 1.0, "rng": 1, "runs": (32,)}

    def risk(theta):
        return mean_distance(5) * np.mean(np.linalg.norm(theta - target, axis=-1))

    ours = risk(banco(D, path_every=D.n, **settings).theta)
    book = risk(banco(D, path_every=D.n, method="textbook", **settings).theta)
    assert ours == pytest.approx(0.034, abs=0.006)
    assert book == pytest.approx(0.167, abs=0.03)


def test_bancos_strength_is_a_norm_that_nobody_knew():
    """‖w*‖ = 100, T = 2e4: SGD tuned for norm 1 stays put, BANCO arrives."""
    n, far = 20_000, 100.0
    D, target = population(n, 5, far), far * np.eye(5)[0]
    settings = {
        "epsilon": 4.0,
        "clip_norm": 1.0,
        "rng": 1,
        "runs": (8,),
        "path_every": n,
    }
    eta = 1 / math.sqrt((1 + local_noise_variance(4.0, p=5, clip_norm=1.0)) * n)
    for_one = local_sgd(D, learning_rate=eta, **settings).theta
    ours = banco(D, **settings).theta

    def risk(theta):
        return np.mean(np.linalg.norm(theta - target, axis=-1))

    assert risk(for_one) > 5 * risk(ours)


@pytest.mark.parametrize("largest", [-5.0, 25.0, 30.0, -60.0])
def test_the_quick_bet_of_many_numbers_is_that_of_the_integral(largest):
    """Its closed form overflows above h = x/2√y = 26, where the bet is capped."""
    y, a = 1000.0, 2.0
    x = 2 * math.sqrt(y) * np.array([0.1, largest, 0.0])
    np.testing.assert_allclose(stake(x, y, a), capped(x, y, a), rtol=1e-10)
    assert np.isfinite(stake(x, y, a)).all()
    assert np.array_equal(np.sign(stake(x, y, a)), np.sign(x))
    tiny = x[:1] * np.array([1e-3, -1e-2])
    np.testing.assert_allclose(stake(tiny, y, a), capped(tiny, y, a), rtol=1e-10)
    # a narrow range cuts the bump, and the closed form does not hold
    few = np.array([0.05, -0.1])
    np.testing.assert_allclose(stake(few, 1e-4, 1.0), capped(few, 1e-4, 1.0))


def test_the_first_steps_stay_at_zero_and_a_tape_of_zeros_is_finite():
    D = population(50, 3)
    out = banco(D, epsilon=1.0, clip_norm=1.0, rng=Tape([]))
    assert np.all(out.path[:2] == 0)
    assert np.all(out.path[2] != 0)
    assert np.isfinite(out.path).all()
    flat = Problem(0 * D.X, D.y, D.loss, D.constraint)  # no gradient at all: 0/0?
    assert np.all(banco(flat, epsilon=1.0, clip_norm=1.0, rng=Tape([])).path == 0)


def test_records_in_other_units_give_the_same_model_in_those_units():
    """Gradients and their bound three times as long make models a third as long."""
    x = np.random.default_rng(1).standard_normal((40, 3))
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    paths = [
        banco(
            Problem(unit * x, np.ones(40), losses.linear, constraints.Everywhere()),
            epsilon=4.0,
            clip_norm=unit,
            rng=2,
        ).path
        for unit in (1.0, 3.0)
    ]
    assert np.max(np.abs(paths[0])) > 0
    np.testing.assert_allclose(3 * paths[1], paths[0], rtol=1e-6, atol=1e-12)


def test_runs_paths_traces_and_other_array_libraries():
    D, trace = population(12, 3), Trace()
    settings = {"epsilon": 2.0, "clip_norm": 0.5, "rng": 4, "runs": (2, 3)}
    out = banco(D, trace=trace, **settings)
    assert out.path.shape == (12, 2, 3, 3)
    assert trace["bet"][-1].shape == (2, 3)
    few = banco(D, path_every=5, **settings)
    assert np.array_equal(few.path, out.path[4::5])
    assert np.array_equal(few.theta, out.theta)
    strict = pytest.importorskip("array_api_strict")
    S = Problem(strict.asarray(D.X), strict.asarray(D.y), D.loss, D.constraint)
    assert np.allclose(to_numpy(banco(S, **settings).path), out.path, rtol=1e-12)


def test_each_report_is_clipped_to_the_norm_that_the_noise_hides():
    """Gradients of norm 1 at G = 1/4 reach the noise with norm 1/4 exactly."""
    D, trace = population(30, 3, far=10.0), Trace()
    banco(D, epsilon=1.0, clip_norm=0.25, rng=0, trace=trace)
    lengths = np.linalg.norm(np.stack(trace["gradient"]), axis=-1)
    np.testing.assert_allclose(lengths, 0.25, rtol=1e-12)


def test_a_constraint_is_refused():
    D = replace(population(5, 2), constraint=constraints.L2Ball(1.0))
    with pytest.raises(ValueError, match="`problem` must be unconstrained"):
        banco(D, epsilon=1.0, clip_norm=1.0, rng=0)


BAD_INPUT = {
    banco: {
        "problem": problems.ABSOLUTE,
        "epsilon": 1.0,
        "clip_norm": 1.0,
        "rng": 0,
        "path_every": 1,
        "runs": (2,),
        "trace": Trace(),
        "method": "exact",
        "direction_rate": 1.0,
    },
    banco_tail: {"epsilon": 1.0, "p": 3, "clip_norm": 1.0, "method": "exact"},
    banco_risk_bound: {
        "epsilon": 1.0,
        "n": 100,
        "p": 3,
        "clip_norm": 1.0,
        "distance": 1.0,
        "method": "exact",
        "direction_rate": 1.0,
    },
}

COMMON = {
    "banco": Case(
        banco,
        losses.absolute,
        constraints.Everywhere(),
        {"epsilon": 0.7, "clip_norm": 0.6},
        path=12,
        epsilon=0.7,
        delta=1e-9,
        n=12,
    ),
}
