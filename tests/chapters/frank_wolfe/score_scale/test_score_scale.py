"""The question on the noise of a vote: its band, and what wrong answers reveal."""

from math import sqrt

import pytest

from dpteach import check
from dpteach.accounting import zcdp_epsilon
from dpteach.algorithms import private_frank_wolfe_noise
from dpteach.chapters.catalog import load


def test_the_band_holds_the_scale():
    exact = private_frank_wolfe_noise(
        zcdp_epsilon(0.01, 1e-6), 1e-6, steps=33, lipschitz_l1=2.0, l1_radius=1.0
    )
    low, high = load("score_scale").band
    assert exact == pytest.approx(80, rel=1e-6)
    assert (low, high) == pytest.approx((0.99 * exact, 1.01 * exact))
    assert check("score_scale", exact).passed
    assert check("score_scale", 80).passed


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (40, "another may fall"),
        (80 * sqrt(33 / 32), "one vote fewer"),
        (160, "costs a fourth"),
        (20, "neither"),
        (6400, "root is missing"),
        (10 * sqrt(2), "32 of them"),
        (1000, "too large"),
        (1, "too small"),
    ],
)
def test_a_wrong_number_is_told_what_it_reveals(answer, told):
    report = check("score_scale", answer)
    assert not report.passed
    assert told in report.fault.hint
    assert "80" not in str(report.fault).replace(f"{answer:g}", "")
