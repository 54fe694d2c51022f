"""Floor 4. Audits: exact ones by noise tape, and sampled ones with stated error."""

from .adaptive import adaptive_audit
from .tape import (
    LinearAudit,
    NoiseMap,
    NotGaussian,
    Tape,
    exact_mu,
    linear_audit,
    noise_map,
)

__all__ = [
    "LinearAudit",
    "NoiseMap",
    "NotGaussian",
    "Tape",
    "adaptive_audit",
    "exact_mu",
    "linear_audit",
    "noise_map",
]
