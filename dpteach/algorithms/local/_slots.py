"""What random check-ins share: who is chosen, what is sent, what is released."""

import numpy as np

from ... import checks
from ...arrays import Array, namespace
from ...privacy import (
    Pure,
    Relation,
    Release,
    Trace,
)
from ...problem import Problem


def require_protocol(
    problem: Problem, rate: float, local_epsilon: float, trace: Trace | None
) -> None:
    """Check the arguments that all protocols share, once, in the public functions."""
    checks.instance(Problem, problem=problem)
    checks.moderate(learning_rate=rate, local_epsilon=local_epsilon)
    checks.instance((Trace, type(None)), trace=trace)


def one_a_slot(
    clients: np.ndarray, slot: np.ndarray, slots: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Choose a client of each slot uniformly, -1 if it is empty; count the clients."""
    # In a random order, the first client of a slot is a uniform choice.
    order = rng.permutation(len(clients))
    taken, first = np.unique(slot[order], return_index=True)
    chosen = np.full(slots, -1)
    chosen[taken] = clients[order[first]]
    return chosen, np.bincount(slot, minlength=slots)


def report(D: Problem, theta: Array, client: int, G: float, noise: Array) -> Array:
    """Add the noise to the client's clipped gradient, or to zero for client -1."""
    return noise if client < 0 else noise + D.clipped_record_gradient(theta, client, G)


def released(theta: Array, path: list[Array], epsilon: float) -> Release:
    """Release the models at the local price, because each client reports once."""
    event = Pure(epsilon, relation=Relation.REPLACE)
    return Release(theta=theta, path=namespace(theta).stack(path), event=event)
