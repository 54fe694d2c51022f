"""Answers to ``stop_at``: right ones, and wrong ones with their messages."""

import numpy as np


def right_loop(answers, tau, eps, draws):
    limit = tau + 2 / eps * draws[0]
    for t, answer in enumerate(answers):
        if answer + 4 / eps * draws[t + 1] >= limit:
            return t
    return len(answers)


def right_vectorized(answers, tau, eps, draws):
    T = len(answers)
    above = answers + 4 * draws[1 : T + 1] / eps >= tau + 2 * draws[0] / eps
    return int(np.flatnonzero(np.append(above, True))[0])


def right_next(answers, tau, eps, draws):
    rho, noise = 2 * draws[0] / eps, [4 * each / eps for each in draws[1:]]
    stops = (t for t, q in enumerate(answers) if q - tau + noise[t] >= rho)
    return next(stops, len(answers))


def right_while(answers, tau, eps, draws):
    t, limit = 0, tau + draws[0] / (eps / 2)
    while t < len(answers) and answers[t] + draws[t + 1] / (eps / 4) < limit:
        t += 1
    return t


def _stop(answers, limit, noise):
    for t, answer in enumerate(answers):
        if answer + noise[t] >= limit:
            return t
    return len(answers)


def wrong_starter(answers, tau, eps, draws):
    return _stop(answers, tau, draws[1:] / eps)


def wrong_no_noise(answers, tau, eps, draws):
    return _stop(answers, tau, 0 * draws)


def wrong_bare_threshold(answers, tau, eps, draws):
    return _stop(answers, tau, 4 / eps * draws[1:])


def wrong_bare_threshold_half(answers, tau, eps, draws):
    return _stop(answers, tau, 2 / eps * draws[1:])


def wrong_bare_answers(answers, tau, eps, draws):
    return _stop(answers, tau + 2 / eps * draws[0], 0 * draws)


def wrong_half(answers, tau, eps, draws):
    return _stop(answers, tau + 2 / eps * draws[0], 2 / eps * draws[1:])


def wrong_one_answer(answers, tau, eps, draws):
    return _stop(answers, tau + draws[0] / eps, draws[1:] / eps)


def wrong_swapped(answers, tau, eps, draws):
    return _stop(answers, tau + 4 / eps * draws[0], 2 / eps * draws[1:])


def wrong_all_of_epsilon(answers, tau, eps, draws):
    return _stop(answers, tau + draws[0] / eps, 2 / eps * draws[1:])


def wrong_fresh_threshold(answers, tau, eps, draws):
    for t, answer in enumerate(answers):
        if answer + 4 / eps * draws[t + 1] >= tau + 2 / eps * draws[t]:
            return t
    return len(answers)


def wrong_one_draw(answers, tau, eps, draws):
    noise = draws[1] if len(draws) > 1 else 0.0
    return _stop(answers, tau + 2 / eps * draws[0], 4 / eps * noise + 0 * answers)


def wrong_shared_draw(answers, tau, eps, draws):
    return _stop(answers, tau + 2 / eps * draws[0], 4 / eps * draws)


def wrong_multiplied(answers, tau, eps, draws):
    return _stop(answers, tau + 2 * eps * draws[0], 4 * eps * draws[1:])


def wrong_pays_for_each_look(answers, tau, eps, draws):
    return _stop(answers, tau, len(answers) / eps * draws[1:])


def wrong_side(answers, tau, eps, draws):
    limit = tau + 2 / eps * draws[0]
    return _stop(-answers, -limit, -4 / eps * draws[1:])


def wrong_strict(answers, tau, eps, draws):
    limit = tau + 2 / eps * draws[0]
    for t, answer in enumerate(answers):
        if answer + 4 / eps * draws[t + 1] > limit:
            return t
    return len(answers)


def wrong_counts_from_one(answers, tau, eps, draws):
    return right_loop(answers, tau, eps, draws) + 1


def wrong_never(answers, tau, eps, draws):
    place = right_loop(answers, tau, eps, draws)
    return place if place < len(answers) else -1


def wrong_publishes_the_answer(answers, tau, eps, draws):
    t = right_loop(answers, tau, eps, draws)
    return answers[t] + 0.3 if t < len(answers) else t


def wrong_in_place(answers, tau, eps, draws):
    draws *= 4 / eps
    return _stop(answers, tau + draws[0] / 2, draws[1:])


def wrong_noise_in_integers(answers, tau, eps, draws):
    noisy = answers.copy()
    noisy += (4 / eps * draws[1 : len(noisy) + 1]).astype(noisy.dtype)
    hits = np.flatnonzero(noisy >= tau + 2 / eps * draws[0])
    return hits[0] if len(hits) else len(answers)


RIGHT = (right_loop, right_vectorized, right_next, right_while)
WRONG = {
    wrong_starter: r"2/ε times draws\[0\], once",
    wrong_no_noise: r"No noise is in it",
    wrong_bare_threshold: r"costs ε/4 more",
    wrong_bare_threshold_half: r"costs ε/2 more",
    wrong_bare_answers: r"The answers have no noise",
    wrong_half: r"half the noise that they need",
    wrong_one_answer: r"noise of one answer alone",
    wrong_swapped: r"2/ε times draws\[0\], once",
    wrong_all_of_epsilon: r"2/ε times draws\[0\], once",
    wrong_fresh_threshold: r"drawn once, before the first look",
    wrong_one_draw: r"noise of its own",
    wrong_shared_draw: r"share one draw",
    wrong_multiplied: r"Less ε, more noise",
    wrong_pays_for_each_look: r"2/ε times draws\[0\], once",
    wrong_side: r"2/ε times draws\[0\], once",
    wrong_strict: r"2/ε times draws\[0\], once",
    wrong_counts_from_one: r"whole number from 0|draws\[t \+ 1\]",
    wrong_never: r"a whole number from 0",
    wrong_noise_in_integers: r"in arrays of integers.*loses its fraction",
    wrong_publishes_the_answer: r"stays secret|draws\[t \+ 1\]",
    wrong_in_place: r"argument draws after the call",
}
