"""Algorithms 5 and 6, and private LASSO: exact traces, exact laws, exact ε, bounds."""

from fractions import Fraction
from itertools import product
from math import exp, log, sqrt

import array_api_strict
import numpy as np
import pytest
from scipy import integrate, sparse, stats

from dpteach import (
    Problem,
    Relation,
    constraints,
    losses,
)
from dpteach.accounting import epsilon_of, zcdp_rho
from dpteach.algorithms.geometry._corners import Walk, choose
from dpteach.algorithms.geometry.frank_wolfe import (
    decreasing_step,
    frank_wolfe,
    frank_wolfe_gap,
    frank_wolfe_risk_bound,
)
from dpteach.algorithms.geometry.frank_wolfe_bounds import (
    private_frank_wolfe_risk_bound,
    private_frank_wolfe_steps,
)
from dpteach.algorithms.geometry.lasso import (
    lasso_constants,
    private_lasso,
    private_lasso_risk_bound,
    private_lasso_steps,
)
from dpteach.algorithms.geometry.private_frank_wolfe import (
    _noisy_argmin,
    private_frank_wolfe,
    private_frank_wolfe_noise,
)
from dpteach.algorithms.geometry.sparse import SparseProblem
from dpteach.auditing import Tape
from dpteach.privacy import Pure, Selection, Trace

BALL = constraints.L1Ball(1.0)
TINY = Problem(
    np.array([[1.0, 0.0], [1.0, 1.0], [0.0, -1.0]]),
    np.array([1.0, 1.0, 0.5]),
    losses.squared,
    BALL,
)


def lasso_problem(n, p, seed=0, radius=1.0):
    rng = np.random.default_rng(seed)
    X = rng.choice([-1.0, 1.0], (n, p))
    y = np.clip(0.6 * X[:, 0] - 0.4 * X[:, 1] + 0.1 * rng.normal(size=n), -1, 1)
    return Problem(X, y, losses.squared, constraints.L1Ball(radius))


# ---- Algorithm 5


@pytest.mark.claim(
    "14-frank-wolfe",
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
    "14-frank-wolfe",
    "Constant steps keep a share of the start; the decreasing step does not.",
    order=2,
)
def test_e33_constant_steps_do_not_converge():
    """E-33. The weight of the start is (1 − 1/T)^{T−1} → 1/e, whatever f is."""
    line = Problem(np.ones((1, 1)), np.ones(1), losses.linear, BALL)
    for T, one, two in ((10, 0.38742049, 0.45698606), (1000, 0.36806349, 0.36879888)):
        start = float(line.risk(np.zeros(1)) + 1)
        for step, wanted in ((1 / T, one), (1 / (T + 2), two)):
            last = frank_wolfe(line, steps=T, step=lambda t, s=step: s)[-1]  # noqa: ARG005
            assert float(line.risk(last) + 1) / start == pytest.approx(wanted, rel=1e-6)
        assert float(line.risk(frank_wolfe(line, steps=T)[-1]) + 1) == 0
    # a quadratic whose minimum is the corner 1: the gap stays at e^{−2} of its start
    corner = Problem(np.ones((1, 1)), np.ones(1), losses.squared, BALL)
    last = frank_wolfe(corner, steps=3000, step=lambda t: 1 / 3000)[-1]  # noqa: ARG005
    assert float(corner.risk(last)) / 0.5 == pytest.approx(0.13535, rel=1e-3)
    # and one whose minimum is inside
    inside = Problem(np.ones((1, 1)), np.array([0.3]), losses.squared, BALL)
    good = frank_wolfe(inside, steps=3000)[-1]
    assert float(inside.risk(good)) < 1e-6


def curvature(D, scale=1.0):
    """Γ of scale·‖Xθ − y‖²/… by brute force over corners and step sizes."""
    corners = np.concatenate([np.eye(D.p), -np.eye(D.p)]) * D.constraint.radius
    return max(
        2
        / g**2
        * scale
        * (D.risk(a + g * (b - a)) - D.risk(a) - g * (D.gradient(a) @ (b - a)))
        for a in corners
        for b in corners
        for g in (1e-3, 0.5, 1.0)
    )


