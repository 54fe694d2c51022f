"""Floor 2. Elementary bounds, which hold for every event and need no integral.

From above: total variations add up; without sampling everything costs at least as much;
and a record that is in no sample at all loses nothing. From below: everything costs at
least what one part costs; and by Chernoff's bounds on both sides of its mean, a tilted
loss lies in a known interval half the time.
"""

import contextlib
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ... import numerics
from ..integration.saddle import tilts
from ..moments.conversion import OutOfDigits
from ..pairs.discrete_noise import DiscreteNoise, SampledDiscreteNoise
from ..pairs.pair import SelectionPair, cumulants, pure_pair
from ..pairs.releases import Pairs, Releases
from ..pairs.sampled_laplace import LaplaceOnSample
from ..pairs.sampling import both_directions
from ..rules.concentrated import zcdp_log_delta
from ..rules.gaussian import MARGIN
from ..rules.gaussian import log_delta as log_delta_gaussian
from ..rules.pure_mixture import log_delta_mixture
from .curve import Bounds, Curve, largest_loss, upper_bound

# Noise that is not normal, though ρ is the same
LATTICES = (DiscreteNoise, SampledDiscreteNoise)
# The tilted loss is below or above the interval with at most this probability each
OUTSIDE = 0.2
# So many losses of pure releases are listed at most: other bounds are as good beyond
MOST = 2**16


def elementary(releases: Releases) -> Curve:
    """Bound from above without sampling, and from below by parts."""
    above = upper_bound(releases, _above(releases.within()), "no sampling")

    def log_delta(epsilon: float) -> Bounds:
        upper = above.log_delta(epsilon)[1]
        return min(_log_delta_below(releases, epsilon), upper), upper

    def least_epsilon(delta: float) -> Bounds:
        if releases.total_variation <= delta:
            return 0.0, 0.0
        upper = above.least_epsilon(delta)[1]
        return min(_least_epsilon_below(releases, math.log(delta)), upper), upper

    return Curve(log_delta, least_epsilon, "upper bound", "elementary bounds")


def _above(releases: Releases) -> Callable[[float], float]:
    """Return ε ↦ an upper bound of ln δ, as if all records were in each sample."""
    # each pure release as randomized response, all others as normal noise
    pure = dict(releases.pure)
    for loss, k in (*releases.selections.items(), *_largest(releases)):
        pure[loss] = pure.get(loss, 0) + k
    normal = math.hypot(releases.mu, *_roots(releases, lattice=False))
    mu = math.hypot(normal, *_roots(releases, lattice=True))
    rho = mu * mu / 2 + releases.concentrated
    rho += sum(k * e * e / 2 for e, k in pure.items())
    total, most = releases.total_variation, largest_loss(releases)
    # terms of a mixture; then there are at any ε
    too_many = bool(_roots(releases, True) or releases.concentrated)

    def log_delta(epsilon: float) -> float:
        nonlocal too_many
        if epsilon >= most or total == 0:
            return -math.inf
        bounds = [math.log(total), _log_delta_if_sampled(releases, epsilon)]
        if not too_many:
            try:
                bounds.append(log_delta_mixture(pure, normal, epsilon, MOST))
            except ArithmeticError:  # too many terms, or too large ones
                too_many = True
        if 0 < rho < math.inf:
            bounds.append(zcdp_log_delta(rho, epsilon))
        return min(*bounds, 0.0) + MARGIN

    return log_delta


def _log_delta_if_sampled(releases: Releases, epsilon: float) -> float:
    """Bound ln δ by all releases together: with probability p a record is in a sample.

    If it is, they cost at most what they cost without sampling; see both_directions.
    """
    rates = [getattr(kind, "rate", 1.0) for kind in releases.kinds]
    counts = releases.kinds.values()
    others = releases.pure or releases.mu or releases.selections
    if others or releases.concentrated or 1.0 in rates or _roots(releases, True):
        return math.inf
    log_none = sum(k * math.log1p(-q) for q, k in zip(rates, counts, strict=True))
    p = -math.expm1(log_none)
    if not 0 < p < 1:
        return math.inf
    mu, pure = releases.spread, {}
    for kind, k in releases.kinds.items():
        if isinstance(kind, LaplaceOnSample):
            loss = 1 / kind.noise_multiplier
            pure[loss] = pure.get(loss, 0) + k
    bounds = [-math.inf]
    for log_weight, inner in both_directions(p, epsilon):
        with contextlib.suppress(ArithmeticError):
            bounds.append(log_weight + log_delta_mixture(pure, mu, inner, MOST))
            continue
        return math.inf
    return max(bounds)


