"""Audits of one run: no mechanism does better than they say, and power."""

from itertools import product
from math import exp, log, sqrt

import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.special import ndtr, ndtri
from scipy.stats import binom, nct

from dpteach.accounting import gaussian_epsilon
from dpteach.auditing import (
    one_run_epsilon_lower_bound,
    one_run_mu_lower_bound,
    score_mu_lower_bound,
)
from dpteach.auditing.one_run import _possible


@pytest.mark.parametrize("alpha", [0.05, 1e-3])
@pytest.mark.parametrize("delta", [0.0, 1e-3])
def test_the_one_run_bound_is_wrong_as_rarely_as_it_says(alpha, delta):
    """Randomized response at ε, each canary laid open with probability δ besides."""
    m, errors = 60, []
    bounds = [
        one_run_epsilon_lower_bound(v, m, m, delta=delta, false_alarm=alpha)
        for v in range(m + 1)
    ]
    for epsilon in (0.25, 1.0, 2.0):
        q = (1 - delta) / (1 + exp(-epsilon)) + delta
        chances = binom.pmf(range(m + 1), m, q)
        errors.append(sum(chances[v] for v in range(m + 1) if bounds[v] > epsilon))
    assert max(errors) <= alpha
    assert delta > 0 or max(errors) > alpha / 20
    assert bounds == sorted(bounds)


def test_the_one_run_bound_is_where_its_p_value_meets_the_false_alarms():
    bound = one_run_epsilon_lower_bound(90, 100, 200, delta=1e-4, false_alarm=0.05)
    q = 1 / (1 + exp(-bound))
    below = np.cumsum(binom.pmf(np.arange(89, -1, -1), 100, q)) / np.arange(1, 91)
    p_value = binom.sf(89, 100, q) + 2 * 200 * 1e-4 * below.max()
    assert p_value == pytest.approx(0.05, rel=1e-6)


def test_the_pair_is_its_formula_and_may_prove_nothing():
    """Everything right, δ = 0: P[W = r] = q^r = α."""
    got = one_run_epsilon_lower_bound(20, 20, 20, delta=0.0, false_alarm=0.05)
    q = 0.05 ** (1 / 20)
    assert got == pytest.approx(log(q / (1 - q)))
    assert one_run_epsilon_lower_bound(5, 10, 10, delta=0.0, false_alarm=0.01) == 0.0


def most(v, r, m, least):
    """The largest probability of v right guesses that the inequalities allow."""
    low, high = 0.0, 1.0
    for _ in range(50):
        middle = (low + high) / 2
        allowed = _possible(middle, v, r, m, least)
        low, high = (middle, high) if allowed else (low, middle)
    return low


def of_mu(mu):
    return lambda x: ndtr(ndtri(x) - mu)


def of_epsilon(epsilon):
    """f of a pure ε: what the neighbor needs so that here it is x."""
    return lambda x: max(exp(-epsilon) * x, 1 - exp(epsilon) * (1 - x))


@pytest.mark.parametrize(("v", "r", "m"), [(3, 4, 4), (5, 8, 8), (4, 5, 9), (8, 8, 20)])
@pytest.mark.parametrize("epsilon", [0.3, 1.0, 2.0])
def test_the_recursion_is_the_largest_of_a_linear_program(v, r, m, epsilon):
    """All p_i at once, with the inequality of every i, for a curve of two lines."""
    i = np.arange(r + 1)
    rows, sides = [], []
    for k in range(r):
        here, there = (i > k) * i / m, (i >= k) * (r - i) / m
        rows += [here - exp(epsilon) * there, here - exp(-epsilon) * there]
        sides += [0.0, 1 - exp(-epsilon)]
    found = linprog(
        -1.0 * (i >= v), A_ub=rows, b_ub=sides, A_eq=[np.ones(r + 1)], b_eq=[1]
    )
    assert most(v, r, m, of_epsilon(epsilon)) == pytest.approx(-found.fun, rel=1e-6)


@pytest.mark.parametrize("mu", [0.3, 1.0, 2.0])
def test_one_canary_is_told_as_well_as_the_curve_says(mu):
    assert most(1, 1, 1, of_mu(mu)) == pytest.approx(ndtr(mu / 2), rel=1e-9)


