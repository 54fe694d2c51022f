"""The question on clients and slots: its band, and what wrong answers reveal."""

from math import exp

import pytest

from dpteach import check
from dpteach.algorithms import fixed_window_dummies
from dpteach.chapters.catalog import load

EXACT = 250 - fixed_window_dummies(1000, slots=250, check_in_probability=0.5)


def test_the_band_holds_the_number_of_clients_who_are_used():
    low, high = load("clients_used").band
    assert (low, high) == pytest.approx((0.99 * EXACT, 1.01 * EXACT), rel=1e-3)
    for answer in (EXACT, 216, 217):
        assert check("clients_used", answer).passed


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (250, "every slot"),
        (500, "how many come"),
        (250 - EXACT, "stay empty"),
        (250 * (1 - exp(-1)), "one coming client a slot"),
        (250 * (1 - exp(-4)), "Only half of the clients come"),
        (125, "does not halve the slots"),
        (1000, "too large"),
        (1, "too small"),
    ],
)
def test_a_wrong_number_is_told_what_it_reveals(answer, told):
    report = check("clients_used", answer)
    assert not report.passed
    assert told in report.fault.hint
    assert "216" not in str(report.fault)
