"""The bank of ``publish_minimum``: answers that must pass, and answers that must not.

WRONG maps each wrong answer to a pattern that its message must match.
"""

import math
from decimal import Decimal

import numpy as np


def right_gamma(theta, n, L, alpha, tol, eps, rng):
    p = len(theta)
    s = (2 * L / n + 2 * tol) / (alpha * eps)
    direction = rng.standard_normal(p)
    direction = direction / np.linalg.norm(direction)
    return theta + rng.gamma(p, s) * direction


def right_units_of_the_sum(theta, n, L, alpha, tol, eps, rng):
    # The book's letters: the objective times n
    Lam, gamma, k = n * alpha, n * tol, 2
    sensitivity = (k * L + 2 * gamma) / Lam
    length = rng.standard_gamma(theta.size) * sensitivity / eps
    z = rng.normal(size=theta.shape)
    return theta + z * (length / math.sqrt(z @ z))


def right_loop(theta, n, L, alpha, tol, eps, rng):
    # a gamma variable of whole shape is a sum of exponential ones
    moved = 2 * L / (n * alpha)
    stopped = 2 * tol / alpha
    length = 0.0
    for _ in theta:
        length += rng.exponential((moved + stopped) / eps)
    z = [rng.normal() for _ in theta]
    norm = math.sqrt(sum(each * each for each in z))
    return [float(t) + length * each / norm for t, each in zip(theta, z, strict=True)]


def right_decimals(theta, n, L, alpha, tol, eps, rng):
    # NumPy draws with Decimals and Fractions, too
    n, L, alpha, tol, eps = map(Decimal, (n, L, alpha, tol, eps))
    z = [rng.normal() for _ in theta]
    length = rng.gamma(len(z), (2 * L / n + 2 * tol) / (alpha * eps))
    step = length / math.hypot(*z)
    return [float(t) + step * each for t, each in zip(theta, z, strict=True)]


def right_chi_square(theta, n, L, alpha, tol, eps, rng):
    # half of a chi-square variable with 2p degrees of freedom
    (p,) = theta.shape
    rate = eps * alpha / (L / n + tol)
    z = rng.multivariate_normal(np.zeros(p), np.eye(p))
    return theta - z / np.sqrt(np.sum(z**2)) * rng.chisquare(2 * p) / rate


def right_other_noise(theta, n, L, alpha, tol, eps, rng):
    # a normal vector whose variance is itself random: no tape can replay it
    s = 2 * (L / n + tol) / (alpha * eps)
    variance = s * s * rng.gamma((len(theta) + 1) / 2, 2.0)
    return theta + math.sqrt(variance) * rng.standard_normal(len(theta))


def _with_scale(theta, s, rng):
    z = rng.standard_normal(theta.shape)
    return theta + rng.gamma(len(theta), s) * z / np.linalg.norm(z)


def _s(n, L, alpha, tol, eps):
    return (2 * L / n + 2 * tol) / (alpha * eps)


def wrong_laplace(theta, n, L, alpha, tol, eps, rng):
    s = _s(n, L, alpha, tol, eps)
    return theta + rng.laplace(0.0, s, size=theta.shape)


def wrong_normal(theta, n, L, alpha, tol, eps, rng):
    return theta + rng.normal(0.0, _s(n, L, alpha, tol, eps), size=theta.shape)


def wrong_exponential_length(theta, n, L, alpha, tol, eps, rng):
    z = rng.standard_normal(theta.shape)
    s = _s(n, L, alpha, tol, eps)
    return theta + rng.exponential(s) * z / np.linalg.norm(z)


def wrong_laplace_length(theta, n, L, alpha, tol, eps, rng):
    z = rng.standard_normal(theta.shape)
    s = _s(n, L, alpha, tol, eps)
    return theta + rng.laplace(0.0, s) * z / np.linalg.norm(z)


def wrong_mean_length(theta, n, L, alpha, tol, eps, rng):
    z = rng.standard_normal(theta.shape)
    return theta + len(theta) * _s(n, L, alpha, tol, eps) * z / np.linalg.norm(z)


def wrong_stretched_exponential(theta, n, L, alpha, tol, eps, rng):
    # the right mean length, and not the distribution
    z = rng.standard_normal(theta.shape)
    s = len(theta) * _s(n, L, alpha, tol, eps)
    return theta + rng.exponential(s) * z / np.linalg.norm(z)


def wrong_direction_too_long(theta, n, L, alpha, tol, eps, rng):
    p = len(theta)
    s = _s(n, L, alpha, tol, eps)
    return theta + rng.gamma(p, s) * rng.standard_normal(p)


def wrong_length_for_each_entry(theta, n, L, alpha, tol, eps, rng):
    p = len(theta)
    z = rng.standard_normal(p)
    s = _s(n, L, alpha, tol, eps)
    return theta + rng.gamma(p, s, size=p) * z / np.linalg.norm(z)


