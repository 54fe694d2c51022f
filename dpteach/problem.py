"""Floor 2. The problem (6.1): minimize 𝓛(θ; D) = Σ_i ℓ(θ; d_i) over θ in C."""

from dataclasses import dataclass
from functools import cached_property

from . import checks
from .arrays import Array, at_least, clip, l2_norm, namespace
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
        Shape ``(n,)``: labels in the loss's domain. Integers become X's dtype, except
        class numbers.
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
        object.__setattr__(self, "y", self._checked_labels())

    def _checked_labels(self) -> Array:
        X, y = self.X, self.y
        checks.array(y=y)
        if tuple(y.shape) != (X.shape[0],):
            raise ValueError(
                f"`y` must have shape ({X.shape[0]},), one label per row of X, got "
                f"{tuple(y.shape)}."
            )
        y = self._typed_labels(y)
        xp = namespace(y)
        valid, domain = self._label_domain(y)
        if not bool(xp.all(valid)):
            bad = y[xp.argmin(xp.astype(valid, xp.int8))]
            raise ValueError(
                f"`y` must be {domain} for the {self.loss.name} loss, "
                f"got {bad}. Recode the labels first."
            )
        return y

    def _typed_labels(self, y: Array) -> Array:
        # Class numbers stay integers; all other labels become X's dtype.
        xp = namespace(self.X, y)
        integers = xp.isdtype(y.dtype, "integral")
        if self.loss.labels == "classes":
            if not integers:
                raise TypeError(
                    f"`y` must hold class numbers 0, …, {self.loss.classes} - 1 as "
                    f"integers, got dtype {y.dtype}. Convert them: y.astype(int)."
                )
            return y
        if not integers and not xp.isdtype(y.dtype, "real floating"):
            raise TypeError(
                f"`y` must hold real numbers, got dtype {y.dtype}. "
                "Convert them: y.astype(float)."
            )
        return xp.astype(y, self.X.dtype)

    def _label_domain(self, y: Array) -> tuple[Array, str]:
        # Which labels the loss accepts, and how to say so.
        xp, labels = namespace(y), self.loss.labels
        if labels == "classes":
            return (y >= 0) & (y < self.loss.classes), "a class number"
        if labels == "signs":
            return xp.abs(y) == 1, "-1 or +1 (2 * y - 1 turns 0/1 into those)"
        if labels == "bounded":
            return xp.abs(y) <= 1, "between -1 and 1"
        return xp.isfinite(y), "finite"

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

    def _scores(self, theta: Array, X: Array) -> Array:
        # One score a record: (..., n). With classes, one for each: (..., n, K).
        if self.loss.classes is None:
            return theta @ X.T
        return X @ self._weights(theta)

    def _weights(self, theta: Array) -> Array:
        shape = (*theta.shape[:-1], self.X.shape[1], self.loss.classes)
        return namespace(theta).reshape(theta, shape)

    def _combine(self, slope: Array, X: Array) -> Array:
        # Σ_i slope_i x_i, shape (..., p)
        if self.loss.classes is None:
            return slope @ X
        total = X.T @ slope
        return namespace(total).reshape(total, (*total.shape[:-2], self.p))

    def risk(self, theta: Array) -> Array:
        """Compute 𝓛(θ; D) = Σ_i ℓ(θ; d_i), shape ``(...)``."""
        losses = self.loss.value(self._scores(theta, self.X), self.y)
        return namespace(losses).sum(losses, axis=-1)

    def gradient(self, theta: Array) -> Array:
        """Compute ∇𝓛(θ; D), shape ``(..., p)``."""
        slope = self.loss.slope(self._scores(theta, self.X), self.y)
        return self._combine(slope, self.X)

    def record_gradient(self, theta: Array, i: int) -> Array:
        """Compute ∇ℓ(θ; d_i) of the record in row ``i``, shape ``(..., p)``."""
        X, y = self.X[i : i + 1, :], self.y[i : i + 1]
        return self._combine(self.loss.slope(self._scores(theta, X), y), X)

    def clipped_record_gradient(self, theta: Array, i: int, clip_norm: float) -> Array:
        """Compute clip(∇ℓ(θ; d_i), L) of the record in row ``i``."""
        X, y = self.X[i : i + 1, :], self.y[i : i + 1]
        slope = self.loss.slope(self._scores(theta, X), y)
        if self.loss.classes is not None:
            return clip(self._combine(slope, X), clip_norm)
        xp = namespace(slope)
        excess = xp.abs(slope) * self._row_norms[i] / clip_norm
        return slope / at_least(excess, 1.0) * X[0, :]  # (..., 1) times (p,)

    def clipped_gradient(
        self, theta: Array, clip_norm: float, rows: Array | None = None
    ) -> Array:
        """Compute Σ_i clip(∇ℓ(θ; d_i), L), shape ``(..., p)``, over all or some rows.

        A linear model's gradient is slope_i x_i, so its norm is ‖slope_i‖ ‖x_i‖: the n
        gradients themselves need not be formed.
        """
        X, y, norms = self.X, self.y, self._row_norms
        xp = namespace(X)
        if rows is not None:
            X, y, norms = (xp.take(array, rows, axis=0) for array in (X, y, norms))
        slope = self.loss.slope(self._scores(theta, X), y)
        if self.loss.classes is None:
            excess = xp.abs(slope) * norms / clip_norm
        else:
            excess = l2_norm(slope) * norms[:, None] / clip_norm
        return self._combine(slope / xp.clip(excess, min=1.0), X)

    @cached_property
    def _row_norms(self) -> Array:
        # Scaled so that no square overflows or underflows: a row whose norm came out as
        # 0 would not be clipped.
        xp = namespace(self.X)
        size = xp.max(xp.abs(self.X), axis=1, keepdims=True)
        scale = xp.where(size > 0, size, xp.ones_like(size))
        return (scale * l2_norm(self.X / scale))[:, 0]
