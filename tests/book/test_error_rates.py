"""Error rates: what is counted, and what the page says of it."""

import dataclasses
from concurrent.futures import ThreadPoolExecutor

import error_rates
import false_rejects
import numpy as np
import pytest
from dpteach_book import rates

from dpteach.chapters.catalog import load
from dpteach.grading.report import Fault
from tests.chapters.banks import NAMES, bank

SEEDS = [4, 5]


def blind(name):
    """Make an exercise whose grader sees nothing."""
    return dataclasses.replace(load(name), checks=(("", lambda *_: None),))


def test_a_blind_grader_misses_all_but_what_takes_other_arguments(monkeypatch):
    """Power: what is caught is what the checks see."""
    seen = error_rates.of_wrong("clip", SEEDS)
    assert len(seen["wrong"]) == len(bank("clip").WRONG)
    assert set(map(tuple, seen["wrong"].values())) == {(2, 2, 2)}
    assert not seen["confused"]
    monkeypatch.setattr(error_rates, "load", blind)
    unseen = error_rates.of_wrong("clip", SEEDS)
    assert set(map(tuple, unseen["wrong"].values())) == {(2, 0, 0)}


def test_a_message_is_about_the_slip_itself_or_another_one_or_none():
    patterns = {"wrong_root": "root is missing", "wrong_sign": "sign"}
    assert error_rates.confused("A root is missing.", "root is", patterns) == "own"
    found = error_rates.confused("A root is missing.", "sign", patterns)
    assert found == "wrong_root"
    assert error_rates.confused("Something.", "sign", patterns) is None


def test_a_grader_that_blames_one_cause_is_seen_to_confuse(monkeypatch):
    """Power: then each slip but that one is told another's cause."""

    def check(*_):
        raise Fault("row 3", "4", "5", "A root is missing.")

    def single(name):
        return dataclasses.replace(load(name), checks=(("", check),))

    monkeypatch.setattr(error_rates, "load", single)
    found = error_rates.of_wrong("clip", [4])
    assert found["wrong"]["wrong_squared_norm"] == [1, 1, 1]
    assert found["wrong"]["wrong_columns"] == [1, 1, 0]
    assert found["confused"]["wrong_columns"] == ["wrong_squared_norm"]


def test_slips_of_strangers_are_graded_too(monkeypatch):
    title = "a norm that is a little too large"
    assert error_rates.of_slips("clip", SEEDS)[title] == [2, 2, 2]
    monkeypatch.setattr(error_rates, "load", blind)
    assert error_rates.of_slips("clip", SEEDS)[title] == [2, 0, 0]


@pytest.mark.parametrize("kind", error_rates.NOISE)
def test_wrong_noise_is_wrong_in_its_way_and_keeps_the_rest(kind):
    change = error_rates.NOISE[kind]
    right = np.random.default_rng(3)
    wrong = error_rates.WrongNoise(np.random.default_rng(3), change)
    z, changed = 2.0 * right.normal(size=(4000, 1)), wrong.normal(7.0, 2.0, (4000, 1))
    np.testing.assert_allclose(changed - 7.0, change(z))
    assert right.integers(1000) == wrong.integers(1000)
    spread = {"5 % too small": 0.95, "one draw for all": 0.0, "one-sided": 0.603}
    assert abs(changed.std() / 2 - spread.get(kind, 1.0)) < 0.05


@pytest.mark.parametrize("kind", error_rates.NOISE)
@pytest.mark.parametrize("size", [None, (), 1, 0, (0, 3)])
def test_one_number_is_drawn_wrong_as_many_are(kind, size):
    wrong = error_rates.WrongNoise(np.random.default_rng(3), error_rates.NOISE[kind])
    expected = np.random.default_rng(3).normal(0.0, 2.0, size)
    assert np.shape(wrong.normal(0.0, 2.0, size)) == np.shape(expected)


def test_noise_that_matters_to_no_result_is_left_out(monkeypatch):
    """A direction has no scale; and without a grader nothing is caught."""
    seen = error_rates.of_noise("private_step", [4])
    for kind in ("5 % too small", "one draw for all", "one-sided"):
        assert seen[kind]["counts"] == [1, 1]
        assert seen[kind]["by"]
    assert error_rates.of_noise("clip", [4]) == {}
    monkeypatch.setattr(
        error_rates, "cases", lambda *_: [(np.zeros(4), np.random.default_rng(1))]
    )

    def direction(x, rng):
        z = rng.normal(size=len(x))
        return z / np.linalg.norm(z)

    class Bank:
        RIGHT = (direction,)

    monkeypatch.setattr(error_rates, "bank", lambda _: Bank)
    monkeypatch.setattr(
        error_rates, "load",
        lambda _: dataclasses.replace(blind("private_step"), parameters=("x", "rng")),
    )  # fmt: skip
    kinds = error_rates.of_noise("any", [4])
    assert "5 % too small" not in kinds
    assert kinds["one-sided"]["counts"] == [1, 0]


def test_a_row_is_stale_when_it_is_missing_or_its_grader_has_changed(monkeypatch):
    kept = {name: {"inputs": "a", "date": "2026-01-01"} for name in NAMES}
    monkeypatch.setattr(error_rates, "stored", lambda: kept)
    monkeypatch.setattr(error_rates, "inputs", lambda _: "a")
    assert error_rates.stale() == {}
    kept.pop("clip")
    assert error_rates.stale() == {"clip": "its error rates were never measured"}
    monkeypatch.setattr(error_rates, "inputs", lambda _: "b")
    assert set(error_rates.stale()) == set(NAMES)


