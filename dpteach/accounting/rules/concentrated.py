"""Floor 2. Zero-concentrated differential privacy: one number ρ that adds up."""

import math
from typing import Any

from ... import checks, numerics
from ..moments.conversion import log_delta_from_moment

CONVERSIONS = ("canonne_kamath_steinke", "basic")


def zcdp_log_delta(rho: float, epsilon: float) -> float:
    """Compute ln δ by the best order, without checks."""
    from scipy.optimize import minimize_scalar

    epsilon = max(epsilon, 0.0)
    basic = max(epsilon - rho, 0.0) / 2 / rho  # s of the basic conversion
    if basic * (epsilon - rho) > 2e4:  # its δ is 0 to any float
        return -basic * (epsilon - rho) / 2
    # The slope is ρ(2s + 1) − ε − ln(1 + 1/s), above 0 at this s because ln(1 + x) < x;
    # and if the best s is e⁴⁰ times less, δ is 1.
    most = math.log(basic + math.sqrt(0.5) / math.sqrt(rho))

    def log_delta(u: float) -> float:
        s = math.exp(most + u)
        return log_delta_from_moment(s * (rho * (s + 1) - epsilon), s, 0.0)

    found: Any = minimize_scalar(
        log_delta,
        bounds=(-40, 0),
        method="bounded",
        options={"xatol": 1e-9},
    )
    return min(float(found.fun), 0.0)


def zcdp_delta(
    rho: float, epsilon: float, *, method: str = "canonne_kamath_steinke"
) -> float:
    r"""Convert ρ-zCDP into the δ that it guarantees at an ε.

    Parameters
    ----------
    rho : float
        :math:`\rho`: every Rényi divergence of order α is at most αρ. One Gaussian
        release has :math:`1/2\lambda^2`, and releases add up.
    method : {"canonne_kamath_steinke", "basic"}, optional
        The best conversion of one order at a time, or
        :math:`e^{-(\varepsilon-\rho)^2/4\rho}`.

    Returns
    -------
    float
        δ, an upper bound; 1 if nothing is guaranteed.

    Examples
    --------
    >>> basic = zcdp_delta(0.5, 4.0, method="basic")
    >>> round(basic, 5), round(zcdp_delta(0.5, 4.0), 5)  # the exact δ is 0.00005
    (0.00219, 0.0002)
    """
    rho = checks.positive(rho=rho)
    epsilon = checks.nonnegative(epsilon=epsilon)
    checks.one_of(CONVERSIONS, method=method)
    if method == "basic":
        return math.exp(-(min(max(epsilon - rho, 0.0), 1e150) ** 2) / (4 * rho))
    return math.exp(zcdp_log_delta(float(rho), float(epsilon)))


def zcdp_epsilon(
    rho: float, delta: float, *, method: str = "canonne_kamath_steinke"
) -> float:
    r"""Convert ρ-zCDP into the ε that it guarantees at a δ.

    Parameters
    ----------
    method : {"canonne_kamath_steinke", "basic"}, optional
        The best conversion of one order at a time, or
        :math:`\rho + 2\sqrt{\rho\ln(1/\delta)}`.

    Returns
    -------
    float
        ε in nats, an upper bound.

    Examples
    --------
    >>> from dpteach.accounting import gaussian_epsilon
    >>> [round(value, 3) for value in (zcdp_epsilon(0.5, 1e-6, method="basic"),
    ...                                zcdp_epsilon(0.5, 1e-6),
    ...                                gaussian_epsilon(1.0, 1e-6))]
    [5.757, 5.222, 4.887]
    """
    rho = checks.positive(rho=rho)
    delta = checks.probability(delta=delta)
    checks.one_of(CONVERSIONS, method=method)
    log_target = math.log(delta)
    basic = rho + 2 * math.sqrt(rho) * math.sqrt(-log_target)
    if not math.isfinite(1.001 * basic):
        raise ValueError(
            f"`rho` must be small enough for ε ≈ ρ to be a float, got {rho!r}. "
            "Add more noise."
        )
    if method == "basic":
        return basic
    if zcdp_log_delta(rho, 0.0) <= log_target:
        return 0.0
    return numerics.safe_root(
        lambda epsilon: zcdp_log_delta(rho, epsilon) - log_target, 0.0, 1.001 * basic
    )


def zcdp_rho(epsilon: float, delta: float) -> float:
    r"""Compute the largest ρ that guarantees (ε, δ), by the best conversion.

    Parameters
    ----------
    epsilon : float
        :math:`\varepsilon`, in nats, above 0.

    Returns
    -------
    float
        :math:`\rho`, to be divided among the releases.

    Examples
    --------
    >>> round(zcdp_rho(1.0, 1e-6), 6)
    0.024356
    """
    epsilon = checks.positive(epsilon=epsilon)
    delta = checks.probability(delta=delta)
    log_target = math.log(delta)
    root = math.sqrt(-log_target)
    good = (epsilon / (math.sqrt(epsilon + root * root) + root)) ** 2
    if not 1e-15 <= epsilon <= 1e15:
        raise ValueError(
            f"`epsilon` must be between 1e-15 and 1e15, got {epsilon!r}: beyond, ρ is "
            "lost in the rounding of its δ. Give a budget such as epsilon=1."
        )
    bad = 2 * good
    while zcdp_log_delta(bad, epsilon) <= log_target:
        good, bad = bad, 2 * bad
    return numerics.safe_root(
        lambda rho: zcdp_log_delta(rho, epsilon) - log_target, bad, 0.999 * good
    )
