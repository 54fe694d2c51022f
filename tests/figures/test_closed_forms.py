"""What pages compute themselves: each formula of closed-forms.js equals Python's."""

import numpy as np
import pytest
from scipy import stats

from dpteach.accounting import epsilon_of, gaussian_delta, gaussian_mu
from dpteach.privacy import Gaussian, Relation
from tests.javascript import FORMS, Script

RNG = np.random.default_rng(0)


@pytest.fixture(scope="module")
def forms():
    script = Script(FORMS)
    return lambda name, *arguments: script(f"dpteachForms.{name}", *arguments)


def test_the_normal_distribution_to_the_last_digits(forms):
    """Both ways of computing it, where they meet, and far out: relatively."""
    for x in [0.0, -40.0, 37.0, 2.999999, 3.0, *RNG.uniform(-38, 38, 200)]:
        assert forms("normalAbove", x) == pytest.approx(stats.norm.sf(x), rel=1e-13)
        assert forms("normalDensity", x) == pytest.approx(stats.norm.pdf(x), rel=1e-12)
    for p in [0.5, 1e-12, *RNG.uniform(0, 1, 50)]:
        x = forms("normalQuantileAbove", p)
        assert x == pytest.approx(stats.norm.isf(p), abs=1e-12)


def test_laplace_noise(forms):
    for x, epsilon in zip(RNG.normal(0, 9, 50), RNG.uniform(0.1, 9, 50), strict=True):
        wanted = stats.laplace.sf(x, scale=1 / epsilon)
        assert forms("laplaceAbove", x, epsilon) == pytest.approx(wanted, rel=1e-12)


def test_what_gaussian_noise_costs(forms):
    """From ε to μ, from μ to δ and from μ to ε, as the package has it."""
    draws = np.exp(RNG.uniform(np.log([0.05, 1e-9]), np.log([20, 0.3]), (60, 2)))
    for epsilon, delta in draws:
        mu = gaussian_mu(epsilon, delta)
        assert forms("gaussianMu", epsilon, delta) == pytest.approx(mu, rel=1e-9)
        wanted = gaussian_delta(mu, epsilon)
        assert forms("gaussianDelta", mu, epsilon) == pytest.approx(wanted, rel=1e-9)
        event = Gaussian(1 / mu, relation=Relation.ADD_REMOVE)
        wanted = epsilon_of(event, delta)
        assert forms("gaussianEpsilon", mu, delta) == pytest.approx(wanted, rel=1e-9)


def test_a_promise_that_costs_nothing(forms):
    """At so large a δ no ε is needed."""
    assert forms("gaussianEpsilon", 0.1, 0.3) == 0
    assert epsilon_of(Gaussian(10.0, relation=Relation.ADD_REMOVE), 0.3) == 0


def test_the_comparison_has_power():
    """The way for large x would be wrong near 0 by more than is allowed."""
    ratio = "(() => { let r = 0.5; for (let k = 150; k; k -= 1) r = 0.5 + k / r;"
    wrong = Script(FORMS)(f"{ratio} return dpteachForms.normalDensity(0.5) / r; }})")
    assert wrong != pytest.approx(stats.norm.sf(0.5), rel=1e-13)
