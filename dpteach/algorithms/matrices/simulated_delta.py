"""Beyond trees. A certified price by simulation: no weight exceeds a known number."""

from ... import checks
from ...arrays import Rng, as_rng
from ._weighed_draws import delta_bound, visits_of
from .toeplitz_encoder import Bands


def simulated_delta(
    encoder: Bands,
    *,
    steps: int,
    separation: int,
    noise_multiplier: float,
    epsilon: float,
    probability: float | None = None,
    draws: int = 1 << 18,
    failure_probability: float = 1e-9,
    rng: Rng,
) -> float:
    r"""Bound δ of correlated noise if a record's visits are drawn at random.

    Parameters
    ----------
    encoder : Bands
        :math:`C`, with coefficients of at least 0.
    steps : int
        :math:`T`.
    separation : int
        :math:`d`: the number of bins; or, with ``probability``, how many steps lie
        between two visits at least, no fewer than the encoder has bands.
    noise_multiplier : float
        :math:`\lambda`, standard deviation of z over clip norm.
    epsilon : float
        :math:`\varepsilon` of the claim.
    probability : float, optional
        The probability of a record to enter that was not in the last d - 1 steps. None:
        it picks one of d bins, and enters each d-th step.
    draws : int, optional
        How many outcomes are drawn for each direction. More give a smaller bound.
    failure_probability : float, optional
        How likely the bound may be too small. It is no part of δ.
    rng : int, Generator or None
        Where the outcomes come from. No record has a part in them.

    Returns
    -------
    float
        The bound, at most 1, for a record that is added, removed or zeroed out.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of its range, or the encoder has too many bands.

    References
    ----------
    * Choquette-Choo and others (2025), Near-Exact Privacy Amplification for Matrix
      Mechanisms, which simulates the same pair with plain draws.
    * JAX Privacy, batch_selection.BMinSepSampling, which names this sampling.

    Examples
    --------
    >>> from dpteach.accounting import delta_of
    >>> from dpteach.privacy import Relation, SampledGaussian
    >>> coins = SampledGaussian(1.0, rate=0.1, releases=8, relation=Relation.ADD_REMOVE)
    >>> bound = simulated_delta(Bands((1.0,)), steps=8, separation=1, probability=0.1,
    ...                         noise_multiplier=1.0, epsilon=1.0, rng=0)
    >>> 1 < bound / delta_of(coins, 1.0) < 1.1
    True
    """
    checks.instance(Bands, encoder=encoder)
    steps, separation, draws = checks.count(
        steps=steps, separation=separation, draws=draws
    )
    checks.fits(8 * steps, steps=steps)
    noise_multiplier = checks.moderate(noise_multiplier=noise_multiplier)
    epsilon = checks.nonnegative(epsilon=epsilon)
    beta = checks.moderate(failure_probability=failure_probability)
    beta = checks.probability(failure_probability=beta)
    column = encoder.encoder_column(steps) / noise_multiplier
    visits, rng = visits_of(column, separation, probability), as_rng(rng)
    return delta_bound(visits, epsilon, draws, draws, beta, rng)
