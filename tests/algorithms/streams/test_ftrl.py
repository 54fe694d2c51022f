"""DP-FTRL: its price, its models, and its errata."""

from math import ceil, log, log2, sqrt

import array_api_strict
import numpy as np
import pytest

from dpteach import (
    Problem,
    Relation,
    checks,
    constraints,
    losses,
)
from dpteach.accounting import (
    epsilon_of,
    gaussian_delta,
    gaussian_epsilon,
    gaussian_mu,
)
from dpteach.algorithms.streams._runs import check_reach
from dpteach.algorithms.streams.ftrl import dp_ftrl, dp_ftrl_noise_multiplier
from dpteach.algorithms.streams.least_squares_ftrl import (
    least_squares_dp_ftrl,
)
from dpteach.algorithms.streams.prefix_noise import tree_noise
from dpteach.algorithms.streams.tree import (
    levels,
)
from dpteach.arrays import clip, to_numpy
from dpteach.auditing import (
    Tape,
    linear_audit,
)
from dpteach.privacy import Gaussian, Trace
from tests import problems
from tests.algorithms.streams.case import ftrl_case
from tests.algorithms.streams.nodes import lecture_sigma, nodes_read_by_any, textbook
from tests.algorithms.streams.runs import EVERYWHERE, VARIANTS, logistic, regression
from tests.errata import erratum

ZERO, REPLACE = Relation.ZERO_OUT, Relation.REPLACE


@pytest.mark.claim(
    "13-dp-ftrl",
    "The noise map recovered from each variant's own code costs exactly the μ "
    "that its event states.",
    order=1,
)
@pytest.mark.parametrize("relation", [ZERO, REPLACE])
@pytest.mark.parametrize("n", [1, 2, 5, 8])
@pytest.mark.parametrize("name", VARIANTS)
def test_theorem_6_14_the_running_code_costs_what_the_event_says(name, n, relation):
    """Clip norm 3, gradients a thousand times as long: an unclipped one would show."""
    algorithm, extra = VARIANTS[name]
    settings = {"clip_norm": 3.0, "noise_multiplier": 2.5, "regularization": 2.0}

    def path(D, rng):
        return algorithm(D, rng=rng, relation=relation, **settings, **extra).path

    audit = linear_audit(path, n=n, relation=relation, scale=1000.0)
    D = Problem(np.zeros((n, 2)), np.ones(n), losses.linear, EVERYWHERE)
    event = algorithm(D, rng=0, relation=relation, **settings, **extra).event
    assert event.relation is relation
    assert event.releases == levels(n)
    assert audit.mu == pytest.approx(event.mu, rel=1e-7)
    assert audit.mus[0] == audit.mu  # the first record is in the most nodes
    z = dp_ftrl_noise_multiplier(1.0, 1e-6, steps=n, relation=relation)
    assert gaussian_mu(1.0, 1e-6) == pytest.approx(audit.mu * 2.5 / z, rel=1e-7)


@pytest.mark.parametrize("n", [2, 7, 8])
def test_with_honaker_the_event_is_an_upper_bound(n):
    def path(D, rng):
        return dp_ftrl(
            D, clip_norm=1.0, noise_multiplier=2.0, regularization=1.0, rng=rng,
            estimator="honaker",
        ).path  # fmt: skip

    audit = linear_audit(path, n=n, relation=ZERO)
    assert 0.8 * sqrt(levels(n)) / 2 < audit.mu < sqrt(levels(n)) / 2


def test_the_calibrated_noise_costs_the_budget():
    for n in (1, 64, 1000):
        z = dp_ftrl_noise_multiplier(1.0, 1e-6, steps=n)
        D = Problem(np.zeros((n, 1)), np.ones(n), losses.linear, EVERYWHERE)
        out = dp_ftrl(D, clip_norm=1.0, noise_multiplier=z, regularization=1.0, rng=0)
        assert epsilon_of(out.event, 1e-6) == pytest.approx(1.0, rel=1e-9)


