"""What a data set is: records, and the constants that anybody may know."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class DataSet:
    r"""Records with the public constants that an algorithm may be tuned by.

    Parameters
    ----------
    name : str
        What the set is called in figures.
    X : ndarray
        Shape ``(n, d)``, read-only: one record per row.
    y : ndarray
        Shape ``(n,)``, read-only: class numbers, signs, or numbers in [-1, 1].
    n : int
        :math:`n`, the published count of records, for tuning.
    row_norm : float
        :math:`B`, at least the norm :math:`\|x_i\|_2` of every row that could occur,
        not only of these rows.
    classes : int or None
        :math:`K` for class numbers 0, …, K - 1; None otherwise.
    planted : ndarray or None
        The model or the mean that a synthetic set was drawn from.
    source, license : str
        Where the set comes from, and under which terms.
    sha256 : str or None
        Checksum of the copy that ships with the package; None if nothing ships.

    Examples
    --------
    >>> from dpteach import Problem, constraints, data, losses
    >>> cells = data.breast_cancer()
    >>> D = Problem(cells.X, cells.y, losses.logistic, constraints.L2Ball(5.0))
    >>> D.loss.lipschitz * cells.row_norm  # so no record's gradient is longer than 1
    1.0
    """

    name: str
    X: np.ndarray
    y: np.ndarray
    n: int
    row_norm: float
    classes: int | None = None
    planted: np.ndarray | None = None
    source: str = "synthetic"
    license: str = "BSD-3-Clause, as the code that draws it"
    sha256: str | None = None

    def __post_init__(self) -> None:
        """Make the arrays read-only: a cached set is the same for everyone."""
        for array in (self.X, self.y, self.planted):
            if array is not None:
                array.setflags(write=False)
