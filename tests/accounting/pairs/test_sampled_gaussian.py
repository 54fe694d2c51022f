"""A Gaussian release on a sample: the digits of its loss, its quadrature's bound."""

import mpmath
import numpy as np
import pytest

from dpteach.accounting.pairs.sampled_gaussian import SampledPair
from dpteach.accounting.pairs.sampling import log_mixed

RATES = (1e-300, 1e-7, 0.4, 0.999, 1 - 1e-9, 1 - 2**-53)


@pytest.mark.parametrize("rate", RATES)
def test_the_loss_keeps_its_digits(rate):
    """Also where 1 − q is nearly all that is left, and where e^ℓ leaves the floats."""
    ratios = np.array([-720.0, -36.0, -20.7, -1.0, -1e-9, 0.0, 1e-9, 3.0, 499.0, 720.0])
    with mpmath.workdps(400):
        q = mpmath.mpf(rate)
        exact = [mpmath.log1p(q * mpmath.expm1(ratio)) for ratio in ratios.tolist()]
        exact = np.array([float(value) for value in exact])
    assert log_mixed(rate, ratios) == pytest.approx(exact, rel=2e-15)


@pytest.mark.parametrize("rate", RATES[1:])
@pytest.mark.parametrize("sigma", [0.5, 1.0, 10.0])
def test_off_the_real_line_the_integrand_grows_no_more_than_the_rule_allows(
    sigma, rate
):
    """By e⁸ at most, where the record is added: E[e^{cL}] has the integrand r^{−c}."""
    pair = SampledPair(sigma, rate, removed=False)
    for c in (1.0, 1e3, 1e5):
        ends = pair._tilted_ends(c)
        *_, x, y = pair._nodes(c, 0.0, ends)
        high = 20 * x[1] / y[1]  # the line Im y = 20
        u = np.linspace(*ends, 1000)
        without, with_it = 1 - rate, rate * np.exp((u - 0.5) / sigma**2)
        turned = np.abs(without + with_it * np.exp(1j * high / sigma**2))
        growth = high**2 / (2 * sigma**2) - c * np.log(turned / (without + with_it))
        assert np.max(growth) <= 8
