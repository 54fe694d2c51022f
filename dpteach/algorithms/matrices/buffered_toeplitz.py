"""Beyond trees. Factorizations that a stream computes with two or three buffers."""

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
from .._running_total import RunningTotal, check_vector
from ._matrices import decoder_of, toeplitz_matrix
from .factorization import Factorization


@dataclass(frozen=True)
class Buffers:
    r"""A Toeplitz encoder with :math:`c_k = \sum_j \omega_j\theta_j^{k-1}`.

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

    Examples
    --------
    >>> Buffers((0.5,), (0.25,)).factorization(4).encoder[:, 0].tolist()
    [1.0, 0.25, 0.125, 0.0625]
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
        for each in self.decay:
            checks.probability(decay=each)
        for each in self.weights:
            checks.moderate(weights=each)

    def factorization(self, steps: int) -> Factorization:
        """Write out B and C for ``steps`` sums."""
        steps = checks.count(steps=steps)
        k = np.arange(steps - 1)[:, None]
        rest = np.sum(np.asarray(self.weights) * np.asarray(self.decay) ** k, axis=1)
        C = toeplitz_matrix(np.concatenate([[1.0], rest]))
        return Factorization(decoder_of(C), C)


def optimal_buffers(
    steps: int, *, buffers: int = 2, objective: str = "mean"
) -> Buffers:
    r"""Choose the decays and weights of least error, by quasi-Newton steps.

    Parameters
    ----------
    steps : int
        :math:`T`, at least 2. The work grows with T: seconds for 10⁵ steps.
    buffers : int, optional
        :math:`m`, at most 8: the stream needs memory for m vectors. Two buffers come
        within 5% of the optimum for T = 1024.
    objective : {"mean", "max"}, optional
        Which error to minimize: the root of the mean variance, or the largest.

    Returns
    -------
    Buffers
        A local minimum (the problem is not convex).

    Raises
    ------
    ValueError, TypeError
        If an argument is out of its range.

    Notes
    -----
    BLT, buffered linear Toeplitz, is due to Dvijotham and others (2024); for
    phones see McMahan and others (2024).

    References
    ----------
    * Dvijotham and others (2024), Efficient and Near-Optimal Noise Generation for
      Streaming Differential Privacy.
    * McMahan, Xu and Zhang (2024), A Hassle-free Algorithm for Private Learning in
      Practice: Don't Use Tree Aggregation, Use BLTs.

    Examples
    --------
    >>> best = optimal_buffers(128, buffers=2)
    >>> round(best.factorization(128).mean_error, 4)  # the best of all has 2.3110
    2.3993
    """
    from scipy.optimize import minimize  # scipy here: importing stays fast

    steps = checks.count(2, steps=steps)
    checks.fits(100 * steps, steps=steps)
    buffers = checks.count(buffers=buffers)
    if buffers > 8:
        raise ValueError(f"`buffers` must be at most 8, got {buffers}. 3 or 4 suffice.")
    checks.one_of(("mean", "max"), objective=objective)

    def value_and_slope(x: np.ndarray) -> tuple[float, list[float]]:
        # Complex steps: the derivative is Im f(x + ih)/h, where nothing cancels.
        ways = 1e-30j * np.eye(len(x))
        slope = [_log_error(x + way, steps, objective).imag * 1e30 for way in ways]
        return _log_error(x, steps, objective).real, slope

    start = np.linspace(np.log(steps), 0, buffers + 1)[:-1]
    weights = np.full(buffers, -np.log(2 * buffers))
    found = minimize(
        value_and_slope,
        np.concatenate([start, weights]),
        jac=True,
        method="BFGS",
        options={"gtol": 1e-9, "maxiter": 1000},
    ).x
    decay = 1 / (1 + np.exp(-found[:buffers]))
    return Buffers(tuple(decay.tolist()), tuple(np.exp(found[buffers:]).tolist()))


def _log_error(x: np.ndarray, steps: int, objective: str) -> complex:
    """Compute the log of the error at θ = 1/(1 + e^{−x}), ω = e^{x'}."""
    from scipy.signal import lfilter

    half = len(x) // 2
    theta, omega = 1 / (1 + np.exp(-x[:half])), np.exp(x[half:])
    # C as a filter: 1 + Σ_j ω_j z/(1 − θ_j z) = N(z)/D(z), and C⁻¹ is D(z)/N(z)
    D = _product(theta)
    N = D.copy()
    for j in range(half):
        N[1:] += omega[j] * _product(np.delete(theta, j))
    impulse = np.zeros(steps)
    impulse[0] = 1
    c = np.asarray(lfilter(N, D, impulse))
    b = np.asarray(lfilter(D, N, np.ones(steps)))
    variances = np.cumsum(b * b)  # of the sums; not |b|², for complex steps
    last = variances[-1] if objective == "max" else np.mean(variances)
    return 0.5 * np.log(np.sum(c * c) * last + 0j)


def _product(theta: np.ndarray) -> np.ndarray:
    """Multiply out Π_j (1 − θ_j z)."""
    out = np.ones(1, dtype=theta.dtype)
    for each in theta:
        out = np.convolve(out, np.array([1, -each]))
    return out


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

    Raises
    ------
    ValueError, TypeError
        If an argument is out of its range; zero noise is refused.

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
            :math:`x_t`, of the stream's shape. Clip it to L first.

        Returns
        -------
        Array
            :math:`\sum_{i\le t} x_i + b_t`.

        Raises
        ------
        ValueError, TypeError
            If ``v`` does not fit, or T vectors have come already.
        """
        check_vector(v, self.shape, self.clip_norm)
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
        return noisy_sum(self._total.add(v), self.noise)
