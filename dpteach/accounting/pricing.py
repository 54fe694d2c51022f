"""Floor 2. What an event costs: ε at a δ, δ at an ε, and the noise that meets both."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from .. import checks
from ..checks import LEAST
from ..privacy import Event, Gaussian, Relation, SampledGaussian, SampledLaplace
from .accountants import ACCOUNTANTS, Bounds, Curve, Unsuited, best
from .gaussian import gaussian_mu
from .moments import OutOfDigits
from .pure_mixture import TooManyTerms
from .search import bracket, private_end
from .spending import Spending, TooDear, spending_of


@dataclass(frozen=True)
class Price:
    r"""What an event costs, and how the figure was obtained.

    Parameters
    ----------
    epsilon, delta : float
        The event is :math:`(\varepsilon, \delta)`-private under its own relation. One
        of the two was given; the other was computed, and it is never below the truth.
    kind : {"exact", "upper bound"}
        "exact": no smaller number holds for all mechanisms with these parameters,
        except that rounding goes up. "upper bound": it holds, and a smaller number may
        hold too.
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
        Both numbers, the kind ("exact" or "upper bound"), the method, and a lower bound
        of the number that was computed.

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
    known = _check_one(epsilon, delta)
    spent = spending_of(event)
    if delta == 0:
        value = _pure(spent)
        return Price(value, 0.0, "exact", "basic composition", value)

    def figure(curve: Curve) -> Bounds:
        if delta is None:
            return _delta(curve, spent, known)
        return _epsilon(curve, spent, known)

    try:
        if accountant == "best":
            (lower, value), curve = best(spent, figure)
        else:
            curve = ACCOUNTANTS[accountant](spent)
            (lower, value), _ = curve.told(figure)
        if not math.isfinite(value):
            raise Unsuited("its grid is too coarse for so many releases")
    except (Unsuited, TooManyTerms, OutOfDigits) as problem:
        raise ValueError(
            f"`accountant` must be able to price the event, got {accountant!r}: "
            f"{problem}. Take accountant='best'."
        ) from None
    both = (known, value) if delta is None else (value, known)
    return Price(*both, curve.kind, curve.method, lower)


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


def _pure(spent: Spending) -> float:
    if spent.failure or not spent.bounded:
        raise ValueError(
            "`delta` must be above 0 unless the event is pure, got 0. Gaussian noise, "
            "for example, needs δ > 0: give a δ that you accept."
        )
    return spent.basic


def _delta(curve: Curve, spent: Spending, epsilon: float) -> Bounds:
    # What the (ε, δ)-private releases may cost is added.
    failure = spent.failure
    lower, upper = map(math.exp, curve.log_delta(epsilon))
    if not (spent.bounded and epsilon >= spent.basic):
        # What is too small for a float is not 0, which would promise pure privacy.
        # Beside a δ of 1e-300 or more the least float is lost in rounding.
        lower, upper = max(lower - LEAST, 0.0), upper + LEAST
    return failure + (1 - failure) * lower, failure + (1 - failure) * upper


def _epsilon(curve: Curve, spent: Spending, delta: float) -> Bounds:
    left = (delta - spent.failure) / (1 - spent.failure)
    if left > 0:
        return curve.least_epsilon(left)
    if left == 0 and spent.bounded:
        return spent.basic, spent.basic
    raise TooDear(
        f"`delta` must be above {spent.failure:.6g}, which the (ε, δ)-private releases "
        f"may cost, got {delta!r}. Give a larger one."
    )


