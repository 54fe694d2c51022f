"""Floor 2. An event in the accountants' terms: releases by kind, and their pairs."""

import math
from dataclasses import dataclass, field

from ..privacy import (
    Approximate,
    Composed,
    Event,
    Gaussian,
    Pure,
    Relation,
    SampledGaussian,
    Selection,
)
from .pairs import GaussianPair, Pair, PurePair, SelectionPair
from .sampled import SampledPair

Counts = dict[float, int]


class TooDear(ValueError):
    """Raised when no ε is large enough, at this δ or at any."""


@dataclass
class Spending:
    r"""How many releases of each kind there are.

    Parameters
    ----------
    pure, selections : dict
        Releases by their ε.
    mu : float
        :math:`\mu` of all Gaussian releases together; 0 where there are none.
    sampled : dict
        Releases by noise multiplier and rate.
    failure : float
        How likely it is, at worst, that some (ε, δ)-private release loses everything;
        it is added to what the others lose.
    """

    pure: Counts = field(default_factory=dict)
    selections: Counts = field(default_factory=dict)
    mu: float = 0.0
    sampled: dict[tuple[float, float], int] = field(default_factory=dict)
    failure: float = 0.0

    @property
    def basic(self) -> float:
        """The sum of all pure ε: basic composition."""
        counts = (*self.pure.items(), *self.selections.items())
        return sum(epsilon * k for epsilon, k in counts)

    @property
    def directions(self) -> tuple[bool, ...]:
        """The directions that differ: with sampling, removing and adding a record."""
        return (True, False) if self.sampled else (True,)

    def pairs(self, removed: bool) -> list[tuple[Pair, int]]:
        """List dominating pairs with their number of releases."""
        gaussian = [(GaussianPair(self.mu), 1)] if self.mu else []
        return [
            *gaussian,
            *((PurePair(epsilon), k) for epsilon, k in self.pure.items()),
            *((SelectionPair(epsilon), k) for epsilon, k in self.selections.items()),
            *((SampledPair(*key, removed), k) for key, k in self.sampled.items()),
        ]


def spending_of(event: Event) -> Spending:
    """Sort the releases of an event by kind; refuse what cannot be priced."""
    spent, waiting = Spending(), [event]
    while waiting:
        one = waiting.pop()
        if isinstance(one, Composed):
            waiting.extend(one.events)
        else:
            _add(spent, one)
    if not math.isfinite(spent.basic + spent.mu * spent.mu):
        raise TooDear(
            f"`event` must cost less than the largest float, got {event!r}. "
            "Add noise, or release less."
        )
    return Spending(
        dict(sorted(spent.pure.items())),
        dict(sorted(spent.selections.items())),
        spent.mu,
        dict(sorted(spent.sampled.items())),
        spent.failure,
    )


def _add(spent: Spending, one: Event) -> None:
    match one:
        case Pure():
            _count(spent.pure, float(one.epsilon), one.releases)
        case Selection():
            _count(spent.selections, float(one.epsilon), one.releases)
        case Approximate():
            _count(spent.pure, float(one.epsilon), 1)
            spent.failure += (1 - spent.failure) * one.delta
        case Gaussian():
            spent.mu = math.hypot(spent.mu, one.mu)
        case SampledGaussian(rate=1):
            z, k = one.noise_multiplier, one.releases
            _add(spent, Gaussian(z, releases=k, relation=one.relation))
        case SampledGaussian():
            _refuse_what_is_not_priced(one)
            key = float(one.noise_multiplier), float(one.rate)
            _count(spent.sampled, key, one.releases)
        case _:
            raise TypeError(
                f"`event` must be an event of dpteach.privacy, got {one!r}. "
                "Take the event of a Release, or build one, as Gaussian(...)."
            )


def _count(counts: dict, key: object, releases: int) -> None:
    counts[key] = counts.get(key, 0) + releases


def _refuse_what_is_not_priced(event: SampledGaussian) -> None:
    if event.relation is Relation.REPLACE:
        raise ValueError(
            f"`event` must not replace a record that is sampled, got {event!r}. Which "
            "replacement is worst is not proved here, so price it under "
            "Relation.ADD_REMOVE, then restate (ε, δ) by group_privacy(size=2)."
        )
    if not 0.1 <= event.noise_multiplier <= 1e8:
        raise ValueError(
            "`event` must have a noise multiplier between 0.1 and 1e8 where it "
            f"samples, got {event!r}. Outside of that range no accountant here is "
            "accurate."
        )
