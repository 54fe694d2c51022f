"""The DP-FTRL paper's figure 1(a), run again: a network on MNIST, by four methods."""

from math import sqrt
from typing import Any

import numpy as np

from ... import checks
from ...figures.axes import Axes
from ...figures.explore import Slider
from ...figures.figure import figure
from ...figures.marks import Band, Line, Mark, Points, Sentence, Spent
from ...figures.predict import Choose
from ...figures.results import stored
from . import network_runs
from . import questions as ask
from .network_runs import BATCHES, DELTA, EPOCHS, SEEDS, USES, cells, chosen, event_of

# What readers see of each method, and the role of its curve.
METHODS = {
    "sampled": ("DP-SGD on samples", "reference"),
    "buffers": ("DP-FTRL with four buffers", "private"),
    "tree": ("DP-FTRL with a tree per epoch", "bound"),
    "independent": ("DP-SGD without sampling gains", "measured"),
}
OTHERS = {
    "four buffers": "buffers",
    "a tree per epoch": "tree",
    "no sampling gains": "independent",
}
BUDGETS = (1.0, 4.0, 16.0)
TRAINED, TESTED = 50_000, 10_000  # images


@stored(
    uses=(*USES, network_runs),
    data="mnist",
    batches=BATCHES,
    epsilons=BUDGETS,
    seeds=SEEDS,
    seed=0,
)
def accuracy_of_the_paper(
    data: str,
    batches: tuple,
    epsilons: tuple,
    seeds: int,
    seed: int,  # noqa: ARG001  (seeds count from 0)
) -> dict:
    """Collect the runs of figure 1(a): by method, over batches and ε."""
    found = {method: [[] for _ in batches] for method in METHODS}
    for cell in cells(batches, epsilons, data):
        out = chosen(cell, seeds)
        kept = {key: out[key] for key in ("noise", "rate", "test")}
        found[cell["method"]][batches.index(cell["batch"])].append(kept)
    return found


@stored(
    uses=(*USES, network_runs),
    data="fashion",
    batches=(250,),
    epsilons=(4.0,),
    seeds=SEEDS,
    seed=0,
)
def accuracy_on_fashion(**arguments: Any) -> dict:
    """Collect the same runs on another set of images, at one budget."""
    return accuracy_of_the_paper.compute(**arguments)


def mean_and_error(tests: list[float]) -> tuple[float, float]:
    """Compute the mean accuracy over seeds, and its standard error, in %.

    The seeds differ in noise, start and held-out images, and all meet the same test
    images, whose error does not get smaller with more seeds.
    """
    mean = float(np.mean(tests))
    images = mean * (100 - mean) / TESTED
    return mean, sqrt(np.var(tests, ddof=1) / len(tests) + images)


def difference(method: str, batch: int, epsilon: float) -> tuple[float, float]:
    """Compute by how much a method is ahead of DP-SGD on samples, in points.

    The second number is the standard error over seeds: a seed has the same split and
    the same first weights for both, and the test images are the same.
    """
    ours, theirs = (entry(each, batch, epsilon)["test"] for each in (method, "sampled"))
    d = np.subtract(ours, theirs)
    return float(d.mean()), float(d.std(ddof=1) / sqrt(len(d)))


def entry(method: str, batch: int, epsilon: float) -> dict:
    """Look up a cell: its noise, the rate that was chosen, and five test accuracies."""
    result = accuracy_of_the_paper
    i = result.arguments["batches"].index(batch)
    return result()[method][i][result.arguments["epsilons"].index(epsilon)]


@figure(
    asks=Choose(
        ask.NETWORKS,
        hides=[label for label, _ in METHODS.values() if label != "DP-SGD on samples"],
    ),
    axes=Axes(
        "budget ε",
        "test accuracy in %",
        xlim=(0.9, 17.8),
        ylim=(82.0, 100.0),
        xscale="log",
        xticks=BUDGETS,
    ),
    title="The paper’s network on MNIST, by four methods",
    alt=(
        "Four rising curves of test accuracy. DP-SGD on samples and DP-FTRL with four "
        "buffers are at the top and cross; the tree is below them, and DP-SGD "
        "without what sampling gains is far below at small budgets."
    ),
    caption=(
        "26,010 weights, 20 epochs, momentum 0.9. Bands: two standard errors, over "
        "seeds and test images. Rates were chosen on held-out images; that search is "
        "not charged to ε. DP-SGD on samples is priced for adding or removing a "
        "record, the others for zeroing one out."
    ),
    identity="network-accuracy",
    epsilon=Slider(BUDGETS, start=4.0),
    batch_size=Slider(tuple(map(str, BATCHES)), start="250"),
    algorithm=Slider(tuple(OTHERS), start="four buffers"),
)
def network_accuracy(epsilon: float, batch_size: str, algorithm: str) -> list[Mark]:
    """Draw the test accuracy of networks against ε, by four methods.

    Examples
    --------
    >>> _, sampled, *_ = network_accuracy(4.0, "250", "four buffers")
    >>> sampled.label
    'DP-SGD on samples'
    """
    checks.one_of(BUDGETS, epsilon=epsilon)
    checks.one_of(tuple(map(str, BATCHES)), batch_size=batch_size)
    checks.one_of(tuple(OTHERS), algorithm=algorithm)
    size, key = int(batch_size), OTHERS[algorithm]
    mean, error = mean_and_error(entry(key, size, epsilon)["test"])
    gap, wide = difference(key, size, epsilon)
    event = event_of(
        key,
        entry(key, size, epsilon)["noise"],
        steps=TRAINED // size,
        epochs=EPOCHS,
    )
    return [
        *(mark for each in METHODS for mark in _curve(each, size)),
        Points([epsilon], [mean], "your choice", "non_private", moves="epsilon"),
        Sentence(
            f"At ε = {{epsilon}} and batches of {{batch_size}}, {METHODS[key][0]} is "
            f"right on {mean:.1f}% of the test images (± {2 * error:.1f}): "
            f"{abs(gap):.2f} points {'more' if gap > 0 else 'fewer'} than DP-SGD on "
            f"samples (± {2 * wide:.2f} over seeds)."
        ),
        Spent(event, DELTA),
    ]


def _curve(method: str, batch: int) -> list[Mark]:
    label, role = METHODS[method]
    tests = [entry(method, batch, each)["test"] for each in BUDGETS]
    mean, error = np.array([mean_and_error(each) for each in tests]).T
    return [
        Band(BUDGETS, mean - 2 * error, mean + 2 * error, label, role),
        Line(BUDGETS, mean, label, role),
    ]
