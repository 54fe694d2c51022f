"""The track of attacks: was the record in? Three releases, and the best that can be."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from statistics import NormalDist

import numpy as np

from ...accounting import delta_of
from ...algorithms import square_root_factorization
from ...auditing import exact_mu
from ...grading.student import Student
from ...privacy import Relation, SampledGaussian

NAME, PARAMETERS = "guess", ("outputs", "effect", "noise", "rate")
RUNS = 40_000
_SAMPLED, _RATE = 1.0, 0.2  # noise over clip norm, and how often a record is drawn


@dataclass(frozen=True)
class Level:
    """A release that is attacked, and what no attack on it exceeds.

    Parameters
    ----------
    name : str
        What a board calls it.
    effect : ndarray
        What the record adds to the outputs if it is in, shape ``(steps,)``.
    noise : ndarray
        :math:`B`, shape ``(steps, steps)``: the outputs' noise is Bz.
    rate : float
        With which probability each entry of the effect is added, on its own.
    best : callable
        Computes the largest probability of a right guess.
    """

    name: str
    effect: np.ndarray
    noise: np.ndarray
    rate: float
    best: Callable[[], float]

    def outputs(self, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """Draw whether the record is in, and what is then published, many times."""
        inside = rng.random(RUNS) < 0.5
        drawn = rng.random((RUNS, len(self.effect))) < self.rate
        noise = rng.standard_normal((RUNS, self.noise.shape[1])) @ self.noise.T
        return inside, inside[:, None] * drawn * self.effect + noise


@cache
def levels() -> tuple[Level, ...]:
    """Return the three releases: fresh noise, correlated noise, sampled steps.

    Returns
    -------
    tuple of Level
        From the easiest to the hardest.

    Examples
    --------
    >>> [round(100 * level.best(), 1) for level in levels()]
    [69.1, 84.1, 66.8]
    """
    ones, root = np.ones(16), square_root_factorization(16)
    sums = 0.5 * root.sensitivity * root.decoder  # μ = 2
    return (
        Level("fresh noise", ones, 4 * np.eye(16), 1.0, lambda: _gaussian(0)),
        Level("correlated noise", ones, sums, 1.0, lambda: _gaussian(1)),
        Level("sampled steps", ones, _SAMPLED * np.eye(16), _RATE, _sampled),
    )


def _gaussian(number: int) -> float:
    """Compute Φ(μ/2): two normal distributions are told apart by a threshold."""
    level = levels()[number]
    return NormalDist().cdf(exact_mu(level.noise, level.effect) / 2)


def _sampled() -> float:
    """Half of 1 and of the total variation, which is δ at ε = 0."""
    event = SampledGaussian(
        _SAMPLED, rate=_RATE, releases=16, relation=Relation.ADD_REMOVE
    )
    return (1 + delta_of(event, 0.0)) / 2


def right_guesses(student: Student, seed: int) -> tuple[float, ...]:
    """Count how often a function is right about each release.

    Parameters
    ----------
    student : Student
        The function: it takes the outputs of many runs, shape ``(runs, steps)``, the
        ``effect``, the ``noise`` and the ``rate``, and returns a number for each run,
        above 0 where it guesses "in".
    seed : int
        Draws who is in, and all noise.

    Returns
    -------
    tuple of float
        The shares for ``levels()``.

    Raises
    ------
    Fault
        If the function fails, or returns something else.
    """
    rng, shares = np.random.default_rng(seed), []
    for level in levels():
        inside, outputs = level.outputs(rng)
        given = (outputs, level.effect, level.noise, level.rate)
        said = student.array((RUNS,), *given) > 0
        shares.append(float(np.mean(said == inside)))
    return tuple(shares)
