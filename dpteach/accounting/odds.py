"""Floor 2. What privacy means for a guesser: odds, error rates, groups, relations."""

import math
from collections.abc import Callable
from dataclasses import replace

from .. import checks
from ..privacy import (
    EVENTS,
    Approximate,
    Composed,
    Concentrated,
    DiscreteGaussian,
    DiscreteLaplace,
    Event,
    FixedSizeGaussian,
    Gaussian,
    MixtureOfGaussians,
    Pure,
    RandomizedResponse,
    Relation,
    SampledGaussian,
    SampledLaplace,
    Selection,
)
from .pricing import delta_of

# a release that may lose everything has no odds
_EVENTS = tuple(kind for kind in EVENTS if kind is not Approximate)


def posterior_bounds(prior: float, epsilon: float) -> tuple[float, float]:
    r"""Bound what a guesser believes after seeing the output of an ε-private release.

    Parameters
    ----------
    prior : float
        :math:`p`, the probability that the guesser assigned beforehand to "the record
        is in the data", strictly between 0 and 1.
    epsilon : float
        :math:`\varepsilon`, in nats, at least 0. With δ above 0 some outputs may break
        the bounds.

    Returns
    -------
    tuple of float
        The least and the largest probability that any output can lead to: the odds
        change by a factor between :math:`e^{-\varepsilon}` and :math:`e^{\varepsilon}`.

    Examples
    --------
    >>> low, high = posterior_bounds(0.5, 1.0)  # a coin flip becomes 73 to 27 at most
    >>> round(low, 3), round(high, 3)
    (0.269, 0.731)
    """
    prior = checks.probability(prior=prior)
    epsilon = checks.nonnegative(epsilon=epsilon)
    shrink = math.exp(-epsilon)
    low = prior * shrink / (prior * shrink + 1 - prior)
    return low, prior / (prior + (1 - prior) * shrink)


def guess_probability(event: Event, prior: float) -> float:
    r"""Compute how often the best guesser is right about one record.

    Parameters
    ----------
    event : Event
        What was spent. The guesser sees all of its output and knows all other records.
    prior : float
        :math:`p`, the probability of one of the two neighboring data sets beforehand,
        strictly between 0 and 1.

    Returns
    -------
    float
        :math:`\max(p, 1-p) + \min(p, 1-p)\,\delta(|\ln\frac{1-p}{p}|)`: the share of
        right guesses without the output, plus the most that the output can add.

    Raises
    ------
    ValueError, TypeError
        If the prior is not between 0 and 1, or the event cannot be priced.

    Examples
    --------
    >>> from dpteach.privacy import Gaussian, Relation
    >>> event = Gaussian(1.0, relation=Relation.ADD_REMOVE)
    >>> round(guess_probability(event, 0.5), 3)  # with 50 : 50 beforehand
    0.691
    >>> round(guess_probability(event, 0.01), 3)  # with 1 : 99 the output says little
    0.99
    """
    prior = checks.probability(prior=prior)
    if min(prior, 1 - prior) < 1e-300:
        raise ValueError(
            f"`prior` must be between 1e-300 and 1 - 1e-16, got {prior!r}. Somebody so "
            "sure has nothing to guess."
        )
    likely, unlikely = max(prior, 1 - prior), min(prior, 1 - prior)
    return likely + unlikely * delta_of(event, math.log(likely / unlikely))


def trade_off(event: Event, false_alarms: float) -> float:
    r"""Compute the least miss rate of any test for one record. [trade-off curve]

    Parameters
    ----------
    event : Event
        What was spent.
    false_alarms : float
        :math:`\alpha`, how often the test may say "in" about a record that is not in
        the data, strictly between 0 and 1.

    Returns
    -------
    float
        :math:`f(\alpha) = \sup_\varepsilon \max(1 - \delta(\varepsilon) -
        e^{\varepsilon}\alpha,\ e^{-\varepsilon}(1 - \delta(\varepsilon) - \alpha))`,
        rounded down: every test misses a record that is in the data at least this
        often.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of its range, or the event cannot be priced.

    Notes
    -----
    The supremum takes some fifty prices. Where one price takes a second, as for choices
    mixed with discrete noise, the whole takes up to a minute.

    Examples
    --------
    >>> from dpteach.privacy import Gaussian, Relation
    >>> event = Gaussian(1.0, relation=Relation.ADD_REMOVE)
    >>> round(trade_off(event, 0.05), 3)  # Φ(Φ⁻¹(0.95) − 1)
    0.74
    """
    false_alarms = checks.probability(false_alarms=false_alarms)
    from scipy.optimize import minimize_scalar

    def misses(epsilon: float) -> float:
        size = math.exp(-abs(epsilon))
        if epsilon > 0 and size <= false_alarms:  # below 0, whatever δ is
            return -1 - epsilon
        kept = 1 - delta_of(event, abs(epsilon))
        if max(kept, false_alarms) < 1e-15:  # no digit is left: look farther up
            return -size if epsilon > 0 else size - 2
        if epsilon > 0:
            return kept - false_alarms / size
        return size * (kept - false_alarms)

    # one peak; where it is, the slope of the curve is −e^ε, which is a float up to 700
    steps = [0.25 * i for i in range(-2800, 2801)]
    best = _climb(misses, steps)
    found = minimize_scalar(
        lambda e: -misses(e),
        bounds=(best - 0.25, best + 0.25),
        method="bounded",
        options={"xatol": 1e-9},
    )
    return max(misses(best), -float(found.fun), 0.0)


