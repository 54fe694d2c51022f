"""Questions: a band, a choice, an order; and what their wrong answers reveal."""

import re
from itertools import permutations
from math import log

import numpy as np
import pytest

from dpteach import (
    Problem,
    Relation,
    check,
    constraints,
    losses,
)
from dpteach.accounting import price_of
from dpteach.algorithms.matrices.factorization import independent_factorization
from dpteach.algorithms.pure.output import output_perturbation_sensitivity
from dpteach.algorithms.streams.batched_ftrl import batched_ftrl
from dpteach.auditing import noise_map
from dpteach.chapters.catalog import load
from dpteach.grading.exercise import Exercise
from dpteach.grading.questions import Choice, Number, Order
from dpteach.privacy import Gaussian, SampledGaussian
from tests.chapters.banks import QUESTIONS

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
        (0, "no number of steps"),
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


@pytest.mark.parametrize(("name", "right"), [("why_clip", " B "), ("what_costs", "C")])
def test_every_wrong_choice_has_its_own_feedback(name, right):
    question = load(name)
    assert set(question.feedback) == set(question.choices) - {question.right}
    for letter, told in question.feedback.items():
        report = check(name, letter)
        assert not report.passed
        assert report.fault.hint == told
    assert check(name, right).passed


def test_what_costs_is_the_step_that_reads_a_true_count():
    """Laplace noise cut off at 10: of two neighbors one can give 10.5 more."""
    noisy = np.arange(-20.0, 21.0)
    weights = [
        np.exp(-abs(noisy - count)) * (abs(noisy - count) <= 10) for count in (0, 1)
    ]
    P, Q = (each / each.sum() for each in weights)
    assert (P[Q == 0] > 0).any()  # no ε covers it
    for step in (
        lambda counts: np.maximum(counts, 0),
        lambda counts: np.where(counts < 5, -1, counts),
        lambda counts: np.round(counts / 3),
    ):
        P, Q = (np.exp(-abs(noisy - count)) for count in (0, 1))
        after = [
            np.array([table[step(noisy) == value].sum() for value in set(step(noisy))])
            for table in (P, Q)
        ]
        before = np.abs(np.log(P / Q)).max()
        assert np.abs(np.log(after[0] / after[1])).max() <= before + 1e-12


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
    assert "goes wrong at step 2" in report.fault.seen
    assert report.fault.hint == question.feedback["ed"]
    # Every pair that feedback speaks of does stand so in each right order.
    for first, then in question.feedback:
        for right in question.right:
            assert right.index(first) < right.index(then)


def test_the_proof_for_smooth_losses_has_three_right_orders():
    """Convexity may stand anywhere before the two inequalities are put together."""
    question = load("order_descent_proof")
    assert len(question.steps) == 7
    for right in question.right:
        assert check("order_descent_proof", right).passed
        assert not check("order_descent_proof", right[::-1]).passed
        for first, then in question.feedback:
            assert right.index(first) < right.index(then)
    report = check("order_descent_proof", "cfdgaeb")
    assert "goes wrong at step 3" in report.fault.seen
    assert report.fault.hint == question.feedback["gd"]
    # Every swap of neighbors in a right order is right too, or has its own feedback.
    for right in question.right:
        for k in range(6):
            other = right[:k] + right[k + 1] + right[k] + right[k + 2 :]
            if other not in question.right:
                hint = check("order_descent_proof", other).fault.hint
                assert hint in question.feedback.values()


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


def test_the_weight_of_noise_under_momentum_is_that_of_the_running_code():
    """The noise map of θ_4 at γ = 0.9, Λ = 1: its first column."""
    D = Problem(np.zeros((3, 1)), np.ones(3), losses.linear, constraints.Everywhere())

    def run(rng):
        return batched_ftrl(
            D,
            factorization=independent_factorization(3),
            clip_norm=1.0,
            noise_multiplier=1.0,
            regularization=1.0,
            momentum=0.9,
            rng=rng,
        ).path[-1]

    weight = abs(noise_map(run).matrix[0, 0])
    low, high = load("momentum_and_noise").band
    assert (low, high) == pytest.approx((0.99 * weight, 1.01 * weight), rel=1e-3)
    assert check("momentum_and_noise", float(weight)).passed
    for answer, told in (
        (0.81, "what the last step"),
        (0.9**3, "γ³"),
        (1, "without momentum"),
        (10, "long run"),
        (3, "nothing forgotten"),
        (3.439, "too many"),
        (1.9, "too few"),
        (5.61, "v is a sum already"),
        (-2.71, "absolute value"),
        (7, "too large"),
    ):
        report = check("momentum_and_noise", answer)
        assert not report.passed
        assert told in report.fault.hint


@pytest.mark.claim(
    "14-dp-ftrl-in-practice",
    "The published prices, by each accountant.",
    order=8,
)
def test_the_fair_comparison_and_its_four_figures():
    """Each wrong choice has its feedback; the statement's figures are the package's."""
    question = load("fair_comparison")
    assert set(question.feedback) == set(question.choices) - {question.right}
    for letter, told in question.feedback.items():
        assert check("fair_comparison", letter).fault.hint == told
    assert check("fair_comparison", "b").passed
    tree = Gaussian(1.13, releases=11, relation=Relation.ZERO_OUT)
    sgd = SampledGaussian(
        0.3, rate=100 / 342_477, releases=1600, relation=Relation.ZERO_OUT
    )
    for event, accountant, said in (
        (sgd, "renyi", "18.0"),
        (sgd, "loss_distribution", "14.9"),
        (tree, "renyi", "18.7"),
        (tree, "exact", "17.7"),
    ):
        price = price_of(event, delta=1e-6, accountant=accountant)
        assert f"{price.epsilon:.1f}" == said
        assert said in question.statement


def test_how_far_one_record_moves_a_model_is_the_packages_own_bound():
    n, alpha, gamma = 1000, 0.01, 1e-4
    exact = output_perturbation_sensitivity(
        lipschitz=1.0,
        regularization=n * alpha,
        tolerance=n * gamma,
        relation=Relation.REPLACE,
    )
    assert check("how_far", exact).passed
    low, high = load("how_far").band
    assert (low, high) == pytest.approx((0.99 * exact, 1.01 * exact))


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (0.2, "exact minima"),
        (0.21, "One solver"),
        (0.12, "one record more or less"),
        (0.1, "two solvers stop early"),
        (200.02, "units|1/n"),
        (200.0, "sum of losses"),
        (100.0, "units of a sum"),
        (0.0002, "not twice"),
        (0.3, "too large"),
    ],
)
def test_how_far_tells_what_a_wrong_number_reveals(answer, told):
    report = check("how_far", answer)
    assert not report.passed
    assert re.search(told, report.fault.hint), report.fault.hint
    assert "0.22" not in str(report.fault)


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
