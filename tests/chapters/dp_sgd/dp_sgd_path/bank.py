"""The bank of ``dp_sgd_path``: answers that must pass, and answers that must not.

WRONG maps each wrong answer to a pattern that its message must match.
"""

import numpy as np

from dpteach.arrays import clip as cut


def right_vectorized(X, y, C, R, steps, sigma, lr, rng):
    theta = np.zeros(X.shape[1])
    path = np.zeros((steps, len(theta)))
    for t in range(steps):
        G = (X @ theta - y)[:, None] * X
        size = np.linalg.norm(G, axis=1, keepdims=True)
        g = (G * np.minimum(1.0, C / np.maximum(size, 1e-300))).sum(axis=0)
        theta = theta - lr * (g + C * sigma * rng.standard_normal(len(theta)))
        theta = theta * min(1.0, R / max(np.linalg.norm(theta), 1e-300))
        path[t] = theta
    return path


def right_loop(X, y, C, R, steps, sigma, lr, rng):
    theta, path = [0.0] * X.shape[1], []
    for _ in range(steps):
        total = [0.0] * len(theta)
        for x, label in zip(X, y, strict=True):
            off = sum(a * b for a, b in zip(x, theta, strict=True)) - label
            g = [off * a for a in x]
            norm = sum(a * a for a in g) ** 0.5
            factor = C / norm if norm > C else 1.0
            total = [a + factor * b for a, b in zip(total, g, strict=True)]
        theta = [
            a - lr * (b + rng.normal(0.0, C * sigma))
            for a, b in zip(theta, total, strict=True)
        ]
        norm = sum(a * a for a in theta) ** 0.5
        if norm > R:
            theta = [R * a / norm for a in theta]
        path.append(theta)
    return np.array(path)


def right_all_noise_first(X, y, C, R, steps, sigma, lr, rng):
    noise = rng.normal(scale=C * sigma, size=(steps, X.shape[1]))
    path = [np.zeros(X.shape[1])]
    for z in noise:
        pull = cut((X @ path[-1] - y)[:, None] * X, C).sum(axis=0) + z
        path.append(cut(path[-1] - lr * pull, R))
    return np.stack(path[1:])


def right_norms_only(X, y, C, R, steps, sigma, lr, rng):
    # the norm of a gradient is |residual| ‖x‖, and no gradient is ever formed
    long = np.sqrt((X * X).sum(axis=1))
    theta, path = np.zeros(X.shape[1]), []
    for _ in range(steps):
        r = X @ theta - y
        r = r / np.maximum(np.abs(r) * long / C, 1.0)
        theta = theta - lr * (X.T @ r + sigma * C * rng.standard_normal(theta.size))
        theta = theta / max(1.0, np.sqrt(theta @ theta) / R)
        path.append(theta)
    return np.array(path)


def right_other_noise(X, y, C, R, steps, sigma, lr, rng):
    # no tape can replay such noise, so it is measured
    theta, path = np.zeros(X.shape[1]), []
    for _ in range(steps):
        u, v = 1.0 - rng.random(len(theta)), rng.random(len(theta))
        z = np.sqrt(-2 * np.log(u)) * np.cos(2 * np.pi * v)
        g = cut((X @ theta - y)[:, None] * X, C).sum(axis=0)
        theta = cut(theta - lr * (g + C * sigma * z), R)
        path.append(theta)
    return np.array(path)


def _path(X, y, R, steps, lr, force):
    theta, path = np.zeros(X.shape[1]), []
    for t in range(steps):
        theta = cut(theta - lr * force(theta, t), R)
        path.append(theta)
    return np.array(path)


def _g(w, X, y, C):
    return cut((X @ w - y)[:, None] * X, C).sum(axis=0)


def wrong_clips_the_sum(X, y, C, R, steps, sigma, lr, rng):
    def force(w, _):
        return cut(X.T @ (X @ w - y), C) + C * sigma * rng.standard_normal(len(w))

    return _path(X, y, R, steps, lr, force)


def wrong_no_clip(X, y, C, R, steps, sigma, lr, rng):
    def force(w, _):
        return X.T @ (X @ w - y) + C * sigma * rng.standard_normal(len(w))

    return _path(X, y, R, steps, lr, force)


def wrong_mean(X, y, C, R, steps, sigma, lr, rng):
    def force(w, _):
        return _g(w, X, y, C) / len(X) + C * sigma * rng.standard_normal(len(w))

    return _path(X, y, R, steps, lr, force)


def wrong_no_projection(X, y, C, R, steps, sigma, lr, rng):
    def force(w, _):
        return _g(w, X, y, C) + C * sigma * rng.standard_normal(len(w))

    return _path(X, y, np.inf, steps, lr, force)


