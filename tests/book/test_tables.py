"""Every state of every figure, as the book's build drew it, is sound.

A figure that the page itself draws has no table; see ``test_every_figure.py``.
"""

import numpy as np
import pytest

from dpteach.figures._declared import address
from dpteach.figures.axes import UNIT
from tests.chapters.figures import LEAVE_THE_FRAME, declared, demand_sound
from tests.figures.decoded import column, decode, words

TABLES = {
    place: address(figure.declaration.get("identity", ""), figure.experiment)
    for place, figure in declared().items()
    if "in_hand" not in figure.declaration
}


# What lies less far outside is on the frame: half a pixel of a panel of two hundred.
SLACK = UNIT // 400


def leaves(table, state):
    """Say whether a mark has a point beyond its panel, where a triangle stands."""
    places = [
        column(table, mark[axis], state) for mark in table["marks"] for axis in "xy"
    ]
    return any((each < -SLACK).any() or (each > UNIT + SLACK).any() for each in places)


@pytest.mark.thorough
@pytest.mark.parametrize("place", TABLES)
def test_every_state_is_sound(place, book):
    """Marks are finite, or they are refused when they are made."""
    path = book / "_static" / "figures" / f"{TABLES[place]}.js"
    table = decode(path.read_text("utf-8"))
    assert table["marks"]
    left = False
    for state in range(np.prod(table["shape"], dtype=int)):
        said = [words(table, each, state) for each in table["values"]]
        texts = [words(table, each, state) for each in table["texts"]]
        demand_sound(texts, dict(zip(table["keys"], said, strict=True)))
        left |= leaves(table, state)
    assert left == (place in LEAVE_THE_FRAME)
