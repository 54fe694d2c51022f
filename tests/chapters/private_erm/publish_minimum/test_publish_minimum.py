"""What ``publish_minimum`` grades by is the theorem of the package."""

import pytest

from dpteach import Relation
from dpteach.algorithms.pure.output import output_perturbation_sensitivity
from dpteach.chapters.private_erm.exercises.publish_minimum import (
    SCALES,
    least_scale,
)

CASE = (40, 1.6, 0.3, 0.01, 0.65)  # the first that is graded


@pytest.mark.parametrize("case", [CASE, (25, 0.7, 1.9, 0.03, 3.0)])
def test_the_least_scale_is_that_of_output_perturbation(case):
    n, L, alpha, tol, eps = case
    distance = output_perturbation_sensitivity(
        lipschitz=L,
        regularization=n * alpha,
        tolerance=n * tol,
        relation=Relation.REPLACE,
    )
    assert least_scale(*case) == pytest.approx(distance / eps, rel=1e-12)


def test_every_wrong_scale_of_the_table_is_told_from_all_others():
    """So that no hint can meet a right answer, nor hide another hint."""
    found = [least_scale(*CASE), *(wrong(*CASE, 3) for wrong, _ in SCALES)]
    for k, one in enumerate(found):
        for other in found[:k]:
            assert abs(one / other - 1) > 2e-3
