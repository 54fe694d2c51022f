"""Figures of the chapter on convex optimization: steps, regret, noise, and luck.

The names in capitals beside each experiment are what ``explore`` needs to know. Nothing
here is private.
"""

import numpy as np

from ... import checks
from ...algorithms.gradients.convex_bounds import convex_constants, regret_bound
from ...algorithms.gradients.gradient_descent import smooth_descent_bound
from ...figures.axes import Axes
from ...figures.explore import Slider, even
from ...figures.figure import figure
from ...figures.marks import (
    Band,
    Line,
    Mark,
    Points,
    Sentence,
)
from ...figures.predict import Choose
from ...figures.style import write
from . import questions as ask
from . import runs as convex_runs
from .runs import NOISY_STEPS

# ------------------------------------------------------------ steps on a bowl

RATES = even(0.02, 0.52, 0.01)
DIRECTIONS = tuple(range(91))  # degrees; the bowl is the same in all four quarters
_TURN = np.linspace(0, 2 * np.pi, 49)


def _ring(level: float) -> Line:
    """Draw the ellipse of models whose risk is ``level``."""
    x, y = np.sqrt(2 * level) * np.cos(_TURN), np.sqrt(level / 2) * np.sin(_TURN)
    return Line(x, y, "equal risk", "reference")


_LEVELS = 0.25, 1.0, 4.0
_ALL_STEPS = np.arange(1, convex_runs.WALK_STEPS + 1)


def _bowl_bound() -> np.ndarray:
    """Bound the risk after each step of η = 1/β: shape (20,)."""
    beta = convex_constants(convex_runs.BOWL)["smoothness"]
    return np.array(
        [
            smooth_descent_bound(steps=t, smoothness=beta, distance=2.0)
            for t in range(1, convex_runs.WALK_STEPS + 1)
        ]
    )


@figure(
    axes=(
        Axes(
            "first weight",
            "second weight",
            xlim=(-3, 3),
            ylim=(-3, 3),
            title="The walk",
        ),
        Axes(
            "step t",
            "excess risk",
            xlim=(1, 20),
            ylim=(1e-8, 1000),
            yscale="log",
            title="How far down",
        ),
    ),
    title="Steps down a bowl",
    alt=(
        "In the panel “The walk”, ellipses and a path of points that bends toward "
        "their center, or away from it if the learning rate is above one half. In "
        "the panel “How far down”, a falling bound. The excess risk falls below it "
        "if the rate is right, more slowly if it is small, and rises if it is too "
        "large."
    ),
    caption=(
        "Risk (θ₁² + 4θ₂²)/2: curvature m = 1 along the first axis, β = 4 along the "
        "second. The bound is βR²/2T."
    ),
    identity="bowl",
    in_hand="bowl",
    given=lambda: {
        "rings": [_ring(level).outline.tolist() for level in _LEVELS],
        "bound": _bowl_bound().tolist(),
    },
    plays="t",
    direction=Slider(DIRECTIONS, start=60),
    learning_rate=Slider(RATES, start=0.4),
    t=Slider(range(1, convex_runs.WALK_STEPS + 1), start=convex_runs.WALK_STEPS),
)
def bowl(direction: float, learning_rate: float, t: int = 20) -> list[Mark]:
    """Walk down a bowl that is four times as curved in one direction as in the other.

    Examples
    --------
    >>> *_, risk, bound, _ = bowl(60, 0.25)
    >>> bool((risk.y <= bound.y).all())
    True
    """
    checks.finite(direction=direction)
    checks.one_of(tuple(range(1, convex_runs.WALK_STEPS + 1)), t=t)
    path, risk = convex_runs.walk(direction, learning_rate)
    # What comes after step t lies on step t: nothing of it is seen yet.
    now = np.minimum(np.arange(convex_runs.WALK_STEPS + 1), t)
    path, risk, steps = path[now], risk[now], now[1:]
    return [
        *(_ring(level) for level in _LEVELS),
        Line(path[:, 0], path[:, 1], "the walk", "measured"),
        Points(path[:, 0], path[:, 1], "the walk", "measured", moves="direction"),
        Points([0], [0], "minimum", "non_private"),
        Line(steps, np.maximum(risk[1:], 1e-9), "the walk", "measured", panel=1),
        Line(_ALL_STEPS, _bowl_bound(), "bound for η = 1/β", "bound", panel=1),
        Sentence(
            "With steps of {learning_rate} from direction {direction}° the risk goes "
            "from {first} to {last} by step {t}. 1/β is 0.25. Past 2/β, which is 0.5, "
            "the second weight grows with each step, unless it is 0.",
            {"first": float(risk[0]), "last": float(risk[-1])},
        ),
    ]


