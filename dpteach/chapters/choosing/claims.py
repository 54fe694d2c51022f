"""The claim checker: settings of a published run in, its ε and what is missing out."""

from dataclasses import dataclass
from functools import cache
from math import ceil

import numpy as np

from ... import checks
from ...accounting import epsilon_of
from ...figures.axes import Axes
from ...figures.explore import Slider
from ...figures.figure import figure
from ...figures.marks import Line, Mark, Points, Sentence, Spent
from ...figures.style import write
from ...privacy import Approximate, Gaussian, Relation, SampledGaussian

SAMPLINGS = ("coins", "shuffled", "not stated", "none")
ADD_REMOVE = Relation.ADD_REMOVE


@dataclass(frozen=True)
class Verdict:
    """What a claim is worth.

    Parameters
    ----------
    with_coins : float
        ε if every record tosses a coin for each step, added or removed.
    without_sampling : float
        ε that is proved if the batches come in any order, such as a shuffled one, and
        one record's contribution becomes zero: an added record would shift the order.
    holds : str
        "yes", "with Poisson sampling", or "no".
    missing : tuple of str
        What the statement needs and does not say.
    """

    with_coins: float
    without_sampling: float
    holds: str
    missing: tuple[str, ...]


def check_claim(
    epsilon: float,
    delta: float,
    *,
    noise_multiplier: float,
    rate: float,
    steps: int,
    sampling: str = "not stated",
    participations: int | None = None,
) -> Verdict:
    r"""Compute what the settings of a run prove, and name what is missing.

    Examples
    --------
    >>> said = check_claim(2.92, 1e-5, noise_multiplier=1.12, rate=256 / 60_000,
    ...                    steps=14_040, sampling="shuffled")
    >>> round(said.with_coins, 2), round(said.without_sampling, 1), said.holds
    (2.31, 52.6, 'with Poisson sampling')
    """
    epsilon, noise_multiplier = checks.moderate(
        epsilon=epsilon, noise_multiplier=noise_multiplier
    )
    delta = checks.probability(delta=delta)
    rate = checks.between(0, 1, rate=rate)
    steps = checks.count(steps=steps)
    checks.one_of(SAMPLINGS, sampling=sampling)
    times = ceil(rate * steps - 1e-9) if participations is None else participations
    times = checks.count(participations=times)
    always = Gaussian(noise_multiplier, releases=times, relation=Relation.ZERO_OUT)
    event = (
        always
        if sampling == "none"
        else SampledGaussian(
            noise_multiplier, rate=rate, releases=steps, relation=ADD_REMOVE
        )
    )
    coins, without = epsilon_of(event, delta), epsilon_of(always, delta)
    close = epsilon * (1 + 0.5 / 100)  # a claim is printed with two or three digits
    if coins > close:
        holds = "no"
    elif sampling in ("coins", "none") or without <= close:
        holds = "yes"
    else:
        holds = "with Poisson sampling"
    return Verdict(coins, without, holds, _missing(sampling, holds))


def _missing(sampling: str, holds: str) -> tuple[str, ...]:
    said = []
    if holds == "no":
        said.append("more noise, fewer steps or a larger δ")
    if holds == "with Poisson sampling" and sampling == "shuffled":
        said.append("a coin for each record and step: the code shuffles instead")
    if holds == "with Poisson sampling" and sampling == "not stated":
        said.append("how batches are drawn: the price is that of Poisson samples")
    if sampling == "none":
        said.append("how often one person can take part")
    return (*said, "the relation, the unit, and what tuning cost")


@dataclass(frozen=True)
class Claim:
    """A published statement, and the settings that it rests on.

    Parameters
    ----------
    name : str
        What was trained.
    source : str
        Where the settings are printed.
    epsilon, delta, noise_multiplier, rate : float
        The statement, λ and q.
    steps : int
        T.
    sampling : str
        How batches are drawn.
    remembered : bool, optional
        Whether a number was not looked up in the source.
    participations : int or None, optional
        As for ``check_claim``.
    """

    name: str
    source: str
    epsilon: float
    delta: float
    noise_multiplier: float
    rate: float
    steps: int
    sampling: str
    remembered: bool = False
    participations: int | None = None

    @property
    def verdict(self) -> Verdict:
        """Check the claim."""
        return check_claim(
            self.epsilon, self.delta, noise_multiplier=self.noise_multiplier,
            rate=self.rate, steps=self.steps, sampling=self.sampling,
            participations=self.participations,
        )  # fmt: skip


