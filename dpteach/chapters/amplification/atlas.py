"""Figure of the chapter on sampling: what seven ways to draw batches really cost."""

import math
from typing import Any

import numpy as np

from ... import checks
from ...accounting import calibrate, epsilon_of, gaussian_epsilon
from ...algorithms.gradients import sampled_sgd
from ...algorithms.gradients.sampled_sgd import fixed_batches_event
from ...figures.axes import Axes
from ...figures.explore import Linked, Slider
from ...figures.figure import figure
from ...figures.marks import Cells, Line, Mark, Points, Sentence, Spent
from ...figures.predict import Place
from ...figures.results import stored
from ...figures.style import write
from ...privacy import AllocatedGaussian, Approximate, Relation, SampledGaussian
from . import audits, mixtures
from .audits import MEMBERS, SCHEMES, audited_epsilon
from .mixtures import binomial_pairs, composed_epsilon

DELTA = 1e-6
EPSILONS = (0.5, 1.0, 2.0, 4.0, 8.0)
STEPS = (100, 1000, 10_000)
EPOCHS = (1, 5, 20)
ROWS, BATCHES = 12, 6  # of the picture: records, and batches in each of two epochs
GAP, ABSENT = 0.6, 0.125  # between the epochs; the shade of who is not in a batch


def accounted_epsilon(
    scheme: str, noise_multiplier: float, *, steps: int, epochs: int, delta: float
) -> float:
    r"""Bound from above the ε of a sampling scheme.

    Examples
    --------
    >>> settings = {"steps": 1000, "epochs": 1, "delta": 1e-6}
    >>> for scheme in ("Poisson", "fixed size", "shuffled"):
    ...     print(scheme, round(accounted_epsilon(scheme, 1.0, **settings), 2))
    Poisson 0.19
    fixed size 4.24
    shuffled 4.89
    """
    checks.one_of(SCHEMES, scheme=scheme)
    checks.positive(noise_multiplier=noise_multiplier)
    checks.count(steps=steps, epochs=epochs)
    lam, batches = noise_multiplier, steps // epochs
    if scheme in ("fixed order", "shuffled"):
        return gaussian_epsilon(math.sqrt(epochs) / lam, delta)
    if scheme == "Poisson":
        return epsilon_of(_coins(lam, epochs / steps, steps), delta)
    if scheme == "fixed size":
        event = fixed_batches_event(lam, batch_size=1, n=batches, releases=steps)
        return epsilon_of(event, delta)
    if scheme == "with replacement":
        pairs = binomial_pairs(
            lam, trials=MEMBERS, probability=1 / (MEMBERS * batches), reach=2
        )
        return composed_epsilon(pairs, releases=steps, delta=delta)
    # E steps of T cost no more than one step in each of E blocks [Feldman and Shenfeld]
    event = AllocatedGaussian(
        lam, steps=batches, releases=epochs, relation=Relation.ADD_REMOVE
    )
    return epsilon_of(event, delta)


def _coins(lam: float, rate: float, steps: int) -> SampledGaussian:
    return SampledGaussian(lam, rate=rate, releases=steps, relation=Relation.ADD_REMOVE)


@stored(
    uses=(mixtures, audits, sampled_sgd),
    epsilons=EPSILONS,
    steps=STEPS,
    epochs=EPOCHS,
    names=SCHEMES,
    seed=0,
)
def prices_of_sampling(
    epsilons: tuple, steps: tuple, epochs: tuple, names: tuple, seed: int
) -> dict:
    """Price and audit each scheme at the noise that Poisson batches need for ε."""
    del seed  # nothing here is drawn
    table = {}
    for epsilon in epsilons:
        for T in steps:
            for E in epochs:
                lam = calibrate(lambda z, T=T, E=E: _coins(z, E / T, T), epsilon, DELTA)
                given = {"steps": T, "epochs": E, "delta": DELTA}
                bins = accounted_epsilon("balls and bins", lam, **given)
                row = []
                for scheme in names:
                    most = (
                        bins
                        if scheme == "random allocation"
                        else accounted_epsilon(scheme, lam, **given)
                    )
                    row.append([audited_epsilon(scheme, lam, **given), most])
                found = np.round(row, 5).tolist()
                table[f"{epsilon:g} {T} {E}"] = {"noise": round(lam, 6), "row": found}
    return table


