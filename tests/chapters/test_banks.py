"""Every right answer of the banks passes; every wrong one is caught, and told why."""

import ast
import inspect
import re
from functools import cache

import false_rejects
import pytest
from fingerprint import source

from dpteach.chapters.catalog import load
from tests.chapters.banks import (
    NAMES,
    bank,
    right,
    verdict,
    wrong,
)
from tests.chapters.sources import own_source
from tests.grading.markup import demand_sound

RIGHT = [(name, each) for name in NAMES for each in right(name)]
# Nearly right: hundreds of minima are computed before it is told.
LONG = [("publish_tilted", "wrong_starter"), ("publish_tilted", "wrong_output")]
# No verdict hangs on the seed: the first one is enough for a sample.
SEEDS = [1, pytest.param(2026, marks=pytest.mark.thorough)]
WRONG = [
    pytest.param(
        name,
        *each,
        marks=[pytest.mark.thorough] if (name, each[0].__name__) in LONG else [],
    )
    for name in NAMES
    for each in wrong(name)
]


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
@pytest.mark.parametrize("seed", SEEDS)
def test_a_right_answer_passes(name, answer, seed):
    report = load(name).grade(answer, seed)
    assert report.passed, report
    assert report.reached == len(report.checks)
    demand_sound(report)


@pytest.mark.parametrize(("name", "answer", "pattern"), WRONG, ids=_id)
@pytest.mark.parametrize("seed", SEEDS)
def test_a_wrong_answer_is_told_what_is_wrong_and_no_more(name, answer, pattern, seed):
    """The verdict and the message do not hang on the cases drawn."""
    report = verdict(name, answer, seed)
    assert not report.passed
    assert re.search(pattern, str(report.fault)), str(report.fault)
    demand_sound(report)
    fault = report.fault
    assert len(fault.quantity) > 8
    assert fault.seen
    assert fault.wanted
    assert len(str(fault)) < 700
    told = given_away(str(fault), name, own_source(name, answer))
    assert not told, f"the message shows these steps of a right answer: {told}"


def given_away(said, name, own):
    """List what a message tells of our reference, or of a right answer.

    What stands in the student's own answer may be said again.
    """
    own = own.replace(" ", "")
    return [
        each
        for each in solutions(name)
        if each not in own and _stands(each).search(said)
    ]


@cache
def _stands(step):
    """Find a step in a text, with any spaces, but not the end of a longer name."""
    spaced = " *".join(map(re.escape, step))
    return re.compile((r"(?<!\w)" if step[0].isidentifier() else "") + spaced)


@cache
def solutions(name):
    """List the steps of all right answers, and of all that the grader computes with.

    The grader's functions are found from ``EXERCISE``, as a fingerprint finds them.
    """
    trees = [ast.parse(inspect.getsource(each)) for each in right(name)]
    for path, defined in false_rejects.decides(name):
        if name in (path.stem, path.parent.name) and path.stem != "bank":
            trees += source(path).defined[defined]
    return frozenset(step for tree in trees for step in _steps(tree))


def _steps(tree):
    """Write what is computed as code without spaces; messages are not computed."""
    for node in ast.walk(tree):
        value = node.body if isinstance(node, ast.Lambda) else None
        if isinstance(node, ast.Assign | ast.AugAssign | ast.Return | ast.Expr):
            value = node.value
        if value is None or any(_is_text(each) for each in ast.walk(value)):
            continue
        if not any(isinstance(each, ast.Call | ast.BinOp) for each in ast.walk(value)):
            continue
        step = ast.unparse(value).replace(" ", "")
        if len(step) > 12:
            yield step


def _is_text(node):
    text = isinstance(node, ast.Constant) and isinstance(node.value, str)
    return text or isinstance(node, ast.JoinedStr)


@pytest.mark.parametrize("name", NAMES)
def test_a_message_that_gives_something_away_is_caught(name):
    """Power: each step of a right answer would be found, and the grader's own too."""
    steps = solutions(name)
    first = [
        step for each in right(name)
        for step in _steps(ast.parse(inspect.getsource(each)))
    ]  # fmt: skip
    assert first
    assert len(steps) > len(set(first))
    for step in steps:
        assert given_away(f"Try this: {step}.", name, "")
        assert step not in given_away(f"Try this: {step}.", name, own=step)


def test_the_reference_is_found_in_every_exercise():
    """Power: those of three exercises, of one file and of several, by their steps."""
    for name, step in (
        ("clip", "G/np.maximum(np.linalg.norm(G,axis=1,keepdims=True)/C,1.0)"),
        ("laplace_mean", "float(np.clip(x,low,high).sum())/n"),
        ("largest_rho", "(sqrt(log(1/delta)+eps)-sqrt(log(1/delta)))**2"),
    ):
        assert step in solutions(name)
