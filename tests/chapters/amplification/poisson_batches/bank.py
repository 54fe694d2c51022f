"""The bank of ``poisson_batches``: right samplers, and those that loaders offer."""

import numpy as np


def right_uniforms(n, q, steps, rng):
    return (rng.random((steps, n)) < q).astype(int)


def right_binomial(n, q, steps, rng):
    return rng.binomial(1, q, size=(steps, n))


def right_size_first(n, q, steps, rng):
    # a binomial size, then that many records: the same distribution as coins
    size = rng.binomial(n, q, size=(steps, 1))
    place = rng.permuted(np.tile(np.arange(n), (steps, 1)), axis=1)
    return (place < size).astype(int)


def right_loop(n, q, steps, rng):
    B = np.zeros((steps, n), dtype=int)
    for i in range(n):
        B[:, i] = rng.uniform(size=steps) < q
    return B


def right_choice(n, q, steps, rng):
    return rng.choice([0, 1], size=(steps, n), p=[1 - q, q])


def right_where(n, q, steps, rng):
    out = rng.random((n, steps)) >= q
    return np.where(out, 0, 1).T


def right_positions(n, q, steps, rng):
    B = np.full((steps, n), 0)
    B[np.nonzero(rng.random((steps, n)) < q)] += 1
    return B


def wrong_starter(n, q, steps, rng):
    size = round(q * n)
    B = np.zeros((steps, n), dtype=int)
    for t in range(steps):
        B[t, rng.permutation(n)[:size]] = 1
    return B


def wrong_shuffled_epochs(n, q, steps, rng):
    B, per_epoch = np.zeros((steps, n), dtype=int), max(1, round(1 / q))
    for t in range(steps):
        if t % per_epoch == 0:
            batch = np.empty(n, dtype=int)
            batch[rng.permutation(n)] = np.arange(n) % per_epoch
        B[t, batch == t % per_epoch] = 1
    return B


def wrong_balls_and_bins(n, q, steps, rng):
    B, per_epoch = np.zeros((steps, n), dtype=int), max(1, round(1 / q))
    for t in range(steps):
        if t % per_epoch == 0:
            batch = rng.integers(per_epoch, size=n)
        B[t, batch == t % per_epoch] = 1
    return B


def wrong_with_replacement(n, q, steps, rng):
    B = np.zeros((steps, n), dtype=int)
    for t in range(steps):
        np.add.at(B[t], rng.integers(n, size=rng.binomial(n, q)), 1)
    return B


def wrong_with_replacement_cut(n, q, steps, rng):
    B = np.zeros((steps, n), dtype=int)
    for t in range(steps):
        B[t, rng.integers(n, size=max(1, round(n * q)))] = 1
    return B


def wrong_never_empty(n, q, steps, rng):
    B = np.zeros((steps, n), dtype=int)
    for t in range(steps):
        while not B[t].any():
            B[t] = rng.random(n) < q
    return B


def wrong_first_records(n, q, steps, rng):
    size = rng.binomial(n, q, size=steps)
    return (np.arange(n) < size[:, None]).astype(int)


def wrong_neighboring_records(n, q, steps, rng):
    size, start = rng.binomial(n, q, size=steps), rng.integers(n, size=steps)
    place = (np.arange(n) - start[:, None]) % n
    return (place < size[:, None]).astype(int)


def wrong_one_coin_for_all(n, q, steps, rng):
    return np.repeat((rng.random((steps, 1)) < q).astype(int), n, axis=1)


def wrong_same_batch(n, q, steps, rng):
    return np.tile((rng.random(n) < q).astype(int), (steps, 1))


