"""Figures of the chapter on DP-FTRL in practice: a comparison with DP-SGD."""

from functools import cache
from math import sqrt
from typing import Any

import numpy as np

from ... import checks
from ...accounting import calibrate, gaussian_mu, pricing
from ...accounting.integration import contour
from ...algorithms.matrices.factorization import (
    Factorization,
    independent_factorization,
    tree_factorization,
)
from ...algorithms.matrices.toeplitz import square_root_factorization
from ...figures.axes import Axes
from ...figures.explore import Slider
from ...figures.figure import figure
from ...figures.marks import (
    Band,
    Cells,
    Line,
    Mark,
    Points,
    Sentence,
    Spent,
)
from ...figures.predict import Choose, Place
from ...figures.results import Stored, stored
from ...figures.style import write
from ...privacy import Gaussian, Relation, SampledGaussian
from . import questions as ask
from .one_pass import accuracy_on_digits, accuracy_on_mnist, event_of

ZERO_OUT = Relation.ZERO_OUT
# The names that readers see, and those in the stored results.
FACTORIZATIONS = {
    "noise on each vector": "independent",
    "tree, Honaker": "tree",
    "square root, normalized": "root",
}
NAMES = tuple(FACTORIZATIONS)
EPOCHS = (1, 5)
EPOCH_WORDS = tuple(map(str, EPOCHS))  # a switch between two runs

# ----------------------------------------------------------------- on real data


def _accuracy(
    result: Stored, epsilon: float, factorization: str, epochs: int = 1
) -> list[Mark]:
    checks.one_of(tuple(FACTORIZATIONS), factorization=factorization)
    epsilons = tuple(result.arguments["epsilons"])
    delta = result.arguments["delta"]
    checks.one_of(epsilons, epsilon=epsilon)
    i, k = epsilons.index(epsilon), EPOCHS.index(epochs)
    theirs, ours = (
        result()[method][k] for method in ("sampled", FACTORIZATIONS[factorization])
    )
    event = Gaussian(ours[i]["noise"], releases=epochs, relation=ZERO_OUT)
    return [
        *_curve(epsilons, theirs, "DP-SGD on samples", "reference"),
        *_curve(epsilons, ours, "DP-FTRL, your noise", "private"),
        Points(
            [epsilon], [np.mean(ours[i]["hits"])], "your ε", "private", moves="epsilon"
        ),
        Sentence(
            f"With {{factorization}} and ε = {{epsilon}}, DP-FTRL is right on "
            f"{np.mean(ours[i]['hits']):.1f}% of the test images, DP-SGD on "
            f"{np.mean(theirs[i]['hits']):.1f}%, {_ahead(ours[i], theirs[i])}. "
            f"{_crossing(epsilons, theirs, ours)}"
        ),
        Spent(event, delta),
    ]


def _curve(epsilons: tuple, entries: list[dict], label: str, role: str) -> list[Mark]:
    hits = np.array([each["hits"] for each in entries])
    mean, spread = hits.mean(axis=1), hits.std(axis=1, ddof=1)
    return [
        Band(epsilons, mean - spread, mean + spread, label, role),
        Line(epsilons, mean, label, role),
    ]


def _ahead(one: dict, other: dict) -> str:
    """Tell a mean difference over equal splits or runs, and its standard error."""
    difference = np.subtract(one["hits"], other["hits"])
    error = difference.std(ddof=1) / sqrt(len(difference))
    mean = abs(difference.mean())
    return f"a difference of {mean:.1f} points (standard error {error:.1f})"


def _crossing(epsilons: tuple, theirs: list[dict], ours: list[dict]) -> str:
    ahead = [
        epsilon
        for epsilon, one, other in zip(epsilons, theirs, ours, strict=True)
        if np.mean(other["hits"]) > np.mean(one["hits"])
    ]
    if not ahead:
        return "DP-SGD is ahead at every ε shown."
    if len(ahead) == len(epsilons):
        return "DP-FTRL is ahead at every ε shown."
    return f"DP-FTRL is ahead from ε = {write(ahead[0])} on."


def _over(result: Stored) -> str:
    splits, runs = result.arguments.get("splits"), result.arguments["runs"][1]
    if splits:
        return f"{splits} splits with no test image in common, {runs} runs each"
    return f"{runs} runs, of noise and sampling alone"


