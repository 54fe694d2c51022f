"""DP-SGD with an adaptive clip norm: its steps, its exact price, and three mistakes."""

from math import exp, log, sqrt

import numpy as np
import pytest

from dpteach import Problem, Relation, constraints, losses, networks
from dpteach.accounting import epsilon_of
from dpteach.algorithms.gradients import adaptive_clipping
from dpteach.algorithms.gradients.adaptive_clipping import (
    adaptive_dp_sgd,
    adaptive_noise_multiplier,
)
from dpteach.auditing import Tape, replayed_mu
from dpteach.privacy import SampledGaussian, Trace
from tests import problems
from tests.algorithms.case import Case

EVERYBODY = 1 - 1e-12  # as good as certain: all coins fall on heads
KIND = {
    "batch_size": 4,
    "clip_norm": 1.0,
    "quantile": 0.5,
    "count_noise": 3.0,
    "clip_learning_rate": 0.4,
    "steps": 3,
    "noise_multiplier": 2.0,
    "learning_rate": 0.5,
}
GRADIENT_NOISE = adaptive_noise_multiplier(2.0, count_noise=3.0)


def test_the_two_prices_add_up_to_that_of_one_gaussian():
    for lam, count_noise in ((1.0, 10.0), (2.0, 5.0), (1e-3, 1e3), (1.0, 0.500001)):
        lam_g = adaptive_noise_multiplier(lam, count_noise=count_noise)
        assert 1 / lam_g**2 + 1 / (2 * count_noise) ** 2 == pytest.approx(
            1 / lam**2, rel=1e-14
        )
    # Vectors that were computed in another way.
    found = [adaptive_noise_multiplier(*each[:1], count_noise=each[1])
             for each in ((1.0, 10.0), (2.0, 5.0))]  # fmt: skip
    assert found == pytest.approx([1.0012523486, 2.0412414523], abs=5e-11)
    with pytest.raises(ValueError, match=r"`count_noise` must be above 1\.0"):
        adaptive_noise_multiplier(2.0, count_noise=1.0)


def test_each_line_by_hand():
    """The clip norm of a step is made of the noisy count of the one before."""
    D, trace = problems.LONG_ROWS, Trace()
    z = np.random.default_rng(0).standard_normal(3 * 4)
    tape = Tape(z, others=np.random.default_rng(1))
    out = adaptive_dp_sgd(D, rate=EVERYBODY, **KIND, rng=tape, trace=trace)
    theta, L, z = np.zeros(3), 1.0, z.reshape(3, 4)
    for draw, row, model in zip(z, trace.rows, out.path, strict=True):
        g = np.array([D.record_gradient(theta, i) for i in range(D.n)])
        norms = np.linalg.norm(g, axis=1)
        total = (g * np.minimum(1, L / norms)[:, None]).sum(axis=0)
        assert row["clip_norm"] == pytest.approx(L, rel=1e-14)
        assert row["count"] == np.sum(np.where(norms <= L, 0.5, -0.5))
        theta = theta - 0.5 * (total + L * GRADIENT_NOISE * draw[:3])
        theta = D.constraint.project(theta)
        np.testing.assert_allclose(model, theta, rtol=1e-9)
        L *= exp(-0.4 * (0.5 + (row["count"] + 3.0 * draw[3]) / 4 - 0.5))
    assert out.event == SampledGaussian(
        2.0, rate=EVERYBODY, releases=3, relation=Relation.ADD_REMOVE
    )


def lengths(*values):
    """Return a problem whose gradients are constant, of these lengths."""
    X = np.array(values)[:, None]
    return Problem(X, np.ones(len(X)), losses.linear, constraints.Everywhere())


def published(D, rng):
    """Return all models, and the clip norms of all steps but the first."""
    trace = Trace()
    out = adaptive_dp_sgd(D, rate=EVERYBODY, **KIND, rng=rng, trace=trace)
    return np.concatenate([out.path[:, 0], np.log(trace["clip_norm"][1:])])


def mu(new):
    """Return the exact price of one record: here or zero, given its coins."""
    others = (0.3, -0.2, 4.0)
    return replayed_mu(published, lengths(*others, new), lengths(*others, 0.0), rng=0)


PRICE = sqrt(3 / GRADIENT_NOISE**2 + 2 / (2 * 3.0) ** 2)  # of three sums and two counts


@pytest.mark.claim(
    "11-training-a-network",
    "The package's own run with an adaptive clip norm spends exactly what its theorem "
    "says on a long gradient, and no more on a short one.",
    order=6,
)
def test_the_running_code_spends_what_it_claims():
    assert mu(50.0) == pytest.approx(PRICE, rel=1e-6)
    assert sqrt(3) / 2.0 > PRICE  # what the event says
    for short in (1e-9, 0.1, 0.9, 1e150):
        assert mu(short) <= PRICE * (1 + 1e-6)


def without_halves(norms, clip_norm):
    return float(np.sum((norms > 0) & (norms <= clip_norm)))


def zeros_are_short(norms, clip_norm):
    return float(np.sum(np.where(norms <= clip_norm, 0.5, -0.5)))


def lengths_instead(norms, _):
    return float(np.sum(norms))


@pytest.mark.parametrize(
    ("broken", "record"),
    [(without_halves, 0.9), (zeros_are_short, 50.0), (lengths_instead, 50.0)],
)
def test_a_count_that_moves_further_is_caught(monkeypatch, broken, record):
    """The audit is exact, so half a percent is enough to tell."""
    assert mu(record) <= PRICE * (1 + 1e-6)
    monkeypatch.setattr(adaptive_clipping, "_count", broken)
    assert mu(record) > 1.005 * PRICE


