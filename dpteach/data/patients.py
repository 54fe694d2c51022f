"""The diabetes patients once more, with one feature, for a straight line."""

from dataclasses import replace
from functools import cache

import numpy as np

from ._copies import copy_of, rescale
from .dataset import DataSet
from .real import DIABETES_LIMITS, DIABETES_TARGET, diabetes


@cache
def body_mass() -> DataSet:
    r"""Load the diabetes patients with one measurement: their body mass index.

    Returns
    -------
    DataSet
        ``X`` has two columns: the index points above 25, divided by 5, from -2 to 4,
        and the constant 1, so that a model is a straight line: its slope, and its value
        at 25. ``y`` is the progression of the disease, as in ``diabetes``.

    Notes
    -----
    Source: Efron, Hastie, Johnstone and Tibshirani (2004).

    References
    ----------
    * Efron, Hastie, Johnstone and Tibshirani (2004), Least Angle Regression.

    Examples
    --------
    >>> import numpy as np
    >>> patients = body_mass()
    >>> slope, level = np.linalg.lstsq(patients.X, patients.y)[0]
    >>> round(float(slope), 3), round(float(level), 3)  # heavier, and iller
    (0.319, -0.296)
    """
    features, target = copy_of("diabetes")
    low, high = DIABETES_LIMITS[2]
    index = (np.clip(features[:, 2], low, high) - 25) / 5
    return replace(
        diabetes(),
        name="body mass",
        X=np.c_[index, np.ones(len(index))],
        y=rescale(target, np.array(DIABETES_TARGET)),
        row_norm=float(np.hypot((high - 25) / 5, 1)),
    )
