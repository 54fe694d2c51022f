"""Three real data sets, small enough to ship, with constants fixed beforehand."""

from functools import cache

import numpy as np

from ..arrays import clip
from ._copies import copy_of, rescale
from .dataset import DataSet

# The constant feature's value. It counts toward the norm like any other feature.
INTERCEPT = 0.1

# Limits printed in the public description of the breast-cancer data, in the order of
# its columns: means, standard errors and worst values of ten measurements. They are the
# least and the largest value of this very set, rounded, and we take them as public
# because they are published with it. Without such a table, limits must be fixed from
# knowledge of the measurements, before the data are seen.
BREAST_CANCER_LIMITS = (
    (6.981, 28.11), (9.71, 39.28), (43.79, 188.5), (143.5, 2501.0), (0.053, 0.163),
    (0.019, 0.345), (0.0, 0.427), (0.0, 0.201), (0.106, 0.304), (0.05, 0.097),
    (0.112, 2.873), (0.36, 4.885), (0.757, 21.98), (6.802, 542.2), (0.002, 0.031),
    (0.002, 0.135), (0.0, 0.396), (0.0, 0.053), (0.008, 0.079), (0.001, 0.03),
    (7.93, 36.04), (12.02, 49.54), (50.41, 251.2), (185.2, 4254.0), (0.071, 0.223),
    (0.027, 1.058), (0.0, 1.252), (0.0, 0.291), (0.156, 0.664), (0.055, 0.208),
)  # fmt: skip

# No limits of the diabetes features are published. These are ours: round numbers that
# leave room around the usual range of such measurements in adults.
DIABETES_LIMITS = (
    (0, 100),  # age in years
    (1, 2),  # sex, a code
    (15, 45),  # body mass index
    (50, 140),  # average blood pressure
    (80, 320),  # total cholesterol
    (30, 250),  # low-density lipoproteins
    (20, 100),  # high-density lipoproteins
    (1, 10),  # total cholesterol over high-density lipoproteins
    (3, 6.5),  # possibly a logarithm of triglycerides
    (50, 130),  # glucose
)
# The target's range, as the public description of the set prints it.
DIABETES_TARGET = (25, 346)


def bounded_rows(features: np.ndarray) -> np.ndarray:
    """Clip rows so that they and the constant together have norm at most 1."""
    constant = np.full((len(features), 1), INTERCEPT)
    return np.hstack([clip(features, np.sqrt(1 - INTERCEPT**2)), constant])


@cache
def digits() -> DataSet:
    r"""Load 1,797 images of handwritten digits, 8 by 8 pixels, in ten classes.

    Returns
    -------
    DataSet
        ``X`` has 65 columns: pixels divided by 16, each image clipped to norm
        :math:`\sqrt{0.99}`, and the constant 0.1. ``y`` holds 0, …, 9.

    Notes
    -----
    Source: Alpaydin and Kaynak (1998), at the UCI Machine Learning Repository.

    References
    ----------
    * Alpaydin and Kaynak (1998), Optical Recognition of Handwritten Digits.

    Examples
    --------
    >>> digits().X.shape, digits().y[:5]
    ((1797, 65), array([0, 1, 2, 3, 4]))
    """
    pixels, y = copy_of("digits")
    return DataSet(
        name="digits",
        X=bounded_rows(pixels / 16),
        y=y.astype(np.int64),
        n=1797,
        row_norm=1.0,
        classes=10,
        source=(
            "E. Alpaydin and C. Kaynak (1998), Optical Recognition of Handwritten "
            "Digits, test part, UCI Machine Learning Repository, "
            "doi:10.24432/C50P49; copied from scikit-learn"
        ),
        license=(
            "CC BY 4.0 at its source (recalled, not verified); BSD-3-Clause in "
            "scikit-learn"
        ),
        sha256="dff739c317c3d7a561cd1d11ae22ab4ac7f0557489c9e3935e97bec510d05737",
    )


@cache
def breast_cancer() -> DataSet:
    r"""Load 569 cell samples with 30 measurements each, benign (+1) or malignant (-1).

    Returns
    -------
    DataSet
        ``X`` has 31 columns: each measurement mapped to [-1, 1] by the limits that the
        set's description prints, each row clipped to norm :math:`\sqrt{0.99}`, and the
        constant 0.1. ``y`` holds -1.0 and 1.0.

    Notes
    -----
    The printed limits are the least and the largest value of this very set. We use them
    because they are published with it; they are not a rule for other data.
    Source: Wolberg,
    Mangasarian and Street (1995).

    References
    ----------
    * Wolberg, Mangasarian and Street (1995), Breast Cancer Wisconsin (Diagnostic).

    Examples
    --------
    >>> import numpy as np
    >>> cells = breast_cancer()
    >>> bool(np.all(np.linalg.norm(cells.X, axis=1) <= cells.row_norm + 1e-12))
    True
    """
    features, y = copy_of("breast_cancer")
    return DataSet(
        name="breast cancer",
        X=bounded_rows(rescale(features, np.array(BREAST_CANCER_LIMITS))),
        y=2.0 * y - 1.0,
        n=569,
        row_norm=1.0,
        source=(
            "W. H. Wolberg, W. N. Street and O. L. Mangasarian (1995), Breast Cancer "
            "Wisconsin (Diagnostic), UCI Machine Learning Repository, "
            "doi:10.24432/C5DW2B; copied from scikit-learn"
        ),
        license=(
            "CC BY 4.0 at its source (recalled, not verified); BSD-3-Clause in "
            "scikit-learn"
        ),
        sha256="2d33062f6526bda9b4206710faca4a1d0ac70b2e26930e43891fb3ff01f369c7",
    )


@cache
def diabetes() -> DataSet:
    r"""Load 442 patients with ten measurements each, and their disease a year later.

    Returns
    -------
    DataSet
        ``X`` has 11 columns: each measurement mapped to [-1, 1] by round limits of
        ours, each row clipped to norm :math:`\sqrt{0.99}`, and the constant 0.1. ``y``
        is the progression of the disease, with its printed range, 25 to 346, mapped to
        [-1, 1].

    Notes
    -----
    Source: Efron, Hastie, Johnstone and Tibshirani (2004).

    References
    ----------
    * Efron, Hastie, Johnstone and Tibshirani (2004), Least Angle Regression.

    Examples
    --------
    >>> patients = diabetes()
    >>> float(patients.y.min()), float(patients.y.max())
    (-1.0, 1.0)
    """
    features, target = copy_of("diabetes")
    return DataSet(
        name="diabetes",
        X=bounded_rows(rescale(features, np.array(DIABETES_LIMITS))),
        y=rescale(target, np.array(DIABETES_TARGET)),
        n=442,
        row_norm=1.0,
        source=(
            "B. Efron, T. Hastie, I. Johnstone and R. Tibshirani (2004), Least Angle "
            "Regression, Annals of Statistics 32(2), 407-499; copied from scikit-learn"
        ),
        license="none stated at its source; BSD-3-Clause in scikit-learn",
        sha256="2f776bc1550e4b8c416e14e9028687c9a083e39a27c7226640d4403f3282f75e",
    )
