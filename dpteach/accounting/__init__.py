"""Floor 2. What an event costs: exact, bounded or estimated, and it says which."""

from .gaussian import (
    gaussian_delta,
    gaussian_epsilon,
    gaussian_mu,
    noise_multiplier,
)
from .pricing import Price, calibrate, delta_of, epsilon_of, price_of

__all__ = [
    "Price",
    "calibrate",
    "delta_of",
    "epsilon_of",
    "gaussian_delta",
    "gaussian_epsilon",
    "gaussian_mu",
    "noise_multiplier",
    "price_of",
]
