"""The bank of ``repair_accountant``: answers that must pass, and answers that must not.

WRONG maps each wrong answer to a pattern that its message must match.
"""

from collections import Counter
from math import comb, exp, log, pi

import numpy as np


def right_repaired(P, Q, T, eps, h):
    both = (P > 0) & (Q > 0)
    worst = 0.0
    for first, second in ((P, Q), (Q, P)):
        steps = np.ceil(np.log(first[both] / second[both]) / h).astype(int)
        one = np.bincount(steps - steps.min(), first[both])
        chances = one
        for _ in range(T - 1):
            chances = np.convolve(chances, one)
        loss = h * (T * steps.min() + np.arange(len(chances)))
        part = np.maximum(1 - np.exp(np.minimum(eps - loss, 0)), 0)
        certain = 1 - (1 - first[second == 0].sum()) ** T
        worst = max(worst, certain + chances @ part)
    return worst


def right_fourier(P, Q, T, eps, h):
    def one_way(P, Q):
        finite = (P > 0) & (Q > 0)
        steps = np.ceil((np.log(P[finite]) - np.log(Q[finite])) / h).astype(int)
        low = steps.min()
        size = T * (steps.max() - low) + 1
        one = np.bincount(steps - low, weights=P[finite], minlength=size)
        chances = np.fft.irfft(np.fft.rfft(one, 2 * size) ** T, 2 * size)[:size]
        loss = (T * low + np.arange(size)) * h
        above = loss > eps
        return (
            1
            - (1 - P[Q == 0].sum()) ** T
            - chances[above] @ np.expm1(eps - loss[above])
        )

    return max(one_way(P, Q), one_way(Q, P))


def right_exact(P, Q, T, eps, h):
    """Keep the exact losses: how often did each output come?"""

    def one_way(P, Q):
        chances = {(): 1.0}
        for _ in range(T):
            longer = Counter()
            for counts, chance in chances.items():
                counts = counts or (0,) * len(P)
                for k in range(len(P)):
                    if P[k] > 0:
                        more = (*counts[:k], counts[k] + 1, *counts[k + 1 :])
                        longer[more] += chance * P[k]
            chances = longer
        delta = 0.0
        for counts, chance in chances.items():
            if any(c and q == 0 for c, q in zip(counts, Q, strict=True)):
                delta += chance
                continue
            loss = sum(
                c * log(p / q) for c, p, q in zip(counts, P, Q, strict=True) if c
            )
            if loss > eps:
                delta += chance * (1 - exp(eps - loss))
        return delta

    if T > 60:
        return right_repaired(P, Q, T, eps, h)
    return max(one_way(P, Q), one_way(Q, P))


def right_dictionary(P, Q, T, eps, h):
    """Count steps in a dictionary; an infinite loss is a key like the others."""

    def one_way(P, Q):
        one = Counter()
        for p, q in zip(P, Q, strict=True):
            if p > 0:
                one[np.ceil(log(p / q) / h) if q > 0 else np.inf] += p
        chances = one
        for _ in range(T - 1):
            longer = Counter()
            for a, chance in chances.items():
                for b, p in one.items():
                    longer[a + b] += chance * p
            chances = longer
        return sum(
            chance * (1 - exp(eps - h * steps))
            for steps, chance in chances.items()
            if h * steps > eps
        )

    return max(one_way(P, Q), one_way(Q, P))


def right_connected_dots(P, Q, T, eps, h):
    """Share each output out among the two points beside its loss."""

    def one_way(P, Q):
        finite = (P > 0) & (Q > 0)
        p, q = P[finite], Q[finite]
        below = np.floor(np.log(p / q) / h + 1e-9).astype(int)
        # totals under P and under Q stay
        up = np.clip((p - q * np.exp(h * below)) / (1 - exp(-h)), 0, p)
        low = below.min()
        one = np.zeros(below.max() - low + 2)
        np.add.at(one, below - low + 1, up)
        np.add.at(one, below - low, p - up)
        chances = np.ones(1)
        for _ in range(T):
            chances = np.convolve(chances, one)
        loss = h * (T * low + np.arange(len(chances)))
        part = np.maximum(-np.expm1(np.minimum(eps - loss, 0)), 0)
        return 1 - (1 - P[Q == 0].sum()) ** T + chances @ part

    return max(one_way(P, Q), one_way(Q, P))