@pytest.mark.parametrize("name", [*VARIANTS, "least squares"])
def test_a_stream_cannot_lose_a_record(name):
    D, algorithm, extra = regression(), least_squares_dp_ftrl, {"row_norm": 1.0}
    if name in VARIANTS:
        D, (algorithm, extra) = logistic(), VARIANTS[name]
        extra = {**extra, "clip_norm": 1.0}
    settings = {"noise_multiplier": 1.0, "regularization": 1.0, "rng": 0, **extra}
    with pytest.raises(ValueError, match="`relation` must keep the number of records"):
        algorithm(D, relation=Relation.ADD_REMOVE, **settings)


def test_an_empty_stream_is_refused():
    D = Problem(np.zeros((0, 2)), np.zeros(0), losses.linear, EVERYWHERE)
    with pytest.raises(ValueError, match="`problem` must have at least one record"):
        dp_ftrl(D, clip_norm=1.0, noise_multiplier=1.0, regularization=1.0, rng=0)


def test_four_steps_without_noise():
    """|θ − d|, d = 1, 1, −1, 1, Λ = 2."""
    D = Problem(
        np.ones((4, 1)), np.array([1.0, 1.0, -1.0, 1.0]), losses.absolute, EVERYWHERE
    )
    trace = Trace()
    out = dp_ftrl(
        D, clip_norm=1.0, noise_multiplier=1.0, regularization=2.0, rng=Tape(),
        trace=trace,
    )  # fmt: skip
    assert out.path[:, 0] == pytest.approx([0, 0.5, 1, 0.5, 1])
    assert np.concatenate(trace["gradient"]) == pytest.approx([-1, -1, 1, -1])
    assert out.theta == pytest.approx([0.5])  # the average of the first four
    assert trace["t"] == [1, 2, 3, 4]


def test_lazy_projection_is_not_projected_descent():
    """g = (−1, 0) six times, then (1, 0) four times, in a ball of radius 2."""
    y = np.array([1.0] * 6 + [-1.0] * 4)
    D = Problem(np.tile([1.0, 0.0], (10, 1)), y, losses.linear, constraints.L2Ball(2.0))
    out = dp_ftrl(
        D, clip_norm=1.0, noise_multiplier=1.0, regularization=1.0, rng=Tape()
    )
    assert out.path[1:, 0] == pytest.approx([1] + [2] * 9)
    greedy, theta = [], np.zeros(2)
    for t in range(10):
        theta = D.constraint.project(theta - D.record_gradient(theta, t))
        greedy.append(float(theta[0]))
    assert greedy == [1, 2, 2, 2, 2, 2, 1, 0, -1, -2]


@pytest.mark.claim(
    "13-dp-ftrl",
    "Without a constraint it is gradient descent with correlated noise, to twelve "
    "digits.",
    order=3,
)
def test_it_is_descent_with_correlated_noise():
    """Without a constraint: θ_{t+1} = θ_t − (∇_t + b_t − b_{t−1})/Λ, to rounding."""
    D, Lam, trace = logistic(), 3.0, Trace()
    out = dp_ftrl(
        D, clip_norm=1.0, noise_multiplier=2.0, regularization=Lam, rng=1, trace=trace
    )
    theta, before = np.zeros(D.p), np.zeros(D.p)
    for t, b in enumerate(trace["noise"]):
        assert np.allclose(out.path[t], theta, rtol=0, atol=1e-12)
        g = clip(D.record_gradient(theta, t), 1.0)
        theta, before = theta - (g + b - before) / Lam, b
    assert np.allclose(out.path[-1], theta, rtol=0, atol=1e-12)
    noise = tree_noise(D.n, sigma=2.0, shape=(D.p,), rng=1)
    assert np.array_equal(np.stack(trace["noise"]), noise)