def test_e31_the_curvature_of_a_quadratic():
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
    assert curvature(D, scale=2.0) == pytest.approx(2 * far, rel=1e-9)
    # centrally symmetric: at most 4 max‖Xθ‖², for the form with ½
    assert far <= 4 * max(np.sum(X**2, axis=0)) * (1 + 1e-12)


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
    "14-frank-wolfe",
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


# ---- what lies under the pseudo-code equals it


@pytest.mark.parametrize("runs", [(), (3,), (2, 2)])
@pytest.mark.parametrize("constraint", [BALL, constraints.Simplex()])
@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_the_walk_keeps_its_scores(runs, constraint, kind):
    rng = np.random.default_rng(0)
    X = np.where(rng.random((12, 7)) < 0.4, rng.normal(size=(12, 7)), 0.0)
    dense = Problem(X, rng.choice([-1.0, 1.0], 12), losses.logistic, constraint)
    D = dense
    if kind == "sparse":
        D = SparseProblem(sparse.csr_array(X), dense.y, losses.logistic, constraint)
    walk = Walk(D, runs)
    corners = 7 if isinstance(constraint, constraints.Simplex) else 14
    for t in range(1, 30):
        index = rng.integers(0, corners, runs)
        s = np.eye(7)[index % 7] * np.where(index < 7, 1, -1)[..., None]
        wanted = walk.theta + 2 / (t + 1) * (s - walk.theta)
        before = walk.theta.copy()
        held = walk.theta
        walk.move(np.asarray(index), 2 / (t + 1))
        np.testing.assert_array_equal(held, before)  # no one's model is changed
        np.testing.assert_allclose(walk.theta, wanted, atol=1e-14)
        np.testing.assert_allclose(walk.scores, walk.theta @ X.T, atol=1e-13)
        np.testing.assert_allclose(
            walk.gradient(), dense.gradient(walk.theta), atol=1e-12
        )
    np.testing.assert_allclose(D.risk(walk.theta), dense.risk(walk.theta), atol=1e-12)


@pytest.mark.parametrize("constraint", [BALL, constraints.Simplex()])
def test_a_sparse_walk_on_least_squares_keeps_its_gradient(constraint):
    """Light columns are added row by row, heavy ones by a fresh product."""
    rng = np.random.default_rng(0)
    dense = np.where(rng.random((64, 9)) < 0.04, rng.normal(size=(64, 9)), 0.0)
    dense[:, 4] = rng.normal(size=64)
    D = Problem(dense, rng.normal(size=64), losses.squared, constraint)
    thin = SparseProblem(sparse.csr_array(dense), D.y, losses.squared, constraint)
    light = [thin._stored(j) * 16 <= 64 for j in range(9)]
    assert {True, False} == set(light)
    walk = Walk(thin, ())
    corners = 9 if isinstance(constraint, constraints.Simplex) else 18
    for t in range(1, 60):
        np.testing.assert_allclose(
            walk.gradient(), D.gradient(walk.theta), rtol=1e-11, atol=1e-12
        )
        walk.move(np.asarray(rng.integers(corners)), 2 / (t + 1))
    one = np.zeros(9)
    thin._add_gram_column(one, 4, 2.0)
    np.testing.assert_allclose(one, 2 * dense.T @ dense[:, 4])


class Uniforms(np.random.Generator):
    """A generator that replays chosen uniforms, so that a law can be read off."""

    def __init__(self, values):
        super().__init__(np.random.PCG64(0))
        self.values = np.asarray(values, dtype=float)

    def random(self, size=None, *_args, **_kwargs):
        return self.values.reshape(size)


@pytest.mark.claim(
    "14-frank-wolfe",
    "The default choice has exactly the law of the exponential mechanism.",
    order=3,
)
def test_the_choice_has_exactly_the_law_of_the_exponential_mechanism():
    """Scores (0, 1, 2), c = 1 and ½: each cell of the CDF goes to its own corner."""
    table = {
        1.0: [0.66524095577482, 0.2447284710548, 0.09003057317038],
        2.0: [0.506480391056654, 0.307195885718498, 0.186323722225848],
    }
    for scale, pmf in table.items():
        edges = np.concatenate([[0], np.cumsum(pmf)])
        for nudge in (1e-9, -1e-9):
            u = (edges[:-1] if nudge > 0 else edges[1:]) + nudge
            one = [choose(np.arange(3.0), scale, Uniforms(x)) for x in u]
            assert [int(i) for i in one] == [0, 1, 2]
            many = choose(np.tile(np.arange(3.0), (3, 1)), scale, Uniforms(u))
            assert many.tolist() == [0, 1, 2]


