"""The tree mechanism built wrongly, for exact audits to find."""

from collections.abc import Callable

import numpy as np

from .. import checks
from ..algorithms.streams.streaming_tree import StreamingTree
from ..algorithms.streams.tree import levels
from ..arrays import Array
from .exact import exact_mu
from .tape import noise_map


def _height(t: int) -> int:
    """Find the height of the node that ends at t and that a sum reads."""
    return (t & -t).bit_length() - 1


class _LevelNoise(StreamingTree):
    """The noise of a level is drawn once and used for all its nodes."""

    def _plain_node(self, like: Array) -> Array:
        h, z = _height(self.t), self._draw(like)
        if self._nodes[h] is None:
            self._nodes[h] = z
        return self._nodes[h] + 0.0


class _NoisySums(StreamingTree):
    """A node adds up the noisy sums below it, and gets new noise on top."""

    def _plain_node(self, like: Array) -> Array:
        h = _height(self.t)
        self._nodes[h] = self._draw(like) + sum(self._nodes[:h])
        return self._nodes[h] + 0.0


class _EachSum(StreamingTree):
    """Each sum has its own noise, as if it were the only one."""

    def _next_noise(self, like: Array) -> Array:
        self.t += 1
        return self._draw(like)


class _EachVector(StreamingTree):
    """Each vector is noised, and the noise adds up."""

    def _next_noise(self, like: Array) -> Array:
        self.t += 1
        self._nodes[0] = self._draw(like) + (0.0 if self.t == 1 else self._nodes[0])
        return self._nodes[0]


class _NoRoot(StreamingTree):
    """The highest node is published without noise: a level is left out."""

    def _plain_node(self, like: Array) -> Array:
        return self._draw(like) * (_height(self.t) < levels(self.steps) - 1)


WAYS = {
    "as printed": StreamingTree,
    "one noise for a whole level": _LevelNoise,
    "noisy sums merged": _NoisySums,
    "fresh noise for each sum": _EachSum,
    "fresh noise for each vector": _EachVector,
    "the top level left out": _NoRoot,
}


def leaky_trees(steps: int) -> dict[str, Callable[[np.random.Generator], np.ndarray]]:
    r"""List the tree mechanism as printed, and five ways to get it wrong.

    Parameters
    ----------
    steps : int
        :math:`T`, how many prefix sums are published. A node's noise has deviation 1,
        so each way claims :math:`\mu = \sqrt{\lfloor\lg T\rfloor + 1}`.

    Returns
    -------
    dict of str to callable
        What is done: a function of a ``Generator`` that returns the noise of all sums,
        for ``prefix_audit``.

    Raises
    ------
    ValueError, TypeError
        If ``steps`` is not an int of at least 1.

    Examples
    --------
    >>> for way, noise in leaky_trees(8).items():  # each claims μ = √4 = 2
    ...     mu, variance = prefix_audit(noise, steps=8)
    ...     print(f"{way}: mu = {mu:.3g}, variance {variance.max():.3g}")
    as printed: mu = 2, variance 3
    one noise for a whole level: mu = inf, variance 3
    noisy sums merged: mu = 1, variance 8
    fresh noise for each sum: mu = 2.83, variance 1
    fresh noise for each vector: mu = 1, variance 8
    the top level left out: mu = inf, variance 3
    """
    steps = checks.count(steps=steps)

    def noise(stream: type[StreamingTree]) -> Callable:
        def run(rng: np.random.Generator) -> np.ndarray:
            tree = stream(steps, clip_norm=1.0, sigma=1.0, shape=(1,), rng=rng)
            return np.concatenate([tree.add(np.zeros(1)) for _ in range(steps)])

        return run

    return {way: noise(stream) for way, stream in WAYS.items()}


def prefix_audit(
    mechanism: Callable[[np.random.Generator], np.ndarray], *, steps: int
) -> tuple[float, np.ndarray]:
    r"""Compute what T published prefix sums cost one record, exactly, and their noise.

    Parameters
    ----------
    mechanism : callable
        Takes a ``Generator``, returns the noise of the T sums, shape ``(T,)``.

    Returns
    -------
    mu : float
        :math:`\mu` of the worst record, whose vector has norm 1; infinite if some
        difference of sums carries no noise.
    variance : ndarray
        The variance of the noise in each sum, shape ``(T,)``.

    Raises
    ------
    NotGaussian
        If the noise is not made of normals from ``rng`` alone.
    ValueError, TypeError
        If an argument is out of its range.

    Examples
    --------
    >>> mu, variance = prefix_audit(lambda rng: rng.standard_normal(4), steps=4)
    >>> mu, variance.tolist()  # one record is in up to four sums
    (2.0, [1.0, 1.0, 1.0, 1.0])
    """
    steps = checks.count(steps=steps)
    B = noise_map(mechanism).matrix
    if len(B) != steps:
        raise ValueError(
            f"`mechanism` must return one number for each of steps={steps} sums, got "
            f"{len(B)}."
        )
    # A record that comes at step t is in the sums t, …, T.
    sums = np.tri(steps)
    mus = [exact_mu(B, sums[:, t]) for t in range(steps)]
    return max(mus), np.sum(B**2, axis=1)
