"""Objective perturbation with a minimum that is not exact."""

import pytest
from scipy import stats

from dpteach import Relation, constraints, losses
from dpteach.algorithms.pure.approximate_minima import approximate_minima_perturbation
from dpteach.algorithms.pure.objective import (
    objective_perturbation,
)
from tests import problems
from tests.algorithms.case import Case
from tests.algorithms.pure.tilted import logistic_line

SEVEN = logistic_line(*[1] * 5, *[-1] * 2)


@pytest.mark.claim(
    "08-objective-perturbation",
    "Approximate minima are priced as two events.",
    order=11,
)
def test_approximate_minima_compose_two_events():
    kind = {"lipschitz": 1.0, "smoothness": 0.25, "regularization": 2.0, "rng": 3}
    kind |= {"noise_multiplier": 1.0, "tolerance": 1e-3}
    exact = objective_perturbation(SEVEN, **kind, runs=(2000,))
    out = approximate_minima_perturbation(
        SEVEN, **kind, cover_multiplier=50.0, runs=(2000,)
    )
    assert out.event.events[0] == exact.event
    assert out.event.events[1].epsilon == pytest.approx(1 / 50)
    # the same tilt, plus Laplace noise of scale 50 · 2γ/Λ: KS at 1e-6
    added = (out.theta - exact.theta)[:, 0]
    assert stats.kstest(added, stats.laplace(scale=0.05).cdf).pvalue > 1e-6
    assert stats.kstest(added, stats.laplace(scale=0.025).cdf).pvalue < 1e-6
    # the minimum before its cover is not published anywhere
    assert (out.path == out.theta[None]).all()


@pytest.mark.claim(
    "08-objective-perturbation",
    "A tolerance that rounding hides is refused, whatever the data.",
    order=10,
)
@pytest.mark.parametrize("labels", [[1] * 5 + [-1] * 2, [1] * 7, [-1] * 70])
def test_a_tolerance_that_rounding_hides_is_refused_whatever_the_data(labels):
    kind = {"lipschitz": 1.0, "smoothness": 0.25, "regularization": 2.0, "rng": 3}
    kind |= {"noise_multiplier": 1.0, "tolerance": 1e-60}
    data = logistic_line(*labels)
    with pytest.raises(ValueError, match="`tolerance` must be at least 9") as refusal:
        objective_perturbation(data, **kind)
    assert "9.09e-13" in str(refusal.value)  # 2⁻⁴⁰ L, of public numbers alone
    with pytest.raises(ValueError, match="`tolerance` must be at least 9"):
        approximate_minima_perturbation(data, **kind, cover_multiplier=50.0)


BAD_INPUT = {
    approximate_minima_perturbation: {
        "problem": problems.SIGNS,
        "lipschitz": 1.0,
        "regularization": 1.0,
        "noise_multiplier": 1.0,
        "rng": 0,
        "relation": Relation.REPLACE,
        "tolerance": 1e-6,
        "out_of_bounds": "clip",
        "runs": (2,),
        "smoothness": 0.25,
        "cover_multiplier": 10.0,
    },
}

COMMON = {
    "approximate_minima_perturbation": Case(
        approximate_minima_perturbation,
        losses.logistic,
        constraints.Everywhere(),
        {
            "lipschitz": 1.0,
            "smoothness": 0.25,
            "regularization": 1.0,
            "noise_multiplier": 5.0,
            "tolerance": 1e-5,
            "cover_multiplier": 100.0,
        },
        path=1,
        epsilon=0.7,
        delta=1e-9,
        rtol=1e-7,
    ),
}
