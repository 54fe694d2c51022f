"""A schema: what it says is read, and what it leaves open is refused in words."""

import json
import math

import pytest

from dpteach.tables import Schema
from tests.tables.examples import SCHEMA, SOURCE


def field(**more):
    return {"name": "a", **more}


def parse(*fields, **more):
    return Schema.parse({"fields": list(fields), **more})


LIMITS = {"constraints": {"minimum": 0, "maximum": 1}}


def test_every_declaration_is_read():
    rooms, area, heating, garden, remarks, moved = SCHEMA.columns
    assert (rooms.kind, rooms.low, rooms.high) == ("number", 1.0, 12.0)
    assert rooms.missing == {"", "n/a"}
    assert not area.required
    assert heating.levels == ("gas", "oil", "heat pump")
    assert garden.spellings["TRUE"] == garden.spellings["1"] == 1
    assert garden.levels == ("false", "true")
    assert remarks.kind == "ignored"
    assert moved.required
    assert (SCHEMA.unit, SCHEMA.contributions) == ("one household", 1)
    assert [c.name for c in SCHEMA.features("moved")] == [
        "rooms", "area", "heating", "garden",
    ]  # fmt: skip


def test_a_resource_says_how_the_file_is_written():
    resource = {
        "schema": SOURCE, "encoding": "iso8859-1", "dialect": {"delimiter": ";"},
    }  # fmt: skip
    schema = Schema.parse(resource)
    assert (schema.delimiter, schema.encoding) == (";", "iso8859-1")
    assert schema.columns == SCHEMA.columns


def test_a_column_has_its_own_missing_values_and_signs():
    (number,) = parse(
        field(
            type="number",
            missingValues=["-9"],
            decimalChar=",",
            groupChar=".",
            **LIMITS,
        )
    ).columns
    assert (number.missing, number.decimal, number.group) == ({"-9"}, ",", ".")
    enum = field(type="integer", constraints={"enum": [1, 2, 3]})
    assert parse(enum).columns[0].levels == ("1", "2", "3")
    # what is a category is not missing
    words = field(categories=["", "x"])
    assert parse(words).columns[0].missing == set()


@pytest.mark.parametrize(
    "limits",
    [
        {"minimum": "-1", "maximum": "1e5"},
        {"exclusiveMinimum": -1, "exclusiveMaximum": 1e5},
        {"minimum": -1, "exclusiveMaximum": "100000"},
    ],
)
def test_limits_may_be_texts_or_excluded(limits):
    """As the standard writes them; and 1e5 is a text in YAML."""
    column = parse(field(type="number", constraints=limits)).columns[0]
    assert (column.low, column.high) == (-1.0, 1e5)


@pytest.mark.parametrize(
    ("declared", "message"),
    [
        (field(type="number"), "a number needs `minimum`"),
        (field(type="integer", constraints={"minimum": 3, "maximum": 3}), "needs"),
        (field(type="number", constraints={"minimum": 0}), "needs `minimum`"),
        (
            field(type="number", constraints={"minimum": 0, "maximum": math.nan}),
            "needs",
        ),
        (field(type="number", constraints={"minimum": -1e999, "maximum": 1}), "needs"),
        (field(type="number", constraints={"minimum": 0, "maximum": 10**400}), "needs"),
        (field(type="number", constraints={"minimum": True, "maximum": 2}), "needs"),
        (field(type="number", constraints={"minimum": "0", "maximum": "x"}), "needs"),
        (field(type="number", constraints={"minimum": "0", "maximum": "inf"}), "needs"),
        (field(type="string"), "neither limits nor categories"),
        (field(type="date", **LIMITS), "neither limits nor categories"),
        (field(), "neither limits nor categories"),
        (field(categories=[]), "empty"),
        (field(categories=["x", "x"]), "twice"),
        (field(categories="xyz"), "are lists"),
        (field(categories=[{"label": "x"}]), "no text"),
        (field(type="integer", categories=["1", "two"]), "a category is a word"),
        (field(type="boolean", trueValues=["y"], falseValues=["y"]), "overlap"),
        (field(type="number", missingValues=5, **LIMITS), "are lists"),
        (field(type="number", decimalChar=", ", **LIMITS), "one character"),
        (field(type="number", bareNumber=False, **LIMITS), "bareNumber"),
        (field(type="number", constraints=[0, 1]), "`constraints` is no object"),
        ({"type": "number"}, "no object with a `name`"),
        ("a", "no object with a `name`"),
        (None, "no object with a `name`"),
    ],
)
def test_what_a_field_leaves_open_is_refused(declared, message):
    with pytest.raises(ValueError, match=message):
        parse(declared)


def test_all_faults_are_named_at_once():
    with pytest.raises(ValueError, match="leaves open") as caught:
        parse(field(type="number"), {"name": "b", "type": "string"}, field(**LIMITS))
    assert "a: a number" in str(caught.value)
    assert "b: of type string" in str(caught.value)


@pytest.mark.parametrize("source", [None, [], {}, {"fields": []}, {"fields": {}}, "x"])
def test_what_is_no_schema_is_refused(source):
    with pytest.raises(ValueError, match="list `fields`"):
        Schema.parse(source)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"privacy": []}, "`privacy` is an object"),
        ({"privacy": {"privacyUnit": " "}}, "`privacyUnit` is a text"),
        ({"privacy": {"maxContributions": 0}}, "maxContributions"),
        ({"privacy": {"maxContributions": 1.5}}, "maxContributions"),
        ({"dialect": {"delimiter": '"'}}, "`delimiter` is one character"),
        ({"dialect": {"delimiter": ", "}}, "`delimiter` is one character"),
        ({"dialect": 5}, "`delimiter` is one character"),
        ({"encoding": "utf-16"}, "keep a line end as one byte"),
        ({"encoding": "utf-7"}, "keep a line end as one byte"),
        ({"encoding": "cp037"}, "keep a line end as one byte"),
        ({"encoding": "no such"}, "keep a line end as one byte"),
        ({"encoding": 5}, "keep a line end as one byte"),
    ],
)
def test_a_table_that_cannot_be_read_line_by_line_is_refused(more, message):
    with pytest.raises((ValueError, TypeError), match=message):
        parse(field(type="number", **LIMITS), **more)


def test_two_columns_of_one_name_are_refused():
    with pytest.raises(ValueError, match="a: declared twice"):
        parse(field(type="number", **LIMITS), field(categories=["x", "y"]))


def test_a_target_must_be_usable():
    with pytest.raises(ValueError, match="`target` must be a column"):
        SCHEMA.features("remarks")
    with pytest.raises(ValueError, match="`target` must be a column"):
        SCHEMA.features("moved ")
    one = parse(field(categories=["x"]), {"name": "b", "type": "number", **LIMITS})
    with pytest.raises(ValueError, match="at least two categories"):
        one.features("a")
    with pytest.raises(ValueError, match="beside the target"):
        parse(field(type="number", **LIMITS)).features("a")


def test_a_file_is_read_or_said_to_be_no_json(tmp_path):
    path = tmp_path / "schema.json"
    path.write_text("\ufeff" + json.dumps(SOURCE), "utf-8")
    assert Schema.read(path) == SCHEMA
    for bad in (b"{", b"\xff\xfe{", b"[" * 100_000):
        path.write_bytes(bad)
        with pytest.raises(ValueError, match="no JSON"):
            Schema.read(path)
