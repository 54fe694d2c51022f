"""The public encoding: each row of cells becomes a vector of norm at most 1.

Each column is a block of norm at most 1, whatever is in its cell. A number goes from
its limits to [−1, 1]. A category is a corner of a simplex, one entry for each. A
missing value is zero with an indicator of 1, and an unknown category is zero, which is
no opinion. A last entry is constant. Every column has the same share of the norm. As
numbers seldom lie at their limits, rows are then made longer, and clipped to norm 1.
"""

from dataclasses import replace
from math import isfinite, nan, sqrt
from typing import Any

import numpy as np

from ..arrays import clip
from .reading import Block, Cell
from .schema import Column

STRETCH = 3.0
MISSING, OTHER = -1, -2


def numbers(cells: tuple[Cell, ...], column: Column) -> tuple[np.ndarray, int]:
    """Read numbers as [−1, 1], NaN where there is none; count what is unreadable.

    A number beyond the limits is moved to them. What is no finite number is missing.
    """
    gaps: dict[Cell, float] = {None: nan, **dict.fromkeys(column.missing, nan)}
    plain = column.decimal == "." and not column.group
    try:  # what float reads alone, if a missing value cannot look like a number
        bare = replace(column, missing=frozenset())
        if not plain or any(isfinite(_read(m, bare)) for m in column.missing):
            raise ValueError
        numeric = map(float, map(gaps.get, cells, cells))  # pyright: ignore
        values = np.fromiter(numeric, float, len(cells))
    except (ValueError, TypeError, OverflowError):
        meaning = {cell: _read(cell, column) for cell in set(cells)}
        values = np.array([meaning[cell] for cell in cells])
    values[~np.isfinite(values)] = nan
    empty = (cells[i] for i in np.flatnonzero(np.isnan(values)).tolist())
    unreadable = sum(c not in gaps and not _is_missing(c, column) for c in empty)
    low, high = column.low, column.high
    return (np.clip(values, low, high) - low) / (high - low) * 2 - 1, unreadable


def _read(cell: Cell, column: Column) -> float:
    if _is_missing(cell, column):
        return nan
    if isinstance(cell, str):
        cell = cell.replace(column.group, "") if column.group else cell
        cell = cell.replace(column.decimal, ".")
    try:
        return float(cell)  # pyright: ignore[reportArgumentType]
    except (ValueError, TypeError, OverflowError):
        return nan


def _is_missing(cell: Cell, column: Column) -> bool:
    return cell is None or any(text in column.missing for text in _texts(cell))


def _texts(cell: Cell) -> tuple[str, ...]:
    """Write a cell as the schema may write it: a frame's 2.0 is the schema's 2."""
    if isinstance(cell, str):
        return (cell, cell.strip())
    if isinstance(cell, float) and cell.is_integer():
        return (str(int(cell)), str(cell))
    return (str(cell),)


def codes(cells: tuple[Cell, ...], column: Column) -> tuple[np.ndarray, int]:
    """Read categories as their places, MISSING or OTHER; count the unknown ones."""
    meaning = {cell: _code(cell, column) for cell in set(cells)}
    places = np.fromiter(map(meaning.__getitem__, cells), int, len(cells))
    return places, int(np.count_nonzero(places == OTHER))


def _code(cell: Cell, column: Column) -> int:
    if cell is None:
        return MISSING
    for text in _texts(cell):
        if text in column.spellings:
            return column.spellings[text]
        if text in column.missing:
            return MISSING
    return OTHER


def encode(block: Block, features: tuple[Column, ...]) -> tuple[np.ndarray, list[int]]:
    """Encode rows, shape ``(n, width)``; count each column's unreadable cells."""
    n, share = len(block[0]), STRETCH / sqrt(len(features) + 1)
    X, unreadable, at = np.zeros((n, width_of(features))), [], 0
    for cells, column in zip(block, features, strict=True):
        part = X[:, at : at + column.width]
        if column.kind == "number":
            values, count = numbers(cells, column)
            missing = np.isnan(values)
            part[:, 0] = np.where(missing, 0.0, values) * share
        else:
            values, count = codes(cells, column)
            missing = values == MISSING
            _corners(part, values, len(column.levels), share)
        if not column.required:
            part[missing, -1] = share
        unreadable.append(count)
        at += column.width
    X[:, -1] = share
    return clip(X, 1.0), unreadable


def _corners(part: np.ndarray, places: np.ndarray, K: int, share: float) -> None:
    """Write the corners of a simplex around 0, at distance ``share``."""
    known = np.flatnonzero(places >= 0)
    if K > 1:
        scale = share * sqrt(K / (K - 1))
        part[known, :K] = -scale / K
        part[known, places[known]] += scale


def width_of(features: tuple[Column, ...]) -> int:
    """Count the columns of the encoding, the constant one included."""
    return sum(column.width for column in features) + 1


def contributions(
    features: tuple[Column, ...], theta: np.ndarray
) -> list[dict[str, Any]]:
    """List what each column adds to the score of a row that was not clipped.

    A number's ``per_unit`` is for one unit of the table. A category's or a missing
    value's ``adds`` is what it adds; an unknown category adds 0.
    """
    share, at, rows = STRETCH / sqrt(len(features) + 1), 0, []
    for column in features:
        w, K = theta[at : at + column.width], len(column.levels)
        if column.kind == "number":
            slope = 2 * share * w[0] / (column.high - column.low)
            middle = (column.high + column.low) / 2
            rows.append({"column": column.name, "per_unit": slope, "from": middle})
        for k, level in enumerate(column.levels):
            adds = (
                share * sqrt(K / (K - 1)) * (w[k] - w[:K].mean(axis=0))
                if K > 1
                else 0 * w[0]
            )
            rows.append({"column": column.name, "level": level, "adds": adds})
        if not column.required:
            rows.append({"column": column.name, "missing": True, "adds": share * w[-1]})
        at += column.width
    return [*rows, {"column": "(constant)", "adds": share * theta[-1]}]
