"""The public rule for Λ: it knows public numbers alone, and does what it says."""

import numpy as np
import pytest

from dpteach.algorithms import gaussian_objective_delta
from dpteach.privacy import Relation
from dpteach.tables.rule import (
    expected_agreement,
    public_regularization,
    require_enough_rows,
)

KIND = {"smoothness": 0.25, "relation": Relation.ZERO_OUT}


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 8.0, 100.0])
@pytest.mark.parametrize(("n", "p"), [(0, 3), (300, 30), (10**6, 300)])
def test_the_pair_keeps_its_promise(epsilon, n, p):
    Lam, lam = public_regularization(epsilon, 1e-6, n=n, p=p)
    delta = gaussian_objective_delta(lam, epsilon, regularization=Lam, **KIND)
    assert delta <= 1e-6 * (1 + 1e-9)


def test_w_grows_with_the_rows_and_a_share_of_it_falls_with_the_columns():
    """Until scores spread as they are thought to: then more rows change nothing."""

    def radius(n, p):
        Lam, lam = public_regularization(1.0, 1e-6, n=n, p=p)
        return lam * p**0.5 / Lam

    assert radius(300, 31) < radius(3000, 31) < radius(30_000, 31)
    assert radius(10**6, 31) == radius(30_000, 31)
    assert radius(3000, 301) / 301**0.5 < radius(3000, 31) / 31**0.5


def test_the_choice_is_the_least_of_its_grid():
    n, p, s, h = 3000, 31, 2.0, 0.2
    Lam, lam = public_regularization(1.0, 1e-6, n=n, p=p)
    a = n * h / p

    def excess(Lam, lam):
        return (lam**2 + a + (Lam * s) ** 2) / (a + Lam) ** 2

    from dpteach.algorithms import gaussian_objective_noise_multiplier

    for factor in (0.1, 0.5, 2.0, 10.0):
        kind = {**KIND, "regularization": factor * Lam}
        other = gaussian_objective_noise_multiplier(1.0, 1e-6, **kind)
        assert excess(Lam, lam) < excess(factor * Lam, other)


def test_agreement_is_that_of_two_normal_scores():
    n, p, noise = 3000, 30, 15.0
    rng = np.random.default_rng(0)
    best = 2.0 * rng.standard_normal(400_000)
    private = n * 0.2 / p * best + noise * rng.standard_normal(400_000)
    share = np.mean((best > 0) == (private > 0))
    known = expected_agreement(noise, n=n, p=p, curvature=0.2, spread=2.0)
    assert known == pytest.approx(share, abs=5e-3)  # six deviations


def test_too_few_rows_are_refused_by_public_numbers():
    require_enough_rows(0.54, 100, 10, 1.0)
    with pytest.raises(ValueError, match=r"got 100 for 10 columns.*Nothing was spent"):
        require_enough_rows(0.52, 100, 10, 1.0)
