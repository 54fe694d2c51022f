"""The bank of ``sparse_leader``: answers that must pass, and that must not.

WRONG maps each wrong answer to a pattern that its message must match.
"""

import numpy as np


def right_soft_threshold(s, t, a, reg, R):
    theta = -np.sign(s) * np.maximum(np.abs(s) - t * a, 0.0) / reg
    norm = np.linalg.norm(theta)
    return theta if norm <= R else theta * (R / norm)


def right_loop(s, t, a, reg, R):
    theta = np.zeros(len(s))
    for j, value in enumerate(s):
        if value > t * a:
            theta[j] = (t * a - value) / reg
        elif value < -t * a:
            theta[j] = (-t * a - value) / reg
    norm = np.sqrt((theta**2).sum())
    return theta * min(1.0, R / norm) if norm > 0 else theta


def right_clipped_part(s, t, a, reg, R):
    # what the threshold removes is s clipped to [−ta, ta]
    theta = (np.clip(s, -t * a, t * a) - s) / reg
    return theta / max(1.0, np.hypot.reduce(theta) / R)


def right_multiplier(s, t, a, reg, R):
    # Lagrange: the ball adds ν to Λ; ν = 0 inside, else such that the norm is R
    kept = np.where(np.abs(s) > t * a, s - t * a * np.sign(s), 0.0)
    nu = max(0.0, np.linalg.norm(kept) / R - reg)
    return -kept / (reg + nu)


def _soft(v, threshold):
    return np.sign(v) * np.maximum(np.abs(v) - threshold, 0.0)


def _ball(theta, R):
    return theta / max(1.0, np.linalg.norm(theta) / R)


def wrong_threshold_once(s, t, a, reg, R):
    return _ball(-_soft(s, a) / reg, R)


def wrong_sign(s, t, a, reg, R):
    return _ball(_soft(s, t * a) / reg, R)


def wrong_divided_first(s, t, a, reg, R):
    return _ball(-_soft(s / reg, t * a), R)


def wrong_no_ball(s, t, a, reg, R):
    return -_soft(s, t * a) / reg


def wrong_projected_first(s, t, a, reg, R):
    return _soft(_ball(-s / reg, R), t * a / reg)


def wrong_box(s, t, a, reg, R):
    return np.clip(-_soft(s, t * a) / reg, -R, R)


def wrong_hard_threshold(s, t, a, reg, R):
    return _ball(np.where(np.abs(s) > t * a, -s / reg, 0.0), R)


def wrong_no_penalty(s, t, a, reg, R):
    return _ball(-s / reg, R)


def wrong_times_reg(s, t, a, reg, R):
    return _ball(-_soft(s, t * a) * reg, R)


def wrong_reg_grows(s, t, a, reg, R):
    return _ball(-_soft(s, t * a) / (t * reg), R)


def wrong_factor_two(s, t, a, reg, R):
    return _ball(-_soft(s, t * a) / (2 * reg), R)


def wrong_one_side(s, t, a, reg, R):
    return _ball((t * a - s) / reg, R)


def wrong_always_on_the_sphere(s, t, a, reg, R):
    theta = -_soft(s, t * a) / reg
    return R * theta / max(np.linalg.norm(theta), 1e-12)


def wrong_zero_over_zero(s, t, a, reg, R):
    theta = -_soft(s, t * a) / reg
    norm = np.linalg.norm(theta)
    return theta / norm * min(norm, R)


def wrong_blurred(s, t, a, reg, R):
    return _ball(-np.sign(s) * np.maximum(np.abs(s) - t * a, 1e-12) / reg, R)


def wrong_in_place(s, t, a, reg, R):
    s *= np.maximum(1 - t * a / np.maximum(np.abs(s), 1e-300), 0.0)
    return _ball(-s / reg, R)


def wrong_l1_ball(s, t, a, reg, R):
    theta = -_soft(s, t * a) / reg
    return theta / max(1.0, np.abs(theta).sum() / R)


def wrong_square_of_the_norm(s, t, a, reg, R):
    theta = -np.sign(s) * np.maximum(np.abs(s) - t * a, 0.0) / reg
    squared = theta @ theta
    return theta * R / np.sqrt(squared) if squared > R else theta


def wrong_whole_model(s, t, a, reg, R):
    w = np.zeros_like(s)
    far = np.abs(s) > t * a
    w[far] = -(s[far] - np.sign(s[far]) * t * a) / reg
    return w * min(1.0, R / max(np.linalg.norm(w), 1e-300))


RIGHT = (right_soft_threshold, right_loop, right_clipped_part, right_multiplier)
WRONG = {
    wrong_threshold_once: r"at t = 8.*counted once.*added t times",
    wrong_sign: r"The model goes uphill",
    wrong_divided_first: r"divided before the threshold",
    wrong_no_ball: r"not in the ball",
    wrong_projected_first: r"projected first",
    wrong_box: r"that is a box",
    wrong_hard_threshold: r"others must shrink",
    wrong_no_penalty: r"The penalty is missing",
    wrong_times_reg: r"Write the condition for one entry",
    wrong_reg_grows: r"at t = 8.*Write the condition for one entry",
    wrong_factor_two: r"Write the condition for one entry",
    wrong_one_side: r"toward zero",
    wrong_always_on_the_sphere: r"inside the ball stays",
    wrong_zero_over_zero: r"nan at index.*divided by 0",
    wrong_blurred: r"zeros must be exact",
    wrong_in_place: r"argument s after the call",
    wrong_l1_ball: r"R = 1\.5.*Write the condition",
    wrong_square_of_the_norm: r"R = (5|0\.6|0\.3|50)",
    wrong_whole_model: r"s holds integers",
}
