"""The noise of the models of DP-FTRL: that of a tree, no less and no more."""

from math import sqrt

import numpy as np

from .....auditing import exact_mu
from .....grading.distributions import RUNS
from .....grading.ladder import demand_measured_noise, found_noise
from .....grading.report import Fault
from .....grading.student import Student
from .misreadings import FAR


def demand_noise(student: Student, rng: np.random.Generator) -> None:
    """Demand it for streams of several lengths."""
    for n, p, C, sigma, reg in (
        (1, 1, 1.0, 1.0, 2.0), (8, 1, 1.3, 1.7, 0.5), (3, 7, 0.6, 0.4, 3.0),
        (13, 1, 1.0, 1.2, 1.0), (64, 1, 1.0, 1.0, 1.0),
    ):  # fmt: skip
        _noise_at(student, rng, n, p, C * sigma, (C, FAR, sigma, reg))


def _noise_at(student, rng, n: int, p: int, unit: float, known) -> None:
    """Where no record pulls, the models are the noise of the sums over −reg."""
    arguments = np.zeros((n, p)), np.zeros(n), *known
    found = found_noise(student, (n + 1, p), *arguments)
    if isinstance(found, str):
        if n in (3, 8):  # slow: for the coordinates, and for the tree
            _measure(student, rng, n, p, unit, known, found)
        return
    B = found.matrix.reshape(n + 1, p, -1) * known[-1] / unit
    if np.abs(B[0]).max() > 1e-9:
        raise Fault(
            f"the noise of model 1, for {n} records",
            f"a deviation of {np.linalg.norm(B[0], axis=1).max() * unit:.3g}",
            "none",
            "The first model is made before any record comes, so it is 0.",
        )
    _demand_private(B[1:], n, p, known)
    _demand_accurate(B[1:], n, known)


def _measure(student, rng, n: int, p: int, unit: float, known, hint: str) -> None:
    def nodes(paths: np.ndarray) -> np.ndarray:
        # Sum t is the node that ends at t and an earlier sum: their difference is the
        # noise of that one node.
        sums, t = -paths * known[-1] / unit, np.arange(1, n + 1)
        return (sums[:, t] - sums[:, t & (t - 1)]).reshape(len(paths), n * p)

    arguments = np.zeros((n, p)), np.zeros(n), *known
    what = f"the noise of single nodes, for {n} records"
    stages = RUNS if n == 3 else RUNS[:1]  # a quick look at the taller tree
    demand_measured_noise(
        student, (n + 1, p), rng, arguments, nodes, what, hint, stages
    )


def _demand_private(B: np.ndarray, n: int, p: int, known) -> None:
    """B is the noise of the sums, in units of C · sigma."""
    C, _, sigma, reg = known
    most = sqrt(n.bit_length())
    for i in range(n):
        move = np.kron((np.arange(n) >= i).astype(float)[:, None], np.eye(p))
        mu = exact_mu(B.reshape(n * p, -1), move)
        if mu > most * (1 + 1e-6):
            raise Fault(
                f"the privacy of record {i + 1} of {n}, at C = {C}, sigma = {sigma}, "
                f"reg = {reg}",
                f"μ = {mu / sigma:.4g}",
                f"μ of at most √{n.bit_length()}/sigma = {most / sigma:.4g}",
                _privacy_hint(B, mu, known),
            )


def _privacy_hint(B: np.ndarray, mu: float, known) -> str:
    C, _, sigma, reg = known
    sizes = np.linalg.norm(B, axis=2)
    if not sizes.all():
        return "Some sums carry no noise at all."
    if B.shape[1] > 1 and np.allclose(B, B[:, :1]):
        return "All coordinates share one draw, so their differences have no noise."
    if mu == np.inf:
        return "Some combination of the sums has no noise: do two nodes share a draw?"
    flat = B.reshape(B.shape[0] * B.shape[1], -1)
    if len(B) > 1 and np.allclose(flat @ flat.T, np.diag(sizes.ravel() ** 2)):
        return "Each sum gets noise of its own, so later sums average it away."
    for factor, told in (
        (1 / C, "C is missing in the noise: a record pulls with a force of up to C."),
        (C * sigma, "That is a variance: rng.normal takes a standard deviation."),
        (reg, "The noise is added to the model. It belongs to the sum."),
    ):
        if abs(sizes[0, 0] / factor - 1) < 1e-6 and abs(factor - 1) > 1e-6:
            return told
    return "Is each node noised once, by its own draw, and then used again and again?"


def _demand_accurate(B: np.ndarray, n: int, known) -> None:
    C, _, sigma, reg = known
    variance = (B**2).sum(axis=2).max(axis=1)
    nodes = np.array([t.bit_count() for t in range(1, n + 1)])
    if (variance > nodes * (1 + 1e-6)).any():
        t = int(np.argmax(variance / nodes))
        grows = n > 1 and np.allclose(variance, np.arange(1, n + 1) * variance[0])
        raise Fault(
            f"the noise of sum {t + 1} of {n}, at C = {C}, sigma = {sigma}, "
            f"reg = {reg}",
            f"variance {variance[t]:.4g} (C · sigma)²",
            f"{nodes[t]} (C · sigma)² at most: {t + 1} is {t + 1:b} in binary",
            "The variance grows with t: does each gradient get noise of its own?"
            if grows
            else "Each 1 in the binary digits of t is one node. Add just those.",
        )
