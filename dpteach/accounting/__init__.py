"""Floor 2. What an event costs: exact, or an upper bound that says so."""

from .gaussian import gaussian_delta

__all__ = ["gaussian_delta"]
