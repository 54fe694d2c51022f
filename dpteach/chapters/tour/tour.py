"""Figures of the ten-minute tour: a line through 442 patients, and what it reveals.

The line and the units in which it is drawn are in ``lines``.
"""

from functools import cache
from typing import Any

import numpy as np

from ... import checks
from ...accounting import gaussian_mu, guess_probability
from ...algorithms.gradients.sgd import dp_sgd, dp_sgd_learning_rate
from ...data import body_mass
from ...figures.axes import Axes
from ...figures.explore import Slider, even
from ...figures.figure import figure
from ...figures.marks import (
    Cells,
    Line,
    Mark,
    Points,
    Sentence,
    Spent,
)
from ...figures.predict import Choose
from ...figures.style import write
from ...privacy import Event
from ...problem import Problem
from ..shared import guessing_questions as ask
from ..shared.tied_noise import DELTA, noise_for, tied
from . import lines
from .lines import best_line as best_line
from .lines import lines_without_one, patients

N_PATIENTS = 442
STEPS = (5, 10, 20, 50, 100, 200)
EPSILONS = (0.1, 0.2, 0.3, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0)
TILTS = even(-4, 24, 0.5)
# Patients from the whole list; patient 368 moves the line most.
CHOSEN = (7, 62, 104, 147, 191, 233, 289, 322, 368, 421)
# Ten more, from light to heavy, whose misses are drawn.
_SHOWN = np.argsort(body_mass().X[:, 0], kind="stable")[20::44]


@figure(
    axes=(
        Axes(**lines.MEASURED, title="A line through the patients"),
        Axes(
            "slope, in points per index point",
            "risk: all losses together",
            xlim=(-5, 25),
            ylim=(0, 110),
            title="How wrong each line is",
        ),
    ),
    title="A model, and its risk",
    alt=(
        "In the panel “A line through the patients”, dots that rise to the right, and "
        "a line through them with upright gaps to some dots. In the panel “How wrong "
        "each line is”, a bowl-shaped curve with a point on it."
    ),
    caption=(
        "442 patients with diabetes. The level of the line is the best for its "
        "slope. A loss is half the square of a miss, where 160.5 points count as 1. "
        "Ten misses are drawn."
    ),
    identity="line-and-risk",
    tilt=Slider(TILTS, start=4),
)
def a_model_and_its_risk(tilt: float) -> list[Mark]:
    """Draw a line through the patients, its misses, and its risk.

    Examples
    --------
    >>> *_, said = a_model_and_its_risk(10)
    >>> "The least risk, 33.4, has slope 10.2" in said.text
    True
    """
    checks.finite(tilt=tilt)
    D, tilts = patients(), np.linspace(-5, 25, 61)
    line, risk = _tilted(tilt), D.risk(_tilted(tilts))
    here, least = float(D.risk(line)), float(D.risk(best_line()))
    index, disease = lines.people()
    gaps: list[Mark] = [
        Line([x, x], [y, float(lines.at(line, x))], "a miss", "bound")
        for x, y in zip(index[_SHOWN], disease[_SHOWN], strict=True)
    ]
    return [
        lines.dots(),
        *gaps,
        lines.drawn(line, "the line", "non_private"),
        Line(tilts, risk, "risk of each slope", "measured", panel=1),
        Points([tilt], [here], "the line", "non_private", panel=1, moves="tilt"),
        Sentence(
            "Slope {tilt}: each point of the index adds this many points of disease. "
            f"The risk is {write(here)}. The least risk, {write(least)}, has slope "
            f"{write(float(lines.slope(best_line())))}."
        ),
    ]


def _tilted(tilt: Any) -> np.ndarray:
    # At the best level for a slope, the line goes through the mean.
    D, slope = patients(), np.asarray(tilt) * lines.FIVE / lines.HALF
    level = D.y.mean() - slope * D.X[:, 0].mean()
    return np.stack([slope, level], axis=-1)


