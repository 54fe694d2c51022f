"""What one submission tells of its cases is of no use to the next one.

And whoever hands in nothing of his own earns nothing.
"""

import pickle

import numpy as np
import pytest
from course import STANDARD, student_files

from dpteach.chapters.catalog import load, names
from dpteach.grading.calling import replays
from dpteach.grading.judge.course import read_course
from dpteach.grading.judge.judge import Judge
from dpteach.grading.judge.submissions import single
from tests.chapters.banks import NAMES, right

SAMPLE = ("audit_epsilon", "clip", "find_leaks", "poisson_batches", "private_step")
EACH = [
    pytest.param(name, marks=[] if name in SAMPLE else [pytest.mark.thorough])
    for name in NAMES
]


def case(arguments):
    """Write down a case, so that a table could have an entry for it."""
    parts = [
        value.bit_generator.state
        if isinstance(value, np.random.Generator) and not replays(value)
        else None if isinstance(value, np.random.Generator) else value
        for value in arguments
    ]  # fmt: skip
    return pickle.dumps(parts)


def with_memory(answer):
    """Make an answer that knows what is right in every case that it has seen."""
    seen = set()

    def learning(*arguments):
        seen.add(case(arguments))
        return answer(*arguments)

    def remembering(*arguments):
        if case(arguments) not in seen:
            raise LookupError("not in the table")
        return answer(*arguments)

    return learning, remembering


@pytest.mark.parametrize("name", EACH)
def test_a_table_of_all_cases_of_earlier_submissions_does_not_pass(name):
    learning, remembering = with_memory(right(name)[0])
    for seed in range(4):
        assert load(name).grade(learning, seed).passed
    assert load(name).grade(remembering, 3).passed  # power: the same cases again
    report = load(name).grade(remembering, 4)
    assert not report.passed
    assert "not in the table" in report.fault.seen


@pytest.mark.parametrize("name", EACH)
def test_no_starter_passes(name):
    exercise = load(name)
    assert exercise.starters_reach(1) < len(exercise.checks)


def test_the_download_handed_in_as_it_is_earns_nothing(tmp_path):
    course = read_course(STANDARD, names)
    for name, text in student_files(course).items():
        (tmp_path / name).write_text(text, "utf-8")
    marks = Judge(course, load, b"k" * 32, "none").marks(single(tmp_path, "ada"))
    assert {each.exercise: each.score for each in marks.verdicts} == {
        task.name: 0.0 for task in course.tasks
    }
    assert any(task.partial for task in course.tasks)


def test_parts_begin_where_the_starter_ends():
    exercise = load("tree_prefix_sums")
    free = exercise.starters_reach(1)
    assert 0 < free < len(exercise.checks)  # it does some things right
    report = exercise.grade(right("tree_prefix_sums")[0], 1)
    assert exercise.share(report) == 1
    shares = [
        exercise.share(Reached(reached, seed=1))
        for reached in range(len(report.checks))
    ]
    assert shares[: free + 1] == [0] * (free + 1)
    assert np.allclose(np.diff(shares[free:]), 1 / (len(report.checks) - free))


class Reached:
    """A report of an answer that failed the check after so many."""

    passed = False

    def __init__(self, reached, seed):
        self.reached, self.seed = reached, seed