@pytest.mark.parametrize("name", [*VARIANTS, "least squares"])
def test_batches_of_runs_and_array_libraries_agree(name):
    settings = {"noise_multiplier": 2.0, "regularization": 3.0, "rng": 5}
    if name == "least squares":
        D, algorithm, extra = regression(), least_squares_dp_ftrl, {"row_norm": 1.0}
    else:
        D, (algorithm, extra) = logistic(), VARIANTS[name]
        extra = {**extra, "clip_norm": 1.0}
    many = algorithm(D, runs=(2, 3), **settings, **extra)
    assert many.path.shape == (D.n + 1, 2, 3, D.p)
    assert many.theta.shape == (2, 3, D.p)
    assert np.allclose(many.theta, many.path[:-1].mean(axis=0))
    xp = array_api_strict
    strict = Problem(xp.asarray(D.X), xp.asarray(D.y), D.loss, D.constraint)
    other = algorithm(strict, runs=(2, 3), **settings, **extra)
    assert np.allclose(to_numpy(other.path), many.path, rtol=1e-9, atol=1e-9)
    single = Problem(D.X.astype(np.float32), D.y, D.loss, D.constraint)
    assert algorithm(single, **settings, **extra).path.dtype == np.float32


@erratum("E-26")
def test_e26_a_nodes_noise_is_l_lambda_once(claimed, actual):
    """E-26: σ = Lλ, passed to a tree that multiplies by L, would be L²λ."""

    def path(D, rng):
        return dp_ftrl(
            D, clip_norm=3.0, noise_multiplier=2.0, regularization=1.0, rng=rng
        ).path

    audit = linear_audit(path, n=4, relation=ZERO, scale=100.0)
    assert audit.mu == pytest.approx(sqrt(3) / 2, rel=1e-9)
    first = audit.noise[2]  # θ_2 = −(∇_1 + b_1): b_1 has deviation 6, not 18
    assert np.linalg.norm(first) == pytest.approx(actual)
    assert claimed == 3.0**2 * 2.0
    # The gradient is taken at θ_t: |θ − d| at θ_2 = 1/2, not at θ_1 = 0.
    D = Problem(np.ones((2, 1)), np.array([1.0, 0.25]), losses.absolute, EVERYWHERE)
    trace = Trace()
    dp_ftrl(
        D, clip_norm=1.0, noise_multiplier=1.0, regularization=2.0, rng=Tape(),
        trace=trace,
    )  # fmt: skip
    assert np.concatenate(trace["gradient"]) == pytest.approx([-1.0, 1.0])


@erratum("L-01")
def test_l01_descent_goes_down(claimed, actual):
    """L-01: with a plus, one step from 0 on |w − 1| has loss 1.1 instead of 0.9."""
    D = Problem(np.ones((1, 1)), np.ones(1), losses.absolute, EVERYWHERE)
    out = dp_ftrl(
        D, clip_norm=1.0, noise_multiplier=1.0, regularization=10.0, rng=Tape()
    )
    assert float(D.risk(out.path[1])) == pytest.approx(actual)
    assert float(D.risk(-out.path[1])) == pytest.approx(claimed)


@erratum("L-06")
def test_l06_the_counterfactual_model_has_seen_one_gradient_less(actual):
    """L-06: w'_t = −s_{t−1}/λ. With +s_t/λ the second one would be 2/λ, not −1/λ."""
    D = Problem(np.ones((4, 1)), -np.ones(4), losses.linear, EVERYWHERE)  # g ≡ 1
    Lam, noisy, exact = 5.0, Trace(), Tape()
    settings = {"clip_norm": 1.0, "noise_multiplier": 2.0, "regularization": Lam}
    counterfactual = dp_ftrl(D, rng=exact, **settings).path[:-1, 0]
    assert counterfactual == pytest.approx(-np.arange(4) / Lam)
    assert counterfactual[1] == pytest.approx(actual)
    noised = dp_ftrl(D, rng=1, trace=noisy, **settings).path[:-1, 0]
    # So the noise term is −(1/nλ) Σ ⟨g_t, Z_{t−1}⟩, with Z_0 = 0.
    Z = np.concatenate([[0.0], np.stack(noisy["noise"])[:-1, 0]])
    assert np.mean(noised - counterfactual) == pytest.approx(-np.mean(Z) / Lam)


