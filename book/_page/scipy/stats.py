"""The normal, binomial and chi-square distributions, as far as exercises use them."""

import math

import numpy as np

from . import missing, special


class _Distribution:
    def __getattr__(self, name: str):
        raise missing(__name__, f"{type(self).__name__.lower()}.{name}")


class Norm(_Distribution):
    """The normal distribution."""

    def cdf(self, x, loc=0.0, scale=1.0):
        """Compute P(X ≤ x)."""
        return special.ndtr((np.asarray(x) - loc) / scale)

    def sf(self, x, loc=0.0, scale=1.0):
        """Compute P(X > x)."""
        return special.ndtr((loc - np.asarray(x)) / scale)

    def ppf(self, q, loc=0.0, scale=1.0):
        """Compute the quantile."""
        return loc + scale * special.ndtri(q)

    def isf(self, q, loc=0.0, scale=1.0):
        """Compute the quantile from above."""
        return loc - scale * special.ndtri(q)

    def pdf(self, x, loc=0.0, scale=1.0):
        """Compute the density."""
        z = (np.asarray(x, dtype=float) - loc) / scale
        return np.exp(-z * z / 2) / (scale * math.sqrt(2 * math.pi))


class Binom(_Distribution):
    """The binomial distribution."""

    def logpmf(self, k, n, p):
        """Compute ln P(X = k)."""
        k, n, p = (np.asarray(each, dtype=float) for each in (k, n, p))
        ways = (
            special.gammaln(n + 1) - special.gammaln(k + 1) - special.gammaln(n - k + 1)
        )
        with np.errstate(divide="ignore", invalid="ignore"):
            up = np.where(k == 0, 0.0, k * np.log(p))
            down = np.where(k == n, 0.0, (n - k) * np.log1p(-p))
        return (ways + up + down)[()]

    def pmf(self, k, n, p):
        """Compute P(X = k)."""
        return np.exp(self.logpmf(k, n, p))

    def cdf(self, k, n, p):
        """Compute P(X ≤ k), for k from 0 to n."""
        return 1 - self.sf(k, n, p)

    def sf(self, k, n, p):
        """Compute P(X > k), for k from 0 to n."""
        k, n, p = np.broadcast_arrays(k, n, p)
        inside = special.betainc(np.floor(k) + 1, np.maximum(n - np.floor(k), 1e-9), p)
        return np.where(k >= n, 0.0, inside)[()]


class Chi2(_Distribution):
    """The chi-square distribution."""

    def cdf(self, x, df):
        """Compute P(X ≤ x)."""
        return special.chdtr(df, np.maximum(x, 0))

    def sf(self, x, df):
        """Compute P(X > x)."""
        return special.chdtrc(df, np.maximum(x, 0))

    def pdf(self, x, df):
        """Compute the density, at x above 0."""
        half = np.asarray(df) / 2
        log = special.xlogy(half - 1, x) - np.asarray(x) / 2 - special.gammaln(half)
        return np.exp(log - half * math.log(2))


norm, binom, chi2 = Norm(), Binom(), Chi2()


def __getattr__(name: str):
    raise missing(__name__, name)