# ------------------------------------------------------------ regret fills

ONLINE_RATES = (0.01, 0.02, 0.03, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0)
STOPS = tuple(range(2, convex_runs.RECORDS + 1, 2))


def _regret_bounds(learning_rate: float) -> np.ndarray:
    """Bound the average regret after 1, …, 96 records: shape (96,)."""
    same = {"lipschitz": 1.0, "distance": 1.0, "learning_rate": learning_rate}
    return np.array(
        [regret_bound(steps=t, **same) for t in range(1, convex_runs.RECORDS + 1)]
    )


@figure(
    axes=(
        Axes(
            "records so far, t",
            "loss so far",
            xlim=(0, 96),
            ylim=(0, 64),
            title="What is paid",
        ),
        Axes(
            "records so far, t",
            "regret per record",
            xlim=(1, 96),
            ylim=(-0.1, 1),
            title="On average",
        ),
    ),
    title="Regret fills the gap",
    alt=(
        "In the panel “What is paid”, two rising lines and the area between them, "
        "filled up to now. In the panel “On average”, the average regret stays below "
        "its bound, which falls, and which at a small rate begins above the frame."
    ),
    caption=(
        "Guess the next of 96 disease scores in [−1, 1], at absolute loss, before it "
        "is shown. The best fixed model is the median of all 96, known only later."
    ),
    identity="regret-fills",
    plays="t",
    t=Slider(STOPS, start=96),
    learning_rate=Slider(ONLINE_RATES, start=0.3),
)
def regret_fills(t: int, learning_rate: float) -> list[Mark]:
    """Let a learner guess numbers one by one, and fill in what it overpays.

    Examples
    --------
    >>> *_, mean, bound, here, _ = regret_fills(96, 0.1)
    >>> bool((mean.y <= bound.y).all())
    True
    """
    checks.one_of(STOPS, t=t)
    paid, regret = convex_runs.paid(learning_rate)
    k = np.arange(convex_runs.RECORDS + 1)
    learner, extra = (np.append(0, np.cumsum(each)) for each in (paid, regret))
    fixed, now = learner - extra, np.minimum(k, t)
    mean, bound = extra[1:] / k[1:], _regret_bounds(learning_rate)
    low, high = np.minimum(fixed, learner), np.maximum(fixed, learner)
    return [
        Band(now, low[now], high[now], "regret", "broken"),
        Line(k, learner, "the learner", "measured"),
        Line(k, fixed, "best fixed model", "reference"),
        Line(k[1:], mean, "average regret", "measured", panel=1),
        Line(k[1:], bound, "bound", "bound", panel=1),
        Points([t], [mean[t - 1]], "average regret", "measured", panel=1, moves="t"),
        Sentence(
            f"After {{t}} records at rate {{learning_rate}} the learner has paid "
            f"{write(float(learner[t]))}, the best fixed model "
            f"{write(float(fixed[t]))}: a regret of {write(float(mean[t - 1]))} per "
            f"record. The bound is {write(float(bound[t - 1]))}."
        ),
    ]


# ------------------------------------------------------------ a noisy oracle

NOISY_RATES = tuple(float(f"{rate:.3g}") for rate in np.geomspace(1e-5, 0.1, 9))


