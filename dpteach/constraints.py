"""Floor 1. Constraint sets C: where a model may lie, and how to project it back."""

from dataclasses import dataclass
from math import inf, sqrt
from typing import Protocol, runtime_checkable

import numpy as np

from . import checks
from .arrays import (
    Array,
    as_double,
    as_like,
    at_least,
    is_single,
    largest_entries,
    namespace,
    row_norms,
    shortened,
)


@runtime_checkable
class Constraint(Protocol):
    """A convex set C of models: any class that projects onto C and knows its diameter.

    The sets of this module have these two methods, and a set of your own needs them
    too. Algorithms that project noisy gradients accept it, because projecting is
    post-processing. Algorithms whose privacy rests on convexity refuse it.

    Examples
    --------
    >>> import numpy as np
    >>> class Positive:  # C = {θ : θ_j ≥ 0}
    ...     def project(self, v):
    ...         return np.maximum(v, 0.0)
    ...     def diameter(self, p):
    ...         return inf
    >>> isinstance(Positive(), Constraint)
    True
    """

    def project(self, v: Array) -> Array:
        """Return the nearest point of C to v, along the last axis."""
        ...

    def diameter(self, p: int) -> float:
        """Return ‖C‖₂ = max ‖θ − θ'‖₂ over C in dimension ``p``."""
        ...


class ConvexSet:
    """One of this module's sets: convex, and its largest models are known.

    A privacy proof that rests on C asks how large a score can become on it, and takes
    these sets alone. A projection is computed in float64 and lies in C but for rounding
    to v's dtype: sums and norms exceed their limit by a factor of at most 1 + (p + 4)u,
    where u is the dtype's rounding unit, whatever the size of v. A v that is not finite
    counts as 0.
    """

    def largest_norm(self, p: int) -> float:
        """Return max ‖θ‖₂ over C in dimension ``p``."""
        raise NotImplementedError

    def largest_scores(self, X: Array) -> Array:
        """Bound the size of ⟨x, θ⟩ over C for each row x of X, shape ``(n,)``."""
        return self.largest_norm(X.shape[1]) * row_norms(X)


def _all_finite(v: Array) -> Array:
    """Return v in float64, with zeros for a vector that is not finite."""
    xp = namespace(v)
    finite = xp.all(xp.isfinite(v), axis=-1, keepdims=True)
    return xp.where(finite, as_double(v), 0.0)


def _onto_simplex(v: Array, radius: float) -> Array:
    """Return the nearest point to v with entries of at least 0 and of sum R."""
    # Only differences matter, and no entry that is R below the largest is kept. So
    # sums lie in [−pR, 0], and rounding errors are of size uR, however large v is.
    xp = namespace(v)
    v = at_least(v - xp.max(v, axis=-1, keepdims=True), -radius)
    # With v sorted downwards, τ is the largest of (v_1 + … + v_k − radius)/k.
    sums = xp.cumulative_sum(xp.flip(xp.sort(v, axis=-1), axis=-1), axis=-1)
    counts = xp.arange(1, v.shape[-1] + 1, dtype=v.dtype, device=v.device)
    return at_least(v - xp.max((sums - radius) / counts, axis=-1, keepdims=True), 0.0)


@dataclass(frozen=True)
class Everywhere(ConvexSet):
    """C = R^p: no constraint.

    Examples
    --------
    >>> Everywhere().diameter(3)
    inf
    """

    def project(self, v: Array) -> Array:
        """Return v: every point lies in C."""
        return v

    def diameter(self, p: int) -> float:
        """Return ‖C‖₂ = max ‖θ − θ'‖₂ over C in dimension ``p``, here infinite."""
        p = checks.count(p=p)
        return inf

    def largest_norm(self, p: int) -> float:  # noqa: ARG002  (as for every set)
        """Return max ‖θ‖₂ over C, here infinite."""
        return inf


@dataclass(frozen=True)
class L2Ball(ConvexSet):
    """C = {θ : ‖θ‖₂ ≤ radius}.

    Parameters
    ----------
    radius : float
        The largest Euclidean norm of a model, above 0.

    Raises
    ------
    ValueError, TypeError
        If ``radius`` is not a finite number above 0.

    Examples
    --------
    >>> import numpy as np
    >>> L2Ball(1.0).project(np.array([3.0, 4.0]))
    array([0.6, 0.8])
    """

    radius: float

    def __post_init__(self) -> None:
        """Check the radius."""
        checks.fields(self, checks.moderate, "radius")

    def project(self, v: Array) -> Array:
        """Return the nearest point of C to v, along the last axis."""
        return as_like(shortened(v, self.radius), v)

    def diameter(self, p: int) -> float:
        """Return ‖C‖₂ = max ‖θ − θ'‖₂ over C in dimension ``p``: twice the radius."""
        p = checks.count(p=p)
        return 2.0 * self.radius

    def largest_norm(self, p: int) -> float:  # noqa: ARG002  (as for every set)
        """Return max ‖θ‖₂ over C: the radius."""
        return float(self.radius)


