"""The encoding is public: a row depends on its cells and on the schema alone."""

import warnings

import numpy as np
import pytest

from dpteach.tables import Schema, reading
from dpteach.tables.encoding import (
    MISSING,
    OTHER,
    STRETCH,
    codes,
    contributions,
    encode,
    numbers,
    width_of,
)
from tests.tables.examples import FEATURES, HOSTILE, ROWS, SCHEMA, write

NAMES = [column.name for column in FEATURES]


def encoded(path):
    (block,) = reading.blocks(path, SCHEMA, NAMES)
    return encode(block, FEATURES)


@pytest.mark.parametrize("hostile", HOSTILE, ids=range(len(HOSTILE)))
@pytest.mark.parametrize("at", range(len(ROWS)))
def test_a_neighbor_changes_its_own_row_alone(tmp_path, hostile, at):
    """To the last bit, without a warning; each count moves by at most 1, upwards."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        empty, before = encoded(write(tmp_path, [*ROWS[:at], b"", *ROWS[at + 1 :]]))
        X, counts = encoded(write(tmp_path, [*ROWS[:at], hostile, *ROWS[at + 1 :]]))
    others = np.arange(len(ROWS)) != at
    assert np.array_equal(X[others], empty[others])
    assert np.isfinite(X).all()
    assert (np.linalg.norm(X, axis=1) <= 1).all()
    moves = np.subtract(counts, before)
    assert set(moves.tolist()) <= {0, 1}


def test_a_scale_by_columns_would_be_seen(tmp_path):
    """Power: limits from the data move every row."""
    X, _ = encoded(write(tmp_path, ROWS))
    Z, _ = encoded(write(tmp_path, [*ROWS[:-1], "12,400,gas,true,x,no"]))
    assert np.array_equal(X[:-1], Z[:-1])
    assert not np.array_equal((X / X.max(axis=0).clip(1e-9))[:-1],
                              (Z / Z.max(axis=0).clip(1e-9))[:-1])  # fmt: skip


def number(**more):
    limits = {"minimum": 0, "maximum": 10}
    declared = {"name": "a", "type": "number", "constraints": limits, **more}
    return Schema.parse({"fields": [declared]}).columns[0]


def test_numbers_go_to_their_limits():
    cells = (
        "0",
        "10",
        "5",
        " 7.5 ",
        "-3",
        "1e300",
        "",
        "x",
        "nan",
        "1e400",
        None,
        2,
        2.5,
    )
    values, unreadable = numbers(cells, number())
    expected = [-1, 1, 0, 0.5, -1, 1, *[np.nan] * 5, -0.6, -0.5]
    np.testing.assert_allclose(values, expected)
    assert unreadable == 3  # x, nan and 1e400; what is declared missing is none


def test_a_column_reads_the_same_whether_others_are_plain_or_not():
    """The quick way for clean columns must not be told from the slow one."""
    plain = ("0.1", " 3", "7_0", "9" * 400, "-0", "1e5", "٣", 4, 4.25, True)
    quick, _ = numbers(plain, number())
    slow, _ = numbers((*plain, "word"), number())
    assert np.array_equal(quick, slow[:-1], equal_nan=True)


def test_declared_missing_numbers_and_signs():
    column = number(missingValues=["-9", "9.99"])
    assert np.isnan(numbers(("-9", "9.99", " -9 "), column)[0]).all()
    assert numbers(("-9", "9.99"), column)[1] == 0
    column = number(decimalChar=",", groupChar=".")
    assert numbers(("2,5", "0.005", 2.5), column)[0].tolist() == [-0.5, 0.0, -0.5]


def test_a_category_is_known_missing_or_other():
    heating = FEATURES[2]
    cells = ("gas", " oil ", "", "n/a", "wood", "GAS", None)
    places, unknown = codes(cells, heating)
    assert places.tolist() == [0, 1, MISSING, MISSING, OTHER, OTHER, MISSING]
    assert unknown == 2
    grades = Schema.parse({"fields": [{"name": "g", "categories": [1, 2]}]}).columns[0]
    assert codes((1, 2.0, "2", 2.5), grades)[0].tolist() == [0, 1, 1, OTHER]


def test_a_block_has_norm_one_at_most_and_corners_are_alike():
    heating = FEATURES[2:3]
    X, _ = encode([("gas", "oil", "heat pump", "", "wood")], heating)
    share = STRETCH / np.sqrt(2)
    X = X / X[:, -1:] * share  # undo the clipping
    norms = np.linalg.norm(X[:, :-1], axis=1) / share
    np.testing.assert_allclose(norms, [1, 1, 1, 1, 0])
    gaps = np.linalg.norm(X[[0, 0, 1]] - X[[1, 2, 2]], axis=1)
    np.testing.assert_allclose(gaps, gaps[0])


def test_the_width_is_that_of_the_schema():
    assert width_of(FEATURES) == 2 + 2 + 4 + 3 + 1
    X, _ = encode([("3",), ("80",), ("gas",), ("true",)], FEATURES)
    assert X.shape == (1, 12)


def test_contributions_add_up_to_the_score():
    """Where a row is not clipped: 20 columns in the middle of their limits."""
    limits = {"minimum": -4, "maximum": 10}
    numeric = {"type": "number", "constraints": limits}
    fields = [{"name": f"x{k}", **numeric} for k in range(20)]
    fields.append({"name": "c", "categories": ["u", "v", "w"]})
    features = Schema.parse({"fields": fields}).columns
    theta = np.random.default_rng(0).standard_normal(width_of(features))
    cells = [f"{3 + (k % 5) / 4}" for k in range(20)]
    X, _ = encode([*((cell,) for cell in cells), ("v",)], features)
    assert np.linalg.norm(X) < 0.99
    total = 0.0
    for row in contributions(features, theta):
        if "per_unit" in row:
            cell = float(cells[int(row["column"][1:])])
            total += row["per_unit"] * (cell - row["from"])
        elif row.get("level") == "v" or row["column"] == "(constant)":
            total += row["adds"]
    assert total == pytest.approx(float(X[0] @ theta), rel=1e-9)
