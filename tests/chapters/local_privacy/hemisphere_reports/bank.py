"""Answers to ``hemisphere_reports``: right ones, and wrong ones with their messages."""

import math

import numpy as np


def _lean(p):
    return math.gamma(p / 2) / (math.sqrt(math.pi) * math.gamma((p + 1) / 2))


def _unit(rng, shape):
    z = rng.standard_normal(shape)
    return z / np.linalg.norm(z, axis=1, keepdims=True)


def _turned(V, U, same):
    side = np.where(np.sum(U * V, axis=1) >= 0, 1.0, -1.0)
    return U * np.where(same, side, -side)[:, None]


def right_vectorized(V, eps, rng):
    n, p = V.shape
    U = rng.standard_normal((n, p))
    U = U / np.linalg.norm(U, axis=1, keepdims=True)
    odds = math.tanh(eps / 2)
    same = rng.random(n) < 0.5 + 0.5 * np.linalg.norm(V, axis=1) * odds
    side = np.where(np.sum(U * V, axis=1) >= 0, 1.0, -1.0)
    turn = np.where(same, side, -side)
    lean = math.gamma(p / 2) / (math.sqrt(math.pi) * math.gamma((p + 1) / 2))
    return U * turn[:, None] / (lean * odds)


def right_loop(V, eps, rng):
    p = V.shape[1]
    odds = (math.exp(eps) - 1) / (math.exp(eps) + 1)
    B = math.sqrt(math.pi) * math.gamma((p + 1) / 2) / math.gamma(p / 2) / odds
    out = []
    for v in V:
        z = rng.normal(size=p)
        u = z / math.sqrt(z @ z)
        wanted = rng.uniform() < (1 + math.sqrt(v @ v) * odds) / 2
        if (u @ v >= 0) != wanted:
            u = -u
        out.append(B * u)
    return np.array(out)


def right_rounds_first(V, eps, rng):
    # a short vector is first rounded to one of norm 1, then gets that one's odds
    n, p = V.shape
    norm = np.linalg.norm(V, axis=1, keepdims=True)
    U = rng.standard_normal((n, p))
    U /= np.linalg.norm(U, axis=1, keepdims=True)
    ends = np.where(norm > 0, V / np.where(norm > 0, norm, 1), np.eye(p)[0])
    ends = ends * np.where(rng.random((n, 1)) < (1 + norm) / 2, 1, -1)
    truth = rng.random(n) < 1 / (1 + np.exp(-eps))
    above = np.einsum("ij,ij->i", U, ends) > 0
    U[above != truth] *= -1
    logs = math.lgamma((p + 1) / 2) - math.lgamma(p / 2)
    return U * math.exp(logs) * math.sqrt(math.pi) / np.tanh(eps / 2)


def right_rejects(V, eps, rng):
    # draws directions until one lies on the side that the coin has chosen
    n, p = V.shape
    q = 0.5 + np.linalg.norm(V, axis=1) / 2 * np.tanh(eps / 2)
    want = np.where(rng.random(n) < q, 1.0, -1.0)
    U = np.zeros((n, p))
    left = np.ones(n, bool)
    while left.any():
        Z = rng.standard_normal((int(left.sum()), p))
        U[left] = Z / np.linalg.norm(Z, axis=1, keepdims=True)
        left &= want * np.sum(U * V, axis=1) < 0
    lean = math.gamma(p / 2) / (math.sqrt(math.pi) * math.gamma((p + 1) / 2))
    return U / lean / np.tanh(eps / 2)


def wrong_starter(V, eps, rng):
    return _unit(rng, V.shape)


def wrong_sides_of_unit_length(V, eps, rng):
    same = rng.random(len(V)) < 0.5 + 0.5 * np.linalg.norm(V, axis=1) * np.tanh(eps / 2)
    return _turned(V, _unit(rng, V.shape), same)


def wrong_no_half_sphere(V, eps, rng):
    return wrong_sides_of_unit_length(V, eps, rng) / np.tanh(eps / 2)


