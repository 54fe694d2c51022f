"""Floor 2. What an event is like: the μ, the hits and the divergences of its curve."""

import math

import numpy as np

from .. import checks
from ..privacy import EVENTS, Event
from .accountants.renyi import log_moment, moment_pairs
from .odds import trade_off
from .pairs.listed import ListedPair
from .pairs.releases import Releases, releases_of
from .pricing import delta_of, price_of
from .rules.gaussian import log_delta

STEPS = 32  # of the price curve; with 128, the labels of the tests gain 1 %
WEAKEST = 500.0  # nats: the largest ε of a curve
# Lists hold outputs up to 37 standard deviations; a tilt moves them by the order times
# the spread
LARGEST_TILT = 25.0


def mu_of(event: Event, slack: float = 1e-9) -> float:
    r"""Find a μ for which an event is μ-GDP, but for a slack.

    Parameters
    ----------
    event : Event
        What was spent.
    slack : float, optional
        How far below the trade-off curve of one μ-GDP Gaussian release that of the
        event may lie, above 0. Gaussian events need none. Without it, a sampled record
        would have the μ of one that is in every sample, which its farthest tail has.

    Returns
    -------
    float
        The least :math:`\mu` for which :math:`\delta(\varepsilon) \le
        \delta_\mu(\varepsilon) + \text{slack}` is proved at every ε; ∞ if the event
        fails with a probability of at least the slack.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of its range, the event cannot be priced, or its ε at the
        slack is above 500.

    References
    ----------
    * Dong, Roth and Su (2022), Gaussian Differential Privacy.

    Examples
    --------
    >>> from dpteach.privacy import Gaussian, Pure, Relation
    >>> public = {"releases": 100, "relation": Relation.ADD_REMOVE}
    >>> mu_of(Gaussian(50.0, **public))
    0.2
    >>> round(mu_of(Pure(0.02, **public)), 3)  # near the limit of √100 · 0.02
    0.202
    """
    checks.instance(EVENTS, event=event)
    slack = checks.probability(slack=slack)
    if (exact := gaussian_mu_of(event)) is not None:
        return exact
    if releases_of(event).failure >= slack:
        return math.inf
    return least_mu(*price_curve(event, slack), slack)


def true_positives(event: Event, false_alarms: float) -> float:
    r"""Bound how many members any attack finds at given false alarms.

    Parameters
    ----------
    event : Event
        What was spent.
    false_alarms : float
        :math:`\alpha`, the false-positive rate: how often the attack says "in" about a
        record that is not in the data, strictly between 0 and 1.

    Returns
    -------
    float
        The true-positive rate, at most: 1 less the least miss rate of ``trade_off``.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of its range, or the event cannot be priced.

    Examples
    --------
    >>> from dpteach.privacy import Gaussian, Relation
    >>> event = Gaussian(1.0, relation=Relation.ADD_REMOVE)
    >>> round(true_positives(event, 0.01), 3)  # Φ(Φ⁻¹(0.01) + 1)
    0.092
    """
    return min((1 - trade_off(event, false_alarms)) * (1 + 1e-15), 1.0)


def renyi_divergence(event: Event, order: float) -> float:
    r"""Bound the Rényi divergence of an event between neighbors.

    Parameters
    ----------
    event : Event
        What was spent. A record that picks a step at random counts as if its step were
        known.
    order : float
        :math:`\alpha > 1`.

    Returns
    -------
    float
        :math:`D_\alpha` in nats, the larger one of both directions, at most; ∞ if the
        event may lose everything.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of its range, or the order is too large for the event.

    References
    ----------
    * Mironov (2017), Rényi Differential Privacy.

    Examples
    --------
    >>> from dpteach.privacy import Gaussian, Pure, Relation
    >>> public = {"relation": Relation.ADD_REMOVE}
    >>> round(renyi_divergence(Gaussian(2.0, **public), 8.0), 6)  # α/2λ²
    1.0
    >>> round(renyi_divergence(Pure(1.0, **public), 8.0), 3)  # at most ε
    0.955
    """
    checks.instance(EVENTS, event=event)
    order = checks.finite(order=order)
    if not order > 1:
        raise ValueError(
            f"`order` must be above 1, got {order!r}. Order 1 is the limit, where the "
            "divergence is the mean loss; take 1.0001."
        )
    spent = releases_of(event).within()
    spent = spent.with_known_steps() or spent
    if spent.failure:
        return math.inf
    value = _largest_moment(spent, order)
    if not math.isfinite(value):
        raise ValueError(
            f"`order` must be small enough for the integral, got {order!r} for "
            f"{event!r}. Take a smaller one."
        )
    return max(value, 0.0) / (order - 1) * (1 + 1e-12)


