"""A preview says what a run will do and what to expect; it reads no data."""

import re

import pytest

from dpteach.tables import Schema, fit, preview
from dpteach.tables.encoding import width_of
from tests.tables.examples import SCHEMA, households, write

KIND = {"epsilon": 1.0, "n": 1500, "rng": 0}


@pytest.mark.parametrize("target", ["moved", "heating", "area"])
def test_it_says_the_width_and_the_numbers_of_the_run(tmp_path, target):
    said = preview(SCHEMA, target=target, **KIND)
    width = width_of(SCHEMA.features(target))
    assert said.startswith(f"4 columns become {width} of the encoding; 1500 rows")
    rows, _ = households(1500)
    model = fit(write(tmp_path, rows), SCHEMA, target=target, epsilon=1.0, rng=0)
    for name, value in model.plan.items():
        if isinstance(value, float | int):
            assert f"{name} {value:.4g}" in said


def test_more_budget_is_worth_more():
    """Mean accuracy over three drawn tables, beside the best possible one."""

    def shares(epsilon):
        said = preview(SCHEMA, target="heating", epsilon=epsilon, n=400, rng=1)
        pairs = re.findall(r"accuracy (\d\.\d+) \(best possible (\d\.\d+)\)", said)
        assert len(pairs) == 3
        return sum(float(a) / float(b) for a, b in pairs) / 3

    assert shares(0.3) < shares(8.0)
    assert shares(8.0) > 0.9


def test_few_rows_for_the_budget_are_refused():
    with pytest.raises(ValueError, match="`n`, the number of rows"):
        preview(SCHEMA, target="moved", epsilon=0.1, n=30, rng=0)


def test_a_large_table_is_drawn_in_part(monkeypatch):
    monkeypatch.setattr("dpteach.tables.previewing.MOST_ROWS", 300)
    said = preview(SCHEMA, target="moved", epsilon=1.0, n=10**6, rng=0)
    assert "on drawn tables of 300 rows (yours has more)" in said


def test_a_hostile_schema_is_refused_before_anything_is_drawn_or_read(tmp_path):
    many = {"name": "a", "categories": [str(k) for k in range(100_000)]}
    schema = Schema.parse({"fields": [many, {"name": "y", "categories": ["u", "v"]}]})
    known = {"target": "y", "epsilon": 1.0, "rng": 0}
    with pytest.raises(ValueError, match="`schema` must have at most 4000"):
        preview(schema, n=10**6, **known)
    with pytest.raises(ValueError, match="`schema` must have at most 4000"):
        fit(tmp_path / "nowhere.csv", schema, **known)


BAD_INPUT = {
    preview: {
        "schema": SCHEMA, "target": "heating", "epsilon": 1.0, "n": 200, "rng": 0,
        "delta": 1e-6,
    }
}  # fmt: skip
