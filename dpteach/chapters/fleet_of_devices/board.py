"""The flagship of the chapter on fleets: who is there in each round, and the price."""

from functools import cache
from math import sqrt
from statistics import NormalDist

import numpy as np

from ... import checks
from ...accounting import gaussian_epsilon, gaussian_mu
from ...algorithms.federated.participation_rule import admitted_devices
from ...algorithms.matrices.factorization import Factorization
from ...algorithms.matrices.toeplitz import banded_factorization
from ...data.fleets import simulated_rounds
from ...figures.axes import Axes
from ...figures.explore import Linked, Slider
from ...figures.figure import figure
from ...figures.marks import Cells, Line, Mark, Points, Sentence, Spent
from ...figures.style import write
from ...privacy import Gaussian, Relation

DELTA = 1e-6
DEVICES, APART = 24, 8  # so many devices, whose turns are so many rounds apart
ROUNDS = (8, 16, 32)  # one turn of a device, two, or four
# Budgets whose noise differs by factors of √2, as do the roots of 1, 2 and 4 turns:
# every noise multiplier belongs to several pairs. The first one is 1.
EPSILONS = tuple(
    float(f"{gaussian_epsilon(gaussian_mu(1.0, DELTA) * 2 ** (k / 2), DELTA):.6g}")
    for k in range(5)
)


@cache
def noise_for(epsilon: float, steps: int) -> float:
    """Compute λ: a device has a turn in every eighth round, and each costs μ² alike.

    Examples
    --------
    >>> round(noise_for(1.0, 32) / noise_for(1.0, 8), 6)  # four turns in place of one
    2.0
    """
    checks.positive(epsilon=epsilon)
    return sqrt(turns(steps)) / gaussian_mu(epsilon, DELTA)


