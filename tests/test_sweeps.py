"""A sweep runs every setting with every seed, wherever its tasks run."""

import json
import os
import tempfile
from pathlib import Path

import joblib
import numpy as np
import pytest

from dpteach import (
    Problem,
    constraints,
    dp_sgd,
    losses,
    sweep,
)


def scaled(*, scale, shift, seed):
    return scale * seed + shift


def private_risk(*, noise_multiplier, seeds):
    """All seeds in one batch: each run draws from its own generator's first seed."""
    rng = np.random.default_rng(0)
    D = Problem(
        rng.standard_normal((20, 3)), np.ones(20), losses.logistic,
        constraints.L2Ball(1.0),
    )  # fmt: skip
    out = dp_sgd(
        D, clip_norm=1.0, steps=5, noise_multiplier=noise_multiplier,
        learning_rate=0.1, rng=seeds[0], runs=(len(seeds),),
    )  # fmt: skip
    return D.risk(out.theta)


def process(*, task, seed):
    return os.getpid() + 0 * task * seed


GRID = {"scale": [1, 10], "shift": [0.0, 0.5]}


def test_every_setting_with_every_seed_in_order():
    with joblib.parallel_config(n_jobs=1):
        table = sweep(scaled, GRID, seeds=[3, 5])
    assert [tuple(row.values()) for row in table] == [
        (1, 0.0, 3, 3.0), (1, 0.0, 5, 5.0), (1, 0.5, 3, 3.5), (1, 0.5, 5, 5.5),
        (10, 0.0, 3, 30.0), (10, 0.0, 5, 50.0), (10, 0.5, 3, 30.5), (10, 0.5, 5, 50.5),
    ]  # fmt: skip
    assert list(table[0]) == ["scale", "shift", "seed", "result"]


@pytest.mark.parametrize(
    "config", [{"n_jobs": 1}, {"n_jobs": 2, "backend": "threading"}, {"n_jobs": 2}, {}]
)
def test_the_table_does_not_depend_on_where_the_tasks_run(config):
    with joblib.parallel_config(n_jobs=1):
        expected = sweep(private_risk, {"noise_multiplier": [1.0, 5.0]}, seeds=3)
    with joblib.parallel_config(**config):
        table = sweep(private_risk, {"noise_multiplier": [1.0, 5.0]}, seeds=3)
    assert table == expected


def test_the_configured_number_of_processes_is_used():
    with joblib.parallel_config(n_jobs=1):
        here = {row["result"] for row in sweep(process, {"task": range(4)}, seeds=1)}
    with joblib.parallel_config(n_jobs=2):
        there = {row["result"] for row in sweep(process, {"task": range(4)}, seeds=1)}
    assert here == {os.getpid()}
    assert os.getpid() not in there


def test_seeds_are_given_all_at_once_to_an_experiment_that_takes_them():
    calls = []

    def experiment(*, a, seeds):
        calls.append((a, seeds))
        return seeds

    with joblib.parallel_config(n_jobs=1):
        sweep(experiment, {"a": [1, 2]}, seeds=3)
    assert calls == [(1, [0, 1, 2]), (2, [0, 1, 2])]


def test_a_vectorized_experiment_gives_one_result_per_seed():
    with (
        joblib.parallel_config(n_jobs=1),
        pytest.raises(ValueError, match="one result per seed, 3 for"),
    ):
        sweep(lambda seeds: seeds[:2], {}, seeds=3)


def test_a_bar_counts_the_settings(capsys):
    with joblib.parallel_config(n_jobs=1):
        sweep(scaled, GRID, seeds=2, progress=True)
    assert "4/4" in capsys.readouterr().err


class Interrupted(Exception):
    """What stops a sweep from outside: Ctrl-C, or a machine that goes away."""


def until(calls, most):
    """Make an experiment that notes its calls, and is interrupted at one of them."""

    def private(*, scale, shift, seed):
        if len(calls) == most:
            raise Interrupted
        calls.append((scale, shift, seed))
        return np.float64(scale * seed + shift)

    return private


@pytest.mark.parametrize("torn", ["", '{"expe', '{"experiment": "until.<locals>.pri'])
def test_a_sweep_that_was_interrupted_goes_on_where_it_stopped(tmp_path, torn):
    file, calls = tmp_path / "finished.jsonl", []
    with joblib.parallel_config(n_jobs=1):
        with pytest.raises(Interrupted):
            sweep(until(calls, 5), GRID, 2, resume=file)
        assert calls == [
            (1, 0.0, 0),
            (1, 0.0, 1),
            (1, 0.5, 0),
            (1, 0.5, 1),
            (10, 0.0, 0),
        ]
        with file.open("a") as lines:
            lines.write(torn)
        del calls[:]
        table = sweep(until(calls, 99), GRID, 2, resume=file)
        assert calls == [(10, 0.0, 0), (10, 0.0, 1), (10, 0.5, 0), (10, 0.5, 1)]
        assert table == sweep(scaled, GRID, 2)
        del calls[:]
        assert sweep(until(calls, 0), GRID, 2, resume=str(file)) == table
    assert not calls
    assert [json.loads(line)["setting"] for line in file.read_text().splitlines()] == [
        {"scale": scale, "shift": shift} for scale in (1, 10) for shift in (0.0, 0.5)
    ]


