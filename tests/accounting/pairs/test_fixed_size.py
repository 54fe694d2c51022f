"""The cells of a Gaussian release: they keep probability and the ratio's mean."""

import math

import numpy as np
import pytest
from scipy.special import log_ndtr, ndtr

from dpteach.accounting.pairs.fixed_size import FixedBatch, gaussian_cells
from dpteach.accounting.rules.gaussian import log_delta


@pytest.mark.parametrize("mu", [0.02, 0.5, 2.0, 11.0])
def test_cells_keep_probability_and_mean(mu):
    """Under N(0, 1) the masses add up to 1, and so do they times the ratio."""
    cells = gaussian_cells(mu)
    assert math.fsum(np.exp(cells.log_mass)) == pytest.approx(1, abs=1e-13)
    under = np.exp(cells.log_mass + cells.ratio)
    assert math.fsum(under) == pytest.approx(1, abs=1e-13)
    assert np.all(np.diff(cells.ratio) > 0)


@pytest.mark.parametrize("mu", [0.02, 0.5, 2.0, 11.0])
def test_at_the_ends_of_cells_the_list_has_the_exact_price(mu):
    """Dividing a cell changes no E[(A/B − e^ε)₊] but for those ε within it."""
    cells = gaussian_cells(mu)
    pair = cells.sampled(1.0, removed=True)
    for at in np.linspace(0.3, 0.6, 9):
        i = int(at * len(pair.loss))
        epsilon, beyond = pair.loss[i], slice(i + 1, None)
        over = -np.expm1(epsilon - pair.loss[beyond])
        found = math.fsum(np.exp(pair.log_mass[beyond]) * over)
        exact = math.exp(log_delta(mu, epsilon)) - math.exp(cells.log_lost)
        assert found == pytest.approx(exact, rel=1e-9, abs=1e-14)


@pytest.mark.parametrize("mu", [0.02, 0.5, 2.0, 11.0])
def test_what_the_list_leaves_out_is_lost(mu):
    """Beyond its ends N(μ, 1) has 2Φ(−37) at most."""
    cells = gaussian_cells(mu)
    low, high = cells.ratio[[0, -1]] / mu  # outputs less μ/2
    out = np.logaddexp(log_ndtr(low - mu / 2), log_ndtr(-(high - mu / 2)))
    assert out <= cells.log_lost + 1e-12
    assert cells.log_lost == pytest.approx(math.log(2) + log_ndtr(-37.0), rel=1e-12)


@pytest.mark.parametrize("mu", [0.02, 0.5, 2.0, 11.0])
def test_cells_are_fine_where_outputs_are_likely(mu):
    """Each end gathers what lies around it, and no cell there is wide."""
    cells = gaussian_cells(mu)
    output = cells.ratio / mu + mu / 2
    for around in (0.0, mu):
        near = np.abs(output - around) < 9
        assert np.diff(output[near]).max() < 0.0025 + mu / 1000
        below = np.cumsum(np.exp(cells.log_mass))
        middle = np.flatnonzero(near)[::500]
        ends = (output[middle] + output[middle + 1]) / 2
        step = np.diff(output)[middle]
        assert np.all(np.abs(below[middle] - ndtr(ends)) <= step)


def test_a_batch_moves_the_sum_by_two_clip_norms():
    assert FixedBatch(4.0, 0.25, True).spread == 0.5
    assert FixedBatch(4.0, 0.25, True).has_closed_form
    assert not FixedBatch(4.0, 0.25, False).has_closed_form
    for replaced, moved in ((True, 2), (False, 1)):
        pair = FixedBatch(4.0, 0.25, replaced).reached(removed=True)
        assert pair.noise_multiplier == 4.0 / moved
