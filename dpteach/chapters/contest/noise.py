"""The track of noise: running sums as exact as a tape certifies them to be private."""

from dataclasses import dataclass
from functools import cache

import numpy as np

from ...algorithms import multi_participation_factorization
from ...auditing import Tape, noise_map
from ...constraints import Everywhere
from ...data import digits
from ...grading.report import Fault
from ...grading.student import Student
from ...losses import softmax
from ...problem import Problem

NAME, PARAMETERS = "noise", ("steps", "epochs", "rng")
STEPS, EPOCHS, MU = 64, 4, 1.0
# Below this ratio of its least deviation to its largest, noise counts as singular: the
# price would rest on digits that the tape does not have.
_SINGULAR = 1e-6
# The function runs once for each normal that it draws, so they are few.
MOST_NORMALS = 4_096
# The models that are trained: on how many images, how often, and at which rate.
_IMAGES, _RUNS, _RATE = 1_200, 10, 0.1


@dataclass(frozen=True)
class Certified:
    """Noise as it was recovered from running code, and what it costs.

    Parameters
    ----------
    matrix : ndarray
        :math:`B`, shape ``(steps, draws)``: the noise of the sums is Bz.
    mu : float
        Over all records that come once per pass, no pair is further apart.
    """

    matrix: np.ndarray
    mu: float

    @property
    def error(self) -> float:
        """The root of the sums' mean squared error, at noise that costs μ = 1."""
        return self.mu / MU * float(np.sqrt((self.matrix**2).sum() / len(self.matrix)))


def certify(student: Student) -> Certified:
    r"""Recover the noise that a function adds to running sums, and its exact price.

    A record of norm at most 1 comes in step j of each pass. It moves the sums by
    :math:`A u`, where u has entries of size at most 1 in these steps J. With
    :math:`G = A^\top(BB^\top)^{-1}A`, that costs at most
    :math:`\mu^2 = \sum_{i,j\in J}\lvert G_{ij}\rvert`, also if the vectors are chosen
    after looking at earlier sums, because the noise is Gaussian [Theorem 15.2].

    Parameters
    ----------
    student : Student
        The function, which takes ``steps``, ``epochs`` and ``rng``.

    Returns
    -------
    Certified
        The noise, and the largest μ over the records.

    Raises
    ------
    Fault
        If the noise has a part that is not random, or misses some direction.
    NotGaussian
        If it is not a linear map of the normals that it draws from ``rng``.
    """

    def drawn(rng: np.random.Generator) -> np.ndarray:
        return student.array((STEPS,), STEPS, EPOCHS, rng)

    tape = Tape()
    drawn(tape)
    if tape.draws > MOST_NORMALS:  # the function is called once for each
        raise Fault(
            "the normals that are drawn", f"{tape.draws}", f"at most {MOST_NORMALS}",
            "One for each step is enough for any noise of this kind.",
        )  # fmt: skip
    recovered = noise_map(drawn)
    B, still = recovered.matrix, recovered.mean
    if np.abs(still).max(initial=0.0) > 1e-9 * np.abs(B).max(initial=0.0):
        raise Fault(
            "the noise with all normals zero", "not 0", "0 in each step",
            "What is not random protects nobody, and makes the sums wrong.",
        )  # fmt: skip
    return Certified(B, _price(B))


def _price(B: np.ndarray) -> float:
    U, s, _ = np.linalg.svd(B, full_matrices=False)
    if len(s) < STEPS or s[-1] <= _SINGULAR * s[0]:
        raise Fault(
            "the noise of all sums together",
            "a combination of the sums without noise",
            "noise in each direction",
            "Adding and subtracting your sums reveals a record. Count how many normals "
            "you draw: there must be at least one for each step.",
        )
    moved = (U.T @ np.tri(STEPS)) / s[:, None]
    gram = np.abs(moved.T @ moved)
    passes = np.arange(STEPS).reshape(EPOCHS, -1).T
    return float(np.sqrt(max(gram[np.ix_(J, J)].sum() for J in passes)))


@cache
def least_error() -> float:
    """Compute an error below which no noise of this price gets.

    Returns
    -------
    float
        The certified lower bound of ``multi_participation_factorization``.
    """
    _, certificate = multi_participation_factorization(steps=STEPS, epochs=EPOCHS)
    return certificate.lower_bound / MU


def accuracy(certified: Certified, seed: int) -> float:
    """Train on images of digits with this noise, and test on others.

    Parameters
    ----------
    certified : Certified
        The noise; it is scaled to cost μ = 1.
    seed : int
        Chooses which images are hidden for the test, and draws the noise.

    Returns
    -------
    float
        The share of hidden images that are read rightly, a mean of ten runs.
    """
    rng, data = np.random.default_rng(seed), digits()
    order = rng.permutation(len(data.y))
    train, test = order[:_IMAGES], order[_IMAGES:]
    batches = [
        Problem(data.X[part], data.y[part], softmax(10), Everywhere())
        for part in np.array_split(train, STEPS // EPOCHS)
    ] * EPOCHS
    B = certified.matrix * (certified.mu / MU)
    right = []
    for _ in range(_RUNS):
        theta = np.zeros(batches[0].p)
        noise, total = B @ rng.standard_normal((B.shape[1], theta.size)), 0.0
        for batch, drawn in zip(batches, noise, strict=True):
            total = total + batch.clipped_gradient(theta, 1.0)
            theta = -_RATE * (total + drawn)
        scores = data.X[test] @ theta.reshape(-1, 10)
        right.append(np.mean(scores.argmax(axis=1) == data.y[test]))
    return float(np.mean(right))
