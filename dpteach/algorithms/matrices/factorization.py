"""Beyond trees. Private prefix sums from a product of two matrices, A = BC."""

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from math import pi, sqrt

import numpy as np

from ... import checks
from ...arrays import Array, Rng, as_rng
from ._normals import standard_normals

# How a tree's nodes become prefix sums: they are added up, averaged with the nodes
# below them, or combined by the best unbiased weights over all nodes.
TREE_ESTIMATORS = ("plain", "honaker", "full")


@dataclass(frozen=True)
class Factorization:
    """Release prefix sums as B(Cx + z): encode, add noise, decode.

    Source: Li and others (2015); Denisov and others (2022).

    Parameters
    ----------
    decoder : ndarray
        :math:`B`, shape ``(T, m)``. The prefix sums carry the noise Bz.
    encoder : ndarray
        :math:`C`, shape ``(m, T)``, with BC = A, the lower triangle of ones.

    Examples
    --------
    >>> import numpy as np
    >>> A = prefix_sum_matrix(4)
    >>> sums, steps = Factorization(np.eye(4), A), Factorization(A, np.eye(4))
    >>> sums.max_error, steps.max_error  # noise on each sum, or on each vector
    (2.0, 2.0)
    >>> steps.mean_error < sums.mean_error
    True
    """

    decoder: np.ndarray
    encoder: np.ndarray

    def __post_init__(self) -> None:
        checks.finite_array(ndim=2, decoder=self.decoder, encoder=self.encoder)
        if self.decoder.shape != self.encoder.shape[::-1] or not np.allclose(
            self.decoder @ self.encoder, np.tri(len(self.decoder)), atol=1e-6
        ):
            raise ValueError(
                "`decoder` must be of shape (T, m), `encoder` of (m, T), and their "
                f"product the lower triangle of ones, got {self.decoder.shape} and "
                f"{self.encoder.shape}. Solve for one of them: B = A C⁻¹."
            )

    @property
    def steps(self) -> int:
        """T, the number of sums that are released."""
        return len(self.decoder)

    @property
    def sensitivity(self) -> float:
        """How far one vector of norm 1, in one step, moves Cx: C's longest column."""
        return float(np.linalg.norm(self.encoder, axis=0).max())

    @property
    def mean_error(self) -> float:
        """Root mean square over t of the noise of sum t, at noise multiplier 1."""
        return self.sensitivity * sqrt(np.sum(self.decoder**2) / self.steps)

    @property
    def max_error(self) -> float:
        """The largest standard deviation of a sum's noise, at noise multiplier 1."""
        return self.sensitivity * float(np.linalg.norm(self.decoder, axis=1).max())

    @property
    def memory(self) -> int:
        """How many vectors a stream keeps: the bands of a lower-triangular C, less 1.

        For another C it keeps all m draws.
        """
        C = self.encoder
        if C.shape[0] != C.shape[1] or np.triu(C, 1).any():
            return len(C)
        i, j = np.nonzero(C)
        return int(np.max(i - j))

    def increments(self, normals: Iterable[Array]) -> Iterator[Array]:
        """Turn standard normals z_1, z_2, … into T rows, one by one.

        The noise of sum t is σ times the sum of the first t rows. If C is lower
        triangular, they are those of C⁻¹z, each from one more draw; else all m draws
        come first. The arrays may be of any library, on any device.
        """
        C, normals = self.encoder, iter(normals)
        if C.shape[0] != C.shape[1] or np.triu(C, 1).any():
            z = list(islice(normals, len(C)))
            for row in np.diff(self.decoder, axis=0, prepend=0.0):
                yield sum(float(b) * draw for b, draw in zip(row, z, strict=True))
            return
        past: deque[Array] = deque(maxlen=self.memory)  # the newest row first
        for t, x in zip(range(self.steps), normals, strict=False):
            for c, row in zip(C[t, :t][::-1], past, strict=False):
                x = x - float(c) * row
            x = x / float(C[t, t])
            past.appendleft(x)
            yield x

    def noise(
        self, rng: np.random.Generator, shape: tuple[int, ...], *, like: Array
    ) -> Iterator[Array]:
        """Draw T such rows on the host, in the library, dtype and place of like."""
        return self.increments(standard_normals(rng, shape, like=like))


def prefix_sum_matrix(steps: int) -> np.ndarray:
    """Make A, whose row t adds up the first t vectors.

    Returns
    -------
    ndarray
        Shape ``(T, T)``: ones on and below the diagonal.

    Examples
    --------
    >>> prefix_sum_matrix(2).tolist()
    [[1.0, 0.0], [1.0, 1.0]]
    """
    steps = checks.count(steps=steps)
    checks.fits(steps**2, steps=steps)
    return np.tri(steps)


def naive_factorization(steps: int) -> Factorization:
    """Perturb each sum on its own, B = I. The error of every sum is √T.

    Returns
    -------
    Factorization
        With encoder A, whose first column has norm √T.

    Examples
    --------
    >>> naive_factorization(16).mean_error
    4.0
    """
    A = prefix_sum_matrix(steps)
    return Factorization(np.eye(len(A)), A)


