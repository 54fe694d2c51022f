"""Floor 2. What an event costs: its ε at a δ, its δ at an ε, and the noise for both."""

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass

from .. import checks, numerics
from ..privacy import Event
from .accountants import (
    ACCOUNTANTS,
    Curve,
    Unsuited,
    best,
    excess,
)
from .composition import TooManyTerms
from .contour import DoesNotDecay
from .spending import Spending, spending_of


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


def price_of(
    event: Event,
    *,
    epsilon: float | None = None,
    delta: float | None = None,
    accountant: str = "best",
) -> Price:
    r"""Price an event, and say how the figure was obtained.

    Parameters
    ----------
    event : Event
        What was spent, as in ``release.event``.
    epsilon, delta : float, optional
        :math:`\varepsilon` in nats or :math:`\delta`: exactly one of them; the other is
        computed. At δ = 0 pure ε adds up, and nothing else has a price.
    accountant : str, optional
        "best": the closed form if there is one, else the contour integral, else the
        least upper bound. Or, to compare them: "exact", "contour", "loss_distribution",
        "renyi" or "concentrated".

    Returns
    -------
    Price
        Both figures, the kind ("exact", "upper bound" or "estimate") and the method.

    Raises
    ------
    ValueError, TypeError
        If both or none of ε and δ are given, one is out of its range, or the event
        cannot be priced, or not by this accountant.

    Examples
    --------
    >>> from dpteach.privacy import Pure, Relation
    >>> event = Pure(0.1, releases=100, relation=Relation.ADD_REMOVE)
    >>> price = price_of(event, delta=1e-6)  # basic composition: ε = 10
    >>> round(price.epsilon, 3), price.kind, price.method
    (4.775, 'exact', 'optimal composition of pure releases')
    """
    checks.one_of(("best", *ACCOUNTANTS), accountant=accountant)
    known = _check_one(epsilon, delta)
    spent = spending_of(event)
    if delta == 0:
        return Price(_pure(spent), 0.0, "exact", "basic composition")

    def figure(curve: Curve) -> float:
        if delta is None:
            return _delta(curve, spent, known)
        return _epsilon(curve, spent, known)

    try:
        if accountant == "best":
            value, curve = best(spent, figure)
        else:
            curve = ACCOUNTANTS[accountant](spent)
            value = figure(curve)
        if not math.isfinite(value):
            raise Unsuited("its grid is too coarse for so many releases")
    except (Unsuited, TooManyTerms, DoesNotDecay) as problem:
        raise ValueError(
            f"`accountant` must be able to price the event, got {accountant!r}: "
            f"{problem}. Take accountant='best'."
        ) from None
    if delta is None:
        return Price(known, value, curve.kind, curve.method)
    return Price(value, known, curve.kind, curve.method)


def _check_one(epsilon: float | None, delta: float | None) -> float:
    if epsilon is not None:
        checks.nonnegative(epsilon=epsilon)
        if delta is None:
            return float(epsilon)
    if delta is not None:
        checks.between(0, 1, delta=delta)
        if delta:
            checks.probability(delta=delta)
        if epsilon is None:
            return float(delta)
    raise ValueError(
        f"`epsilon` or `delta` must be given, and not both, got {epsilon!r} and "
        f"{delta!r}. Give the one that is known."
    )


def _pure(spent: Spending) -> float:
    if spent.mu or spent.sampled or spent.failure:
        raise ValueError(
            "`delta` must be above 0 for what is not pure, such as Gaussian noise, "
            "got 0. Give a δ that you accept."
        )
    return spent.basic


def _delta(curve: Curve, spent: Spending, epsilon: float) -> float:
    # What the (ε, δ)-private releases may cost beside all others is added.
    failure = spent.failure
    return failure + (1 - failure) * math.exp(curve.log_delta(epsilon))


def _epsilon(curve: Curve, spent: Spending, delta: float) -> float:
    left = (delta - spent.failure) / (1 - spent.failure)
    if left > 0:
        return curve.least_epsilon(left)
    if left == 0 and not (spent.mu or spent.sampled):
        return spent.basic
    raise ValueError(
        f"`delta` must be above {spent.failure:.6g}, which the (ε, δ)-private releases "
        f"may cost, got {delta!r}. Give a larger one."
    )


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
    >>> from dpteach.privacy import Gaussian, Relation
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
        :math:`\delta`, below 1; 0 is for what is pure.

    Returns
    -------
    float
        ε in nats under the event's relation, never below the truth; ``price_of`` says
        whether it is exact.

    Raises
    ------
    ValueError, TypeError
        If ``delta`` is not between 0 and 1, or the event cannot be priced at it.

    Examples
    --------
    >>> from dpteach.privacy import Gaussian, Relation
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
    >>> from dpteach.privacy import Composed, Gaussian, Pure, Relation
    >>> relation = Relation.ADD_REMOVE
    >>> def event_of(z):  # ten noisy steps, after a choice that cost ε = 0.1
    ...     return Composed((Gaussian(z, releases=10, relation=relation),
    ...                      Pure(0.1, relation=relation)))
    >>> round(calibrate(event_of, 1.0, 1e-6), 3)
    14.268
    """
    _check_callable(event_of)
    checks.positive(epsilon=epsilon)
    checks.probability(delta=delta)

    @functools.cache
    def gap(x: float) -> float:
        return excess(_log(delta_of(event_of(x), epsilon)), delta)

    # From 1, downward or upward, whichever way the price comes nearer to the target.
    at_one, below = gap(1.0), gap(0.5)
    down = (below > at_one) == (at_one <= 0)
    x, value, factor = 1.0, at_one, 0.5 if down else 2.0
    while 1e-18 < x < 1e18:
        further = x * factor
        beyond = gap(further)
        if (beyond > 0) != (value > 0):
            ends = (x, further) if value > 0 else (further, x)
            return numerics.safe_root(gap, *ends)
        x, value = further, beyond
    raise ValueError(
        f"`event_of` must meet `epsilon`={epsilon!r}, `delta`={delta!r} between 1e-18 "
        f"and 1e18, got δ={delta_of(event_of(x), epsilon)!r} at {x!r}. Other events "
        "may already spend too much, or too little to matter."
    )


def _check_callable(event_of: object) -> None:
    if not callable(event_of):
        raise TypeError(
            f"`event_of` must be a function of one number, got {event_of!r}. "
            "Write it as lambda z: Gaussian(z, relation=relation)."
        )


def _log(x: float) -> float:
    return math.log(x) if x > 0 else -math.inf
