"""Experiments on banded factorizations: the cost of bands, and the gain of sampling."""

from functools import cache
from math import ceil

import numpy as np

from ... import checks
from ...accounting import calibrate, gaussian_mu
from ...algorithms.matrices import factorization, toeplitz
from ...algorithms.matrices.factorization import Factorization
from ...algorithms.matrices.toeplitz import banded_event, banded_factorization
from ...figures.axes import Axes
from ...figures.explore import Linked, Slider
from ...figures.figure import figure
from ...figures.marks import (
    Cells,
    Line,
    Mark,
    Points,
    Sentence,
    Spent,
)
from ...figures.predict import Draw
from ...figures.results import stored
from ...figures.style import write
from ...privacy import Gaussian, Relation

WIDTHS = (1, 2, 4, 8, 16, 32, 64, 128, 256)


@cache
def _banded(bands: int, steps: int) -> Factorization:
    return banded_factorization(steps, bands=bands)


@figure(
    axes=(
        Axes(
            "vector",
            "row of C, the first on top",
            xlim=(0.5, 32.5),
            ylim=(0.5, 32.5),
            yticks=(),
            title="T = 32",
        ),
        Axes(
            "bands b",
            "noise of a sum (one release: 1)",
            xlim=(1, 256),
            ylim=(2, 12),
            xscale="log",
            yscale="log",
            xticks=WIDTHS,
            yticks=(2, 3, 5, 12),
            title="T = 256",
        ),
    ),
    title="From independent noise to the square root",
    alt=(
        "A square of cells shows the matrix for the chosen number of bands: a diagonal "
        "for one band, a full triangle for many. In the panel “T = 256”, the noise of "
        "a sum falls from 11 to below 3 as bands are added."
    ),
    caption=(
        "Root mean square over all T sums, one participation per record, no sampling. "
        "The matrix is its first 32 rows and columns."
    ),
    identity="bands-and-error",
    bands=Slider(WIDTHS, start=8),
)
def bands_and_error(bands: int) -> list[Mark]:
    """Show how bands link steps, from DP-SGD to the square root.

    Examples
    --------
    >>> cells, error, *_ = bands_and_error(1)  # the identity: 32 full cells
    >>> int((cells.level > 0).sum()), len(error.x) == len(WIDTHS)
    (32, True)
    """
    checks.one_of(WIDTHS, bands=bands)
    size = 32
    C = _banded(min(bands, size), size).encoder
    row, column = np.indices(C.shape).reshape(2, -1) + 1
    errors = [_banded(b, 256).mean_error for b in WIDTHS]
    now = errors[WIDTHS.index(bands)]
    kept = "1 vector" if bands == 2 else f"{bands - 1} vectors"
    return [
        Cells(column, size + 1 - row, C.ravel(), "entry of C", "private"),
        Line(WIDTHS, errors, "noise of a sum", "private", panel=1),
        Points([bands], [now], "your b", "private", panel=1, moves="bands"),
        Sentence(
            f"At b = {{bands}} a stream keeps {kept} of noise in memory, and a sum has "
            f"{write(now)} times the noise of one release. Steps that lie {bands} or "
            "more apart share no noise."
        ),
    ]


# ------------------------------------------------------------- bands and sampling

STEPS, RATE, DELTA = 1024, 1e-3, 1e-5
BUDGETS = (0.5, 0.7, 1.0, 1.4, 2.0, 2.8, 4.0, 5.7, 8.0)
BANDS = (1, 4, 16, 64, 256, 1024)


@stored(
    uses=(toeplitz, factorization),
    epsilons=BUDGETS,
    delta=DELTA,
    bands=BANDS,
    steps=STEPS,
    rate=RATE,
    seed=0,
)
def noise_of_sampled_bands(
    epsilons: tuple,
    delta: float,
    bands: tuple,
    steps: int,
    rate: float,
    seed: int,  # noqa: ARG001  (nothing is drawn)
) -> dict:
    """Find the least noise multipliers, all by the same accountant, and the errors.

    Nothing is drawn, so the seed has no effect here.
    """

    def least(epsilon: float, b: int) -> float:
        if b * rate >= 1:  # every record of a group is in: no sampling is left
            return ceil(steps / b) ** 0.5 / gaussian_mu(epsilon, delta)
        return calibrate(
            lambda z: banded_event(
                steps,
                bands=b,
                sampling_rate=rate,
                noise_multiplier=z,
                relation=Relation.ZERO_OUT,
            ),
            epsilon,
            delta,
        )

    return {
        "noise": [
            [float(f"{least(epsilon, b):.6g}") for b in bands] for epsilon in epsilons
        ],
        "error": [
            float(f"{banded_factorization(steps, bands=b).mean_error:.6g}")
            for b in bands
        ],
    }


