"""Beyond trees. Encoders with one coefficient per lag, for any number of steps."""

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterable, Iterator
from copy import deepcopy
from dataclasses import dataclass, replace
from math import sqrt

import numpy as np

from ... import checks
from ...arrays import Array, standard_normal
from ._matrices import divide_series, toeplitz_matrix
from ._normals import standard_normals
from .factorization import Factorization
from .sensitivity import Sensitivity, toeplitz_sensitivity


class ToeplitzEncoder(ABC):
    r"""A lower-triangular encoder with :math:`c_k` on its k-th diagonal.

    Attributes
    ----------
    memory : int
        How many vectors a stream keeps to correlate its noise.
    """

    memory: int

    @abstractmethod
    def encoder_column(self, steps: int) -> np.ndarray:
        """Return C's first column, for T steps."""

    @abstractmethod
    def decoder_column(self, steps: int) -> np.ndarray:
        """Return the first column of B = A C⁻¹, which is Toeplitz too."""

    @abstractmethod
    def increments(self, normals: Iterable[Array]) -> Iterator[Array]:
        r"""Turn standard normals z_1, z_2, … into the rows of C⁻¹z, one by one.

        The noise of sum t is σ times the sum of the first t rows. The arrays may be of
        any library, on any device.
        """

    def noise(
        self, rng: np.random.Generator, shape: tuple[int, ...], *, like: Array
    ) -> Iterator[Array]:
        """Draw the rows of C⁻¹z on the host, in the library, dtype and place of like.

        ``increments`` takes normals that are drawn on a device.
        """
        return self.increments(standard_normals(rng, shape, like=like))

    def sensitivity(
        self, steps: int, *, participations: int = 1, separation: int = 1
    ) -> Sensitivity:
        """Bound how far a record moves Cx that takes part k times, d steps apart."""
        return toeplitz_sensitivity(
            self.encoder_column(checks.count(steps=steps)),
            participations=participations,
            separation=separation,
        )

    def variances(self, steps: int) -> tuple[float, float]:
        """Return the mean and the largest variance of a sum's noise, at σ = 1."""
        squares = self.decoder_column(checks.count(steps=steps)) ** 2
        return float(squares @ np.arange(steps, 0, -1)) / steps, float(np.sum(squares))

    def mean_error(
        self, steps: int, *, participations: int = 1, separation: int = 1
    ) -> float:
        """Return the root mean square of the sums' noise, at noise multiplier 1."""
        rules = {"participations": participations, "separation": separation}
        return self.sensitivity(steps, **rules).value * sqrt(self.variances(steps)[0])

    def max_error(
        self, steps: int, *, participations: int = 1, separation: int = 1
    ) -> float:
        """Return the largest standard deviation of a sum's noise, at multiplier 1."""
        rules = {"participations": participations, "separation": separation}
        return self.sensitivity(steps, **rules).value * sqrt(self.variances(steps)[1])

    def factorization(self, steps: int) -> Factorization:
        """Write out B and C for T sums."""
        steps = checks.count(steps=steps)
        checks.fits(4 * steps**2, steps=steps)
        return Factorization(
            toeplitz_matrix(self.decoder_column(steps)),
            toeplitz_matrix(self.encoder_column(steps)),
        )


def _check_coefficients(coefficients: tuple[float, ...]) -> None:
    checks.instance(tuple, coefficients=coefficients)
    if not coefficients:
        raise ValueError("`coefficients` must have at least one entry, got ().")
    checks.moderate(coefficients=coefficients[0])
    for coefficient in coefficients:
        checks.between(-1e100, 1e100, coefficients=coefficient)


def _padded(coefficients: tuple[float, ...], steps: int) -> np.ndarray:
    checks.fits(4 * steps, steps=steps)
    column = np.zeros(steps)
    column[: len(coefficients)] = coefficients[:steps]
    return column


@dataclass(frozen=True)
class Bands(ToeplitzEncoder):
    r"""An encoder with b bands: :math:`c_0, \dots, c_{b-1}`, then zeros.

    A stream keeps the last b - 1 rows of C⁻¹z, and takes back a part of each.

    Parameters
    ----------
    coefficients : tuple of float
        :math:`c_0, \dots, c_{b-1}`, the first above 0.

    Raises
    ------
    ValueError, TypeError
        If a coefficient is not finite, or the first is not above 0.

    References
    ----------
    * Choquette-Choo and others (2023), (Amplified) Banded Matrix Factorization: A
      Unified Approach to Private Training.

    Examples
    --------
    >>> bands = Bands((1.0, 0.5))
    >>> bands.decoder_column(4).tolist()  # of 1/((1 - z)(1 + z/2))
    [1.0, 0.5, 0.75, 0.625]
    >>> rules = {"participations": 9, "separation": 2}  # columns two apart are disjoint
    >>> often, once = bands.sensitivity(100, **rules), bands.sensitivity(100)
    >>> round(often.value / once.value, 9)
    3.0
    """

    coefficients: tuple[float, ...]

    def __post_init__(self) -> None:
        """Check the arguments."""
        _check_coefficients(self.coefficients)

    @property
    def memory(self) -> int:
        """Count the vectors that a stream keeps: b - 1."""
        return len(self.coefficients) - 1

    def encoder_column(self, steps: int) -> np.ndarray:
        """Return C's first column."""
        return _padded(self.coefficients, steps)

    def decoder_column(self, steps: int) -> np.ndarray:
        """Return B's first column: the coefficients of 1/((1 - z)c(z))."""
        return divide_series(np.ones(steps), self.coefficients, steps)

    def increments(self, normals: Iterable[Array]) -> Iterator[Array]:
        """Solve Cx = z forward: x_t = (z_t - Σ_j c_j x_{t-j})/c_0."""
        first, *rest = self.coefficients
        past: deque[Array] = deque(maxlen=len(rest))  # the newest row first
        for x in normals:
            for c, row in zip(rest, past, strict=False):
                x = x - c * row
            x = x / first
            past.appendleft(x)
            yield x


