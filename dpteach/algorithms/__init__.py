"""Floor 3. The book's algorithms, their calibrations and their bounds.

``from dpteach.algorithms import dp_ftrl`` finds each algorithm by its name, whichever
file it is in. Each algorithm has a file of its own, to be read beside its chapter.
"""

# ruff: noqa: F401 (type checkers and editors read what is imported here)

from typing import TYPE_CHECKING

from .._lazy import lazy

# --- written by book/_tools/facade.py
if TYPE_CHECKING:
    from .federated.federated_ftrl import federated_ftrl
    from .federated.fleet_plan import FleetPlan, plan_fleet
    from .federated.participation_rule import admitted_devices
    from .geometry.frank_wolfe import decreasing_step, frank_wolfe
    from .geometry.frank_wolfe_bounds import (
        frank_wolfe_gap,
        frank_wolfe_risk_bound,
        private_frank_wolfe_risk_bound,
        private_frank_wolfe_steps,
    )
    from .geometry.lasso import (
        LassoConstants,
        lasso_constants,
        private_lasso,
        private_lasso_risk_bound,
        private_lasso_steps,
    )
    from .geometry.private_frank_wolfe import (
        private_frank_wolfe,
        private_frank_wolfe_noise,
    )
    from .geometry.sparse import SparseProblem
    from .gradients.adaptive_clipping import adaptive_dp_sgd, adaptive_noise_multiplier
    from .gradients.adaptive_ridge import adaptive_least_squares
    from .gradients.bolt_on import bolt_on_sensitivity, bolt_on_sgd
    from .gradients.convex_bounds import (
        best_learning_rate,
        convex_constants,
        regret_bound,
        strongly_convex_descent_bound,
    )
    from .gradients.gradient_descent import (
        gradient_descent,
        online_to_batch,
        smooth_descent_bound,
        stochastic_gradient_descent,
    )
    from .gradients.heavy_tails import clipping_bias_bound, heavy_tailed_clip_norm
    from .gradients.last_model import last_model_event, noisy_gradient_descent
    from .gradients.mirror_descent import (
        mirror_descent_learning_rate,
        mirror_descent_risk_bound,
        private_mirror_descent,
    )
    from .gradients.newton import private_newton
    from .gradients.noisy_moments import (
        least_squares_by_moments,
        moments_sensitivity,
        principal_components,
    )
    from .gradients.nonconvex import stationary_bound, stationary_learning_rate
    from .gradients.online import (
        lazy_gradient_descent,
        online_gradient_descent,
        regrets,
    )
    from .gradients.phased_localization import (
        phased_localization,
        phased_localization_learning_rate,
        phased_localization_risk_bound,
    )
    from .gradients.sampled_sgd import (
        fixed_batches_event,
        poisson_sample,
        sampled_dp_sgd,
    )
    from .gradients.schedule import Schedule, sampling_schedule
    from .gradients.sgd import (
        dp_sgd,
        dp_sgd_learning_rate,
        dp_sgd_noise_multiplier,
        dp_sgd_risk_bound,
        dp_sgd_steps,
    )
    from .gradients.strongly_convex_sgd import (
        strongly_convex_dp_sgd,
        strongly_convex_risk_bound,
    )
    from .local.banco import banco, banco_risk_bound, banco_tail
    from .local.betting import bet, log_bet
    from .local.check_in_bounds import fixed_window_risk_bound
    from .local.check_in_privacy import (
        averaged_updates_epsilon,
        fixed_window_dummies,
        fixed_window_epsilon,
        pooled_epochs_epsilon,
        sliding_window_dummies,
        sliding_window_epsilon,
    )
    from .local.check_ins import averaged_updates, fixed_window, sliding_window
    from .local.hemisphere import hemisphere_length, hemisphere_randomizer
    from .local.local_sgd import (
        local_noise_variance,
        local_randomizer,
        local_sgd,
        local_sgd_learning_rate,
        local_sgd_risk_bound,
    )
    from .local.response_instances import (
        check_in_likelihood_ratio,
        fixed_window_instance,
        shuffling_instance,
    )
    from .local.shuffling import shuffling_epsilon
    from .matrices.buffered_toeplitz import BufferedStream, Buffers
    from .matrices.dual_certificate import DualCertificate, best_certificate
    from .matrices.factorization import (
        Factorization,
        correlated_noise,
        independent_factorization,
        naive_factorization,
        prefix_sum_lower_bound,
        prefix_sum_matrix,
        tree_factorization,
    )
    from .matrices.matrix_ftrl import matrix_ftrl
    from .matrices.matrix_mechanism import MatrixMechanism
    from .matrices.multi_participation import (
        ErrorCertificate,
        multi_participation_factorization,
    )
    from .matrices.optimal_bands import optimal_banded_factorization, optimal_bands
    from .matrices.optimal_buffers import optimal_buffers
    from .matrices.optimal_factorization import (
        gamma_2_bounds,
        mathias_factorization,
        optimal_factorization,
    )
    from .matrices.optimal_inverse_bands import (
        inverse_power_bands,
        optimal_inverse_bands,
    )
    from .matrices.optimal_participation import optimal_epochs_factorization
    from .matrices.participation_bound import participation_lower_bound
    from .matrices.sampled_mechanism import SampledMechanism
    from .matrices.sampled_mechanisms import sampled_mechanisms
    from .matrices.sensitivity import (
        Sensitivity,
        epochs_sensitivity,
        participation_sensitivity,
        toeplitz_sensitivity,
    )
    from .matrices.separated_certificate import separated_certificate
    from .matrices.simulated_delta import simulated_delta
    from .matrices.toeplitz import (
        banded_event,
        banded_factorization,
        square_root_factorization,
    )
    from .matrices.toeplitz_encoder import Bands, InverseBands, ToeplitzEncoder
    from .pure.approximate_minima import approximate_minima_perturbation
    from .pure.exponential import (
        exponential_mechanism,
        exponential_mechanism_exponent,
        exponential_mechanism_nonconvex_risk_bound,
        exponential_mechanism_risk_bound,
    )
    from .pure.exponential_chains import hit_and_run, langevin, metropolis_transitions
    from .pure.exponential_samplers import Grid, Piecewise
    from .pure.gaussian_objective import (
        gaussian_objective_delta,
        gaussian_objective_noise_multiplier,
        gaussian_objective_perturbation,
    )
    from .pure.gradient_norm import gradient_lengths, gradient_norm_mechanism
    from .pure.localized_exponential import (
        localization_radius,
        localized_exponential_mechanism,
        localized_exponential_risk_bound,
    )
    from .pure.logistic_objective import (
        logistic_objective_epsilon,
        logistic_objective_noise_multiplier,
    )
    from .pure.objective import (
        objective_perturbation,
        objective_perturbation_log_density,
        objective_perturbation_parameters,
        objective_perturbation_risk_bound,
    )
    from .pure.output import (
        output_perturbation,
        output_perturbation_risk_bound,
        output_perturbation_sensitivity,
    )
    from .pure.regularized_exponential import (
        regularized_exponential_event,
        regularized_exponential_mechanism,
        regularized_exponential_risk_bound,
    )
    from .pure.rejection_samplers import LinearOnBall, Rejection
    from .streams.batched_ftrl import batched_ftrl
    from .streams.composite_ftrl import ElasticNet, GroupLasso, composite_dp_ftrl
    from .streams.ftrl import dp_ftrl, dp_ftrl_noise_multiplier
    from .streams.least_squares_ftrl import (
        least_squares_dp_ftrl,
        least_squares_dp_ftrl_noise_multiplier,
    )
    from .streams.momentum_ftrl import momentum_dp_ftrl
    from .streams.multi_epoch_ftrl import multi_epoch_ftrl
    from .streams.participation import (
        epochs_squared_sensitivity,
        resampling_multiplicity,
        separated_squared_sensitivity,
        squared_sensitivity,
    )
    from .streams.prefix_noise import tree_noise
    from .streams.regret import (
        dp_ftrl_regret_bound,
        dp_ftrl_regularization,
        least_squares_regret_bound,
        online_to_batch_bound,
    )
    from .streams.sampled_ftrl import sampled_ftrl
    from .streams.streaming_tree import RestartedTree, StreamingTree
    from .streams.tree import (
        Tree,
        add_to_tree,
        get_sum,
        initialize_tree,
        levels,
        prefix_noise_bound,
        prefix_variance,
        tree_noise_multiplier,
    )

