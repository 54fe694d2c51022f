"""The bank of ``lazy_descent``: answers that must pass, and answers that must not.

WRONG maps each wrong answer to a pattern that its message must match.
"""

import numpy as np


def right_loop(X, y, R, reg):
    n, p = X.shape
    theta, s, total = np.zeros(p), np.zeros(p), np.zeros(p)
    for t in range(n):
        total = total + theta
        s = s + (X[t] @ theta - y[t]) * X[t]
        theta = -s / reg
        norm = np.linalg.norm(theta)
        if norm > R:
            theta = theta * (R / norm)
    return total / n


def right_list(X, y, R, reg):
    models, s = [np.zeros(X.shape[1])], 0.0
    for x, label in zip(X, y, strict=True):
        s = s + x * (np.dot(x, models[-1]) - label)
        free = -s / reg
        models.append(free / max(1.0, np.sqrt(free @ free) / R))
    return np.mean(models[:-1], axis=0)


def right_running_average(X, y, R, reg):
    theta = average = s = np.zeros(X.shape[1])
    for t, (x, label) in enumerate(zip(X, y, strict=True), start=1):
        average = average + (theta - average) / t
        s = s - (label - x @ theta) * x
        theta = -s * min(1 / reg, R / max(np.linalg.norm(s), 1e-12))
    return average


def right_by_multiplier(X, y, R, reg):
    # The border is met where reg grows to ‖s‖/R.
    path = np.zeros((len(y) + 1, X.shape[1]))
    s = np.zeros(X.shape[1])
    for t in range(len(y)):
        s += (X[t] @ path[t] - y[t]) * X[t]
        path[t + 1] = -s / max(reg, np.hypot.reduce(s) / R)
    return path[:-1].sum(axis=0) / len(y)


def _project(v, R):
    return v / max(1.0, np.linalg.norm(v) / R)


def wrong_greedy(X, y, R, reg):
    theta, models = np.zeros(X.shape[1]), []
    for x, label in zip(X, y, strict=True):
        models.append(theta)
        theta = _project(theta - (x @ theta - label) * x / reg, R)
    return np.mean(models, axis=0)


def wrong_projects_the_sum(X, y, R, reg):
    theta, s, models = np.zeros(X.shape[1]), np.zeros(X.shape[1]), []
    for x, label in zip(X, y, strict=True):
        models.append(theta)
        s = _project(s + (x @ theta - label) * x, R)
        theta = -s / reg
    return np.mean(models, axis=0)


def _models(X, y, R, reg):
    theta, s, models = np.zeros(X.shape[1]), np.zeros(X.shape[1]), []
    for x, label in zip(X, y, strict=True):
        models.append(theta)
        s = s + (x @ theta - label) * x
        theta = _project(-s / reg, R)
    return np.array([*models, theta])


def wrong_no_projection(X, y, R, reg):
    return _models(X, y, 1e12, reg)[:-1].mean(axis=0)


def wrong_projects_the_average(X, y, R, reg):
    return _project(_models(X, y, 1e12, reg)[:-1].mean(axis=0), R)


def wrong_box(X, y, R, reg):
    theta, s, models = np.zeros(X.shape[1]), np.zeros(X.shape[1]), []
    for x, label in zip(X, y, strict=True):
        models.append(theta)
        s = s + (x @ theta - label) * x
        theta = np.clip(-s / reg, -R, R)
    return np.mean(models, axis=0)


def wrong_last_model(X, y, R, reg):
    return _models(X, y, R, reg)[-1]


def wrong_one_late(X, y, R, reg):
    return _models(X, y, R, reg)[1:].mean(axis=0)


def wrong_one_too_many(X, y, R, reg):
    return _models(X, y, R, reg).mean(axis=0)


def wrong_sum_of_models(X, y, R, reg):
    return _models(X, y, R, reg)[:-1].sum(axis=0)


def wrong_uphill(X, y, R, reg):
    return _models(X, y, R, -reg)[:-1].mean(axis=0)


def wrong_reg_multiplied(X, y, R, reg):
    return _models(X, y, R, 1 / reg)[:-1].mean(axis=0)


def wrong_factor_two(X, y, R, reg):
    return _models(X, y, R, reg / 2)[:-1].mean(axis=0)


def wrong_half(X, y, R, reg):
    return _models(X, y, R, 2 * reg)[:-1].mean(axis=0)


def wrong_all_records(X, y, R, reg):
    theta, s, models = np.zeros(X.shape[1]), np.zeros(X.shape[1]), []
    for _ in range(len(y)):
        models.append(theta)
        s = s + X.T @ (X @ theta - y)
        theta = _project(-s / reg, R)
    return np.mean(models, axis=0)


def wrong_gradients_at_zero(X, y, R, reg):
    s, models = np.zeros(X.shape[1]), []
    for x, label in zip(X, y, strict=True):
        models.append(_project(-s / reg, R))
        s = s - label * x
    return np.mean(models, axis=0)


def wrong_always_on_the_rim(X, y, R, reg):
    theta, s, models = np.zeros(X.shape[1]), np.zeros(X.shape[1]), []
    for x, label in zip(X, y, strict=True):
        models.append(theta)
        s = s + (x @ theta - label) * x
        theta = -R * s / np.linalg.norm(s)
    return np.mean(models, axis=0)


def wrong_in_place(X, y, R, reg):
    X *= 1.0
    y -= 1.0
    return _models(X, y + 1.0, R, reg)[:-1].mean(axis=0)


def wrong_integers(X, y, R, reg):
    path = np.zeros_like(X, shape=(len(y) + 1, X.shape[1]))
    s = np.zeros(X.shape[1])
    for t in range(len(y)):
        s += (X[t] @ path[t] - y[t]) * X[t]
        path[t + 1] = _project(-s / reg, R)
    return path[:-1].mean(axis=0)


def wrong_path(X, y, R, reg):
    return _models(X, y, R, reg)[:-1]


RIGHT = (right_loop, right_list, right_running_average, right_by_multiplier)
WRONG = {
    wrong_greedy: r"Each step begins at the projected",
    wrong_projects_the_sum: r"R = 0\.8.*Here the models reach the boundary",
    wrong_no_projection: r"No model was brought back",
    wrong_projects_the_average: r"Only the average was brought back",
    wrong_box: r"projection on a box",
    wrong_last_model: r"last model",
    wrong_one_late: r"begins at θ_2",
    wrong_one_too_many: r"The average contains θ_\{n\+1\}",
    wrong_sum_of_models: r"The ball is so wide here that it",
    wrong_uphill: r"The model moves along the sum of",
    wrong_reg_multiplied: r"reg multiplies",
    wrong_factor_two: r"The ball is so wide here that it",
    wrong_half: r"The ball is so wide here that it",
    wrong_all_records: r"The ball is so wide here that it",
    wrong_gradients_at_zero: r"taken at 0",
    wrong_always_on_the_rim: r"R = 1e\+06.*so wide",
    wrong_in_place: r"argument y after the call",
    wrong_integers: r"integers here",
    wrong_path: r"seen shape \(6, 3\)",
}
