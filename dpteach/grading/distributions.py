"""The fallback: what 3,000 runs say about noise that no tape can replay.

Every bound here is a theorem for all sample sizes, so that correct code fails each test
with probability 1e-6 at most; and each says how small a fault it can miss.
"""

import math
from statistics import NormalDist

import numpy as np

from .report import Fault

# A quick look that catches what is far off, and then a close one.
RUNS = (250, 3000)
FALSE_ALARM = 1e-6
# Among so many numbers a scale that is 3% off is seen; ask for them at a third of it.
_SURE, _SUSPECT = 48_000, 0.01

_erf = np.vectorize(math.erf, otypes=[float])


def normal_distance(x: np.ndarray) -> float:
    """Compute Kolmogorov's distance between samples and N(0, 1)."""
    x = np.sort(x.ravel())
    below = 0.5 * (1 + _erf(x / math.sqrt(2)))
    i = np.arange(x.size)
    return float(max((below - i / x.size).max(), ((i + 1) / x.size - below).max()))


def distance_by_chance(count: int, false_alarm: float) -> float:
    """Bound the distance that true samples exceed so rarely (Massart)."""
    return math.sqrt(math.log(2 / false_alarm) / (2 * count))


def squares_by_chance(count: int, false_alarm: float) -> tuple[float, float]:
    """Bound the mean square of normals on both sides (Laurent and Massart)."""
    x = math.log(2 / false_alarm)
    return 1 - 2 * math.sqrt(x / count), 1 + 2 * math.sqrt(x / count) + 2 * x / count


def stretch_by_chance(runs: int, p: int, false_alarm: float) -> tuple[float, float]:
    """Bound the deviations in all directions (Davidson and Szarek)."""
    t = math.sqrt(p) + math.sqrt(2 * math.log(2 / false_alarm))
    return 1 - t / math.sqrt(runs), 1 + t / math.sqrt(runs)


def largest_by_chance(count: int, false_alarm: float) -> tuple[float, float]:
    """Bound the largest size of so many normals on both sides (exact)."""
    tails = (
        -math.expm1(math.log(false_alarm / 2) / count),  # none is beyond the first
        -math.expm1(math.log1p(-false_alarm / 2) / count),  # none beyond the second
    )
    low, high = (-NormalDist().inv_cdf(tail / 2) for tail in tails)
    return low, high


def more_runs(Y: np.ndarray) -> int:
    """Count the runs that are needed to judge a scale that looks a little off."""
    scale = math.sqrt(float(np.mean(Y**2)))
    if abs(scale - 1) < _SUSPECT or Y.size >= _SURE:
        return 0
    return math.ceil(_SURE / Y.shape[1])


def demand_standard_normal(Y: np.ndarray, what: str, hint: str, rate: float) -> None:
    """Demand rows that are independent N(0, I), after scaling to what is wanted.

    With 3,000 rows of 4 entries a deviation that is 5% off in all directions is
    caught, one that is 15% off in a single direction, a mean of 0.07 deviations in
    each entry, a distribution at a distance of 0.03, and noise that is cut at 3
    deviations. ``rate`` bounds the false alarms.
    """
    runs, p = Y.shape
    rate = rate / 6
    low, high = squares_by_chance(Y.size, rate)
    scale = math.sqrt(float(np.mean(Y**2)))
    if not low <= scale**2 <= high:
        raise Fault(
            f"the standard deviation of {what}",
            f"about {scale:.3g} times what is asked for, over {runs} runs",
            f"{math.sqrt(low):.3g} to {math.sqrt(high):.3g} times it, which is chance",
            hint,
        )
    stretch = np.linalg.svd(Y, compute_uv=False) / math.sqrt(runs)
    low, high = stretch_by_chance(runs, p, rate)
    if stretch[-1] < low or stretch[0] > high:
        raise Fault(
            f"the standard deviation of {what}, by direction",
            f"from {stretch[-1]:.2g} to {stretch[0]:.2g} times what is asked for",
            "the same in all directions",
            f"{hint} Is each number that you need drawn afresh, and by itself?",
        )
    _demand_distribution(Y, what, hint, rate)


def _demand_distribution(Y: np.ndarray, what: str, hint: str, rate: float) -> None:
    runs, p = Y.shape
    mean = np.linalg.norm(Y.mean(axis=0))
    most = math.sqrt(p * squares_by_chance(p, rate)[1] / runs)
    if mean > most:
        raise Fault(
            f"the mean of {what}, in standard deviations",
            f"a length of {mean:.3g}, over {runs} runs",
            f"at most {most:.2g}, which is chance",
            f"{hint} Noise must be centered at 0.",
        )
    _demand_normal_entries(Y, f"the distribution of {what}", hint, rate)
    # Independent normals stay so if they are rotated; others are then seldom normal.
    Q, _ = np.linalg.qr(np.random.default_rng(0).standard_normal((p, p)))
    _demand_normal_entries(
        Y @ Q, f"how the numbers of {what} hang together", hint, rate
    )
    _demand_tails(Y, what, hint, rate)


def _demand_normal_entries(Y: np.ndarray, quantity: str, hint: str, rate: float):
    distance, most = normal_distance(Y), distance_by_chance(Y.size, rate)
    if distance > most:
        raise Fault(
            quantity,
            f"Kolmogorov distance {distance:.3f} from the normal distribution, over "
            f"{len(Y)} runs",
            f"at most {most:.3f}, which is chance",
            f"{hint} The guarantee holds for independent Gaussian noise.",
        )


def _demand_tails(Y: np.ndarray, what: str, hint: str, rate: float) -> None:
    largest, (low, high) = np.abs(Y).max(), largest_by_chance(Y.size, rate)
    if not low <= largest <= high:
        raise Fault(
            f"the tails of {what}: the largest of {Y.size} draws",
            f"{largest:.3g} standard deviations",
            f"{low:.3g} to {high:.3g} of them, which is chance",
            f"{hint} Gaussian noise is not cut anywhere, and its tails are thin.",
        )