def wrong_no_odds(V, eps, rng):
    return wrong_sides_of_unit_length(V, eps, rng) / _lean(V.shape[1])


def wrong_divides_by_the_probability(V, eps, rng):
    q = np.exp(eps) / (1 + np.exp(eps))
    return wrong_sides_of_unit_length(V, eps, rng) / (_lean(V.shape[1]) * q)


def wrong_tanh_of_eps(V, eps, rng):
    return right_vectorized(V, eps, rng) * np.tanh(eps / 2) / np.tanh(eps)


def wrong_length_of_the_row(V, eps, rng):
    norm = np.linalg.norm(V, axis=1, keepdims=True)
    return right_vectorized(V, eps, rng) * (0.5 + norm)


def wrong_same_odds_for_all(V, eps, rng):
    p = V.shape[1]
    same = rng.random(len(V)) < np.exp(eps) / (1 + np.exp(eps))
    return _turned(V, _unit(rng, V.shape), same) / (_lean(p) * np.tanh(eps / 2))


def wrong_no_side(V, eps, rng):
    return _unit(rng, V.shape) / (_lean(V.shape[1]) * np.tanh(eps / 2))


def wrong_always_the_side(V, eps, rng):
    U = _turned(V, _unit(rng, V.shape), np.ones(len(V), bool))
    return U / (_lean(V.shape[1]) * np.tanh(eps / 2))


def wrong_other_side(V, eps, rng):
    return -right_vectorized(V, eps, rng)


def wrong_odds_a_tenth_too_weak(V, eps, rng):
    norm = np.linalg.norm(V, axis=1)
    same = rng.random(len(V)) < 0.5 + 0.45 * norm * math.tanh(eps / 2)
    lean = _lean(V.shape[1])
    return _turned(V, _unit(rng, V.shape), same) / (lean * math.tanh(eps / 2))


def wrong_scale_of_the_longest(V, eps, rng):
    """The bound is 1; the longest row is read from the data."""
    return right_vectorized(V / np.linalg.norm(V, axis=1).max().clip(0.1), eps, rng)


def wrong_direction_from_a_cube(V, eps, rng):
    U = rng.uniform(-1, 1, V.shape)
    U = U / np.linalg.norm(U, axis=1, keepdims=True)
    same = rng.random(len(V)) < 0.5 + 0.5 * np.linalg.norm(V, axis=1) * np.tanh(eps / 2)
    return _turned(V, U, same) / (_lean(V.shape[1]) * np.tanh(eps / 2))


def wrong_along_the_vector(V, eps, rng):
    """Sends v or −v itself: then everybody sees the line that v lies on."""
    n, p = V.shape
    norm = np.linalg.norm(V, axis=1, keepdims=True)
    U = np.where(norm > 0, V / np.where(norm > 0, norm, 1), np.eye(p)[0])
    same = rng.random(n) < 0.5 + 0.5 * norm[:, 0] * np.tanh(eps / 2)
    return _turned(V, U, same) / (_lean(p) * np.tanh(eps / 2))


