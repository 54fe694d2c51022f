"""What wrong passes over a stream return without noise, and what each reveals."""

import numpy as np

FAR = 1e6  # a radius that no model reaches


def cut(V: np.ndarray, most: float) -> np.ndarray:
    """Scale each row to norm at most ``most``."""
    return V / np.maximum(np.linalg.norm(V, axis=-1, keepdims=True) / most, 1.0)


def gradient(w: np.ndarray, x: np.ndarray, y: float, C: float) -> np.ndarray:
    """Compute a record's clipped gradient."""
    return cut((x @ w - y) * x, C)


def noiseless(X, y, C: float, R: float, reg: float) -> np.ndarray:
    """Return the models of the right answer at sigma = 0."""
    s, path = np.zeros(X.shape[1]), [np.zeros(X.shape[1])]
    for t in range(len(X)):
        s = s + gradient(path[-1], X[t], y[t], C)
        path.append(cut(-s / reg, R))
    return np.array(path)


def _greedy(X, y, C: float, R: float, reg: float) -> np.ndarray:
    path = [np.zeros(X.shape[1])]
    for t in range(len(X)):
        step = gradient(path[-1], X[t], y[t], C) / reg
        path.append(cut(path[-1] - step, R))
    return np.array(path)


def _no_clip(X, y, _: float, R: float, reg: float) -> np.ndarray:
    return noiseless(X, y, np.inf, R, reg)


def _no_ball(X, y, C: float, _: float, reg: float) -> np.ndarray:
    return noiseless(X, y, C, np.inf, reg)


def _late_ball(X, y, C: float, R: float, reg: float) -> np.ndarray:
    return cut(_no_ball(X, y, C, R, reg), R)


def _at_start(X, y, C: float, R: float, reg: float) -> np.ndarray:
    sums = np.cumsum(cut(-y[:, None] * X, C), axis=0)
    return cut(np.concatenate([0 * X[:1], -sums / reg]), R)


def _mean(X, y, C: float, R: float, reg: float) -> np.ndarray:
    s, path = np.zeros(X.shape[1]), [np.zeros(X.shape[1])]
    for t in range(len(X)):
        s = s + gradient(path[-1], X[t], y[t], C)
        path.append(cut(-s / (reg * (t + 1)), R))
    return np.array(path)


# Wrong answers at sigma = 0, as functions of (X, y, C, R, reg).
PATHS = (
    (
        _greedy,
        "This is projected descent: it forgets what lay beyond the border. The leader "
        "is made from the whole sum, and only the model is brought back to the ball.",
    ),
    (_no_clip, "No gradient was clipped."),
    (_no_ball, "A model left the ball."),
    (
        _late_ball,
        "The models are brought back to the ball in the end. But the next gradient "
        "must be taken at a model that is in the ball already.",
    ),
    (_at_start, "All gradients are taken at zero. Take each at the newest model."),
    (_mean, "The sum is divided by t. The leader follows the sum itself."),
)
