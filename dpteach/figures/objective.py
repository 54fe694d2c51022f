"""Figures of the chapter on objective perturbation: what the regularization is for.

Beside each experiment stands what ``explore`` has to know of it, in capitals.
"""

from functools import cache
from typing import Any

import numpy as np

from .. import checks, losses
from ..algorithms.objective import (
    objective_perturbation_log_density,
    objective_perturbation_parameters,
)
from ..constraints import Everywhere
from ..privacy import Pure, Relation
from ..problem import Problem
from .axes import Axes
from .marks import Line, Mark, Points, Sentence, Spent
from .style import write

DELTA = 1e-9  # pure ε: no δ is spent, and this one buys nothing
REGULARIZATIONS = tuple(np.geomspace(1e-3, 10, 25))
_NEAR, _TAIL = np.linspace(-12, 12, 2401), np.geomspace(12, 200, 60)
_LINE = np.concatenate([-_TAIL, _NEAR, _TAIL])[:, None]


def _signs(*labels: float) -> Problem:
    X = np.ones((len(labels), 1))
    return Problem(X, np.array(labels, dtype=float), losses.logistic, Everywhere())


_PAIRS = [
    (_signs(*labels), _signs(*labels, new))
    for labels in ((), (1, -1), (1,) * 8, (-1,) * 8)
    for new in (1, -1)
]


@cache
def _exact(noise_multiplier: float, regularization: float) -> float:
    """Worst log ratio of the two densities over eight neighbours, on a fine line."""
    kind = {"lipschitz": 1.0, "regularization": regularization}
    worst = 0.0
    for pair in _PAIRS:
        first, second = (
            objective_perturbation_log_density(
                D, _LINE, **kind, noise_multiplier=noise_multiplier
            )
            for D in pair
        )
        worst = max(worst, float(np.max(np.abs(first - second))))
    return worst


def epsilon_against_regularization(epsilon: float) -> list[Mark]:
    """Draw the exact ε of objective perturbation as its regularization shrinks.

    Parameters
    ----------
    epsilon : float
        The nominal budget; the noise is that of the source, λ = 2/ε.

    Returns
    -------
    list of marks
        What ``explore`` draws.

    Raises
    ------
    ValueError, TypeError
        If a value is out of its range.

    Examples
    --------
    >>> exact, claim, nominal, *_ = epsilon_against_regularization(1.0)
    >>> bool((exact.y <= claim.y).all()), bool(exact.y[0] > nominal.y[0])
    (True, True)
    """
    checks.positive(epsilon=epsilon)
    lam = 2 / epsilon
    Lam = np.array(REGULARIZATIONS)
    exact = np.array([_exact(lam, float(each)) for each in Lam])
    claim = 1 / lam + np.log1p(0.25 / Lam)
    kind: dict[str, Any] = {"smoothness": 0.25}
    tight = objective_perturbation_parameters(epsilon, **kind)[1]
    book = objective_perturbation_parameters(epsilon, **kind, method="textbook")[1]
    events = tuple(Pure(float(each), relation=Relation.ADD_REMOVE) for each in claim)
    return [
        Line(Lam, exact, "exact ε, worst of eight pairs", "measured"),
        Line(Lam, claim, "1/λ + ln(1 + β/Λ)", "bound"),
        Line(Lam, np.full(len(Lam), epsilon), "nominal ε", "reference"),
        Points([tight], [epsilon], "least Λ, tight", "private"),
        Points([book], [epsilon], "least Λ, printed", "non_private"),
        Sentence(
            f"At noise λ = {write(lam)} for ε = {{epsilon}} the theorem asks for "
            f"Λ ≥ {write(book)}; {write(tight)} suffices. At Λ = 0.001 the exact ε "
            f"is {write(float(exact[0]))}."
        ),
        Spent(events, DELTA),
    ]


REGULARIZATION: dict[str, Any] = {
    "axes": Axes(
        "regularization Λ", "ε, in nats", xlim=(1e-3, 10), ylim=(0.03, 30),
        xscale="log", yscale="log",
    ),
    "title": "Too little regularization breaks privacy",
    "alt": (
        "The exact ε falls as regularization grows; left of the least allowed value it "
        "climbs above the nominal line."
    ),
    "caption": "Exact, by the density of the minimum: logistic loss on a line.",
    "identity": "objective-regularization",
}  # fmt: skip
