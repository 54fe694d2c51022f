"""What clipping takes from a mean: its bias, if a moment of the norms is finite."""

from math import exp, inf, log

from ... import checks


def clipping_bias_bound(
    clip_norm: float, *, moment: float, moment_order: float
) -> float:
    r"""Bound how far the mean of clipped vectors is from the mean of the vectors.

    .. math:: \bigl\|\mathbb E\,\mathrm{clip}(g, L) - \mathbb E g\bigr\|_2
              \le \frac{(r - 1)^{r-1}}{r^r}\,\frac{M}{L^{r-1}}

    Returns
    -------
    float
        The bound, in the unit of g, if :math:`\mathbb E\|g\|_2^r \le M`.

    Examples
    --------
    >>> round(clipping_bias_bound(10.0, moment=8.0, moment_order=2.0), 6)  # M/(4L)
    0.2
    """
    L, M = checks.moderate(clip_norm=clip_norm, moment=moment)
    r = checks.between(1, 100, moment_order=moment_order)
    if r == 1:
        raise ValueError(
            f"`moment_order` must be above 1, got {moment_order!r}: a finite mean does "
            "not say how fast the bias falls."
        )
    return exp((r - 1) * log(r - 1) - r * log(r) + log(M) - (r - 1) * log(L))


def heavy_tailed_clip_norm(
    *, n: int, p: int, mu: float, moment: float, moment_order: float
) -> float:
    r"""Choose the clip norm at which squared bias bound and noise add up to the least.

    .. math:: L = \Bigl(\sqrt{r - 1}\;\frac{(r - 1)^{r-1}}{r^r}\,M\,
              \frac{\mu n}{\sqrt p}\Bigr)^{1/r}

    Returns
    -------
    float
        :math:`L`, if the mean has noise of standard deviation L/(μn) in each entry.

    Examples
    --------
    >>> kind = {"p": 1, "mu": 1.0, "moment": 8.0, "moment_order": 2.0}
    >>> round(heavy_tailed_clip_norm(n=50, **kind), 6)  # (M n/4)^(1/2)
    10.0
    """
    n, p = checks.count(n=n, p=p)
    mu = checks.moderate(mu=mu)
    # √(r − 1) times the bias bound at L = 1 is what L^r √p/(μn) equals at the best L.
    bias = clipping_bias_bound(1.0, moment=moment, moment_order=moment_order)
    r = float(moment_order)
    L = exp((log(r - 1) / 2 + log(bias) + log(mu) + log(n) - log(p) / 2) / r)
    if not 0 < L < inf:
        raise ValueError(
            f"`moment` must give a clip norm that is a float, got {moment!r}. Choose "
            "another unit."
        )
    return L
