"""The front page's game: from a noisy count, guess whether a record is in it."""

from .noisy_counts import least_noise

# Every fiftieth of a factor of ten from 0.2 to 10, as a reader sees it.
EPSILONS = tuple(float(f"{10 ** (k / 50):.3g}") for k in range(-35, 51))
START = 1.0


def best_share(epsilon: float) -> float:
    r"""Compute how often the best guesser of the front page's game is right.

    Examples
    --------
    >>> [round(best_share(epsilon), 3) for epsilon in (0.2, 1.0, 10.0)]
    [0.548, 0.697, 0.997]
    """
    above = least_noise(epsilon, "Laplace").above
    alarms, misses = above(0.5), 1 - above(-0.5)
    return float(1 - (alarms + misses) / 2)
