"""The bank of ``exact_coin``: answers that must pass, and answers that must not.

WRONG maps each wrong answer to a pattern that its message must match.
"""

import math

import numpy as np


def right_loop(a, b, draws):
    k = 1
    while draws[k - 1] < a:
        k += 1
    return k % 2


def right_first_failure(a, b, draws):
    return int(np.argmax(draws >= a) % 2 == 0)


def right_toggle(a, b, draws):
    heads = 0
    for draw in draws:
        heads = 1 - heads
        if draw >= a:
            break
    return heads


def right_running_product(a, b, draws):
    alive = np.cumprod(np.asarray(draws) < a)
    return 1 - int(alive.sum()) % 2


def right_truth_value(a, b, draws):
    k = 1
    while draws[k - 1] < a:
        k += 1
    return k % 2 == 1


def wrong_starter(a, b, draws):
    return int(draws[0] / b < np.exp(-a / b))


def wrong_even(a, b, draws):
    return int(np.argmax(draws >= a) % 2 == 1)


def wrong_inclusive(a, b, draws):
    k = 1
    while k <= len(draws) and draws[k - 1] <= a:
        k += 1
    return k % 2


def wrong_first_coin(a, b, draws):
    return int(draws[0] >= a)


def wrong_math_exp(a, b, draws):
    return int(draws[0] < b * math.exp(-a / b))


def wrong_same_chance(a, b, draws):
    k = 1
    while draws[k - 1] // k < a:
        k += 1
        if k > len(draws):
            break
    return k % 2


def wrong_number_of_coins(a, b, draws):
    return int(np.argmax(draws >= a)) + 1


def wrong_any_success(a, b, draws):
    return int(np.sum(draws < a) % 2 == 0)


def wrong_always(a, b, draws):
    return 1


def wrong_none(a, b, draws):
    np.argmax(draws >= a)


def wrong_floats(a, b, draws):
    k = 1
    while draws[k - 1] / b < a / b:
        k += 1
    return k % 2


def wrong_ten_coins(a, b, draws):
    k = 1
    while k < 10 and draws[k - 1] < a:
        k += 1
    return k % 2


RIGHT = (
    right_loop,
    right_first_failure,
    right_toggle,
    right_running_product,
    right_truth_value,
)
WRONG = {
    wrong_starter: r"np\.exp rounds",
    wrong_even: r"wrong way round",
    wrong_inclusive: r"those below a",
    wrong_first_coin: r"first terms of e",
    wrong_math_exp: r"np\.exp rounds",
    wrong_same_chance: r"must succeed with probability",
    wrong_number_of_coins: r"first draw that is not below a",
    wrong_any_success: r"first draw that is not below a",
    wrong_always: r"first draw that is not below a",
    wrong_none: r"Is the return missing",
    wrong_floats: r"9\.007e\+15|9007199254740993",
    wrong_ten_coins: r"exact_coin\(1, 1, draws\)",
}
