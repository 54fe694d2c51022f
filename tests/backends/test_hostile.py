"""Hostile data in other libraries: finite answers, in silence, and no record beyond L.

JAX takes the tiniest numbers for 0, and so must what bounds them. The draws are those
of ``tests/elsewhere/fuzz.py``, which runs for an hour with NumPy.
"""

import warnings
from itertools import product

import numpy as np
import pytest

from dpteach import Problem, constraints, losses
from dpteach.arrays import to_numpy
from dpteach.privacy import Release
from tests.algorithms.streams.test_exact_totals import whole
from tests.effects import algorithms
from tests.elsewhere.fuzz import LAYOUTS, draw

pytestmark = pytest.mark.backends
# The system's randomness takes Python's own numbers.
NAMES = [name for name in algorithms() if "secure" not in name]
DRAWS = {"jax": 1}  # which compiles for each shape; of others six
MOST = 30  # for most labels are refused by some losses, before any algorithm


def handed(rng, valid, put):
    """Draw data and hand them to a library; None if they are no problem."""
    try:
        drawn = draw(rng, valid, LAYOUTS["plain"])
        return {
            name: Problem(put(each.X), put(each.y), each.loss, each.constraint)
            if isinstance(each, Problem)
            else put(each)
            for name, each in drawn.items()
        }
    except ValueError:
        return None


def answer(function, arguments):
    """Run it; a refusal that names its argument is an answer of no numbers."""
    try:
        return function(**arguments)
    except (ValueError, TypeError) as error:
        if any(f"`{each}` must" in str(error) for each in arguments):
            return np.zeros(0)
        raise


@pytest.mark.parametrize("name", NAMES)
def test_hostile_data_give_finite_answers_in_silence(name, put, library):
    rng = np.random.default_rng(list(name.encode()))
    for function, valid in algorithms()[name]:
        left = DRAWS.get(library, 6)
        for _ in range(MOST):
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                data = handed(rng, valid, put)
                if data is None:
                    continue
                left -= 1
                out = answer(function, valid | data)
            for each in (out.theta, out.path) if isinstance(out, Release) else (out,):
                assert np.isfinite(np.asarray(to_numpy(each), dtype=float)).all()
            if not left:
                break
        assert not left


def square(v):
    return sum(whole(a) ** 2 for a in v)


@pytest.mark.parametrize("dtype", [np.float32, np.float64], ids=lambda d: d.__name__)
@pytest.mark.parametrize(
    ("loss", "label"),
    [(losses.squared, 3.4e38), (losses.absolute, -1e30), (losses.softmax(3), 2)],
    ids=["squared", "absolute", "softmax"],
)
def test_a_hostile_record_adds_at_most_l(put, dtype, loss, label):
    """In whole numbers: alone, and as the difference of two sums."""
    tiny, least = (
        float(np.finfo(dtype).tiny),
        float(np.finfo(dtype).smallest_subnormal),
    )
    for row in (
        [tiny / 5, -tiny / 5, least], [tiny / 5, 1e-30, 0.0], [-3.4e38, tiny, 3.4e38],
        [9.96921e36, -0.0, 1e30],
    ):  # fmt: skip
        X, y = np.full((12, 3), 0.25, dtype), np.ones(12, dtype)
        X[3], y[3] = row, label
        rest = np.arange(12) != 3
        D, E = (
            Problem(put(X[at]), put(y[at]), loss, constraints.Everywhere())
            for at in (slice(None), rest)
        )
        for L, theta in product((1.0, 1e-6), (D.zeros(), D.zeros() + 1)):
            alone = to_numpy(D.clipped_record_gradient(theta, 3, L))
            assert square(alone) <= whole(L) ** 2
            g, h = (to_numpy(each.clipped_gradient(theta, L)) for each in (D, E))
            apart = sum((whole(a) - whole(b)) ** 2 for a, b in zip(g, h, strict=True))
            assert apart <= whole(L) ** 2


def test_what_is_not_clipped_would_be_seen(put):
    """Power: the same record's plain gradient."""
    X, y = np.full((2, 3), -3.4e38), np.array([3.4, 1.0])
    D = Problem(put(X), put(y), losses.squared, constraints.Everywhere())
    assert square(to_numpy(D.record_gradient(D.zeros(), 0))) > whole(1e30) ** 2
