"""Floor 1. Losses of linear models, ℓ(θ; (x, y)) = φ(⟨x, θ⟩, y), and their constants.

A record's gradient is φ′·x, so a theorem's constants follow from those of φ and from
the largest row norm B = max ‖x‖₂: ℓ is (lipschitz · B)-Lipschitz and (smoothness ·
B²)-smooth, and its Hessian has rank at most ``rank``. Other models have a loss from
``differentiable``, or a ``networks.Network``.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf, sqrt
from typing import TYPE_CHECKING, Any

from . import checks
from .any_loss import BOUNDED, NUMBERS, SIGNS, AnyLoss, Labels, class_numbers
from .arrays import (
    Array,
    as_double,
    at_least,
    block_sum,
    l2_norm,
    namespace,
    row_norms,
    row_products,
    take,
)
from .clipping import CLIP, Clipping

if TYPE_CHECKING:
    from ._autodiff import Differentiable


@dataclass(frozen=True)
class Loss(AnyLoss):
    r"""A convex φ(z, y) with its derivatives in the score z, and its constants.

    Parameters
    ----------
    name : str
        What the loss is called in figures and errors.
    value, slope : callable
        :math:`\varphi(z, y)`, and its gradient in z (a subgradient at a kink).
    curvature : callable or None
        :math:`\varphi''(z, y)`; None where φ is not twice differentiable.
    lipschitz : float
        The largest :math:`|\varphi'|`, over all scores and all labels of the domain.
    smoothness : float
        The largest :math:`\varphi''`; infinite where φ has a kink.
    rank : int
        The largest rank of one record's Hessian.
    labels : Labels
        Which y the loss takes: SIGNS, -1 or +1; BOUNDED, [-1, 1]; or NUMBERS.
    classes : int or None
        How many scores a record has, in ``SeveralScores``; None for one score, not in a
        list.

    Raises
    ------
    TypeError
        If ``labels`` is not of this kind.
    """

    name: str
    value: Callable[[Array, Array], Array]
    slope: Callable[[Array, Array], Array]
    curvature: Callable[[Array, Array], Array] | None
    lipschitz: float
    smoothness: float
    rank: int = 1
    labels: Labels = NUMBERS
    classes: int | None = None

    def __post_init__(self) -> None:
        """Check that it is known which labels the loss takes."""
        checks.instance(Labels, labels=self.labels)

    def size(self, X: Array) -> int:
        """Return p: columns of X, times the number of classes if any."""
        return X.shape[1] * (self.classes or 1)

    def records(self, X: Array, y: Array) -> tuple[Array, ...]:
        """Return X, y and the norms ‖x_i‖ of the rows."""
        return X, y, row_norms(X)

    def values(self, theta: Array, X: Array, y: Array) -> Array:
        """Compute φ(⟨x_i, θ⟩, y_i) of each record, shape ``(..., n)``."""
        return self.value(self.scores(theta, X), y)

    def gradient(self, theta: Array, X: Array, y: Array) -> Array:
        """Compute Σ_i φ′(⟨x_i, θ⟩, y_i) x_i, shape ``(..., p)``."""
        return self.combine(self.slope(self.scores(theta, X), y), X)

    def clipped_sum(
        self, theta: Array, clip_norm: float, rows: Array | slice, *records: Array,
        clipping: Clipping = CLIP,
    ) -> Array:  # fmt: skip
        """Compute Σ_i clip(φ′ x_i, L): its norm is ‖φ′‖ ‖x_i‖, so none is formed."""
        X, y, norms = (take(each, rows) for each in records)
        slope = self.slope(self.scores(theta, X), y)
        weights = self.weights(slope, norms, clip_norm, clipping)
        one_score = self.classes is None

        def block(rows: slice) -> Array:
            at = (..., rows) if one_score else (..., rows, slice(None))
            return self.combine(weights[at], as_double(X[rows, :]))

        return block_sum(block, X.shape[0])

    def record_norms(self, theta: Array, *records: Array) -> Array:
        """Compute ‖φ′ x_i‖ = ‖φ′‖ ‖x_i‖ of each record, shape ``(..., n)``."""
        X, y, norms = records
        slope = as_double(self.slope(self.scores(theta, X), y))
        sizes = self.gradient_norms(slope, norms)
        return namespace(sizes).reshape(sizes, (*theta.shape[:-1], X.shape[0]))

    def scores(self, theta: Array, X: Array) -> Array:
        """Compute the score ⟨x_i, θ⟩ of each record, shape ``(..., n)``."""
        xp = namespace(theta)
        z = row_products(X, xp.reshape(theta, (-1, X.shape[1]))).T
        return xp.reshape(z, (*theta.shape[:-1], X.shape[0]))

    def combine(self, slope: Array, X: Array) -> Array:
        """Compute Σ_i slope_i x_i, shape ``(..., p)``."""
        return slope @ X

    def gradient_norms(self, slope: Array, norms: Array) -> Array:
        """Compute ‖slope_i x_i‖ of each record from ‖x_i‖, of the slope's shape."""
        return abs(slope) * norms

    def weights(
        self, slope: Array, norms: Array, clip_norm: float, clipping: Clipping = CLIP
    ) -> Array:
        """Shrink slopes so that ‖weight_i x_i‖ ≤ L: the rule of ``clip``, in float64.

        The weight is 0 where the record's gradient is not finite. In single precision
        a tiny weight could be rounded up by a third, and so exceed L; so could one of a
        row whose norm has few bits, so such rows count as longer.
        """
        slope, norms = as_double(slope), at_least(norms, 2.0**-600)
        excess = self.gradient_norms(slope, norms) / clip_norm
        weights = slope / clipping.divisor(excess, clip_norm=clip_norm)
        return namespace(slope).where(excess < inf, weights, 0.0)


