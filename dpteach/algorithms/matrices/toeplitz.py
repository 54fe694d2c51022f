"""Beyond trees. Factorizations with one coefficient per lag: square root and banded."""

from math import ceil

import numpy as np

from ... import checks
from ...privacy import Relation, SampledGaussian
from ._matrices import decoder_of, toeplitz_matrix
from .factorization import Factorization


def _square_root(steps: int) -> np.ndarray:
    """Compute the coefficients c_0, …, c_{T−1} of A^{1/2}."""
    steps = checks.count(steps=steps)
    k = np.arange(1, steps)
    return np.cumprod(np.concatenate([[1.0], (2 * k - 1) / (2 * k)]))


def square_root_factorization(steps: int, *, normalized: bool = False) -> Factorization:
    r"""Factor A into two equal Toeplitz matrices, B = C = A^{1/2}.

    .. math:: c_0 = 1, \qquad c_k = c_{k-1}\,\frac{2k-1}{2k}

    Columns of norm 1 let late steps use their whole budget. Source: Fichtenberger,
    Henzinger and Upadhyay (2023), and Henzinger, Upadhyay and Upadhyay (2023).

    Returns
    -------
    Factorization
        Within 7% of the best mean error; normalized, within 1.4% (T up to 1024).

    Examples
    --------
    >>> square_root_factorization(16).encoder[:4, 0].tolist()
    [1.0, 0.5, 0.375, 0.3125]
    """
    steps = checks.count(steps=steps)
    checks.fits(4 * steps**2, steps=steps)
    checks.instance(bool, normalized=normalized)
    C = toeplitz_matrix(_square_root(steps))
    if not normalized:
        return Factorization(C, C)
    C = C / np.linalg.norm(C, axis=0)
    return Factorization(decoder_of(C), C)


def banded_factorization(steps: int, *, bands: int) -> Factorization:
    """Cut the square root off after b coefficients: C has b bands, B = A C⁻¹.

    A record that comes k times, at least b steps apart, meets different rows of C each
    time, so it moves Cx by only √k times one column's norm. Source: Kalinin and Lampert
    (2024); DP-BandMF of Choquette-Choo and others (2023) optimizes its bands.

    Returns
    -------
    Factorization
        With a banded, lower-triangular encoder.

    Examples
    --------
    >>> [round(banded_factorization(128, bands=b).mean_error, 3) for b in (1, 8, 128)]
    [8.031, 3.601, 2.449]
    """
    steps = checks.count(steps=steps)
    checks.fits(4 * steps**2, steps=steps)
    c = _square_root(steps)
    bands = checks.count(bands=bands)
    if bands > steps:
        raise ValueError(f"`bands` must be at most `steps`={steps}, got {bands}.")
    c[bands:] = 0
    C = toeplitz_matrix(c)
    return Factorization(decoder_of(C), C)


def banded_event(
    steps: int,
    *,
    bands: int,
    sampling_rate: float,
    noise_multiplier: float,
    relation: Relation = Relation.ADD_REMOVE,
) -> SampledGaussian:
    """Return the event of b bands if the batches are sampled.

    Of b random groups of records, step t samples group t mod b at rate bq, which is q
    over all records. A record then takes part in at most ⌈T/b⌉ steps, whose columns of
    C do not overlap. The noise is measured in clip norms times the ``sensitivity`` of
    C; the relation is ADD_REMOVE or ZERO_OUT. Source: Choquette-Choo and others (2023),
    (Amplified) Banded Matrix Factorization.

    Returns
    -------
    SampledGaussian
        Rate bq, at most 1, and ⌈T/b⌉ releases.

    Examples
    --------
    >>> banded_event(1024, bands=64, sampling_rate=1e-3, noise_multiplier=1.5).rate
    0.064
    """
    steps, bands = checks.count(steps=steps, bands=bands)
    sampling_rate = checks.probability(sampling_rate=sampling_rate)
    rate, releases = min(1.0, bands * sampling_rate), ceil(steps / bands)
    return SampledGaussian(
        noise_multiplier, rate=rate, releases=releases, relation=relation
    )
