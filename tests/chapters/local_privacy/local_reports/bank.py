"""The bank of ``local_reports``: answers that must pass, and that must not.

WRONG maps each wrong answer to a pattern that its message must match.
"""

import math

import numpy as np


def _cut(V):
    return V / np.maximum(1.0, np.linalg.norm(V, axis=1, keepdims=True))


def _unit(rng, shape):
    z = rng.standard_normal(shape)
    return z / np.linalg.norm(z, axis=1, keepdims=True)


def right_gamma(V, eps, rng):
    n, p = V.shape
    direction = rng.standard_normal((n, p))
    direction = direction / np.linalg.norm(direction, axis=1, keepdims=True)
    cut = V / np.maximum(1.0, np.linalg.norm(V, axis=1, keepdims=True))
    return cut + direction * rng.gamma(p, 2 / eps, size=(n, 1))


def right_loop(V, eps, rng):
    rows = []
    for v in V:
        z = rng.normal(size=len(v))
        length = 2 * rng.standard_gamma(len(v)) / eps
        long = math.sqrt(v @ v)
        rows.append((v / long if long > 1 else v) + length / math.sqrt(z @ z) * z)
    return np.array(rows)


def right_exponentials(V, eps, rng):
    # a gamma variable of whole shape is a sum of exponential ones
    n, p = V.shape
    length = rng.exponential(2 / eps, size=(n, p)).sum(axis=1)
    z = rng.standard_normal((p, n))
    noise = z / np.sqrt((z * z).sum(axis=0)) * length
    norm = np.sqrt((V * V).sum(axis=1))
    return (V.T * np.where(norm > 1, 1 / np.maximum(norm, 1e-9), 1.0) + noise).T


def right_mixture(V, eps, rng):
    # a normal vector whose variance is itself random: gamma, of shape (p + 1)/2
    n, p = V.shape
    variance = rng.gamma((p + 1) / 2, 8 / eps**2, size=n)
    cut = np.array([row / max(1.0, np.linalg.norm(row)) for row in V])
    return cut + np.sqrt(variance)[:, None] * rng.standard_normal((n, p))


def wrong_laplace(V, eps, rng):
    return _cut(V) + rng.laplace(0.0, 2 / eps, size=V.shape)


def wrong_exponential_length(V, eps, rng):
    return _cut(V) + _unit(rng, V.shape) * rng.exponential(2 / eps, (len(V), 1))


def wrong_half_the_scale(V, eps, rng):
    n, p = V.shape
    return _cut(V) + _unit(rng, V.shape) * rng.gamma(p, 1 / eps, (n, 1))


def wrong_twice_the_scale(V, eps, rng):
    n, p = V.shape
    return _cut(V) + _unit(rng, V.shape) * rng.gamma(p, 4 / eps, (n, 1))


def wrong_upside_down(V, eps, rng):
    n, p = V.shape
    return _cut(V) + _unit(rng, V.shape) * rng.gamma(p, eps / 2, (n, 1))


def wrong_direction_too_long(V, eps, rng):
    n, p = V.shape
    return _cut(V) + rng.standard_normal((n, p)) * rng.gamma(p, 2 / eps, (n, 1))


def wrong_direction_from_a_cube(V, eps, rng):
    n, p = V.shape
    z = rng.uniform(-1, 1, size=(n, p))
    z = z / np.linalg.norm(z, axis=1, keepdims=True)
    return _cut(V) + z * rng.gamma(p, 2 / eps, (n, 1))


def wrong_direction_all_positive(V, eps, rng):
    n, p = V.shape
    return _cut(V) + np.abs(_unit(rng, V.shape)) * rng.gamma(p, 2 / eps, (n, 1))


def wrong_normal(V, eps, rng):
    return _cut(V) + rng.normal(0.0, 2 / eps, size=V.shape)


def wrong_right_mean_only(V, eps, rng):
    return _cut(V) + _unit(rng, V.shape) * (2 * V.shape[1] / eps)


def wrong_no_clip(V, eps, rng):
    n, p = V.shape
    return V + _unit(rng, V.shape) * rng.gamma(p, 2 / eps, (n, 1))


