"""The three commands, as they are typed."""

import csv
import io
import json
import subprocess
import sys

import numpy as np
import pytest

from dpteach.tables import Model, fit, predict
from dpteach.tables.command import main
from tests.public import ROOT
from tests.tables.examples import SCHEMA, SOURCE, households, write


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("files")
    rows, _ = households(1500)
    schema = folder / "schema.json"
    schema.write_text(json.dumps(SOURCE), "utf-8")
    return write(folder, rows), schema


GIVEN = ["--target", "moved", "--epsilon", "1"]


def test_the_way_from_a_file_to_predictions(files, tmp_path, capsys):
    table, schema = files
    folder = tmp_path / "model"
    assert main(["preview", str(schema), *GIVEN, "--rows", "1500", "--seed", "1"]) == 0
    assert "accuracy" in capsys.readouterr().out
    given = [
        "fit",
        str(table),
        str(schema),
        *GIVEN,
        "--seed",
        "3",
        "--out",
        str(folder),
    ]
    assert main(given) == 0
    said = capsys.readouterr()
    assert "PRIVACY LABEL" in said.out
    assert "1,500 rows read" in said.err
    assert {path.name for path in folder.iterdir()} == {
        "label.html", "label.json", "model.json", "registry.yaml", "run.ipynb",
        "schema.json",
    }  # fmt: skip
    model = fit(table, SCHEMA, target="moved", epsilon=1.0, rng=3)
    assert np.array_equal(Model.load(folder).theta, model.theta)
    assert main(["predict", str(folder), str(table)]) == 0
    lines = list(csv.reader(io.StringIO(capsys.readouterr().out)))
    assert lines[0] == ["predicted_moved", "probability_of_yes"]
    assert [line[0] for line in lines[1:]] == predict(model, table)[0].tolist()


@pytest.mark.parametrize(
    "change",
    [
        {"--epsilon": "-1"}, {"--epsilon": "nan"}, {"--target": "nobody"},
        {"--delta": "2"}, {"--seed": "-1"}, {"schema": "nowhere.json"},
        {"table": "nowhere.csv"}, {"--epsilon": "1e-6"}, {"table": "nowhere.parquet"},
    ],
    ids=str,
)  # fmt: skip
def test_what_is_refused_is_said_in_words(files, tmp_path, capsys, change):
    table, schema = files
    words = {"table": str(table), "schema": str(schema), "--out": str(tmp_path / "m")}
    words |= {"--target": "moved", "--epsilon": "1"} | change
    options = [f"{k}={v}" for k, v in words.items() if k.startswith("--")]
    assert main(["fit", words["table"], words["schema"], *options]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert "Traceback" not in said.err
    assert len(said.err) > 20
    assert not (tmp_path / "m" / "model.json").exists()


def test_the_module_runs():
    done = subprocess.run(
        [sys.executable, "-m", "dpteach.tables", "--help"],
        cwd=ROOT, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0
    assert "preview" in done.stdout
