"""Objective perturbation with normal noise: published values, exact δ on a line."""

import tracemalloc
from math import exp, log1p

import numpy as np
import pytest
from scipy import integrate, stats

from dpteach import (
    Problem,
    Relation,
    constraints,
    losses,
)
from dpteach.accounting import epsilon_of, gaussian_delta, gaussian_mu
from dpteach.algorithms.pure._minimum import minimum
from dpteach.algorithms.pure.gaussian_objective import (
    gaussian_objective_delta,
    gaussian_objective_noise_multiplier,
    gaussian_objective_perturbation,
)
from dpteach.auditing import Tape
from tests import problems
from tests.algorithms.case import Case


@pytest.mark.parametrize(
    ("epsilon", "sigma", "Lam", "two", "one"),
    [
        (1.0, 4.0, 1.0, 0.00019051713825704621, 9.5258569128523105e-5),
        (1.0, 5.0, 0.5, 0.00022558013798400836, 0.00011279006899200418),
        (2.0, 3.0, 1.0, 1.3803428825251769e-8, 6.9017144076258843e-9),
        (0.5, 10.0, 2.0, 3.7462236763117501e-6, 1.8731118381558751e-6),
        # less than κ: by the hockey-stick of κ + max(0, mZ + m²/2), and of κ + m|Z| + …
        (0.1, 2.0, 1.0, 0.45442125610464064, 0.29040304245927500),
    ],
)
def test_delta_agrees_with_the_published_values(epsilon, sigma, Lam, two, one):
    kind = {"smoothness": 0.25, "regularization": Lam}
    assert gaussian_objective_delta(sigma, epsilon, **kind) == pytest.approx(
        one, rel=1e-9
    )
    assert gaussian_objective_delta(
        sigma, epsilon, **kind, sign_monotone=False
    ) == pytest.approx(two, rel=1e-9)


def test_noise_too_small_to_hide_anything_has_a_delta_near_one():
    kind = {"smoothness": 0.25, "regularization": 1.0}
    assert 0.999 < gaussian_objective_delta(0.1, 0.3, **kind) < 1
    # two steps between neighbors: the bound is more than 1, which δ never is
    assert gaussian_objective_delta(0.1, 0.3, **kind, relation=Relation.REPLACE) == 1


def test_the_ends_of_the_range_of_epsilon():
    kind = {"smoothness": 0.25, "regularization": 1.0}
    assert gaussian_objective_delta(1.0, 1400, **kind) == 0
    for too_large in (1400.5, 2000):
        with pytest.raises(ValueError, match="`epsilon` must be at most 1400"):
            gaussian_objective_delta(1.0, too_large, **kind)
    for relation in (Relation.ADD_REMOVE, Relation.REPLACE):
        least = relation.sensitivity * log1p(0.25)
        with pytest.raises(ValueError, match="which the determinant may cost"):
            gaussian_objective_noise_multiplier(least, 1e-6, **kind, relation=relation)


def test_noise_agrees_with_the_published_values():
    for Lam, one, two in (
        (1.0, 5.34205775872598, 5.52522575384),
        (10.0, 4.32384083030451, 4.46806108159),
    ):
        kind = {"smoothness": 0.25, "regularization": Lam}
        found = gaussian_objective_noise_multiplier(1.0, 1e-6, **kind)
        assert found == pytest.approx(one, rel=1e-10)
        # one-sided: that of a Gaussian mechanism with ε − κ
        plain = 1 / gaussian_mu(1.0 - log1p(0.25 / Lam), 1e-6)
        assert found == pytest.approx(plain, rel=1e-10)
        both = gaussian_objective_noise_multiplier(
            1.0, 1e-6, **kind, sign_monotone=False
        )
        assert both == pytest.approx(two, rel=1e-9)
        swapped = gaussian_objective_noise_multiplier(
            1.0, 1e-6, **kind, relation=Relation.REPLACE
        )
        delta = gaussian_objective_delta(swapped, 0.5, **kind)
        assert (1 + exp(0.5)) * delta == pytest.approx(1e-6, rel=1e-9)
    with pytest.raises(ValueError, match="`epsilon` must be above"):
        gaussian_objective_noise_multiplier(
            0.1, 1e-6, smoothness=0.25, regularization=1.0
        )


