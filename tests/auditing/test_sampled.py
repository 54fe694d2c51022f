"""Sampled audits: exact coverage by summing over all counts, and shown power."""

from dataclasses import replace
from math import exp, inf, log

import numpy as np
import pytest
from scipy.stats import beta, binom, laplace, norm, uniform

from dpteach.auditing import (
    conformance,
    event_epsilon_lower_bound,
    mu_lower_bound,
)
from tests.statistics import assert_distribution

N = 40  # runs an arm where every pair of counts is summed


def coverage_error(bound, claim, p1, p0):
    """The exact probability that the bound exceeds the claim, at rates p1 and p0."""
    first, second = binom.pmf(range(N + 1), N, p1), binom.pmf(range(N + 1), N, p0)
    wrong = [(j, k) for j in range(N + 1) for k in range(N + 1) if bound(j, k) > claim]
    return sum(first[j] * second[k] for j, k in wrong)


@pytest.mark.parametrize("alpha", [0.05, 1e-3])
@pytest.mark.parametrize("either_way", [False, True])
def test_the_event_bound_is_wrong_as_rarely_as_it_says(alpha, either_way):
    """No sampling: the sum over all 41 × 41 counts, at the boundary of the claim."""
    delta, worst = 0.01, 0.0

    table = {
        (j, k): event_epsilon_lower_bound(
            j, N, k, N, delta=delta, false_alarm=alpha, either_way=either_way
        )
        for j in range(N + 1)
        for k in range(N + 1)
    }
    for epsilon in (0.1, 1.0, 3.0):
        for p0 in (0.001, 0.02, 0.2):
            p1 = min(exp(epsilon) * p0 + delta, 1 - (1 - p0 - delta) * exp(-epsilon))
            error = coverage_error(lambda *c: table[c], epsilon, p1, p0)
            worst = max(worst, error)
    assert worst <= alpha
    # One-sided, the test is not so careful that it never speaks.
    assert either_way or worst > 0


@pytest.mark.parametrize("alpha", [0.05, 1e-3])
def test_the_mu_bound_is_wrong_as_rarely_as_it_says(alpha):
    table = {
        (j, k): mu_lower_bound(j, N, k, N, false_alarm=alpha)
        for j in range(N + 1)
        for k in range(N + 1)
    }
    errors = [
        coverage_error(lambda *c: table[c], mu, norm.sf(cut - mu), norm.sf(cut))
        for mu in (0.2, 1.0, 3.0)
        for cut in (-1.0, 0.0, mu / 2, 2.0)
    ]
    assert 0 < max(errors) <= alpha


def test_the_bounds_are_the_formulas():
    lower = beta.ppf(0.025, 30, 71)
    upper = beta.ppf(0.975, 11, 90)
    got = event_epsilon_lower_bound(30, 100, 10, 100, delta=0.01, false_alarm=0.05)
    assert got == pytest.approx(log((lower - 0.01) / upper))
    mu = mu_lower_bound(90, 100, 10, 100, false_alarm=0.05)
    assert mu == pytest.approx(2 * norm.isf(upper))


def test_runs_that_prove_nothing_say_so():
    nothing = {"delta": 0.1, "false_alarm": 0.01}
    assert event_epsilon_lower_bound(0, 100, 0, 100, **nothing) == -inf
    assert mu_lower_bound(0, 10, 5, 10, false_alarm=0.01) == -inf
    assert mu_lower_bound(5, 10, 10, 10, false_alarm=0.01) == -inf


def test_either_way_finds_the_event_on_the_other_side():
    counts = (5, 1000, 600, 1000)
    one = event_epsilon_lower_bound(*counts, delta=1e-6, false_alarm=1e-4)
    two = event_epsilon_lower_bound(
        *counts, delta=1e-6, false_alarm=1e-4, either_way=True
    )
    assert one < 0 < 3 < two


def test_counts_that_cannot_be_are_refused():
    with pytest.raises(ValueError, match="`hits`"):
        event_epsilon_lower_bound(11, 10, 1, 10, delta=0.0, false_alarm=0.1)
    with pytest.raises(ValueError, match="`hits_without`"):
        mu_lower_bound(1, 10, 11, 10, false_alarm=0.1)
    with pytest.raises(TypeError, match="`distribution`"):
        conformance(np.zeros(5), distribution="norm")
    with pytest.raises(ValueError, match="`samples`"):
        conformance(np.zeros((3, 1)), distribution=norm())


