"""A problem whose features are mostly zeros, for algorithms that only multiply by X."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ... import checks
from ...arrays import Array
from ...constraints import (
    Box,
    Everywhere,
    L1Ball,
    L2Ball,
    Simplex,
)
from ...losses import Loss
from ...problem import Problem


@dataclass(frozen=True)
class SparseProblem:
    r"""A data set with a sparse X, a loss of one score and a constraint set.

    Parameters
    ----------
    X : scipy.sparse array or matrix
        Shape ``(n, p)``, real; stored by columns, because Frank-Wolfe reads it so.
    y : ndarray
        Labels, shape ``(n,)``.
    loss : Loss
        :math:`\ell`, of one score per record.
    constraint : L1Ball, Simplex, L2Ball, Box or Everywhere
        :math:`\mathcal C`.

    Raises
    ------
    ValueError, TypeError
        If X is not sparse, shapes do not fit, or a value is not finite.

    Examples
    --------
    >>> import numpy as np
    >>> from scipy.sparse import eye_array
    >>> from dpteach import constraints, losses
    >>> D = SparseProblem(eye_array(3), np.ones(3), losses.squared,
    ...                   constraints.L1Ball(1.0))
    >>> D.gradient(np.zeros(3))
    array([-1., -1., -1.])
    """

    X: Any
    y: np.ndarray
    loss: Loss
    constraint: L1Ball | Simplex | L2Ball | Box | Everywhere

    def __post_init__(self) -> None:
        """Check the arguments as ``Problem`` does, on the entries that are stored."""
        from scipy.sparse import issparse  # scipy here: importing stays fast

        if not issparse(self.X):
            raise TypeError(
                f"`X` must be a scipy.sparse array, got {type(self.X).__name__}. "
                "Use Problem for dense features."
            )
        X = self.X.tocsc(copy=True)
        X.sum_duplicates()
        checks.instance(Loss, loss=self.loss)
        if self.loss.classes is not None:
            raise ValueError(
                f"`loss` must have one score per record, got {self.loss.name}."
            )
        # The labels and the stored entries pass the checks of a dense problem.
        like = np.zeros((X.shape[0], 1), dtype=X.dtype)
        y = Problem(like, self.y, self.loss, self.constraint).y
        if X.nnz:
            checks.finite_array(ndim=1, X=X.data)
        object.__setattr__(self, "X", X)
        object.__setattr__(self, "y", y)

    def with_data(self, entries: np.ndarray, y: np.ndarray) -> "SparseProblem":
        """Make the same problem with other stored entries and labels."""
        X = self.X.copy()
        X.data = entries
        return replace(self, X=X, y=y)

    def scaled(self, share: np.ndarray) -> "SparseProblem":
        """Multiply each row by its share, shape ``(n,)``, in 64 bits."""
        return self.with_data(self.X.data * share[self.X.indices], self.y)

    def largest_entries(self) -> np.ndarray:
        """Compute the largest size of an entry of each row, shape ``(n,)``."""
        largest = np.zeros(self.n, dtype=self.X.dtype)
        np.maximum.at(largest, self.X.indices, abs(self.X.data))
        return largest

    @property
    def n(self) -> int:
        """How many records there are. Secret under ADD_REMOVE, so never tune by it."""
        return self.X.shape[0]

    @property
    def p(self) -> int:
        """The length of a model."""
        return self.X.shape[1]

    def zeros(self, *runs: int) -> np.ndarray:
        """Make the zero model, shape ``(*runs, p)``."""
        return np.zeros((*runs, self.p), dtype=self.X.dtype)

    def column(self, j: int) -> np.ndarray:
        """Give column j of X, dense, shape ``(n,)``."""
        dense = np.zeros(self.n, dtype=self.X.dtype)
        stored = slice(*self.X.indptr[j : j + 2])
        dense[self.X.indices[stored]] = self.X.data[stored]
        return dense

    def stored(self, j: int) -> int:
        """Count the stored entries of column j."""
        return int(self.X.indptr[j + 1] - self.X.indptr[j])

    def add_gram_column(self, g: np.ndarray, j: int, weight: float) -> None:
        """Add weight · Xᵀx_j to g, in place: only rows in which x_j is stored."""
        rows, stored = self._by_rows, slice(*self.X.indptr[j : j + 2])
        for i, x in zip(self.X.indices[stored], self.X.data[stored], strict=True):
            row = slice(
                *rows.indptr[i : i + 2]
            )  # no column twice: duplicates are summed
            g[rows.indices[row]] += weight * x * rows.data[row]

    @cached_property
    def _by_rows(self) -> Any:
        return self.X.tocsr()

    def scores(self, theta: Array) -> Array:
        """Compute the score ⟨x_i, θ⟩ of each record, shape ``(..., n)``."""
        flat = theta.reshape(-1, self.p)
        return (self.X @ flat.T).T.reshape(*theta.shape[:-1], self.n)

    def combine(self, slope: Array) -> Array:
        """Compute Σ_i slope_i x_i, the gradient where the losses have these slopes."""
        if slope.ndim == 1:
            return self._transposed @ slope
        flat = slope.reshape(-1, self.n)
        return (self._transposed @ flat.T).T.reshape(*slope.shape[:-1], self.p)

    @cached_property
    def _transposed(self) -> Any:
        return self.X.T  # made once, because a view costs more than a column

    def risk(self, theta: Array) -> Array:
        """Compute 𝓛(θ; D) = Σ_i ℓ(θ; d_i), shape ``(...)``."""
        return np.sum(self.loss.value(self.scores(theta), self.y), axis=-1)

    def gradient(self, theta: Array) -> Array:
        """Compute ∇𝓛(θ; D), shape ``(..., p)``."""
        return self.combine(self.loss.slope(self.scores(theta), self.y))
