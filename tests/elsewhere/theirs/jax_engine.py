"""dpteach in the place of jax_privacy's sensitivities, for its own tests."""

import numpy as np

from dpteach.algorithms import (
    Factorization,
    epochs_sensitivity,
    participation_sensitivity,
)


def factorization(C):
    """Make prefix sums of an encoder."""
    C = np.asarray(C, float)
    if C.shape[0] != C.shape[1] or np.linalg.matrix_rank(C) < len(C):
        raise NotImplementedError("this encoder has no decoder for prefix sums")
    return Factorization(np.tri(len(C)) @ np.linalg.inv(C), C)


def separated(C, min_sep=1, max_participations=None):
    """Bound the sensitivity of a record that comes again after so many steps."""
    most = -(-len(C) // min_sep)
    return participation_sensitivity(
        factorization(C),
        participations=min(most, max_participations or most),
        separation=min_sep,
    ).value


def once(C):
    """Bound the sensitivity of a record that comes once."""
    return separated(C, min_sep=len(C), max_participations=1)


def fixed_epochs(C, epochs):
    """Bound the sensitivity of a record that comes in the same step of each epoch."""
    if epochs <= 0:
        raise ValueError("epochs must be positive")
    if len(C) % epochs:
        raise ValueError("epochs must divide n")
    return epochs_sensitivity(factorization(C), epochs=epochs).value


def install():
    """Replace theirs."""
    from jax_privacy.matrix_factorization import sensitivity

    sensitivity.get_sensitivity_banded = separated
    sensitivity.get_min_sep_sensitivity_upper_bound = separated
    sensitivity.fixed_epoch_sensitivity = fixed_epochs
    sensitivity.single_participation_sensitivity = once
