"""The Laplace mechanism."""

import numpy as np
import pytest
from scipy import stats

from dpteach.mechanisms import laplace_mechanism
from dpteach.privacy import Relation
from tests.mechanisms.draws import CALLS

# 20,000 draws, a Kolmogorov test at 1e-6: a scale wrong by a tenth fails it
DRAWS, ALARM = 20_000, 1e-6


@pytest.mark.claim(
    "02-sensitivity",
    "Laplace draws have the scale that the theorem asks for.",
    order=2,
)
@pytest.mark.parametrize("factor", [1.0, 0.9])
def test_laplace_noise_has_its_scale(factor):
    """False alarms 1e-6; power: a scale of nine tenths is caught."""
    call = CALLS[laplace_mechanism]
    out = laplace_mechanism(np.zeros(1), rng=1, runs=(DRAWS,), **call)
    p = stats.kstest(factor * out.theta[:, 0], stats.laplace(scale=4.0).cdf).pvalue
    assert (p > ALARM) == (factor == 1.0)


BAD_INPUT = {
    laplace_mechanism: {
        "values": np.array([1.0, 2.0]),
        "sensitivity": 1.0,
        "epsilon": 1.0,
        "rng": 0,
        "relation": Relation.ADD_REMOVE,
        "runs": (2,),
    },
}
