"""Rows of a table, block by block, so that no row can change another one.

A line of a CSV file is a record, whatever is in it: a quotation mark that is never
closed ends with its line, and a cell that holds a line end becomes two bad rows. An
error can come from the header alone, which is public. A cell that is not there is None.
"""

import csv
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Callable, Iterator
from decimal import Decimal
from itertools import islice
from operator import itemgetter
from pathlib import Path
from typing import Any

import numpy as np

from .schema import Schema

BLOCK = 1_000  # rows: what is made of them stays in a processor's cache
UNREADABLE = "\ufffd"  # what stands for a byte that is no text, too
MOST_BITS = 1024  # of an int: a float holds no longer one
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
        if not _is_file(table):
            raise ValueError(f"`table` must be a file, got {_named(str(table))}.")
        parquet = Path(table).suffix.lower() in (".parquet", ".pq")
        return _parquet(table, names) if parquet else _csv(table, schema, names)
    if all(hasattr(table, part) for part in ("columns", "__getitem__", "__len__")):
        return _frame(table, names)
    line = "pandas.DataFrame(table, columns=[…]) makes one of an array"
    line = "call its `collect()`" if hasattr(table, "collect") else line
    raise TypeError(
        "`table` must be the path of a CSV or Parquet file, or a data frame of pandas, "
        f"polars or pyarrow, got an object of type {type(table).__name__}; {line}."
    )


def _is_file(path: str | Path) -> bool:
    try:
        return Path(path).is_file()
    except OSError:  # a name that is too long
        return False


def _named(path: str) -> str:
    """Show a path; what cannot be one may be the table itself, and is not shown."""
    if len(path) > 1000 or len(path.splitlines()) > 1:
        return "a text that is no path. Write a table into a file first"
    return f"{path!r:.200}"


def places_of(names: list[str], header: list[str]) -> list[int]:
    """Find the columns in a header; say which are absent or come twice."""
    times = Counter(header)
    absent = [name for name in names if not times[name]]
    twice = [name for name in names if times[name] > 1]
    if absent or twice:
        one = len(header) == 1 and len(names) > 1
        hint = ' Is "dialect": {"delimiter": ";"} missing in the schema?' if one else ""
        if any(UNREADABLE in name or "\0" in name for name in header):
            hint = " The header isn't in the schema's encoding: save the file as UTF-8."
        raise ValueError(
            f"`table` must have each column of the schema once, got a header that "
            f"lacks {absent} and has twice {twice}.{hint}"
        )
    return [header.index(name) for name in names]


def _csv(path: Any, schema: Schema, names: list[str]) -> Iterator[Block]:
    with Path(path).open("rb") as lines:
        header = cells_of(next(lines, b"").removeprefix(BOM_UTF8), schema)
        header = [name.strip().strip('"') for name in header]
        places = places_of(names, header)
        # One place more than a row may have, so that itemgetter returns a tuple.
        pick, width = itemgetter(*places, max(places) + 1), max(places) + 2
        while block := list(islice(lines, BLOCK)):
            if cells := _plain_cells(block, schema, len(header)):
                yield [tuple(cells[place :: len(header)]) for place in places]
                continue
            rows = [cells_of(line, schema) for line in block]
            picked = [pick(row + [None] * (width - len(row))) for row in rows]
            yield list(zip(*picked, strict=True))[:-1]


def _plain_cells(lines: list[bytes], schema: Schema, width: int) -> list[str]:
    """Split lines at once, as ``cells_of`` does one by one; [] if any is not plain.

    A plain line has as many cells as the header, and neither quotes nor a carriage
    return within.
    """
    comma = schema.delimiter
    try:
        text = b"".join(lines).decode(schema.encoding).replace("\r\n", "\n")
    except UnicodeDecodeError:
        return []
    rows = text.removesuffix("\n").split("\n")
    if width < 2 or '"' in text or "\r" in text:
        return []
    if any(row.count(comma) != width - 1 for row in rows):
        return []
    return comma.join(rows).split(comma)


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
            columns = {name: _listed(batch.column(name)) for name in names}
            if batch.num_rows:
                yield [tuple(map(_cell, columns[name])) for name in names]


def _listed(column: Any) -> list[Any]:
    """List a column of pyarrow; no value decides whether that works."""
    from pyarrow import binary, binary_view, large_binary, types  # pyright: ignore[reportMissingImports]

    if types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    kind = column.type
    for is_text, as_bytes in (
        (types.is_string, binary),
        (types.is_large_string, large_binary),
        (types.is_string_view, binary_view),
    ):
        if is_text(kind):  # bytes may be no text, too
            cells = column.cast(as_bytes()).to_pylist()
            return [c if c is None else c.decode("utf-8", "replace") for c in cells]
    plain = (types.is_integer, types.is_floating, types.is_boolean, types.is_decimal)
    if any(is_one(kind) for is_one in plain):
        return column.to_pylist()
    return [None if gap else UNREADABLE for gap in column.is_null().to_pylist()]


def _frame(table: Any, names: list[str]) -> Iterator[Block]:
    arrow = hasattr(table, "column_names")
    places_of(names, list(table.column_names if arrow else table.columns))
    columns = [(_listed if arrow else _column)(table[name]) for name in names]
    for at in range(0, len(table), BLOCK):
        yield [tuple(map(_cell, column[at : at + BLOCK])) for column in columns]


def _column(column: Any) -> list[Any]:
    cells = np.asarray(column)
    if cells.dtype.kind in "mM":  # times, which would become plain ints
        return [None if gap else UNREADABLE for gap in np.isnat(cells).tolist()]
    return np.asarray(column, dtype=object).tolist()


def _cell(value: Any) -> Cell:
    """Turn a typed value into a cell: None if there is no value.

    A date, a list or bytes are as unreadable as a word in the place of a number.
    """
    if type(value) is str or (type(value) is float and value == value):
        return value  # most cells, at once
    if isinstance(value, np.generic):
        value = float(value) if isinstance(value, np.floating) else value.item()
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return None
    if isinstance(value, float) and value != value:
        return None
    if isinstance(value, int) and value.bit_length() > MOST_BITS:
        return UNREADABLE
    if isinstance(value, str | int | float):
        return value
    return str(value) if isinstance(value, Decimal) else UNREADABLE
