"""The chapter on networks: its prices are exact, and its rounding is as it says."""

from math import sqrt

import numpy as np
import pytest

from dpteach import Problem, constraints, dp_sgd, networks
from dpteach.auditing import replayed_mu
from dpteach.chapters.training_a_network import adapting, digits, norms
from dpteach.chapters.training_a_network import gradients as short
from dpteach.losses import logistic

X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [3.0, 4.0]])
Y = np.array([0, 1, 1, 0])


def first(n):
    units = [networks.Dense(2), networks.Tanh(), networks.Dense(2)]
    loss = networks.Network((2,), units, seed=1)
    return Problem(X[:n], Y[:n], loss, constraints.Everywhere())


def path(clip_norm):
    """Noise of deviation 4, whatever the clip norm is."""
    kept = {"steps": 3, "noise_multiplier": 4 / clip_norm, "learning_rate": 0.5}
    return lambda D, rng: dp_sgd(D, clip_norm=clip_norm, **kept, rng=rng).path


@pytest.mark.claim(
    "11-training-a-network",
    "Training a network costs √T/λ: three steps by replay, from the running code. "
    "Without the clip they cost more than three times that.",
    order=1,
)
def test_three_steps_of_a_network_cost_what_they_claim():
    claimed = sqrt(3) / 4
    assert replayed_mu(path(1.0), first(4), first(3), rng=0) == pytest.approx(claimed)
    assert replayed_mu(path(1e6), first(4), first(3), rng=0) > 3 * claimed


def adaptive(records, rng, *, half):
    """Two steps of a clip norm that follows a noisy count; gradients are constant."""
    L, told = 1.0, []
    for _ in range(2):
        short_enough = np.abs(records) <= L
        total = np.clip(records, -L, L).sum() / L + 2.0 * rng.standard_normal()
        count = (short_enough - half).sum() + 3.0 * rng.standard_normal()
        told += [total, count]
        L = float(np.exp(0.1 * np.tanh(count)))
    return np.array(told)


@pytest.mark.claim(
    "11-training-a-network",
    "A clip norm that adapts costs what its theorem says, exactly for a long gradient; "
    "without the halves it costs more for a short one.",
    order=4,
)
def test_an_adaptive_clip_norm_costs_one_more_gaussian():
    price = sqrt(2 * (1 / 2**2 + 1 / (4 * 3**2)))

    def mu(new, half):
        whole, less = np.array([0.3, -0.2, new]), np.array([0.3, -0.2])
        return replayed_mu(
            lambda D, rng: adaptive(D, rng, half=half), whole, less, rng=1
        )

    assert mu(50.0, 0.5) == pytest.approx(price, rel=1e-6)
    assert mu(0.1, 0.5) <= price * (1 + 1e-9)
    short = sqrt(2 * 1 / 3**2)
    assert mu(1e-9, 0.0) >= short * (1 - 1e-6) > sqrt(2 / (4 * 3**2))
    # At a length of almost L the plain count breaks the price.
    assert mu(0.9, 0.0) > price


def test_a_clip_norm_follows_the_median_as_the_page_says():
    clip_norms, medians, event = adapting.followed(12.5, 0.5)
    ratios = clip_norms[:: adapting.EVERY] / medians
    assert ratios[0] < 0.1
    assert np.all(np.abs(np.log(ratios[8:12])) < 0.1)  # steps 32 to 44
    assert np.all((ratios[16:] > 1) & (ratios[16:] < 1.7))  # the median falls: late
    assert event.noise_multiplier == adapting.LAM
    extra = [adapting._extra(noise) for noise in (1.25, 12.5, 200.0)]
    assert extra == pytest.approx([67, 0.3, 0], abs=0.4)
    # Without an update nothing follows: at its start the clip norm is far below all.
    assert clip_norms[0] < medians.min() / 3


def by_layer(records, rng, *, norms, sigmas):
    """One step; each layer has one weight, clipped and noised on its own."""
    clipped = np.clip(records, -np.array(norms), norms)
    return clipped.sum(axis=0) + np.array(sigmas) * rng.standard_normal(len(norms))


