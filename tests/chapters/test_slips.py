"""Slips that strangers made are caught on every seed, and no other cause is named."""

import re

import pytest

from tests.chapters.banks import quick
from tests.chapters.slips import SLIPS, slip, solution


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("title", SLIPS)
def test_a_slip_is_caught_and_nothing_false_is_said(title, seed):
    name, _, said, unsaid = SLIPS[title]
    report = quick(name, 5.0).grade(slip(title), seed)
    assert not report.passed
    assert re.search(said, str(report.fault)), str(report.fault)
    assert not re.search(unsaid, str(report.fault)), str(report.fault)


@pytest.mark.parametrize("name", sorted({name for name, *_ in SLIPS.values()}))
def test_what_is_changed_was_right(name):
    """Power: the solution itself passes, so that the change alone is refused."""
    namespace = {}
    exec(solution(name), namespace)
    for seed in (1, 2, 3):
        report = quick(name, 5.0).grade(namespace[name], seed)
        assert report.passed, report
