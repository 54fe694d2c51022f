"""What a stream asks of the relation between neighboring data sets."""

from ...privacy import Relation
from .._fixed_length import require_fixed_length


def check_stream(relation: Relation) -> None:
    """Refuse ADD_REMOVE: in a stream, one record less moves all that come after it."""
    require_fixed_length(
        relation,
        "one record less, and all later ones come a step earlier, in other leaves of "
        "the tree, so that a node's sum moves by more than one record's share",
    )
