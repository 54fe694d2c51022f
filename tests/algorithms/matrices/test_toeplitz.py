"""Toeplitz factorizations: their errors, bands and participations."""

from math import log, pi

import numpy as np
import pytest

from dpteach import Relation
from dpteach.accounting import epsilon_of
from dpteach.algorithms.matrices.factorization import (
    independent_factorization,
    prefix_sum_lower_bound,
    prefix_sum_matrix,
)
from dpteach.algorithms.matrices.toeplitz import (
    banded_event,
    banded_factorization,
    square_root_factorization,
)


@pytest.mark.claim(
    "15-matrix-factorization",
    "Closed forms of the square root and of the bound, and their growth.",
    order=8,
)
def test_closed_forms_and_asymptotics():
    squares = {
        16: 1.9438788471567705063,
        64: 2.3888481082954342632,
        256: 2.8310499318613508316,
        1024: 3.2725541502731324599,
    }
    for T, value in squares.items():
        root = square_root_factorization(T)
        assert root.sensitivity**2 == pytest.approx(value, rel=1e-14)
        assert root.max_error == pytest.approx(value, rel=1e-14)
    bounds = {4: 1.2660444431189780352, 16: 1.62844981620554754, 1024: 2.90958438773941}
    for T, value in bounds.items():
        assert prefix_sum_lower_bound(T) == pytest.approx(value, rel=1e-14)
        if T < 1024:
            singular = np.linalg.svd(prefix_sum_matrix(T), compute_uv=False)
            assert singular.mean() == pytest.approx(value, rel=1e-12)
    gamma = 0.5772156649015329
    asymptote = (log(1024) + gamma + log(16)) / pi
    assert squares[1024] == pytest.approx(asymptote, abs=1e-4)
    asymptote = (log(4096) + gamma + log(16 / pi)) / pi
    assert prefix_sum_lower_bound(4096) == pytest.approx(asymptote, abs=5e-4)
    c = square_root_factorization(8).encoder[:, 0]
    assert c[5] == 63 / 256


BANDED = {2: 16.890, 8: 9.536, 32: 5.539, 128: 3.640, 1024: 3.110}


@pytest.mark.parametrize("bands", BANDED)
def test_banded_errors(bands):
    got = banded_factorization(1024, bands=bands)
    assert got.mean_error == pytest.approx(BANDED[bands], abs=5.1e-4)
    beyond = np.tril(np.ones((1024, 1024)), -bands)
    assert not np.any(got.encoder * beyond)


def test_the_ends_of_the_band():
    one, all_of_them = (banded_factorization(32, bands=b) for b in (1, 32))
    assert np.allclose(one.decoder, independent_factorization(32).decoder)
    assert np.allclose(all_of_them.encoder, square_root_factorization(32).encoder)
    with pytest.raises(ValueError, match="`bands` must be at most"):
        banded_factorization(8, bands=9)


def test_banded_sampling_by_counting():
    """Deal 1024 steps into groups: a record's group comes every 64th step."""
    event = banded_event(1024, bands=64, sampling_rate=1e-3, noise_multiplier=2.0)
    assert (event.rate, event.releases) == (0.064, 16)
    assert max(len(range(g, 1000, 64)) for g in range(64)) == 16
    event = banded_event(1000, bands=64, sampling_rate=0.5, noise_multiplier=2.0)
    assert (event.rate, event.releases) == (1.0, 16)


# σ times the error at T = 1024, q = 10⁻³, δ = 10⁻⁵, for bands 1, 8, …
U_CURVE = {
    0.5: {1: 16.5, 8: 10.3, 32: 9.49, 128: 11.3, 1024: 21.9},
    1.0: {1: 14.5, 64: 6.53, 1024: 11.6},
    2.0: {1: 12.7, 64: 4.65, 1024: 6.20},
    4.0: {1: 10.7, 128: 3.27, 1024: 3.36},
    8.0: {1: 8.73, 512: 2.20, 1024: 1.87},
}


@pytest.mark.parametrize("epsilon", U_CURVE)
def test_the_best_band_is_in_between(epsilon):
    """One accountant throughout: the vectors have three digits, so has the test.

    With little privacy to lose the best b is in between; at ε = 8 it is T.
    """
    for bands, noise in U_CURVE[epsilon].items():
        lam = noise / banded_factorization(1024, bands=bands).mean_error
        less, more = (
            epsilon_of(
                banded_event(
                    1024, bands=bands, sampling_rate=1e-3, noise_multiplier=k * lam
                ),
                1e-5,
            )
            for k in (1.005, 0.995)
        )
        assert less < epsilon < more
    best = min(U_CURVE[epsilon], key=U_CURVE[epsilon].get)
    assert (best == 1024) == (epsilon == 8.0)


def test_the_price_of_bands_by_another_accountant():
    """One point of the curve by privacy-loss distributions of another project."""
    from dp_accounting import GaussianDpEvent, PoissonSampledDpEvent
    from dp_accounting.pld import PLDAccountant

    event = banded_event(1024, bands=64, sampling_rate=1e-3, noise_multiplier=1.5)
    other = PoissonSampledDpEvent(event.rate, GaussianDpEvent(event.noise_multiplier))
    accountant = PLDAccountant().compose(other, event.releases)
    assert epsilon_of(event, 1e-5) == pytest.approx(
        accountant.get_epsilon(1e-5), rel=1e-3
    )


STEPS = {"steps": 4}
BAD_INPUT = {
    square_root_factorization: {**STEPS, "normalized": True},
    banded_factorization: {**STEPS, "bands": 2},
    banded_event: {
        **STEPS,
        "bands": 2,
        "sampling_rate": 0.1,
        "noise_multiplier": 1.0,
        "relation": Relation.ADD_REMOVE,
    },
}
