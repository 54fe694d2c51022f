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


def _flipped(theta, batch):
    return -(batch / (1 + np.exp(-batch @ theta))[:, None]).sum(axis=0)


def _mean(theta, batch):
    return gradient(theta, batch) / len(batch)


def _descent(X, B, epochs, reg, gamma, moved=1.0, forgotten=0.0):
    """Step from model to model; ``moved`` is what momentum does to a step."""
    theta = v = np.zeros(X.shape[1])
    path = [theta]
    for _ in range(epochs):
        for batch in cut(X, len(B)):
            v = gamma * v + moved * gradient(theta, batch)
            theta = (1 - forgotten) * theta - v / reg
            path.append(theta)
    return np.array(path)


def _momentum_twice(X, B, epochs, reg, gamma):
    s = v = theta = before = np.zeros(X.shape[1])
    path = [theta]
    for _ in range(epochs):
        for batch in cut(X, len(B)):
            s = s + gradient(theta, batch)
            v = gamma * v + s
            theta, before = -v / reg + gamma * (theta - before), theta
            path.append(theta)
    return np.array(path)


def _strided(X, B, epochs, reg, gamma):
    T = len(B)
    order = np.concatenate([np.arange(t, len(X), T) for t in range(T)])
    return noiseless(X[order], B, epochs, reg, gamma)


def _after(X, B, epochs, reg, gamma):
    path = noiseless(X, B, epochs, reg, gamma)
    return np.vstack([path[1:], path[-1:]])


# Wrong paths at sigma = 0, as functions of (X, B, epochs, reg, gamma).
PATHS = (
    (
        lambda *a: noiseless(*a, gradient=lambda t, d: -gradient(t, d)),
        "It climbs: check the sign of the gradient, and that of the model.",
    ),
    (
        lambda *a: noiseless(*a, gradient=_flipped),
        "Check the gradient: a record that the model gets right should pull little.",
    ),
    (
        lambda *a: noiseless(*a, look=lambda path: path[0]),
        "All gradients are taken at θ_1 = 0, with which the pass began. Take each at "
        "the newest model.",
    ),
    (
        lambda *a: noiseless(*a, look=lambda path: path[max(len(path) - 2, 0)]),
        "The gradient is taken one model too late: the newest one is out already.",
    ),
    (
        lambda *a: noiseless(*a, gradient=_mean),
        "That is the mean of a batch; reg belongs to sums.",
    ),
    (
        lambda X, *a: noiseless(X, *a, gradient=lambda t, d: gradient(t, d) / len(X)),
        "That is the mean over all records; reg belongs to sums.",
    ),
    (
        _strided,
        "The batches are made of rows T apart. Take n/T rows that follow each other.",
    ),
    (
        lambda X, B, *a: models(
            [X] * len(B), np.zeros((a[0], len(B), X.shape[1])), *a[1:]
        ),
        "Each step uses all the records. Then a record costs T times as much.",
    ),
    (
        lambda X, B, E, reg, gamma: noiseless(X, B, E, 1 / reg, gamma),
        "reg multiplies. More regularization means smaller models.",
    ),
    (
        lambda *a: _descent(*a, forgotten=1.0),
        "The model is made of the last gradients alone: where is the sum of all?",
    ),
    (
        lambda X, B, E, reg, gamma: _descent(X, B, E, reg, gamma, moved=1 - gamma),
        "That is a running mean, with weight 1 − γ for what is new. Here it is 1.",
    ),
    (
        lambda X, B, E, reg, gamma: noiseless(X, B, E, reg, 0.0),
        "There is no momentum in this.",
    ),
    (
        lambda X, B, E, reg, gamma: _descent(X, B, E, reg, 0.0, moved=1 - gamma),
        "That has no momentum, only a smaller step.",
    ),
    (
        _momentum_twice,
        "Momentum is applied twice, to the sums and to the models.",
    ),
    (
        lambda *a: noiseless(*a, kept=0.0),
        "Each pass begins with s = 0. Restarts change the noise, not what was learned.",
    ),
    (
        lambda *a: noiseless(*a, kept_momentum=0.0),
        "Each pass begins with v = 0: but v goes on from pass to pass.",
    ),
    (
        lambda *a: noiseless(*a, kept=0.0, kept_momentum=0.0),
        "Each pass begins anew, and forgets what was learned before.",
    ),
    (
        _after,
        "Row t holds the model after batch t + 1. The first row is θ_1 = 0, which is "
        "released before any record is used.",
    ),
)


def _on_models(B, epochs):
    return np.vstack([np.zeros((1, epochs * B.shape[1])), *each_pass_anew(B, epochs)])


def _one_for_all(B, epochs, reg, gamma):
    return noise_rows(np.stack([B] * epochs), reg, gamma)


def _plain(B, epochs, reg, gamma, **changes):
    return noise_rows(each_pass_anew(B, epochs), reg, gamma, **changes)


def _added_up(B, epochs, reg, gamma, carried):
    b = each_pass_anew(np.cumsum(B, axis=0), epochs)
    return noise_rows(b, reg, gamma, carried=carried)


def _last_only(B, epochs, reg, gamma):
    """Hand on the exact sum with the last noise, and no older one."""
    b = each_pass_anew(B, epochs)
    older = np.concatenate([0 * b[:1, -1:], b[:-1, -1:]])
    return noise_rows(b + older, reg, gamma, carried=0.0)


_ADDED_UP = (
    "The noise vectors of the steps add up in s. But b_t is the noise of the whole sum "
    "s_t: the next sum has b_{t+1} in its place."
)
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
        "One z serves all passes: the difference of two passes is bare.",
    ),
    (
        lambda B, *a: _plain(np.eye(len(B)), *a),
        "Each sum has noise of its own, and B plays no part.",
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
    (lambda *a: _added_up(*a, carried=0.0), _ADDED_UP),
    (lambda *a: _added_up(*a, carried=1.0), _ADDED_UP),
    (
        _last_only,
        "Of all finished passes only the last one's noise is left in the sum. That of "
        "the ones before it must stay as well.",
    ),
    (
        lambda B, E, reg, gamma: _on_models(B, E),
        "The noise is put on the models. It belongs to the sums: what is done with "
        "them after that is post-processing.",
    ),
    (
        lambda B, E, reg, gamma: _on_models(B, E) / reg,
        "The noise does not pass through the momentum. It belongs to s, and what is "
        "done with s + b_t is post-processing.",
    ),
    (
        lambda B, E, reg, gamma: E**0.5 * _plain(B, E, reg, gamma),
        "The noise grows with the passes. That they cost √E times as much is told by "
        "μ; sigma is given.",
    ),
    (
        lambda B, E, reg, gamma: reg * _plain(B, E, reg, gamma),
        "The noise is not divided by reg as the sum is: it was added too late.",
    ),
    (
        lambda *a: _plain(*a, carried=2.0),
        "The last noise of a pass is handed on twice.",
    ),
)
