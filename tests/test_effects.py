"""The table of what one record can change besides the output, computed again."""

import inspect
import json
import warnings

import numpy as np
import pytest

from dpteach import Problem, constraints
from dpteach.chapters.machines.effects import RECORD, effects
from dpteach.privacy import Release
from tests import effects as walk
from tests.public import functions
from tests.samples import sampled
from tests.test_bad_input import CASES

STORED = json.loads(RECORD.read_text(encoding="utf-8"))
SAMPLE = (
    *(walk.POSED, "above_threshold", "batched_ftrl", "dp_ftrl", "fixed_window"),
    *("laplace_mechanism", "objective_perturbation", "permute_and_flip_choice"),
    *("private_quantile", "sampled_dp_sgd", "secure.release_number"),
)
BOUNDED = [
    function
    for function in functions().values()
    if "out_of_bounds" in inspect.signature(function).parameters
]


def test_every_algorithm_has_a_row():
    rows = walk.algorithms()
    assert list(STORED) == [walk.POSED, *rows]
    walked = {function for row in rows.values() for function, _ in row}
    tests_of_its_own = {"random_stopping"}  # which takes a run, and no data
    missed = [
        name
        for name, function in functions().items()
        if inspect.signature(function).return_annotation in (Release, "Release")
        and function not in walked
        and function.__name__ not in tests_of_its_own
    ]
    assert not missed, f"give these a row BAD_INPUT or a case COMMON: {missed}"


@pytest.mark.parametrize("name", sampled(STORED, SAMPLE))
def test_a_row_is_what_the_runs_show(name):
    """`python -m tests.effects` writes the table anew, if a change is meant."""
    assert walk.table([name]) == {name: STORED[name]}


def test_no_row_holds_what_no_reader_is_told():
    for name, row in STORED.items():
        assert row["finite"] == "yes", name
        assert row["warns"] == "no", name
        assert row["message"] in ("", "names the argument"), name


@pytest.mark.parametrize("function", BOUNDED, ids=lambda each: each.__name__)
def test_a_refusal_says_the_same_of_every_record(function):
    """Two records out of bounds, of sizes 10 and 1e9: one message, with public numbers.

    And by default there is none: the same records are scaled down, without a warning.
    """
    arguments = CASES[function][0]
    name = "problem" if "problem" in arguments else "X"
    messages = set()
    for size in (10.0, 1e9):
        X = arguments[name].X if name == "problem" else arguments[name]
        X = X.copy()
        X[0] = size
        data = X
        if name == "problem":
            valid = arguments[name]
            data = Problem(X, valid.y, valid.loss, valid.constraint)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            out = function(**arguments | {name: data})
        assert np.isfinite(out.theta).all()
        with pytest.raises(ValueError, match="must bound every record") as caught:
            function(**arguments | {name: data, "out_of_bounds": "refuse"})
        messages.add(str(caught.value))
    assert len(messages) == 1


def test_the_walk_sees_each_effect():
    """Power: a run for each thing that may tell of a record."""

    def loop(times):
        for _ in range(times):
            constraints.L2Ball(1.0)

    def message(size):
        raise ValueError(f"`X` must be small, got {size}.")

    def kind(runs):
        for run in runs:
            walk.watch(run)
        return walk.row([[walk.watch(run) for run in runs]])

    quiet = kind([lambda: np.full(3, 0.0), lambda: np.full(3, 1.0)])
    assert set(quiet.values()) == {"no", "", "same", "yes"}
    assert quiet["finite"] == "yes"
    assert kind([lambda: np.ones(3), lambda: np.log(np.zeros(1))])["warns"] == "yes"
    assert kind([lambda: np.full(3, np.nan)])["finite"] == "no"
    assert kind([lambda: np.ones(3), lambda: np.ones(10**5)])["memory"] == "depends"
    assert kind([lambda: loop(1), lambda: loop(2)])["iterations"] == "depends"
    told = kind([lambda: message(1.5), lambda: message(2.5)])
    assert (told["raises"], told["message"]) == ("ValueError", "tells more")


def test_the_table_is_shown_as_text_and_on_the_page():
    table = effects()
    page = table._repr_mimebundle_()["text/html"]
    for name in STORED:
        assert name in str(table)
        assert name in page
    assert "<strong>" in page
