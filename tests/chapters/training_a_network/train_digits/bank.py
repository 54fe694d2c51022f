"""Answers to ``train_digits``: right ones, and wrong ones with their messages."""

from math import erfc, exp, log, sqrt

import numpy as np


def _below(x):
    return erfc(-x / sqrt(2)) / 2


def _mu(eps, delta):
    """Halve an interval: the largest μ of the budget."""
    low, high = 0.0, 10.0
    for _ in range(60):
        mu = (low + high) / 2
        spent = _below(mu / 2 - eps / mu) - exp(eps) * _below(-mu / 2 - eps / mu)
        low, high = (mu, high) if spent <= delta else (low, mu)
    return low


def _pulls(X, y, A, B):
    """Return h, the gradients in the scores and before tanh, and both norms squared."""
    h = np.tanh(X @ A)
    z = h @ B
    g = np.exp(z - z.max(axis=1, keepdims=True))
    g = g / g.sum(axis=1, keepdims=True) - np.eye(B.shape[1])[y]
    r = (g @ B.T) * (1 - h * h)
    first = (X**2).sum(axis=1) * (r**2).sum(axis=1)
    return h, g, r, first, (h**2).sum(axis=1) * (g**2).sum(axis=1)


def _total(X, y, A, B, C):
    """Add up clipped gradients, of both layers in one vector."""
    h, g, r, first, second = _pulls(X, y, A, B)
    k = 1 / np.maximum(np.sqrt(first + second) / C, 1.0)[:, None]
    return np.concatenate([(X.T @ (k * r)).ravel(), (h.T @ (k * g)).ravel()])


def _flat(A, B):
    return np.concatenate([A.ravel(), B.ravel()])


def _layers(w, A, B):
    return w[: A.size].reshape(A.shape), w[A.size :].reshape(B.shape)


def right_explained(X, y, A, B, eps, delta, rng):
    def below(x):
        return erfc(-x / sqrt(2)) / 2

    low, high = 0.0, 10.0
    for _ in range(60):
        mu = (low + high) / 2
        spent = below(mu / 2 - eps / mu) - exp(eps) * below(-mu / 2 - eps / mu)
        low, high = (mu, high) if spent <= delta else (low, mu)
    T, C, rate, momentum = 12, 1.0, 6.0 / len(X), 0.6
    noise = C * sqrt(T) / low
    U, V, path = 0.0, 0.0, []
    for _ in range(T):
        h = np.tanh(X @ A)
        g = np.exp(h @ B - (h @ B).max(axis=1, keepdims=True))
        g = g / g.sum(axis=1, keepdims=True) - np.eye(B.shape[1])[y]
        r = (g @ B.T) * (1 - h * h)
        first = (X**2).sum(axis=1) * (r**2).sum(axis=1)
        second = (h**2).sum(axis=1) * (g**2).sum(axis=1)
        k = 1 / np.maximum(np.sqrt(first + second) / C, 1.0)[:, None]
        U = momentum * U + X.T @ (k * r) + noise * rng.standard_normal(A.shape)
        V = momentum * V + h.T @ (k * g) + noise * rng.standard_normal(B.shape)
        A, B = A - rate * U, B - rate * V
        path.append(_flat(A, B))
    return np.array(path)


def right_noise_at_once(X, y, A, B, eps, delta, rng):
    T, w, v, path = 12, _flat(A, B), 0.0, []
    noise = rng.normal(0.0, 0.9 * sqrt(T) / _mu(eps, delta), (T, w.size))
    for b in noise:
        v = 0.6 * v + _total(X, y, *_layers(w, A, B), 0.9) + b
        w = w - 6.5 / len(X) * v
        path.append(w)
    return np.stack(path)


