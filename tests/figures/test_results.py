"""Stored results fit the code that made them, and say how they were made."""

import json

import pytest

from dpteach.figures import results
from dpteach.figures.results import Stored, _meaning, all_stored, stored

STORED = all_stored()


@pytest.mark.parametrize("name", STORED)
def test_a_result_is_fresh(name):
    result = STORED[name]
    assert result.record["inputs"] == result.inputs, (
        f"The code behind {name} has changed: run {results.COMMAND} {name}"
    )
    said = json.loads(json.dumps(result.arguments))
    assert result.record["arguments"] == said


@pytest.mark.parametrize("name", STORED)
def test_a_result_says_how_it_was_made(name):
    record = STORED[name].record
    assert record["command"] == f"{results.COMMAND} {name}"
    assert record["seed"] == STORED[name].arguments["seed"]
    assert set(record["versions"]) == {"python", "numpy", "scipy", "dpteach"}
    assert record["date"][:2] == "20"


def test_no_file_is_left_over():
    assert {file.stem for file in results.FOLDER.glob("*.json")} == set(STORED)


def noise(seed, scale):
    """Draw a number."""
    return {"value": seed * scale}


def test_a_result_is_stale_when_code_or_arguments_change(tmp_path, monkeypatch):
    monkeypatch.setattr(results, "FOLDER", tmp_path)
    one = Stored(noise, ("dpteach.arrays",), {"seed": 2, "scale": 3})
    one.renew()
    assert one() == {"value": 6}
    assert one.record["inputs"] == one.inputs
    assert Stored(noise, (), {"seed": 2, "scale": 3}).inputs != one.inputs
    assert Stored(noise, ("dpteach.arrays",), {"seed": 2, "scale": 4}).inputs != (
        one.inputs
    )


def test_comments_and_docstrings_do_not_count_but_code_does():
    plain = 'def f(x):\n    """Say."""\n    return x + 1\n'
    other = (
        'def f(x):\n    """Say more,\n    on two lines."""\n    return x + 1  # why\n'
    )
    assert _meaning(plain) == _meaning(other)
    assert _meaning(plain) != _meaning(plain.replace("+ 1", "+ 2"))
    assert _meaning("x = '# no comment'") != _meaning("x = '# other'")


def test_what_was_never_computed_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr(results, "FOLDER", tmp_path)
    with pytest.raises(FileNotFoundError, match="never computed"):
        Stored(noise, (), {"seed": 0, "scale": 1})()
    with pytest.raises(ValueError, match="`seed` must be among"):
        stored(uses=(), scale=1)


def test_one_value_is_computed_again():
    """The first entries of the stored table, from the same code and seed."""
    from dpteach.figures.sgd import risk_of_dp_sgd

    given = risk_of_dp_sgd.arguments
    few = risk_of_dp_sgd.compute(
        epsilons=given["epsilons"][:2], steps=given["steps"][:5],
        runs=given["runs"], seed=given["seed"],
    )  # fmt: skip
    for key in ("mean", "low", "high"):
        for row, kept in zip(few[key], risk_of_dp_sgd()[key], strict=False):
            assert row == pytest.approx(kept[:5], rel=1e-5)
