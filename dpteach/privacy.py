"""Floor 1. What an algorithm spends (an event) and what it publishes (a Release)."""

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, field
from enum import Enum
from typing import Any

from . import checks
from .arrays import Array


class Relation(Enum):
    """Which data sets count as neighboring, D ~ D'. [Section 6.1; Definition 6.12]

    ``ADD_REMOVE``: D' is D with one record more or one less; n is secret.
    ``ZERO_OUT``: same length; one record's contribution becomes 0 (the sources' ⊥).
    ``REPLACE``: same length; one record is changed to any other.
    """

    ADD_REMOVE = "add or remove one record"
    ZERO_OUT = "zero out one record"
    REPLACE = "replace one record"

    @property
    def sensitivity(self) -> int:
        """How far a sum of vectors of norm at most 1 can move: 1, 1 or 2."""
        return 2 if self is Relation.REPLACE else 1

    def __repr__(self) -> str:
        """Show the name as one types it."""
        return f"Relation.{self.name}"


class Event:
    """What a mechanism spends. ``accounting`` prices each of the kinds below.

    Attributes
    ----------
    relation : Relation
        The neighboring data sets for which the price holds.
    """

    relation: Relation


@dataclass(frozen=True)
class Pure(Event):
    r"""``releases`` adaptive mechanisms, each ε-differentially private.

    Parameters
    ----------
    epsilon : float
        :math:`\varepsilon` of one release, in nats.
    releases : int, optional
        How many releases one record can touch.
    relation : Relation
        The neighboring data sets for which ε holds.

    Examples
    --------
    >>> from dpteach.accounting import epsilon_of
    >>> two = Pure(0.5, releases=2, relation=Relation.ADD_REMOVE)
    >>> round(epsilon_of(two, 1e-9), 6)  # a tiny δ buys nothing: budgets add up
    1.0
    """

    epsilon: float
    _: KW_ONLY
    releases: int = 1
    relation: Relation

    def __post_init__(self) -> None:
        """Check the arguments."""
        checks.fields(self, checks.positive, "epsilon")
        checks.fields(self, checks.count, "releases")
        checks.instance(Relation, relation=self.relation)


@dataclass(frozen=True)
class Gaussian(Event):
    r"""``releases`` adaptive Gaussian mechanisms with the same noise.

    Parameters
    ----------
    noise_multiplier : float
        :math:`\lambda`, the noise's standard deviation per coordinate over the clip
        norm, whatever the relation.
    releases : int, optional
        How many releases one record can touch: T in DP-SGD, the levels of a tree.
    relation : Relation
        The neighboring data sets. Under ``REPLACE`` a sum moves by two clip norms, so T
        releases are :math:`2\sqrt T/\lambda`-GDP; else :math:`\sqrt T/\lambda`-GDP.

    Examples
    --------
    >>> once = Gaussian(5.0, relation=Relation.ADD_REMOVE)
    >>> Gaussian(50.0, releases=100, relation=Relation.ADD_REMOVE).mu == once.mu
    True
    """

    noise_multiplier: float
    _: KW_ONLY
    releases: int = 1
    relation: Relation

    def __post_init__(self) -> None:
        """Check the arguments."""
        checks.fields(self, checks.positive, "noise_multiplier")
        checks.fields(self, checks.count, "releases")
        checks.instance(Relation, relation=self.relation)

    @property
    def mu(self) -> float:
        """The Gaussian-differential-privacy parameter μ of all releases together."""
        return self.relation.sensitivity * self.releases**0.5 / self.noise_multiplier


@dataclass(frozen=True)
class Selection(Event):
    r"""``releases`` adaptive choices of bounded range ε: exponential mechanisms.

    Between neighboring data sets, the log-probabilities of all outcomes move by amounts
    that lie within ε of each other, not only within ±ε, so a choice costs less than
    ``Pure``.

    Parameters
    ----------
    epsilon : float
        :math:`\varepsilon` of one choice, the range, in nats.
    releases : int, optional
        How many choices one record can touch.
    relation : Relation
        The neighboring data sets for which ε holds.

    Examples
    --------
    >>> from dpteach.accounting import epsilon_of
    >>> chosen = Selection(0.1, releases=100, relation=Relation.ADD_REMOVE)
    >>> noised = Pure(0.1, releases=100, relation=Relation.ADD_REMOVE)
    >>> epsilon_of(chosen, 1e-6) < 0.6 * epsilon_of(noised, 1e-6)
    True
    """

    epsilon: float
    _: KW_ONLY
    releases: int = 1
    relation: Relation

    def __post_init__(self) -> None:
        """Check the arguments."""
        checks.fields(self, checks.positive, "epsilon")
        checks.fields(self, checks.count, "releases")
        checks.instance(Relation, relation=self.relation)


