"""Floor 2. What an event costs: ε at a δ, and δ at an ε."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from .. import checks
from ..checks import LEAST
from ..privacy import Event
from .accountants.choice import ACCOUNTANTS, best
from .accountants.curve import Bounds, Curve, Unsuited
from .pairs.releases import NoFiniteEpsilon, Releases, releases_of

# A price is certified where its two sides differ by no more than this share
CERTIFIED = 1e-6


@dataclass(frozen=True)
class Price:
    r"""What an event costs, and how the figure was obtained.

    Parameters
    ----------
    epsilon, delta : float
        The event is :math:`(\varepsilon, \delta)`-private under its own relation. One
        of the two was given; the other was computed, and it is never below the truth.
    kind : {"exact", "certified", "upper bound", "not private"}
        "exact": no smaller number holds for all mechanisms with these parameters,
        except that rounding goes up. "certified": none that is smaller by more than a
        millionth is proved to. "upper bound": a smaller one may hold; see ``lower``.
        "not private": nothing is promised.
    method : str
        The accountant, in words.
    lower : float
        A proved lower bound of the number that was computed: no smaller ε, or δ, holds
        for all mechanisms with these parameters. It is 0 if the accountant proves none.
    """

    epsilon: float
    delta: float
    kind: str
    method: str
    lower: float = 0.0


def price_of(
    event: Event,
    *,
    epsilon: float | None = None,
    delta: float | None = None,
    accountant: str = "best",
) -> Price:
    r"""Price an event, and say how the price was obtained.

    Parameters
    ----------
    event : Event
        What was spent, as in ``release.event``.
    epsilon, delta : float, optional
        :math:`\varepsilon` in nats or :math:`\delta`: exactly one of them; the other is
        computed. At δ = 0 only pure events have a price: their ε adds up.
    accountant : str, optional
        "best" takes the closed form if there is one, and else the contour integral with
        its error bounds; if these leave more than a hundred-thousandth open, it takes
        the least upper bound of all accountants. To compare accountants, name one:
        "exact", "contour", "loss_distribution", "renyi" or "concentrated".

    Returns
    -------
    Price
        Both numbers, how sharp they are, the method, and a lower bound of the number
        that was computed.

    Raises
    ------
    ValueError, TypeError
        If both or neither of ε and δ are given, if one is out of its range, or if this
        accountant cannot price the event.

    Examples
    --------
    >>> from dpteach.privacy import Pure, Relation
    >>> event = Pure(0.1, releases=100, relation=Relation.ADD_REMOVE)
    >>> price = price_of(event, delta=1e-6)  # basic composition: ε = 10
    >>> round(price.epsilon, 3), price.kind, price.method
    (4.775, 'exact', 'optimal composition of pure releases')
    """
    checks.one_of(("best", *ACCOUNTANTS), accountant=accountant)
    given = _check_one(epsilon, delta)
    releases = releases_of(event)
    if releases.failure == 1:  # a release without noise, say
        value = 1.0 if delta is None else math.inf
        bounds, kind, method = (value, value), "not private", "nothing is hidden"
    elif delta is None:
        bounds, kind, method = _price(
            releases, accountant, lambda curve: _delta(curve, releases, given)
        )
        if accountant == "best" and kind == "upper bound":
            bounds, method = _at_most_variation(releases, bounds, method)
    else:
        left = _delta_left(releases, given)
        if left == 0:
            value = releases.within().basic
            bounds, kind, method = (value, value), "exact", "basic composition"
        elif accountant == "best" and releases.total_variation <= left:
            bounds, kind, method = (0.0, 0.0), "exact", "total variation"
        else:
            bounds, kind, method = _price(
                releases, accountant, lambda curve: curve.least_epsilon(left)
            )
    lower, value = bounds
    both = (given, value) if delta is None else (value, given)
    return Price(*both, kind, method, lower)


def _price(
    releases: Releases, accountant: str, query: Callable[[Curve], Bounds]
) -> tuple[Bounds, str, str]:
    """Ask an accountant; return both sides, the kind of price, and the method."""
    try:
        if accountant == "best":
            (lower, value), curve = best(releases, query)
        else:
            curve = ACCOUNTANTS[accountant](releases.within())
            (lower, value), _ = curve.evaluate(query)
            lower = 0.0 if releases.beyond else lower
        if not math.isfinite(value):
            raise Unsuited("its grid is too coarse for so many releases")
    except ArithmeticError as problem:
        raise ValueError(
            f"`accountant` must be able to price the event, got {accountant!r}: "
            f"{problem}. Take accountant='best'."
        ) from None
    kind = "upper bound" if releases.beyond else curve.kind
    if kind == "upper bound" and value - lower <= CERTIFIED * value:
        kind = "certified"
    return (lower, value), kind, curve.method


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
        f"`epsilon` or `delta` must be given, but not both, got {epsilon!r} and "
        f"{delta!r}. Give the one that you know."
    )


def _delta(curve: Curve, releases: Releases, epsilon: float) -> Bounds:
    # What the (ε, δ)-private releases may cost is added.
    failure = releases.failure
    lower, upper = map(math.exp, curve.log_delta(epsilon))
    if not (releases.bounded and epsilon >= releases.basic):
        # What is too small for a float is not 0, which would promise pure privacy.
        # Beside a δ of 1e-300 or more the least float is lost in rounding.
        lower, upper = max(lower - LEAST, 0.0), upper + LEAST
    return failure + (1 - failure) * lower, failure + (1 - failure) * upper


def _at_most_variation(
    releases: Releases, bounds: Bounds, method: str
) -> tuple[Bounds, str]:
    """Take the sum of all total variations where it is the smaller bound of δ."""
    failure = releases.failure
    most = failure + (1 - failure) * releases.total_variation + LEAST
    if most >= bounds[1]:
        return bounds, method
    return (min(bounds[0], most), most), "total variation"


def _delta_left(releases: Releases, delta: float) -> float:
    # What the (ε, δ)-private releases leave of δ; 0 is enough for pure ones.
    left = (delta - releases.failure) / (1 - releases.failure)
    if left > 0 or (left == 0 and releases.within().bounded):
        return left
    if delta == 0:
        raise ValueError(
            "`delta` must be above 0 unless the event is pure, got 0. Gaussian noise, "
            "for example, needs δ > 0: give a δ that you accept."
        )
    raise NoFiniteEpsilon(
        f"`delta` must be above {releases.failure:.6g}, which the (ε, δ)-private "
        f"releases may cost, got {delta!r}. Give a larger one."
    )


def delta_of(event: Event, epsilon: float, *, accountant: str = "best") -> float:
    r"""Compute the smallest δ at which an event is (ε, δ)-private.

    Parameters
    ----------
    event : Event
        What was spent, as in ``release.event``.
    accountant : str, optional
        As for ``price_of``; by default the best.

    Returns
    -------
    float
        δ under the event's relation, a proved upper bound; ``price_of`` says whether it
        is exact, and how far it can be from the truth.

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
    return price_of(event, epsilon=epsilon, accountant=accountant).delta


def epsilon_of(event: Event, delta: float, *, accountant: str = "best") -> float:
    r"""Compute the smallest ε at which an event is (ε, δ)-private.

    Parameters
    ----------
    event : Event
        What was spent, as in ``release.event``.
    delta : float
        :math:`\delta`, below 1; 0 is allowed for pure events only.
    accountant : str, optional
        As for ``price_of``; by default the best.

    Returns
    -------
    float
        ε in nats under the event's relation, a proved upper bound; ``price_of`` says
        whether it is exact, and how far it can be from the truth.

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
    return price_of(event, delta=delta, accountant=accountant).epsilon
