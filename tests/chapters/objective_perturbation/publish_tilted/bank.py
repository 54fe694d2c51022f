"""The bank of ``publish_tilted``: answers that must pass, and answers that must not.

WRONG maps each wrong answer to a pattern that its message must match.
"""

import math

import numpy as np
from scipy import optimize


def right_newton(X, y, Lam, eps, rng):
    p = X.shape[1]
    s = 1 / (eps - np.log(1 + 0.25 / Lam))
    v = rng.standard_normal(p)
    b = rng.gamma(p, s) * v / np.linalg.norm(v)
    theta = np.zeros(p)
    for _ in range(100):
        share = 1 / (1 + np.exp(y * (X @ theta)))
        g = -X.T @ (y * share) + Lam * theta + b
        if np.linalg.norm(g) <= 1e-10:
            break
        H = X.T @ ((share * (1 - share))[:, None] * X) + Lam * np.eye(p)
        theta = theta - np.linalg.solve(H, g)
    return theta


def right_gradient_steps(X, y, Lam, eps, rng):
    n, p = X.shape
    kappa = math.log1p(1 / (4 * Lam))
    length = sum(rng.standard_exponential() for _ in range(p)) / (eps - kappa)
    z = rng.normal(size=p)
    tilt = z * (length / math.sqrt(z @ z))
    model, rate = -tilt / (Lam + n / 4), 1 / (Lam + n / 4)
    for _ in range(20_000):
        slope = X.T @ (-y / (1 + np.exp(y * (X @ model)))) + Lam * model + tilt
        model = model - rate * slope
        if np.sum(slope * slope) < 1e-18:
            return model
    return model


def right_scipy(X, y, Lam, eps, rng):
    p = X.shape[1]
    z = rng.normal(size=p)
    b = z / np.linalg.norm(z) * rng.chisquare(2 * p) / 2 / (eps - np.log1p(0.25 / Lam))

    def gradient(theta):
        return -(y / (1 + np.exp(y * (X @ theta)))) @ X + Lam * theta + b

    def hessian(theta):
        share = 1 / (1 + np.exp(-(X @ theta)))
        return (X.T * (share - share**2)) @ X + Lam * np.eye(p)

    found = optimize.root(gradient, -b / Lam, jac=hessian, tol=1e-12).x
    while np.linalg.norm(gradient(found)) > 1e-10:
        found = found - np.linalg.solve(hessian(found), gradient(found))
    return found


def right_list(X, y, Lam, eps, rng):
    p = X.shape[1]
    z = rng.standard_normal(size=(p,))
    z /= np.sqrt(np.dot(z, z))
    r = rng.standard_gamma(p)
    scale = eps - math.log((Lam + 0.25) / Lam)
    theta = np.zeros(p)
    signed = y[:, None] * X
    for _ in range(60):
        pull = 1 / (1 + np.exp(signed @ theta))
        slope = Lam * theta + r / scale * z - pull @ signed
        bend = np.diag(np.full(p, float(Lam)))
        bend = bend + signed.T @ np.diag(pull * (1 - pull)) @ signed
        theta = theta - np.linalg.inv(bend) @ slope
    return theta.tolist()


def _solve(X, y, Lam, b, steps=30):
    theta = np.zeros(X.shape[1])
    for _ in range(steps):
        share = 1 / (1 + np.exp(y * (X @ theta)))
        g = -X.T @ (y * share) + Lam * theta + b
        H = X.T @ ((share * (1 - share))[:, None] * X) + Lam * np.eye(len(theta))
        theta = theta - np.linalg.solve(H, g)
    return theta


def _ball(p, s, rng):
    z = rng.standard_normal(p)
    return rng.gamma(p, s) * z / np.linalg.norm(z)


def _s(Lam, eps):
    return 1 / (eps - np.log1p(0.25 / Lam))


def _with(X, y, Lam, s, rng):
    return _solve(X, y, Lam, _ball(X.shape[1], s, rng))


def wrong_starter(X, y, Lam, eps, rng):
    p = X.shape[1]
    return _solve(X, y, Lam, np.zeros(p)) + rng.laplace(0.0, 1 / (Lam * eps), size=p)


def wrong_output(X, y, Lam, eps, rng):
    p = X.shape[1]
    return _solve(X, y, Lam, np.zeros(p)) + _ball(p, 1 / (Lam * eps), rng)


def wrong_forgets_determinant(X, y, Lam, eps, rng):
    return _with(X, y, Lam, 1 / eps, rng)


def wrong_textbook(X, y, Lam, eps, rng):
    return _with(X, y, Lam, 2 / eps, rng)


def wrong_curvature_one(X, y, Lam, eps, rng):
    return _with(X, y, Lam, 1 / abs(eps - np.log1p(1 / Lam)), rng)


def wrong_replacement(X, y, Lam, eps, rng):
    return _with(X, y, Lam, 2 * _s(Lam, eps), rng)


def wrong_divided_by_regularization(X, y, Lam, eps, rng):
    return _with(X, y, Lam, _s(Lam, eps) / Lam, rng)


