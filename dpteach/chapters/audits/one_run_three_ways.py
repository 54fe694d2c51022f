"""Figure of the chapter on audits: one run as a pair, as a curve, and by scores."""

from functools import cache

import numpy as np

from ... import checks
from ...accounting import gaussian_epsilon, gaussian_mu
from ...auditing import (
    one_run_epsilon_lower_bound,
    one_run_mu_lower_bound,
    score_mu_lower_bound,
)
from ...figures.axes import Axes
from ...figures.explore import Slider
from ...figures.figure import figure
from ...figures.marks import Line, Mark, Points, Sentence, Spent
from ...figures.style import write
from ...privacy import Gaussian, Relation

CANARIES = (100, 200, 500, 1000, 2000, 5000, 10_000)
EPSILONS = (0.5, 1, 2, 3, 4, 6, 8)
ALPHA, DELTA = 1e-3, 1e-5


@cache
def bounds(epsilon: float, canaries: int) -> tuple[float, float, float]:
    """Bound ε from one run: as a pair, by the curve, and by the scores.

    Examples
    --------
    >>> pair, curve, score = bounds(4, 1000)
    >>> pair < curve < score < 4
    True
    """
    m = checks.count(canaries=canaries)
    mu = gaussian_mu(epsilon, DELTA)
    rng = np.random.default_rng(36)
    inside = rng.random(m) < 0.5
    scores = mu * inside + rng.standard_normal(m)
    order = np.argsort(-np.abs(scores - mu / 2), kind="stable")[: m // 10]
    right = int(np.sum((scores > mu / 2)[order] == inside[order]))
    pair = one_run_epsilon_lower_bound(
        right, m // 10, m, delta=DELTA, false_alarm=ALPHA
    )
    curve = one_run_mu_lower_bound(right, m // 10, m, false_alarm=ALPHA)
    score = score_mu_lower_bound(scores[inside], scores[~inside], false_alarm=ALPHA)
    curve, score = (
        gaussian_epsilon(found, DELTA) if found > 0 else 0.0 for found in (curve, score)
    )
    return pair, curve, score


@figure(
    axes=Axes("true ε", "proved ε, at δ = 10⁻⁵", xlim=(0.5, 8), ylim=(0, 8.5)),
    title="One run, audited in three ways",
    alt=(
        "A rising line, the truth. Just below it runs the audit by scores. The audit "
        "by the whole curve lies well below, and that of a pair lower still."
    ),
    caption=(
        "For each ε one run of Gaussian noise; canaries have directions of their own, "
        "and a fair coin puts each in. Guesses are made about a tenth of them. Each "
        "bound is wrong with probability 1/1000 at most."
    ),
    identity="one-run-three-ways",
    epsilon=Slider(EPSILONS, start=4),
    canaries=Slider(CANARIES, start=1000),
)
def one_run_three_ways(epsilon: float, canaries: int) -> list[Mark]:
    """Compare what three audits of one run prove, against the truth.

    Examples
    --------
    >>> truth, score, curve, pair, *_ = one_run_three_ways(4, 1000)
    >>> bool((pair.y <= curve.y).all() and (curve.y <= score.y).all())
    True
    """
    checks.one_of(EPSILONS, epsilon=epsilon)
    checks.one_of(CANARIES, canaries=canaries)
    found = np.array([bounds(each, canaries) for each in EPSILONS]).T
    pair, curve, score = bounds(epsilon, canaries)
    spent = Gaussian(1 / gaussian_mu(epsilon, DELTA), relation=Relation.ADD_REMOVE)
    return [
        Line([0.5, 8], [0.5, 8], "the truth", "bound"),
        Line(EPSILONS, found[2], "by scores", "private"),
        Line(EPSILONS, found[1], "by the curve", "measured"),
        Line(EPSILONS, found[0], "as a pair", "reference"),
        Points([epsilon], [curve], "your run", "measured", moves="epsilon"),
        Sentence(
            f"The truth is ε = {{epsilon}}, and {{canaries}} canaries were in by fair "
            f"coins. As a pair, the guesses prove ε ≥ {write(pair)}. By the curve, the "
            f"same guesses prove {write(curve)}, and the scores {write(score)}."
        ),
        Spent(spent, DELTA),
    ]