def exact_delta(first, second, sigma, Lam, epsilon):
    """Hockey-stick divergences of the minimum's two densities, either way."""

    far = 9 * sigma / Lam + 10
    line = np.linspace(-far, far, 20_001)

    def density(D):
        theta = line[:, None]
        tilt = (D.gradient(theta) + Lam * theta)[:, 0]
        h = np.sum(D.loss.curvature(theta @ D.X.T, D.y) * D.X[:, 0] ** 2, axis=-1) + Lam
        return stats.norm.pdf(tilt, scale=sigma) * h

    P, Q = density(first), density(second)
    assert integrate.trapezoid(P, line) == pytest.approx(1, abs=5e-4)
    return max(
        integrate.trapezoid(np.maximum(a - exp(epsilon) * b, 0), line)
        for a, b in ((P, Q), (Q, P))
    )


def signs(*labels, loss=losses.logistic):
    X = np.ones((len(labels), 1))
    return Problem(X, np.array(labels, float), loss, constraints.Everywhere())


@pytest.mark.claim(
    "08-objective-perturbation",
    "Normal tilts: the exact δ on a line stays below the bound.",
    order=12,
)
def test_exact_delta_on_a_line_stays_below_the_bound():
    """Six logistic neighbors; far less regularization than stated is caught."""
    for epsilon, sigma, Lam in ((1.0, 4.0, 1.0), (0.5, 6.0, 2.0), (2.0, 2.5, 1.0)):
        pairs = [
            (signs(*labels, new), signs(*labels))
            for labels in ((), (1, 1, -1), (1,) * 6)
            for new in (1, -1)
        ]
        worst = max(exact_delta(*pair, sigma, Lam, epsilon) for pair in pairs)
        kind = {"smoothness": 0.25, "regularization": Lam}
        bound = gaussian_objective_delta(sigma, epsilon, **kind)
        assert gaussian_delta(1 / sigma, epsilon) * 0.9 < worst <= bound
        # power: the determinant is no trifle when Λ is a thousandth of that
        weak = max(exact_delta(*pair, sigma, 0.02 * Lam, epsilon) for pair in pairs)
        assert weak > bound


def test_a_slope_of_either_sign_needs_the_larger_bound():
    """Huber residuals change sign: exact δ below the two-sided bound."""
    loss = losses.huber(1.0)
    pairs = [
        (signs(*labels, new, loss=loss), signs(*labels, loss=loss))
        for labels in ((), (0.5,) * 5, (-1.0, 1.0))
        for new in (2.0, -2.0, 0.0)
    ]
    for epsilon, sigma, Lam in ((1.0, 4.0, 4.0), (2.0, 2.5, 4.0)):
        worst = max(exact_delta(*pair, sigma, Lam, epsilon) for pair in pairs)
        kind = {"smoothness": 1.0, "regularization": Lam, "sign_monotone": False}
        assert worst <= gaussian_objective_delta(sigma, epsilon, **kind)


def test_the_tilt_has_the_calibrated_scale_and_the_event_its_price():
    """The tape recovers the tilt: θ is the minimum at b = Lλ z. Then the price."""
    D = signs(1, 1, -1)
    kind = {"lipschitz": 2.0, "smoothness": 0.25, "regularization": 1.0}
    kind |= {"epsilon": 1.0, "delta": 1e-6, "tolerance": 1e-10}
    for relation in Relation:
        out = gaussian_objective_perturbation(
            D, **kind, relation=relation, rng=Tape([1.5])
        )
        lam = gaussian_objective_noise_multiplier(
            1.0, 1e-6, smoothness=0.25, regularization=1.0, relation=relation
        )
        wanted = minimum(D, 1.0, np.array([2.0 * lam * 1.5]), 1e-10)
        np.testing.assert_allclose(out.theta, wanted, atol=1e-9)
        assert epsilon_of(out.event, 1e-6) == 1.0
        assert out.event.relation is relation
    two_sided = gaussian_objective_perturbation(
        signs(0.5, loss=losses.huber(1.0)),
        **kind | {"smoothness": 1.0} | {"regularization": 10.0},
        rng=Tape([1.0]),
    )
    lam = gaussian_objective_noise_multiplier(
        1.0, 1e-6, smoothness=1.0, regularization=10.0, sign_monotone=False
    )
    D = signs(0.5, loss=losses.huber(1.0))
    np.testing.assert_allclose(
        two_sided.theta, minimum(D, 10.0, np.array([2.0 * lam]), 1e-10), atol=1e-9
    )


