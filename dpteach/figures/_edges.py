"""Triangles at the edge of a panel, where a line leaves it or a point lies outside.

They have the color of their mark and point outward. The player in ``explore.js``
computes the same ones.
"""

import itertools
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

LONG, HALF = 8.0, 4.5  # the height of a triangle, and half its base, in pixels
SLACK = 0.5  # what lies less far outside is on the frame
APART = 9.0  # of two nearer ones at one side, the first stands for both

Exit: TypeAlias = tuple[float, float, int, int]  # where, and which way is out


def exits(at: np.ndarray, box: Sequence[float], *, joined: bool) -> list[Exit]:
    """Find where a mark leaves its panel.

    Parameters
    ----------
    at : Array
        Its points, shape ``(n, 2)``.
    box : sequence of float
        The panel: least x and y, then greatest x and y.
    joined : bool
        Whether a line runs from each point to the next.

    Returns
    -------
    list of tuple
        A place on the frame, and the step outward from there, for each triangle.

    Examples
    --------
    >>> exits(np.array([(5, 5), (5, 15)]), (0.0, 0.0, 10.0, 10.0), joined=True)
    [(5.0, 10.0, 0, 1)]
    """
    points = at.astype(float).tolist()
    places = [point for point in points if max(_excess(point, box)) > SLACK]
    if joined and places:
        crossed = (_crossings(*ends, box) for ends in itertools.pairwise(points))
        # where none crosses the frame, all of it lies outside
        nearest = min(points, key=lambda point: max(_excess(point, box)))
        places = [*itertools.chain.from_iterable(crossed)] or [nearest]
    found: list[Exit] = []
    for place in places:
        _add(found, place, box)
    return found


def _excess(point: Sequence[float], box: Sequence[float]) -> tuple[float, ...]:
    # How far outside each side it is: left, low, right, high.
    (x, y), (left, low, right, high) = point, box
    return left - x, low - y, x - right, y - high


def _crossings(
    start: Sequence[float], end: Sequence[float], box: Sequence[float]
) -> list[list[float]]:
    # The ends of the part inside (Liang and Barsky), where they are not its own ends.
    enter, leave = 0.0, 1.0
    pairs = zip(_excess(start, box), _excess(end, box), strict=True)
    for one, other in pairs:
        if one > SLACK and other > SLACK:
            return []
        if one > SLACK:
            enter = max(enter, (one - SLACK) / (one - other))
        elif other > SLACK:
            leave = min(leave, (one - SLACK) / (one - other))
    if enter > leave:
        return []
    return [
        [a + share * (b - a) for a, b in zip(start, end, strict=True)]
        for share in (enter, leave)
        if 0 < share < 1
    ]


def _add(found: list[Exit], place: Sequence[float], box: Sequence[float]) -> None:
    excess = _excess(place, box)
    side = excess.index(max(excess))
    left, low, right, high = box
    x = min(max(place[0], left), right)
    y = min(max(place[1], low), high)
    across, up = ((-1, 0), (0, -1), (1, 0), (0, 1))[side]
    near = (
        (across, up) == each[2:] and max(abs(x - each[0]), abs(y - each[1])) < APART
        for each in found
    )
    if not any(near):
        found.append((x, y, across, up))


def triangles(found: Sequence[Exit], scale: float = 1.0) -> list[np.ndarray]:
    """Compute the corners of the triangles, the one that points outward first."""
    return [
        np.array(
            [
                (x, y),
                (x - long * across - half * up, y - long * up + half * across),
                (x - long * across + half * up, y - long * up - half * across),
            ]
        )
        for x, y, across, up in found
        for long, half in [(LONG * scale, HALF * scale)]
    ]
