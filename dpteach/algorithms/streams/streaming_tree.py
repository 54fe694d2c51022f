"""Section 6.3.2. The tree in a stream: O(log T) memory, one draw per step."""

from math import prod

import numpy as np

from ... import checks
from ...arrays import (
    Array,
    Rng,
    as_rng,
    noisy_sum,
    standard_normal,
)
from .._running_total import RunningTotal
from .tree import ESTIMATORS

# The most numbers that one call draws, if vectors are short.
_AHEAD = 1 << 14


class StreamingTree:
    r"""Release noisy prefix sums of a stream, one by one. [AddToTree, GetSum]

    The sums are those of ``initialize_tree``, ``add_to_tree`` and ``get_sum``, node for
    node. But a node is drawn only when its last vector arrives, and it is dropped when
    no later sum will read it.

    Parameters
    ----------
    steps : int
        :math:`T`, the number of vectors in the stream.
    clip_norm : float
        :math:`L`, the largest norm of a vector. It sets the grid on which sums are
        exact; see ``RunningTotal``.
    sigma : float
        :math:`\sigma = L\lambda`, a node's standard deviation in each coordinate.
    shape : tuple of int
        Shape of a vector, such as ``(p,)``, or ``(50, p)`` for 50 runs at once.
    rng : int, Generator or None
        Where the noise comes from.
    estimator : {"plain", "honaker"}, optional
        How nodes become sums: they are added up, with one draw per step; or each is
        first averaged with the nodes below it, with two draws per step on average, and
        less noise.

    Notes
    -----
    All sums together are one Gaussian mechanism with ``levels(steps)`` releases. With
    "honaker" that is an upper bound on what they cost. In memory there are at most
    ``levels(steps)`` vectors of noise (twice as many with "honaker") and the exact sum;
    if vectors are short, there are also the blocks of 16,384 numbers in which they were
    drawn.

    References
    ----------
    * Chan, Shi and Song (2011), Private and Continual Release of Statistics.
    * Honaker (2015), Efficient Use of Differentially Private Binary Trees.

    Examples
    --------
    >>> import numpy as np
    >>> from dpteach.auditing import Tape
    >>> tree = StreamingTree(4, clip_norm=1.0, sigma=1.0, shape=(1,),
    ...                      rng=Tape([1, 10, 100, 1000]))
    >>> [float(tree.add(np.zeros(1))[0]) for _ in range(4)]  # sum 3 reads two nodes
    [1.0, 10.0, 110.0, 1000.0]
    """

    def __init__(
        self,
        steps: int,
        *,
        clip_norm: float,
        sigma: float,
        shape: tuple[int, ...],
        rng: Rng,
        estimator: str = "plain",
    ) -> None:
        steps = checks.count(steps=steps)
        clip_norm, sigma = checks.moderate(clip_norm=clip_norm, sigma=sigma)
        shape = checks.shape(shape=shape)
        checks.one_of(ESTIMATORS, estimator=estimator)
        self.steps, self.sigma, self.shape = steps, sigma, shape
        self.clip_norm = clip_norm
        self._total = RunningTotal(steps, clip_norm=clip_norm)
        self.t, self._rng = 0, as_rng(rng)
        self._long = prod(shape) > _AHEAD // 2  # too long to be drawn ahead
        height, k = self.steps.bit_length(), self.steps.bit_count()
        # Index h: the complete node of 2^h leaves that the current sum reads, if any.
        # _noise[h] is its noise plus that of all higher such nodes, which come earlier.
        self._noise: list[Array] = [None] * height
        self._nodes: list[Array] = [None] * height
        plain = estimator == "plain"
        self._draw_node = self._plain_node if plain else self._honaker_node
        self._draws_left, self._ahead = self.steps if plain else 2 * self.steps - k, []

    def add(self, v: Array) -> Array:
        r"""Add the next vector; return the noisy sum of all vectors so far.

        Parameters
        ----------
        v : Array
            :math:`x_t`, of the stream's shape. Clip it to L first; what rounding adds
            to its length, up to a millionth of L, is taken off here,
            which takes longer. Noise is drawn on the host, in the dtype of v.

        Returns
        -------
        Array
            :math:`\sum_{i\le t} x_i + b_t`.

        Raises
        ------
        ValueError, TypeError
            If ``v`` does not fit or is longer, or T vectors have come already.
        """
        short = self._fitted(v)
        self._last = self._next_noise(v)
        return noisy_sum(self._total.add(short), self.sigma * self._last)

    def _next_noise(self, like: Array) -> Array:
        """Move on by one step; return b_t/σ."""
        self.t = t = self.t + 1
        # The only node that ends at t and that a sum reads: t's lowest 1 is its size.
        b = self._draw_node(like)
        # Without that 1, t is the end of the node before this one.
        before = t & (t - 1)
        if before:
            b += self._noise[(before & -before).bit_length() - 1]  # b is unshared
        self._noise[(t & -t).bit_length() - 1] = b
        return b

    @property
    def noise(self) -> Array:
        """The noise b_t of the last sum, for the curator's trace: not private."""
        return self.sigma * self._last

    def _draw(self, like: Array) -> Array:
        # Short vectors are drawn many at a time: the same numbers, in fewer calls.
        if not self._ahead:
            rows = max(1, min(_AHEAD // prod(self.shape), self._draws_left))
            z = standard_normal(self._rng, (rows, *self.shape), like=like)
            self._ahead = [z[i, ...] for i in reversed(range(rows))]
            self._draws_left -= rows
        return self._ahead.pop()

    def _plain_node(self, like: Array) -> Array:
        # A long vector is drawn into that of the last node of this height, which no
        # sum reads any more: fresh memory would cost more than the addition.
        old = self._noise[(self.t & -self.t).bit_length() - 1]
        mine = self._long and type(old) is np.ndarray and old.dtype == like.dtype
        if not (mine and type(self._rng) is np.random.Generator):
            return self._draw(like)
        self._draws_left -= 1
        return self._rng.standard_normal(out=old, dtype=old.dtype)

    def _honaker_node(self, like: Array) -> Array:
        # u is the best estimate from the node and all below it, over its variance
        # 1/(2 − 2^−h): a parent adds its own noise to the mean of its two children's u.
        h, u = 0, self._draw(like)
        while self.t >> h & 1 == 0:
            u, h = self._draw(like) + (self._nodes[h] + u) / 2, h + 1
        self._nodes[h] = u
        return u / (2 - 2.0**-h)

    def _fitted(self, v: Array) -> Array:
        short = self._total.fitted(v, self.shape)
        if self.t == self.steps:
            raise ValueError(
                f"`v` must be one of `steps`={self.steps} vectors, got one more. Make "
                "a longer tree: the noise of this one was priced for that many sums."
            )
        return short


class RestartedTree:
    r"""Release noisy prefix sums, with a new tree from time to time. [DP-FTRL paper, 5]

    The next tree starts from the last noisy sum of the finished one. Starting from the
    exact sum instead would release every past vector again, with new noise, and the
    price does not cover that.

    Parameters
    ----------
    steps : int
        :math:`T`, the number of vectors in the whole stream.
    restart_every : int
        How many of them make one tree, such as the steps of an epoch.
    clip_norm : float
        :math:`L`, the largest norm of a vector. It sets the grid on which sums are
        exact; see ``RunningTotal``.
    sigma : float
        :math:`\sigma = L\lambda`, a node's standard deviation in each coordinate.
    shape : tuple of int
        Shape of a vector.
    rng : int, Generator or None
        Where the noise comes from.
    estimator : {"plain", "honaker"}, optional
        How nodes become sums.
    complete : bool, optional
        Fill up a finished tree with zero vectors to a power of two. Then its last sum
        has the noise of a single node, at the price of one more level.

    Examples
    --------
    >>> import numpy as np
    >>> from dpteach.auditing import Tape
    >>> tree = RestartedTree(4, restart_every=2, clip_norm=1.0, sigma=1.0,
    ...                      shape=(1,), rng=Tape([1, 10, 100, 1000]))
    >>> [float(tree.add(np.zeros(1))[0]) for _ in range(4)]  # 10 is here to stay
    [1.0, 10.0, 110.0, 1010.0]
    """

    def __init__(
        self,
        steps: int,
        *,
        restart_every: int,
        clip_norm: float,
        sigma: float,
        shape: tuple[int, ...],
        rng: Rng,
        estimator: str = "plain",
        complete: bool = False,
    ) -> None:
        steps, restart_every = checks.count(steps=steps, restart_every=restart_every)
        checks.instance(bool, complete=complete)
        self.steps, self.restart_every = steps, restart_every
        # The last noisy sums: of all finished trees, and of the current one.
        self.t, self._left, self._last = 0, 0.0, 0.0
        size = 1 << (restart_every - 1).bit_length() if complete else restart_every
        rng = as_rng(rng)
        self._new_tree = lambda: StreamingTree(
            size,
            clip_norm=clip_norm,
            sigma=sigma,
            shape=shape,
            rng=rng,
            estimator=estimator,
        )
        self._tree = self._new_tree()

    def add(self, v: Array) -> Array:
        r"""Add the next vector; return the noisy sum of all vectors so far.

        Parameters
        ----------
        v : Array
            :math:`x_t`, of the stream's shape. Clip it to L first; what rounding adds
            to its length, up to a millionth of L, is taken off here,
            which takes longer.

        Returns
        -------
        Array
            :math:`\sum_{i\le t} x_i` plus noise.

        Raises
        ------
        ValueError, TypeError
            If ``v`` does not fit or is longer, or T vectors have come already.
        """
        if self.t == self.steps:
            raise ValueError(
                f"`v` must be one of `steps`={self.steps} vectors, got one more. "
                "Restart with more steps, because the price must be known beforehand."
            )
        if self.t and self.t % self.restart_every == 0:
            self._restart()
        self._last = self._tree.add(v)
        self.t += 1
        return self._last + self._left

    def _restart(self) -> None:
        while self._tree.t < self._tree.steps:
            self._last = self._tree.add(0 * self._last)
        self._left = self._left + self._last
        self._tree = self._new_tree()
