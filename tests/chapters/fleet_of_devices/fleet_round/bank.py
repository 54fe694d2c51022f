"""Answers to ``fleet_round``: right ones, and wrong ones with their messages."""

import numpy as np


def right_rows(theta, V, arrived, m, L, sigma, eta, rng):
    came = V[arrived]
    came = came[np.isfinite(came).all(axis=1)]
    norms = np.linalg.norm(came, axis=1, keepdims=True)
    total = (came / np.maximum(norms / L, 1.0)).sum(axis=0)
    return theta + eta / m * (total + rng.normal(0.0, L * sigma, theta.shape))


def right_loop(theta, V, arrived, m, L, sigma, eta, rng):
    total = np.zeros(len(theta))
    for v, here in zip(V, arrived, strict=True):
        norm = np.sqrt(v @ v)
        if here and np.isfinite(norm):
            total = total + v * (L / norm if norm > L else 1.0)
    for j in range(len(theta)):
        total[j] += L * sigma * rng.standard_normal()
    return theta + eta * total / m


def right_weights(theta, V, arrived, m, L, sigma, eta, rng):
    good = arrived & np.isfinite(V).all(axis=1)
    V = np.where(good[:, None], V, 0.0)
    w = L / np.maximum(np.sqrt(np.einsum("ij,ij->i", V, V)), L)
    return theta + (eta / m) * (w @ V + L * sigma * rng.normal(size=theta.shape))


def right_list(theta, V, arrived, m, L, sigma, eta, rng):
    out = [rng.normal(0.0, L * sigma, theta.shape)]
    for u in np.flatnonzero(arrived):
        if not np.all(np.isfinite(V[u])):
            continue
        norm = np.linalg.norm(V[u])
        out.append(V[u] if norm <= L else V[u] * (L / norm))
    return theta + (eta / m) * np.sum(out, axis=0)


def _cut(V, L):
    return V / np.maximum(np.linalg.norm(V, axis=1, keepdims=True) / L, 1.0)


def _sum(V, arrived, L):
    return _cut(V[arrived & np.isfinite(V).all(axis=1)], L).sum(axis=0)


def wrong_starter(theta, V, arrived, m, L, sigma, eta, rng):
    came = V[arrived]
    if len(came) == 0:
        return theta
    norms = np.linalg.norm(came, axis=1, keepdims=True)
    total = (came * L / norms).sum(axis=0)
    noise = rng.normal(0.0, L * sigma, len(theta))
    return theta + eta * (total + noise) / len(came)


def wrong_divides_by_arrived(theta, V, arrived, m, L, sigma, eta, rng):
    total = _sum(V, arrived, L) + rng.normal(0, L * sigma, len(theta))
    return theta + eta * total / max(arrived.sum(), 1)


def wrong_divides_by_admitted(theta, V, arrived, m, L, sigma, eta, rng):
    total = _sum(V, arrived, L) + rng.normal(0, L * sigma, len(theta))
    return theta + eta * total / max(len(V), 1)


def wrong_normalizes(theta, V, arrived, m, L, sigma, eta, rng):
    came = V[arrived & np.isfinite(V).all(axis=1)]
    total = (L * came / np.linalg.norm(came, axis=1, keepdims=True)).sum(axis=0)
    return theta + eta * (total + rng.normal(0, L * sigma, len(theta))) / m


def wrong_counts_dropouts(theta, V, arrived, m, L, sigma, eta, rng):
    total = _sum(V, arrived | True, L)
    return theta + eta * (total + rng.normal(0, L * sigma, len(theta))) / m


def wrong_no_clip(theta, V, arrived, m, L, sigma, eta, rng):
    total = V[arrived].sum(axis=0)
    return theta + eta * (total + rng.normal(0, L * sigma, len(theta))) / m


def wrong_clips_the_sum(theta, V, arrived, m, L, sigma, eta, rng):
    total = _cut(V[arrived].sum(axis=0, keepdims=True), L)[0]
    return theta + eta * (total + rng.normal(0, L * sigma, len(theta))) / m


def wrong_clips_entries(theta, V, arrived, m, L, sigma, eta, rng):
    total = np.clip(V[arrived], -L, L).sum(axis=0)
    return theta + eta * (total + rng.normal(0, L * sigma, len(theta))) / m


def wrong_downhill(theta, V, arrived, m, L, sigma, eta, rng):
    total = _sum(V, arrived, L) + rng.normal(0, L * sigma, len(theta))
    return theta - eta * total / m


