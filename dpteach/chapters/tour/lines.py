"""Straight lines through the 442 patients of the tour, in the units of measurement.

A model is a slope and a level; both are drawn in points of disease, and in points of
the body mass index.
"""

from functools import cache

import numpy as np

from ...constraints import L2Ball
from ...data import body_mass
from ...figures.marks import Cells, Line
from ...losses import squared
from ...problem import Problem

# A unit of y is half the printed range of the disease; a unit of x is five points.
_MIDDLE, HALF, FIVE = 185.5, 160.5, 5.0
ENDS = np.array([18.0, 42.5])  # of the body mass index, where lines are drawn
MEASURED = {
    "x": "body mass index",
    "y": "disease a year later, in points",
    "xlim": (17, 43),
    "ylim": (0, 360),
    "yticks": (0, 100, 200, 300),
}


@cache
def patients() -> Problem:
    """Pose the problem: a line with the least squared misses, in a ball of radius 1.

    Examples
    --------
    >>> patients().n, patients().p
    (442, 2)
    """
    people = body_mass()
    return Problem(people.X, people.y, squared, L2Ball(1.0))


@cache
def best_line() -> np.ndarray:
    """Compute the line with the least risk; not private, for figures only.

    Examples
    --------
    >>> bool(np.allclose(patients().gradient(best_line()), 0, atol=1e-9))
    True
    """
    D = patients()
    return np.linalg.solve(D.X.T @ D.X, D.X.T @ D.y)


@cache
def lines_without_one() -> np.ndarray:
    """Compute the best line of the others, for each patient; not private.

    Examples
    --------
    >>> lines = lines_without_one()
    >>> len(np.unique(lines.round(7), axis=0))  # two pairs have the same two numbers
    440
    """
    D = patients()
    squares = D.X.T @ D.X - D.X[:, :, None] * D.X[:, None, :]
    return np.linalg.solve(squares, (D.X.T @ D.y - D.X * D.y[:, None])[..., None])[
        ..., 0
    ]


def slope(theta: np.ndarray) -> np.ndarray:
    """Compute the slope of models, shape ``(..., 2)``, in points per index point."""
    return HALF / FIVE * theta[..., 0]


def level(theta: np.ndarray) -> np.ndarray:
    """Compute the level of models at index 25, in points."""
    return _MIDDLE + HALF * theta[..., 1]


def drawn(theta: np.ndarray, label: str, role: str) -> Line:
    """Draw a model as a line through the patients."""
    return Line(ENDS, at(theta, ENDS), label, role)


def at(theta: np.ndarray, index: np.ndarray) -> np.ndarray:
    """Compute what a model predicts for a body mass index."""
    return level(theta) + slope(theta) * (index - 25)


def people() -> tuple[np.ndarray, np.ndarray]:
    """List the patients' body mass indices and their disease, in points."""
    D = patients()
    return 25 + FIVE * D.X[:, 0], _MIDDLE + HALF * D.y


def dots(width: float = 0.32) -> Cells:
    """Draw each patient as a small square, so that all 442 can be seen."""
    index, disease = people()
    return Cells(
        index, disease, np.full(len(index), 0.5), "a patient", "reference",
        width=width, height=4.5,
    )  # fmt: skip


def cloud(theta: np.ndarray, label: str, role: str, size: tuple[float, float]) -> Cells:
    """Draw each of many models as a small square, by its slope and its level."""
    width, height = size
    return Cells(
        slope(theta), level(theta), np.full(len(theta), 0.75), label, role,
        width=width, height=height,
    )  # fmt: skip


def ring(x: np.ndarray, y: np.ndarray, radii: tuple[float, float], panel: int) -> Line:
    """Draw a closed curve around a point: easier to see than a mark among 442."""
    turn = np.linspace(0, 2 * np.pi, 25)
    across, up = radii
    return Line(
        x + across * np.cos(turn), y + up * np.sin(turn), "who leaves", "broken",
        panel=panel,
    )  # fmt: skip
