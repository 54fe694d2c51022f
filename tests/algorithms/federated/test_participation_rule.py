"""Who is admitted: the rule is kept, is greedy, and looks at nobody else."""

import numpy as np

from dpteach.algorithms.federated.participation_rule import admitted_devices


def turns(column, k, d):
    """One device by itself: it is admitted whenever the rule allows."""
    taken = []
    for t in np.flatnonzero(column):
        if len(taken) < k and (not taken or t - taken[-1] >= d):
            taken.append(t)
    return taken


def test_each_device_is_admitted_whenever_the_rule_allows_and_never_else():
    rng = np.random.default_rng(1)
    for k, d, rate in ((1, 5, 0.5), (3, 4, 0.9), (50, 1, 0.5), (4, 100, 1.0)):
        check_ins = rng.random((60, 9)) < rate
        admitted = admitted_devices(check_ins, participations=k, separation=d)
        for u in range(9):
            assert list(np.flatnonzero(admitted[:, u])) == turns(check_ins[:, u], k, d)


def test_what_one_device_does_changes_nothing_for_the_others():
    rng = np.random.default_rng(2)
    check_ins = rng.random((40, 6)) < 0.6
    changed = check_ins.copy()
    changed[:, 2] = ~changed[:, 2]
    a, b = (
        admitted_devices(each, participations=3, separation=5)
        for each in (check_ins, changed)
    )
    assert np.array_equal(np.delete(a, 2, axis=1), np.delete(b, 2, axis=1))


BAD_INPUT = {
    admitted_devices: {
        "check_ins": np.array([[True, False], [True, True], [True, False]]),
        "participations": 2,
        "separation": 2,
    },
}
