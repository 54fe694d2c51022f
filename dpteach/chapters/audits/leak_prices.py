"""What leaks cost: from the code where all noise is normal, else from probabilities.

A price goes from the ε that is claimed, at δ = 10⁻⁶, to the least ε that two neighbors
allow.
"""

from collections.abc import Callable
from functools import cache
from math import exp, expm1, inf, log

import numpy as np

from ...accounting import calibrate, gaussian_epsilon
from ...auditing import exact_mu, noise_map
from ...numerics import safe_root
from ...privacy import Relation, SampledGaussian
from ..shared.tied_noise import DELTA, noise_for
from . import leaks

Pair = tuple[np.ndarray, np.ndarray]  # the records of two neighbors
Price = Callable[[float], float]  # from the ε that is claimed to the ε that is paid


def gaussian_pair_epsilon(
    mechanism: Callable, pair: Pair, noise_multiplier: float, delta: float = DELTA
) -> float:
    """Compute the exact ε of a Gaussian mechanism on two neighbors, from its code.

    Examples
    --------
    >>> rows = np.eye(3)[:, :2]  # the last of three rows is zero
    >>> twice = lambda G, lam, rng: leaks.right_sum(2 * G, lam, rng)  # clipped anyway
    >>> round(gaussian_pair_epsilon(twice, (rows, rows[1:]), noise_for(1.0, 1)), 6)
    1.0
    """
    first, second = (
        noise_map(lambda rng, D=D: mechanism(D, noise_multiplier, rng)) for D in pair
    )
    moved = first.mean - second.mean
    if np.allclose(first.covariance, second.covariance, rtol=1e-9, atol=0):
        mu = exact_mu(first.matrix, moved)
        return gaussian_epsilon(mu, delta) if 0 < mu < inf else mu
    sizes = [float(np.linalg.norm(each.matrix, 2)) for each in (first, second)]
    round_ = [
        np.allclose(each.covariance, size**2 * np.eye(len(moved)), atol=1e-9 * size**2)
        for each, size in zip((first, second), sizes, strict=True)
    ]
    if moved.any() or not all(round_):
        raise ValueError("`pair` must give noises that differ in their size alone.")
    return _scales_epsilon(max(sizes) / min(sizes), len(moved), delta)


def _scales_epsilon(ratio: float, p: int, delta: float) -> float:
    """Tell N(0, I) from N(0, ratio² I): the squared length says all that there is."""
    from scipy.stats import chi2

    def square(e: float) -> float:  # where the log-ratio of wide to narrow is e
        return 2 * (e + p * log(ratio)) / (1 - ratio**-2)

    def excess(e: float) -> float:
        at = square(e)
        wide = chi2.sf(at / ratio**2, p) - exp(e + chi2.logsf(at, p))
        at = max(square(-e), 0.0)
        narrow = chi2.cdf(at, p) - exp(e + chi2.logcdf(at / ratio**2, p))
        return float(max(wide, narrow)) - delta

    return safe_root(excess, 0.0, 500.0) if excess(0.0) > 0 else 0.0


BATCHES = 100  # of the shuffled epoch


@cache
def coin_noise(epsilon: float) -> float:
    """Compute the noise multiplier of 100 batches that records join by coins.

    Examples
    --------
    >>> round(coin_noise(1.0), 3)
    0.986
    """
    return calibrate(
        lambda lam: SampledGaussian(
            lam, rate=1 / BATCHES, releases=BATCHES, relation=Relation.ZERO_OUT
        ),
        epsilon,
        DELTA,
    )


def shuffled_rates(threshold: float, noise_multiplier: float) -> tuple[float, float]:
    """Compute how often some batch exceeds a threshold, with the record and without.

    All other records pull by −1. The record pulls by 1, or has been zeroed out.

    Examples
    --------
    >>> having, lacking = shuffled_rates(4.0, coin_noise(1.0))
    >>> having / lacking > 6
    True
    """
    from scipy.stats import norm

    calm = (BATCHES - 1) * norm.logcdf(threshold)
    having, lacking = (
        -expm1(calm + norm.logcdf(threshold - pull / noise_multiplier))
        for pull in (2.0, 1.0)
    )
    return having, lacking


def shuffled_epsilon(epsilon: float) -> float:
    """Bound the price of shuffled batches from below, by the best threshold.

    The probabilities are exact, so the bound is certain.
    """
    lam, best = coin_noise(epsilon), 0.0
    for threshold in np.linspace(0, 12, 481):
        having, lacking = shuffled_rates(float(threshold), lam)
        if having > DELTA and lacking > 0:
            best = max(best, log((having - DELTA) / lacking))
    return best


