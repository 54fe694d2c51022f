"""Rows of a table, block by block, so that no row can change another one.

A line of a CSV file is a record, whatever is in it: a quotation mark that is never
closed ends with its line, and a cell that holds a line end becomes two bad rows. An
error can come from the header alone, which is public. A cell that is not there is None.
"""

import csv
from collections.abc import Callable, Iterator
from decimal import Decimal
from itertools import islice
from operator import itemgetter
from pathlib import Path
from typing import Any

import numpy as np

from .schema import Schema

BLOCK = 20_000  # rows
Cell = str | float | None
Block = list[tuple[Cell, ...]]  # one tuple for each column


def blocks(
    table: Any,
    schema: Schema,
    names: list[str],
    progress: Callable[[int], None] | None = None,
) -> Iterator[Block]:
    """Yield the named columns of a CSV file, a Parquet file or a data frame."""
    if progress is not None and not callable(progress):
        raise TypeError(
            f"`progress` must be a function of the rows read, got {progress!r:.60}."
        )
    read = 0
    for block in _opened(table, schema, names):
        read += len(block[0])
        if progress is not None:
            progress(read)
        yield block


def _opened(table: Any, schema: Schema, names: list[str]) -> Iterator[Block]:
    if isinstance(table, str | Path):
        if not Path(table).is_file():
            raise ValueError(f"`table` must be a file, got {str(table)!r:.200}.")
        parquet = Path(table).suffix.lower() in (".parquet", ".pq")
        return _parquet(table, names) if parquet else _csv(table, schema, names)
    if hasattr(table, "columns") and hasattr(table, "__getitem__"):
        return _frame(table, names)
    raise TypeError(
        "`table` must be the path of a CSV or Parquet file, or a data frame of pandas "
        f"or polars, got an object of type {type(table).__name__}."
    )


def places_of(names: list[str], header: list[str]) -> list[int]:
    """Find the columns in a header; say which are absent or come twice."""
    absent = [name for name in names if name not in header]
    twice = [name for name in names if header.count(name) > 1]
    if absent or twice:
        one = len(header) == 1 and len(names) > 1
        hint = ' Is "dialect": {"delimiter": ";"} missing in the schema?' if one else ""
        raise ValueError(
            f"`table` must have each column of the schema once, got a header that "
            f"lacks {absent} and has twice {twice}.{hint}"
        )
    return [header.index(name) for name in names]


def _csv(path: Any, schema: Schema, names: list[str]) -> Iterator[Block]:
    with Path(path).open("rb") as lines:
        header = cells_of(next(lines, b""), schema)
        header = [name.removeprefix("\ufeff").strip().strip('"') for name in header]
        places = places_of(names, header)
        # One place more than a row may have, so that itemgetter returns a tuple.
        pick, width = itemgetter(*places, max(places) + 1), max(places) + 2
        while rows := [cells_of(line, schema) for line in islice(lines, BLOCK)]:
            picked = [pick(row + [None] * (width - len(row))) for row in rows]
            yield list(zip(*picked, strict=True))[:-1]


def cells_of(line: bytes, schema: Schema) -> list[Any]:
    """Split one line, by itself; an empty one has no cells."""
    text = line.decode(schema.encoding, "replace").rstrip("\r\n")
    if not text:
        return []
    if '"' not in text:
        return text.split(schema.delimiter)
    try:
        return next(csv.reader([text], delimiter=schema.delimiter), [])
    except csv.Error:  # a carriage return within the line, for example
        return []


def _parquet(path: Any, names: list[str]) -> Iterator[Block]:
    try:
        from pyarrow import parquet  # pyright: ignore[reportMissingImports]
    except ModuleNotFoundError:
        raise ModuleNotFoundError(
            "Parquet files need pyarrow. It comes with dpteach's extra `parquet`."
        ) from None
    with parquet.ParquetFile(path) as file:
        places_of(names, file.schema_arrow.names)
        for batch in file.iter_batches(BLOCK, columns=names):
            columns = {name: batch.column(name).to_pylist() for name in names}
            if batch.num_rows:
                yield [tuple(map(_cell, columns[name])) for name in names]


def _frame(table: Any, names: list[str]) -> Iterator[Block]:
    places_of(names, list(table.columns))
    columns = [np.asarray(table[name], dtype=object).tolist() for name in names]
    for at in range(0, len(table), BLOCK):
        yield [tuple(map(_cell, column[at : at + BLOCK])) for column in columns]


def _cell(value: Any) -> Cell:
    """Turn a typed value into a cell; what is no text and no number is not there."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value != value:
        return None
    if isinstance(value, str | int | float):
        return value
    return str(value) if isinstance(value, Decimal) else None