def turns(steps: int) -> int:
    """Count the turns that fit: the first in round 1, the next 8 rounds later.

    Examples
    --------
    >>> [turns(T) for T in ROUNDS]
    [1, 2, 4]
    """
    return -(-checks.count(steps=steps) // APART)


tied = Linked(("noise_multiplier", "epsilon", "steps"), noise_for)


@cache
def fleet() -> dict[str, np.ndarray]:
    """Simulate the fleet: in which rounds each device is there, and what comes of it.

    Returns
    -------
    dict of str to ndarray
        Rows of round and device, both from 1: the turns that ``finish``, those that
        ``drop`` out, and check-ins that come ``early`` and are sent home.

    Examples
    --------
    >>> {name: len(places) for name, places in fleet().items()}
    {'finish': 52, 'drop': 9, 'early': 61}
    """
    check_ins, dropouts = simulated_rounds(
        steps=ROUNDS[-1], devices=DEVICES, check_in_rate=0.16, dropout_rate=0.2, rng=6
    )
    rule = {"participations": turns(ROUNDS[-1]), "separation": APART}
    admitted = admitted_devices(check_ins, **rule)
    tables = {
        "finish": admitted & ~dropouts,
        "drop": admitted & dropouts,
        "early": check_ins & ~admitted,
    }
    return {name: np.argwhere(table) + 1 for name, table in tables.items()}


@cache
def _noise(steps: int) -> Factorization:
    return banded_factorization(steps, bands=APART)


def _taken(upto: int) -> np.ndarray:
    """Count the turns that each device has had, finished or not."""
    places = np.concatenate([fleet()["finish"], fleet()["drop"]])
    return np.bincount(places[places[:, 0] <= upto, 1], minlength=DEVICES + 1)[1:]


def _waits(upto: int) -> Cells:
    """Draw the seven rounds after each turn, in which a device is sent home."""
    when, who = np.concatenate([fleet()["finish"], fleet()["drop"]]).T
    last = np.minimum(when + APART - 0.5, ROUNDS[-1] + 0.5)
    level = 0.125 * (when <= upto)
    middle, width = (when + 0.5 + last) / 2, np.maximum(last - when - 0.5, 1e-3)
    return Cells(middle, who, level, "must wait", "private", width=width, height=0.86)


def _cells(kind: str, upto: int, label: str, role: str) -> Cells:
    when, who = fleet()[kind].T
    size = 0.36 if kind == "early" else 0.86
    level = (when <= upto).astype(float)
    return Cells(when, who, level, label, role, width=size, height=size)


@figure(
    axes=(
        Axes(
            "round",
            "device",
            xlim=(0.5, ROUNDS[-1] + 0.5),
            ylim=(0.5, DEVICES + 0.5),
            xticks=(1, *ROUNDS),
            yticks=(1, 8, 16, 24),
            title="Who is there",
        ),
        Axes(
            "% of the promised ε",
            "device",
            xlim=(-4, 112),
            ylim=(0.5, DEVICES + 0.5),
            xticks=(0, 25, 50, 75, 100),
            yticks=(1, 8, 16, 24),
            title="What each has spent",
        ),
    ),
    title="A fleet, round by round",
    alt=(
        "In the panel “Who is there”, a row for each device. It has a blue cell where "
        "the device takes part, a red one where it drops out, and a pale strip over "
        "the seven rounds after each. On the strips lie small marks, where it comes "
        "too early and is sent home. In the panel “What each has spent”, a "
        "point for each device moves right with its turns, up to the promise."
    ),
    caption=(
        "Simulated. Turns 8 rounds or more apart share no noise, which has 8 bands. A "
        "dropout is a turn, too."
    ),
    identity="fleet-rounds",
    linked=tied,
    plays="t",
    epsilon=Slider(EPSILONS, start=EPSILONS[2]),
    noise_multiplier=Slider(),
    steps=Slider(ROUNDS, start=32),
    t=Slider(range(1, ROUNDS[-1] + 1), start=24),
)
def rounds(
    epsilon: float, noise_multiplier: float, steps: int, t: int = 24
) -> list[Mark]:
    """Draw who takes part in each round so far, and what that has cost each device.

    Examples
    --------
    >>> *_, spent, promise, _, _, _ = rounds(2.0, noise_for(2.0, 32), 32, 32)
    >>> bool(spent.x.max() <= promise.x[0] + 1e-9)  # 100% of it
    True
    """
    checks.one_of(ROUNDS, steps=steps)
    checks.one_of(tuple(range(1, ROUNDS[-1] + 1)), t=t)
    now, k = min(int(t), int(steps)), turns(steps)
    event = Gaussian(noise_multiplier, releases=k, relation=Relation.ZERO_OUT)
    spent = [
        gaussian_epsilon(sqrt(j) / noise_multiplier, DELTA) if j else 0.0
        for j in range(k + 1)
    ]
    share = 100 * np.array(spent)[_taken(now)] / epsilon
    return [
        _waits(now),
        _cells("finish", now, "takes part", "private"),
        _cells("drop", now, "drops out", "broken"),
        _cells("early", now, "sent home", "reference"),
        Points(share, np.arange(1, DEVICES + 1), "spent so far", "private", panel=1),
        Line([100] * 2, [0.5, DEVICES + 0.5], "promise", "bound", panel=1),
        Sentence(_scene(now, int(steps))),
        Sentence(
            f"At ε = {{epsilon}}, {_turns(k)} λ = {{noise_multiplier}}, and "
            "a sum has noise of "
            f"{write(noise_multiplier * _noise(steps).mean_error)} clip norms. The "
            "best guess about a device is right "
            f"{100 * NormalDist().cdf(event.mu / 2):.0f} times in 100."
        ),
        Spent(event, DELTA),
    ]


def _turns(k: int) -> str:
    return "one turn needs" if k == 1 else f"up to {k} turns need"


def _scene(now: int, steps: int) -> str:
    came = [np.sum(fleet()[kind][:, 0] == now) for kind in ("finish", "drop", "early")]
    finish, drop, early = map(int, came)
    return (
        f"Round {now} of {steps}: {finish} in, {drop} dropped out, {early} sent home; "
        f"{int(np.sum(_taken(now) > 0))} of {DEVICES} have had a turn."
    )