def wrong_direction_from_a_cube(theta, n, L, alpha, tol, eps, rng):
    p = len(theta)
    z = rng.uniform(-1, 1, size=p)
    return theta + rng.gamma(p, _s(n, L, alpha, tol, eps)) * z / np.linalg.norm(z)


def wrong_one_direction(theta, n, L, alpha, tol, eps, rng):
    p = len(theta)
    z = np.ones(p) * rng.choice([-1.0, 1.0])
    return theta + rng.gamma(p, _s(n, L, alpha, tol, eps)) * z / np.linalg.norm(z)


def wrong_all_positive(theta, n, L, alpha, tol, eps, rng):
    p = len(theta)
    z = np.abs(rng.standard_normal(p))
    return theta + rng.gamma(p, _s(n, L, alpha, tol, eps)) * z / np.linalg.norm(z)


def wrong_one_record_more(theta, n, L, alpha, tol, eps, rng):
    return _with_scale(theta, (L / n + 2 * tol) / (alpha * eps), rng)


def wrong_exact_minima(theta, n, L, alpha, tol, eps, rng):
    return _with_scale(theta, 2 * L / (n * alpha * eps), rng)


def wrong_one_solver(theta, n, L, alpha, tol, eps, rng):
    return _with_scale(theta, (2 * L / n + tol) / (alpha * eps), rng)


def wrong_half(theta, n, L, alpha, tol, eps, rng):
    return _with_scale(theta, (L / n + tol) / (alpha * eps), rng)


def wrong_one_record_and_exact(theta, n, L, alpha, tol, eps, rng):
    return _with_scale(theta, L / (n * alpha * eps), rng)


def wrong_sum(theta, n, L, alpha, tol, eps, rng):
    return _with_scale(theta, (2 * L + 2 * tol) / (alpha * eps), rng)


def wrong_units_mixed(theta, n, L, alpha, tol, eps, rng):
    return _with_scale(theta, (2 * L + 2 * n * tol) / (alpha * eps), rng)


def wrong_sum_and_exact(theta, n, L, alpha, tol, eps, rng):
    return _with_scale(theta, 2 * L / (alpha * eps), rng)


def wrong_tolerance_of_a_sum(theta, n, L, alpha, tol, eps, rng):
    return _with_scale(theta, (2 * L + 2 * tol) / (n * alpha * eps), rng)


def wrong_divided_twice(theta, n, L, alpha, tol, eps, rng):
    return _with_scale(theta, _s(n, L, alpha, tol, eps) / n, rng)


def wrong_twice(theta, n, L, alpha, tol, eps, rng):
    return _with_scale(theta, 2 * _s(n, L, alpha, tol, eps), rng)


def wrong_tolerance_as_a_distance(theta, n, L, alpha, tol, eps, rng):
    return _with_scale(theta, (2 * L / (n * alpha) + 2 * tol) / eps, rng)


def wrong_no_curvature(theta, n, L, alpha, tol, eps, rng):
    return _with_scale(theta, (2 * L / n + 2 * tol) / eps, rng)


def wrong_curvature_multiplied(theta, n, L, alpha, tol, eps, rng):
    return _with_scale(theta, (2 * L / n + 2 * tol) * alpha / eps, rng)


def wrong_no_eps(theta, n, L, alpha, tol, eps, rng):
    return _with_scale(theta, (2 * L / n + 2 * tol) / alpha, rng)


def wrong_eps_multiplied(theta, n, L, alpha, tol, eps, rng):
    return _with_scale(theta, (2 * L / n + 2 * tol) / alpha * eps, rng)


def wrong_rate_for_scale(theta, n, L, alpha, tol, eps, rng):
    return _with_scale(theta, 1 / _s(n, L, alpha, tol, eps), rng)


def wrong_divided_by_p(theta, n, L, alpha, tol, eps, rng):
    return _with_scale(theta, _s(n, L, alpha, tol, eps) / len(theta), rng)


def wrong_times_p(theta, n, L, alpha, tol, eps, rng):
    return _with_scale(theta, _s(n, L, alpha, tol, eps) * len(theta), rng)


def wrong_root_of_p(theta, n, L, alpha, tol, eps, rng):
    return _with_scale(theta, _s(n, L, alpha, tol, eps) * len(theta) ** 0.5, rng)


def wrong_no_lipschitz(theta, n, L, alpha, tol, eps, rng):
    return _with_scale(theta, (2 / n + 2 * tol) / (alpha * eps), rng)


