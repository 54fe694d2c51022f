"""What ``sampler_p_value`` grades by is Pearson's test, of the power that it tells."""

import numpy as np
from scipy.stats import chi2, chisquare, laplace, ncx2

from dpteach.chapters.sensitivity.exercises.sampler_p_value import (
    _DRAWS,
    MISREAD,
    PROBES,
    reference,
)

CELLS, ALARM = 12, 1e-6
EDGES = laplace.ppf(np.arange(1, CELLS) / CELLS)
EVEN = np.full(CELLS, 1 / CELLS)


def test_the_reference_is_pearsons_test():
    rng = np.random.default_rng(3)
    for K in range(2, 12):
        p, edges = rng.dirichlet(np.ones(K)), np.sort(rng.normal(size=K - 1))
        draws = np.concatenate([rng.normal(size=50), edges])  # some on an edge
        observed = [
            np.sum((low <= draws) & (draws < high))
            for low, high in zip([-np.inf, *edges], [*edges, np.inf], strict=True)
        ]
        wanted = chisquare(observed, len(draws) * p).pvalue
        np.testing.assert_allclose(reference(draws, edges, p), wanted, rtol=1e-9)


def test_every_wrong_answer_of_the_table_differs_from_the_right_one():
    """So that no hint can meet a right answer, nor hide another hint."""
    with np.errstate(all="ignore"):
        found = [
            [answer(*probe) for probe in PROBES]
            for answer in (reference, *(answer for answer, _ in MISREAD))
        ]
    for k, one in enumerate(found):
        for other in found[:k]:
            assert not np.allclose(one, other, rtol=1e-4, atol=0), (one, other)


def chance_of_alarm(ratio, draws):
    """Compute the power against a scale that is wrong by ``ratio``, for many draws."""
    hit = np.diff(laplace.cdf([-np.inf, *EDGES, np.inf], scale=ratio))
    far = draws * ((hit - EVEN) ** 2 / EVEN).sum()
    return ncx2.sf(chi2.isf(ALARM, CELLS - 1), CELLS - 1, far)


def test_the_praise_tells_the_power():
    """50,000 draws catch a scale that is 5 % off; 5,000 miss it 99 times in 100."""
    assert _DRAWS == 50_000
    for ratio in (0.95, 1.05):
        assert chance_of_alarm(ratio, 50_000) > 0.999
        assert chance_of_alarm(ratio, 5_000) < 0.01


def test_the_test_tells_right_samplers_from_wrong_ones():
    """Seeded: a right sampler raises an alarm with probability 1e-6."""
    draws = np.random.default_rng(8).laplace(size=_DRAWS)
    assert reference(draws, EDGES, EVEN) > ALARM
    for ratio in (0.95, 1.05):
        assert reference(ratio * draws, EDGES, EVEN) < ALARM


def test_the_praise_tells_what_the_test_does_not_see():
    """Seeded: dependence, one absurd draw and rounded draws raise no alarm."""
    draws = np.random.default_rng(8).laplace(size=_DRAWS)
    right = reference(draws, EDGES, EVEN)
    assert reference(np.sort(draws), EDGES, EVEN) == right
    absurd = draws.copy()
    absurd[0] = 1e9
    assert reference(absurd, EDGES, EVEN) > ALARM
    assert reference(np.round(draws, 6), EDGES, EVEN) > ALARM
