"""The bank of ``banco_models``: answers that must pass, and that must not.

WRONG maps each wrong answer to a pattern that its message must match.
"""

import numpy as np

NODES, WEIGHTS = np.polynomial.legendre.leggauss(100)


def _bet(x, y, a):
    beta = a * NODES
    return (beta * np.exp(beta * x - beta**2 * y)) @ WEIGHTS / 2


def _in_pairs(x, y, a):
    beta = a * (NODES + 1) / 2
    return (beta * np.sinh(beta * x) * np.exp(-(beta**2) * y)) @ WEIGHTS / 2


def right_loop(X, y, xi, a, h):
    n, p = X.shape
    w, q, won, squares = np.zeros(p), np.zeros(p), 0.0, 0.0
    path = []
    for t in range(n):
        path.append(w)
        report = xi[t] - np.sign(X[t] @ w - y[t]) * X[t]
        won += report @ q
        squares += report @ report
        if squares > 0:
            q = q + report / np.sqrt(squares)
        q = q / max(1.0, np.linalg.norm(q))
        w = _bet(won, (t + 1) * h, a) * q
    return np.array(path).reshape(n, p)


def right_table(X, y, xi, a, h):
    models, reports, directions = np.zeros(X.shape), np.zeros(X.shape), []
    direction = np.zeros(X.shape[1])
    for t, (row, label) in enumerate(zip(X, y, strict=True)):
        reports[t] = xi[t] - np.sign(row.dot(models[t]) - label) * row
        directions.append(direction)
        x = np.sum(reports[: t + 1] * np.array(directions))
        total = np.sum(reports[: t + 1] ** 2)
        direction = direction + (reports[t] / total**0.5 if total else 0.0)
        length = np.sqrt(direction @ direction)
        if length > 1:
            direction = direction / length
        if t + 1 < len(X):
            models[t + 1] = _in_pairs(x, h * (t + 1), a) * direction
    return models


def right_lists(X, y, xi, a, h):
    p = X.shape[1]
    path, q, won, squares, spread = [[0.0] * p], [0.0] * p, 0.0, 0.0, 0.0
    for row, label, noise in zip(X, y, xi, strict=True):
        error = sum(r * w for r, w in zip(row, path[-1], strict=True)) - label
        side = int(error > 0) - int(error < 0)
        report = [z - side * r for z, r in zip(noise, row, strict=True)]
        won += sum(r * c for r, c in zip(report, q, strict=True))
        squares += sum(r * r for r in report)
        spread += h
        if squares:
            q = [c + r / squares**0.5 for c, r in zip(q, report, strict=True)]
        length = sum(c * c for c in q) ** 0.5
        q = [c / max(length, 1) for c in q]
        m = _bet(won, spread, a)
        path.append([m * c for c in q])
    return np.array(path[:-1])


class _Server:
    def __init__(self, p, a, h):
        self.w, self.q, self.x, self.S, self.y = np.zeros(p), np.zeros(p), 0, 0, 0
        self.a, self.h = a, h

    def hear(self, report):
        self.x, self.S = self.x + report @ self.q, self.S + report @ report
        self.y += self.h
        q = self.q + report / np.sqrt(self.S or 1.0)
        self.q = q / max(np.linalg.norm(q), 1)
        self.w = _bet(self.x, self.y, self.a) * self.q


def right_server(X, y, xi, a, h):
    server, sent = _Server(X.shape[1], a, h), np.empty(X.shape)
    for t in range(X.shape[0]):
        sent[t] = server.w
        slope = X[t] * np.sign(X[t] @ server.w - y[t])
        server.hear(xi[t] - slope)
    return sent


def _pass(X, y, xi, a, h, *, sign=-1, coin="noisy", cut="ball", root=0.5, late=0):
    n, p = X.shape
    w, q, won, squares, path = np.zeros(p), np.zeros(p), 0.0, 0.0, []
    for t in range(n):
        path.append(w)
        slope = np.sign(X[t] @ w - y[t]) * X[t]
        report = xi[t] + sign * slope
        squares += report @ report
        new = q + (report / squares**root if squares else 0.0)
        size = np.linalg.norm(new)
        if cut == "ball" or (cut == "sphere" and size):
            new = new / (max(1.0, size) if cut == "ball" else size)
        won += {"noisy": report @ q, "bare": -slope @ q, "new": report @ new}[coin]
        w, q = _bet(won, (t + 1 - late) * h, a) * new, new
    return np.array([*path, w])


