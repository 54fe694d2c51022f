"""Beyond trees. Factorizations that a stream computes with two or three buffers."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

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
from ._geometric import geometric_sum, power_gap, product_gap, triangle_sum
from .sensitivity import Sensitivity
from .toeplitz_encoder import ToeplitzEncoder


@dataclass(frozen=True)
class Buffers(ToeplitzEncoder):
    r"""A Toeplitz encoder with :math:`c_k = \sum_j \omega_j\theta_j^{k-1}`.

    Errors and sensitivities have closed forms, whose work does not grow with T.

    Parameters
    ----------
    decay : tuple of float
        :math:`\theta_1, \dots, \theta_m`, each in (0, 1).
    weights : tuple of float
        :math:`\omega_1, \dots, \omega_m`, each above 0; :math:`c_0 = 1`.

    Raises
    ------
    ValueError, TypeError
        If the lengths differ, or an entry is out of its range.

    References
    ----------
    * Dvijotham and others (2024), Efficient and Near-Optimal Noise Generation for
      Streaming Differential Privacy.

    Examples
    --------
    >>> buffers = Buffers((0.5,), (0.25,))
    >>> buffers.factorization(4).encoder[:, 0].tolist()
    [1.0, 0.25, 0.125, 0.0625]
    >>> slow = Buffers((0.9999,), (0.01,))  # ten million steps take no longer
    >>> round(slow.mean_error(10**7, participations=100, separation=10**5), 2)
    284.84
    """

    decay: tuple[float, ...]
    weights: tuple[float, ...]

    def __post_init__(self) -> None:
        """Check the arguments."""
        checks.instance(tuple, decay=self.decay, weights=self.weights)
        if not self.decay or len(self.decay) != len(self.weights):
            raise ValueError(
                "`weights` must have one entry for each of `decay`, at least one, got "
                f"{self.weights} and {self.decay}."
            )
        for theta in self.decay:
            checks.probability(decay=theta)
        for omega in self.weights:
            checks.moderate(weights=omega)

    @property
    def memory(self) -> int:
        """Count the vectors that a stream keeps: m."""
        return len(self.decay)

    def encoder_column(self, steps: int) -> np.ndarray:
        """Return C's first column."""
        checks.fits(4 * steps, steps=steps)
        column = np.zeros(steps)
        column[0] = 1
        for theta, omega in zip(self.decay, self.weights, strict=True):
            column[1:] += omega * theta ** np.arange(steps - 1)
        return column

    def decoder_column(self, steps: int) -> np.ndarray:
        """Return B's first column: a constant and m powers."""
        checks.fits(4 * steps, steps=steps)
        column = np.zeros(steps)
        for gap, alpha in zip(*self._decoder_powers(), strict=True):
            column += alpha * (1 - gap) ** np.arange(steps)
        return column

    def increments(self, normals: Iterable[Array]) -> Iterator[Array]:
        """Compute x_t = z_t - Σ_j ω_j s_j, then s_j ← θ_j s_j + x_t."""
        theta, omega = self.decay, self.weights
        state: list[Array] = [0.0] * len(theta)
        for z in normals:
            x = z - sum(w * s for w, s in zip(omega, state, strict=True))
            state = [h * s + x for h, s in zip(theta, state, strict=True)]
            yield x

    def sensitivity(
        self, steps: int, *, participations: int = 1, separation: int = 1
    ) -> Sensitivity:
        """Compute how far a record moves Cx: the first pattern is the worst."""
        T, k, d = checks.count(
            steps=steps, participations=participations, separation=separation
        )
        d = min(d, T)
        k = min(k, -(-T // d))
        checks.fits(4 * k * len(self.decay), participations=participations)
        gap, omega = 1 - np.array(self.decay), np.array(self.weights)
        # Block r follows visit r + 1. Its first row holds the visit itself; the others
        # sum to Σ_j a_rj θ_j^s, s = 0, 1, …, over d - 1 rows, or what is left of T.
        r = np.arange(float(k))[:, None]
        every = power_gap(gap, d)
        first = 1 + geometric_sum(every, r) @ (omega * (1 - power_gap(gap, d - 1)))
        a = omega * geometric_sum(every, r + 1)
        pairs, last = product_gap(gap), a[-1]
        rows = np.sum((a[:-1].T @ a[:-1]) * geometric_sum(pairs, d - 1))
        rows += last @ geometric_sum(pairs, T - (k - 1) * d - 1) @ last
        squared = float(first @ first + rows)
        # All terms are at least 0, and each is right but for some ten roundings
        roundings = 2 * (k + len(self.decay)) + 100
        pattern = tuple(range(0, T, d)[:k])
        return Sensitivity.of_squares(squared, squared, pattern, roundings=roundings)

    def variances(self, steps: int) -> tuple[float, float]:
        """Return the mean and the largest variance of a sum's noise, at σ = 1."""
        T = checks.count(steps=steps)
        gap, alpha = self._decoder_powers()
        pairs = product_gap(gap)
        mean = alpha @ triangle_sum(pairs, T) @ alpha / T
        return float(mean), float(alpha @ geometric_sum(pairs, T) @ alpha)

    def _decoder_powers(self) -> tuple[np.ndarray, np.ndarray]:
        r"""Write B's first column as Σ_j α_j ρ_j^s; return 1 - ρ and α.

        With the eigenvalues γ_j and eigenvectors u_j of I - Θ + √ω√ωᵀ (Sherman and
        Morrison): ρ_0 = 1, α_0 = 1/(1 + Σ_j ω_j/(1 - θ_j)), and ρ_j = 1 - γ_j,
        α_j = ⟨√ω, u_j⟩²/γ_j.
        """
        gap, omega = 1 - np.array(self.decay), np.array(self.weights)
        root = np.sqrt(omega)
        gamma, u = np.linalg.eigh(np.diag(gap) + np.outer(root, root))
        if gamma[-1] > 2:
            raise ValueError(
                "`weights` must be so small that the noise does not grow for ever, got "
                f"{self.weights}: C⁻¹ has the ratio {1 - gamma[-1]:.3g} per step."
            )
        limit = 1 / (1 + np.sum(omega / gap))
        return np.append(0.0, gamma), np.append(limit, (root @ u) ** 2 / gamma)


class BufferedStream:
    r"""Release noisy prefix sums of a stream with m buffers of memory.

    Parameters
    ----------
    steps : int
        :math:`T`, the number of vectors in the stream.
    buffers : Buffers
        Decays and weights; see ``optimal_buffers``.
    clip_norm : float
        :math:`L`, the largest norm of a vector, which sets the grid on which sums are
        exact.
    sigma : float
        :math:`\sigma`, the standard deviation of z: for noise multiplier λ and clip
        norm L, Lλ times the ``sensitivity`` of the factorization for T steps.
    shape : tuple of int
        Shape of a vector.
    rng : int, Generator or None
        Where the noise comes from.

    Examples
    --------
    >>> import numpy as np
    >>> from dpteach.auditing import Tape
    >>> stream = BufferedStream(3, Buffers((0.5,), (0.25,)), clip_norm=1.0, sigma=1.0,
    ...                         shape=(1,), rng=Tape([1.0, 0.0, 0.0]))
    >>> [float(stream.add(np.zeros(1))[0]) for _ in range(3)]  # a draw is taken back
    [1.0, 0.75, 0.6875]
    """

    def __init__(
        self,
        steps: int,
        buffers: Buffers,
        *,
        clip_norm: float,
        sigma: float,
        shape: tuple[int, ...],
        rng: Rng,
    ) -> None:
        steps = checks.count(steps=steps)
        checks.instance(Buffers, buffers=buffers)
        clip_norm, sigma = checks.moderate(clip_norm=clip_norm, sigma=sigma)
        shape = checks.shape(shape=shape)
        self.steps, self.buffers, self.sigma, self.shape = steps, buffers, sigma, shape
        self.t, self._total = 0, RunningTotal(steps, clip_norm=clip_norm)
        self._rng, self.clip_norm = as_rng(rng), clip_norm
        self._state: list[Array] = [0.0] * len(buffers.decay)
        self.noise: Array = 0.0

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
            :math:`\sum_{i\le t} x_i + b_t`.

        Raises
        ------
        ValueError, TypeError
            If ``v`` does not fit or is longer, or T vectors have come already.
        """
        short = self._total.fitted(v, self.shape)
        if self.t == self.steps:
            raise ValueError(
                f"`v` must be one of `steps`={self.steps} vectors, got one more. The "
                "noise was priced for that many sums."
            )
        self.t += 1
        theta, omega = self.buffers.decay, self.buffers.weights
        z = standard_normal(self._rng, self.shape, like=v)
        # Row t of C⁻¹z: z_t minus what the buffers keep of all rows before it
        fresh = z - sum(w * s for w, s in zip(omega, self._state, strict=True))
        self._state = [d * s + fresh for d, s in zip(theta, self._state, strict=True)]
        self.noise = self.noise + self.sigma * fresh
        return noisy_sum(self._total.add(short), self.noise)
