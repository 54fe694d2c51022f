"""Floor 2. An event in the accountants' terms: releases by kind, and their pairs."""

import math
from dataclasses import dataclass, field, replace

from ...privacy import (
    AllocatedGaussian,
    Approximate,
    Composed,
    DiscreteGaussian,
    Event,
    FixedSizeGaussian,
    Gaussian,
    Pure,
    Relation,
    SampledGaussian,
    SampledLaplace,
    Selection,
)
from .allocation import OneOfSteps
from .discrete_noise import DiscreteNoise
from .fixed_size import FixedBatch
from .pair import GaussianPair, Pair, PurePair, SelectionPair
from .sampled_gaussian import SampledPair
from .sampled_laplace import LaplaceOnSample

Counts = dict[float, int]
Kind = LaplaceOnSample | DiscreteNoise | FixedBatch | OneOfSteps


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
    sampled : dict
        Releases by noise multiplier and rate.
    kinds : dict
        Releases of other kinds.
    failure : float
        How likely it is, at worst, that some (ε, δ)-private release loses everything;
        it is added to what the others lose.
    """

    pure: Counts = field(default_factory=dict)
    selections: Counts = field(default_factory=dict)
    mu: float = 0.0
    sampled: dict[tuple[float, float], int] = field(default_factory=dict)
    kinds: dict[Kind, int] = field(default_factory=dict)
    failure: float = 0.0

    @property
    def basic(self) -> float:
        """The sum of all pure ε: basic composition."""
        counts = (*self.pure.items(), *self.selections.items())
        others = ((kind.largest, k) for kind, k in self.kinds.items())
        return sum(e * k for e, k in (*counts, *others) if math.isfinite(e))

    def with_known_steps(self) -> "Releases | None":
        """Tell in which step each record takes part, which can only cost more.

        None if no event has such steps.
        """
        found = [kind for kind in self.kinds if isinstance(kind, OneOfSteps)]
        squares = sum(self.kinds[kind] * kind.spread**2 for kind in found)
        rest = {kind: k for kind, k in self.kinds.items() if kind not in found}
        mu = math.sqrt(self.mu**2 + squares)
        return replace(self, mu=mu, kinds=rest) if found else None

    @property
    def bounded(self) -> bool:
        """Whether no loss exceeds ``basic``: all releases are pure."""
        largest = (kind.largest for kind in self.kinds)
        return not (self.mu or self.sampled) and all(map(math.isfinite, largest))

    @property
    def spread(self) -> float:
        """What μ a Gaussian release would have, roughly, if nothing were sampled."""
        sampled = ((1 / sigma, k) for (sigma, _), k in self.sampled.items())
        others = ((kind.spread, k) for kind, k in self.kinds.items())
        squares = sum(k * mu**2 for mu, k in (*sampled, *others))
        return math.sqrt(self.mu**2 + squares)

    @property
    def rho(self) -> float | None:
        """Add up ρ: μ²/2, ε²/2, for choices of bounded range ε²/8, and that of others.

        None if a release is ρ-zCDP for no useful ρ.
        """
        others = [(kind.rho, k) for kind, k in self.kinds.items()]
        if self.sampled or any(rho is None for rho, _ in others):
            return None
        pure = sum(k * epsilon**2 / 2 for epsilon, k in self.pure.items())
        choices = sum(k * epsilon**2 / 8 for epsilon, k in self.selections.items())
        rest = sum(k * rho for rho, k in others if rho is not None)
        return self.mu**2 / 2 + pure + choices + rest

    @property
    def directions(self) -> tuple[bool, ...]:
        """The directions that differ: with sampling, removing and adding a record."""
        differ = self.sampled or any(kind.two_directions for kind in self.kinds)
        return (True, False) if differ else (True,)

    def pairs(self, removed: bool) -> list[tuple[Pair, int]]:
        """List dominating pairs with their number of releases."""
        return [
            *self._common(removed),
            *((kind.worst(removed), k) for kind, k in self.kinds.items()),
        ]

    def reached(self, removed: bool) -> list[tuple[Pair, int]]:
        """List pairs that some neighbors reach, all at once."""
        return [
            *self._common(removed),
            *((kind.reached(removed), k) for kind, k in self.kinds.items()),
        ]

    def _common(self, removed: bool) -> list[tuple[Pair, int]]:
        gaussian = [(GaussianPair(self.mu), 1)] if self.mu else []
        return [
            *gaussian,
            *((PurePair(epsilon), k) for epsilon, k in self.pure.items()),
            *((SelectionPair(epsilon), k) for epsilon, k in self.selections.items()),
            *((SampledPair(*key, removed), k) for key, k in self.sampled.items()),
        ]


def releases_of(event: Event) -> Releases:
    """Sort the releases of an event by kind; refuse what cannot be priced."""
    releases, waiting = Releases(), [event]
    while waiting:
        one = waiting.pop()
        if isinstance(one, Composed):
            waiting.extend(one.events)
        else:
            _add(releases, one)
    if not math.isfinite(releases.basic + releases.mu * releases.mu):
        raise NoFiniteEpsilon(
            f"`event` must cost less than the largest float, got {event!r}. "
            "Add noise, or release less."
        )
    return Releases(
        dict(sorted(releases.pure.items())),
        dict(sorted(releases.selections.items())),
        releases.mu,
        dict(sorted(releases.sampled.items())),
        dict(sorted(releases.kinds.items(), key=repr)),
        releases.failure,
    )


def _add(releases: Releases, one: Event) -> None:
    match one:
        case Pure():
            _count(releases.pure, float(one.epsilon), one.releases)
        case Selection():
            _count(releases.selections, float(one.epsilon), one.releases)
        case Approximate():
            _count(releases.pure, float(one.epsilon), 1)
            releases.failure += (1 - releases.failure) * one.delta
        case Gaussian():
            releases.mu = math.hypot(releases.mu, one.mu)
        case SampledGaussian(rate=1):
            z, k = one.noise_multiplier, one.releases
            _add(releases, Gaussian(z, releases=k, relation=one.relation))
        case SampledGaussian():
            _refuse_what_is_not_priced(one)
            key = float(one.noise_multiplier), float(one.rate)
            _count(releases.sampled, key, one.releases)
        case _:
            _add_other(releases, one)


def _add_other(releases: Releases, one: Event) -> None:
    match one:
        case SampledLaplace():
            _refuse_what_is_not_priced(one)
            kind = LaplaceOnSample(float(one.noise_multiplier), float(one.rate))
            _count(releases.kinds, kind, one.releases)
        case DiscreteGaussian():
            _within(one, one.noise_multiplier)
            kind = DiscreteNoise(float(one.noise_multiplier), one.sensitivity)
            _count(releases.kinds, kind, one.releases)
        case FixedSizeGaussian():
            _add_batch(releases, one)
        case AllocatedGaussian(steps=1):
            z, k = one.noise_multiplier, one.releases
            _add(releases, Gaussian(z, releases=k, relation=one.relation))
        case AllocatedGaussian():
            _within(one, one.noise_multiplier, "1e4")
            kind = OneOfSteps(float(one.noise_multiplier), one.steps)
            _count(releases.kinds, kind, one.releases)
        case _:
            raise TypeError(
                f"`event` must be an event of dpteach.privacy, got {one!r}. "
                "Take the event of a Release, or build one, as Gaussian(...)."
            )


def _count(counts: dict, key: object, releases: int) -> None:
    counts[key] = counts.get(key, 0) + releases


def _add_batch(releases: Releases, one: FixedSizeGaussian) -> None:
    if one.batch_size == one.n:  # every batch holds all records
        z, k = one.noise_multiplier, one.releases
        _add(releases, Gaussian(z, releases=k, relation=one.relation))
        return
    _within(one, one.noise_multiplier)
    replaced = one.relation is Relation.REPLACE
    rate = one.batch_size / one.n
    kind = FixedBatch(float(one.noise_multiplier), rate, replaced)
    _count(releases.kinds, kind, one.releases)


def _refuse_what_is_not_priced(event: SampledGaussian | SampledLaplace) -> None:
    if event.relation is Relation.REPLACE and event.rate < 1:
        raise ValueError(
            f"`event` must not replace a record that is sampled, got {event!r}. Which "
            "replacement is worst is not proved here, so price it under "
            "Relation.ADD_REMOVE, then restate (ε, δ) by group_privacy(size=2)."
        )
    _within(event, event.noise_multiplier)


def _within(event: Event, noise_multiplier: float, most: str = "1e8") -> None:
    if not 0.1 <= noise_multiplier <= float(most):
        raise ValueError(
            f"`event` must have a noise multiplier between 0.1 and {most} where it "
            f"samples, or its noise is discrete, got {event!r}. Outside of that range "
            "no accountant here is accurate. Price the same releases without their "
            "sampling, which cost at least as much, or choose other noise."
        )
