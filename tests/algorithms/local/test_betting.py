"""How much BANCO stakes: exact over its whole range, with no overflow."""

import math

import mpmath
import numpy as np
import pytest

from dpteach.algorithms.local.betting import bet, log_bet

BETS = [
    (1.3, 2.7, 0.4, 0.0552458671099824),
    (-3, 5, 0.6838, -0.187787199003099),
    (10, 40, 0.1, 0.0289700185357787),
    (0, 10, 0.25, 0.0),
]

LOG_BETS = [
    (200, 1000, 0.25, 1, 5.50904939097),
    (2000, 1000, 0.25, 1, 429.490080014),
    (-1e5, 1e4, 0.6838, -1, 63692.1165703),
    (1e-6, 1e6, 0.25, 1, -33.966411452),
    (5, 1e-9, 0.25, 1, -2.10884792148),
    (1e-4, 1e-4, 1, 1, -10.3090126593),
    (3000, 1e6, 0.25, 1, -9.89453332637),
]


def scaled_erfc(f):
    """e^{f²} erfc(f), by its series where mpmath would take very long."""
    if f < 1e4:
        return mpmath.exp(f * f) * mpmath.erfc(f)
    terms = [(-1) ** n * mpmath.fac2(2 * n - 1) / (2 * f * f) ** n for n in range(12)]
    return sum(terms) / (f * mpmath.sqrt(mpmath.pi))


def exact_log_bet(x, y, a):
    """log|m| in mpmath, by the closed form with as many digits as cancel."""
    X, Y = mpmath.mpf(a) * abs(mpmath.mpf(x)), mpmath.mpf(a) ** 2 * mpmath.mpf(y)
    lost = sum(max(0, -float(mpmath.log10(each))) for each in (X, Y))
    with mpmath.workdps(60 + int(3 * lost + 2 * max(0, float(mpmath.log10(X))))):
        root = mpmath.sqrt(Y)
        u, v = root + X / (2 * root), root - X / (2 * root)
        top = X * X / (4 * Y) if v >= 0 else X - Y  # the exponent of the largest term
        if v >= 0:
            bump = 2 - sum(mpmath.erfc(each) if each < 200 else 0 for each in (u, v))
            bump *= mpmath.exp(X * X / (4 * Y) - top)
        else:
            bump = scaled_erfc(-v) - scaled_erfc(u) * mpmath.exp(v * v - u * u)
        edges = mpmath.exp(-X - Y - top) - mpmath.exp(X - Y - top)
        bump *= mpmath.sqrt(mpmath.pi / Y) / 2
        return mpmath.log(a) + top + mpmath.log(X / (4 * Y) * bump + edges / (4 * Y))


def printed(x, y, a):
    """The closed form of the source, in floats."""
    root = 2 * math.sqrt(y)
    bump = math.erf((2 * a * y + x) / root) + math.erf((2 * a * y - x) / root)
    inner = math.sqrt(math.pi) * x * math.exp((2 * a * y + x) ** 2 / (4 * y)) * bump
    inner += root * (1 - math.exp(2 * a * x))
    return math.exp(-a * (a * y + x)) * inner / (8 * a * y**1.5)


@pytest.mark.parametrize(("x", "y", "a", "value"), BETS)
def test_bet_vectors(x, y, a, value):
    assert bet(x, y, a) == pytest.approx(value, rel=1e-12)


@pytest.mark.parametrize("function", [bet, log_bet])
@pytest.mark.parametrize("y", [-0.5, -1e-9, 1e-200, 1e101])
def test_a_variance_that_is_negative_or_leaves_the_floats_is_refused(function, y):
    with pytest.raises(ValueError, match="`y` must be"):
        function(1.3, y, 0.4)


def test_who_has_won_nothing_stakes_nothing():
    sign, size = log_bet(np.array([0.0, 1.0]), 2.7, 0.4)
    assert sign.tolist() == [0.0, 1.0]
    assert size[0] == -math.inf < size[1]


