"""Confidence limits of a probability, where they have a closed form."""

import pytest

from dpteach.auditing._binomial import at_least, at_most


@pytest.mark.parametrize("runs", [1, 7, 10_000])
@pytest.mark.parametrize("alpha", [0.05, 1e-9])
def test_limits_at_the_ends_have_closed_forms(runs, alpha):
    """No hit, one, all hits: the error has probability (1 − q)ⁿ or pⁿ."""
    assert at_least(0, runs, alpha) == 0.0
    assert at_most(runs, runs, alpha) == 1.0
    assert at_least(runs, runs, alpha) == pytest.approx(alpha ** (1 / runs))
    assert at_most(0, runs, alpha) == pytest.approx(1 - alpha ** (1 / runs))
    assert at_least(1, runs, alpha) == pytest.approx(
        1 - (1 - alpha) ** (1 / runs), rel=1e-6
    )
