"""Figures of the chapter on sampling: one step's amplification, and batch sizes."""

import math

import numpy as np

from ... import checks
from ...figures.axes import Axes
from ...figures.explore import Slider, even, geometric
from ...figures.figure import figure
from ...figures.marks import Bars, Line, Mark, Points, Sentence, Spent
from ...figures.style import write
from ...privacy import Pure, Relation

_RATES = geometric(0.001, 0.1, 81) + geometric(0.1, 0.5, 31)[1:]
_GIVEN = np.geomspace(0.05, 12, 120)
_OUTPUTS = np.linspace(-4, 12, 161)
SIZES = (4, 6, 8, 11, 16, 23, 32, 45, 64, 91, 128, 181, 256)
NOISES = even(0.5, 0.9, 0.1) + even(1, 4, 0.2)
RECORDS = 10_000


def amplified(epsilon: float, rate: float) -> float:
    r"""Compute what an ε-private step costs on a random sample, ln(1 + q(e^ε − 1)).

    Examples
    --------
    >>> round(amplified(1.0, 0.01), 4)  # near q(e − 1)
    0.017
    >>> round(amplified(10.0, 0.01), 4)  # near 10 − ln 100: little is gained
    5.3993
    """
    checks.positive(epsilon=epsilon)
    checks.probability(rate=rate)
    return math.log1p(rate * math.expm1(epsilon))


@figure(
    axes=(
        Axes(
            "ε₀ of the step itself",
            "ε of the sampled step",
            xlim=(0.05, 12),
            ylim=(3e-5, 12),
            xscale="log",
            yscale="log",
            xticks=(0.1, 0.3, 1, 3, 10),
            yticks=(1e-4, 1e-3, 0.01, 0.1, 1, 10),
            title="What a step costs",
        ),
        Axes(
            "output, in scales of Laplace noise",
            "how often",
            xlim=(-4, 12),
            ylim=(0, 0.55),
            yticks=(),
            title="What the attacker sees",
        ),
    ),
    title="What sampling is worth",
    alt=(
        "In the panel “What a step costs”, two straight lines, for a step on all "
        "records and for q times its price, and a curve between them for a sampled "
        "step. For small ε₀ the curve lies on the lower line; for large ε₀ it rises to "
        "the upper one. In the panel “What the attacker sees”, a peak at 0 without "
        "your record, the same peak at ε₀ if your coin is known, and the sampled "
        "step, which is mostly the first and a share q of the second."
    ),
    caption="Both directions of a change, for every mechanism; exact for the worst.",
    identity="what-a-coin-is-worth",
    in_hand="coin",
    given=lambda: {"steps": _GIVEN.tolist(), "outputs": _OUTPUTS.tolist()},
    rate=Slider(_RATES, start=0.01),
    epsilon=Slider(geometric(0.1, 10, 121), start=1.0),
)
def coin(rate: float, epsilon: float) -> list[Mark]:
    """Draw the price of a sampled step against that of the step.

    Examples
    --------
    >>> _, sampled, *_ = coin(0.1, 1.0)
    >>> bool((sampled.y < sampled.x).all())
    True
    """
    prices = [amplified(float(each), rate) for each in _GIVEN]
    now = amplified(epsilon, rate)
    return [
        Line(_GIVEN, _GIVEN, "all records", "reference"),
        Line(_GIVEN, prices, "a sample of rate q", "private"),
        Line(_GIVEN, rate * _GIVEN, "what q alone suggests, qε₀", "broken"),
        Points([epsilon], [now], "your step", "private", moves="epsilon"),
        *_seen(rate, epsilon),
        Sentence(
            "A step that costs ε₀ = {epsilon} on all records costs {now} on a sample "
            "of rate {rate}: {less} times less. The rate alone would suggest {alone} "
            "times. With Laplace noise the best guess about you is right {right} times "
            "in 100, and {caught} times if your coin is known.",
            {"now": now, "less": epsilon / now, "alone": 1 / rate}
            | _odds(rate, epsilon),
        ),
        Spent(Pure(now, relation=Relation.ADD_REMOVE)),
    ]


