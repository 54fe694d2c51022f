"""DP-SGD used wrongly: an exact audit finds what each mistake costs."""

from math import inf, sqrt

import numpy as np
import pytest

from dpteach import Relation
from dpteach.auditing import adaptive_audit
from dpteach.auditing.leaks import OneDraw, leaky_dp_sgd


@pytest.mark.parametrize(("steps", "noise", "scale"), [(1, 2.0, 3.0), (9, 6.0, 10.0)])
def test_each_mistake_costs_what_it_must(steps, noise, scale):
    """A gradient of norm ``scale`` that is not clipped counts ``scale`` times."""
    ways = leaky_dp_sgd(clip_norm=1.0, steps=steps, noise_multiplier=noise)
    found = {
        name: adaptive_audit(
            way, steps=steps, relation=Relation.ADD_REMOVE, scale=scale
        )
        for name, way in ways.items()
    }
    claimed = sqrt(steps) / noise
    assert found["nothing"] == pytest.approx(claimed, rel=1e-9)
    assert found["the clip"] == pytest.approx(scale * claimed, rel=1e-9)
    assert found["the growth of the noise with T"] == pytest.approx(
        sqrt(steps) * claimed, rel=1e-9
    )
    # One step needs no second draw.
    assert found["the fresh draw"] == (
        pytest.approx(claimed, rel=1e-9) if steps == 1 else inf
    )


def test_a_draw_that_repeats_is_the_first_one():
    stuck, fresh = OneDraw(np.random.default_rng(3)), np.random.default_rng(3)
    first = fresh.standard_normal((2, 3))
    for _ in range(3):
        np.testing.assert_array_equal(stuck.standard_normal((2, 3)), first)


def test_a_draw_that_repeats_has_the_kind_and_the_place_that_are_asked_for():
    out = np.zeros(3, np.float32)
    stuck = OneDraw(np.random.default_rng(3))
    assert stuck.standard_normal(3, dtype=np.float32, out=out) is out
    assert out.all()
