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


def pulls(D, rng, *, weights, start=0.0):
    """Publish a weighted sum of hardly clipped gradients, plus normal noise."""
    theta = np.zeros(1)
    asked = [weight * D.clipped_gradient(theta, 100.0) for weight in weights]
    return start + sum(asked) + rng.standard_normal(1)


@pytest.mark.parametrize("weights", [(1.0, 1.0), (1.0, -1.0), (1.0, 2.0, -3.0)])
@pytest.mark.parametrize("start", [0.0, 5.0])
def test_the_worst_signs_are_found_wherever_the_release_starts(weights, start):
    """A gradient of size 1 in each step moves the sum by Σ|w| at worst: that is μ."""
    audit = adaptive_audit(
        lambda D, rng: pulls(D, rng, weights=weights, start=start),
        steps=len(weights), relation=Relation.ZERO_OUT,
    )  # fmt: skip
    assert audit == pytest.approx(np.abs(weights).sum())


def test_a_replaced_record_counts_twice_and_longer_gradients_show_a_missing_clip():
    release = lambda D, rng: pulls(D, rng, weights=(1.0, 1.0))  # noqa: E731  (one line is clearer)
    assert adaptive_audit(release, steps=2, relation=Relation.REPLACE) == pytest.approx(
        4.0
    )
    long = adaptive_audit(release, steps=2, relation=Relation.ZERO_OUT, scale=10.0)
    assert long == pytest.approx(20.0)


@pytest.mark.parametrize(("steps", "how"), [(3, "less"), (1, "more")])
def test_steps_that_do_not_fit_the_release_are_refused(steps, how):
    with pytest.raises(ValueError, match=f"`steps` must be .* is {how}"):
        adaptive_audit(
            lambda D, rng: pulls(D, rng, weights=(1.0, 1.0)),
            steps=steps, relation=Relation.ZERO_OUT,
        )  # fmt: skip


def test_more_steps_than_can_be_tried_are_refused():
    with pytest.raises(ValueError, match="`steps` must be at most 16, got 17"):
        adaptive_audit(published, steps=17, relation=Relation.ZERO_OUT)
