"""Floor 4. Audits: exact ones by noise tape, and sampled ones with stated error."""

from .adaptive import adaptive_audit
from .exact import LinearAudit, exact_mu, linear_audit
from .one_run import (
    one_run_epsilon_lower_bound,
    one_run_mu_lower_bound,
    score_mu_lower_bound,
)
from .replay import replayed_mu
from .sampled import (
    Conformance,
    conformance,
    event_epsilon_lower_bound,
    mu_lower_bound,
)
from .tape import (
    NoiseMap,
    NotGaussian,
    Tape,
    noise_map,
)

__all__ = [
    "Conformance",
    "LinearAudit",
    "NoiseMap",
    "NotGaussian",
    "Tape",
    "adaptive_audit",
    "conformance",
    "event_epsilon_lower_bound",
    "exact_mu",
    "linear_audit",
    "mu_lower_bound",
    "noise_map",
    "one_run_epsilon_lower_bound",
    "one_run_mu_lower_bound",
    "replayed_mu",
    "score_mu_lower_bound",
]
