"""dpteach below TensorFlow Privacy's accounting, for its own tests; no TensorFlow."""

import dp_accounting_engine  # noqa: F401  (puts dpteach below theirs)
import numpy as np
from absl.testing import absltest
from stand_in import module

from dpteach.algorithms import separated_squared_sensitivity


class TestCase(absltest.TestCase):
    """TensorFlow's assertions, of which these are used."""

    def assertAllClose(self, first, second, rtol=1e-6):
        np.testing.assert_allclose(first, second, rtol=rtol)

    def assertNear(self, first, second, err):
        assert abs(first - second) <= err


class Uniform(list):
    """Numbers from a given seed, where TensorFlow has an own generator."""

    def __init__(self, shape, minval, maxval):
        super().__init__(np.random.default_rng(0).uniform(minval, maxval, shape))

    def numpy(self):
        return list(self)


test = module("tensorflow.test", TestCase=TestCase, main=absltest.main)
random = module("tensorflow.random", uniform=Uniform)
module("tensorflow", test=test, random=random)


def largest_square(max_participation, min_separation, steps):
    """Find the worst record of a tree; we count the steps from one to the next."""
    return separated_squared_sensitivity(
        steps=steps, participations=min(max_participation, steps),
        separation=min_separation + 1, estimator="honaker",
    )  # fmt: skip


def install():
    """Replace the tree's sensitivity, when their file has been read."""
    from tensorflow_privacy.privacy.analysis import tree_aggregation_accountant

    tree_aggregation_accountant._max_tree_sensitivity_square_sum = largest_square
