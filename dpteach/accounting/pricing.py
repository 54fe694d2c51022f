"""Floor 2. What an event costs: its ε at a δ, its δ at an ε, and the noise for both."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from .. import checks, numerics
from ..privacy import Composed, Event, Gaussian, Pure
from .composition import TooManyTerms, log_delta_mixture
from .gaussian import MARGIN

Curve = Callable[[float], float]


@dataclass(frozen=True)
class Price:
    r"""What an event costs, and how the figure was obtained.

    Parameters
    ----------
    epsilon, delta : float
        The event is :math:`(\varepsilon, \delta)`-private, under its own relation.
    kind : {"exact", "upper bound", "estimate"}
        "exact": no smaller figure holds for all mechanisms of these parameters (but for
        rounding, which goes up). "upper bound": true, and a smaller one may be too.
        "estimate": the error is small, and not certified.
    method : str
        The accountant, in words.
    """

    epsilon: float
    delta: float
    kind: str
    method: str


@dataclass(frozen=True)
class _Spent:
    """An event in the accountants' terms: pure releases by ε, and one μ."""

    pure: dict[float, int]
    mu: float

    @property
    def basic(self) -> float:
        return sum(epsilon * k for epsilon, k in self.pure.items())


def _spent(event: Event) -> _Spent:
    pure: dict[float, int] = {}
    mu = 0.0
    waiting = [event]
    while waiting:
        one = waiting.pop()
        match one:
            case Composed():
                waiting.extend(one.events)
            case Pure():
                epsilon = float(one.epsilon)
                pure[epsilon] = pure.get(epsilon, 0) + one.releases
            case Gaussian():
                mu = math.hypot(mu, one.mu)
            case _:
                raise TypeError(
                    f"`event` must be made of Pure, Gaussian, Composed, got {one!r}. "
                    "Take the event of a Release, or build one from dpteach.privacy."
                )
    spent = _Spent(dict(sorted(pure.items())), mu)
    if not math.isfinite(spent.basic + mu * mu):
        raise ValueError(
            f"`event` must cost less than the largest float, got {event!r}. "
            "Add noise, or release less."
        )
    return spent


def _curve(spent: _Spent) -> tuple[Curve, str, str]:
    # ε ↦ ln δ, never below the true one; then kind and method
    rounding = 1e-15 * (spent.mu**2 / 2 + spent.basic)

    def log_delta(epsilon: float) -> float:
        if spent.mu == 0 and epsilon >= spent.basic:
            return -math.inf
        # A lower ε than asked for, by what rounding may have added to a loss
        lowered = epsilon - 1e-15 * epsilon - rounding
        return min(log_delta_mixture(spent.pure, spent.mu, lowered) + MARGIN, 0.0)

    if not spent.pure:
        return log_delta, "exact", "Gaussian differential privacy"
    if spent.mu == 0:
        return log_delta, "exact", "optimal composition of pure releases"
    return log_delta, "exact", "average of Gaussian prices over the pure loss"


def price_of(
    event: Event, *, epsilon: float | None = None, delta: float | None = None
) -> Price:
    r"""Price an event, and say how the figure was obtained.

    Parameters
    ----------
    event : Event
        What was spent, as in ``release.event``.
    epsilon, delta : float, optional
        :math:`\varepsilon` in nats or :math:`\delta`: exactly one of them; the other is
        computed.

    Returns
    -------
    Price
        Both figures, the kind ("exact", "upper bound" or "estimate") and the method.

    Raises
    ------
    ValueError, TypeError
        If both or none of ε and δ are given, one is out of its range, or the event
        cannot be priced.

    Examples
    --------
    >>> from dpteach.privacy import Relation
    >>> event = Pure(0.1, releases=100, relation=Relation.ADD_REMOVE)
    >>> price = price_of(event, delta=1e-6)  # basic composition: ε = 10
    >>> round(price.epsilon, 3), price.kind, price.method
    (4.775, 'exact', 'optimal composition of pure releases')
    """
    if epsilon is not None:
        checks.nonnegative(epsilon=epsilon)
    if delta is not None:
        checks.probability(delta=delta)
    spent = _spent(event)
    log_delta, kind, method = _curve(spent)
    try:
        if delta is None and epsilon is not None:
            return Price(epsilon, math.exp(log_delta(float(epsilon))), kind, method)
        if epsilon is None and delta is not None:
            return Price(_least_epsilon(log_delta, spent, delta), delta, kind, method)
    except TooManyTerms:
        raise ValueError(
            f"`event` must hold fewer pure releases or values of ε, got {event!r}. "
            "Round their ε up to a few values, or state a group as one Pure event."
        ) from None
    raise ValueError(
        f"`epsilon` or `delta` must be given, and not both, got {epsilon!r} and "
        f"{delta!r}. Give the one that is known."
    )