@figure(
    asks=Choose(
        ask.WHO_LEFT,
        hides=["a line without one patient"],
    ),
    axes=(
        Axes(**lines.MEASURED, title="One patient leaves"),
        Axes(
            "by how much the slope changes",
            "by how much the level changes",
            xlim=(-0.16, 0.16),
            ylim=(-0.7, 0.5),
            yticks=(-0.4, 0, 0.4),
            title="442 lines, each without one patient",
        ),
    ),
    title="Guess who left",
    alt=(
        "In the panel “One patient leaves”, the patients with one of them marked, and "
        "a line that does not seem to move. In the panel “442 lines, each without one "
        "patient”, a cloud of 442 dots, one of them marked."
    ),
    caption=(
        "The second picture: the best line of the others, for each of the 442 patients "
        "who might leave, minus the best line of all."
    ),
    identity="guess-who-left",
    patient=Slider(CHOSEN),
)
def guess_who_left(patient: int) -> list[Mark]:
    """Leave one patient out, and find the line among all that are possible.

    Examples
    --------
    >>> *_, said = guess_who_left(7)
    >>> "points to patient {patient} and to nobody else" in said.text
    True
    """
    checks.count(patient=patient)
    if patient > N_PATIENTS:
        raise ValueError(f"`patient` must be at most {N_PATIENTS}, got {patient}.")
    i, (index, disease) = slice(patient - 1, patient), lines.people()
    every, best = lines_without_one(), best_line()
    x, y = lines.slope(every - best), lines.level(every) - lines.level(best)
    shade, size = np.full(len(x), 0.5), {"width": 0.004, "height": 0.015}
    return [
        lines.dots(),
        lines.drawn(every[patient - 1], "the line of the others", "non_private"),
        lines.ring(index[i], disease[i], (0.75, 11.0), 0),
        Points(index[i], disease[i], "who leaves", "broken", moves="patient"),
        Cells(x, y, shade, "a line without one patient", "reference", panel=1, **size),
        lines.ring(x[i], y[i], (0.0095, 0.037), 1),
        Points(x[i], y[i], "who leaves", "broken", panel=1, moves="patient"),
        _named(patient),
    ]


def _named(patient: int) -> Sentence:
    every = lines_without_one()
    line = every[patient - 1]
    same = np.flatnonzero(np.abs(every - line).max(axis=1) < 1e-9) + 1
    who = ["patient {patient}", *(str(other) for other in same if other != patient)]
    return Sentence(
        f"The published line has slope {float(lines.slope(line)):.5f} and level "
        f"{float(lines.level(line)):.4f}. Among the 442 candidates this points to "
        f"{' and '.join(who)} and to nobody else."
    )


@cache
def _clouds(epsilon: float) -> tuple[np.ndarray, np.ndarray, Event]:
    D = patients()
    moved = np.abs(lines_without_one() - best_line()).max(axis=1)
    keep = np.arange(D.n) != np.argmax(moved)
    others = Problem(D.X[keep], D.y[keep], D.loss, D.constraint)
    settings: dict[str, Any] = {"clip_norm": 1.0, "learning_rate": 0.002, "steps": 20}
    lam = noise_for(epsilon, 20)
    having, lacking = (
        dp_sgd(each, noise_multiplier=lam, rng=seed, runs=(200,), **settings)
        for each, seed in ((D, 0), (others, 1))
    )
    return having.theta, lacking.theta, having.event