def test_blocks_choose_as_one_long_sum_does():
    rng = np.random.default_rng(0)
    for m in (1, 3, 1023, 1024, 1025, 5000):
        alpha = 5 * rng.normal(size=m)
        total = np.cumsum(np.exp(alpha.min() - alpha))
        for u in (0.0, *rng.random(200), 1 - 2.0**-53):
            wanted = min(np.searchsorted(total, u * total[-1], side="right"), m - 1)
            found = int(choose(alpha, 1.0, Uniforms(u)))
            # equal, but for uniforms within rounding of an edge
            assert (
                found == wanted
                or abs(u - total[min(found, wanted)] / total[-1]) < 1e-13
            )


def noisy_minimum_pmf(scores, noise, scale):
    """Exact law of argmin(score + noise), by quadrature over the winner's noise."""
    law = (
        stats.laplace(scale=scale)
        if noise == "laplace"
        else stats.gumbel_l(scale=scale)
    )
    grid = np.linspace(-60 * scale, 60 * scale, 48_001)
    out = []
    for i, score in enumerate(scores):
        rest = np.prod(
            [law.sf(grid + score - s) for j, s in enumerate(scores) if j != i], axis=0
        )
        out.append(integrate.simpson(law.pdf(grid) * rest, x=grid))
    return np.array(out)


@pytest.mark.parametrize("noise", ["exponential", "gumbel", "laplace"])
def test_noisy_minima_follow_their_law(noise):
    """χ² at 1e-6 with 60,000 draws on (0, 1, 2); a wrong sign or scale fails it."""
    wanted = {
        "laplace": [0.67126522672569, 0.24622468243342, 0.08251009084089],
        "gumbel": [0.66524095577482, 0.2447284710548, 0.09003057317038],
    }[noise if noise == "laplace" else "gumbel"]
    kind = "laplace" if noise == "laplace" else "gumbel"
    np.testing.assert_allclose(
        noisy_minimum_pmf([0, 1, 2], kind, 1.0), wanted, rtol=1e-6
    )
    alpha = np.tile(np.arange(3.0), (60_000, 1))
    found = _noisy_argmin(alpha, 1.0, noise, np.random.default_rng(1))
    counts = np.bincount(np.ravel(found), minlength=3)
    assert stats.chisquare(counts, 60_000 * np.array(wanted)).pvalue > 1e-6
    double = noisy_minimum_pmf([0, 1, 2], kind, 2.0)
    assert stats.chisquare(counts, 60_000 * double / double.sum()).pvalue < 1e-6


def test_exact_epsilon_of_one_choice():
    """Between the scores (0, 0, 0) and (1, −1, 0), c = 1: 1.309 and 1.396, cap 2."""
    for noise, wanted in (
        ("gumbel", 1.3089936757762706),
        ("laplace", 1.3962223912301523),
    ):
        first = noisy_minimum_pmf([0, 0, 0], noise, 1.0)
        second = noisy_minimum_pmf([1, -1, 0], noise, 1.0)
        found = float(np.max(np.abs(np.log(first / second))))
        assert found == pytest.approx(wanted, rel=1e-6)
        assert found <= 2


# ---- Algorithm 6: calibration and privacy


@pytest.mark.parametrize(
    ("T", "epsilon", "delta", "one", "c", "laplace"),
    [
        (10, 1.0, 1e-6, 0.14713854502, 0.0367846362551, 132.980650901528794),
        (100, 1.0, 1e-6, 0.0443639405483, 0.0110909851371, 420.52174158055455829),
        (50, 2.0, 1e-5, 0.13294550906, 0.033236377265, 135.72280848830223596),
    ],
)
def test_theorem_6_21_calibration(T, epsilon, delta, one, c, laplace):
    kind = {"steps": T, "lipschitz_l1": 2.0, "l1_radius": 1.0}
    b = private_frank_wolfe_noise(epsilon, delta, **kind)
    assert 1 / b == pytest.approx(c, rel=1e-9)
    book = private_frank_wolfe_noise(epsilon, delta, method="textbook", **kind)
    assert book == pytest.approx(laplace, rel=1e-13)
    double = private_frank_wolfe_noise(
        epsilon, delta, relation=Relation.REPLACE, **kind
    )
    assert double == pytest.approx(2 * b)
    D = lasso_problem(4, 3)
    for relation in Relation:
        for noise in ("exponential", "gumbel", "laplace"):
            out = private_frank_wolfe(
                D,
                lipschitz_l1=2.0,
                epsilon=epsilon,
                delta=delta,
                steps=T,
                rng=0,
                noise=noise,
                relation=relation,
            )
            assert out.event.releases == T - 1
            assert out.event.relation is relation
            assert epsilon_of(out.event, delta) <= epsilon
            if noise != "laplace":
                assert isinstance(out.event, Selection)
                assert out.event.epsilon == pytest.approx(one, rel=1e-9)


