"""The least risk itself: closed forms against linear programs, and algorithms above."""

from itertools import product
from math import exp, sqrt

import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.special import ndtr, ndtri

from dpteach.lower_bounds import (
    approximate_excess_lower_bound,
    gaussian_sign_minimax_excess,
    marginals_rms_lower_bound,
    minimax,
    minimax_excess,
    minimax_mean_error,
    pure_excess_lower_bound,
    sign_minimax_excess,
    tracing_excess_lower_bound,
)


def brute_force(corners, n, models, epsilon, delta):
    """The program over all lists of records, in their order, without a symmetry.

    Delta is spent in each set of models: its excess over e^ε is a variable of its own.
    """
    lists = list(product(range(len(corners)), repeat=n))
    pairs = [
        (i, j)
        for i, one in enumerate(lists)
        for j, two in enumerate(lists)
        if sum(a != b for a, b in zip(one, two, strict=True)) == 1
    ]
    J, A, E = len(lists), len(models), len(pairs)
    S = np.array([sum(corners[k] for k in one) for one in lists])
    excess = np.linalg.norm(S, axis=1)[:, None] - S @ np.array(models).T
    size = J * A + E * A + 1
    rows, limits = [], []
    for j in range(J):
        row = np.zeros(size)
        row[j * A : (j + 1) * A], row[-1] = excess[j], -1
        rows.append(row)
        limits.append(0.0)
    for e, (i, j) in enumerate(pairs):
        for a in range(A):
            row = np.zeros(size)
            row[i * A + a], row[j * A + a] = 1, -exp(epsilon)
            row[J * A + e * A + a] = -1
            rows.append(row)
            limits.append(0.0)
        row = np.zeros(size)
        row[J * A + e * A : J * A + (e + 1) * A] = 1
        rows.append(row)
        limits.append(delta)
    sums = np.kron(np.eye(J), np.ones(A))
    goal = np.zeros(size)
    goal[-1] = 1
    return linprog(
        goal, np.array(rows), limits, np.hstack([sums, np.zeros((J, E * A + 1))]),
        np.ones(J),
    ).fun  # fmt: skip


@pytest.mark.claim(
    "18-limits",
    "The least excess of signs is that of a linear program over all mechanisms.",
    order=11,
)
@pytest.mark.parametrize("n", [1, 2, 3])
@pytest.mark.parametrize(("epsilon", "delta"), [(1.0, 0.0), (0.1, 0.0), (0.5, 0.05)])
def test_the_closed_form_is_what_a_program_over_all_mechanisms_finds(n, epsilon, delta):
    """Three models, so that randomizing between the ends is seen to be enough."""
    signs, models = [np.array([1.0]), np.array([-1.0])], [[-1.0], [0.0], [1.0]]
    least = brute_force(signs, n, models, epsilon, delta)
    assert sign_minimax_excess(epsilon, delta, n=n) == pytest.approx(least, abs=1e-9)
    assert sign_minimax_excess(1.1 * epsilon, delta, n=n) < least - 1e-4


def chain(n, tradeoff):
    """The recursion of the theorem, for any trade-off function, by bisection."""
    low, high = 0.0, 1.0
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if tradeoff(middle) > middle else (low, middle)
    wrong, worst = 0.5 if n % 2 == 0 else low, 0.0
    for S in range(n % 2, n + 1, 2):
        worst, wrong = max(worst, 2 * S * wrong), tradeoff(1 - wrong)
    return worst


@pytest.mark.parametrize("n", [1, 2, 7, 60, 1001])
def test_both_closed_forms_are_the_recursion(n):
    def gaussian(alpha, mu=0.25):
        return float(ndtr(ndtri(1 - alpha) - mu))

    def approximate(alpha, epsilon=0.3, delta=1e-3):
        ends = (1 - delta - exp(epsilon) * alpha, exp(-epsilon) * (1 - delta - alpha))
        return max(0.0, *ends)

    assert gaussian_sign_minimax_excess(0.25, n=n) == pytest.approx(chain(n, gaussian))
    assert sign_minimax_excess(0.3, 1e-3, n=n) == pytest.approx(chain(n, approximate))


