"""Exact instances of shuffling and check-ins, against enumeration."""

from itertools import product
from math import exp

import numpy as np
import pytest

from dpteach.algorithms.local.response_instances import (
    check_in_likelihood_ratio,
    fixed_window_instance,
    shuffling_instance,
)
from tests.algorithms.local.enumeration import enumerated


def test_instances_by_enumeration():
    """Four clients, all reports listed; the others hold 0, 0, 1."""
    e0, q = 0.8, 1 / (1 + exp(0.8))

    def chances(bits):
        out = np.ones(1)
        for bit in bits:
            out = np.convolve(out, [q, 1 - q] if bit else [1 - q, q])
        return out

    p, without = chances((1, 0, 0, 1)), chances((0, 0, 0, 1))
    got = shuffling_instance(e0, 1e-2, n=4, others_with_one=1)

    def delta(epsilon):
        stick = (p - exp(epsilon) * without, without - exp(epsilon) * p)
        return max(np.maximum(each, 0).sum() for each in stick)

    assert delta(got) <= 1e-2 * (1 + 1e-9)
    assert delta(got * 0.999) > 1e-2


def test_what_the_dummy_holds_matters():
    assert enumerated(0.5, 4, 3, 1.0, 0.01, dummy=1) == pytest.approx(
        0.23463897, abs=1e-8
    )


def test_the_likelihood_ratio_by_enumeration_and_its_wrong_forms():
    """By distributions over 4 slots; forgetting 1 − p₀, or a product, is caught."""
    e0, m, p0 = 1.0, 4, 0.3
    q = 1 / (1 + exp(e0))
    reports = np.array(list(product((0, 1), repeat=m)))
    without = np.prod(np.where(reports == 0, 1 - q, q), axis=1)
    per_slot = np.where(reports == 1, e0, -e0)
    joined = (1 - p0) * without
    for i in range(m):
        joined = joined + p0 / m * without * np.exp(per_slot[:, i])
    ratio = check_in_likelihood_ratio(per_slot, check_in_probability=p0)
    assert np.allclose(ratio, joined / without, rtol=1e-13)
    forgot = p0 * np.mean(np.exp(per_slot), axis=1)
    multiplied = 1 - p0 + p0 * np.exp(np.mean(per_slot, axis=1))
    for wrong in (forgot, multiplied):
        assert not np.allclose(wrong, joined / without, rtol=1e-3)
    w = np.full((16, m), 0.5)
    half = check_in_likelihood_ratio(per_slot, check_in_probability=p0, weights=w)
    assert np.allclose(half, 1 + (ratio - 1) / 2)
    with pytest.raises(ValueError, match="`weights` must be probabilities"):
        check_in_likelihood_ratio(per_slot, check_in_probability=p0, weights=3 * w)
    with pytest.raises(ValueError, match="`weights` must have shape"):
        check_in_likelihood_ratio(per_slot, check_in_probability=p0, weights=w[:2])
    with pytest.raises(
        ValueError, match="`losses` must have at least one entry per row"
    ):
        check_in_likelihood_ratio(1e3 * per_slot, check_in_probability=p0)


PRICE = {"local_epsilon": 0.5, "delta": 1e-6}
BAD_INPUT = {
    check_in_likelihood_ratio: {
        "losses": np.array([[0.5, -0.5], [0.5, 0.5]]),
        "check_in_probability": 0.5,
        "weights": np.ones((2, 2)),
    },
    fixed_window_instance: {
        **PRICE,
        "slots": 1,
        "check_in_probability": 0.5,
        "runs": 2,
    },
    shuffling_instance: {**PRICE, "n": 20, "others_with_one": 3},
}
