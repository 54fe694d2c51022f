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
        (0.416, "make the guess certain"),
        (log(63) / 10, "a sharper bound, and a correct one"),
        (0.414, "a sharper bound, and a correct one"),
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


def test_the_sharper_bound_is_met_by_randomized_response():
    """So 0.4143 must not be called wrong: right half of the time, at this ε."""
    eps = log(63) / 10
    odds = exp(10 * eps)
    right, each_other = odds / (odds + 63), 1 / (odds + 63)
    assert right == pytest.approx(0.5)
    assert right / each_other == pytest.approx(exp(10 * eps))
    assert right < packing_success_cap(eps, copies=10, codewords=64)
