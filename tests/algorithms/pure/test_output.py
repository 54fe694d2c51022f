"""Output perturbation: measured sensitivity, exact ε and distributions, the bound."""

from itertools import combinations_with_replacement
from math import factorial, prod, sqrt

import numpy as np
import pytest
from scipy import stats

from dpteach import (
    Problem,
    Relation,
    constraints,
    losses,
)
from dpteach.accounting import gaussian_delta, noise_multiplier
from dpteach.algorithms.pure._minimum import minimum
from dpteach.algorithms.pure.output import (
    output_perturbation,
    output_perturbation_risk_bound,
    output_perturbation_sensitivity,
)
from dpteach.auditing import Tape
from dpteach.privacy import Gaussian, Pure
from tests import problems
from tests.algorithms.case import Case

ANYWHERE = constraints.Everywhere()


def unit_rows(rng, n, p):
    X = rng.normal(size=(n, p))
    return X / np.linalg.norm(X, axis=1, keepdims=True)


@pytest.mark.claim(
    "06-private-erm",
    "No record moves the minimum farther than the bound, with and without a "
    "constraint.",
    order=1,
)
@pytest.mark.parametrize("constraint", [ANYWHERE, constraints.L2Ball(0.5)])
def test_no_record_moves_the_minimum_farther_than_the_sensitivity(constraint):
    rng, largest = np.random.default_rng(0), 0.0
    for _ in range(60):
        n, Lam = rng.integers(1, 10), rng.uniform(0.05, 2)
        X, y = unit_rows(rng, n + 1, 3), rng.choice([-1.0, 1.0], n + 1)
        kind = (Lam, np.zeros(3), 1e-8)
        full = minimum(Problem(X, y, losses.logistic, constraint), *kind)
        less = minimum(Problem(X[:-1], y[:-1], losses.logistic, constraint), *kind)
        swap = np.concatenate([y[:-1], -y[-1:]])
        other = minimum(Problem(X, swap, losses.logistic, constraint), *kind)
        reach = output_perturbation_sensitivity(
            lipschitz=1.0, regularization=Lam, tolerance=1e-8
        )
        far = output_perturbation_sensitivity(
            lipschitz=1.0,
            regularization=Lam,
            tolerance=1e-8,
            relation=Relation.REPLACE,
        )
        assert np.linalg.norm(full - less) <= reach
        assert np.linalg.norm(full - other) <= far
        largest = max(largest, np.linalg.norm(full - less) / reach)
    assert largest > 0.3


@pytest.mark.claim("06-private-erm", "For the linear loss the bound is met.", order=2)
def test_sensitivity_is_tight_for_the_linear_loss():
    one = Problem(np.ones((1, 1)), np.ones(1), losses.linear, ANYWHERE)
    assert minimum(one, 4.0, np.zeros(1), 1e-12)[0] == pytest.approx(
        output_perturbation_sensitivity(lipschitz=1.0, regularization=4.0)
    )


def test_a_record_three_times_as_steep_moves_the_minimum_three_times_as_far():
    def found(x):
        record = Problem(np.array([[x]]), np.ones(1), losses.linear, ANYWHERE)
        return minimum(record, 4.0, np.zeros(1), 1e-12)[0]

    kind = {"lipschitz": 3.0, "regularization": 4.0}
    assert abs(found(3.0)) == pytest.approx(output_perturbation_sensitivity(**kind))
    assert abs(found(3.0) - found(-3.0)) == pytest.approx(
        output_perturbation_sensitivity(relation=Relation.REPLACE, **kind)
    )


@pytest.mark.parametrize("noise", ["gamma", "gaussian"])
def test_a_record_steeper_than_the_noise_hides_is_refused(noise):
    D = Problem(np.array([[0.0, 3.0]]), np.ones(1), losses.logistic, ANYWHERE)
    kind = {"regularization": 4.0, "noise_multiplier": 1.0, "rng": 0, "noise": noise}
    with pytest.raises(ValueError, match="`lipschitz` must bound every record"):
        output_perturbation(D, lipschitz=2.9, out_of_bounds="refuse", **kind)
    exact = output_perturbation(D, lipschitz=3.0, out_of_bounds="refuse", **kind)
    scaled = Problem(D.X / 3 * 2.9, D.y, D.loss, ANYWHERE)
    np.testing.assert_allclose(
        output_perturbation(D, lipschitz=2.9, **kind).theta,
        output_perturbation(scaled, lipschitz=2.9, **kind).theta,
        atol=1e-9,
    )
    assert exact.theta.shape == (2,)


