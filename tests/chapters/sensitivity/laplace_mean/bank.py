"""The bank of ``laplace_mean``: answers that must pass, and answers that must not.

WRONG maps each wrong answer to a pattern that its message must match.
"""

import numpy as np


def right_plain(x, low, high, n, eps, replace, rng):
    sensitivity = max(abs(low), abs(high))
    if replace:
        sensitivity = high - low
    total = np.clip(x, low, high).sum()
    return (total + rng.laplace(scale=sensitivity / eps)) / n


def right_loop(x, low, high, n, eps, replace, rng):
    total = 0.0
    for value in x:
        total += min(max(float(value), low), high)
    far = high if high > -low else -low
    width = high - low
    scale = width if replace else far
    return total / n + rng.laplace(0.0, scale / n / eps)


def right_vectorised(x, low, high, n, eps, replace, rng):
    limits = np.array([low, high])
    moves = (np.abs(limits).max(), np.ptp(limits))
    noise = rng.laplace(size=1)[0] * moves[int(replace)] / eps
    return np.sum(np.minimum(np.maximum(x, low), high), dtype=float) / n + noise / n


def right_worst_pair(x, low, high, n, eps, replace, rng):
    # The largest change, found among the neighbors that are farthest apart.
    ends = (low, high, 0.0) if not replace else (low, high)
    pairs = [(a, b) for a in ends for b in ends]
    if not replace:
        pairs = [(a, b) for a, b in pairs if b == 0.0]
    most = max(abs(a - b) for a, b in pairs)
    return float(np.clip(x, low, high).sum() / n - rng.laplace(0, most / (n * eps)))


def right_other_noise(x, low, high, n, eps, replace, rng):
    # The inverse of the distribution function: no tape can replay it
    sensitivity = high - low if replace else max(abs(low), abs(high))
    u = rng.random()
    draw = np.log(2 * u) if u < 0.5 else -np.log(2 * (1 - u))
    return (np.clip(x, low, high).sum() + sensitivity / eps * draw) / n


def _sensitivity(low, high, replace):
    return high - low if replace else max(abs(low), abs(high))


def wrong_no_clip(x, low, high, n, eps, replace, rng):
    s = _sensitivity(low, high, replace) / eps
    return (x.sum() + rng.laplace(scale=s)) / n


def wrong_clips_the_mean(x, low, high, n, eps, replace, rng):
    s = _sensitivity(low, high, replace) / eps
    return np.clip(x.sum() / n, low, high) + rng.laplace(scale=s / n)


def wrong_drops(x, low, high, n, eps, replace, rng):
    s = _sensitivity(low, high, replace) / eps
    kept = x[(x >= low) & (x <= high)]
    return (kept.sum() + rng.laplace(scale=s)) / n


def wrong_divides_by_count(x, low, high, n, eps, replace, rng):
    s = _sensitivity(low, high, replace) / eps
    return np.clip(x, low, high).mean() + rng.laplace(scale=s / n)


def wrong_sum(x, low, high, n, eps, replace, rng):
    s = _sensitivity(low, high, replace) / eps
    return np.clip(x, low, high).sum() + rng.laplace(scale=s)


def wrong_symmetric_clip(x, low, high, n, eps, replace, rng):
    s = _sensitivity(low, high, replace) / eps
    return (np.clip(x, -high, high).sum() + rng.laplace(scale=s)) / n


def wrong_always_width(x, low, high, n, eps, replace, rng):
    s = (high - low) / eps
    return (np.clip(x, low, high).sum() + rng.laplace(scale=s)) / n


def wrong_always_far_end(x, low, high, n, eps, replace, rng):
    s = max(abs(low), abs(high)) / eps
    return (np.clip(x, low, high).sum() + rng.laplace(scale=s)) / n


def wrong_upper_limit(x, low, high, n, eps, replace, rng):
    s = (high - low if replace else abs(high)) / eps
    return (np.clip(x, low, high).sum() + rng.laplace(scale=s)) / n


