"""Section 6.4.2. How good private Frank-Wolfe is, and how many steps it should take."""

from math import log

from ... import checks
from ...privacy import Relation
from .private_frank_wolfe import private_frank_wolfe_noise


def private_frank_wolfe_risk_bound(
    *,
    n: int,
    steps: int,
    corners: int,
    curvature_constant: float,
    scale: float,
    noise: str = "gumbel",
    failure_probability: float | None = None,
) -> float:
    r"""Bound the excess risk of private Frank-Wolfe. [Theorem 6.22; (6.59)]

    .. math:: \frac{2n\Gamma_\ell}{T+1} + b\,\ln|S|,\qquad
              \frac{2n\Gamma_\ell}{T+1} + b\,\ln\frac{|S|(T-1)}{\beta}

    Parameters
    ----------
    steps : int
        :math:`T`, at least 2.
    corners : int
        How many corners there are, :math:`|S|`: 2p for an l1 ball, p for a simplex.
    curvature_constant : float
        :math:`\Gamma_\ell`, at least the curvature constant of every record's loss.
    scale : float
        :math:`b = 1/c` of the exponential mechanism, see ``private_frank_wolfe_noise``.
    noise : {"gumbel", "laplace"}, optional
        "gumbel" is the exponential mechanism, drawn in either way. For Laplace noise of
        scale b, the harmonic number of :math:`|S|` replaces its logarithm, and in the
        second bound :math:`2b` replaces b.
    failure_probability : float or None, optional
        :math:`\beta`. None bounds the expectation; else the bound holds with
        probability :math:`1 - \beta`.

    Returns
    -------
    float
        The bound, a sum over records.

    Notes
    -----
    Source: (6.59) and (6.60); E-35. A corner chosen with probability ∝ exp(−α/b) is
    worse than the best by at most :math:`b\ln|S|` on average.

    Examples
    --------
    >>> round(private_frank_wolfe_risk_bound(n=5000, steps=128, corners=400,
    ...                                      curvature_constant=4.0, scale=102.0))
    921
    """
    n, corners = checks.count(n=n, corners=corners)
    steps = checks.count(2, steps=steps)
    curvature_constant, scale = checks.moderate(
        curvature_constant=curvature_constant, scale=scale
    )
    checks.one_of(("gumbel", "laplace"), noise=noise)
    if failure_probability is not None:
        failure_probability = checks.probability(
            failure_probability=failure_probability
        )
        gap = log(corners * (steps - 1)) - log(failure_probability)
        gap *= 2 if noise == "laplace" else 1
    elif noise == "laplace":
        gap = sum(1 / k for k in range(1, corners + 1))
    else:
        gap = log(corners)
    return 2 * n * curvature_constant / (steps + 1) + scale * gap


def private_frank_wolfe_steps(
    epsilon: float,
    delta: float,
    *,
    n: int,
    corners: int,
    curvature_constant: float,
    lipschitz_l1: float,
    l1_radius: float,
    relation: Relation = Relation.ADD_REMOVE,
) -> int:
    r"""Compute the whole number of steps at which the bound is least. [Theorem 6.22]

    Parameters
    ----------
    epsilon, delta : float
        The privacy of all steps together, :math:`(\varepsilon, \delta)`.
    n : int
        :math:`n`, a public count of records; taken from the data, it would reveal
        whether a record is present.
    corners : int
        How many corners there are, :math:`|S|`.
    curvature_constant : float
        :math:`\Gamma_\ell`.

    Returns
    -------
    int
        :math:`T \ge 2`. The bound is valid but loose, so fewer steps often do better.

    Notes
    -----
    Source: Theorem 6.22, whose T leaves out the logarithms; E-36.

    Examples
    --------
    >>> private_frank_wolfe_steps(1.0, 1e-6, n=5000, corners=400, lipschitz_l1=2.0,
    ...                           l1_radius=1.0, curvature_constant=4.0)
    128
    """
    n, corners = checks.count(n=n, corners=corners)
    curvature_constant = checks.moderate(curvature_constant=curvature_constant)
    # The scale grows as the square root of T − 1, the number of choices.
    b = private_frank_wolfe_noise(
        epsilon,
        delta,
        steps=2,
        lipschitz_l1=lipschitz_l1,
        l1_radius=l1_radius,
        relation=relation,
    )

    def rises(T: int) -> bool:
        gained = 2 * n * curvature_constant / ((T + 1) * (T + 2))
        return b * log(corners) * (T**0.5 - (T - 1) ** 0.5) >= gained

    low, high = 2, 2  # the bound falls, and then rises
    while not rises(high) and high < 2**40:
        low, high = high, 2 * high
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if rises(middle) else (middle + 1, high)
    return high