def wrong_starter(X, y, xi, a, h):
    return np.zeros(X.shape)


def wrong_bare_coin(X, y, xi, a, h):
    return _pass(X, y, xi, a, h, coin="bare")[:-1]


def wrong_new_direction(X, y, xi, a, h):
    return _pass(X, y, xi, a, h, coin="new")[:-1]


def wrong_no_cut(X, y, xi, a, h):
    return _pass(X, y, xi, a, h, cut="")[:-1]


def wrong_sphere(X, y, xi, a, h):
    return _pass(X, y, xi, a, h, cut="sphere")[:-1]


def wrong_late_variance(X, y, xi, a, h):
    return _pass(X, y, xi, a, h, late=1)[:-1]


def wrong_no_root(X, y, xi, a, h):
    return _pass(X, y, xi, a, h, root=1)[:-1]


def wrong_uphill(X, y, xi, a, h):
    return _pass(X, y, xi, a, h, sign=1)[:-1]


def wrong_one_row_early(X, y, xi, a, h):
    return _pass(X, y, xi, a, h)[1:]


def wrong_one_report_of_variance(X, y, xi, a, h):
    n, p = X.shape
    w, q, won, squares, path = np.zeros(p), np.zeros(p), 0.0, 0.0, []
    for t in range(n):
        path.append(w)
        report = xi[t] - np.sign(X[t] @ w - y[t]) * X[t]
        won += report @ q
        squares += report @ report
        q = q + (report / np.sqrt(squares) if squares else 0.0)
        q = q / max(1.0, np.linalg.norm(q))
        w = _bet(won, h, a) * q
    return np.array(path)


def wrong_steps_by_count(X, y, xi, a, h):
    n, p = X.shape
    w, q, won, path = np.zeros(p), np.zeros(p), 0.0, []
    for t in range(n):
        path.append(w)
        report = xi[t] - np.sign(X[t] @ w - y[t]) * X[t]
        won += report @ q
        q = q + report / np.sqrt(t + 1)
        q = q / max(1.0, np.linalg.norm(q))
        w = _bet(won, (t + 1) * h, a) * q
    return np.array(path)


def wrong_last_model_only(X, y, xi, a, h):
    return _pass(X, y, xi, a, h)[-2]


def wrong_average_model(X, y, xi, a, h):
    return np.broadcast_to(_pass(X, y, xi, a, h)[:-1].mean(axis=0), X.shape).copy()


def wrong_divides_by_zero(X, y, xi, a, h):
    n, p = X.shape
    w, q, won, squares, path = np.zeros(p), np.zeros(p), 0.0, 0.0, []
    for t in range(n):
        path.append(w)
        report = xi[t] - np.sign(X[t] @ w - y[t]) * X[t]
        won += report @ q
        squares += report @ report
        q = q + report / np.sqrt(squares)
        q = q / max(1.0, np.linalg.norm(q))
        w = _bet(won, (t + 1) * h, a) * q
    return np.array(path)


def wrong_draws_noise_itself(X, y, xi, a, h):
    noise = np.random.default_rng(0).standard_normal(X.shape)
    return _pass(X, y, noise, a, h)[:-1]


def wrong_writes_into_xi(X, y, xi, a, h):
    w = np.zeros(X.shape[1])
    for t in range(len(X)):
        xi[t] -= np.sign(X[t] @ w - y[t]) * X[t]
    return _pass(X, y, xi, a, h)[:-1]


RIGHT = (right_loop, right_table, right_lists, right_server)
WRONG = {
    wrong_starter: r"the first users: .*Follow one user by hand",
    wrong_bare_coin: r"the first users: .*without its noise",
    wrong_new_direction: r"before her report came",
    wrong_no_cut: r"leaves the unit ball",
    wrong_sphere: r"Only what is longer is cut",
    wrong_late_variance: r"one report behind",
    wrong_no_root: r"falls like 1/t",
    wrong_uphill: r"walk uphill",
    wrong_one_row_early: r"one row early",
    wrong_one_report_of_variance: r"that of one report",
    wrong_steps_by_count: r"measure how long they were",
    wrong_last_model_only: r"shape \(\d,\)",
    wrong_average_model: r"Follow one user by hand",
    wrong_divides_by_zero: r"nan at index",
    wrong_draws_noise_itself: r"Follow one user by hand",
    wrong_writes_into_xi: r"argument xi after the call",
}