def best_of_all_mechanisms(v, m, mu, points=12):
    """The largest P[W ≥ v] of all mechanisms with 2^m answers that are μ-GDP.

    A linear program over all tables P[answer | coins]: each set of answers has, given
    neighboring coins, probabilities under a polygon inside the curve.
    """
    coins = list(product((0, 1), repeat=m))
    n = len(coins)
    x = np.concatenate([[0], ndtr(np.linspace(-3.5, 3.5 - mu, points)), [1]])
    y = np.concatenate([[0], ndtr(np.linspace(-3.5, 3.5 - mu, points) + mu), [1]])
    slopes = np.diff(y) / np.diff(x)
    rows, sides = [], []
    for a, b in product(range(n), repeat=2):
        if sum(s != t for s, t in zip(coins[a], coins[b], strict=True)) != 1:
            continue
        for chosen in product((0, 1), repeat=n):
            for slope, left, up in zip(slopes, x, y, strict=False):
                row = np.zeros((n, n))
                row[a] += chosen
                row[b] -= slope * np.array(chosen)
                rows.append(row.ravel())
                sides.append(up - slope * left)
    right = [
        [sum(s == t for s, t in zip(here, said, strict=True)) >= v for said in coins]
        for here in coins
    ]
    found = linprog(
        -np.array(right, dtype=float).ravel() / n,
        A_ub=np.array(rows), b_ub=sides,
        A_eq=np.kron(np.eye(n), np.ones(n)), b_eq=np.ones(n),
    )  # fmt: skip
    return -found.fun


@pytest.mark.parametrize("mu", [0.2, 1.0, 2.5])
def test_no_mechanism_for_two_canaries_is_right_more_often(mu):
    """Whatever the code does with its answers; and the best come within 2 %."""
    best, allowed = best_of_all_mechanisms(2, 2, mu), most(2, 2, 2, of_mu(mu))
    assert 0.98 * allowed < best <= allowed + 1e-9
    assert best > most(2, 2, 2, of_mu(0.9 * mu))  # power: a smaller μ is refuted
    assert best_of_all_mechanisms(1, 2, mu) <= most(1, 2, 2, of_mu(mu)) + 1e-9


@pytest.mark.parametrize("alpha", [0.05, 1e-3])
def test_the_bound_by_counts_is_wrong_as_rarely_as_it_says(alpha):
    """Gaussian noise, canaries with directions of their own: by summation."""
    m, errors = 60, []
    bounds = [one_run_mu_lower_bound(v, m, m, false_alarm=alpha) for v in range(m + 1)]
    assert bounds == sorted(bounds)
    for mu in (0.05, 0.3, 1.0, 2.0):
        chances = binom.pmf(range(m + 1), m, ndtr(mu / 2))
        errors.append(sum(chances[np.array(bounds) > mu]))
    assert 0 < max(errors) <= alpha


def seen(mu, m, r, runs, seed):
    """How many of the r surest guesses are right, in each run."""
    rng = np.random.default_rng(seed)
    inside = rng.random((runs, m)) < 0.5
    scores = mu * inside + rng.standard_normal((runs, m)) - mu / 2
    surest = np.argsort(-np.abs(scores), axis=1)[:, :r]
    return np.take_along_axis((scores > 0) == inside, surest, axis=1).sum(axis=1)


@pytest.mark.parametrize("mu", [0.2, 1.0, 2.0])
def test_the_surest_guesses_of_many_are_counted_safely(mu):
    """Of 4,000 runs at α = 0.05 at most 270 may be wrong: false alarm 4e-7."""
    m, r = 100, 10
    bounds = [one_run_mu_lower_bound(v, r, m, false_alarm=0.05) for v in range(r + 1)]
    wrong = np.array(bounds)[seen(mu, m, r, 4000, seed=22)] > mu
    assert binom.sf(270, 4000, 0.05) < 1e-6
    assert wrong.sum() <= 270


@pytest.mark.parametrize("mu", [0.5, 1.0, 1.7])
def test_the_curve_proves_more_than_a_pair_of_numbers(mu):
    """Median of 21 runs of 1,000 canaries, a tenth guessed, as ε at δ = 1e-5."""
    v = int(np.median(seen(mu, 1000, 100, 21, seed=5)))
    bound = one_run_mu_lower_bound(v, 100, 1000, false_alarm=0.05)
    by_pair = one_run_epsilon_lower_bound(v, 100, 1000, delta=1e-5, false_alarm=0.05)
    assert 1.25 * by_pair < gaussian_epsilon(bound, 1e-5)
    assert bound < mu


