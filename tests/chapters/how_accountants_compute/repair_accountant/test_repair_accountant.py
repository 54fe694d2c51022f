"""What ``repair_accountant`` grades by, and that no bug of the starter stays hidden."""

from itertools import combinations, product

import numpy as np
import pytest

from dpteach.chapters.catalog import load
from dpteach.chapters.how_accountants_compute.exercises.repair_accountant import (
    misreadings,
)
from tests.chapters.banks import bank, quick

BUGS, exact = misreadings.BUGS, misreadings.exact
accounted, rounded_up = misreadings.accounted, misreadings.rounded_up
SUBSETS = [
    bugs for size in range(1, len(BUGS) + 1) for bugs in combinations(BUGS, size)
]


def tables(seed, number, zeros):
    rng = np.random.default_rng(seed)
    for _ in range(number):
        P, Q = rng.dirichlet(np.ones(4), size=2)
        if zeros:
            P[0] = Q[1] = 0.0
            P, Q = P / P.sum(), Q / Q.sum()
        yield P, Q


@pytest.mark.parametrize("zeros", [False, True])
def test_the_exact_delta_is_that_of_all_sequences(zeros):
    for P, Q in tables(1, 3, zeros):
        for T, eps in ((1, 0.3), (4, 1.0), (5, 0.0)):
            sequences = np.array(list(product(range(4), repeat=T)))
            first, second = P[sequences].prod(axis=1), Q[sequences].prod(axis=1)
            wanted = max(
                np.maximum(a - np.exp(eps) * b, 0).sum()
                for a, b in ((first, second), (second, first))
            )
            assert exact((P, Q), T, eps) == pytest.approx(wanted, rel=1e-12)


@pytest.mark.parametrize("zeros", [False, True])
def test_rounding_up_is_a_bound_and_sharing_out_is_a_better_one(zeros):
    shared = bank("repair_accountant").right_connected_dots
    for P, Q in tables(2, 20, zeros):
        for T, eps, h in ((1, 0.4, 0.3), (6, 1.0, 0.1), (12, 0.0, 0.5)):
            least, most = exact((P, Q), T, eps), rounded_up((P, Q), T, eps, h)
            middle = shared(P, Q, T, eps, h)
            assert least - 1e-13 <= middle <= most + 1e-13


@pytest.mark.parametrize("bugs", SUBSETS, ids="-".join)
def test_no_set_of_bugs_stays_hidden(bugs):
    """All 63 are caught, and one that is really there is told."""
    variant = bank("repair_accountant").variant

    def answer(P, Q, T, eps, h):
        return variant(P, Q, T, eps, h, *bugs)

    for seed in (1, 2026):
        report = quick("repair_accountant").grade(answer, seed)
        assert report.fault is not None
        assert report.fault.hint in {BUGS[each] for each in bugs}


def test_the_starter_has_all_the_bugs():
    namespace = {}
    exec(load("repair_accountant").starter, namespace)
    for P, Q in tables(3, 5, zeros=True):
        found = namespace["repair_accountant"](P, Q, 3, 0.7, 0.2)
        wanted = accounted(P, Q, 3, 0.7, 0.2, bugs=tuple(BUGS))
        assert found == pytest.approx(wanted, rel=1e-12)
