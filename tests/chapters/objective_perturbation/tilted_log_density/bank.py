"""The bank of ``tilted_log_density``: answers that must pass, and that must not.

WRONG maps each wrong answer to a pattern that its message must match.
"""

from math import gamma, lgamma, log, pi

import numpy as np


def right_plain(theta, X, y, Lam, s):
    p = len(theta)
    share = 1 / (1 + np.exp(y * (X @ theta)))
    b = X.T @ (y * share) - Lam * theta
    H = X.T @ np.diag(share * (1 - share)) @ X + Lam * np.eye(p)
    sphere = log(2) + p / 2 * log(pi) - lgamma(p / 2)
    constant = sphere + p * log(s) + lgamma(p)
    return np.linalg.slogdet(H)[1] - np.linalg.norm(b) / s - constant


def right_loop(theta, X, y, Lam, s):
    p = len(theta)
    slope, H = Lam * theta, np.diag(np.full(p, float(Lam)))
    for i in range(len(y)):
        x, label = X[i], y[i]
        half = np.tanh(label * (x @ theta) / 2)
        slope = slope - label * x * (1 - half) / 2
        H = H + np.outer(x, x) * (1 - half**2) / 4
    log_volume = sum(np.log(np.linalg.eigvalsh(H)))
    log_sphere = p / 2 * log(pi) - lgamma(p / 2 + 1) + log(p)
    return log_volume - np.sqrt(slope @ slope) / s - log_sphere - lgamma(p) - p * log(s)


def right_cholesky(theta, X, y, Lam, s):
    p = len(theta)
    z = X @ theta
    share = 1 / (1 + np.exp(-z))
    g = X.T @ (share - (y + 1) / 2) + Lam * theta
    rows = np.sqrt(share * (1 - share))[:, None] * X
    H = rows.T @ rows + Lam * np.eye(p)
    root = np.linalg.cholesky(H)
    out = 2 * np.log(np.diag(root)).sum() - np.sqrt(np.sum(g * g)) / s
    return out - log(2) - p * log(s * pi**0.5) - lgamma(p) + lgamma(p / 2)


def right_small_determinant(theta, X, y, Lam, s):
    # det(Λ I + AᵀA) = Λ^p det(I + A Aᵀ/Λ): a matrix of records, not of weights
    n, p = X.shape
    margin = y * (X @ theta)
    share = np.exp(-np.logaddexp(0.0, margin))
    A = np.sqrt(share * (1.0 - share))[:, None] * X
    log_det = p * log(Lam) + np.linalg.slogdet(np.eye(n) + A @ A.T / Lam)[1]
    tilt = (y * share) @ X - Lam * theta
    log_noise = -np.linalg.norm(tilt) / s - p * log(s) - lgamma(p)
    return log_det + log_noise + lgamma(p / 2) - log(2) - 0.5 * p * log(pi)


def _parts(theta, X, y, Lam):
    share = 1 / (1 + np.exp(y * (X @ theta)))
    g = Lam * theta - X.T @ (y * share)
    H = X.T @ np.diag(share * (1 - share)) @ X + Lam * np.eye(len(theta))
    return g, H


def _constant(p, s):
    return log(2) + p / 2 * log(pi) - lgamma(p / 2) + p * log(s) + lgamma(p)


def _log_density(g, H, s, p):
    return np.linalg.slogdet(H)[1] - np.linalg.norm(g) / s - _constant(p, s)


def wrong_divides(theta, X, y, Lam, s):
    g, H = _parts(theta, X, y, Lam)
    p = len(theta)
    return -np.linalg.slogdet(H)[1] - np.linalg.norm(g) / s - _constant(p, s)


def wrong_tilt_alone(theta, X, y, Lam, s):
    g, _ = _parts(theta, X, y, Lam)
    return -np.linalg.norm(g) / s - _constant(len(theta), s)


def wrong_root_of_determinant(theta, X, y, Lam, s):
    g, H = _parts(theta, X, y, Lam)
    p = len(theta)
    return 0.5 * np.linalg.slogdet(H)[1] - np.linalg.norm(g) / s - _constant(p, s)


def wrong_no_ridge_in_hessian(theta, X, y, Lam, s):
    g, H = _parts(theta, X, y, Lam)
    p = len(theta)
    H = H - Lam * np.eye(p) if len(X) else H
    return _log_density(g, H, s, p)


def wrong_no_pull(theta, X, y, Lam, s):
    g, H = _parts(theta, X, y, Lam)
    return _log_density(g - Lam * theta, H, s, len(theta))


def wrong_double_pull(theta, X, y, Lam, s):
    g, H = _parts(theta, X, y, Lam)
    return _log_density(g + Lam * theta, H, s, len(theta))


