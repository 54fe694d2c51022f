"""Figure of the chapter on fleets: how well a fleet learns if devices drop out.

The digits are dealt out to a thousand simulated devices, each with a taste for some
classes, by a Dirichlet distribution.
"""

from functools import cache

import numpy as np

from ... import checks, data, losses
from ...accounting import noise_multiplier
from ...algorithms.federated import federated_ftrl as federated
from ...algorithms.federated import participation_rule
from ...algorithms.federated.federated_ftrl import federated_ftrl
from ...algorithms.matrices import buffered_toeplitz, matrix_mechanism, optimal_buffers
from ...algorithms.matrices.matrix_mechanism import MatrixMechanism
from ...arrays import Rng
from ...auditing import Tape
from ...constraints import Everywhere
from ...data import fleets
from ...figures.axes import Axes
from ...figures.explore import Slider
from ...figures.figure import figure
from ...figures.marks import Band, Line, Mark, Points, Sentence, Spent
from ...figures.results import stored
from ...privacy import Gaussian, Relation
from ...problem import Problem
from .board import DELTA

DEVICES, COHORT, ROUNDS, APART = 1000, 20, 120, 40
EPSILONS = (1.0, 2.0, 4.0, 8.0)
CONCENTRATIONS = (0.1, 100.0)
TWO_FLEETS = tuple(f"{alpha:g}" for alpha in CONCENTRATIONS)  # a switch
DROPOUTS = (0.0, 0.25, 0.5, 0.75)
KNOWN = {
    "cohort": COHORT,
    "clip_norm": 1.0,
    "learning_rate": 1.0,
    "local_steps": 5,
    "local_learning_rate": 2.0,
}


@cache
def images() -> tuple[Problem, np.ndarray, np.ndarray]:
    """Split the digits: 1,500 for the devices, and 297 to test.

    Examples
    --------
    >>> D, X, y = images()
    >>> D.n, D.p, len(y)
    (1500, 650, 297)
    """
    digits, order = data.digits(), np.random.default_rng(0).permutation(1797)
    here, test = order[:1500], order[1500:]
    D = Problem(digits.X[here], digits.y[here], losses.softmax(10), Everywhere())
    return D, digits.X[test], digits.y[test]


