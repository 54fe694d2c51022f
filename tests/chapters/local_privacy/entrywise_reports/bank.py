"""Answers to ``entrywise_reports``: right ones, and wrong ones with their messages."""

import numpy as np


def _cut(V):
    return V / np.maximum(1.0, np.linalg.norm(V, axis=1, keepdims=True))


def _sent(V, rng, scale):
    return _cut(V) + rng.laplace(0.0, scale, size=V.shape)


def right_vectorized(V, eps, rng):
    p = V.shape[1]
    cut = V / np.maximum(1.0, np.linalg.norm(V, axis=1, keepdims=True))
    return cut + rng.laplace(0.0, 2 * np.sqrt(p) / eps, size=V.shape)


def right_loop(V, eps, rng):
    out = []
    for v in V:
        norm = np.sqrt(v @ v)
        v = v / norm if norm > 1 else v
        out.append([x + rng.laplace(scale=2 * len(v) ** 0.5 / eps) for x in v])
    return np.array(out)


def right_two_exponentials(V, eps, rng):
    # the difference of two exponential numbers has a Laplace distribution
    n, p = V.shape
    up, down = rng.exponential(2 * p**0.5 / eps, size=(2, n, p))
    norm = np.sqrt((V**2).sum(axis=1, keepdims=True))
    return np.where(norm > 1, V / np.maximum(norm, 1e-9), V) + up - down


def right_inverse(V, eps, rng):
    n, p = V.shape
    u = rng.uniform(-0.5, 0.5, size=(n, p))
    z = -np.sign(u) * np.log1p(-2 * np.abs(u))
    norms = np.sqrt(np.einsum("ij,ij->i", V, V))
    return V / norms.clip(1.0)[:, None] + 2 * np.sqrt(p) / eps * z


def wrong_one_side_for_one_number(V, eps, rng):
    noise = rng.laplace(0.0, 2 * V.shape[1] ** 0.5 / eps, size=V.shape)
    return _cut(V) + (np.abs(noise) if noise.size == 1 else noise)


def wrong_starter(V, eps, rng):
    return np.clip(V, -1, 1) + rng.laplace(0.0, 2 / eps, size=V.shape)


def wrong_scale_kept(V, eps, rng):
    return _sent(V, rng, 2 / eps)


def wrong_half(V, eps, rng):
    return _sent(V, rng, V.shape[1] ** 0.5 / eps)


def wrong_dimension(V, eps, rng):
    return _sent(V, rng, 2 * V.shape[1] / eps)


def wrong_one_over_eps(V, eps, rng):
    return _sent(V, rng, 1 / eps)


def wrong_upside_down(V, eps, rng):
    return _sent(V, rng, 2 * V.shape[1] ** 0.5 * eps)


def wrong_deviation(V, eps, rng):
    return _sent(V, rng, 2 * V.shape[1] ** 0.5 / eps / 2**0.5)


def wrong_half_the_dimension(V, eps, rng):
    return _sent(V, rng, V.shape[1] / eps)


def wrong_three_percent(V, eps, rng):
    return _sent(V, rng, 0.93 * 2 * V.shape[1] ** 0.5 / eps)


def wrong_no_cut(V, eps, rng):
    return V + rng.laplace(0.0, 2 * V.shape[1] ** 0.5 / eps, size=V.shape)


def wrong_cuts_entries(V, eps, rng):
    return np.clip(V, -1, 1) + rng.laplace(0.0, 2 * V.shape[1] ** 0.5 / eps, V.shape)


def wrong_normalizes(V, eps, rng):
    norm = np.linalg.norm(V, axis=1, keepdims=True)
    cut = V / np.where(norm > 0, norm, 1)
    return cut + rng.laplace(0.0, 2 * V.shape[1] ** 0.5 / eps, V.shape)


def wrong_cuts_by_the_sum(V, eps, rng):
    cut = V / np.maximum(1, np.abs(V).sum(axis=1, keepdims=True))
    return cut + rng.laplace(0.0, 2 * V.shape[1] ** 0.5 / eps, V.shape)


def wrong_scale_of_the_rows(V, eps, rng):
    largest = np.abs(_cut(V)).sum(axis=1).max()
    return _sent(V, rng, 2 * max(largest, 1e-9) / eps)


def wrong_normal(V, eps, rng):
    return _cut(V) + rng.normal(0, 2 * V.shape[1] ** 0.5 / eps, V.shape) / 0.79788


def wrong_one_for_a_user(V, eps, rng):
    return _cut(V) + rng.laplace(0.0, 2 * V.shape[1] ** 0.5 / eps, (len(V), 1))


def wrong_one_for_all(V, eps, rng):
    return _cut(V) + rng.laplace(0.0, 2 * V.shape[1] ** 0.5 / eps, V.shape[1])


