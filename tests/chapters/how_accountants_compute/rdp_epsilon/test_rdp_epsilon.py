"""What ``rdp_epsilon`` grades by: the closed form, and the exact price below it."""

from functools import cache

import numpy as np
import pytest

from dpteach import Relation
from dpteach.accounting import price_of, renyi_epsilon, sampled_gaussian_rdp
from dpteach.chapters.catalog import load
from dpteach.chapters.how_accountants_compute.exercises.rdp_epsilon import (
    ORDERS,
    PRICES,
    log_moments,
    price,
)
from dpteach.privacy import SampledGaussian


@pytest.mark.parametrize(
    ("lam", "q"), [(1.5, 0.5), (0.3, 0.001), (20.0, 0.1), (0.2, 1.0), (7.0, 1.0)]
)
def test_the_moments_are_those_of_the_package(lam, q):
    own = log_moments(lam, q) / (ORDERS - 1)
    known = [
        sampled_gaussian_rdp(int(order), rate=q, noise_multiplier=lam)
        for order in ORDERS
    ]
    assert np.allclose(own, known, rtol=1e-11, atol=1e-13)
    wanted = renyi_epsilon(ORDERS, 30 * np.array(known), 1e-7, method="basic")
    assert price(lam, q, 30, 1e-7) == pytest.approx(wanted, rel=1e-11)


@cache
def priced(lam, q, T, delta, accountant="best"):
    """Price a case of the grader once; several gradings have the same ones."""
    event = SampledGaussian(lam, rate=q, releases=T, relation=Relation.ADD_REMOVE)
    return price_of(event, delta=delta, accountant=accountant)


@pytest.mark.parametrize("accountant", ["best", "loss_distribution", "renyi"])
def test_a_better_accountant_passes(accountant):
    """So the exact price is not too high a floor: one of these is certified."""

    def answer(lam, q, T, delta):
        return priced(lam, q, T, delta, accountant).epsilon

    report = load("rdp_epsilon").grade(answer, 1)
    assert report.passed, report


def test_nothing_below_the_exact_price_passes():
    """Power: a hundredth of a percent less is caught. And no case is only bounded."""
    kinds = []

    def answer(lam, q, T, delta, share=1.0):
        found = priced(lam, q, T, delta)
        kinds.append(found.kind)
        return share * found.epsilon

    exercise = load("rdp_epsilon")
    for seed in range(8):
        assert exercise.grade(answer, seed).passed
    assert set(kinds) == {"exact", "certified"}
    for share, right in ((1 - 1e-7, True), (1 - 1e-4, False)):
        report = exercise.grade(lambda *case, s=share: answer(*case, s), 1)
        assert report.passed == right


@pytest.mark.parametrize("k", range(len(PRICES)))
def test_every_wrong_formula_of_the_table_is_caught(k):
    formula, told = PRICES[k]
    report = load("rdp_epsilon").grade(
        lambda lam, q, T, delta: float(formula(lam, q, T, delta)), 1
    )
    assert report.fault is not None
    # the first that gives the number is told; several give the same number somewhere
    assert report.fault.hint in {each for _, each in PRICES}
    assert told
