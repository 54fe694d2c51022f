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
    """Bound δ of correlated noise if a record's visits are drawn at random.

    With plain draws, Choquette-Choo and others (2025) simulate the same pair; JAX
    Privacy names this sampling BMinSepSampling. No record has a part in the draws.

    Parameters
    ----------
    encoder : Bands
        :math:`C`, with coefficients of at least 0.
    separation : int
        :math:`d`: the number of bins; or, with ``probability``, how many steps lie
        between two visits at least, no fewer than the encoder has bands.
    probability : float, optional
        The probability of a record to enter that was not in the last d - 1 steps. None:
        it picks one of d bins, and enters each d-th step.
    draws : int, optional
        How many outcomes are drawn for each direction. More give a smaller bound.
    failure_probability : float, optional
        How likely the bound may be too small. It is no part of δ.

    Returns
    -------
    float
        The bound, at most 1, for a record that is added, removed or zeroed out.

    Examples
    --------
    >>> round(simulated_delta(Bands((1.0,)), steps=8, separation=1, probability=0.1,
    ...                       noise_multiplier=1.0, epsilon=1.0, rng=0), 3)
    0.005
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