@figure(
    asks=Choose(
        ask.GUESS_AT_ONE,
        hides=["without"],
    ),
    axes=(
        Axes(
            "slope",
            "level at index 25",
            xlim=(8.2, 11.8),
            ylim=(133, 147),
            yticks=(135, 140, 145),
            title="200 noisy lines each",
        ),
        Axes(
            "best score that tells the two apart",
            "how often",
            xlim=(-4, 8),
            ylim=(0, 0.45),
            yticks=(),
            title="What an attacker sees",
        ),
    ),
    title="What noise buys",
    alt=(
        "In the panel “200 noisy lines each”, two mixed clouds of lines, which shrink "
        "as epsilon grows until they part. In the panel “What an attacker sees”, two "
        "bell curves that nearly coincide at first and move apart as epsilon grows."
    ),
    caption=(
        "Lines of DP-SGD, 20 steps, clip norm 1, learning rate 0.002. At ε = 0.3, four "
        "in ten lie outside the frame. Patient 368 is in or out; nobody moves the best "
        "line more, and 368 moves its slope by 0.14. Whatever an attacker computes "
        "from a run, it reveals no more about that patient than the two bells do."
    ),
    identity="noise-and-odds",
    epsilon=Slider(even(0.3, 0.9, 0.1) + even(1, 9.5, 0.5) + even(10, 30, 1), start=1),
)
def what_noise_buys(epsilon: float) -> list[Mark]:
    """Train 200 private lines with a patient and without, and show what is learned.

    Examples
    --------
    >>> with_patient, without, *_ = what_noise_buys(1.0)
    >>> len(with_patient.x), len(without.x)
    (200, 200)
    """
    having, lacking, event = _clouds(epsilon)
    score, mu = np.linspace(-4, 8, 97), gaussian_mu(epsilon, DELTA)
    bells = [np.exp(-((score - m) ** 2) / 2) / np.sqrt(2 * np.pi) for m in (mu, 0)]
    right = 100 * guess_probability(event, 0.5)
    return [
        lines.cloud(having, "with the patient", "private", (0.05, 0.2)),
        lines.cloud(lacking, "without", "reference", (0.05, 0.2)),
        Line(score, bells[0], "with the patient", "private", panel=1),
        Line(score, bells[1], "without", "reference", panel=1),
        Sentence(
            "At ε = {epsilon}, nobody can guess whether this patient was there and be "
            f"right more than {right:.0f} times in 100, even after seeing all lines of "
            "a run and knowing all other patients. A coin toss is right 50 times."
        ),
        Spent(event, DELTA),
    ]


@cache
def _runs(epsilon: float, steps: int) -> tuple[np.ndarray, Event]:
    lam = noise_for(epsilon, steps)
    rate = dp_sgd_learning_rate(
        n=N_PATIENTS, p=2, steps=steps, noise_multiplier=lam, lipschitz=1.0,
        distance=1.0,
    )  # fmt: skip
    release = dp_sgd(
        patients(), clip_norm=1.0, learning_rate=rate, steps=steps,
        noise_multiplier=lam, rng=0, runs=(40,),
    )  # fmt: skip
    return release.theta, release.event


@figure(
    axes=Axes(**lines.MEASURED),
    title="One run of DP-SGD, eight times",
    alt="Dots, the best line through them, and eight private lines around it.",
    caption=(
        "The same data and the same settings each time, with fresh noise; one of the "
        "lines would be published. Clip norm 1; the learning rate is the theorem’s, "
        "so nothing was tuned on these patients."
    ),
    identity="eight-runs",
    linked=tied,
    epsilon=Slider(EPSILONS, start=0.3),
    noise_multiplier=Slider(),
    steps=Slider(STEPS, start=100),
)
def one_run(epsilon: float, noise_multiplier: float, steps: int) -> list[Mark]:
    """Draw the lines of eight private runs through the patients.

    Examples
    --------
    >>> dots, best, *lines, said, spent = one_run(1.0, noise_for(1.0, 20), 20)
    >>> len(lines)
    8
    """
    theta, event = _runs(epsilon, int(steps))
    D, best = patients(), best_line()
    more = 100 * (np.mean(D.risk(theta)) / D.risk(best) - 1)
    private: list[Mark] = [
        lines.drawn(one, "a private line", "private") for one in theta[:8]
    ]
    return [
        lines.dots(0.16),
        lines.drawn(best, "the best line", "non_private"),
        *private,
        Sentence(
            "ε = {epsilon} in {steps} steps: each step is hidden under noise "
            f"{write(noise_multiplier)} times as large as the pull of one patient. "
            f"Over 40 runs the risk is {more:.0f}% above the least, on average."
        ),
        Spent(event, DELTA),
    ]