def right_nesterov(X, y, A, B, eps, delta, rng):
    T, w, v, path = 12, _flat(A, B), 0.0, []
    for _ in range(T):
        a, b = np.split(w, [A.size])
        a, b = a.reshape(A.shape), b.reshape(B.shape)
        h = np.tanh(X @ a)
        z = np.einsum("nm,mk->nk", h, b)
        p = np.exp(z - np.amax(z, axis=1)[:, None])
        g = p / np.sum(p, axis=1)[:, None] - (y[:, None] == np.arange(B.shape[1]))
        r = np.einsum("nk,mk->nm", g, b) * (1 + h) * (1 - h)
        first = np.sum(X * X, axis=1) * np.sum(r * r, axis=1)
        second = np.sum(h * h, axis=1) * np.sum(g * g, axis=1)
        k = np.minimum(1.0, 1 / np.sqrt(first + second + 1e-12))[:, None]
        g = np.hstack([(X.T @ (k * r)).ravel(), (h.T @ (k * g)).ravel()])
        g = g + rng.normal(0.0, sqrt(T) / _mu(eps, delta), w.size)
        v = 0.6 * v + g
        w = w - 3.5 / len(X) * (g + 0.6 * v)
        path.append(w)
    return np.array(path)


def right_concentrated(X, y, A, B, eps, delta, rng):
    """The price by ρ-zCDP: a little more noise than is needed."""
    rho = (sqrt(log(1 / delta) + eps) - sqrt(log(1 / delta))) ** 2
    T, w, v, path = 12, _flat(A, B), 0.0, []
    for _ in range(T):
        a, b = w[: A.size].reshape(A.shape), w[A.size :].reshape(B.shape)
        h = np.tanh(X @ a)
        z = h @ b - np.max(h @ b, axis=1, keepdims=True)
        g = np.exp(z - np.log(np.sum(np.exp(z), axis=1, keepdims=True)))
        g[np.arange(len(y)), y] -= 1
        r = (g @ b.T) * (1 - h**2)
        first = np.linalg.norm(X, axis=1) * np.linalg.norm(r, axis=1)
        second = np.linalg.norm(h, axis=1) * np.linalg.norm(g, axis=1)
        k = 1 / np.maximum(np.hypot(first, second), 1.0)
        total = np.concatenate([(X.T @ (k * r.T).T).ravel(), ((k * h.T) @ g).ravel()])
        v = 0.6 * v + total + sqrt(T / (2 * rho)) * rng.standard_normal(w.size)
        w = w - 6 * v / len(X)
        path.append(w)
    return path


def right_clip_by_layer(X, y, A, B, eps, delta, rng):
    """Each layer has a clip and a noise of its own, and half of the price."""
    mu, w, v, path = _mu(eps, delta), _flat(A, B), 0.0, []
    sizes = np.repeat([0.9, 0.4], [A.size, B.size]) * sqrt(2 * 12) / mu
    for _ in range(12):
        h, g, r, first, second = _pulls(X, y, *_layers(w, A, B))
        a = 1 / np.maximum(np.sqrt(first) / 0.9, 1.0)[:, None]
        b = 1 / np.maximum(np.sqrt(second) / 0.4, 1.0)[:, None]
        v = 0.6 * v + _flat(X.T @ (a * r), h.T @ (b * g)) + rng.normal(0.0, sizes)
        w = w - 6.5 / len(X) * v
        path.append(w)
    return np.array(path)


def right_automatic_clip(X, y, A, B, eps, delta, rng):
    """No clip norm: each gradient over its norm, and a little."""
    T, w, v, path = 12, _flat(A, B), 0.0, []
    for _ in range(T):
        h, g, r, first, second = _pulls(X, y, *_layers(w, A, B))
        k = 1 / (np.sqrt(first + second) + 0.3)[:, None]
        total = _flat(X.T @ (k * r), h.T @ (k * g))
        v = 0.6 * v + total + sqrt(T) / _mu(eps, delta) * rng.standard_normal(w.size)
        w = w - 6.5 / len(X) * v
        path.append(w)
    return np.array(path)


def right_single_precision(X, y, A, B, eps, delta, rng):
    w, v, path = _flat(A, B).astype(np.float32), np.float32(0.0), []
    lam = np.float32(sqrt(12) / _mu(eps, delta))
    for _ in range(12):
        g = _total(X.astype(np.float32), y, *_layers(w, A, B), 1.0).astype(np.float32)
        b = rng.standard_normal(w.size, dtype=np.float32)
        v = np.float32(0.6) * v + g + lam * b
        w = w - np.float32(6 / len(X)) * v
        path.append(w)
    return np.array(path)


