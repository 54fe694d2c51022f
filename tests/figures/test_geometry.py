"""Figures on votes among corners, and on lower bounds: what they claim."""

import numpy as np
import pytest
from scipy import stats

from dpteach.algorithms.geometry.private_frank_wolfe import private_frank_wolfe_noise
from dpteach.chapters.ch14_frank_wolfe import corners, many_features
from dpteach.chapters.ch15_lower_bounds import attacks as lower_bounds
from dpteach.chapters.ch15_lower_bounds import same_problem, upper_bounds
from dpteach.lower_bounds import packing_success_cap, tracing_lower_bound

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
    *_, votes, _, _ = corners.votes_and_walks(1.0, b, 9)
    from dpteach.algorithms.geometry.private_frank_wolfe import private_frank_wolfe

    out = private_frank_wolfe(
        corners._diamond(), lipschitz_l1=2.0, epsilon=1.0, delta=1e-6, steps=9, rng=3,
        runs=(20_000,),
    )  # fmt: skip
    second = out.path[1]  # the first step is 1: θ_2 is a corner
    seen = [np.mean(second @ v > 0.5) for v in ([1, 0], [0, 1], [-1, 0], [0, -1])]
    error = np.sqrt(votes.height * (1 - votes.height) / 20_000)
    assert np.all(np.abs(seen - votes.height) <= 6 * error + 1e-9)


def test_more_votes_at_one_price_are_worse_votes():
    chances = [
        corners.votes_and_walks(1.0, corners.score_noise(1.0, T), T)[-3].height[0]
        for T in corners.STEPS
    ]
    assert np.all(np.diff(chances) < 0)


def test_e32_the_printed_scale_breaks_and_the_corrected_one_does_not():
    for epsilon in (0.3, 1.0, 3.0):
        for T in (2, 10, 100):
            printed, ours, claim, *_ = corners.printed_scale(epsilon, T)
            assert printed.y[4] > claim.y[4]  # 100 records
            assert np.all(ours.y < claim.y)
    # one choice of two corners has at most 2Δ₁/b
    for b in (0.1, 1.0, 30.0):
        assert 0 < corners.choice_epsilon(b) <= 4 / b


# ---- many features


def test_frank_wolfe_wins_with_many_features_and_loses_with_few():
    found = many_features.lasso_in_many_dimensions()
    votes, descent = np.array(found["frank_wolfe"]), np.array(found["dp_sgd"])
    one = many_features.EPSILONS.index(1.0)
    assert descent[one, 0] < votes[one, 0]  # ten features
    assert np.all(votes[one, 1:] < descent[one, 1:])
    assert votes[one, -1] < 0.1 * found["zero"][-1] < 0.9 * descent[one, -1]
    assert votes[0, -1] > found["zero"][-1]  # ε = 0.5, 100,000 features: lost


def test_a_part_of_the_stored_result_comes_out_again():
    stored = many_features.lasso_in_many_dimensions()
    anew = many_features.lasso_in_many_dimensions.compute((1.0,), (100,), 4, 0)
    i, j = many_features.EPSILONS.index(1.0), many_features.FEATURES.index(100)
    for name in ("frank_wolfe", "dp_sgd"):
        assert anew[name][0][0] == pytest.approx(stored[name][i][j], rel=0.02)
    assert anew["zero"][0] == pytest.approx(stored["zero"][j], rel=1e-3)


def test_one_noise_is_a_logarithm_and_the_other_a_root():
    vote, gradient = many_features._noises(1.0)
    p = np.array(many_features.FEATURES)
    np.testing.assert_allclose(vote / vote[0], np.log(2 * p) / np.log(20))
    np.testing.assert_allclose(gradient / gradient[0], np.sqrt(p / 10))
    b = private_frank_wolfe_noise(1.0, 1e-6, steps=20, lipschitz_l1=2.0, l1_radius=1.0)
    assert vote[0] == pytest.approx(b * np.log(20) / 2000)


# ---- lower bounds