def wrong_projects_late(X, y, C, R, steps, sigma, lr, rng):
    return cut(wrong_no_projection(X, y, C, R, steps, sigma, lr, rng), R)


def wrong_box(X, y, C, R, steps, sigma, lr, rng):
    theta, path = np.zeros(X.shape[1]), []
    for _ in range(steps):
        noise = C * sigma * rng.standard_normal(len(theta))
        theta = np.clip(theta - lr * (_g(theta, X, y, C) + noise), -R, R)
        path.append(theta)
    return np.array(path)


def wrong_start_included(X, y, C, R, steps, sigma, lr, rng):
    path = right_all_noise_first(X, y, C, R, steps, sigma, lr, rng)
    return np.concatenate([np.zeros((1, X.shape[1])), path])


def wrong_averages(X, y, C, R, steps, sigma, lr, rng):
    path = right_all_noise_first(X, y, C, R, steps, sigma, lr, rng)
    return path.cumsum(axis=0) / np.arange(1, steps + 1)[:, None]


def wrong_noise_without_c(X, y, C, R, steps, sigma, lr, rng):
    def force(w, _):
        return _g(w, X, y, C) + sigma * rng.standard_normal(len(w))

    return _path(X, y, R, steps, lr, force)


def wrong_noise_outside(X, y, C, R, steps, sigma, lr, rng):
    def force(w, _):
        return _g(w, X, y, C) + C * sigma * rng.standard_normal(len(w)) / lr

    return _path(X, y, R, steps, lr, force)


def wrong_variance(X, y, C, R, steps, sigma, lr, rng):
    def force(w, _):
        return _g(w, X, y, C) + rng.normal(0.0, (C * sigma) ** 2, len(w))

    return _path(X, y, R, steps, lr, force)


def wrong_one_number(X, y, C, R, steps, sigma, lr, rng):
    def force(w, _):
        return _g(w, X, y, C) + C * sigma * rng.standard_normal()

    return _path(X, y, R, steps, lr, force)


def wrong_one_draw(X, y, C, R, steps, sigma, lr, rng):
    z = C * sigma * rng.standard_normal(X.shape[1])
    return _path(X, y, R, steps, lr, lambda w, _: _g(w, X, y, C) + z)


