"""No attack of the contest beats the stated best, and the right ones reach it."""

import numpy as np
import pytest

from dpteach.chapters.contest import attack
from dpteach.grading.student import Here, Student

# Five standard errors of a share, at 40,000 runs: false alarms below 6e-7 a side.
_LUCK = 5 * 0.5 / np.sqrt(attack.RUNS)


def likelihood(outputs, effect, noise, rate):
    """Compare the densities with the record and without it."""
    if rate == 1:
        weights = np.linalg.solve(noise @ noise.T, effect)
        return outputs @ weights - effect @ weights / 2
    exponents = (outputs * effect - effect**2 / 2) / np.diag(noise @ noise.T)
    return np.log(1 - rate + rate * np.exp(exponents)).sum(axis=1)


def mean(outputs, effect, noise, rate):
    assert noise.shape == (16, 16)
    return outputs.mean(axis=1) - rate * effect.mean() / 2


def shares(function):
    student = Student(Here(function), attack.NAME, attack.PARAMETERS, 20.0)
    return attack.right_guesses(student, 5)


def test_the_likelihood_ratio_reaches_the_best():
    for found, level in zip(shares(likelihood), attack.levels(), strict=True):
        assert found == pytest.approx(level.best(), abs=_LUCK)


def test_the_mean_is_best_where_noise_is_fresh_and_only_there():
    fresh, correlated, sampled = shares(mean)
    best = [level.best() for level in attack.levels()]
    assert fresh == pytest.approx(best[0], abs=_LUCK)
    assert correlated < best[1] - _LUCK
    assert sampled < best[2] - _LUCK


def test_a_guess_that_does_not_look_is_right_half_the_time():
    for found in shares(lambda *given: np.ones(len(given[0]))):
        assert found == pytest.approx(0.5, abs=_LUCK)
