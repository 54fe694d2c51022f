"""DP-FTRL with momentum."""

import numpy as np
import pytest

from dpteach.algorithms.streams.momentum_ftrl import momentum_dp_ftrl
from dpteach.algorithms.streams.prefix_noise import tree_noise
from dpteach.arrays import clip
from dpteach.privacy import Relation
from tests import problems
from tests.algorithms.streams.case import ftrl_case
from tests.algorithms.streams.runs import logistic


@pytest.mark.claim(
    "13-dp-ftrl",
    "With momentum it is the heavy ball, to twelve digits.",
    order=4,
)
def test_momentum_is_the_heavy_ball_with_correlated_noise():
    """u_t = γu_{t−1} + ∇_t + b_t − b_{t−1}, θ_{t+1} = θ_t − u_t/Λ, to rounding."""
    D, Lam, gamma = logistic(), 3.0, 0.9
    out = momentum_dp_ftrl(
        D, clip_norm=1.0, noise_multiplier=2.0, regularization=Lam, momentum=gamma,
        rng=1,
    )  # fmt: skip
    noise = tree_noise(D.n, sigma=2.0, shape=(D.p,), rng=1)
    theta, u = np.zeros(D.p), np.zeros(D.p)
    for t, a in enumerate(np.diff(noise, axis=0, prepend=0.0)):
        assert np.allclose(out.path[t], theta, rtol=0, atol=1e-12)
        u = gamma * u + clip(D.record_gradient(theta, t), 1.0) + a
        theta = theta - u / Lam
    assert np.allclose(out.path[-1], theta, rtol=0, atol=1e-12)


def test_momentum_of_one_is_refused():
    for bad in (1.0, 1, -0.1, 1.5):
        with pytest.raises(ValueError, match="`momentum` must be"):
            momentum_dp_ftrl(
                logistic(), clip_norm=1.0, noise_multiplier=1.0, regularization=1.0,
                momentum=bad, rng=0,
            )  # fmt: skip


BAD_INPUT = {
    momentum_dp_ftrl: {
        "problem": problems.LOGISTIC,
        "clip_norm": 1.0,
        "noise_multiplier": 2.0,
        "regularization": 4.0,
        "rng": 0,
        "relation": Relation.ZERO_OUT,
        "estimator": "plain",
        "runs": (2,),
        "momentum": 0.5,
    },
}

COMMON = {
    "momentum_dp_ftrl": ftrl_case(momentum_dp_ftrl, clip_norm=0.6, momentum=0.5),
}
