"""The question on the square root: its band, and what wrong answers reveal."""

import numpy as np
import pytest

from dpteach import check
from dpteach.algorithms import square_root_factorization
from dpteach.chapters.catalog import load

c = square_root_factorization(8).encoder[:, 0]


def test_the_band_holds_the_coefficient():
    low, high = load("root_coefficient").band
    assert (low, high) == pytest.approx((0.999 * c[5], 1.001 * c[5]), rel=1e-4)
    for answer in (c[5], 63 / 256, 0.246):
        assert check("root_coefficient", answer).passed


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (c[4], "That is c_4"),
        (c[6], "That is c_6"),
        (2.0**-5, "are not all"),
        (1 / np.sqrt(5 * np.pi), "close for large k"),
        (0.2, "not like 1/k"),
        (5**-0.5, "is missing"),
        (0.9, "multiply all of them"),
        (2.0, "too large"),
        (0.0, "too small"),
    ],
)
def test_a_wrong_number_is_told_what_it_reveals(answer, told):
    report = check("root_coefficient", float(answer))
    assert not report.passed
    assert told in report.fault.hint
    assert "63" not in str(report.fault)
