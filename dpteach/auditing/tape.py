"""The noise tape: a ``Generator`` that replays chosen normals, and exact audits by it.

A Gaussian mechanism that draws all its noise from ``rng`` is a map out = m + B z of
standard normals z. Replaying z = 0 and z = e_1, e_2, … recovers m and B exactly, from
the code as it runs; then privacy is linear algebra, without statistical error.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from .. import checks
from ._releases import demand_function, flat, tolerance

# Noise from other distributions, which a tape replays as zeros unless told otherwise.
_ZERO_NOISE = ("laplace", "gumbel", "logistic", "standard_gamma", "gamma")


class NotGaussian(ValueError):
    """What was run is not m + B z with standard normals z drawn from ``rng`` alone.

    Parameters
    ----------
    message : str
        What was seen.
    reason : {"other distribution", "other source", "not affine", "not finite", "data"}
        Which condition fails, so that a caller can decide what to do next.
    """

    def __init__(self, message: str, reason: str) -> None:
        super().__init__(message)
        self.reason = reason


class Tape(np.random.Generator):
    """A ``Generator`` that replays given standard normals, then zeros.

    Every Gaussian method is derived from the tape: ``standard_normal``, ``normal``,
    ``multivariate_normal`` and ``lognormal``. Calls of any other method are listed in
    ``other``. They are answered by ``others`` if it is given. Otherwise additive noise
    (``laplace``, ``gumbel``, ``logistic``) and radii (``gamma``, ``standard_gamma``)
    are zero, so that ``Tape([])`` is a run without noise. Anything else, such as a coin
    or a permutation, is refused, because a tape holds none.

    Parameters
    ----------
    normals : array_like, optional
        The standard normals, in the order in which they are drawn.
    others : Generator, optional
        What answers the methods that are not Gaussian, such as the coins of sampling.

    Examples
    --------
    >>> tape = Tape([1.0, -2.0])
    >>> tape.normal(loc=10.0, scale=3.0)
    13.0
    >>> tape.standard_normal(3)  # the tape has run out: zeros
    array([-2.,  0.,  0.])
    >>> tape.draws
    4
    """

    def __init__(
        self, normals: Any = (), *, others: np.random.Generator | None = None
    ) -> None:
        try:
            values = np.array(normals, dtype=float).ravel()
        except (TypeError, ValueError):
            raise TypeError(
                f"`normals` must be a list or an array of numbers, got {normals!r}. "
                "Tape([]) is a tape of zeros."
            ) from None
        if not np.isfinite(values).all():
            raise ValueError(
                f"`normals` must be finite throughout, got {values}. "
                "A tape holds standard normals, which are finite."
            )
        if others is not None:
            checks.instance(np.random.Generator, others=others)
        # Generator needs a source of bits. What is drawn from this one shows only what
        # NumPy refuses, and the shape and the type that its own draw has.
        super().__init__(np.random.PCG64(0))
        self.normals, self.others = values, others
        self.draws: int = 0
        self.other: list[str] = []

    @property
    def bit_generator(self) -> Any:
        """Refuse, because what is drawn from the bits directly cannot be replayed."""
        return self._elsewhere("bit_generator")

    def _take(self, shape: tuple[int, ...]) -> np.ndarray:
        size = prod(shape)
        found = self.normals[self.draws : self.draws + size]
        self.draws += size
        return np.concatenate([found, np.zeros(size - found.size)]).reshape(shape)

    def standard_normal(
        self, size: Any = None, dtype: Any = np.float64, out: Any = None
    ) -> Any:
        """Replay the next standard normals of the tape."""
        like = super().standard_normal(size, dtype, out)  # refuses what NumPy refuses
        draw = self._take(np.shape(like)).astype(dtype)
        if out is not None:
            out[...] = draw
            return out
        return of_kind(like, draw)

    def normal(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        """Replay loc + scale · z."""
        like = super().normal(loc, scale, size)
        loc, scale = np.asarray(loc, float), np.asarray(scale, float)
        return of_kind(like, loc + scale * self._take(np.shape(like)))

    def lognormal(self, mean: Any = 0.0, sigma: Any = 1.0, size: Any = None) -> Any:
        """Replay exp(mean + sigma · z), which no audit of affine maps will accept."""
        like = super().lognormal(mean, sigma, size)
        return of_kind(like, np.exp(self.normal(mean, sigma, size)))

    def multivariate_normal(
        self, mean: Any, cov: Any, size: Any = None, *how: Any, **said: Any
    ) -> np.ndarray:
        """Replay mean + Σ^{1/2} z, with the symmetric square root of the covariance."""
        like = np.random.default_rng(0).multivariate_normal(
            mean, cov, size, *how, **said
        )
        axes, variance, _ = np.linalg.svd(np.asarray(cov, dtype=float))
        root = (axes * np.sqrt(variance)) @ axes.T
        return np.asarray(mean) + self._take(like.shape) @ root

    def spawn(self, n_children: int) -> Any:
        """Refuse, because the noise of a child could not be replayed."""
        raise NotGaussian(
            f"`rng.spawn({n_children})` was called. A tape has no children: draw all "
            "noise from rng itself.",
            "other distribution",
        )

    def _elsewhere(self, name: str, *args: Any, **keywords: Any) -> Any:
        self.other.append(name)
        if self.others is not None:
            found = getattr(self.others, name)
            return found(*args, **keywords) if callable(found) else found
        if name in _ZERO_NOISE:
            # The sampler itself finds the shape and the dtype; only the noise is gone.
            like = getattr(np.random.default_rng(0), name)(*args, **keywords)
            if isinstance(like, np.ndarray):
                like[...] = 0.0  # it may be the `out` that was given
            else:
                like = 0.0
            if name in ("laplace", "gumbel", "logistic"):
                loc = keywords.get("loc", args[0] if args else 0.0)
                return of_kind(like, like + np.asarray(loc, dtype=float))
            return like
        raise NotGaussian(
            f"`rng.{name}` was called. A tape holds standard normals only; pass "
            "Tape(normals, others=numpy.random.default_rng(0)) to answer it.",
            "other distribution",
        )


def of_kind(like: Any, draw: Any) -> Any:
    """Return a draw as an array, or as a float, whichever NumPy's own draw is."""
    return np.asarray(draw) if isinstance(like, np.ndarray) else float(draw)


