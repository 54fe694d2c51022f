"""DP-SGD on Poisson samples: its coins, its fixed divisor, its noise, its price."""

import numpy as np
import pytest
from scipy.stats import chi2

from dpteach import (
    Problem,
    Relation,
    checks,
    constraints,
    dp_sgd,
    losses,
)
from dpteach.accounting import epsilon_of
from dpteach.algorithms.gradients.sampled_sgd import (
    fixed_batches_event,
    poisson_sample,
    sampled_dp_sgd,
)
from dpteach.algorithms.gradients.strongly_convex_sgd import strongly_convex_dp_sgd
from dpteach.auditing import Tape, noise_map
from dpteach.data import breast_cancer
from dpteach.privacy import Gaussian, Trace
from tests import problems
from tests.algorithms.case import Case

SETTINGS = {"clip_norm": 0.3, "steps": 4, "noise_multiplier": 2.0}


def tumors(rows=40):
    data = breast_cancer()
    return Problem(
        data.X[:rows], data.y[:rows], losses.logistic, constraints.Everywhere()
    )


def test_the_trace_holds_each_step_and_the_model_is_the_mean_of_the_path():
    """θ_{t+1} = θ_t − (η/q)(g_t + b_t): what is recorded makes the path."""
    D, trace = tumors(), Trace()
    kind = {**SETTINGS, "rate": 0.5, "learning_rate": 0.1}
    out = sampled_dp_sgd(D, rng=0, trace=trace, **kind)
    assert trace["t"] == [0, 1, 2, 3]
    moves = [0.1 / 0.5 * (step["gradient"] + step["noise"]) for step in trace.rows]
    np.testing.assert_allclose(out.path, -np.cumsum(moves, axis=0), rtol=1e-12)
    assert all(0 < step["size"] < 40 for step in trace.rows)
    np.testing.assert_allclose(out.theta, out.path.mean(axis=0), rtol=1e-14)


def test_a_path_that_does_not_fit_in_memory_is_refused_before_its_first_step(
    monkeypatch,
):
    """40 steps of 31 numbers each are 9,920 bytes."""
    D = tumors()
    assert D.p == 31
    kind = {"clip_norm": 1.0, "noise_multiplier": 2.0, "rng": 0, "steps": 40}
    runs = (
        lambda: sampled_dp_sgd(D, rate=0.5, learning_rate=0.1, **kind),
        lambda: dp_sgd(D, learning_rate=0.1, **kind),
        lambda: strongly_convex_dp_sgd(D, strong_convexity=1.0, **kind),
    )
    for run in runs:
        monkeypatch.setattr(checks, "_memory", lambda: 9920.0)
        assert run().path.shape == (40, 31)
        monkeypatch.setattr(checks, "_memory", lambda: 9919.0)
        with pytest.raises(ValueError, match="`steps` must be small enough"):
            run()
    with pytest.raises(ValueError, match="`n` must be small enough"):
        poisson_sample(1240, rate=0.5, rng=0)
    monkeypatch.setattr(checks, "_memory", lambda: 3 * 9920.0 - 1)
    with pytest.raises(ValueError, match="`runs` must be small enough"):
        strongly_convex_dp_sgd(D, strong_convexity=1.0, **{**kind, "runs": (3,)})


@pytest.mark.parametrize("relation", list(Relation))
def test_strong_convexity_does_not_change_what_the_steps_cost(relation):
    kind = {**SETTINGS, "rng": 0, "relation": relation, "trace": Trace()}
    out = strongly_convex_dp_sgd(tumors(), strong_convexity=1.0, **kind)
    assert kind["trace"]["t"] == [0, 1, 2, 3]
    assert out.event == Gaussian(2.0, releases=4, relation=relation)


class Everybody(Tape):
    """Coins that all fall on heads."""

    def binomial(self, n, *_, **__):
        return n

    def choice(self, a, *_, **__):
        return np.arange(a)


def _misfit(sample, n=3, q=0.3, draws=20_000):
    """Chi-square of the 2^n subsets against independent coins; its upper tail."""
    rng = np.random.default_rng(5)
    counts = np.zeros(2**n)
    for _ in range(draws):
        counts[sum(1 << int(i) for i in sample(n, q, rng))] += 1
    ones = np.array([bin(k).count("1") for k in range(2**n)])
    wanted = draws * q**ones * (1 - q) ** (n - ones)
    return chi2.sf(np.sum((counts - wanted) ** 2 / wanted), 2**n - 1)


@pytest.mark.claim(
    "09-dp-sgd",
    "Batches of samples: each record joins by a coin of its own.",
    order=11,
)
def test_each_record_joins_by_a_coin_of_its_own():
    """False alarm 1e-6. Power: batches of a fixed size are caught."""
    assert _misfit(lambda n, q, rng: poisson_sample(n, rate=q, rng=rng)) > 1e-6
    fixed = _misfit(lambda n, q, rng: rng.choice(n, size=round(n * q), replace=False))
    assert fixed < 1e-6


