"""The question on packing: its band, and what its wrong answers reveal."""

from math import exp, log, log2, log10

import pytest

from dpteach import check
from dpteach.chapters.catalog import load
from dpteach.lower_bounds import packing_success_cap

EXACT = log(32) / 10


def test_the_band_holds_the_epsilon_at_which_the_cap_is_one_half():
    assert packing_success_cap(EXACT, copies=10, codewords=64) == pytest.approx(0.5)
    low, high = load("packing_epsilon").band
    assert low == pytest.approx(0.99 * EXACT, rel=1e-3)
    assert high == pytest.approx(1.01 * EXACT, rel=1e-3)
    for answer in (EXACT, 0.35, 0.345, 0.3466):
        assert check("packing_epsilon", answer).passed


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (log(32), "pays for one record"),
        (log(64) / 10, "make the guess certain"),
        (log2(32) / 10, "base 2"),
        (log10(32) / 10, "base 10"),
        (log(32) / 20, "not 2m"),
        (3.2, "a logarithm is missing"),
        (32, "That is K/2"),
        (log(2) / 10, "double one chance"),
        (1.0, "too large"),
        (0.01, "too small"),
        (exp(-1) - 1, "too small"),
    ],
)
def test_a_wrong_number_is_told_what_it_reveals(answer, told):
    report = check("packing_epsilon", answer)
    assert not report.passed
    assert told in report.fault.hint
    assert "0.34" not in str(report.fault)  # the answer is not given away
