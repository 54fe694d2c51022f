"""Answers to ``enforce_rule``: right ones, and wrong ones with their messages."""

import numpy as np


def right_dicts(rounds, devices, k, d):
    last, turns, admitted = {}, {}, []
    for t, u in zip(rounds.tolist(), devices.tolist(), strict=True):
        ready = u not in last or t - last[u] >= d
        good = ready and turns.get(u, 0) < k
        if good:
            last[u], turns[u] = t, turns.get(u, 0) + 1
        admitted.append(int(good))
    return np.array(admitted, dtype=int)


def right_device_by_device(rounds, devices, k, d):
    admitted = np.zeros(len(rounds))
    for u in np.unique(devices):
        lines, ready, turns = np.flatnonzero(devices == u), -1, 0
        for i in lines:
            if rounds[i] >= ready and turns < k:
                admitted[i], ready, turns = 1.0, rounds[i] + d, turns + 1
    return admitted


def right_lists_of_turns(rounds, devices, k, d):
    had, admitted = {}, np.zeros(len(rounds), dtype=np.int8)
    for i in range(len(rounds)):
        mine = had.setdefault(int(devices[i]), [])
        if len(mine) < k and all(rounds[i] - t >= d for t in mine):
            mine.append(rounds[i])
            admitted[i] = 1
    return admitted


def right_tables(rounds, devices, k, d):
    _, who = np.unique(devices, return_inverse=True)
    N = int(who.max(initial=-1)) + 1
    turns, ready = np.zeros(N, dtype=int), np.full(N, -1)
    out = []
    for t, u in zip(rounds, who, strict=True):
        good = bool(turns[u] < k and t >= ready[u])
        turns[u] += good
        ready[u] = t + d if good else ready[u]
        out.append(1 if good else 0)
    return np.array(out, dtype=float)


def wrong_starter(rounds, devices, k, d):
    admitted = np.ones(len(rounds), dtype=int)
    admitted[1:] = rounds[1:] - rounds[:-1] >= d
    return admitted


def wrong_everybody(rounds, devices, k, d):
    return np.ones(len(rounds))


def wrong_no_limit(rounds, devices, k, d):
    return right_dicts(rounds, devices, len(rounds) + 1, d)


def wrong_no_pause(rounds, devices, k, d):
    return right_dicts(rounds, devices, k, 0)


def wrong_more_than_d(rounds, devices, k, d):
    return right_dicts(rounds, devices, k, d + 1)


def wrong_d_minus_one(rounds, devices, k, d):
    return right_dicts(rounds, devices, k, d - 1)


def wrong_one_turn_too_many(rounds, devices, k, d):
    return right_dicts(rounds, devices, k + 1, d)


def wrong_restarts_the_pause(rounds, devices, k, d):
    last, turns, out = {}, {}, np.zeros(len(rounds))
    for i, (t, u) in enumerate(zip(rounds.tolist(), devices.tolist(), strict=True)):
        if turns.get(u, 0) < k and (u not in last or t - last[u] >= d):
            out[i], turns[u] = 1, turns.get(u, 0) + 1
        last[u] = t
    return out


def wrong_counts_check_ins(rounds, devices, k, d):
    last, seen, out = {}, {}, np.zeros(len(rounds))
    for i, (t, u) in enumerate(zip(rounds.tolist(), devices.tolist(), strict=True)):
        if seen.get(u, 0) < k and (u not in last or t - last[u] >= d):
            out[i], last[u] = 1, t
        seen[u] = seen.get(u, 0) + 1
    return out


def wrong_all_devices_as_one(rounds, devices, k, d):
    return right_dicts(rounds, 0 * devices, k, d)


def wrong_pause_in_lines(rounds, devices, k, d):
    return right_dicts(np.arange(len(rounds)), devices, k, d)


def wrong_twice_in_a_round(rounds, devices, k, d):
    last, turns, out = {}, {}, np.zeros(len(rounds))
    for i, (t, u) in enumerate(zip(rounds.tolist(), devices.tolist(), strict=True)):
        far = u not in last or t == last[u] or t - last[u] >= d
        if turns.get(u, 0) < k and far:
            out[i], last[u], turns[u] = 1, t, turns.get(u, 0) + 1
    return out


def wrong_sent_home(rounds, devices, k, d):
    return 1 - right_dicts(rounds, devices, k, d)


def wrong_booleans(rounds, devices, k, d):
    return right_dicts(rounds, devices, k, d) == 1


def wrong_numbers_of_lines(rounds, devices, k, d):
    return np.flatnonzero(right_dicts(rounds, devices, k, d))


def wrong_renames_in_place(rounds, devices, k, d):
    found = right_dicts(rounds, devices, k, d)
    devices[:] = 0
    return found


RIGHT = (
    right_dicts,
    right_device_by_device,
    right_lists_of_turns,
    right_tables,
)
WRONG = {
    wrong_starter: r"line \d+ of a log of 20 lines",
    wrong_everybody: r"line 1 of a log of 20 lines",
    wrong_no_limit: r"Nobody counts the turns",
    wrong_no_pause: r"nothing keeps them d rounds apart",
    wrong_more_than_d: r"exactly d rounds after",
    wrong_d_minus_one: r"only d - 1 rounds apart",
    wrong_one_turn_too_many: r"line 18 of a log of 20 lines",
    wrong_restarts_the_pause: r"starts the pause anew",
    wrong_counts_check_ins: r"sent home is counted as a turn",
    wrong_all_devices_as_one: r"for each device by itself",
    wrong_pause_in_lines: r"line \d+ of a log",
    wrong_twice_in_a_round: r"twice in one round has one turn",
    wrong_sent_home: r"the ones that are sent home",
    wrong_booleans: r"True and False are none",
    wrong_numbers_of_lines: r"shape",
    wrong_renames_in_place: r"argument devices after the call",
}
