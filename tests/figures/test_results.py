"""Stored results say how they were made, and bear a seal; what is stale is noticed."""

import json
import re
from types import ModuleType

import experiments
import pytest
import sealed_records
from experiments import all_stored, inputs, renew
from fingerprint import fingerprint

from dpteach import arrays, problem
from dpteach.figures.results import Stored, read, seal, stored
from tests.public import PACKAGE

STORED = all_stored()


@pytest.mark.parametrize("name", STORED)
def test_a_result_says_how_it_was_made(name):
    result = STORED[name]
    record = read(result.file)
    assert record["command"] == f"{experiments.COMMAND} NAMES={name}"
    assert record["seed"] == result.arguments["seed"]
    assert set(record["versions"]) == {"python", "numpy", "scipy", "dpteach"}
    assert record["date"][:2] == "20"
    assert re.fullmatch(r"[0-9a-f]{40}(, with changes)?", record["commit"])
    assert "cores" in record["machine"]
    assert result.uses
    assert all(isinstance(module, ModuleType) for module in result.uses)


def test_no_file_is_left_over():
    found = {file.stem for file in PACKAGE.glob("chapters/*/results/*.json")}
    assert found == set(STORED)


def noise(seed, scale):
    """Draw a number."""
    return {"value": seed * scale, "length": len(arrays.as_rng(1).normal(size=2))}


def other_noise(seed, scale):
    """Draw another number."""
    return {"value": seed + scale}


def test_a_result_is_stale_when_code_or_arguments_change(tmp_path):
    one = Stored(noise, (arrays,), {"seed": 2, "scale": 3})
    one.file = tmp_path / "results" / "noise.json"
    renew(one)
    assert one()["value"] == 6
    assert one.record["inputs"] == inputs(one)
    assert inputs(Stored(noise, (arrays,), {"seed": 2, "scale": 4})) != inputs(one)
    assert inputs(Stored(other_noise, (arrays,), one.arguments)) != inputs(one)


def test_the_helpers_of_all_experiments_count_though_no_result_names_them():
    """`clip`, by which DP-FTRL clips, and the sums of `Problem`."""
    assert (arrays, problem) == experiments.GROUND
    one = Stored(noise, (pytest,), {"seed": 2, "scale": 3})
    assert any(path.name == "arrays.py" for path in experiments.files(one))


def refused(file, text):
    file.write_text(text, "utf-8")
    with pytest.raises(ValueError, match=r"was (cut or )?edited") as error:
        read(file)
    assert str(file) in str(error.value)
    return str(error.value)


