"""A fleet of devices. Federated averaging with DP-FTRL on the server."""

from itertools import pairwise

import numpy as np

from ... import checks
from ...arrays import Array, Rng, as_double, as_rng, clip, namespace, noisy_sum
from ...privacy import Relation, Release
from ...problem import Problem
from .._fixed_length import require_fixed_length
from .._running_total import RunningTotal
from ..matrices.matrix_mechanism import MatrixMechanism
from ._rounds import check_rounds
from .participation_rule import admitted_devices


def federated_ftrl(
    problem: Problem,
    *,
    owners: np.ndarray,
    check_ins: np.ndarray,
    dropouts: np.ndarray,
    mechanism: MatrixMechanism,
    cohort: int,
    clip_norm: float,
    noise_multiplier: float,
    learning_rate: float,
    local_steps: int,
    local_learning_rate: float,
    rng: Rng,
    relation: Relation = Relation.ZERO_OUT,
    runs: tuple[int, ...] = (),
) -> Release:
    r"""Average clipped updates of devices, with correlated noise, round by round.

    Each device trains by itself and sends how far its model moved. Neighbors differ in
    *all* records of one device.

    Parameters
    ----------
    problem : Problem
        The records of all devices, the loss, and the constraint set of the server.
    owners : ndarray of int
        Shape ``(n,)``: which device, 0, …, N - 1, holds a record.
    check_ins : ndarray of bool
        Shape ``(T, N)``: whether a device offers to take part in a round. Who is
        admitted, ``admitted_devices`` decides by the mechanism's rule.
    dropouts : ndarray of bool
        Shape ``(T, N)``: whether a device that was admitted is never heard of. Neither
        table may depend on the values of the data.
    mechanism : MatrixMechanism
        The encoder C for T rounds, and how often and how far apart a device may take
        part; see ``plan_fleet``.
    cohort : int
        :math:`m`, a public number that the sum of a round's updates is divided by, such
        as how many devices are expected.
    clip_norm : float
        :math:`L`, the norm to which a device's whole update is clipped.
    noise_multiplier : float
        :math:`\lambda`, of all rounds together: noise of standard deviation
        :math:`\sigma = L\lambda S` hides how one device moves Cx, by at most LS.
    learning_rate : float
        :math:`\eta`, of the server: 1 moves the model by the noisy average.
    local_steps : int
        :math:`J`, steps of gradient descent on a device, on the mean of its losses.
    local_learning_rate : float
        :math:`\eta'`, of these steps.
    relation : Relation, optional
        The neighbors: the records of one device are taken away (``ZERO_OUT``) or
        replaced (``REPLACE``), and it checks in as before.

    Returns
    -------
    Release
        ``theta`` is the last model, and ``path``, shape ``(T + 1, *runs, p)``, has all
        of them; ``event`` is one Gaussian release, whoever drops out.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of its range or the tables do not fit; zero noise and
        ADD_REMOVE are refused.

    References
    ----------
    * McMahan and others (2018), Learning Differentially Private Recurrent Language
      Models.
    * Kairouz and others (2021), Practical and Private (Deep) Learning Without Sampling
      or Shuffling.

    Examples
    --------
    >>> import numpy as np
    >>> from dpteach.algorithms import MatrixMechanism, optimal_buffers
    >>> from dpteach.data import example
    >>> rule = {"participations": 3, "separation": 10}
    >>> buffers = optimal_buffers(30, buffers=1, **rule)
    >>> mechanism = MatrixMechanism(buffers, steps=30, **rule)
    >>> everyone = np.ones((30, 100), dtype=bool)  # they check in whenever they can
    >>> out = federated_ftrl(example(), owners=np.arange(1000) % 100,
    ...     check_ins=everyone, dropouts=~everyone, mechanism=mechanism, cohort=10,
    ...     clip_norm=1.0, noise_multiplier=2.0, learning_rate=1.0,
    ...     local_steps=5, local_learning_rate=0.5, rng=0)
    >>> len(out.path), out.event
    (31, Gaussian(noise_multiplier=2.0, releases=1, relation=Relation.ZERO_OUT))
    """
    checks.instance(Problem, problem=problem)
    clip_norm, noise_multiplier = checks.moderate(
        clip_norm=clip_norm, noise_multiplier=noise_multiplier
    )
    learning_rate, local_learning_rate = checks.moderate(
        learning_rate=learning_rate, local_learning_rate=local_learning_rate
    )
    cohort, local_steps = checks.count(cohort=cohort, local_steps=local_steps)
    checks.instance(MatrixMechanism, mechanism=mechanism)
    require_fixed_length(relation, "a device is a column of `check_ins`, and stays one")
    check_rounds(check_ins=check_ins, dropouts=dropouts)
    _check_tables(mechanism, check_ins, dropouts)
    fleet = _devices(problem, owners, check_ins.shape[1])
    runs = checks.shape((mechanism.steps + 1) * problem.p, runs=runs)
    D, C, L, m = problem, problem.constraint, clip_norm, cohort
    eta, J, eta_ = learning_rate, local_steps, local_learning_rate
    T, N, xp = mechanism.steps, len(fleet), namespace(D.X)
    k, d = mechanism.participations, mechanism.separation
    sigma = L * noise_multiplier * mechanism.sensitivity.value

    # 1: s_0, b_0 ← 0; θ_1 ← Π_C(0); output θ_1
    b = as_double(D.zeros(*runs))
    s, total = b, RunningTotal(T * N, clip_norm=L)
    path = [C.project(D.zeros(*runs))]
    rows = mechanism.encoder.noise(as_rng(rng), tuple(b.shape), like=D.zeros())
    # 2: U_t ← the devices that check in, after d rounds or more, for the k-th time or
    #    an earlier one
    A = admitted_devices(check_ins, participations=k, separation=d)
    # 3: for t = 1, …, T do
    for t in range(T):
        # 4: for each device u of U_t that does not drop out do
        for u in np.flatnonzero(A[t] & ~dropouts[t]):
            # 5: w ← θ_t; J times: w ← w − η′ · (mean gradient of u's records at w)
            Delta = _local_update(fleet[u], path[-1], J, eta_)
            # 6: s_t ← s_{t−1} + clip(w − θ_t, L), the whole update as one vector
            s = total.add(clip(Delta, L))
        # 7: b_t ← b_{t−1} + (row t of C⁻¹z), where z has standard deviation σ = LλS
        b = b + sigma * as_double(next(rows))
        # 8: θ_{t+1} ← Π_C(θ_1 + (η/m)(s_t + b_t)), m whatever number came
        step = noisy_sum(s, b) * (eta / m)
        path.append(C.project(path[0] + xp.astype(step, D.X.dtype)))
    # 9: return the last model
    path = xp.stack(path)
    event = mechanism.event(noise_multiplier, relation=relation)
    return Release(theta=path[-1, ...], path=path, event=event)


