"""Section 6.5.2. Least squares from noisy moments, with a ridge chosen by the data."""

from math import log, sqrt

from ... import checks
from ...arrays import (
    Array,
    Rng,
    as_like,
    as_rng,
    namespace,
    standard_normal,
)
from ...privacy import Gaussian, Relation, Release
from ._moments import (
    bounded_labels,
    bounded_rows,
    moments,
    symmetric_noise,
)
from .noisy_moments import moments_sensitivity


def adaptive_least_squares(
    X: Array,
    y: Array,
    *,
    row_norm: float,
    label_bound: float,
    noise_multiplier: float,
    rng: Rng,
    failure_probability: float = 0.05,
    relation: Relation = Relation.ADD_REMOVE,
    out_of_bounds: str = "clip",
    runs: tuple[int, ...] = (),
) -> Release:
    r"""Solve least squares with a ridge only as large as the noise needs.

    Parameters
    ----------
    X, y : Array
        Features, shape ``(n, p)``, and labels, shape ``(n,)``.
    row_norm, label_bound : float
        :math:`B` and :math:`Y`, public; see ``out_of_bounds``.
    noise_multiplier : float
        :math:`\lambda`, of each of two releases: the least eigenvalue of
        :math:`X^\top X`, and the moments.
    failure_probability : float, optional
        :math:`\beta`: how often the matrix that is inverted may be too small. Privacy
        does not depend on it.
    out_of_bounds : {"clip", "refuse"}, optional
        What becomes of a record beyond these bounds: its row is scaled down to them and
        its label cut, or it is an error, which tells of that record and which the event
        does not cover.

    Returns
    -------
    Release
        ``theta``, shape ``(*runs, p)``: computed from published values alone.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of its range; with "refuse" also if a record is.

    Notes
    -----
    The idea is that of AdaSSP (Wang, 2018). Price and constants are derived
    here: an eigenvalue moves by at most B², also for a replaced record (Weyl), and
    noise E with independent entries has norm at most 2√p + √(2 ln(2/β)) deviations with
    probability 1 - β/2.

    References
    ----------
    * Wang (2018), Revisiting Differentially Private Linear Regression: Optimal and
      Adaptive Prediction and Estimation in Unbounded Domain.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).choice([-0.5, 0.5], (5000, 4))
    >>> out = adaptive_least_squares(X, X[:, 0], row_norm=1.0, label_bound=0.5,
    ...                              noise_multiplier=4.0, rng=0)
    >>> out.theta.round(1) + 0.0, out.event.releases
    (array([1., 0., 0., 0.]), 2)
    """
    given, row_norm = X, checks.moderate(row_norm=row_norm)
    X = bounded_rows(X, row_norm, out_of_bounds)
    y = bounded_labels(y, X, label_bound, out_of_bounds)
    noise_multiplier = checks.moderate(noise_multiplier=noise_multiplier)
    failure_probability = checks.probability(failure_probability=failure_probability)
    failure_probability = checks.moderate(failure_probability=failure_probability)
    runs = checks.shape(X.shape[1] ** 2, runs=runs)
    reach = moments_sensitivity(
        row_norm=row_norm, label_bound=label_bound, relation=relation
    )
    rng, xp, p = as_rng(rng), namespace(X), X.shape[1]
    lam, tail = noise_multiplier, sqrt(2 * log(2 / failure_probability))
    sigma, tau = (lam * far / relation.sensitivity for far in (reach, row_norm**2))

    # 1: e ← λ_min(XᵀX) + N(0, τ²), where τ is λ times what one record moves it
    squares = moments(X, X)
    e = xp.linalg.eigvalsh(squares)[0] + tau * standard_normal(rng, (*runs, 1, 1), X)
    # 2: A ← XᵀX + E and v ← Xᵀy + N(0, σ² I_p), as without the ridge
    A = squares + sigma * symmetric_noise(rng, runs, p, X)
    v = moments(X, y) + sigma * standard_normal(rng, (*runs, p), X)
    # 3: Λ ← max{0, 2κ − (e − τ √(2 ln(2/β)))}, where κ bounds the norm of E
    kappa = sigma * (2 * sqrt(p) + tail)
    ridge = xp.clip(2 * kappa - (e - tau * tail), min=0.0)
    # 4: Output θ_priv = (A + Λ I)⁻¹ v
    identity = xp.eye(p, dtype=X.dtype, device=X.device)
    theta = xp.linalg.solve(A + ridge * identity, v[..., None])[..., 0]
    theta = as_like(theta, given)
    event = Gaussian(noise_multiplier, releases=2, relation=relation)
    return Release(theta=theta, path=theta[None, ...], event=event)
