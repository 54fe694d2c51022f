"""Floor 2. Moments along a line of complex s, from losses and their weights.

They are computed as ratios to the moment at the real point of the line: logarithms that
keep their digits, each with a bound of its error.
"""

import math
from dataclasses import dataclass

import numpy as np

from .nonuniform_fourier import UNIT, exponential_sums


@dataclass(frozen=True)
class Moments:
    """Moments along a line of s, as ratios to the moment at its real point c.

    Parameters
    ----------
    log_at_c : float
        ln E[e^{cL}].
    log_ratio, error : array
        ln of the ratios E[e^{sL}]/E[e^{cL}] without the jumps, if these are separated,
        and bounds of the ratios' relative errors.
    log_jumps, jumps_error : array or 0
        What the jumps add to the logarithms, and bounds of the errors.
    """

    log_at_c: float
    log_ratio: np.ndarray
    error: np.ndarray
    log_jumps: np.ndarray | float = 0.0
    jumps_error: np.ndarray | float = 0.0


def moments_of_nodes(
    loss: np.ndarray,
    log_weight: np.ndarray,
    off: np.ndarray | float,
    far: np.ndarray | None,
    log_at_c: float,
    line: tuple[float, float, int],
) -> Moments:
    """Compute moments at s = c + 2πij/period, j < count, from nodes and their weights.

    ``off`` is a bound of each node's own error in units of rounding, ``far`` the share
    of each node that is a jump, and ``line`` holds c, the period and the count.
    """
    c, period, count = line
    exponent = c * loss + log_weight
    weight = np.exp(exponent - np.max(exponent))
    weight /= np.sum(weight)
    t = 2 * math.pi / period * np.arange(count)
    jumps = weight * (0.0 if far is None else far)
    both = weight[None] if far is None else np.stack([weight, jumps])
    (gained, *beyond), (errors, *beyond_errors) = _sums(loss, both, period, t)
    # A node is off by the rounding of y, its weight by that of its exponent, and a
    # loss by eight units of its size. What counts is their share of e^{itL} − 1.
    units = 20 + off + 2 * np.abs(exponent)
    errors = errors + _rounding(weight, units, loss, c + t)
    if far is None:
        ratio = log1p(gained)
        return Moments(log_at_c, ratio, _relative(errors, ratio))
    beyond, more = beyond[0] + np.sum(jumps), UNIT * float(np.sum(jumps * units))
    beyond_errors = beyond_errors[0] + _rounding(jumps, units, loss, c + t) + more
    ratio = log1p(gained - beyond)
    errors = _relative(errors + beyond_errors, ratio)
    share = beyond * np.exp(-ratio)
    jumps_error = _relative(beyond_errors, ratio) + np.abs(share) * errors
    return Moments(log_at_c, ratio, errors, log1p(share), jumps_error)


def _sums(
    loss: np.ndarray, weights: np.ndarray, period: float, t: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Compute Σ weight (e^{itL} − 1) for each row, and bounds of the errors."""
    # Small losses use powers of tL, which keeps their digits even if they have nearly
    # all of the weight; the others use a Fourier transform
    small = np.abs(loss) * t[-1] <= 1
    gained = np.stack([_by_powers(loss[small], each[small], t) for each in weights])
    errors = np.full(gained.shape, 1e-22)
    if not np.all(small):
        large = weights[:, ~small]
        sums, error = exponential_sums(loss[~small], large, period, len(t))
        gained = gained + (sums - np.sum(large, axis=1, keepdims=True))
        gained[:, 0], errors[:, 1:] = 0.0, error[:, None]
    return gained, errors + 4 * UNIT * np.abs(gained)


def _rounding(
    weight: np.ndarray, units: np.ndarray, loss: np.ndarray, s: np.ndarray
) -> np.ndarray:
    # the error of each weight counts by its share of e^{itL} − 1
    off, size = weight * units, np.abs(loss)
    shared = np.minimum(s * float(np.sum(off * size)), 2 * float(np.sum(off)))
    return UNIT * (shared + 8 * s * float(np.sum(weight * size)))


def _relative(errors: np.ndarray, log_ratio: np.ndarray) -> np.ndarray:
    # a ratio near 0 has no digit left
    return np.minimum(errors * np.exp(np.minimum(-np.real(log_ratio), 600)), 1e15)


def _by_powers(loss: np.ndarray, weight: np.ndarray, t: np.ndarray) -> np.ndarray:
    """Compute Σ weight (e^{itL} − 1) for |tL| ≤ 1, by its series."""
    unit = float(np.max(np.abs(loss), initial=0.0))
    if unit == 0:
        return np.zeros(len(t), complex)
    # weight · L^m/m! in units of the largest loss
    terms, power = [0.0], weight
    for m in range(1, 21):
        power = power * (loss / (unit * m))
        terms.append(float(np.sum(power)))
    return np.polynomial.polynomial.polyval(1j * t * unit, terms)


def log1p(z: np.ndarray) -> np.ndarray:
    """Compute ln(1 + z) to rounding.

    By parts near 0; directly near −1, where 1 + z is exact.
    """
    if not np.iscomplexobj(z):
        return np.log1p(z)
    x, y = np.real(z), np.imag(z)
    near = np.abs(1 + z) > 0.5
    size = np.where(near, x * (2 + x) + y**2, 0.0)
    plain = np.log(np.maximum(np.abs(1 + z), 1e-300))
    return np.where(near, 0.5 * np.log1p(size), plain) + 1j * np.arctan2(y, 1 + x)
