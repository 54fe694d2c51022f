"""What the page "Your own table" asks of Python, asked here."""

import base64
import io
import json
import zipfile

import pytest

from dpteach.tables import Model, page, predict

BUDGET = {"target": "bicycle", "epsilon": 1.0, "delta": None, "rows": 5000}


@pytest.fixture
def sample(tmp_path, monkeypatch):
    """The made-up table, where the page puts a reader's; its schema as a text."""
    monkeypatch.setattr(page, "TABLE", tmp_path / "table.csv")
    files = ask("sample")["files"]
    page.TABLE.write_text(files["table.csv"], "utf-8")
    return files["schema.json"]


def ask(action, **more):
    return json.loads(page.answer(json.dumps({"action": action, **more})))


def test_a_preview_reads_no_data(sample):
    page.TABLE.unlink()
    told = ask("preview", schema=sample, **BUDGET)
    assert told["error"] is None
    assert "5000 rows (public)" in told["said"]


def test_training_gives_the_folder_of_the_command_line(sample, tmp_path):
    told = ask("fit", schema=sample, **BUDGET)
    assert told["error"] is None
    with zipfile.ZipFile(io.BytesIO(base64.b64decode(told["archive"]))) as archive:
        archive.extractall(tmp_path)
        packed = {name: archive.read(name).decode() for name in archive.namelist()}
    assert packed == {f"model/{name}": text for name, text in told["files"].items()}
    model = Model.load(tmp_path / "model")
    said, sure = predict(model, page.TABLE)
    truth = [row.split(",")[-1] for row in page.TABLE.read_text().splitlines()[1:]]
    assert sum(a == b for a, b in zip(said, truth, strict=True)) > 0.7 * len(truth)
    assert "multiplies the odds of 'yes'" in told["said"]
    assert "one commuter" in told["html"]
    lines = ask("predict", model=told["files"]["model.json"])["files"]
    rows = lines["predictions.csv"].splitlines()
    assert rows[0] == "predicted_bicycle,probability_of_yes"
    assert rows[1:] == [f"{a},{q:.4f}" for a, q in zip(said, sure, strict=True)]


def test_two_runs_have_different_noise(sample):
    first, second = (ask("fit", schema=sample, **BUDGET)["files"] for _ in range(2))
    assert first["model.json"] != second["model.json"]


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"schema": "{"}, "The schema is no JSON"),
        ({"schema": "[" * 100_000}, "The schema is no JSON"),
        ({"schema": "{}"}, "list `fields`"),
        ({"target": "remarks"}, "`target`"),
        ({"epsilon": -1}, "`epsilon`"),
        ({"epsilon": None}, "`epsilon`"),
        ({"delta": 2}, "`delta`"),
    ],
)
def test_what_is_refused_is_said(sample, changed, words):
    for action in ("preview", "fit"):
        told = ask(action, **({"schema": sample} | BUDGET | changed))
        assert words in told["error"]
        assert told["files"] == {}


def test_a_model_of_somebody_else_runs_no_code(sample):
    model = json.loads(ask("fit", schema=sample, **BUDGET)["files"]["model.json"])
    model["event"] = "__import__('os').system('false')"
    assert "`folder`" in ask("predict", model=json.dumps(model))["error"]
    assert "`folder`" in ask("predict", model="nothing")["error"]