def best_of(runs: int) -> Price:
    """Price the largest of several normals: its log-ratio is monotone."""
    from scipy.stats import norm

    def price(epsilon: float) -> float:
        mu = 1 / noise_for(epsilon, 1)
        most = 20 + 30 * epsilon  # above every price that comes out
        far = (most + 10) / mu + mu

        def log_ratio(x: float) -> float:  # without the record over with it, at x
            rise = norm.logcdf(x) - norm.logcdf(x - mu)
            return float(mu**2 / 2 - mu * x + (runs - 1) * rise)

        def excess(e: float) -> float:
            low = safe_root(lambda x: log_ratio(x) - e, -far, far)
            below = [runs * norm.logcdf(low - move) for move in (0.0, mu)]
            high = safe_root(lambda x: log_ratio(x) + e, -far, far)
            above = [runs * norm.logcdf(high - move) for move in (0.0, mu)]
            without = exp(below[0]) - exp(e + below[1])
            having = -expm1(above[1]) + exp(e) * expm1(above[0])
            return max(without, having) - DELTA

        return safe_root(excess, 0.0, most)

    return price


def stopped_epsilon(epsilon: float) -> float:
    """Price a stop after the first step, which seven records can never cause."""
    from scipy.stats import norm

    # with eight records of gradient 1 the first model is above zero this often
    seen = norm.cdf(8 / noise_for(epsilon, 4))
    return inf if seen > DELTA else 0.0


def threshold_epsilon(epsilon: float, pair: Pair, *, noise: bool) -> float:
    """Price a stop above a threshold exactly, with noise on it or without.

    Examples
    --------
    >>> two = np.zeros((1, 50)), np.zeros((0, 50))
    >>> threshold_epsilon(1.0, two, noise=True)  # a record that moves no answer
    0.0
    """
    from ...mechanisms import above_threshold_probabilities

    scales = {"threshold_scale": 2 / epsilon, "answer_scale": 4 / epsilon}
    if not noise:
        scales = {"threshold_scale": 0.0, "answer_scale": 2 / epsilon}
    distributions = [
        above_threshold_probabilities(X.sum(axis=0), threshold=0.0, **scales)
        for X in pair
    ]

    def excess(e: float) -> float:
        first, second = distributions
        ways = (first - exp(e) * second, second - exp(e) * first)
        return max(float(np.maximum(way, 0).sum()) for way in ways) - DELTA

    return safe_root(excess, 0.0, 60.0) if excess(0.0) > 0 else 0.0


def last_bits_rate(noise_multiplier: float) -> float:
    """Compute how often a noisy count of 0 shows bits that a count of 1 never shows.

    Examples
    --------
    >>> round(last_bits_rate(3.7), 4)
    0.0449
    """
    from scipy.stats import norm

    # Between 2^(−k−1) and 2^(−k) numbers are 2^(−k−53) apart.
    return float(
        sum(
            2 * (1 - 2.0**-k)
            * (norm.cdf(2.0**-k / noise_multiplier)
               - norm.cdf(2.0 ** -(k + 1) / noise_multiplier))
            for k in range(2, 60)
        )
    )  # fmt: skip


def floats_epsilon(epsilon: float) -> float:
    """Price floating-point noise on a count, by its last bits."""
    return inf if last_bits_rate(noise_for(epsilon, 1)) > DELTA else 0.0


def discrete_noise(epsilon: float) -> float:
    """Compute the λ of discrete Gaussian noise, in units of one record.

    Examples
    --------
    >>> discrete_noise(1.0) > noise_for(1.0, 1)
    True
    """
    return (1 + 1e-6) * noise_for(epsilon, 1)


def discrete_epsilon(epsilon: float) -> float:
    """Price discrete Gaussian noise exactly, as a sum over whole numbers."""
    sigma = leaks.GRID * discrete_noise(epsilon)
    x = np.arange(-int(12 * sigma) - leaks.GRID, int(12 * sigma) + leaks.GRID)
    logs = -(x**2) / (2 * sigma**2)
    logs = logs - log(np.exp(logs).sum())
    moved = logs[: -leaks.GRID]
    here = logs[leaks.GRID :]

    def excess(e: float) -> float:
        return float(np.maximum(np.exp(here) - np.exp(e + moved), 0).sum()) - DELTA

    return safe_root(excess, 0.0, 60.0)
