"""Simulated fleets: every record has an owner, and coins have the stated chances."""

import numpy as np
import pytest

from dpteach.data import digits, dirichlet_owners, simulated_rounds


def classes_of_a_device(owners, y):
    """How many kinds a device holds, over how many records it holds, on average."""
    held = [y[owners == u] for u in np.unique(owners)]
    return np.mean([len(np.unique(each)) / len(each) for each in held])


def test_concentration_makes_devices_alike_or_different():
    y = digits().y
    few, many = (
        dirichlet_owners(y, devices=50, concentration=a, rng=1) for a in (0.05, 100.0)
    )
    for owners in (few, many):
        assert owners.shape == y.shape
        assert 0 <= owners.min() <= owners.max() < 50
    assert classes_of_a_device(few, y) < 0.15 < 0.2 < classes_of_a_device(many, y)


def test_equal_mixes_deal_evenly():
    """36 records a device on average; a binomial count leaves 6 deviations 1 in 1e8."""
    counts = np.bincount(dirichlet_owners(
        digits().y, devices=50, concentration=1e9, rng=2
    ), minlength=50)  # fmt: skip
    assert np.all(np.abs(counts - 1797 / 50) < 6 * np.sqrt(1797 / 50))


def test_one_device_and_a_class_that_nobody_likes():
    """With one device its mix may hold no share of a class at all."""
    y = digits().y
    assert not dirichlet_owners(y, devices=1, concentration=1e-3, rng=0).any()
    assert dirichlet_owners(y[:0], devices=3, concentration=1.0, rng=0).shape == (0,)


def test_check_ins_and_dropouts_have_their_rates():
    """10⁵ coins each: six deviations."""
    tables = simulated_rounds(
        steps=100, devices=1000, check_in_rate=0.02, dropout_rate=0.3, rng=4
    )
    for table, rate in zip(tables, (0.02, 0.3), strict=True):
        assert table.dtype == np.bool_
        assert abs(table.mean() - rate) < 6 * np.sqrt(rate * (1 - rate) / 1e5)
    here, gone = tables
    joint = np.mean(here & gone)  # they are independent
    assert joint == pytest.approx(0.006, abs=6 * np.sqrt(0.006 / 1e5))
    kind = {"steps": 3, "devices": 2, "rng": 0}
    here, gone = simulated_rounds(check_in_rate=1.0, dropout_rate=0.0, **kind)
    assert here.all()
    assert not gone.any()


BAD_INPUT = {
    dirichlet_owners: {
        "y": np.array([0.0, 1.0, 1.0, 0.0]),
        "devices": 3,
        "concentration": 0.5,
        "rng": 0,
    },
    simulated_rounds: {
        "steps": 4,
        "devices": 3,
        "check_in_rate": 0.5,
        "dropout_rate": 0.25,
        "rng": 0,
    },
}
