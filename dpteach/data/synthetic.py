"""Synthetic data sets whose constants are known exactly, because we drew them."""

from functools import cache

import numpy as np

from .. import checks
from ..arrays import Rng, as_rng
from ..constraints import L2Ball
from ..losses import logistic
from ..problem import Problem
from .dataset import DataSet


@cache
def example() -> Problem:
    r"""Make the small problem that examples share: logistic loss over a ball.

    Returns
    -------
    Problem
        ``n = 1000`` records of norm 1 in ``p = 10`` dimensions, drawn once and for all
        by ``planted_logistic``; the models are those of norm at most 1. So
        :math:`L = 1` and :math:`\|\mathcal C\|_2 = 2`.

    Examples
    --------
    >>> D = example()
    >>> D.n, D.p, round(float(D.risk(D.zeros())) / D.n, 6)  # ln 2 at the zero model
    (1000, 10, 0.693147)
    """
    drawn = planted_logistic(n=1000, p=10, strength=5.0, rng=1)
    return Problem(drawn.X, drawn.y, logistic, L2Ball(1.0))


def planted_logistic(*, n: int, p: int, strength: float, rng: Rng) -> DataSet:
    r"""Draw random directions, and signs from a logistic model.

    Parameters
    ----------
    strength : float
        :math:`\|\theta\|_2` of the planted model, whose entries are all equal.

    Returns
    -------
    DataSet
        Rows of norm 1, evenly spread over the sphere; ``y`` is +1 with probability
        :math:`1/(1 + e^{-\langle x, \theta\rangle})`, else -1.

    Examples
    --------
    >>> import numpy as np
    >>> drawn = planted_logistic(n=1000, p=3, strength=50.0, rng=0)
    >>> float(np.mean(np.sign(drawn.X @ drawn.planted) == drawn.y))  # almost separable
    0.988
    """
    n, p = checks.count(n=n, p=p)
    checks.fits(n * p, n=n, p=p)
    strength = checks.nonnegative(strength=strength)
    rng = as_rng(rng)
    X = rng.standard_normal((n, p))
    X = X / np.linalg.norm(X, axis=1, keepdims=True)
    theta = np.full(p, strength / np.sqrt(p))
    # A logistic variable is above −⟨x, θ⟩ with the probability that we want.
    y = np.where(rng.logistic(size=n) > -(X @ theta), 1.0, -1.0)
    return DataSet("planted logistic", X, y, n, row_norm=1.0, planted=theta)


def sparse_regression(
    *, n: int, p: int, sparsity: int, label_noise: float, rng: Rng
) -> DataSet:
    r"""Draw sign vectors, and labels that depend on a few features, as LASSO assumes.

    Parameters
    ----------
    sparsity : int
        :math:`s`, how many entries of the planted model are not zero; at most p.
    label_noise : float
        Half-width of the uniform noise on a label, from 0 to 1.

    Returns
    -------
    DataSet
        Entries of ``X`` are -1 or +1, so :math:`\|x\|_\infty = 1` and
        :math:`\|x\|_2 = \sqrt p`; labels satisfy :math:`|y| \le 1`; the planted
        model has :math:`\|\theta\|_1 = 1 -` ``label_noise``.

    Examples
    --------
    >>> drawn = sparse_regression(n=200, p=50, sparsity=3, label_noise=0.1, rng=0)
    >>> int((drawn.planted != 0).sum()), round(float(abs(drawn.planted).sum()), 12)
    (3, 0.9)
    """
    n, p, sparsity = checks.count(n=n, p=p, sparsity=sparsity)
    checks.fits(n * p, n=n, p=p)
    sparsity = checks.between(0, p, sparsity=sparsity)
    label_noise = checks.between(0, 1, label_noise=label_noise)
    rng = as_rng(rng)
    X = rng.choice([-1.0, 1.0], size=(n, p))
    theta = np.zeros(p)
    support = rng.choice(p, size=sparsity, replace=False)
    theta[support] = rng.choice([-1.0, 1.0], size=sparsity) / sparsity
    theta *= 1 - label_noise
    # Rounding may push a sum of s equal terms past 1 by its last bit.
    y = np.clip(X @ theta + label_noise * rng.uniform(-1, 1, size=n), -1, 1)
    return DataSet(
        "sparse regression", X, y, n, row_norm=float(np.sqrt(p)), planted=theta
    )


def mean_estimation(*, n: int, p: int, bias: float, rng: Rng) -> DataSet:
    r"""Draw corners of a cube, for the linear loss, which seeks their mean.

    With ``losses.linear`` the risk is :math:`-\langle \sum_i x_i, \theta\rangle`, every
    gradient has norm exactly 1, and over ``L2Ball(R)`` the minimizer is
    :math:`R\,\sum_i x_i / \|\sum_i x_i\|_2`: there is no clipping bias, and no
    curvature that helps.

    Parameters
    ----------
    bias : float
        Expectation of each entry's sign, from -1 to 1. At 1 all records are equal.

    Returns
    -------
    DataSet
        Entries of ``X`` are :math:`\pm 1/\sqrt p`; ``y`` is 1 throughout; ``planted``
        is the mean that the records were drawn with.

    Examples
    --------
    >>> from dpteach import Problem, constraints, losses
    >>> drawn = mean_estimation(n=100, p=4, bias=1.0, rng=0)
    >>> D = Problem(drawn.X, drawn.y, losses.linear, constraints.L2Ball(1.0))
    >>> D.gradient(D.zeros())  # 100 records that all pull the same way
    array([-50., -50., -50., -50.])
    """
    n, p = checks.count(n=n, p=p)
    checks.fits(n * p, n=n, p=p)
    bias = checks.between(-1, 1, bias=bias)
    signs = np.where(as_rng(rng).random((n, p)) < (1 + bias) / 2, 1.0, -1.0)
    mean = np.full(p, bias / np.sqrt(p))
    return DataSet(
        "mean estimation",
        signs / np.sqrt(p),
        np.ones(n),
        n,
        row_norm=1.0,
        planted=mean,
    )
