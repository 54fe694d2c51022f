"""Figure of the chapter on local privacy: three ways to report a vector."""

from functools import cache
from math import exp, expm1, lgamma, pi, sqrt

import numpy as np

from ... import checks
from ...algorithms.local.hemisphere import hemisphere_length
from ...algorithms.local.local_sgd import local_noise_variance
from ...figures.axes import Axes
from ...figures.explore import Slider, even
from ...figures.figure import figure
from ...figures.marks import Bars, Line, Mark, Points, Sentence, Spent
from ...figures.style import write
from ...privacy import Pure, Relation

DIMENSIONS = (1, 3, 10, 30, 100, 300, 1000)
# What no randomizer goes below if users are many, over √p/(e^ε − 1): see the chapter's
# lower bound.
LEAST = 2 / (3 * sqrt(3))


@cache
def cap_length(epsilon: float, p: int) -> float:
    r"""Compute the length of reports from the best cap of a sphere, for unit vectors.

    A report lies in the cap of all directions u with ⟨u, v⟩ ≥ h, or outside, and is
    uniform there. The odds are chosen so that densities differ by a factor of e^ε.

    References
    ----------
    * Bhowmick and others (2018), Protection Against Reconstruction and Its Applications
      in Private Federated Learning.

    Examples
    --------
    >>> half = hemisphere_length(8.0, p=100, clip_norm=1.0)
    >>> round(half / cap_length(8.0, 100), 1)  # with a large budget, smaller caps
    3.4
    """
    from scipy.special import betainc  # SciPy loads late: figures start fast

    checks.positive(epsilon=epsilon)
    checks.count(p=p)
    if p == 1:
        return hemisphere_length(epsilon, p=1, clip_norm=1.0)
    h = np.linspace(0, 1, 4001)[:-1]
    inside = 0.5 * betainc((p - 1) / 2, 0.5, 1 - h**2)  # the cap's share of the sphere
    # The mean of ⟨u, v⟩ over the sphere, counted only inside the cap
    lean = np.exp(
        lgamma(p / 2) - lgamma((p + 1) / 2) + (p - 1) / 2 * np.log1p(-(h**2))
    ) / (2 * sqrt(pi))
    mean = lean * expm1(epsilon) / (1 + inside * expm1(epsilon))
    return float(1 / mean.max())


def _away(epsilon: float, p: int) -> tuple[float, float, float]:
    """Compute how far one report of a unit vector is from it: root mean squares."""
    spherical = sqrt(local_noise_variance(epsilon, p=p, clip_norm=1.0))
    half = hemisphere_length(epsilon, p=p, clip_norm=1.0)
    cap = cap_length(epsilon, p)
    return spherical, sqrt(half**2 - 1), sqrt(cap**2 - 1)


def _halves(hers: float, aside: float, label: str, role: str) -> Bars:
    """Draw how often a report lies in her half of the sphere, and in the other."""
    return Bars([aside, 1 + aside], [hers, 1 - hers], label, role, panel=1, width=0.36)


@figure(
    axes=(
        Axes(
            "dimension p",
            "distance of a report",
            xlim=(1, 1000),
            ylim=(0.01, 30_000),
            xscale="log",
            yscale="log",
            xticks=(1, 10, 100, 1000),
            yticks=(0.01, 1, 100, 10_000),
            title="What the server loses",
        ),
        Axes(
            "half of the sphere that the report is in",
            "how often",
            xlim=(-0.6, 1.6),
            ylim=(0, 1),
            xticks={0: "her half", 1: "the other"},
            yticks=(0, 0.5, 1),
            title="What the attacker sees",
        ),
    ),
    title="Three ways to report a vector",
    alt=(
        "In the panel “What the server loses”, rising lines over the dimension. The "
        "spherical noise rises twice as steeply as the two kinds of reports of a fixed "
        "length, which stay parallel to the bound below them. In the panel “What the "
        "attacker sees”, two pairs of bars: in which half a report lies, from a user's "
        "vector and from the opposite one. The larger ε is, the more they differ."
    ),
    caption=(
        "How far a report lies from the user's unit vector, root mean square. With n "
        "users everything is divided by √n, and so is the bound once n is at least "
        "p²/(e^ε − 1)². The bars are those of a hemisphere report; no report of the "
        "same ε reveals more."
    ),
    identity="randomizers",
    epsilon=Slider(even(0.25, 0.95, 0.05) + even(1, 8, 0.2), start=1),
    p=Slider(DIMENSIONS, start=100),
)
def randomizers(epsilon: float, p: int) -> list[Mark]:
    """Compare three randomizers by the distance of a report.

    Examples
    --------
    >>> spherical, half, cap, least, *_ = randomizers(1.0, 100)
    >>> bool((spherical.y > half.y).all()), bool((half.y >= cap.y).all())
    (True, True)
    """
    checks.positive(epsilon=epsilon)
    checks.one_of(DIMENSIONS, p=p)
    spherical, half, cap = np.transpose([_away(epsilon, each) for each in DIMENSIONS])
    least = LEAST * np.sqrt(DIMENSIONS) / expm1(epsilon)
    at = DIMENSIONS.index(p)
    ratio = float(spherical[at] / half[at]) ** 2
    right = 1 / (1 + exp(-epsilon))
    return [
        Line(DIMENSIONS, spherical, "spherical noise", "private"),
        Line(DIMENSIONS, half, "hemisphere", "measured"),
        Line(DIMENSIONS, cap, "best cap", "non_private"),
        Line(DIMENSIONS, np.maximum(least, 0.01), "none is below", "bound"),
        Points([p], [spherical[at]], "your p", "private", moves="p"),
        _halves(right, -0.19, "from her vector", "private"),
        _halves(1 - right, 0.19, "from the opposite one", "reference"),
        Sentence(
            f"At ε = {{epsilon}} and p = {{p}} a report with spherical noise is off by "
            f"{write(float(spherical[at]))}, one from a hemisphere by "
            f"{write(float(half[at]))}, one from the best cap by "
            f"{write(float(cap[at]))}. For the same mean the spherical noise needs "
            f"{write(ratio)} times as many users as the hemisphere. Whoever sees her "
            f"report and guesses its half is right {100 * right:.4g} times in 100."
        ),
        Spent(Pure(epsilon, relation=Relation.REPLACE)),
    ]
