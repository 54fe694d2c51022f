"""The stored run of right answers with fresh seeds: none was rejected."""

import false_rejects
import pytest

from dpteach.figures.results import read
from tests.chapters.banks import NAMES, right

each_exercise = pytest.mark.parametrize("name", NAMES)


def stored(name):
    return read(false_rejects.stored(name))


@each_exercise
def test_hundreds_of_runs_and_not_one_rejected(name):
    result = stored(name)
    assert result["runs"] >= 890
    assert result["rejected"] == []


@each_exercise
def test_the_run_says_how_it_was_made(name):
    result = stored(name)
    assert result["command"] == f"python book/_tools/false_rejects.py {name}"
    assert {"date", "seed", "versions"} <= set(result)


def test_a_run_is_stale_when_what_decides_has_changed(monkeypatch):
    """What decides a verdict, or how mutants are made; words may change."""
    for name in ("inputs", "mutant_inputs"):
        kept = {"inputs": "a", "date": "2026-01-01", "mutants": {"inputs": "a"}}
        monkeypatch.setattr(false_rejects, "read", lambda _, kept=kept: kept)
        monkeypatch.setattr(false_rejects, "inputs", lambda _: "a")
        monkeypatch.setattr(false_rejects, "mutant_inputs", lambda _: "a")
        assert false_rejects.stale() == {}
        monkeypatch.setattr(false_rejects, name, lambda exercise: exercise)
        assert set(false_rejects.stale()) == set(NAMES)
        assert "has changed since 2026-01-01" in false_rejects.stale()["clip"]


def test_the_record_covers_all_that_decides():
    """Power of the hash: it reads the checks, the ladder and the audit."""
    read = {path.name for path, _ in false_rejects.decides("laplace_mean")}
    assert {"__init__.py", "misreadings.py", "ladder.py", "student.py"} <= read
    assert {"clock.py", "distributions.py", "tape.py", "bank.py"} <= read
    assert false_rejects.inputs("clip") != false_rejects.inputs("private_step")


def test_a_small_run_counts_what_it_should():
    """Power of the counting: a wrong answer among the right ones is reported."""
    found = false_rejects.count("clip", 25, entropy=1)
    assert found["runs"] == 24
    assert found["rejected"] == []
    assert false_rejects.shares(right("private_step"), 10_000) == [
        2400,
        2400,
        2400,
        400,
        2400,
    ]