def paths(D, T, pmf):
    """Exact probability of every sequence of corners, by the package's own walk."""
    corners = 2 * D.p
    law = {}
    for choice in product(range(corners), repeat=T - 1):
        walk, chance = Walk(D, ()), 1.0
        for t, corner in enumerate(choice, start=1):
            g = walk.gradient()
            chance *= pmf(np.concatenate([g, -g]))[corner]
            walk.move(np.asarray(corner), 2 / (t + 1))
        law[choice] = chance
    return np.array(list(law.values()))


def exact_delta(first, second, epsilon):
    """The larger hockey-stick divergence, either way."""
    return max(
        float(np.sum(np.maximum(a - exp(epsilon) * b, 0)))
        for a, b in ((first, second), (second, first))
    )


@pytest.mark.claim(
    "14-frank-wolfe",
    "All paths of a small run, enumerated: the whole path is private, and with a "
    "fortieth of the noise it is not.",
    order=4,
)
def test_the_whole_path_is_private_by_enumeration():
    """Every path of T = 4 on the tiny LASSO, with and without a steep record."""
    X = np.concatenate([TINY.X, [[1.0, -1.0]]])
    more = Problem(X, np.append(TINY.y, -1.0), losses.squared, BALL)
    for epsilon in (0.5, 2.0, 8.0):
        kind = {"steps": 4, "lipschitz_l1": 2.0, "l1_radius": 1.0}
        b = private_frank_wolfe_noise(epsilon, 1e-6, **kind)

        def softmax(alpha, b=b):
            weight = np.exp((alpha.min() - alpha) / b)
            return weight / weight.sum()

        first, second = paths(TINY, 4, softmax), paths(more, 4, softmax)
        assert first.sum() == pytest.approx(1)
        assert exact_delta(first, second, epsilon) <= 1e-6
        one = 4.0 / b
        assert np.max(np.abs(np.log(first / second))) <= 3 * one
        # power: with a fortieth of the noise the same audit refuses
        loud = [paths(D, 4, lambda a, b=b: softmax(a, b / 40)) for D in (TINY, more)]
        assert exact_delta(*loud, epsilon) > 1e-6


@pytest.mark.claim(
    "14-frank-wolfe",
    "The printed noise scale is caught by an exact audit; ours passes it.",
    order=5,
)
def test_e32_the_printed_scale_is_not_private():
    """E-32. n = 100, T = 2, ε = 1, δ = 1e-5: one choice of exact ε 14.46, δ 0.9945.

    On a line with corners ±1: the difference of two Laplace noises has a closed form.
    """
    n, T, epsilon, delta = 100, 2, 1.0, 1e-5

    def plus(gradient, b):  # P[+1 wins] = P[N₁ − N₂ < −2g]
        far = abs(2 * gradient) / b
        tail = exp(-far) * (2 + far) / 4
        return tail if gradient > 0 else 1 - tail

    def audit(b):
        worst, loss = 0.0, 0.0
        for g in np.linspace(-6, 6, 49):
            # one record adds at most L₁ = 2 to the gradient
            with_it = np.array([plus(g + 2, b), plus(-(g + 2), b)])
            without = np.array([plus(g, b), plus(-g, b)])
            loss = max(loss, np.max(np.abs(np.log(with_it / without))))
            worst = max(worst, exact_delta(with_it, without, epsilon))
        return loss, worst

    kind = {"steps": T, "lipschitz_l1": 2.0, "l1_radius": 1.0, "method": "textbook"}
    ours = private_frank_wolfe_noise(epsilon, delta, **kind)
    printed = ours / 2 / n
    loss, worst = audit(printed)
    assert loss == pytest.approx(14.4591, rel=1e-5)
    assert worst == pytest.approx(0.994504, rel=1e-5)  # caught
    loss, worst = audit(ours / 2)  # the printed scale without 1/n
    assert loss == pytest.approx(0.0887679, rel=1e-5)
    assert worst == 0
    assert audit(ours)[1] == 0
    # a mean over n records is what 1/n would belong to
    mean = private_frank_wolfe_noise(epsilon, delta, **kind | {"lipschitz_l1": 2.0 / n})
    assert mean == pytest.approx(ours / n)