def test_a_grid_may_grow_and_the_bar_starts_where_the_file_ends(tmp_path, capsys):
    file, calls = tmp_path / "finished.jsonl", []
    with joblib.parallel_config(n_jobs=1):
        sweep(until(calls, 99), GRID, 1, resume=file)
        grown = {**GRID, "scale": np.array([1, 5, 10])}
        sweep(until(calls, 99), grown, 1, resume=file, progress=True)
    assert calls[4:] == [(5, 0.0, 0), (5, 0.5, 0)]
    assert "4/6" in (said := capsys.readouterr().err)
    assert "6/6" in said


def test_a_resumed_table_is_the_table_of_one_run(tmp_path):
    """Arrays, infinities and words come back from the file as they went into it."""

    def mixed(*, task, seed):
        return [np.array([task / 3, seed]), float("inf"), "a word", None]

    with joblib.parallel_config(n_jobs=1):
        once = sweep(mixed, {"task": [1, 2]}, 2, resume=tmp_path / "finished.jsonl")
        again = sweep(mixed, {"task": [1, 2]}, 2, resume=tmp_path / "finished.jsonl")
    assert once == again
    assert once[0]["result"] == [[1 / 3, 0], float("inf"), "a word", None]


@pytest.mark.parametrize(
    ("made", "grid", "seeds"),
    [
        (scaled, GRID, 3),
        (scaled, GRID, [1, 0]),
        (scaled, {**GRID, "scale": [1, 5]}, 2),
        (scaled, {**GRID, "scale": [1.0, 10.0]}, 2),
        (lambda scale, shift, seed: 0.0 * scale * shift * seed, GRID, 2),
    ],
    ids=["more seeds", "their order", "a setting less", "1.0 for 1", "another name"],
)
def test_a_file_of_another_sweep_is_refused(tmp_path, made, grid, seeds):
    file = tmp_path / "finished.jsonl"
    with joblib.parallel_config(n_jobs=1):
        sweep(scaled, GRID, 2, resume=file)
        held = file.read_bytes()
        with pytest.raises(ValueError, match=r"`resume` must .* whose line \d is"):
            sweep(made, grid, seeds, resume=file)
    assert file.read_bytes() == held


@pytest.mark.parametrize("text", ["my notes", "my notes\n", "1\n", "{}\n", "[[]]\n\n"])
def test_a_file_of_something_else_is_refused_and_left_alone(tmp_path, text):
    file = tmp_path / "notes.jsonl"
    file.write_text(text)
    with pytest.raises(ValueError, match=r"`resume` must .* got .*notes.jsonl"):
        sweep(scaled, GRID, 2, resume=file)
    assert file.read_text() == text


def test_what_a_file_cannot_hold_is_named(tmp_path):
    file = tmp_path / "finished.jsonl"
    with joblib.parallel_config(n_jobs=1):
        with pytest.raises(TypeError, match="`experiment` must return what JSON can"):
            sweep(lambda seed: 1j * seed, {}, 1, resume=file)
        with pytest.raises(TypeError, match="`grid` must hold what JSON can"):
            sweep(lambda a, seed: a and seed, {"a": [scaled]}, 1, resume=file)
    for wrong in ("finished.csv", "no folder/finished.jsonl", "folder.jsonl"):
        (tmp_path / "folder.jsonl").mkdir(exist_ok=True)
        with pytest.raises(ValueError, match=r"`resume` must .* got .*" + wrong):
            sweep(scaled, GRID, 1, resume=tmp_path / wrong)


@pytest.mark.parametrize(
    ("grid", "seeds", "error", "said"),
    [
        (
            {"scael": [1]},
            1,
            ValueError,
            r"`grid` must name the keywords .* Mend \['scael', 'scale', 'shift'\]",
        ),
        (
            {"scale": 1, "shift": [0]},
            1,
            TypeError,
            "`grid` must hold a list for 'scale'",
        ),
        ({"scale": "12", "shift": [0]}, 1, TypeError, "`grid` must hold a list"),
        ([1], 1, TypeError, "`grid` must be a mapping"),
        ({}, 1, ValueError, "`grid` must name"),
        (GRID, 0, ValueError, "`seeds`"),
        (GRID, [], ValueError, "`seeds`"),
        (GRID, [-1], ValueError, "`seeds`"),
        (GRID, "ab", TypeError, "`seeds`"),
    ],
)
def test_what_is_wrong_is_named(grid, seeds, error, said):
    with pytest.raises(error, match=said):
        sweep(scaled, grid, seeds)


def test_an_experiment_must_take_a_seed():
    with pytest.raises(ValueError, match="must take `seeds` or `seed`"):
        sweep(lambda scale: scale, {"scale": [1]}, 1)
    with pytest.raises(TypeError, match="`experiment` must be a function"):
        sweep(3.0, {"scale": [1]}, 1)


def experiment(*, scale, seeds):
    """The least that a sweep can run."""
    return [scale * seed for seed in seeds]


WORKING = {"experiment": experiment, "grid": {"scale": [1, 2]}, "seeds": 2}
FOLDER = tempfile.TemporaryDirectory()
BAD_INPUT = {
    sweep: [
        {**WORKING, "progress": False},
        {**WORKING, "resume": str(Path(FOLDER.name, "finished.jsonl"))},
    ],
}
# A list of seeds is as good as their number.
ALSO_ACCEPTED = {(sweep, "seeds"): {"a list", "an array"}}
