"""Wrong steps of DP-SGD that many take, and what each reveals: for ``private_step``."""

# ruff: noqa: ARG005  (formulas of one table share one signature)

from math import sqrt

import numpy as np


def gradients(w: np.ndarray, X: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Compute the gradient of each record's squared loss, a row each."""
    return (X @ w - y)[:, None] * X


def cut(G: np.ndarray, C: float) -> np.ndarray:
    """Scale each row to norm at most C."""
    return G / np.maximum(np.linalg.norm(G, axis=-1, keepdims=True) / C, 1.0)


def _unit(G: np.ndarray) -> np.ndarray:
    return G / np.linalg.norm(G, axis=1, keepdims=True)


def _total(w, X, y, C: float) -> np.ndarray:
    return cut(gradients(w, X, y), C).sum(axis=0)


_LATE = (
    "Each record's gradient must be cut before the sum: cut after it, one record may "
    "still turn the whole step."
)
_NO_CLIP = "No gradient was clipped."
_CHANGE = "Return the new model, not the change."
# Functions of (w, X, y, C, lr, batch) that give a wrong step at sigma = 0.
STEPS = (
    (lambda w, X, y, C, lr, b: w - lr * cut(gradients(w, X, y).sum(0), C) / b, _LATE),
    (lambda w, X, y, C, lr, _: w - lr * cut(gradients(w, X, y).mean(0), C), _LATE),
    (lambda w, X, y, C, lr, b: w - lr * cut(gradients(w, X, y).sum(0) / b, C), _LATE),
    (lambda w, X, y, _, lr, b: w - lr * gradients(w, X, y).sum(0) / b, _NO_CLIP),
    (lambda w, X, y, _, lr, b: w - lr * gradients(w, X, y).mean(0) + 0 / b, _NO_CLIP),
    (
        lambda w, X, y, C, lr, _: w - lr * _total(w, X, y, C) / max(len(X), 1),
        "You divide by the number of records that came. That number is secret and "
        "random; the expected batch size is public.",
    ),
    (
        lambda w, X, y, C, lr, _: w - lr * _total(w, X, y, C),
        "The division by the expected batch size is missing.",
    ),
    (
        lambda w, X, y, C, lr, b: w + lr * _total(w, X, y, C) / b,
        "The step goes uphill.",
    ),
    (
        lambda w, X, y, C, _, b: w - _total(w, X, y, C) / b,
        "The learning rate is missing.",
    ),
    (lambda w, X, y, C, lr, b: lr * _total(w, X, y, C) / b, _CHANGE),
    (lambda w, X, y, C, lr, b: -lr * _total(w, X, y, C) / b, _CHANGE),
    (
        lambda w, X, y, C, lr, b: (
            w - lr * np.clip(gradients(w, X, y), -C, C).sum(0) / b
        ),
        "Each coordinate is cut by itself: a record may pull by C in each.",
    ),
    (
        lambda w, X, y, C, lr, b: w - lr * C * _unit(gradients(w, X, y)).sum(0) / b,
        "Gradients shorter than C are stretched.",
    ),
    (
        lambda w, X, y, _, lr, b: w - lr * _unit(gradients(w, X, y)).sum(0) / b,
        "Gradients are scaled to norm 1, not C.",
    ),
    (
        lambda w, X, y, C, lr, b: w - lr * cut(2 * gradients(w, X, y), C).sum(0) / b,
        "The loss is half the square: its gradient has no factor 2.",
    ),
)

_VARIANCE = "That is a variance: rng.normal takes a standard deviation."
# Functions of (C, sigma, lr, batch, n) that the noise may be too large by.
FACTORS = (
    (
        lambda C, *_: 1 / C,
        "C is missing: a record pulls with a force of up to C.",
    ),
    (lambda C, sigma, *_: 1 / sigma, "sigma is missing."),
    (
        lambda C, sigma, lr, b, n: b,
        "The noise is added after the division by batch: it belongs to the sum.",
    ),
    (
        lambda C, sigma, lr, b, n: b / C,
        "The noise is added after the division by batch, and without C.",
    ),
    (lambda C, sigma, lr, b, n: 1 / b, "The noise is divided by batch twice."),
    (
        lambda C, sigma, lr, b, n: b / lr,
        "The noise is added to the model itself, not to the gradient.",
    ),
    (
        lambda C, sigma, lr, b, n: 1 / lr,
        "The noise is added to the model after the learning rate.",
    ),
    (
        lambda C, sigma, lr, b, n: b / max(n, 1),
        "The noise is divided by the number of records that came.",
    ),
    (
        lambda C, sigma, lr, b, n: sqrt(max(n, 1)),
        "The noise is drawn once for each record; once for the sum will do.",
    ),
    (
        lambda C, sigma, *_: sigma,
        "That is sigma squared: rng.normal takes a standard deviation.",
    ),
    (lambda C, sigma, *_: C * sigma, _VARIANCE),
    (lambda C, *_: C, "C is in the standard deviation twice."),
    (lambda C, sigma, lr, *_: lr, "The learning rate is in the noise twice."),
    (
        lambda C, sigma, *_: 1 / sqrt(C * sigma),
        "A root too much: rng.normal takes a standard deviation.",
    ),
    (lambda *_: 2.0, "No factor 2 is needed when a record is added or removed."),
    (lambda *_: 0.5, "Half of the noise is missing."),
    (
        lambda C, sigma, lr, b, n: sqrt(b),
        "The noise is divided by √batch; divide the noisy sum by batch.",
    ),
)
