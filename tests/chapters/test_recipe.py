"""The recipe in book/exercises.md is a complete exercise that works."""

import re

import pytest

from tests.public import ROOT

PAGE = (ROOT / "book" / "exercises.md").read_text("utf-8")
MODULE, BANK = re.findall(r"```python\n(.*?)```", PAGE, re.S)


@pytest.fixture(scope="module")
def recipe():
    module, bank = {"__name__": "recipe"}, {}
    exec(compile(MODULE, "module.py", "exec"), module)
    exec(compile(BANK, "bank.py", "exec"), bank)
    return module["EXERCISE"], bank


def test_the_bank_of_the_recipe_proves_it(recipe):
    exercise, bank = recipe
    for answer in bank["RIGHT"]:
        assert exercise.grade(answer, 1).passed
    for answer, pattern in bank["WRONG"].items():
        report = exercise.grade(answer, 1)
        assert not report.passed
        assert re.search(pattern, str(report.fault)), str(report.fault)


def test_its_starter_does_not_pass_and_its_worked_case_is_right(recipe):
    exercise, bank = recipe
    namespace = {}
    exec(exercise.starter, namespace)
    assert not exercise.grade(namespace["noisy_sum"], 1).passed
    namespace = {"noisy_sum": bank["right_plain"], "np": bank["np"]}
    assert eval(exercise.worked[0], namespace) == float(exercise.worked[1])


def test_every_name_that_the_page_gives_exists():
    for path in ("book/_tools/false_rejects.py", "book/_tools/exercise_notebooks.py"):
        assert path in PAGE
        assert (ROOT / path).exists()
    from dpteach.grading import ladder

    for name in ("found_noise", "demand_measured_noise"):
        assert name in PAGE
        assert callable(getattr(ladder, name))
