"""The stored run of right answers with fresh seeds: none was rejected."""

import importlib.util
import json

from tests.grading.banks import NAMES, right
from tests.public import ROOT

_spec = importlib.util.spec_from_file_location(
    "false_rejects", ROOT / "exercises" / "false_rejects.py"
)
false_rejects = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(false_rejects)
STORED = json.loads(false_rejects.OUT.read_text("utf-8"))


def test_ten_thousand_runs_and_not_one_rejected():
    assert set(STORED["exercises"]) == set(NAMES) == set(false_rejects.NAMES)
    for name, result in STORED["exercises"].items():
        assert result["runs"] >= 2_490
        assert result["answers"] == len(right(name))
        assert result["rejected"] == []
    assert sum(each["runs"] for each in STORED["exercises"].values()) >= 9_980


def test_the_run_says_how_it_was_made():
    assert STORED["command"].startswith("python exercises/false_rejects.py ")
    assert {"date", "seed", "versions"} <= set(STORED)


def test_the_run_was_made_with_the_grader_as_it_is():
    """What decides a verdict has not changed since; words may have."""
    assert STORED["inputs"] == false_rejects.inputs(), STORED["command"]


def test_a_small_run_counts_what_it_should():
    """Power of the counting: a wrong answer among the right ones is reported."""
    found = false_rejects.count("clip", 25, entropy=1)
    assert found["runs"] == 24
    assert found["rejected"] == []
    assert false_rejects.shares(right("private_step"), 10_000) == [
        3200,
        3200,
        3200,
        400,
    ]
