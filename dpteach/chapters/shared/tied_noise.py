"""The noise multiplier for ε and T: any two of the three determine the third."""

from functools import cache

from ...accounting import gaussian_epsilon, gaussian_mu
from ...algorithms.gradients.sgd import dp_sgd_noise_multiplier
from ...figures.explore import Linked

DELTA = 1e-6

# Budgets whose noise differs by factors of √2, so that with these steps every noise
# multiplier belongs to several of them: whichever two sliders are set, the third has an
# exact value, up to rounding to six digits. The middle one is 1.
EPSILONS = tuple(
    float(f"{gaussian_epsilon(gaussian_mu(1.0, DELTA) * 2 ** (k / 2), DELTA):.6g}")
    for k in range(-4, 5)
)


@cache
def noise_for(epsilon: float, steps: int) -> float:
    """Compute the noise multiplier that a budget and a number of steps need.

    Examples
    --------
    >>> round(noise_for(1.0, 256) / noise_for(1.0, 64), 6)  # four times the steps
    2.0
    """
    return dp_sgd_noise_multiplier(epsilon, DELTA, steps=steps)


tied = Linked(("noise_multiplier", "epsilon", "steps"), noise_for)
