"""The root that errs on the safe side, where the root is the last safe point itself."""

import math

import pytest

from dpteach.numerics import safe_root


@pytest.mark.parametrize(("bad", "good"), [(0.0, 1.0), (5.0, 2.0)])
def test_a_root_is_never_on_the_bad_side(bad, good):
    """f > 0 is bad: a kink, a steep and a flat function, and a jump at the very end."""
    middle = (bad + good) / 2
    sign = math.copysign(1, bad - good)
    for f in (
        lambda x: sign * (x - middle),
        lambda x: sign * 1e12 * (x - middle) ** 3,
        lambda x: math.copysign(1.0, sign * (x - middle)),
        lambda x: 1.0 if sign * (x - good) > 0 else -1.0,
    ):
        x = safe_root(f, bad, good)
        assert f(x) <= 0
        assert min(bad, good) <= x <= max(bad, good)


def test_a_root_next_to_zero_is_stepped_away_from():
    """Steps in proportion to x = 0 would never end; nor is a tiny root rounded."""
    asked = [0]

    def f(x):
        asked[0] += 1
        assert asked[0] < 10_000
        return 1.0 if x < 3e-310 else -1.0

    x = safe_root(f, 0.0, 1e-305)
    assert 3e-310 <= x < 3.1e-310