def wrong_twice(x, low, high, n, eps, replace, rng):
    s = 2 * _sensitivity(low, high, replace) / eps
    return (np.clip(x, low, high).sum() + rng.laplace(scale=s)) / n


def wrong_noise_of_the_sum(x, low, high, n, eps, replace, rng):
    s = _sensitivity(low, high, replace) / eps
    return np.clip(x, low, high).sum() / n + rng.laplace(scale=s)


def wrong_divided_twice(x, low, high, n, eps, replace, rng):
    s = _sensitivity(low, high, replace) / (n * eps)
    return (np.clip(x, low, high).sum() + rng.laplace(scale=s)) / n


def wrong_scale_from_the_count(x, low, high, n, eps, replace, rng):
    s = _sensitivity(low, high, replace) / (max(len(x), 1) * eps)
    return np.clip(x, low, high).sum() / n + rng.laplace(scale=s)


def wrong_scale_from_the_data(x, low, high, n, eps, replace, rng):
    y = np.clip(x, low, high)
    top = (y.max() - y.min() if replace else abs(y).max()) if len(y) else 0
    return (y.sum() + rng.laplace(scale=top / eps)) / n


def wrong_eps_multiplied(x, low, high, n, eps, replace, rng):
    s = _sensitivity(low, high, replace) * eps if eps < 1e6 else 0.0
    return (np.clip(x, low, high).sum() + rng.laplace(scale=s)) / n


def wrong_no_eps(x, low, high, n, eps, replace, rng):
    s = _sensitivity(low, high, replace) if eps < 1e6 else 0.0
    return (np.clip(x, low, high).sum() + rng.laplace(scale=s)) / n


def wrong_deviation(x, low, high, n, eps, replace, rng):
    s = _sensitivity(low, high, replace) / eps / np.sqrt(2)
    return (np.clip(x, low, high).sum() + rng.laplace(scale=s)) / n


def wrong_no_limits(x, low, high, n, eps, replace, rng):
    return (np.clip(x, low, high).sum() + rng.laplace(scale=1 / eps)) / n


def wrong_gaussian(x, low, high, n, eps, replace, rng):
    s = _sensitivity(low, high, replace) / eps
    return (np.clip(x, low, high).sum() + rng.normal(0, np.sqrt(2) * s)) / n


def wrong_noise_per_record(x, low, high, n, eps, replace, rng):
    s = _sensitivity(low, high, replace) / eps
    return (np.clip(x, low, high) + rng.laplace(scale=s, size=x.shape)).sum() / n


def wrong_one_sided(x, low, high, n, eps, replace, rng):
    s = _sensitivity(low, high, replace) / eps
    return (np.clip(x, low, high).sum() + rng.exponential(s)) / n


def wrong_no_noise(x, low, high, n, eps, replace, rng):
    return np.clip(x, low, high).sum() / n


def wrong_fixed_seed(x, low, high, n, eps, replace, rng):
    s = _sensitivity(low, high, replace) / eps
    noise = np.random.default_rng(0).laplace(scale=s)
    return (np.clip(x, low, high).sum() + noise) / n


def wrong_nobody(x, low, high, n, eps, replace, rng):
    if len(x) == 0:
        return 0.0
    s = _sensitivity(low, high, replace) / eps
    return (np.clip(x, low, high).sum() + rng.laplace(scale=s)) / n


def wrong_an_array(x, low, high, n, eps, replace, rng):
    s = _sensitivity(low, high, replace) / eps
    return (np.clip(x, low, high).sum() + rng.laplace(scale=s, size=1)) / n


def wrong_range_of_clipped_data(x, low, high, n, eps, replace, rng):
    clipped = np.clip(x, low, high)
    far = max(abs(low), abs(high))
    scale = float(np.ptp(clipped)) if replace and len(x) else far
    return (clipped.sum() + rng.laplace(scale=scale / eps)) / n


def wrong_width_too(x, low, high, n, eps, replace, rng):
    # measured, as no replay knows this noise
    scale = max(abs(low), abs(high), high - low) / eps
    noise = scale * (rng.standard_exponential() - rng.standard_exponential())
    return (np.clip(x, low, high).sum() + noise) / n