_TUTORIAL = "the tutorials of TensorFlow Privacy"
_EXAMPLE = "the MNIST example of Opacus"
_CONFIGURATION = "a configuration file of JAX Privacy"
CLAIMS = (
    Claim("MNIST, the first DP-SGD", "Abadi and others, 2016", 1.26, 1e-5, 4.0, 0.01,
          10_000, "not stated", remembered=True),
    Claim("MNIST, 60 epochs", _TUTORIAL, 2.92, 1e-5, 1.12, 256 / 60_000, 14_040,
          "shuffled"),
    Claim("MNIST, little noise", _TUTORIAL, 9.74, 1e-5, 0.6, 256 / 60_000, 7_020,
          "shuffled"),
    Claim("MNIST, 10 epochs", _TUTORIAL, 1.20, 1e-5, 1.2, 256 / 60_000, 2_340,
          "shuffled"),
    Claim("MNIST, 15 epochs", _EXAMPLE, 1.19, 1e-5, 1.3, 0.004, 3_750, "coins"),
    Claim("MNIST, 45 epochs", _EXAMPLE, 7.10, 1e-5, 0.7, 0.004, 11_250, "coins"),
    Claim("CIFAR-10, large batches", _CONFIGURATION, 1.0, 1e-5, 10.0, 4096 / 50_000,
          725, "not stated"),
    Claim("ImageNet", _CONFIGURATION, 8.0, 8e-7, 2.5, 16_384 / 1_281_167, 71_589,
          "not stated"),
    Claim("StackOverflow, DP-SGD", "Kairouz and others, 2021", 19.0, 1e-6, 0.3,
          100 / 342_477, 1_600, "not stated", remembered=True),
    Claim("StackOverflow, DP-FTRL", "Kairouz and others, 2021", 19.0, 1e-6, 1.13,
          100 / 342_477, 1_600, "none", remembered=True, participations=11),
)  # fmt: skip
NUMBERS = tuple(range(1, len(CLAIMS) + 1))
# What stands beside the rows.
SHORT = (
    "MNIST, 2016", "60 epochs", "little noise", "10 epochs", "15 epochs", "45 epochs",
    "CIFAR-10", "ImageNet", "SO, DP-SGD", "SO, DP-FTRL",
)  # fmt: skip
HEIGHTS = len(CLAIMS) + 1 - np.array(NUMBERS)


@cache
def verdicts() -> tuple[Verdict, ...]:
    """Check all ten claims.

    Examples
    --------
    >>> [each.holds for each in verdicts()].count("no")
    0
    """
    return tuple(claim.verdict for claim in CLAIMS)


@figure(
    axes=Axes(
        "ε, at the δ of the claim",
        "",
        xlim=(0.5, 1000),
        ylim=(0.4, len(CLAIMS) + 0.6),
        xscale="log",
        xticks=(1, 10, 100, 1000),
        yticks={
            int(height): f"{word} {number}"
            for height, word, number in zip(HEIGHTS, SHORT, NUMBERS, strict=True)
        },
    ),
    title="Ten published claims",
    alt=(
        "Ten rows. In each, a dot for the epsilon that was claimed, one a little to "
        "its left for what the settings prove with Poisson samples, and in most rows "
        "one far to the right for what they prove without sampling."
    ),
    caption=(
        "Proved prices from the printed settings. With sampling one record or user is "
        "added or removed; without sampling it is zeroed out. SO: StackOverflow. In "
        "claims 1, 9 and 10 one number was not checked against the source."
    ),
    identity="published-claims",
    claim=Slider(NUMBERS, start=2),
)
def published(claim: int) -> list[Mark]:
    """Draw what ten published settings prove, beside what was claimed.

    Examples
    --------
    >>> *_, said, _ = published(10)
    >>> said.text[:52]
    'Claim {claim}: StackOverflow, DP-FTRL, ε = 19 (Kairo'
    """
    checks.one_of(NUMBERS, claim=int(claim))
    found, here = verdicts(), int(claim) - 1
    told, verdict = CLAIMS[here], found[here]
    coins = np.array([each.with_coins for each in found])
    without = np.array([each.without_sampling for each in found])
    event = Approximate(verdict.with_coins, told.delta, relation=ADD_REMOVE)
    proved = (
        f"The settings prove {write(verdict.with_coins)}, without any sampling"
        if told.sampling == "none"
        else f"The settings prove {write(verdict.with_coins)} if batches are "
        f"Poisson samples, and {write(verdict.without_sampling)} without sampling"
    )
    return [
        Line([coins[here], without[here]], HEIGHTS[[here, here]], "this claim",
             "reference"),
        Points([each.epsilon for each in CLAIMS], HEIGHTS, "claimed", "non_private"),
        Points(coins, HEIGHTS, "proved, with its sampling", "bound"),
        Points(without, HEIGHTS, "proved, without sampling", "broken"),
        Sentence(
            f"Claim {{claim}}: {told.name}, ε = {write(told.epsilon)} ({told.source}). "
            f"{proved}. Missing: {'; '.join(verdict.missing)}."
        ),
        Spent(event, told.delta),
    ]  # fmt: skip