def _seen(rate: float, epsilon: float) -> list[Mark]:
    """Draw the output of a Laplace step in three cases, in scales of its noise."""
    without = np.exp(-np.abs(_OUTPUTS)) / 2
    with_it = np.exp(-np.abs(_OUTPUTS - epsilon)) / 2
    mixed = (1 - rate) * without + rate * with_it
    return [
        Line(_OUTPUTS, without, "without your record", "reference", panel=1),
        Line(_OUTPUTS, with_it, "if your coin is known", "bound", panel=1),
        Line(_OUTPUTS, mixed, "a sample of rate q", "private", panel=1),
    ]


def _odds(rate: float, epsilon: float) -> dict[str, float]:
    """Count right guesses in 100, without knowing the coin and with it."""
    apart = -math.expm1(-epsilon / 2)  # in total variation
    right, caught = 50 * (1 + rate * apart), 50 * (1 + apart)
    return {"right": right, "caught": caught}


def _binomial(n: int, rate: float, k: np.ndarray) -> np.ndarray:
    log_choose = np.array(
        [math.lgamma(n + 1) - math.lgamma(j + 1) - math.lgamma(n - j + 1) for j in k]
    )
    return np.exp(log_choose + k * math.log(rate) + (n - k) * math.log1p(-rate))


@figure(
    axes=(
        Axes(
            "size of the batch, over m",
            "probability, over its peak",
            xlim=(0, 2.5),
            ylim=(0, 1.1),
            title="Poisson batches",
        ),
        Axes(
            "size of the batch, over m",
            "noise that hides a record, in clip norms",
            xlim=(0, 2.5),
            ylim=(0.004, 16),
            yscale="log",
            yticks=(0.01, 0.1, 1, 10),
            title="What protects a record",
        ),
    ),
    title="Divide by the expected size",
    alt=(
        "In the panel “Poisson batches”, the distribution of the batch size, wide for "
        "small m and narrow for large m. In the panel “What protects a record”, a "
        "level line at the noise multiplier, and a rising line, lower for small "
        "batches, where the sum is divided by the actual size."
    ),
    caption=(
        "10,000 records. The noise on the mean has deviation λ/m in both cases. The "
        "rising line: all other records have gradient −1, and yours has gradient 1."
    ),
    identity="batch-sizes",
    batch_size=Slider(SIZES, start=16),
    noise_multiplier=Slider(NOISES, start=1.0),
)
def divisor(batch_size: int, noise_multiplier: float) -> list[Mark]:
    """Show random batch sizes, and the effect of dividing by them.

    Examples
    --------
    >>> *_, fixed, actual, _ = divisor(16, 1.0)
    >>> bool((actual.y[actual.x < 1.8] < fixed.y[0]).all())  # λ is never reached there
    True
    """
    checks.one_of(SIZES, batch_size=int(batch_size))
    checks.positive(noise_multiplier=noise_multiplier)
    m, lam = int(batch_size), noise_multiplier
    size = np.arange(math.floor(2.5 * m) + 1)
    probability = _binomial(RECORDS, m / RECORDS, size)
    # as many bars in every state: neighboring sizes share one
    places = np.linspace(0.05, 2.45, 25)
    shown = np.array(
        [probability[np.abs(size / m - place) <= 0.05 + 1e-9].max(initial=0)
         for place in places]
    )  # fmt: skip
    share = np.linspace(0.02, 2.5, 60)
    few = int(np.searchsorted(np.cumsum(probability), 0.05))
    return [
        Bars(places, shown / shown.max(), "size of the batch", "measured", width=0.09),
        Line([0.02, 2.5], [lam, lam], "divide by the expected size", "private",
             panel=1),
        Line(share, lam * (share * m + 1) / (2 * m), "divide by the actual size",
             "broken", panel=1),
        Sentence(
            f"At m = {{batch_size}} one batch in twenty has at most {few} of the "
            f"records. Divided by the actual size, noise made for λ = "
            f"{{noise_multiplier}} then hides a record as λ = "
            f"{write(lam * (few + 1) / (2 * m))} would."
        ),
    ]  # fmt: skip
