"""Check-in protocols: who is used, and what is published."""

from dataclasses import replace
from math import sqrt

import numpy as np
import pytest

from dpteach import (
    Problem,
    Relation,
    checks,
    constraints,
    losses,
)
from dpteach.algorithms.local.check_in_privacy import (
    fixed_window_dummies,
    sliding_window_dummies,
)
from dpteach.algorithms.local.check_ins import (
    averaged_updates,
    fixed_window,
    sliding_window,
)
from dpteach.arrays import to_numpy
from dpteach.auditing import conformance
from dpteach.privacy import Trace
from tests import problems
from tests.algorithms.case import Case
from tests.statistics import assert_mean_near

REPORT = {"local_epsilon": 1.0, "clip_norm": 1.0, "learning_rate": 0.1}


def clients(n, p=2, seed=0):
    X = np.random.default_rng(seed).standard_normal((n, p))
    y = np.sign(X[:, 0])
    return Problem(X, y, losses.logistic, constraints.Everywhere())


@pytest.mark.claim(
    "21-check-ins",
    "Dummies are as many as the propositions say.",
    order=6,
)
def test_dummies_are_as_many_as_the_propositions_say():
    """150 runs each; false alarm 2e-6. m/e, or forgetting p₀, is off by far more."""
    D, T = clients(100), Trace()
    counts = []
    for seed in range(150):
        T = Trace()
        fixed_window(D, slots=10, check_in_probability=0.1, rng=seed, trace=T, **REPORT)
        counts.append(sum(c < 0 for c in T["chosen"]))
    want = fixed_window_dummies(100, slots=10, check_in_probability=0.1)
    assert_mean_near(counts, want, error=1.5)
    counts = []
    for seed in range(150):
        T = Trace()
        sliding_window(D, window=20, rng=seed, trace=T, **REPORT)
        counts.append(sum(c < 0 for c in T["chosen"]))
    assert_mean_near(counts, sliding_window_dummies(100, window=20), error=3.0)


@pytest.mark.claim(
    "21-check-ins",
    "Of all who check in for a slot, each is as likely to be used.",
    order=8,
)
def test_of_all_who_check_in_each_is_as_likely():
    """Order does not matter: client 1 and client n are used equally often.

    1500 runs of 6 clients for 2 slots: false alarm 6e-6; taking the first who came
    would use client 1 always.
    """
    D, used = clients(6), np.zeros((1500, 6))
    for seed, row in enumerate(used):
        T = Trace()
        fixed_window(D, slots=2, check_in_probability=1.0, rng=seed, trace=T, **REPORT)
        row[[c for c in T["chosen"] if c >= 0]] = 1
    u = (1 - 0.5**6) / 3  # (1 − (1 − p₀/m)^n)/(n p₀/m)
    for j in range(6):
        assert_mean_near(used[:, j], u, error=0.15)


@pytest.mark.claim("21-check-ins", "A dummy has the noise of a report.", order=7)
def test_a_dummy_has_the_noise_of_a_report():
    """A million empty slots would reveal as little as one: each is distributed as R(0).

    False alarm 1e-6. The broken variant, an empty slot that leaves the model alone, has
    steps of length zero.
    """
    D = Problem(
        np.zeros((0, 1)), np.zeros(0), losses.logistic, constraints.Everywhere()
    )
    out = fixed_window(D, slots=2000, check_in_probability=1.0, rng=3, **REPORT)
    path = np.concatenate([[0.0], out.path[:, 0]])
    noise = np.diff(path) / (0.1 / np.sqrt(np.arange(1, 2001)))
    from scipy.stats import laplace

    assert conformance(noise, distribution=laplace(scale=2.0)).p_value > 1e-6
    assert conformance(noise / sqrt(2), distribution=laplace(scale=2.0)).p_value < 1e-6


def test_without_noise_the_fixed_window_is_projected_gradient_descent():
    D, T = replace(clients(30), constraint=constraints.L2Ball(0.2)), Trace()
    out = fixed_window(
        D, slots=12, check_in_probability=0.8, batch_size=3, rng=NoNoise(5), trace=T,
        local_epsilon=1.0, clip_norm=0.4, learning_rate=0.5,
    )  # fmt: skip
    theta, g = np.zeros(2), np.zeros(2)
    for i, c in enumerate(T["chosen"], 1):
        if c >= 0:
            v = D.record_gradient(theta, c)
            g = g + v * min(1, 0.4 / np.linalg.norm(v))
        if i % 3 == 0:
            theta = theta - 0.5 / sqrt(i) * g / 3
            theta, g = theta / max(1, np.linalg.norm(theta) / 0.2), np.zeros(2)
        assert np.allclose(out.path[i - 1], theta, rtol=1e-12, atol=1e-15)


class NoNoise(np.random.Generator):
    """Coins as they are; radii of zero, so that reports carry no noise."""

    def __init__(self, seed):
        super().__init__(np.random.PCG64(seed))

    def standard_gamma(self, shape, size=None):  # noqa: ARG002  (as NumPy calls it)
        return np.zeros(size)


def test_without_noise_averaged_updates_average_everyone():
    D, T = clients(40), Trace()
    out = averaged_updates(D, slots=50, rng=NoNoise(2), trace=T, **REPORT)
    assert sum(T["size"]) == 40
    empty = [i for i, size in enumerate(T["size"]) if size == 0]
    assert empty  # an empty slot changes nothing, and shows it
    for i in empty:
        assert np.array_equal(out.path[i], out.path[i - 1] if i else np.zeros(2))
    # one slot: the mean of all clipped gradients
    out = averaged_updates(D, slots=1, rng=NoNoise(2), **REPORT)
    mean = D.clipped_gradient(np.zeros(2), 1.0) / 40
    assert np.allclose(out.theta, -0.1 * mean)


