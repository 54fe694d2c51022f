"""Every right answer of the banks passes; every wrong one is caught, and told why."""

import inspect
import re

import pytest

from dpteach.chapters.catalog import load
from tests.chapters.banks import (
    NAMES,
    bank,
    right,
    verdict,
    wrong,
)

RIGHT = [(name, each) for name in NAMES for each in right(name)]
WRONG = [(name, *each) for name in NAMES for each in wrong(name)]


def _id(value):
    return getattr(value, "__name__", None) or (value if value in NAMES else "")


def test_the_banks_are_as_large_as_promised():
    first = {"calibrate_sigma", "clip", "private_step", "tree_prefix_sums"}
    assert first <= set(NAMES)
    for name in NAMES:
        assert len(wrong(name)) >= 10
        assert len(right(name)) >= 4
        functions = {
            each for key, each in vars(bank(name)).items()
            if key.startswith(("right_", "wrong_"))
        }  # fmt: skip
        assert functions == {*right(name), *(each for each, _ in wrong(name))}


@pytest.mark.parametrize(("name", "answer"), RIGHT, ids=_id)
@pytest.mark.parametrize("seed", [1, 2026])
def test_a_right_answer_passes(name, answer, seed):
    report = load(name).grade(answer, seed)
    assert report.passed, report
    assert report.reached == len(report.checks)


@pytest.mark.parametrize(("name", "answer", "pattern"), WRONG, ids=_id)
def test_a_wrong_answer_is_told_what_is_wrong(name, answer, pattern):
    """On two seeds: the verdict and the message do not hang on the cases drawn."""
    for seed in (1, 2026):
        report = verdict(name, answer, seed)
        assert not report.passed
        assert re.search(pattern, str(report.fault)), str(report.fault)


@pytest.mark.parametrize(("name", "answer", "_"), WRONG, ids=_id)
def test_a_message_names_all_and_gives_nothing_away(name, answer, _):
    fault = verdict(name, answer, 1).fault
    assert fault is not None
    assert len(fault.quantity) > 8
    assert fault.seen
    assert fault.wanted
    assert len(str(fault)) < 700
    # No line of any right answer, nor of our own reference, stands in the message;
    # a line of the student's own may.
    said = str(fault).replace(" ", "")
    own = inspect.getsource(answer).replace(" ", "")
    for line in _lines_of_code(name):
        assert line not in said or line in own, line


def _lines_of_code(name):
    sources = [inspect.getsource(each) for each in right(name)]
    module = inspect.getmodule(load(name).checks[0][1])
    for key, value in vars(module or bank(name)).items():
        if key in ("_clipped", "_chapter", "_noiseless", "_cut"):
            sources.append(inspect.getsource(value))
    for line in "\n".join(sources).splitlines():
        line = line.replace(" ", "").removeprefix("return")
        if len(line) > 12 and not line.startswith(("def", "for", "#", '"')):
            yield line
