"""The bank of ``private_walk``: answers that must pass, and that must not.

WRONG maps each wrong answer to a pattern that its message must match.
"""

import numpy as np


def right_plain(X, y, s, b, z):
    p = X.shape[1]
    theta = np.zeros(p)
    path = [theta]
    for t in range(1, len(z) + 1):
        gradient = X.T @ (X @ theta - y)
        scores = s * np.concatenate([gradient, -gradient])
        winner = np.argmin(scores - b * z[t - 1])
        corner = np.zeros(p)
        corner[winner % p] = s if winner < p else -s
        gamma = 2 / (t + 1)
        theta = (1 - gamma) * theta + gamma * corner
        path.append(theta)
    return np.array(path)


def right_all_corners(X, y, s, b, z):
    corners = s * np.vstack([np.eye(X.shape[1]), -np.eye(X.shape[1])])
    models = np.zeros((len(z) + 1, X.shape[1]))
    for t, draw in enumerate(z):
        residual = X.dot(models[t]) - y
        good = -(corners @ (residual @ X)) / b + draw
        v = corners[np.argmax(good)]
        models[t + 1] = models[t] + 2 / (t + 2) * (v - models[t])
    return models


def right_keeps_the_fits(X, y, s, b, z):
    # Xθ moves along with θ: a step costs one column
    n, p = X.shape
    theta, fits, path = np.zeros(p), np.zeros(n), [np.zeros(p)]
    for t in range(len(z)):
        g = (fits - y) @ X
        up, down = s * g - b * z[t, :p], -s * g - b * z[t, p:]
        j = int(np.argmin(np.minimum(up, down)))
        side = s if up[j] <= down[j] else -s
        gamma = 2 / (t + 2)
        theta, fits = (1 - gamma) * theta, (1 - gamma) * fits
        theta[j] += gamma * side
        fits = fits + gamma * side * X[:, j]
        path.append(theta.copy())
    return np.array(path)


def right_lists(X, y, s, b, z):
    p = len(X[0])
    path = [[0.0] * p]
    for t, draw in enumerate(z, start=1):
        now = path[-1]
        errors = [sum(x * c for x, c in zip(row, now, strict=True)) for row in X]
        errors = [e - label for e, label in zip(errors, y, strict=True)]
        g = [
            sum(e * row[j] for e, row in zip(errors, X, strict=True)) for j in range(p)
        ]
        noisy = [side * s * g[j] for side in (1, -1) for j in range(p)]
        noisy = [a - b * c for a, c in zip(noisy, draw, strict=True)]
        k = noisy.index(min(noisy))
        gamma = 2 / (1 + t)
        model = [(1 - gamma) * c for c in now]
        model[k % p] += gamma * s * (1 if k < p else -1)
        path.append(model)
    return np.array(path)


def _walk(X, y, s, b, z, *, sign=-1, best=np.argmin, step=None, size=None, grow=False,
          mean=False, shared=False, fixed=False):  # fmt: skip
    n, p = X.shape
    theta, path = np.zeros(p), [np.zeros(p)]
    for t in range(1, len(z) + 1):
        g = X.T @ (X @ (0 * theta if fixed else theta) - y) / (n if mean else 1)
        scores = (size or s) * np.concatenate([g, -g])
        draw = np.concatenate([z[t - 1][:p]] * 2) if shared else z[t - 1]
        k = best(scores + sign * b * draw)
        corner = np.zeros(p)
        corner[k % p] = s if k < p else -s
        gamma = step(t, len(z) + 1) if step else 2 / (t + 1)
        theta = (1 if grow else 1 - gamma) * theta + gamma * corner
        path.append(theta)
    return np.array(path)


def wrong_starter(X, y, s, b, z):
    return np.zeros((len(z) + 1, X.shape[1]))


def wrong_sign_of_noise(*case):
    return _walk(*case, sign=1)


def wrong_highest(*case):
    return _walk(*case, best=np.argmax, sign=1)


def wrong_equal_steps(*case):
    return _walk(*case, step=lambda t, T: 1 / T)


def wrong_steps_one_late(*case):
    return _walk(*case, step=lambda t, T: 2 / (t + 2))


def wrong_mean(*case):
    return _walk(*case, mean=True)


def wrong_no_scale(X, y, s, b, z):
    return _walk(X, y, s, 1.0, z)


def wrong_shared_draw(*case):
    return _walk(*case, shared=True)


def wrong_scores_without_radius(*case):
    return _walk(*case, size=1.0)


def wrong_gradient_at_start(*case):
    return _walk(*case, fixed=True)


def wrong_never_shrinks(*case):
    return _walk(*case, grow=True)


def wrong_last_model_only(*case):
    return _walk(*case)[-1]


def wrong_without_noise(X, y, s, b, z):
    return _walk(X, y, s, 0.0, z)


def wrong_draws_anew(X, y, s, b, z):
    return _walk(X, y, s, b, np.random.default_rng(0).gumbel(size=z.shape))


def wrong_corners_of_size_one(X, y, s, b, z):
    return _walk(X, y, 1.0, b, z)


def wrong_changes_z(X, y, s, b, z):
    z *= b
    return _walk(X, y, s, 1.0, z)


def wrong_whole_corners(X, y, s, b, z):
    p, path = X.shape[1], [np.zeros(X.shape[1])]
    for t, draws in enumerate(z, 1):
        g = X.T @ (X @ path[-1] - y)
        k = int(np.argmin(s * np.concatenate([g, -g]) - b * draws))
        v = np.zeros_like(X[0])
        v[k % p] = s if k < p else -s
        path.append(path[-1] + 2 / (t + 1) * (v - path[-1]))
    return np.array(path)


def wrong_a_little_less_noise(X, y, s, b, z):
    return right_plain(X, y, s, 0.99 * b, z)


def wrong_a_little_more_noise(X, y, s, b, z):
    return right_plain(X, y, s, 1.01 * b, z)


RIGHT = (right_plain, right_all_corners, right_keeps_the_fits, right_lists)
WRONG = {
    wrong_a_little_less_noise: r"Begin with|first vote|a close vote",
    wrong_a_little_more_noise: r"Begin with|first vote|a close vote",
    wrong_starter: r"a walk: .*Begin with one vote",
    wrong_sign_of_noise: r"Gumbel noise is not symmetric",
    wrong_highest: r"The lowest is best",
    wrong_equal_steps: r"All steps are equal",
    wrong_steps_one_late: r"one late",
    wrong_mean: r"scores are those of a mean",
    wrong_no_scale: r"without the scale",
    wrong_shared_draw: r"share a draw",
    wrong_scores_without_radius: r"corners of size 1",
    wrong_gradient_at_start: r"a walk: .*gradients are taken at the start",
    wrong_never_shrinks: r"a walk: .*not shrunk",
    wrong_last_model_only: r"shape \(\d,\)",
    wrong_without_noise: r"Begin with one vote",
    wrong_draws_anew: r"Begin with one vote",
    wrong_corners_of_size_one: r"Begin with one vote",
    wrong_changes_z: r"argument z after the call",
    wrong_whole_corners: r"whole numbers.*X may hold integers",
}