def test_the_constants_of_large_n():
    assert sign_minimax_excess(0.01, n=10**5) * 0.01 == pytest.approx(2 / exp(1))
    t = np.linspace(0, 3, 10_001)
    best = float(np.max(4 * t * ndtr(-t)))
    assert best == pytest.approx(0.68, abs=1e-3)
    found = gaussian_sign_minimax_excess(0.01, n=10**5) * 0.01
    assert found == pytest.approx(best, rel=1e-5)
    assert sign_minimax_excess(1e-9, n=3) == pytest.approx(3.0)
    assert sign_minimax_excess(800.0, n=3) == pytest.approx(0.0)
    assert sign_minimax_excess(1.0, 0.9, n=2) == 0.0


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0])
@pytest.mark.parametrize("n", [1, 2, 5, 8])
def test_the_program_encloses_the_closed_form(n, epsilon):
    low, high = minimax_excess(epsilon, n=n, p=1)
    exact = sign_minimax_excess(epsilon, n=n)
    assert low - 1e-12 <= exact <= high + 1e-12
    assert high - low < 1e-9


def test_records_of_two_signs_agree_with_brute_force():
    """On 8 of the 32 models the risk is higher: a mechanism of these is one of all."""
    corners = [np.array(c) / sqrt(2) for c in product((-1.0, 1.0), repeat=2)]
    angles = 2 * np.pi * np.arange(8) / 8
    models = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    few = brute_force(corners, 1, models, 1.0, 0.0)
    low, high = minimax_excess(1.0, n=1, p=2)
    assert low <= high <= few + 1e-9
    assert high - low < 0.01
    assert few < high + 0.05


def test_the_dual_is_a_proof_and_the_primal_a_mechanism():
    """Any prices prove a lower bound; a wrong solution is mended, and costs more."""
    rng = np.random.default_rng(0)
    data, pairs = minimax._data_sets(3, 1)
    losses = 3 - data.sum(axis=1) * np.array([[1.0, -1.0]])
    low, high = minimax._enclose(losses, pairs, 1.0)
    assert high - low < 1e-9
    apart = np.zeros((len(pairs) * 2, losses.size))
    for e, (i, j) in enumerate(pairs):
        for a in range(2):
            apart[2 * e + a, 2 * i + a], apart[2 * e + a, 2 * j + a] = 1, -exp(1)
    for _ in range(50):
        proved = minimax._proved(losses, apart, rng.random(4), rng.random(len(apart)))
        assert proved <= low + 1e-12
        reached = minimax._reached(losses, pairs, exp(1), rng.random((4, 2)))
        assert reached >= high - 1e-12


def test_where_the_general_bounds_are_zero_the_least_risk_is_not():
    assert pure_excess_lower_bound(1.0, n=2, p=1) == 0
    assert approximate_excess_lower_bound(1.0, 0.0, n=2, p=1) == 0
    assert marginals_rms_lower_bound(1.0, 0.0, n=2, p=1) == 0
    assert sign_minimax_excess(1.0, n=2) == pytest.approx(0.7358, abs=1e-4)
    low, high = minimax_mean_error(1.0, n=2)
    assert low == pytest.approx(0.7200, abs=2e-4)
    assert high - low < 5e-4


@pytest.mark.parametrize("epsilon", [0.02, 0.1, 0.5, 1.0, 3.0])
def test_no_general_bound_exceeds_the_least_risk(epsilon):
    for n in (1, 2, 3, 8, 101, 1000):
        least = sign_minimax_excess(epsilon, n=n)
        assert pure_excess_lower_bound(epsilon, n=n, p=1) <= least
        assert tracing_excess_lower_bound(epsilon, n=n, p=1) <= least
        gaussian = gaussian_sign_minimax_excess(epsilon, n=n)
        assert tracing_excess_lower_bound(epsilon, n=n, p=1) <= gaussian
        known = approximate_excess_lower_bound(epsilon, 1e-3, n=n, p=1)
        assert known <= sign_minimax_excess(epsilon, 1e-3, n=n)
    for n in (1, 2):
        mean = marginals_rms_lower_bound(epsilon, 0.0, n=n, p=1)
        assert mean <= minimax_mean_error(epsilon, n=n)[1]


BAD_INPUT = {
    sign_minimax_excess: {"epsilon": 1.0, "delta": 1e-6, "n": 10},
    gaussian_sign_minimax_excess: {"mu": 1.0, "n": 10},
    minimax_excess: {"epsilon": 1.0, "n": 2, "p": 1},
    minimax_mean_error: {"epsilon": 1.0, "n": 2},
}
