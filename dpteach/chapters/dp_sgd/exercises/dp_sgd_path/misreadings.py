"""What wrong loops return, and what each reveals."""

import numpy as np

from ..private_step import cut, gradients


def pull(w: np.ndarray, X: np.ndarray, y: np.ndarray, C: float) -> np.ndarray:
    """Sum the clipped gradients."""
    return cut(gradients(w, X, y), C).sum(axis=0)


def descend(force, T: int, p: int, R: float) -> np.ndarray:
    """Return the models that ``force(w)``, lr included, makes in T steps from 0."""
    path = np.zeros((T + 1, p))
    for t in range(T):
        path[t + 1] = cut(path[t] - force(path[t]), R)
    return path[1:]


def noiseless(X, y, C: float, R: float, T: int, lr: float) -> np.ndarray:
    """Return the models of the right answer at sigma = 0."""
    return descend(lambda w: lr * pull(w, X, y, C), T, X.shape[1], R)


def _late(X, y, C: float, R: float, T: int, lr: float) -> np.ndarray:
    def force(w):
        return lr * cut(X.T @ (X @ w - y), C)

    return descend(force, T, X.shape[1], R)


def _mean(X, y, C: float, R: float, T: int, lr: float) -> np.ndarray:
    return noiseless(X, y, C, R, T, lr / len(X))


def _no_clip(X, y, _: float, R: float, T: int, lr: float) -> np.ndarray:
    return noiseless(X, y, np.inf, R, T, lr)


def _no_projection(X, y, C: float, _: float, T: int, lr: float) -> np.ndarray:
    return noiseless(X, y, C, np.inf, T, lr)


def _projected_late(X, y, C: float, R: float, T: int, lr: float) -> np.ndarray:
    return cut(_no_projection(X, y, C, R, T, lr), R)


def _averages(X, y, C: float, R: float, T: int, lr: float) -> np.ndarray:
    path = noiseless(X, y, C, R, T, lr)
    return path.cumsum(axis=0) / np.arange(1, T + 1)[:, None]


# Wrong answers at sigma = 0, as functions of (X, y, C, R, steps, lr).
PATHS = (
    (_late, "The sum of the gradients is cut. Cut each record's gradient before it."),
    (_no_clip, "No gradient was clipped."),
    (_mean, "You step along the mean. This book's risk is a sum over the records."),
    (_no_projection, "A model left the ball: bring it back after each step."),
    (
        _projected_late,
        "The models are brought back to the ball in the end. The next gradient must be "
        "taken at a model that is in the ball already.",
    ),
    (_averages, "These are averages. Return the models themselves."),
)

# Functions of (C, sigma, lr, steps) that the noise of a step may be too large by.
FACTORS = (
    (lambda C, *_: 1 / C, "C is missing: a record pulls with a force of up to C."),
    (
        lambda _, __, lr, ___: 1 / lr,
        "The noise is added to the model. It belongs to the sum of gradients, which is "
        "multiplied by lr.",
    ),
    (
        lambda C, sigma, *_: C * sigma,
        "That is a variance: rng.normal takes a standard deviation.",
    ),
    (
        lambda *known: known[3] ** 0.5,
        "The noise grows with the number of steps. That is the business of whoever "
        "chooses sigma.",
    ),
)