def wrong_half_ridge(theta, X, y, Lam, s):
    g, H = _parts(theta, X, y, Lam)
    return _log_density(g, H - Lam / 2 * np.eye(len(theta)), s, len(theta))


def wrong_laplace(theta, X, y, Lam, s):
    g, H = _parts(theta, X, y, Lam)
    away = len(theta) * log(2 * s)
    return np.linalg.slogdet(H)[1] - np.abs(g).sum() / s - away


def wrong_sum_of_sizes(theta, X, y, Lam, s):
    g, H = _parts(theta, X, y, Lam)
    p = len(theta)
    return np.linalg.slogdet(H)[1] - np.abs(g).sum() / s - _constant(p, s)


def wrong_squared_norm(theta, X, y, Lam, s):
    g, H = _parts(theta, X, y, Lam)
    return np.linalg.slogdet(H)[1] - g @ g / s - _constant(len(theta), s)


def wrong_no_constant(theta, X, y, Lam, s):
    g, H = _parts(theta, X, y, Lam)
    return np.linalg.slogdet(H)[1] - np.linalg.norm(g) / s


def wrong_constant_of_a_line(theta, X, y, Lam, s):
    g, H = _parts(theta, X, y, Lam)
    return np.linalg.slogdet(H)[1] - np.linalg.norm(g) / s - log(2 * s)


def wrong_constant_of_the_length(theta, X, y, Lam, s):
    g, H = _parts(theta, X, y, Lam)
    p = len(theta)
    away = p * log(s) + lgamma(p)
    return np.linalg.slogdet(H)[1] - np.linalg.norm(g) / s - away


def wrong_mean_loss(theta, X, y, Lam, s):
    g, H = _parts(theta, X, y, Lam)
    n, ridge = max(len(X), 1), Lam * np.eye(len(theta))
    g = (g - Lam * theta) / n + Lam * theta
    return _log_density(g, (H - ridge) / n + ridge, s, len(theta))


def wrong_sign(theta, X, y, Lam, s):
    g, H = _parts(theta, X, -y, Lam)
    return _log_density(g, H, s, len(theta))


def wrong_no_logarithm(theta, X, y, Lam, s):
    return np.exp(right_plain(theta, X, y, Lam, s))


def wrong_overflow(theta, X, y, Lam, s):
    g, H = _parts(theta, X, y, Lam)
    p = len(theta)
    return log(np.linalg.det(H)) - np.linalg.norm(g) / s - _constant(p, s)


def wrong_gamma_overflows(theta, X, y, Lam, s):
    g, H = _parts(theta, X, y, Lam)
    p = len(theta)
    density = np.exp(-np.linalg.norm(g) / s) * gamma(p / 2) / gamma(p) / s**p
    return np.linalg.slogdet(H)[1] + np.log(density / (2 * pi ** (p / 2)))


def wrong_needs_data(theta, X, y, Lam, s):
    if y.max() > 1:
        raise ValueError("labels must be -1 or 1")
    return right_plain(theta, X, y, Lam, s)


def wrong_shape(theta, X, y, Lam, s):
    g, H = _parts(theta, X, y, Lam)
    return np.linalg.slogdet(H)[1] - np.abs(g) / s - _constant(len(theta), s)


RIGHT = (right_plain, right_loop, right_cholesky, right_small_determinant)
WRONG = {
    wrong_divides: r"without data.*You divide by the determinant",
    wrong_tilt_alone: r"density of the tilt, at the tilt",
    wrong_root_of_determinant: r"Which tilt leads to this model",
    wrong_no_ridge_in_hessian: r"on a line.*The regularization is part of the",
    wrong_no_pull: r"The regularization is part of the",
    wrong_double_pull: r"Which tilt leads to this model",
    wrong_half_ridge: r"Which tilt leads to this model",
    wrong_laplace: r"in 2 dimensions.*Those are independent Laplace",
    wrong_sum_of_sizes: r"in 2 dimensions.*Which tilt leads to this model",
    wrong_squared_norm: r"Which tilt leads to this model",
    wrong_no_constant: r"a constant is missing",
    wrong_constant_of_a_line: r"in 2 dimensions.*Which tilt leads to this model",
    wrong_constant_of_the_length: r"length alone",
    wrong_mean_loss: r"sum over records, not a mean",
    wrong_sign: r"sign of the labels",
    wrong_no_logarithm: r"its logarithm is asked for",
    wrong_overflow: r"400|number|OverflowError",
    wrong_gamma_overflows: r"400|number|OverflowError",
    wrong_needs_data: r"ValueError: zero-size array",
    wrong_shape: r"shape \(1,\)",
}
