"""What each algorithm would cost, and could promise: by its own theorem."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from math import ceil, exp, log, sqrt
from typing import Any

from ... import checks
from ...algorithms.geometry.frank_wolfe_bounds import (
    private_frank_wolfe_risk_bound,
    private_frank_wolfe_steps,
)
from ...algorithms.geometry.private_frank_wolfe import private_frank_wolfe_noise
from ...algorithms.gradients.sgd import (
    dp_sgd_learning_rate,
    dp_sgd_noise_multiplier,
    dp_sgd_risk_bound,
    dp_sgd_steps,
)
from ...algorithms.local.banco import banco_risk_bound
from ...algorithms.local.local_sgd import (
    local_noise_variance,
    local_sgd_learning_rate,
    local_sgd_risk_bound,
)
from ...algorithms.pure.gaussian_objective import gaussian_objective_noise_multiplier
from ...algorithms.pure.objective import (
    objective_perturbation_parameters,
    objective_perturbation_risk_bound,
)
from ...algorithms.pure.output import output_perturbation_risk_bound
from ...algorithms.streams.ftrl import dp_ftrl_noise_multiplier
from ...algorithms.streams.regret import dp_ftrl_regret_bound, dp_ftrl_regularization
from ...lower_bounds import approximate_excess_lower_bound, pure_excess_lower_bound
from ...privacy import Relation

ZERO_OUT = Relation.ZERO_OUT
MOST_PASSES = 10_000
TOLERANCE = 1e-8  # γ of a solver, as in the algorithms
# Who is trusted, and over which models: a server and the unit ball, a server and the
# ℓ1 ball, whose corners are few, or nobody and the unit ball.
SETTINGS = ("a trusted server", "a server, corners", "no trusted server")


@dataclass(frozen=True)
class Option:
    """An algorithm with the parameters that its theorem asks for.

    Parameters
    ----------
    algorithm : str
        Its name.
    bound : float
        Of the expected excess risk, per record.
    noise_multiplier : float
        λ; for a choice among corners, the scale of a score's noise.
    steps : int
        T; 0 where a solver finds the minimum.
    tuned : str
        Which number people tune, and what the theorem says it should be.
    passes : int
        How often each record is read; for a solver, how often it is at most.
    pure, local : bool
        Whether δ is 0; whether nobody is trusted.
    """

    algorithm: str
    bound: float
    noise_multiplier: float
    steps: int
    tuned: str
    passes: int
    pure: bool = False
    local: bool = False


@dataclass(frozen=True)
class _Need:
    """What is public: sizes, budget, L and β of a record's loss. The radius is 1."""

    n: int
    p: int
    epsilon: float
    delta: float
    passes: int
    corners: bool

    @property
    def lipschitz(self) -> float:
        # Entries of size 1 make a row of norm √p.
        return sqrt(self.p) if self.corners else 1.0

    @property
    def smoothness(self) -> float:
        return self.lipschitz**2 / 4  # of the logistic loss


def _solver_passes(need: _Need, regularization: float) -> int:
    """Bound the passes of accelerated descent to within γ/Λ. [Nesterov 2004, 2.2.2]

    From a start at distance 1 the objective's excess after k passes is at most
    (Λ + S)/2 · (1 − 1/√κ)ᵏ, where S = nβ + Λ and κ = S/Λ, and it is at least Λ/2 times
    the squared distance.
    """
    condition = 1 + need.n * need.smoothness / regularization
    squares = (condition + 1) * (regularization / TOLERANCE) ** 2
    return ceil(log(squares) / -log(1 - 1 / sqrt(condition)))


def _per_record(need: _Need, total: float) -> float:
    return float(total / need.n)


def _gamma_output(need: _Need) -> Option:
    n, p, L, lam = need.n, need.p, need.lipschitz, 1 / need.epsilon
    Lam = L * sqrt(2 * n * p * lam)
    bound = output_perturbation_risk_bound(
        n=n, p=p, lipschitz=L, regularization=Lam, noise_multiplier=lam, distance=1.0
    )
    return Option("output perturbation", _per_record(need, bound), lam, 0,
                  f"Λ = {Lam:.3g}", _solver_passes(need, Lam), pure=True)  # fmt: skip


def _normal_output(need: _Need) -> Option:
    n, p, L, lam = need.n, need.p, need.lipschitz, _one_release(need)
    Lam = L * sqrt(2 * n * sqrt(p) * lam)
    bound = output_perturbation_risk_bound(
        n=n, p=p, lipschitz=L, regularization=Lam, noise_multiplier=lam, distance=1.0,
        noise="gaussian",
    )  # fmt: skip
    return Option("output, normal noise", _per_record(need, bound), lam, 0,
                  f"Λ = {Lam:.3g}", _solver_passes(need, Lam))  # fmt: skip


