"""The audit that chooses each gradient after the model before."""

import numpy as np
import pytest

from dpteach import Relation, dp_sgd
from dpteach.auditing import (
    adaptive_audit,
    linear_audit,
)
from tests.auditing.optimizers import descend


def test_the_audit_catches_what_is_broken():
    def mu(**broken):
        release = lambda D, rng: descend(D, rng, **broken)  # noqa: E731  (one line is clearer)
        return linear_audit(release, n=2, relation=Relation.ZERO_OUT, scale=1e3).mu

    assert mu() == pytest.approx(1.0)
    assert mu(clipped=False) == pytest.approx(1000.0)
    assert mu(scalar=True) == np.inf
    # Noise drawn once and used at all steps: the differences of steps carry none, but
    # a constant gradient does not show there. The audit of all signs sees it.
    assert mu(fresh=False) == pytest.approx(0.5)
    stuck = lambda D, rng: descend(D, rng, fresh=False)  # noqa: E731  (one line is clearer)
    assert adaptive_audit(stuck, steps=4, relation=Relation.ZERO_OUT) == np.inf
    assert mu(sigma=1.0) == pytest.approx(2.0)


def published(D, rng):
    """All that DP-SGD publishes in three steps."""
    return dp_sgd(
        D,
        clip_norm=1.0,
        steps=3,
        noise_multiplier=2.0,
        learning_rate=0.1,
        rng=rng,
    ).path


BAD_INPUT = {
    adaptive_audit: {
        "release": published,
        "steps": 3,
        "relation": Relation.REPLACE,
        "scale": 2.0,
    },
}
