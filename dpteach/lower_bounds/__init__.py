"""Floor 4. Lower bounds that run: packing, tracing, and the reduction to a mean."""

from .excess import pure_excess_lower_bound, tracing_excess_lower_bound
from .packing import (
    packing_attack,
    packing_code,
    packing_copies,
    packing_data,
    packing_lower_bound,
    packing_success_cap,
)
from .reduction import (
    excess_from_distance,
    hard_problem,
    mean_from_model,
    packing_excess_lower_bound,
)
from .tracing import (
    TracingScores,
    fingerprint,
    tracing_attack,
    tracing_cap,
    tracing_lower_bound,
)

__all__ = [
    "TracingScores",
    "excess_from_distance",
    "fingerprint",
    "hard_problem",
    "mean_from_model",
    "packing_attack",
    "packing_code",
    "packing_copies",
    "packing_data",
    "packing_excess_lower_bound",
    "packing_lower_bound",
    "packing_success_cap",
    "pure_excess_lower_bound",
    "tracing_attack",
    "tracing_cap",
    "tracing_excess_lower_bound",
    "tracing_lower_bound",
]
