"""Floor 4. A privacy label: what an event promises, on one card, rounded up."""

import html
import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, Context, Decimal
from typing import Any

import numpy as np

from . import checks
from .accounting import Price, price_of
from .accounting.equivalents import gaussian_mu_of, least_mu, price_curve
from .accounting.pairs.releases import releases_of
from .privacy import EVENTS, Event, Relation

# How far below the Gaussian trade-off curve a label may leave the true one.
SLACK = 1e-9
# What no event covers, whatever the algorithm.
NEVER_COVERED = (
    "facts about the whole population, which hold with or without this record",
    "any use of the data that is not in the event: tuning, preprocessing, logs",
    "flaws of the program: rounding, weak random numbers, running time",
)


@dataclass(frozen=True)
class PrivacyLabel:
    r"""What an event promises; ``print`` it, or let a notebook show it.

    Parameters
    ----------
    event : Event
        What was spent.
    unit : str
        Whose presence is hidden.
    mu, slack : float
        The trade-off curve of the event is at no point more than ``slack`` below that
        of one Gaussian release that is :math:`\mu`-GDP.
    prices : tuple of Price
        ε at each δ.
    right_guesses : float
        How often a guess about one record is right, at most, at even odds.
    false_alarms, true_positives : float
        Of an attack with these false alarms, how many members it finds at most.
    not_covered : tuple of str
        What the promise leaves out.
    """

    event: Event
    unit: str
    mu: float
    slack: float
    prices: tuple[Price, ...]
    right_guesses: float
    false_alarms: float
    true_positives: float
    not_covered: tuple[str, ...]

    @property
    def relation(self) -> Relation | None:
        """Which data sets are neighbors."""
        return self.event.relation

    @property
    def odds(self) -> float:
        """What an alarm of that attack multiplies the odds of membership by, at most.

        It is the true positives over the false alarms.
        """
        return self.true_positives / self.false_alarms

    @property
    def rows(self) -> tuple[tuple[str, str], ...]:
        """The card, as pairs of a heading and what it says."""
        close = f", but for {_up(self.slack, 2)}" if self.slack else ""
        alarms = f"{100 * self.false_alarms:.3g}%"
        return (
            ("Unit of privacy", self.unit),
            ("Neighbors", self.relation.value if self.relation else "any"),
            ("Gaussian DP", f"μ ≤ {_up(self.mu)}{close}"),
            *(
                (f"ε at δ = {each.delta:g}", f"≤ {_up(each.epsilon)} ({each.kind})")
                for each in self.prices
            ),
            (
                "Right guesses",
                f"≤ {_percent(self.right_guesses)} of all, where blind ones are 50%",
            ),
            (
                f"Found at {alarms} false alarms",
                f"≤ {_percent(self.true_positives)} of all members; an alarm "
                f"multiplies the odds by {_up(self.odds)} at most",
            ),
            ("Spent", repr(self.event)),
            ("Not covered", "; ".join(self.not_covered)),
        )

    def __str__(self) -> str:
        """Write the card as plain text."""
        width = max(len(head) for head, _ in self.rows)
        lines = [f"{head:<{width}}  {said}" for head, said in self.rows]
        return "\n".join(["PRIVACY LABEL", *lines])

    def _repr_html_(self) -> str:
        """Write the card as a table; what a user typed is escaped."""
        rows = "".join(
            f'<tr><th scope="row">{html.escape(head)}</th>'
            f"<td>{html.escape(said)}</td></tr>"
            for head, said in self.rows
        )
        return f"<table><caption>Privacy label</caption><tbody>{rows}</tbody></table>"


