"""DP-FTRL paper, section 4.1. DP-FTRL with an exact penalty, for sparse models."""

from dataclasses import dataclass

from ... import checks
from ...arrays import (
    Array,
    Rng,
    l2_norm,
    namespace,
)
from ...constraints import (
    Box,
    Everywhere,
    L1Ball,
    L2Ball,
)
from ...privacy import Gaussian, Relation, Release
from ...problem import Problem
from ._runs import check_reach, check_run
from .streaming_tree import StreamingTree
from .tree import levels


@dataclass(frozen=True)
class ElasticNet:
    r"""The penalty :math:`r(\theta) = a\|\theta\|_1 + \tfrac b2\|\theta\|_2^2`.

    Parameters
    ----------
    l1_weight : float
        :math:`a`, which makes entries zero. It must not be chosen by looking at the
        data.
    l2_weight : float, optional
        :math:`b`; 0 is the lasso.

    Examples
    --------
    >>> import numpy as np
    >>> s = np.array([3.0, -0.5, 1.2])  # after 4 steps, thresholds are 4 · 0.25 = 1
    >>> ElasticNet(0.25).leader(s, 4, 2.0)
    array([-1. ,  0. , -0.1])
    """

    l1_weight: float
    l2_weight: float = 0.0
    # Sets in which the leader is the projection of the leader of the whole space,
    # because there a projection shifts or scales all entries, or cuts each by itself.
    sets = (Everywhere, L2Ball, L1Ball, Box)

    def __post_init__(self) -> None:
        """Check the weights."""
        checks.fields(self, checks.nonnegative, "l1_weight", "l2_weight")

    def value(self, theta: Array) -> Array:
        """Compute r(θ), shape ``(...)``."""
        xp = namespace(theta)
        size = self.l1_weight * xp.sum(xp.abs(theta), axis=-1)
        return size + self.l2_weight / 2 * xp.sum(theta * theta, axis=-1)

    def leader(self, s: Array, t: int, regularization: float) -> Array:
        """Minimize ⟨s, θ⟩ + t·r(θ) + (Λ/2)‖θ‖² over all θ."""
        xp = namespace(s)
        # t steps have added t penalties: the threshold is t·a, not a.
        size = xp.clip(xp.abs(s) - t * self.l1_weight, min=0.0)
        return -xp.sign(s) * size / (regularization + t * self.l2_weight)


@dataclass(frozen=True)
class GroupLasso:
    r"""The penalty :math:`r(\theta) = a\sum_G\|\theta_G\|_2` over groups of entries.

    Parameters
    ----------
    weight : float
        :math:`a`. It must not be chosen by looking at the data.
    group_size : int
        How many consecutive entries make a group G: the number of classes gives one
        group per feature in a softmax model.

    Examples
    --------
    >>> import numpy as np
    >>> GroupLasso(1.0, 2).leader(np.array([3.0, 4.0, 0.6, 0.8]), 1, 1.0) + 0.0
    array([-2.4, -3.2,  0. ,  0. ])
    """

    weight: float
    group_size: int
    sets = (Everywhere, L2Ball)

    def __post_init__(self) -> None:
        """Check the weight and the size."""
        checks.fields(self, checks.nonnegative, "weight")
        checks.fields(self, checks.count, "group_size")

    def _groups(self, v: Array) -> Array:
        if v.shape[-1] % self.group_size:
            raise ValueError(
                f"`group_size` must divide the length of a model, {v.shape[-1]}, got "
                f"{self.group_size}."
            )
        return namespace(v).reshape(v, (*v.shape[:-1], -1, self.group_size))

    def value(self, theta: Array) -> Array:
        """Compute r(θ), shape ``(...)``."""
        norms = l2_norm(self._groups(theta))
        return self.weight * namespace(theta).sum(norms, axis=(-2, -1))

    def leader(self, s: Array, t: int, regularization: float) -> Array:
        """Minimize ⟨s, θ⟩ + t·r(θ) + (Λ/2)‖θ‖² over all θ."""
        xp, groups = namespace(s), self._groups(s)
        norms = l2_norm(groups)
        # (1 − t·a/‖s_G‖)⁺ without dividing by 0
        left = xp.clip(norms - t * self.weight, min=0.0)
        kept = left / xp.where(norms > 0, norms, 1 + 0 * norms)
        return -xp.reshape(kept * groups, s.shape) / regularization


Penalty = ElasticNet | GroupLasso


