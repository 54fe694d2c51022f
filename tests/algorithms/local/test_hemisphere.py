"""Reports of a fixed length: their mean, their distribution and their price."""

from math import cosh, exp, log, sinh

import mpmath
import numpy as np
import pytest
from scipy.stats import uniform

from dpteach.algorithms import hemisphere_length, hemisphere_randomizer
from tests.statistics import assert_distribution

FEW = {"epsilon": 1.5, "clip_norm": 2.0}


def sides(v, count=20_000, rng=0, **known):
    """Count the reports on the side of one vector, sent many times."""
    sent = hemisphere_randomizer(np.tile(v, (count, 1)), rng=rng, **(FEW | known))
    return sent, int((sent @ v > 0).sum())


@pytest.mark.claim(
    "19-local-privacy",
    "All hemisphere reports have the stated length, and their mean is the vector.",
    order=8,
)
@pytest.mark.parametrize("p", [1, 2, 3, 7])
def test_reports_have_one_length_and_the_right_mean(p):
    """False alarm 4e-8: a mean of 20,000 rows is 6 deviations off."""
    for norm in (2.0, 0.7, 0.0):
        v = np.zeros(p)
        v[-1] = norm
        sent, _ = sides(v)
        length = hemisphere_length(1.5, p=p, clip_norm=2.0)
        assert np.allclose(np.linalg.norm(sent, axis=1), length)
        spread = length / p**0.5 / len(sent) ** 0.5
        assert np.abs(sent.mean(axis=0) - v).max() < 6 * spread


@pytest.mark.claim(
    "19-local-privacy",
    "A hemisphere report lies on the vector's side with the odds of e to the ε at "
    "most; on a side, no direction is preferred.",
    order=9,
)
def test_a_side_has_the_promised_odds_and_no_direction():
    """False alarm 1e-6: Hoeffding's bound, and Kolmogorov's distance."""
    for norm, odds in ((2.0, exp(1.5)), (9.0, exp(1.5)), (0.0, 1.0)):
        v = np.array([0.0, norm, 0.0])
        sent, _ = sides(v)
        up = float((sent[:, 1] > 0).mean())
        assert abs(up - odds / (1 + odds)) < (log(2e6) / 2 / len(sent)) ** 0.5
        height = np.abs(sent[:, 1]) / hemisphere_length(1.5, p=3, clip_norm=2.0)
        assert_distribution(height, uniform())  # Archimedes, in 3 dimensions


def test_too_likely_a_side_is_caught():
    """Power: probability e^ε/(1 + e^ε) for a short vector, too, gives a wrong mean."""
    v = np.array([0.7, 0.0])
    right, _ = sides(v)
    wrong, _ = sides(v * 2.0 / 0.7)
    spread = hemisphere_length(1.5, p=2, clip_norm=2.0) / 2**0.5 / len(right) ** 0.5
    assert abs(wrong.mean(axis=0)[0] - 0.7) > 30 * spread


def test_for_numbers_it_is_randomized_response():
    assert hemisphere_length(0.8, p=1, clip_norm=3.0) == pytest.approx(
        3 * cosh(0.4) / sinh(0.4)
    )


@pytest.mark.parametrize("p", [1, 3, 300, 100_000])
def test_the_length_grows_with_the_root_of_the_dimension(p):
    most = (np.pi * p / 2) ** 0.5 * cosh(0.5) / sinh(0.5)
    assert 0.6 * most < hemisphere_length(1.0, p=p, clip_norm=1.0) <= most


def test_one_vector_is_one_user_and_no_vector_is_none():
    sent = hemisphere_randomizer(np.array([0.0, 2.0, 0.0]), rng=0, **FEW)
    assert sent.shape == (3,)
    length = hemisphere_length(1.5, p=3, clip_norm=2.0)
    assert np.linalg.norm(sent) == pytest.approx(length)
    for empty in (np.ones((0, 3)), np.ones((3, 0)), np.ones(0)):
        with pytest.raises(ValueError, match="`v` must have at least one entry"):
            hemisphere_randomizer(empty, rng=0, **FEW)
    with pytest.raises(ValueError, match="`v`"):
        hemisphere_randomizer(np.ones((2, 2, 2)), rng=0, **FEW)


BAD_INPUT = {
    hemisphere_randomizer: {
        "v": np.ones((2, 3)), "epsilon": 1.0, "clip_norm": 1.0, "rng": 0,
    },
    hemisphere_length: {"epsilon": 1.0, "p": 3, "clip_norm": 1.0},
}  # fmt: skip


@pytest.mark.parametrize("p", [2, 300, 999, 1000, 10**6, 10**9, 10**12])
def test_the_length_is_right_in_any_dimension(p):
    """Differences of logarithms of Gamma lose all digits where p is large."""
    with mpmath.workdps(40):
        ratio = mpmath.loggamma(mpmath.mpf(p + 1) / 2) - mpmath.loggamma(
            mpmath.mpf(p) / 2
        )
        exact = float(
            mpmath.sqrt(mpmath.pi) * mpmath.exp(ratio) * mpmath.coth(mpmath.mpf(0.75))
        )
    found = hemisphere_length(1.5, p=p, clip_norm=1.0)
    assert found == pytest.approx(exact, rel=1e-12)
