"""The exponential mechanism: its exponent, its price and its bounds on the risk."""

from math import exp, log

import numpy as np
import pytest
from scipy import integrate, special

from dpteach import (
    Problem,
    Relation,
    constraints,
    losses,
)
from dpteach.algorithms.pure.exponential import (
    exponential_mechanism,
    exponential_mechanism_exponent,
    exponential_mechanism_nonconvex_risk_bound,
    exponential_mechanism_risk_bound,
)
from dpteach.algorithms.pure.exponential_samplers import Grid, Piecewise
from dpteach.algorithms.pure.rejection_samplers import LinearOnBall, Rejection
from tests import problems
from tests.algorithms.case import Case
from tests.algorithms.pure.medians import INTERVAL, exact_epsilon, medians
from tests.errata import erratum


def test_exact_epsilon_of_named_neighbors():
    D = medians(-0.5, 0.2, 0.9)
    assert exact_epsilon(D, medians(-0.5, 0.2, 0.9, 1), 0.25) == pytest.approx(
        0.270541961717881, rel=1e-12
    )
    assert exact_epsilon(D, medians(-0.5, 0.2, -1), 0.25) == pytest.approx(
        0.483857042050274, rel=1e-12
    )


@pytest.mark.claim(
    "07-exponential-mechanism",
    "The printed exponent spends half of ε when a record is added, all of it when "
    "one is replaced.",
    order=3,
)
@erratum("E-04")
def test_e04_the_printed_exponent_spends_half(actual):
    """E-04. Exact ε of N copies of −1, printed exponent: add +1 → ½, replace → 1."""
    printed = exponential_mechanism_exponent(
        1.0, lipschitz=1.0, diameter=2.0, method="textbook"
    )
    tight = exponential_mechanism_exponent(1.0, lipschitz=1.0, diameter=2.0)
    assert (printed, tight) == (0.25, 0.5)
    table = {
        1: (0.260395051, 0.5),
        10: (0.3990498972, 0.7885811461),
        100: (0.4899496641, 0.9797972927),
        1000: (0.4989994997, 0.9979979973),
    }
    D = medians(*[-1.0] * 1000)
    more = medians(*[-1.0] * 1000, 1.0)
    assert exact_epsilon(D, more, printed) == pytest.approx(actual, rel=1e-4)
    for n, (add, replace) in table.items():
        D = medians(*[-1.0] * n)
        more, changed = (
            medians(*[-1.0] * n, 1.0),
            medians(*[-1.0] * (n - 1), 1.0),
        )
        assert exact_epsilon(D, more, printed) == pytest.approx(add, rel=1e-8)
        assert exact_epsilon(D, changed, printed) == pytest.approx(replace, rel=1e-8)
        assert exact_epsilon(D, more, tight) <= 1.0
        # the add/remove exponent under replacement is broken, and is caught
        if n >= 10:
            assert exact_epsilon(D, changed, tight) > 1.7


def test_exponent_halves_under_replacement():
    kind = {"lipschitz": 3.0, "diameter": 0.7}
    add = exponential_mechanism_exponent(0.4, **kind)
    zero = exponential_mechanism_exponent(0.4, **kind, relation=Relation.ZERO_OUT)
    replace = exponential_mechanism_exponent(0.4, **kind, relation=Relation.REPLACE)
    assert add == zero == 2 * replace


@pytest.mark.claim(
    "07-exponential-mechanism",
    "One record’s range is not enough under replacement: the audit finds 1.998 for 1.",
    order=5,
)
def test_one_records_range_is_not_enough_under_replacement():
    """B = 2 is the range of one |θ − d| on [−1, 1]; a replacement needs 4."""
    for n, broken, right in [(10, 1.777146567, 0.7885811461), (1000, 1.998, 0.998)]:
        D, changed = medians(*[-1.0] * n), medians(*[-1.0] * (n - 1), 1.0)
        assert exact_epsilon(D, changed, 1.0 / 2) == pytest.approx(broken, rel=1e-5)
        assert exact_epsilon(D, changed, 1.0 / 4) == pytest.approx(right, rel=1e-5)


