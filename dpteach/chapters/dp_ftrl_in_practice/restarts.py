"""Figure of the chapter on DP-FTRL in practice: noise over several passes."""

from functools import cache
from math import sqrt

import numpy as np

from ... import checks
from ...accounting import calibrate, gaussian_mu, pricing
from ...accounting.integration import contour
from ...algorithms.matrices.toeplitz import square_root_factorization
from ...figures.axes import Axes
from ...figures.explore import Linked, Slider
from ...figures.figure import figure
from ...figures.marks import Line, Mark, Sentence, Spent
from ...figures.results import stored
from ...figures.style import write
from ...privacy import Gaussian, Relation, SampledGaussian
from ..shared.tied_noise import DELTA, EPSILONS

STEPS = 100  # of one pass
PASSES = (1, 2, 3, 4, 6, 8, 12, 16)


@stored(
    uses=(pricing, contour),
    epsilons=EPSILONS,
    delta=DELTA,
    steps=STEPS,
    epochs=PASSES,
    seed=0,
)
def noise_of_sampled_passes(
    epsilons: tuple,
    delta: float,
    steps: int,
    epochs: tuple,
    seed: int,
) -> dict:
    """Find the least noise multiplier of DP-SGD: over ε and epochs."""
    del seed  # nothing is drawn

    def least(epsilon: float, passes: int) -> float:
        return calibrate(
            lambda z: SampledGaussian(
                z,
                rate=1 / steps,
                releases=steps * passes,
                relation=Relation.ZERO_OUT,
            ),
            epsilon,
            delta,
        )

    return {"noise": [[float(f"{least(e, k):.6g}") for k in epochs] for e in epsilons]}


def _noise_for(epsilon: float, epochs: int) -> float:
    """Compute λ of DP-FTRL: each of the passes is one release."""
    return sqrt(epochs) / gaussian_mu(epsilon, DELTA)


@cache
def with_restarts(epochs: int) -> np.ndarray:
    """Compute the noise of each sum at λ = 1, with the normalized square root.

    Examples
    --------
    >>> noise = with_restarts(2)
    >>> round(float(noise[199] / noise[99]), 3)  # two leftovers, added up in squares
    1.414
    """
    epochs = checks.count(epochs=epochs)
    root = square_root_factorization(STEPS, normalized=True)
    own = root.sensitivity**2 * np.sum(root.decoder**2, axis=1)
    left = np.arange(epochs) * own[-1]
    return np.sqrt(left[:, None] + own).ravel()


@figure(
    axes=Axes(
        "step of all passes",
        "noise of a sum, in clip norms",
        xlim=(1, STEPS * PASSES[-1]),
        ylim=(0.5, 3000),
        xscale="log",
        yscale="log",
        xticks=(1, 10, 100, 1000),
        yticks=(1, 10, 100, 1000),
    ),
    title="What each pass leaves behind",
    alt=(
        "Three rising curves. That of DP-FTRL is nearly flat within a pass, and jumps "
        "where the next one begins; noise on each vector rises as a straight line; "
        "DP-SGD on samples lies below it, the more so at small budgets."
    ),
    caption=(f"A pass has {STEPS} steps. DP-FTRL has the normalized square root."),
    identity="what-a-pass-leaves",
    linked=Linked(("noise_multiplier", "epsilon", "epochs"), _noise_for),
    epsilon=Slider(EPSILONS, start=EPSILONS[7]),
    noise_multiplier=Slider(),
    epochs=Slider(PASSES, start=4),
)
def restarts(epsilon: float, noise_multiplier: float, epochs: int) -> list[Mark]:
    """Draw the noise of sums over several passes, for three methods.

    Examples
    --------
    >>> ftrl, vector, sampled, *_ = restarts(EPSILONS[0], 16.0, 4)
    >>> bool(ftrl.y[-1] < vector.y[-1]), bool(sampled.y[-1] < ftrl.y[-1])
    (True, True)
    """
    checks.one_of(EPSILONS, epsilon=epsilon)
    checks.one_of(PASSES, epochs=epochs)
    checks.positive(noise_multiplier=noise_multiplier)
    mu, last = gaussian_mu(epsilon, DELTA), STEPS * epochs
    t = np.unique(np.geomspace(1, STEPS, 25).round()).astype(int)
    ends = STEPS * np.unique(np.linspace(1, epochs, PASSES[-1]).round()).astype(int)
    inner = np.r_[ends[:-1] + 1, ends[1:]]
    t = np.sort(np.r_[t, inner])
    t = np.r_[t, np.full(60 - len(t), last)]  # as many points in every state
    table = noise_of_sampled_passes()["noise"]
    sampled = table[EPSILONS.index(epsilon)][PASSES.index(epochs)] * np.sqrt(t)
    ftrl = sqrt(epochs) / mu * with_restarts(epochs)[t - 1]
    vector = sqrt(epochs) / mu * np.sqrt(t)
    event = Gaussian(noise_multiplier, releases=epochs, relation=Relation.ZERO_OUT)
    ahead = "DP-FTRL" if ftrl[-1] < sampled[-1] else "DP-SGD on samples"
    passes = "1 pass" if epochs == 1 else "{epochs} passes"
    return [
        Line(t, ftrl, "DP-FTRL with restarts", "private"),
        Line(t, vector, "noise on each vector", "reference"),
        Line(t, sampled, "DP-SGD on samples", "bound"),
        Sentence(
            f"At ε = {{epsilon}} over {passes}, DP-FTRL has λ = {{noise_multiplier}}, "
            f"and its last sum has noise of {write(float(ftrl[-1]))} clip norms. "
            f"DP-SGD on samples has {write(float(sampled[-1]))}, noise on each vector "
            f"{write(float(vector[-1]))}: {ahead} is ahead."
        ),
        Spent(event, DELTA),
    ]