def _declared(
    result: Stored, low: float, what: str, data: str, identity: str
) -> dict[str, Any]:
    epsilons = result.arguments["epsilons"]
    return {
        "axes": Axes(
            "budget ε",
            "test accuracy in %",
            xlim=(epsilons[0], epsilons[-1]),
            ylim=(low, 100.0 if low < 60 else 94.0),
            xscale="log",
            xticks=epsilons,
        ),
        "title": f"DP-FTRL against DP-SGD, {what}",
        "alt": (
            "Two rising curves. DP-SGD starts higher and rises slowly; DP-FTRL starts "
            "lower, rises fast, and with a good factorization crosses it."
        ),
        "caption": (
            f"{data} Bands: one standard deviation over {_over(result)}. Learning "
            "rates were chosen on held-out images, for each method and ε; that search "
            "is not charged to ε."
        ),
        "identity": identity,
    }


@figure(
    asks=Choose(
        ask.WINNER,
        hides=["DP-FTRL, your noise", "your ε"],
        ghosts=[
            [(1, 46), (2, 55), (4, 62), (10, 68), (30, 74)],
            [(1, 73), (2, 79), (4, 84), (10, 90), (30, 96)],
            [(1, 50), (2, 63), (4, 73), (10, 81), (30, 85)],
        ],
    ),
    **_declared(
        accuracy_on_digits,
        10.0,
        "on small digits",
        "Softmax regression on 1,200 images, 300 steps (one pass) or 600 (five).",
        "digits-accuracy",
    ),
    epsilon=Slider((1, 2, 4, 8, 16, 32), start=4),
    epochs=Slider(EPOCH_WORDS, start="1"),
    factorization=Slider(NAMES, start=NAMES[1]),
)
def digits_accuracy(epsilon: float, epochs: str, factorization: str) -> list[Mark]:
    """Draw accuracy on small digits against ε, DP-SGD beside DP-FTRL.

    Examples
    --------
    >>> _, sgd, _, ftrl, *_ = digits_accuracy(1.0, "1", "square root, normalized")
    >>> bool(ftrl.y[-1] > sgd.y[-1])  # at a large budget
    True
    """
    checks.one_of(EPOCH_WORDS, epochs=epochs)
    return _accuracy(accuracy_on_digits, epsilon, factorization, int(epochs))


@figure(
    **_declared(
        accuracy_on_mnist,
        64.0,
        "one pass of MNIST",
        "Softmax regression on 50,000 images, 1,000 steps.",
        "mnist-accuracy",
    ),
    epsilon=Slider((0.5, 1, 2, 4, 8, 16), start=4),
    factorization=Slider(NAMES, start=NAMES[1]),
)
def mnist_accuracy(epsilon: float, factorization: str) -> list[Mark]:
    """Draw accuracy after one pass of MNIST against ε, DP-SGD beside DP-FTRL.

    Examples
    --------
    >>> _, sgd, _, ftrl, *_ = mnist_accuracy(1.0, "tree, Honaker")
    >>> bool(ftrl.y[0] < sgd.y[0]), bool(ftrl.y[-1] > sgd.y[-1])  # they cross
    (True, True)
    """
    return _accuracy(accuracy_on_mnist, epsilon, factorization)


# --------------------------------------------------------------------- on paper

STEPS = (10, 32, 100, 316, 1000)  # of one epoch
BUDGETS = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0)
PASSES = (1, 5, 20)
DELTA = 1e-5


@stored(
    uses=(pricing, contour),
    epsilons=BUDGETS,
    delta=DELTA,
    steps=STEPS,
    epochs=PASSES,
    seed=0,
)
def noise_of_dp_sgd(
    epsilons: tuple,
    delta: float,
    steps: tuple,
    epochs: tuple,
    seed: int,  # noqa: ARG001  (nothing is drawn)
) -> dict:
    """Find the least noise multiplier of DP-SGD: over epochs, steps and ε."""

    def least(epsilon: float, s: int, passes: int) -> float:
        return calibrate(
            lambda z: SampledGaussian(
                z, rate=1 / s, releases=s * passes, relation=ZERO_OUT
            ),
            epsilon,
            delta,
        )

    return {
        "noise": [
            [[float(f"{least(e, s, k):.6g}") for e in epsilons] for s in steps]
            for k in epochs
        ]
    }


@cache
def _made(factorization: str, steps: int) -> Factorization:
    method = FACTORIZATIONS[factorization]
    if method == "independent":
        return independent_factorization(steps)
    if method == "tree":
        return tree_factorization(steps, estimator="honaker")
    return square_root_factorization(steps, normalized=True)


