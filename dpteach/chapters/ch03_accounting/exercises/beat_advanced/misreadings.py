"""Wrong prices of many pure steps, and what each reveals: for ``beat_advanced``."""

# ruff: noqa: ARG005  (formulas of one table share one signature)

from math import exp, expm1, log, log10, sqrt, tanh

import numpy as np

from ..... import numerics
from .....accounting import advanced_composition, gaussian_epsilon, zcdp_epsilon


def basic(eps0: float, T: int) -> float:
    """Add up: T ε₀."""
    return T * eps0


def advanced(eps0: float, T: int, delta: float) -> float:
    """Take the theorem's ε for pure steps."""
    return advanced_composition(eps0, 0.0, releases=T, slack=delta)[0]


def tail(eps0: float, T: int, delta: float, shift: int = 0, under: int = 1) -> float:
    """Find the least loss that is exceeded with chance δ at most.

    ``shift`` moves along the possible losses; ``under`` is −1 for chances under Q.
    """
    i = np.arange(T + 1)  # how many of the losses are −ε₀
    chance = np.cumsum(np.exp(numerics.log_binomial(i, T, under * eps0)))
    below = int(np.searchsorted(chance, delta, side="right"))
    return (T - 2 * (below + shift)) * eps0


def hockey(
    eps0: float, T: int, delta: float, under: int = 1, clip: float = 0.0
) -> float:
    """Find ε by halving, from the mean of max(clip, 1 − e^{ε − loss})."""
    i = np.arange(T + 1)
    chance = np.exp(numerics.log_binomial(i, T, under * eps0))
    loss, low, high = (T - 2 * i) * eps0, 0.0, T * eps0
    for _ in range(60):
        epsilon = (low + high) / 2
        part = np.maximum(-np.expm1(np.minimum(epsilon - loss, 700)), clip)
        if chance @ part > delta:
            low = epsilon
        else:
            high = epsilon
    return high


def _moments(eps0: float, T: int, delta: float) -> float:
    """Take the best order and the last bound of the theorem."""
    s = np.geomspace(1e-3, 1e4, 4000)
    ratio = np.log1p(np.exp(-(2 * s + 1) * eps0)) - np.log1p(exp(-eps0))
    return float(np.min((T * (s * eps0 + ratio) - log(delta)) / s))


def _normal(eps0: float, T: int, delta: float) -> float:
    """Take the loss for normal, and the chance that it is above ε."""
    from scipy.special import ndtri

    mean = T * eps0 * tanh(eps0 / 2)
    spread = eps0 * sqrt(T) / np.cosh(eps0 / 2)
    return mean - spread * float(ndtri(delta))


