"""The bank of ``check_in_models``: answers that must pass, and that must not.

WRONG maps each wrong answer to a pattern that its message must match.
"""

import numpy as np


def right_loop(X, y, noise, slot, ticket, eta):
    m, p = noise.shape
    theta, path = np.zeros(p), []
    for i in range(m):
        there = np.flatnonzero(slot == i)
        report = noise[i].copy()
        if len(there) > 0:
            j = there[np.argmin(ticket[there])]
            report += np.sign(X[j] @ theta - y[j]) * X[j]
        theta = theta - eta / np.sqrt(i + 1) * report
        theta = theta / max(1.0, np.linalg.norm(theta))
        path.append(theta)
    return np.array(path).reshape(m, p)


def right_chosen_first(X, y, noise, slot, ticket, eta):
    # the highest ticket comes first, so the lowest one of a slot is written last
    chosen = {}
    for j in np.argsort(ticket)[::-1]:
        if slot[j] >= 0:
            chosen[int(slot[j])] = j
    models = np.zeros(noise.shape)
    theta = np.zeros(noise.shape[1])
    for i, b in enumerate(noise):
        g = b
        if i in chosen:
            j = chosen[i]
            g = b + X[j] * np.sign(np.dot(X[j], theta) - y[j])
        theta = theta - g * eta * (i + 1) ** -0.5
        length = np.sqrt(np.sum(theta**2))
        models[i] = theta = theta / length if length > 1 else theta
    return models


def right_lists(X, y, noise, slot, ticket, eta):
    theta, path = [0.0] * noise.shape[1], []
    for i in range(len(noise)):
        report = list(noise[i])
        there = [(ticket[j], j) for j in range(len(X)) if slot[j] == i]
        if there:
            j = min(there)[1]
            error = sum(X[j][k] * theta[k] for k in range(len(theta))) - y[j]
            side = int(error > 0) - int(error < 0)
            report = [b + side * x for b, x in zip(report, X[j], strict=True)]
        step = eta / (1 + i) ** 0.5
        theta = [c - step * r for c, r in zip(theta, report, strict=True)]
        length = sum(c * c for c in theta) ** 0.5
        theta = [c / max(length, 1) for c in theta]
        path.append(theta)
    return np.array(path)


def right_masked(X, y, noise, slot, ticket, eta):
    # a matrix of slots and clients; a dummy is a client whose row is 0
    m = len(noise)
    waits = np.where(slot[None, :] == np.arange(m)[:, None], ticket, np.inf)
    best = np.argmin(waits, axis=1)
    weight = np.isfinite(waits.min(axis=1)).astype(float)
    theta, path = np.zeros(X.shape[1]), np.empty(noise.shape)
    for i in range(m):
        x, label = weight[i] * X[best[i]], weight[i] * y[best[i]]
        sent = np.sign(x @ theta - label) * x + noise[i]
        theta = theta - eta * sent / np.sqrt(1 + i)
        theta = theta * min(1, 1 / np.linalg.norm(theta))
        path[i] = theta
    return path


def _run(X, y, noise, slot, ticket, eta, *, who="lowest", dummy=1, root=0.5, cut=1):
    m, p = noise.shape
    theta, path = np.zeros(p), np.zeros((m, p))
    for i in range(m):
        there = np.flatnonzero(slot == i)
        slopes = np.sign(X[there] @ theta - y[there])[:, None] * X[there]
        report = noise[i] * (1 if len(there) else dummy)
        if len(there):
            report = (
                report
                + {
                    "lowest": lambda there=there, s=slopes: s[np.argmin(ticket[there])],
                    "highest": lambda there=there, s=slopes: s[
                        np.argmax(ticket[there])
                    ],
                    "first": lambda s=slopes: s[0],
                    "mean": lambda s=slopes: s.mean(axis=0),
                    "sum": lambda s=slopes: s.sum(axis=0),
                    "downhill": lambda there=there, s=slopes: (
                        -s[np.argmin(ticket[there])]
                    ),
                }[who]()
            )
        theta = theta - eta / (i + 1) ** root * report
        theta = theta / (max(1.0, np.linalg.norm(theta)) if cut else 1.0)
        path[i] = theta
    return path


