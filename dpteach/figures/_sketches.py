"""The geometry of guesses: where points lie in a panel, and a curve through them."""

from collections.abc import Sequence

import numpy as np

from .axes import Axes


def smooth(ends: Sequence[tuple[float, float]]) -> str:
    """Write a smooth path through points, as the player does.

    Parameters
    ----------
    ends : sequence of tuple
        Points, in pixels.

    Returns
    -------
    str
        The data of a path of cubics, whose tangents are those of the neighbors.
    """
    path = "M{:.1f} {:.1f}".format(*ends[0])
    for k in range(len(ends) - 1):
        before, one = ends[max(0, k - 1)], ends[k]
        other, after = ends[k + 1], ends[min(len(ends) - 1, k + 2)]
        path += "C" + " ".join(
            f"{place:.1f}"
            for place in (
                *(a + (b - c) / 6 for a, b, c in zip(one, other, before, strict=True)),
                *(b - (d - a) / 6 for a, b, d in zip(one, other, after, strict=True)),
                *other,
            )
        )
    return path


def shares(axes: Axes, points: Sequence) -> tuple[np.ndarray, np.ndarray]:
    """Say how far along each axis points lie, from 0 to 1."""
    x, y = np.asarray(points, dtype=float).T
    out = []
    for values, limits, scale in (
        (x, axes.xlim, axes.xscale),
        (y, axes.ylim, axes.yscale),
    ):
        low, high = limits
        if scale == "log":
            values = np.log(np.maximum(values, low * 1e-9))
            low, high = np.log(low), np.log(high)
        out.append((values - low) / (high - low))
    return out[0], out[1]