@erratum("F-10")
def test_f10_sampling_helps_up_to_a_critical_order_only(claimed, actual):
    """F-10: q = 0.01, σ = 1. RDP at α = 32 is 11.2, where αq²/(2σ²) is 0.0016."""
    from math import lgamma

    q, sigma = 0.01, 1.0

    def rdp(alpha):
        terms = [
            lgamma(alpha + 1) - lgamma(i + 1) - lgamma(alpha - i + 1)
            + i * log(q) + (alpha - i) * log(1 - q) + (i * i - i) / (2 * sigma**2)
            for i in range(alpha + 1)
        ]  # fmt: skip
        return float(np.logaddexp.reduce(terms)) / (alpha - 1)

    assert rdp(2) == pytest.approx(1.71813422074547931e-4, rel=1e-9)
    assert rdp(32) == pytest.approx(actual, rel=1e-4)
    assert 32 * q**2 / (2 * sigma**2) == pytest.approx(claimed)


def test_paper_epsilon_of_a_language_model():
    """σ = 1.13, 1600 rounds, δ = 1e-6, each user once: 17.67 exactly, "~19" printed."""
    assert gaussian_epsilon(sqrt(levels(1600)) / 1.13, 1e-6) == pytest.approx(
        17.6667507612065793, rel=1e-10
    )


@erratum("E-24")
def test_e24_one_level_more_is_published(claimed, actual):
    """E-24: ⌈lg n⌉ is a level short when n is a power of two, and no noise at n = 1."""
    for n, epsilon, delta, exact in (
        (2, float(claimed), 1e-6, actual),
        (4, 1.0, 1e-6, 0.947),
        (16, 1.0, 1e-6, 0.858),
        (2, 1.0, 1e-12, 1.234),
        (4, 1.0, 1e-12, 1.064),
        (8, 1.0, 1e-12, 1.0007),
        (2, 8.0, 1e-6, 9.13),
    ):
        read = [len(nodes_read_by_any(n, leaf)) for leaf in range(1, n + 1)]
        assert max(read) == levels(n)
        printed = textbook(ceil(log2(n)), epsilon, delta)
        audit = audited(n, printed)
        assert gaussian_epsilon(audit.mu, delta) == pytest.approx(exact, rel=1e-3)
        ours = textbook(levels(n), epsilon, delta)
        event = Gaussian(ours, releases=levels(n), relation=ZERO)
        assert epsilon_of(event, delta) < epsilon
    assert ceil(log2(1)) == 0 < levels(1)
    # 64 records at δ = 1e-30: seven levels at the noise of six
    tiny = 1e-30
    spent = gaussian_epsilon(sqrt(7) / textbook(6, 1.0, tiny), tiny)
    assert spent == pytest.approx(1.011, abs=5e-4)


@erratum("L-02")
def test_l02_noise_divides_in_the_price(claimed, actual):
    """L-02: more noise is more privacy: σ stands below, not above."""
    T, delta = 256, 1e-6
    for lg, printed, true in ((log, claimed, actual), (log2, 59, 0.143)):
        sigma = lecture_sigma(T, 1.0, delta, lg)
        assert int(sigma * sqrt(lg(T))) == printed
        assert sqrt(levels(T)) / sigma == pytest.approx(true, rel=5e-3)
    audit = audited(8, sigma=10.0)
    assert audit.mu == pytest.approx(sqrt(levels(8)) / 10.0, rel=1e-9)


def audited(n, sigma, relation=ZERO):
    return linear_audit(
        lambda D, rng: (
            dp_ftrl(
                D, clip_norm=1.0, noise_multiplier=sigma, regularization=1.0, rng=rng
            ).path
        ),
        n=n,
        relation=relation,
    )