def test_the_audit_has_the_power_that_was_planned():
    """Gaussian noise that is √2 too small at a claim of μ = 2: 940 runs an arm suffice.

    False alarm 1e-6; the exact power, by summation, is above 0.998. Correct noise is
    never refuted but with that rate.
    """
    runs, claim = 940, 2.0
    for mu, least, most in ((2.0, 0.0, 1e-6), (2.0 * 2**0.5, 0.998, 1.0)):
        hit = norm.sf(1.0 - mu)
        false = norm.sf(1.0)
        low1, low0 = runs * hit, runs * false
        refuted = 0.0
        js = np.arange(int(low1 - 150), min(runs, int(low1 + 150)) + 1)
        ks = np.arange(max(0, int(low0 - 150)), int(low0 + 150) + 1)
        first, second = binom.pmf(js, runs, hit), binom.pmf(ks, runs, false)
        # The bound falls in k and grows in j: one boundary, walked once.
        k = len(ks) - 1
        cumulative = np.cumsum(second)
        for j, weight in zip(js[::-1], first[::-1], strict=True):
            while k >= 0 and not (
                mu_lower_bound(int(j), runs, int(ks[k]), runs, false_alarm=1e-6) > claim
            ):
                k -= 1
            if k < 0:
                break
            refuted += weight * cumulative[k]
        assert least <= refuted <= most, (mu, refuted)


def test_p_values_are_uniform_under_the_distribution():
    """400 p-values of each test against uniform; false alarm 1e-6 each, seed fixed."""
    rng = np.random.default_rng(3)
    found = [
        conformance(
            rng.laplace(scale=2.0, size=(5, 41)), distribution=laplace(scale=2.0)
        )
        for _ in range(400)
    ]
    for name in ("scale", "independence", "shape"):
        assert_distribution(
            [getattr(each, f"{name}_p_value") for each in found], uniform()
        )


@pytest.mark.parametrize(
    ("make", "guilty"),
    [
        (lambda rng: rng.normal(scale=0.9, size=(1, 9000)), "scale"),
        (lambda rng: rng.normal(scale=1.1, size=(1, 9000)), "scale"),
        (lambda rng: np.repeat(rng.normal(size=(500, 1)), 8, axis=1), "independence"),
        (lambda rng: rng.laplace(scale=0.5**0.5, size=(1, 9000)), "shape"),
        (lambda rng: rng.uniform(-(3**0.5), 3**0.5, (1, 9000)), "shape"),
    ],
)
def test_broken_noise_is_caught_by_the_test_for_it(make, guilty):
    """Seed fixed; each p-value is below 1e-6, and correct noise passes all three."""
    found = conformance(make(np.random.default_rng(11)), distribution=norm())
    assert getattr(found, f"{guilty}_p_value") < 1e-6
    assert found.p_value < 3e-6
    fine = conformance(
        np.random.default_rng(11).normal(size=(30, 300)), distribution=norm()
    )
    assert fine.p_value > 1e-6


def test_a_draw_far_outside_the_distribution_is_a_refusal_not_a_nan():
    found = conformance(np.array([0.0, 1e200, 3.0]), distribution=norm())
    assert found.p_value == 0.0
    assert np.isfinite(found.shape_p_value)


COUNTS = {"hits": 9, "runs": 10, "hits_without": 1, "runs_without": 10}
BAD_INPUT = {
    event_epsilon_lower_bound: {
        **COUNTS,
        "delta": 0.01,
        "false_alarm": 0.05,
        "either_way": True,
    },
    mu_lower_bound: {**COUNTS, "false_alarm": 0.05},
    conformance: {
        "samples": np.linspace(-1.0, 1.0, 12).reshape(3, 4),
        "distribution": norm(),
    },
}


def test_either_way_the_four_sides_share_the_false_alarms():
    """The formulas, where the event's absence tells most, with and without records."""
    given = {"delta": 1e-6, "false_alarm": 1e-4, "either_way": True}
    for often, seldom, counts in (
        (500, 10, (500, 1000, 990, 1000)),
        (500, 10, (990, 1000, 500, 1000)),
    ):
        lower = beta.ppf(1e-4 / 4, often, 1001 - often)
        upper = beta.ppf(1 - 1e-4 / 4, seldom + 1, 1000 - seldom)
        got = event_epsilon_lower_bound(*counts, **given)
        assert got == pytest.approx(log((lower - 1e-6) / upper), rel=1e-12)


def test_p_values_of_few_draws_are_their_formulas():
    """Given the first and the last of three draws, what the middle has in common."""
    found = conformance(np.array([0.3, 1.2, -0.7]), distribution=norm())
    assert found.independence_p_value == pytest.approx(2 * norm.sf(1.2), rel=1e-12)
    found = conformance(np.array([[0.0, 1.2]]), distribution=norm())
    assert found.independence_p_value == 1.0  # nothing beside, nothing to tell
    assert replace(found, scale_p_value=0.9, shape_p_value=0.9).p_value == 1.0