def test_sliding_windows_use_those_who_are_awake():
    D, T = clients(60), Trace()
    out = sliding_window(D, window=7, rng=1, trace=T, **REPORT)
    assert out.path.shape == (54, 2)
    for i, c in zip(T["i"], T["chosen"], strict=True):
        assert c < 0 or c + 1 <= i <= c + 7
    assert [T["i"][0], T["i"][-1]] == [7, 60]
    everyone = [c for c in T["chosen"] if c >= 0]
    assert len(everyone) == len(set(everyone))  # at most one report each
    with pytest.raises(ValueError, match="`window` must be at most n"):
        sliding_window(clients(3), window=4, rng=0, **REPORT)


def test_in_windows_of_one_slot_each_client_in_turn_makes_a_step():
    """The first client too, the last too, with the rate η/√i."""
    D, T = clients(5), Trace()
    out = sliding_window(D, window=1, rng=NoNoise(0), trace=T, **REPORT)
    assert (T["chosen"], T["size"]) == ([0, 1, 2, 3, 4], [1] * 5)
    theta = np.zeros(2)
    for i in range(5):
        g = D.clipped_record_gradient(theta, i, 1.0)
        theta = theta - 0.1 / sqrt(i + 1) * g
        np.testing.assert_allclose(out.path[i], theta)


def test_one_client_alone_reports_and_an_empty_slot_has_no_client():
    D, T = clients(1), Trace()
    out = fixed_window(
        D, slots=4, check_in_probability=1.0, rng=NoNoise(0), trace=T, **REPORT
    )
    assert sorted(T["chosen"]) == [-1, -1, -1, 0]
    at = T["chosen"].index(0)
    g = D.clipped_record_gradient(np.zeros(2), 0, 1.0)
    np.testing.assert_allclose(out.theta, -0.1 / sqrt(at + 1) * g)


def test_more_than_certain_to_check_in_is_refused():
    with pytest.raises(ValueError, match="`check_in_probability`"):
        fixed_window(clients(2), slots=2, check_in_probability=1.5, rng=0, **REPORT)


@pytest.mark.parametrize("protocol", [fixed_window, averaged_updates])
def test_slots_must_fit_into_memory(protocol, monkeypatch):
    """Ten slots, each with a model of two numbers and four more."""
    kind = REPORT | {"slots": 10, "rng": 0}
    if protocol is fixed_window:
        kind |= {"check_in_probability": 1.0}
    monkeypatch.setattr(checks, "_memory", lambda: 8 * 60)
    assert protocol(clients(3), **kind).path.shape == (10, 2)
    monkeypatch.setattr(checks, "_memory", lambda: 8 * 59)
    with pytest.raises(ValueError, match="`slots` must be small enough for memory"):
        protocol(clients(3), **kind)


def test_a_million_clients():
    """The whole protocol at n = 10⁶; expected counts within six standard deviations."""
    X = np.ones((10**6, 1))
    D = Problem(X, np.ones(10**6), losses.logistic, constraints.Everywhere())
    T = Trace()
    out = fixed_window(
        D, slots=1000, check_in_probability=1e-3, rng=0, trace=T, **REPORT
    )
    dummies = sum(c < 0 for c in T["chosen"])
    want = fixed_window_dummies(10**6, slots=1000, check_in_probability=1e-3)
    assert abs(dummies - want) < 6 * sqrt(want)
    assert abs(sum(T["size"]) - 1000) < 6 * sqrt(1000)
    assert np.isfinite(out.path).all()
    T = Trace()
    averaged_updates(D, slots=1000, rng=0, trace=T, **REPORT)
    assert sum(T["size"]) == 10**6


def test_array_api_strict_gives_the_same_numbers():
    strict = pytest.importorskip("array_api_strict")
    D = clients(20)
    S = Problem(strict.asarray(D.X), strict.asarray(D.y), D.loss, D.constraint)
    for run in (
        lambda P: fixed_window(P, slots=5, check_in_probability=0.9, rng=1, **REPORT),
        lambda P: averaged_updates(P, slots=5, rng=1, **REPORT),
        lambda P: sliding_window(P, window=5, rng=1, **REPORT),
    ):
        assert np.allclose(run(D).path, to_numpy(run(S).path), rtol=1e-12)
        assert run(D).event.relation is Relation.REPLACE


REPORTS = {
    "problem": problems.ABSOLUTE,
    "local_epsilon": 1.0,
    "clip_norm": 1.0,
    "learning_rate": 0.1,
    "rng": 0,
    "trace": Trace(),
}
BAD_INPUT = {
    fixed_window: {**REPORTS, "slots": 5, "check_in_probability": 0.5, "batch_size": 2},
    averaged_updates: {**REPORTS, "slots": 5},
    sliding_window: {**REPORTS, "window": 2},
}

EACH = {"local_epsilon": 0.7, "clip_norm": 0.6, "learning_rate": 0.1}
CHECK_INS = {
    "loss": losses.logistic,
    "constraint": constraints.L2Ball(1.0),
    "epsilon": 0.7,
    "delta": 1e-9,
    "n": 12,
    "batched": False,
    "normal": False,
}
COMMON = {
    "fixed_window": Case(
        fixed_window,
        **CHECK_INS,
        arguments={**EACH, "slots": 5, "check_in_probability": 0.7},
        path=5,
    ),
    "averaged_updates": Case(
        averaged_updates, **CHECK_INS, arguments={**EACH, "slots": 5}, path=5
    ),
    "sliding_window": Case(
        sliding_window, **CHECK_INS, arguments={**EACH, "window": 4}, path=9
    ),
}
