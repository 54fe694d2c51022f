"""The question on users and noise: its band, and what wrong answers reveal."""

import pytest

from dpteach import check
from dpteach.algorithms import local_noise_variance
from dpteach.chapters.catalog import load

EXACT = 100 * local_noise_variance(1.0, p=5, clip_norm=1.0)


def test_the_band_holds_the_number_of_users():
    low, high = load("users_for_noise").band
    assert (low, high) == pytest.approx((0.99 * EXACT, 1.01 * EXACT), rel=1e-9)
    for answer in (EXACT, 12_000, 11_900):
        assert check("users_for_noise", answer).passed


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (2400, "one coordinate"),
        (109.5, "root of n"),
        (1200, "makes the variance"),
        (3000, "moves by up to 2G"),
        (10_000, "length of the noise is random"),
        (800, "one Laplace draw"),
        (2000, "standard deviation of each entry"),
        (13_000, "too large"),
        (50, "too small"),
    ],
)
def test_a_wrong_number_is_told_what_it_reveals(answer, told):
    report = check("users_for_noise", answer)
    assert not report.passed
    assert told in report.fault.hint
    assert "12" not in str(report.fault).replace(f"{answer:g}", "")