def wrong_pairs_share(V, eps, rng):
    n, p = V.shape
    U = np.repeat(_unit(rng, ((n + 1) // 2, p)), 2, axis=0)[:n]
    same = rng.random(n) < 0.5 + 0.5 * np.linalg.norm(V, axis=1) * np.tanh(eps / 2)
    return _turned(V, U, same) / (_lean(p) * np.tanh(eps / 2))


def wrong_one_direction_for_all(V, eps, rng):
    n, p = V.shape
    U = np.tile(_unit(rng, (1, p)), (n, 1))
    same = rng.random(n) < 0.5 + 0.5 * np.linalg.norm(V, axis=1) * np.tanh(eps / 2)
    return _turned(V, U, same) / (_lean(p) * np.tanh(eps / 2))


def wrong_fixed_seed(V, eps, rng):
    return right_vectorized(V, eps, np.random.default_rng(7))


def wrong_global(V, eps, rng):
    np.random.seed(0)  # noqa: NPY002  (the fault)
    return right_vectorized(V, eps, rng)


def wrong_writes_into_the_rows(V, eps, rng):
    V *= 0.999
    return right_vectorized(V, eps, rng)


def wrong_fixed_lines(V, eps, rng):
    n, p = V.shape
    U = _unit(np.random.default_rng(42), (n, p))
    norms = np.linalg.norm(V, axis=1)
    same = rng.random(n) < 0.5 + norms / 2 * math.tanh(eps / 2)
    return _turned(V, U, same) / (_lean(p) * math.tanh(eps / 2))


def wrong_last_row_first(V, eps, rng):
    return right_vectorized(V[::-1], eps, rng)


def wrong_norm_of_the_first_but_zero(V, eps, rng):
    norm = np.linalg.norm(V, axis=1, keepdims=True)
    held = norm > 0
    unit = np.where(held, V / np.where(held, norm, 1.0), 0.0)
    first = norm[held][0] if held.any() else 0.0
    return right_vectorized(first * unit, eps, rng)


def wrong_coin_for_each_entry(V, eps, rng):
    """Turns entries around one by one: in a few dimensions that is nearly right."""
    p = V.shape[1]
    odds = math.tanh(eps / 2)
    share = 0.5 + 0.5 * np.linalg.norm(V, axis=1, keepdims=True) * odds
    right = _turned(V, _unit(rng, V.shape), np.ones(len(V), bool))
    kept = np.where(rng.random(V.shape) < share, 1.0, -1.0)
    return right * kept / (_lean(p) * odds)


def wrong_mirrored_lines(V, eps, rng):
    """Half of the users get the lines of the others."""
    U = _unit(rng, V.shape)
    half = len(V) // 2
    U[half : 2 * half] = -U[:half]
    odds = np.tanh(eps / 2)
    same = rng.random(len(V)) < 0.5 + 0.5 * np.linalg.norm(V, axis=1) * odds
    return _turned(V, U, same) / (_lean(V.shape[1]) * odds)


def wrong_generator_of_its_own(V, eps, rng):
    return right_vectorized(V, eps, np.random.default_rng())


def wrong_few_seeds(V, eps, rng):
    return right_vectorized(V, eps, np.random.default_rng(rng.integers(1000)))


RIGHT = (right_vectorized, right_loop, right_rounds_first, right_rejects)
WRONG = {
    wrong_starter: r"length of report.*All reports have length 1",
    wrong_sides_of_unit_length: r"length of report.*All reports have length 1",
    wrong_no_half_sphere: r"length of report.*half sphere is not",
    wrong_no_odds: r"length of report.*odds are not",
    wrong_divides_by_the_probability: r"length of report.*right side alone",
    wrong_tanh_of_eps: r"length of report.*place of ε/2",
    wrong_length_of_the_row: r"length of report.*how long v is",
    wrong_same_odds_for_all: r"share of.*Short vectors get the odds",
    wrong_no_side: r"share of.*says nothing about v",
    wrong_always_the_side: r"share of.*for sure",
    wrong_other_side: r"share of.*turned away",
    wrong_odds_a_tenth_too_weak: r"share of.*odds of e to the ε",
    wrong_scale_of_the_longest: r"share of.*Short vectors get the odds",
    wrong_direction_from_a_cube: r"direction, p = 2",
    wrong_along_the_vector: r"the same line for two|direction, p = 2",
    wrong_pairs_share: r"the same line for two",
    wrong_one_direction_for_all: r"the same line for two",
    wrong_fixed_seed: r"same result three times",
    wrong_global: r"global state of numpy",
    wrong_writes_into_the_rows: r"argument V after the call",
    wrong_last_row_first: r"Does each report depend on its own row",
    wrong_norm_of_the_first_but_zero: r"Does each report depend on its own row",
    wrong_fixed_lines: r"the same lines twice",
    wrong_coin_for_each_entry: r"share of.*p = 40.*one coin",
    wrong_mirrored_lines: r"the same line for two",
    wrong_generator_of_its_own: r"same seed in rng.*comes from elsewhere",
    wrong_few_seeds: r"different results.*a small seed",
}
