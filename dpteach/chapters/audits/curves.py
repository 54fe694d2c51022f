"""Figure of the chapter on auditing: an audit as points below a trade-off curve."""

from functools import cache

import numpy as np

from ... import checks
from ...accounting import gaussian_epsilon, gaussian_mu
from ...figures.axes import Axes
from ...figures.explore import Slider
from ...figures.figure import figure
from ...figures.marks import Line, Mark, Points, Sentence, Spent
from ...figures.style import write
from ...privacy import Gaussian, Relation
from ..shared.tied_noise import DELTA, noise_for
from .canary_runs import scores
from .evidence import ALPHA, POWER_EPSILONS, SHARES

RUNS = 3000
CUTS = (0.0, 0.25, 0.5, 0.75, 1.0)  # in units of the claimed μ


def gaussian_misses(false_alarms: np.ndarray, mu: float) -> np.ndarray:
    """Compute the least misses of any test against a μ-GDP release, at false alarms.

    Examples
    --------
    >>> gaussian_misses(np.array([0.5]), 0.0)
    array([0.5])
    """
    from scipy.special import ndtr, ndtri

    return ndtr(-ndtri(false_alarms) - mu)


def approximate_misses(false_alarms: np.ndarray, epsilon: float) -> np.ndarray:
    """Compute the same against a release of which only (ε, 10⁻⁶) is known.

    Examples
    --------
    >>> approximate_misses(np.array([0.0, 1.0]), 1.0).round(5)
    array([1., 0.])
    """
    steep = 1 - DELTA - np.exp(epsilon) * false_alarms
    flat = np.exp(-epsilon) * (1 - DELTA - false_alarms)
    return np.maximum(np.maximum(steep, flat), 0.0)


@cache
def corners(epsilon: float, noise_share: float) -> tuple[np.ndarray, np.ndarray]:
    """Measure false alarms and misses at five thresholds, and bound both from above.

    Examples
    --------
    >>> seen, bounds = corners(1, 1.0)
    >>> bool((seen < bounds).all())
    True
    """
    from scipy.special import betaincinv

    having, lacking = scores(noise_for(epsilon, 1), 1, noise_share)
    cuts = gaussian_mu(epsilon, DELTA) * np.array(CUTS)[:, None]
    counts = np.array(
        [
            (lacking[:RUNS] > cuts).sum(axis=1),
            (having[:RUNS] <= cuts).sum(axis=1),
        ]
    )
    risk = ALPHA / counts.size
    return counts / RUNS, betaincinv(
        counts + 1, np.maximum(RUNS - counts, 1e-9), 1 - risk
    )


@figure(
    axes=Axes(
        "share of false alarms",
        "share of misses",
        xlim=(0, 1),
        ylim=(0, 1),
    ),
    title="A claim is a curve, and an audit a point below it",
    alt=(
        "A falling curve, the Gaussian claim, and below it two straight lines, the "
        "claim of ε and δ alone. Points of an audit lie on the curve if the noise is "
        "all there, and below it if not."
    ),
    caption=(
        f"{RUNS:,} runs with the canary and as many without it, at five thresholds "
        "that follow from the claim. A bound above and to the right of a point says "
        "where the truth may be; all ten are wrong with probability 1/1000 at most."
    ),
    identity="claim-as-curve",
    epsilon=Slider(POWER_EPSILONS, start=4),
    noise_share=Slider(SHARES, start=0.5),
)
def claim_as_curve(epsilon: float, noise_share: float) -> list[Mark]:
    """Hold an audit's error rates against two claims with the same ε.

    Examples
    --------
    >>> *_, sentence, _ = claim_as_curve(4, 0.5)
    >>> "5 of 5 bounds lie below the Gaussian curve" in sentence.text
    True
    """
    checks.one_of(SHARES, noise_share=noise_share)
    seen, bounds = corners(epsilon, noise_share)
    mu = gaussian_mu(epsilon, DELTA)
    alpha = np.r_[np.geomspace(1e-4, 0.02, 20), np.linspace(0.03, 0.999, 80)]
    below = int((bounds[1] < gaussian_misses(bounds[0], mu)).sum())
    below_lines = int((bounds[1] < approximate_misses(bounds[0], epsilon)).sum())
    truth = gaussian_epsilon(mu / noise_share, DELTA)
    event = Gaussian(noise_share * noise_for(epsilon, 1), relation=Relation.ADD_REMOVE)
    return [
        Line(alpha, gaussian_misses(alpha, mu), "claim: Gaussian noise", "private"),
        Line(alpha, approximate_misses(alpha, epsilon), "claim: (ε, δ)", "bound"),
        Points(seen[0], seen[1], "seen", "measured"),
        Points(bounds[0], bounds[1], "its upper bounds", "reference"),
        Sentence(
            f"Claimed: ε = {{epsilon}}. With {{noise_share}} of the noise the truth "
            f"is {write(truth)}. {below} of {len(CUTS)} bounds lie below the Gaussian "
            f"curve, {below_lines} below the lines of ε and δ: each of them refutes "
            f"that claim."
        ),
        Spent(event, DELTA),
    ]
