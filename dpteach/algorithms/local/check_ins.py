"""The check-ins paper. Clients choose at random when to take part."""

from math import sqrt

import numpy as np

from ... import checks
from ...arrays import (
    Rng,
    as_rng,
    dtype_of,
    l2_laplace,
    namespace,
    noisy_sum,
)
from ...privacy import Release, Trace
from ...problem import Problem
from ._amplification import check_probability, check_window
from ._reports import noise_scale
from ._slots import (
    one_a_slot,
    released,
    report,
    require_protocol,
)


def fixed_window(
    problem: Problem,
    *,
    slots: int,
    check_in_probability: float,
    local_epsilon: float,
    clip_norm: float,
    learning_rate: float,
    rng: Rng,
    batch_size: int = 1,
    trace: Trace | None = None,
) -> Release:
    r"""Let each client pick one of m slots, and use one client per slot. [Algorithm 1]

    It must stay secret who checked in. So an empty slot sends the randomizer's report
    on a zero gradient, because without its noise everybody would see that the slot was
    empty. Source: the check-ins paper, Balle and others (2020).

    Parameters
    ----------
    problem : Problem
        One record per client, the loss and the constraint set.
    clip_norm : float
        :math:`G`, the norm to which each client clips.
    learning_rate : float
        :math:`\eta`; the update after slot i has the step size :math:`\eta/\sqrt i`.
    batch_size : int, optional
        How many slots make one update.
    trace : Trace, optional
        Filled with what only the server may see: who was ``chosen`` (-1: nobody), and
        the ``size`` of each slot, which is how many checked in.

    Returns
    -------
    Release
        ``theta``, shape ``(p,)``, is the last model and ``path``, shape ``(m, p)``, the
        model after each slot. ``event`` is one report's ε₀, for all outcomes of the
        coins; ``fixed_window_epsilon`` prices what the coins hide in addition.

    Examples
    --------
    >>> from dpteach.data import example
    >>> out = fixed_window(example(), slots=50, check_in_probability=0.5, rng=0,
    ...                    local_epsilon=1.0, clip_norm=1.0, learning_rate=0.1)
    >>> out.path.shape[0], out.event.releases
    (50, 1)
    """
    learning_rate, local_epsilon, clip_norm, check_in_probability = checks.moderate(
        learning_rate=learning_rate,
        local_epsilon=local_epsilon,
        clip_norm=clip_norm,
        check_in_probability=check_in_probability,
    )
    require_protocol(problem, learning_rate, local_epsilon, trace)
    slots = checks.count(slots=slots)
    checks.fits(slots * (problem.p + 4), slots=slots)
    check_probability(check_in_probability)
    scale, rng = noise_scale(local_epsilon, clip_norm), as_rng(rng)
    batch_size = checks.count(batch_size=batch_size)
    D, C, G, m, path = problem, problem.constraint, clip_norm, slots, []

    # 1: each client j: with probability p_0 check in for a slot I_j ~ Unif{1, …, m}
    awake = np.flatnonzero(rng.random(D.n) < check_in_probability)
    chosen, sizes = one_a_slot(awake, rng.integers(m, size=len(awake)), m, rng)
    # 2: θ_1 ← Π_C(0); g ← 0
    theta = C.project(D.zeros())
    g = 0 * theta
    # 3: for i = 1, …, m do
    for i in range(1, m + 1):
        # 4: of all who checked in for i choose J uniformly; g̃ ← R(∇ℓ(θ_i; d_J)), or
        #    g̃ ← R(0) if nobody did
        noise = l2_laplace(rng, scale, like=theta)
        sent = report(D, theta, chosen[i - 1], G, noise)
        # 5: g ← g + g̃
        g = g + sent
        # 6: if i mod b = 0: θ_{i+1} ← Π_C(θ_i − η_i g/b), g ← 0; else θ_{i+1} ← θ_i
        if i % batch_size == 0:
            step = learning_rate / sqrt(i) / batch_size
            theta, g = C.project(theta - step * g), 0 * g
        # 7: publish θ_{i+1}
        path.append(theta)
        if trace is not None:
            trace.record(i=i, chosen=int(chosen[i - 1]), size=int(sizes[i - 1]))
    # 8: end for
    return released(theta, path, local_epsilon)