def independent_factorization(steps: int) -> Factorization:
    """Perturb each vector on its own, as DP-SGD does: C = I.

    Returns
    -------
    Factorization
        With decoder A: the noise of sum t is a random walk after t steps.

    Examples
    --------
    >>> round(independent_factorization(16).mean_error, 4)  # √((T + 1)/2)
    2.9155
    """
    A = prefix_sum_matrix(steps)
    return Factorization(A, np.eye(len(A)))


def tree_factorization(steps: int, *, estimator: str = "plain") -> Factorization:
    """Perturb each node of a binary tree: C has one row per node. [Theorem 6.13]

    The sensitivity is that of publishing all nodes; for "honaker" and "full" the T sums
    reveal less than that, so it is an upper bound.

    Parameters
    ----------
    estimator : {"plain", "honaker", "full"}, optional
        How nodes become sums: "plain" adds up those that tile [1, t]; "honaker" first
        averages each with all nodes below it; "full" takes the best weights over all
        nodes, B = A C⁺.

    Returns
    -------
    Factorization
        With encoder of shape ``(m, T)``, one row for each of the m full nodes.

    Examples
    --------
    >>> plain, best = (tree_factorization(64, estimator=e) for e in ("plain", "full"))
    >>> round(plain.mean_error / best.mean_error, 2)  # the same nodes, better weights
    1.82
    """
    steps = checks.count(steps=steps)
    checks.fits(4 * steps**2, steps=steps)
    checks.one_of(TREE_ESTIMATORS, estimator=estimator)
    nodes = [
        (h, i) for h in range(int(steps).bit_length()) for i in range(steps >> h)
    ]  # node (h, i) holds the leaves from i 2^h to (i + 1) 2^h, all of them in use
    C = np.zeros((len(nodes), steps))
    for row, (h, i) in zip(C, nodes, strict=True):
        row[i << h : (i + 1) << h] = 1
    if estimator == "full":
        return Factorization(np.linalg.solve(C.T @ C, C.T).cumsum(axis=0), C)
    index = {node: k for k, node in enumerate(nodes)}
    B = np.zeros((steps, len(nodes)))
    for t in range(1, steps + 1):
        h = (t & -t).bit_length() - 1  # the last node of sum t; others come before
        B[t - 1] = B[t - (1 << h) - 1] if t > 1 << h else 0
        B[t - 1] += _node_weights(h, (t >> h) - 1, index, estimator)
    return Factorization(B, C)


def _node_weights(
    h: int, i: int, index: dict[tuple[int, int], int], estimator: str
) -> np.ndarray:
    """Weigh a node and all below it, to estimate the node's sum."""
    weights = np.zeros(len(index))
    if estimator == "plain":
        weights[index[h, i]] = 1
        return weights
    share = 1 / (2 - 2.0**-h)  # the variance of the average
    for depth in range(h + 1):
        first = index[h - depth, i << depth]
        weights[first : first + (1 << depth)] = share * 2.0**-depth
    return weights


def prefix_sum_lower_bound(steps: int) -> float:
    r"""Bound the mean error of all factorizations from below: ‖A‖_*/T.

    Source: Nikolov, Talwar and Zhang (2013); Edmonds, Nikolov and Ullman (2019).

    Returns
    -------
    float
        The mean singular value of A, :math:`\frac1T\sum_j
        \frac{1}{2\sin((2j-1)\pi/(4T+2))}`, about :math:`(\ln T)/\pi`.

    Examples
    --------
    >>> tree = tree_factorization(256, estimator="full").mean_error
    >>> round(tree / prefix_sum_lower_bound(256), 3)  # a constant factor is left
    1.255
    """
    steps = checks.count(steps=steps)
    checks.fits(3 * steps, steps=steps)
    angles = (2 * np.arange(1, steps + 1) - 1) * (pi / (4 * steps + 2))
    return float(np.sum(0.5 / np.sin(angles))) / steps


def correlated_noise(
    factorization: Factorization, *, sigma: float, shape: tuple[int, ...], rng: Rng
) -> np.ndarray:
    r"""Draw the noise b_1, …, b_T of all prefix sums, with columns B z.

    Parameters
    ----------
    sigma : float
        :math:`\sigma`, the standard deviation of z: for noise multiplier λ and clip
        norm L, Lλ times the factorization's ``sensitivity``.

    Returns
    -------
    ndarray
        Shape ``(T, *shape)``. No data enter, so a stream may use b_t at step t.

    Examples
    --------
    >>> from dpteach.auditing import Tape
    >>> steps = independent_factorization(3)
    >>> noise = correlated_noise(steps, sigma=1.0, shape=(1,), rng=Tape([1, 10, 100]))
    >>> noise[:, 0].tolist()  # noise on each vector adds up in the sums
    [1.0, 11.0, 111.0]
    """
    checks.instance(Factorization, factorization=factorization)
    sigma = checks.moderate(sigma=sigma)
    checks.shape(factorization.encoder.shape[0], shape=shape)
    z = as_rng(rng).standard_normal((len(factorization.encoder), *shape))
    return sigma * np.tensordot(factorization.decoder, z, axes=1)
