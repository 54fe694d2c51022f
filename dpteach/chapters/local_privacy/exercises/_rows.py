"""What the exercises on rows with noise share: cut rows, and fresh noise."""

import numpy as np

from ....grading.report import Fault
from ....grading.spherical import SIGNS, demand_both_signs
from ....grading.student import Student


def demand_cut_rows(
    student: Student, V: np.ndarray, eps: float, seed: int, case: str
) -> None:
    """Demand that a report is its row, cut to norm 1, plus noise.

    The same seed draws the same noise, so that two results differ by the data.
    """
    norms = np.linalg.norm(V, axis=1, keepdims=True)
    wanted = V / np.maximum(1.0, norms)
    reports, zeros = (
        student.array(V.shape, each, eps, np.random.default_rng(seed))
        for each in (V, 0 * V)
    )
    found = reports - zeros
    off = np.abs(found - wanted).max(axis=1)
    if off.max() > 1e-5:  # single precision will do, and so will 1 / (norm + 1e-6)
        k = int(off.argmax())
        raise Fault(
            f"{case}; row {k + 1}, of norm {norms[k, 0]:.3g}",
            f"a vector of norm {np.linalg.norm(found[k]):.4g}",
            f"the row cut to norm 1: one of norm {np.linalg.norm(wanted[k]):.4g}",
            _message_hint(found, V, norms),
        )


def _message_hint(found: np.ndarray, V: np.ndarray, norms: np.ndarray) -> str:
    if np.allclose(found, V):
        return "Nothing was cut. Two records may then be any distance apart."
    if np.allclose(found, np.clip(V, -1, 1)):
        return "Each entry is cut by itself; it is the length of a row that counts."
    if np.allclose(found, V / np.where(norms > 0, norms, 1)):
        return "Short rows were made longer; only long ones need a cut."
    if np.allclose(found, V / np.maximum(1, np.abs(V).sum(axis=1, keepdims=True))):
        return "The rows are cut by the sum of their entries, not by their length."
    return "A report is the row, cut to norm 1, plus noise that does not depend on it."


def two_calls(
    student: Student, rng: np.random.Generator, p: int
) -> tuple[np.ndarray, np.ndarray]:
    """Demand that two calls on 40 rows of zeros differ; return both results."""
    V = np.zeros((40, p))
    a, b = (
        student.array(V.shape, V, 1.0, np.random.default_rng(int(seed)))
        for seed in rng.integers(2**62, size=2)
    )
    if np.array_equal(a, b):
        raise Fault(
            "two calls with different rng",
            "the same noise twice",
            "fresh noise in each call",
            "A seed inside the function makes noise that anyone can subtract.",
        )
    return a, b


def demand_either_sign(student: Student, eps: float, rng: np.random.Generator) -> None:
    """Demand reports on both sides of 0 where one user alone holds the number 0."""
    z = student.sample(SIGNS, (1, 1), rng, np.zeros((1, 1)), eps)
    demand_both_signs(z, f"the report of one user, p = 1, eps = {eps:g}")