def right_uneven_steps(X, y, A, B, eps, delta, rng):
    """Later steps get more of the budget, and smaller rates."""
    share = np.arange(1, 13) ** 0.5
    mus = _mu(eps, delta) * np.sqrt(share / share.sum())
    w, v, path = _flat(A, B), 0.0, []
    for t, mu in enumerate(mus):
        g = _total(X, y, *_layers(w, A, B), 1.0) + rng.normal(0.0, 1 / mu, w.size)
        v = 0.6 * v + g
        w = w - (7 - 0.2 * t) / len(X) * v
        path.append(w)
    return np.array(path)


def _descend(X, y, A, B, rng, lam, T=12, rate=6.0, total=_total, noise=None):
    """Run DP-SGD; wrong answers change a part of it."""
    w, v, path = _flat(A, B), 0.0, []
    for _ in range(T):
        b = rng.standard_normal(w.size) if noise is None else noise(w.size)
        v = 0.6 * v + total(X, y, *_layers(w, A, B), 1.0) + lam * b
        w = w - rate / len(X) * v
        path.append(w)
    return np.array(path)


def _whole(X, y, A, B):
    h, g, r, *_ = _pulls(X, y, A, B)
    return _flat(X.T @ r, h.T @ g)


def wrong_starter(X, y, A, B, eps, delta, rng):
    path = []
    for _ in range(20):
        h = np.tanh(X @ A)
        g = np.exp(h @ B)
        g = g / g.sum(axis=1, keepdims=True) - np.eye(B.shape[1])[y]
        r = (g @ B.T) * (1 - h * h)
        A = A - 8 / len(X) * X.T @ r
        B = B - 8 / len(X) * h.T @ g
        path.append(_flat(A, B))
    return np.array(path)


def wrong_no_clip(X, y, A, B, eps, delta, rng):
    def total(X, y, A, B, C):
        return _whole(X, y, A, B)

    return _descend(X, y, A, B, rng, sqrt(12) / _mu(eps, delta), total=total)


def wrong_clips_the_sum(X, y, A, B, eps, delta, rng):
    def total(X, y, A, B, C):
        v = _whole(X, y, A, B)
        return v / max(np.linalg.norm(v) / C, 1.0)

    lam = sqrt(12) / _mu(eps, delta) / len(X)
    return _descend(X, y, A, B, rng, lam, rate=len(X), total=total)


def _by_layer(X, y, A, B, C):
    h, g, r, first, second = _pulls(X, y, A, B)
    a = 1 / np.maximum(np.sqrt(first) / C, 1.0)[:, None]
    b = 1 / np.maximum(np.sqrt(second) / C, 1.0)[:, None]
    return _flat(X.T @ (a * r), h.T @ (b * g))


def wrong_clips_layers(X, y, A, B, eps, delta, rng):
    def total(X, y, A, B, C):
        return _by_layer(X, y, A, B, 0.5 * C) / 0.5

    return _descend(X, y, A, B, rng, sqrt(12) / _mu(eps, delta), total=total)


def wrong_budget_in_each_step(X, y, A, B, eps, delta, rng):
    return _descend(X, y, A, B, rng, 1 / _mu(eps, delta))


def wrong_mu_is_eps(X, y, A, B, eps, delta, rng):
    return _descend(X, y, A, B, rng, sqrt(12) / eps)


def wrong_eps_in_each_step(X, y, A, B, eps, delta, rng):
    return _descend(X, y, A, B, rng, 1 / eps)


def wrong_single_release(X, y, A, B, eps, delta, rng):
    return _descend(X, y, A, B, rng, sqrt(2 * log(1.25 / delta)) / eps)


def wrong_noise_over_n(X, y, A, B, eps, delta, rng):
    return _descend(X, y, A, B, rng, sqrt(12) / _mu(eps, delta) / len(X))