def averaged_updates(
    problem: Problem,
    *,
    slots: int,
    local_epsilon: float,
    clip_norm: float,
    learning_rate: float,
    rng: Rng,
    trace: Trace | None = None,
) -> Release:
    r"""Let each client pick one of m slots; average each slot's clients. [Algorithm 2]

    Clients of one slot must not collude, because each sees the model before and after
    it. Source: the check-ins paper, Balle and others (2020).

    Parameters
    ----------
    problem : Problem
        One record per client, the loss and the constraint set.
    slots : int
        :math:`m`, the largest number of updates that the server makes.
    clip_norm : float
        :math:`G`, the norm to which each client clips.
    learning_rate : float
        :math:`\eta`; the update after slot i has the step size :math:`\eta/\sqrt i`.
    trace : Trace, optional
        Filled with the ``size`` of each slot.

    Returns
    -------
    Release
        As from ``fixed_window``. ``averaged_updates_epsilon`` prices what the coins
        hide in addition.

    Examples
    --------
    >>> from dpteach.data import example
    >>> from dpteach.privacy import Trace
    >>> D, trace = example(), Trace()
    >>> out = averaged_updates(D, slots=20, local_epsilon=1.0, clip_norm=1.0,
    ...                        learning_rate=0.1, rng=0, trace=trace)
    >>> sum(trace["size"]) == D.n  # nobody is turned away
    True
    """
    learning_rate, local_epsilon, clip_norm = checks.moderate(
        learning_rate=learning_rate, local_epsilon=local_epsilon, clip_norm=clip_norm
    )
    require_protocol(problem, learning_rate, local_epsilon, trace)
    slots = checks.count(slots=slots)
    checks.fits(slots * (problem.p + 4), slots=slots)
    scale, rng = noise_scale(local_epsilon, clip_norm), as_rng(rng)
    D, C, G, m, path = problem, problem.constraint, clip_norm, slots, []

    # 1: each client j: check in for a slot I_j ~ Unif{1, …, m}
    slot = rng.integers(m, size=D.n)
    ranked = np.argsort(slot, kind="stable")
    ends = np.searchsorted(slot[ranked], np.arange(m + 1))
    # 2: θ_1 ← Π_C(0)
    theta = C.project(D.zeros())
    xp = namespace(theta)
    # 3: for i = 1, …, m do
    for i in range(1, m + 1):
        clients = ranked[ends[i - 1] : ends[i]]
        # 4: if S_i, all who checked in for i, is not empty:
        if len(clients):
            # 5: g̃ ← (1/|S_i|) Σ_{j∈S_i} R(∇ℓ(θ_i; d_j))
            like = theta + xp.zeros((len(clients), 1), **dtype_of(theta))
            noise = xp.sum(l2_laplace(rng, scale, like), axis=0)
            rows = xp.asarray(clients, device=theta.device)
            total = noisy_sum(D.clipped_gradient(theta, G, rows), noise)
            # 6: θ_{i+1} ← Π_C(θ_i − η_i g̃); else θ_{i+1} ← θ_i
            theta = C.project(theta - learning_rate / sqrt(i) * total / len(clients))
        # 7: publish θ_{i+1}
        path.append(theta)
        if trace is not None:
            trace.record(i=i, size=len(clients))
    # 8: end for
    return released(theta, path, local_epsilon)


def sliding_window(
    problem: Problem,
    *,
    window: int,
    local_epsilon: float,
    clip_norm: float,
    learning_rate: float,
    rng: Rng,
    trace: Trace | None = None,
) -> Release:
    r"""Let client j, awake from slot j on, pick one of m slots. [Section 4.2]

    Source: the check-ins paper, Balle and others (2020).

    Parameters
    ----------
    problem : Problem
        One record per client, in the order in which they wake up; the loss and the set.
    window : int
        :math:`m`, the number of slots for which a client stays awake; at most n.
    clip_norm : float
        :math:`G`, the norm to which each client clips.
    learning_rate : float
        :math:`\eta`; the i-th update has the step size :math:`\eta/\sqrt i`.
    trace : Trace, optional
        Filled with who was ``chosen`` (-1: nobody) and the ``size`` of each slot.

    Returns
    -------
    Release
        ``theta``, shape ``(p,)``, is the last model and ``path``, shape ``(n - m + 1,
        p)``, the model after each of the slots m, …, n. ``event`` is one report's ε₀;
        ``sliding_window_epsilon`` prices what the coins hide in addition.

    Examples
    --------
    >>> from dpteach.data import example
    >>> D = example()
    >>> out = sliding_window(D, window=10, local_epsilon=1.0, clip_norm=1.0,
    ...                      learning_rate=0.1, rng=0)
    >>> len(out.path) == D.n - 10 + 1  # the first and last m - 1 slots are not used
    True
    """
    learning_rate, local_epsilon, clip_norm = checks.moderate(
        learning_rate=learning_rate, local_epsilon=local_epsilon, clip_norm=clip_norm
    )
    window = checks.count(window=window)
    require_protocol(problem, learning_rate, local_epsilon, trace)
    check_window(window, problem.n)
    scale, rng = noise_scale(local_epsilon, clip_norm), as_rng(rng)
    D, C, G, m, n, path = problem, problem.constraint, clip_norm, window, problem.n, []

    # 1: each client j: check in for a slot I_j ~ Unif{j, …, j + m − 1}
    slot = np.arange(n) + rng.integers(m, size=n)
    used = np.flatnonzero((slot >= m - 1) & (slot < n))
    chosen, sizes = one_a_slot(used, slot[used] - (m - 1), n - m + 1, rng)
    # 2: θ_m ← Π_C(0)
    theta = C.project(D.zeros())
    # 3: for i = m, …, n do
    for k in range(n - m + 1):
        # 4: of all who checked in for i choose J uniformly; g̃ ← R(∇ℓ(θ_i; d_J)), or
        #    g̃ ← R(0) if nobody did
        noise = l2_laplace(rng, scale, like=theta)
        sent = report(D, theta, chosen[k], G, noise)
        # 5: θ_{i+1} ← Π_C(θ_i − η_i g̃); publish θ_{i+1}
        theta = C.project(theta - learning_rate / sqrt(k + 1) * sent)
        path.append(theta)
        if trace is not None:
            trace.record(i=m + k, chosen=int(chosen[k]), size=int(sizes[k]))
    # 6: end for
    return released(theta, path, local_epsilon)