def _cell(epsilon: float, steps: int, epochs: int) -> dict:
    return prices_of_sampling()[f"{epsilon:g} {int(steps)} {int(epochs)}"]


def _noise(epsilon: float, steps: int, epochs: int) -> float:
    return _cell(epsilon, steps, epochs)["noise"]


PRICES = (0.09, 150.0)  # the ends of the axis

# What is drawn, in a word or two, and for which neighbors its price holds.
_TOLD = {
    "fixed order": "The order is fixed, so everybody knows when a record comes.",
    "shuffled": "One shuffle for each epoch. No tight price is known.",
    "fixed size": "Each batch is drawn anew; a drawn record displaces another.",
    "with replacement": "Each place of a batch is drawn anew: one may come twice.",
    "balls and bins": "In each epoch every record picks one batch on its own.",
    "random allocation": "Over the whole run every record picks E of the T steps.",
    "Poisson": "Every record tosses a coin for each step.",
}


def _drawn(scheme: str) -> np.ndarray:
    """Draw who is in which batch of two epochs, shape (records, steps)."""
    rng, steps = np.random.default_rng(12), 2 * BATCHES
    times = np.zeros((ROWS, steps), int)
    records, size = np.arange(ROWS), ROWS // BATCHES
    for epoch in range(2):
        first = epoch * BATCHES
        if scheme in ("fixed order", "shuffled"):
            order = rng.permutation(ROWS) if scheme == "shuffled" else records
            times[order, first + records // size] = 1
        elif scheme == "balls and bins":
            times[records, first + rng.integers(BATCHES, size=ROWS)] = 1
    for t in range(steps):
        if scheme == "fixed size":
            times[rng.choice(ROWS, size, replace=False), t] = 1
        elif scheme == "with replacement":
            np.add.at(times[:, t], rng.integers(ROWS, size=size), 1)
        elif scheme == "Poisson":
            times[:, t] = rng.random(ROWS) < 1 / BATCHES
    if scheme == "random allocation":
        for i in records:
            times[i, rng.choice(steps, 2, replace=False)] = 1
    return times


def _batches(scheme: str) -> list[Mark]:
    """Fill a cell for each record of a batch; the top row is yours."""
    drawn = _drawn(scheme)
    # darker where a record comes twice, and pale where it does not come
    times = np.array([ABSENT, 0.7, 1.0])[np.minimum(drawn, 2)]
    y, x = np.divmod(np.arange(ROWS * 2 * BATCHES), 2 * BATCHES)
    top, x = y == ROWS - 1, x + 0.5 + GAP * (x >= BATCHES)
    level = times[::-1].ravel()
    return [
        Cells(x[~top], y[~top] + 0.5, level[~top], "other records", "private",
              width=0.9, height=0.8),
        Cells(x[top], y[top] + 0.5, level[top], "your record", "broken",
              width=0.9, height=0.8),
    ]  # fmt: skip


def _ranges(row: np.ndarray, at: int, claimed: float) -> list[Mark]:
    """Draw how far each price exceeds the claim: as audits find, and as is proved."""
    heights = len(SCHEMES) - np.arange(len(SCHEMES))
    lit = np.where(heights == heights[at], 0.25, 0.0)
    least, most = row.T
    found = np.maximum(least, claimed)
    return [
        Cells([(PRICES[0] + PRICES[1]) / 2] * len(SCHEMES), heights, lit,
              "the scheme shown", "measured", width=PRICES[1] - PRICES[0],
              height=0.9, panel=1),
        _bars(claimed, found, heights, 1.0, "audited: at least", "broken"),
        _bars(least, most, heights, 0.375, "not known", "reference"),
        Line([claimed, claimed], [0.4, len(SCHEMES) + 0.6], "claimed, for Poisson",
             "non_private", panel=1),
        Points(most, heights, "accounted: at most", "bound", panel=1),
    ]  # fmt: skip


def _bars(
    low: Any, high: np.ndarray, y: np.ndarray, level: float, label: str, role: str
) -> Cells:
    """Draw a level bar in each row."""
    x, width = (low + high) / 2, high - low
    shade = np.full(len(y), level)
    return Cells(x, y, shade, label, role, width=width, height=0.5, panel=1)


@figure(
    asks=Place(
        "shuffled-price",
        "One pass takes 1,000 batches, with the noise for which Poisson sampling "
        "would cost ε = 1. But the list was shuffled and cut instead. What is the "
        "true ε?",
        hides=[
            "audited: at least",
            "not known",
            "accounted: at most",
        ],
        truth=7.4,
        why="At least 7.35 and at most 7.41, which is the price of a fixed order: "
        "each record comes exactly once, so an attacker who knows the others waits "
        "for the one sum that sticks out.",
        panel=1,
    ),
    axes=(
        Axes(
            "steps",
            "records",
            xlim=(0, 2 * BATCHES + GAP),
            ylim=(0, ROWS),
            xticks={BATCHES / 2: "epoch 1", 1.5 * BATCHES + GAP: "epoch 2"},
            yticks={ROWS - 0.5: "your record", ROWS / 2 - 0.5: "other records"},
            title="Who is in which batch?",
        ),
        Axes(
            "ε at δ = 10⁻⁶",
            "",
            xlim=PRICES,
            ylim=(0.4, len(SCHEMES) + 0.6),
            xscale="log",
            xticks=(0.1, 1, 10, 100),
            yticks={len(SCHEMES) - k: word for k, word in enumerate(SCHEMES)},
            title="What it costs, at the same noise",
        ),
    ),
    title="Seven ways to draw a batch, with the same noise",
    alt=(
        "In the panel “Who is in which batch?”, a table of records and steps, filled "
        "where a record takes part. In the panel “What it costs, at the same noise”, a "
        "row for each scheme, and a vertical line at the price that is claimed. A "
        "dark bar reaches from there to what an audit finds, and a pale one on to "
        "what is proved."
    ),
    caption=(
        "Audits: one exact attack. Prices: proved. Rows 3, 4: n or n − 1 records; "
        "the others: zero-out."
    ),
    identity="sampling-atlas",
    linked=Linked(("noise_multiplier", "epsilon", "steps", "epochs"), _noise),
    scheme=Slider(SCHEMES, start="shuffled"),
    epsilon=Slider(EPSILONS, start=1.0),
    noise_multiplier=Slider(),
    steps=Slider(STEPS, start=1000),
    epochs=Slider(EPOCHS, start=1),
)
def schemes(
    scheme: str, epsilon: float, noise_multiplier: float, steps: int, epochs: int
) -> list[Mark]:
    """Compare the audited and the accounted price of each way to draw batches.

    Examples
    --------
    >>> *_, sentence, spent = schemes("shuffled", 1.0, 0.697, 1000, 1)
    >>> print(spent.statement)
    Total privacy cost: ε = 7.41, δ = 10⁻⁶, when one record’s contribution becomes zero.
    """
    checks.one_of(SCHEMES, scheme=scheme)
    checks.one_of(EPSILONS, epsilon=epsilon)
    checks.positive(noise_multiplier=noise_multiplier)
    checks.one_of(STEPS, steps=int(steps))
    checks.one_of(EPOCHS, epochs=int(epochs))
    row = np.asarray(_cell(epsilon, steps, epochs)["row"])
    at = SCHEMES.index(scheme)
    least, most = row[at]
    found = f"an audit finds at least {write(least)}, and at most {write(most)}"
    displaced = scheme in ("fixed size", "with replacement")
    relation = Relation.ADD_REMOVE if displaced else Relation.ZERO_OUT
    return [
        *_batches(scheme),
        *_ranges(row, at, epsilon),
        Sentence(
            f"{_TOLD[scheme]} At ε = {{epsilon}}, {{steps}} steps, E = {{epochs}} and "
            f"λ = {{noise_multiplier}} {found} is proved."
        ),
        Spent(Approximate(most, DELTA, relation=relation), DELTA),
    ]
