"""Floor 2. The parameter of an algorithm at which its event meets a budget (ε, δ)."""

import functools
import math
from collections.abc import Callable

from .. import checks
from ..privacy import Event, Gaussian, Relation, SampledGaussian, SampledLaplace
from .accountants.choice import ACCOUNTANTS
from .pairs.releases import NoFiniteEpsilon, releases_of
from .pricing import Price, price_of
from .rules.gaussian import gaussian_mu
from .search import bracket, private_end


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

    @functools.cache
    def priced(x: float) -> Price:
        return price_of(event_of(x), delta=delta, accountant=accountant)

    def price(x: float) -> float | None:
        try:
            return priced(x).epsilon
        except NoFiniteEpsilon:
            return math.inf
        except ValueError:  # x is out of range
            return None

    found = bracket(price, epsilon)
    if found is None:
        raise ValueError(_one_side(epsilon, delta, priced(1.0).epsilon))
    costly, private = found
    if accountant == "best":
        costly, private = _within_the_range(event_of, costly, private, price, epsilon)
    near = 1e-13 if priced(private).kind == "exact" else 1e-9
    return private_end(price, costly, private, epsilon, near)


def _one_side(epsilon: float, delta: float, price_at_one: float) -> str:
    return (
        f"`event_of` must meet `epsilon`={epsilon!r}, `delta`={delta!r} between 1e-18 "
        f"and 1e18, got ε={price_at_one!r} at 1.0 and the same side of the budget "
        "everywhere. Other events may already spend too much, or too little to matter."
    )


def _within_the_range(
    event_of: Callable[[float], Event],
    costly: float,
    private: float,
    price: Callable[[float], float | None],
    epsilon: float,
) -> tuple[float, float]:
    """Narrow two ends down to one side of where sampling is left out of the price.

    There the price jumps, and where that is costs no price to find.
    """

    def left_out(x: float) -> bool:
        try:
            return bool(releases_of(event_of(x)).beyond)
        except ValueError:
            return True

    if not left_out(costly) or left_out(private):
        return costly, private
    outside, inside = costly, private
    while abs(outside - inside) > 5e-13 * inside:
        middle = math.sqrt(outside * inside)
        if left_out(middle):
            outside = middle
        else:
            inside = middle
    value = price(inside)
    if value is not None and value > epsilon:
        return inside, private
    return outside, inside


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