@pytest.mark.claim(
    "08-objective-perturbation",
    "Losses without a proof are refused.",
    order=13,
)
def test_losses_without_a_proof_are_refused():
    kind = {"lipschitz": 2.0, "smoothness": 1.0, "regularization": 10.0}
    kind |= {"epsilon": 1.0, "delta": 1e-6, "rng": 0}
    X, anywhere = np.ones((3, 1)), constraints.Everywhere()
    many = Problem(X, np.array([0, 1, 2]), losses.softmax(3), anywhere)
    with pytest.raises(ValueError, match="a loss of one score"):
        gaussian_objective_perturbation(many, **kind)
    with pytest.raises(ValueError, match="bounded gradients"):
        gaussian_objective_perturbation(signs(1, loss=losses.squared), **kind)
    # a squared hinge has no bounded slope on the line either, whatever it claims
    squared_hinge = losses.Loss(
        "squared hinge",
        lambda z, y: np.maximum(1 - y * z, 0) ** 2 / 2,
        lambda z, y: -y * np.maximum(1 - y * z, 0),
        lambda z, y: 1.0 * (y * z < 1),
        lipschitz=np.inf,
        smoothness=1.0,
        labels=losses.SIGNS,
    )
    with pytest.raises(ValueError, match="bounded gradients"):
        gaussian_objective_perturbation(signs(1, loss=squared_hinge), **kind)
    with pytest.raises(ValueError, match="smooth loss"):
        gaussian_objective_perturbation(signs(1, loss=losses.hinge), **kind)


BAD_INPUT = {
    gaussian_objective_delta: {
        "noise_multiplier": 4.0,
        "epsilon": 1.0,
        "smoothness": 0.25,
        "regularization": 1.0,
        "sign_monotone": False,
        "relation": Relation.REPLACE,
    },
    gaussian_objective_noise_multiplier: {
        "epsilon": 1.0,
        "delta": 1e-6,
        "smoothness": 0.25,
        "regularization": 1.0,
        "sign_monotone": False,
        "relation": Relation.REPLACE,
    },
    gaussian_objective_perturbation: {
        "problem": problems.SIGNS,
        "lipschitz": 1.0,
        "smoothness": 0.25,
        "regularization": 10.0,
        "epsilon": 1.0,
        "delta": 1e-6,
        "rng": 0,
        "relation": Relation.REPLACE,
        "tolerance": 1e-6,
        "out_of_bounds": "clip",
        "overwrite": False,
        "runs": (2,),
    },
}

COMMON = {
    "gaussian_objective_perturbation": Case(
        gaussian_objective_perturbation,
        losses.logistic,
        constraints.Everywhere(),
        {
            "lipschitz": 1.0,
            "smoothness": 0.25,
            "regularization": 5.0,
            "epsilon": 0.7,
            "delta": 1e-9,
        },
        path=1,
        epsilon=0.7,
        delta=1e-9,
        rtol=1e-7,
    ),
}


@pytest.mark.parametrize(
    ("overwrite", "low", "high"), [(False, 0.9, 1.5), (True, 0.0, 0.5)]
)
def test_one_copy_of_the_rows_is_made_or_none(overwrite, low, high):
    """Rows take 40 MB here; the copy that is scaled takes as much, and nothing else."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((50_000, 100))
    X /= 2 * np.linalg.norm(X, axis=1, keepdims=True)
    y = np.where(X[:, 0] > 0, 1.0, -1.0)
    tracemalloc.start()
    gaussian_objective_perturbation(
        Problem(X, y, losses.logistic, constraints.Everywhere()), lipschitz=1.0,
        smoothness=0.25, regularization=100.0, epsilon=1.0, delta=1e-6, rng=0,
        overwrite=overwrite,
    )  # fmt: skip
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert low * X.nbytes < most < high * X.nbytes


def test_rows_that_are_scaled_in_place_give_the_same_model():
    """To the last bit; without it the caller's rows stay as they are."""
    rng = np.random.default_rng(0)
    rows = 3 * rng.standard_normal((3_000, 4))
    y, models = np.where(rows[:, 0] > 0, 1.0, -1.0), []
    for overwrite in (False, True):
        X = rows.copy()
        out = gaussian_objective_perturbation(
            Problem(X, y, losses.logistic, constraints.Everywhere()), lipschitz=1.0,
            smoothness=0.25, regularization=100.0, epsilon=1.0, delta=1e-6, rng=0,
            overwrite=overwrite,
        )  # fmt: skip
        models.append(out.theta)
        assert np.array_equal(X, rows) is not overwrite
        assert np.linalg.norm(X, axis=1).max() <= (1 + 1e-12 if overwrite else np.inf)
    np.testing.assert_array_equal(*models)
