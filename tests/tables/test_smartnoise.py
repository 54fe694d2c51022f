"""SmartNoise's metadata become a schema; what that format cannot say is asked for."""

import pytest
import yaml

from dpteach.tables.smartnoise import smartnoise_schema

COLUMNS = {
    "id": {"type": "int", "private_id": True},
    "age": {"type": "int", "lower": 0, "upper": 100},
    "income": {"type": "float", "lower": 0, "upper": 1e6, "missing_value": -1},
    "married": {"type": "boolean", "nullable": False},
    "sex": {"type": "string"},
    "note": {"type": "string"},
}
TABLE = {"max_ids": 4, "row_privacy": False, **COLUMNS}


def write(folder, meta):
    path = folder / "meta.yaml"
    path.write_text(yaml.safe_dump(meta, sort_keys=False), "utf-8")
    return path


def test_everything_that_is_said_is_read(tmp_path):
    path = write(tmp_path, {"": {"s": {"t": TABLE}, "engine": "csv"}})
    schema = smartnoise_schema(path, categories={"sex": "FM"}, ignored=["note"])
    ident, age, income, married, sex, note = schema.columns
    assert ident.kind == note.kind == "ignored"
    assert (age.low, age.high, age.required) == (0, 100, False)
    assert income.missing == {"", "-1"}
    assert married.required
    assert sex.levels == ("F", "M")
    assert (schema.unit, schema.contributions) == ("all rows of one id", 4)


def test_without_an_identifier_a_row_is_the_unit(tmp_path):
    table = {"age": COLUMNS["age"], "row_privacy": True, "max_ids": 7}
    schema = smartnoise_schema(write(tmp_path, {"": {"s": {"t": table}}}))
    assert (schema.unit, schema.contributions) == ("one row", 1)


def test_what_is_left_open_is_named(tmp_path):
    path = write(tmp_path, {"": {"s": {"t": TABLE}}})
    with pytest.raises(ValueError, match="sex: of type string"):
        smartnoise_schema(path)
    with pytest.raises(ValueError, match=r"got \['gender'\]"):
        smartnoise_schema(path, categories={"gender": ["F", "M"]})
    open_ended = {"": {"s": {"t": {"age": {"type": "int", "lower": 0}}}}}
    with pytest.raises(ValueError, match="age: a number needs"):
        smartnoise_schema(write(tmp_path, open_ended))


@pytest.mark.parametrize(
    "meta",
    [None, 5, [], {}, {"": {}}, {"": {"s": {"t": {}, "u": {}}}}, {"": {"s": {"t": 5}}}],
)
def test_anything_but_one_table_is_refused(tmp_path, meta):
    with pytest.raises(ValueError, match=r"`path` must hold|list `fields`"):
        smartnoise_schema(write(tmp_path, meta))


@pytest.mark.parametrize(
    "text",
    [b"a: [1", b"!!python/object/apply:os.getcwd []", b"\xff\xfe", b"[" * 5000],
    ids=["open", "code", "bytes", "deep"],
)
def test_what_is_no_plain_yaml_is_refused_in_words(tmp_path, text):
    path = tmp_path / "meta.yaml"
    path.write_bytes(text)
    with pytest.raises(ValueError, match="plain YAML"):
        smartnoise_schema(path)


def test_limits_in_powers_of_ten_are_numbers(tmp_path):
    """PyYAML reads 1e5 as a text."""
    path = tmp_path / "meta.yaml"
    columns = "a: {type: float, lower: 0, upper: 1e5}, b: {type: boolean}"
    path.write_text(f"c: {{s: {{t: {{{columns}}}}}}}")
    assert smartnoise_schema(path).columns[0].high == 1e5
