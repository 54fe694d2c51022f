"""Floor 1. What a ``Problem`` asks of any loss, and which labels a loss takes."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from . import checks
from .arrays import Array, namespace
from .clipping import CLIP, Clipping


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


def class_numbers(classes: int) -> Labels:
    """Take the class numbers 0, …, K - 1 as labels.

    Parameters
    ----------
    classes : int
        K, at least 2.

    Returns
    -------
    Labels
        For a loss with a score for each class.

    Examples
    --------
    >>> import numpy as np
    >>> from dpteach import losses
    >>> losses.class_numbers(3).accept(np.array([0.0, 1.5, 2.0, 3.0]))
    array([ True, False,  True, False])
    """
    K = checks.count(2, classes=classes)
    return Labels(
        f"a class number from 0 to {K - 1}",
        lambda y: (y >= 0) & (y < K) & (y == namespace(y).floor(y)),
    )


# What only a linear model has; algorithms that ask for it rest on convexity.
_OF_LINEAR_MODELS = (
    "classes", "combine", "curvature", "lipschitz", "rank", "scores", "slope",
    "smoothness", "value", "weights",
)  # fmt: skip


class AnyLoss:
    """What a ``Problem`` asks of a loss, whether the model is linear or a network.

    Models have shape ``(..., p)``, and sums run over the records that are given.
    """

    name: str
    labels: Labels

    def size(self, X: Array) -> int:
        """Return p, the length of a model; refuse an X that does not fit."""
        raise NotImplementedError

    def records(self, X: Array, y: Array) -> tuple[Array, ...]:
        """Return the arrays that the sums below take, with a row for each record."""
        return X, y

    def values(self, theta: Array, X: Array, y: Array) -> Array:
        """Compute ℓ(θ; d_i) of each record, shape ``(..., n)``."""
        raise NotImplementedError

    def gradient(self, theta: Array, X: Array, y: Array) -> Array:
        """Compute Σ_i ∇ℓ(θ; d_i), shape ``(..., p)``."""
        raise NotImplementedError

    def array_sizes(self, X: Array) -> list[int]:
        """Return how many weights each array of the model has; in all p."""
        return [self.size(X)]

    def clipped_sum(
        self, theta: Array, clip_norm: float, rows: Array | slice, *records: Array,
        clipping: Clipping = CLIP,
    ) -> Array:  # fmt: skip
        """Compute Σ_i clip(∇ℓ(θ; d_i), L) over some rows, in float64."""
        raise NotImplementedError

    def clipped_record(
        self, theta: Array, clip_norm: float, i: int, *records: Array,
        clipping: Clipping = CLIP,
    ) -> Array:  # fmt: skip
        """Compute clip(∇ℓ(θ; d_i), L) of the record in row ``i``, in float64."""
        rows = slice(i, i + 1)
        return self.clipped_sum(theta, clip_norm, rows, *records, clipping=clipping)

    def record_norms(self, theta: Array, *records: Array) -> Array:
        """Compute ‖∇ℓ(θ; d_i)‖₂ of each record in float64, shape ``(..., n)``."""
        raise NotImplementedError

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

    def __getattr__(self, name: str) -> Any:
        """Refuse by name where an algorithm needs what only a linear model has."""
        if name in _OF_LINEAR_MODELS:
            raise TypeError(
                f"`problem` must have the loss of a linear model, because its "
                f"`{name}` is needed, got {self.name}. Algorithms that clip "
                "gradients, such as dp_sgd, take any loss."
            )
        raise AttributeError(name)
