"""What a stream needs of the relation between neighboring data sets."""

from ...privacy import Relation
from .._fixed_length import require_fixed_length


def check_stream(relation: Relation) -> None:
    """Refuse ADD_REMOVE: removing a record from a stream shifts all later ones."""
    require_fixed_length(
        relation,
        "if one record is removed, all later ones come a step earlier, in other "
        "leaves of the tree, so a node's sum moves by more than one record's share",
    )