def test_e34_a_choice_costs_twice_the_sensitivity_over_the_scale():
    """E-34. Without the factor 2 no violation is shown: 0.853 and 3.84 by ρ = ε₀²/2."""
    delta = 1e-6
    for epsilon, advanced, concentrated in (
        (1.0, 1.03654, 0.853066),
        (4.0, 4.60166, 3.84327),
    ):
        T = 100
        b = sqrt(8 * T * log(1 / delta)) / epsilon  # Δ₁ = 1
        one = 2 / b
        by_advanced = sqrt(2 * T * log(1 / delta)) * one + T * one * (exp(one) - 1)
        assert by_advanced == pytest.approx(advanced, rel=1e-5)
        # the exact composition of pure releases is below the zCDP figure
        exact = epsilon_of(Pure(one, releases=T, relation=Relation.ADD_REMOVE), delta)
        assert exact <= concentrated < epsilon < by_advanced
    # scores move both ways: ε₀ = Δ₁/b is exceeded, 2Δ₁/b never (vectors of one choice)
    first = noisy_minimum_pmf([0, 0, 0], "laplace", 1.0)
    second = noisy_minimum_pmf([1, -1, 0], "laplace", 1.0)
    assert 1.0 < np.max(np.abs(np.log(first / second))) < 2.0


def test_steep_records_are_refused():
    D = lasso_problem(20, 3)
    kind = {"epsilon": 1.0, "delta": 1e-6, "steps": 5, "rng": 0}
    with pytest.raises(ValueError, match="`lipschitz_l1` must be at least 2"):
        private_frank_wolfe(D, lipschitz_l1=1.5, **kind)
    thin = SparseProblem(sparse.csc_array(D.X), D.y, losses.squared, BALL)
    with pytest.raises(ValueError, match="`lipschitz_l1` must be at least 2"):
        private_frank_wolfe(thin, lipschitz_l1=1.5, **kind)
    with pytest.raises(ValueError, match="L1Ball or a Simplex"):
        private_frank_wolfe(
            Problem(D.X, D.y, losses.squared, constraints.L2Ball(1.0)),
            lipschitz_l1=2.0,
            **kind,
        )


# ---- utility


def test_e35_the_bound_grows_with_the_number_of_records():
    """E-35. nΓ/T as in (6.60): n copies of a record multiply the excess by n.

    In the copy that we read, (6.59) has Γ_ℓ/T, which 50 copies exceed at T = 20.
    """
    one = Problem(np.array([[1.0, 1.0]]), np.array([0.3]), losses.squared, BALL)
    many = Problem(np.tile(one.X, (50, 1)), np.tile(one.y, 50), losses.squared, BALL)
    T, gamma = 20, curvature(one)
    excess = [float(D.risk(frank_wolfe(D, steps=T)[-1])) for D in (one, many)]
    assert excess[1] == pytest.approx(50 * excess[0])
    assert gamma == pytest.approx(4)
    bound = private_frank_wolfe_risk_bound(
        n=50, steps=T, corners=4, curvature_constant=gamma, scale=1e-9
    )
    assert excess[1] <= bound
    # the constant: with T = 2, one step to a corner, 50 copies are above Γ/T
    first = float(many.risk(frank_wolfe(many, steps=2)[-1]))
    assert first > gamma / 2
    # the logarithm's argument is a count: in other units of loss it stays the same
    assert log(T * 4) < log(T * 2.0 * 1.0 * 4)


