"""No record, one or two, and one feature: a private answer, or a refusal by name.

Every public algorithm, randomizer and secure release runs on so little data in 32 and
in 64 bits. It answers in finite numbers, with noise, in silence; or it refuses them in
words that name an argument. Where a record may be added or removed, n is secret: then
there is an answer for no record, too, and it is as noisy as any.
"""

import inspect
import warnings

import numpy as np
import pytest

from dpteach import Problem
from dpteach.algorithms import tree_factorization
from dpteach.privacy import Relation, Release
from tests.effects import DATA, algorithms

ROWS = {
    f"{name} {k}": row for name, every in algorithms().items()
    for k, row in enumerate(every)
}  # fmt: skip
DTYPES = (np.float32, np.float64)
# Answers that are counted, and candidates that are not records.
CHOICES = (
    *("exponential_choice", "permute_and_flip_choice", "report_noisy_max"),
    *("secure.exponential_choice", "secure.release_histogram"),
)


def fewer(name, arguments, n, d, dtype):
    """Take the first n records and d features, and what has to fit them."""
    key = next(each for each in DATA if each in arguments)
    valid, kept = arguments[key], dict(arguments)
    if key == "problem":
        X, y = valid.X[:n, :d].astype(dtype), valid.y[:n].astype(dtype)
        kept["problem"] = Problem(X, y, valid.loss, valid.constraint)
    elif key == "X":
        kept["X"] = valid[:n, :d].astype(dtype)
        if "y" in kept:
            kept["y"] = kept["y"][:n].astype(dtype)
    elif isinstance(valid, np.ndarray):
        kept[key] = valid[:n].astype(dtype if valid.dtype.kind == "f" else valid.dtype)
    elif isinstance(valid, list | tuple):
        kept[key] = valid[:n]
    if "owners" in kept:
        kept["owners"] = kept["owners"][:n]
    if name == "matrix_ftrl" and n:
        kept["factorization"] = tree_factorization(n)
    return kept


def answer(function, arguments):
    """Return what comes out, or the words of a refusal, and whether it has noise."""
    rng = np.random.default_rng(1)
    if "rng" in arguments:
        arguments = arguments | {"rng": rng}
    before = str(rng.bit_generator.state)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            out = function(**arguments)
        except (ValueError, TypeError) as error:
            return str(error), True
    drawn = str(rng.bit_generator.state) != before or "rng" not in arguments
    return out, drawn


def secret_count(function, arguments):
    """Tell whether neighbors may have another number of records."""
    out = function(**arguments)
    event = getattr(out, "event", None)
    return getattr(event, "relation", None) is Relation.ADD_REMOVE


@pytest.mark.parametrize("dtype", DTYPES, ids=lambda d: d.__name__)
@pytest.mark.parametrize("name", ROWS)
def test_few_records_get_a_private_answer_or_none(name, dtype):
    function, valid = ROWS[name]
    plain = name.rpartition(" ")[0]
    for n, d in ((0, 1), (0, 9), (1, 1), (1, 9), (2, 1)):
        out, noisy = answer(function, fewer(plain, valid, n, d, dtype))
        secret = secret_count(function, valid) and plain not in CHOICES
        if isinstance(out, str):
            named = [*valid, "group_size"]  # the penalty's own argument
            assert any(f"`{each}` must" in out for each in named), out
            assert not (secret and d == 9), "refused, though n is secret"
            continue
        for each in (out.theta, out.path) if isinstance(out, Release) else (out,):
            assert np.isfinite(np.asarray(each, dtype=float)).all()
        empty = isinstance(out, Release) and out.theta.size == 0
        assert noisy or empty or (n == 0 and not secret)


def test_no_row_is_left_out():
    assert len(ROWS) > 40
    for name, (function, arguments) in ROWS.items():
        assert any(each in arguments for each in DATA), name
        assert callable(function)
        assert "rng" in inspect.signature(function).parameters or "secure" in name


def test_a_noiseless_answer_is_seen():
    """Power: what draws nothing, and what warns."""

    def silent(values, rng):
        assert rng is not None
        return values + 0.0

    def loud(values, rng):
        return np.log(values) + rng.standard_normal(1)

    out, noisy = answer(silent, {"values": np.ones(1), "rng": 0})
    assert (out == 1).all()
    assert not noisy
    assert answer(loud, {"values": np.ones(1), "rng": 0})[1]
    with pytest.raises(RuntimeWarning):
        answer(loud, {"values": np.zeros(1), "rng": 0})
