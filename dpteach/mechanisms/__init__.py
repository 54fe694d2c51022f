"""Floor 3. The mechanisms that algorithms use: noise on an answer, noisy choices."""

from .finite_exponential import exponential_choice, exponential_choice_probabilities
from .gaussian_noise import gaussian_mechanism
from .k_norm import k_norm_mechanism
from .laplace import laplace_mechanism
from .noisy_max import noisy_max_probabilities, report_noisy_max
from .permute_and_flip import permute_and_flip_choice, permute_and_flip_probabilities
from .quantile import private_quantile
from .response import randomized_response, randomized_response_probabilities
from .stable_answers import median_distance, propose_test_release
from .thresholds import above_threshold, above_threshold_probabilities

__all__ = [
    "above_threshold",
    "above_threshold_probabilities",
    "exponential_choice",
    "exponential_choice_probabilities",
    "gaussian_mechanism",
    "k_norm_mechanism",
    "laplace_mechanism",
    "median_distance",
    "noisy_max_probabilities",
    "permute_and_flip_choice",
    "permute_and_flip_probabilities",
    "private_quantile",
    "propose_test_release",
    "randomized_response",
    "randomized_response_probabilities",
    "report_noisy_max",
]
