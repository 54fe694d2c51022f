"""Exact audits of sampling schemes: the probabilities of one attack, computed exactly.

The record's gradient points up. The attacker watches the noisy sums and counts how many
stick out above a threshold. What that count reveals gives a lower bound of ε: no price
below it can be right. No random numbers are involved.
"""

import math

import numpy as np

from ... import checks, numerics
from ...accounting import gaussian_epsilon

SCHEMES = (
    "fixed order",
    "shuffled",
    "fixed size",
    "with replacement",
    "balls and bins",
    "random allocation",
    "Poisson",
)
MEMBERS = 100  # how many records a batch holds on average, for draws with replacement
_MOST = 400  # counts above this are treated alike


def audited_epsilon(
    scheme: str, noise_multiplier: float, *, steps: int, epochs: int, delta: float
) -> float:
    r"""Bound from below the ε of a sampling scheme, by the best threshold.

    Examples
    --------
    >>> settings = {"steps": 1000, "epochs": 1, "delta": 1e-6}
    >>> round(audited_epsilon("Poisson", 0.6972, **settings), 2)
    0.97
    >>> round(audited_epsilon("shuffled", 0.6972, **settings), 2)  # the same noise
    7.35
    """
    checks.one_of(SCHEMES, scheme=scheme)
    checks.positive(noise_multiplier=noise_multiplier)
    checks.count(steps=steps, epochs=epochs)
    checks.probability(delta=delta)
    if steps % epochs or steps == epochs:
        raise ValueError(
            f"`steps` must be a multiple of `epochs`={epochs}, at least twice it, got "
            f"{steps}. Each epoch needs the same number of batches."
        )
    if scheme == "fixed order":  # the attacker knows when, and adds up
        return gaussian_epsilon(math.sqrt(epochs) / noise_multiplier, delta)
    with_it, without = _counts(scheme, noise_multiplier, steps, epochs)

    def missed(epsilon: float) -> float:
        gain = with_it - math.exp(epsilon) * without
        found = float(np.maximum(gain, 0).sum(axis=1).max())
        return math.log(max(found, 1e-300) / delta)

    if missed(0.0) <= 0:
        return 0.0
    most = 1.0
    while missed(most) > 0:
        most *= 2
    return numerics.safe_root(missed, 0.0, most) * (1 - 1e-9)


def shuffle_chances(
    noise_multiplier: float, batches: int, threshold: np.ndarray | float
) -> tuple[np.ndarray, np.ndarray]:
    """Compute how likely some batch of a shuffled epoch is above a threshold.

    All other records have gradient −1. Batch sums are counted from that of a batch of
    these: it is 2 higher with the record, whose gradient is 1, and 1 higher if the
    record's gradient is zeroed out.

    Examples
    --------
    >>> with_it, without = shuffle_chances(0.5, 100, 3.0)
    >>> round(float(with_it), 4), round(float(without), 6)
    (0.0228, 3.2e-05)
    """
    checks.positive(noise_multiplier=noise_multiplier)
    checks.count(batches=batches)
    from scipy.special import log_ndtr

    at = np.asarray(threshold) / noise_multiplier
    others = (batches - 1) * log_ndtr(at)
    with_it, without = (
        -np.expm1(others + log_ndtr(at - shift / noise_multiplier)) for shift in (2, 1)
    )
    return with_it, without


def _counts(
    scheme: str, lam: float, steps: int, epochs: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return the distributions of the count, one row per threshold."""
    C = np.linspace(0.0, 2 + lam * (6 + math.sqrt(2 * math.log(steps))), 600)
    batches = steps // epochs
    if scheme == "random allocation":
        return _allocated_counts(C / lam, 1 / lam, steps, epochs)
    if scheme == "shuffled":  # in how many epochs is some sum above C?
        times, chances = epochs, shuffle_chances(lam, batches, C)
    elif scheme == "balls and bins":
        times, chances = epochs, _bin_chances(lam, batches, C)
    else:  # how many steps have a sum above C?
        times, chances = steps, _step_chances(scheme, lam, batches, C)
    with_it, without = (_binomial(times, each) for each in chances)
    return with_it, without


def _binomial(times: int, chance: np.ndarray) -> np.ndarray:
    """Return the distribution of a count of independent trials, one row per chance."""
    from scipy.stats import binom

    k = np.arange(min(times, _MOST) + 1)
    return np.asarray(binom.pmf(k, times, chance[:, None]))


def _bin_chances(
    lam: float, batches: int, C: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Compute how likely some sum of an epoch is above C; the record lifts one."""
    from scipy.special import log_ndtr

    z, move = C / lam, 1 / lam
    others = (batches - 1) * log_ndtr(z)
    with_it, without = (-np.expm1(others + log_ndtr(each)) for each in (z - move, z))
    return with_it, without


def _step_chances(
    scheme: str, lam: float, batches: int, C: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Compute how likely the sum of a step is above C, with the record and without."""
    from scipy.special import ndtr
    from scipy.stats import binom

    z, move = C / lam, 1 / lam
    out = ndtr(-z)
    if scheme == "with replacement":
        times = np.arange(12)
        weight = binom.pmf(times, MEMBERS, 1 / (MEMBERS * batches))
        return ndtr(2 * times * move - z[:, None]) @ weight, out
    reach = 2 if scheme == "fixed size" else 1
    share = 1 / batches
    return (1 - share) * out + share * ndtr(reach * move - z), out


def _allocated_counts(
    z: np.ndarray, move: float, steps: int, epochs: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return the distributions of the count if the record is in ``epochs`` steps."""
    from scipy.special import ndtr
    from scipy.stats import binom

    out = ndtr(-z)
    k = np.arange(min(steps, _MOST) + 1)
    rest = np.asarray(binom.pmf(k, steps - epochs, out[:, None]))
    seen = ndtr(move - z)[:, None]
    there = np.asarray(binom.pmf(k[: epochs + 1], epochs, seen))
    both = np.zeros_like(rest)
    for j in range(there.shape[1]):
        both[:, j:] += there[:, j : j + 1] * rest[:, : rest.shape[1] - j]
    return both, _binomial(steps, out)
