"""Figure of the chapter on composition: how long a budget lasts."""

import numpy as np

from ...accounting import (
    epsilon_of,
    gaussian_epsilon,
    gaussian_mu,
    zcdp_epsilon,
    zcdp_rho,
)
from ...figures.axes import Axes
from ...figures.explore import Slider
from ...figures.figure import figure
from ...figures.marks import Line, Mark, Sentence, Spent
from ...privacy import Gaussian, Relation

DELTA = 1e-6
WEEKS = np.arange(1, 53)


def _week(noise_multiplier: float, releases: int = 1) -> Gaussian:
    return Gaussian(noise_multiplier, releases=releases, relation=Relation.ADD_REMOVE)


@figure(
    axes=Axes(
        "weeks",
        "ε at δ = 10⁻⁶",
        xlim=(1, 52),
        ylim=(0.05, 100),
        yscale="log",
        xticks=(1, 13, 26, 39, 52),
    ),
    title="A year of releases",
    alt=(
        "Three rising curves of ε over 52 weeks, and a level line, the budget. Adding "
        "up crosses it first, after a few weeks at the default, concentrated privacy "
        "much later, and the exact price last."
    ),
    caption=(
        "One Gaussian release a week. Adding up gives each week a 52nd of δ. The "
        "release of a week may depend on all that was published before."
    ),
    identity="year",
    noise_multiplier=Slider((5, 7, 10, 14, 20, 28, 40), start=14),
    epsilon=Slider((0.5, 0.7, 1, 1.4, 2, 2.8, 4), start=2),
)
def year(noise_multiplier: float, epsilon: float) -> list[Mark]:
    """Say after how many weeks each filter stops the releases.

    Examples
    --------
    >>> added, concentrated, exact, *_ = year(14, 2)
    >>> bool((exact.y <= concentrated.y).all()), bool(exact.y[-1] < added.y[-1] / 4)
    (True, True)
    """
    lam, share = noise_multiplier, DELTA / 52
    rho, mu = 1 / (2 * lam**2), 1 / lam
    added = WEEKS * epsilon_of(_week(lam), share)
    concentrated = [zcdp_epsilon(k * rho, DELTA) for k in WEEKS.tolist()]
    exact = [gaussian_epsilon(k**0.5 * mu, DELTA) for k in WEEKS.tolist()]
    lasts = (
        int(np.sum(added <= epsilon)),
        int(zcdp_rho(epsilon, DELTA) / rho),
        int(gaussian_mu(epsilon, DELTA) ** 2 / mu**2),
    )
    first, second, third = (f"{min(weeks, 52)}" for weeks in lasts)
    return [
        Line(WEEKS, added, "ε added up", "broken"),
        Line(WEEKS, concentrated, "ρ added up", "reference"),
        Line(WEEKS, exact, "μ² added up, exact", "private"),
        Line([1, 52], [epsilon, epsilon], "budget", "bound"),
        Sentence(
            f"At λ = {{noise_multiplier}} a budget of ε = {{epsilon}} lasts {first} of "
            f"52 weeks if ε is added up, {second} if ρ is, and {third} if μ² is."
        ),
        Spent(_week(lam, 52), DELTA),
    ]
