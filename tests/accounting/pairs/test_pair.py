"""Pairs: moments, their derivatives and their rounding, and tails, by integrals."""

import math

import mpmath as mp
import numpy as np
import pytest

from dpteach.accounting.pairs.pair import (
    GaussianPair,
    SelectionPair,
    TwoPoints,
    pure_pair,
)

TILTS = (1e-6, 0.02, 0.3, 1.0, 4.5, 30.0)


def loss_of(pair):
    """The ε of a pair."""
    return pair.greatest


def parts(pair):
    """The loss: its places with masses, or its range with a density, in many digits."""
    if isinstance(pair, TwoPoints):
        odds = mp.exp(mp.mpf(loss_of(pair)))
        return [
            (mp.mpf(loss_of(pair)), odds / (1 + odds)),
            (-loss_of(pair), 1 / (1 + odds)),
        ]
    return None


def exact_moment(pair, s):
    """Compute ln E[e^{sL}] with fifty digits."""
    s = mp.mpmathify(s)
    with mp.workdps(max(50, mp.mp.dps)):
        if isinstance(pair, GaussianPair):
            return s * (s + 1) * mp.mpf(pair.mu) ** 2 / 2
        if listed := parts(pair):
            return mp.log(sum(mass * mp.exp(s * loss) for loss, mass in listed))
        z, half = (s + mp.mpf(1) / 2) * loss_of(pair), mp.mpf(loss_of(pair)) / 2
        return mp.log(mp.sinh(z) / z) - mp.log(mp.sinh(half) / half)


PAIRS = [
    *(GaussianPair(mu) for mu in (1e-3, 0.7, 5.0)),
    *(pure_pair(epsilon) for epsilon in (1e-3, 0.5, 8.0)),
    *(SelectionPair(epsilon) for epsilon in (1e-4, 0.03, 0.5, 8.0)),
]


@pytest.mark.parametrize("pair", PAIRS, ids=repr)
def test_moments_are_those_of_the_loss(pair):
    for s in TILTS:
        for at in (s, complex(s, 0.1), complex(s, 2.0)):
            exact = exact_moment(pair, at)
            found = complex(pair.moment(np.asarray(at + 0j)))
            off = abs(mp.exp(found - exact) - 1)  # branches of ln do not count
            assert off <= 1e-13 * (1 + abs(exact)), at
        assert pair.log_moments(np.array([s]))[0] == pytest.approx(
            float(exact_moment(pair, s)), rel=1e-9, abs=1e-16
        )


@pytest.mark.parametrize("pair", PAIRS, ids=repr)
def test_cumulants_are_derivatives(pair):
    for c in TILTS[1:]:
        value, first, second = pair.cumulants(np.array([c]))[:, 0]
        with mp.workdps(60):
            exact = [mp.diff(lambda s: exact_moment(pair, s), c, n) for n in (0, 1, 2)]
        assert value == pytest.approx(float(exact[0]), rel=1e-6, abs=1e-12)
        assert first == pytest.approx(float(exact[1]), rel=1e-4)
        size = max(float(exact[2]), 1e-7)  # a complex step of a thousandth
        assert second == pytest.approx(float(exact[2]), abs=0.02 * size + 2e-9 / c**2)


@pytest.mark.parametrize(
    "pair", [GaussianPair(40.0), pure_pair(20.0), SelectionPair(50.0)]
)
def test_moments_along_a_line_are_within_their_errors(pair):
    """Also where they are large: the errors grow with them."""
    c, period, count = 300.7, 3.3, 60
    moments = pair.along(c, period, count)
    for j in range(count):
        with mp.workdps(50):
            s = mp.mpc(c, 2 * mp.pi * j / mp.mpf(period))
            exact = exact_moment(pair, s) - exact_moment(pair, c)
            off = abs(mp.exp(mp.mpmathify(complex(moments.log_ratio[j])) - exact) - 1)
        assert off <= moments.error[j]


