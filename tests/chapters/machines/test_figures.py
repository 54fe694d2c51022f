"""The experiments of the chapter on machines: what they must show."""

from math import e, exp, log, log2

import numpy as np
import pytest

from dpteach import Relation
from dpteach.accounting import gaussian_delta, gaussian_epsilon, restate
from dpteach.chapters.machines import cards, floats, pitfalls, searches
from dpteach.chapters.machines.leaks import LEAKS, budget_event, promised_mu
from dpteach.chapters.shared.tied_noise import EPSILONS, noise_for
from dpteach.privacy import Pure
from dpteach.tuning import random_stopping_epsilon


@pytest.mark.claim(
    "23-machines",
    "Every number that NumPy's Laplace sampler returned was found possible for the "
    "true answer, and four in five were impossible for the other one at ε = 0.1.",
    order=1,
)
def test_the_attack_never_excludes_the_true_answer():
    """6,000 releases; the code that is inverted is NumPy's own, to the last bit."""
    rng = np.random.default_rng(1)
    for scale in (1 / 3, 1.0, 10.0):
        for answer in (0.0, 1.0):
            seen = rng.laplace(answer, scale, 1000)
            assert all(floats.possible(z, answer, scale) for z in seen)
            other = np.mean([floats.possible(z, 1 - answer, scale) for z in seen])
            assert other < 0.25


def test_noise_on_a_grid_is_possible_for_both_answers():
    boxes = floats.last_bits(1.0, "integers")[:2]
    assert all((each.width > 0).all() for each in boxes)


@pytest.mark.parametrize("epsilon", floats.EPSILONS)
def test_the_exact_share_is_that_of_the_grid(epsilon):
    """The sum over all integers, on a coarser grid, where the formula is the same."""
    k = 64
    y = np.arange(-200 * k, 200 * k + 1)
    ratio = exp(-epsilon / k)
    weight = ratio ** np.abs(y) * (1 - ratio) / (1 + ratio)
    apart = np.maximum(weight[k:] - weight[:-k], 0).sum() + weight[:k].sum() * 0
    assert floats.exact_share(epsilon) == pytest.approx((1 + apart) / 2, abs=1e-6)


def test_the_small_computer_of_the_example():
    outputs = {a: {round(a - log2(k / 8), 2) for k in range(1, 9)} for a in (0, 1)}
    assert outputs[1] - outputs[0] == {4.0, 2.42, 1.68, 1.19}


def test_the_best_of_ten_coins_is_ten_private():
    p = 1 / (1 + e)
    assert searches.pure_best_of(1.0, 10) == pytest.approx(10)
    assert ((1 - p) / p) ** 10 == pytest.approx(exp(10))
    q = np.array([1 - p, p])
    zero = 0.1 * q / (1 - 0.9 * q)
    assert zero == pytest.approx([0.2137, 0.0355], abs=5e-5)
    assert log(zero[0] / zero[1]) == pytest.approx(1.80, abs=5e-3)
    event = Pure(1.0, relation=Relation.ADD_REMOVE)
    bound = random_stopping_epsilon(event, 0, expected_runs=10)
    assert log(zero[0] / zero[1]) < bound < 3


@pytest.mark.claim(
    "23-machines",
    "A thousand runs on average, stopped by a coin, cost less than a fixed number of a "
    "thousand in the best case that is known.",
    order=5,
)
@pytest.mark.parametrize("epsilon", searches.BUDGETS)
def test_a_random_number_of_runs_is_cheaper(epsilon):
    free, composed, stopped, exact, *_ = searches.price_of_tuning(epsilon, 1000)
    assert (np.diff(stopped.y) > 0).all()
    assert (stopped.y[1:] < exact.y[1:]).all()
    assert (exact.y <= composed.y * (1 + 1e-6)).all()
    assert (free.y <= stopped.y * (1 + 1e-9)).all()


def test_the_numbers_of_the_text_on_tuning():
    _, composed, stopped, exact, *_ = searches.price_of_tuning(1.0, 1000)
    assert [round(each.y[-1], 2) for each in (stopped, composed, exact)] == [
        2.47, 62.82, 9.88
    ]  # fmt: skip


def test_one_run_is_the_gaussian_price():
    mu = promised_mu(1.0)
    assert searches.best_of_epsilon(mu, 1) == pytest.approx(1.0, rel=1e-4)
    assert gaussian_delta(mu, 1.0) == pytest.approx(1e-6, rel=1e-9)


def test_the_picture_tells_what_the_programs_do():
    told, found = pitfalls.guesses(1.0)
    assert len(LEAKS) == 17
    assert (found > 99).sum() == 10
    assert sorted({severity for _, severity, _ in LEAKS}) == [
        "conditional", "partial", "total"
    ]  # fmt: skip
    for leak in pitfalls.NUMBERS:
        *_, said, _ = pitfalls.promised_and_kept(1.0, leak)
        assert LEAKS[leak - 1][0] in said.text
    assert (told >= 50).all()


@pytest.mark.parametrize("steps", cards.STEPS[::8])
@pytest.mark.parametrize("epsilon", EPSILONS)
def test_the_label_moves_with_the_sliders(epsilon, steps):
    lam = noise_for(epsilon, steps)
    card = cards.label_of(lam, steps)
    assert card.mu == pytest.approx(steps**0.5 / lam)
    assert card.prices[0].epsilon == pytest.approx(epsilon, rel=1e-5)
    curve, blind, dot, *_ = cards.label(lam, epsilon, steps)
    assert (curve.y >= blind.y).all()
    near = np.interp(0.01, curve.x, curve.y)
    assert dot.y[0] == pytest.approx(near, rel=0.05)


def test_what_the_questions_say_of_a_group():
    mu = budget_event(1.0).mu
    assert gaussian_epsilon(20 * mu, 1e-6) == pytest.approx(33.0, abs=0.05)
    assert restate(budget_event(1.0), Relation.REPLACE).mu == pytest.approx(2 * mu)


def test_the_adapter_of_the_text():
    whole, adapter = 4096**2, 8 * (4096 + 4096)
    assert (whole, adapter) == (16_777_216, 65_536)
    assert (whole / adapter) ** 0.5 == 16