def test_e36_the_steps_and_their_logarithms():
    """E-36. ln(np)√ln(1/δ) and ln(np/δ): 1000 and 200 when both logs are 100."""
    a = b = 100.0
    assert a * sqrt(b) == 1000
    assert a + b == 200
    assert a ** (2 / 3) * b ** (1 / 3) <= a + b  # with the logs inside T
    kind = {"n": 5000, "corners": 400, "curvature_constant": 4.0}
    kind |= {"lipschitz_l1": 2.0, "l1_radius": 1.0}
    assert private_frank_wolfe_steps(1.0, 1e-6, **kind) == 128
    printed = (4 * 5000 * 1.0 / 2) ** (2 / 3)
    assert printed == pytest.approx(464.16, rel=1e-4)

    def bound(T):
        small = {"lipschitz_l1": 2.0, "l1_radius": 1.0}
        b = private_frank_wolfe_noise(1.0, 1e-6, steps=T, **small)
        about = {"n": 5000, "corners": 400, "curvature_constant": 4.0}
        return private_frank_wolfe_risk_bound(**about, steps=T, scale=b)

    assert bound(128) == pytest.approx(922, abs=0.5)
    assert bound(round(printed)) > 1.25 * bound(128)  # the printed T is too large
    rho = zcdp_rho(1.0, 1e-6)
    best = (4 * sqrt(2) * 5000 * 4 * sqrt(rho) / (2 * log(400))) ** (2 / 3)
    assert best == pytest.approx(129.5, abs=0.05)


@pytest.mark.claim(
    "14-frank-wolfe",
    "The number of steps that we compute minimizes the bound over all whole numbers.",
    order=8,
)
def test_the_steps_minimize_the_bound():
    for n, corners, gamma, epsilon in (
        (5000, 400, 4.0, 1.0),
        (10, 4, 1.0, 0.1),
        (10**6, 10**5, 4.0, 8.0),
    ):
        kind = {"lipschitz_l1": 2.0, "l1_radius": 1.0}

        def bound(T, n=n, corners=corners, gamma=gamma, epsilon=epsilon, kind=kind):
            return private_frank_wolfe_risk_bound(
                n=n,
                steps=T,
                corners=corners,
                curvature_constant=gamma,
                scale=private_frank_wolfe_noise(epsilon, 1e-6, steps=T, **kind),
            )

        T = private_frank_wolfe_steps(
            epsilon, 1e-6, n=n, corners=corners, curvature_constant=gamma, **kind
        )
        assert bound(T) <= bound(T + 1)
        assert T == 2 or bound(T) <= bound(T - 1)
        if n == 5000:
            assert bound(T) == pytest.approx(921.93, abs=0.01)


@pytest.mark.claim(
    "14-frank-wolfe",
    "Measured excess risk stays below the bound.",
    order=6,
)
def test_theorem_6_22_measured_excess_is_below_the_bound():
    """Mean of 40 runs plus 5.2 standard errors; the bound is honest, and loose."""
    n, p, T = 2000, 60, 20
    D = lasso_problem(n, p)
    best = float(np.min(D.risk(frank_wolfe(D, steps=400))))
    out = private_frank_wolfe(
        D, lipschitz_l1=2.0, epsilon=1.0, delta=1e-6, steps=T, rng=0, runs=(40,)
    )
    excess = D.risk(out.theta) - best
    b = private_frank_wolfe_noise(1.0, 1e-6, steps=T, lipschitz_l1=2.0, l1_radius=1.0)
    bound = private_frank_wolfe_risk_bound(
        n=n, steps=T, corners=2 * p, curvature_constant=4.0, scale=b
    )
    assert excess.mean() + 5.2 * excess.std() / sqrt(40) <= bound
    assert excess.mean() < float(D.risk(np.zeros(p))) - best  # better than nothing
    # an expected gap of one choice is at most b ln|S|
    scores = np.array([0, 1, 1, 2, 3, 3, 4, 5.0])
    weight = np.exp(-0.7 * scores)
    assert np.sum(weight * scores) / weight.sum() <= log(8) / 0.7


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


def test_constants_of_least_squares():
    assert lasso_constants(l1_radius=1.0) == (2.0, 4.0)
    L1, gamma = lasso_constants(l1_radius=3.0, feature_bound=2.0, label_bound=0.5)
    assert (L1, gamma) == (2 * (6 + 0.5), 4 * 36)
    one = Problem(
        np.array([[2.0, -2.0]]),
        np.array([0.5]),
        losses.squared,
        constraints.L1Ball(3.0),
    )
    assert curvature(one) == pytest.approx(gamma)
    corners = 3 * np.concatenate([np.eye(2), -np.eye(2)])
    assert np.max(np.abs(one.gradient(corners))) == pytest.approx(L1)


