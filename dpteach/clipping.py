"""Floor 1. How a record's gradient is shortened to a norm of at most L."""

from dataclasses import dataclass
from math import hypot

from . import checks
from .arrays import Array, at_least


@dataclass(frozen=True)
class Clipping:
    r"""How a record's gradient g is shortened to a norm of at most the clip norm L.

    Parameters
    ----------
    automatic : float, optional
        :math:`\kappa`, from 1e-30 to 1e30: g becomes :math:`L\,g/(\|g\|_2 + \kappa)`.
        Without it g becomes :math:`g\min\{1, L/\|g\|_2\}`.
    per_layer : bool or tuple of float, optional
        Whether each array of weights has a clip norm :math:`L_k` of its own, where
        :math:`\sum_k L_k^2 = L^2`. They are equal, or proportional to these numbers,
        from 1e-6 to 1e6; a dense layer has two, one for its constants.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of its range.

    Notes
    -----
    Whichever is chosen, one record adds a vector of norm at most L, so that every
    price stands. It counts where gradients are clipped, as in ``dp_sgd``, and nowhere
    else.

    References
    ----------
    * Bu, Wang, Zha and Karypis (2023), Automatic Clipping: Differentially Private Deep
      Learning Made Easier and Stronger.
    * McMahan, Ramage, Talwar and Zhang (2018), Learning Differentially Private
      Recurrent Language Models.

    Examples
    --------
    >>> import numpy as np
    >>> from dpteach import Clipping, Problem, constraints, losses
    >>> X, y = np.array([[1.0, 0.0], [0.0, 3.0]]), np.array([1.0, -1.0])
    >>> D = Problem(X, y, losses.logistic, constraints.Everywhere(),
    ...             clipping=Clipping(automatic=0.5))
    >>> D.clipped_gradient(np.zeros(2), 1.0)  # gradients of norm 0.5 and 1.5
    array([-0.5 ,  0.75])
    """

    automatic: float | None = None
    per_layer: bool | tuple[float, ...] = False

    def __post_init__(self) -> None:
        """Check the numbers."""
        if self.automatic is not None:
            kappa = checks.between(1e-30, 1e30, automatic=self.automatic)
            object.__setattr__(self, "automatic", float(kappa))
        if isinstance(self.per_layer, bool):
            return
        if not isinstance(self.per_layer, tuple) or not self.per_layer:
            raise TypeError(
                "`per_layer` must be True, False or a tuple of numbers, one for each "
                f"array of weights, got {checks.shown(self.per_layer)}."
            )
        shares = [checks.between(1e-6, 1e6, per_layer=each) for each in self.per_layer]
        object.__setattr__(self, "per_layer", tuple(map(float, shares)))

    def norms(self, clip_norm: float, arrays: int) -> list[float]:
        """Return each array's L_k; the root of the sum of their squares is L."""
        if self.per_layer is False:
            return [clip_norm]
        ratios = (1.0,) * arrays if self.per_layer is True else self.per_layer
        if len(ratios) != arrays or arrays == 1:
            raise ValueError(
                "`per_layer` must have a number for each array of weights, which are "
                f"{arrays} in this model, got {self.per_layer}. A model that has only "
                "one, such as every linear model, has no layers."
            )
        return [clip_norm * (each / hypot(*ratios)) for each in ratios]

    def divisor(self, excess: Array, unit: Array = 1.0, *, clip_norm: Array) -> Array:
        """Compute from ‖g‖/L what g is divided by: max{1, ‖g‖/L}, or (‖g‖ + κ)/L.

        Never less than ‖g‖/L, and never 0. Both may be given in another ``unit``.
        """
        if self.automatic is None:
            return at_least(excess, unit)
        return excess + self.automatic / clip_norm * unit


CLIP = Clipping()  # clip(v) = v · min{1, L/‖v‖₂}
