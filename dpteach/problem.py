"""Floor 2. The problem (6.1): minimize 𝓛(θ; D) = Σ_i ℓ(θ; d_i) over θ in C."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from . import checks
from .arrays import (
    Array,
    as_double,
    block_sum,
    has_double,
    lowered,
    lowered_for_sum,
    namespace,
    rounded,
    row_norms,
    take,
)
from .constraints import Constraint
from .losses import Loss


@dataclass(frozen=True)
class Problem:
    r"""A data set, a loss and a constraint set: the input of a private optimizer.

    Parameters
    ----------
    X : Array
        Shape ``(n, d)``: one record per row, floating point, from any supported
        library. No records (n = 0) is a legitimate data set: it is a neighbor of a data
        set with one record.
    y : Array
        Shape ``(n,)``: labels that the loss takes. They are kept in X's dtype.
    loss : Loss
        :math:`\ell`, such as ``losses.logistic`` or ``losses.softmax(10)``.
    constraint : Constraint
        :math:`\mathcal C`, such as ``constraints.L2Ball(1.0)``.

    Raises
    ------
    TypeError
        If an argument is of the wrong kind, or X does not hold floating-point numbers.
    ValueError
        If shapes do not fit, a value is not finite, or a label is outside the domain.

    Notes
    -----
    Risks and gradients are sums over records, never means. [(6.1)]

    Examples
    --------
    >>> import numpy as np
    >>> from dpteach import Problem, constraints, losses
    >>> X, y = np.array([[1.0, 0.0], [0.0, 3.0]]), np.array([1.0, -1.0])
    >>> D = Problem(X, y, losses.logistic, constraints.Everywhere())
    >>> D.gradient(np.zeros(2))  # the sum of -y/2 · x
    array([-0.5,  1.5])
    >>> D.clipped_gradient(np.zeros(2), 1.0)  # the second record may pull by 1 only
    array([-0.5,  1. ])
    """

    X: Array
    y: Array
    loss: Loss
    constraint: Constraint

    def __post_init__(self) -> None:
        """Check the arguments once, and convert the labels to the dtype in use."""
        checks.instance(Loss, loss=self.loss)
        checks.instance(Constraint, constraint=self.constraint)
        checks.finite_array(ndim=2, X=self.X)
        if self.X.shape[1] == 0:
            raise ValueError(
                f"`X` must have at least one column, got shape {tuple(self.X.shape)}. "
                "A model without features has nothing to learn."
            )
        if not has_double(self.X):
            raise TypeError(
                "`X` must be on a device that computes in 64 bits: what rounding adds "
                "to a sum was proved small for those. With JAX, call "
                'jax.config.update("jax_enable_x64", True) first; X may stay float32.'
            )
        checks.array(y=self.y)
        if tuple(self.y.shape) != (self.n,):
            raise ValueError(
                f"`y` must have shape ({self.n},), one label per row of X, got "
                f"{tuple(self.y.shape)}."
            )
        object.__setattr__(self, "y", self.loss.checked_labels(self.y, self.X))

    @property
    def n(self) -> int:
        """How many records there are. Secret under ADD_REMOVE, so never tune by it."""
        return self.X.shape[0]

    @property
    def p(self) -> int:
        """The length of a model: columns of X, times the number of classes if any."""
        return self.X.shape[1] * (self.loss.classes or 1)

    def zeros(self, *runs: int) -> Array:
        """Make the zero model, shape ``(*runs, p)``, in X's library and dtype."""
        xp = namespace(self.X)
        return xp.zeros((*runs, self.p), dtype=self.X.dtype, device=self.X.device)

    def scores(self, theta: Array) -> Array:
        """Compute the score of each record, such as ⟨x_i, θ⟩, shape ``(..., n)``."""
        return self.loss.scores(theta, self.X)

    @cached_property
    def row_norms(self) -> Array:
        """The norms ‖x_i‖₂ of the rows of X, shape ``(n,)``, in float64."""
        return row_norms(self.X)

    def risk(self, theta: Array) -> Array:
        """Compute 𝓛(θ; D) = Σ_i ℓ(θ; d_i), shape ``(...)``."""
        losses = self.loss.value(self.scores(theta), self.y)
        return namespace(losses).sum(losses, axis=-1)

    def gradient(self, theta: Array) -> Array:
        """Compute ∇𝓛(θ; D), shape ``(..., p)``."""
        return self.combine(self.loss.slope(self.scores(theta), self.y))

    def combine(self, slope: Array) -> Array:
        """Compute Σ_i slope_i x_i, the gradient where the losses have these slopes."""
        return self.loss.combine(slope, self.X)

    def record_gradient(self, theta: Array, i: int) -> Array:
        """Compute ∇ℓ(θ; d_i) of the record in row ``i``, shape ``(..., p)``."""
        X, y = self.X[i : i + 1, :], self.y[i : i + 1]
        return self.loss.combine(self.loss.slope(self.loss.scores(theta, X), y), X)

    @np.errstate(all="ignore")  # one record may not cause a warning
    def clipped_gradient(
        self, theta: Array, clip_norm: float, rows: Array | slice = slice(None)
    ) -> Array:
        """Compute Σ_i clip(∇ℓ(θ; d_i), L) in float64, over all or some rows.

        One record more, less or at zero moves the sum *as it is computed* by at most L,
        one that is replaced by at most 2L: a gradient that is not finite counts as 0,
        and what rounding may add has been taken off L beforehand (1e-9 of it for a
        thousand records). Add the noise before you round the sum, shape ``(..., p)``,
        to another dtype.
        """
        X, y, norms = (take(each, rows) for each in (self.X, self.y, self.row_norms))
        L = lowered_for_sum(lowered(clip_norm, self.p), X.shape[0])
        weights = self._weights(theta, X, y, norms, L)
        return block_sum(lambda at: self._block(weights, X, at), X.shape[0])

    @np.errstate(all="ignore")
    def clipped_record_gradient(self, theta: Array, i: int, clip_norm: float) -> Array:
        """Compute clip(∇ℓ(θ; d_i), L) of the record in row ``i``, of norm at most L.

        A linear model's gradient is slope_i x_i, so its norm is ‖slope_i‖ ‖x_i‖.
        """
        X, y, norms = (
            each[i : i + 1, ...] for each in (self.X, self.y, self.row_norms)
        )
        L = lowered(clip_norm, self.p, single=X.dtype != norms.dtype)
        weights = self._weights(theta, X, y, norms, L)
        return rounded(self.loss.combine(weights, as_double(X)), theta, L)

    def _weights(
        self, theta: Array, X: Array, y: Array, norms: Array, L: float
    ) -> Array:
        slope = self.loss.slope(self.loss.scores(theta, X), y)
        return self.loss.weights(slope, norms, L)

    def _block(self, weights: Array, X: Array, rows: slice) -> Array:
        at = (..., rows) if self.loss.classes is None else (..., rows, slice(None))
        return self.loss.combine(weights[at], as_double(X[rows, :]))
