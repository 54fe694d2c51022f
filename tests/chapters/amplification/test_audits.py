"""Exact audits: their probabilities are those of the schemes as they really run."""

import math

import numpy as np
import pytest
from scipy.stats import binom

from dpteach.accounting import gaussian_epsilon
from dpteach.auditing import event_epsilon_lower_bound
from dpteach.chapters.amplification.atlas import accounted_epsilon
from dpteach.chapters.amplification.audits import (
    MEMBERS,
    SCHEMES,
    audited_epsilon,
    shuffle_chances,
)
from tests.samples import sampled

NOISE, BATCHES, RUNS = 0.9, 5, 40_000
# Their prices take ten seconds each.
SLOW = ("balls and bins", "random allocation")
QUICK = [scheme for scheme in SCHEMES if scheme not in SLOW]
EACH = 1e-8  # false alarm of one comparison; there are less than 100


def near(hits, runs, chance):
    """Say whether a count of hits is likely enough, by both exact tails."""
    low, high = binom.cdf(hits, runs, chance), binom.sf(hits - 1, runs, chance)
    return min(low, high) > EACH / 2


def shuffled_sums(rng, mine, runs=RUNS, members=3):
    """Run real shuffles: the sums of all batches, counted from −m, plus noise."""
    n = members * BATCHES
    gradients = np.full(n, -1.0)
    gradients[0] = mine
    order = rng.permuted(np.tile(np.arange(n), (runs, 1)), axis=1)
    sums = gradients[order].reshape(runs, BATCHES, members).sum(axis=2)
    return sums + members + NOISE * rng.standard_normal(sums.shape)


@pytest.mark.claim(
    "10-amplification",
    "The chances of the attack on a shuffle are those of 40,000 real shuffles.",
    order=1,
)
@pytest.mark.parametrize("threshold", [1.0, 2.0, 3.0])
def test_the_chances_are_those_of_real_shuffles(threshold):
    rng = np.random.default_rng(4)
    with_it, without = shuffle_chances(NOISE, BATCHES, threshold)
    for mine, chance in ((1.0, with_it), (0.0, without)):
        sums = shuffled_sums(rng, mine)
        hits = int((sums > threshold).any(axis=1).sum())
        assert near(hits, RUNS, float(chance))
    assert not near(hits, RUNS, float(with_it))  # power


def participations(scheme, rng, runs):
    """Draw how often one record is in each of 2 · BATCHES steps, shape (runs, T)."""
    steps = 2 * BATCHES
    if scheme == "Poisson":
        return (rng.random((runs, steps)) < 1 / BATCHES).astype(int)
    if scheme == "balls and bins":
        out = np.zeros((runs, 2, BATCHES), int)
        picks = rng.integers(BATCHES, size=(runs, 2, 1))
        np.put_along_axis(out, picks, 1, axis=2)
        return out.reshape(runs, steps)
    if scheme == "random allocation":
        out = np.zeros((runs, steps), int)
        out[:, :2] = 1
        return rng.permuted(out, axis=1)
    if scheme == "fixed size":  # 3 of 15, drawn anew
        keys = rng.random((runs, steps, 3 * BATCHES))
        return ((keys[:, :, :1] > keys).sum(axis=2) < 3).astype(int)
    places = rng.integers(MEMBERS * BATCHES, size=(runs, steps, MEMBERS), dtype="i2")
    return (places == 0).sum(axis=2)


@pytest.mark.parametrize(
    "scheme",
    [
        "Poisson",
        "balls and bins",
        "random allocation",
        "fixed size",
        "with replacement",
    ],
)
def test_no_simulated_attack_beats_the_price_and_the_audit_is_no_overstatement(scheme):
    """The audit's own event, sampled: it confirms most of what was computed."""
    rng, runs = np.random.default_rng(7), 20_000
    delta, epochs = 0.01, 2
    given = {"steps": epochs * BATCHES, "epochs": epochs, "delta": delta}
    reach = 2 if scheme in ("fixed size", "with replacement") else 1
    # so much that 20,000 runs can see the ε that is left
    deviation = 3 * NOISE if reach == 2 else NOISE
    audited = audited_epsilon(scheme, deviation, **given)
    price = accounted_epsilon(scheme, deviation, **given)
    assert audited <= price
    times = participations(scheme, rng, runs)
    noise = deviation * rng.standard_normal((2, *times.shape))
    there, gone = reach * times + noise[0], noise[1]
    if scheme == "balls and bins":  # the count of epochs
        there, gone = (x.reshape(runs, 2, BATCHES).max(axis=2) for x in (there, gone))
    found = 0.0
    for c in np.linspace(0.5, 4.5, 9) * deviation / NOISE:
        for least in (1, 2, 3):
            hits, others = (
                int(((x > c).sum(axis=1) >= least).sum()) for x in (there, gone)
            )
            bound = event_epsilon_lower_bound(
                hits, runs, others, runs, delta=delta, false_alarm=1e-8
            )
            found = max(found, bound)
    assert found <= audited + 1e-9
    assert found > 0.45 * audited


@pytest.mark.claim(
    "10-amplification",
    "No audit is above its price, for seven schemes, each at three settings.",
    order=2,
)
@pytest.mark.parametrize("scheme", sampled(SCHEMES, QUICK))
def test_no_audit_is_above_its_price(scheme):
    for noise, steps, epochs, delta in (
        (0.5, 100, 1, 1e-6), (3.0, 60, 20, 1e-5), (1.0, 2000, 4, 1e-8)
    ):  # fmt: skip
        given = {"steps": steps, "epochs": epochs, "delta": delta}
        least = audited_epsilon(scheme, noise, **given)
        most = accounted_epsilon(scheme, noise, **given)
        assert 0 < least <= most * (1 + 1e-9), (noise, steps, epochs)


def test_a_fixed_order_is_priced_exactly():
    for epochs in (1, 4):
        given = {"steps": 8 * epochs, "epochs": epochs, "delta": 1e-6}
        wanted = gaussian_epsilon(math.sqrt(epochs) / 2, 1e-6)
        assert audited_epsilon("fixed order", 2.0, **given) == wanted
        assert accounted_epsilon("fixed order", 2.0, **given) == wanted


def test_more_noise_leaves_less_to_find():
    for scheme in SCHEMES:
        found = [
            audited_epsilon(scheme, noise, steps=200, epochs=2, delta=1e-6)
            for noise in (0.5, 0.8, 1.3)
        ]
        assert found[0] > found[1] > found[2]


@pytest.mark.parametrize(
    ("changed", "name"),
    [
        ({"scheme": "cyclic"}, "scheme"),
        ({"noise_multiplier": 0.0}, "noise_multiplier"),
        ({"steps": 10, "epochs": 3}, "steps"),
        ({"steps": 5, "epochs": 5}, "steps"),
        ({"epochs": 0}, "epochs"),
        ({"delta": 0.0}, "delta"),
    ],
)
def test_mistakes_are_named(changed, name):
    given = {"scheme": "Poisson", "noise_multiplier": 1.0, "steps": 10, "epochs": 2}
    with pytest.raises((ValueError, TypeError), match=f"`{name}`"):
        audited_epsilon(**{**given, "delta": 1e-6, **changed})