@figure(
    asks=Choose(
        ask.NOISE,
        hides=["one record per step, 10 runs", "best noisy step"],
        ghosts=[
            [
                (1e-5, 0.075),
                (1e-4, 0.045),
                (1e-3, 0.012),
                (0.03, 0.002),
                (0.09, 0.0035),
            ],
            [(1e-5, 0.075), (1e-4, 0.04), (5e-4, 0.026), (3e-3, 0.05), (0.09, 0.085)],
            [(1e-5, 0.09), (1e-3, 0.08), (0.01, 0.06), (0.04, 0.035), (0.09, 0.012)],
        ],
    ),
    axes=Axes(
        "learning rate η",
        "excess risk per record",
        xlim=(1e-5, 0.1),
        ylim=(1e-4, 0.2),
        xscale="log",
        yscale="log",
    ),
    title="Noise calls for smaller steps",
    alt=(
        "Two curves over the learning rate. The valley of the noisy one is higher and "
        "farther left; with more steps it moves left and down."
    ),
    caption=(
        "The average model on 1,000 planted records in 10 dimensions, logistic loss, "
        "a ball of radius 1. The band holds all runs."
    ),
    identity="oracle-noise",
    steps=Slider(NOISY_STEPS, start=128),
)
def oracle_noise(steps: int) -> list[Mark]:
    """Compare exact gradients with those of one record, over learning rates.

    Examples
    --------
    >>> exact, _, noisy, *_ = oracle_noise(128)
    >>> int(noisy.y.argmin()) < int(exact.y.argmin())  # noise asks for smaller steps
    True
    """
    checks.one_of(NOISY_STEPS, steps=steps)
    at = NOISY_STEPS.index(steps)
    found = [convex_runs.averages(rate) for rate in NOISY_RATES]
    exact = np.array([each[at] for each, _ in found])
    noisy = np.array([each[:, at] for _, each in found])
    middle = noisy.mean(axis=1)
    best, clean = int(np.argmin(middle)), int(np.argmin(exact))
    return [
        Line(NOISY_RATES, exact, "all 1,000 records per step", "non_private"),
        Band(
            NOISY_RATES, noisy.min(axis=1), noisy.max(axis=1),
            "one record per step, 10 runs", "measured",
        ),
        Line(NOISY_RATES, middle, "one record per step, 10 runs", "measured"),
        Points([NOISY_RATES[clean]], [exact[clean]], "best exact step", "non_private"),
        Points([NOISY_RATES[best]], [middle[best]], "best noisy step", "measured"),
        Sentence(
            f"With {{steps}} steps the best rate is {write(NOISY_RATES[best])} for one "
            f"record per step, and {write(NOISY_RATES[clean])} for all of them. The "
            f"first looks at {write(steps)} records, the second at "
            f"{write(1000 * steps)}."
        ),
    ]  # fmt: skip


# ------------------------------------------------------------ one run, or many

COUNTS = (*range(1, 10), *range(10, 21, 2), *range(25, convex_runs.PAIRS + 1, 5))
ONE_PAIR = "That may be luck, because one pair does not show how far two runs differ."
ERRORS = {
    True: "That is more than two standard errors.",
    False: "That may well be luck, because it is not more than two standard errors.",
}


@figure(
    asks=Choose(
        ask.ONE_RUN,
        hides=["B minus A, one pair of runs", "mean so far", "two standard errors"],
    ),
    axes=Axes(
        "pairs of runs",
        "risk of B minus risk of A, in thousandths",
        xlim=(0, 51),
        ylim=(-20, 20),
    ),
    title="Two rivals, and luck",
    alt=(
        "Points scatter on both sides of zero. Their mean wanders at first, then "
        "stays on one side, and its band leaves zero."
    ),
    caption=(
        "SGD with 150 single records on the same data, at two learning rates: A "
        "0.0003 and B 0.0005. Each run has a seed of its own."
    ),
    identity="luck",
    plays="runs",
    runs=Slider(COUNTS, start=50),
)
def luck(runs: int) -> list[Mark]:
    """Compare two rivals in more and more runs.

    Examples
    --------
    >>> seen, mean, *_ = luck(1)
    >>> len(seen.x)
    50
    """
    checks.one_of(COUNTS, runs=runs)
    gaps, k = convex_runs.differences(), np.arange(1, COUNTS[-1] + 1)
    mean = np.cumsum(gaps) / k
    squares = np.cumsum(gaps**2) / k - mean**2
    error = 2 * np.sqrt(np.maximum(squares, 0) / np.maximum(k - 1, 1))
    error[0] = 20.0  # one run says nothing about the spread
    now = np.minimum(k, runs)
    better = "B" if mean[runs - 1] < 0 else "A"
    sure = abs(mean[runs - 1]) > error[runs - 1]
    return [
        Points(now, gaps[now - 1], "B minus A, one pair of runs", "reference"),
        Line(now, mean[now - 1], "mean so far", "measured"),
        Band(
            now, (mean - error)[now - 1], (mean + error)[now - 1],
            "two standard errors", "measured",
        ),
        Line([1, COUNTS[-1]], [0, 0], "no difference", "bound"),
        Sentence(
            f"After {{runs}} of these pairs, {better} looks better by "
            f"{write(float(abs(mean[runs - 1])))} thousandths. "
            + (ONE_PAIR if runs == 1 else ERRORS[bool(sure)])
        ),
    ]  # fmt: skip
