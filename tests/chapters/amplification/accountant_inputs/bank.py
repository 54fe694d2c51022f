"""The bank of ``accountant_inputs``: right answers, and wrong ones by case."""

import numpy as np


def right_branches(case, n, b, e, s, k):
    if case == 1:
        return s, b / n, e * n / b
    if case == 2:
        return s, b / n, e
    if case == 3:
        return s * b, b / n, e * n / b
    if case == 4:
        return s, b / n, e * k / b
    return s / 2, b / n, e * n / b


def right_tables(case, n, b, e, s, k):
    noise = {3: b * s, 5: 0.5 * s}
    steps = {2: e, 4: e * (k / b)}
    return np.array([noise.get(case, s), b / n, steps.get(case, e * n / b)])


def right_changes(case, n, b, e, s, k):
    answer = [s, b / n, e * n / b]
    if case == 2:
        answer[2] = e
    elif case == 3:
        answer[0] *= b
    elif case == 4:
        answer[2] *= k / n
    elif case == 5:
        answer[0] /= 2
    return answer


def right_by_parts(case, n, b, e, s, k):
    length = k if case == 4 else n
    per_epoch = 1 if case == 2 else length / b
    noise = s * (b if case == 3 else 1) / (2 if case == 5 else 1)
    return noise, b / n, e * per_epoch


def right_whole_steps(case, n, b, e, s, k):
    # all the quotients are whole, so rounding up changes nothing
    noise = [s, s, s * b, s, s / 2][case - 1]
    steps = e if case == 2 else -(-(k if case == 4 else n) // b) * e
    return noise, b / n, steps


def _changed(case, given, at, **formulas):
    n, b, e, s, k = given
    answer = list(right_branches(case, *given))
    if case == at:
        for place, formula in formulas.items():
            index = ("noise", "rate", "steps").index(place)
            answer[index] = formula(n, b, e, s, k)
    return answer


def wrong_starter(case, n, b, e, s, k):
    return s, b / n, e * n / b


def wrong_micro_rate(case, *given):
    return _changed(case, given, 1, rate=lambda n, b, e, s, k: b / (k * n))


def wrong_larger_batch(case, *given):
    return _changed(case, given, 1, rate=lambda n, b, e, s, k: b * k / n)


def wrong_micro_steps(case, *given):
    return _changed(case, given, 1, steps=lambda n, b, e, s, k: e * k * n / b)


def wrong_fewer_steps(case, *given):
    return _changed(case, given, 1, steps=lambda n, b, e, s, k: e * n / (b * k))


def wrong_epochs_for_steps(case, *given):
    return _changed(case, given, 1, steps=lambda n, b, e, s, k: e)


def wrong_local_steps(case, *given):
    return _changed(case, given, 2, steps=lambda n, b, e, s, k: e * k)


def wrong_rounds_as_passes(case, *given):
    return _changed(case, given, 2, steps=lambda n, b, e, s, k: e * n / b)


def wrong_records_of_users(case, *given):
    return _changed(case, given, 2, rate=lambda n, b, e, s, k: b / (k * n))


def wrong_noise_of_mean(case, *given):
    return _changed(case, given, 3, noise=lambda n, b, e, s, k: s)


def wrong_noise_divided_twice(case, *given):
    return _changed(case, given, 3, noise=lambda n, b, e, s, k: s / b)


def wrong_noise_times_n(case, *given):
    return _changed(case, given, 3, noise=lambda n, b, e, s, k: s * n)


def wrong_rate_of_sampler(case, *given):
    return _changed(case, given, 4, rate=lambda n, b, e, s, k: b / k)


def wrong_whole_epochs(case, *given):
    return _changed(case, given, 4, steps=lambda n, b, e, s, k: e * n / b)


def wrong_price_of_coins(case, *given):
    return _changed(case, given, 5, noise=lambda n, b, e, s, k: s)


def wrong_twice_the_noise(case, *given):
    return _changed(case, given, 5, noise=lambda n, b, e, s, k: 2 * s)


def wrong_root_of_two(case, *given):
    return _changed(case, given, 5, noise=lambda n, b, e, s, k: s / 2**0.5)


def wrong_order(case, *given):
    return right_branches(case, *given)[::-1]


RIGHT = (
    right_branches,
    right_tables,
    right_changes,
    right_by_parts,
    right_whole_steps,
)
WRONG = {
    wrong_starter: r"number of steps in case 2.*number of rounds",
    wrong_micro_rate: r"rate in case 1.*matter of memory",
    wrong_larger_batch: r"rate in case 1.*already the size",
    wrong_micro_steps: r"steps in case 1.*micro-batch",
    wrong_fewer_steps: r"steps in case 1.*already the size",
    wrong_epochs_for_steps: r"steps in case 1.*many steps",
    wrong_local_steps: r"steps in case 2.*release nothing",
    wrong_rounds_as_passes: r"steps in case 2.*number of rounds",
    wrong_records_of_users: r"rate in case 2.*Count users",
    wrong_noise_of_mean: r"noise multiplier in case 3.*on the mean",
    wrong_noise_divided_twice: r"noise multiplier in case 3.*on the mean",
    wrong_noise_times_n: r"noise multiplier in case 3.*by b, not by n",
    wrong_rate_of_sampler: r"rate in case 4.*not the number of records",
    wrong_whole_epochs: r"steps in case 4.*ends earlier",
    wrong_price_of_coins: r"noise multiplier in case 5.*price of coins",
    wrong_twice_the_noise: r"noise multiplier in case 5.*worth less",
    wrong_root_of_two: r"noise multiplier in case 5.*fixed size",
    wrong_order: r"noise multiplier in case 1",
}
