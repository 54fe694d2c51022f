"""The figures of chapter 17: the votes are those of the algorithm."""

from math import sqrt

import numpy as np
import pytest

from dpteach.accounting import epsilon_of
from dpteach.algorithms.geometry.private_frank_wolfe import private_frank_wolfe_noise
from dpteach.algorithms.gradients.sgd import (
    dp_sgd_learning_rate,
    dp_sgd_noise_multiplier,
)
from dpteach.chapters.frank_wolfe import corners, many_features
from dpteach.figures.style import write

# ---- corners


def test_any_two_of_budget_noise_and_steps_have_a_third():
    known = sorted(
        {corners.score_noise(e, T) for e in corners.EPSILONS for T in (2, 5)}
    )
    ratios = np.divide(known[1:], known[:-1])
    assert np.all(np.isclose(ratios, 2**0.5, rtol=1e-4) | np.isclose(ratios, 1, 1e-4))


def test_the_votes_are_those_of_the_algorithm():
    """Shares of 20,000 first votes: 6 standard errors, a false alarm below 1e-6."""
    b = corners.score_noise(1.0, 9)
    chances = labeled(corners.votes_and_walks(1.0, b, 9, 1), "chance")
    votes = chances.level[:4]
    from dpteach.algorithms.geometry.private_frank_wolfe import private_frank_wolfe

    out = private_frank_wolfe(
        corners._diamond(), lipschitz_l1=2.0, epsilon=1.0, delta=1e-6, steps=9, rng=3,
        runs=(20_000,),
    )  # fmt: skip
    second = out.path[1]  # the first step is 1: θ_2 is a corner
    seen = [np.mean(second @ v > 0.5) for v in ([1, 0], [0, 1], [-1, 0], [0, -1])]
    error = np.sqrt(votes * (1 - votes) / 20_000)
    assert np.all(np.abs(seen - votes) <= 6 * error + 1e-9)


def labeled(marks, label, panel=1):
    """The mark of a label in a panel."""
    return next(
        mark
        for mark in marks
        if getattr(mark, "label", "") == label and mark.panel == panel
    )


@pytest.mark.parametrize("steps", corners.STEPS)
@pytest.mark.parametrize("t", [1, 5, 32])
def test_the_walk_goes_toward_the_winner_of_each_vote(steps, t):
    """Redo the walk from the winners on the board: it is the one that is drawn."""
    marks = corners.votes_and_walks(1.0, corners.score_noise(1.0, steps), steps, t)
    vote, wide = min(t, steps - 1), 32 // (steps - 1)
    winners, chances = (labeled(marks, name) for name in ("winner", "chance"))
    assert winners.x[:vote].tolist() == [wide * (k + 0.5) for k in range(vote)]
    way, theta = labeled(marks, "one walk", 0), np.zeros(2)
    for k in range(vote):
        row = int(winners.y[k])
        corner = np.array([(0, -1), (-1, 0), (0, 1), (1, 0)][row - 1])
        shown = chances.level[4 * k : 4 * k + 4]
        assert shown.sum() == pytest.approx(1)
        assert shown[4 - row] > 0
        theta = theta + 2 / (k + 2) * (corner - theta)
        assert [way.x[k + 1], way.y[k + 1]] == pytest.approx(theta.tolist())
    assert (chances.width > 0).sum() == 4 * vote
    *_, here = (mark for mark in marks if getattr(mark, "label", "") == "one walk")
    assert [here.x[0], way.x[-1]] == pytest.approx([theta[0]] * 2)


def test_more_votes_at_one_price_are_worse_votes():
    chances = [
        labeled(
            corners.votes_and_walks(1.0, corners.score_noise(1.0, T), T, 1),
            "chance",
        ).level[0]
        for T in corners.STEPS
    ]
    # the chapter's numbers, of three, nine and 33 models
    assert [round(100 * chances[k]) for k in (1, 3, 5)] == [97, 84, 68]
    assert np.all(np.diff(chances) < 0)


