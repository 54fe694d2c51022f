"""The last model of a noisy descent: its exact price, and what it does not pay for."""

from functools import cache
from math import inf, sqrt

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import ndtr

from dpteach import Problem, Relation, constraints, losses
from dpteach.accounting import epsilon_of, gaussian_delta
from dpteach.algorithms.gradients.last_model import (
    last_model_event,
    noisy_gradient_descent,
)
from dpteach.auditing import Tape, exact_mu, linear_audit, noise_map
from dpteach.privacy import Gaussian
from tests import problems
from tests.algorithms.case import Case

KNOWN = {"lipschitz": 1.0, "smoothness": 0.25, "learning_rate": 0.1}


def shift(k, c, w):
    """The theorem's shift in its own words: k last steps from models w pulls apart."""
    j = np.arange(k)
    return (np.sum(c**j) + c**k * w) / sqrt(np.sum(c ** (2 * j)))


def test_the_best_number_of_last_steps_is_the_least_of_all():
    """The closed form against all k, in 300 settings; the vectors are from a script."""
    rng = np.random.default_rng(0)
    for _ in range(300):
        T = int(rng.integers(1, 300))
        c, w = 1 - 10 ** rng.uniform(-5, -0.01), 10 ** rng.uniform(-2, 4)
        least = min([shift(T, c, 0), *(shift(k, c, w) for k in range(1, T))])
        event = last_model_event(1.0, steps=T, contraction=c, pulls_across=w)
        assert event.mu == pytest.approx(least, rel=1e-9)
    for T, c, lam, mu in (
        (50, 0.9, 3.0, 1.44549725008675),
        (500, 0.99, 10.0, 1.4014350421887332),
        (100_000, 0.999, 30.0, 1.4903392604072099),
    ):
        event = last_model_event(lam, steps=T, contraction=c)
        assert event.mu == pytest.approx(mu, rel=1e-12)
    for T, lam, w, mu in ((40, 1.0, 10.0, sqrt(40)), (100, 2.0, 2.5, 1.5877132402715)):
        event = last_model_event(lam, steps=T, contraction=1.0, pulls_across=w)
        assert event.mu == pytest.approx(mu, rel=1e-12)


@pytest.mark.parametrize(("T", "c"), [(3, 0.5), (6, 0.8), (10, 0.9)])
def test_no_other_shifts_are_cheaper(T, c):
    """Step 4 of the proof, by a search over all shifts that end at distance 0."""

    def cost(x):
        share, z, total = np.append(1 / (1 + np.exp(-x)), 1.0), 0.0, 0.0
        for alpha in share:
            a = alpha * (c * z + 1)
            total, z = total + a * a, c * z + 1 - a
        return total

    least = minimize(cost, np.zeros(T - 1), method="BFGS", options={"gtol": 1e-12})
    event = last_model_event(1.0, steps=T, contraction=c)
    assert sqrt(least.fun) == pytest.approx(event.mu, rel=1e-9)


def run(D, rng, *, T, Lam, lam, **more):
    return noisy_gradient_descent(
        D, **KNOWN, regularization=Lam, steps=T, noise_multiplier=lam, rng=rng, **more
    )


@pytest.mark.claim(
    "09-dp-sgd",
    "The price of the last model is met: with linear losses the running code has "
    "exactly the theorem's μ, to twelve digits, for both relations.",
    order=31,
)
@pytest.mark.parametrize("relation", [Relation.ZERO_OUT, Relation.REPLACE])
@pytest.mark.parametrize(("T", "Lam"), [(1, 1.0), (2, 5.0), (40, 1.0), (40, 0.0)])
def test_linear_losses_meet_the_price(T, Lam, relation):
    def last(D, rng):
        return run(D, rng, T=T, Lam=Lam, lam=4.0, relation=relation).theta

    audit = linear_audit(last, n=3, relation=relation)
    event = run(problems.SIGNS, 0, T=T, Lam=Lam, lam=4.0, relation=relation).event
    assert audit.mu == pytest.approx(event.mu, rel=1e-12)


