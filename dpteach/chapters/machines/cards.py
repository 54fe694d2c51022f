"""Figure of the chapter on machines: the privacy label of a run of DP-SGD."""

from functools import cache

import numpy as np

from ... import checks
from ...accounting import trade_off
from ...figures.axes import Axes
from ...figures.explore import Slider
from ...figures.figure import figure
from ...figures.marks import Line, Mark, Points, Sentence, Spent
from ...labels import PrivacyLabel, privacy_label
from ...privacy import Gaussian, Relation
from ..shared.tied_noise import DELTA, EPSILONS, tied

STEPS = (64, 128, 256, 512, 1024)
_ALARMS = np.geomspace(1e-4, 0.999, 60)


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
    linked=tied,
    epsilon=Slider(EPSILONS),
    noise_multiplier=Slider(),
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
    checks.one_of(EPSILONS, epsilon=epsilon)
    card = label_of(noise_multiplier, steps)
    said = dict(card.rows)  # rounded up, as on the label
    mu = float(f"{card.mu:.12g}")
    return [
        Line(_ALARMS, np.maximum(_found(mu), _ALARMS), "best attack", "private"),
        Line(_ALARMS, _ALARMS, "blind", "reference"),
        Points([card.false_alarms], [card.true_positives], "1 % false alarms", "bound"),
        Sentence(
            "λ = {noise_multiplier}, T = {steps}, ε = {epsilon}. The label: "
            f"{said['Gaussian DP']}; right guesses "
            f"{said['Right guesses'].partition(' of')[0]}; members found at 1 % false "
            f"alarms {said['Found at 1 % false alarms'].partition(' of')[0]}."
        ),
        Spent(card.event, DELTA),
    ]
