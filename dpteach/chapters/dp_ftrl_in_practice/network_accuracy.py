"""The DP-FTRL paper's figure 1(a) once more: its network, by four methods."""

from math import sqrt

import numpy as np

from ... import checks
from ...figures.axes import Axes
from ...figures.explore import Slider
from ...figures.figure import figure
from ...figures.marks import Band, Line, Mark, Points, Sentence, Spent
from ...figures.results import stored
from . import network_runs
from .network_runs import DELTA, SEEDS, cells, chosen, event_of

TRAINED, TESTED = 50_000, 10_000  # images
EPOCHS = network_runs.EPOCHS
# What readers see, the method of a run, and its color.
NAMES = {
    "DP-SGD on samples": ("sampled", "reference"),
    "DP-SGD without their gains": ("independent", "measured"),
    "DP-FTRL, tree": ("tree", "private"),
    "DP-FTRL, four buffers": ("buffers", "bound"),
}


@stored(
    uses=(network_runs,),
    data="mnist",
    batches=(250,),
    epsilons=(1.0, 4.0, 16.0),
    seeds=SEEDS,
    seed=0,
)
def accuracy_of_the_paper(
    data: str,
    batches: tuple,
    epsilons: tuple,
    seeds: int,
    seed: int,  # noqa: ARG001  (each run has its own)
) -> dict:
    """Collect the runs: for each batch and method one entry for each ε."""
    found = {method: {str(b): [] for b in batches} for method, _ in NAMES.values()}
    for cell in cells(batches, epsilons, data):
        run = chosen(cell, seeds)
        found[cell["method"]][str(cell["batch"])].append(
            {key: run[key] for key in ("noise", "rate", "test")}
        )
    return found


def mean_and_error(test: list[float]) -> tuple[float, float]:
    """Return a mean in percent, and its standard error: over seeds and test images."""
    mean = float(np.mean(test))
    over_seeds = np.var(test, ddof=1) / len(test)
    return mean, sqrt(over_seeds + mean * (100 - mean) / TESTED)


@figure(
    axes=Axes(
        "budget ε",
        "test accuracy in %",
        xlim=(1.0, 16.0),
        ylim=(80.0, 100.0),
        xscale="log",
        xticks=(1, 2, 4, 8, 16),
    ),
    title="A network on MNIST, 20 passes, by four methods",
    alt=(
        "Four rising curves. DP-SGD on samples starts highest. The three methods "
        "without sampling start lower and rise faster."
    ),
    caption=(
        "The paper's network of 26,010 weights, trained on 50,000 images with momentum "
        "0.9. Each point is the mean of five runs; bands are two standard errors, over "
        "seeds and test images. Learning rates were chosen on 10,000 held-out images, "
        "for each method and ε; that search is not charged to ε."
    ),
    identity="network-accuracy",
    epsilon=Slider((1, 4, 16), start=4),
)
def network_accuracy(epsilon: float) -> list[Mark]:
    """Draw the test accuracy of the paper's network against ε, for four methods."""
    given, runs = accuracy_of_the_paper.arguments, accuracy_of_the_paper()
    epsilons, batch = tuple(given["epsilons"]), given["batches"][0]
    checks.one_of(epsilons, epsilon=epsilon)
    at, marks, said = epsilons.index(epsilon), [], []
    for name, (method, role) in NAMES.items():
        entries = runs[method][str(batch)]
        mean, error = np.transpose([mean_and_error(each["test"]) for each in entries])
        marks += [
            Band(epsilons, mean - 2 * error, mean + 2 * error, name, role),
            Line(epsilons, mean, name, role),
            Points([epsilon], [mean[at]], name, role),
        ]
        said.append((mean[at], name))
    ranks = ", ".join(f"{name} {mean:.1f}%" for mean, name in sorted(said)[::-1])
    noise = runs["sampled"][str(batch)][at]["noise"]
    event = event_of("sampled", noise, steps=TRAINED // batch, epochs=EPOCHS)
    return [
        *marks,
        Sentence(f"At ε = {{epsilon}}, of the best to the least: {ranks}."),
        Spent(event, DELTA),
    ]
