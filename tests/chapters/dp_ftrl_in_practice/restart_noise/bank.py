"""Answers to ``restart_noise``: right ones, and wrong ones with their messages."""

import numpy as np


def right_loop(B, epochs, sigma, rng):
    left, out = 0.0, []
    for _ in range(epochs):
        b = B @ rng.normal(0.0, sigma, B.shape[1])
        out.append(left + b)
        left = left + b[-1]
    return np.concatenate(out)


def right_all_at_once(B, epochs, sigma, rng):
    z = sigma * rng.standard_normal((epochs, B.shape[1]))
    b = z @ B.T
    last = np.cumsum(b[:, -1]) - b[:, -1]
    return (b + last[:, None]).ravel()


def right_one_matrix(B, epochs, sigma, rng):
    T, m = B.shape
    N = np.kron(np.eye(epochs), B)
    N = N + np.kron(np.tri(epochs, k=-1), np.tile(B[-1], (T, 1)))
    return N @ (sigma * rng.standard_normal(epochs * m))


def right_step_by_step(B, epochs, sigma, rng):
    out = np.zeros(epochs * len(B))
    for e in range(epochs):
        z = [sigma * rng.normal() for _ in range(B.shape[1])]
        for t in range(len(B)):
            own = sum(B[t, k] * z[k] for k in range(B.shape[1]))
            before = out[e * len(B) - 1] if e > 0 else 0.0
            out[e * len(B) + t] = before + own
    return out


def right_other_noise(B, epochs, sigma, rng):
    """No tape can replay it, so it is measured."""
    out, left = [], 0.0
    for _ in range(epochs):
        u, v = 1.0 - rng.random(B.shape[1]), rng.random(B.shape[1])
        z = np.sqrt(-2 * np.log(u)) * np.cos(2 * np.pi * v)
        out.append(left + sigma * B @ z)
        left = out[-1][-1]
    return np.concatenate(out)


def _draws(B, epochs, sigma, rng):
    return [B @ rng.normal(0.0, sigma, B.shape[1]) for _ in range(epochs)]


def wrong_starter(B, epochs, sigma, rng):
    b = B @ rng.normal(0.0, sigma, B.shape[1])
    return np.concatenate([b for _ in range(epochs)])


def wrong_exact_sum(B, epochs, sigma, rng):
    return np.concatenate(_draws(B, epochs, sigma, rng))


def wrong_same_draws(B, epochs, sigma, rng):
    b = B @ rng.normal(0.0, sigma, B.shape[1])
    return np.concatenate([b + e * b[-1] for e in range(epochs)])


def wrong_carries_all(B, epochs, sigma, rng):
    left, out = 0.0, []
    for b in _draws(B, epochs, sigma, rng):
        out.append(left + b)
        left = left + b.sum()
    return np.concatenate(out)


def wrong_carries_the_first(B, epochs, sigma, rng):
    left, out = 0.0, []
    for b in _draws(B, epochs, sigma, rng):
        out.append(left + b)
        left = left + b[0]
    return np.concatenate(out)


def wrong_adds_up_again(B, epochs, sigma, rng):
    return np.cumsum(np.concatenate(_draws(B, epochs, sigma, rng)))


def wrong_only_the_last_pass(B, epochs, sigma, rng):
    left, out = 0.0, []
    for b in _draws(B, epochs, sigma, rng):
        out.append(left + b)
        left = b[-1]
    return np.concatenate(out)


def wrong_variance(B, epochs, sigma, rng):
    return right_loop(B, epochs, sigma**2, rng)


def wrong_three_percent(B, epochs, sigma, rng):
    return 0.97 * right_loop(B, epochs, sigma, rng)


def wrong_opposite_passes(B, epochs, sigma, rng):
    """Antithetic noise: a pass takes the noise of the one before back."""
    z = rng.normal(0.0, sigma, B.shape[1])
    return np.concatenate([(-1) ** e * (B @ z) + e % 2 * (B @ z)[-1]
                           for e in range(epochs)])  # fmt: skip


def wrong_columns(B, epochs, sigma, rng):
    return right_loop(B.T, epochs, sigma, rng)


def wrong_uniform(B, epochs, sigma, rng):
    left, out = 0.0, []
    for _ in range(epochs):
        b = B @ rng.uniform(-(3**0.5) * sigma, 3**0.5 * sigma, B.shape[1])
        out.append(left + b)
        left = left + b[-1]
    return np.concatenate(out)


def wrong_shift(B, epochs, sigma, rng):
    return right_loop(B, epochs, sigma, rng) + 0.1


def wrong_fixed_seed(B, epochs, sigma, rng):
    return right_loop(B, epochs, sigma, np.random.default_rng(0))


def wrong_global(B, epochs, sigma, rng):
    np.random.seed(1)  # noqa: NPY002  (the fault)
    return right_loop(B, epochs, sigma, rng)


def wrong_whole_numbers(B, epochs, sigma, rng):
    out = np.zeros(epochs * len(B), B.dtype)
    out[:] = right_loop(B, epochs, sigma, rng)
    return out


RIGHT = (
    right_loop,
    right_all_at_once,
    right_one_matrix,
    right_step_by_step,
    right_other_noise,
)
WRONG = {
    wrong_starter: r"Every pass has the same noise",
    wrong_exact_sum: r"Nothing is left of the passes before",
    wrong_same_draws: r"All passes share their draws",
    wrong_carries_all: r"the sum of all the noises",
    wrong_carries_the_first: r"the first sum of a pass",
    wrong_adds_up_again: r"added up again",
    wrong_only_the_last_pass: r"Only the pass just before",
    wrong_variance: r"sigma squared",
    wrong_three_percent: r"Follow one draw",
    wrong_opposite_passes: r"Follow one draw",
    wrong_columns: r"B's columns",
    wrong_uniform: r"weighted sum of the uniform numbers",
    wrong_shift: r"centered at 0",
    wrong_fixed_seed: r"the same result three times",
    wrong_global: r"global state of numpy",
    wrong_whole_numbers: r"in arrays of integers.*loses its fraction",
}
