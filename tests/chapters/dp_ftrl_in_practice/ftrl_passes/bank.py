"""The bank of ``ftrl_passes``: answers that must pass, and answers that must not.

WRONG maps each wrong answer to a pattern that its message must match.
"""

import numpy as np


def right_plain(X, B, epochs, sigma, reg, gamma, rng):
    T, p = len(B), X.shape[1]
    s = v = np.zeros(p)
    path = [np.zeros(p)]
    for _ in range(epochs):
        b = B @ rng.normal(0.0, sigma, (B.shape[1], p))
        for t, batch in enumerate(np.split(X, T)):
            s = s - batch.T @ (1 / (1 + np.exp(batch @ path[-1])))
            v = gamma * v + s + b[t]
            path.append(-v / reg)
        s = s + b[-1]
    return np.array(path)


def right_heavy_ball(X, B, epochs, sigma, reg, gamma, rng):
    # Steps from model to model, with gradients whose noise is b_t less b_{t-1}
    T, k = B.shape
    z = sigma * rng.standard_normal((epochs, k, X.shape[1]))
    rows, theta = X.shape[0] // T, np.zeros(X.shape[1])
    path, step = [theta], 0.0
    for e in range(epochs):
        before = np.zeros(X.shape[1])
        for t in range(T):
            noise = B[t] @ z[e]
            g = noise - before
            for x in X[t * rows : (t + 1) * rows]:
                g = g - x / (1 + np.exp(x @ theta))
            step, before = gamma * step - g / reg, noise
            theta = theta + step
            path.append(theta)
    return np.stack(path)


def right_vectorised(X, B, epochs, sigma, reg, gamma, rng):
    # Gradients and noise apart: the noise of all sums is known beforehand
    (T, k), p = B.shape, X.shape[1]
    b = np.stack([B @ (sigma * rng.standard_normal((k, p))) for _ in range(epochs)])
    left = np.cumsum(b[:, -1], axis=0) - b[:, -1]
    b = (b + left[:, None]).reshape(epochs * T, p)
    batches = X.reshape(T, -1, p)
    out, s, v = np.zeros((epochs * T + 1, p)), np.zeros(p), np.zeros(p)
    for t in range(epochs * T):
        x = batches[t % T]
        s = s - np.sum(x / (1 + np.exp(x @ out[t]))[:, None], axis=0)
        v = gamma * v + s + b[t]
        out[t + 1] = v / -reg
    return out