def test_separation_grows_with_the_root_of_p_over_error():
    """The middle of the records' scores is at √(2p/3)/(nα), in the strangers' units.

    3,000 scores of each kind: 6 standard errors are 0.15, for deviations near 1.
    """
    for error in lower_bounds.ERRORS:
        for p in (30, 300):
            inside, *_ = lower_bounds._traced(error, p)
            middle = (lower_bounds._EDGES[1:] + lower_bounds._EDGES[:-1]) / 2
            mean = np.sum(inside * middle) / np.sum(inside)
            assert mean == pytest.approx(np.sqrt(2 * p / 3) / 100 / error, abs=0.2)


def test_tracing_states_an_error_above_its_lower_bound():
    for p in lower_bounds.SIGNS[:2]:
        for error in lower_bounds.ERRORS:
            *_, spent = lower_bounds.tracing_scores(error, p)
            mu = 2 / spent.event.noise_multiplier
            assert tracing_lower_bound(mu, n=100, p=p) < error
    with pytest.raises(ValueError, match=r"`error` must be above 0\.082"):
        lower_bounds.tracing_scores(0.05, 30)


def test_planted_words_are_found_within_the_cap():
    """Binomial of 1,000 plays at 1e-6 for each of 16 points; without the factor m the
    cap is broken."""
    for epsilon in (0.1, 1.0):
        found, cap, *_ = lower_bounds.planted_words(epsilon)
        hits = np.rint(found.y * 1000)
        assert np.all(stats.binom(1000, cap.y).sf(hits - 1) > 1e-6)
    once = packing_success_cap(1.0, copies=1, codewords=64)
    assert stats.binom(1000, once).sf(hits[-1] - 1) < 1e-6


@pytest.mark.claim(
    "15-lower-bounds",
    "Every algorithm of the book lies above its lower bound.",
    order=9,
)
@pytest.mark.parametrize("epsilon", same_problem.EPSILONS)
def test_every_algorithm_lies_above_its_lower_bound_and_below_the_model_zero(epsilon):
    i, found = same_problem.EPSILONS.index(epsilon), same_problem.all_algorithms()
    assert set(found) == set(same_problem.ALGORITHMS)
    for name in same_problem.ALGORITHMS:
        floor = lower_bounds._floor(name, epsilon)
        assert np.all(np.array(found[name][i]) >= floor), name
        assert np.all(np.array(found[name][i]) <= 1.02), name  # the model 0 has 1


def test_who_is_near_its_bound_and_who_is_not():
    found, n = same_problem.all_algorithms(), same_problem.RECORDS
    i = same_problem.EPSILONS.index(1.0)
    times = {
        name: found[name][i][-1] / lower_bounds._floor(name, 1.0)[-1]
        for name in same_problem.ALGORITHMS
    }
    assert n[-1] == 1000
    assert times["objective perturbation"] < 10
    assert times["DP-SGD"] < 15
    assert times["private Frank-Wolfe"] > 100
    assert times["local SGD"] > 100
    assert times["BANCO"] > 100


@pytest.mark.claim(
    "15-lower-bounds",
    "And none has more than its own theorem allows, where there is one for fixed "
    "records.",
    order=10,
)
@pytest.mark.parametrize("epsilon", same_problem.EPSILONS)
def test_no_algorithm_exceeds_what_its_theorem_allows(epsilon):
    """Five theorems bind, each below the trivial 1 somewhere; three are silent."""
    i, found = same_problem.EPSILONS.index(epsilon), same_problem.all_algorithms()
    silent = set()
    for name in same_problem.ALGORITHMS:
        promise = upper_bounds.promised_excess(name, epsilon)
        assert np.all(np.array(found[name][i]) <= promise), name
        if np.isinf(promise).all():
            silent.add(name)
        else:
            assert promise[-1] < 1, name
    assert silent == {"DP-FTRL", "local SGD", "BANCO"}


def test_a_part_of_all_algorithms_comes_out_again():
    """The same seeds, up to rounding between machines."""
    stored = same_problem.all_algorithms()
    anew = same_problem.all_algorithms.compute(same_problem.EPSILONS, (10,), 20, 0)
    for name in same_problem.ALGORITHMS:
        for i in range(len(same_problem.EPSILONS)):
            assert anew[name][i][0] == pytest.approx(stored[name][i][0], rel=1e-3)
