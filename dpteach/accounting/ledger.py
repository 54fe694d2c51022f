"""A ledger: the budget of one data set, and everything that was charged to it."""

import json
from dataclasses import dataclass, fields
from math import fsum, sqrt
from typing import Any

from .. import checks
from ..privacy import (
    EVENTS,
    Composed,
    Concentrated,
    DiscreteGaussian,
    DiscreteLaplace,
    Event,
    Gaussian,
    Pure,
    RandomizedResponse,
    Relation,
    SampledLaplace,
    Selection,
)
from .pricing import Price, price_of
from .rules.concentrated import zcdp_rho
from .rules.gaussian import gaussian_mu

CURRENCIES = ("gaussian", "concentrated")
FORMAT = "dpteach ledger 1"
# Shares of a budget are rounded: a dozen digits of its ε are promised.
ROUNDING = 1e-12


def rho_of(event: Event) -> float:
    r"""Compute the ρ of an event: it is ρ-zCDP.

    Parameters
    ----------
    event : Event
        What was spent. Sampled noise and (ε, δ)-private releases have no ρ here.

    Returns
    -------
    float
        :math:`\rho`; that of several releases is their sum.

    Raises
    ------
    ValueError, TypeError
        If this kind of event has no ρ.

    References
    ----------
    * Bun and Steinke (2016), Concentrated Differential Privacy: Simplifications,
      Extensions, and Lower Bounds.

    Examples
    --------
    >>> rho_of(Gaussian(2.0, releases=16, relation=Relation.ADD_REMOVE))  # 16/(2 · 2²)
    2.0
    """
    checks.instance(Event, event=event)
    if isinstance(event, Composed):
        return fsum(map(rho_of, event.events))
    if isinstance(event, Gaussian):
        return event.mu**2 / 2
    if isinstance(event, Concentrated):
        return event.releases * event.rho
    if isinstance(event, DiscreteGaussian | DiscreteLaplace):
        ratio = event.sensitivity / event.noise_multiplier
        return event.releases * ratio**2 / 2
    if isinstance(event, Pure | RandomizedResponse):
        return event.releases * event.epsilon**2 / 2
    if isinstance(event, Selection):
        return event.releases * event.epsilon**2 / 8
    if isinstance(event, SampledLaplace) and event.rate == 1:
        return event.releases / event.noise_multiplier**2 / 2
    raise ValueError(
        f"`event` must have a ρ, got {event!r}. Gaussian, DiscreteGaussian, Pure and "
        "Selection have one; a sampled run does not, so plan it and price it whole."
    )