@cache
def mechanism() -> MatrixMechanism:
    """Make the noise: one buffer, for three turns that are 40 rounds apart.

    Examples
    --------
    >>> mechanism().memory, mechanism().participations
    (1, 3)
    """
    rule = {"participations": -(-ROUNDS // APART), "separation": APART}
    # pyright takes an int of `rule` for any keyword's value.
    buffers = optimal_buffers.optimal_buffers(ROUNDS, buffers=1, **rule)  # pyright: ignore[reportArgumentType]
    return MatrixMechanism(buffers, ROUNDS, **rule)  # pyright: ignore[reportArgumentType]


def accuracy(lam: float, alpha: float, dropout: float, seed: int, rng: Rng) -> float:
    """Train one simulated fleet, and count the test images it recognizes, in 100.

    Parameters
    ----------
    lam : float
        The noise multiplier of all rounds together.
    alpha : float
        The concentration of the Dirichlet distribution.
    dropout : float
        How probable it is that a device which takes part is never heard of.
    seed : int
        Of the fleet: who holds what, and who is there when.
    rng : int, Generator or Tape
        Of the noise.
    """
    D, X, y = images()
    owners = fleets.dirichlet_owners(
        D.y, devices=DEVICES, concentration=alpha, rng=np.random.default_rng([seed, 0])
    )
    check_ins, lost = fleets.simulated_rounds(
        steps=ROUNDS, devices=DEVICES, check_in_rate=1 / (DEVICES / COHORT - APART + 1),
        dropout_rate=dropout, rng=np.random.default_rng([seed, 1]),
    )  # fmt: skip
    theta = federated_ftrl(
        D, owners=owners, check_ins=check_ins, dropouts=lost, mechanism=mechanism(),
        noise_multiplier=lam, rng=rng, **KNOWN,
    ).theta  # fmt: skip
    right = (X @ theta.reshape(X.shape[1], -1)).argmax(axis=1) == y
    return 100 * float(np.mean(right))


@stored(
    uses=(
        federated,
        participation_rule,
        fleets,
        losses,
        buffered_toeplitz,
        matrix_mechanism,
        optimal_buffers,
    ),
    epsilons=EPSILONS,
    concentrations=CONCENTRATIONS,
    dropouts=DROPOUTS,
    runs=2,
    seed=0,
)
def accuracy_of_fleets(
    epsilons: tuple[float, ...],
    concentrations: tuple[float, ...],
    dropouts: tuple[float, ...],
    runs: int,
    seed: int,
) -> dict:
    """Measure fleets on test images: mean, least and most of some of them."""
    return {
        "private": [
            [_row(epsilon, alpha, dropouts, [seed + k for k in range(runs)])
             for alpha in concentrations]
            for epsilon in epsilons
        ],
        "without_noise": [
            [
                round(accuracy(1.0, alpha, share, seed, Tape([])), 3)
                for share in dropouts
            ]
            for alpha in concentrations
        ],
    }  # fmt: skip


def _row(epsilon: float, alpha: float, shares: tuple, seeds: list[int]) -> dict:
    lam = noise_multiplier(epsilon, DELTA, relation=Relation.ZERO_OUT)
    found = np.array(
        [
            [
                accuracy(lam, alpha, share, s, np.random.default_rng([s, 2]))
                for s in seeds
            ]
            for share in shares
        ]
    )
    columns = {"mean": found.mean(1), "low": found.min(1), "high": found.max(1)}
    return {name: np.round(column, 3).tolist() for name, column in columns.items()}


@figure(
    axes=Axes(
        "share of devices that drop out",
        "images recognized, in %",
        xlim=(0, 0.75),
        ylim=(0, 100),
        xticks=DROPOUTS,
    ),
    title="Dropouts cost accuracy, not privacy",
    alt=(
        "Two lines that fall to the right. Without noise the fall is smaller. With "
        "noise the line is lower, and falls by more the smaller the budget is."
    ),
    caption=(
        "A simulated fleet: 1,500 digits on 1,000 devices, 120 rounds of about 20, at "
        "most 3 turns, 40 rounds apart. Softmax regression, one buffer. Mean of two "
        "fleets, with both in the band; one of 297 test images is 0.3%. A record is a "
        "device with all that it holds. Nothing was tuned."
    ),
    identity="dropouts-and-accuracy",
    picks="dropout_rate",
    epsilon=Slider(EPSILONS, start=2.0),
    concentration=Slider(TWO_FLEETS, start="0.1"),
    dropout_rate=Slider(DROPOUTS, start=0.5),
)
def fleet_accuracy(
    epsilon: float, concentration: str, dropout_rate: float
) -> list[Mark]:
    """Draw how well a fleet learns against the share of devices that drop out.

    Examples
    --------
    >>> _, mean, *_ = fleet_accuracy(8.0, "100", 0.25)
    >>> bool(mean.y[0] > mean.y[-1])
    True
    """
    checks.one_of(EPSILONS, epsilon=epsilon)
    checks.one_of(TWO_FLEETS, concentration=concentration)
    checks.one_of(DROPOUTS, dropout_rate=dropout_rate)
    values, i = accuracy_of_fleets(), TWO_FLEETS.index(concentration)
    row, j = values["private"][EPSILONS.index(epsilon)][i], DROPOUTS.index(dropout_rate)
    lam = noise_multiplier(epsilon, DELTA, relation=Relation.ZERO_OUT)
    silent = values["without_noise"][i]
    return [
        Band(DROPOUTS, row["low"], row["high"], "with noise", "private"),
        Line(DROPOUTS, row["mean"], "with noise", "private"),
        Line(DROPOUTS, silent, "without noise", "non_private"),
        Points(
            [dropout_rate],
            [row["mean"][j]],
            "your share",
            "private",
            moves="dropout_rate",
        ),
        Sentence(
            f"ε = {{epsilon}} needs the same noise whoever drops out. If a share of "
            f"{{dropout_rate}} does, at α = {{concentration}}, the model recognizes "
            f"{row['mean'][j]:.1f}% of the test images; without noise {silent[j]:.1f}%."
        ),
        Spent(Gaussian(lam, relation=Relation.ZERO_OUT), DELTA),
    ]
