"""Floor 2. The rules of composition: what k releases cost, from what one costs."""

import math

from ... import checks


def basic_composition(
    epsilon: float, delta: float, *, releases: int
) -> tuple[float, float]:
    r"""Add up budgets: k releases of (ε, δ) are together (kε, kδ)-private.

    Parameters
    ----------
    epsilon, delta : float
        What one release costs, :math:`(\varepsilon, \delta)`; δ may be 0.

    Returns
    -------
    tuple of float
        :math:`(k\varepsilon, k\delta)`, the second at most 1.

    Examples
    --------
    >>> basic_composition(0.1, 0.0, releases=100)
    (10.0, 0.0)
    """
    epsilon = checks.positive(epsilon=epsilon)
    delta = _delta_or_zero(delta)
    releases = checks.count(releases=releases)
    return releases * epsilon, min(releases * delta, 1.0)


def advanced_composition(
    epsilon: float, delta: float, *, releases: int, slack: float
) -> tuple[float, float]:
    r"""Let ε grow only as the square root of the releases, for a little more δ.

    Parameters
    ----------
    epsilon, delta : float
        What one release costs, :math:`(\varepsilon, \delta)`; δ may be 0.
    slack : float
        :math:`\delta'`, the δ that is spent on the composition, strictly between 0 and
        1.

    Returns
    -------
    tuple of float
        :math:`(\varepsilon\sqrt{2k\ln(1/\delta')} + k\varepsilon\tanh(\varepsilon/2),
        k\delta + \delta')`: the first term is due to chance, and the second is the mean
        loss. Never more than basic composition.

    Examples
    --------
    >>> epsilon, delta = advanced_composition(0.1, 0.0, releases=100, slack=1e-6)
    >>> round(epsilon, 2)  # basic composition says 10; the exact figure is 4.77
    5.76
    """
    epsilon = checks.positive(epsilon=epsilon)
    delta = _delta_or_zero(delta)
    releases = checks.count(releases=releases)
    slack = checks.probability(slack=slack)
    luck = epsilon * math.sqrt(-2 * releases * math.log(slack))
    mean = releases * epsilon * math.tanh(epsilon / 2)
    return min(luck + mean, releases * epsilon), min(releases * delta + slack, 1.0)


def _delta_or_zero(delta: float) -> float:
    zero = isinstance(delta, int | float) and delta == 0
    return 0.0 if zero else checks.probability(delta=delta)