def automatic(records, rng, *, kappa):
    """Two steps with noise multiplier 4; what is published turns the gradients."""
    published, angle = [], 0.0
    for _ in range(2):
        turn = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
        g = records @ np.array(turn)
        shares = g / (np.linalg.norm(g, axis=1, keepdims=True) + kappa)
        published.append(shares.sum(axis=0) + 4.0 * rng.standard_normal(2))
        angle = float(np.tanh(published[-1][0]))
    return np.concatenate(published)


@pytest.mark.claim(
    "11-training-a-network",
    "Clips by layer and automatic clipping cost what they say, by replay; without the "
    "division a long gradient costs more.",
    order=5,
)
def test_clips_by_layer_and_automatic_clipping_cost_what_they_say():
    others, long = np.array([[0.3, -0.2], [5.0, 0.1]]), np.array([[300.0, 400.0]])
    more = np.concatenate([others, long])

    def mu(run, records=more):
        return replayed_mu(run, records, others, rng=0)

    price = sqrt((1.0 / 2.0) ** 2 + (3.0 / 4.0) ** 2)
    layers = {"norms": (1.0, 3.0), "sigmas": (2.0, 4.0)}
    assert mu(lambda D, rng: by_layer(D, rng, **layers)) == pytest.approx(price)
    loose = {**layers, "norms": (2.0, 3.0)}
    assert mu(lambda D, rng: by_layer(D, rng, **loose)) > 1.2 * price

    price, share = sqrt(2) / 4, 500 / 500.1
    found = mu(lambda D, rng: automatic(D, rng, kappa=0.1))
    assert found == pytest.approx(share * price)
    short = np.concatenate([others, [[0.03, 0.04]]])
    found = mu(lambda D, rng: automatic(D, rng, kappa=0.1), short)
    assert found == pytest.approx(price / 3)
    assert mu(lambda D, rng: automatic(D / 1000, rng, kappa=1e3)) < price / 1000


def test_adam_divides_by_the_noise_as_the_page_says():
    """A mean square is that of the gradient plus the variance of the noise."""
    gradient, deviation = np.array([0.01, 0.001]), 1 / 250
    step = gradient / np.sqrt(gradient**2 + deviation**2)
    np.testing.assert_allclose(step, [0.93, 0.24], atol=5e-3)
    assert step[1] / step[0] == pytest.approx(1 / 4, abs=0.02)


def test_the_constants_of_the_voting_network_hold():
    """Gradients and their differences, at many models; L is nearly met somewhere."""
    rng, D, most = np.random.default_rng(0), short.problem(), 0.0
    for size in (0.0, 1.0, 10.0):
        theta = size * rng.normal(size=D.p)
        near = theta + 1e-4 * rng.normal(size=D.p)
        for i in range(20):
            g, h = (D.record_gradient(w, i) for w in (theta, near))
            assert np.linalg.norm(g) <= short.LIPSCHITZ
            steep = np.linalg.norm(g - h) / np.linalg.norm(theta - near)
            assert steep <= short.SMOOTHNESS
            most = max(most, float(np.linalg.norm(g)))
    assert most > 0.4 * short.LIPSCHITZ
    assert D.loss.loss == logistic


def test_measured_gradients_stay_below_the_bound_that_is_drawn():
    for epsilon in short.EPSILONS:
        for T in short.STEPS:
            z = short.noise_for(epsilon, T)
            bound, _, measured, *_ = short.short_gradients(epsilon, z, T)
            assert (measured.y < bound.y).all()


def test_single_precision_breaks_the_clip_and_double_precision_does_so_later():
    for S in norms.PLACES:
        single, double = (norms.rounding(each, S)[0].y for each in norms.PRECISIONS)
        early = norms.LARGER < 100
        assert np.allclose(single[early], 1, rtol=1e-2)
        assert single.max() > 20
        assert np.allclose(double[norms.LARGER < 1e6], 1, rtol=1e-2)


def test_the_stored_runs_are_of_these_images():
    assert digits.images()[0][0].shape == (1200, 65)
    values = digits.accuracy_of_networks()
    at = digits.EPSILONS[0], 4
    again = digits._measured(  # the first entry, once more
        "softmax", *at, digits.RATES, 4, [0, 0, 0]
    )
    assert again == values["softmax"]["private"][0][0]
