"""A relation under which neighboring data sets have the same number of records."""

from .. import checks
from ..privacy import Relation


def require_fixed_length(relation: Relation, why: str) -> None:
    """Refuse ADD_REMOVE, and say why adding or removing a record is not covered."""
    checks.instance(Relation, relation=relation)
    if relation is Relation.ADD_REMOVE:
        raise ValueError(
            "`relation` must keep the number of records, got Relation.ADD_REMOVE: "
            f"{why}. Give Relation.ZERO_OUT, where a record turns to ⊥ in its place, "
            "or Relation.REPLACE."
        )
