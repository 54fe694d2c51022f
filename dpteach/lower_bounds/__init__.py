"""Floor 4. Lower bounds that run: packing, tracing, and the reduction to a mean."""

from .curved import (
    HardLasso,
    hardest_lasso,
    lasso_excess_lower_bound,
    lasso_hard_problem,
    strongly_convex_excess_lower_bound,
)
from .excess import (
    approximate_excess_lower_bound,
    pure_excess_lower_bound,
    tracing_excess_lower_bound,
)
from .marginals import (
    marginals_lower_bound,
    marginals_rms_lower_bound,
    membership_leak,
)
from .minimax import (
    gaussian_sign_minimax_excess,
    minimax_excess,
    minimax_mean_error,
    sign_minimax_excess,
)
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
    "HardLasso",
    "TracingScores",
    "approximate_excess_lower_bound",
    "excess_from_distance",
    "fingerprint",
    "gaussian_sign_minimax_excess",
    "hard_problem",
    "hardest_lasso",
    "lasso_excess_lower_bound",
    "lasso_hard_problem",
    "marginals_lower_bound",
    "marginals_rms_lower_bound",
    "mean_from_model",
    "membership_leak",
    "minimax_excess",
    "minimax_mean_error",
    "packing_attack",
    "packing_code",
    "packing_copies",
    "packing_data",
    "packing_excess_lower_bound",
    "packing_lower_bound",
    "packing_success_cap",
    "pure_excess_lower_bound",
    "sign_minimax_excess",
    "strongly_convex_excess_lower_bound",
    "tracing_attack",
    "tracing_cap",
    "tracing_excess_lower_bound",
    "tracing_lower_bound",
]