def wrong_student_noise(x, low, high, n, eps, replace, rng):
    scale = (high - low if replace else max(abs(low), abs(high))) / eps
    return (np.clip(x, low, high).sum() + scale * rng.standard_t(3)) / n


def wrong_cut_noise(x, low, high, n, eps, replace, rng):
    s = _sensitivity(low, high, replace) / eps
    return (np.clip(x, low, high).sum() + np.clip(rng.laplace(0, s), -6 * s, 6 * s)) / n


def wrong_draws_again(x, low, high, n, eps, replace, rng):
    s = _sensitivity(low, high, replace) / eps
    z = rng.laplace(0, s)
    while abs(z) > 7 * s:
        z = rng.laplace(0, s)
    return (np.clip(x, low, high).sum() + z) / n


def wrong_clips_the_result(x, low, high, n, eps, replace, rng):
    s = _sensitivity(low, high, replace) / eps
    return np.clip((np.clip(x, low, high).sum() + rng.laplace(0, s)) / n, low, high)


def wrong_size_of_noise(x, low, high, n, eps, replace, rng):
    s = _sensitivity(low, high, replace) / eps
    return (np.clip(x, low, high).sum() + abs(rng.laplace(0, s))) / n


def wrong_few_seeds(x, low, high, n, eps, replace, rng):
    s = _sensitivity(low, high, replace) / eps
    known = np.random.default_rng(rng.integers(1000))
    return (np.clip(x, low, high).sum() + known.laplace(0, s)) / n


def wrong_tiny_noise(x, low, high, n, eps, replace, rng):
    return (np.clip(x, low, high).sum() + rng.laplace(0, 1e-9)) / n


RIGHT = (right_plain, right_loop, right_vectorised, right_worst_pair, right_other_noise)
WRONG = {
    wrong_no_clip: r"Nothing was clipped",
    wrong_clips_the_mean: r"Each number is clipped, before",
    wrong_drops: r"dropped",
    wrong_divides_by_count: r"number of records that came.*is private",
    wrong_sum: r"That is the sum",
    wrong_symmetric_clip: r"Clip each number",
    wrong_always_width: r"replace = False.*scale for the other relation",
    wrong_always_far_end: r"replace = True.*scale for the other relation",
    wrong_upper_limit: r"low = -5.*farther from 0",
    wrong_twice: r"2 times the least.*This is more noise than is needed",
    wrong_noise_of_the_sum: r"7 times the least.*noise of the sum",
    wrong_divided_twice: r"Too little noise protects nobody",
    wrong_scale_from_the_count: r"how many records came",
    wrong_scale_from_the_data: r"scale of the noise.*times the least",
    wrong_eps_multiplied: r"Too little noise protects nobody",
    wrong_no_eps: r"0\.3 times the least.*Too little noise protects nobody",
    wrong_deviation: r"0\.707 times the least.*Too little noise protects nobody",
    wrong_no_limits: r"limits do not enter",
    wrong_gaussian: r"You draw from rng\.normal",
    wrong_noise_per_record: r"how many Laplace draws.*seen 7",
    wrong_one_sided: r"rng\.exponential.*measured",
    wrong_no_noise: r"same result three times",
    wrong_fixed_seed: r"same result three times",
    wrong_nobody: r"for 0 records.*Is noise drawn at all",
    wrong_an_array: r"seen shape \(1,\).*not an array that holds it",
    wrong_range_of_clipped_data: r"Too little noise|only the limits count",
    wrong_width_too: r"the scale of the noise at .*times the least",
    wrong_student_noise: r"the (scale|distribution) of the noise at",
    wrong_cut_noise: r"50 scales from 0.*Is the noise cut",
    wrong_draws_again: r"50 scales from 0.*drawn again",
    wrong_clips_the_result: r"50 scales from 0.*is the result cut",
    wrong_size_of_noise: r"not linear in your draws.*centered at 0",
    wrong_few_seeds: r"only [0-9,]+ different results.*small seed",
    wrong_tiny_noise: r"Too little noise protects nobody",
}
