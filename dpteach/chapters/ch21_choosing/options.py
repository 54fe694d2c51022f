"""What each algorithm would cost, and could promise: by its own theorem."""

from collections.abc import Callable
from dataclasses import dataclass
from math import exp, sqrt
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
MOST_PASSES = 1000
# The settings, in a reader's words, and what each rules out.
SETTINGS = (
    "a trusted server",
    "a server, one pass",
    "a server, and δ = 0",
    "corners (ℓ1 ball)",
    "no trusted server",
)


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
    gradients : int
        How many gradients of single records are computed; 0 for a solver's own number.
    pure, one_pass, local : bool
        Whether δ is 0; whether each record is used once; whether nobody is trusted.
    """

    algorithm: str
    bound: float
    noise_multiplier: float
    steps: int
    tuned: str
    gradients: int
    pure: bool = False
    one_pass: bool = False
    local: bool = False


@dataclass(frozen=True)
class _Need:
    """What is public: sizes, budget, L and β of a record's loss. The radius is 1."""

    n: int
    p: int
    epsilon: float
    delta: float
    corners: bool

    @property
    def lipschitz(self) -> float:
        # Entries of size 1 make a row of norm √p.
        return sqrt(self.p) if self.corners else 1.0

    @property
    def smoothness(self) -> float:
        return self.lipschitz**2 / 4  # of the logistic loss


def _per_record(need: _Need, total: float) -> float:
    return float(total / need.n)


def _gamma_output(need: _Need) -> Option:
    n, p, L, lam = need.n, need.p, need.lipschitz, 1 / need.epsilon
    Lam = L * sqrt(2 * n * p * lam)
    bound = output_perturbation_risk_bound(
        n=n, p=p, lipschitz=L, regularization=Lam, noise_multiplier=lam, distance=1.0
    )
    return Option("output perturbation", _per_record(need, bound), lam, 0,
                  f"Λ = {Lam:.3g}", 0, pure=True)  # fmt: skip


def _normal_output(need: _Need) -> Option:
    n, p, L, lam = need.n, need.p, need.lipschitz, _one_release(need)
    Lam = L * sqrt(2 * n * sqrt(p) * lam)
    bound = output_perturbation_risk_bound(
        n=n, p=p, lipschitz=L, regularization=Lam, noise_multiplier=lam, distance=1.0,
        noise="gaussian",
    )  # fmt: skip
    return Option("output, normal noise", _per_record(need, bound), lam, 0,
                  f"Λ = {Lam:.3g}", 0)  # fmt: skip


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
                  f"Λ = {Lam:.3g}", 0, pure=True)  # fmt: skip


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
                  f"Λ = {Lam:.3g}", 0)  # fmt: skip


def _sgd(need: _Need) -> Option:
    n, p, L = need.n, need.p, need.lipschitz
    T = max(1, min(dp_sgd_steps(need.epsilon, n=n, p=p), MOST_PASSES))
    lam = dp_sgd_noise_multiplier(need.epsilon, need.delta, steps=T, relation=ZERO_OUT)
    known: dict[str, Any] = {
        "n": n, "p": p, "steps": T, "noise_multiplier": lam, "lipschitz": L,
        "distance": 1.0,
    }  # fmt: skip
    rate, bound = dp_sgd_learning_rate(**known), dp_sgd_risk_bound(**known)
    return Option("DP-SGD", _per_record(need, bound), lam, T, f"η = {rate:.3g}", n * T)


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
    return Option("DP-FTRL, tree", float(bound), lam, n, f"Λ = {Lam:.3g}", n,
                  one_pass=True)  # fmt: skip


def _votes(need: _Need) -> Option | None:
    if not need.corners:
        return None
    # Entries of size 1, so no score moves by more than 1; Γ is that of the logistic.
    known: dict[str, Any] = {"lipschitz_l1": 1.0, "l1_radius": 1.0}
    T = private_frank_wolfe_steps(
        need.epsilon, need.delta, n=need.n, corners=2 * need.p, curvature_constant=1.0,
        relation=ZERO_OUT, **known,
    )  # fmt: skip
    scale = private_frank_wolfe_noise(
        need.epsilon, need.delta, steps=T, relation=ZERO_OUT, **known
    )
    bound = private_frank_wolfe_risk_bound(
        n=need.n, steps=T, corners=2 * need.p, curvature_constant=1.0, scale=scale
    )
    return Option("private Frank-Wolfe", _per_record(need, bound), scale, T,
                  "the radius", need.n * T)  # fmt: skip