def test_a_count_is_made_of_halves():
    """What is 0 or not a number counts for nothing, and what overflows is long."""
    norms = np.array([0.0, np.nan, 0.5, 1.0, 2.0, np.inf])
    assert adaptive_clipping._count(norms, 1.0) == 0.5 + 0.5 - 0.5 - 0.5
    assert adaptive_clipping._count(norms[:0], 1.0) == 0


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_norms_of_linear_models(dtype):
    """In float64 whatever the dtype, so that no square is lost; for batches of runs."""
    X = np.array([[1.0, 0.0], [0.0, 1e-30], [3.0, 4.0], [0.0, 0.0]], dtype)
    for y, loss in (
        (np.array([0, 1, 2, 1]), losses.softmax(3)),
        (np.array([1.0, -1.0, 1.0, 1.0], dtype), losses.logistic),
    ):
        D = Problem(X, y, loss, constraints.Everywhere())
        theta = D.zeros(2) + np.arange(D.p, dtype=dtype) / 8
        found = D.gradient_norms(theta)
        assert found.dtype == np.float64
        assert found.shape == (2, 4)
        each = np.array([D.record_gradient(theta[0], i) for i in range(4)], float)
        np.testing.assert_allclose(found[1], np.linalg.norm(each, axis=1), rtol=1e-6)
        assert 0 < found[0, 1] < 1e-29
        assert found[0, 3] == 0
        some = D.gradient_norms(theta[0], rows=np.array([2, 0]))
        np.testing.assert_array_equal(some, found[0, [2, 0]])
        assert D.gradient_norms(theta, rows=np.array([], int)).shape == (2, 0)


def test_norms_of_a_networks_gradients():
    """A convolution and dense layers; one record is absent, one is repeated."""
    rng = np.random.default_rng(0)
    layers = [networks.Convolution(2, 2), networks.Tanh(), networks.Dense(3)]
    loss = networks.Network((1, 4, 4), layers, seed=1, memory_bytes=3e3)
    X, y, absent = rng.normal(size=(9, 16)), rng.integers(0, 3, 9), np.arange(9) == 4
    D = Problem(X, y, loss, constraints.Everywhere(), absent)
    theta = rng.normal(size=D.p)
    norms = [np.linalg.norm(D.record_gradient(theta, i)) for i in range(9)]
    np.testing.assert_allclose(D.gradient_norms(theta), np.delete(norms, 4), rtol=1e-12)
    both = D.gradient_norms(np.stack([0 * theta, theta]), rows=np.array([8, 4, 0]))
    assert both.shape == (2, 2)
    np.testing.assert_allclose(both[1], [norms[8], norms[0]], rtol=1e-12)


@pytest.mark.parametrize("quantile", [0.2, 0.5, 0.8])
def test_the_clip_norm_comes_to_the_quantile(quantile):
    """Far too large or too small at the start, it ends near; the count's noise is 5%.

    After 150 steps of at most 0.1 its logarithm has lost the start, and wanders by
    less than 0.15 around the quantile of |N(0, 1)| numbers, in 4 of 4 runs.
    """
    x = np.abs(np.random.default_rng(0).standard_normal(2000))
    D, wanted = lengths(*x), np.quantile(x, quantile)
    kind = {**KIND, "count_noise": 20.0, "batch_size": 400, "steps": 150}
    kind |= {"quantile": quantile, "clip_learning_rate": 0.2, "learning_rate": 1e-6}
    for start in (0.01, 30.0):
        for seed in (0, 1):
            trace, kind["clip_norm"] = Trace(), start
            adaptive_dp_sgd(D, rate=0.2, **kind, rng=seed, trace=trace)
            assert abs(log(trace["clip_norm"][-1] / wanted)) < 0.15
            assert abs(log(trace["clip_norm"][0] / wanted)) > 1


def test_the_clip_norm_stays_within_a_million_of_its_start():
    """Whatever the data and the settings: no overflow, no warning, no noise of zero."""
    for rate, length, end in ((1e100, 1e9, 1e6), (1e100, 1e-9, 1e-6)):
        trace = Trace()
        kind = {**KIND, "clip_learning_rate": rate, "count_noise": 1.1, "batch_size": 1}
        D = lengths(*[length] * 50)
        adaptive_dp_sgd(D, rate=EVERYBODY, **kind, rng=0, trace=trace)
        assert trace["clip_norm"][1] == pytest.approx(end, rel=1e-12)


BAD_INPUT = {
    adaptive_noise_multiplier: {"noise_multiplier": 1.0, "count_noise": 12.5},
    adaptive_dp_sgd: {
        "problem": problems.LONG_ROWS,
        "rate": 0.2,
        **KIND,
        "rng": 0,
        "relation": Relation.ADD_REMOVE,
        "trace": Trace(),
    },
}

EVENT = SampledGaussian(3.0, rate=0.4, releases=6, relation=Relation.ADD_REMOVE)
COMMON = {
    "adaptive_dp_sgd": Case(
        adaptive_dp_sgd,
        losses.logistic,
        constraints.L2Ball(1.5),
        {
            "rate": 0.4,
            **KIND,
            "steps": 6,
            "noise_multiplier": 3.0,
            "learning_rate": 0.02,
        },
        path=6,
        epsilon=epsilon_of(EVENT, 1e-6),
        delta=1e-6,
        batched=False,
        normal=False,
    ),
}