def _answered_elsewhere(name: str) -> Callable[..., Any]:
    def method(self: Tape, *args: Any, **keywords: Any) -> Any:
        return self._elsewhere(name, *args, **keywords)

    method.__name__ = name
    method.__doc__ = f"List the call of ``{name}`` in ``other``; see the class."
    return method


# Every sampling method that NumPy has, now and in later versions.
for _name in dir(np.random.Generator):
    if not _name.startswith("_") and _name not in vars(Tape):
        setattr(Tape, _name, _answered_elsewhere(_name))


@dataclass(frozen=True)
class NoiseMap:
    """A Gaussian mechanism as it is: out = mean + matrix @ z, flattened.

    Parameters
    ----------
    mean : ndarray
        :math:`m`, shape ``(outputs,)``: what is released without noise.
    matrix : ndarray
        :math:`B`, shape ``(outputs, draws)``.
    other : tuple of str
        The methods of ``rng`` that are not Gaussian and were called, in order.
    """

    mean: np.ndarray
    matrix: np.ndarray
    other: tuple[str, ...] = ()

    @property
    def draws(self) -> int:
        """How many standard normals were drawn."""
        return self.matrix.shape[1]

    @property
    def covariance(self) -> np.ndarray:
        """The covariance B Bᵀ of what is released."""
        return self.matrix @ self.matrix.T


def noise_map(
    mechanism: Callable[[np.random.Generator], Any],
    *,
    others: Callable[[], np.random.Generator] | None = None,
) -> NoiseMap:
    """Recover out = m + B z of a Gaussian mechanism from its running code.

    Parameters
    ----------
    mechanism : callable
        Takes a ``Generator`` and returns an array, such as ``lambda rng:
        dp_sgd(problem, ..., rng=rng).path``. It is called once for each normal that it
        draws, and four more times.
    others : callable, optional
        Makes a new generator for each call, which answers the methods that are not
        Gaussian, so that the map is conditional on those coins. Without it those
        methods are refused.

    Returns
    -------
    NoiseMap
        The maps m and B, to the rounding error of the mechanism's own arithmetic.

    Raises
    ------
    NotGaussian
        If the mechanism has other randomness, or is not affine in its normals, or the
        number of draws depends on them. Adaptive algorithms are affine in their noise
        when the losses are linear: see ``linear_audit``.

    Examples
    --------
    >>> found = noise_map(lambda rng: 5.0 + rng.normal(scale=[3.0, 4.0]))
    >>> found.mean, found.matrix
    (array([5., 5.]), array([[3., 0.],
           [0., 4.]]))
    """
    demand_function(mechanism=mechanism)
    if others is not None:
        demand_function(others=others)

    def run(normals: Any) -> tuple[np.ndarray, Tape]:
        tape = Tape(normals, others=others() if others else None)
        out = flat(mechanism(tape))
        if tape.other and others is None:
            raise NotGaussian(
                f"`mechanism` drew from rng.{tape.other[0]}, which is not Gaussian.",
                "other distribution",
            )
        return out, tape

    mean, tape = _demand_repeatable(run)
    matrix = np.empty((mean.size, tape.draws))
    for j in range(tape.draws):
        out, used = run(np.eye(1, tape.draws, j))
        if out.shape != mean.shape or used.draws != tape.draws:
            raise NotGaussian(
                "`mechanism` drew more or fewer normals, or released another shape, "
                "when its noise changed. It is not of the form m + B z.",
                "not affine",
            )
        matrix[:, j] = out - mean
    _demand_affine(run, mean, matrix)
    return NoiseMap(mean, matrix, tuple(tape.other))


def _demand_repeatable(run: Callable) -> tuple[np.ndarray, Tape]:
    (mean, tape), (again, _) = run(()), run(())
    if mean.shape != again.shape or not np.array_equal(mean, again, equal_nan=True):
        raise NotGaussian(
            "`mechanism` gave two results for the same tape. It must draw all its "
            "randomness from the rng that it is given.",
            "other source",
        )
    if not np.isfinite(mean).all():
        raise NotGaussian(
            "`mechanism` must release finite numbers, got NaN or inf.", "not finite"
        )
    return mean, tape


def _demand_affine(run: Callable, mean: np.ndarray, matrix: np.ndarray) -> None:
    # Small and large normals of both signs: noise that is cut where a normal comes to,
    # except in one run of 1e15, is not where it should be. None is near 0.
    z = np.random.default_rng(7).standard_normal(matrix.shape[1])
    far = z + np.sign(z)
    for z in (far / 2, 8 * far, -8 * far):
        out, _ = run(z)
        size = np.abs(mean) + np.abs(matrix) @ np.abs(z)
        if out.shape != mean.shape or np.any(
            np.abs(out - mean - matrix @ z) > tolerance(out) * size
        ):
            raise NotGaussian(
                "`mechanism` is not affine in its normals: the noise passes through "
                "something such as a projection, a clip or a gradient that depends on "
                "the model. Audit it without a constraint and with linear losses.",
                "not affine",
            )