def test_of_an_edited_record_no_row_is_believed_and_all_are_made_anew(
    monkeypatch, tmp_path
):
    """``make records`` says so, and can renew it."""
    record = tmp_path / "rates.json"
    record.write_text(error_rates.RECORD.read_text("utf-8").replace("[3,", "[4,", 1))
    monkeypatch.setattr(error_rates, "RECORD", record)
    monkeypatch.setattr(error_rates, "NAMES", ("clip", "trade_off"))
    assert set(error_rates.stale()) == {"clip", "trade_off"}
    assert "its seal does not fit" in error_rates.stale()["clip"]
    monkeypatch.setattr(error_rates, "ProcessPoolExecutor", ThreadPoolExecutor)
    row = {"wrong": {"wrong_starter": [1, 1, 1]}}
    monkeypatch.setattr(error_rates, "row", lambda _: row)
    error_rates.main(["clip"])
    assert error_rates.stored() == {"clip": row, "trade_off": row}


def test_slips_decide_the_row_of_their_exercise_alone(monkeypatch):
    before = [error_rates.inputs(name) for name in ("clip", "private_step")]
    slips = {name: error_rates._slips(name) for name in ("clip", "private_step")}
    slips["clip"] = {**slips["clip"], "new": [[], "", ""]}
    monkeypatch.setattr(error_rates, "_slips", slips.get)
    after = [error_rates.inputs(name) for name in ("clip", "private_step")]
    assert [old == new for old, new in zip(before, after, strict=True)] == [False, True]


def test_a_run_that_was_cut_off_goes_on(monkeypatch, tmp_path):
    """Each row is written as soon as it is there."""
    monkeypatch.setattr(error_rates, "RECORD", tmp_path / "rates.json")
    monkeypatch.setattr(error_rates, "NAMES", ("clip", "trade_off"))
    monkeypatch.setattr(error_rates, "inputs", lambda _: "a")

    class Here:
        def __enter__(self):
            return self

        def __exit__(self, *_):
            return False

        def map(self, function, names):
            return map(function, names)

    def row(name):
        if name == "trade_off":
            raise KeyboardInterrupt
        return {"inputs": "a", "date": "2026-01-01", "wrong": {"wrong_a": [3, 3, 3]}}

    monkeypatch.setattr(error_rates, "ProcessPoolExecutor", Here)
    monkeypatch.setattr(error_rates, "row", row)
    with pytest.raises(KeyboardInterrupt):
        error_rates.main([])
    assert set(error_rates.stored()) == {"clip"}
    assert set(error_rates.stale()) == {"trade_off"}


def test_what_is_stored_is_about_exercises_that_exist():
    rows, stale = error_rates.stored(), error_rates.stale()
    assert rows
    assert set(rows) <= set(NAMES)
    for name, row in rows.items():
        answers = {each.__name__ for each in bank(name).WRONG}
        if name not in stale:
            assert set(row["wrong"]) == answers


# A coin of its own decides on the side, so that these reports stay as they should be.
HARMLESS = {("hemisphere_reports", "one-sided if p = 1")}


def test_wrong_noise_was_caught_in_every_run():
    """In rows that are fresh: no verdict on noise hangs on the seed."""
    stale = error_rates.stale()
    fresh = {k: row for k, row in error_rates.stored().items() if k not in stale}
    for name, row in fresh.items():
        for kind, result in row["noise"].items():
            runs, caught = result["counts"]
            assert caught == runs or (name, kind) in HARMLESS, (name, kind)


def test_the_page_says_what_is_stale_and_what_was_never_measured():
    right = false_rejects.read(false_rejects.stored("clip"))
    row = {"date": "2026-01-02", "wrong": {"wrong_a": [3, 2, 1]}, "slips": {}}
    cells = rates.rate_cells("clip", row, right, ({}, {}))
    assert cells[1:3] == ["2 of 3", ""]
    assert cells[-1] == f"2026-01-02, {right['date']}"
    cells = rates.rate_cells("clip", row, right, ({"clip": ""}, {"clip": ""}))
    assert cells[-1] == f"2026-01-02\\*, {right['date']}\\*"
    assert "not yet" in rates.rate_cells("clip", None, right, ({}, {}))[-1]


def test_the_bound_is_the_exact_one():
    """At 0 of n it is 1 − 0.05^(1/n), about 3/n."""
    assert rates.at_most(0, 2500) == pytest.approx(1 - 0.05 ** (1 / 2500))
    assert rates.at_most(1, 300) > 1 / 300


def test_what_passed_or_was_told_another_cause_is_listed():
    rows = {
        "clip": {
            "wrong": {"wrong_a": [3, 3, 3], "wrong_b_c": [3, 2, 0]},
            "slips": {"a norm": [3, 3, 2]},
            "confused": {"wrong_b_c": ["None", "wrong_a"]},
        }
    }
    [first, second] = [cells for _, cells in rates.mistaken(rows)]
    assert first == ["`clip`", "b c", "something else, a", "2 of 3", "0 of 3"]
    assert second == ["`clip`", "a norm", "", "3 of 3", "2 of 3"]
    assert "1 of 9 passed" in rates.causes(rows)
