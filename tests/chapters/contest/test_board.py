"""A folder of submissions, honest and hostile, and the board that they get."""

import csv
import re

import pytest

from dpteach.chapters.contest.__main__ import main
from tests.public import ROOT

STARTER = re.search(
    r"```python\n(.*?)```", (ROOT / "book/contest.md").read_text("utf-8"), re.S
)[1]
ROOTS = """
import numpy as np
TEAM = "=roots & <b>bold</b>"
def noise(steps, epochs, rng):
    c = np.cumprod(np.append(1, [(2 * k - 1) / (2 * k) for k in range(1, steps)]))
    B = np.array([[c[i - j] * (i >= j) for j in range(steps)] for i in range(steps)])
    return B @ rng.standard_normal(steps)
"""
HOSTILE = {
    "never": "def guess(outputs, effect, noise, rate):\n    while True: pass",
    "ends": "import os\ndef guess(outputs, effect, noise, rate): os._exit(0)",
    "cut": "def noise(steps, epochs, rng): return rng.normal(size=steps).clip(-1, 1)",
    "silent": "def noise(steps, epochs, rng): return [0.0] * steps",
    "laplace": "def noise(steps, epochs, rng): return rng.laplace(size=steps)",
    "other": "def noise(steps): return 0",
    "broken": "def noise(steps, epochs, rng): return 1 / 0",
    "neither": "def nois(steps, epochs, rng): return 0",
}
DAMAGED = '{"cells": [{"cell'


@pytest.fixture(scope="module")
def board(tmp_path_factory):
    folder = tmp_path_factory.mktemp("contest")
    (folder / "in").mkdir()
    for name, text in {"starter": STARTER, "roots": ROOTS, **HOSTILE}.items():
        (folder / "in" / f"{name}.py").write_text(text, "utf-8")
    (folder / "in" / "twin.py").write_text(
        STARTER.replace("Cantor's cats", r" Two\n\nlines "), "utf-8"
    )
    (folder / "in" / "torn.ipynb").write_text(DAMAGED, "utf-8")
    given = [str(folder / "in"), "--out", str(folder / "out"), "--unsafe"]
    with pytest.MonkeyPatch.context() as patch:  # one never ends: a second is enough
        patch.setattr("dpteach.chapters.contest.board._SECONDS", 1.0)
        assert main(given) == 0
    return folder / "out"


def rows(board, track):
    with (board / "board.csv").open(encoding="utf-8", newline="") as file:
        return [row for row in csv.DictReader(file) if row["track"] == track]


def test_the_best_come_first_with_their_numbers(board):
    errors = {
        row["student"]: (row["rank"], float(row["number"]))
        for row in rows(board, "noise")
        if row["what"] == "error at μ = 1"
    }
    assert errors["roots"] == ("1", pytest.approx(5.71361, abs=1e-4))
    assert errors["starter"] == ("2", pytest.approx(11.4018, abs=1e-4))
    assert errors["twin"] == errors["starter"]  # the same noise shares a place
    assert set(errors) == {"roots", "starter", "twin"}


def test_what_fails_is_told_in_its_own_row(board):
    said = {
        row["student"]: row["reason"]
        for row in rows(board, "noise") + rows(board, "guess")
        if row["reason"]
    }
    assert set(said) == {*HOSTILE, "torn"}
    assert said["neither"] == "it defines neither noise nor guess"
    assert "not a whole notebook" in said["torn"]
    assert "no result" in said["never"]
    assert "end of the process" in said["ends"]
    assert "laplace" in said["laplace"]
    assert "no linear map" in said["cut"]
    assert "ZeroDivisionError" in said["broken"]
    assert "parameters" in said["other"]


def test_the_page_names_teams_alone_and_is_no_code(board):
    page = (board / "board.html").read_text("utf-8")
    assert "Cantor&#x27;s cats" in page
    assert "=roots &amp; &lt;b&gt;bold&lt;/b&gt;" in page
    assert "<b>bold" not in page
    assert page.count("<b>without a team name</b>: it is not a whole notebook") == 2
    for name in ("starter", "twin", "torn", *HOSTILE):  # none that has no team's name
        assert f">{name}<" not in page
        assert f"{name}." not in page
    assert ">Two lines<" in page
    assert ">no noise is below</th><td>4.41</td>" in page  # a bound, not a score
    assert "73.36" in page


def test_a_spreadsheet_takes_no_name_for_a_formula(board):
    assert {row["team"] for row in rows(board, "noise") if row["rank"] == "1"} == {
        "'=roots & <b>bold</b>"
    }


def test_an_empty_folder_is_refused(tmp_path, capsys):
    (tmp_path / "in").mkdir()
    given = [str(tmp_path / "in"), "--out", str(tmp_path / "out"), "--unsafe"]
    assert main(given) == 2
    assert "no submission" in capsys.readouterr().err
