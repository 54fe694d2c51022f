"""Faults that an audit of twelve libraries found, each rebuilt in a few lines.

Cebere and others (2026) ran libraries on neighbors with equal randomness. Each function
here whose name does not begin with ``right`` is wrong. Noise is normal, whatever the
library draws, and its multiplier λ is the one that the claim asks for, so that a replay
prices all of them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt

import numpy as np

from ...accounting import gaussian_epsilon
from ...auditing import replayed_mu
from ..shared.tied_noise import DELTA, noise_for

Rng = np.random.Generator
CLASSES = (0.0, 1.0, 2.0)  # known before anybody saw a record


def right_total(x: np.ndarray, lam: float, rng: Rng) -> np.ndarray:
    """Clip numbers to [−1, 1]; what is no number counts as 0. Add up, add noise."""
    clipped = np.clip(np.where(np.isfinite(x), x, 0.0), -1, 1)
    return np.array([clipped.sum() + lam * rng.standard_normal()])


def domain_from_data(y: np.ndarray, lam: float, rng: Rng) -> np.ndarray:
    """Count the classes that occur: the last record of a class takes it along."""
    counts = [np.sum(y == each) for each in np.unique(y)]
    return np.array(counts) + lam * rng.standard_normal(len(counts))


def right_domain(y: np.ndarray, lam: float, rng: Rng) -> np.ndarray:
    """Count the classes that were announced."""
    counts = [np.sum(y == each) for each in CLASSES]
    return np.array(counts) + lam * rng.standard_normal(len(counts))


def clipped_copy_unused(x: np.ndarray, lam: float, rng: Rng) -> np.ndarray:
    """Clip into a new array, and add up the old one."""
    clipped = np.clip(x, -1, 1)  # noqa: F841  (the fault)
    return np.array([x.sum() + lam * rng.standard_normal()])


def not_a_number(x: np.ndarray, lam: float, rng: Rng) -> np.ndarray:
    """Clip, which leaves NaN as it is: one record turns the sum into NaN."""
    return np.array([np.clip(x, -1, 1).sum() + lam * rng.standard_normal()])


def scale_of_zero(x: np.ndarray, lam: float, rng: Rng) -> np.ndarray:
    """Spread noise over the features that are left, of which there are none."""
    features, used = 5, 5
    noise = lam * (features - used) * rng.standard_normal()
    return np.array([np.clip(x, -1, 1).sum() + noise])


def budget_twice(x: np.ndarray, lam: float, rng: Rng) -> np.ndarray:
    """Answer two questions, each with noise that is enough for one."""
    answers = np.array([np.clip(x, -1, 1).sum(), len(x)])
    return answers + lam * rng.standard_normal(2)


def right_budget(x: np.ndarray, lam: float, rng: Rng) -> np.ndarray:
    """Let each of both questions have the noise that two need."""
    return budget_twice(x, sqrt(2) * lam, rng)


def difference_of_scores(x: np.ndarray, lam: float, rng: Rng) -> np.ndarray:
    """Compare two scores, with noise for the one that a record moves by 1."""
    model, public = np.clip(x, -1, 1).sum(), np.clip(-x, -1, 1).sum()
    return np.array([model - public + lam * rng.standard_normal()])


def right_difference(x: np.ndarray, lam: float, rng: Rng) -> np.ndarray:
    """One record may raise one score and lower the other: their difference by 2."""
    return difference_of_scores(x, 2 * lam, rng)


def rare_left_out(y: np.ndarray, lam: float, rng: Rng) -> np.ndarray:
    """Publish a count if it is at least three: the question itself has no noise."""
    if len(y) < 3:
        return np.array([])
    return np.array([len(y) + lam * rng.standard_normal()])


def right_rare(y: np.ndarray, lam: float, rng: Rng) -> np.ndarray:
    """Publish the noisy count; whoever reads it may leave out what is small."""
    return np.array([len(y) + lam * rng.standard_normal()])


@dataclass(frozen=True)
class Fault:
    """One exhibit: wrong code, its repair, and neighbors on which the fault shows.

    Parameters
    ----------
    name : str
        What was done.
    wrong, repaired : callable
        The code.
    data, neighbor : ndarray
        The records of two neighbors; one record was added.
    """

    name: str
    wrong: Callable
    repaired: Callable
    data: np.ndarray
    neighbor: np.ndarray

    def price(self, epsilon: float, *, repaired: bool = False) -> float:
        """Compute the ε that these neighbors allow, where this one is claimed."""
        code, lam = self.repaired if repaired else self.wrong, noise_for(epsilon, 1)
        mu = replayed_mu(
            lambda data, rng: code(data, lam, rng), self.data, self.neighbor, rng=1
        )
        return gaussian_epsilon(mu, DELTA) if 0 < mu < np.inf else mu


def _fault(name: str, wrong: Callable, repaired: Callable, last: float) -> Fault:
    others = np.array([0.0, 1.0])
    return Fault(name, wrong, repaired, np.append(others, last), others)


FIRST = 17  # the number of the first one; those of the museum come before it
FAULTS = (
    _fault("take the classes from the records", domain_from_data, right_domain, 2.0),
    _fault("clip, and add up what was there", clipped_copy_unused, right_total, 8.0),
    _fault("clip NaN", not_a_number, right_total, np.nan),
    _fault("noise of scale zero", scale_of_zero, right_total, 1.0),
    _fault("the whole budget, twice", budget_twice, right_budget, 1.0),
    _fault("the difference of two scores", difference_of_scores, right_difference, 1.0),
    _fault("leave out what is rare", rare_left_out, right_rare, 1.0),
)
