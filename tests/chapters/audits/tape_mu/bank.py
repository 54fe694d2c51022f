"""The bank of ``tape_mu``: answers that must pass, and answers that must not.

WRONG maps each wrong answer to a pattern that its message must match.
"""

import numpy as np


def _maps(still, replayed, moved):
    return (replayed - still).T, moved - still


def right_least_squares(still, replayed, moved):
    B, d = _maps(still, replayed, moved)
    z = np.linalg.lstsq(B, d, rcond=1e-9)[0]
    if np.linalg.norm(B @ z - d) > 1e-7 * np.linalg.norm(d):
        return np.inf
    return np.linalg.norm(z)


def right_pseudo_inverse(still, replayed, moved):
    added = replayed - still[None, :]
    change = moved - still
    tape = change @ np.linalg.pinv(added, rcond=1e-9)
    missed = np.abs(tape @ added - change).max()
    if missed > 1e-7 * np.abs(change).max():
        return float("inf")
    return (tape @ tape) ** 0.5


def right_covariance(still, replayed, moved):
    B, d = _maps(still, replayed, moved)
    values, axes = np.linalg.eigh(B @ B.T)
    total, along = 0.0, axes.T @ d
    for value, part in zip(values, along, strict=True):
        if value > 1e-12 * values[-1]:
            total += part**2 / value
        elif abs(part) > 1e-6 * np.linalg.norm(d):
            return np.inf
    return np.sqrt(total)


def right_singular_values(still, replayed, moved):
    # one direction after the other
    B, d = _maps(still, replayed, moved)
    U, s, _ = np.linalg.svd(B, full_matrices=False)
    rest, z = d.copy(), 0.0
    for j in range(len(s)):
        if s[j] > 1e-10 * s[0]:
            z += (U[:, j] @ d / s[j]) ** 2
            rest -= (U[:, j] @ d) * U[:, j]
    if np.abs(rest).max() > 1e-8 * np.abs(d).max():
        return np.inf
    return z**0.5


def wrong_starter(still, replayed, moved):
    sigma = replayed.std()
    return np.linalg.norm(moved - still) / sigma


def wrong_output_as_noise(still, replayed, moved):
    return np.linalg.norm(np.linalg.pinv(replayed.T) @ (moved - still))


def wrong_output_as_move(still, replayed, moved):
    return np.linalg.norm(np.linalg.pinv((replayed - still).T) @ moved)


def wrong_independent(still, replayed, moved):
    B, d = _maps(still, replayed, moved)
    return np.linalg.norm(d / np.linalg.norm(B, axis=1))


def wrong_worst_output(still, replayed, moved):
    B, d = _maps(still, replayed, moved)
    return np.max(np.abs(d) / np.linalg.norm(B, axis=1))


def wrong_lengths(still, replayed, moved):
    B, d = _maps(still, replayed, moved)
    return np.linalg.norm(d) / np.linalg.norm(B)


def wrong_largest_noise(still, replayed, moved):
    B, d = _maps(still, replayed, moved)
    return np.linalg.norm(d) / max(np.linalg.norm(B, 2), 1e-300)


def wrong_square(still, replayed, moved):
    return right_least_squares(still, replayed, moved) ** 2


def wrong_half(still, replayed, moved):
    return right_least_squares(still, replayed, moved) / 2


def wrong_no_check(still, replayed, moved):
    B, d = _maps(still, replayed, moved)
    return np.linalg.norm(np.linalg.lstsq(B, d, rcond=1e-9)[0])


def wrong_infinite_if_singular(still, replayed, moved):
    B, d = _maps(still, replayed, moved)
    if np.linalg.matrix_rank(B) < len(d):
        return np.inf
    return np.linalg.norm(np.linalg.pinv(B) @ d)


def wrong_returns_the_tape(still, replayed, moved):
    B, d = _maps(still, replayed, moved)
    return np.linalg.lstsq(B, d, rcond=1e-9)[0]


def wrong_nan(still, replayed, moved):
    return np.sum(still - moved) * float("nan")


def wrong_one_percent_is_rounding(still, replayed, moved):
    B, d = _maps(still, replayed, moved)
    z = np.linalg.lstsq(B, d, rcond=1e-9)[0]
    if np.linalg.norm(B @ z - d) > 1e-2 * np.linalg.norm(d):
        return np.inf
    return np.linalg.norm(z)


def wrong_fixed_tolerance(still, replayed, moved):
    B, d = _maps(still, replayed, moved)
    z = np.linalg.lstsq(B, d, rcond=1e-9)[0]
    return np.linalg.norm(z) if np.linalg.norm(B @ z - d) < 1e-9 else np.inf


def wrong_allclose(still, replayed, moved):
    B, d = _maps(still, replayed, moved)
    z = np.linalg.lstsq(B, d, rcond=1e-9)[0]
    return np.linalg.norm(z) if np.allclose(B @ z, d) else np.inf


def wrong_text(still, replayed, moved):
    return str(right_least_squares(still, replayed, moved))


RIGHT = (
    right_least_squares,
    right_pseudo_inverse,
    right_covariance,
    right_singular_values,
)
WRONG = {
    wrong_starter: r"covers this difference",
    wrong_output_as_noise: r"not what the noise added",
    wrong_output_as_move: r"How far did the record move it",
    wrong_independent: r"noise of its own",
    wrong_worst_output: r"worst output alone",
    wrong_lengths: r"forgets in which direction",
    wrong_largest_noise: r"largest noise of any direction",
    wrong_square: r"That is μ²",
    wrong_half: r"half of μ",
    wrong_no_check: r"make up the whole difference",
    wrong_infinite_if_singular: r"covers this difference",
    wrong_returns_the_tape: r"one number, or infinity",
    wrong_fixed_tolerance: r"in units of 1e\+10|small numbers",
    wrong_allclose: r"small numbers|one part in",
    wrong_nan: r"one number, or infinity",
    wrong_one_percent_is_rounding: r"one part in 10,000 is without noise.*wanted inf",
    wrong_text: r"one number, or infinity",
}
