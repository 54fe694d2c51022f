"""How batches are drawn: the patterns of one record, and what does not decide them."""

import numpy as np
import pytest
from scipy.stats import chi2

from dpteach import Relation
from dpteach.algorithms.matrices._random_visits import Bins, Separated
from dpteach.algorithms.matrices.sampled_mechanism import SAMPLINGS, SampledMechanism
from dpteach.algorithms.matrices.toeplitz_encoder import Bands
from dpteach.privacy import Gaussian
from tests.algorithms.matrices.test_simulated_delta import patterns

EVENT = Gaussian(1.0, relation=Relation.ZERO_OUT)
C = Bands((1.0, 0.5))


def mechanism(sampling, T=7, d=3, p=0.4, encoder=C):
    return SampledMechanism(sampling, encoder, T, d, p, 2.0, EVENT)


def visited(made, n, seed):
    """Row i says in which steps record i was."""
    marks = np.zeros((n, made.steps), dtype=bool)
    for t, batch in enumerate(made.batches(n, rng=seed)):
        assert len(np.unique(batch)) == len(batch)
        marks[batch, t] = True
    return marks


@pytest.mark.parametrize("sampling", ["b-min-sep", "balls and bins"])
def test_records_visit_as_the_price_assumes(sampling):
    """Pearson's test over all patterns, wrong once in a million."""
    column = np.ones(7)
    visits = Separated(column, 3, 0.4)
    if sampling == "balls and bins":
        visits = Bins(column, 3)
    n, code = 60_000, 2.0 ** np.arange(7)
    expected = {}
    for marks, share in patterns(visits):
        expected[marks @ code] = expected.get(marks @ code, 0) + n * share
    p = 1.0 if sampling == "balls and bins" else 0.4

    def distance(made):
        seen = visited(made, n, 5) @ code
        counts = np.array([(seen == each).sum() for each in expected])
        assert counts.sum() == n or made.probability != p  # no other pattern occurs
        wanted = np.array(list(expected.values()))
        return np.sum((counts - wanted) ** 2 / wanted)

    largest = chi2.isf(1e-6, len(expected) - 1)
    assert distance(mechanism(sampling, p=p)) < largest
    assert distance(mechanism(sampling, p=0.9 * p)) > 2 * largest  # power


def test_coins_in_one_group_of_steps():
    marks = visited(mechanism("cyclic Poisson"), 30_000, 2)
    groups = [marks[:, o::3].any(axis=1) for o in range(3)]
    assert (np.sum(groups, axis=0) <= 1).all()
    # 5.2 deviations of each step's share
    assert (np.abs(marks.mean(axis=0) - 0.4 / 3) < 5.2 * 0.34 / 30_000**0.5).all()
    alone = visited(mechanism("Poisson", d=1), 30_000, 2)
    assert (np.abs(alone.mean(axis=0) - 0.4) < 5.2 * 0.49 / 30_000**0.5).all()


def test_a_fixed_order_has_equal_batches_and_no_coins():
    made = mechanism("fixed order", T=6, p=1.0)
    batches = list(made.batches(12, rng=0))
    assert [batch.tolist() for batch in batches[:3]] == [
        [0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11],
    ]  # fmt: skip
    assert all((a == b).all() for a, b in zip(batches[3:], batches[:3], strict=True))
    assert sorted(len(b) for b in list(made.batches(10, rng=0))[:3]) == [3, 3, 4]


@pytest.mark.parametrize("sampling", SAMPLINGS)
def test_all_steps_have_the_same_expected_batch(sampling):
    d = 1 if sampling == "Poisson" else 3
    p = 1.0 if sampling in ("fixed order", "balls and bins") else 0.4
    shares = visited(mechanism(sampling, d=d, p=p), 40_000, 8).mean(axis=0)
    assert np.ptp(shares) < 2 * 5.2 * 0.5 / 40_000**0.5


def test_errors_are_those_of_the_sums():
    made = mechanism("Poisson", d=1)
    B = np.tri(7) @ np.linalg.inv(C.factorization(7).encoder)
    assert made.mean_error == pytest.approx(2 * np.linalg.norm(B) / 7**0.5)
    dense = mechanism("Poisson", d=1, encoder=C.factorization(7))
    assert dense.mean_error == pytest.approx(made.mean_error, rel=1e-12)


BAD_INPUT = {
    SampledMechanism: {
        "sampling": "b-min-sep",
        "encoder": C,
        "steps": 4,
        "separation": 2,
        "probability": 0.5,
        "noise_multiplier": 1.0,
        "event": EVENT,
    },
}