def privacy_label(
    event: Event,
    *,
    unit: str,
    deltas: Sequence[float] = (1e-5, 1e-6, 1e-8),
    false_alarms: float = 0.01,
    not_covered: Sequence[str] = (),
) -> PrivacyLabel:
    r"""Write the privacy label of an event: what any attacker can do, at most.

    Parameters
    ----------
    event : Event
        What was spent, as in ``release.event``; all of it, as one ``Composed``.
    unit : str
        Whose presence is hidden, in words, such as "one patient". It cannot be read
        off the event: a person with many records has many units.
    deltas : sequence of float, optional
        :math:`\delta`, the values at which ε is stated.
    false_alarms : float, optional
        :math:`\alpha`, how often the attack may accuse a record that is not in.
    not_covered : sequence of str, optional
        What else was done with the data and is not paid for. It is added to what no
        label covers.

    Returns
    -------
    PrivacyLabel
        Every number is a proved upper bound, and is rounded up when it is shown.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of its range, the event cannot be priced, or ε would
        exceed 500.

    Notes
    -----
    Gaussian releases have a :math:`\mu` of their own, which is stated. For any other
    event the label states the least :math:`\mu` for which it can prove
    :math:`\delta(\varepsilon) \le \delta_\mu(\varepsilon) + 10^{-9}` at every ε, where
    :math:`\delta_\mu` is the curve of one Gaussian release (and the probability of
    failure of approximate events is added to the :math:`10^{-9}`). So every attack does
    as well against that Gaussian release, but for this slack. Both curves are convex
    in :math:`e^\varepsilon`: between points, the event's curve lies below its chord,
    and the Gaussian one above its tangents.

    Source: reporting a μ with its slack is the proposal of Gómez and others (2026).

    Examples
    --------
    >>> from dpteach.privacy import SampledGaussian
    >>> run = SampledGaussian(1.1, rate=0.004, releases=4800,
    ...                       relation=Relation.ADD_REMOVE)
    >>> label = privacy_label(run, unit="one patient", deltas=[1e-5])
    >>> print(label.rows[2][1], "|", *label.rows[3])
    μ ≤ 0.335, but for 1e-09 | ε at δ = 1e-05 ≤ 1.25 (certified)
    >>> label.rows[4][1]  # a blind guess is right half of the time
    '≤ 56.3% of all, where blind ones are 50%'
    """
    checks.instance(EVENTS, event=event)
    given = _texts(not_covered)
    checks.instance(str, unit=unit)
    if not unit.strip():
        raise ValueError(
            f"`unit` must say whose presence is hidden, got {unit!r}. Give it in "
            'words, such as "one patient".'
        )
    slack = SLACK + _failure(event)
    prices = _prices(event, deltas)
    false_alarms = checks.probability(false_alarms=false_alarms)
    epsilons, curve = price_curve(event, slack)
    exact = gaussian_mu_of(event)
    return PrivacyLabel(
        event=event,
        unit=unit.strip(),
        mu=least_mu(epsilons, curve, slack) if exact is None else exact,
        slack=slack if exact is None else 0.0,
        prices=prices,
        right_guesses=min((1 + float(curve[0])) / 2, 1.0),
        false_alarms=float(false_alarms),
        true_positives=_most_found(epsilons, curve, float(false_alarms)),
        not_covered=(*given, *NEVER_COVERED),
    )


def _failure(event: Event) -> float:
    failure = releases_of(event).failure
    if failure == 1:
        raise ValueError(
            f"`event` must hide something to have a label, got {event!r}. Add noise to "
            "every release of it."
        )
    return failure


def _texts(not_covered: Any) -> tuple[str, ...]:
    if isinstance(not_covered, str) or not isinstance(not_covered, Sequence):
        raise TypeError(
            f"`not_covered` must be a list of strings, got {not_covered!r:.60}. "
            'Give it as ["the learning rate was tuned on the private data"].'
        )
    for each in not_covered:
        checks.instance(str, not_covered=each)
    return tuple(not_covered)


def _prices(event: Event, deltas: Any) -> tuple[Price, ...]:
    if isinstance(deltas, str) or not isinstance(deltas, Sequence | np.ndarray):
        raise TypeError(
            f"`deltas` must be a list of numbers, got {deltas!r:.60}. "
            "Give one as [1e-6]."
        )
    if len(deltas) == 0:
        raise ValueError("`deltas` must hold at least one δ, got []. Give [1e-6].")
    deltas = [checks.probability(deltas=each) for each in deltas]
    failure = releases_of(event).failure
    if min(deltas) <= failure:
        raise ValueError(
            f"`deltas` must be above {failure:.6g}, which the (ε, δ)-private releases "
            f"may cost, got {min(deltas)!r}. Give larger ones."
        )
    return tuple(price_of(event, delta=float(each)) for each in deltas)


def _most_found(epsilons: np.ndarray, curve: np.ndarray, alarms: float) -> float:
    """Bound the true positives at these false alarms: each point of the curve does."""
    above = curve + np.exp(epsilons) * alarms
    below = 1 - np.exp(-epsilons) * (1 - curve - alarms)
    return float(min(above.min(), below.min(), 1.0))


def _up(value: float, digits: int = 3) -> str:
    """Write a number with some digits, never below it."""
    if value == 0 or not math.isfinite(value):
        return f"{value:g}"
    upward = Context(prec=digits, rounding=ROUND_CEILING)
    rounded = upward.create_decimal(Decimal(repr(float(value))))
    return f"{float(rounded):g}"


def _percent(share: float) -> str:
    return f"{_up(100 * share)}%"
