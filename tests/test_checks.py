"""Each check accepts what it says and names argument, value and remedy in its error."""

from fractions import Fraction

import numpy as np
import pytest

from dpteach import Relation, checks

GOOD = [
    (checks.positive, {}, (1, 0.5, np.float32(2), np.int64(3), 1e-300)),
    (checks.moderate, {}, (1, 0.5, 1e-100, 1e100, np.float16(2))),
    (checks.nonnegative, {}, (0, 0.0, 2.5)),
    (checks.below_one, {}, (0, 0.0, 1 - 1e-16)),
    (checks.finite, {}, (-1, 0, 1e300)),
    (checks.probability, {}, (0.5, 1e-300, 1 - 1e-16)),
    (checks.between, {"low": 0, "high": 2}, (0, 1.5, 2)),
    (checks.count, {}, (1, np.int32(7))),
    (checks.count, {"minimum": 0}, (0,)),
    (checks.one_of, {"choices": ("a", "b")}, ("a",)),
    (checks.flag, {}, (True, False, np.True_)),
    (checks.instance, {"kind": Relation}, (Relation.REPLACE,)),
    (checks.instance, {"kind": (int, str)}, (1, "a")),
    (checks.shape, {}, ((), (1,), (2, 3))),
    (checks.finite_array, {"ndim": 1}, (np.ones(2), np.ones(0), np.ones(2, "f4"))),
    (checks.finite_array, {"ndim": 2}, (np.full((2, 2), -1e150),)),
]  # fmt: skip
NAN, INF = float("nan"), float("inf")
MATRIX = np.ones((1, 1)).view(np.matrix)
BAD = [
    (checks.positive, {}, (0, -1, NAN, INF), ("1", None, True, 1j)),
    (checks.moderate, {}, (0, -1, NAN, INF, 1e101, 1e-101, 10**400), ("1", None, True)),
    (checks.nonnegative, {}, (-1e-300, NAN, INF), ("1", None, False)),
    (checks.below_one, {}, (-1e-300, 1, 1.0, NAN, INF), ("0", None, False)),
    (checks.finite, {}, (NAN, -INF), ([], None)),
    (checks.probability, {}, (0, 1, -0.5, NAN, 2), ("0.5", None)),
    (checks.between, {"low": 0, "high": 2}, (-1, 3, NAN), ("1",)),
    (
        checks.count, {},
        (0, -1, 2**53 + 1, 10**400, -(2**40_000)), (1.0, True, None, "1"),
    ),
    (checks.one_of, {"choices": ("a", "b")}, ("c", None), ()),
    (checks.flag, {}, (), (1, 0, None, "True")),
    (checks.instance, {"kind": Relation}, (), ("REPLACE", Relation)),
    (checks.instance, {"kind": (int, str)}, (), (1.5,)),
    (checks.shape, {}, ((0,), (-1,), (2**40,), (2**20, 2**20)), (3, [2], (1.5,), None)),
    (checks.array, {}, (), ([1.0], None, np.ma.ones(2), np.ma.masked, MATRIX)),
    (
        checks.finite_array, {"ndim": 1},
        (np.array([1, NAN]), np.array([INF]), np.ones((1, 1)), np.array([INF, -INF]),
         np.array([1.0, -1.1e150])),
        ([1.0], None, np.ones(2, int), np.ones(2, bool), np.ones(2, complex),
         np.ones(2, np.float16), np.ones(2, object), np.ma.ones(2), MATRIX),
    ),
]  # fmt: skip


@pytest.mark.parametrize(("check", "rule", "values"), GOOD)
def test_a_check_accepts(check, rule, values):
    for value in values:
        check(**rule, argument=value)


@pytest.mark.parametrize(("check", "rule", "values", "types"), BAD)
def test_a_check_refuses_by_name(check, rule, values, types):
    for kind, bad in ((ValueError, values), (TypeError, types)):
        for value in bad:
            with pytest.raises(kind, match=r"`argument` must .*, got ") as caught:
                check(**rule, argument=value)
            assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    ("check", "given", "wanted"),
    [
        (checks.count, np.int8(7), 7),
        (checks.count, np.uint64(7), 7),
        (checks.positive, np.float16(0.1), float(np.float16(0.1))),
        (checks.moderate, np.float32(0.1), float(np.float32(0.1))),
        (checks.nonnegative, Fraction(1, 3), 1 / 3),
        (checks.positive, 3, 3),
        (checks.finite, 2**53 + 1, 2**53 + 1),
    ],
)
def test_numbers_come_back_as_pythons_own(check, given, wanted):
    """Else 32 bits overflow in silence, and 16 bits round all that they meet."""
    found = check(argument=given)
    assert found == wanted
    assert type(found) is type(wanted)


def test_several_numbers_come_back_in_their_order():
    assert checks.count(n=np.int16(3), p=2) == (3, 2)


def test_what_does_not_fit_into_memory_is_refused():
    checks.fits(1e3, steps=1000)
    with pytest.raises(ValueError, match=r"`steps` must be small .*\(8e\+15 bytes"):
        checks.fits(1e15, steps=10**15)


def test_a_remedy_is_told_where_there_is_one():
    with pytest.raises(ValueError, match=r"got 0\. Zero noise gives no privacy\."):
        checks.positive(noise_multiplier=0)


def test_several_arguments_are_checked_in_turn():
    with pytest.raises(ValueError, match="`b` must be"):
        checks.positive(a=1, b=-1)


def test_a_long_value_is_cut():
    with pytest.raises(TypeError) as caught:
        checks.positive(epsilon="x" * 1000)
    assert "..." in str(caught.value)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("scipy.sparse._csr", "X.toarray()"),
        ("pandas.core.frame", "X.to_numpy(dtype=float)"),
        ("polars.dataframe.frame", "X.to_numpy().astype(float)"),
        ("elsewhere", "numpy.asarray(X, dtype=float)"),
    ],
)
def test_a_table_of_another_library_is_refused_with_the_line_that_converts_it(
    module, line
):
    table = type("Table", (), {"__module__": module})()
    with pytest.raises(TypeError) as caught:
        checks.array(X=table)
    assert f"such as {line}, got" in str(caught.value)