def test_other_models_are_not_paid_for():
    """Power: the path, two of its models, or the average cost more than the event."""
    T, c, lam = 40, 0.9, 4.0
    weights = np.tril(c ** (np.arange(T)[:, None] - np.arange(T)))
    noise, pull = 0.1 * lam * weights, 0.1 * weights.sum(axis=1)
    event = last_model_event(lam, steps=T, contraction=c)
    assert exact_mu(noise[-1:], pull[-1:]) == pytest.approx(event.mu, rel=1e-9)
    assert exact_mu(noise, pull) == pytest.approx(sqrt(T) / lam, rel=1e-6)
    assert exact_mu(noise[[19, 39]], pull[[19, 39]]) > 1.2 * event.mu
    mean, moved = noise.mean(axis=0)[None], pull.mean(keepdims=True)
    assert exact_mu(mean, moved) > 1.3 * event.mu


def test_the_tape_reads_the_weights_of_the_running_code():
    D = Problem(np.ones((1, 1)), np.ones(1), losses.linear, constraints.Everywhere())
    seen = noise_map(lambda rng: run(D, rng, T=40, Lam=1.0, lam=4.0).theta)
    np.testing.assert_allclose(
        np.abs(seen.matrix[0]), 0.4 * 0.9 ** np.arange(40)[::-1], rtol=1e-9
    )


@cache
def transition(step, reach, noise, cells):
    """The chances to go from each cell of a grid to each other, and from 0 to each."""
    edges = np.linspace(-reach, reach, cells + 1)
    x = (edges[1:] + edges[:-1]) / 2
    at = step(np.append(x, 0.0))
    below = ndtr((edges[1:-1, None] - at) / noise)
    moves = np.diff(np.vstack([0 * at, below, 0 * at + 1]), axis=0)
    return moves[:, :-1], moves[:, -1]


def last_distribution(step, reach, T, noise, cells=601):
    """The distribution of the last model on a grid, from 0, by quadrature."""
    K, p = transition(step, reach, noise, cells)
    for _ in range(T - 1):
        p = K @ p
    return p


def delta_between(p, q, epsilon):
    return float(np.maximum(p - np.exp(epsilon) * q, 0).sum())


def slope(theta):
    return -1 / (1 + np.exp(theta))  # of ln(1 + e^{−θ})


ETA, LAM, LAMBDA = 0.5, 2.0, 0.3


def shrinks(theta):
    return (1 - ETA * LAMBDA) * theta


def pulls(theta):
    return shrinks(theta) - ETA * slope(theta)


def still(theta):
    return 1.0 * theta


def drifts(theta):
    return theta + ETA


@pytest.mark.parametrize("T", [1, 2, 5, 20, 60])
@pytest.mark.parametrize(
    ("plain", "pulled", "reach", "c", "w"),
    [
        (shrinks, pulls, 12.0, 1 - ETA * LAMBDA, inf),  # one logistic record
        (still, drifts, 1.0, 1.0, 2.0 / ETA),  # a linear one, in [−1, 1]
    ],
    ids=["curved", "bounded"],
)
def test_no_test_beats_the_price_by_quadrature(plain, pulled, reach, c, w, T):
    """Distributions on a grid, exact but for cells of width 0.04; both directions.

    Mass beyond the grid lands in its last cells, as the projection does it.
    """
    p, q = (last_distribution(step, reach, T, ETA * LAM) for step in (pulled, plain))
    event = last_model_event(LAM, steps=T, contraction=c, pulls_across=w)
    path = Gaussian(LAM, releases=T, relation=Relation.ZERO_OUT)
    largest = 0.0
    for epsilon in (0.0, 0.2, 0.5, 1.0, 2.0):
        claim = gaussian_delta(event.mu, epsilon)
        for one, other in ((p, q), (q, p)):
            delta = delta_between(one, other, epsilon)
            assert delta <= claim * (1 + 1e-4) + 1e-9
            largest = max(largest, delta / claim)
    if T == 1:
        assert largest > 0.4
    if T == 60:
        assert event.mu < 0.6 * path.mu