def _climb(f: Callable[[float], float], points: list[float]) -> float:
    # the highest point of a list along which f rises, then falls
    low, high = 0, len(points) - 1
    while low < high:
        middle = (low + high) // 2
        if f(points[middle]) < f(points[middle + 1]):
            low = middle + 1
        else:
            high = middle
    return points[low]


def group_privacy(epsilon: float, delta: float, *, size: int) -> tuple[float, float]:
    r"""Restate (ε, δ) for records that change together. [Section 6.1; E-02]

    Parameters
    ----------
    epsilon, delta : float
        What holds when one record changes, :math:`(\varepsilon, \delta)`.
    size : int
        :math:`k`, how many records change. With 2, a statement about adding or removing
        one record becomes a statement about replacing one.

    Returns
    -------
    tuple of float
        :math:`(k\varepsilon, \delta\,\frac{e^{k\varepsilon}-1}{e^{\varepsilon}-1})`,
        the second at most 1.

    Examples
    --------
    >>> epsilon, delta = group_privacy(1.0, 1e-6, size=2)
    >>> epsilon, round(delta, 9)  # δ does not just double: it grows by 1 + e
    (2.0, 3.718e-06)
    """
    epsilon = checks.positive(epsilon=epsilon)
    delta = checks.probability(delta=delta)
    size = checks.count(size=size)
    log_growth = (size - 1) * epsilon + math.log(
        -math.expm1(-size * epsilon) / -math.expm1(-epsilon)
    )
    return size * epsilon, math.exp(min(math.log(delta) + log_growth, 0.0))


def for_group(event: Event, size: int) -> Event:
    r"""Restate an event for records that change together.

    Parameters
    ----------
    event : Event
        What was spent, for one record.
    size : int
        :math:`k`, how many records change.

    Returns
    -------
    Event
        The event with :math:`k\varepsilon` and :math:`k\mu`, which is sharper than
        applying ``group_privacy`` to a price. Under ``ADD_REMOVE`` with ``size=2`` its
        price holds for replacing one record.

    Raises
    ------
    ValueError, TypeError
        If ``size`` is not an int of at least 1, or the event is subsampled.

    Examples
    --------
    >>> from dpteach.accounting import epsilon_of
    >>> one = Gaussian(5.0, relation=Relation.ADD_REMOVE)
    >>> round(epsilon_of(one, 1e-6), 2), round(epsilon_of(for_group(one, 2), 1e-6), 2)
    (0.83, 1.77)
    """
    size = checks.count(size=size)
    checks.instance(_EVENTS, event=event)
    match event:
        case Composed():
            return Composed(tuple(for_group(one, size) for one in event.events))
        case Pure() | Selection():
            return replace(event, epsilon=size * event.epsilon)
        case Gaussian() | SampledLaplace(rate=1):
            return replace(event, noise_multiplier=event.noise_multiplier / size)
        case DiscreteGaussian() | DiscreteLaplace():
            return replace(event, sensitivity=size * event.sensitivity)
        case Concentrated():
            return replace(event, rho=size**2 * event.rho)
        case RandomizedResponse():
            return for_group(_pure(event), size)
    raise ValueError(
        f"`event` must not be subsampled, got {event!r}. The records of a group are "
        "sampled independently: restate its (ε, δ) by group_privacy."
    )


def _pure(event: RandomizedResponse) -> Pure:
    return Pure(event.epsilon, releases=event.releases, relation=event.relation)


def restate(event: Event, relation: Relation) -> Event:
    r"""Restate an event about adding or removing a record for replacing one.

    Parameters
    ----------
    event : Event
        What was spent, under ``ADD_REMOVE`` or ``ZERO_OUT``.
    relation : Relation
        ``REPLACE``: one record out and another in are two changes in a row. The other
        relations do not follow from each other, so they are refused.

    Returns
    -------
    Event
        The event under ``relation``, with twice the ε and twice the μ.

    Raises
    ------
    ValueError, TypeError
        If the new relation does not follow from the old, or the event is subsampled.

    Examples
    --------
    >>> restate(Pure(0.5, relation=Relation.ADD_REMOVE), Relation.REPLACE)
    Pure(epsilon=1.0, releases=1, relation=Relation.REPLACE)
    """
    checks.instance(Relation, relation=relation)
    checks.instance(_EVENTS, event=event)
    if event.relation is relation:
        return event
    if relation is not Relation.REPLACE:
        raise ValueError(
            f"`relation` must be Relation.REPLACE, got {relation!r} for an event under "
            f"{event.relation!r}, from which it does not follow. Price the algorithm "
            "under that relation from the start."
        )
    if (doubled := _doubled(event, relation)) is not None:
        return doubled
    raise ValueError(
        f"`event` must not be subsampled, got {event!r}. Which replacement is worst is "
        "not proved here, so restate its (ε, δ) by group_privacy(size=2)."
    )


def _doubled(event: Event, relation: Relation) -> Event | None:
    # the event of two changes in a row
    match event:
        case Composed():
            return Composed(tuple(restate(one, relation) for one in event.events))
        # the same noise: REPLACE itself doubles the sensitivity
        case Gaussian() | FixedSizeGaussian() | SampledGaussian():
            return replace(event, relation=relation)
        case MixtureOfGaussians():
            return replace(event, relation=relation)
        case SampledLaplace(rate=1):
            half = event.noise_multiplier / 2
            return replace(event, noise_multiplier=half, relation=relation)
        case DiscreteGaussian() | DiscreteLaplace():
            return replace(event, sensitivity=2 * event.sensitivity, relation=relation)
        case Concentrated():
            return replace(event, rho=4 * event.rho, relation=relation)
        case RandomizedResponse():
            return restate(_pure(event), relation)
        case Pure() | Selection():
            return replace(event, epsilon=2 * event.epsilon, relation=relation)
    return None
