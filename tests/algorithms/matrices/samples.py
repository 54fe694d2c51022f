"""Factorizations and problems that several test modules use."""

from dpteach.algorithms.matrices.factorization import (
    independent_factorization,
    naive_factorization,
    tree_factorization,
)
from dpteach.algorithms.matrices.toeplitz import (
    square_root_factorization,
)


def methods(T):
    yield naive_factorization(T)
    yield independent_factorization(T)
    for estimator in ("plain", "honaker", "full"):
        yield tree_factorization(T, estimator=estimator)
    yield square_root_factorization(T)
    yield square_root_factorization(T, normalized=True)
