"""Each fault of a library is found by a replay, and its repair passes."""

import ast
import inspect
import json
import re
from math import inf

import pytest

from dpteach.chapters.audits import library_faults, museum
from tests.public import ROOT

FAULTS = library_faults.FAULTS
TEXT = "\n".join(
    "".join(cell["source"])
    for cell in json.loads((ROOT / "chapters/22-audits.ipynb").read_text("utf-8"))[
        "cells"
    ]
)


@pytest.mark.claim(
    "22-audits",
    "Each of the seven faults of libraries costs more than it claims, and its repair "
    "does not: for ε of 0.3, 1, 3 and 10.",
    order=25,
)
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.wrong.__name__)
def test_every_fault_breaks_its_claim_and_no_repair_does(fault):
    for epsilon in museum.EPSILONS:
        assert fault.price(epsilon) > 1.4 * epsilon
        assert fault.price(epsilon, repaired=True) <= epsilon * (1 + 1e-9)


def test_repairs_are_exact_but_for_what_counts_as_zero():
    found = [fault.price(1.0, repaired=True) for fault in FAULTS]
    assert sum(price == pytest.approx(1.0) for price in found) == len(FAULTS) - 1
    assert found[[f.name for f in FAULTS].index("clip NaN")] == 0


def test_numbers_go_on_where_the_museum_ends():
    assert museum.EXHIBITS[-1] + 1 == library_faults.FIRST


def test_the_rows_of_the_chapter_are_computed():
    rows = re.findall(r"^\| (\d+) \| ([^|]+?) \| ([\d.∞]+) \|", TEXT, re.MULTILINE)
    rows = {int(number): rest for number, *rest in rows}
    for number, fault in enumerate(FAULTS, library_faults.FIRST):
        name, told = rows[number]
        paid = fault.price(1.0)
        assert name == fault.name
        assert told == ("∞" if paid == inf else f"{paid:.3g}")


def test_every_fault_of_the_paper_has_an_exhibit_or_a_test_that_rules_it_out():
    """Thirteen rows; exhibits exist, and so do the tests that are named."""
    rows = re.findall(
        r"^\| (\d+) \| ([^|]+) \| (\d+|none) \| ([^|]+) \|$", TEXT, re.MULTILINE
    )
    rows = [row for row in rows if "`test_" in row[3]]
    assert [int(number) for number, *_ in rows] == list(range(1, 14))
    last = library_faults.FIRST + len(FAULTS) - 1
    exhibits = {int(each) for _, _, each, _ in rows if each != "none"}
    assert exhibits <= set(range(1, last + 1))
    # NaN is counted apart: the paper calls it a matter of robustness
    assert exhibits >= set(range(library_faults.FIRST, last + 1)) - {19}
    assert FAULTS[19 - library_faults.FIRST].wrong is library_faults.not_a_number
    for _, _, _, why in rows:
        file, name = re.search(r"`(test_\w+)`, `tests/(\S+?)`", why).groups()[::-1]
        tree = ast.parse((ROOT / "tests" / file).read_text("utf-8"))
        names = {n.name for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)}
        assert name in names, (file, name)


def test_wrong_code_is_wrong_in_one_thing():
    """No fault is longer than eight lines, and each says what it does."""
    for fault in FAULTS:
        for code in (fault.wrong, fault.repaired):
            assert len(inspect.getsource(code).splitlines()) <= 8
            assert code.__doc__
