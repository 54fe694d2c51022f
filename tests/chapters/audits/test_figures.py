"""The experiments of the chapter on auditing: what they must show, and its numbers."""

from math import log
from statistics import NormalDist

import numpy as np
import pytest
from scipy.stats import chi2

from dpteach import Problem, Relation, constraints, dp_sgd, losses
from dpteach.accounting import epsilon_of, gaussian_mu, trade_off
from dpteach.auditing import (
    Tape,
    event_epsilon_lower_bound,
    exact_mu,
    noise_map,
    one_run_epsilon_lower_bound,
)
from dpteach.chapters.audits import curves, evidence, leaks
from dpteach.chapters.shared.tied_noise import EPSILONS, noise_for
from dpteach.privacy import SampledGaussian

N = NormalDist()


@pytest.mark.claim(
    "22-audits",
    "In every state of the first figure with honest noise, no bound exceeds the truth.",
    order=40,
)
def test_honest_noise_is_never_refuted():
    for epsilon in EPSILONS[::2]:
        for steps in (1, 4, 16, 64):
            lam = noise_for(epsilon, steps)
            for bounds in evidence.audits(epsilon, lam, steps, 1.0):
                assert max(bounds) < epsilon


def test_half_of_the_noise_is_found_missing():
    """The first figure's sentences, as the chapter quotes them."""
    lam = noise_for(1.0, 16)
    gaussian, event = evidence.audits(1.0, lam, 16, 1.0)
    assert gaussian[-1] == pytest.approx(0.768, abs=5e-4)
    assert event[-1] == pytest.approx(0.293, abs=5e-4)
    *_, sentence, _ = evidence.what_runs_prove(1.0, lam, 16, 0.5)
    assert "refuted by 1,000 runs" in sentence.text
    *_, sentence, _ = evidence.what_runs_prove(1.0, lam, 16, 1.0)
    assert "not refuted" in sentence.text


def test_after_300_runs_three_quarters_of_the_noise_pass():
    for epsilon in EPSILONS[:5:2]:  # up to 1
        for share in (0.75, 1.0):
            gaussian, event = evidence.audits(
                epsilon, noise_for(epsilon, 16), 16, share
            )
            assert max(gaussian[:3]) == max(event[:3]) == 0


def test_scores_are_normal_with_the_mean_that_the_claim_says():
    """Means of 30,000 runs; five deviations of a mean are 0.03."""
    for steps in (1, 16):
        lam = noise_for(4.59241, steps)
        having, lacking = evidence.scores(lam, steps, 1.0)
        assert having.mean() == pytest.approx(np.sqrt(steps) / lam, abs=0.03)
        assert lacking.mean() == pytest.approx(0, abs=0.03)
        for scores in (having, lacking):
            assert scores.std() == pytest.approx(1, abs=0.03)


@pytest.mark.claim(
    "22-audits",
    "At ε = 4, 3,000 runs with half of the noise refute the Gaussian curve, and not "
    "the lines of ε and δ; honest noise refutes neither.",
    order=50,
)
def test_a_curve_is_easier_to_refute_than_two_numbers():
    *_, sentence, _ = curves.claim_as_curve(4, 0.5)
    assert "5 of 5 bounds lie below the Gaussian curve, 0 below" in sentence.text
    for epsilon in evidence.POWER_EPSILONS:
        *_, sentence, _ = curves.claim_as_curve(epsilon, 1.0)
        assert "0 of 5 bounds lie below the Gaussian curve, 0 below" in sentence.text


@pytest.mark.claim(
    "22-audits",
    "A sampled Gaussian step with ε = 1.68 lies below the curve of the Gaussian "
    "mechanism with that price: an audit against that curve convicts honest code.",
    order=60,
)
def test_a_sampled_step_is_not_the_gaussian_of_its_price():
    batch = SampledGaussian(1.0, rate=0.1, releases=1, relation=Relation.ADD_REMOVE)
    epsilon = epsilon_of(batch, 1e-5)
    assert epsilon == pytest.approx(1.68, abs=0.005)
    assert gaussian_mu(epsilon, 1e-5) == pytest.approx(0.43, abs=0.001)
    far = -N.inv_cdf(1e-9) - N.inv_cdf(trade_off(batch, 1e-9))
    assert far == pytest.approx(0.58, abs=0.002)


