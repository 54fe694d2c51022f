"""Tables and schemas of a hostile stranger, through the command and the page."""

import csv
import datetime
import io
import json
import warnings
from decimal import Decimal

import numpy as np
import pytest
import yaml

from dpteach.tables import Model, Schema, fit, page, predict, reading
from dpteach.tables.command import main
from dpteach.tables.encoding import MISSING, OTHER, codes, numbers
from dpteach.tables.models import _json
from tests.tables.examples import SCHEMA, SMALL, Frame, households, write

SECRET = "Zebra4711"  # stands in many cells, and must be in nothing that is said
GAPS = {"missingValues": ["", "n/a"]}


def number(name, low, high, **more):
    limits = {"minimum": low, "maximum": high}
    return {"name": name, "type": "number", "constraints": limits, **more}


def words(name, *levels):
    return {"name": name, "type": "string", "categories": list(levels)}


def clinic(rng, n):
    """Quoted commas, gaps, a byte-order mark, line ends of another system."""
    schema = {"fields": [
        number("age, years", 0, 100), words("ward", 'A "new"', "B, old", "C"),
        {"name": "smoker", "type": "boolean"}, words("back", "no", "yes"),
    ], **GAPS}  # fmt: skip
    rows = [
        [rng.choice(["n/a", "", "31", "70", " 55 "]),
         rng.choice(['A "new"', "B, old", "C", "", SECRET]),
         rng.choice(["true", "0", "TRUE", "perhaps"]), rng.choice(["no", "yes", ""])]
        for _ in range(n)
    ]  # fmt: skip
    text = io.StringIO()
    csv.writer(text).writerows([["age, years", "ward", "smoker", "back"], *rows])
    return schema, "back", b"\xef\xbb\xbf" + text.getvalue().encode()


def shop(rng, n):
    """Latin letters in one byte, semicolons, decimal commas, thousands; four labels."""
    oils = ("gut", "süß", "Bär", "x")
    schema = {
        "schema": {"fields": [
            number("Größe", 0, 2000, decimalChar=",", groupChar="."),
            number("Preis", -5, 5, decimalChar=","), words("Öl", *oils),
        ]},
        "encoding": "iso8859-1", "dialect": {"delimiter": ";"},
    }  # fmt: skip
    rows = [
        f"{1000 + k % 900:,};{rng.normal():.2f};{rng.choice(oils)}" for k in range(n)
    ]
    rows = [row.translate(str.maketrans(",.", ".,")) for row in rows]
    return schema, "Öl", "\r\n".join(["Größe;Preis;Öl", *rows]).encode("iso8859-1")


def rare(rng, n):
    """One row of 500 has the second label."""
    schema = {"fields": [number("x", -3, 3), {"name": "ill", "type": "boolean"}]}
    ill = np.arange(n) % 500 == 7
    rows = [f"{rng.normal(3.0 * s):.3f},{str(bool(s)).lower()}" for s in ill]
    return schema, "ill", "\n".join(["x,ill", *rows]).encode()


def wide(rng, n):
    """Three hundred columns, and more that nobody declared, two of one name."""
    names = [f"x{k}" for k in range(300)]
    required = [number(name, 0, 1) for name in names]
    for field in required:
        field["constraints"]["required"] = True
    schema = {"fields": [*required, {"name": "y", "type": "boolean"}]}
    rows = [
        ",".join([*(f"{v:.2f}" for v in x), "1" if x[0] > 0.5 else "0", SECRET, SECRET])
        for x in rng.random((n, 300))
    ]
    return schema, "y", "\n".join([",".join([*names, "y,more,more"]), *rows]).encode()


