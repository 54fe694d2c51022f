"""Beyond trees. Encoders with a banded inverse: little memory for noise, or none."""

import numpy as np

from ... import checks
from .toeplitz_encoder import InverseBands


def inverse_power_bands(
    bands: int, *, power: float = 0.5, discount: float = 1.0
) -> InverseBands:
    r"""Cut :math:`(1 - \alpha z)^\gamma` off after b coefficients: they are C⁻¹'s.

    .. math:: r_0 = 1, \qquad r_j = r_{j-1}\,\alpha\,\frac{j - 1 - \gamma}{j}

    γ = ½, α = 1 is the banded inverse square root of Kalinin and others (2026), Back to
    Square Roots; b = 2 is the noise of DP-λCGD, with λ = αγ.

    Parameters
    ----------
    bands : int
        :math:`b`. A stream keeps b - 1 draws, or draws them again.
    power : float, optional
        :math:`\gamma`, above 0, at most 1. With ½ and all T coefficients C is the
        square root of A; with b = 2, a share αγ of each draw is taken back.
    discount : float, optional
        :math:`\alpha`, above 0, at most 1.

    Returns
    -------
    InverseBands
        Its C has coefficients that are at least 0 and do not rise: up to lag b - 1
        their ratio is α(j - 1 + γ)/j ≤ 1; from there on, c_j - c_{j+1} is a sum of such
        differences with weights -r_i ≥ 0. So the first pattern of visits is the worst.

    Examples
    --------
    >>> inverse_power_bands(4).coefficients
    (1.0, -0.5, -0.125, -0.0625)
    >>> rules = {"participations": 10, "separation": 100}
    >>> [round(inverse_power_bands(4, power=power).mean_error(1000, **rules), 2)
    ...  for power in (0.5, 0.875)]
    [28.47, 14.71]
    """
    bands = checks.count(bands=bands)
    checks.fits(4 * bands, bands=bands)
    power, discount = checks.between(1e-9, 1.0, power=power, discount=discount)
    j = np.arange(1.0, bands)
    r = np.cumprod(np.append(1.0, discount * (j - 1 - power) / j))
    return InverseBands(tuple(r.tolist()))


def optimal_inverse_bands(
    steps: int,
    *,
    bands: int,
    participations: int = 1,
    separation: int = 1,
    objective: str = "mean",
) -> InverseBands:
    """Choose the b coefficients of C⁻¹ of least error, by quasi-Newton steps.

    Parameters
    ----------
    steps : int
        :math:`T`. The work grows as kT: a second for 10⁵ steps and one visit.
    bands : int
        :math:`b`, at most T. A stream keeps b - 1 draws, or draws them again.
    objective : {"mean", "max"}, optional
        Which error to minimize: the root of the mean variance, or the largest.

    Returns
    -------
    InverseBands
        A local minimum, with :math:`r_0 = 1` and all others below 0, so that C has no
        entry below 0.

    Examples
    --------
    >>> rules = {"participations": 10, "separation": 100}
    >>> lag = optimal_inverse_bands(1000, bands=2, **rules)
    >>> round(-lag.coefficients[1], 4), round(lag.mean_error(1000, **rules), 3)
    (0.953, 15.249)
    >>> more = optimal_inverse_bands(1000, bands=4, **rules)
    >>> round(more.mean_error(1000, **rules), 3)
    13.12
    """
    from scipy.optimize import minimize  # scipy here: importing stays fast

    steps, bands = checks.count(steps=steps, bands=bands)
    if bands > steps:
        raise ValueError(f"`bands` must be at most `steps`={steps}, got {bands}.")
    d, k = checks.count(separation=separation, participations=participations)
    checks.fits(8 * steps, steps=steps)
    checks.one_of(("mean", "max"), objective=objective)
    if bands == 1:
        return InverseBands((1.0,))
    d = min(d, steps)
    k = min(k, -(-steps // d))
    share = np.arange(steps, 0, -1) / steps if objective == "mean" else np.ones(steps)
    start = inverse_power_bands(bands, power=0.9).coefficients[1:]
    found = minimize(
        _log_error,
        np.log(-np.array(start)),
        args=(share, k, d),
        jac=True,
        method="L-BFGS-B",
        options={"maxiter": 1000, "maxcor": 30, "ftol": 1e-15, "gtol": 1e-9},
    ).x
    return InverseBands((1.0, *(-np.exp(found)).tolist()))


def _log_error(
    x: np.ndarray, share: np.ndarray, k: int, d: int
) -> tuple[float, np.ndarray]:
    """Compute the log error of r = (1, −e^x) and its slope."""
    from scipy.signal import lfilter

    T, r = len(share), np.append(1.0, -np.exp(x))
    impulses = np.zeros(T)
    impulses[: k * d : d] = 1  # the first pattern
    v = np.asarray(lfilter([1.0], r, impulses))  # the sum of its columns
    if not np.abs(v).max() < 1e8:  # a step too far
        return 100.0, np.zeros(len(x))
    e = np.cumsum(np.append(r, np.zeros(T - len(r))))
    moved, variance = v @ v, share @ (e * e)
    q = np.asarray(lfilter([1.0], r, v))
    later = np.cumsum((share * e)[::-1])[::-1]
    by_r = [later[j] / variance - v[j:] @ q[: T - j] / moved for j in range(1, len(r))]
    return float(np.log(moved * variance)) / 2, np.array(by_r) * r[1:]