def wrong_scale_from_the_model(theta, n, L, alpha, tol, eps, rng):
    # "the regularizer keeps the gradient at theta below alpha times its norm"
    steep = min(L, alpha * float(np.linalg.norm(theta)))
    return _with_scale(theta, (2 * steep / n + 2 * tol) / (alpha * eps), rng)


def wrong_noise_alone(theta, n, L, alpha, tol, eps, rng):
    return _with_scale(0 * theta, _s(n, L, alpha, tol, eps), rng)


def wrong_model_over_n(theta, n, L, alpha, tol, eps, rng):
    return _with_scale(theta / n, _s(n, L, alpha, tol, eps), rng)


def wrong_multiplied(theta, n, L, alpha, tol, eps, rng):
    return theta * (1 + _with_scale(0 * theta, _s(n, L, alpha, tol, eps), rng))


def wrong_no_noise(theta, n, L, alpha, tol, eps, rng):
    return theta.copy()


def wrong_fixed_seed(theta, n, L, alpha, tol, eps, rng):
    s = _s(n, L, alpha, tol, eps)
    return _with_scale(theta, s, np.random.default_rng(0))


def wrong_global(theta, n, L, alpha, tol, eps, rng):
    z = rng.standard_normal(theta.shape)
    size = np.random.gamma(len(theta), _s(n, L, alpha, tol, eps))  # noqa: NPY002  (the mistake)
    return theta + size * z / np.linalg.norm(z)


def wrong_in_place(theta, n, L, alpha, tol, eps, rng):
    theta += _with_scale(0 * theta, _s(n, L, alpha, tol, eps), rng)
    return theta


def wrong_whole_numbers(theta, n, L, alpha, tol, eps, rng):
    out = np.zeros_like(theta)
    out[:] = _with_scale(theta, _s(n, L, alpha, tol, eps), rng)
    return out


def wrong_scalar(theta, n, L, alpha, tol, eps, rng):
    return float(_with_scale(theta, _s(n, L, alpha, tol, eps), rng)[0])


RIGHT = (
    right_gamma,
    right_units_of_the_sum,
    right_loop,
    right_chi_square,
    right_other_noise,
    right_decimals,
)
WRONG = {
    wrong_laplace: r"rng\.laplace.*sum of the entries' sizes",
    wrong_normal: r"mean length.*You draw normals alone",
    wrong_exponential_length: r"e to the −‖b‖/s is the density at",
    wrong_laplace_length: r"mean length.*rng\.laplace",
    wrong_mean_length: r"You draw normals alone",
    wrong_stretched_exponential: r"e to the −‖b‖/s is the density at",
    wrong_direction_too_long: r"mean length.*The length grows with that of the",
    wrong_length_for_each_entry: r"draw 3 normals and 3 sizes|not a sum of gamma",
    wrong_direction_from_a_cube: r"folded into an eighth.*more likely",
    wrong_one_direction: r"No direction may be more likely",
    wrong_all_positive: r"No direction may be more likely",
    wrong_one_record_more: r"0\.6 times the least.*brings another",
    wrong_exact_minima: r"0\.8 times the least.*Where does each run",
    wrong_one_solver: r"0\.9 times the least.*opposite directions",
    wrong_half: r"0\.5 times the least.*count twice",
    wrong_one_record_and_exact: r"0\.4 times the least.*between exact minima",
    wrong_sum: r"32\.2 times the least.*sum of losses",
    wrong_units_mixed: r"40 times the least.*This is more than is needed",
    wrong_sum_and_exact: r"32 times the least.*exact minima",
    wrong_tolerance_of_a_sum: r"tolerance is divided by n",
    wrong_divided_twice: r"0\.025 times the least.*Too little noise protects nobody",
    wrong_twice: r"This is more than is needed",
    wrong_tolerance_as_a_distance: r"Too little noise protects nobody",
    wrong_no_curvature: r"alpha does not enter",
    wrong_curvature_multiplied: r"Too little noise protects nobody",
    wrong_no_eps: r"Too little noise protects nobody",
    wrong_eps_multiplied: r"Too little noise protects nobody",
    wrong_rate_for_scale: r"This is more than is needed",
    wrong_divided_by_p: r"Too little noise protects nobody",
    wrong_times_p: r"This is more than is needed",
    wrong_root_of_p: r"factor of √p",
    wrong_no_lipschitz: r"Too little noise protects nobody",
    wrong_scale_from_the_model: r"The noise",
    wrong_noise_alone: r"That is the noise alone",
    wrong_model_over_n: r"it is the same one",
    wrong_multiplied: r"The noise",
    wrong_no_noise: r"same result three times",
    wrong_fixed_seed: r"same result three times",
    wrong_global: r"global state of numpy",
    wrong_in_place: r"argument theta after the call",
    wrong_whole_numbers: r"array of integers.*holds integers too",
    wrong_scalar: r"seen shape \(\)",
}
