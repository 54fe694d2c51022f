"""Toeplitz factorizations: their errors, bands and participations."""

from itertools import combinations, pairwise
from math import log, pi, sqrt

import numpy as np
import pytest

from dpteach import Relation
from dpteach.accounting import epsilon_of
from dpteach.algorithms.matrices.buffered_toeplitz import (
    Buffers,
)
from dpteach.algorithms.matrices.factorization import (
    Factorization,
    independent_factorization,
    prefix_sum_lower_bound,
    prefix_sum_matrix,
    tree_factorization,
)
from dpteach.algorithms.matrices.toeplitz import (
    banded_event,
    banded_factorization,
    participation_sensitivity,
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


@pytest.mark.claim(
    "15-matrix-factorization",
    "The worst pattern of participations is the first, by enumeration.",
    order=6,
)
@pytest.mark.parametrize(
    ("T", "k", "d"), [(9, 3, 2), (10, 2, 4), (12, 4, 3), (8, 3, 1)]
)
def test_the_worst_pattern_of_participations(T, k, d):
    """By enumeration of all patterns; signs of the gradients are enumerated too."""
    patterns = [
        pattern
        for size in range(1, k + 1)
        for pattern in combinations(range(T), size)
        if all(b - a >= d for a, b in pairwise(pattern))
    ]
    for f in (
        square_root_factorization(T),
        banded_factorization(T, bands=3),
        Buffers((0.9, 0.3), (0.2, 0.2)).factorization(T),
    ):
        worst = max(
            np.linalg.norm(f.encoder[:, list(pattern)] @ np.array((1, *signs)))
            for pattern in patterns
            for signs in np.ndindex(*(2,) * (len(pattern) - 1))
            for signs in [2 * np.array(signs, dtype=float) - 1]
        )
        got = participation_sensitivity(f, participations=k, separation=d)
        assert got == pytest.approx(worst, rel=1e-12)


def test_participations_under_a_band_cost_the_root():
    f = banded_factorization(100, bands=10)
    got = participation_sensitivity(f, participations=7, separation=10)
    assert got == pytest.approx(sqrt(7) * f.sensitivity, rel=1e-12)
    closer = participation_sensitivity(f, participations=7, separation=9)
    assert closer > got
    with pytest.raises(ValueError, match="lower-triangular Toeplitz"):
        participation_sensitivity(tree_factorization(8), participations=2, separation=2)
    rising = Buffers((0.5,), (2.0,)).factorization(8)  # c_1 = 2 > c_0
    with pytest.raises(ValueError, match="do not rise"):
        participation_sensitivity(rising, participations=2, separation=2)


@pytest.mark.parametrize(
    ("encoder", "message"),
    [
        (np.diag([1.0, 2.0, 1.0]), "lower-triangular Toeplitz"),
        ([[1.0, 0, 0], [-0.5, 1, 0], [-0.7, -0.5, 1]], "at least 0"),
        ([[1.0, 0, 0], [0.5, 1, 0], [-0.2, 0.5, 1]], "at least 0"),
    ],
)
def test_an_encoder_whose_worst_pattern_is_not_the_first_is_refused(encoder, message):
    """Signs that cancel, and a column in the middle that is the largest."""
    f = Factorization(np.tri(3) @ np.linalg.inv(encoder), np.array(encoder))
    with pytest.raises(ValueError, match=message):
        participation_sensitivity(f, participations=2, separation=1)


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
    participation_sensitivity: {
        "factorization": square_root_factorization(3),
        "participations": 2,
        "separation": 2,
    },
    banded_event: {
        **STEPS,
        "bands": 2,
        "sampling_rate": 0.1,
        "noise_multiplier": 1.0,
        "relation": Relation.ADD_REMOVE,
    },
}