def delta_of(event: Event, epsilon: float, *, accountant: str = "best") -> float:
    r"""Compute the smallest δ at which an event is (ε, δ)-private.

    Parameters
    ----------
    event : Event
        What was spent, as in ``release.event``.
    epsilon : float
        :math:`\varepsilon`, in nats, at least 0.
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


def noise_multiplier(
    epsilon: float,
    delta: float,
    *,
    releases: int = 1,
    relation: Relation,
    method: str = "exact",
    accountant: str = "best",
) -> float:
    r"""Compute the noise that makes Gaussian releases (ε, δ)-private. [Theorem 6.10]

    Parameters
    ----------
    epsilon, delta : float
        The privacy to reach, :math:`(\varepsilon, \delta)`, for all releases together.
    releases : int, optional
        :math:`k`, how many releases one record can touch. The noise grows as
        :math:`\sqrt k`.
    relation : Relation
        Which data sets are neighbors. ``REPLACE`` needs twice the noise.
    method : {"exact", "textbook"}, optional
        The least noise that suffices, or the chapter's formula
        :math:`\sqrt{2k(\ln(1/\delta) + \varepsilon)}/\varepsilon`, which always
        suffices.
    accountant : str, optional
        The least noise that suffices by this accountant, as for ``price_of``.

    Returns
    -------
    float
        The noise multiplier :math:`\lambda`: standard deviation over clip norm,
        rounded up.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of its range.

    Examples
    --------
    >>> relation = Relation.ADD_REMOVE
    >>> exact = noise_multiplier(1.0, 1e-6, releases=100, relation=relation)
    >>> book = noise_multiplier(1.0, 1e-6, releases=100, relation=relation,
    ...                         method="textbook")
    >>> round(exact, 2), round(book, 2)
    (42.25, 54.43)
    """
    epsilon = checks.positive(epsilon=epsilon)
    delta = checks.probability(delta=delta)
    releases = checks.count(releases=releases)
    checks.instance(Relation, relation=relation)
    checks.one_of(("exact", "textbook"), method=method)
    checks.one_of(("best", *ACCOUNTANTS), accountant=accountant)
    if method == "exact" and accountant not in ("best", "exact"):
        return calibrate(
            lambda z: Gaussian(z, releases=releases, relation=relation),
            epsilon,
            delta,
            accountant=accountant,
        )
    scale = relation.sensitivity * math.sqrt(releases)
    if method == "exact":
        multiplier = scale / gaussian_mu(epsilon, delta)
    else:
        multiplier = scale * math.sqrt(2 * (epsilon - math.log(delta))) / epsilon
    if not math.isfinite(multiplier):
        raise ValueError(
            f"`epsilon` must be large enough for finite noise, got {epsilon!r}. "
            "Give a larger privacy budget, such as epsilon=1."
        )
    # more than the margin by which the two inverses may differ
    return multiplier * (1 + 1e-13)


def calibrate(
    event_of: Callable[[float], Event],
    epsilon: float,
    delta: float,
    *,
    accountant: str = "best",
) -> float:
    r"""Find the parameter at which an event costs exactly its budget (ε, δ).

    Parameters
    ----------
    event_of : callable
        ``event_of(x)`` is the event of an algorithm run with the parameter x > 0, such
        as a noise multiplier. Its price must either rise or fall throughout as x grows.
        It may raise ValueError where x is out of its range.
    epsilon, delta : float
        The budget, :math:`(\varepsilon, \delta)`.
    accountant : str, optional
        As for ``price_of``; by default the best.

    Returns
    -------
    float
        x, on the private side: ``epsilon_of(event_of(x), delta) <= epsilon``, with the
        same accountant, to the last bit.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of its range, or no x between 1e-18 and 1e18 meets the
        budget.

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
    epsilon = checks.positive(epsilon=epsilon)
    delta = checks.probability(delta=delta)
    checks.one_of(("best", *ACCOUNTANTS), accountant=accountant)

    if (probability := _ever_sampled(event_of)) <= delta:
        raise ValueError(
            f"`delta` must be below {probability:.3g}, the probability that a record "
            f"is in any sample, got {delta!r}. Else any noise meets the budget."
        )

    def price(x: float) -> float | None:
        try:
            return epsilon_of(event_of(x), delta, accountant=accountant)
        except TooDear:
            return math.inf
        except ValueError:  # x is out of range
            return None

    found = bracket(price, epsilon)
    if found is None:
        price_at_one = epsilon_of(event_of(1.0), delta, accountant=accountant)
        raise ValueError(
            f"`event_of` must meet `epsilon`={epsilon!r}, `delta`={delta!r} between "
            f"1e-18 and 1e18, got ε={price_at_one!r} at 1.0 and the same side of the "
            "budget everywhere. Other events may already spend too much, or too "
            "little to matter."
        )
    kind = price_of(event_of(found[1]), delta=delta, accountant=accountant).kind
    near = 1e-13 if kind == "exact" else 1e-9
    return private_end(price, *found, epsilon, near)


def _ever_sampled(event_of: Callable[[float], Event]) -> float:
    # The probability that a record is in a sample, if that is the same for each x
    try:
        events = [event_of(x) for x in (1.0, 2.0)]
    except ValueError:  # out of range
        return 1.0
    found = {
        (event.rate, event.releases)
        for event in events
        if isinstance(event, SampledGaussian | SampledLaplace) and event.rate < 1
    }
    if len(found) != 1:
        return 1.0
    ((rate, releases),) = found
    return -math.expm1(releases * math.log1p(-rate))


def _check_callable(event_of: object) -> None:
    if not callable(event_of):
        raise TypeError(
            f"`event_of` must be a function of one number, got {event_of!r}. "
            "Write it as lambda z: Gaussian(z, relation=relation)."
        )
