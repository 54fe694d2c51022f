"""Risks on the line, their densities, and balls, for several test modules."""

import numpy as np

from dpteach import (
    Problem,
    constraints,
    losses,
)
from dpteach.algorithms.pure.exponential_samplers import Piecewise

INTERVAL = constraints.Box(-1.0, 1.0)


def medians(*points, constraint=INTERVAL):
    """Σ |θ − d| as a problem: absolute loss, x = 1."""
    y = np.array(points, dtype=float)
    return Problem(np.ones((len(y), 1)), y, losses.absolute, constraint)


def exact_epsilon(first, second, exponent):
    """max |log density ratio|: piecewise linear in θ, so extreme at an edge."""
    sampler = Piecewise()
    edges = np.union1d(sampler.segments(first)[0], sampler.segments(second)[0])
    gap = sampler.log_density(first, exponent, edges)
    gap = gap - sampler.log_density(second, exponent, edges)
    return float(np.max(np.abs(gap)))
