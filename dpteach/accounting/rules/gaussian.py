"""Floor 2. The exact price of Gaussian noise: δ, ε and μ, each from the other two."""

import math
from typing import Any

import numpy as np

from ... import checks, numerics

# More than rounding takes from ln δ (the tests measure 4e-13): prices include it.
MARGIN = 1e-11


def log_delta(mu: float, epsilon: Any) -> np.ndarray:
    """Compute ln δ of a μ-GDP mechanism, to rounding; ``epsilon`` of any sign or shape.

    Arguments are trusted: the public functions check them.
    """
    epsilon = np.asarray(epsilon, dtype=float)
    size = np.abs(epsilon)
    with np.errstate(over="ignore"):
        a = size / mu - mu / 2
    # δ = φ(a) [M(a) − M(b)] with b = a + μ: no two large numbers cancel.
    right = np.maximum(a, -5.0)
    with np.errstate(over="ignore", invalid="ignore"):
        drop = numerics.log_of(numerics.mills_drop(right, mu))
        log_density = -right * right / 2 - math.log(2 * math.pi) / 2
    result = np.where(right < 1e150, log_density + drop, -np.inf)
    if np.any(a < -5):
        from scipy.special import ndtr

        left = np.minimum(a, -5.0)
        with np.errstate(over="ignore"):
            density = np.exp(-left * left / 2) / math.sqrt(2 * math.pi)
        near_one = np.log(ndtr(-left) - density * numerics.mills(left + mu))
        result = np.where(a < -5, near_one, result)
    if np.any(epsilon < 0):
        # δ(−ε) = 1 − e^{−ε} + e^{−ε} δ(ε), for P and Q are mirror images
        sure = numerics.log_of(-np.expm1(-size))
        result = np.where(epsilon < 0, np.logaddexp(sure, result - size), result)
    return result


def upper_log_delta(mu: float, epsilon: float) -> float:
    """Compute a ln δ that rounding cannot have left below the true one."""
    # A shift of ε by the rounding of ε/μ − μ/2, then the margin on the result.
    lowered = epsilon - 1e-15 * (epsilon + mu * mu / 2)
    return min(float(log_delta(mu, lowered)) + MARGIN, 0.0)


def gaussian_delta(mu: float, epsilon: float) -> float:
    r"""Compute the smallest δ of a μ-GDP Gaussian mechanism at a given ε. [Section 6.1]

    .. math:: \Phi(\mu/2 - \varepsilon/\mu)
              - e^{\varepsilon}\,\Phi(-\mu/2 - \varepsilon/\mu)

    Parameters
    ----------
    mu : float
        :math:`\mu`, sensitivity over the noise's standard deviation.

    Returns
    -------
    float
        δ, to a relative error of 1e-9 or better wherever it exceeds 1e-290.

    Raises
    ------
    ValueError, TypeError
        If ``mu`` is not above 0 or ``epsilon`` is negative, or either is not finite.

    Examples
    --------
    >>> gaussian_delta(1.0, 1.0)  # noise as large as one record's effect
    0.12693673750664...
    """
    mu = checks.positive(mu=mu)
    epsilon = checks.nonnegative(epsilon=epsilon)
    return math.exp(log_delta(float(mu), float(epsilon)))


def gaussian_epsilon(mu: float, delta: float) -> float:
    r"""Compute the smallest ε of a μ-GDP Gaussian mechanism at a given δ.

    Parameters
    ----------
    mu : float
        :math:`\mu`, sensitivity over the noise's standard deviation.

    Returns
    -------
    float
        :math:`\varepsilon`, in nats, rounded up; 0 where δ alone covers the mechanism.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of its range, or ε exceeds every float.

    Examples
    --------
    >>> round(gaussian_epsilon(1.0, 1e-6), 9)  # a μ of 1 is an ε of almost 5
    4.886554117
    """
    mu = checks.positive(mu=mu)
    delta = checks.probability(delta=delta)
    mu, log_target = float(mu), math.log(delta)
    # ρ + 2 √(ρ ln(1/δ)) with ρ = μ²/2 always suffices
    enough = mu * mu / 2 + mu * math.sqrt(-2 * log_target)
    if not math.isfinite(enough):
        raise ValueError(
            f"`mu` must be small enough for ε ≈ μ²/2 to be a float, got {mu!r}. "
            "Add more noise."
        )
    if upper_log_delta(mu, 0.0) <= log_target:
        return 0.0
    return numerics.safe_root(
        lambda epsilon: upper_log_delta(mu, epsilon) - log_target, 0.0, 1.001 * enough
    )


def gaussian_mu(epsilon: float, delta: float) -> float:
    r"""Compute the largest μ for which the Gaussian mechanism is (ε, δ)-private.

    Returns
    -------
    float
        :math:`\mu`, sensitivity over the noise's standard deviation, rounded down.

    Examples
    --------
    >>> round(1 / gaussian_mu(1.0, 1e-6), 9)  # the least noise for (1, 1e-6)
    4.224678889
    """
    epsilon = checks.nonnegative(epsilon=epsilon)
    delta = checks.probability(delta=delta)
    if epsilon > 1e300:
        raise ValueError(
            f"`epsilon` must be at most 1e300, got {epsilon!r}. Give a budget such as "
            "epsilon=1."
        )
    epsilon, log_target = float(epsilon), math.log(delta)
    # Two values that always do: by zCDP, and by total variation (2Φ(μ/2) − 1 ≤ δ).
    root = math.sqrt(-log_target)
    by_loss = math.sqrt(2) * epsilon / (math.sqrt(epsilon + root * root) + root)
    good = 0.999 * max(by_loss, 2 * delta)
    bad = 2 * good
    while upper_log_delta(bad, epsilon) <= log_target:
        good, bad = bad, 2 * bad
    mu = numerics.safe_root(
        lambda mu: upper_log_delta(mu, epsilon) - log_target, bad, good
    )
    return mu * (1 - 1e-13)
