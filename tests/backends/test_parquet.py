"""Parquet files and tables of pyarrow, of every kind of column: no value raises.

Beside the array libraries, because pyarrow is an extra, too. It must be here.
"""

import numpy as np
import pyarrow as pa
from pyarrow import parquet

from dpteach.tables import Schema, reading
from dpteach.tables.encoding import numbers
from tests.tables.examples import SCHEMA


def test_parquet_of_any_kind_raises_at_no_value(tmp_path):
    broken = pa.array([b"gas", b"\xff", None]).cast(pa.binary())
    broken = pa.Array.from_buffers(pa.string(), 3, broken.buffers())
    table = pa.table({
        "text": broken, "word": pa.array(["gas", "oil", None]).dictionary_encode(),
        "at": pa.array([1, 2**62, None], pa.timestamp("ns")),
        "day": pa.array([1, 2**30, None], pa.date32()), "n": pa.array([1, 2, None]),
        "list": [[1], [2], None], "yes": [True, False, None],
        "view": pa.array(["gas", "oil", None], pa.string_view()),
    })  # fmt: skip
    path = tmp_path / "table.parquet"
    parquet.write_table(table, path)
    limits = {"minimum": 0, "maximum": 9}
    field = {"name": "a", "type": "number", "constraints": limits}
    column = Schema.parse({"fields": [field]}).columns[0]
    for source in (path, table):
        (block,) = reading.blocks(source, SCHEMA, table.column_names)
        cells = dict(zip(table.column_names, block, strict=True))
        assert cells["word"] == cells["view"] == ("gas", "oil", None)
        assert cells["text"] == ("gas", "\ufffd", None)
        assert cells["n"] == (1, 2, None)
        assert cells["yes"] == ("true", "false", None)
        for name in ("at", "day", "list"):
            assert cells[name][2] is None
            values, unreadable = numbers(cells[name], column)
            assert np.isnan(values).all()
            assert unreadable == 2