@dataclass(frozen=True)
class InverseBands(ToeplitzEncoder):
    r"""An encoder whose inverse has b bands: :math:`r_0, \dots, r_{b-1}`, then zeros.

    Parameters
    ----------
    coefficients : tuple of float
        :math:`r_0, \dots, r_{b-1}`, the first above 0.
    redraw : bool, optional
        Whether a stream draws the last b - 1 draws z again, from the generator's state
        before each of them, or keeps them.

    Raises
    ------
    ValueError, TypeError
        If a coefficient is not finite, or the first is not above 0.

    References
    ----------
    * Kalinin and others (2026), Back to Square Roots: An Optimal Bound on the Matrix
      Factorization Error for Multi-Epoch Differentially Private SGD.

    Examples
    --------
    >>> lag = InverseBands((1.0, -0.5))  # each draw is half taken back, a step later
    >>> lag.encoder_column(4).tolist(), lag.decoder_column(4).tolist()
    ([1.0, 0.5, 0.25, 0.125], [1.0, 0.5, 0.5, 0.5])
    >>> lag.memory, InverseBands((1.0, -0.5), redraw=True).memory
    (1, 0)
    """

    coefficients: tuple[float, ...]
    redraw: bool = False

    def __post_init__(self) -> None:
        """Check the arguments."""
        _check_coefficients(self.coefficients)
        checks.flag(redraw=self.redraw)

    @property
    def memory(self) -> int:
        """Count the vectors that a stream keeps: b - 1, or none."""
        return 0 if self.redraw else len(self.coefficients) - 1

    def encoder_column(self, steps: int) -> np.ndarray:
        """Return C's first column: the coefficients of 1/r(z)."""
        return divide_series(_padded((1.0,), steps), self.coefficients, steps)

    def decoder_column(self, steps: int) -> np.ndarray:
        """Return B's first column: the sums of r_0, …, r_j."""
        return np.cumsum(_padded(self.coefficients, steps))

    def sensitivity(
        self, steps: int, *, participations: int = 1, separation: int = 1
    ) -> Sensitivity:
        r"""Bound how far a record moves Cx, for the exact inverse of r.

        The computed ĉ solves :math:`r(z)\hat c(z) = 1 + \rho(z)`, where rounding makes
        :math:`\|\rho\|_1 \le (b + 4) 2^{-53} \|r\|_1 \|\hat c\|_1`. So c = ĉ/(1 + ρ),
        and no move under c exceeds the one under ĉ by more than 1/(1 - \|ρ\|_1).
        """
        rules = {"participations": participations, "separation": separation}
        found = super().sensitivity(steps, **rules)
        r, c = np.array(self.coefficients), self.encoder_column(steps)
        rho = (len(r) + 4) * 2.0**-53 * float(np.abs(r).sum() * np.abs(c).sum())
        if rho > 1e-6:
            raise ValueError(
                "`coefficients` must have an inverse that floats can hold for "
                f"{steps} steps, got {self.coefficients[:4]}. Take some that fall."
            )
        value, lower = found.value * (1 + 2 * rho), found.lower * (1 - 2 * rho)
        return replace(found, value=value, lower=lower)

    def increments(self, normals: Iterable[Array]) -> Iterator[Array]:
        """Compute x_t = Σ_j r_j z_{t-j}."""
        first, *rest = self.coefficients
        past: deque[Array] = deque(maxlen=len(rest))  # the newest draw first
        for z in normals:
            x = first * z
            for r, draw in zip(rest, past, strict=False):
                x = x + r * draw
            past.appendleft(z)
            yield x

    def noise(
        self, rng: np.random.Generator, shape: tuple[int, ...], *, like: Array
    ) -> Iterator[Array]:
        """Draw the rows of C⁻¹z, each z once, or b times."""
        if not self.redraw:
            yield from super().noise(rng, shape, like=like)
        first, *rest = self.coefficients
        past: deque[np.random.Generator] = deque(maxlen=len(rest))  # the newest first
        while True:
            before = deepcopy(rng)
            x = first * standard_normal(rng, shape, like=like)
            for r, generator in zip(rest, past, strict=False):
                x = x + r * standard_normal(deepcopy(generator), shape, like=like)
            past.appendleft(before)
            yield x