@pytest.mark.claim(
    "07-exponential-mechanism",
    "Log-ratios of neighbors lie in an interval of length cB.",
    order=4,
)
@erratum("E-03")
def test_e03_log_ratio_lies_in_an_interval_of_length_cb(actual):
    """E-03. Bounded range: sup − inf of the log ratio is at most cB, on random data."""
    rng = np.random.default_rng(0)
    for _ in range(200):
        points = rng.uniform(-1, 1, rng.integers(1, 9))
        extra, c = rng.uniform(-1, 1), rng.uniform(0.05, 3)
        D, more = medians(*points), medians(*points, extra)
        edges = np.union1d(Piecewise().segments(D)[0], Piecewise().segments(more)[0])
        gap = Piecewise().log_density(D, c, edges)
        gap = gap - Piecewise().log_density(more, c, edges)
        assert np.ptp(gap) <= 2 * c * (1 + 1e-9)
        assert gap.min() <= 0 <= gap.max()
    # e^{−ε/2} on both sides (E-04, as printed) would force the ratio to be 1
    kernel = np.exp(-0.25 * np.abs(np.linspace(-1, 1, 5) - 1))
    assert np.ptp(np.log(kernel / kernel[2])) == pytest.approx(actual)
    # the raw kernel's ratio follows a shift of the loss by a constant
    assert np.max(np.abs(np.log(kernel * exp(-100)))) > 99


def test_theorem_6_4_the_event_is_what_the_exponent_gives():
    D, kind = medians(0.1, 0.2), {"lipschitz": 1.0, "sampler": Piecewise(), "rng": 0}
    for relation in Relation:
        out = exponential_mechanism(D, epsilon=0.7, relation=relation, **kind)
        assert out.event.epsilon == pytest.approx(0.7, rel=1e-12)
        assert out.event.relation is relation
    book = exponential_mechanism(D, epsilon=0.7, method="textbook", **kind)
    assert book.event.epsilon == pytest.approx(0.35, rel=1e-12)


class Asked(Grid):
    """A grid that writes down the exponent that it is asked for."""

    def sample(self, problem, exponent, rng, runs):
        EXPONENTS.append(exponent)
        return super().sample(problem, exponent, rng, runs)


EXPONENTS = []


@pytest.mark.parametrize("relation", list(Relation))
def test_the_sampler_is_asked_for_the_exponent_that_is_priced(relation):
    """ε/(k L‖C‖₂) on a set of diameter 5, with rows of norm 2."""
    D = Problem(
        np.full((3, 1), 2.0), np.zeros(3), losses.absolute, constraints.Box(-2.0, 3.0)
    )
    out = exponential_mechanism(
        D, epsilon=0.5, lipschitz=2.0, sampler=Asked(0.1), rng=0, relation=relation
    )
    assert EXPONENTS.pop() == pytest.approx(0.5 / (relation.sensitivity * 10))
    assert out.event.epsilon == pytest.approx(0.5)


def test_steep_records_are_refused():
    D = Problem(np.array([[2.0]]), np.ones(1), losses.absolute, INTERVAL)
    refuse = {"epsilon": 1.0, "rng": 0, "out_of_bounds": "refuse"}
    with pytest.raises(ValueError, match="`lipschitz` must bound every record"):
        exponential_mechanism(D, lipschitz=1.0, sampler=Piecewise(), **refuse)
    # on a bounded set the squared loss has a finite constant: |z − y| ‖x‖ ≤ 2
    square = Problem(np.ones((3, 1)), np.ones(3), losses.squared, INTERVAL)
    with pytest.raises(ValueError, match="must bound every record"):
        exponential_mechanism(square, lipschitz=1.9, sampler=Grid(0.1), **refuse)
    exponential_mechanism(square, lipschitz=2.0, sampler=Grid(0.1), **refuse)


@pytest.mark.claim(
    "07-exponential-mechanism",
    "A sampler refuses what it cannot draw exactly.",
    order=11,
)
@pytest.mark.parametrize(
    ("sampler", "problem"),
    [
        (Piecewise(), Problem(np.eye(2), np.ones(2), losses.absolute, INTERVAL)),
        (Piecewise(), Problem(np.ones((2, 1)), np.ones(2), losses.squared, INTERVAL)),
        (Grid(0.5), Problem(np.eye(4), np.ones(4), losses.logistic, INTERVAL)),
        (Rejection(), Problem(np.eye(2), np.ones(2), losses.hinge, INTERVAL)),
        (LinearOnBall(), Problem(np.eye(2), np.ones(2), losses.linear, INTERVAL)),
        (
            Grid(0.5),
            Problem(np.eye(2), np.ones(2), losses.logistic, constraints.Everywhere()),
        ),
    ],
)
def test_a_sampler_refuses_what_it_cannot_draw(sampler, problem):
    with pytest.raises(ValueError, match="`problem` must have"):
        exponential_mechanism(
            problem, epsilon=1.0, lipschitz=5.0, sampler=sampler, rng=0
        )


