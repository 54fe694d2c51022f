"""A line is a record: no line can change what another one says."""

import numpy as np
import pytest

from dpteach.tables import Schema, reading
from tests.tables.examples import HEADER, HOSTILE, ROWS, SCHEMA, Frame, write

NAMES = ["rooms", "area", "heating", "garden", "moved"]


def rows_of(path, schema=SCHEMA, names=NAMES):
    blocks = list(reading.blocks(path, schema, names))
    return [row for block in blocks for row in zip(*block, strict=True)]


def test_cells_come_in_the_order_that_is_asked_for(tmp_path):
    assert rows_of(write(tmp_path, ROWS))[2] == ("5", "200", "oil", "1", "yes")
    turned = NAMES[::-1]
    assert rows_of(write(tmp_path, ROWS), names=turned)[2] == (
        "yes", "1", "oil", "200", "5",
    )  # fmt: skip


@pytest.mark.parametrize("hostile", HOSTILE, ids=range(len(HOSTILE)))
@pytest.mark.parametrize("at", [0, 2, 4])
def test_a_hostile_line_is_one_row_and_moves_no_other(tmp_path, hostile, at):
    plain = rows_of(write(tmp_path, ROWS))
    changed = rows_of(write(tmp_path, [*ROWS[:at], hostile, *ROWS[at:]]))
    assert len(changed) == len(plain) + 1
    assert changed[:at] + changed[at + 1 :] == plain


def test_a_reader_of_whole_files_would_lose_rows(tmp_path):
    """Power: Python's own reader lets an open quote swallow all lines after it."""
    import csv

    path = write(tmp_path, [ROWS[0], b'"1,2,3', *ROWS[1:]])
    with path.open(newline="", encoding="utf-8") as file:
        assert len(list(csv.reader(file))) < 1 + len(ROWS)


@pytest.mark.parametrize("size", [1, 2, 3, 100])
def test_blocks_change_nothing(tmp_path, monkeypatch, size):
    path = write(tmp_path, ROWS)
    plain = rows_of(path)
    monkeypatch.setattr(reading, "BLOCK", size)
    assert rows_of(path) == plain


@pytest.mark.parametrize(
    "header",
    ["\ufeff" + HEADER, HEADER + "\r", " rooms , area,heating,garden,remarks,moved",
     '"rooms","area","heating","garden","remarks","moved"',
     '\ufeff"rooms","area","heating","garden","remarks","moved"\r'],
)  # fmt: skip
def test_a_header_may_have_marks_quotes_and_blanks(tmp_path, header):
    assert rows_of(write(tmp_path, ROWS, header=header)) == rows_of(
        write(tmp_path, ROWS)
    )


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "lacks"),
        (b"\n\n", "lacks"),
        (HEADER.replace("area", "aera").encode(), r"lacks \['area'\]"),
        ((HEADER + ",area").encode(), r"has twice \['area'\]"),
        (HEADER.replace(",", ";").encode(), "delimiter"),
        (HEADER.encode("utf-16"), "lacks .* as UTF-8"),
    ],
)
def test_a_header_that_does_not_fit_is_refused(tmp_path, content, message):
    path = tmp_path / "table.csv"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=message):
        rows_of(path)


def test_an_error_shows_no_cell_of_a_file_without_a_header(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("Ann Smith,secret,1,2,3,4\n")
    with pytest.raises(ValueError, match="lacks") as caught:
        rows_of(path)
    assert "Ann" not in str(caught.value)
    assert "secret" not in str(caught.value)


def test_only_a_header_is_a_table_of_no_rows(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text(HEADER)
    assert rows_of(path) == []


def test_an_encoding_and_a_delimiter_are_kept(tmp_path):
    schema = Schema.parse(
        {
            "schema": {"fields": [{"name": "é", "categories": ["ü", "ä"]}]},
            "encoding": "iso8859-1",
            "dialect": {"delimiter": ";"},
        }
    )
    path = tmp_path / "table.csv"
    path.write_bytes("x;é\n1;ü\n2;ä\n".encode("iso8859-1"))
    assert rows_of(path, schema, ["é"]) == [("ü",), ("ä",)]


def test_a_frame_has_typed_cells():
    frame = Frame(
        a=np.array([1.5, np.nan, 2.0]),
        b=np.array(["x", None, object()], dtype=object),
        c=np.array([True, False, True]),
        d=np.array([1, 2, 3]),
    )
    assert rows_of(frame, names=["a", "b", "c", "d"]) == [
        (1.5, "x", "true", 1), (None, None, "false", 2), (2.0, "\ufffd", "true", 3),
    ]  # fmt: skip
    with pytest.raises(ValueError, match="lacks"):
        rows_of(frame, names=["e"])


def test_progress_counts_rows(tmp_path, monkeypatch):
    monkeypatch.setattr(reading, "BLOCK", 3)
    counts = []
    list(reading.blocks(write(tmp_path, ROWS), SCHEMA, NAMES, counts.append))
    assert counts == [3, 4]


def test_what_is_no_table_is_refused():
    with pytest.raises(TypeError, match="`table` must be the path"):
        rows_of(5)


PLAIN = (b"3,80,gas,true,fine,no\r\n", b"n/a,,heat pump,false,,yes\n", b"1,2,3,4,5,6")


@pytest.mark.parametrize("last", range(3))
def test_plain_lines_are_split_at_once_as_one_by_one(last):
    lines = [*PLAIN[:2], PLAIN[last]]
    one_by_one = [cell for line in lines for cell in reading.cells_of(line, SCHEMA)]
    assert reading._plain_cells(lines, SCHEMA, 6) == one_by_one


@pytest.mark.parametrize("hostile", [*HOSTILE, b'1,2,3,4,"5",6', b"1,2,3,4,5,6\r\r"])
def test_lines_that_are_not_plain_are_not_split_at_once(hostile):
    """Or they say the same: a line of six cells may hold anything but a quote."""
    lines = [PLAIN[0], hostile + b"\n", PLAIN[1]]
    cells = reading._plain_cells(lines, SCHEMA, 6)
    rows = [reading.cells_of(line, SCHEMA) for line in lines]
    assert cells in ([], [cell for row in rows for cell in row])
    if b'"' in hostile or len(rows[1]) != 6:
        assert cells == []


def test_one_column_is_never_split_at_once():
    """An empty line has no cell there, where another reading would give it one."""
    assert reading._plain_cells([b"1\n", b"\n"], SCHEMA, 1) == []
