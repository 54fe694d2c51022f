"""Figure of the chapter on sampling: a user with many records."""

import numpy as np

from ... import checks
from ...accounting import calibrate
from ...figures.axes import Axes
from ...figures.explore import Linked, Slider
from ...figures.figure import figure
from ...figures.marks import Line, Mark, Points, Sentence, Spent
from ...figures.results import stored
from ...figures.style import write
from ...privacy import Approximate, Relation, SampledGaussian
from . import mixtures
from .mixtures import binomial_pairs, composed_epsilon

DELTA, RATE = 1e-6, 0.01
EPSILONS = (0.25, 0.5, 1.0, 2.0)
STEPS = (100, 1000, 10_000)
RECORDS = (1, 2, 5, 10, 20, 50)


@stored(
    uses=(mixtures,),
    epsilons=EPSILONS,
    steps=STEPS,
    records=RECORDS,
    rate=RATE,
    seed=0,
)
def prices_of_users(
    epsilons: tuple, steps: tuple, records: tuple, rate: float, seed: int
) -> dict:
    """Price users of many records, at the noise that one record needs for ε."""
    del seed  # nothing here is drawn
    table = {}
    for epsilon in epsilons:
        for T in steps:
            lam = calibrate(
                lambda z, T=T: SampledGaussian(
                    z, rate=rate, releases=T, relation=Relation.ADD_REMOVE
                ),
                epsilon,
                DELTA,
            )
            prices = []
            for k in records:
                pairs = binomial_pairs(lam, trials=k, probability=rate, reach=1)
                price = composed_epsilon(pairs, releases=T, delta=DELTA)
                prices.append(round(price, 5))
            table[f"{epsilon:g} {T}"] = {"noise": round(lam, 6), "prices": prices}
    return table


def _noise(epsilon: float, steps: int) -> float:
    return prices_of_users()[f"{epsilon:g} {int(steps)}"]["noise"]


@figure(
    axes=Axes(
        "records of one user k",
        "ε for this user, δ = 10⁻⁶",
        xlim=(1, 50),
        ylim=(0.2, 500),
        xscale="log",
        yscale="log",
        xticks=RECORDS,
        yticks=(1, 10, 100),
    ),
    title="Sample records, or sample users?",
    alt=(
        "A curve of the price for a user rises with the number of records, below a "
        "straight line of k times the price of one record. A level line below shows "
        "what sampling users costs."
    ),
    caption=(
        "q = 0.01. The upper curve is a proved bound for a user whose k records are "
        "sampled independently, each clipped. The level line samples users, and clips "
        "each user’s whole contribution once. The total is that of the upper curve."
    ),
    identity="users-and-records",
    linked=Linked(("noise_multiplier", "epsilon", "steps"), _noise),
    epsilon=Slider(EPSILONS, start=1.0),
    noise_multiplier=Slider(),
    steps=Slider(STEPS, start=1000),
    records_per_user=Slider(RECORDS, start=10),
)
def user_price(
    epsilon: float, noise_multiplier: float, steps: int, records_per_user: int
) -> list[Mark]:
    """Compare the price of one record with that of a user who has many.

    Examples
    --------
    >>> line, *_ = user_price(1.0, 0.9, 1000, 10)
    >>> round(float(line.y[0]), 3)  # a user with one record
    1.0
    """
    checks.one_of(EPSILONS, epsilon=epsilon)
    checks.positive(noise_multiplier=noise_multiplier)
    checks.one_of(STEPS, steps=int(steps))
    checks.one_of(RECORDS, records_per_user=int(records_per_user))
    prices = prices_of_users()[f"{epsilon:g} {int(steps)}"]["prices"]
    now = prices[RECORDS.index(int(records_per_user))]
    return [
        Line(RECORDS, prices, "records are sampled", "broken"),
        Line(RECORDS, epsilon * np.array(RECORDS), "k times ε", "reference"),
        Line(RECORDS, np.full(len(RECORDS), epsilon), "users are sampled", "private"),
        Points([records_per_user], [now], "your k", "broken", moves="records_per_user"),
        Sentence(
            f"One record costs ε = {{epsilon}} after {{steps}} steps at λ = "
            f"{{noise_multiplier}}. With k = {{records_per_user}} a user pays up "
            f"to {write(now)}. If users are sampled instead, with the same q, T and "
            f"λ, the user pays {write(epsilon)}."
        ),
        Spent(Approximate(now, DELTA, relation=Relation.ADD_REMOVE), DELTA),
    ]