def _gamma_objective(need: _Need) -> Option:
    p, L = need.p, need.lipschitz
    lam, Lam = objective_perturbation_parameters(
        need.epsilon, smoothness=need.smoothness, relation=ZERO_OUT,
        regularization=L / need.epsilon * sqrt(p * (p + 1)),
    )  # fmt: skip
    bound = objective_perturbation_risk_bound(
        p=p, lipschitz=L, regularization=Lam, noise_multiplier=lam, distance=1.0
    )
    return Option("objective perturbation", _per_record(need, bound), lam, 0,
                  f"Λ = {Lam:.3g}", _solver_passes(need, Lam), pure=True)  # fmt: skip


def _normal_objective(need: _Need) -> Option:
    p, L = need.p, need.lipschitz
    Lam = max(L * sqrt(p) * _one_release(need), 2 * need.smoothness / need.epsilon)
    lam = gaussian_objective_noise_multiplier(
        need.epsilon, need.delta, smoothness=need.smoothness, regularization=Lam,
        relation=ZERO_OUT,
    )  # fmt: skip
    # Theorem 6.9 knows the tilt by E‖b‖² alone, p(p+1)(Lλ)² there and p(Lλ)² here.
    bound = objective_perturbation_risk_bound(
        p=p, lipschitz=L, regularization=Lam, noise_multiplier=lam / sqrt(p + 1),
        distance=1.0,
    )  # fmt: skip
    return Option("objective, normal noise", _per_record(need, bound), lam, 0,
                  f"Λ = {Lam:.3g}", _solver_passes(need, Lam))  # fmt: skip


def _sgd(need: _Need) -> Option:
    n, p, L = need.n, need.p, need.lipschitz
    T = max(1, min(dp_sgd_steps(need.epsilon, n=n, p=p), need.passes))
    lam = dp_sgd_noise_multiplier(need.epsilon, need.delta, steps=T, relation=ZERO_OUT)
    known: dict[str, Any] = {
        "n": n, "p": p, "steps": T, "noise_multiplier": lam, "lipschitz": L,
        "distance": 1.0,
    }  # fmt: skip
    rate, bound = dp_sgd_learning_rate(**known), dp_sgd_risk_bound(**known)
    return Option("DP-SGD", _per_record(need, bound), lam, T, f"η = {rate:.3g}", T)


def _tree(need: _Need) -> Option:
    n, p, L = need.n, need.p, need.lipschitz
    lam = dp_ftrl_noise_multiplier(need.epsilon, need.delta, steps=n, relation=ZERO_OUT)
    known: dict[str, Any] = {
        "steps": n,
        "p": p,
        "noise_multiplier": lam,
        "lipschitz": L,
        "distance": 1.0,
    }
    Lam = dp_ftrl_regularization(**known)
    bound = dp_ftrl_regret_bound(regularization=Lam, **known)["total"]
    return Option("DP-FTRL, tree", float(bound), lam, n, f"Λ = {Lam:.3g}", 1)


def _votes(need: _Need) -> Option | None:
    if not need.corners or need.passes < 2:
        return None
    # Entries of size 1, so no score moves by more than 1; Γ is that of the logistic.
    known: dict[str, Any] = {"lipschitz_l1": 1.0, "l1_radius": 1.0}
    T = private_frank_wolfe_steps(
        need.epsilon, need.delta, n=need.n, corners=2 * need.p, curvature_constant=1.0,
        relation=ZERO_OUT, **known,
    )  # fmt: skip
    T = min(T, need.passes)
    scale = private_frank_wolfe_noise(
        need.epsilon, need.delta, steps=T, relation=ZERO_OUT, **known
    )
    bound = private_frank_wolfe_risk_bound(
        n=need.n, steps=T, corners=2 * need.p, curvature_constant=1.0, scale=scale
    )
    return Option("private Frank-Wolfe", _per_record(need, bound), scale, T,
                  "the radius", T)  # fmt: skip


def _local(need: _Need) -> Option:
    n, p, L = need.n, need.p, need.lipschitz
    known: dict[str, Any] = {"n": n, "p": p, "clip_norm": L, "distance": 1.0}
    rate = local_sgd_learning_rate(need.epsilon, **known)
    bound = local_sgd_risk_bound(need.epsilon, learning_rate=rate, **known)
    return Option("local SGD", bound, _report_noise(need), n, f"η = {rate:.3g}", 1,
                  pure=True, local=True)  # fmt: skip


def _bets(need: _Need) -> Option:
    n, p, L = need.n, need.p, need.lipschitz
    bound = banco_risk_bound(need.epsilon, n=n, p=p, clip_norm=L, distance=1.0)
    return Option("BANCO", bound, _report_noise(need), n, "nothing", 1,
                  pure=True, local=True)  # fmt: skip