@pytest.mark.claim(
    "07-exponential-mechanism",
    "The mean excess risk is at most p/c, and cones reach it.",
    order=6,
)
@erratum("E-05")
def test_e05_expected_excess_is_at_most_p_over_c(actual):
    """E-05. In closed form on the cone f = G‖θ‖: c E f = γ(p+1, cGR)/γ(p, cGR) → p."""
    means = [
        p * special.gammainc(p + 1, 100) / special.gammainc(p, 100) for p in (1, 20)
    ]
    assert means[1] / means[0] == pytest.approx(actual)  # ρ would be the same for both
    for p in (1, 2, 5, 20):
        for reach in (1.0, 5.0, 20.0, 100.0):
            ratio = special.gammainc(p + 1, reach) / special.gammainc(p, reach)
            assert ratio <= 1
            assert exponential_mechanism_risk_bound(2.0, p=p) == p / 2
        assert ratio > 0.9999  # tight
    # with the textbook's exponent the rate is 2 p L‖C‖/ε: p where the copy has ρ
    c = exponential_mechanism_exponent(
        0.5, lipschitz=3.0, diameter=4.0, method="textbook"
    )
    assert exponential_mechanism_risk_bound(c, p=7) == pytest.approx(2 * 7 * 12 / 0.5)


@pytest.mark.claim("07-exponential-mechanism", "The tail bound holds.", order=7)
@erratum("E-06")
def test_e06_tail_bound_and_the_printed_threshold(claimed, actual):
    """E-06. The cone's c f is Gamma(p): our threshold holds, the printed is 2.5–6×."""
    for p in (1, 2, 5, 20, 1000):
        for t in (0.1, 1.0, 3.0, 6.0, 50.0):
            ours = exponential_mechanism_risk_bound(
                1.0, p=p, failure_probability=exp(-t)
            )
            assert special.gammaincc(p, ours) <= exp(-t)
            assert 2.5 < 4 * ((p + 1) * log(3) + t) / ours < 6
    assert exponential_mechanism_risk_bound(
        1.0, p=20, failure_probability=exp(-6)
    ) == pytest.approx(41.4919, rel=1e-5)
    # (6.14) needs (i−1)^p ≤ 3^p 2^{p(i−4)}: equal at i = 4, where the printed step has
    # 3^p (2^{i−1})^p = 24^p
    assert all((i - 1) <= 3 * 2.0 ** (i - 4) for i in range(4, 60))
    assert 4 - 1 == 3 * 2 ** (4 - 4) == actual
    assert claimed == 3 * 2 ** (4 - 1)
    # Claim 6.6 needs convexity along rays: f = √r is monotone, and its gaps grow
    convex = np.diff(np.sqrt(np.arange(9.0)))  # f = r²: r_i = √i, from r_0 = 0 on
    monotone = np.diff(np.arange(9.0) ** 2)  # f = √r: r_i = i²
    assert np.all(np.diff(convex) < 0)
    assert np.all(np.diff(monotone) > 0)


def test_claim_6_6_gaps_shrink_along_rays():
    """Convex functions with a minimum of 0 at 0; levels 1, 2, … and r_0 = 0."""
    rng = np.random.default_rng(3)
    for _ in range(200):
        slopes = np.sort(rng.exponential(size=6))
        slopes[0] *= rng.random() < 0.5  # some are flat at first
        edges = np.concatenate([[0], np.cumsum(rng.exponential(size=5))])
        heights = np.concatenate([[0], np.cumsum(slopes[:-1] * np.diff(edges))])

        def reach(level, slopes=slopes, edges=edges, heights=heights):
            i = np.searchsorted(heights, level) - 1
            return edges[i] + (level - heights[i]) / slopes[i]

        r = np.array([0.0] + [reach(float(level)) for level in range(1, 12)])
        gaps = np.diff(r)
        assert np.all(np.diff(gaps) <= 1e-9 * r[-1])