@np.errstate(all="ignore")  # what diverges on one device has no effect beside its own
def _local_update(device: Problem | None, theta: Array, J: int, eta: float) -> Array:
    """Train on one device; return how far its model moved."""
    if device is None:
        return 0 * theta
    w = theta
    for _ in range(J):
        w = w - (eta / device.n) * device.gradient(w)
    return w - theta


def _devices(problem: Problem, owners: np.ndarray, N: int) -> list[Problem | None]:
    """Deal the records out to the devices; None has no records."""
    checks.array(owners=owners)
    if not isinstance(owners, np.ndarray) or owners.dtype.kind not in "iu":
        raise TypeError(
            "`owners` must be a NumPy array of ints, one for each record, got "
            f"{getattr(owners, 'dtype', type(owners))}."
        )
    if owners.shape != (problem.n,):
        raise ValueError(
            f"`owners` must have shape ({problem.n},), one device for each record, "
            f"got {owners.shape}."
        )
    if problem.n and not 0 <= int(owners.min()) <= int(owners.max()) < N:
        raise ValueError(
            f"`owners` must be from 0 to {N - 1}, a column of `check_ins` each, got "
            f"{int(owners.min())} to {int(owners.max())}."
        )
    order = np.argsort(owners, kind="stable")
    ends = np.searchsorted(owners[order], np.arange(N + 1)).tolist()
    xp, fleet = namespace(problem.X), []
    for first, last in pairwise(ends):
        rows = xp.asarray(order[first:last], device=problem.X.device)
        X, y = xp.take(problem.X, rows, axis=0), xp.take(problem.y, rows, axis=0)
        one = Problem(X, y, problem.loss, problem.constraint) if last > first else None
        fleet.append(one)
    return fleet


def _check_tables(
    mechanism: MatrixMechanism, check_ins: np.ndarray, dropouts: np.ndarray
) -> None:
    T = mechanism.steps
    if mechanism.equally_spaced and mechanism.participations > 1:
        raise ValueError(
            "`mechanism` must allow any distance of at least its separation, got one "
            "that is priced for equally spaced passes. Devices come when they can."
        )
    if check_ins.shape[0] != T:
        raise ValueError(
            f"`check_ins` must have {T} rows, one for each of the mechanism's steps, "
            f"got shape {check_ins.shape}."
        )
    if dropouts.shape != check_ins.shape:
        raise ValueError(
            f"`dropouts` must have the shape {check_ins.shape} of `check_ins`, got "
            f"{dropouts.shape}."
        )