# ---- LASSO and the house


@pytest.mark.claim(
    "14-frank-wolfe",
    "Sparse and dense data give the same model, step for step.",
    order=9,
)
def test_private_lasso_sparse_and_dense_agree():
    rng = np.random.default_rng(0)
    X = np.where(rng.random((60, 30)) < 0.1, rng.uniform(-1, 1, (60, 30)), 0.0)
    y = np.clip(X[:, 3], -1, 1)
    kind = {"l1_radius": 2.0, "epsilon": 4.0, "delta": 1e-6, "steps": 15, "rng": 3}
    dense = private_lasso(X, y, **kind)
    for form in (sparse.csr_array, sparse.csc_array, sparse.coo_matrix):
        thin = private_lasso(form(X), y, **kind)
        np.testing.assert_allclose(thin.path, dense.path, atol=1e-12)
        assert thin.event == dense.event
    assert dense.path.shape == (15, 30)
    for every, kept in ((4, [3, 7, 11]), (15, [14])):
        part = private_lasso(X, y, **kind, path_every=every)
        np.testing.assert_array_equal(part.path, dense.path[kept])
        np.testing.assert_array_equal(part.theta, dense.theta)
    assert np.count_nonzero(dense.theta) <= 14
    assert np.abs(dense.theta).sum() <= 2 + 1e-12
    batch = private_lasso(sparse.csc_array(X), y, **kind, runs=(3,))
    assert batch.theta.shape == (3, 30)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"feature_bound": 0.5}, "`feature_bound` must be at least 1"),
        ({"label_bound": 0.5}, "`label_bound` must be at least"),
        ({"steps": 1}, "`steps`"),
    ],
)
def test_private_lasso_refuses_data_beyond_its_bounds(change, message):
    D = lasso_problem(10, 3)
    kind = {"l1_radius": 1.0, "epsilon": 1.0, "delta": 1e-6, "steps": 5, "rng": 0}
    for X in (D.X, sparse.csc_array(D.X)):
        with pytest.raises(ValueError, match=message):
            private_lasso(X, D.y, **kind | change)


def test_a_tape_of_zeros_gives_frank_wolfe():
    for noise in ("gumbel", "laplace"):
        out = private_frank_wolfe(
            TINY,
            lipschitz_l1=2.0,
            epsilon=1.0,
            delta=1e-6,
            steps=8,
            rng=Tape([]),
            noise=noise,
        )
        np.testing.assert_array_equal(out.path, frank_wolfe(TINY, steps=8))


def test_other_array_libraries_and_batches_give_the_same_answer():
    D = lasso_problem(15, 4)
    strict = Problem(
        array_api_strict.asarray(D.X),
        array_api_strict.asarray(D.y),
        D.loss,
        D.constraint,
    )
    for noise in ("exponential", "gumbel", "laplace"):
        for runs in ((), (3,)):
            kind = {"lipschitz_l1": 2.0, "epsilon": 3.0, "delta": 1e-6, "steps": 6}
            kind |= {"rng": 1, "noise": noise, "runs": runs}
            ours = private_frank_wolfe(D, **kind)
            theirs = private_frank_wolfe(strict, **kind)
            np.testing.assert_allclose(np.asarray(theirs.path), ours.path, atol=1e-12)
    np.testing.assert_allclose(
        np.asarray(frank_wolfe(strict, steps=5)), frank_wolfe(D, steps=5), atol=1e-12
    )


def test_the_curator_sees_scores_and_corners():
    trace = Trace()
    private_frank_wolfe(
        TINY, lipschitz_l1=2.0, epsilon=1.0, delta=1e-6, steps=4, rng=0, trace=trace
    )
    assert trace["t"] == [1, 2, 3]
    np.testing.assert_allclose(trace["scores"][0], [-2, -0.5, 2, 0.5])


def test_the_decreasing_step():
    assert [decreasing_step(t) for t in (1, 2, 3)] == [1, 2 / 3, 0.5]
