"""Misuses of private algorithms, for audits to find. Nothing here is private."""

from collections.abc import Callable
from typing import Any

import numpy as np

from ..algorithms.gradients.sgd import dp_sgd
from ..arrays import Array
from ..problem import Problem

Leaky = Callable[[Problem, np.random.Generator], Array]


class OneDraw(np.random.Generator):
    """A ``Generator`` that repeats its first draw, as a seed inside a loop does.

    Parameters
    ----------
    rng : Generator
        The source of the first draw.

    Examples
    --------
    >>> stuck = OneDraw(np.random.default_rng(0))
    >>> bool(stuck.standard_normal(3)[2] == stuck.standard_normal(3)[2])
    True
    """

    def __init__(self, rng: np.random.Generator) -> None:
        super().__init__(np.random.PCG64(0))
        self.rng, self.first = rng, None

    def standard_normal(
        self, size: Any = None, dtype: Any = np.float64, out: Any = None
    ) -> Any:
        """Draw once, then repeat."""
        if self.first is None:
            self.first = self.rng.standard_normal(size, dtype=dtype, out=out)
        return self.first


def leaky_dp_sgd(
    *, clip_norm: float, steps: int, noise_multiplier: float
) -> dict[str, Leaky]:
    r"""List DP-SGD as printed, and three ways to use it with one thing left out.

    Parameters
    ----------
    noise_multiplier : float
        :math:`\lambda` for all T steps together; each way claims
        :math:`\mu = \sqrt T/\lambda`.

    Returns
    -------
    dict of str to callable
        What is left out: a function of a problem and a ``Generator`` that returns the
        path, for ``adaptive_audit``.

    Examples
    --------
    >>> from dpteach import Relation
    >>> from dpteach.auditing import adaptive_audit
    >>> ways = leaky_dp_sgd(clip_norm=1.0, steps=4, noise_multiplier=4.0)
    >>> same = {"steps": 4, "relation": Relation.ADD_REMOVE, "scale": 10.0}
    >>> for name, way in ways.items():  # each claims μ = √4/4 = 0.5
    ...     print(f"without {name}: {adaptive_audit(way, **same):.3g}")
    without nothing: 0.5
    without the clip: 5
    without the growth of the noise with T: 1
    without the fresh draw: inf
    """
    run = {"steps": steps, "learning_rate": 1.0}
    sigma = clip_norm * noise_multiplier
    wide = 1e6 * clip_norm  # a clip that never acts, with the same noise

    def path(D: Problem, rng: np.random.Generator, L: float, lam: float) -> Array:
        return dp_sgd(D, clip_norm=L, noise_multiplier=lam, rng=rng, **run).path

    once = noise_multiplier / steps**0.5  # enough for one step only
    return {
        "nothing": lambda D, rng: path(D, rng, clip_norm, noise_multiplier),
        "the clip": lambda D, rng: path(D, rng, wide, sigma / wide),
        "the growth of the noise with T": lambda D, rng: path(D, rng, clip_norm, once),
        "the fresh draw": lambda D, rng: path(
            D, OneDraw(rng), clip_norm, noise_multiplier
        ),
    }