def right_streaming(X, B, epochs, sigma, reg, gamma, rng):
    # v is a sum of all noisy sums so far, the older the less
    T, k = B.shape
    p, exact, shown, path = X.shape[1], 0.0, [], []
    for step in range(epochs * T + 1):
        v = sum(gamma**age * s for age, s in enumerate(reversed(shown)))
        path.append(-v / reg + np.zeros(p))
        if step % T == 0:
            exact = shown[-1] if shown else np.zeros(p)
            z = np.array([[rng.normal() for _ in range(p)] for _ in range(k)])
        x = X[step % T * len(X) // T : (step % T + 1) * len(X) // T]
        exact = exact - x.T @ (0.5 - 0.5 * np.tanh(x @ path[-1] / 2))
        shown.append(exact + sigma * (B[step % T] @ z))
    return np.array(path)


def right_other_noise(X, B, epochs, sigma, reg, gamma, rng):
    # Box and Muller: no tape can replay it, so it is measured
    T, p = len(B), X.shape[1]
    s, v, path = np.zeros(p), np.zeros(p), [np.zeros(p)]
    for _ in range(epochs):
        u, w = 1.0 - rng.random((B.shape[1], p)), rng.random((B.shape[1], p))
        b = sigma * B @ (np.sqrt(-2 * np.log(u)) * np.cos(2 * np.pi * w))
        for t, batch in enumerate(np.split(X, T)):
            s = s - batch.T @ (1 / (1 + np.exp(batch @ path[-1])))
            v = gamma * v + s + b[t]
            path.append(-v / reg)
        s = s + b[-1]
    return np.array(path)


def _gradient(theta, batch):
    return -batch.T @ (1 / (1 + np.exp(batch @ theta)))


def _passes(
    X, B, epochs, sigma, reg, gamma, rng, gradient=_gradient,
    draw=lambda B, shape, rng: B @ rng.standard_normal(shape),
    hand_on=lambda s, v, b: (s + b, v),
):  # fmt: skip
    p = X.shape[1]
    s, v, path = np.zeros(p), np.zeros(p), [np.zeros(p)]
    for _ in range(epochs):
        b = sigma * draw(B, (B.shape[1], p), rng)
        for batch, noise in zip(np.split(X, len(B)), b, strict=True):
            s = s + gradient(path[-1], batch)
            v = gamma * v + s + noise
            path.append(-v / reg)
        s, v = hand_on(s, v, b[-1])
    return np.array(path)


def wrong_exact_sum(X, B, epochs, sigma, reg, gamma, rng):
    def exact(s, v, b):
        return (s, v)

    return _passes(X, B, epochs, sigma, reg, gamma, rng, hand_on=exact)


def wrong_one_z_for_all(X, B, epochs, sigma, reg, gamma, rng):
    z = rng.standard_normal((B.shape[1], X.shape[1]))

    def one(B, shape, rng):
        return B @ z

    return _passes(X, B, epochs, sigma, reg, gamma, rng, draw=one)


def wrong_noise_on_each_sum(X, B, epochs, sigma, reg, gamma, rng):
    def alone(B, shape, rng):
        return rng.standard_normal((len(B), shape[1]))

    return _passes(X, B, epochs, sigma, reg, gamma, rng, draw=alone)


def wrong_noise_on_each_gradient(X, B, epochs, sigma, reg, gamma, rng):
    p = X.shape[1]
    s, v, path = np.zeros(p), np.zeros(p), [np.zeros(p)]
    for _ in range(epochs):
        for batch in np.split(X, len(B)):
            s = s + _gradient(path[-1], batch) + sigma * rng.standard_normal(p)
            v = gamma * v + s
            path.append(-v / reg)
    return np.array(path)


def wrong_z_for_each_step(X, B, epochs, sigma, reg, gamma, rng):
    def draw(B, shape, rng):
        return np.array([row @ rng.standard_normal(shape) for row in B])

    return _passes(X, B, epochs, sigma, reg, gamma, rng, draw=draw)


def wrong_noise_kept_in_the_sum(X, B, epochs, sigma, reg, gamma, rng):
    p = X.shape[1]
    s, v, path = np.zeros(p), np.zeros(p), [np.zeros(p)]
    for _ in range(epochs):
        b = sigma * B @ rng.standard_normal((B.shape[1], p))
        for t, batch in enumerate(np.split(X, len(B))):
            s = s + _gradient(path[-1], batch) + b[t]
            v = gamma * v + s
            path.append(-v / reg)
    return np.array(path)


def wrong_noise_added_up(X, B, epochs, sigma, reg, gamma, rng):
    def draw(B, shape, rng):
        return np.cumsum(B @ rng.standard_normal(shape), axis=0)

    return _passes(X, B, epochs, sigma, reg, gamma, rng, draw=draw)


def _noise_last(X, B, epochs, sigma, reg, gamma, rng, publish):
    p = X.shape[1]
    s, v, path = np.zeros(p), np.zeros(p), [np.zeros(p)]
    for _ in range(epochs):
        b = sigma * B @ rng.standard_normal((B.shape[1], p))
        for t, batch in enumerate(np.split(X, len(B))):
            s = s + _gradient(path[-1], batch)
            v = gamma * v + s
            path.append(publish(v, b[t]))
    return np.array(path)


def wrong_noise_on_models(X, B, epochs, sigma, reg, gamma, rng):
    def publish(v, b):
        return -v / reg + b

    return _noise_last(X, B, epochs, sigma, reg, gamma, rng, publish)


def wrong_noise_after_momentum(X, B, epochs, sigma, reg, gamma, rng):
    def publish(v, b):
        return -(v + b) / reg

    return _noise_last(X, B, epochs, sigma, reg, gamma, rng, publish)


def wrong_noise_not_divided(X, B, epochs, sigma, reg, gamma, rng):
    return _passes(X, B, epochs, sigma * reg, reg, gamma, rng)


def wrong_handed_on_twice(X, B, epochs, sigma, reg, gamma, rng):
    def twice(s, v, b):
        return (s + 2 * b, v)

    return _passes(X, B, epochs, sigma, reg, gamma, rng, hand_on=twice)


def wrong_last_noise_only(X, B, epochs, sigma, reg, gamma, rng):
    p = X.shape[1]
    s, v, path, last = np.zeros(p), np.zeros(p), [np.zeros(p)], np.zeros(p)
    for _ in range(epochs):
        b = sigma * B @ rng.standard_normal((B.shape[1], p))
        for t, batch in enumerate(np.split(X, len(B))):
            s = s + _gradient(path[-1], batch)
            v = gamma * v + s + last + b[t]
            path.append(-v / reg)
        last = b[-1]
    return np.array(path)


def wrong_transposed(X, B, epochs, sigma, reg, gamma, rng):
    def turned(B, shape, rng):
        return B.T @ rng.standard_normal(shape)

    return _passes(X, B, epochs, sigma, reg, gamma, rng, draw=turned)


def wrong_as_many_draws_as_steps(X, B, epochs, sigma, reg, gamma, rng):
    def draw(B, shape, rng):
        return B @ rng.standard_normal((len(B), shape[1]))

    return _passes(X, B, epochs, sigma, reg, gamma, rng, draw=draw)


def wrong_scalar_noise(X, B, epochs, sigma, reg, gamma, rng):
    def draw(B, shape, rng):
        return (B @ rng.standard_normal(shape[0]))[:, None]

    return _passes(X, B, epochs, sigma, reg, gamma, rng, draw=draw)


def wrong_variance(X, B, epochs, sigma, reg, gamma, rng):
    return _passes(X, B, epochs, sigma**2, reg, gamma, rng)


def wrong_off_center(X, B, epochs, sigma, reg, gamma, rng):
    def draw(B, shape, rng):
        return B @ rng.normal(1.0, 1.0, shape)

    return _passes(X, B, epochs, sigma, reg, gamma, rng, draw=draw)


def wrong_linked_coordinates(X, B, epochs, sigma, reg, gamma, rng):
    def draw(B, shape, rng):
        z = rng.standard_normal((shape[0], shape[1] + 1))
        return B @ (z[:, 1:] + z[:, :-1]) / 2**0.5

    return _passes(X, B, epochs, sigma, reg, gamma, rng, draw=draw)


def wrong_noise_grows(X, B, epochs, sigma, reg, gamma, rng):
    return _passes(X, B, epochs, sigma * epochs**0.5, reg, gamma, rng)


def wrong_models_without_noise(X, B, epochs, sigma, reg, gamma, rng):
    hidden = _passes(X, B, epochs, 0.0, reg, gamma, np.random.default_rng(0))
    return hidden + _passes(0 * X, B, epochs, sigma, reg, gamma, rng)


def wrong_noise_by_the_data(X, B, epochs, sigma, reg, gamma, rng):
    longest = np.linalg.norm(X, axis=1).max() or 1.0
    return _passes(X, B, epochs, sigma * longest, reg, gamma, rng)


def wrong_climbs(X, B, epochs, sigma, reg, gamma, rng):
    def up(theta, batch):
        return -_gradient(theta, batch)

    return _passes(X, B, epochs, sigma, reg, gamma, rng, gradient=up)


def wrong_flipped(X, B, epochs, sigma, reg, gamma, rng):
    def other(theta, batch):
        return _gradient(-theta, batch)

    return _passes(X, B, epochs, sigma, reg, gamma, rng, gradient=other)


def wrong_at_zero(X, B, epochs, sigma, reg, gamma, rng):
    def frozen(theta, batch):
        return _gradient(0 * theta, batch)

    return _passes(X, B, epochs, sigma, reg, gamma, rng, gradient=frozen)


def wrong_one_model_late(X, B, epochs, sigma, reg, gamma, rng):
    seen = []

    def late(theta, batch):
        seen.append(theta)
        return _gradient(seen[max(len(seen) - 2, 0)], batch)

    return _passes(X, B, epochs, sigma, reg, gamma, rng, gradient=late)


def wrong_model_of_the_pass(X, B, epochs, sigma, reg, gamma, rng):
    seen = []

    def at_the_start(theta, batch):
        seen.append(theta)
        return _gradient(seen[(len(seen) - 1) // len(B) * len(B)], batch)

    return _passes(X, B, epochs, sigma, reg, gamma, rng, gradient=at_the_start)


def wrong_mean_of_the_batch(X, B, epochs, sigma, reg, gamma, rng):
    def mean(theta, batch):
        return _gradient(theta, batch) / len(batch)

    return _passes(X, B, epochs, sigma, reg, gamma, rng, gradient=mean)


def wrong_mean_over_all(X, B, epochs, sigma, reg, gamma, rng):
    def mean(theta, batch):
        return _gradient(theta, batch) / len(X)

    return _passes(X, B, epochs, sigma, reg, gamma, rng, gradient=mean)


def wrong_all_records(X, B, epochs, sigma, reg, gamma, rng):
    def full(theta, batch):
        return _gradient(theta, X)

    return _passes(X, B, epochs, sigma, reg, gamma, rng, gradient=full)


def wrong_rows_apart(X, B, epochs, sigma, reg, gamma, rng):
    T = len(B)
    apart = np.concatenate([X[t::T] for t in range(T)])
    return _passes(apart, B, epochs, sigma, reg, gamma, rng)


def wrong_shuffles(X, B, epochs, sigma, reg, gamma, rng):
    return _passes(rng.permutation(X), B, epochs, sigma, reg, gamma, rng)


def wrong_reg_multiplies(X, B, epochs, sigma, reg, gamma, rng):
    return _passes(X, B, epochs, sigma, 1 / reg, gamma, rng)


def wrong_last_gradients(X, B, epochs, sigma, reg, gamma, rng):
    p = X.shape[1]
    v, path = np.zeros(p), [np.zeros(p)]
    for _ in range(epochs):
        b = sigma * B @ rng.standard_normal((B.shape[1], p))
        for t, batch in enumerate(np.split(X, len(B))):
            v = gamma * v + _gradient(path[-1], batch) + b[t]
            path.append(-v / reg)
    return np.array(path)


def wrong_no_momentum(X, B, epochs, sigma, reg, gamma, rng):
    return _passes(X, B, epochs, sigma, reg, 0.0, rng)


def wrong_running_mean(X, B, epochs, sigma, reg, gamma, rng):
    return _passes(X, B, epochs, sigma, reg / (1 - gamma), gamma, rng)


def wrong_momentum_twice(X, B, epochs, sigma, reg, gamma, rng):
    p = X.shape[1]
    s, v, path = np.zeros(p), np.zeros(p), [np.zeros(p)]
    for _ in range(epochs):
        b = sigma * B @ rng.standard_normal((B.shape[1], p))
        for t, batch in enumerate(np.split(X, len(B))):
            s = s + _gradient(path[-1], batch)
            v = gamma * v + s + b[t]
            drift = path[-1] - path[-2] if len(path) > 1 else 0.0
            path.append(-v / reg + gamma * drift)
        s = s + b[-1]
    return np.array(path)


def wrong_forgets_the_sum(X, B, epochs, sigma, reg, gamma, rng):
    def anew(s, v, b):
        return (0 * s, v)

    return _passes(X, B, epochs, sigma, reg, gamma, rng, hand_on=anew)


def wrong_forgets_momentum(X, B, epochs, sigma, reg, gamma, rng):
    def anew(s, v, b):
        return (s + b, 0 * v)

    return _passes(X, B, epochs, sigma, reg, gamma, rng, hand_on=anew)


def wrong_begins_anew(X, B, epochs, sigma, reg, gamma, rng):
    def anew(s, v, b):
        return (0 * s, 0 * v)

    return _passes(X, B, epochs, sigma, reg, gamma, rng, hand_on=anew)


def wrong_one_pass(X, B, epochs, sigma, reg, gamma, rng):
    return _passes(X, B, 1, sigma, reg, gamma, rng)


def wrong_first_model_missing(X, B, epochs, sigma, reg, gamma, rng):
    return right_plain(X, B, epochs, sigma, reg, gamma, rng)[1:]


def wrong_peeks(X, B, epochs, sigma, reg, gamma, rng):
    # "the model of batch t is the one that has seen batch t"
    path = right_plain(X, B, epochs, sigma, reg, gamma, rng)
    return np.vstack([path[1:], path[-1:]])


def wrong_average(X, B, epochs, sigma, reg, gamma, rng):
    return right_plain(X, B, epochs, sigma, reg, gamma, rng)[:-1].mean(axis=0)


def wrong_no_noise(X, B, epochs, sigma, reg, gamma, rng):
    return _passes(X, B, epochs, 0.0, reg, gamma, rng)


def wrong_fixed_seed(X, B, epochs, sigma, reg, gamma, rng):
    return _passes(X, B, epochs, sigma, reg, gamma, np.random.default_rng(0))


def wrong_whole_numbers(X, B, epochs, sigma, reg, gamma, rng):
    out = np.zeros((epochs * len(B) + 1, X.shape[1]), dtype=X.dtype)
    out[:] = right_plain(X, B, epochs, sigma, reg, gamma, rng)
    return out


def wrong_cuts_scores(X, B, epochs, sigma, reg, gamma, rng):
    T, p = len(B), X.shape[1]
    s = v = np.zeros(p)
    path = [np.zeros(p)]
    for _ in range(epochs):
        b = B @ rng.normal(0.0, sigma, (B.shape[1], p))
        for t, batch in enumerate(np.split(X, T)):
            s = s - batch.T @ (1 / (1 + np.exp(np.clip(batch @ path[-1], -2, 2))))
            v = gamma * v + s + b[t]
            path.append(-v / reg)
        s = s + b[-1]
    return np.array(path)


def wrong_third_column_repeats(X, B, epochs, sigma, reg, gamma, rng):
    T, p = len(B), X.shape[1]
    s = v = np.zeros(p)
    path = [np.zeros(p)]
    for _ in range(epochs):
        z = rng.normal(0.0, sigma, (B.shape[1], p))
        z[:, 2:] = z[:, :1]
        for row, batch in zip(B, np.split(X, T), strict=True):
            s = s - batch.T @ (1 / (1 + np.exp(batch @ path[-1])))
            v = gamma * v + s + row @ z
            path.append(-v / reg)
        s = s + B[-1] @ z
    return np.array(path)


def wrong_few_seeds(X, B, epochs, sigma, reg, gamma, rng):
    few = np.random.default_rng(rng.integers(1000))
    return right_plain(X, B, epochs, sigma, reg, gamma, few)


RIGHT = (
    right_plain,
    right_heavy_ball,
    right_vectorised,
    right_streaming,
    right_other_noise,
)
WRONG = {
    wrong_few_seeds: r"different results.*a small seed",
    wrong_exact_sum: r"privacy of a record.*released a second time",
    wrong_one_z_for_all: r"privacy of a record.*seen μ = inf.*One z is used in all",
    wrong_noise_on_each_sum: r"Follow one draw",
    wrong_noise_on_each_gradient: r"as in DP-SGD",
    wrong_z_for_each_step: r"nothing in common",
    wrong_noise_kept_in_the_sum: r"Follow one draw",
    wrong_noise_added_up: r"Follow one draw",
    wrong_last_noise_only: r"Follow one draw",
    wrong_noise_on_models: r"put on the models",
    wrong_noise_after_momentum: r"Follow one draw",
    wrong_noise_not_divided: r"Follow one draw",
    wrong_handed_on_twice: r"Follow one draw",
    wrong_transposed: r"matmul",
    wrong_as_many_draws_as_steps: r"matmul",
    wrong_scalar_noise: r"All coordinates share one draw",
    wrong_variance: r"sigma squared",
    wrong_off_center: r"when all draws are 0.*centered at 0",
    wrong_linked_coordinates: r"two of them share a draw",
    wrong_noise_grows: r"Follow one draw",
    wrong_models_without_noise: r"models without noise",
    wrong_noise_by_the_data: r"Records of zeros get other noise at",
    wrong_climbs: r"It goes uphill",
    wrong_flipped: r"Write down s",
    wrong_at_zero: r"Write down s",
    wrong_one_model_late: r"one model too late",
    wrong_model_of_the_pass: r"Write down s",
    wrong_mean_of_the_batch: r"mean of a batch",
    wrong_mean_over_all: r"Write down s",
    wrong_all_records: r"Write down s",
    wrong_rows_apart: r"Write down s",
    wrong_shuffles: r"order of the records drawn",
    wrong_reg_multiplies: r"Write down s",
    wrong_last_gradients: r"Write down s",
    wrong_no_momentum: r"The momentum is missing",
    wrong_running_mean: r"Write down s",
    wrong_momentum_twice: r"Write down s",
    wrong_forgets_the_sum: r"begins with s = 0",
    wrong_forgets_momentum: r"Write down s",
    wrong_begins_anew: r"Write down s",
    wrong_one_pass: r"of shape \(10, 2\)",
    wrong_first_model_missing: r"of shape \(4, 2\)",
    wrong_peeks: r"Write down s",
    wrong_average: r"of shape \(4, 2\)",
    wrong_no_noise: r"same result three times",
    wrong_fixed_seed: r"same result three times",
    wrong_whole_numbers: r"X holds integers",
    wrong_cuts_scores: r"Is one cut off",
    wrong_third_column_repeats: r"privacy.*μ = inf.*share a draw",
}