@erratum("F-04")
def test_f04_the_calibration_needs_a_four(actual):
    """F-04: at ε = 2 ln(1/δ) the true δ is 515 times the claimed one."""
    delta = 1e-5
    for ratio, expected in ((0.1, 0.0066), (0.5, 0.279), (1, 6.0), (2, actual)):
        epsilon = ratio * log(1 / delta)
        printed = sqrt(2 * log(1 / delta)) / epsilon
        found = gaussian_delta(1 / printed, epsilon) / delta
        assert found == pytest.approx(expected, rel=0.02)
        ours = sqrt(4 * log(1 / delta)) / epsilon
        assert gaussian_delta(1 / ours, epsilon) < delta
        book = dp_ftrl_noise_multiplier(epsilon, delta, steps=1, method="textbook")
        assert gaussian_delta(1 / book, epsilon) < delta


@erratum("F-09")
def test_f09_the_models_noise_is_the_sums_noise_times_the_learning_rate(
    claimed, actual
):
    """F-09: η b_t with b_t of size L/ε; read literally, the node noise loses an η."""
    eta, delta = 0.01, 1e-5
    assert gaussian_epsilon(1.0, delta) == pytest.approx(actual, abs=1e-3)
    assert gaussian_epsilon(1 / eta, delta) == pytest.approx(claimed, rel=1e-3)


@erratum("F-11")
def test_f11_replacing_a_record_costs_twice_as_much(claimed, actual):
    """F-11: a record that differs moves a sum by 2L; one that is zeroed out by L."""
    one, two = audited(8, 10.0), audited(8, 10.0, REPLACE)
    assert two.mu == pytest.approx(2 * one.mu, rel=1e-9)
    assert gaussian_epsilon(one.mu, 1e-6) == pytest.approx(claimed, abs=1e-3)
    assert gaussian_epsilon(two.mu, 1e-6) == pytest.approx(actual, abs=1e-3)


def test_models_that_would_overflow_are_refused_and_others_are_not():
    D = Problem(np.eye(2), np.ones(2), losses.linear, constraints.Everywhere())
    check_reach(D, 1.0, 1.0, 1e-90)
    for L, z in ((1e60, 1e60), (1e-60, 1e-60)):
        with pytest.raises(ValueError, match="`clip_norm` times `noise_multiplier`"):
            check_reach(D, L, z, 1.0)
    # at z = 2: 2 · 10⁶⁰ (n + 100 z levels)/Λ, against 10⁻³ √(the largest float)
    edge = 2e60 * 402 * 1e3 / np.finfo(float).max ** 0.5
    check_reach(D, 1e60, 2.0, 1.001 * edge)
    with pytest.raises(ValueError, match="`regularization` must not be so small"):
        check_reach(D, 1e60, 2.0, 0.999 * edge)


def test_paths_must_fit_into_memory(monkeypatch):
    """Five runs keep three models of two numbers each."""
    D = Problem(np.eye(2), np.ones(2), losses.linear, constraints.Everywhere())
    kind = {"clip_norm": 1.0, "noise_multiplier": 1.0, "regularization": 1.0, "rng": 0}
    monkeypatch.setattr(checks, "_memory", lambda: 8 * 30)
    assert dp_ftrl(D, **kind, runs=(5,)).path.shape == (3, 5, 2)
    monkeypatch.setattr(checks, "_memory", lambda: 8 * 29)
    with pytest.raises(ValueError, match="`runs` must be small enough for memory"):
        dp_ftrl(D, **kind, runs=(5,))


BAD_INPUT = {
    dp_ftrl_noise_multiplier: {
        "epsilon": 1.0,
        "delta": 1e-6,
        "steps": 8,
        "relation": Relation.ZERO_OUT,
        "method": "exact",
    },
    dp_ftrl: {
        "problem": problems.LOGISTIC,
        "clip_norm": 1.0,
        "noise_multiplier": 2.0,
        "regularization": 4.0,
        "rng": 0,
        "relation": Relation.ZERO_OUT,
        "estimator": "plain",
        "runs": (2,),
        "trace": Trace(),
    },
}

COMMON = {
    "dp_ftrl": ftrl_case(dp_ftrl, clip_norm=0.6),
    "dp_ftrl honaker": ftrl_case(
        dp_ftrl, losses.absolute, clip_norm=0.6, estimator="honaker"
    ),
}
