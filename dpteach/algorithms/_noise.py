"""Noise of density ∝ exp(−‖b‖₂): the K-norm mechanism's, under its home."""

from ..mechanisms.k_norm import spherical_laplace as spherical_laplace
