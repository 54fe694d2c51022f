"""Section 6.2.2. Objective perturbation of logistic loss, priced score by score."""

from math import log, log1p, sqrt

from ... import checks, numerics


def logistic_objective_epsilon(
    noise_multiplier: float, *, smoothness: float, regularization: float
) -> float:
    r"""Bound the ε of objective perturbation with the logistic loss. [Theorem 6.7]

    .. math:: \max_{0 \le q \le 1}\; \frac{q}{\lambda}
              + \ln\Bigl(1 + \frac{4\beta\,q(1-q)}{\Lambda}\Bigr)

    Theorem 6.7 adds the maxima of both terms, which no score attains together.

    Parameters
    ----------
    smoothness : float
        :math:`\beta = B^2/4` for rows of norm at most B, with :math:`L = B`.

    Returns
    -------
    float
        ε for a record added, removed or zeroed out.

    Examples
    --------
    >>> kind = dict(smoothness=0.25, regularization=1.0)
    >>> round(logistic_objective_epsilon(2.0, **kind), 3)  # the sum of maxima: 0.723
    0.548
    """
    noise_multiplier, smoothness = checks.moderate(
        noise_multiplier=noise_multiplier, smoothness=smoothness
    )
    regularization = checks.moderate(regularization=regularization)
    lam, r = float(noise_multiplier), regularization / (4 * smoothness)
    # Where the derivative is 0: q² + (2λ − 1) q = r + λ, without cancellation
    half, product = 2 * lam - 1, r + lam
    root = sqrt(half * half + 4 * product)
    q = 2 * product / (half + root) if half > 0 else (root - half) / 2
    q = min(q, 1.0)
    return q / lam + log1p(q * (1 - q) / r)


def logistic_objective_noise_multiplier(
    epsilon: float, *, smoothness: float, regularization: float
) -> float:
    r"""Compute the least noise for logistic loss at a given regularization.

    There is one if ε is above ln(1 + β/Λ). The event of ``objective_perturbation``
    states a larger ε, because it holds for any smooth loss.

    Returns
    -------
    float
        :math:`\lambda`, for a record added, removed or zeroed out.

    Examples
    --------
    >>> logistic_objective_noise_multiplier(1.0, smoothness=0.25, regularization=1.0)
    1.0
    """
    epsilon, smoothness = checks.moderate(epsilon=epsilon, smoothness=smoothness)
    regularization = checks.moderate(regularization=regularization)
    kind = {"smoothness": smoothness, "regularization": regularization}
    kappa = log1p(smoothness / regularization)
    if epsilon <= kappa:
        raise ValueError(
            f"`epsilon` must be above {kappa:.6g}, which the determinant may cost, got "
            f"{epsilon!r}. Raise it, or the regularization."
        )
    # Between 1/ε, where the slope alone costs ε, and the noise for any loss
    loud, quiet = 1 / epsilon, 1 / (epsilon - kappa)
    if logistic_objective_epsilon(loud, **kind) <= epsilon:
        return loud
    return numerics.safe_root(
        lambda lam: log(logistic_objective_epsilon(lam, **kind) / epsilon), loud, quiet
    )
