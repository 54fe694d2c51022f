"""The Gaussian mechanism: its price, and its classical formula."""

import math
from math import log, sqrt

import numpy as np
import pytest

from dpteach.accounting import (
    delta_of,
    gaussian_delta,
    gaussian_epsilon,
)
from dpteach.auditing import Tape
from dpteach.mechanisms import gaussian_mechanism
from dpteach.privacy import Gaussian, Relation
from tests.errata import erratum
from tests.mechanisms.draws import CALLS


@erratum("E-39")
def test_e39_an_event_is_a_set_of_outcomes(claimed, actual):
    """E-39: read as one outcome, S has probability 0 under any Gaussian noise.

    Then hardly any noise would be private. With S a set it is not: μ = 100.
    """
    mu = 100.0
    one_outcome = claimed
    half_line = gaussian_delta(mu, 1.0)
    assert one_outcome <= 1e-6 < half_line
    assert half_line == pytest.approx(actual, rel=1e-9)


@erratum("F-01")
def test_f01_the_gaussian_mechanism(claimed, actual):
    """F-01: the printed formula states less ε than is spent at σ = 1."""
    delta = 1e-5
    literal = {s: sqrt(1.25 * log(2 / delta) / s) for s in (1, 2, 5)}
    mended = {s: sqrt(1.25 * log(2 / delta)) / s for s in (1, 2, 5)}
    exact = {s: gaussian_epsilon(1 / s, delta) for s in (1, 2, 5)}
    assert [round(literal[s], 3) for s in (1, 5)] == [claimed, 1.747]
    assert [round(exact[s], 4) for s in (1, 2, 5)] == [actual, 1.9931, 0.7255]
    assert literal[1] < exact[1]
    assert mended[2] < exact[2]
    assert sqrt(2 * log(1.25 / delta)) / 5 == pytest.approx(0.969, abs=1e-3)
    assert sqrt(2 * log(1.25 / delta)) / 5 > exact[5]


VALUES = np.array([1.0, -2.0, 0.5])


@pytest.mark.claim(
    "02-sensitivity",
    "Gaussian noise costs exactly what was asked, for each relation.",
    order=4,
)
@pytest.mark.parametrize("relation", list(Relation))
@pytest.mark.parametrize("method", ["exact", "classical"])
def test_gaussian_noise_costs_what_was_asked(relation, method):
    call = {**CALLS[gaussian_mechanism], "relation": relation, "method": method}
    tape = Tape([1.0, 0.0, 0.0])
    out = gaussian_mechanism(VALUES, rng=tape, **call)
    sigma = out.theta[0] - VALUES[0]
    # the event's μ is the sensitivity over the standard deviation, for every relation
    assert isinstance(out.event, Gaussian)
    assert out.event.mu == pytest.approx(2.0 / sigma, rel=1e-12)
    assert delta_of(out.event, 0.5) <= 1e-6
    if method == "exact":
        assert delta_of(out.event, 0.5) == pytest.approx(1e-6, rel=1e-6)
    else:
        assert sigma == pytest.approx(2 * math.sqrt(2 * math.log(1.25e6)) / 0.5)


def test_the_classical_formula_is_refused_where_it_is_not_proved():
    call = {**CALLS[gaussian_mechanism], "method": "classical"}
    for epsilon in (1.0 + 1e-9, 9.0):
        with pytest.raises(ValueError, match="`epsilon` must be at most 1"):
            gaussian_mechanism(VALUES, rng=0, **call | {"epsilon": epsilon})
    gaussian_mechanism(VALUES, rng=0, **call | {"epsilon": 1.0})


BAD_INPUT = {
    gaussian_mechanism: {
        "values": np.array([1.0, 2.0]),
        "sensitivity": 1.0,
        "epsilon": 1.0,
        "rng": 0,
        "relation": Relation.ADD_REMOVE,
        "runs": (2,),
        "delta": 1e-6,
        "method": "exact",
    },
}