def test_the_sentence_says_what_is_spent_of_what_was_asked():
    """The badge's number stands beside the slider's, and is never above it."""
    for epsilon in corners.EPSILONS[::3]:
        for T in corners.STEPS[::2]:
            *_, told, spent = corners.votes_and_walks(
                epsilon, corners.score_noise(epsilon, T), T
            )
            found = epsilon_of(spent.event, corners.DELTA)
            assert f"finds {write(found)} at most" in told.text
            assert found <= epsilon


def test_e32_the_printed_scale_breaks_and_the_corrected_one_does_not():
    for epsilon in (0.3, 1.0, 3.0):
        for T in (2, 10, 100):
            printed, ours, claim, *_ = corners.printed_scale(epsilon, T)
            assert printed.y[4] > claim.y[4]  # 100 records
            assert np.all(ours.y < claim.y)
    # one choice of two corners has at most 2Δ₁/b
    for b in (0.1, 1.0, 30.0):
        for n in (1, 10, 1000):
            assert 0 < corners.choice_epsilon(b, n) <= 4 / b
    # it comes near that where one corner is far ahead
    assert corners.choice_epsilon(30.0, 1000) > 0.98 * 4 / 30


# ---- many features


def test_frank_wolfe_wins_with_many_features_and_loses_with_few():
    found = many_features.lasso_in_many_dimensions()
    votes, descent = np.array(found["frank_wolfe"]), np.array(found["dp_sgd"])
    one = many_features.EPSILONS.index(1.0)
    assert descent[one, 0] < votes[one, 0]  # ten features
    assert np.all(votes[one, 1:] < descent[one, 1:])
    assert votes[one, -1] < 0.1 * found["zero"][-1] < 0.9 * descent[one, -1]
    # At ε = 0.5 it is hardly better with 100,000 features than the model 0.
    assert 0.85 * found["zero"][-1] < votes[0, -1] < found["zero"][-1]


def test_a_part_of_the_stored_result_comes_out_again():
    stored = many_features.lasso_in_many_dimensions()
    anew = many_features.lasso_in_many_dimensions.compute((1.0,), (100,), 4, 0)
    i, j = many_features.EPSILONS.index(1.0), many_features.FEATURES.index(100)
    for name in ("frank_wolfe", "dp_sgd"):
        assert anew[name][0][0] == pytest.approx(stored[name][i][j], rel=0.02)
    assert anew["zero"][0] == pytest.approx(stored["zero"][j], rel=1e-3)


def test_descent_learns_at_the_rate_of_its_theorem(monkeypatch):
    """O-01: for a start at most 1 away, and not for √(1 + 1/T), as once."""
    rates, run = [], many_features.dp_sgd

    def watched(D, *, learning_rate, **kind):
        rates.append(learning_rate)
        return run(D, learning_rate=learning_rate, **kind)

    monkeypatch.setattr(many_features, "dp_sgd", watched)
    many_features.lasso_in_many_dimensions.compute((1.0,), (10,), 1, 0)
    T = many_features.DESCENT
    lam = dp_sgd_noise_multiplier(1.0, many_features.DELTA, steps=T)
    rate = dp_sgd_learning_rate(
        n=many_features.RECORDS, p=10, steps=T, noise_multiplier=lam,
        lipschitz=sqrt(10), distance=1.0,
    )  # fmt: skip
    assert rates == pytest.approx([factor * rate for factor in many_features.RATES])


def test_one_noise_is_a_logarithm_and_the_other_a_root():
    lines = many_features.log_or_root(1.0, many_features.FEATURES[0])[5:7]
    vote, gradient = (line.y for line in lines)
    p = np.array(many_features.FEATURES)
    np.testing.assert_allclose(vote / vote[0], np.log(2 * p) / np.log(20))
    np.testing.assert_allclose(gradient / gradient[0], np.sqrt(p / 10))
    b = private_frank_wolfe_noise(1.0, 1e-6, steps=20, lipschitz_l1=2.0, l1_radius=1.0)
    assert vote[0] == pytest.approx(b * np.log(20) / 1000)
