"""Floor 1. What an algorithm spends (an event) and what it publishes (a Release)."""

import math
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
    relation : Relation or None
        The neighboring data sets for which the price holds; None if nothing is spent.
    """

    relation: Any


def _noise(**named: Any) -> float:
    # infinite noise is what a release that spends nothing has
    ((name, value),) = named.items()
    infinite = isinstance(value, float) and value == math.inf
    return math.inf if infinite else checks.positive(**{name: value})


def _count_or_zero(**named: Any) -> int:
    return checks.count(0, **named)


def _failure(**named: Any) -> float:
    ((name, value),) = named.items()
    share = _rate(**named)
    if share == 1:
        raise ValueError(
            f"`{name}` must be below 1, got {value!r}. NotPrivate says that nothing is "
            "hidden."
        )
    return share


def _rate(**named: Any) -> float:
    return checks.between(0, 1, **named)


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
        checks.fields(self, checks.nonnegative, "epsilon")
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
        checks.fields(self, _noise, "noise_multiplier")
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
        checks.fields(self, checks.nonnegative, "epsilon")
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
        :math:`q`, the probability that a record is in a sample; at 0 none is.
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
        checks.fields(self, _noise, "noise_multiplier")
        checks.fields(self, _rate, "rate")
        checks.fields(self, checks.count, "releases")
        checks.instance(Relation, relation=self.relation)


@dataclass(frozen=True)
class SampledLaplace(Event):
    r"""``releases`` Laplace mechanisms, each on a fresh Poisson sample of the records.

    Each releases one number: a sum to which one record adds at most the clip norm, plus
    Laplace noise. With ``rate=1`` there is no sampling, and :math:`\varepsilon =
    1/\lambda` each, but several together cost less than as many ``Pure`` ones.

    Parameters
    ----------
    noise_multiplier : float
        :math:`\lambda`, the scale of the noise (not its standard deviation) over the
        most that one record moves the sum between neighbors.
    rate : float, optional
        :math:`q`, the probability that a record is in a sample; at 0 none is.
    releases : int, optional
        :math:`T`, the number of steps.
    relation : Relation
        The neighboring data sets. With ``rate`` below 1, ``ADD_REMOVE`` or
        ``ZERO_OUT``, because which replacement is worst is not proved here.

    Examples
    --------
    >>> from dpteach.accounting import epsilon_of
    >>> relation = Relation.ADD_REMOVE
    >>> all_records = SampledLaplace(1.0, releases=100, relation=relation)
    >>> a_tenth = SampledLaplace(1.0, rate=0.1, releases=100, relation=relation)
    >>> round(epsilon_of(all_records, 1e-6), 2), round(epsilon_of(a_tenth, 1e-6), 2)
    (71.55, 4.66)
    """

    noise_multiplier: float
    _: KW_ONLY
    rate: float = 1.0
    releases: int = 1
    relation: Relation

    def __post_init__(self) -> None:
        """Check the arguments."""
        checks.fields(self, _noise, "noise_multiplier")
        checks.fields(self, _rate, "rate")
        checks.fields(self, checks.count, "releases")
        checks.instance(Relation, relation=self.relation)


@dataclass(frozen=True)
class DiscreteGaussian(Event):
    r"""``releases`` integers, each with noise from a discrete Gaussian distribution.

    The noise is an integer x with probability proportional to
    :math:`e^{-x^2/2\sigma^2}`, so no rounding of real numbers can give a record away.
    A vector counts as one release for each of its entries that one record can move.

    Parameters
    ----------
    noise_multiplier : float
        :math:`\sigma`, the parameter of the distribution, which is its standard
        deviation but for a tiny difference.
    sensitivity : int, optional
        :math:`\Delta`, how far one integer can move between neighbors.
    releases : int, optional
        How many releases one record can touch.
    relation : Relation
        The neighboring data sets, between which the answer moves by ``sensitivity``.

    References
    ----------
    * Canonne, Kamath and Steinke (2020), The Discrete Gaussian for Differential
      Privacy.

    Examples
    --------
    >>> from dpteach.accounting import epsilon_of
    >>> rounded = DiscreteGaussian(2.0, releases=4, relation=Relation.ADD_REMOVE)
    >>> real = Gaussian(2.0, releases=4, relation=Relation.ADD_REMOVE)
    >>> round(epsilon_of(rounded, 1e-6), 3), round(epsilon_of(real, 1e-6), 3)
    (4.901, 4.887)
    """

    noise_multiplier: float
    _: KW_ONLY
    sensitivity: int = 1
    releases: int = 1
    relation: Relation

    def __post_init__(self) -> None:
        """Check the arguments."""
        checks.fields(self, _noise, "noise_multiplier")
        checks.fields(self, checks.count, "sensitivity", "releases")
        checks.instance(Relation, relation=self.relation)


@dataclass(frozen=True)
class FixedSizeGaussian(Event):
    r"""``releases`` Gaussian mechanisms, each on a fresh batch of a fixed size.

    In each step :math:`m` of the :math:`n` records are drawn without replacement. A
    record that is drawn takes the place of another, so noise hides half as much as on a
    Poisson sample.

    Parameters
    ----------
    noise_multiplier : float
        :math:`\lambda`, the noise's standard deviation per coordinate over the clip
        norm, on the sum over a batch.
    batch_size, n : int
        :math:`m` and :math:`n`, both public.
    releases : int, optional
        :math:`T`, the number of steps.
    relation : Relation
        The neighboring data sets: ``REPLACE``, or ``ZERO_OUT``, which is one special
        replacement and gets the same price. ``ADD_REMOVE`` is refused, because n is
        secret there.

    Raises
    ------
    ValueError
        If more records are drawn than there are, or n is secret.

    References
    ----------
    * Balle, Barthe and Gaboardi (2018), Privacy Amplification by Subsampling: Tight
      Analyses via Couplings and Divergences.
    * Zhu, Dong and Wang (2022), Optimal Accounting of Differential Privacy via
      Characteristic Function.

    Examples
    --------
    >>> from dpteach.accounting import epsilon_of
    >>> batches = FixedSizeGaussian(1.4, batch_size=1, n=1000, releases=1000,
    ...                             relation=Relation.REPLACE)
    >>> coins = SampledGaussian(1.4, rate=0.001, releases=1000,
    ...                         relation=Relation.ADD_REMOVE)
    >>> round(epsilon_of(batches, 1e-6), 3), round(epsilon_of(coins, 1e-6), 3)
    (0.996, 0.099)
    """

    noise_multiplier: float
    _: KW_ONLY
    batch_size: int
    n: int
    releases: int = 1
    relation: Relation

    def __post_init__(self) -> None:
        """Check the arguments."""
        checks.fields(self, _noise, "noise_multiplier")
        checks.fields(self, _count_or_zero, "batch_size")
        checks.fields(self, checks.count, "n", "releases")
        checks.instance(Relation, relation=self.relation)
        if self.batch_size > self.n:
            raise ValueError(
                f"`batch_size` must be at most n={self.n}, got {self.batch_size}. No "
                "record is drawn twice into one batch."
            )
        if self.relation is Relation.ADD_REMOVE:
            raise ValueError(
                "`relation` must not be Relation.ADD_REMOVE for batches of a fixed "
                "size, because n is secret there and m of n records are drawn. Take "
                "Relation.REPLACE, or draw a Poisson sample: SampledGaussian(...)."
            )


@dataclass(frozen=True)
class AllocatedGaussian(Event):
    r"""``releases`` rounds of Gaussian mechanisms, each record in one step of a round.

    In each round of :math:`k` steps every record picks one step, uniformly and
    independently of all others (balls and bins), and the noisy sum of each step is
    released. The price is an upper bound. With :math:`\lambda \ge 0.3` and
    :math:`\delta \ge 10^{-10}` it is sharp, and at worst it is that of known steps.

    Parameters
    ----------
    noise_multiplier : float
        :math:`\lambda`, the noise's standard deviation per coordinate over the clip
        norm, on the sum over a step's records.
    steps : int
        :math:`k`, the number of steps of a round.
    releases : int, optional
        The number of rounds, such as epochs. A record that picks :math:`E` of
        :math:`T` steps at random costs no more than :math:`E` rounds of
        :math:`\lfloor T/E\rfloor` steps.
    relation : Relation
        The neighboring data sets: ``ADD_REMOVE`` or ``ZERO_OUT``. ``REPLACE`` is
        refused, because which replacement is worst is not proved here.

    Raises
    ------
    ValueError
        If an argument is out of its range, or a record is replaced.

    References
    ----------
    * Chua and others (2025), Balls-and-Bins Sampling for DP-SGD.
    * Feldman and Shenfeld (2026), Efficient Privacy Loss Accounting for Subsampling
      and Random Allocation.

    Examples
    --------
    >>> from dpteach.accounting import epsilon_of
    >>> one_of_ten = AllocatedGaussian(2.0, steps=10, relation=Relation.ADD_REMOVE)
    >>> ten_coins = SampledGaussian(2.0, rate=0.1, releases=10,
    ...                             relation=Relation.ADD_REMOVE)
    >>> round(epsilon_of(one_of_ten, 1e-6), 2), round(epsilon_of(ten_coins, 1e-6), 2)
    (0.73, 0.96)
    """

    noise_multiplier: float
    _: KW_ONLY
    steps: int
    releases: int = 1
    relation: Relation

    def __post_init__(self) -> None:
        """Check the arguments."""
        checks.fields(self, _noise, "noise_multiplier")
        checks.fields(self, checks.count, "steps", "releases")
        checks.instance(Relation, relation=self.relation)
        if self.relation is Relation.REPLACE:
            raise ValueError(
                "`relation` must not be Relation.REPLACE for a random allocation: "
                "which replacement is worst is not proved here. Take "
                "Relation.ADD_REMOVE, then restate (ε, δ) by group_privacy(size=2)."
            )


@dataclass(frozen=True)
class Approximate(Event):
    r"""One release that is (ε, δ)-private, about which nothing more is known.

    Parameters
    ----------
    epsilon, delta : float
        :math:`(\varepsilon, \delta)`: at worst, everything is lost with probability δ,
        and otherwise the release is ε-private. With ``epsilon=0`` it is a step that may
        fail and says nothing otherwise, such as a test of a sensitivity.
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
        checks.fields(self, checks.nonnegative, "epsilon")
        checks.fields(self, _failure, "delta")
        checks.instance(Relation, relation=self.relation)


