"""The question on hemisphere reports: its band, and what wrong answers reveal."""

from math import log

import pytest

from dpteach import check
from dpteach.algorithms import hemisphere_length
from dpteach.chapters.catalog import load

EXACT = 100 * hemisphere_length(log(4), p=3, clip_norm=1.0) ** 2


def test_the_band_holds_the_number_of_users():
    low, high = load("hemisphere_users").band
    assert (low, high) == pytest.approx((0.99 * EXACT, 1.01 * EXACT), rel=1e-3)
    for answer in (EXACT, 1111, 1112):
        assert check("hemisphere_users", answer).passed


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (278, "not for the half sphere"),
        (400, "not for the lies"),
        (33.3, "trusted server"),
        (111, "its square 0.01"),
        (2498, "spherical noise"),
        (625, "probability of the truth"),
        (1011, "vectors of norm 0"),
        (5000, "too large"),
        (5, "too small"),
    ],
)
def test_a_wrong_number_is_told_what_it_reveals(answer, told):
    report = check("hemisphere_users", answer)
    assert not report.passed
    assert told in report.fault.hint
    assert "1111" not in str(report.fault)
