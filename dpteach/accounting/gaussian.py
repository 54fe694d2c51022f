"""Floor 2. The exact price of Gaussian noise: δ, ε and μ, each from the other two."""

import math

from .. import checks


def _mills(x: float) -> float:
    """(1 − Φ(x))/φ(x), which neither overflows nor cancels for x ≥ −5."""
    from scipy.special import erfcx  # scipy where used: importing dpteach stays light

    return math.sqrt(math.pi / 2) * float(erfcx(x / math.sqrt(2)))


def _density(x: float) -> float:
    return math.exp(-x * x / 2) / math.sqrt(2 * math.pi)


def gaussian_delta(mu: float, epsilon: float) -> float:
    """Compute the smallest δ of a μ-GDP Gaussian mechanism at a given ε. [Section 1.1]

    .. math:: \\Phi(\\mu/2 - \\varepsilon/\\mu)
              - e^{\\varepsilon}\\,\\Phi(-\\mu/2 - \\varepsilon/\\mu)

    Parameters
    ----------
    mu : float
        :math:`\\mu`, sensitivity over the noise's standard deviation.
    epsilon : float
        :math:`\\varepsilon`, in nats, at least 0.

    Returns
    -------
    float
        δ, to a relative error of 1e-9 or better wherever it exceeds 1e-290.

    Raises
    ------
    ValueError, TypeError
        If ``mu`` is not above 0 or ``epsilon`` is negative, or either is not finite.

    Examples
    --------
    >>> gaussian_delta(1.0, 1.0)  # noise as large as one record's effect
    0.12693673750664...
    """
    checks.positive(mu=mu)
    checks.nonnegative(epsilon=epsilon)
    return _delta(float(mu), float(epsilon))


def _delta(mu: float, epsilon: float) -> float:
    a, b = epsilon / mu - mu / 2, epsilon / mu + mu / 2
    if a > -5:
        # Both tails as Mills ratios of one density: no two large numbers cancel.
        return max(_density(a) * (_mills(a) - _mills(b)), 0.0)
    return 0.5 * math.erfc(a / math.sqrt(2)) - _density(a) * _mills(b)
