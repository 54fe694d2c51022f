"""Floor 2. Data: three real sets that ship with the package, and synthetic ones.

Every set states its public constants. Real rows are scaled by fixed limits and bounded
by a fixed rule, so that no statistic of the data is used.
"""

from .dataset import DataSet
from .fleets import dirichlet_owners, simulated_rounds
from .patients import body_mass
from .real import breast_cancer, diabetes, digits
from .synthetic import (
    example,
    mean_estimation,
    planted_logistic,
    sparse_regression,
)

__all__ = [
    "DataSet",
    "body_mass",
    "breast_cancer",
    "diabetes",
    "digits",
    "dirichlet_owners",
    "example",
    "mean_estimation",
    "planted_logistic",
    "simulated_rounds",
    "sparse_regression",
]