_HOME = {
    "Bands": "matrices.toeplitz_encoder",
    "BufferedStream": "matrices.buffered_toeplitz",
    "Buffers": "matrices.buffered_toeplitz",
    "DualCertificate": "matrices.dual_certificate",
    "ElasticNet": "streams.composite_ftrl",
    "ErrorCertificate": "matrices.multi_participation",
    "Factorization": "matrices.factorization",
    "FleetPlan": "federated.fleet_plan",
    "Grid": "pure.exponential_samplers",
    "GroupLasso": "streams.composite_ftrl",
    "InverseBands": "matrices.toeplitz_encoder",
    "LassoConstants": "geometry.lasso",
    "LinearOnBall": "pure.rejection_samplers",
    "MatrixMechanism": "matrices.matrix_mechanism",
    "Piecewise": "pure.exponential_samplers",
    "Rejection": "pure.rejection_samplers",
    "RestartedTree": "streams.streaming_tree",
    "SampledMechanism": "matrices.sampled_mechanism",
    "Schedule": "gradients.schedule",
    "Sensitivity": "matrices.sensitivity",
    "SparseProblem": "geometry.sparse",
    "StreamingTree": "streams.streaming_tree",
    "ToeplitzEncoder": "matrices.toeplitz_encoder",
    "Tree": "streams.tree",
    "adaptive_dp_sgd": "gradients.adaptive_clipping",
    "adaptive_least_squares": "gradients.adaptive_ridge",
    "adaptive_noise_multiplier": "gradients.adaptive_clipping",
    "add_to_tree": "streams.tree",
    "admitted_devices": "federated.participation_rule",
    "approximate_minima_perturbation": "pure.approximate_minima",
    "averaged_updates": "local.check_ins",
    "averaged_updates_epsilon": "local.check_in_privacy",
    "banco": "local.banco",
    "banco_risk_bound": "local.banco",
    "banco_tail": "local.banco",
    "banded_event": "matrices.toeplitz",
    "banded_factorization": "matrices.toeplitz",
    "batched_ftrl": "streams.batched_ftrl",
    "best_certificate": "matrices.dual_certificate",
    "best_learning_rate": "gradients.convex_bounds",
    "bet": "local.betting",
    "bolt_on_sensitivity": "gradients.bolt_on",
    "bolt_on_sgd": "gradients.bolt_on",
    "check_in_likelihood_ratio": "local.response_instances",
    "clipping_bias_bound": "gradients.heavy_tails",
    "composite_dp_ftrl": "streams.composite_ftrl",
    "convex_constants": "gradients.convex_bounds",
    "correlated_noise": "matrices.factorization",
    "decreasing_step": "geometry.frank_wolfe",
    "dp_ftrl": "streams.ftrl",
    "dp_ftrl_noise_multiplier": "streams.ftrl",
    "dp_ftrl_regret_bound": "streams.regret",
    "dp_ftrl_regularization": "streams.regret",
    "dp_sgd": "gradients.sgd",
    "dp_sgd_learning_rate": "gradients.sgd",
    "dp_sgd_noise_multiplier": "gradients.sgd",
    "dp_sgd_risk_bound": "gradients.sgd",
    "dp_sgd_steps": "gradients.sgd",
    "epochs_sensitivity": "matrices.sensitivity",
    "epochs_squared_sensitivity": "streams.participation",
    "exponential_mechanism": "pure.exponential",
    "exponential_mechanism_exponent": "pure.exponential",
    "exponential_mechanism_nonconvex_risk_bound": "pure.exponential",
    "exponential_mechanism_risk_bound": "pure.exponential",
    "federated_ftrl": "federated.federated_ftrl",
    "fixed_batches_event": "gradients.sampled_sgd",
    "fixed_window": "local.check_ins",
    "fixed_window_dummies": "local.check_in_privacy",
    "fixed_window_epsilon": "local.check_in_privacy",
    "fixed_window_instance": "local.response_instances",
    "fixed_window_risk_bound": "local.check_in_bounds",
    "frank_wolfe": "geometry.frank_wolfe",
    "frank_wolfe_gap": "geometry.frank_wolfe_bounds",
    "frank_wolfe_risk_bound": "geometry.frank_wolfe_bounds",
    "gamma_2_bounds": "matrices.optimal_factorization",
    "gaussian_objective_delta": "pure.gaussian_objective",
    "gaussian_objective_noise_multiplier": "pure.gaussian_objective",
    "gaussian_objective_perturbation": "pure.gaussian_objective",
    "get_sum": "streams.tree",
    "gradient_descent": "gradients.gradient_descent",
    "gradient_lengths": "pure.gradient_norm",
    "gradient_norm_mechanism": "pure.gradient_norm",
    "heavy_tailed_clip_norm": "gradients.heavy_tails",
    "hemisphere_length": "local.hemisphere",
    "hemisphere_randomizer": "local.hemisphere",
    "hit_and_run": "pure.exponential_chains",
    "independent_factorization": "matrices.factorization",
    "initialize_tree": "streams.tree",
    "inverse_power_bands": "matrices.optimal_inverse_bands",
    "langevin": "pure.exponential_chains",
    "lasso_constants": "geometry.lasso",
    "last_model_event": "gradients.last_model",
    "lazy_gradient_descent": "gradients.online",
    "least_squares_by_moments": "gradients.noisy_moments",
    "least_squares_dp_ftrl": "streams.least_squares_ftrl",
    "least_squares_dp_ftrl_noise_multiplier": "streams.least_squares_ftrl",
    "least_squares_regret_bound": "streams.regret",
    "levels": "streams.tree",
    "local_noise_variance": "local.local_sgd",
    "local_randomizer": "local.local_sgd",
    "local_sgd": "local.local_sgd",
    "local_sgd_learning_rate": "local.local_sgd",
    "local_sgd_risk_bound": "local.local_sgd",
    "localization_radius": "pure.localized_exponential",
    "localized_exponential_mechanism": "pure.localized_exponential",
    "localized_exponential_risk_bound": "pure.localized_exponential",
    "log_bet": "local.betting",
    "logistic_objective_epsilon": "pure.logistic_objective",
    "logistic_objective_noise_multiplier": "pure.logistic_objective",
    "mathias_factorization": "matrices.optimal_factorization",
    "matrix_ftrl": "matrices.matrix_ftrl",
    "metropolis_transitions": "pure.exponential_chains",
    "mirror_descent_learning_rate": "gradients.mirror_descent",
    "mirror_descent_risk_bound": "gradients.mirror_descent",
    "moments_sensitivity": "gradients.noisy_moments",
    "momentum_dp_ftrl": "streams.momentum_ftrl",
    "multi_epoch_ftrl": "streams.multi_epoch_ftrl",
    "multi_participation_factorization": "matrices.multi_participation",
    "naive_factorization": "matrices.factorization",
    "noisy_gradient_descent": "gradients.last_model",
    "objective_perturbation": "pure.objective",
    "objective_perturbation_log_density": "pure.objective",
    "objective_perturbation_parameters": "pure.objective",
    "objective_perturbation_risk_bound": "pure.objective",
    "online_gradient_descent": "gradients.online",
    "online_to_batch": "gradients.gradient_descent",
    "online_to_batch_bound": "streams.regret",
    "optimal_banded_factorization": "matrices.optimal_bands",
    "optimal_bands": "matrices.optimal_bands",
    "optimal_buffers": "matrices.optimal_buffers",
    "optimal_epochs_factorization": "matrices.optimal_participation",
    "optimal_factorization": "matrices.optimal_factorization",
    "optimal_inverse_bands": "matrices.optimal_inverse_bands",
    "output_perturbation": "pure.output",
    "output_perturbation_risk_bound": "pure.output",
    "output_perturbation_sensitivity": "pure.output",
    "participation_lower_bound": "matrices.participation_bound",
    "participation_sensitivity": "matrices.sensitivity",
    "phased_localization": "gradients.phased_localization",
    "phased_localization_learning_rate": "gradients.phased_localization",
    "phased_localization_risk_bound": "gradients.phased_localization",
    "plan_fleet": "federated.fleet_plan",
    "poisson_sample": "gradients.sampled_sgd",
    "pooled_epochs_epsilon": "local.check_in_privacy",
    "prefix_noise_bound": "streams.tree",
    "prefix_sum_lower_bound": "matrices.factorization",
    "prefix_sum_matrix": "matrices.factorization",
    "prefix_variance": "streams.tree",
    "principal_components": "gradients.noisy_moments",
    "private_frank_wolfe": "geometry.private_frank_wolfe",
    "private_frank_wolfe_noise": "geometry.private_frank_wolfe",
    "private_frank_wolfe_risk_bound": "geometry.frank_wolfe_bounds",
    "private_frank_wolfe_steps": "geometry.frank_wolfe_bounds",
    "private_lasso": "geometry.lasso",
    "private_lasso_risk_bound": "geometry.lasso",
    "private_lasso_steps": "geometry.lasso",
    "private_mirror_descent": "gradients.mirror_descent",
    "private_newton": "gradients.newton",
    "regret_bound": "gradients.convex_bounds",
    "regrets": "gradients.online",
    "regularized_exponential_event": "pure.regularized_exponential",
    "regularized_exponential_mechanism": "pure.regularized_exponential",
    "regularized_exponential_risk_bound": "pure.regularized_exponential",
    "resampling_multiplicity": "streams.participation",
    "sampled_dp_sgd": "gradients.sampled_sgd",
    "sampled_ftrl": "streams.sampled_ftrl",
    "sampled_mechanisms": "matrices.sampled_mechanisms",
    "sampling_schedule": "gradients.schedule",
    "separated_certificate": "matrices.separated_certificate",
    "separated_squared_sensitivity": "streams.participation",
    "shuffling_epsilon": "local.shuffling",
    "shuffling_instance": "local.response_instances",
    "simulated_delta": "matrices.simulated_delta",
    "sliding_window": "local.check_ins",
    "sliding_window_dummies": "local.check_in_privacy",
    "sliding_window_epsilon": "local.check_in_privacy",
    "smooth_descent_bound": "gradients.gradient_descent",
    "square_root_factorization": "matrices.toeplitz",
    "squared_sensitivity": "streams.participation",
    "stationary_bound": "gradients.nonconvex",
    "stationary_learning_rate": "gradients.nonconvex",
    "stochastic_gradient_descent": "gradients.gradient_descent",
    "strongly_convex_descent_bound": "gradients.convex_bounds",
    "strongly_convex_dp_sgd": "gradients.strongly_convex_sgd",
    "strongly_convex_risk_bound": "gradients.strongly_convex_sgd",
    "toeplitz_sensitivity": "matrices.sensitivity",
    "tree_factorization": "matrices.factorization",
    "tree_noise": "streams.prefix_noise",
    "tree_noise_multiplier": "streams.tree",
}
# --- end of what is written

__all__ = [*_HOME]  # pyright: ignore[reportUnsupportedDunderAll]
if not TYPE_CHECKING:  # so that a type checker sees a misspelled name
    _PACKAGES = ("geometry", "gradients", "local", "matrices", "pure", "streams")
    __getattr__, __dir__ = lazy(__name__, _HOME, _PACKAGES)
