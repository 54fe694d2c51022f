"""Figure of the chapter on machines: the privacy label of a run of DP-SGD."""

from functools import cache
from math import sqrt

import numpy as np

from ... import checks
from ...accounting import gaussian_mu, guess_probability, trade_off
from ...figures.axes import Axes
from ...figures.explore import Linked, Slider, geometric
from ...figures.figure import figure
from ...figures.marks import Line, Mark, Points, Sentence, Spent
from ...labels import PrivacyLabel, privacy_label
from ...privacy import Gaussian, Relation
from ..shared.tied_noise import DELTA

# Twelve stops a factor of 2
STEPS = tuple(np.rint(256 * 2 ** (np.arange(-24, 25) / 12)).astype(int).tolist())
_ALARMS = np.geomspace(1e-4, 0.999, 60)

_mu = cache(gaussian_mu)


def _noise_for(epsilon: float, steps: int) -> float:
    """Compute λ: T releases of μ/√T are one of μ."""
    return sqrt(steps) / _mu(epsilon, DELTA)


@cache
def label_of(noise_multiplier: float, steps: int) -> PrivacyLabel:
    """Write the label of a run of DP-SGD on all records.

    Examples
    --------
    >>> round(label_of(64.0, 1024).mu, 9)
    0.5
    """
    event = Gaussian(noise_multiplier, releases=steps, relation=Relation.ADD_REMOVE)
    return privacy_label(event, unit="one record", deltas=[DELTA])


@cache
def _found(mu: float) -> np.ndarray:
    event = Gaussian(1 / mu, relation=Relation.ADD_REMOVE)
    return np.array([1 - trade_off(event, float(each)) for each in _ALARMS])


@figure(
    axes=Axes(
        "false alarms",
        "members found",
        xlim=(1e-4, 1),
        ylim=(1e-4, 1),
        xscale="log",
        yscale="log",
    ),
    title="The privacy label of a run",
    alt=(
        "A curve above the diagonal from the lower left to the upper right: what the "
        "best attack finds. It bulges away from the diagonal as epsilon grows. A dot "
        "marks one false alarm in a hundred."
    ),
    caption=(
        "A run of DP-SGD on all records. No attack lies above the curve, whatever it "
        "knows and computes; a blind one lies on the diagonal."
    ),
    identity="privacy-label",
    in_hand="label",
    given=lambda: {"alarms": _ALARMS.tolist(), "delta": DELTA},
    linked=Linked(("noise_multiplier", "epsilon", "steps"), _noise_for),
    epsilon=Slider(geometric(0.1, 10, 61), start=1),
    noise_multiplier=Slider(geometric(4.44, 1030, 61)),
    steps=Slider(STEPS, start=256),
)
def label(noise_multiplier: float, epsilon: float, steps: int) -> list[Mark]:
    """Draw what the best attack on a run finds, and say what its label says.

    Examples
    --------
    >>> from dpteach.chapters.shared.tied_noise import noise_for
    >>> curve, blind, *_ = label(noise_for(1.0, 256), 1.0, 256)
    >>> bool((curve.y >= blind.y).all())
    True
    """
    checks.positive(epsilon=epsilon)
    card = label_of(noise_multiplier, steps)
    event = card.event
    mu, found = float(f"{card.mu:.12g}"), 1 - trade_off(event, card.false_alarms)
    return [
        Line(_ALARMS, np.maximum(_found(mu), _ALARMS), "best attack", "private"),
        Line(_ALARMS, _ALARMS, "blind", "reference"),
        Points([card.false_alarms], [found], "1% false alarms", "bound"),
        Sentence(
            "λ = {noise_multiplier}, T = {steps}, ε = {epsilon}. The label rounds "
            "these up: μ = {mu}; at most {right} of 100 guesses are right, and at 1% "
            "false alarms at most {found} of 100 members are found.",
            {
                "mu": mu,
                "right": 100 * guess_probability(event, 0.5),
                "found": 100 * found,
            },
        ),
        Spent(event, DELTA),
    ]
