"""Section 6.3.1, for losses that are not convex: gradients become short on average."""

from math import sqrt

from ... import checks


def stationary_learning_rate(
    *,
    n: int,
    p: int,
    steps: int,
    noise_multiplier: float,
    lipschitz: float,
    smoothness: float,
    gap: float,
) -> float:
    r"""Compute the learning rate at which ``stationary_bound`` is least.

    .. math:: \eta = \min\Bigl\{\frac{1}{n\beta},\
              \frac{1}{L\lambda}\sqrt{\frac{2\Gamma}{n\beta pT}}\Bigr\}

    Returns
    -------
    float
        :math:`\eta`, for the clip norm L.

    Examples
    --------
    >>> known = {"n": 1000, "p": 50, "lipschitz": 1.0, "smoothness": 1.0, "gap": 700.0}
    >>> stationary_learning_rate(**known, steps=10, noise_multiplier=0.1)  # 1/(nβ)
    0.001
    """
    n, p, steps = checks.count(n=n, p=p, steps=steps)
    noise_multiplier, lipschitz = checks.moderate(
        noise_multiplier=noise_multiplier, lipschitz=lipschitz
    )
    smoothness, gap = checks.moderate(smoothness=smoothness, gap=gap)
    beta, L, lam = smoothness, lipschitz, noise_multiplier
    quiet = sqrt(2 * gap / (n * beta * p * steps)) / (L * lam)
    return min(1 / (n * beta), quiet)


def stationary_bound(
    *,
    n: int,
    p: int,
    steps: int,
    noise_multiplier: float,
    lipschitz: float,
    smoothness: float,
    gap: float,
    learning_rate: float | None = None,
) -> float:
    r"""Bound the squared norm of the gradient, averaged over the steps of DP-SGD.

    .. math:: \frac1T \sum_{t=0}^{T-1}
              \mathbb E\|\nabla\mathcal L(\theta_t; D)\|_2^2
              \le \frac{2\Gamma}{\eta T} + n\beta\eta\,pL^2\lambda^2

    Source: Wang, Ye and Xu (2017).

    Parameters
    ----------
    lipschitz : float
        :math:`L`, at least the norm of every record's gradient, so that clipping
        changes nothing.
    learning_rate : float or None, optional
        :math:`\eta`, at most :math:`1/(n\beta)`; None takes the best one.

    Returns
    -------
    float
        The bound, for any smooth loss without a constraint. Its square root, divided
        by n, is for the gradient of the mean.

    Examples
    --------
    >>> known = {"n": 1000, "p": 50, "lipschitz": 1.0, "smoothness": 1.0, "gap": 700.0}
    >>> few, many = (
    ...     stationary_bound(**known, steps=T, noise_multiplier=T**0.5 / 0.24)
    ...     for T in (1000, 100_000)
    ... )
    >>> round(few / 1000**2, 4), round(many / 1000**2, 4)  # at one price: it stays
    (0.0697, 0.0697)
    """
    n, p, steps = checks.count(n=n, p=p, steps=steps)
    noise_multiplier, lipschitz = checks.moderate(
        noise_multiplier=noise_multiplier, lipschitz=lipschitz
    )
    smoothness, gap = checks.moderate(smoothness=smoothness, gap=gap)
    beta, L, lam = smoothness, lipschitz, noise_multiplier
    if learning_rate is None:
        eta = stationary_learning_rate(
            n=n, p=p, steps=steps, noise_multiplier=lam, lipschitz=L, smoothness=beta,
            gap=gap,
        )  # fmt: skip
    else:
        eta = checks.moderate(learning_rate=learning_rate)
    if eta > 1 / (n * beta) * (1 + 1e-12):
        raise ValueError(
            f"`learning_rate` must be at most 1/(nβ) = {1 / (n * beta):.6g}, got "
            f"{eta!r}. The theorem says nothing about longer steps."
        )
    return 2 * gap / (eta * steps) + n * beta * eta * p * (L * lam) ** 2
