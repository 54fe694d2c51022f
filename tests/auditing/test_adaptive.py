"""The audit that chooses each gradient after the model before."""

import numpy as np
import pytest

from dpteach import Relation
from dpteach.auditing import (
    adaptive_audit,
    linear_audit,
)
from tests.auditing.optimizers import descend


def test_the_audit_catches_what_is_broken():
    def mu(**broken):
        release = lambda D, rng: descend(D, rng, **broken)  # noqa: E731
        return linear_audit(release, n=2, relation=Relation.ZERO_OUT, scale=1e3).mu

    assert mu() == pytest.approx(1.0)
    assert mu(clipped=False) == pytest.approx(1000.0)
    assert mu(scalar=True) == np.inf
    # Noise drawn once and used at all steps: the differences of steps carry none, but
    # a constant gradient does not show there. The audit of all signs sees it.
    assert mu(fresh=False) == pytest.approx(0.5)
    stuck = lambda D, rng: descend(D, rng, fresh=False)  # noqa: E731
    assert adaptive_audit(stuck, steps=4, relation=Relation.ZERO_OUT) == np.inf
    assert mu(sigma=1.0) == pytest.approx(2.0)