def test_a_factor_left_out_of_the_price_is_seen():
    """Power: one linear record at T = 1 and 5, priced as if it moved a step by half."""
    for T in (1, 5):
        p, q = (
            last_distribution(step, 20.0, T, ETA * LAM, 2001)
            for step in (drifts, still)
        )
        event = last_model_event(LAM, steps=T, contraction=1.0)
        assert delta_between(p, q, 0.5) > gaussian_delta(event.mu / 1.05, 0.5)
        assert delta_between(p, q, 0.5) < gaussian_delta(event.mu * 1.001, 0.5)


def test_without_noise_it_is_regularized_gradient_descent():
    D, theta = problems.LONG_ROWS, np.zeros(3)
    kind = {"lipschitz": 9.0, "smoothness": 2.0, "learning_rate": 0.1}
    last = noisy_gradient_descent(
        D, **kind, regularization=0.7, steps=6, noise_multiplier=1.0, rng=Tape([])
    ).theta
    for _ in range(6):
        theta = D.constraint.project(theta - 0.1 * (D.gradient(theta) + 0.7 * theta))
    np.testing.assert_allclose(last, theta, rtol=1e-12)


def test_a_step_that_could_expand_is_refused():
    kind = {"regularization": 1.0, "steps": 1, "noise_multiplier": 1.0, "rng": 0}
    D = problems.SIGNS  # 2/(2 + 2 · 0.25) = 0.8
    longest = noisy_gradient_descent(D, **KNOWN | {"learning_rate": 0.8}, **kind)
    assert longest.event == last_model_event(1.0, steps=1, contraction=0.2)
    with pytest.raises(ValueError, match="`learning_rate` must be at most 2/"):
        noisy_gradient_descent(D, **KNOWN | {"learning_rate": 0.8001}, **kind)
    with pytest.raises(ValueError, match="`relation`"):
        noisy_gradient_descent(D, **KNOWN, **kind, relation=Relation.ADD_REMOVE)
    with pytest.raises(ValueError, match="`contraction` must be at most 1"):
        last_model_event(1.0, steps=3, contraction=1.0 + 1e-9)


def test_the_price_is_total():
    """At the ends of all ranges it is a number, and never above that of the path."""
    for T in (1, 2, 2**53):
        for c in (1e-300, 0.5, 1 - 2**-53, 1.0):
            for w in (1e-300, 0.1, 1e9, 1e300, inf):
                event = last_model_event(3.0, steps=T, contraction=c, pulls_across=w)
                path = Gaussian(3.0, releases=T, relation=Relation.ZERO_OUT)
                assert 0 < event.mu <= path.mu * (1 + 1e-9)
                assert event.mu >= (1 - 1e-9) / 3  # of a single step


BAD_INPUT = {
    last_model_event: {
        "noise_multiplier": 3.0,
        "steps": 50,
        "contraction": 0.9,
        "pulls_across": 8.0,
        "relation": Relation.REPLACE,
    },
    noisy_gradient_descent: {
        "problem": problems.SIGNS,
        **KNOWN,
        "regularization": 1.0,
        "steps": 3,
        "noise_multiplier": 4.0,
        "rng": 0,
        "relation": Relation.REPLACE,
        "out_of_bounds": "clip",
        "runs": (2,),
    },
}

COMMON = {
    "noisy_gradient_descent": Case(
        noisy_gradient_descent,
        losses.logistic,
        constraints.L2Ball(1.5),
        KNOWN | {"regularization": 0.5, "steps": 20, "noise_multiplier": 4.0},
        path=1,
        epsilon=epsilon_of(
            last_model_event(4.0, steps=20, contraction=0.95, pulls_across=30.0), 1e-6
        ),
        delta=1e-6,
    )
}