def variant(P, Q, T, eps, h, *bugs):
    """Repair all but these bugs."""
    both = (P > 0) & (Q > 0)
    deltas = []
    for first, second in ((P, Q), (Q, P)):
        rounded = np.rint if "nearest" in bugs else np.ceil
        steps = rounded(np.log(first[both] / second[both]) / h).astype(int)
        one = np.bincount(
            steps - steps.min(), (second if "weights" in bugs else first)[both]
        )
        chances = one
        for _ in range(T - 1):
            chances = np.convolve(chances, one)
            if "tail" in bugs:
                chances[chances < 1e-6] = 0
        part = 1 - np.exp(eps - h * (T * steps.min() + np.arange(len(chances))))
        delta = chances @ (part if "clip" in bugs else np.maximum(part, 0))
        if "impossible" not in bugs:
            delta += 1 - (1 - first[second == 0].sum()) ** T
        deltas.append(delta)
    return deltas[0] if "direction" in bugs else max(deltas)


def wrong_starter(P, Q, T, eps, h):
    both = (P > 0) & (Q > 0)
    steps = np.rint(np.log(P[both] / Q[both]) / h).astype(int)
    chances = one = np.bincount(steps - steps.min(), Q[both])
    for _ in range(T - 1):
        chances = np.convolve(chances, one)
        chances[chances < 1e-6] = 0
    loss = h * (T * steps.min() + np.arange(len(chances)))
    return np.sum(chances * (1 - np.exp(eps - loss)))


def wrong_not_clipped(P, Q, T, eps, h):
    return variant(P, Q, T, eps, h, "clip")


def wrong_weights_of_q(P, Q, T, eps, h):
    return variant(P, Q, T, eps, h, "weights")


def wrong_one_direction(P, Q, T, eps, h):
    return variant(P, Q, T, eps, h, "direction")


def wrong_drops_the_impossible(P, Q, T, eps, h):
    return variant(P, Q, T, eps, h, "impossible")


def wrong_rounds_to_nearest(P, Q, T, eps, h):
    return variant(P, Q, T, eps, h, "nearest")


def wrong_cuts_the_tail(P, Q, T, eps, h):
    return variant(P, Q, T, eps, h, "tail")


def wrong_weights_and_direction(P, Q, T, eps, h):
    return variant(P, Q, T, eps, h, "weights", "direction")


def wrong_nearest_and_tail(P, Q, T, eps, h):
    return variant(P, Q, T, eps, h, "nearest", "tail")


def wrong_clips_the_total(P, Q, T, eps, h):
    return max(variant(P, Q, T, eps, h, "clip"), 0.0)


def wrong_absolute_values(P, Q, T, eps, h):
    total = 0.0
    for first, second in ((P, Q), (Q, P)):
        both = (first > 0) & (second > 0)
        steps = np.ceil(np.log(first[both] / second[both]) / h).astype(int)
        chances = one = np.bincount(steps - steps.min(), first[both])
        for _ in range(T - 1):
            chances = np.convolve(chances, one)
        loss = h * (T * steps.min() + np.arange(len(chances)))
        total = max(total, chances @ np.abs(1 - np.exp(eps - loss)))
    return total


def _repaired(P, Q, T, eps, h, up=np.ceil, certain=None, join=max, more=0, moved=0.0):
    certain = certain or (lambda p: 1 - (1 - p) ** T)
    both, deltas = (P > 0) & (Q > 0), []
    for first, second in ((P, Q), (Q, P)):
        steps = up(np.log(first[both] / second[both]) / h).astype(int)
        chances = one = np.bincount(steps - steps.min(), first[both])
        for _ in range(T - 1 + more):
            chances = np.convolve(chances, one)
        loss = h * ((T + more) * steps.min() + np.arange(len(chances))) + moved
        part = np.maximum(1 - np.exp(np.minimum(eps - loss, 0)), 0)
        deltas.append(certain(first[second == 0].sum()) + chances @ part)
    return join(deltas)


def wrong_rounds_down(P, Q, T, eps, h):
    return _repaired(P, Q, T, eps, h, up=np.floor)


