"""Beyond trees. Prefix sums with correlated noise, for records that come again."""

from dataclasses import dataclass
from functools import cached_property
from math import sqrt

import numpy as np

from ... import checks
from ...privacy import Gaussian, Relation
from .factorization import Factorization
from .sensitivity import (
    Sensitivity,
    epochs_sensitivity,
    participation_sensitivity,
)
from .toeplitz_encoder import ToeplitzEncoder


@dataclass(frozen=True)
class MatrixMechanism:
    r"""Prefix sums with correlated noise, for records that take part several times.

    Parameters
    ----------
    encoder : Factorization or ToeplitzEncoder
        :math:`C`, which says how the noise is correlated.
    steps : int
        :math:`T`, the sums of all passes.
    participations : int
        :math:`k`, how often a record may take part, at most.
    separation : int
        :math:`d`, the least number of steps between two participations.
    equally_spaced : bool, optional
        Whether they are exactly d steps apart, as if each pass has the same order; then
        T = kd.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of its range, or the encoder has not T steps.

    References
    ----------
    * Li and others (2015), The Matrix Mechanism: Optimizing Linear Counting Queries
      under Differential Privacy.
    * Choquette-Choo and others (2023), Multi-Epoch Matrix Factorization Mechanisms for
      Private Machine Learning.

    Examples
    --------
    >>> from dpteach.algorithms import optimal_buffers
    >>> rules = {"participations": 10, "separation": 100}
    >>> buffers = optimal_buffers(1000, buffers=2, **rules)
    >>> mechanism = MatrixMechanism(buffers, steps=1000, **rules)
    >>> round(mechanism.mean_error, 3), mechanism.memory
    (12.194, 2)
    >>> mechanism.event(2.0)
    Gaussian(noise_multiplier=2.0, releases=1, relation=Relation.ZERO_OUT)
    """

    encoder: Factorization | ToeplitzEncoder
    steps: int
    participations: int
    separation: int
    equally_spaced: bool = False

    def __post_init__(self) -> None:
        """Check the arguments."""
        checks.instance((Factorization, ToeplitzEncoder), encoder=self.encoder)
        checks.fields(self, checks.count, "steps", "participations", "separation")
        checks.flag(equally_spaced=self.equally_spaced)
        if isinstance(self.encoder, Factorization) and (
            self.encoder.steps != self.steps
        ):
            raise ValueError(
                f"`encoder` must have `steps`={self.steps}, got {self.encoder.steps}."
            )
        if self.equally_spaced and self.participations * self.separation != self.steps:
            raise ValueError(
                "`equally_spaced` participations must fill the steps, got "
                f"{self.participations} of them, {self.separation} apart, in "
                f"{self.steps} steps."
            )

    @cached_property
    def sensitivity(self) -> Sensitivity:
        """How far a record moves Cx, as a certified bound."""
        rules = {"participations": self.participations, "separation": self.separation}
        if isinstance(self.encoder, ToeplitzEncoder):
            return self.encoder.sensitivity(self.steps, **rules)
        if self.equally_spaced:
            return epochs_sensitivity(self.encoder, epochs=self.participations)
        return participation_sensitivity(self.encoder, **rules)

    @property
    def memory(self) -> int:
        """How many vectors a stream keeps to correlate its noise."""
        return self.encoder.memory

    @property
    def mean_error(self) -> float:
        """Root mean square over t of the noise of sum t, at noise multiplier 1."""
        return self.sensitivity.value * sqrt(self._variances()[0])

    @property
    def max_error(self) -> float:
        """The largest standard deviation of a sum's noise, at noise multiplier 1."""
        return self.sensitivity.value * sqrt(self._variances()[1])

    def _variances(self) -> tuple[float, float]:
        if isinstance(self.encoder, ToeplitzEncoder):
            return self.encoder.variances(self.steps)
        variances = np.sum(self.encoder.decoder**2, axis=1)
        return float(np.mean(variances)), float(np.max(variances))

    def event(
        self, noise_multiplier: float, *, relation: Relation = Relation.ZERO_OUT
    ) -> Gaussian:
        """Return what all T sums spend, if σ is Lλ times the sensitivity's value."""
        return Gaussian(noise_multiplier, relation=relation)