def _largest_moment(spent: Releases, order: float) -> float:
    # ∞ where it cannot be computed
    directions = moment_pairs(spent)
    listed = any(
        isinstance(pair, ListedPair) and pair.log_lost > -math.inf
        for pairs in directions
        for pair, _ in pairs
    )
    if listed and order * max(kind.spread for kind in spent.kinds) > LARGEST_TILT:
        return math.inf
    try:
        with np.errstate(over="ignore", invalid="ignore"):
            return max(log_moment(pairs, order - 1) for pairs in directions)
    except ArithmeticError:
        return math.inf


def gaussian_mu_of(event: Event) -> float | None:
    """Return the exact μ of Gaussian releases alone; None for all others."""
    spent = releases_of(event)
    others = spent.pure, spent.selections, spent.kinds, spent.beyond, spent.failure
    known = spent.mu and not any(others) and not spent.concentrated
    return spent.mu if known else None


def price_curve(event: Event, slack: float) -> tuple[np.ndarray, np.ndarray]:
    """Compute upper bounds of δ, from ε = 0 to where δ is at most ``slack``."""
    end = price_of(event, delta=slack).epsilon
    if end > WEAKEST:
        raise ValueError(
            f"`event` must cost less than ε = {WEAKEST:g} for a label, got "
            f"{end:.6g} of {event!r}. Add noise, or release less."
        )
    if end == 0:
        return np.zeros(1), np.array([min(slack, delta_of(event, 0.0))])
    epsilons = np.linspace(0.0, end, STEPS + 1)
    curve = [delta_of(event, float(each)) for each in epsilons[:-1]]
    # δ falls as ε grows: what is proved for a smaller ε holds for a larger one.
    return epsilons, np.minimum.accumulate([*curve, slack])


def least_mu(epsilons: np.ndarray, curve: np.ndarray, slack: float) -> float:
    """Find a μ that is certified, by bisection; its upper end always is."""
    if curve[0] <= slack:
        return 0.0
    low, high = 0.0, 1.0
    while not _certified(high, epsilons, curve, slack):
        low, high = high, 2 * high
    while high - low > 1e-6 * high:
        middle = (low + high) / 2
        if _certified(middle, epsilons, curve, slack):
            high = middle
        else:
            low = middle
    return high


def _certified(
    mu: float, epsilons: np.ndarray, curve: np.ndarray, slack: float
) -> bool:
    """Say whether δ ≤ δ_μ + slack is proved at all points, and between them."""
    from scipy.special import ndtr

    gaussian = (np.exp(log_delta(mu, epsilons)) + slack) * (1 - 1e-9)  # for rounding
    if np.any(curve[:-1] > gaussian[:-1]):
        return False
    # In x = e^ε over e^ε of the left end, minus 1: both tangents of the Gaussian curve
    # meet at x, and there the chord of the other must not lie above them.
    left, right, width = gaussian[:-1], gaussian[1:], np.expm1(np.diff(epsilons))
    grown = np.exp(epsilons[:-1])
    falls = -grown * ndtr(-mu / 2 - epsilons[:-1] / mu)
    then = -grown * ndtr(-mu / 2 - epsilons[1:] / mu)
    apart = np.where(falls < then, falls - then, -np.inf)
    x = np.clip((right - left - then * width) / apart, 0.0, width)
    lowest = np.maximum(left + falls * x, right + then * (x - width))
    chord = curve[:-1] + np.diff(curve) * x / width
    return bool(np.all(chord <= lowest))