def wrong_normalizes(V, eps, rng):
    n, p = V.shape
    norm = np.linalg.norm(V, axis=1, keepdims=True)
    cut = np.divide(V, norm, out=np.zeros_like(V), where=norm > 0)
    return cut + _unit(rng, V.shape) * rng.gamma(p, 2 / eps, (n, 1))


def wrong_clips_entries(V, eps, rng):
    n, p = V.shape
    return np.clip(V, -1, 1) + _unit(rng, V.shape) * rng.gamma(p, 2 / eps, (n, 1))


def wrong_noise_for_the_row(V, eps, rng):
    n, p = V.shape
    norm = np.linalg.norm(_cut(V), axis=1, keepdims=True)
    return _cut(V) + norm * _unit(rng, V.shape) * rng.gamma(p, 2 / eps, (n, 1))


def wrong_one_noise_for_all(V, eps, rng):
    p = V.shape[1]
    return _cut(V) + _unit(rng, (1, p)) * rng.gamma(p, 2 / eps)


def wrong_one_length_for_all(V, eps, rng):
    n, p = V.shape
    return _cut(V) + _unit(rng, (n, p)) * rng.gamma(p, 2 / eps)


def wrong_pairs_share_noise(V, eps, rng):
    n, p = V.shape
    half = (n + 1) // 2
    noise = _unit(rng, (half, p)) * rng.gamma(p, 2 / eps, (half, 1))
    return _cut(V) + np.repeat(noise, 2, axis=0)[:n]


def wrong_fixed_seed(V, eps, rng):
    return right_gamma(V, eps, np.random.default_rng(7))


def wrong_global(V, eps, rng):
    n, p = V.shape
    return _cut(V) + _unit(rng, V.shape) * np.random.gamma(  # noqa: NPY002  (the fault)
        p, 2 / eps, (n, 1)
    )


def wrong_sum(V, eps, rng):
    return right_gamma(V, eps, rng).sum(axis=0)


def wrong_writes_into_the_rows(V, eps, rng):
    V /= np.maximum(1.0, np.linalg.norm(V, axis=1, keepdims=True))
    return right_gamma(V, eps, rng)


def wrong_fixed_directions(V, eps, rng):
    direction = _unit(np.random.default_rng(42), V.shape)
    return _cut(V) + direction * rng.gamma(V.shape[1], 2 / eps, size=(len(V), 1))


def wrong_fixed_lengths(V, eps, rng):
    lengths = np.random.default_rng(42).gamma(V.shape[1], 2 / eps, size=(len(V), 1))
    return _cut(V) + _unit(rng, V.shape) * lengths


def wrong_two_dimensions_at_least(V, eps, rng):
    lengths = rng.gamma(max(V.shape[1], 2), 2 / eps, size=(len(V), 1))
    return _cut(V) + _unit(rng, V.shape) * lengths


def wrong_five_dimensions_at_most(V, eps, rng):
    lengths = rng.gamma(min(V.shape[1], 5), 2 / eps, size=(len(V), 1))
    return _cut(V) + _unit(rng, V.shape) * lengths


def wrong_whole_reports(V, eps, rng):
    out = np.zeros_like(V)
    out[:] = right_gamma(V, eps, rng)
    return out


def wrong_a_little_less(V, eps, rng):
    return right_gamma(V, 1.03 * eps, rng)


def wrong_a_little_more(V, eps, rng):
    return right_gamma(V, 0.97 * eps, rng)


def wrong_noise_adds_up_to_zero(V, eps, rng):
    """Then the sum of all reports is the sum of all rows."""
    noise = right_gamma(0 * V, eps, rng)
    return _cut(V) + noise - noise.mean(axis=0)


def wrong_noise_of_several_adds_up_to_zero(V, eps, rng):
    noise = right_gamma(0 * V, eps, rng)
    return _cut(V) + noise - (noise.mean(axis=0) if len(V) > 1 else 0.0)