def composite_dp_ftrl(
    problem: Problem,
    *,
    penalty: Penalty,
    clip_norm: float,
    noise_multiplier: float,
    regularization: float,
    rng: Rng,
    relation: Relation = Relation.ZERO_OUT,
    estimator: str = "plain",
    runs: tuple[int, ...] = (),
) -> Release:
    r"""Follow the leader of private linear losses and an exact penalty. [Section 4.1]

    Parameters
    ----------
    problem : Problem
        The stream :math:`D` in the order of its rows, the loss and the constraint set.
    penalty : ElasticNet or GroupLasso
        :math:`r`, added to every record's loss. It is public; chosen from the data, it
        would reveal something about them.
    clip_norm : float
        :math:`L`, for gradients of the loss alone.
    noise_multiplier : float
        :math:`\lambda`, as in ``dp_ftrl``, because the penalty costs no privacy.
    relation : Relation, optional
        The neighbors, ``ZERO_OUT`` or ``REPLACE``.
    estimator : {"plain", "honaker"}, optional
        How the tree's nodes become sums.

    Returns
    -------
    Release
        ``theta``, the average of :math:`\theta_1, \dots, \theta_n`, and ``path``, shape
        ``(n + 1, *runs, p)``; the models of the path have zeros, while averages rarely
        do.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of its range, or the penalty has no closed form on the
        constraint set.

    Notes
    -----
    Source: DP-FTRL paper, section 4.1; its regret is bounded by Corollary 4.2, see
    ``dp_ftrl_regret_bound`` with ``penalty``.

    References
    ----------
    * Kairouz and others (2021), Practical and Private (Deep) Learning Without Sampling
      or Shuffling.
    * Duchi, Shalev-Shwartz, Singer and Tewari (2010), Composite Objective Mirror
      Descent.

    Examples
    --------
    >>> import numpy as np
    >>> from dpteach.data import example
    >>> settings = {"clip_norm": 1.0, "noise_multiplier": 5.0, "rng": 0}
    >>> out = composite_dp_ftrl(example(), penalty=ElasticNet(0.12),
    ...                         regularization=100.0, **settings)
    >>> int(np.sum(out.path[-1] == 0)) > 0  # exact zeros, in spite of the noise
    True
    """
    clip_norm, noise_multiplier, regularization = checks.moderate(
        clip_norm=clip_norm,
        noise_multiplier=noise_multiplier,
        regularization=regularization,
    )
    check_run(problem, noise_multiplier, regularization, relation, runs)
    check_reach(problem, clip_norm, noise_multiplier, regularization)
    _check_penalty(penalty, problem)
    D, C, n, r = problem, problem.constraint, problem.n, penalty
    L, Lam, sigma = clip_norm, regularization, clip_norm * noise_multiplier
    event = Gaussian(noise_multiplier, releases=levels(n), relation=relation)

    # 1: θ_1 ← argmin_{θ∈C} (Λ/2)‖θ‖² = Π_C(0); output θ_1
    path = [C.project(D.zeros(*runs))]
    # 2: 𝒯 ← InitializeTree(n, σ², L), where σ = Lλ is a node's noise
    tree = StreamingTree(
        n, clip_norm=L, sigma=sigma, shape=path[0].shape, rng=rng, estimator=estimator
    )
    # 3: for t = 1, …, n do
    for t in range(1, n + 1):
        # 4: s_t ← Σ_{i≤t} clip(∇ℓ(θ_i; d_i), L) + b_t, by AddToTree and GetSum
        s = tree.add(D.clipped_record_gradient(path[-1], t - 1, L))
        # 5: θ_{t+1} ← argmin_{θ∈C} ⟨s_t, θ⟩ + t·r(θ) + (Λ/2)‖θ‖²; output θ_{t+1}
        path.append(C.project(r.leader(s, t, Lam)))
    # 6: end for
    xp, path = namespace(D.X), namespace(D.X).stack(path)
    # 7: return θ_priv = (1/n) Σ_{t=1}^n θ_t
    return Release(theta=xp.mean(path[:-1, ...], axis=0), path=path, event=event)


def _check_penalty(penalty: Penalty, problem: Problem) -> None:
    checks.instance((ElasticNet, GroupLasso), penalty=penalty)
    if not isinstance(problem.constraint, penalty.sets):
        sets = ", ".join(each.__name__ for each in penalty.sets)
        raise ValueError(
            f"`penalty` {type(penalty).__name__} has a closed form over {sets}, got "
            f"{problem.constraint!r}. Choose one of these. (Over the simplex the ℓ1 "
            "norm is always 1, and `dp_ftrl` serves.)"
        )
    penalty.value(problem.zeros())  # refuses a group size that does not fit