def test_convex_excess_by_quadrature():
    rng = np.random.default_rng(1)
    for _ in range(50):
        D = medians(*rng.uniform(-1, 1, rng.integers(1, 8)))
        c = rng.uniform(0.1, 5)
        edges, heights = Piecewise().segments(D)
        low = min(heights)
        excess, _ = integrate.quad(
            lambda t, D=D, c=c, low=low: (
                (float(D.risk(np.array([t])) - D.risk(np.array([-1.0]))) - low)
                * exp(Piecewise().log_density(D, c, t))
            ),
            -1,
            1,
            points=edges,
        )
        assert excess <= exponential_mechanism_risk_bound(c, p=1)


@erratum("E-06b")
def test_e06b_nonconvex_bound_does_not_depend_on_the_unit_of_loss(claimed, actual):
    """E-06b. Losses given in other units scale the bound, and nothing else."""
    kind = {"n": 100, "p": 1, "diameter": 2.0}
    for scale in (1e-3, 1.0, 1000.0):
        c = 1.0 / (2 * scale * 2.0)
        bound = exponential_mechanism_nonconvex_risk_bound(c, lipschitz=scale, **kind)
        assert bound / scale == pytest.approx((1 + actual + 1) * 4, rel=1e-4)
    # the printed logarithm: negative, 5.30 or 12.2, as the loss is given in other units
    assert log(100 * 0.001 * 2) == pytest.approx(claimed, rel=1e-3)
    assert log(100 * 1 * 2) == pytest.approx(5.29832, rel=1e-5)
    assert log(100 * 1000 * 2) == pytest.approx(12.2061, rel=1e-5)


def test_nonconvex_bound_holds_for_a_narrow_dip():
    grid = np.linspace(-1, 1, 200_001)
    for n in (10, 100, 1000):
        f = n * np.minimum(np.abs(grid - 0.3), 0.5)
        weight = np.exp(-0.25 * f)
        excess = float(np.sum(weight * f) / np.sum(weight))
        assert excess <= exponential_mechanism_nonconvex_risk_bound(
            0.25, n=n, p=1, lipschitz=1.0, diameter=2.0
        )


def test_same_seed_same_answer():
    D = medians(-0.5, 0.2, 0.9)
    kind = {"epsilon": 1.0, "lipschitz": 1.0, "sampler": Piecewise(), "runs": (3,)}
    first = exponential_mechanism(D, rng=7, **kind).theta
    np.testing.assert_array_equal(first, exponential_mechanism(D, rng=7, **kind).theta)


BAD_INPUT = {
    exponential_mechanism_exponent: {
        "epsilon": 1.0,
        "lipschitz": 1.0,
        "diameter": 2.0,
        "relation": Relation.REPLACE,
        "method": "exact",
    },
    exponential_mechanism: {
        "problem": problems.MEDIAN,
        "epsilon": 1.0,
        "lipschitz": 1.0,
        "sampler": Piecewise(),
        "rng": 0,
        "relation": Relation.ADD_REMOVE,
        "method": "exact",
        "out_of_bounds": "clip",
        "runs": (2,),
    },
    exponential_mechanism_risk_bound: {
        "exponent": 0.5,
        "p": 3,
        "failure_probability": 0.1,
    },
    exponential_mechanism_nonconvex_risk_bound: {
        "exponent": 0.5,
        "n": 10,
        "p": 3,
        "lipschitz": 1.0,
        "diameter": 2.0,
        "failure_probability": 0.1,
    },
}

COMMON = {
    "exponential in one dimension": Case(
        exponential_mechanism,
        losses.absolute,
        constraints.Box(-1.0, 1.0),
        {"epsilon": 0.7, "lipschitz": 1.0, "sampler": Piecewise()},
        path=1,
        epsilon=0.7,
        delta=1e-9,
        d=1,
        normal=False,
    ),
    "exponential on a grid": Case(
        exponential_mechanism,
        losses.hinge,
        constraints.Box(-1.0, 1.0),
        {"epsilon": 0.7, "lipschitz": 1.0, "sampler": Grid(spacing=0.5)},
        path=1,
        epsilon=0.7,
        delta=1e-9,
        d=2,
        normal=False,
    ),
    "exponential, linear": Case(
        exponential_mechanism,
        losses.linear,
        constraints.L2Ball(1.0),
        {"epsilon": 0.7, "lipschitz": 1.0, "sampler": LinearOnBall()},
        path=1,
        epsilon=0.7,
        delta=1e-9,
        d=3,
        normal=False,
    ),
}