def wrong_mirrored_noise(V, eps, rng):
    """Half of the users get the others' noise with the sign turned around."""
    noise = right_gamma(0 * V, eps, rng)
    half = len(V) // 2
    noise[half : 2 * half] = -noise[:half]
    return _cut(V) + noise


def wrong_last_has_noise_of_first(V, eps, rng):
    noise = right_gamma(0 * V, eps, rng)
    noise[-1] = noise[0]
    return _cut(V) + noise


def wrong_few_seeds(V, eps, rng):
    return right_gamma(V, eps, np.random.default_rng(rng.integers(1000)))


def right_in_single_precision(V, eps, rng):
    n, p = V.shape
    z = rng.standard_normal((n, p), dtype=np.float32)
    z[~z.any(axis=1)] = 1.0  # a draw of 0, which single precision has now and then
    length = 2 / eps * rng.standard_gamma(p, size=(n, 1), dtype=np.float32)
    rows = V.astype(np.float32)
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    cut = rows * np.minimum(1, 1 / (norms + np.float32(1e-6)))
    return cut + np.float32(length) * z / np.linalg.norm(z, axis=1, keepdims=True)


def wrong_one_side_for_one_number(V, eps, rng):
    noise = right_gamma(0 * V, eps, rng)
    return _cut(V) + (np.abs(noise) if noise.size == 1 else noise)


def wrong_neighbors_overlap(V, eps, rng):
    n, p = V.shape
    z = rng.standard_normal((n, p))
    z = z + 0.3 * np.roll(z, 1)
    z = z / np.linalg.norm(z, axis=1, keepdims=True)
    return _cut(V) + z * rng.gamma(p, 2 / eps, (n, 1))


RIGHT = (
    right_gamma,
    right_loop,
    right_exponentials,
    right_mixture,
    right_in_single_precision,
)
WRONG = {
    wrong_a_little_less: r"mean length",
    wrong_a_little_more: r"mean length",
    wrong_laplace: r"mean length.*Laplace noise in each entry",
    wrong_exponential_length: r"mean length.*in one dimension",
    wrong_half_the_scale: r"mean length.*up to 2 apart",
    wrong_twice_the_scale: r"mean length.*Twice too long",
    wrong_upside_down: r"mean length.*grows with eps",
    wrong_direction_too_long: r"mean length.*must have norm 1",
    wrong_direction_from_a_cube: r"folded into an eighth.*more likely",
    wrong_direction_all_positive: r"the angle, of the noise's direction",
    wrong_normal: r"mean length.*normal noise",
    wrong_right_mean_only: r"The mean length is right",
    wrong_no_clip: r"Nothing was cut",
    wrong_normalizes: r"Short rows were made longer",
    wrong_clips_entries: r"Each entry is cut by itself",
    wrong_noise_for_the_row: r"A report is the row",
    wrong_one_noise_for_all: r"the same vector for all",
    wrong_one_length_for_all: r"mean length|distribution of the noise's length",
    wrong_pairs_share_noise: r"two users",
    wrong_fixed_seed: r"the same noise twice",
    wrong_global: r"global state of numpy",
    wrong_sum: r"seen shape \(4,\).*of shape \(6, 4\)",
    wrong_writes_into_the_rows: r"argument V after the call",
    wrong_fixed_directions: r"the same directions twice",
    wrong_fixed_lengths: r"the same lengths twice",
    wrong_two_dimensions_at_least: r"noise, \d+ rows, p = 1,.*nearly right for other p",
    wrong_five_dimensions_at_most: r"noise, \d+ rows, p = 400.*right for other p",
    wrong_whole_reports: r"in arrays of integers.*loses its fraction",
    wrong_noise_adds_up_to_zero: r"sign of the report of one user",
    wrong_noise_of_several_adds_up_to_zero: r"the only three users",
    wrong_mirrored_noise: r"the only three users",
    wrong_last_has_noise_of_first: r"the only three users",
    wrong_one_side_for_one_number: r"sign of the report of one user",
    wrong_neighbors_overlap: r"axis, of the noise's direction|the angle, of the noise",
    wrong_few_seeds: r"different results.*a small seed",
}
