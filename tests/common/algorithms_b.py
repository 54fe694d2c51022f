"""Local and parameter-free learners: each user adds noise alone."""

from dpteach import constraints, losses
from dpteach.algorithms.banco import banco
from dpteach.algorithms.local_sgd import local_sgd
from tests.common.case import Case

EPSILON, DELTA, N = 0.7, 1e-9, 12


def _case(algorithm, loss, constraint, **keywords):
    arguments = {"epsilon": EPSILON, "clip_norm": 0.6, **keywords}
    return Case(
        algorithm, loss, constraint, arguments,
        path=N, epsilon=EPSILON, delta=DELTA, n=N,
    )  # fmt: skip


CASES = {
    "local_sgd": _case(
        local_sgd, losses.logistic, constraints.L2Ball(1.0), learning_rate=0.1
    ),
    "banco": _case(banco, losses.absolute, constraints.Everywhere()),
}
