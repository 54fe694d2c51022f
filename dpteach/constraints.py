"""Floor 1. Constraint sets C: where a model may lie, and how to project it back."""

from dataclasses import dataclass
from math import inf, sqrt
from typing import Protocol, runtime_checkable

from . import checks
from .arrays import Array, clip, largest_entries, namespace, row_norms


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
    these sets alone.
    """

    def largest_norm(self, p: int) -> float:
        """Return max ‖θ‖₂ over C in dimension ``p``."""
        raise NotImplementedError

    def largest_scores(self, X: Array) -> Array:
        """Bound the size of ⟨x, θ⟩ over C for each row x of X, shape ``(n,)``."""
        return self.largest_norm(X.shape[1]) * row_norms(X)


def _simplex_threshold(v: Array, radius: float) -> Array:
    """Find τ with Σ max(v − τ, 0) = radius, along the last axis."""
    # With v sorted downwards, τ is the largest of (v_1 + … + v_k − radius)/k.
    xp = namespace(v)
    sums = xp.cumulative_sum(xp.flip(xp.sort(v, axis=-1), axis=-1), axis=-1)
    counts = xp.arange(1, v.shape[-1] + 1, dtype=v.dtype, device=v.device)
    return xp.max((sums - radius) / counts, axis=-1, keepdims=True)


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
        return clip(v, self.radius)

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
        xp = namespace(v)
        size = xp.abs(v)
        # Inside the ball the threshold is negative, so nothing is cut.
        cut = xp.clip(_simplex_threshold(size, self.radius), min=0.0)
        return xp.sign(v) * xp.clip(size - cut, min=0.0)

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
        return namespace(v).clip(v, min=self.low, max=self.high)

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
        return namespace(v).clip(v - _simplex_threshold(v, 1.0), min=0.0)

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