def wrong_sensitivity_from_data(X, y, Lam, eps, rng):
    L = np.linalg.norm(X, axis=1).max()
    return _with(X, y, Lam, L * _s(Lam, eps), rng)


def wrong_curvature_from_data(X, y, Lam, eps, rng):
    beta = np.sum(X**2, axis=1).max() / 4
    return _with(X, y, Lam, 1 / (eps - np.log1p(beta / Lam)), rng)


def wrong_three_percent(X, y, Lam, eps, rng):
    return _with(X, y, Lam, 0.97 * _s(Lam, eps), rng)


def wrong_laplace_tilt(X, y, Lam, eps, rng):
    b = rng.laplace(0.0, _s(Lam, eps), size=X.shape[1])
    return _solve(X, y, Lam, b)


def wrong_exponential_length(X, y, Lam, eps, rng):
    z = rng.standard_normal(X.shape[1])
    b = rng.exponential(_s(Lam, eps)) * z / np.linalg.norm(z)
    return _solve(X, y, Lam, b)


def wrong_normal_tilt(X, y, Lam, eps, rng):
    return _solve(X, y, Lam, rng.normal(0.0, _s(Lam, eps), X.shape[1]))


def wrong_mean(X, y, Lam, eps, rng):
    return _with(X, y, Lam * len(y), _s(Lam, eps), rng)


def wrong_double_regularization(X, y, Lam, eps, rng):
    return _with(X, y, 2 * Lam, _s(Lam, eps), rng)


def wrong_half_regularization(X, y, Lam, eps, rng):
    return _with(X, y, Lam / 2, _s(Lam, eps), rng)


def wrong_labels(X, y, Lam, eps, rng):
    return _with(X, -y, Lam, _s(Lam, eps), rng)


def wrong_one_step(X, y, Lam, eps, rng):
    b = _ball(X.shape[1], _s(Lam, eps), rng)
    return (X.T @ y / 2 - b) / Lam


def wrong_few_newton_steps(X, y, Lam, eps, rng):
    b = _ball(X.shape[1], _s(Lam, eps), rng)
    return _solve(X, y, Lam, b, steps=1)


def wrong_draws_again(X, y, Lam, eps, rng):
    theta = _with(X, y, Lam, _s(Lam, eps), rng)
    while np.linalg.norm(theta) > 1 / Lam:
        theta = _with(X, y, Lam, _s(Lam, eps), rng)
    return theta


def wrong_no_noise(X, y, Lam, eps, rng):
    return _solve(X, y, Lam, np.zeros(X.shape[1]))


def wrong_fixed_seed(X, y, Lam, eps, rng):
    return _with(X, y, Lam, _s(Lam, eps), np.random.default_rng(0))


def wrong_in_place(X, y, Lam, eps, rng):
    X *= y[:, None]
    return _with(X, np.ones(len(y)), Lam, _s(Lam, eps), rng)


def wrong_two_newton_steps(X, y, Lam, eps, rng):
    b = _ball(X.shape[1], _s(Lam, eps), rng)
    return _solve(X, y, Lam, b, steps=2)


def wrong_four_newton_steps(X, y, Lam, eps, rng):
    b = _ball(X.shape[1], _s(Lam, eps), rng)
    return _solve(X, y, Lam, b, steps=4)


def wrong_few_seeds(X, y, Lam, eps, rng):
    few = np.random.default_rng(rng.integers(1000))
    return right_newton(X, y, Lam, eps, few)


RIGHT = (right_newton, right_gradient_steps, right_scipy, right_list)
WRONG = {
    wrong_few_seeds: r"different results.*a small seed",
    wrong_starter: r"before the minimum is sought",
    wrong_output: r"before the minimum is sought|not that of the normals|length",
    wrong_forgets_determinant: r"leaves nothing of ε for the determinant",
    wrong_textbook: r"the source's scale",
    wrong_curvature_one: r"1/4 at most",
    wrong_replacement: r"record that is replaced",
    wrong_divided_by_regularization: r"divided by Λ",
    wrong_sensitivity_from_data: r"too little for eps",
    wrong_curvature_from_data: r"too little for eps",
    wrong_three_percent: r"too little for eps",
    wrong_laplace_tilt: r"rng\.laplace",
    wrong_exponential_length: r"how much room|How much room",
    wrong_normal_tilt: r"You draw normals alone",
    wrong_mean: r"mean of the losses",
    wrong_double_regularization: r"not 2Λθ",
    wrong_half_regularization: r"not Λθ/2",
    wrong_labels: r"sign of the labels",
    wrong_one_step: r"one step from 0",
    wrong_few_newton_steps: r"gradient of the whole objective|one step from 0",
    wrong_draws_again: r"tilt",
    wrong_no_noise: r"the same result three times",
    wrong_fixed_seed: r"the same result three times",
    wrong_in_place: r"argument X after the call",
    wrong_two_newton_steps: r"gradient",
    wrong_four_newton_steps: r"norm of the gradient at your model.*however many",
}