_RHO = (
    "That holds for all that has this ρ. Of these steps more is known: each is pure, "
    "and the worst of them has a law of its own."
)
_SPLIT = "δ is split in two. Only one side of the loss can hurt."
_NORMAL = "That takes the loss for normal: an estimate, and not a proof."
# Wrong prices, as functions of (eps0, T, delta), and the reason.
PRICES = (
    (lambda e, T, d: basic(e, T), "That is basic composition: nothing is gained."),
    (advanced, "That is advanced composition, or within a hair of it."),
    (
        lambda e, T, d: e * sqrt(2 * T * log(1 / d)),
        "The mean of the losses is missing: a run drifts, too.",
    ),
    (
        lambda e, T, d: T * e * tanh(e / 2),
        "That is the mean of the loss. It is exceeded about every other time.",
    ),
    (
        lambda e, T, d: e * sqrt(2 * T * log(1 / d)) + T * e * expm1(e),
        "That is an older form of advanced composition, with a larger drift.",
    ),
    (
        lambda e, T, d: e * sqrt(2 * T * log(1 / d)) + T * e * e / 2,
        "That is ρ + 2√(ρ ln(1/δ)) with ρ = Tε₀²/2, or an older form of advanced "
        "composition.",
    ),
    (
        lambda e, T, d: e * sqrt(2 * T * log(1 / d)) + T * e * e,
        "The drift is twice too large: see the proof of advanced composition.",
    ),
    (
        lambda e, T, d: e * sqrt(T * log(1 / d)) + T * e * tanh(e / 2),
        "A factor 2 is missing under the root.",
    ),
    (
        lambda e, T, d: e * sqrt(2 * T * log10(1 / d)) + T * e * tanh(e / 2),
        "The logarithm is the natural one, not that of base 10.",
    ),
    (
        lambda e, T, d: e * sqrt(2 * T * log(1.25 / d)) + T * e * tanh(e / 2),
        "1.25 belongs to a formula for Gaussian noise.",
    ),
    (
        lambda e, T, d: e * sqrt(2 * T * log(2 / d)) + T * e * tanh(e / 2),
        _SPLIT,
    ),
    (
        lambda e, T, d: e * sqrt(2 * T * log(1 / d)) + e * tanh(e / 2),
        "The drift is that of one step.",
    ),
    (
        lambda e, T, d: sqrt(T) * e,
        "The root of T alone holds for no δ: how much luck does δ allow for?",
    ),
    (
        lambda e, T, d: zcdp_epsilon(T * e, d, method="basic"),
        "ε₀ is not the ρ of a pure step.",
    ),
    (
        lambda e, T, d: zcdp_epsilon(T * e, d),
        "ε₀ is not the ρ of a pure step.",
    ),
    (
        lambda e, T, d: zcdp_epsilon(T * e * e, d, method="basic"),
        "The ρ of a pure step is half of that: the chapter has it.",
    ),
    (
        lambda e, T, d: zcdp_epsilon(T * e * e, d),
        "The ρ of a pure step is half of that: the chapter has it.",
    ),
    (
        lambda e, T, d: zcdp_epsilon(T * e * e / 8, d, method="basic"),
        "That is the ρ of a choice of bounded range. A pure step may cost four times "
        "as much.",
    ),
    (
        lambda e, T, d: zcdp_epsilon(T * e * e / 8, d),
        "That is the ρ of a choice of bounded range. A pure step may cost four times "
        "as much.",
    ),
    (lambda e, T, d: zcdp_epsilon(T * e * e / 2, d), _RHO),
    (lambda e, T, d: zcdp_epsilon(T * e * tanh(e / 2), d), _RHO),
    (lambda e, T, d: zcdp_epsilon(T * e * tanh(e / 2), d, method="basic"), _RHO),
    (
        _moments,
        "That is what the best order proves by the last bound of the theorem. Is "
        "there a better bound?",
    ),
    (
        tail,
        "That is the loss which is exceeded with chance δ. A proof, and a loose one: "
        "of an output above ε only a part counts.",
    ),
    (
        lambda e, T, d: tail(e, T, d, shift=1),
        "That is one possible loss too low: the chance to exceed it is above δ.",
    ),
    (
        lambda e, T, d: tail(e, T, d, shift=-1),
        "That is one possible loss above the one that is exceeded with chance δ.",
    ),
    (
        lambda e, T, d: tail(e, T, d, under=-1),
        "Those are chances under Q, where losses are low. Z is the loss of an output "
        "of P.",
    ),
    (lambda e, T, d: tail(e, T, d / 2), _SPLIT),
    (
        lambda e, T, d: hockey(e, T, d, under=-1),
        "Those are chances under Q, where losses are low. Z is the loss of an output "
        "of P.",
    ),
    (
        lambda e, T, d: hockey(e, T, d, clip=-np.inf),
        "Outputs whose loss is below ε are no gain, and no loss either.",
    ),
    (_normal, _NORMAL),
    (lambda e, T, d: _normal(e, T, d / 2), _NORMAL),
    (lambda e, T, d: gaussian_epsilon(sqrt(T) * e, d), _NORMAL),
    (lambda e, T, d: gaussian_epsilon(sqrt(T) * e / np.cosh(e / 2), d), _NORMAL),
    (lambda e, T, d: gaussian_epsilon(sqrt(2 * T * e * tanh(e / 2)), d), _NORMAL),
)