@dataclass(frozen=True)
class SeveralScores(Loss):
    """A loss with one score for each class: a model is a matrix, one column each.

    Parameters
    ----------
    name, value, slope, curvature, lipschitz, smoothness, rank : as in ``Loss``
        For scores of shape ``(..., n, K)``.
    classes : int
        K, how many scores a record has, at least 2. Labels are 0, …, K - 1.

    Raises
    ------
    ValueError, TypeError
        If ``classes`` is not an int of at least 2.

    Examples
    --------
    >>> from dpteach import losses
    >>> isinstance(losses.softmax(3), losses.SeveralScores)
    True
    """

    labels: Labels = field(init=False)  # which follow from the number of classes

    def __post_init__(self) -> None:
        """Check the number of classes, and say which labels they have."""
        checks.count(2, classes=self.classes)
        object.__setattr__(self, "labels", class_numbers(self.classes or 0))

    def scores(self, theta: Array, X: Array) -> Array:
        """Compute the scores xᵢᵀΘ of each record, shape ``(..., n, K)``."""
        xp, (n, d), K = namespace(theta), X.shape, self.classes
        columns = xp.matrix_transpose(xp.reshape(theta, (-1, d, K)))  # of all runs
        z = row_products(X, xp.reshape(columns, (-1, d)))
        if theta.ndim == 1:
            return z
        z = xp.permute_dims(xp.reshape(z, (n, columns.shape[0], K)), (1, 0, 2))
        return xp.reshape(z, (*theta.shape[:-1], n, K))

    def combine(self, slope: Array, X: Array) -> Array:
        """Compute Σ_i x_i slope_iᵀ as one long vector, shape ``(..., p)``."""
        total = X.T @ slope
        return namespace(total).reshape(total, (*total.shape[:-2], -1))

    def gradient_norms(self, slope: Array, norms: Array) -> Array:
        """Compute ‖slope_i‖ ‖x_i‖ of each record, shape ``(..., n, 1)``."""
        return l2_norm(slope) * norms[:, None]


def _sigmoid(z: Array) -> Array:
    # Two exponentials that cannot overflow: exp of at most 0 on either side.
    xp = namespace(z)
    small = xp.exp(-xp.abs(z))
    return xp.where(z >= 0, 1 / (1 + small), small / (1 + small))


def _huber_slope(width: float) -> Callable[[Array, Array], Array]:
    return lambda z, y: namespace(z).clip(z - y, min=-width, max=width)


logistic = Loss(
    "logistic",
    # ln(1 + e^{−yz}) = max(0, −yz) + ln(1 + e^{−|z|}): no overflow
    lambda z, y: (
        namespace(z).clip(-y * z, min=0.0)
        + namespace(z).log1p(namespace(z).exp(-namespace(z).abs(z)))
    ),
    lambda z, y: -y * _sigmoid(-y * z),
    lambda z, y: _sigmoid(z) * _sigmoid(-z) + 0 * y,
    lipschitz=1.0,
    smoothness=0.25,
    labels=SIGNS,
)

squared = Loss(
    "squared",
    lambda z, y: (z - y) ** 2 / 2,
    lambda z, y: z - y,
    lambda z, y: 1 + 0 * (z - y),
    lipschitz=inf,
    smoothness=1.0,
)

hinge = Loss(
    "hinge",
    lambda z, y: namespace(z).clip(1 - y * z, min=0.0),
    lambda z, y: namespace(z).where(y * z < 1, -y + 0 * z, 0 * z),
    None,
    lipschitz=1.0,
    smoothness=inf,
    labels=SIGNS,
)

absolute = Loss(
    "absolute",
    lambda z, y: namespace(z).abs(z - y),
    lambda z, y: namespace(z).sign(z - y),
    None,
    lipschitz=1.0,
    smoothness=inf,
)

linear = Loss(
    "linear",
    lambda z, y: -y * z,
    lambda z, y: -y + 0 * z,
    lambda z, y: 0 * (z - y),
    lipschitz=1.0,
    smoothness=0.0,
    rank=0,
    labels=BOUNDED,
)


