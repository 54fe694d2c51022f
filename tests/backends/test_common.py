"""The same answer on every array library, from the same noise drawn on the host."""

import warnings

import numpy as np
import pytest

from dpteach import Problem, constraints, losses
from dpteach.arrays import (
    clip,
    l2_norm,
    namespace,
    row_norms,
    row_products,
    standard_normal,
    to_numpy,
)
from tests.algorithms.case import cases

pytestmark = pytest.mark.backends
CASES = cases()
CLOSE = {"rtol": 1e-12, "atol": 1e-14}

every_case = pytest.mark.parametrize("case", CASES.values(), ids=CASES)


@every_case
def test_an_algorithm_gives_the_answer_of_numpy(case, put, library):
    if library in case.not_on:
        pytest.skip(case.not_on[library])
    runs = (2,) if case.batched else ()
    ours = case.run(case.problem(), 3, runs)
    theirs = case.run(case.problem(put), 3, runs)
    for a, b in ((ours.theta, theirs.theta), (ours.path, theirs.path)):
        assert type(b) is type(put(np.zeros(1)))
        np.testing.assert_allclose(to_numpy(b), a, rtol=case.rtol, atol=1e-14)
    assert ours.event == theirs.event


@every_case
@pytest.mark.parametrize("fill", [9.96921e36, -3.4e38])
def test_a_model_leads_back_to_no_record(case, put, library, fill):
    """Its numbers are finite, and PyTorch's arrays remember what they came from."""
    if library in case.not_on:
        pytest.skip(case.not_on[library])

    def remembering(array):
        row = np.where(np.arange(len(array)) == 3, fill, array.T).T
        table = put((row if array.ndim == 2 else array).astype(np.float32))
        return table.requires_grad_(True) if library == "torch" else table

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        out = case.run(case.problem(remembering), 3, (2,) if case.batched else ())
    for part in (out.theta, out.path):
        assert getattr(part, "grad_fn", None) is None
        assert np.isfinite(to_numpy(part)).all()


LOSSES = [
    losses.logistic, losses.squared, losses.hinge, losses.absolute, losses.linear,
    losses.huber(0.5), losses.softmax(4),
]  # fmt: skip


@pytest.mark.parametrize("loss", LOSSES, ids=lambda loss: loss.name)
def test_a_problem_gives_the_numbers_of_numpy(loss, put):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((6, 3))
    y = rng.integers(0, 4, 6) if loss.classes else np.sign(rng.standard_normal(6))
    ours = Problem(X, y, loss, constraints.Everywhere())
    theirs = Problem(put(X), put(y), loss, constraints.Everywhere())
    theta = rng.standard_normal((2, ours.p))
    for quantity in (
        lambda D, at: D.risk(at),
        lambda D, at: D.gradient(at),
        lambda D, at: D.clipped_gradient(at, 0.3),
        lambda D, at: D.record_gradient(at, 2),
    ):
        found = to_numpy(quantity(theirs, put(theta)))
        np.testing.assert_allclose(found, quantity(ours, theta), **CLOSE)
    np.testing.assert_array_equal(to_numpy(theirs.zeros(2)), ours.zeros(2))


SETS = [
    constraints.Everywhere(), constraints.L2Ball(0.7), constraints.L1Ball(0.7),
    constraints.Box(-0.5, 0.25), constraints.Simplex(),
]  # fmt: skip


@pytest.mark.parametrize("constraint", SETS, ids=repr)
def test_a_projection_gives_the_numbers_of_numpy(constraint, put):
    v = np.random.default_rng(0).standard_normal((5, 4))
    found = to_numpy(constraint.project(put(v)))
    np.testing.assert_allclose(found, constraint.project(v), **CLOSE)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_noise_is_drawn_on_the_host_and_handed_over(put, dtype):
    like = put(np.zeros(1, dtype=dtype))
    noise = standard_normal(np.random.default_rng(0), (3, 2), like=like)
    assert noise.dtype == like.dtype
    expected = np.random.default_rng(0).standard_normal((3, 2), dtype=dtype)
    np.testing.assert_array_equal(to_numpy(noise), expected)


def test_the_library_of_the_data_is_found(put):
    v = put(np.array([[3.0, 4.0], [0.0, 0.0]]))
    assert type(namespace(v).asarray([1.0])) is type(v)
    np.testing.assert_allclose(to_numpy(l2_norm(v)), [[5.0], [0.0]])
    np.testing.assert_allclose(to_numpy(clip(v, 1.0)), [[0.6, 0.8], [0.0, 0.0]])


def test_bad_input_is_named_on_every_library(put):
    """What the matrix of bad input does with NumPy holds here for the data."""
    X, y = np.ones((2, 2)), np.array([1.0, -1.0])
    for bad in (np.nan, np.inf):
        with pytest.raises(ValueError, match="`X` must be finite"):
            Problem(put(X * bad), put(y), losses.logistic, constraints.Simplex())
    with pytest.raises(ValueError, match="`y` must be -1 or \\+1"):
        Problem(put(X), put(3 * y), losses.logistic, constraints.Simplex())
    with pytest.raises(TypeError, match="32- or 64-bit floats"):
        Problem(put(X.astype(int)), put(y), losses.logistic, constraints.Simplex())
    with pytest.raises(TypeError, match="`y` must be an unmasked array"):
        Problem(put(X), [1, -1], losses.logistic, constraints.Simplex())


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("k", [1, 3, 10, 17])
@pytest.mark.parametrize("p", [3, 7, 20, 50, 784])
def test_a_row_has_the_same_products_wherever_it_stands(put, dtype, k, p):
    rng = np.random.default_rng(p)
    X = np.repeat(rng.standard_normal((1, p)).astype(dtype), 1031, axis=0)
    T = rng.standard_normal((k, p)).astype(dtype)
    z = to_numpy(row_products(put(X), put(T)))
    assert (z == z[0]).all()
    assert (z[0] == to_numpy(row_products(put(X[:7]), put(T)))).all()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("loss", LOSSES, ids=lambda loss: loss.name)
def test_a_row_has_the_same_weight_wherever_it_stands(put, dtype, loss):
    rng = np.random.default_rng(0)
    for _ in range(5):
        X = np.repeat(rng.standard_normal((1, 20)).astype(dtype), 1031, axis=0)
        theta = put(rng.standard_normal(20 * (loss.classes or 1)).astype(dtype))
        X, y = put(X), put(np.ones(1031, dtype))
        w = to_numpy(
            loss.weights(loss.slope(loss.scores(theta, X), y), row_norms(X), 0.1)
        )
        assert (w == w[0]).all()


def test_single_precision_gives_the_sums_of_numpy(put):
    """Sums are those of 64 bits, and agree far closer than single precision."""
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((1500, 5)).astype("f4"), rng.choice([-1.0, 1.0], 1500)
    ours, theirs = (
        Problem(A, b, losses.hinge, constraints.Everywhere())
        for A, b in ((X, y), (put(X), put(y)))
    )
    zero = np.zeros(5, np.float32)  # where no score is rounded
    found = to_numpy(theirs.clipped_gradient(put(zero), 0.3))
    np.testing.assert_allclose(found, ours.clipped_gradient(zero, 0.3), rtol=1e-10)