def wrong_pairs(V, eps, rng):
    n, p = V.shape
    z = rng.laplace(0.0, 2 * p**0.5 / eps, ((n + 1) // 2, p))
    return _cut(V) + np.concatenate([z, -z], axis=1).reshape(-1, p)[:n]


def wrong_fixed_seed(V, eps, rng):
    return right_vectorized(V, eps, np.random.default_rng(3))


def wrong_writes(V, eps, rng):
    V /= np.maximum(1.0, np.linalg.norm(V, axis=1, keepdims=True))
    return right_vectorized(V, eps, rng)


def wrong_fixed_signs(V, eps, rng):
    signs = np.random.default_rng(7).choice([-1.0, 1.0], size=V.shape)
    sizes = rng.exponential(2 * np.sqrt(V.shape[1]) / eps, size=V.shape)
    return _cut(V) + signs * sizes


def wrong_fixed_sizes(V, eps, rng):
    sizes = np.random.default_rng(7).exponential(size=V.shape)
    signs = rng.choice([-1.0, 1.0], size=V.shape)
    return _cut(V) + 2 * np.sqrt(V.shape[1]) / eps * signs * sizes


def wrong_whole_reports(V, eps, rng):
    out = np.zeros_like(V)
    out[:] = right_vectorized(V, eps, rng)
    return out


def wrong_a_little_less(V, eps, rng):
    return right_vectorized(V, 1.03 * eps, rng)


def wrong_a_little_more(V, eps, rng):
    return right_vectorized(V, 0.97 * eps, rng)


def wrong_noise_adds_up_to_zero(V, eps, rng):
    """Then the sum of all reports is the sum of all rows."""
    noise = right_vectorized(0 * V, eps, rng)
    return _cut(V) + noise - noise.mean(axis=0)


def wrong_mirrored_noise(V, eps, rng):
    """Half of the users get the others' noise with the sign turned around."""
    noise = right_vectorized(0 * V, eps, rng)
    half = len(V) // 2
    noise[half : 2 * half] = -noise[:half]
    return _cut(V) + noise


def wrong_last_has_noise_of_first(V, eps, rng):
    noise = right_vectorized(0 * V, eps, rng)
    noise[-1] = noise[0]
    return _cut(V) + noise


def wrong_few_seeds(V, eps, rng):
    return right_vectorized(V, eps, np.random.default_rng(rng.integers(1000)))


def right_in_single_precision(V, eps, rng):
    rows = V.astype(np.float32)
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    cut = rows * np.minimum(1, 1 / (norms + np.float32(1e-6)))
    noise = rng.laplace(0.0, 2 * np.sqrt(V.shape[1]) / eps, size=V.shape)
    return cut + noise.astype(np.float32)


def wrong_cut_noise(V, eps, rng):
    scale = 2 * V.shape[1] ** 0.5 / eps
    return _cut(V) + np.clip(rng.laplace(0, scale, V.shape), -8 * scale, 8 * scale)


def wrong_draws_again(V, eps, rng):
    scale = 2 * V.shape[1] ** 0.5 / eps
    z = rng.laplace(0, scale, V.shape)
    while (far := np.abs(z) > 9 * scale).any():
        z[far] = rng.laplace(0, scale, far.sum())
    return _cut(V) + z


RIGHT = (
    right_vectorized,
    right_loop,
    right_two_exponentials,
    right_inverse,
    right_in_single_precision,
)
WRONG = {
    wrong_one_side_for_one_number: r"sign of the report of one user",
    wrong_a_little_less: r"mean size",
    wrong_a_little_more: r"mean size",
    wrong_starter: r"cut by itself",
    wrong_scale_kept: r"mean size.*the scale 2/ε",
    wrong_half: r"mean size.*Two opposite rows",
    wrong_dimension: r"mean size.*more than is needed",
    wrong_one_over_eps: r"mean size.*That is 1/ε",
    wrong_upside_down: r"mean size.*grows with eps",
    wrong_deviation: r"mean size.*takes a scale",
    wrong_half_the_dimension: r"mean size.*That is p/ε",
    wrong_three_percent: r"mean size.*farthest apart",
    wrong_no_cut: r"Nothing was cut",
    wrong_cuts_entries: r"cut by itself",
    wrong_normalizes: r"Short rows were made longer",
    wrong_cuts_by_the_sum: r"by the sum of their entries",
    wrong_scale_of_the_rows: r"plus noise that does not depend",
    wrong_normal: r"is it Laplace noise",
    wrong_one_for_a_user: r"used several times",
    wrong_one_for_all: r"used several times",
    wrong_pairs: r"draw of its own",
    wrong_fixed_seed: r"the same noise twice",
    wrong_writes: r"argument V after the call",
    wrong_fixed_signs: r"the same signs twice",
    wrong_fixed_sizes: r"the same sizes twice",
    wrong_whole_reports: r"in arrays of integers.*loses its fraction",
    wrong_noise_adds_up_to_zero: r"the only three users",
    wrong_mirrored_noise: r"the only three users",
    wrong_last_has_noise_of_first: r"the only three users",
    wrong_few_seeds: r"different results.*a small seed",
    wrong_cut_noise: r"50 scales from 0.*Is the noise cut",
    wrong_draws_again: r"50 scales from 0.*drawn again",
}