def _report_noise(need: _Need) -> float:
    """Return the root mean square of a report's noise in one entry, over L."""
    variance = local_noise_variance(need.epsilon, p=need.p, clip_norm=1.0)
    return sqrt(variance / need.p)


def _one_release(need: _Need) -> float:
    return dp_sgd_noise_multiplier(need.epsilon, need.delta, steps=1, relation=ZERO_OUT)


_PLAN: dict[str, Callable[[_Need], Option | None]] = {
    "output perturbation": _gamma_output,
    "output, normal noise": _normal_output,
    "objective perturbation": _gamma_objective,
    "objective, normal noise": _normal_objective,
    "DP-SGD": _sgd,
    "DP-FTRL, tree": _tree,
    "private Frank-Wolfe": _votes,
    "local SGD": _local,
    "BANCO": _bets,
}
NAMES = tuple(_PLAN)


LOCAL = ("local SGD", "BANCO")
PURE = ("output perturbation", "objective perturbation", *LOCAL)
_FLEXIBLE = ("DP-SGD", "private Frank-Wolfe")  # how many passes is theirs to choose


@cache
def _planned(name: str, need: _Need) -> Option | None:
    return _PLAN[name](need)


def options(
    n: int,
    p: int,
    epsilon: float,
    *,
    delta: float = 1e-6,
    passes: int = MOST_PASSES,
    setting: str = SETTINGS[0],
) -> list[Option]:
    r"""List the algorithms that a setting allows, the smallest bound first.

    The problem is logistic regression on a ball of radius 1: rows of norm 1 and the
    :math:`\ell_2` ball, or with corners, entries of size 1 and the :math:`\ell_1` ball.

    Examples
    --------
    >>> for each in options(10_000, 100, 1.0)[:2]:
    ...     print(each.algorithm, round(each.bound, 3), each.tuned, each.passes)
    objective, normal noise 0.004 Λ = 42.2 352
    objective perturbation 0.01 Λ = 100 226
    >>> options(10_000, 100, 1.0, delta=0, passes=1)[0].algorithm
    'local SGD'
    """
    n, p = checks.count(n=n, p=p)
    passes = checks.count(passes=passes)
    epsilon = checks.moderate(epsilon=epsilon)
    if delta != 0:
        delta = checks.probability(delta=delta)
    checks.one_of(SETTINGS, setting=setting)
    need = _Need(n, p, epsilon, delta, MOST_PASSES, corners=setting == SETTINGS[1])
    found = []
    for name in _PLAN if delta else PURE:
        own = replace(need, passes=passes) if name in _FLEXIBLE else need
        option = _planned(name, replace(own, delta=0.0) if name in PURE else own)
        if option is not None and allowed(option, passes, setting):
            found.append(option)
    return sorted(found, key=lambda each: each.bound)


def stopped_early(
    n: int, p: int, epsilon: float, *, delta: float, passes: int
) -> Option:
    """Return DP-SGD as it is if it stops after so many passes, or when it is done.

    Examples
    --------
    >>> for passes in (1, 100, 10_000):
    ...     early = stopped_early(10_000, 100, 1.0, delta=1e-6, passes=passes)
    ...     print(early.steps, round(early.bound, 3))
    1 1.5
    100 0.101
    10000 0.011
    """
    n, p, passes = checks.count(n=n, p=p, passes=passes)
    epsilon = checks.moderate(epsilon=epsilon)
    delta = checks.probability(delta=delta)
    return _sgd(_Need(n, p, epsilon, delta, passes, corners=False))


def allowed(option: Option, passes: int, setting: str) -> bool:
    """Tell whether a setting has room for an algorithm, its passes included."""
    return option.passes <= passes and (option.local or setting != SETTINGS[2])


def least_possible(
    n: int, p: int, epsilon: float, *, delta: float, setting: str
) -> float:
    """Bound from below what every algorithm with this promise loses, per record.

    Examples
    --------
    >>> found = least_possible(10_000, 100, 1.0, delta=1e-6, setting=SETTINGS[0])
    >>> found < options(10_000, 100, 1.0)[0].bound
    True
    """
    checks.one_of(SETTINGS, setting=setting)
    if setting != SETTINGS[0]:
        return 0.0
    if delta == 0:
        return pure_excess_lower_bound(epsilon, n=n, p=p) / n
    # Two zeroed records replace one: twice ε, and e^ε + 1 times δ.
    twice = min(0.5, delta * (1 + exp(epsilon)))
    return max(0.0, approximate_excess_lower_bound(2 * epsilon, twice, n=n, p=p) / n)
