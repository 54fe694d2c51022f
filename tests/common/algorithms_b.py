"""Local and parameter-free learners: each user adds noise alone."""

from dpteach import constraints, losses
from dpteach.algorithms.local.banco import banco
from dpteach.algorithms.local.check_ins import (
    averaged_updates,
    fixed_window,
    sliding_window,
)
from dpteach.algorithms.local.local_sgd import local_sgd
from tests.common.case import Case

EPSILON, DELTA, N = 0.7, 1e-9, 12


def _case(algorithm, loss, constraint, **keywords):
    arguments = {"epsilon": EPSILON, "clip_norm": 0.6, **keywords}
    return Case(
        algorithm, loss, constraint, arguments,
        path=N, epsilon=EPSILON, delta=DELTA, n=N,
    )  # fmt: skip


def _check_ins(algorithm, path=5, **keywords):
    arguments = {
        "local_epsilon": EPSILON, "clip_norm": 0.6, "learning_rate": 0.1, **keywords
    }  # fmt: skip
    return Case(
        algorithm, losses.logistic, constraints.L2Ball(1.0), arguments,
        path=path, epsilon=EPSILON, delta=DELTA, n=N, batched=False, normal=False,
    )  # fmt: skip


CASES = {
    "local_sgd": _case(
        local_sgd, losses.logistic, constraints.L2Ball(1.0), learning_rate=0.1
    ),
    "banco": _case(banco, losses.absolute, constraints.Everywhere()),
    "fixed_window": _check_ins(fixed_window, slots=5, check_in_probability=0.7),
    "averaged_updates": _check_ins(averaged_updates, slots=5),
    "sliding_window": _check_ins(sliding_window, window=4, path=N - 4 + 1),
}
