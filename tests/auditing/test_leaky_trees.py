"""The audit of prefix sums: what it finds, and what it refuses."""

import numpy as np
import pytest

from dpteach.algorithms.streams.tree import levels
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
