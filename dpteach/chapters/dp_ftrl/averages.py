"""Figure of the chapter on DP-FTRL: regret while learning, and risk on new records."""

import numpy as np

from ... import checks
from ...algorithms.streams import _runs, ftrl
from ...data import synthetic
from ...figures.axes import Axes
from ...figures.explore import Slider
from ...figures.figure import figure
from ...figures.marks import (
    Line,
    Mark,
    Sentence,
    Spent,
)
from ...figures.predict import Draw
from ...figures.results import stored
from ...figures.style import write
from ...privacy import Gaussian, Relation
from . import passes as passes_module
from .passes import (
    DELTA,
    EPOCHS,
    PLACES,
    RECORDS,
    WEIGHTS,
    noise_for,
    one_run,
    releases,
)

EPSILONS = (10, 15, 20, 30, 50, 70, 100)
REGULARIZATION = 10


@stored(
    uses=(
        passes_module,
        ftrl,
        _runs,
        synthetic,
    ),
    epsilons=EPSILONS,
    regularization=REGULARIZATION,
    draws=400,
    seed=0,
)
def regret_and_risk(
    epsilons: tuple[float, ...],
    regularization: float,
    draws: int,
    seed: int,
) -> dict:
    """Average regret and risk over draws of the records and of the noise."""
    table = [
        np.mean([one_run(e, regularization, seed + k) for k in range(draws)], axis=0)
        for e in epsilons
    ]
    one = one_run(epsilons[0], regularization, seed)
    # Four digits: what differs between machines is not stored.
    return {
        "regret and risk": np.round(np.array(table), 4).tolist(),
        "first draw": np.round(one, 4).tolist(),
    }


@figure(
    asks=Draw(
        "second-pass",
        "After the first pass the same records come again, and the average regret "
        "keeps falling. Draw the risk of the average model on new records.",
        hides=["risk of the average model"],
        why="It falls more slowly, and nothing here proves that it falls at all. From "
        "the second pass on, regret is measured on records that the models have "
        "learned from, so it makes them look too good.",
    ),
    axes=Axes(
        "passes over the records",
        "per record, above that of θ*",
        xlim=(0, EPOCHS),
        ylim=(0, 0.18),
    ),
    title="Regret, and risk on new records",
    alt=(
        "Two falling lines. In the first pass the risk is below the regret; in later "
        "passes the regret keeps falling, but the risk does not follow."
    ),
    caption=f"Means of 400 draws of {RECORDS} planted records in {WEIGHTS} dimensions, "
    f"each with its own noise; logistic loss, Λ = {REGULARIZATION}. The budget is for "
    f"all {EPOCHS} passes in one tree. It is large, because 64 records teach little at "
    "a small budget.",
    identity="online-to-batch",
    epsilon=Slider(EPSILONS, start=30),
)
def one_pass_or_more(epsilon: float) -> list[Mark]:
    """Follow regret and risk through one pass over the records, and five more.

    Examples
    --------
    >>> regret, risk, *_ = one_pass_or_more(100)
    >>> bool((risk.y <= regret.y)[:4].all())  # online to batch, in the first pass
    True
    """
    table = regret_and_risk()["regret and risk"]
    checks.one_of(EPSILONS, epsilon=epsilon)
    regret, risk = (np.array(each) for each in table[EPSILONS.index(epsilon)])
    x, first = PLACES / RECORDS, int(np.flatnonzero(PLACES == RECORDS)[0])
    event = Gaussian(
        noise_for(epsilon), releases=releases(), relation=Relation.ZERO_OUT
    )
    return [
        Line(x, regret, "average regret so far", "measured"),
        Line(x, risk, "risk of the average model", "private"),
        Line([1, 1], [0, 0.18], "end of the first pass", "reference"),
        Sentence(
            f"After one pass the regret is {write(regret[first])} per record and the "
            f"excess risk {write(risk[first])}. After {EPOCHS} passes they are "
            f"{write(regret[-1])} and {write(risk[-1])}."
        ),
        Spent(event, DELTA),
    ]