def _least_epsilon(log_delta: Curve, spent: _Spent, delta: float) -> float:

    def excess(epsilon: float) -> float:
        return _excess(log_delta(epsilon), delta)

    if excess(0.0) <= 0:
        return 0.0
    gaussian = spent.mu**2 / 2 + spent.mu * math.sqrt(-2 * math.log(delta))
    return numerics.safe_root(excess, 0.0, 1.001 * gaussian + (1 + 1e-12) * spent.basic)


def delta_of(event: Event, epsilon: float) -> float:
    r"""Compute the smallest δ at which an event is (ε, δ)-private.

    Parameters
    ----------
    event : Event
        What was spent, as in ``release.event``.
    epsilon : float
        :math:`\varepsilon`, in nats, at least 0.

    Returns
    -------
    float
        δ under the event's relation, never below the truth; ``price_of`` says whether
        it is exact.

    Raises
    ------
    ValueError, TypeError
        If ``epsilon`` is negative or not finite, or the event cannot be priced.

    Examples
    --------
    >>> from dpteach.privacy import Relation
    >>> event = Gaussian(10.0, releases=100, relation=Relation.ADD_REMOVE)
    >>> round(delta_of(event, 1.0), 9)  # 100 releases at λ = 10 are one at λ = 1
    0.126936738
    """
    return price_of(event, epsilon=epsilon).delta


def epsilon_of(event: Event, delta: float) -> float:
    r"""Compute the smallest ε at which an event is (ε, δ)-private.

    Parameters
    ----------
    event : Event
        What was spent, as in ``release.event``.
    delta : float
        :math:`\delta`, strictly between 0 and 1.

    Returns
    -------
    float
        ε in nats under the event's relation, never below the truth; ``price_of`` says
        whether it is exact.

    Raises
    ------
    ValueError, TypeError
        If ``delta`` is not between 0 and 1, or the event cannot be priced.

    Examples
    --------
    >>> from dpteach.privacy import Relation
    >>> event = Gaussian(1.0, relation=Relation.ADD_REMOVE)
    >>> round(epsilon_of(event, 1e-6), 6)
    4.886554
    >>> swapped = Gaussian(1.0, relation=Relation.REPLACE)
    >>> round(epsilon_of(swapped, 1e-6), 6)  # a record moves the sum twice as far
    10.997151
    """
    return price_of(event, delta=delta).epsilon


def calibrate(
    event_of: Callable[[float], Event], epsilon: float, delta: float
) -> float:
    r"""Find the parameter at which an event costs (ε, δ) and no more.

    Parameters
    ----------
    event_of : callable
        ``event_of(x)`` is the event of an algorithm run with the parameter x > 0, such
        as a noise multiplier. Its price must rise, or fall, throughout as x grows.
    epsilon, delta : float
        The budget, :math:`(\varepsilon, \delta)`.

    Returns
    -------
    float
        x, rounded to the private side: ``epsilon_of(event_of(x), delta) <= epsilon``.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of its range, or no x between 1e-18 and 1e18 does.

    Examples
    --------
    >>> from dpteach.privacy import Relation
    >>> relation = Relation.ADD_REMOVE
    >>> def event_of(z):  # ten noisy steps, after a choice that cost ε = 0.1
    ...     return Composed((Gaussian(z, releases=10, relation=relation),
    ...                      Pure(0.1, relation=relation)))
    >>> round(calibrate(event_of, 1.0, 1e-6), 3)
    14.268
    """
    if not callable(event_of):
        raise TypeError(
            f"`event_of` must be a function of one number, got {event_of!r}. "
            "Write it as lambda z: Gaussian(z, relation=relation)."
        )
    checks.positive(epsilon=epsilon)
    checks.probability(delta=delta)

    def excess(x: float) -> float:
        return _excess(_log(delta_of(event_of(x), epsilon)), delta)

    # From 1, downward or upward, whichever way the price comes nearer to the target.
    at_one, below = excess(1.0), excess(0.5)
    down = (below > at_one) == (at_one <= 0)
    x, value, factor = 1.0, at_one, 0.5 if down else 2.0
    while 1e-18 < x < 1e18:
        further = x * factor
        beyond = excess(further)
        if (beyond > 0) != (value > 0):
            ends = (x, further) if value > 0 else (further, x)
            return numerics.safe_root(excess, *ends)
        x, value = further, beyond
    raise ValueError(
        f"`event_of` must cross the budget (ε={epsilon!r}, δ={delta!r}) between 1e-18 "
        f"and 1e18, got δ={delta_of(event_of(x), epsilon)!r} at {x!r}. Other events "
        "may already spend too much, or too little to matter."
    )


def _excess(log_delta: float, delta: float) -> float:
    # Positive exactly where δ is too large, compared as δ: exp may round up
    gap = log_delta - math.log(delta)
    return max(gap, 1e-300) if math.exp(log_delta) > delta else min(gap, 0.0)


def _log(x: float) -> float:
    return math.log(x) if x > 0 else -math.inf