def huber(width: float) -> Loss:
    """Squared loss near zero, absolute loss beyond ``width``.

    Parameters
    ----------
    width : float
        Residuals up to this size are squared; larger ones count linearly.

    Returns
    -------
    Loss
        With slope at most ``width`` and curvature at most 1.

    Raises
    ------
    ValueError, TypeError
        If ``width`` is not a finite number above 0.

    Examples
    --------
    >>> from dpteach import losses
    >>> losses.huber(0.5).lipschitz  # one record pulls no harder than this
    0.5
    """
    width = checks.moderate(width=width)
    return Loss(
        f"huber({width:g})",
        lambda z, y: _huber_value(z - y, width),
        _huber_slope(width),
        lambda z, y: namespace(z).where(
            namespace(z).abs(z - y) <= width, 1 + 0 * (z - y), 0 * (z - y)
        ),
        lipschitz=float(width),
        smoothness=1.0,
    )


def _huber_value(r: Array, width: float) -> Array:
    xp = namespace(r)
    size = xp.abs(r)
    return xp.where(size <= width, r * r / 2, width * (size - width / 2))


def softmax(classes: int) -> Loss:
    r"""Cross-entropy of several classes; a model has one column of weights for each.

    Parameters
    ----------
    classes : int
        K, at least 2. Labels are the integers 0, …, K - 1.

    Returns
    -------
    Loss
        With scores of shape ``(..., K)``, gradients of norm at most
        :math:`\sqrt 2\,\|x\|` and Hessians of rank at most K - 1.

    Raises
    ------
    ValueError, TypeError
        If ``classes`` is not an int of at least 2.

    Examples
    --------
    >>> from dpteach import losses
    >>> losses.softmax(10).rank
    9
    """
    classes = checks.count(2, classes=classes)

    def one_hot(z: Array, y: Array) -> Array:
        xp = namespace(z)
        columns = xp.arange(classes, dtype=y.dtype, device=y.device)
        return xp.astype(y[..., None] == columns, z.dtype)

    def value(z: Array, y: Array) -> Array:
        xp = namespace(z)
        top = xp.max(z, axis=-1, keepdims=True)
        total = xp.log(xp.sum(xp.exp(z - top), axis=-1)) + top[..., 0]
        return total - xp.sum(z * one_hot(z, y), axis=-1)

    def slope(z: Array, y: Array) -> Array:
        xp = namespace(z)
        weights = xp.exp(z - xp.max(z, axis=-1, keepdims=True))
        return weights / xp.sum(weights, axis=-1, keepdims=True) - one_hot(z, y)

    return SeveralScores(
        f"softmax({classes})",
        value,
        slope,
        None,
        lipschitz=sqrt(2),
        smoothness=0.5,
        rank=classes - 1,
        classes=classes,
    )


def differentiable(
    function: Callable[..., Array],
    start: Any,
    *,
    labels: Labels = NUMBERS,
    memory_bytes: float = 32e6,
) -> "Differentiable":
    r"""Take any model that PyTorch or JAX can differentiate, with one record's loss.

    Parameters
    ----------
    function : callable
        ``function(model, x, y)`` is one record's loss, a scalar. ``model`` has the form
        of ``start``, x is a row of X, and y is its label, in X's dtype.
    start : torch.nn.Module, dict of tensors, or JAX pytree
        The model where training starts, which must be public. For a module ``model`` is
        a function that calls it with other weights; its frozen weights are not trained.
    labels : Labels, optional
        Which labels are taken, such as ``losses.class_numbers(10)``.
    memory_bytes : float, optional
        About how many bytes the gradients of a part of a batch may take. What
        differentiation itself keeps comes on top.

    Returns
    -------
    Differentiable
        A loss for ``Problem``. A model :math:`\theta` is the distance from ``start``,
        and ``model(theta)`` has the form of ``start``.

    Raises
    ------
    TypeError, ValueError
        If weights are neither PyTorch's nor JAX's, differ in dtype, or the model does
        not treat each record by itself, as with BatchNorm, or draws at random.

    Notes
    -----
    One record more or less must not change what another one adds, in any bit. In parts
    of a batch of equal shape that holds for all networks of our tests; no library
    promises it.

    Examples
    --------
    >>> from dpteach import losses
    >>> def squared(w, x, y):
    ...     return (x @ w["slope"] + w["constant"] - y) ** 2
    >>> losses.differentiable(squared, "slope")  # give {"slope": ..., "constant": ...}
    Traceback (most recent call last):
    TypeError: `start` must ...
    """
    from ._autodiff import loss_of  # only for this

    checks.instance(Labels, labels=labels)
    memory_bytes = checks.moderate(memory_bytes=memory_bytes)
    if not callable(function):
        raise TypeError(
            "`function` must be a function (model, x, y), got "
            f"{checks.shown(function)}."
        )
    return loss_of(function, start, labels, memory_bytes)