def wrong_every_batch_twice(n, q, steps, rng):
    B = (rng.random(((steps + 1) // 2, n)) < q).astype(int)
    return np.repeat(B, 2, axis=0)[:steps]


def wrong_mirrored_steps(n, q, steps, rng):
    u = rng.random(((steps + 1) // 2, n))
    return (np.concatenate([u, 1 - u])[:steps] < q).astype(int)


def wrong_everyone_equally_often(n, q, steps, rng):
    B = np.zeros((steps, n), dtype=int)
    for i in range(n):
        B[rng.permutation(steps)[: round(q * steps)], i] = 1
    return B


def wrong_poisson_size(n, q, steps, rng):
    B = np.zeros((steps, n), dtype=int)
    for t in range(steps):
        B[t, rng.permutation(n)[: min(n, rng.poisson(n * q))]] = 1
    return B


def wrong_fair_coins(n, q, steps, rng):
    return (rng.random((steps, n)) < 0.5).astype(int)


def wrong_left_out(n, q, steps, rng):
    return (rng.random((steps, n)) > q).astype(int)


def wrong_own_seed(n, q, steps, rng):
    return (np.random.default_rng(0).random((steps, n)) < q).astype(int)


def wrong_transposed(n, q, steps, rng):
    return (rng.random((n, steps)) < q).astype(int)


def wrong_truth_values(n, q, steps, rng):
    return rng.random((steps, n)) < q


def wrong_whole_percents(n, q, steps, rng):
    return (rng.integers(100, size=(steps, n)) < 100 * q).astype(int)


def wrong_a_little_more(n, q, steps, rng):
    return right_uniforms(n, 1.03 * q, steps, rng)


def wrong_a_little_less(n, q, steps, rng):
    return right_uniforms(n, 0.97 * q, steps, rng)


def wrong_half_follow_their_neighbor(n, q, steps, rng):
    """Half of the coins are those of the record before, in the step before."""
    B, copied = right_uniforms(n, q, steps, rng), rng.random((steps, n)) < 0.5
    for t in range(1, steps):
        B[t, 1:] = np.where(copied[t, 1:], B[t - 1, :-1], B[t, 1:])
    return B


def wrong_few_seeds(n, q, steps, rng):
    return right_uniforms(n, q, steps, np.random.default_rng(rng.integers(1000)))


def wrong_one_of_a_whole_number(n, q, steps, rng):
    return (rng.integers(round(1 / q), size=(steps, n)) == 0).astype(int)


RIGHT = (
    right_uniforms, right_binomial, right_size_first, right_loop, right_choice,
    right_where, right_positions,
)  # fmt: skip
WRONG = {
    wrong_a_little_more: r"how often|how many of 200,000 coins",
    wrong_a_little_less: r"how often|how many of 200,000 coins",
    wrong_starter: r"how often record 0|batch size",
    wrong_shuffled_epochs: r"how often record|batch size",
    wrong_balls_and_bins: r"again 1 later",
    wrong_with_replacement: r"0 and 1 only|how often record",
    wrong_with_replacement_cut: r"how often record",
    wrong_never_empty: r"how often record",
    wrong_first_records: r"how often record 0",
    wrong_neighboring_records: r"how often records 0 and 1",
    wrong_one_coin_for_all: r"distribution of the batch size",
    wrong_same_batch: r"how often record 0",
    wrong_every_batch_twice: r"distribution of the batch size|again 1 later",
    wrong_mirrored_steps: r"how many of 6 batches a record is in",
    wrong_everyone_equally_often: r"how many of 6 batches a record is in",
    wrong_poisson_size: r"how often record|distribution of the batch size",
    wrong_fair_coins: r"how often record 0",
    wrong_left_out: r"how often record 0",
    wrong_own_seed: r"same result",
    wrong_transposed: r"axes are in the wrong order",
    wrong_truth_values: r"of bool",
    wrong_whole_percents: r"for n = 50, q = 0\.0025.*rounded to percents",
    wrong_half_follow_their_neighbor: r"the next record 1 later",
    wrong_few_seeds: r"different results.*a small seed",
    wrong_one_of_a_whole_number: r"q = 0\.3.*is something rounded",
}