def wrong_antithetic(X, y, C, R, steps, sigma, lr, rng):
    z = C * sigma * rng.standard_normal((steps // 2 + 1, X.shape[1]))

    def force(w, t):
        return _g(w, X, y, C) + z[t // 2] * (-1) ** t

    return _path(X, y, R, steps, lr, force)


def wrong_fixed_seed(X, y, C, R, steps, sigma, lr, rng):
    known = np.random.default_rng(0)
    return right_all_noise_first(X, y, C, R, steps, sigma, lr, known)


def wrong_root_of_steps(X, y, C, R, steps, sigma, lr, rng):
    more = sigma * steps**0.5
    return right_all_noise_first(X, y, C, R, steps, more, lr, rng)


def wrong_noise_at_the_end(X, y, C, R, steps, sigma, lr, rng):
    path = right_all_noise_first(X, y, C, R, steps, 0.0, lr, rng)
    return path + lr * C * sigma * rng.standard_normal(path.shape)


def wrong_hidden_path(X, y, C, R, steps, sigma, lr, rng):
    # gradients at models without noise; the noise is added to them afterwards
    path = right_all_noise_first(X, y, C, R, steps, 0.0, lr, rng)
    z = lr * C * sigma * rng.standard_normal(path.shape)
    return cut(path + z.cumsum(axis=0), R)


def wrong_small_scale(X, y, C, R, steps, sigma, lr, rng):
    return right_all_noise_first(X, y, C, R, steps, 0.97 * sigma, lr, rng)


def wrong_small_scale_measured(X, y, C, R, steps, sigma, lr, rng):
    return right_other_noise(X, y, C, R, steps, 0.97 * sigma, lr, rng)


def wrong_laplace(X, y, C, R, steps, sigma, lr, rng):
    def force(w, _):
        return _g(w, X, y, C) + rng.laplace(0, C * sigma / 2**0.5, len(w))

    return _path(X, y, R, steps, lr, force)


def wrong_ball_before_noise(X, y, C, R, steps, sigma, lr, rng):
    theta, path = np.zeros(X.shape[1]), []
    for _ in range(steps):
        theta = cut(theta - lr * _g(theta, X, y, C), R)
        theta = theta - lr * C * sigma * rng.standard_normal(len(theta))
        path.append(theta)
    return np.array(path)


def wrong_noise_from_data(X, y, C, R, steps, sigma, lr, rng):
    longest = np.linalg.norm(y[:, None] * X, axis=1).max()

    def force(w, _):
        return _g(w, X, y, C) + min(C, longest) * sigma * rng.standard_normal(len(w))

    return _path(X, y, R, steps, lr, force)


def wrong_whole_numbers(X, y, C, R, steps, sigma, lr, rng):
    path = np.zeros((steps + 1, X.shape[1]), dtype=X.dtype)
    for t in range(steps):
        noise = C * sigma * rng.standard_normal(X.shape[1])
        path[t + 1] = cut(path[t] - lr * (_g(path[t], X, y, C) + noise), R)
    return path[1:]


def wrong_changes_the_data(X, y, C, R, steps, sigma, lr, rng):
    X *= 1.0
    y -= 0.5
    return right_all_noise_first(X, y, C, R, steps, sigma, lr, rng)


def wrong_cut_noise(X, y, C, R, steps, sigma, lr, rng):
    path = [np.zeros(X.shape[1])]
    for _ in range(steps):
        z = C * sigma * np.clip(rng.normal(size=X.shape[1]), -3, 3)
        pull = cut((X @ path[-1] - y)[:, None] * X, C).sum(axis=0) + z
        path.append(cut(path[-1] - lr * pull, R))
    return np.array(path[1:])


def wrong_one_radius(X, y, C, R, steps, sigma, lr, rng):
    path = [np.zeros(X.shape[1])]
    for _ in range(steps):
        radius = C * sigma * np.sqrt(-2 * np.log(1 - rng.random()))
        z = radius * np.cos(2 * np.pi * rng.random(X.shape[1]))
        pull = cut((X @ path[-1] - y)[:, None] * X, C).sum(axis=0) + z
        path.append(cut(path[-1] - lr * pull, R))
    return np.array(path[1:])


def right_library_style(X, y, C, R, steps, sigma, lr, rng):
    # some libraries keep divisors away from 0 in this way
    theta, path = np.zeros(X.shape[1]), []
    for _ in range(steps):
        G = (X @ theta - y)[:, None] * X
        weight = np.minimum(1, C / (np.linalg.norm(G, axis=1) + 1e-6))
        theta = theta - lr * rng.normal(weight @ G, C * sigma)
        theta = theta * min(1, R / (np.linalg.norm(theta) + 1e-6))
        path.append(theta)
    return np.array(path)


def wrong_one_side_in_one_dimension(X, y, C, R, steps, sigma, lr, rng):
    theta, path = np.zeros(X.shape[1]), []
    for _ in range(steps):
        z = C * sigma * rng.standard_normal(theta.shape)
        total = cut((X @ theta - y)[:, None] * X, C).sum(axis=0)
        theta = theta - lr * (total + (np.abs(z) if len(z) == 1 else z))
        theta = theta / max(1.0, np.linalg.norm(theta) / R)
        path.append(theta)
    return np.array(path)


RIGHT = (
    right_vectorized,
    right_loop,
    right_all_noise_first,
    right_norms_only,
    right_other_noise,
    right_library_style,
)

WRONG = {
    wrong_one_side_in_one_dimension: "something that is not linear",
    wrong_clips_the_sum: "Cut each record's gradient",
    wrong_no_clip: "No gradient was clipped",
    wrong_mean: "along the mean",
    wrong_no_projection: "A model left the ball",
    wrong_projects_late: "back to the ball in the end",
    wrong_box: r"R = 0\.\d.*Write down the first two models",
    wrong_start_included: "shape",
    wrong_averages: "averages",
    wrong_noise_without_c: "C is missing",
    wrong_noise_outside: "belongs to the sum of gradients",
    wrong_variance: "a variance",
    wrong_one_number: "one number for each coordinate",
    wrong_one_draw: "Draw afresh in every step",
    wrong_antithetic: "Draw afresh in every step",
    wrong_fixed_seed: "seed inside",
    wrong_root_of_steps: "grows with the number of steps",
    wrong_noise_at_the_end: "Draw afresh in every step",
    wrong_hidden_path: "taken at the newest model",
    wrong_small_scale: "protects nobody",
    wrong_small_scale_measured: "times what is asked for",
    wrong_laplace: "measured",
    wrong_ball_before_noise: "the ball cuts",
    wrong_noise_from_data: "protects nobody",
    wrong_whole_numbers: "for 3 records",
    wrong_changes_the_data: "argument y after the call",
    wrong_cut_noise: r"50 deviations from 0.*Is the noise cut",
    wrong_one_radius: r"hang together.*independent Gaussian noise",
}
