"""A sweep runs every setting with every seed, wherever its tasks run."""

import os

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


BAD_INPUT = {
    sweep: {
        "experiment": experiment,
        "grid": {"scale": [1, 2]},
        "seeds": 2,
        "progress": False,
    },
}
# A list of seeds is as good as their number.
ALSO_ACCEPTED = {(sweep, "seeds"): {"a list", "an array"}}
