"""The normal and the binomial distribution, as far as exercises use them."""

import math

import numpy as np

from . import missing, special


class norm:
    """The normal distribution."""

    @staticmethod
    def cdf(x, loc=0.0, scale=1.0):
        """Compute P(X ≤ x)."""
        return special.ndtr((np.asarray(x) - loc) / scale)

    @staticmethod
    def sf(x, loc=0.0, scale=1.0):
        """Compute P(X > x)."""
        return special.ndtr((loc - np.asarray(x)) / scale)

    @staticmethod
    def ppf(q, loc=0.0, scale=1.0):
        """Compute the quantile."""
        return loc + scale * special.ndtri(q)

    @staticmethod
    def pdf(x, loc=0.0, scale=1.0):
        """Compute the density."""
        z = (np.asarray(x, dtype=float) - loc) / scale
        return np.exp(-z * z / 2) / (scale * math.sqrt(2 * math.pi))


class binom:
    """The binomial distribution."""

    @staticmethod
    def pmf(k, n, p):
        """Compute P(X = k)."""
        k, n, p = np.broadcast_arrays(*(np.asarray(each, float) for each in (k, n, p)))
        choose = special.gammaln(n + 1) - special.gammaln(k + 1) - special.gammaln(n - k + 1)
        with np.errstate(divide="ignore", invalid="ignore"):
            up = np.where(k == 0, 0.0, k * np.log(p))
            down = np.where(k == n, 0.0, (n - k) * np.log1p(-p))
        return np.exp(choose + up + down)[()]


def __getattr__(name: str):
    raise missing(__name__, name)
