"""Runs behind a figure: regret and risk of DP-FTRL over several passes."""

from functools import cache

import numpy as np
from scipy.special import expit

from ...accounting import gaussian_mu
from ...algorithms.streams.ftrl import dp_ftrl
from ...algorithms.streams.participation import epochs_squared_sensitivity
from ...constraints import L2Ball
from ...data import planted_logistic
from ...losses import logistic
from ...problem import Problem

DELTA = 1e-6
RECORDS, WEIGHTS, EPOCHS = 64, 10, 6
STRENGTH, RADIUS = 3.0, 6.0
# The averages are recorded after every 16th record.
PLACES = np.arange(16, RECORDS * EPOCHS + 1, 16)


@cache
def releases() -> int:
    """Count what all epochs cost in one tree, in squared clip norms."""
    return epochs_squared_sensitivity(steps_per_epoch=RECORDS, epochs=EPOCHS)


def noise_for(epsilon: float) -> float:
    """Compute the noise at which all epochs together, in one tree, cost ε."""
    return releases() ** 0.5 / gaussian_mu(epsilon, DELTA)


def one_run(
    epsilon: float, regularization: float, draw: int
) -> tuple[np.ndarray, np.ndarray]:
    """Learn from one draw of the records; return regret and risk at each time."""
    drawn = planted_logistic(n=RECORDS, p=WEIGHTS, strength=STRENGTH, rng=draw)
    # The best model for new records is the one that drew their labels.
    star = np.asarray(drawn.planted)
    X, y = np.tile(drawn.X, (EPOCHS, 1)), np.tile(drawn.y, EPOCHS)
    path = dp_ftrl(
        Problem(X, y, logistic, L2Ball(RADIUS)),
        clip_norm=1.0,
        noise_multiplier=noise_for(epsilon),
        regularization=regularization,
        rng=draw + 1000,
    ).path[:-1]
    t = np.arange(1, len(X) + 1)
    paid = logistic.value(np.sum(path * X, axis=1), y) - logistic.value(X @ star, y)
    average = (np.cumsum(path, axis=0) / t[:, None])[PLACES - 1]
    return (np.cumsum(paid) / t)[PLACES - 1], _risk(average) - _risk(star)


def _risk(theta: np.ndarray) -> np.ndarray:
    """Compute the mean loss over new rows and their random labels."""
    new = planted_logistic(n=4000, p=WEIGHTS, strength=STRENGTH, rng=10**6)
    scores, yes = theta @ new.X.T, expit(new.X @ new.planted)
    return logistic.value(-scores, 1.0).mean(axis=-1) + np.mean(
        (logistic.value(scores, 1.0) - logistic.value(-scores, 1.0)) * yes, axis=-1
    )
