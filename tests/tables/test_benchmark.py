"""`fit` is held to the best row of the book's own benchmark, at every budget there."""

import numpy as np
import pytest

from dpteach.chapters.choosing import benchmark, contest
from dpteach.tables import fit, predict
from tests.tables.real_tables import best_accuracy, best_row, of_task

SIGNS = ("breast cancer", "digits 3 or 8", "digits odd or even")
SEEDS = 5


def cases(names):
    """List tasks and budgets; all but one of each kind are left to thorough tests."""
    for name in names:
        for epsilon in benchmark.EPSILONS:
            quick = epsilon == 1.0 and name in ("diabetes", "digits 3 or 8")
            marks = () if quick else pytest.mark.thorough
            yield pytest.param(name, epsilon, marks=marks)


def models(name, epsilon, folder):
    path, schema, y = of_task(name, folder)
    known = {"target": schema.columns[-1].name, "epsilon": epsilon, "delta": 1e-6}
    for seed in range(SEEDS):
        yield predict(fit(path, schema, rng=seed, **known), path)[0], schema, y


@pytest.mark.slow
@pytest.mark.parametrize(("name", "epsilon"), list(cases(SIGNS)))
def test_labels_are_within_two_points_of_the_best_row(tmp_path, name, epsilon):
    shares = [
        np.mean(said == np.array(schema.columns[-1].levels, dtype=object)[y])
        for said, schema, y in models(name, epsilon, tmp_path)
    ]
    assert np.mean(shares) >= best_accuracy(name, epsilon) - 0.02


@pytest.mark.parametrize(("name", "epsilon"), list(cases(["diabetes"])))
def test_numbers_lose_at_most_a_tenth_more_than_the_best_row(tmp_path, name, epsilon):
    least, zero = benchmark.scale_of(name)
    lost = [
        (0.5 * np.sum(((said - y) / 160.5) ** 2) - least) / (zero - least)
        for said, _, y in models(name, epsilon, tmp_path)
    ]
    assert 100 * np.mean(lost) <= 1.1 * best_row(name, epsilon)[0]


def test_the_numbers_of_the_text(tmp_path):
    """Over 20 seeds: 5.8 % lost at ε = 1, and an error of 54.0 points at ε = 2."""
    least, zero = benchmark.scale_of("diabetes")
    lost, errors = [], []
    path, schema, y = of_task("diabetes", tmp_path)
    for seed in range(20):
        for epsilon in (1.0, 2.0):
            known = {"target": "progression", "epsilon": epsilon, "rng": seed}
            said, _ = predict(fit(path, schema, **known), path)
            risk = 0.5 * np.sum(((said - y) / 160.5) ** 2)
            if epsilon == 1.0:
                lost.append(100 * (risk - least) / (zero - least))
            else:
                errors.append(np.sqrt(np.mean((said - y) ** 2)))
    assert np.mean(lost) == pytest.approx(5.8, abs=1.0)
    assert np.mean(errors) == pytest.approx(54.0, abs=0.3)
    best = contest.measured("diabetes", 1.0, contest.TUNING[1])
    assert round(min(row[0] for row in best.values()), 1) == 25.6
