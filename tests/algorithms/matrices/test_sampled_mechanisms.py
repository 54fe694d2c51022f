"""The chooser over samplings: each at its price, and none above what it may cost."""

import numpy as np
import pytest

from dpteach.accounting import delta_of, epsilon_of, noise_multiplier
from dpteach.algorithms.matrices.optimal_bands import optimal_bands
from dpteach.algorithms.matrices.sampled_mechanisms import KEPT, sampled_mechanisms
from dpteach.algorithms.matrices.simulated_delta import simulated_delta
from dpteach.privacy import AllocatedGaussian, Approximate, SampledGaussian

BUDGET = {"epsilon": 3.0, "delta": 1e-3}


@pytest.fixture(scope="module")
def found():
    made = sampled_mechanisms(24, epochs=3, draws=1 << 13, rng=0, **BUDGET)
    return {each.sampling: each for each in made}


def test_all_samplings_are_compared_and_the_best_is_first(found):
    assert set(found) == {
        "fixed order", "Poisson", "cyclic Poisson", "balls and bins", "b-min-sep",
    }  # fmt: skip
    errors = [each.mean_error for each in found.values()]
    assert errors == sorted(errors)
    for each in found.values():
        assert epsilon_of(each.event, 1e-3) <= 3.0
        p, d = each.probability, each.separation
        rate = {"b-min-sep": p / (1 + (d - 1) * p)}.get(each.sampling, p / d)
        assert rate == pytest.approx(3 / 24, rel=1e-12)  # batches of equal size


def test_prices_by_coins_are_exact(found):
    for name in ("Poisson", "cyclic Poisson"):
        each = found[name]
        b = len(each.encoder.coefficients)
        assert each.separation == b
        assert each.event == SampledGaussian(
            each.noise_multiplier / np.linalg.norm(each.encoder.coefficients),
            rate=b * 3 / 24, releases=-(-24 // b), relation=KEPT,
        )  # fmt: skip
        assert epsilon_of(each.event, 1e-3) == pytest.approx(3.0, rel=1e-6)


def test_simulated_prices_hold_for_other_draws(found):
    """And they cost less noise than if everybody knew who comes when."""
    for name in ("balls and bins", "b-min-sep"):
        each = found[name]
        assert each.event == Approximate(3.0, 1e-3, relation=KEPT)
        p = each.probability if name == "b-min-sep" else None
        bound = simulated_delta(
            each.encoder, steps=24, separation=each.separation, probability=p,
            noise_multiplier=each.noise_multiplier, epsilon=3.0, draws=1 << 15, rng=99,
        )  # fmt: skip
        assert bound < 1e-3
        turns = -(-24 // each.separation)
        known = noise_multiplier(3.0, 1e-3, releases=turns, relation=KEPT)
        columns = np.linalg.norm(each.encoder.coefficients)
        assert each.noise_multiplier < 0.95 * known * columns


def test_without_memory_the_noise_is_independent_and_balls_and_bins_known():
    """One band: its exact price is near what simulation proves."""
    made = sampled_mechanisms(24, epochs=3, memory=0, draws=1 << 14, rng=0, **BUDGET)
    found = {each.sampling: each for each in made}
    assert set(found) == {"fixed order", "Poisson", "balls and bins"}
    picks = found["balls and bins"].noise_multiplier / 3**0.5
    event = AllocatedGaussian(picks, steps=8, relation=KEPT)
    assert 0.4e-3 < delta_of(event, 3.0) < 1e-3
    assert found["Poisson"].encoder == optimal_bands(24, bands=1)


def test_epochs_must_divide_the_steps():
    with pytest.raises(ValueError, match="`epochs` must divide `steps`=24, got 5"):
        sampled_mechanisms(24, epochs=5, rng=0, **BUDGET)
    # as many epochs as steps: all records are in each batch
    made = sampled_mechanisms(4, epochs=4, draws=64, rng=0, **BUDGET)
    assert made[0].mean_error == pytest.approx(made[-1].mean_error, rel=0.2)


@pytest.mark.thorough
def test_the_numbers_of_the_chapter():
    """Those that chapter 15 tells of 64 steps in four epochs."""
    best = sampled_mechanisms(64, epochs=4, epsilon=4.0, delta=1e-5, draws=2**18, rng=0)
    assert {each.sampling: round(each.mean_error, 2) for each in best} == {
        "balls and bins": 4.05,
        "b-min-sep": 4.14,
        "cyclic Poisson": 4.71,
        "fixed order": 4.77,
        "Poisson": 5.44,
    }


BAD_INPUT = {
    sampled_mechanisms: {
        "steps": 2,
        "epochs": 2,
        "epsilon": 2.0,
        "delta": 1e-2,
        "memory": 1,
        "draws": 64,
        "rng": 0,
    },
}