@dataclass(frozen=True)
class NotPrivate(Event):
    r"""A release without noise, in a ledger: its ε is ∞ at every δ, and its δ is 1.

    Parameters
    ----------
    relation : Relation
        The neighboring data sets between which it tells.

    Examples
    --------
    >>> from dpteach.accounting import epsilon_of
    >>> ledger = Composed((Gaussian(5.0, relation=Relation.REPLACE),
    ...                    NotPrivate(relation=Relation.REPLACE)))
    >>> epsilon_of(ledger, 1e-6)
    inf
    """

    _: KW_ONLY
    relation: Relation

    def __post_init__(self) -> None:
        """Check the argument."""
        checks.instance(Relation, relation=self.relation)


@dataclass(frozen=True, repr=False, eq=False)
class Composed(Event):
    """Several events that touch the same records, one after the other.

    Parameters
    ----------
    events : tuple of events
        What was spent, in any order, all under one relation. An empty tuple spends
        nothing, under every relation: its own is None.

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
        """Check that all events share one relation."""
        if not isinstance(self.events, tuple | list):
            raise TypeError(
                f"`events` must be a tuple of events, got {self.events!r}. "
                "Wrap it: Composed((event,))."
            )
        events = tuple(self.events)
        for event in events:
            if not isinstance(event, Event):
                raise TypeError(
                    f"`events` must hold events such as Gaussian(...), got {event!r}."
                )
        relations = dict.fromkeys(event.relation for event in events)
        relations.pop(None, None)  # of an event that spends nothing
        if len(relations) > 1:
            listed = ", ".join(map(repr, relations))
            raise ValueError(
                f"`events` must share one relation, got {listed}. "
                "Restate each event for one relation first."
            )
        # kept here, so that no property looks through a deep nest again and again
        object.__setattr__(self, "events", events)
        object.__setattr__(self, "relation", next(iter(relations), None))
        object.__setattr__(self, "_hash", hash((Composed, events)))

    def counts(self) -> dict[Event, int]:
        """Count equal events, however deeply and however often they are nested."""
        # in how many places each Composed stands
        inside: dict[int, int] = {id(self): 0}
        waiting: list[Composed] = [self]
        while waiting:
            for part in _composed(waiting.pop()):
                inside[id(part)] = inside.get(id(part), 0) + 1
                if inside[id(part)] == 1:
                    waiting.append(part)
        times, found = {id(self): 1}, {}
        waiting = [self]
        while waiting:  # an outer one before its parts, when all its places are known
            outer = waiting.pop()
            for event in outer.events:
                if not isinstance(event, Composed):
                    found[event] = found.get(event, 0) + times[id(outer)]
                    continue
                times[id(event)] = times.get(id(event), 0) + times[id(outer)]
                inside[id(event)] -= 1
                if inside[id(event)] == 0:
                    waiting.append(event)
        return found

    def __hash__(self) -> int:
        return self.__dict__["_hash"]

    def __reduce__(self) -> tuple:
        return Composed, (self.events,)  # another process hashes otherwise

    def __eq__(self, other: object) -> bool:
        """Compare what was spent, in the order in which it was."""
        if not isinstance(other, Composed) or hash(self) != hash(other):
            return False
        seen: set[tuple[int, int]] = set()
        waiting: list[tuple[Event, Event]] = [(self, other)]
        while waiting:
            first, second = waiting.pop()
            if first is second or (id(first), id(second)) in seen:
                continue
            seen.add((id(first), id(second)))
            if not (isinstance(first, Composed) and isinstance(second, Composed)):
                if first != second:
                    return False
            elif len(first.events) != len(second.events):
                return False
            else:
                waiting.extend(zip(first.events, second.events, strict=True))
        return True

    def __repr__(self) -> str:
        """Write all events as one types them, or count what is too much to read."""
        parts = self.counts()
        total = sum(parts.values())
        if total <= 100 and not any(map(_composed, _composed(self))):
            return f"Composed(events={self.events!r})"
        shown = [f"{k} of {event!r}" for event, k in list(parts.items())[:10]]
        more = [f"{len(parts) - 10} other kinds"] if len(parts) > 10 else []
        return f"<Composed of {total} events: {', '.join(shown + more)}>"


def _composed(event: Composed) -> list[Composed]:
    return [part for part in event.events if isinstance(part, Composed)]


# The kinds of events that can be priced
EVENTS = (
    Pure,
    Selection,
    Gaussian,
    SampledGaussian,
    SampledLaplace,
    DiscreteGaussian,
    FixedSizeGaussian,
    AllocatedGaussian,
    Approximate,
    NotPrivate,
    Composed,
)


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
        one. The price was proved for sums as float64 rounds them, and for noise of real
        numbers: floating-point noise is for teaching, ``dpteach.secure`` for a release.
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
