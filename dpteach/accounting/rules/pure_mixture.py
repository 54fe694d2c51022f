"""Floor 2. The exact price of pure events together with Gaussian noise.

The worst ε-private mechanism is randomized response: its privacy loss is +ε with
probability e^ε/(1 + e^ε) and −ε otherwise. So k of them together lose (k − 2i)ε, where
i is binomial. With a μ-GDP mechanism added, the price is the average over that loss,

    δ(ε) = E[δ_G(ε − loss; μ)],

where δ_G at a negative argument is 1 − e^{−|ε|} + e^{−|ε|} δ_G(|ε|). Every term is
positive: nothing cancels. [Kairouz, Oh and Viswanath 2017 for the pure part]
"""

import math
from collections.abc import Callable, Mapping

import numpy as np

from ... import numerics
from .gaussian import log_delta as log_delta_gaussian

# Terms this far below the largest (in nats) change no digit.
NEGLIGIBLE = 75.0
LARGEST = 2**19  # so many losses take three seconds or so to find an ε
SECTIONS = 128  # into which a search cuts what is left


class TooManyTerms(ArithmeticError):
    """Raised when there are too many losses to list: an upper bound must do."""


def log_delta_mixture(
    pure: Mapping[float, int], mu: float, epsilon: float, largest: int = LARGEST
) -> float:
    """Compute ln δ of {ε_j: k_j} pure releases and a μ-GDP one (μ = 0: none).

    At most ``largest`` losses are listed.
    """
    if not pure:
        return float(log_delta_gaussian(mu, epsilon))
    if len(pure) == 1:
        (epsilon_0, k), *_ = pure.items()
        loss, log_mass = _window(epsilon_0, k, mu, epsilon, largest)
    else:
        if math.prod(k + 1 for k in pure.values()) > largest:
            raise TooManyTerms("too many pure releases to list all losses")
        loss, log_mass = np.zeros(1), np.zeros(1)
        for epsilon_0, k in pure.items():
            i = np.arange(k + 1)
            one, log_one = (k - 2 * i) * epsilon_0, _log_mass(i, epsilon_0, k)
            loss = np.add.outer(loss, one).ravel()
            log_mass = np.add.outer(log_mass, log_one).ravel()
    return _log_sum(log_mass + _log_share(loss, mu, epsilon))


def _log_mass(i: np.ndarray, epsilon_0: float, k: int) -> np.ndarray:
    return numerics.log_binomial(i, k, epsilon_0)


def _log_share(loss: np.ndarray, mu: float, epsilon: float) -> np.ndarray:
    # What an output of this pure loss adds to δ: δ_G(ε − loss), or (1 − e^{ε−loss})₊
    if mu > 0:
        return log_delta_gaussian(mu, epsilon - loss)
    return numerics.log_of(np.maximum(-np.expm1(np.minimum(epsilon - loss, 0)), 0))


def _log_sum(terms: np.ndarray) -> float:
    top = float(np.max(terms))
    if top == -math.inf:
        return top
    return top + math.log(float(np.sum(np.exp(terms - top))))


def _window(
    epsilon_0: float, k: int, mu: float, epsilon: float, largest: int
) -> tuple[np.ndarray, np.ndarray]:
    # The losses that matter: both factors are log-concave in i, so there is one peak.
    def term(i: np.ndarray) -> np.ndarray:
        share = _log_share((k - 2 * i) * epsilon_0, mu, epsilon)
        return _log_mass(i, epsilon_0, k) + share

    last = k
    if mu == 0:  # only losses above ε count
        last = int(min(max((k - epsilon / epsilon_0) / 2 + 1, 0), k))
        while last > 0 and (k - 2 * last) * epsilon_0 <= epsilon:
            last -= 1
    peak = _peak(term, last)
    floor = float(term(np.array([float(peak)]))[0]) - NEGLIGIBLE
    low = _first(lambda i: term(i) >= floor, 0, peak)
    high = last - _first(lambda j: term(last - j) >= floor, 0, last - peak)
    if high - low > largest:
        raise TooManyTerms("too many pure releases to list all losses")
    i = np.arange(low, high + 1, dtype=float)
    return (k - 2 * i) * epsilon_0, _log_mass(i, epsilon_0, k)


def _first(holds: Callable[[np.ndarray], np.ndarray], low: int, high: int) -> int:
    # The first i in [low, high] for which ``holds``: false, then true up to high. Many
    # are asked at once, because one costs as much as a hundred.
    while low < high:
        width = high - low
        asked = sorted({low + width * j // SECTIONS for j in range(SECTIONS)})
        true = np.flatnonzero(holds(np.array(asked, dtype=float)))
        first = int(true[0]) if len(true) else len(asked)
        high = asked[first] if len(true) else high
        low = asked[first - 1] + 1 if first else low
    return low


def _peak(term: Callable[[np.ndarray], np.ndarray], last: int) -> int:
    # The terms rise, then fall; −∞ on the right (no loss above ε) counts as falling.
    return _first(lambda i: term(i + 1) <= term(i), 0, last)