def test_counts_that_prove_nothing_and_counts_that_cannot_be():
    assert one_run_mu_lower_bound(5, 10, 10, false_alarm=0.01) == 0.0
    assert one_run_mu_lower_bound(0, 10, 10, false_alarm=0.01) == 0.0
    with pytest.raises(ValueError, match="`guesses`"):
        one_run_mu_lower_bound(5, 20, 10, false_alarm=0.1)
    with pytest.raises(ValueError, match="`guesses`"):
        one_run_mu_lower_bound(5, 4, 10, false_alarm=0.1)


# ---------------------------------------------------------------------- by scores


def test_the_bound_by_scores_is_where_t_has_the_false_alarms():
    rng = np.random.default_rng(3)
    x, y = 1.5 + rng.normal(size=30), rng.normal(size=50)
    bound = score_mu_lower_bound(7 * x - 2, 7 * y - 2, false_alarm=0.01)
    pooled = (29 * x.var(ddof=1) + 49 * y.var(ddof=1)) / 78
    size = sqrt(1 / 30 + 1 / 50)
    t = (x.mean() - y.mean()) / size / sqrt(pooled)
    assert nct.sf(t, 78, bound / size) == pytest.approx(0.01, rel=1e-5)


@pytest.mark.parametrize("mu", [0.0, 0.3, 2.0])
@pytest.mark.parametrize("n", [3, 40])
def test_the_bound_by_scores_is_wrong_as_rarely_as_it_says(mu, n):
    """Of 1,000 runs at α = 0.05, 21 to 90 are wrong: false alarm 1e-6."""
    rng = np.random.default_rng(12)
    wrong = sum(
        score_mu_lower_bound(
            mu + rng.normal(size=n), rng.normal(size=n), false_alarm=0.05
        )
        > mu
        for _ in range(1000)
    )
    assert binom.sf(90, 1000, 0.05) + binom.cdf(20, 1000, 0.05) < 1e-6
    assert 21 <= wrong <= 90


def test_canaries_that_move_less_make_the_bound_smaller():
    """Each moves by μ at most, some not at all: at most 90 of 1,000 are wrong."""
    rng = np.random.default_rng(13)
    moved = np.repeat([0.0, 1.0], [1, 19])
    wrong = sum(
        score_mu_lower_bound(
            moved + rng.normal(size=20), rng.normal(size=20), false_alarm=0.05
        )
        > 1.0
        for _ in range(1000)
    )
    assert wrong <= 90


@pytest.mark.parametrize("mu", [0.3, 1.0, 1.7])
def test_scores_prove_most_of_what_is_true(mu):
    """1,000 canaries: the bound is at least μ − 0.3, and more than by counting."""
    rng = np.random.default_rng(8)
    inside = rng.random(1000) < 0.5
    scores = mu * inside + rng.normal(size=1000)
    bound = score_mu_lower_bound(scores[inside], scores[~inside], false_alarm=0.05)
    surest = np.argsort(-np.abs(scores - mu / 2))[:100]
    v = int(((scores > mu / 2) == inside)[surest].sum())
    assert mu - 0.3 < bound < mu + 0.1
    assert one_run_mu_lower_bound(v, 100, 1000, false_alarm=0.05) < bound


def test_extreme_scores_have_a_bound():
    ones = np.ones(4)
    given = {"false_alarm": 0.05}
    for x, y in ((ones, 0 * ones), (1e150 * ones, -1e150 * ones)):
        assert 1e3 < score_mu_lower_bound(x, y, **given) < np.inf
    assert score_mu_lower_bound(0 * ones, 0 * ones, **given) == 0.0
    assert score_mu_lower_bound(-ones, ones, **given) == 0.0
    assert score_mu_lower_bound(ones, 0 * ones, false_alarm=1e-13) == 0.0
    with pytest.raises(ValueError, match="`scores_with`"):
        score_mu_lower_bound(ones[:1], ones, **given)
    with pytest.raises(ValueError, match="`false_alarm`"):
        score_mu_lower_bound(ones, ones, false_alarm=0.5)


BAD_INPUT = {
    one_run_epsilon_lower_bound: {
        "correct": 8,
        "guesses": 10,
        "canaries": 20,
        "delta": 0.01,
        "false_alarm": 0.05,
    },
    one_run_mu_lower_bound: {
        "correct": 8,
        "guesses": 10,
        "canaries": 20,
        "false_alarm": 0.05,
    },
    score_mu_lower_bound: {
        "scores_with": np.linspace(0.0, 2.0, 5),
        "scores_without": np.linspace(-1.0, 1.0, 5),
        "false_alarm": 0.05,
    },
}
