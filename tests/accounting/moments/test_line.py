"""Moments along a line, and their errors' bounds, beside 40 digits."""

import math

import mpmath
import numpy as np
import pytest

from dpteach.accounting.moments.line import (
    Moments,
    _by_powers,
    _rounding,
    _sums,
    log1p,
    moments_of_nodes,
)

UNIT = 2.0**-53


def exact_sum(loss, weight, t):
    """Compute Σ weight (e^{itL} − 1) to 40 digits."""
    with mpmath.workdps(40):
        terms = [
            mpmath.mpf(w) * mpmath.expm1(1j * mpmath.mpf(t) * mpmath.mpf(x))
            for x, w in zip(loss.tolist(), weight.tolist(), strict=True)
        ]
        return complex(mpmath.fsum(terms))


def nodes(size, seed):
    rng = np.random.default_rng(seed)
    loss = np.sort(size * rng.standard_normal(40))
    weight = rng.random(40)
    return loss, weight / weight.sum()


@pytest.mark.parametrize("size", [1e-9, 1e-3, 0.3, 5.0])
def test_sums_are_off_by_less_than_their_bounds(size):
    """Losses that use powers, a transform, or some each."""
    (loss, weight), period, count = nodes(size, 1), 40.0, 64
    t = 2 * math.pi / period * np.arange(count)
    (gained,), (errors,) = _sums(loss, weight[None], period, t)
    assert gained[0] == 0
    allowed = errors + _rounding(weight, np.full(40, 2.0), loss, t)
    for j in (0, 1, 7, 30, 63):
        assert abs(gained[j] - exact_sum(loss, weight, t[j])) <= allowed[j]
        # of the size of rounding, and no less than what one product loses
        assert 4 * UNIT * abs(gained[j]) <= errors[j] <= 1e-12


def test_powers_keep_their_digits():
    (loss, weight), t = nodes(1e-12, 2), np.array([0.0, 0.5, 3.0, 1e9])
    found = _by_powers(loss, weight, t)
    for one, at in zip(found, t, strict=True):
        assert one == pytest.approx(exact_sum(loss, weight, at), rel=1e-13, abs=1e-40)
    assert np.all(_by_powers(np.zeros(3), np.ones(3) / 3, t) == 0)


def test_logarithms_keep_their_digits():
    z = np.array([1e-20, 1e-9 + 1e-12j, -0.3 + 0.2j, -1 + 1e-3j, 0.4j, -0.9999, 3.0])
    with mpmath.workdps(40):
        wanted = [complex(mpmath.log(1 + mpmath.mpc(each))) for each in z]
    np.testing.assert_allclose(log1p(z), wanted, rtol=4e-16, atol=0)


def relative_errors(far, c=3.0, shift=0.0, size=0.3):
    """Return moments, and their distances from those of 40 digits."""
    (loss, weight), period, count = nodes(size, 3), 30.0, 12
    log_weight = np.log(weight) + shift
    found = moments_of_nodes(loss, log_weight, 8.0, far, 0.0, (c, period, count))
    whole, others = [], []
    for j in range(count):
        with mpmath.workdps(40):
            s = mpmath.mpc(c, 2 * math.pi / period * j)
            terms = [
                mpmath.mpf(w) * mpmath.exp(s * x)
                for x, w in zip(loss.tolist(), weight.tolist(), strict=True)
            ]
            start = mpmath.fsum(
                mpmath.mpf(w) * mpmath.exp(c * x)
                for x, w in zip(loss.tolist(), weight.tolist(), strict=True)
            )
            share = np.zeros(40) if far is None else far
            without = mpmath.fsum(
                each * (1 - f) for each, f in zip(terms, share.tolist(), strict=True)
            )
            others.append(complex(without / start))
            whole.append(complex(mpmath.fsum(terms) / start))
    return found, np.array(whole), np.array(others)


def test_moments_without_jumps():
    found, whole, _ = relative_errors(None)
    off = np.abs(np.exp(found.log_ratio) / whole - 1)
    assert np.all(off <= found.error)
    assert np.all(found.error < 1e-11)
    assert found.log_jumps == found.jumps_error == 0


def test_moments_with_jumps_told_apart():
    (loss, _), far = nodes(0.3, 3), np.zeros(40)
    far[30:] = np.linspace(0, 1, 10)
    found, whole, others = relative_errors(far)
    assert loss[30] > 0
    off = np.abs(np.exp(found.log_ratio) / others - 1)
    assert np.all(off <= found.error)
    both = np.exp(found.log_ratio + found.log_jumps)
    assert np.all(np.abs(both / whole - 1) <= found.error + found.jumps_error)
    plain, *_ = relative_errors(None)
    size = np.abs(np.exp(found.log_ratio)), np.abs(np.exp(plain.log_ratio))
    assert np.all(found.error * size[0] > plain.error * size[1])  # two sums' errors


def test_larger_exponents_are_rounded_more():
    """Weights come from exponents: an error of one unit of 500 counts 500 times."""
    near, *_ = relative_errors(None)
    far, *_ = relative_errors(None, shift=-500.0)
    assert np.all(far.error > 1.2 * near.error)
    assert np.all(near.error > 0)


def test_nothing_is_a_jump_by_default():
    plain = Moments(0.0, np.zeros(2, complex), np.zeros(2))
    assert plain.log_jumps == plain.jumps_error == 0
