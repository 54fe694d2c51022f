"""What (ε, δ) allows a test to reach, for two figures of the chapter on privacy."""

from math import exp

from ...figures.marks import Line


def corner_line(epsilon: float, delta: float, label: str, role: str) -> Line:
    """Draw the least miss rate that (ε, δ) allows, against the false alarms."""
    both = (1 - delta) / (1 + exp(epsilon))
    return Line([0, both, 1 - delta, 1], [1 - delta, both, 0, 0], label, role)


def least_misses(alarms: float, epsilon: float, delta: float) -> float:
    """Compute the least miss rate that (ε, δ) allows at a rate of false alarms."""
    left = 1 - delta - alarms
    return max(0.0, 1 - delta - exp(epsilon) * alarms, exp(-epsilon) * left)