def test_a_seal_shows_that_a_value_was_edited(tmp_path):
    """Each way in which a file has been spoiled unnoticed: a number, NaN, a cut."""
    file = tmp_path / "results" / "risk.json"
    record = {"seed": 0, "inputs": "ab", "values": {"mean": [1.08, (2.0, 3.0)], "n": 4}}
    sealed_records.write(file, record)
    text = file.read_text("utf-8")
    assert read(file)["values"] == {"mean": [1.08, [2.0, 3.0]], "n": 4}
    assert not list(file.parent.glob("*.json.*"))  # nothing is left beside
    for old, new in (("1.08", "1.62"), ('"seed": 0', '"seed": 1'), ("ab", "cd")):
        assert "its seal does not fit" in refused(file, text.replace(old, new))
    assert "not JSON compliant" in refused(file, text.replace("1.08", "NaN"))
    assert "was cut" in refused(file, text[: len(text) // 2])
    assert "seal" in refused(file, json.dumps(record))  # none at all
    refused(file, "")


def test_what_json_cannot_hold_is_not_written(tmp_path):
    sealed_records.write(tmp_path / "a.json", {"values": 1.0})
    with pytest.raises(ValueError, match="not JSON compliant"):
        sealed_records.write(tmp_path / "a.json", {"values": float("nan")})
    assert read(tmp_path / "a.json")["values"] == 1.0


def test_a_run_that_is_cut_off_leaves_the_old_record(tmp_path, monkeypatch):
    file = tmp_path / "a.json"
    sealed_records.write(file, {"values": 1.0})
    monkeypatch.setattr("pathlib.Path.replace", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        sealed_records.write(file, {"values": 2.0})
    assert read(file)["values"] == 1.0
    assert [path.name for path in tmp_path.iterdir()] == ["a.json"]


def test_lists_of_numbers_stand_on_one_line_and_texts_stay_as_they_are(tmp_path):
    long = ["a  [ b", "c ]" + 80 * "x"]
    record = {"a": [1, "b  c", None], "b": long, "c": [[1.5, 2], []]}
    sealed_records.write(tmp_path / "a.json", record)
    assert read(tmp_path / "a.json") == {**record, "sha256": seal(record)}
    assert ' "a": [1, "b  c", null],\n' in (tmp_path / "a.json").read_text("utf-8")


MODULE = '''"""Say."""
import numpy as np
from {where} import helper
LIMIT = 3

def used(x):
    """Say."""
    if x > LIMIT:
        raise ValueError("`x` must be small.")
    return helper(x) + 1

def unused(x):
    return x
'''
HELPER = "def helper(x):\n    return 2 * x\n"


def _stamp(folder, module, helper=HELPER, names=("a", "b"), refusals=True):
    folder.mkdir()
    files = [folder / f"{name}.py" for name in names]
    files[0].write_text(module.format(where=f".{names[1]}"), "utf-8")
    files[1].write_text(helper, "utf-8")
    return fingerprint([(files[0], "used")], within=[folder], refusals=refusals)


def test_where_code_lies_and_what_it_says_do_not_count(tmp_path):
    one = _stamp(tmp_path / "1", MODULE)
    assert _stamp(tmp_path / "2", MODULE, names=("moved", "renamed")) == one
    for k, (old, new) in enumerate(
        [
            ('"""Say."""', '"""Say more,\n    on two lines."""'),
            ("+ 1", "+ 1  # why"),
            ("`x` must be small.", "`x` must be smaller."),
            ("return x\n", "return 2 * x\n"),
            ("import helper", "import helper as double"),
        ]
    ):
        changed = MODULE.replace(old, new)
        if "double" in new:
            changed = changed.replace("return helper", "return double")
        assert changed != MODULE
        assert _stamp(tmp_path / f"same{k}", changed) == one


def test_code_that_is_used_counts(tmp_path):
    one = _stamp(tmp_path / "1", MODULE)
    for k, (old, new) in enumerate(
        [("+ 1", "+ 2"), ("LIMIT = 3", "LIMIT = 4"), ("x > LIMIT", "x >= LIMIT")]
    ):
        assert _stamp(tmp_path / f"other{k}", MODULE.replace(old, new)) != one
    assert _stamp(tmp_path / "helper", MODULE, HELPER.replace("2", "3")) != one


def test_what_only_refuses_does_not_count_for_a_value(tmp_path):
    """A limit, a check, a loop of checks; but not what goes on with another value."""
    one = _stamp(tmp_path / "1", MODULE, refusals=False)
    refusal = '    if x > LIMIT:\n        raise ValueError("`x` must be small.")\n'
    assert refusal in MODULE
    for k, other in enumerate(
        [
            "",
            refusal.replace(">", ">="),
            refusal + "    checks.positive(x=x)\n",
            refusal + "    x = checks.count(x=x)\n",
            "    for y in (x, 1):\n        if y > 3:\n            raise TypeError(y)\n",
        ]
    ):
        changed = MODULE.replace(refusal, other)
        assert _stamp(tmp_path / f"same{k}", changed, refusals=False) == one
        assert k == 0 or _stamp(tmp_path / f"counts{k}", changed) != one
    for k, other in enumerate(
        [
            "    if x > LIMIT:\n        x = LIMIT\n",
            refusal + "    else:\n        x = 2\n",
            refusal.replace("ValueError", "StopIteration"),
            "    x = numbers.count(x=x)\n",
        ]
    ):
        changed = MODULE.replace(refusal, other)
        assert _stamp(tmp_path / f"other{k}", changed, refusals=False) != one


def test_what_was_never_computed_is_told():
    with pytest.raises(FileNotFoundError, match="never computed"):
        Stored(noise, (), {"seed": 0, "scale": 1})()
    with pytest.raises(ValueError, match="`seed` must be among"):
        stored(uses=(), scale=1)
    with pytest.raises(ValueError, match="`uses` must name the modules"):
        stored(uses=(), seed=1)


def test_one_value_is_computed_again():
    """The first entries of the stored table, from the same code and seed."""
    from dpteach.chapters.dp_sgd.risk import risk_of_dp_sgd

    given = risk_of_dp_sgd.arguments
    few = risk_of_dp_sgd.compute(
        epsilons=given["epsilons"][:2], steps=given["steps"][:5],
        runs=given["runs"], seed=given["seed"],
    )  # fmt: skip
    for key in ("mean", "low", "high"):
        for row, kept in zip(few[key], risk_of_dp_sgd()[key], strict=False):
            assert row == pytest.approx(kept[:5], rel=1e-5)