def wrong_five_percent_less(X, y, A, B, eps, delta, rng):
    return _descend(X, y, A, B, rng, 0.95 * sqrt(12) / _mu(eps, delta))


def wrong_half_the_noise(X, y, A, B, eps, delta, rng):
    return _descend(X, y, A, B, rng, 0.5 * sqrt(12) / _mu(eps, delta))


def wrong_knows_one_budget(X, y, A, B, eps, delta, rng):
    return _descend(X, y, A, B, rng, sqrt(12) / 0.92493)


def wrong_no_noise_at_the_end(X, y, A, B, eps, delta, rng):
    path = _descend(X, y, A, B, rng, sqrt(12) / _mu(eps, delta))
    last = path[-1] - 8 / len(X) * _total(X, y, *_layers(path[-1], A, B), 1.0)
    rng.standard_normal(last.size)
    return np.concatenate([path, [last]])


def wrong_noise_in_one_layer(X, y, A, B, eps, delta, rng):
    lam = sqrt(12) / _mu(eps, delta)

    def noise(p):
        return np.concatenate([rng.standard_normal(A.size), np.zeros(B.size)])

    return _descend(X, y, A, B, rng, lam, noise=noise)


def wrong_one_draw_for_all_steps(X, y, A, B, eps, delta, rng):
    b = rng.standard_normal(A.size + B.size)
    return _descend(X, y, A, B, rng, sqrt(12) / _mu(eps, delta), noise=lambda p: b)


def wrong_one_number_a_step(X, y, A, B, eps, delta, rng):
    lam = sqrt(12) / _mu(eps, delta)
    return _descend(X, y, A, B, rng, lam, noise=lambda p: rng.standard_normal())


def wrong_same_noise_in_both_layers(X, y, A, B, eps, delta, rng):
    def noise(p):
        return np.resize(rng.standard_normal(A.size), p)

    return _descend(X, y, A, B, rng, sqrt(12) / _mu(eps, delta), noise=noise)


def wrong_noise_is_cut(X, y, A, B, eps, delta, rng):
    def noise(p):
        return np.clip(rng.standard_normal(p), -3, 3)

    return _descend(X, y, A, B, rng, sqrt(12) / _mu(eps, delta), noise=noise)


def wrong_own_seed(X, y, A, B, eps, delta, rng):
    return _descend(X, y, A, B, np.random.default_rng(0), sqrt(12) / _mu(eps, delta))


def wrong_no_seed(X, y, A, B, eps, delta, rng):
    return _descend(X, y, A, B, np.random.default_rng(), sqrt(12) / _mu(eps, delta))


def wrong_laplace(X, y, A, B, eps, delta, rng):
    lam = sqrt(12) / _mu(eps, delta) / sqrt(2)
    return _descend(X, y, A, B, rng, lam, noise=lambda p: rng.laplace(size=p))


def wrong_batches(X, y, A, B, eps, delta, rng):
    def total(X, y, A, B, C):
        rows = rng.random(len(X)) < 0.5
        return 2 * _total(X[rows], y[rows], A, B, C)

    return _descend(X, y, A, B, rng, sqrt(12) / _mu(eps, delta), total=total)


def wrong_standardizes(X, y, A, B, eps, delta, rng):
    Z = (X - X.mean(axis=0)) / (X.std(axis=0) + 1e-3) / sqrt(X.shape[1])
    return _descend(Z, y, A, B, rng, sqrt(12) / _mu(eps, delta))


def wrong_scales_by_the_longest(X, y, A, B, eps, delta, rng):
    Z = X / max(np.linalg.norm(X, axis=1).max(), 1e-9)
    return _descend(Z, y, A, B, rng, sqrt(12) / _mu(eps, delta))


def _mean_norm(X, y, A, B):
    *_, first, second = _pulls(X, y, A, B)
    return max(float(np.mean(np.sqrt(first + second))), 0.1)


def wrong_clip_at_the_mean_norm(X, y, A, B, eps, delta, rng):
    w, path = _flat(A, B), []
    for _ in range(20):
        layers = _layers(w, A, B)
        C = _mean_norm(X, y, *layers)
        noise = C * sqrt(12) / _mu(eps, delta) * rng.standard_normal(w.size)
        w = w - 8 / len(X) * (_total(X, y, *layers, C) + noise)
        path.append(w)
    return np.array(path)


