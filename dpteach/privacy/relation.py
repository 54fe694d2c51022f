"""Floor 1. Which data sets are neighbors, and what every event has."""

from enum import Enum
from typing import Any


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
