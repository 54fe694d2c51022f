"""Floor 1. Several events that touch the same records."""

from dataclasses import dataclass

from .relation import Event


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
    >>> from dpteach.privacy import Gaussian, Pure, Relation
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
