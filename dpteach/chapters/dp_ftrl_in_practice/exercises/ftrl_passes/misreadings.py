"""Wrong passes of DP-FTRL that many write, and what each reveals: for ``ftrl_passes``.

One set of lines computes them all: each wrong answer changes a part of it.
"""

# ruff: noqa: ARG005  (formulas of one table share one signature)

from collections.abc import Callable

import numpy as np


def gradient(theta: np.ndarray, batch: np.ndarray) -> np.ndarray:
    """Add up the gradients of ln(1 + exp(−⟨x, θ⟩)) over a batch."""
    return -(batch / (1 + np.exp(batch @ theta))[:, None]).sum(axis=0)


def cut(X: np.ndarray, T: int) -> list[np.ndarray]:
    """Cut the rows into T batches, in their order."""
    return np.split(X, T)


def models(
    batches: list[np.ndarray],
    b: np.ndarray,
    reg: float,
    gamma: float,
    *,
    gradient: Callable = gradient,
    look: Callable = lambda path: path[-1],
    kept: float = 1.0,
    kept_momentum: float = 1.0,
    carried: float = 1.0,
) -> np.ndarray:
    """Return the path of models for noise b of the sums, shape (passes, T, p).

    ``look`` says at which of the models so far the gradient is taken. Of s, v and the
    last noise, a pass hands on the parts ``kept``, ``kept_momentum`` and ``carried``.
    """
    s = v = np.zeros(b.shape[-1])
    path = [-v / reg]
    for noise in b:
        s, v = kept * s, kept_momentum * v
        for batch, each in zip(batches, noise, strict=True):
            s = s + gradient(look(path), batch)
            v = gamma * v + (s + each)
            path.append(-v / reg)
        s = s + carried * noise[-1]
    return np.array(path)


def noiseless(
    X: np.ndarray, B: np.ndarray, epochs: int, reg: float, gamma: float, **changes
) -> np.ndarray:
    """Return the path at sigma = 0."""
    b = np.zeros((epochs, len(B), X.shape[1]))
    return models(cut(X, len(B)), b, reg, gamma, **changes)


def noise_rows(b: np.ndarray, reg: float, gamma: float, **changes) -> np.ndarray:
    """Say what the models hold of each draw: rows for models, columns for draws."""
    nothing = [np.zeros((0, b.shape[-1]))] * b.shape[1]
    return models(nothing, b, reg, gamma, **changes)


def each_pass_anew(B: np.ndarray, epochs: int) -> np.ndarray:
    """Say what the sums hold of each draw, where each pass draws its own z."""
    T, k = B.shape
    b = np.zeros((epochs, T, epochs, k))
    for e in range(epochs):
        b[e, :, e] = B
    return b.reshape(epochs, T, epochs * k)


def _mean(theta, batch):
    return gradient(theta, batch) / len(batch)


# Wrong paths at sigma = 0, as functions of (X, B, epochs, reg, gamma).
PATHS = (
    (
        lambda *a: noiseless(*a, gradient=lambda t, d: -gradient(t, d)),
        "It goes uphill: check the sign of the gradient, and that of the model.",
    ),
    (
        lambda *a: noiseless(*a, look=lambda path: path[max(len(path) - 2, 0)]),
        "The gradient is taken one model too late: use the newest model.",
    ),
    (
        lambda *a: noiseless(*a, gradient=_mean),
        "That is the mean of a batch; reg belongs to sums.",
    ),
    (
        lambda X, B, E, reg, gamma: noiseless(X, B, E, reg, 0.0),
        "The momentum is missing.",
    ),
    (
        lambda *a: noiseless(*a, kept=0.0),
        "Each pass begins with s = 0. Restarts change the noise, not what was learned.",
    ),
)


def _on_models(B, epochs):
    return np.vstack([np.zeros((1, epochs * B.shape[1])), *each_pass_anew(B, epochs)])


def _one_for_all(B, epochs, reg, gamma):
    return noise_rows(np.stack([B] * epochs), reg, gamma)


def _plain(B, epochs, reg, gamma, **changes):
    return noise_rows(each_pass_anew(B, epochs), reg, gamma, **changes)


# Wrong noise of the path at sigma = 1, as functions of (B, epochs, reg, gamma): what
# the models hold of each draw.
NOISES = (
    (
        lambda *a: _plain(*a, carried=0.0),
        "The exact sum is handed on to the next pass, under fresh noise: so the old "
        "gradients are released a second time.",
    ),
    (
        _one_for_all,
        "One z is used in all passes, so the difference of two passes has no noise.",
    ),
    (
        lambda B, *a: _plain(np.tri(len(B)), *a),
        "Each step has noise of its own, which adds up, as in DP-SGD: B plays no part.",
    ),
    (
        lambda B, *a: _plain(np.diag(np.linalg.norm(B, axis=1)), *a),
        "Each step draws a z of its own: the deviations are right, and the noise of "
        "two sums has nothing in common.",
    ),
    (
        lambda B, E, reg, gamma: _on_models(B, E),
        "The noise is put on the models. It belongs to the sums: what is done with "
        "them after that is post-processing.",
    ),
)
