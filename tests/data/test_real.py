"""The real sets: what ships equals its original, and every stated constant holds."""

import hashlib
import importlib.util
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

from dpteach import (
    Problem,
    constraints,
    data,
    losses,
)
from dpteach.data import _copies, real
from dpteach.data.real import breast_cancer, diabetes, digits

SETS = {
    "digits": (data.digits, 1797, 65),
    "breast_cancer": (data.breast_cancer, 569, 31),
    "diabetes": (data.diabetes, 442, 11),
}


@pytest.fixture(scope="module")
def originals():
    path = Path(__file__).with_name("make_copies.py")
    spec = importlib.util.spec_from_file_location("make_copies", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.originals()


@pytest.mark.parametrize("name", SETS)
def test_a_copy_equals_the_set_of_scikit_learn(name, originals):
    X, y = _copies.copy_of(name)
    np.testing.assert_array_equal(X, originals[name][0])
    np.testing.assert_array_equal(y, originals[name][1])


@pytest.mark.parametrize("name", SETS)
def test_a_copy_has_the_checksum_that_its_set_states(name):
    content = (files("dpteach.data") / "copies" / f"{name}.npz").read_bytes()
    assert hashlib.sha256(content).hexdigest() == SETS[name][0]().sha256
    assert len(content) < 80_000


@pytest.mark.parametrize(("load", "n", "d"), SETS.values(), ids=SETS)
def test_the_stated_constants_hold(load, n, d):
    drawn = load()
    assert drawn.X.shape == (n, d)
    assert drawn.n == n
    assert np.all(np.linalg.norm(drawn.X, axis=1) <= drawn.row_norm * (1 + 1e-15))
    assert np.all(drawn.X[:, -1] == real.INTERCEPT)
    assert drawn.source
    assert drawn.license
    if drawn.classes is None:
        assert np.all(np.abs(drawn.y) <= 1)
    else:
        assert set(drawn.y) == set(range(drawn.classes))


@pytest.mark.parametrize("name", SETS)
def test_a_row_depends_on_no_other_row(name, monkeypatch):
    """Each row alone gives the same row: no statistic of the data enters."""
    X, y = _copies.copy_of(name)
    whole = SETS[name][0]()
    for i in (0, 7, len(X) - 1):
        record = X[i : i + 1], y[i : i + 1]
        monkeypatch.setattr(real, "copy_of", lambda _, record=record: record)
        alone = SETS[name][0].__wrapped__()
        np.testing.assert_array_equal(alone.X[0], whole.X[i])
        assert alone.y[0] == whole.y[i]


@pytest.mark.parametrize("name", SETS)
def test_a_record_that_nobody_expected_stays_within_the_bound(name, monkeypatch):
    X, y = _copies.copy_of(name)
    wild = np.full((1, X.shape[1]), 1e9)
    monkeypatch.setattr(real, "copy_of", lambda _: (wild, y[:1]))
    assert np.linalg.norm(SETS[name][0].__wrapped__().X) <= 1 + 1e-15


def test_the_limits_are_those_that_the_description_prints():
    """The table in the public description, read from scikit-learn's copy of it."""
    import re

    from sklearn.datasets import load_breast_cancer

    printed = re.findall(
        r"\((?:mean|standard error|worst)\):\s+([\d.]+)\s+([\d.]+)",
        load_breast_cancer().DESCR,
    )
    assert np.array_equal(np.array(printed, float), real.BREAST_CANCER_LIMITS)


def test_the_sets_are_cached_and_cannot_be_changed():
    assert data.digits() is data.digits()
    with pytest.raises(ValueError, match="read-only"):
        data.digits().X[0, 0] = 1.0


@pytest.mark.parametrize(
    ("load", "loss"),
    [
        (data.digits, losses.softmax(10)),
        (data.breast_cancer, losses.logistic),
        (data.diabetes, losses.huber(1.0)),
    ],
    ids=["digits", "breast cancer", "diabetes"],
)
def test_each_set_makes_a_problem_whose_gradients_obey_the_constants(load, loss):
    drawn = load()
    D = Problem(drawn.X, drawn.y, loss, constraints.L2Ball(1.0))
    theta = np.random.default_rng(0).standard_normal(D.p)
    longest = max(
        np.linalg.norm(D.record_gradient(theta, i)) for i in range(0, D.n, 50)
    )
    assert 0 < longest <= loss.lipschitz * drawn.row_norm * (1 + 1e-12)


BAD_INPUT = {
    digits: {},
    breast_cancer: {},
    diabetes: {},
}