def wrong_starter(X, y, noise, slot, ticket, eta):
    return np.zeros(noise.shape)


def wrong_quiet_dummy(*case):
    return _run(*case, dummy=0)


def wrong_first_in_list(*case):
    return _run(*case, who="first")


def wrong_highest_ticket(*case):
    return _run(*case, who="highest")


def wrong_mean_of_slot(*case):
    return _run(*case, who="mean")


def wrong_sum_of_slot(*case):
    return _run(*case, who="sum")


def wrong_sign(*case):
    return _run(*case, who="downhill")


def wrong_constant_step(*case):
    return _run(*case, root=0)


def wrong_harmonic_step(*case):
    return _run(*case, root=1)


def wrong_no_projection(*case):
    return _run(*case, cut=0)


def wrong_cuts_each_entry(X, y, noise, slot, ticket, eta):
    m, p = noise.shape
    theta, path = np.zeros(p), np.zeros((m, p))
    for i in range(m):
        there, g = np.flatnonzero(slot == i), np.zeros(p)
        if len(there):
            j = there[np.argmin(ticket[there])]
            g = np.sign(X[j] @ theta - y[j]) * X[j]
        path[i] = theta = np.clip(theta - eta / np.sqrt(i + 1) * (g + noise[i]), -1, 1)
    return path


def wrong_home_in_last_slot(X, y, noise, slot, ticket, eta):
    return _run(X, y, noise, np.where(slot < 0, len(noise) - 1, slot), ticket, eta)


def wrong_gradients_at_zero(X, y, noise, slot, ticket, eta):
    m, p = noise.shape
    theta, path = np.zeros(p), np.zeros((m, p))
    for i in range(m):
        there = np.flatnonzero(slot == i)
        report = noise[i]
        if len(there):
            j = there[np.argmin(ticket[there])]
            report = report + np.sign(-y[j]) * X[j]
        theta = theta - eta / np.sqrt(i + 1) * report
        theta = theta / max(1.0, np.linalg.norm(theta))
        path[i] = theta
    return path


def wrong_model_before_the_slot(*case):
    path = _run(*case)
    return np.concatenate([np.zeros((1, path.shape[1])), path[:-1]])


def wrong_one_array_for_all(X, y, noise, slot, ticket, eta):
    theta, path = np.zeros(noise.shape[1]), []
    for i, row in enumerate(noise):
        there = np.flatnonzero(slot == i)
        report = row.copy()
        if len(there):
            j = there[np.argmin(ticket[there])]
            report += np.sign(X[j] @ theta - y[j]) * X[j]
        theta -= eta / np.sqrt(i + 1) * report
        theta /= max(1.0, np.linalg.norm(theta))
        path.append(theta)
    return np.array(path)


def wrong_clean_report(X, y, noise, slot, ticket, eta):
    return _run(X, y, 0 * noise, slot, ticket, eta)


def wrong_writes_into_noise(X, y, noise, slot, ticket, eta):
    for i in range(len(noise)):
        for j in np.flatnonzero(slot == i)[:1]:
            noise[i] += X[j]
    return np.zeros(noise.shape)


RIGHT = (right_loop, right_chosen_first, right_lists, right_masked)
WRONG = {
    wrong_starter: r"one client a slot: .*who reports",
    wrong_quiet_dummy: r"empty slots: .*tell that nobody came",
    wrong_first_in_list: r"several clients a slot: .*left to chance",
    wrong_highest_ticket: r"The other end of the tickets",
    wrong_mean_of_slot: r"several clients a slot: .*You average all",
    wrong_sum_of_slot: r"several clients a slot: .*Who of them is used",
    wrong_sign: r"walk uphill",
    wrong_constant_step: r"does not fall",
    wrong_harmonic_step: r"how long is the step",
    wrong_no_projection: r"leaves the unit ball",
    wrong_cuts_each_entry: r"leaves the unit ball|shortened as a whole",
    wrong_home_in_last_slot: r"index −1 is the last",
    wrong_gradients_at_zero: r"who reports|Does every slot",
    wrong_model_before_the_slot: r"models before each slot",
    wrong_one_array_for_all: r"one array many times",
    wrong_clean_report: r"who reports",
    wrong_writes_into_noise: r"argument noise after the call",
}
