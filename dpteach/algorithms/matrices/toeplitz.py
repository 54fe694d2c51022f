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

    Parameters
    ----------
    normalized : bool, optional
        Scale C's columns to norm 1: late steps then use their whole budget.

    Returns
    -------
    Factorization
        Within 7% of the best mean error; normalized, within 1.4% (T up to 1024).

    Raises
    ------
    ValueError, TypeError
        If ``steps`` is not an int of at least 1, or ``normalized`` is not a bool.

    Notes
    -----
    The mechanism is that of both papers below; its errors are computed here.

    References
    ----------
    * Fichtenberger, Henzinger and Upadhyay (2023), Constant Matters: Fine-Grained Error
      Bound on Differentially Private Continual Observation.
    * Henzinger, Upadhyay and Upadhyay (2023), Almost Tight Error Bounds on
      Differentially Private Continual Counting.

    Examples
    --------
    >>> square_root_factorization(16).encoder[:4, 0].tolist()
    [1.0, 0.5, 0.375, 0.3125]
    >>> [round(square_root_factorization(16, normalized=n).mean_error, 4)
    ...  for n in (False, True)]
    [1.7968, 1.7091]
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
    r"""Cut the square root off after b coefficients: C has b bands, B = A C⁻¹.

    Steps that are at least b apart then use different rows of C. So a record that comes
    k times, at least b steps apart, moves Cx by only √k times one column's norm, and a
    group of records that is due in every b-th step can be sampled afresh each time.

    Parameters
    ----------
    bands : int
        :math:`b`, from 1 (independent noise, DP-SGD) to T (the square root).

    Returns
    -------
    Factorization
        With a banded, lower-triangular encoder.

    Raises
    ------
    ValueError, TypeError
        If an argument is not an int of at least 1, or ``bands`` exceeds ``steps``.

    Notes
    -----
    DP-BandMF (Choquette-Choo and others, 2023) optimizes its bands; these are those of
    the square root.

    References
    ----------
    * Choquette-Choo and others (2023), (Amplified) Banded Matrix Factorization: A
      Unified Approach to Private Training.
    * Kalinin and Lampert (2024), Banded Square Root Matrix Factorization for
      Differentially Private Model Training.

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
    r"""Return the event of b bands if the batches are sampled.

    The records are split into b groups at random, and step t samples from group t mod b
    with probability bq, so the expected batch is the same as that of sampling all
    records at rate q. One record then takes part in at most ⌈T/b⌉ steps, b apart, whose
    columns of C do not overlap: that is ⌈T/b⌉ sampled Gaussians with noise multiplier
    λ, at rate bq.

    Parameters
    ----------
    sampling_rate : float
        :math:`q`, the expected batch over all records.
    noise_multiplier : float
        :math:`\lambda`, standard deviation over clip norm times the encoder's
        ``sensitivity``.
    relation : Relation, optional
        The neighbors: ``ADD_REMOVE`` or ``ZERO_OUT``.

    Returns
    -------
    SampledGaussian
        Rate bq, at most 1, and ⌈T/b⌉ releases.

    References
    ----------
    * Choquette-Choo and others (2023), (Amplified) Banded Matrix Factorization: A
      Unified Approach to Private Training.

    Examples
    --------
    >>> from dpteach.accounting import epsilon_of
    >>> settings = {"sampling_rate": 1e-3, "noise_multiplier": 1.5}
    >>> [round(epsilon_of(banded_event(1024, bands=b, **settings), 1e-5), 2)
    ...  for b in (1, 64)]  # noise goes further alone, but bands make less of it
    [0.07, 0.99]
    """
    steps, bands = checks.count(steps=steps, bands=bands)
    sampling_rate = checks.probability(sampling_rate=sampling_rate)
    rate, releases = min(1.0, bands * sampling_rate), ceil(steps / bands)
    return SampledGaussian(
        noise_multiplier, rate=rate, releases=releases, relation=relation
    )