def _ftrl_noise(factorization: str, epsilon: float, steps: int, epochs: int) -> float:
    """Compute the noise of a sum, root mean square over all steps of all epochs."""
    made = _made(factorization, steps)
    rows = np.sum(made.decoder**2, axis=1)
    # The noise of finished epochs, and of the current one.
    left = (epochs - 1) / 2 * rows[-1]
    scale = made.sensitivity * sqrt(epochs) / gaussian_mu(epsilon, DELTA)
    return float(scale * np.sqrt(left + rows.mean()))


def _gains(epochs: int, factorization: str) -> np.ndarray:
    """Compute DP-SGD's noise over DP-FTRL's: one row per number of steps."""
    table = np.array(noise_of_dp_sgd()["noise"][PASSES.index(epochs)])
    theirs = table * np.sqrt((np.array(STEPS)[:, None] * epochs + 1) / 2)
    ours = [[_ftrl_noise(factorization, e, s, epochs) for e in BUDGETS] for s in STEPS]
    return theirs / np.array(ours)


@figure(
    asks=Place(
        "where-is-the-border",
        "Look at the noise of the sums alone, in one pass of 1,000 steps, with the "
        "normalized square root. From which ε on has DP-FTRL less noise than DP-SGD on "
        "samples?",
        hides=["DP-FTRL has less noise", "DP-SGD has less noise"],
        truth=1,
        why="Steps within a pass help correlation. Passes help sampling: in twenty "
        "of them the border is at about 4, because DP-FTRL pays for each pass anew and "
        "its old noise stays.",
    ),
    axes=Axes(
        "budget ε",
        "steps of one pass, n/b",
        xlim=(0.5 / sqrt(2.0), 16 * sqrt(2.0)),
        ylim=(10 / 10**0.25, 1000 * 10**0.25),
        xscale="log",
        yscale="log",
        xticks=BUDGETS,
        yticks=STEPS,
    ),
    title="Which has less noise, and where",
    alt=(
        "A map of squares. DP-SGD has the left, small budgets; DP-FTRL has the right, "
        "and more of it if a pass has more steps. More passes move the border to the "
        "right."
    ),
    caption=(
        "Noise of a prefix sum, root mean square over all steps, at the same expected "
        "batch. Full color: at least four times less. DP-FTRL starts with new noise in "
        "each pass. No data are used."
    ),
    identity="crossover",
    epochs=Slider(PASSES, start=1),
    factorization=Slider(NAMES, start=NAMES[2]),
)
def crossover(epochs: int, factorization: str) -> list[Mark]:
    """Map which of the two has less noise, over ε and the batch size.

    Examples
    --------
    >>> ftrl, sgd, *_ = crossover(1, "square root, normalized")
    >>> bool(ftrl.level[-1] > 0), bool(sgd.level[-1] > 0)  # ε = 16, 1000 steps
    (True, False)
    """
    checks.one_of(PASSES, epochs=epochs)
    checks.one_of(tuple(FACTORIZATIONS), factorization=factorization)
    gain = np.log2(_gains(epochs, factorization))
    most = gain[-1]
    ahead = [e for e, g in zip(BUDGETS, most, strict=True) if g > 0]
    where = f"from ε = {write(ahead[0])} on" if ahead else "at no ε shown"
    events = tuple(
        event_of("root", sqrt(epochs) / gaussian_mu(e, DELTA), steps=1, epochs=epochs)
        for e in (BUDGETS[0], BUDGETS[-1])
    )
    return [
        _squares(gain, "DP-FTRL has less noise", "private"),
        _squares(-gain, "DP-SGD has less noise", "bound"),
        Sentence(
            f"With {{factorization}} and E = {{epochs}}, in passes of 1,000 steps, "
            f"sums of DP-FTRL have less noise {where}. DP-SGD has "
            f"{write(2 ** most[-1])} times its noise at ε = 16, and "
            f"{write(2 ** most[0])} times at ε = 0.5."
        ),
        Spent(events, DELTA),
    ]


def _squares(gain: np.ndarray, label: str, role: str) -> Cells:
    """Shade one square for each ε and number of steps, where the gain is above 0."""
    x, y = (each.ravel() for each in np.meshgrid(BUDGETS, STEPS))
    wide, high = sqrt(2.0), 10**0.25  # half a step of each axis
    return Cells(
        x * (wide + 1 / wide) / 2,
        y * (high + 1 / high) / 2,
        np.clip(gain.ravel() / 2, 0, 1),
        label,
        role,
        width=x * (wide - 1 / wide),
        height=y * (high - 1 / high),
    )