@pytest.mark.claim(
    "06-private-erm",
    "The noise has the scale that its event states, the solver’s error included.",
    order=3,
)
@pytest.mark.parametrize("relation", list(Relation))
@pytest.mark.parametrize("noise", ["gamma", "gaussian"])
def test_exact_price_of_the_linear_loss(noise, relation):
    """The noise's own scale, by the distribution of the draws, against the event.

    KS at 1e-6 with 20,000 draws. With n = 1 the minimum is L/Λ; the neighbor without
    the record has 0, the one with the record turned round has −L/Λ.
    """
    D = Problem(np.ones((1, 1)), np.ones(1), losses.linear, ANYWHERE)
    Lam, lam, gamma = 4.0, 2.0, 0.1
    out = output_perturbation(
        D,
        lipschitz=1.0,
        regularization=Lam,
        noise_multiplier=lam,
        noise=noise,
        tolerance=gamma,
        relation=relation,
        rng=0,
        runs=(20_000,),
    )
    k = relation.sensitivity
    scale = lam * (1.0 + 2 * gamma / k) / Lam
    fitting = (
        stats.laplace(scale=scale) if noise == "gamma" else stats.norm(scale=scale)
    )
    off = fitting.dist(scale=scale / 2)
    at = output_perturbation(
        D,
        lipschitz=1.0,
        regularization=Lam,
        noise_multiplier=lam,
        noise=noise,
        tolerance=gamma,
        relation=relation,
        rng=Tape([]),
    ).theta
    added = (out.theta - at)[:, 0]
    assert stats.kstest(added, fitting.cdf).pvalue > 1e-6
    assert stats.kstest(added, off.cdf).pvalue < 1e-6
    apart = (k * 1.0 + 2 * gamma) / Lam  # minima, and solvers, in opposite directions
    if noise == "gamma":
        assert out.event == Pure(k / lam, relation=relation)
        assert apart / scale == pytest.approx(out.event.epsilon)
    else:
        assert out.event == Gaussian(lam, relation=relation)
        assert apart / scale == pytest.approx(out.event.mu)
        # without the solver's slack the true δ exceeds the price: caught
        broken = lam * 1.0 / Lam
        assert gaussian_delta(apart / broken, 1.0) > gaussian_delta(out.event.mu, 1.0)


@pytest.mark.claim(
    "06-private-erm",
    "Measured excess risk stays below the bound.",
    order=4,
)
def test_measured_excess_is_below_the_bound():
    """Mean of 400 runs plus 5.2 standard errors, for both noises."""
    rng = np.random.default_rng(1)
    X = unit_rows(rng, 200, 4)
    D = Problem(X, np.sign(X[:, 0] + 0.1), losses.logistic, ANYWHERE)
    W = 3.0
    floor = float(
        D.risk(
            minimum(
                Problem(X, D.y, losses.logistic, constraints.L2Ball(W)),
                1e-6,
                np.zeros(4),
                1e-4,
            )
        )
    )
    for noise in ("gamma", "gaussian"):
        kind = {"lipschitz": 1.0, "regularization": 20.0, "noise_multiplier": 1.0}
        out = output_perturbation(D, **kind, noise=noise, rng=0, runs=(400,))
        excess = D.risk(out.theta) - floor
        bound = output_perturbation_risk_bound(
            n=200, p=4, distance=W, noise=noise, **kind
        )
        assert excess.mean() + 5.2 * excess.std() / sqrt(400) <= bound
        assert bound < 10 * excess.mean()