def wrong_rounds_away_from_zero(P, Q, T, eps, h):
    def away(steps):
        return np.sign(steps) * np.ceil(np.abs(steps))

    return _repaired(P, Q, T, eps, h, up=away)


def wrong_truncates(P, Q, T, eps, h):
    return _repaired(P, Q, T, eps, h, up=np.trunc)


def wrong_two_steps_up(P, Q, T, eps, h):
    return _repaired(P, Q, T, eps, h, up=lambda steps: np.ceil(steps) + 1)


def wrong_rounds_the_sum_alone(P, Q, T, eps, h):
    return _repaired(P, Q, T, eps, h, up=np.rint, moved=h)


def wrong_every_loss_is_the_largest(P, Q, T, eps, h):
    return _repaired(
        P, Q, T, eps, h, up=lambda steps: np.full(len(steps), np.ceil(steps.max()))
    )


def wrong_tail_is_lost(P, Q, T, eps, h):
    """Count as lost all that is cut away; and much is."""
    both, deltas = (P > 0) & (Q > 0), []
    for first, second in ((P, Q), (Q, P)):
        steps = np.ceil(np.log(first[both] / second[both]) / h).astype(int)
        chances = one = np.bincount(steps - steps.min(), first[both])
        lost = 1 - (1 - first[second == 0].sum()) ** T
        for _ in range(T - 1):
            chances = np.convolve(chances, one)
            lost += chances[chances < 1e-6].sum()
            chances[chances < 1e-6] = 0
        loss = h * (T * steps.min() + np.arange(len(chances)))
        part = np.maximum(1 - np.exp(np.minimum(eps - loss, 0)), 0)
        deltas.append(lost + chances @ part)
    return max(deltas)


def wrong_rescales_what_is_left(P, Q, T, eps, h):
    both, deltas = (P > 0) & (Q > 0), []
    for first, second in ((P, Q), (Q, P)):
        steps = np.ceil(np.log(first[both] / second[both]) / h).astype(int)
        chances = one = np.bincount(
            steps - steps.min(), first[both] / first[both].sum()
        )
        for _ in range(T - 1):
            chances = np.convolve(chances, one)
        loss = h * (T * steps.min() + np.arange(len(chances)))
        deltas.append(chances @ np.maximum(1 - np.exp(np.minimum(eps - loss, 0)), 0))
    return max(deltas)


def wrong_certain_once(P, Q, T, eps, h):
    return _repaired(P, Q, T, eps, h, certain=lambda p: p)


def wrong_certain_every_time(P, Q, T, eps, h):
    return _repaired(P, Q, T, eps, h, certain=lambda p: p**T)


def wrong_certain_added_up(P, Q, T, eps, h):
    return _repaired(P, Q, T, eps, h, certain=lambda p: T * p)


def wrong_sum_of_directions(P, Q, T, eps, h):
    return _repaired(P, Q, T, eps, h, join=sum)


def wrong_mean_of_directions(P, Q, T, eps, h):
    return _repaired(P, Q, T, eps, h, join=np.mean)


def wrong_milder_direction(P, Q, T, eps, h):
    return _repaired(P, Q, T, eps, h, join=min)


def wrong_one_release_more(P, Q, T, eps, h):
    return _repaired(P, Q, T, eps, h, more=1)


def wrong_one_step_less(P, Q, T, eps, h):
    return _repaired(P, Q, T, eps, h, moved=-h)


def wrong_adds_delta_up(P, Q, T, eps, h):
    return min(T * right_repaired(P, Q, 1, eps, h), 1.0)


def wrong_basic_composition(P, Q, T, eps, h):
    return T * right_repaired(P, Q, 1, eps / T, h)


def wrong_short_transform(P, Q, T, eps, h):
    def one_way(P, Q):
        finite = (P > 0) & (Q > 0)
        steps = np.ceil(np.log(P[finite] / Q[finite]) / h).astype(int)
        size = 8 * (steps.max() - steps.min() + 1)
        one = np.bincount(steps - steps.min(), P[finite], minlength=size)
        chances = np.fft.irfft(np.fft.rfft(one) ** T, size)
        loss = (T * steps.min() + np.arange(size)) * h
        part = np.maximum(-np.expm1(np.minimum(eps - loss, 0)), 0)
        return 1 - (1 - P[Q == 0].sum()) ** T + chances @ part

    return max(one_way(P, Q), one_way(Q, P))


