"""Section 6.3.2. The noise of all prefix sums at once, for streams known beforehand."""

import numpy as np

from ... import checks
from ...arrays import Rng, as_rng
from .tree import ESTIMATORS


def tree_noise(
    steps: int,
    *,
    sigma: float,
    shape: tuple[int, ...],
    rng: Rng,
    estimator: str = "plain",
) -> np.ndarray:
    r"""Draw the noise b_1, …, b_T of all prefix sums at once. [Theorem 6.13]

    Parameters
    ----------
    sigma : float
        :math:`\sigma = L\lambda`, a node's standard deviation in each coordinate.
    shape : tuple of int
        Shape of a vector.
    estimator : {"plain", "honaker"}, optional
        How nodes become sums.

    Returns
    -------
    ndarray
        Shape ``(T, *shape)``: the noise that ``StreamingTree`` adds with the same seed,
        without its loop. Use it if the stream is known beforehand, as in a figure.

    Examples
    --------
    >>> from dpteach.auditing import Tape
    >>> noise = tree_noise(4, sigma=1.0, shape=(1,), rng=Tape([1, 10, 100, 1000]))
    >>> noise[:, 0].tolist()
    [1.0, 10.0, 110.0, 1000.0]
    """
    steps = checks.count(steps=steps)
    checks.fits(4 * steps, steps=steps)
    sigma = checks.moderate(sigma=sigma)
    checks.shape(4 * steps, shape=shape)
    checks.one_of(ESTIMATORS, estimator=estimator)
    rng = as_rng(rng)
    draw = _plain_nodes if estimator == "plain" else _honaker_nodes
    b = draw(int(steps), shape, rng)
    h = 1 << int(steps).bit_length() >> 1
    # b_t = node + b_{t − h}, where h is t's lowest 1: tall nodes first.
    while h:
        late = b[3 * h :: 2 * h]
        late += b[2 * h :: 2 * h][: len(late)]
        h //= 2
    b = b[1:]
    b *= sigma
    return b


def _plain_nodes(
    steps: int, shape: tuple[int, ...], rng: np.random.Generator
) -> np.ndarray:
    """Return, in row t, the noise of the node that the t-th sum reads first."""
    nodes = np.empty((steps + 1, *shape))
    rng.standard_normal(out=nodes[1:])
    return nodes


def _honaker_nodes(
    steps: int, shape: tuple[int, ...], rng: np.random.Generator
) -> np.ndarray:
    """Return, in row t, the estimate of that node from itself and all nodes below."""
    t = np.arange(1, steps + 1)
    # At step t, one draw for each node that ends there: 1 + (t's trailing zeros).
    drawn = np.cumsum(np.bitwise_count((t & -t) - 1) + 1, dtype=np.int64)
    z = rng.standard_normal((int(drawn[-1]), *shape))
    first = np.concatenate([[0], drawn])  # where the draws of step t + 1 begin
    nodes, h = np.empty((steps + 1, *shape)), 0
    u = z[first[:-1]]  # u of all nodes with 2^h leaves; see StreamingTree
    while len(u):
        nodes[1 << h :: 2 << h] = u[::2] / (2 - 2.0**-h)
        pairs, h = len(u) // 2, h + 1
        own = z[first[(1 << h) * np.arange(1, pairs + 1) - 1] + h]
        u = own + (u[0 : 2 * pairs : 2] + u[1 : 2 * pairs : 2]) / 2
    return nodes
