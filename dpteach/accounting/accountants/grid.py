"""Floor 2. The accountant that convolves the distributions of losses on a grid."""

import math

from ..integration.loss_distribution import ROUNDING, compose, good_tilts
from ..moments.conversion import OutOfDigits
from ..pairs.releases import Pairs, Releases
from .contour_curve import log_kept
from .curve import Curve, inverse, largest_loss_of_pairs


def loss_distribution(releases: Releases) -> Curve:
    """Convolve the distributions of losses, tilted in several ways: all are valid."""
    most = largest_loss_of_pairs(releases)
    directions = _few_enough(releases)

    def log_delta(epsilon: float) -> float:
        value = -math.inf
        for pairs in directions if epsilon < most else ():
            tilts, bound, _ = good_tilts(pairs, epsilon=epsilon)
            if bound > value:  # else this direction cannot matter
                grids = (compose(pairs, c, bound, epsilon) for c in tilts)
                value = max(value, min(bound, *(g.log_delta(epsilon) for g in grids)))
        return value

    def least_epsilon(delta: float) -> float:
        epsilon = 0.0
        for pairs in directions:
            tilts, bound, near = good_tilts(pairs, log_delta=log_kept(pairs, delta))
            if bound > epsilon:
                grids = (compose(pairs, c, math.log(delta), near / 2) for c in tilts)
                each = [inverse(releases, grid.log_delta)(delta) for grid in grids]
                epsilon = max(epsilon, min(bound, *each))
        return min(epsilon, most)

    return Curve(
        lambda epsilon: (-math.inf, log_delta(epsilon)),
        lambda delta: (0.0, least_epsilon(delta)),
        "upper bound",
        "privacy loss distribution on a grid",
    )


def _few_enough(releases: Releases) -> list[Pairs]:
    """List the pairs of each direction; refuse too many releases for any digit."""
    directions = [releases.pairs(removed) for removed in releases.directions]
    if sum(k for _, k in directions[0]) * ROUNDING >= 1:  # what ``compose`` adds
        raise OutOfDigits("rounding of so many releases outweighs the distribution")
    return directions
