"""Questions: a band, a choice, an order; and what their wrong answers reveal."""

from itertools import permutations
from math import log

import pytest

from dpteach import check
from dpteach.grading.exercise import Exercise
from dpteach.grading.exercises import load
from dpteach.grading.questions import Choice, Number, Order
from tests.grading.banks import QUESTIONS

EXACT = 1000**2 / (2 * 10 * (log(1e6) + 1))


def test_every_kind_of_question_is_there():
    kinds = {type(load(name)) for name in QUESTIONS}
    assert kinds == {Number, Choice, Order}
    assert not [name for name in QUESTIONS if isinstance(load(name), Exercise)]


def test_the_band_is_two_percent_wide_around_the_exact_number():
    low, high = load("best_T").band
    assert low == pytest.approx(0.98 * EXACT, rel=1e-3)
    assert high == pytest.approx(1.02 * EXACT, rel=1e-3)
    for answer in (EXACT, round(EXACT), 3400, 3350.5):
        assert check("best_T", answer).passed


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (1000**2 / 10, "order of magnitude"),
        (1000**2 / (2 * 10 * log(1e6)), "ε stands beside"),
        (2 * EXACT, "Twice too many"),
        (1000**2 / (2 * 10 * 7), "natural one"),
        (1000, "n steps are not special"),
        (EXACT**0.5, "square root"),
        (0, "cannot be taken"),
        (5000, "too large"),
        (2000, "too small"),
        (-3, "too small"),
    ],
)
def test_a_wrong_number_is_told_what_it_reveals(answer, told):
    report = check("best_T", answer)
    assert not report.passed
    assert told in report.fault.hint
    assert "337" not in str(report.fault)  # the answer is not given away


def test_every_wrong_choice_has_its_own_feedback():
    question = load("why_clip")
    assert set(question.feedback) == set(question.choices) - {question.right}
    for letter, told in question.feedback.items():
        report = check("why_clip", letter)
        assert not report.passed
        assert report.fault.hint == told
    assert check("why_clip", " B ").passed


def test_a_question_shows_all_that_a_reader_needs():
    assert load("best_T").markdown == load("best_T").statement
    for name, lettered in (("why_clip", "choices"), ("order_privacy_proof", "steps")):
        shown = load(name).markdown
        assert shown.startswith(load(name).statement)
        for letter, told in getattr(load(name), lettered).items():
            assert f"\n* {letter}) {told}" in shown


def test_orders():
    question = load("order_privacy_proof")
    for right in question.right:
        assert check("order_privacy_proof", right).passed
    assert check("order_privacy_proof", "B, E, D, A, C").passed
    report = check("order_privacy_proof", "bdeac")
    assert "goes astray at step 2" in report.fault.seen
    assert report.fault.hint == question.feedback["ed"]
    # Every pair that feedback speaks of does stand so in each right order.
    for first, then in question.feedback:
        for right in question.right:
            assert right.index(first) < right.index(then)


@pytest.mark.parametrize(
    ("name", "answer", "error"),
    [
        ("best_T", "3375", TypeError),
        ("best_T", float("nan"), ValueError),
        ("best_T", None, TypeError),
        ("why_clip", 2, TypeError),
        ("why_clip", "e", ValueError),
        ("order_privacy_proof", "abc", ValueError),
        ("order_privacy_proof", "aabcd", ValueError),
        ("order_privacy_proof", 5, TypeError),
        ("clip", 5, TypeError),
    ],
)
def test_an_answer_of_another_kind_is_refused(name, answer, error):
    with pytest.raises(error, match="`answer` must"):
        check(name, answer)


def test_an_unknown_name_is_met_with_a_near_one():
    with pytest.raises(
        ValueError, match=r'`name` must be one of .*Did you mean "clip"'
    ):
        check("clipp", len)
    with pytest.raises(TypeError, match="`name`"):
        check(3, len)
    with pytest.raises(ValueError, match="`seed`"):
        check("clip", len, seed=-1)


CHOICES = tuple(name for name in QUESTIONS if isinstance(load(name), Choice))
ORDERS = tuple(name for name in QUESTIONS if isinstance(load(name), Order))


@pytest.mark.parametrize("name", CHOICES)
def test_one_choice_passes_and_each_other_is_answered(name):
    question = load(name)
    assert set(question.feedback) == set(question.choices) - {question.right}
    assert len(set(question.feedback.values())) == len(question.feedback)
    for letter in question.choices:
        report = check(name, letter)
        assert report.passed == (letter == question.right)
        assert report.passed or report.fault.hint == question.feedback[letter]


@pytest.mark.parametrize("name", ORDERS)
def test_just_the_right_orders_pass_and_each_other_is_answered(name):
    """Of all orders; feedback names the one pair that every right order keeps."""
    question, passed = load(name), set()
    for order in map("".join, permutations(question.steps)):
        report = check(name, order)
        if report.passed:
            passed.add(order)
        else:
            assert report.fault.hint in question.feedback.values(), order
    assert passed == set(question.right)
    for first, then in question.feedback:
        assert all(each.index(first) < each.index(then) for each in question.right)