@dataclass(frozen=True)
class L1Ball(ConvexSet):
    """C = {θ : ‖θ‖₁ ≤ radius}, whose corners are ±radius along one axis.

    Parameters
    ----------
    radius : float
        The largest sum of absolute entries of a model, above 0.

    Raises
    ------
    ValueError, TypeError
        If ``radius`` is not a finite number above 0.

    References
    ----------
    * Duchi, Shalev-Shwartz, Singer and Chandra (2008), Efficient Projections onto the
      ℓ₁-Ball for Learning in High Dimensions.

    Examples
    --------
    >>> import numpy as np
    >>> L1Ball(1.0).project(np.array([2.0, 0.5]))  # small entries become zero
    array([1., 0.])
    """

    radius: float

    def __post_init__(self) -> None:
        """Check the radius."""
        checks.fields(self, checks.moderate, "radius")

    def project(self, v: Array) -> Array:
        """Return the nearest point of C to v, along the last axis."""
        xp, w = namespace(v), _all_finite(v)
        size = xp.abs(w)
        with np.errstate(over="ignore"):
            inside = xp.sum(size, axis=-1, keepdims=True) <= self.radius
            near = xp.sign(w) * _onto_simplex(size, self.radius)
        return xp.astype(xp.where(inside, w, near), v.dtype)

    def diameter(self, p: int) -> float:
        """Return ‖C‖₂ = max ‖θ − θ'‖₂ over C in dimension ``p``: twice the radius."""
        p = checks.count(p=p)
        return 2.0 * self.radius

    def largest_norm(self, p: int) -> float:  # noqa: ARG002  (as for every set)
        """Return max ‖θ‖₂ over C: the radius."""
        return float(self.radius)

    def largest_scores(self, X: Array) -> Array:
        """Compute the largest size of ⟨x, θ⟩ over C for each row, met in a corner."""
        return float(self.radius) * largest_entries(X)


@dataclass(frozen=True)
class Box(ConvexSet):
    """C = {θ : low ≤ θ_j ≤ high for every j}.

    Parameters
    ----------
    low, high : float
        The least and the largest value of an entry, low below high.

    Raises
    ------
    ValueError, TypeError
        If a limit is not a finite number, or they are not in order.

    Examples
    --------
    >>> Box(-1.0, 1.0).diameter(4)
    4.0
    """

    low: float
    high: float

    def __post_init__(self) -> None:
        """Check that the box is not empty."""
        checks.fields(self, checks.finite, "low", "high")
        if not self.low < self.high:
            raise ValueError(
                f"`high` must be above `low`={self.low!r}, got {self.high!r}. "
                "Swap the two, or widen the box."
            )

    def project(self, v: Array) -> Array:
        """Return the nearest point of C to v."""
        xp = namespace(v)
        low, high = self._limits(is_single(v))
        return xp.clip(xp.where(xp.isnan(v), 0 * low, v), min=low, max=high)

    def _limits(self, single: bool) -> tuple[float, float]:
        # Rounded inwards: the single-precision number next to 0.1 is above 0.1.
        if not single:
            return self.low, self.high
        low, high = np.float32(self.low), np.float32(self.high)
        low = np.nextafter(low, np.float32(inf)) if low < self.low else low
        high = np.nextafter(high, np.float32(-inf)) if high > self.high else high
        if low > high:
            raise ValueError(
                f"`low` and `high` must have a number in single precision between "
                f"them, got {self.low!r} and {self.high!r}. Widen the box, or convert "
                "the data to float64."
            )
        return float(low), float(high)

    def diameter(self, p: int) -> float:
        """Return ‖C‖₂ = max ‖θ − θ'‖₂ over C: √p times the side."""
        p = checks.count(p=p)
        return sqrt(p) * (self.high - self.low)

    def largest_norm(self, p: int) -> float:
        """Return max ‖θ‖₂ over C, attained in a corner."""
        return sqrt(p) * max(abs(self.low), abs(self.high))


@dataclass(frozen=True)
class Simplex(ConvexSet):
    """C = {θ : θ_j ≥ 0, Σ_j θ_j = 1}: probability vectors.

    References
    ----------
    * Duchi, Shalev-Shwartz, Singer and Chandra (2008), Efficient Projections onto the
      ℓ₁-Ball for Learning in High Dimensions.

    Examples
    --------
    >>> import numpy as np
    >>> Simplex().project(np.zeros(4))
    array([0.25, 0.25, 0.25, 0.25])
    """

    def project(self, v: Array) -> Array:
        """Return the nearest point of C to v, along the last axis."""
        with np.errstate(over="ignore"):
            return namespace(v).astype(_onto_simplex(_all_finite(v), 1.0), v.dtype)

    def diameter(self, p: int) -> float:
        """Return ‖C‖₂ = max ‖θ − θ'‖₂ over C: √2, the distance between two corners."""
        p = checks.count(p=p)
        return sqrt(2) if p > 1 else 0.0

    def largest_norm(self, p: int) -> float:  # noqa: ARG002  (as for every set)
        """Return max ‖θ‖₂ over C, 1 in each corner."""
        return 1.0

    def largest_scores(self, X: Array) -> Array:
        """Compute the largest size of ⟨x, θ⟩ over C for each row, met in a corner."""
        return largest_entries(X)
