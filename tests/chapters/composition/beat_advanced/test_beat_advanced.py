"""What ``beat_advanced`` grades by: the least ε of many pure steps."""

import mpmath
import pytest

from dpteach import Relation
from dpteach.accounting import epsilon_of
from dpteach.chapters.catalog import load
from dpteach.chapters.composition.exercises.beat_advanced import (
    PRICES,
    advanced,
    basic,
    hockey,
)
from dpteach.privacy import Pure
from tests.chapters.banks import bank

CASES = [
    (0.1, 100, 1e-6),
    (0.3, 40, 1e-6),
    (1.0, 10, 1e-6),
    (2.0, 1, 1e-9),
    (0.01, 100, 1e-6),
    (2.0, 1000, 1e-6),
]


def least(eps0, T, delta):
    return epsilon_of(Pure(eps0, releases=T, relation=Relation.ADD_REMOVE), delta)


def delta_by_hand(eps0, T, eps):
    """Add up over the outputs of randomized response, with 60 digits."""
    with mpmath.workdps(60):
        odds = mpmath.exp(eps0)
        p, q = odds / (1 + odds), 1 / (1 + odds)
        return sum(
            mpmath.binomial(T, i)
            * max(
                p ** (T - i) * q**i - mpmath.exp(eps) * q ** (T - i) * p**i,
                mpmath.mpf(0),
            )
            for i in range(T + 1)
        )


@pytest.mark.parametrize("case", CASES)
def test_the_least_epsilon_is_that_of_randomized_responses(case):
    eps0, T, delta = case
    found = least(*case)
    assert delta_by_hand(eps0, T, found * (1 + 1e-11)) <= delta
    assert delta_by_hand(eps0, T, found * (1 - 1e-9)) > delta
    assert hockey(*case) == pytest.approx(found, rel=1e-9)


@pytest.mark.parametrize("eps0", [0.01, 0.03, 0.1, 0.5, 2.0])
@pytest.mark.parametrize("delta", [1e-6, 1e-12])
def test_moments_stay_within_the_tenth_that_is_granted(eps0, delta):
    """The first bound of the theorem is 8% above the least at most."""
    for T in (1, 3, 10, 30, 100, 300, 1000, 10_000):
        found = bank("beat_advanced").right_moments(eps0, T, delta)
        assert 1 - 1e-9 < found / least(eps0, T, delta) < 1.08
        limit = min(basic(eps0, T), advanced(eps0, T, delta))
        assert found <= limit * (1 + 1e-12)


@pytest.mark.parametrize("k", range(len(PRICES)))
def test_every_wrong_formula_of_the_table_is_caught(k):
    """Where it is no better than basic composition, it is replaced by that."""
    formula, _ = PRICES[k]
    for answer in (
        lambda e, T, d: float(formula(e, T, d)),
        lambda e, T, d: min(float(formula(e, T, d)), T * e),
    ):
        report = load("beat_advanced").grade(answer, 1)
        assert report.fault is not None
        assert report.fault.hint
