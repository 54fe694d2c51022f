"""The bias of clipping: never above its bound, which a distribution meets."""

import numpy as np
import pytest

from dpteach.algorithms.gradients.heavy_tails import (
    clipping_bias_bound,
    heavy_tailed_clip_norm,
)
from dpteach.arrays import clip


@pytest.mark.claim(
    "11-training-a-network",
    "Clipping moves a mean by at most its bound: exactly, for 400 finite distributions "
    "of vectors, and two points meet it.",
    order=30,
)
def test_the_bias_of_finite_distributions_keeps_to_the_bound():
    rng, largest = np.random.default_rng(0), 0.0
    for _ in range(400):
        g = rng.standard_t(1.2, (6, int(rng.integers(1, 4))))
        chance, r = rng.dirichlet(np.ones(6)), rng.uniform(1.05, 6)
        L = 10 ** rng.uniform(-1, 1)
        bias = np.linalg.norm(chance @ clip(g, L) - chance @ g)
        moment = chance @ np.linalg.norm(g, axis=1) ** r
        bound = clipping_bias_bound(L, moment=float(moment), moment_order=float(r))
        assert bias <= bound * (1 + 1e-12)
        largest = max(largest, bias / bound)
    assert largest > 0.5


@pytest.mark.parametrize("r", [1.5, 2.0, 4.0])
def test_two_points_meet_the_bound(r):
    """0, and seldom r/(r − 1) times the clip norm: there (x − L) touches its bound."""
    L, chance = 3.0, 0.01
    far = L * r / (r - 1)
    bias = chance * (far - L)
    bound = clipping_bias_bound(L, moment=chance * far**r, moment_order=r)
    assert bound == pytest.approx(bias, rel=1e-12)


@pytest.mark.parametrize("r", [1.2, 2.0, 3.5])
def test_no_other_clip_norm_has_a_smaller_sum(r):
    kind = {"moment": 7.0, "moment_order": r}
    best = heavy_tailed_clip_norm(n=500, p=9, mu=0.5, **kind)

    def total(L):
        return clipping_bias_bound(L, **kind) ** 2 + 9 * (L / (0.5 * 500)) ** 2

    for L in best * np.geomspace(0.1, 10, 101):
        assert total(best) <= total(float(L)) * (1 + 1e-12)
    assert total(2 * best) > 1.2 * total(best)


def test_a_mean_alone_is_refused():
    for order in (1.0, 1, 0.5, 101.0):
        with pytest.raises(ValueError, match="`moment_order` must be"):
            clipping_bias_bound(1.0, moment=1.0, moment_order=order)


BAD_INPUT = {
    clipping_bias_bound: {"clip_norm": 2.0, "moment": 3.0, "moment_order": 2.5},
    heavy_tailed_clip_norm: {
        "n": 100,
        "p": 2,
        "mu": 1.0,
        "moment": 3.0,
        "moment_order": 2.5,
    },
}