def _largest(releases: Releases) -> list[tuple[float, int]]:
    return [
        (kind.largest, k)
        for kind, k in releases.kinds.items()
        if math.isfinite(kind.largest)
    ]


def _roots(releases: Releases, lattice: bool) -> list[float]:
    # √k μ of what is not pure
    return [
        math.sqrt(k) * kind.spread
        for kind, k in releases.kinds.items()
        if math.isinf(kind.largest) and isinstance(kind, LATTICES) == lattice
    ]


def _log_delta_below(releases: Releases, epsilon: float) -> float:
    epsilon = epsilon * (1 + 1e-13)
    bounds = [curve(epsilon) for curve in _parts(releases)]
    for pairs in _reached(releases):
        low, log_mass = _tilted(pairs)
        gap = np.minimum(epsilon - low, -1e-300)
        inside = np.where(low > epsilon, numerics.log_of(-np.expm1(gap)), -np.inf)
        bounds.append(float(np.max(log_mass + inside, initial=-np.inf)))
    return max(bounds, default=-math.inf) - MARGIN


def _least_epsilon_below(releases: Releases, log_delta: float) -> float:
    bounds = [0.0]
    for curve in _parts(releases):
        if curve(0.0) - MARGIN > log_delta:
            bounds.append(_crossing(curve, log_delta + MARGIN))
    for pairs in _reached(releases):
        low, log_mass = _tilted(pairs)
        enough = log_mass > log_delta + 1e-9
        # e^{log_mass} (1 − e^{ε − low}) = δ
        gap = log_delta - log_mass[enough]
        found = low[enough] + np.log(-np.expm1(gap))
        bounds.append(float(np.max(found, initial=0.0)))
    return max(bounds) * (1 - 1e-12)


def _crossing(curve: Callable[[float], float], log_delta: float) -> float:
    # an ε where the curve is at least this high; 0 is one
    end = 1.0
    while curve(end) > log_delta and end < 1e300:
        end *= 4
    return numerics.safe_root(lambda e: log_delta - curve(e), end, 0.0)


def _parts(releases: Releases) -> list[Callable[[float], float]]:
    """List the curves of single parts of all that is released."""
    kinds: list[Any] = [*releases.kinds, *releases.beyond]
    found = [kind.log_delta for kind in kinds if kind.has_closed_form]
    if releases.mu:
        found.append(lambda epsilon: float(log_delta_gaussian(releases.mu, epsilon)))
    if releases.pure:
        largest = max(releases.pure)
        found.append(pure_pair(largest).log_delta)
    if releases.selections:
        found.append(SelectionPair(max(releases.selections)).log_delta)
    return found


def _reached(releases: Releases) -> list[Pairs]:
    """List pairs that some neighbors reach, if they cost little to compute."""
    if any(kind.random_step for kind in releases.kinds):
        return []
    both = [releases.reached(removed) for removed in releases.directions]
    return [pairs for pairs in both if pairs]


def _tilted(pairs: Pairs) -> tuple[np.ndarray, np.ndarray]:
    """Find losses y and bounds of the probability of a loss in [y, …], for many tilts.

    Let K be the ln of the moment, and L tilted by e^{cL}. It is above y with at most
    e^{K(c + h) − K(c) − hy}, and below x with at most e^{K(c − h) − K(c) + hx}. Between
    them e^{−cL} is at least e^{−cy}. So δ(ε) ≥ (1 − 2·OUTSIDE) e^{K(c) − cy} (1 −
    e^{ε−x}) for all ε < x.
    """
    c = tilts(pairs)
    with np.errstate(all="ignore"):
        _, _, variance = cumulants(pairs, c)
    known = np.isfinite(variance) & (variance > 0)
    lows, log_masses = [], []
    for tilt, spread in zip(c[known], np.sqrt(variance[known]), strict=True):
        step = min(1.5 / spread, tilt / 2)
        points = tilt + step * np.array([-1.0, 0.0, 1.0])
        try:
            parts = [k * pair.log_moments(points) for pair, k in pairs]
        except OutOfDigits:
            continue
        before, here, after = map(float, np.sum(parts, axis=0))
        slack = 1e-13 * (abs(before) + abs(here) + abs(after)) + 1e-12
        high = (after - here + slack - math.log(OUTSIDE)) / step
        lows.append((here - before - slack + math.log(OUTSIDE)) / step)
        log_masses.append(here - slack - tilt * high + math.log(1 - 2 * OUTSIDE))
    log_masses = np.array(log_masses)
    lows = np.array(lows)
    seen = np.isfinite(lows) & np.isfinite(log_masses)
    return lows[seen], log_masses[seen]
