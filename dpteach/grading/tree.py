"""The fall-back for a tree whose noise no tape can replay: its covariance, measured."""

import math

import numpy as np

from .distributions import (
    FALSE_ALARM,
    distance_by_chance,
    normal_distance,
    squares_by_chance,
)
from .report import Fault


def demand_measured_tree(samples: np.ndarray, x: np.ndarray, sigma: float) -> None:
    """Demand privacy, accuracy and a normal law of noisy prefix sums of scalars.

    For a record that moves the sums by d, (N−1) d′Σ⁻¹d / d′S⁻¹d is χ² of N−n degrees
    of freedom, whatever the covariance Σ. Over 3,000 runs noise that is 8 % too small
    is caught. The bounds hold for all sizes; false alarm 1e-6 in all.
    """
    noise = samples[:, :, 0] - np.cumsum(x[:, 0])
    runs, n = noise.shape
    rate = FALSE_ALARM / (5 * n)
    deviation = noise.std(axis=0, ddof=1)
    if (deviation == 0).any() or np.linalg.cond(np.corrcoef(noise.T)) > 1e9:
        raise Fault(
            f"the noise of {n} sums over {runs} runs",
            "a combination of the sums without noise",
            "noise in every combination",
            "Is each node noised by a draw of its own?",
        )
    _demand_privacy(noise, sigma, rate)
    nodes = np.array([t.bit_count() for t in range(1, n + 1)])
    _, high = squares_by_chance(runs - 1, rate)
    if (deviation**2 > nodes * sigma**2 * high).any():
        t = int(np.argmax(deviation**2 / nodes))
        raise Fault(
            f"the noise at t = {t + 1} of n = {n}, over {runs} runs",
            f"variance {deviation[t] ** 2 / sigma**2:.3g} sigma²",
            f"{nodes[t]} sigma² at most",
            "Each 1 in the binary digits of t stands for one node.",
        )
    _demand_normal(noise / deviation, rate)


def _demand_privacy(noise: np.ndarray, sigma: float, rate: float) -> None:
    runs, n = noise.shape
    inverse = np.linalg.inv(np.cov(noise.T).reshape(n, n))
    moves = np.tril(np.ones((n, n)))  # column i: record i is in S_i, S_{i+1}, …
    mus = np.sqrt(np.einsum("ti,ts,si->i", moves, inverse, moves))
    most = math.sqrt(n.bit_length()) / sigma
    low, _ = squares_by_chance(runs - n, rate)
    allowed = most * math.sqrt((runs - 1) / (low * (runs - n)))
    if (mus > allowed).any():
        i = int(np.argmax(mus))
        raise Fault(
            f"the privacy of record {i + 1} of {n}, measured over {runs} runs",
            f"μ of about {mus[i]:.3g}",
            f"√{n.bit_length()}/sigma = {most:.3g} at most",
            "Is each node noised once, with deviation sigma, and then used again?",
        )


def _demand_normal(scaled: np.ndarray, rate: float) -> None:
    # A mean and a deviation that are fitted bring samples nearer to the law, not away.
    centred = scaled - scaled.mean(axis=0)
    off = math.sqrt(2 * math.log(2 / rate) / len(scaled))
    if (np.abs(scaled.mean(axis=0)) > 1.1 * off).any():
        raise Fault(
            "the mean of the noise, in deviations",
            f"{np.abs(scaled.mean(axis=0)).max():.3g}",
            f"at most {1.1 * off:.2g}, which is chance",
            "Noise must be centred at 0.",
        )
    worst = max(normal_distance(column) for column in centred.T)
    if worst > distance_by_chance(len(centred), rate):
        raise Fault(
            f"the law of the noise over {len(centred)} runs",
            f"Kolmogorov distance {worst:.3f} from a normal law",
            f"at most {distance_by_chance(len(centred), rate):.3f}, which is chance",
            "The guarantee is that of Gaussian noise.",
        )