def test_when_everybody_joins_it_is_dp_sgd():
    """With q → 1 in the divisor too, every line is that of the full gradient."""
    q, z = 0.5, np.random.default_rng(0).standard_normal(4 * 31)
    sampled = sampled_dp_sgd(
        tumors(), rate=q, learning_rate=0.1 * q, rng=Everybody(z), **SETTINGS
    )
    full = dp_sgd(tumors(), learning_rate=0.1, rng=Tape(z), **SETTINGS)
    np.testing.assert_allclose(sampled.path, full.path, rtol=1e-12)


@pytest.mark.claim(
    "09-dp-sgd",
    "Batches of samples: the divisor is the rate, whatever the batch.",
    order=12,
)
def test_the_divisor_is_the_rate_and_never_the_size_of_a_batch():
    """The noise on a step is ηLλ/q whatever the coins, also for an empty batch."""
    eta, q = 0.1, 0.05
    for seed in range(4):
        found = noise_map(
            lambda rng: sampled_dp_sgd(
                tumors(5), rate=q, learning_rate=eta, rng=rng, **SETTINGS
            ).path[0],
            others=lambda seed=seed: np.random.default_rng(seed),
        )
        sigma = eta * 0.3 * 2.0 / q
        np.testing.assert_allclose(
            found.covariance, sigma**2 * np.eye(31), rtol=1e-12, atol=1e-15
        )


def test_a_gradient_of_the_sum_is_estimated_without_bias():
    """The average over all 2^n batches is the clipped gradient.

    To 1e-9: a longer batch lowers L by a little more, for what rounding may add.
    """
    D, q = tumors(6), 0.3
    total = 0.0
    for mask in range(2**6):
        rows = np.array([i for i in range(6) if mask >> i & 1], dtype=int)
        weight = q ** len(rows) * (1 - q) ** (6 - len(rows))
        total = total + weight / q * D.clipped_gradient(D.zeros(), 0.3, rows=rows)
    np.testing.assert_allclose(total, D.clipped_gradient(D.zeros(), 0.3), rtol=1e-9)


@pytest.mark.parametrize("rate", [0.01, 0.1])
def test_a_sample_costs_less_than_everybody(rate):
    event = sampled_dp_sgd(
        tumors(), rate=rate, learning_rate=0.1, rng=0, **SETTINGS
    ).event
    everybody = Gaussian(2.0, releases=4, relation=Relation.ADD_REMOVE)
    assert epsilon_of(event, 1e-6) < epsilon_of(everybody, 1e-6)


def test_one_seed_gives_one_run():
    runs = [
        sampled_dp_sgd(tumors(), rate=0.2, learning_rate=0.1, rng=3, **SETTINGS).path
        for _ in range(2)
    ]
    np.testing.assert_array_equal(*runs)


def test_momentum_and_some_models_of_the_path():
    """Each line by hand; the average is over all models."""
    D, trace = problems.LONG_ROWS, Trace()
    known = {"rate": 0.5, "clip_norm": 1.0, "noise_multiplier": 2.0}
    known |= {"steps": 6, "learning_rate": 0.1, "momentum": 0.8, "rng": 3}
    out = sampled_dp_sgd(D, **known, trace=trace)
    v = theta = np.zeros(3)
    for row, model in zip(trace.rows, out.path, strict=True):
        v = 0.8 * v + row["gradient"] + row["noise"]
        theta = D.constraint.project(theta - 0.1 / 0.5 * v)
        np.testing.assert_allclose(model, theta, rtol=1e-12)
    some = sampled_dp_sgd(D, **known, path_every=3)
    assert (some.path == out.path[2::3]).all()
    assert (some.theta == out.theta).all()


BAD_INPUT = {
    poisson_sample: {"n": 5, "rate": 0.2, "rng": 0},
    sampled_dp_sgd: {
        "problem": problems.LONG_ROWS,
        "rate": 0.2,
        "clip_norm": 1.0,
        "steps": 3,
        "noise_multiplier": 2.0,
        "learning_rate": 0.1,
        "rng": 0,
        "momentum": 0.5,
        "path_every": 2,
        "relation": Relation.ADD_REMOVE,
        "trace": Trace(),
    },
    fixed_batches_event: {
        "noise_multiplier": 2.0,
        "batch_size": 2,
        "n": 5,
        "releases": 3,
    },
}
# A sample of no records is empty.
ALSO_ACCEPTED = {(poisson_sample, "n"): {"0"}}

# Never costlier than the same noise on everybody.
EVERYBODY = Gaussian(3.0, releases=6, relation=Relation.ADD_REMOVE)
COMMON = {
    "sampled_dp_sgd": Case(
        sampled_dp_sgd,
        losses.logistic,
        constraints.L2Ball(1.5),
        {
            "rate": 0.4,
            "clip_norm": 0.6,
            "steps": 6,
            "noise_multiplier": 3.0,
            "learning_rate": 0.02,
        },
        path=6,
        epsilon=epsilon_of(EVERYBODY, 1e-6),
        delta=1e-6,
        batched=False,
        normal=False,
    ),
}