@pytest.mark.claim(
    "22-audits",
    "The bound of one run gives a published audit's numbers to nine digits.",
    order=70,
)
def test_a_published_audit_is_recomputed():
    """Three results of an audit of StarCoder2-7B, as its authors' files state them."""
    for correct, guesses, told in (
        (100, 100, 3.4791953949828853),
        (23, 35, 0.014548719860613346),
        (60, 100, 0.05073561053723097),
    ):
        found = one_run_epsilon_lower_bound(
            correct, guesses, 500, delta=1e-5, false_alarm=0.05
        )
        assert found == pytest.approx(told, abs=1e-9)


def test_no_run_proves_more_than_the_truth_or_than_all_right():
    for epsilon in evidence.ONE_RUN_EPSILONS:
        for canaries in evidence.CANARIES[:2]:  # the last takes long
            truth, most, found, *_ = evidence.one_run(epsilon, canaries)
            assert (found.y <= most.y + 1e-12).all()
            assert found.y.max() < truth.y[0]


def test_ten_thousand_canaries_prove_about_half():
    *_, point, _, _ = evidence.one_run(4, 10_000)
    assert point.y[0] == pytest.approx(2, abs=0.2)
    guesses, right = evidence.right_guesses(4, 10_000)
    assert right[guesses.index(1000)] / 1000 == pytest.approx(0.9, abs=0.02)


@pytest.mark.claim(
    "22-audits",
    "To find half of the noise missing at ε = 1, the Gaussian audit needs about 1,300 "
    "runs of each kind and the best event about 69,000.",
    order=80,
)
def test_the_runs_that_a_cheater_costs():
    needed = evidence.runs_needed
    assert needed(1, 0.5, "gaussian") == pytest.approx(1300, rel=0.05)
    assert needed(1, 0.5, "event") == pytest.approx(69_000, rel=0.05)
    assert needed(1, 0.9, "gaussian") == pytest.approx(100_000, rel=0.02)
    assert needed(1, 0.9, "event") == evidence.MOST
    # a few hundred runs where μ is 2 or 3, tens of thousands at ε = 0.5
    for epsilon in (11, 19):
        assert needed(epsilon, 0.5, "gaussian") < 300
        assert needed(epsilon, 0.7, "gaussian") < 600
    assert needed(0.5, 0.7, "gaussian") > 10_000


def test_the_example_by_hand():
    p = 0.05 ** (1 / 20)
    assert p == pytest.approx(0.861, abs=5e-4)
    found = event_epsilon_lower_bound(20, 20, 0, 20, delta=0.0, false_alarm=0.1)
    assert found == pytest.approx(log(p / (1 - p)))
    assert found == pytest.approx(1.82, abs=5e-3)


@pytest.mark.claim(
    "22-audits",
    "Tapes give the price of DP-SGD from its running code, to nine digits.",
    order=5,
)
def test_the_tape_finds_the_price_of_dp_sgd():
    def path(rows, rng):
        D = Problem(rows, np.ones(len(rows)), losses.linear, constraints.Everywhere())
        run = {"steps": 4, "noise_multiplier": 4.0, "learning_rate": 0.1}
        return dp_sgd(D, clip_norm=1.0, **run, rng=rng).path

    without = noise_map(lambda rng: path(np.zeros((3, 2)), rng))
    rows = np.vstack([np.zeros((3, 2)), [[600.0, 800.0]]])
    moved = path(rows, Tape([])).ravel() - without.mean
    assert exact_mu(without.matrix, moved) == pytest.approx(0.5, abs=1e-9)


def test_too_much_noise_is_found_by_a_test_with_two_sides():
    rng = np.random.default_rng(0)
    quiet = [leaks.right_sum(np.zeros((3, 8)), 4.0, rng) for _ in range(200)]
    for claimed, fits in ((4.0, True), (4.4, False), (3.6, False)):
        squares = np.sum(np.square(quiet)) / claimed**2
        p_value = 2 * min(chi2.sf(squares, 1600), chi2.cdf(squares, 1600))
        assert (p_value > 1e-6) == fits


def test_wrong_values_are_named():
    with pytest.raises(ValueError, match="`canaries` must be one of"):
        evidence.one_run(4, 7)
    with pytest.raises(ValueError, match="`noise_share`"):
        evidence.what_runs_prove(1.0, 4.2, 1, 0.0)
    with pytest.raises(ValueError, match="`noise_share`"):
        curves.claim_as_curve(1, 0.3)
    with pytest.raises(ValueError, match="`kind` must be one of"):
        evidence.runs_needed(1, 0.5, "both")