def _least_noise(epsilon: float, bands: int) -> float:
    rows = noise_of_sampled_bands()["noise"]
    return rows[BUDGETS.index(epsilon)][BANDS.index(int(bands))]


@figure(
    asks=Draw(
        "how-many-bands",
        "Few bands mean more amplification by sampling, and many bands mean more "
        "correlation. Independent noise has one band, and 14.5 at ε = 1. Draw the "
        "noise as bands are added.",
        hides=[
            "noise of a sum",
            "your b",
            "sampling lost",
            "correlation lost",
            "both gains in full",
        ],
        why="The two gains trade off. With little noise sampling is worth next to "
        "nothing, and all bands win; with more noise fewer bands do.",
    ),
    axes=(
        Axes(
            "bands b",
            "noise of a sum, in clip norms",
            xlim=(-0.5, len(BANDS) - 0.5),
            ylim=(1, 30),
            yscale="log",
            xticks={k: write(b) for k, b in enumerate(BANDS)},
            yticks=(1, 2, 5, 10, 20),
        ),
    ),
    title="How many bands, if batches are sampled?",
    alt=(
        "A bar of three parts for each number of bands. From left to right the part "
        "for sampling lost grows, and the one for correlation lost shrinks. The "
        "whole is a valley: it falls from one band to some 64, and rises again to "
        "1024. For a large budget it falls all the way."
    ),
    caption=(
        "T = 1,024 steps; a batch holds one record in 1,000 on average. Gray: the λ of "
        "one band with the error of all. On top, factors: how much more λ is needed, "
        "and how much larger the error is. One accountant throughout."
    ),
    identity="bands-and-sampling",
    linked=Linked(("noise_multiplier", "epsilon", "bands"), _least_noise),
    epsilon=Slider(BUDGETS, start=1),
    noise_multiplier=Slider(),
    bands=Slider(BANDS, start=64),
)
def bands_and_sampling(
    epsilon: float, noise_multiplier: float, bands: int
) -> list[Mark]:
    """Draw the noise of sums over the number of bands, with sampled batches.

    Examples
    --------
    >>> *_, valley, _, _, _ = bands_and_sampling(1.0, 1.0, 64)
    >>> BANDS[int(np.argmin(valley.y))]  # neither DP-SGD nor the square root
    64
    """
    checks.one_of(BUDGETS, epsilon=epsilon)
    checks.one_of(BANDS, bands=bands)
    checks.positive(noise_multiplier=noise_multiplier)
    errors = np.array(noise_of_sampled_bands()["error"])
    multipliers = np.array([_least_noise(epsilon, b) for b in BANDS])
    noise, here = errors * multipliers, BANDS.index(bands)
    # what would be left if one band's sampling met the correlation of all
    least = np.full(len(BANDS), multipliers[0] * errors[-1])
    sampled, best = multipliers * errors[-1], BANDS[int(np.argmin(noise))]
    one = Gaussian(1 / gaussian_mu(epsilon, DELTA), relation=Relation.ZERO_OUT)
    return [
        _part(np.ones(len(BANDS)), least, here, "both gains in full", "reference"),
        _part(least, sampled, here, "sampling lost", "bound"),
        _part(sampled, noise, here, "correlation lost", "measured"),
        Line(range(len(BANDS)), noise, "noise of a sum", "private"),
        Points([here], [noise[here]], "your b", "private", moves="bands"),
        Sentence(
            f"With b = {{bands}}, ε = {{epsilon}} needs λ = {{noise_multiplier}}, and "
            f"a sum has {write(errors[here])} times that, {write(noise[here])} clip "
            f"norms. DP-SGD, one band, needs λ = {write(multipliers[0])} and has "
            f"{write(noise[0])}; of the values shown {write(best)} is best."
        ),
        Spent(one, DELTA),  # what every bar spends
    ]


def _part(low: np.ndarray, high: np.ndarray, here: int, label: str, role: str) -> Cells:
    """Stack a part on each bar; that of the chosen one is full."""
    level = np.where(np.arange(len(low)) == here, 1.0, 0.5)
    middle, height = (low + high) / 2, high - low
    return Cells(range(len(low)), middle, level, label, role, width=0.66, height=height)
