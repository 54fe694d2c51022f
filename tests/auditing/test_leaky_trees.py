"""The audit of prefix sums: what it finds, and what it refuses."""

from math import sqrt

import numpy as np
import pytest

from dpteach.algorithms.streams.tree import (
    levels,
    prefix_variance,
)
from dpteach.auditing.leaky_trees import leaky_trees, prefix_audit


@pytest.mark.parametrize("steps", [1, 2, 7, 16])
def test_the_printed_tree_costs_what_it_claims(steps):
    mu, variance = prefix_audit(leaky_trees(steps)["as printed"], steps=steps)
    assert mu**2 == pytest.approx(levels(steps), rel=1e-10)
    assert variance.tolist() == [t.bit_count() for t in range(1, steps + 1)]


def test_noise_of_another_length_is_refused():
    with pytest.raises(ValueError, match="`mechanism` must return one number"):
        prefix_audit(lambda rng: rng.standard_normal(3), steps=4)


def test_no_noise_is_found():
    mu, variance = prefix_audit(lambda rng: 0 * rng.standard_normal(4), steps=4)
    assert mu == np.inf
    assert not variance.any()


def faults(noise, steps):
    """What an exact audit says against a stream that claims to be the plain tree."""
    mu, variance = prefix_audit(noise, steps=steps)
    found = []
    if mu > sqrt(levels(steps)) * (1 + 1e-9):
        found.append("price")
    expected = [prefix_variance(t) for t in range(1, steps + 1)]
    if not np.allclose(variance, expected, rtol=1e-9):
        found.append("noise")
    return found


@pytest.mark.claim(
    "12-prefix-sums",
    "Each of five ways to break the tree is caught by an exact audit.",
    order=6,
)
@pytest.mark.parametrize("steps", [8, 13])
def test_an_exact_audit_catches_each_way_to_break_the_tree(steps):
    caught = {way: faults(run, steps) for way, run in leaky_trees(steps).items()}
    assert caught == {
        "as printed": [],
        "one noise for a whole level": ["price"],
        "noisy sums merged": ["noise"],
        "fresh noise for each sum": ["price", "noise"],
        "fresh noise for each vector": ["noise"],
        "the top level left out": ["price", "noise"],
    }


BAD_INPUT = {
    leaky_trees: {"steps": 4},
    prefix_audit: {"mechanism": lambda rng: rng.standard_normal(4), "steps": 4},
}


def test_a_sums_variance_is_in_squares():
    _, variance = prefix_audit(lambda rng: 3 * rng.standard_normal(4), steps=4)
    assert variance.tolist() == [9.0] * 4