def junk(rng, n):
    """What is no number, what is a date, quotes that are never closed; a number."""
    schema = {"fields": [
        number("a", 0, 10), words("month", "2026-01-01", "2026-02-01"),
        number("cost", 0, 1000, missingValues=["-9"]),
    ]}  # fmt: skip
    kinds = (
        "1e400,2026-01-01,-9", "NaN,2026-02-01,500", "inf,2026-03-01,-inf",
        f'"{SECRET},2026-01-01,20', f'5,"2026-\n01-01",{SECRET}', "1,000,2026-01-01,7",
        "\0,\0,\0", "3,2026-01-01,300", "4,2026-02-01,400", "", "6", "9" * 5000,
    )  # fmt: skip
    kinds += ("3,2026-01-01,300", "8,2026-02-01,800") * 6
    rows = [kinds[k] for k in rng.integers(len(kinds), size=n)]
    return (
        schema,
        "cost",
        ("a,month,cost\n" + "\n".join(rows)).encode() + b"\n\xff,\xfe",
    )


TABLES = {clinic: 2500, shop: 2500, rare: 5000, wide: 1500, junk: 2500}


@pytest.fixture(scope="module", params=TABLES, ids=lambda each: each.__name__)
def stranger(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("stranger")
    rng, n = np.random.default_rng(0), TABLES[request.param]
    schema, target, content = request.param(rng, n)
    (folder / "table.csv").write_bytes(content)
    (folder / "schema.json").write_text(json.dumps(schema), "utf-8")
    n = content.count(b"\n") - content.endswith(b"\n")  # less the header
    return folder, target, n


def test_a_strangers_table_goes_through_the_command(stranger, capsys):
    folder, target, n = stranger
    table, schema, out = folder / "table.csv", folder / "schema.json", folder / "model"
    given = ["--target", target, "--epsilon", "8"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert main(["preview", str(schema), *given, "--rows", str(n)]) == 0
        assert main(["fit", str(table), str(schema), *given, "--out", str(out)]) == 0
        said = capsys.readouterr()
        assert main(["predict", str(out), str(table)]) == 0
    assert f"{n:,} rows read" in said.err
    rows = capsys.readouterr().out
    assert len(list(csv.reader(io.StringIO(rows)))) == n + 1
    kept = [path.read_text("utf-8") for path in out.iterdir()]
    assert not [text for text in (said.out, said.err, rows, *kept) if SECRET in text]


def test_a_strangers_table_goes_through_the_page(stranger, monkeypatch):
    folder, target, n = stranger
    monkeypatch.setattr(page, "TABLE", folder / "table.csv")
    asked = {
        "schema": (folder / "schema.json").read_text("utf-8"), "target": target,
        "epsilon": 8.0, "delta": None, "rows": n,
    }  # fmt: skip
    told = json.loads(page.answer(json.dumps({"action": "fit", **asked})))
    assert (told["error"], told["spent"]) == (None, True)
    assert SECRET not in json.dumps(told)
    model = told["files"]["model.json"]
    told = json.loads(page.answer(json.dumps({"action": "predict", "model": model})))
    assert told["error"] is None
    assert told["said"] == f"{n:,} predictions."


# ------------------------------------------------------- what is said shows no record


@pytest.mark.parametrize(
    "table",
    [f"rooms,area\n3,{SECRET}\n", f"rooms,area\r3,{SECRET}", "3," + SECRET * 1000],
)
def test_a_table_in_the_place_of_its_path_is_not_shown(table):
    with pytest.raises(ValueError, match="`table` must be a file") as caught:
        fit(table, SCHEMA, target="moved", epsilon=1.0, rng=0)
    assert SECRET not in str(caught.value)


def test_a_table_in_the_place_of_the_schema_is_not_shown(tmp_path):
    path = tmp_path / "table.csv"
    path.write_bytes(f"rooms,area\n3,{SECRET}\xff".encode("iso8859-1"))
    with pytest.raises(ValueError, match="no JSON") as caught:
        Schema.read(path)
    assert SECRET not in str(caught.value)
    assert "0xff" not in str(caught.value)


@pytest.mark.parametrize("header", ["rooms,area,heating,garden,x", "moved,moved,rooms"])
def test_a_header_without_the_target_or_with_two_shows_no_row(tmp_path, header):
    path = write(tmp_path, [SECRET] * 5, header=header)
    with pytest.raises(ValueError, match="header") as caught:
        fit(path, SCHEMA, target="moved", epsilon=1.0, rng=0)
    assert SECRET not in str(caught.value)


def test_a_folder_that_cannot_be_written_to_costs_nothing(
    tmp_path, monkeypatch, capsys
):
    def refused(**_):
        raise PermissionError("read-only")

    rows, _ = households(50)
    schema = tmp_path / "schema.json"
    schema.write_text(json.dumps(SCHEMA.source), "utf-8")
    monkeypatch.setattr("dpteach.tables.command.TemporaryFile", refused)
    unasked = lambda *_, **__: pytest.fail("spent")  # noqa: E731  (one line is clearer)
    monkeypatch.setattr("dpteach.tables.command.fit", unasked)
    given = ["--target", "moved", "--epsilon", "1", "--out", str(tmp_path / "out")]
    assert main(["fit", str(write(tmp_path, rows)), str(schema), *given]) == 2
    assert "read-only" in capsys.readouterr().err


# ------------------------------------------------------------------------ typed cells


def column_of(field):
    return Schema.parse({"fields": [field]}).columns[0]


def test_a_declared_missing_number_is_missing_in_a_frame_too():
    """Else −9 would be moved to the lower limit, as if somebody had it."""
    column = column_of(number("a", 0, 10, missingValues=["-9"]))
    for cells in ((-9, 5), (-9.0, 5.0), ("-9", "5")):
        values, unreadable = numbers(cells, column)
        assert np.isnan(values[0])
        assert values[1] == 0
        assert unreadable == 0


@pytest.mark.parametrize("levels", [[1, 2], [1.0, 2.0], ["1", "2"]])
def test_numbers_as_categories_are_read_however_they_are_written(levels):
    """A column of ints with a gap is written 1.0 and 2.0, by pandas for one."""
    column = column_of({"name": "g", "type": "integer", "categories": levels})
    cells = (1, 2.0, "2", "2.0", "", "2.5", None)
    assert codes(cells, column)[0].tolist() == [0, 1, 1, 1, MISSING, OTHER, MISSING]


class NAType:
    """As pandas calls what is missing."""


@pytest.mark.parametrize(
    "cell",
    [10**5000, datetime.date(2026, 1, 1), b"\xff", [1], {"a": 1}, object(), 1j,
     Decimal("sNaN"), np.longdouble(7)],
    ids=lambda cell: type(cell).__name__,
)  # fmt: skip
def test_no_typed_cell_raises_and_what_is_none_is_counted(cell):
    cells = np.empty(3, dtype=object)
    cells[:] = [cell, NAType(), 2]
    frame = Frame(a=cells)
    ((block,),) = reading.blocks(frame, SCHEMA, ["a"])
    column = column_of(number("a", 0, 10, missingValues=["", "n/a"]))
    values, unreadable = numbers(block, column)
    known = isinstance(cell, np.longdouble)
    assert np.isnan(values[0]) != known
    assert np.isnan(values[1])
    assert unreadable == (0 if known else 1)
    assert codes(block, column_of(words("a", "u", "v")))[1] == 2  # and the 2


def test_times_are_no_numbers():
    """Nanoseconds since 1970 would all be moved to the upper limit."""
    frame = Frame(a=np.array(["2026-01-01", "NaT"], dtype="datetime64[ns]"))
    ((block,),) = reading.blocks(frame, SCHEMA, ["a"])
    values, unreadable = numbers(block, column_of(number("a", 0, 10)))
    assert np.isnan(values).all()
    assert unreadable == 1


def test_a_lazy_frame_is_told_what_to_call():
    class Lazy:
        columns = ("a",)

        def __getitem__(self, name):
            raise AssertionError(name)

        def collect(self):
            raise AssertionError

    with pytest.raises(TypeError, match=r"collect\(\)"):
        reading.blocks(Lazy(), SCHEMA, ["a"]).__next__()
    with pytest.raises(TypeError, match=r"pandas.DataFrame\(table"):
        reading.blocks(np.zeros((3, 2)), SCHEMA, ["a"]).__next__()


# ------------------------------------------------------------------------- schemas


@pytest.mark.parametrize(
    ("field", "message"),
    [
        (number("a", 0, 1, decimalChar=",", groupChar=","), "differ"),
        (number("a", 0, 1, decimalChar=",", groupChar=" ,"), "differ"),
        (number("a", 0, 1, decimalChar="5"), "no digit"),
        (number("a", 0, 1, groupChar="0"), "no digit"),
        (number("a", 0, 1, groupChar="e"), "no digit"),
        (number("a", 0, 1, decimalChar="-"), "no digit"),
        (number("a", 0, 5e-324), "`minimum` below"),
        (number("a", 0, 1, **{"dpteach:use": "ignore"}), '"ignored" or absent'),
        (words("a", "x", "\ud800"), "written as JSON"),
        (number("a", 0, 1, title={1, 2}), "written as JSON"),
        (number("a", 0, 1, title=datetime.date(2026, 1, 1)), "written as JSON"),
    ],
    ids=str,
)
def test_a_hostile_field_is_refused_before_anything_is_spent(field, message):
    with pytest.raises(ValueError, match=message):
        Schema.parse({"fields": [field]})


@pytest.mark.parametrize(
    "dialect",
    [{"quoteChar": "'"}, {"header": False}, {"doubleQuote": False},
     {"skipInitialSpace": True}, {"escapeChar": "\\"}, {"commentChar": "#"}],
    ids=str,
)  # fmt: skip
def test_a_dialect_that_would_be_ignored_is_refused(dialect):
    (name,) = dialect
    with pytest.raises(ValueError, match=name):
        Schema.parse({"fields": [number("a", 0, 1)], "dialect": dialect})
    usual = {"quoteChar": '"', "header": True, "delimiter": ";", "doubleQuote": True}
    Schema.parse({"fields": [number("a", 0, 1)], "dialect": usual})


def test_a_deep_schema_and_an_odd_encoding_are_refused_in_words():
    deep = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(ValueError, match="written as JSON"):
        Schema.parse({"fields": [number("a", 0, 1)], "title": deep})
    with pytest.raises(ValueError, match="`encoding`"):
        Schema.parse({"fields": [number("a", 0, 1)], "encoding": "utf-8\0"})


def test_ten_thousand_columns_are_looked_up_at_once():
    """Each column was once compared with all others."""
    import time

    start = time.process_time()
    fields = [number(f"x{k}", 0, 1) for k in range(20_000)]
    Schema.parse({"fields": fields})
    names = [field["name"] for field in fields]
    assert reading.places_of(names[:4000], names)[-1] == 3999
    assert time.process_time() - start < 5


# -------------------------------------------------------------------------- folders


@pytest.mark.parametrize(
    "change",
    [{"weights": [[0.0] * 7] * 12}, {"weights": [[[0.0]]] * 12},
     {"event": "-" * 100_000 + "1"}, {"event": "(" * 500}],
    ids=["seven labels", "three axes", "deep", "open"],
)  # fmt: skip
def test_weights_that_do_not_fit_the_labels_are_refused(tmp_path, change):
    """Else the fault would show at some row, in Python's words."""
    model = fit(SMALL, SCHEMA, target="moved", epsilon=8.0, rng=0)
    model.save(tmp_path)
    path = tmp_path / "model.json"
    kept = json.loads(path.read_text("utf-8"))
    path.write_text(json.dumps(kept | change), "utf-8")
    with pytest.raises(ValueError, match="`folder` must hold"):
        Model.load(tmp_path)
    path.write_text("[" * 100_000, "utf-8")
    with pytest.raises(ValueError, match="`folder` must hold"):
        Model.load(tmp_path)


def test_a_registry_entry_holds_any_text(tmp_path):
    odd = 'a\x85b\u2028c\x7f\ufeff\uffff: {x} \U0001f98a "q" \n#'
    source = {**SCHEMA.source, "privacy": {"privacyUnit": odd}}
    model = fit(SMALL, Schema.parse(source), target="moved", epsilon=8.0, rng=0)
    model.save(tmp_path)
    entry = yaml.safe_load((tmp_path / "registry.yaml").read_text("utf-8"))
    assert entry["deployment"]["privacy_loss"]["privacy_unit"] == odd
    assert predict(model, SMALL)[0].shape == (200,)
    assert json.loads(_json(model._kept()))["schema"] == source
