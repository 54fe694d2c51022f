"""Properties of every algorithm. It joins by a case ``COMMON`` in its own tests."""

import inspect
from functools import partial

import array_api_strict
import numpy as np
import pytest

from dpteach.accounting import epsilon_of
from dpteach.arrays import to_numpy
from dpteach.auditing import Tape
from dpteach.privacy import Release
from tests.algorithms.case import cases
from tests.public import functions

CASES = cases()

every_case = pytest.mark.parametrize("case", CASES.values(), ids=CASES)


@every_case
def test_a_run_without_noise_is_always_the_same(case):
    if not case.normal:
        pytest.skip("its randomness is not additive noise")
    one, two = (case.run(case.problem(), Tape([])) for _ in range(2))
    np.testing.assert_array_equal(one.path, two.path)
    np.testing.assert_array_equal(one.theta, two.theta)


@every_case
def test_shapes(case):
    out = case.run(case.problem(), 0)
    p = case.problem().p
    assert out.theta.shape == (p,)
    assert out.path.shape == (case.path, p)
    if case.batched:
        out = case.run(case.problem(), 0, runs=(2, 3))
        assert out.theta.shape == (2, 3, p)
        assert out.path.shape == (case.path, 2, 3, p)
        assert len(np.unique(out.theta.reshape(6, p), axis=0)) > 1


@every_case
def test_an_int_repeats_a_run_and_none_does_not(case):
    """Fresh entropy: two runs of continuous noise agree with probability 0.

    Where the output is discrete, 2^-40 or so: twenty runs are compared.
    """
    D = case.problem()
    one = case.run(D, 7).path
    np.testing.assert_array_equal(case.run(D, 7).path, one)
    np.testing.assert_array_equal(case.run(D, np.random.default_rng(7)).path, one)
    assert any(not np.array_equal(case.run(D, None).path, one) for _ in range(20))


@every_case
def test_the_event_costs_at_most_what_was_aimed_at(case):
    out = case.run(case.problem(), 0)
    assert epsilon_of(out.event, case.delta) <= case.epsilon


@every_case
def test_every_model_lies_in_the_constraint_set(case):
    if not case.inside:
        pytest.skip("noise is added to a model of the set")
    D = case.problem()
    out = case.run(D, 0)
    np.testing.assert_allclose(D.constraint.project(out.path), out.path, atol=1e-12)


@every_case
def test_the_data_are_left_as_they_were(case):
    D = case.problem()
    X, y = D.X.copy(), D.y.copy()
    D.X.setflags(write=False)
    D.y.setflags(write=False)
    case.run(D, 0)
    np.testing.assert_array_equal(D.X, X)
    np.testing.assert_array_equal(D.y, y)


@every_case
def test_a_release_holds_nothing_but_what_was_published(case):
    out = case.run(case.problem(), 0)
    assert type(out) is Release
    assert isinstance(out.theta, np.ndarray)
    assert out.theta.dtype == out.path.dtype == np.float64
    assert np.isfinite(out.path).all()


@every_case
def test_single_precision_stays_single(case):
    out = case.run(case.problem(lambda a: a.astype("f4") if a.dtype == "f8" else a), 0)
    assert out.theta.dtype == out.path.dtype == np.float32


@every_case
@pytest.mark.parametrize("device", ["CPU_DEVICE", "device1"])
def test_the_strict_array_library_gives_the_same_answer(case, device):
    """Also on a second device, which mixes with the first no more than a GPU does."""
    if "array_api_strict" in case.not_on:
        pytest.skip(case.not_on["array_api_strict"])
    runs = (2,) if case.batched else ()
    ours = case.run(case.problem(), 3, runs)
    device = array_api_strict.Device(device)
    put = partial(array_api_strict.asarray, device=device)
    theirs = case.run(case.problem(put), 3, runs)
    for a, b in ((ours.theta, theirs.theta), (ours.path, theirs.path)):
        assert type(b) is type(array_api_strict.asarray(0.0))
        assert b.device == device
        np.testing.assert_allclose(to_numpy(b), a, rtol=case.rtol, atol=1e-14)


@every_case
@pytest.mark.parametrize("device", ["no_float64"])
def test_a_device_without_64_bits_is_refused_in_words(case, device):
    if "array_api_strict" in case.not_on:
        pytest.skip(case.not_on["array_api_strict"])
    device = array_api_strict.Device(device)

    def put(array):
        kind = array_api_strict.float32 if array.dtype.kind == "f" else None
        return array_api_strict.asarray(array, dtype=kind, device=device)

    with pytest.raises(TypeError, match="`X` must be on a device that computes in 64"):
        case.problem(put)


def test_every_algorithm_that_releases_a_model_has_a_case():
    """Those that take X and y by themselves, such as LASSO, have tests of their own."""
    tested = {case.algorithm for case in CASES.values()}
    untested = [
        name
        for name, each in functions().items()
        if name.startswith("dpteach.algorithms.")
        and inspect.signature(each).return_annotation in (Release, "Release")
        and "problem" in inspect.signature(each).parameters
        and each not in tested
    ]
    assert not untested, f"give these a case COMMON in their tests: {untested}"
