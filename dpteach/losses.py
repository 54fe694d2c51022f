"""Floor 1. Losses of linear models, ℓ(θ; (x, y)) = φ(⟨x, θ⟩, y), and their constants.

A record's gradient is φ′·x, so a theorem's constants follow from those of φ and from
the largest row norm B = max ‖x‖₂: ℓ is (lipschitz · B)-Lipschitz and (smoothness ·
B²)-smooth, and its Hessian has rank at most ``rank``.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf, sqrt

from . import checks
from .arrays import Array, as_double, at_least, l2_norm, namespace, row_products


@dataclass(frozen=True)
class Labels:
    """Which labels y a loss takes, such as SIGNS, BOUNDED or NUMBERS.

    Parameters
    ----------
    must : str
        What a label must be, as an error says it.
    accept : callable
        Tells of each label whether it is one.

    Examples
    --------
    >>> import numpy as np
    >>> from dpteach import losses
    >>> losses.SIGNS.accept(np.array([1.0, 0.0, -1.0]))
    array([ True, False,  True])
    """

    must: str
    accept: Callable[[Array], Array]


SIGNS = Labels("-1 or +1 (2 * y - 1 turns 0/1 into those)", lambda y: abs(y) == 1)
BOUNDED = Labels("between -1 and 1", lambda y: abs(y) <= 1)
NUMBERS = Labels("finite", lambda y: namespace(y).isfinite(y))


@dataclass(frozen=True)
class Loss:
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

    def weights(self, slope: Array, norms: Array, clip_norm: float) -> Array:
        """Shrink slopes so that ‖weight_i x_i‖ ≤ L: the rule of ``clip``, in float64.

        The weight is 0 where the record's gradient is not finite. In single precision
        a tiny weight could be rounded up by a third, and so exceed L.
        """
        slope = as_double(slope)
        excess = self.gradient_norms(slope, norms) / clip_norm
        return namespace(slope).where(excess < inf, slope / at_least(excess, 1.0), 0.0)

    def checked_labels(self, y: Array, X: Array) -> Array:
        """Return the labels in X's dtype; refuse what is outside the domain."""
        xp = namespace(X, y)
        if not xp.isdtype(y.dtype, ("integral", "real floating")):
            raise TypeError(
                f"`y` must hold real numbers, got dtype {y.dtype}. "
                "Convert them: y.astype(float)."
            )
        y = xp.astype(y, X.dtype)
        valid = self.labels.accept(y)
        if not bool(xp.all(valid)):
            raise ValueError(
                f"`y` must be {self.labels.must} for the {self.name} loss, got a label "
                "that is not. Recode the labels first."
            )
        return y


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
        K = checks.count(2, classes=self.classes)
        labels = Labels(
            f"a class number from 0 to {K - 1}",
            lambda y: (y >= 0) & (y < K) & (y == namespace(y).floor(y)),
        )
        object.__setattr__(self, "labels", labels)

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