@pytest.mark.parametrize("pair", PAIRS, ids=repr)
def test_tails_add_up_and_are_those_of_the_loss(pair):
    size = (
        pair.mu**2 / 2 + 2 * pair.mu
        if isinstance(pair, GaussianPair)
        else loss_of(pair)
    )
    for x in np.array([-1.5, -1.0, -0.6, -1e-3, 0.0, 0.2, 0.9, 1.0, 1.5]) * size:
        tails = pair.tails(np.array([x]))
        above_p, below_p, above_q, below_q = (float(each[0]) for each in tails)
        assert above_p + below_p == pytest.approx(1, abs=1e-14)
        assert above_q + below_q == pytest.approx(1, abs=1e-14)
        # P and Q are mirror images: P(L > x) = Q(L < −x), where no place has mass
        if not isinstance(pair, TwoPoints):
            mirrored = pair.tails(np.array([-x]))
            assert above_p == pytest.approx(float(mirrored[3][0]), rel=1e-9, abs=1e-15)
            continue
        p = 1 / (1 + math.exp(-loss_of(pair)))
        between = (p, 1 - p) if x < loss_of(pair) else (0.0, 0.0)
        steps = (1.0, 1.0) if x < -loss_of(pair) else between
        assert (above_p, above_q) == pytest.approx(steps, rel=1e-14)


def test_tails_of_a_choice_integrate_its_density():
    pair = SelectionPair(2.0)

    def density(x):
        return mp.exp(x / 2) / (2 * (mp.exp(1) - mp.exp(-1)))

    for x in (-1.7, -0.4, 0.6, 1.9):
        above_p, _, above_q, _ = (float(each[0]) for each in pair.tails(np.array([x])))
        assert above_p == pytest.approx(float(mp.quad(density, [x, 2])), rel=1e-13)
        q = mp.quad(lambda loss: density(loss) * mp.exp(-loss), [x, 2])
        assert above_q == pytest.approx(float(q), rel=1e-13)


@pytest.mark.parametrize("epsilon", [1e-3, 0.5, 3.0, 20.0])
def test_a_choice_dies_out_as_fast_as_its_bound_says(epsilon):
    """sinh z/z, with fifty digits, at many points from each t on."""
    pair = SelectionPair(epsilon)
    for c in (0.01, 1.0, 40.0):
        t = np.geomspace(1e-2, 1e3, 30) / epsilon
        bound = pair.log_decay(c, t)
        at_c = mp.re(exact_moment(pair, c))
        ratio = [float(mp.re(exact_moment(pair, mp.mpc(c, x))) - at_c) for x in t]
        between = np.maximum.accumulate(ratio[::-1])[::-1]
        assert np.all(bound >= between - 1e-12)
        # and it is sharp up to the first zero of the sine
        early = t * epsilon < math.pi / 2
        assert bound[early] == pytest.approx(np.array(ratio)[early], abs=1e-9)


@pytest.mark.parametrize(("high", "low"), [(0.5, -0.5), (0.1, -0.4), (3.0, -0.01)])
def test_two_points_die_out_within_an_interval_as_their_bound_says(high, low):
    pair, rng = TwoPoints(high, low), np.random.default_rng(5)
    for c in (0.01, 1.0, 20.0):
        start = rng.uniform(0, 30, size=40)
        end = start + rng.choice([1e-3, 0.3, 4.0], size=40)
        bound = pair.log_decay_within(c, start, end)
        inside = np.linspace(start, end, 401)
        ratio = np.real(pair.moment(c + 1j * inside) - pair.moment(np.asarray(c + 0j)))
        most = np.max(ratio, axis=0)
        assert np.all(bound >= most - 1e-12)
        # and it is the most, but for what lies between the points of the grid
        width = (end - start) * (high - low) / 400
        assert np.all(bound <= most + width**2 + 1e-12)