@pytest.mark.parametrize(("x", "y", "a", "sign", "value"), LOG_BETS)
def test_log_bet_vectors(x, y, a, sign, value):
    got = log_bet(x, y, a)
    assert got[0] == sign
    assert got[1] == pytest.approx(value, rel=1e-11)
    if value < 700:
        assert bet(x, y, a) == pytest.approx(sign * math.exp(value), rel=1e-8)


@pytest.mark.claim(
    "20-banco",
    "The bet agrees with 60-digit arithmetic to 1e-9 at 1500 points, where the "
    "printed form fails at over 40%.",
    order=1,
)
def test_bet_is_exact_over_the_whole_box():
    """1500 points: a|x| from 1e-8 to 1e5, a²y from 1e-8 to 1e8, a from 1e-3 to 1.

    The bet itself to 1e-9 wherever it is a float, its logarithm to 1e-13 everywhere.
    The printed form fails on nearly half of them, which shows that the box is hard.
    """
    rng, n = np.random.default_rng(0), 1500
    a = 10 ** rng.uniform(-3, 0, n)
    x = 10 ** rng.uniform(-8, 5, n) / a * rng.choice([-1, 1], n)
    y = 10 ** rng.uniform(-8, 8, n) / a**2
    failures = 0
    for point in zip(x.tolist(), y.tolist(), a.tolist(), strict=True):
        sign, size = log_bet(*point)
        m, want = bet(*point), exact_log_bet(*point)
        assert sign == np.sign(point[0])
        assert abs(size - want) <= 1e-13 * max(1, abs(want))
        if abs(want) < 709:
            assert m == pytest.approx(float(sign * mpmath.exp(want)), rel=1e-9)
        try:
            naive = printed(*point)
            failures += not (abs(want) > 700 or abs(naive / m - 1) < 1e-6)
        except (OverflowError, ZeroDivisionError):
            failures += 1
    assert failures > 0.4 * n


@pytest.mark.claim(
    "20-banco",
    "It agrees with the integral itself, which shares no formula with it.",
    order=2,
)
def test_bet_agrees_with_its_integral():
    """Against mpmath's quadrature of the definition, which shares no formula."""
    for x, y, a in ((1.3, 2.7, 0.4), (-50.0, 200.0, 0.5), (600.0, 31.0, 1.0)):
        with mpmath.workdps(40):
            panels = mpmath.linspace(-a, a, 33)
            value = mpmath.quad(
                lambda b, x=x, y=y: b * mpmath.exp(b * x - b * b * y), panels
            ) / (2 * a)
        assert bet(x, y, a) == pytest.approx(float(value), rel=1e-12)


def test_bet_has_the_shape_of_a_bet():
    x = np.linspace(0, 400, 801)
    m = bet(x, 1000.0, 0.25)
    assert np.array_equal(bet(-x, 1000.0, 0.25), -m)
    assert np.all(np.diff(m) > 0)
    falling = [bet(50.0, y, 0.25) for y in np.linspace(10, 1e4, 500)]
    assert np.all(np.diff(falling) < 0)
    assert bet(1e5, 1e4, 0.6838) == pytest.approx(math.exp(709))
    assert bet(5e-324, 1.0, 1.0) < 1e-300
    assert bet(0.0, 0.0, 1.0) == 0.0
    for x, y, a in ((math.nan, 1, 1), (1, -1, 1), (1, 1, 0), (1, math.inf, 1)):
        with pytest.raises(ValueError, match=r"`[xya]` must be"):
            bet(x, y, a)


def test_the_printed_form_overflows_at_step_13():
    """With the source's constants at ε = 1, p = 10: y = 901 t, a = 1/4."""
    printed(10.0, 12 * 901.0, 0.25)
    with pytest.raises(OverflowError):
        printed(10.0, 13 * 901.0, 0.25)
    assert 0 < bet(10.0, 13 * 901.0, 0.25) < 1e-3


BAD_INPUT = {
    bet: {"x": np.array([1.0, -300.0]), "y": 2.0, "a": 0.5},
    log_bet: {"x": np.array([1.0, -300.0]), "y": 2.0, "a": 0.5},
}
