"""Floor 2. An event in the accountants' terms: releases by kind, and their pairs."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ...privacy import (
    EVENTS,
    Approximate,
    Composed,
    Concentrated,
    Event,
    Gaussian,
    NotPrivate,
    Pure,
    Selection,
)
from .discrete_noise import DiscreteNoise, SampledDiscreteNoise
from .finite_noise import DiscreteLaplaceNoise, RandomAnswer
from .kinds import Kind, accurate, kind_of, simplest
from .pair import GaussianPair, Pair, SelectionPair, SumPair, pure_pair
from .sampled_laplace import LaplaceOnSample

Counts = dict[float, int]
Pairs = list[tuple[Pair, int]]

# From so many different ε on, one pair stands for all of them
MANY = 8


class NoFiniteEpsilon(ValueError):
    """Raised when no ε is large enough, at this δ or at any."""


@dataclass
class Releases:
    r"""How many releases of each kind there are.

    Parameters
    ----------
    pure, selections : dict
        Releases by their ε.
    mu : float
        :math:`\mu` of all Gaussian releases together; 0 where there are none.
    kinds : dict
        Releases of other kinds.
    failure : float
        How likely it is, at worst, that some (ε, δ)-private release loses everything;
        it is added to what the others lose.
    beyond : dict
        Releases with more or less noise than the accountants are accurate for.
    concentrated : float
        The sum of ρ of releases about which only ρ is known.
    """

    pure: Counts = field(default_factory=dict)
    selections: Counts = field(default_factory=dict)
    mu: float = 0.0
    kinds: dict[Kind, int] = field(default_factory=dict)
    failure: float = 0.0
    beyond: dict[Kind, int] = field(default_factory=dict)
    concentrated: float = 0.0

    @property
    def basic(self) -> float:
        """The sum of all pure ε: basic composition."""
        counts = (*self.pure.items(), *self.selections.items())
        others = ((kind.largest, k) for kind, k in self.kinds.items())
        return sum(k * e for e, k in (*counts, *others) if e < math.inf)

    @property
    def bounded(self) -> bool:
        """Whether no loss exceeds ``basic``: all releases are pure."""
        normal = self.mu or self.concentrated
        return not normal and all(math.isfinite(kind.largest) for kind in self.kinds)

    @property
    def spread(self) -> float:
        """What μ a Gaussian release would have, roughly, if nothing were sampled."""
        roots = (math.sqrt(k) * kind.spread for kind, k in self.kinds.items())
        return math.hypot(self.mu, math.sqrt(2 * self.concentrated), *roots)

    @property
    def total_variation(self) -> float:
        """The sum of δ at ε = 0 over all releases, at least that of all together."""
        single = [
            *((pure_pair(epsilon), k) for epsilon, k in self.pure.items()),
            *((SelectionPair(epsilon), k) for epsilon, k in self.selections.items()),
            *([(GaussianPair(self.mu), 1)] if self.mu else []),
            *self.kinds.items(),
            *self.beyond.items(),
        ]
        rho = self.concentrated  # by the inequalities of Pinsker, and of Bretagnolle
        known = min(math.sqrt(rho / 2), math.sqrt(-math.expm1(-rho)))
        added = math.fsum(k * one.total_variation for one, k in single)
        return (known + added) * (1 + 1e-9)

    @property
    def rho(self) -> float | None:
        """Add up ρ: μ²/2, ε²/2, for choices of bounded range ε²/8, and that of others.

        None if a release is ρ-zCDP for no useful ρ.
        """
        others = [(kind.rho, k) for kind, k in self.kinds.items()]
        if any(rho is None for rho, _ in others):
            return None
        pure = sum(k * epsilon**2 / 2 for epsilon, k in self.pure.items())
        choices = sum(k * epsilon**2 / 8 for epsilon, k in self.selections.items())
        rest = sum(k * rho for rho, k in others if rho is not None)
        return self.mu**2 / 2 + pure + choices + rest + self.concentrated

    @property
    def directions(self) -> tuple[bool, ...]:
        """The directions that differ: with sampling, removing and adding a record."""
        return (True, False) if any(k.two_directions for k in self.kinds) else (True,)

    def within(self) -> "Releases":
        """Leave the sampling out where it is beyond the accountants' range.

        It can only cost more if all records are in each sample, or in known steps.
        """
        pure, kinds, mus = dict(self.pure), dict(self.kinds), [self.mu]
        for kind, k in self.beyond.items():
            match kind:
                case LaplaceOnSample():
                    _count(pure, 1 / kind.noise_multiplier, k)
                case DiscreteLaplaceNoise() | RandomAnswer():
                    _count(pure, kind.largest, k)
                case SampledDiscreteNoise():
                    _count(kinds, DiscreteNoise(kind.sigma, kind.shift), k)
                case _:
                    mus.append(math.sqrt(k) * kind.spread)
        found = replace(self, pure=pure, kinds=kinds, mu=math.hypot(*mus), beyond={})
        return _in_order(found)

    def as_gaussian(self) -> "Releases":
        """Take a Gaussian release where only ρ is known: one of those of this ρ."""
        mu = math.hypot(self.mu, math.sqrt(2 * self.concentrated))
        return replace(self, mu=mu, concentrated=0.0)

    def with_known_steps(self) -> "Releases | None":
        """Tell in which step each record takes part, which can only cost more.

        None if no event has such steps.
        """
        steps = {kind: k for kind, k in self.kinds.items() if kind.random_step}
        rest = {kind: k for kind, k in self.kinds.items() if kind not in steps}
        mu = math.hypot(
            self.mu, *(math.sqrt(k) * kind.spread for kind, k in steps.items())
        )
        return replace(self, mu=mu, kinds=rest) if steps else None

    def pairs(self, removed: bool) -> Pairs:
        """List dominating pairs with their number of releases."""
        return [
            *self._common(),
            *_summed(SelectionPair, self.selections),
            *((kind.worst(removed), k) for kind, k in self.kinds.items()),
        ]

    def reached(self, removed: bool, order: float = 1.0) -> Pairs:
        """List pairs that some neighbors reach, all at once.

        Choices have the losses that are the worst for E[e^{sL}] at s = ``order``.
        """
        return [
            *self._common(),
            *_summed(lambda e: SelectionPair(e).worst(order), self.selections),
            *((kind.reached(removed), k) for kind, k in self.kinds.items()),
        ]

    def _common(self) -> Pairs:
        gaussian: Pairs = [(GaussianPair(self.mu), 1)] if self.mu else []
        return gaussian + _summed(pure_pair, self.pure)


def _summed(kind: Callable[[Any], Pair], counts: Counts) -> Pairs:
    if len(counts) <= MANY:
        return [(kind(epsilon), k) for epsilon, k in counts.items()]
    epsilons, releases = np.array([*counts]), np.array([*counts.values()], dtype=float)
    return [(SumPair(kind, epsilons, releases), 1)]


def releases_of(event: Event) -> Releases:
    """Count the releases of an event by kind; refuse what cannot be priced."""
    _check(event)
    counts = event.counts() if isinstance(event, Composed) else {event: 1}
    found, mus = Releases(), []
    for part, times in counts.items():
        _check(part)
        if (one := simplest(part)) is None:
            continue
        releases = _many(one, times)
        if isinstance(one, Gaussian):
            mus.append(math.sqrt(times) * one.mu)
        else:
            found = _with(found, one, releases)
    found = _in_order(replace(found, mu=math.hypot(*sorted(mus))))
    priced = found.within()
    if not math.isfinite(priced.basic + priced.spread * priced.spread):
        raise NoFiniteEpsilon(
            f"`event` must cost less than the largest float, got {event!r}. "
            "Add noise, or release less."
        )
    return found


def _in_order(found: Releases) -> Releases:
    return replace(
        found,
        pure=dict(sorted(found.pure.items())),
        selections=dict(sorted(found.selections.items())),
        kinds=_by_name(found.kinds),
        failure=min(found.failure, 1.0),
        beyond=_by_name(found.beyond),
    )


def _many(one: Event, times: int) -> int:
    releases = times * getattr(one, "releases", 1)
    if releases > 2**53:
        raise NoFiniteEpsilon(
            f"`event` must hold at most 2**53 releases of one kind, got {one!r} "
            "more often. Release less."
        )
    return releases


def _with(found: Releases, one: Event, releases: int) -> Releases:
    """Count so many more releases of one kind."""
    match one:
        case Pure():
            _count(found.pure, float(one.epsilon), releases)
        case Selection():
            _count(found.selections, float(one.epsilon), releases)
        case Concentrated():
            return replace(found, concentrated=found.concentrated + releases * one.rho)
        case Approximate() | NotPrivate():
            _count(found.pure, float(getattr(one, "epsilon", 0.0)), releases)
            more = (1 - found.failure) * _failure(one, releases)
            return replace(found, failure=found.failure + more)
        case _:
            kinds = found.kinds if accurate(one) else found.beyond
            _count(kinds, kind_of(one), releases)
    return found


def _check(event: object) -> None:
    if not isinstance(event, EVENTS):
        raise TypeError(
            f"`event` must be an event of dpteach.privacy, got {event!r}. "
            "Take the event of a Release, or build one, as Gaussian(...)."
        )


def _count(counts: dict, key: Any, releases: int) -> None:
    if key != 0.0:  # ε = 0 spends nothing
        counts[key] = counts.get(key, 0) + releases


def _by_name(kinds: dict[Kind, int]) -> dict[Kind, int]:
    return dict(sorted(kinds.items(), key=lambda item: repr(item[0])))


def _failure(one: Approximate | NotPrivate, releases: int) -> float:
    # how likely it is that one of so many loses everything
    delta = getattr(one, "delta", 1.0)
    if releases == 1 or delta == 1:
        return delta
    return -math.expm1(releases * math.log1p(-delta))
