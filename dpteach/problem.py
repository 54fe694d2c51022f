"""Floor 2. The problem (6.1): minimize 𝓛(θ; D) = Σ_i ℓ(θ; d_i) over θ in C."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from . import checks
from .any_loss import AnyLoss
from .arrays import (
    Array,
    as_like,
    detached,
    has_double,
    lowered,
    lowered_for_sum,
    namespace,
    rounded,
    row_norms,
    take,
    to_numpy,
)
from .clipping import CLIP, Clipping
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
        Shape ``(n,)``: labels that the loss takes. They are kept in X's dtype. For
        ``losses.differentiable`` a label may have further axes.
    loss : AnyLoss
        :math:`\ell`, such as ``losses.logistic``, ``losses.softmax(10)``, or that of a
        network.
    constraint : Constraint
        :math:`\mathcal C`, such as ``constraints.L2Ball(1.0)``.
    absent : numpy.ndarray, optional
        Shape ``(n,)``, True where the record is :math:`\bot`: its gradient is 0. In a
        linear model that is a row of zeros, in a network it is not.
    clipping : Clipping, optional
        How gradients are clipped where an algorithm clips them, such as
        ``Clipping(automatic=0.01)`` or ``Clipping(per_layer=True)``.

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
    loss: AnyLoss
    constraint: Constraint
    absent: np.ndarray | None = None
    clipping: Clipping = CLIP

    def __post_init__(self) -> None:
        """Check the arguments once, and convert the labels to the dtype in use."""
        checks.instance(AnyLoss, loss=self.loss)
        checks.instance(Constraint, constraint=self.constraint)
        object.__setattr__(self, "X", detached(self.X))  # no model leads back to it
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
        shape = tuple(self.y.shape)
        if shape != (self.n,) and (shape[:1] != (self.n,) or self._is_linear):
            raise ValueError(
                f"`y` must have shape ({self.n},), one label per row of X, got {shape}."
            )
        y = self.loss.checked_labels(detached(self.y), self.X)
        object.__setattr__(self, "y", y)
        self.loss.size(self.X)  # refuses rows that do not fit the model
        checks.instance(Clipping, clipping=self.clipping)
        self.clipping.norms(1.0, len(self.loss.array_sizes(self.X)))
        if self.absent is not None:
            self._check_absent()

    @property
    def n(self) -> int:
        """How many records there are. Secret under ADD_REMOVE, so never tune by it."""
        return self.X.shape[0]

    @property
    def p(self) -> int:
        """The length of a model, such as columns of X times the number of classes."""
        return self.loss.size(self.X)

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
        rows = self._present(slice(None))
        losses = self.loss.values(theta, take(self.X, rows), take(self.y, rows))
        return namespace(losses).sum(losses, axis=-1)

    def gradient(self, theta: Array) -> Array:
        """Compute ∇𝓛(θ; D), shape ``(..., p)``."""
        rows = self._present(slice(None))
        return self.loss.gradient(theta, take(self.X, rows), take(self.y, rows))

    def combine(self, slope: Array) -> Array:
        """Compute Σ_i slope_i x_i, the gradient where the losses have these slopes."""
        return self.loss.combine(slope, self.X)

    def record_gradient(self, theta: Array, i: int) -> Array:
        """Compute ∇ℓ(θ; d_i) of the record in row ``i``, shape ``(..., p)``."""
        if self.absent is not None and self.absent[i]:
            return namespace(theta).zeros_like(theta)
        return self.loss.gradient(theta, self.X[i : i + 1, :], self.y[i : i + 1])

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
        rows = self._present(rows)
        n = len(range(self.n)[rows]) if isinstance(rows, slice) else rows.shape[0]
        L = lowered_for_sum(lowered(clip_norm, self.p), n)
        clipping = self.clipping
        return self.loss.clipped_sum(theta, L, rows, *self._records, clipping=clipping)

    @np.errstate(all="ignore")
    def gradient_norms(self, theta: Array, rows: Array | slice = slice(None)) -> Array:
        """Compute ‖∇ℓ(θ; d_i)‖₂ of all or some records that are present, in float64."""
        rows = self._present(rows)
        return self.loss.record_norms(theta, *(take(x, rows) for x in self._records))

    @np.errstate(all="ignore")
    def clipped_record_gradient(self, theta: Array, i: int, clip_norm: float) -> Array:
        """Compute clip(∇ℓ(θ; d_i), L) of the record in row ``i``, of norm at most L.

        In the dtype of the model.
        """
        if self.absent is not None and self.absent[i]:
            return namespace(theta).zeros_like(theta)
        single = theta.dtype != namespace(theta).float64
        L = lowered(clip_norm, self.p, single=single)
        records, clipping = self._records, self.clipping
        clipped = self.loss.clipped_record(theta, L, i, *records, clipping=clipping)
        return rounded(clipped, theta, L)

    @cached_property
    def _records(self) -> tuple[Array, ...]:
        return self.loss.records(self.X, self.y)

    @property
    def _is_linear(self) -> bool:
        return isinstance(self.loss, Loss)

    def _check_absent(self) -> None:
        checks.array(absent=self.absent)
        absent = to_numpy(self.absent)
        if absent.dtype != bool or absent.shape != (self.n,):
            raise ValueError(
                f"`absent` must be an array of True and False of shape ({self.n},), "
                f"got {absent.dtype} of shape {absent.shape}."
            )
        object.__setattr__(self, "absent", absent)
        if self._is_linear:
            keep = as_like(~absent[:, None], self.X)
            object.__setattr__(self, "X", self.X * keep)
            object.__setattr__(self, "absent", None)

    def _present(self, rows: Array | slice) -> Array | slice:
        """Leave out of the rows those of records that are ⊥."""
        if self.absent is None:
            return rows
        host = np.arange(self.n)[rows if isinstance(rows, slice) else to_numpy(rows)]
        xp = namespace(self.X)
        host = host[~self.absent[host]]
        return host if xp is np else xp.asarray(host, device=self.X.device)