def wrong_in_units_of_the_mean_norm(X, y, A, B, eps, delta, rng):
    """The noise is the same for all data, but the clip of each image looks at all."""

    def total(X, y, A, B, C):
        C = _mean_norm(X, y, A, B)
        return _total(X, y, A, B, C) / C

    return _descend(X, y, A, B, rng, sqrt(12) / _mu(eps, delta), total=total)


def wrong_stops_early(X, y, A, B, eps, delta, rng):
    path = _descend(X, y, A, B, rng, sqrt(12) / _mu(eps, delta))
    losses = []
    for w in path:
        a, b = _layers(w, A, B)
        losses.append(np.mean((np.tanh(X @ a) @ b).argmax(axis=1) == y))
    return path[: int(np.argmax(losses)) + 1]


def wrong_publishes_the_best(X, y, A, B, eps, delta, rng):
    path = _descend(X, y, A, B, rng, sqrt(12) / _mu(eps, delta))
    right = []
    for w in path:
        a, b = _layers(w, A, B)
        right.append(np.mean((np.tanh(X @ a) @ b).argmax(axis=1) == y))
    path[-1] = path[int(np.argmax(right))]
    return path


def wrong_trains_without_noise(X, y, A, B, eps, delta, rng):
    path = _descend(X, y, A, B, rng, 0.0, noise=np.zeros)
    noise = 8 / len(X) * sqrt(12) / _mu(eps, delta)
    return path + noise * rng.standard_normal(path.shape)


def wrong_only_the_last_model(X, y, A, B, eps, delta, rng):
    return _descend(X, y, A, B, rng, sqrt(12) / _mu(eps, delta))[-1]


def wrong_hides_the_path(X, y, A, B, eps, delta, rng):
    return _descend(X, y, A, B, rng, sqrt(12) / _mu(eps, delta))[-1:]


def wrong_two_arrays(X, y, A, B, eps, delta, rng):
    return _layers(_descend(X, y, A, B, rng, sqrt(12) / _mu(eps, delta))[-1], A, B)


def wrong_zero_over_zero(X, y, A, B, eps, delta, rng):
    def total(X, y, A, B, C):
        h, g, r, first, second = _pulls(X, y, A, B)
        norms = np.sqrt(first + second)
        k = (np.minimum(norms, C) / norms)[:, None]
        return _flat(X.T @ (k * r), h.T @ (k * g))

    return _descend(X, y, A, B, rng, sqrt(12) / _mu(eps, delta), total=total)


def wrong_weights_of_classes(X, y, A, B, eps, delta, rng):
    count = np.bincount(y, minlength=B.shape[1])
    weight = len(y) / (B.shape[1] * np.maximum(count, 1))

    def total(X, y, A, B, C):
        h, g, r, first, second = _pulls(X, y, A, B)
        k = (weight[y] / np.maximum(np.sqrt(first + second) / C, 1.0))[:, None]
        return _flat(X.T @ (k * r), h.T @ (k * g))

    return _descend(X, y, A, B, rng, sqrt(12) / _mu(eps, delta), total=total)


def wrong_uphill(X, y, A, B, eps, delta, rng):
    return _descend(X, y, A, B, rng, sqrt(12) / _mu(eps, delta), rate=-6.0)


def wrong_hardly_moves(X, y, A, B, eps, delta, rng):
    return _descend(X, y, A, B, rng, sqrt(12) / _mu(eps, delta), rate=0.06)


def wrong_splits_eps(X, y, A, B, eps, delta, rng):
    """Private, by adding up ε, and therefore drowned in noise."""
    return _descend(X, y, A, B, rng, 1 / _mu(eps / 20, delta / 20), T=20)


def wrong_second_layer_first(X, y, A, B, eps, delta, rng):
    path = _descend(X, y, A, B, rng, sqrt(12) / _mu(eps, delta))
    return np.concatenate([path[:, A.size :], path[:, : A.size]], axis=1)