def wrong_lets_nan_through(theta, V, arrived, m, L, sigma, eta, rng):
    total = _cut(V[arrived], L).sum(axis=0)
    return theta + eta * (total + rng.normal(0, L * sigma, len(theta))) / m


def wrong_zeroes_entries(theta, V, arrived, m, L, sigma, eta, rng):
    V = np.where(np.isfinite(V), V, 0.0)
    total = _cut(V[arrived], L).sum(axis=0)
    return theta + eta * (total + rng.normal(0, L * sigma, len(theta))) / m


def wrong_skips_empty_rounds(theta, V, arrived, m, L, sigma, eta, rng):
    if not arrived.any():
        return theta
    return right_rows(theta, V, arrived, m, L, sigma, eta, rng)


def wrong_noise_by_count(theta, V, arrived, m, L, sigma, eta, rng):
    share = max(arrived.sum(), 1) / m
    z = rng.normal(0, L * sigma * share, len(theta))
    return theta + eta * (_sum(V, arrived, L) + z) / m


def wrong_one_draw_each(theta, V, arrived, m, L, sigma, eta, rng):
    z = rng.normal(0, L * sigma, (max(arrived.sum(), 1), len(theta))).sum(axis=0)
    return theta + eta * (_sum(V, arrived, L) + z) / m


def wrong_no_clip_norm_in_noise(theta, V, arrived, m, L, sigma, eta, rng):
    z = rng.normal(0, sigma, len(theta))
    return theta + eta * (_sum(V, arrived, L) + z) / m


def wrong_variance(theta, V, arrived, m, L, sigma, eta, rng):
    z = rng.normal(0, (L * sigma) ** 2, len(theta))
    return theta + eta * (_sum(V, arrived, L) + z) / m


def wrong_noise_after_division(theta, V, arrived, m, L, sigma, eta, rng):
    z = rng.normal(0, L * sigma, len(theta))
    return theta + eta * (_sum(V, arrived, L) / m + z)


def wrong_one_number_for_all(theta, V, arrived, m, L, sigma, eta, rng):
    return theta + eta * (_sum(V, arrived, L) + rng.normal(0, L * sigma)) / m


def wrong_no_noise(theta, V, arrived, m, L, sigma, eta, rng):
    return theta + eta * _sum(V, arrived, L) / m


def wrong_fixed_seed(theta, V, arrived, m, L, sigma, eta, rng):
    z = np.random.default_rng(0).normal(0, L * sigma, len(theta))
    return theta + eta * (_sum(V, arrived, L) + z) / m


def wrong_laplace(theta, V, arrived, m, L, sigma, eta, rng):
    z = rng.laplace(0, L * sigma / 2**0.5, len(theta))
    return theta + eta * (_sum(V, arrived, L) + z) / m


def wrong_in_place(theta, V, arrived, m, L, sigma, eta, rng):
    theta += eta * (_sum(V, arrived, L) + rng.normal(0, L * sigma, len(theta))) / m
    return theta


RIGHT = (right_rows, right_loop, right_weights, right_list)
WRONG = {
    wrong_starter: r"all of 6 devices.*Two faults at once.*how many updates",
    wrong_divides_by_arrived: r"all of 6 devices.*how many updates arrived",
    wrong_divides_by_admitted: r"all of 6 devices.*how many",
    wrong_normalizes: r"\]\. Short updates are made longer",
    wrong_counts_dropouts: r"3 of 8 devices drop out.*Their rows must count zero",
    wrong_no_clip: r"No update was clipped",
    wrong_clips_the_sum: r"all of 6 devices.*Clip each update",
    wrong_clips_entries: r"all of 6 devices.*Clip each update",
    wrong_downhill: r"not a gradient: add it",
    wrong_lets_nan_through: r"inf|nan|NaN",
    wrong_zeroes_entries: r"has inf in it.*all of it",
    wrong_skips_empty_rounds: r"everybody would see that nobody answered",
    wrong_noise_by_count: r"0\.833 times what is asked for.*made for what arrived",
    wrong_one_draw_each: r"2\.24 times.*more noise than is needed",
    wrong_no_clip_norm_in_noise: r"1\.25 times what is asked for.*L is missing",
    wrong_variance: r"That is a variance",
    wrong_noise_after_division: r"belongs to the sum",
    wrong_one_number_for_all: r"a number of its own",
    wrong_no_noise: r"noise",
    wrong_fixed_seed: r"rng",
    wrong_laplace: r"noise|normal",
    wrong_in_place: r"argument theta after the call",
}
