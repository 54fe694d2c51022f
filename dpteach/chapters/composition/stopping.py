"""Figures of the chapter on composition: stops, and medians that test their data."""

from functools import cache

import numpy as np

from ...data import diabetes
from ...figures.axes import Axes
from ...figures.explore import Slider, even
from ...figures.figure import figure
from ...figures.marks import Line, Mark, Sentence, Spent
from ...figures.style import write
from ...mechanisms import (
    above_threshold_probabilities,
    laplace_mechanism,
    median_distance,
    private_quantile,
    propose_test_release,
)
from ...privacy import Approximate, Pure, Relation

LOOKS = (1, 2, 4, 8, 16, 32)
# The scales of the noise on the threshold and on answers, in units of 1/ε.
NOISES = {"right": (2, 4), "halved": (2, 2), "bare": (0, 2)}
DELTA = 1e-6


def _distribution(answers: np.ndarray, noise: str, epsilon: float) -> np.ndarray:
    b1, b2 = NOISES[noise]
    return above_threshold_probabilities(
        answers,
        threshold=0.0,
        threshold_scale=b1 / epsilon,
        answer_scale=b2 / epsilon,
    )


@cache
def true_epsilon(noise: str, epsilon: float, margin: float, looks: int) -> float:
    """Compute the largest log-ratio over some data: exact for them, by quadrature.

    All answers but the last lie ``margin`` below the threshold, the last one far below
    it or far above; a record moves the last answer against all others.

    Examples
    --------
    >>> round(true_epsilon("right", 1.0, -5.0, 8), 2)
    1.0
    >>> round(true_epsilon("bare", 1.0, -5.0, 8), 2)  # half of ε for each look
    4.0
    """
    worst = 0.0
    for last in (-60 / epsilon, 60 / epsilon):
        for first in (-1.0, 1.0):
            q = np.append(np.full(looks - 1, -margin), last)
            moved = q + np.append(np.full(looks - 1, first), -first)
            one, other = (_distribution(each, noise, epsilon) for each in (q, moved))
            seen = np.minimum(one, other) > 1e-250
            ratio = np.abs(np.log(one[seen] / other[seen]))
            worst = max(worst, float(ratio.max()))
    return worst


def _where(margin: float) -> str:
    """Say in words where the answers lie."""
    if margin == 0:
        return "on the threshold"
    records = "record" if abs(margin) == 1 else "records"
    side = "below" if margin > 0 else "above"
    return f"{abs(margin):g} {records} {side} the threshold"


@figure(
    axes=Axes(
        "looks",
        "true ε",
        xlim=(1, 32),
        ylim=(0.05, 100),
        xscale="log",
        yscale="log",
        xticks=LOOKS,
    ),
    title="One price for any number of looks",
    alt=(
        "The true price of the right algorithm rises toward the claim and never above "
        "it. For answers above the threshold it gets there; with half the noise on "
        "answers it then ends above the claim, and without noise on the threshold it "
        "rises in proportion to the number of looks."
    ),
    caption=(
        "The largest log-ratio of the exact distributions of the stop, for one record "
        "that moves the last answer against all others, and answers that lie as said."
    ),
    identity="looks",
    epsilon=Slider((0.3, 0.5, 0.7, 1, 1.5, 2, 3), start=1),
    margin=Slider((-5, -3, -1, 0, 1, 3, 5), start=-5),
)
def looks(epsilon: float, margin: float) -> list[Mark]:
    """Compare the claim with the true price of three ways to stop.

    Examples
    --------
    >>> right, halved, bare, claim, *_ = looks(1.0, -5)
    >>> bool((right.y <= 1 + 1e-9).all()), bool(bare.y[-1] > 15)
    (True, True)
    """
    right, halved, bare = (
        [max(true_epsilon(noise, epsilon, margin, T), 0.05) for T in LOOKS]
        for noise in NOISES
    )
    return [
        Line(LOOKS, right, "as printed", "private"),
        Line(LOOKS, halved, "half the noise on answers", "measured"),
        Line(LOOKS, bare, "no noise on the threshold", "broken"),
        Line([1, 32], [epsilon, epsilon], "claimed", "bound"),
        Sentence(
            f"Claimed: ε = {{epsilon}}. After 32 looks at answers with margin "
            f"{{margin}}, {_where(margin)}, the true price is {write(right[-1])} as "
            f"printed, {write(halved[-1])} with half the noise on answers, and "
            f"{write(bare[-1])} without noise on the threshold."
        ),
        Spent(Pure(epsilon, relation=Relation.ADD_REMOVE)),
    ]


SIZES = (11, 21, 41, 81, 161, 321, 441)
PROPOSED = 0.3  # between numbers in [−1, 1]


@cache
def _errors(epsilon: float, n: int) -> tuple[float, float, float]:
    """Compute mean errors of three private medians, of 400 runs each."""
    y = np.random.default_rng(0).permutation(diabetes().y.clip(-1, 1))[:n]
    true = float(np.median(y))
    run = {"epsilon": epsilon, "relation": Relation.REPLACE, "rng": 0, "runs": (400,)}
    whole = laplace_mechanism(np.array([true]), sensitivity=2.0, **run).theta[:, 0]
    known = {"proposed_sensitivity": PROPOSED}
    distance = median_distance(y, **known, low=-1.0, high=1.0)
    tested = propose_test_release(true, distance=distance, delta=DELTA, **known, **run)
    middle = private_quantile(y, quantile=0.5, low=-1.0, high=1.0, **run).theta
    errors = [np.abs(np.clip(each, -1, 1) - true) for each in (whole, middle)]
    passed, number = tested.theta[:, 0] == 1, tested.theta[:, 1].clip(-1, 1)
    tests = np.where(passed, np.abs(number - true), 1.0)
    return float(errors[0].mean()), float(tests.mean()), float(errors[1].mean())


@figure(
    axes=Axes(
        "records n",
        "mean error of the median",
        xlim=(11, 441),
        ylim=(0.002, 2),
        xscale="log",
        yscale="log",
        xticks=(11, 41, 161, 441),
    ),
    title="Three private medians",
    alt=(
        "The error of noise for the whole range is level. That of a test first is 1 "
        "until there are enough records, two hundred at ε = 1, then drops. That of the "
        "exponential mechanism falls all the way."
    ),
    caption=(
        "Disease scores in [−1, 1] of n patients, one of whom may be replaced. Means "
        "of 400 runs at δ = 10⁻⁶. The proposed sensitivity is 0.3; a test that fails "
        "counts as an error of 1."
    ),
    identity="medians",
    epsilon=Slider(even(0.1, 0.9, 0.1) + even(1, 10, 0.5), start=1),
)
def medians(epsilon: float) -> list[Mark]:
    """Compare noise for the worst data with two ways that know the data better.

    Examples
    --------
    >>> whole, tested, middle, *_ = medians(1)
    >>> bool(tested.y[-1] < whole.y[-1]), bool(middle.y[-1] < tested.y[-1])
    (True, True)
    """
    whole, tested, middle = np.transpose([_errors(epsilon, n) for n in SIZES])
    return [
        Line(SIZES, whole, "noise for the whole range", "reference"),
        Line(SIZES, tested, "propose, test, release", "measured"),
        Line(SIZES, middle, "exponential mechanism", "private"),
        Sentence(
            f"At ε = {{epsilon}} and 441 records: an error of {write(whole[-1])} with "
            f"noise for the whole range, {write(tested[-1])} after a test, and "
            f"{write(middle[-1])} by the exponential mechanism."
        ),
        Spent(Approximate(epsilon, DELTA, relation=Relation.REPLACE), DELTA),
    ]
