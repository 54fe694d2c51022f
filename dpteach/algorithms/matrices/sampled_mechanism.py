"""Beyond trees. Correlated noise on sampled batches: how records come, the price."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt

import numpy as np

from ... import checks
from ...arrays import Rng, as_rng
from ...privacy import Event
from .factorization import Factorization
from .toeplitz_encoder import ToeplitzEncoder

SAMPLINGS = (
    "fixed order",
    "Poisson",
    "cyclic Poisson",
    "balls and bins",
    "b-min-sep",
)


@dataclass(frozen=True)
class SampledMechanism:
    r"""Correlated noise for batches that are drawn at random.

    Parameters
    ----------
    sampling : str
        How records come: in a ``"fixed order"``; by ``"Poisson"`` coins, in each step;
        by coins in each d-th step (``"cyclic Poisson"``); in each d-th step from a
        random one on (``"balls and bins"``); or by coins in every step that is not one
        of the d - 1 after a visit (``"b-min-sep"``).
    encoder : Factorization or ToeplitzEncoder
        :math:`C`, which says how the noise is correlated.
    steps : int
        :math:`T`.
    separation : int
        :math:`d`.
    probability : float
        Of a coin; 1 where there is none.
    noise_multiplier : float
        :math:`\lambda`, standard deviation of z over clip norm, so that the noise of
        the sums is that of C⁻¹z, added up.
    event : Event
        What all T sums cost.

    Notes
    -----
    ``sampled_mechanisms`` makes them, and proves the event. Nothing here checks it.

    Examples
    --------
    >>> from dpteach.algorithms import optimal_bands
    >>> from dpteach.privacy import Relation, SampledGaussian
    >>> event = SampledGaussian(3.0, rate=0.4, releases=4, relation=Relation.ZERO_OUT)
    >>> mechanism = SampledMechanism("cyclic Poisson", optimal_bands(16, bands=4), 16,
    ...                              4, 0.4, noise_multiplier=4.0, event=event)
    >>> [len(batch) for batch in mechanism.batches(100, rng=0)][:8]
    [11, 3, 11, 7, 9, 9, 13, 6]
    """

    sampling: str
    encoder: Factorization | ToeplitzEncoder
    steps: int
    separation: int
    probability: float
    noise_multiplier: float
    event: Event

    def __post_init__(self) -> None:
        """Check the arguments."""
        checks.one_of(SAMPLINGS, sampling=self.sampling)
        checks.instance((Factorization, ToeplitzEncoder), encoder=self.encoder)
        checks.fields(self, checks.count, "steps", "separation")
        checks.fields(self, checks.moderate, "noise_multiplier")
        checks.instance(Event, event=self.event)
        checks.fields(self, _share, "probability")

    @property
    def mean_error(self) -> float:
        """Root mean square over t of the noise of sum t, over the clip norm."""
        if isinstance(self.encoder, ToeplitzEncoder):
            variance = self.encoder.variances(self.steps)[0]
        else:
            variance = float(np.mean(np.sum(self.encoder.decoder**2, axis=1)))
        return self.noise_multiplier * sqrt(variance)

    def batches(self, n: int, *, rng: Rng) -> Iterator[np.ndarray]:
        """Draw the row numbers of T batches of n records; no data decide."""
        n, rng = checks.count(0, n=n), as_rng(rng)
        checks.fits(2 * n, n=n)
        d, p = self.separation, self.probability
        first = rng.integers(d, size=n)  # each record's own coin, never ranks
        if self.sampling == "fixed order":
            first = np.arange(n) * d // max(n, 1)
        if self.sampling == "b-min-sep":  # as if the run had begun long before
            past = rng.random(n) * (1 + (d - 1) * p) < 1
            first = np.where(past | (d == 1), 0, rng.integers(1, max(d, 2), size=n))
        for t in range(self.steps):
            if self.sampling == "b-min-sep":
                batch = np.flatnonzero((first <= t) & (rng.random(n) < p))
                first[batch] = t + d
            else:
                batch = np.flatnonzero(first == t % d)
                batch = batch[rng.random(len(batch)) < p]
            yield batch


def _share(**named: float) -> float:
    return checks.between(2.0**-52, 1.0, **named)
