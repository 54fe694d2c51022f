"""A model goes into a folder and comes back; no code is read from there."""

import json

import numpy as np
import pytest

from dpteach.privacy import Approximate, Composed, Gaussian, Pure, Relation
from dpteach.tables import Model, fit, predict
from dpteach.tables.models import event_of
from tests.tables.examples import HEADER, HOSTILE, SCHEMA, SMALL, households, write


@pytest.fixture(scope="module", params=["moved", "heating", "area"])
def model(request, tmp_path_factory):
    rows, _ = households(1500)
    path = write(tmp_path_factory.mktemp("table"), rows)
    return fit(path, SCHEMA, target=request.param, epsilon=1.0, rng=0)


def test_a_model_comes_back_as_it_was(model, tmp_path):
    model.save(tmp_path / "new" / "folder")
    back = Model.load(tmp_path / "new" / "folder")
    assert np.array_equal(back.theta, model.theta)
    for name in ("schema", "target", "event", "epsilon", "delta", "n", "plan"):
        assert getattr(back, name) == getattr(model, name), name


def test_fresh_tables_may_hold_anything(model, tmp_path):
    """Unknown categories, gaps and broken lines get a prediction, one for each line."""
    header = HEADER.replace("rooms,area", "area,rooms")  # another order
    path = write(tmp_path, HOSTILE, header=header)
    said, sure = predict(model, path)
    assert len(said) == len(HOSTILE)
    goal = SCHEMA.column(model.target)
    if goal.kind == "number":
        assert sure is None
        assert ((said >= goal.low) & (said <= goal.high)).all()
    else:
        assert set(said) <= set(goal.levels)
        assert ((sure > 0) & (sure < 1)).all()


def test_a_fresh_table_needs_no_target(model, tmp_path):
    rows, _ = households(5)
    names = HEADER.split(",")
    at = names.index(model.target)
    if model.target != "moved":  # the last column holds a quoted comma before it
        rows = [
            ",".join(c for k, c in enumerate(r.split(",")) if k != at) for r in rows
        ]
    else:
        rows = [row.rpartition(",")[0] for row in rows]
    header = ",".join(name for name in names if name != model.target)
    said, _ = predict(model, write(tmp_path, rows, header=header))
    assert len(said) == 5
    with pytest.raises(ValueError, match="lacks"):
        predict(model, write(tmp_path, rows, header="x,y"))
    said, sure = predict(model, write(tmp_path, [], header=header))
    one, odds = predict(model, write(tmp_path, rows[:1], header=header))
    assert (len(said), said.dtype) == (0, one.dtype)
    assert (sure is None) == (odds is None)
    assert sure is None or sure.shape == (0,)


def test_weights_are_told_in_words(model):
    rows = model.reading()
    assert rows[-1]["column"] == "(constant)"
    assert len(rows) == len(model.theta)
    text = {"moved": "odds of 'yes'", "heating": "'gas' by", "area": "to area"}
    assert all(text[model.target] in row["says"] for row in rows)


@pytest.mark.parametrize(
    "event",
    [
        Gaussian(2.5, releases=3, relation=Relation.ZERO_OUT),
        Composed(
            (
                Pure(0.05, relation=Relation.ZERO_OUT),
                Approximate(0.95, 9.99e-07, relation=Relation.ZERO_OUT),
            )
        ),
    ],
)
def test_an_event_is_read_as_it_was_printed(event):
    assert event_of(repr(event)) == event


@pytest.mark.parametrize(
    "text",
    ["__import__('os').system('true')", "open('x')", "[1]", "Pure(print)", "1 + 1",
     "Relation.NONE", "Pure(0.1)", "x", "(" * 500],
)  # fmt: skip
def test_nothing_but_an_event_is_read(text):
    with pytest.raises((ValueError, KeyError, TypeError, SyntaxError, MemoryError)):
        event_of(text)


@pytest.mark.parametrize(
    "change",
    [
        {"weights": [1.0]}, {"weights": [float("nan")] * 11}, {"weights": "x"},
        {"event": "print(1)"}, {"target": "nobody"}, {"schema": {}},
        {"event": "("}, {"weights": None},
    ],
)  # fmt: skip
def test_a_folder_that_fit_has_not_written_is_refused(tmp_path, change):
    SMALL_MODEL.save(tmp_path)
    path = tmp_path / "model.json"
    kept = json.loads(path.read_text("utf-8"))
    path.write_text(json.dumps(kept | change), "utf-8")
    with pytest.raises(ValueError, match="`folder` must hold"):
        Model.load(tmp_path)
    with pytest.raises(ValueError, match="`folder` must hold"):
        Model.load(tmp_path / "nowhere")


SMALL_MODEL = fit(SMALL, SCHEMA, target="heating", epsilon=4.0, rng=0)
BAD_INPUT = {predict: {"model": SMALL_MODEL, "table": SMALL, "progress": hash}}