def wrong_normal_chances(P, Q, T, eps, h):
    """Take the sum of the losses for normal."""
    both, deltas = (P > 0) & (Q > 0), []
    for first, second in ((P, Q), (Q, P)):
        loss = np.log(first[both] / second[both])
        mean = T * (first[both] @ loss)
        spread = np.sqrt(T * (first[both] @ loss**2) - mean**2 / T)
        z = np.linspace(-10, 10, 20_001)
        density = np.exp(-(z**2) / 2) / np.sqrt(2 * pi) * (z[1] - z[0])
        part = np.maximum(-np.expm1(np.minimum(eps - mean - spread * z, 0)), 0)
        deltas.append(density @ part + 1 - (1 - first[second == 0].sum()) ** T)
    return max(deltas)


def wrong_two_outputs_only(P, Q, T, eps, h):
    p, q = P[0], Q[0]
    return sum(
        max(
            comb(T, i)
            * (p**i * (1 - p) ** (T - i) - exp(eps) * q**i * (1 - q) ** (T - i)),
            0.0,
        )
        for i in range(T + 1)
    )


def wrong_infinite_index(P, Q, T, eps, h):
    deltas = []
    for first, second in ((P, Q), (Q, P)):
        steps = np.ceil(np.log(first / second) / h)
        steps = [int(step) for step in steps]
        chances = one = np.bincount(np.array(steps) - min(steps), first)
        for _ in range(T - 1):
            chances = np.convolve(chances, one)
        loss = h * (T * min(steps) + np.arange(len(chances)))
        deltas.append(chances @ np.maximum(1 - np.exp(np.minimum(eps - loss, 0)), 0))
    return max(deltas)


RIGHT = (
    right_repaired,
    right_fourier,
    right_exact,
    right_dictionary,
    right_connected_dots,
)
WRONG = {
    wrong_starter: r"seen -0\.\d+; wanted at least.*count with a minus",
    wrong_not_clipped: r"seen -0\.\d+; wanted at least.*count with a minus",
    wrong_weights_of_q: r"at least.*The losses are weighted by Q",
    wrong_one_direction: r"at least.*P against Q alone",
    wrong_drops_the_impossible: r"at least.*Q never gives are left out",
    wrong_rounds_to_nearest: r"at least.*rounded down",
    wrong_cuts_the_tail: r"T = 60.*at least.*thrown away",
    wrong_weights_and_direction: r"at least.*The losses are weighted by Q",
    wrong_nearest_and_tail: r"at least.*rounded down",
    wrong_clips_the_total: r"seen 0; wanted at least",
    wrong_absolute_values: r"at most",
    wrong_rounds_down: r"at least.*Where does each loss go",
    wrong_rounds_away_from_zero: r"at least.*Where does each loss go",
    wrong_truncates: r"at least",
    wrong_two_steps_up: r"at most.*Where does each loss go",
    wrong_rounds_the_sum_alone: r"at most.*which way is safe",
    wrong_every_loss_is_the_largest: r"at most",
    wrong_tail_is_lost: r"T = 60.*at most",
    wrong_rescales_what_is_left: r"at least",
    wrong_certain_once: r"at least.*any of the T releases",
    wrong_certain_every_time: r"at least.*What does an output with an",
    wrong_certain_added_up: r"at most.*counted twice",
    wrong_sum_of_directions: r"at most.*two demands",
    wrong_mean_of_directions: r"at least.*Nothing is rounded here",
    wrong_milder_direction: r"at least.*milder of the two",
    wrong_one_release_more: r"at most.*Nothing is rounded here",
    wrong_one_step_less: r"at least",
    wrong_adds_delta_up: r"at least.*Nothing is rounded here",
    wrong_basic_composition: r"at most.*Nothing is rounded here",
    wrong_short_transform: r"T = 60.*δ is small here",
    wrong_normal_chances: r"at least.*Which losses count",
    wrong_two_outputs_only: r"at least.*Which losses count",
    wrong_infinite_index: r"come from one side only",
}
