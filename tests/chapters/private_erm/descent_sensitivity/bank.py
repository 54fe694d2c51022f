"""The bank of ``descent_sensitivity``: answers that must pass, and others.

WRONG maps each wrong answer to a pattern that its message must match.
"""

import math

import numpy as np


def right_loop(rates, L, Lam, beta, n):
    apart = 0.0
    for eta in rates:
        stretch = max(abs(1 - eta * Lam), abs(1 - eta * (Lam + n * beta)))
        apart = stretch * apart + eta * L
    return apart


def right_weights(rates, L, Lam, beta, n):
    # what each pull has become at the end: later factors multiply it
    factors = np.maximum(np.abs(1 - rates * Lam), np.abs(1 - rates * (Lam + n * beta)))
    later = np.append(np.cumprod(factors[::-1])[::-1][1:], 1.0)[: len(rates)]
    return L * float(later @ rates)


def right_recursion(rates, L, Lam, beta, n):
    if len(rates) == 0:
        return 0.0
    before = right_recursion(rates[:-1], L, Lam, beta, n)
    eta = rates[-1]
    middle = 1 - eta * (Lam + n * beta / 2)
    return (abs(middle) + eta * n * beta / 2) * before + eta * L


def right_matrix(rates, L, Lam, beta, n):
    state = np.array([0.0, 1.0])
    for eta in rates:
        factor = max(1 - eta * Lam, eta * (Lam + n * beta) - 1)
        state = np.array([[factor, eta * L], [0.0, 1.0]]) @ state
    return state[0]


def _run(rates, L, factor, pull):
    apart = 0.0
    for eta in rates:
        apart = factor(eta) * apart + pull(eta)
    return apart


def _worst(Lam, top):
    return lambda eta: max(abs(1 - eta * Lam), abs(1 - eta * top))


def wrong_starter(rates, L, Lam, beta, n):
    return L / Lam


def wrong_never_divides(rates, L, Lam, beta, n):
    return L / Lam if Lam else L


def wrong_sum(rates, L, Lam, beta, n):
    return L * np.sum(rates)


def wrong_replaced(rates, L, Lam, beta, n):
    return _run(rates, L, _worst(Lam, Lam + n * beta), lambda eta: 2 * eta * L)


def wrong_mean(rates, L, Lam, beta, n):
    return _run(rates, L, _worst(Lam, Lam + n * beta), lambda eta: eta * L / n)


def wrong_short_steps(rates, L, Lam, beta, n):
    return _run(rates, L, lambda eta: 1 - eta * Lam, lambda eta: eta * L)


def wrong_largest_curvature(rates, L, Lam, beta, n):
    return _run(
        rates, L, lambda eta: abs(1 - eta * (Lam + n * beta)), lambda eta: eta * L
    )


def wrong_one_record_curved(rates, L, Lam, beta, n):
    return _run(rates, L, _worst(Lam, Lam + beta), lambda eta: eta * L)


def wrong_backward(rates, L, Lam, beta, n):
    return right_loop(rates[::-1], L, Lam, beta, n)


def wrong_contracts_the_pull(rates, L, Lam, beta, n):
    apart, worst = 0.0, _worst(Lam, Lam + n * beta)
    for eta in rates:
        apart = worst(eta) * (apart + eta * L)
    return apart


def wrong_closed_form(rates, L, Lam, beta, n):
    # right for a constant rate only
    if len(rates) == 0 or Lam == 0:
        return L * float(np.sum(rates))
    eta = np.mean(rates)
    return L / Lam * (1 - (1 - eta * Lam) ** len(rates))


def wrong_never_stretches(rates, L, Lam, beta, n):
    worst = _worst(Lam, Lam + n * beta)
    return _run(rates, L, lambda eta: min(1.0, worst(eta)), lambda eta: eta * L)


def wrong_added_record_is_curved(rates, L, Lam, beta, n):
    return _run(rates, L, _worst(Lam, Lam + (n + 1) * beta), lambda eta: eta * L)


def wrong_last_step(rates, L, Lam, beta, n):
    return float(rates[-1] * L) if len(rates) else 0.0


def wrong_capped(rates, L, Lam, beta, n):
    found = right_loop(rates, L, Lam, beta, n)
    return min(found, L / Lam) if Lam else found


def wrong_squares(rates, L, Lam, beta, n):
    squares, worst = 0.0, _worst(Lam, Lam + n * beta)
    for eta in rates:
        squares = worst(eta) ** 2 * squares + (eta * L) ** 2
    return math.sqrt(squares)


def wrong_in_place(rates, L, Lam, beta, n):
    rates *= L
    return right_loop(rates / L, L, Lam, beta, n)


def wrong_every_step(rates, L, Lam, beta, n):
    return np.array([right_loop(rates[:t], L, Lam, beta, n) for t in range(len(rates))])


RIGHT = (right_loop, right_weights, right_recursion, right_matrix)
WRONG = {
    wrong_starter: r"for the exact minimum",
    wrong_never_divides: r"for the exact minimum|Say that the two models",
    wrong_sum: r"adds up all pulls",
    wrong_replaced: r"a record that is replaced",
    wrong_mean: r"not divided by n",
    wrong_short_steps: r"right for short steps only",
    wrong_largest_curvature: r"not the worst one for short steps",
    wrong_one_record_curved: r"n times the curvature",
    wrong_backward: r"order of the rates",
    wrong_contracts_the_pull: r"contract the new pull",
    wrong_closed_form: r"Say that the two models",
    wrong_never_stretches: r"Say that the two models",
    wrong_added_record_is_curved: r"Say that the two models",
    wrong_last_step: r"Say that the two models",
    wrong_capped: r"Say that the two models",
    wrong_squares: r"Say that the two models",
    wrong_in_place: r"argument rates after the call",
    wrong_every_step: r"shape \(2,\)",
}