@dataclass(frozen=True)
class SampledGaussian(Event):
    r"""``releases`` Gaussian mechanisms, each on a fresh Poisson sample of the records.

    Each record enters each sample with probability ``rate``, independently of all
    others, so that even the sample's size is random. Fixed or shuffled batches are not
    this event, and cost more.

    Parameters
    ----------
    noise_multiplier : float
        :math:`\lambda`, the noise's standard deviation per coordinate over the clip
        norm.
    rate : float
        :math:`q`, the probability that a record is in a sample, above 0, at most 1.
    releases : int, optional
        :math:`T`, the number of steps.
    relation : Relation
        The neighboring data sets: ``ADD_REMOVE`` or ``ZERO_OUT``. Under ``REPLACE`` no
        tight price is proved here, and only ``rate=1`` is priced.

    Examples
    --------
    >>> from dpteach.accounting import epsilon_of
    >>> all_records = Gaussian(1.0, relation=Relation.ADD_REMOVE)
    >>> a_tenth = SampledGaussian(1.0, rate=0.1, relation=Relation.ADD_REMOVE)
    >>> round(epsilon_of(all_records, 1e-6), 2), round(epsilon_of(a_tenth, 1e-6), 2)
    (4.89, 2.18)
    """

    noise_multiplier: float
    _: KW_ONLY
    rate: float
    releases: int = 1
    relation: Relation

    def __post_init__(self) -> None:
        """Check the arguments."""
        checks.fields(self, checks.positive, "noise_multiplier", "rate")
        if self.rate > 1:
            raise ValueError(
                f"`rate` must be a probability, at most 1, got {self.rate!r}. "
                "Give the expected share of the records in one sample."
            )
        checks.fields(self, checks.count, "releases")
        checks.instance(Relation, relation=self.relation)


@dataclass(frozen=True)
class Approximate(Event):
    r"""One release that is (ε, δ)-private, about which nothing more is known.

    Parameters
    ----------
    epsilon, delta : float
        :math:`(\varepsilon, \delta)`: at worst, everything is lost with probability δ,
        and otherwise the release is ε-private.
    relation : Relation
        The neighboring data sets for which it holds.

    Examples
    --------
    >>> from dpteach.accounting import epsilon_of
    >>> once = Approximate(1.0, 1e-6, relation=Relation.ADD_REMOVE)
    >>> round(epsilon_of(once, 1e-6), 9)
    1.0
    """

    epsilon: float
    delta: float
    _: KW_ONLY
    relation: Relation

    def __post_init__(self) -> None:
        """Check the arguments."""
        checks.fields(self, checks.positive, "epsilon")
        checks.fields(self, checks.probability, "delta")
        checks.instance(Relation, relation=self.relation)


@dataclass(frozen=True)
class Composed(Event):
    """Several events that touch the same records, one after the other.

    Parameters
    ----------
    events : tuple of events
        What was spent, in any order, all under one relation.

    Raises
    ------
    ValueError
        If the events hold for different relations, because their prices then do not add
        up.

    Examples
    --------
    >>> first = Gaussian(5.0, relation=Relation.ADD_REMOVE)
    >>> second = Pure(0.1, relation=Relation.REPLACE)
    >>> Composed((first, second))
    Traceback (most recent call last):
    ...
    ValueError: `events` must share one relation, got Relation.ADD_REMOVE, \
Relation.REPLACE. Restate each event for one relation first.
    """

    events: tuple[Event, ...]

    def __post_init__(self) -> None:
        """Check that there are events, and that all share one relation."""
        try:
            object.__setattr__(self, "events", tuple(self.events))
        except TypeError:
            raise TypeError(
                f"`events` must be a tuple of events, got {self.events!r}. "
                "Wrap it: Composed((event,))."
            ) from None
        if not self.events:
            raise ValueError("`events` must hold at least one event, got ().")
        for event in self.events:
            if not isinstance(event, Event):
                raise TypeError(
                    f"`events` must hold events such as Gaussian(...), got {event!r}."
                )
        relations = dict.fromkeys(event.relation for event in self.events)
        if len(relations) > 1:
            listed = ", ".join(map(repr, relations))
            raise ValueError(
                f"`events` must share one relation, got {listed}. "
                "Restate each event for one relation first."
            )

    @property
    def relation(self) -> Relation:
        """The relation that all events share."""
        return self.events[0].relation


@dataclass(frozen=True)
class Release:
    """Everything that an algorithm publishes, and what it cost; nothing else.

    Parameters
    ----------
    theta : Array
        The published model, shape ``(*runs, p)``.
    path : Array
        Every model that was output, in order, shape ``(steps, *runs, p)``.
    event : Event
        What one run spent; ``accounting.epsilon_of(event, delta)`` prices it. Several
        ``runs`` are alternatives for a figure, not one publication, so publish only
        one.
    """

    theta: Array
    path: Array
    event: Event


@dataclass
class Trace:
    """The curator's notes: values that are not private, for figures. Never publish it.

    Parameters
    ----------
    rows : list of mappings, optional
        One mapping per step, filled in by the algorithm that is given the trace.

    Examples
    --------
    >>> trace = Trace()
    >>> trace.record(t=0, gradient=1.5)
    >>> trace["gradient"]
    [1.5]
    """

    rows: list[Mapping[str, Any]] = field(default_factory=list)

    def record(self, **values: Any) -> None:
        """Write down one step."""
        self.rows.append(values)

    def __getitem__(self, name: str) -> list[Any]:
        """Read one quantity over all steps."""
        return [row[name] for row in self.rows]