def _local(need: _Need) -> Option:
    n, p, L = need.n, need.p, need.lipschitz
    known: dict[str, Any] = {"n": n, "p": p, "clip_norm": L, "distance": 1.0}
    rate = local_sgd_learning_rate(need.epsilon, **known)
    bound = local_sgd_risk_bound(need.epsilon, learning_rate=rate, **known)
    return Option("local SGD", bound, _report_noise(need), n, f"η = {rate:.3g}", n,
                  pure=True, one_pass=True, local=True)  # fmt: skip


def _bets(need: _Need) -> Option:
    n, p, L = need.n, need.p, need.lipschitz
    bound = banco_risk_bound(need.epsilon, n=n, p=p, clip_norm=L, distance=1.0)
    return Option("BANCO", bound, _report_noise(need), n, "nothing", n,
                  pure=True, one_pass=True, local=True)  # fmt: skip


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


def options(
    n: int, p: int, epsilon: float, *, delta: float = 1e-6, setting: str = SETTINGS[0]
) -> list[Option]:
    r"""List the algorithms that a setting allows, the smallest bound first.

    The problem is logistic regression on a ball of radius 1: rows of norm 1 and the
    :math:`\ell_2` ball, or with corners, entries of size 1 and the :math:`\ell_1` ball.

    Parameters
    ----------
    n, p : int
        A public count of records, and the length of a model.
    epsilon, delta : float
        The budget, if one record's contribution becomes zero. Local algorithms keep ε
        for a person's whole report, whatever it says.
    setting : str, optional
        One of ``SETTINGS``.

    Returns
    -------
    list of Option
        With the parameters that the theorems ask for; DP-SGD takes at most
        ``MOST_PASSES`` passes. Bounds of ``one_pass`` algorithms are for the
        population, and those of the others for the records.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of its range.

    Examples
    --------
    >>> for each in options(10_000, 100, 1.0)[:2]:
    ...     print(each.algorithm, round(each.bound, 3), each.tuned)
    objective, normal noise 0.004 Λ = 42.2
    objective perturbation 0.01 Λ = 100
    """
    n, p = checks.count(n=n, p=p)
    epsilon = checks.moderate(epsilon=epsilon)
    delta = checks.probability(delta=delta)
    checks.one_of(SETTINGS, setting=setting)
    need = _Need(n, p, epsilon, delta, corners=setting == SETTINGS[3])
    every = [plan(need) for plan in _PLAN.values()]
    fits = [each for each in every if each is not None and _allowed(each, setting)]
    return sorted(fits, key=lambda each: each.bound)


def _allowed(option: Option, setting: str) -> bool:
    return {
        SETTINGS[1]: option.one_pass,
        SETTINGS[2]: option.pure,
        SETTINGS[4]: option.local,
    }.get(setting, True)


def least_possible(
    n: int, p: int, epsilon: float, *, delta: float, setting: str
) -> float:
    """Bound from below what every algorithm with this promise loses, per record.

    Parameters
    ----------
    n, p : int
        Records, and the length of a model.
    epsilon, delta : float
        The budget, if one record's contribution becomes zero.
    setting : str
        One of ``SETTINGS``.

    Returns
    -------
    float
        For some data with a linear risk on the unit ball; 0 where we state none.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of its range.

    Examples
    --------
    >>> found = least_possible(10_000, 100, 1.0, delta=1e-6, setting=SETTINGS[0])
    >>> found < options(10_000, 100, 1.0)[0].bound
    True
    """
    checks.one_of(SETTINGS, setting=setting)
    if setting == SETTINGS[2]:
        return pure_excess_lower_bound(epsilon, n=n, p=p) / n
    if setting == SETTINGS[0]:
        # Two zeroed records replace one: twice ε, and e^ε + 1 times δ.
        twice = min(0.5, delta * (1 + exp(epsilon)))
        return max(
            0.0, approximate_excess_lower_bound(2 * epsilon, twice, n=n, p=p) / n
        )
    return 0.0