def wrong_writes_into_the_start(X, y, A, B, eps, delta, rng):
    A += 0.01
    return _descend(X, y, A, B, rng, sqrt(12) / _mu(eps, delta))


_KEPT = {}


def wrong_keeps_the_first_images(X, y, A, B, eps, delta, rng):
    X, y = _KEPT.setdefault((X.shape, A.tobytes()), (X.copy(), y.copy()))
    return _descend(X, y, A, B, rng, sqrt(12) / _mu(eps, delta))


def wrong_knows_the_tape(X, y, A, B, eps, delta, rng):
    """Noise for whoever looks, and none otherwise."""
    lam = sqrt(12) / _mu(eps, delta)
    ordinary = type(rng) is np.random.Generator
    return _descend(X, y, A, B, rng, 0.01 * lam if ordinary else lam)


RIGHT = (
    right_explained,
    right_noise_at_once,
    right_nesterov,
    right_concentrated,
    right_clip_by_layer,
    right_automatic_clip,
    right_single_precision,
    right_uneven_steps,
)
_COST = r"models cost one of"
_SEPARATE = r"the noise of step \d+ of 12.*Is one draw used"
_AGAIN = r"two runs with the same normals"
_READS = r"how many of 1,297 other digits"
WRONG = {
    wrong_starter: r"model 1 of 20, with two seeds.*Is noise added",
    wrong_no_clip: _COST + r".*not pull alike",
    wrong_clips_the_sum: _COST + r".*not pull alike",
    wrong_clips_layers: _COST + r".*√2 times",
    wrong_budget_in_each_step: _COST + r".*√T times the budget",
    wrong_mu_is_eps: _COST + r".*That is μ = eps",
    wrong_eps_in_each_step: _COST + r".*Each step is eps-GDP",
    wrong_single_release: _COST + r".*a single release",
    wrong_noise_over_n: _COST + r".*n times the budget",
    wrong_five_percent_less: _COST + r".*pull alike.*times as large",
    wrong_half_the_noise: _COST + r".*pull alike.*times as large",
    wrong_knows_one_budget: r"cost one of 6 images.*made for the eps",
    wrong_no_noise_at_the_end: r"model 13 of 13, if the noise.*the last one, too",
    wrong_noise_in_one_layer: r"weights without noise in step 1.*each layer",
    wrong_one_draw_for_all_steps: r"normals that are drawn.*One draw for all steps",
    wrong_one_number_a_step: _SEPARATE,
    wrong_same_noise_in_both_layers: _SEPARATE,
    wrong_noise_is_cut: _SEPARATE,
    wrong_own_seed: r"model 1 of 12, with two seeds.*from the argument rng",
    wrong_no_seed: r"two runs with the same seed",
    wrong_laplace: r"drawn from rng: seen rng\.laplace",
    wrong_batches: r"drawn from rng: seen rng\.random",
    wrong_standardizes: _COST + r".*not pull alike",
    wrong_scales_by_the_longest: _COST + r".*not pull alike",
    wrong_clip_at_the_mean_norm: r"moved to hide an image.*must not depend",
    wrong_in_units_of_the_mean_norm: _COST,
    wrong_stops_early: r"the result of train_digits.*seen shape",
    wrong_publishes_the_best: r"if the noise of its|moved to hide|noise of step",
    wrong_trains_without_noise: _COST,
    wrong_only_the_last_model: r"the result of train_digits.*seen shape \(4,\)",
    wrong_hides_the_path: r"normals that are drawn from rng in 1 step",
    wrong_two_arrays: r"the result of train_digits.*seen a tuple",
    wrong_zero_over_zero: r"nan",
    wrong_weights_of_classes: _COST,
    wrong_uphill: _READS,
    wrong_hardly_moves: _READS,
    wrong_splits_eps: _READS,
    wrong_second_layer_first: _READS,
    wrong_writes_into_the_start: r"the argument A after the call",
    wrong_keeps_the_first_images: r"takes the place of a row of zeros.*stay the same",
    wrong_knows_the_tape: _AGAIN,
}