def new_record_excess(n, Lam, lam):
    """Average F(θ_priv) − F(θ*) over all samples of a population of three; and W.

    The samples have their chances; the noise is drawn 2,000 times for each of them.
    """
    X, y = np.array([[1.0, 0.0], [0.6, 0.8], [-0.6, 0.8]]), np.array([1.0, -1.0, 1.0])
    everyone = Problem(X, y, losses.logistic, ANYWHERE)
    best = minimum(everyone, 1e-3, np.zeros(2), 1e-9)
    mean = -float(everyone.risk(best))
    for drawn in combinations_with_replacement(range(3), n):
        same = [factorial(drawn.count(each)) for each in range(3)]
        out = output_perturbation(
            Problem(X[[*drawn]], y[[*drawn]], losses.logistic, ANYWHERE),
            lipschitz=1.0, regularization=Lam, noise_multiplier=lam,
            noise="gaussian", relation=Relation.REPLACE, rng=0, runs=(2000,),
        )  # fmt: skip
        chance = 3.0**-n * factorial(n) / prod(same)
        mean += chance * np.mean(everyone.risk(out.theta))
    return mean / 3, np.linalg.norm(best)


@pytest.mark.claim(
    "06-private-erm", "The mean risk on new records keeps its bound.", order=5
)
def test_the_risk_on_new_records_keeps_its_bound():
    """Logistic loss, n = 2 and 4: below the bound, and above it without one term."""
    for n, Lam, lam in ((2, 0.2, 1e-9), (4, 4.0, 20.0)):
        found, W = new_record_excess(n, Lam, lam)
        sampling, pull = 2 / Lam, Lam * W**2 / (2 * n)
        noise = 0.25 / 2 * 2 * (lam / Lam) ** 2
        assert found < sampling + pull + noise
        # little regularization: more than the pull; much noise: more than all else
        assert found > (pull + noise if lam < 1 else sampling + pull)


def test_a_kink_is_refused_by_the_solver():
    D = Problem(np.ones((1, 1)), np.ones(1), losses.hinge, ANYWHERE)
    with pytest.raises(ValueError, match="smooth loss"):
        output_perturbation(
            D, lipschitz=1.0, regularization=1.0, noise_multiplier=1.0, rng=0
        )


def test_a_tolerance_below_0_is_refused():
    """It would make the sensitivity, and with it the noise, too small."""
    with pytest.raises(ValueError, match="`tolerance` must be a number from 0"):
        output_perturbation_sensitivity(
            lipschitz=1.0, regularization=1.0, tolerance=-1e-9
        )


BAD_INPUT = {
    output_perturbation_sensitivity: {
        "lipschitz": 1.0,
        "regularization": 1.0,
        "tolerance": 0.1,
        "relation": Relation.REPLACE,
    },
    output_perturbation: {
        "problem": problems.SIGNS,
        "lipschitz": 1.0,
        "regularization": 1.0,
        "noise_multiplier": 1.0,
        "rng": 0,
        "relation": Relation.REPLACE,
        "tolerance": 1e-6,
        "out_of_bounds": "clip",
        "runs": (2,),
        "noise": "gamma",
    },
    output_perturbation_risk_bound: {
        "n": 10,
        "p": 3,
        "lipschitz": 1.0,
        "regularization": 1.0,
        "noise_multiplier": 1.0,
        "distance": 1.0,
        "noise": "gaussian",
    },
}

COMMON = {
    "output_perturbation": Case(
        output_perturbation,
        losses.logistic,
        constraints.Everywhere(),
        {"lipschitz": 1.0, "regularization": 2.0, "noise_multiplier": 1 / 0.7},
        path=1,
        epsilon=0.7,
        delta=1e-9,
        rtol=1e-7,
    ),
    "output_perturbation gaussian": Case(
        output_perturbation,
        losses.logistic,
        constraints.L2Ball(1.0),
        {
            "lipschitz": 1.0,
            "regularization": 2.0,
            "noise_multiplier": noise_multiplier(
                0.7, 1e-9, relation=Relation.ADD_REMOVE
            ),
            "noise": "gaussian",
        },
        path=1,
        epsilon=0.7,
        delta=1e-9,
        inside=False,
        rtol=1e-7,
    ),
}
