"""Random allocation: the lists lie on their sides of the truth, and near it.

Quick tests of each list; prices are tested with all events.
"""

import math
from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import norm

from dpteach.accounting.moments.conversion import OutOfDigits
from dpteach.accounting.pairs.allocation import OneOfSteps
from dpteach.accounting.pairs.ratio_sums import EvenGrid


def listed_delta(pair, epsilon):
    """Sum (1 − e^{ε−L})₊ over a list, and what counts as lost."""
    seen = pair.loss > epsilon
    gain = -np.expm1(epsilon - pair.loss[seen])
    return float(np.exp(pair.log_mass[seen]) @ gain) + math.exp(pair.log_lost)


def at_zero(pair):
    """Return what counts as lost: with little noise R is often too small to be told."""
    return math.exp(pair.log_lost)


def one_step_delta(noise, epsilon):
    """Compute δ(ε) of a Gaussian release, whose record takes part for certain."""
    a, b = 0.5 / noise - epsilon * noise, -0.5 / noise - epsilon * noise
    return norm.cdf(a) - math.exp(epsilon + norm.logcdf(b))


def two_steps_delta(noise, epsilon, removed):
    """Integrate over the first output; over the second there is a closed form."""
    spread, grow = 1 / noise, math.exp(epsilon)

    def call(strike):  # E[(Y − strike)₊] for a lognormal Y of mean 1
        if strike <= 0:
            return 1 - strike
        d = -math.log(strike) / spread + spread / 2
        return norm.cdf(d) - strike * norm.cdf(d - spread)

    def put(strike):  # E[(strike − Y)₊], small where the strike is
        if strike <= 0:
            return 0.0
        d = -math.log(strike) / spread + spread / 2
        return strike * norm.cdf(spread - d) - norm.cdf(-d)

    def inner(z):
        first = math.exp(z / noise - 0.5 / noise**2)
        if removed:  # E[((first + Y)/2 − e^ε)₊]
            return norm.pdf(z) * call(2 * grow - first) / 2
        return norm.pdf(z) * put(2 / grow - first) * grow / 2

    turn = noise * math.log(2 / grow) + 0.5 / noise  # from here on no second is needed
    far = 1 / noise + 9  # where the first decides alone
    points = sorted({-12.0, min(turn, far), 0.0, 1 / noise, far})
    pieces = pairwise(points)
    return sum(
        quad(inner, low, high, limit=400, epsabs=1e-18, epsrel=1e-11)[0]
        for low, high in pieces
    )


@pytest.mark.parametrize("noise", [0.4, 1.0, 4.0])
@pytest.mark.parametrize("removed", [True, False])
def test_one_step_is_a_gaussian_release(noise, removed):
    """From δ of 0.1 to 1e-11; what is added for the ends of lists is 1e-12 at most."""
    pair = OneOfSteps(noise, 1)
    worst, reached = pair.worst(removed), pair.reached(removed)
    for share in (0.5, 2.0, 4.0, 6.5):
        epsilon = share / noise + 0.5 / noise**2
        truth = one_step_delta(noise, epsilon)
        assert truth <= listed_delta(worst, epsilon)
        assert listed_delta(worst, epsilon) - at_zero(worst) <= truth * 1.01 + 1e-12
        if removed:
            assert at_zero(worst) < 1e-12
            found = listed_delta(reached, epsilon)
            assert truth * 0.99 - 1e-12 <= found <= truth * (1 + 1e-9)


@pytest.mark.parametrize(("noise", "epsilons"), [
    (0.5, (1.0, 5.0, 9.0, 12.0)), (1.0, (0.3, 2.0, 4.0, 5.5)), (4.0, (0.05, 0.4, 0.9)),
])  # fmt: skip
@pytest.mark.parametrize("removed", [True, False])
def test_two_steps_agree_with_quadrature(noise, epsilons, removed):
    pair = OneOfSteps(noise, 2)
    worst, reached = pair.worst(removed), pair.reached(removed)
    for epsilon in epsilons:
        truth = two_steps_delta(noise, epsilon, removed)
        assert truth <= listed_delta(worst, epsilon)
        if removed or noise >= 1:  # else small R lie between few points of the grid
            assert listed_delta(worst, epsilon) - at_zero(worst) <= truth * 1.01 + 1e-12
        if removed:
            assert at_zero(worst) < 1e-12
            found = listed_delta(reached, epsilon)
            assert truth * 0.99 - 1e-12 <= found <= truth * (1 + 1e-9)


@pytest.mark.parametrize(("noise", "steps"), [(0.5, 30), (1.0, 1000), (3.0, 100_000)])
def test_the_moments_of_many_steps(noise, steps):
    """Without the record E[R] = 1 and E[R²] = 1 + (e^{1/λ²} − 1)/k."""
    square = 1 + math.expm1(1 / noise**2) / steps
    pair = OneOfSteps(noise, steps)
    worst, reached, added = pair.worst(True), pair.reached(True), pair.worst(False)
    for each in (worst, reached, added):
        assert np.all(np.diff(each.loss) > 0)
    with_it = np.exp(worst.log_mass)
    assert 1 - 1e-12 <= with_it.sum() + at_zero(worst) <= 1 + 1e-8
    assert 0 <= with_it @ np.exp(worst.loss) / square - 1 < 1e-5
    # each value lies below its own, by less than a step of the grid
    with_it = np.exp(reached.log_mass)
    assert with_it.sum() == pytest.approx(1, abs=1e-12)
    assert -1e-2 < with_it @ np.exp(reached.loss) / square - 1 <= 0
    # what is large counts as less if the record is added, which is worse
    without = np.exp(added.log_mass)
    assert 1 - 1e-12 <= without.sum() + at_zero(added) <= 1 + 1e-8
    assert 0.98 < without @ np.exp(-added.loss) <= 1 + 1e-7


def test_a_fixed_step_costs_no_less():
    for noise, steps, epsilon in ((0.5, 2, 3.0), (1.0, 50, 1.0), (2.0, 1000, 0.1)):
        pair = OneOfSteps(noise, steps)
        for removed in (True, False):
            known = one_step_delta(noise, epsilon)
            assert listed_delta(pair.worst(removed), epsilon) < known


def test_with_too_little_noise_there_are_no_digits():
    with pytest.raises(OutOfDigits):
        OneOfSteps(0.01, 5).worst(True)
    with pytest.raises(OutOfDigits):
        OneOfSteps(0.01, 5).reached(True)


def test_among_too_many_steps_nothing_is_listed(monkeypatch):
    """What is lost beyond the grid is known first: ten trillion steps take no time."""
    monkeypatch.setattr(EvenGrid, "sums", lambda *_: pytest.fail("a long list"))
    with pytest.raises(OutOfDigits, match="so many steps"):
        OneOfSteps(1.0, 10**13).worst(removed=True)