@dataclass(frozen=True)
class Ledger:
    r"""The budget of one data set, and what was charged to it: a privacy filter.

    Each charge may depend on everything that was published before. As long as no charge
    was refused and made all the same, all releases together are
    :math:`(\varepsilon, \delta)`-private.

    Parameters
    ----------
    epsilon, delta : float
        :math:`(\varepsilon, \delta)`, the budget, to twelve digits.
    relation : Relation
        The neighboring data sets, for all charges.
    currency : {"concentrated", "gaussian"}, optional
        What adds up, fixed before the first release: :math:`\rho`, or :math:`\mu^2`,
        which loses nothing, but is for ``Gaussian`` events alone.
    entries : tuple of (str, Event), optional
        The charges so far, each under a name of its own.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of its range, two charges have one name, or an event does
        not fit the relation or the currency.

    References
    ----------
    * Rogers, Roth, Ullman and Vadhan (2016), Privacy Odometers and Filters.
    * Whitehouse, Ramdas, Rogers and Wu (2023), Fully-Adaptive Composition in
      Differential Privacy.

    Examples
    --------
    >>> empty = Ledger(1.0, 1e-6, relation=Relation.ADD_REMOVE, currency="gaussian")
    >>> week = Gaussian(20.0, relation=Relation.ADD_REMOVE)
    >>> after = empty.charge("week 1", week).charge("week 2", week)
    >>> round(empty.left, 4), round(after.left, 4), after.affords(week)
    (0.2367, 0.2259, True)
    >>> Ledger.from_json(after.to_json()) == after
    True
    """

    epsilon: float
    delta: float
    relation: Relation
    currency: str = "concentrated"
    entries: tuple[tuple[str, Event], ...] = ()

    def __post_init__(self) -> None:
        """Check the arguments."""
        checks.fields(self, checks.positive, "epsilon")
        checks.fields(self, checks.probability, "delta")
        checks.instance(Relation, relation=self.relation)
        checks.one_of(CURRENCIES, currency=self.currency)
        entries = _pairs(self.entries)
        object.__setattr__(self, "entries", entries)
        names = [name for name, _ in entries]
        if len(set(names)) < len(names):
            raise ValueError(
                "`entries` must have different names, or a merge could not tell them "
                f"apart, got {names}."
            )
        for name, event in entries:
            checks.instance(str, name=name)
            self._demand_fit(event)

    @property
    def budget(self) -> float:
        """The largest sum of ρ, or of μ²/2, that keeps (ε, δ)."""
        if self.currency == "gaussian":
            return gaussian_mu(self.epsilon, self.delta) ** 2 / 2
        return zcdp_rho(self.epsilon, self.delta)

    @property
    def spent(self) -> float:
        """The sum of ρ, or of μ²/2, over all charges."""
        return fsum(rho_of(event) for _, event in self.entries)

    @property
    def left(self) -> float:
        """The μ of one Gaussian release that would spend the rest; 0 if none is."""
        return sqrt(2 * max(self.budget - self.spent, 0.0))

    def affords(self, event: Event) -> bool:
        """Say whether a charge would keep the budget. This looks at no data."""
        self._demand_fit(event)
        total = fsum([self.spent, rho_of(event)])
        return total <= self.budget * (1 + ROUNDING)

    def charge(self, name: str, event: Event) -> "Ledger":
        """Return the ledger with one charge more; refuse what it cannot afford."""
        if not self.affords(event):
            raise ValueError(
                f"`event` must be affordable, got {event!r}, of μ = "
                f"{sqrt(2 * rho_of(event)):.6g} where {self.left:.6g} is left. Add "
                "more noise, or stop here."
            )
        return self._with(((name, event),))

    def merge(self, other: "Ledger") -> "Ledger":
        """Return all charges of two copies of one ledger: each name once.

        Together they may have spent too much: then ``left`` is 0, and ``price`` says
        what the releases really cost if they were planned.
        """
        checks.instance(Ledger, other=other)
        same = ("epsilon", "delta", "relation", "currency")
        if any(getattr(self, name) != getattr(other, name) for name in same):
            raise ValueError(
                "`other` must have the budget, relation and currency of this ledger. "
                "Only copies of one ledger can be merged."
            )
        known = dict(self.entries)
        for name, event in other.entries:
            if known.get(name, event) != event:
                raise ValueError(
                    f"`other` must not charge another event as {name!r}, got "
                    f"{event!r}, and here it is {known[name]!r}. Rename one of them."
                )
        return self._with(tuple(e for e in other.entries if e[0] not in known))

    def price(self) -> Price:
        """Price all charges at δ, for a plan that was fixed before the first one."""
        if not self.entries:
            raise ValueError("`entries` must hold at least one charge, got ().")
        return price_of(
            Composed(tuple(event for _, event in self.entries)), delta=self.delta
        )

    def to_json(self) -> str:
        """Write the ledger as JSON."""
        return json.dumps(
            {
                "format": FORMAT,
                "epsilon": self.epsilon,
                "delta": self.delta,
                "relation": self.relation.name,
                "currency": self.currency,
                "entries": [
                    {"name": name, "event": _written(event)}
                    for name, event in self.entries
                ],
            },
            indent=1,
        )

    @classmethod
    def from_json(cls, text: str) -> "Ledger":
        """Read what ``to_json`` wrote."""
        told = json.loads(text)
        if not isinstance(told, dict) or told.get("format") != FORMAT:
            raise ValueError(f"`text` must be a ledger in the format {FORMAT!r}.")
        return cls(
            told["epsilon"],
            told["delta"],
            Relation[told["relation"]],
            told["currency"],
            tuple((each["name"], _read(each["event"])) for each in told["entries"]),
        )

    def _with(self, more: tuple[tuple[str, Event], ...]) -> "Ledger":
        return Ledger(
            self.epsilon,
            self.delta,
            self.relation,
            self.currency,
            self.entries + more,
        )

    def _demand_fit(self, event: Event) -> None:
        rho_of(event)
        if event.relation is not self.relation:
            raise ValueError(
                f"`event` must hold for {self.relation!r}, got {event!r}. Restate it "
                "for that relation first."
            )
        if self.currency == "gaussian" and not isinstance(event, Gaussian):
            raise ValueError(
                f"`event` must be a Gaussian event for this currency, got {event!r}. "
                "Take Ledger(..., currency='concentrated')."
            )


def _pairs(entries: Any) -> tuple[tuple[str, Event], ...]:
    listed = isinstance(entries, tuple | list)
    if not listed or not all(isinstance(e, tuple) and len(e) == 2 for e in entries):
        raise TypeError(
            f"`entries` must be a tuple of pairs (name, event), got {entries!r}. Begin "
            "with none, and charge them."
        )
    return tuple(entries)


def _written(event: Any) -> dict[str, Any]:
    if isinstance(event, Composed):
        return {"kind": "Composed", "events": [_written(e) for e in event.events]}
    kept = {each.name: getattr(event, each.name) for each in fields(event)}
    return {"kind": type(event).__name__} | kept | {"relation": event.relation.name}


def _read(told: dict[str, Any]) -> Event:
    kinds: dict[str, Any] = {kind.__name__: kind for kind in EVENTS}
    kept = dict(told)
    kind = kept.pop("kind", None)
    if kind not in kinds:
        raise ValueError(f"`kind` must be one of {', '.join(kinds)}, got {kind!r}.")
    if kind == "Composed":
        return Composed(tuple(map(_read, kept["events"])))
    return kinds[kind](**kept | {"relation": Relation[kept["relation"]]})
