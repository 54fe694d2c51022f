"""Figure: a theorem, an algorithm and the lower bounds on one axis, exactly."""

from functools import cache
from math import exp, lgamma, log, sqrt

import numpy as np

from ... import checks
from ...accounting import gaussian_mu
from ...figures.axes import Axes
from ...figures.explore import Slider
from ...figures.figure import figure
from ...figures.marks import Line, Mark, Points, Sentence, Spent
from ...figures.style import write
from ...lower_bounds import (
    gaussian_sign_minimax_excess,
    minimax_excess,
    pure_excess_lower_bound,
    sign_minimax_excess,
    tracing_excess_lower_bound,
)
from ...privacy import Gaussian, Pure, Relation
from .same_problem import DELTA

EPSILONS = (0.5, 0.7, 1.0, 1.4, 2.0, 2.8, 4.0)
RECORDS = (1, 2, 5, 10, 30, 100, 300, 1000)
SIGNS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024)
LEAST = 0.1  # where the axis ends; a bound of 0 lies below it


def alignment(a: np.ndarray, p: int) -> np.ndarray:
    """Compute E⟨θ, u⟩ for the direction θ of a·u plus standard normal noise.

    Examples
    --------
    >>> alignment(np.array([1.0]), 1).round(4)  # Φ(1) − Φ(−1)
    array([0.6827])
    """
    from scipy.special import hyp1f1

    factor = exp(lgamma((p + 1) / 2) - lgamma(p / 2 + 1)) / sqrt(2)
    return factor * a * hyp1f1(0.5, p / 2 + 1, -(a**2) / 2)


def aligned(noise: str, price: float, p: int, lengths: np.ndarray) -> np.ndarray:
    """Compute E⟨θ, θ*⟩ for the direction of a noisy sum, by its length.

    Normal noise has deviation 2/μ. Noise of density e^{−ε‖z‖/2} is normal noise whose
    variance is drawn first, from a gamma distribution of shape (p + 1)/2.

    Examples
    --------
    >>> aligned("Laplace", 1.0, 1, np.array([2.0])).round(6)  # 1 − 1/e
    array([0.632121])
    """
    if noise == "normal":
        return alignment(lengths * price / 2, p)
    k = (p + 1) / 2  # the density in x = ln(variance ε²/8) is e^{kx − e^x}/Γ(k)
    x = log(k) + np.linspace(-min(40.0, 12 / sqrt(k) + 30 / k), 9 / sqrt(k), 240)
    density = np.exp(k * x - np.exp(x) - lgamma(k))
    deviation = np.exp(x / 2) * sqrt(8) / price
    by_size = alignment(lengths[:, None] / deviation, p)
    return by_size @ density * (x[1] - x[0])


@cache
def worst_excess(noise: str, price: float, n: int, p: int) -> float:
    """Compute the excess of the noisy sum's direction, at the worst length of a sum.

    Examples
    --------
    >>> round(worst_excess("Laplace", 1.0, 1000, 1), 3)  # 2/e
    0.736
    """
    lengths = np.geomspace(min(0.01 / price, n / 2), n, 200)
    if p == 1:  # the sums of n signs, but 0
        lengths = np.arange(2 - n % 2, n + 1, 2).astype(float)
    return float(np.max(lengths * (1 - aligned(noise, price, p, lengths))))


def promised(noise: str, price: float, n: int, p: int) -> float:
    """Bound that excess by the noise's mean length, and by n, as it leans right."""
    return min(2 * (sqrt(p) if noise == "normal" else p) / price, float(n))


def impossible(noise: str, price: float, n: int, p: int) -> float:
    """Bound the excess from below, for every algorithm of this kind of privacy."""
    traced = tracing_excess_lower_bound(price, n=n, p=p)
    pure = 0.0 if noise == "normal" else pure_excess_lower_bound(price, n=n, p=p)
    return max(traced, pure)


@cache
def _known(noise: str, price: float, n: int) -> tuple[list[int], list[float]]:
    """List where the least excess is known: at one sign, and at two if n is small.

    Elsewhere the second mark lies on the first.
    """
    if noise == "normal":
        return [1, 1], [gaussian_sign_minimax_excess(price, n=n)] * 2
    one = sign_minimax_excess(price, n=n)
    if n > 2:
        return [1, 1], [one, one]
    return [1, 2], [one, minimax_excess(price, n=n, p=2)[0]]


def _where_it_is_zero(low: np.ndarray) -> str:
    empty = [p for p, bound in zip(SIGNS, low, strict=True) if bound == 0]
    if not empty:
        return "The lower bound is above 0 for all numbers of signs."
    if len(empty) == 1:
        return "At one sign the lower bound is 0, and says nothing."
    return f"Up to {empty[-1]} signs the lower bound is 0, and says nothing."


@figure(
    axes=Axes(
        "signs of a record p",
        "excess risk, a sum",
        xlim=(0.8, 1300),
        ylim=(LEAST, 3000),
        xscale="log",
        yscale="log",
    ),
    title="A theorem, an algorithm and its limits",
    alt=(
        "Three rising curves over the number of signs. The theorem is on top, the "
        "exact excess of the algorithm below it, and the lower bound at the bottom, "
        "which begins only at some number of signs. At one sign a mark for what is "
        "possible lies on the algorithm's curve."
    ),
    caption=(
        "Linear risk on the unit ball, one record replaced; with normal noise "
        "δ = 10⁻⁶. The algorithm adds noise to the sum and scales it to length 1. Its "
        "curve is computed by quadrature, at the worst length of a sum. A lower bound "
        "of 0 is drawn at the bottom."
    ),
    identity="theorem-algorithm-limit",
    noise=Slider(("Laplace", "normal"), start="Laplace"),
    epsilon=Slider(EPSILONS, start=1),
    n=Slider(RECORDS, start=1000),
)
def theorem_algorithm_limit(noise: str, epsilon: float, n: int) -> list[Mark]:
    """Draw, over the number of signs, what is promised, reached and impossible.

    Examples
    --------
    >>> most, exact, least, known, *_ = theorem_algorithm_limit("Laplace", 1.0, 1000)
    >>> bool((least.y <= exact.y).all() and (exact.y <= most.y).all())
    True
    >>> abs(float(known.y[0] - exact.y[0])) < 1e-3  # nothing is better at one sign
    True
    """
    checks.one_of(("Laplace", "normal"), noise=noise)
    checks.one_of(EPSILONS, epsilon=epsilon)
    checks.one_of(RECORDS, n=n)
    price = gaussian_mu(epsilon, DELTA) if noise == "normal" else float(epsilon)
    most, exact, low = (
        np.array([curve(noise, price, int(n), p) for p in SIGNS])
        for curve in (promised, worst_excess, impossible)
    )
    where, known = _known(noise, price, int(n))
    spent = Spent(Pure(epsilon, relation=Relation.REPLACE))
    if noise == "normal":
        spent = Spent(Gaussian(2 / price, relation=Relation.REPLACE), DELTA)
    return [
        Line(SIGNS, most, "the theorem: at most", "bound"),
        Line(SIGNS, exact, "noisy sum, exact", "private"),
        Line(SIGNS, np.maximum(low, LEAST), "impossible below", "reference"),
        Points(where, known, "least possible, exact", "measured"),
        Sentence(
            f"{_where_it_is_zero(low)} What is possible at one sign is "
            f"{write(known[0])}, and the noisy sum has {write(float(exact[0]))}. At "
            f"1,024 signs it has {write(float(exact[-1]))}, the bound is "
            f"{write(float(low[-1]))}."
        ),
        spent,
    ]
