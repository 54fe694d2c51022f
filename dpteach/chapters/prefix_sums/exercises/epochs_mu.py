"""Exercise: what several epochs cost, in one tree and with restarts."""

# ruff: noqa: ARG005  (formulas of one table share one signature)

from functools import partial
from math import ceil, log2, sqrt

import numpy as np

from ....algorithms.streams.participation import (
    epochs_squared_sensitivity,
    squared_sensitivity,
)
from ....grading.exercise import Exercise
from ....grading.ladder import ratio_hint
from ....grading.report import Fault
from ....grading.student import Student


def _squared(steps: int, epochs: int, restart: bool) -> int:
    return epochs_squared_sensitivity(
        steps_per_epoch=steps,
        epochs=epochs,
        estimator="honaker",
        restart_every=steps if restart else None,
    )


def _last_record(steps: int, epochs: int) -> int:
    T = steps * epochs
    visits = tuple(range(steps, T + 1, steps))
    return squared_sensitivity(visits, steps=T, estimator="honaker")


def _padded(steps: int, epochs: int) -> int:
    """Count the nodes that hold unused leaves too."""
    T = steps * epochs
    full = 1 << (T - 1).bit_length()
    return max(
        squared_sensitivity(
            tuple(range(b, T + 1, steps)), steps=full, estimator="honaker"
        )
        for b in range(1, steps + 1)
    )


_ROOT = "μ is a length: the root of a sum of squares, over the noise."
# Wrong numbers of (steps, epochs, restart, sigma), and what they reveal.
_MISREAD = (
    (
        lambda s, E, again, sigma: _squared(s, E, again) / sigma,
        "That is the square of how far the nodes move. " + _ROOT,
    ),
    (
        lambda s, E, again, sigma: sqrt(_squared(s, E, True)) / sigma,
        "This prices a new tree for each epoch. Here one tree goes on: a tall node "
        "holds the same record several times.",
    ),
    (
        lambda s, E, again, sigma: sqrt(E * (s * E).bit_length()) / sigma,
        "This adds up single passes. A node in which the record comes c times moves by "
        "c, and counts as c².",
    ),
    (
        lambda s, E, again, sigma: E * sqrt(s.bit_length()) / sigma,
        "The epochs are added up as lengths. Trees with fresh noise are separate "
        "releases: their squares add up.",
    ),
    (
        lambda s, E, again, sigma: sqrt(_squared(s, E, False)) / sigma,
        "This is the price of a single tree. With restarts no node reaches from one "
        "epoch into the next.",
    ),
    (
        # not 0 for s = 1, as hints divide by it
        lambda s, E, again, sigma: sqrt(E * max(ceil(log2(s)), 1e-12)) / sigma,
        "A tree over s sums has one level more when s is a power of two.",
    ),
    (
        lambda s, E, again, sigma: sqrt(s.bit_length()) / sigma,
        "The record comes once in every epoch, not only once.",
    ),
    (
        lambda s, E, again, sigma: sqrt(_last_record(s, E)) / sigma,
        "That is the price of the last record of an epoch. Another one lies below more "
        "nodes.",
    ),
    (
        lambda s, E, again, sigma: sqrt(_padded(s, E)) / sigma,
        "Nodes that reach beyond the last step are never complete, so they are never "
        "published.",
    ),
    (
        lambda s, E, again, sigma: E * sqrt((s * E).bit_length()) / sigma,
        "This takes every node to hold the record once in each epoch. Small nodes lie "
        "within one epoch.",
    ),
)


def _demand(
    student: Student, _: np.random.Generator, restart: bool, cases: tuple
) -> None:
    for steps, epochs, sigma in cases:
        found = student.number(steps, epochs, restart, sigma)
        wanted = sqrt(_squared(steps, epochs, restart)) / sigma
        if abs(found / wanted - 1) > 1e-6:
            how = "a new tree in each epoch" if restart else "one tree"
            raise Fault(
                f"μ of {epochs} epochs of {steps} steps in {how}, at sigma = {sigma:g}",
                f"{found:.5g}",
                f"{wanted:.5g}",
                ratio_hint(
                    found,
                    _MISREAD,
                    (steps, epochs, restart, sigma),
                    "For each place in the epoch count, node by node, how often the "
                    "record lies below it.",
                    wanted,
                ),
            )


def _anywhere(student: Student, rng: np.random.Generator) -> None:
    for case in ((1, 1, 1.5), (1, 6, 2.0), (6, 1, 2.0)):
        for restart in (False, True):
            _demand(student, rng, restart, (case,))
    for _ in range(6):
        case = int(rng.integers(1, 24)), int(rng.integers(2, 6)), rng.uniform(0.5, 9)
        for restart in (False, True):
            _demand(student, rng, restart, (case,))


EXERCISE = Exercise(
    name="epochs_mu",
    parameters=("steps", "epochs", "restart", "sigma"),
    title="What do several epochs cost?",
    statement="""\
A stream runs through the same records again and again: each of `epochs` epochs has
`steps` steps, one record a step, always in the same order. So a record comes once in
every epoch, at the same place. Its vector has norm at most 1 each time, and neighbors
differ by one record that is zeroed out wherever it comes.

The sums are published from a binary tree whose nodes carry Gaussian noise of standard
deviation `sigma`. **All complete nodes** of a tree are published: $[1]$, $[2]$,
$[1,2]$, $[3]$, …, but none that reaches beyond the last step. If `restart` is true,
each epoch has a new tree with fresh noise; if not, one tree runs through all epochs.

Write `epochs_mu(steps, epochs, restart, sigma)`, which returns the least $\\mu$ for
which all nodes together are $\\mu$-GDP: that of the record for which it is largest.""",
    starter="""\
import math


def epochs_mu(steps, epochs, restart, sigma):
    levels = steps.bit_length()
    return epochs * math.sqrt(levels) / sigma  # your code here""",
    worked=(
        "round(epochs_mu(3, 2, False, 2.0) ** 2 * 4, 6)",
        "8.0",
        "Two epochs of 3 steps in one tree: the first record comes in steps 1 and 4. "
        "It lies once in [1], [4], [1, 2] and [3, 4], and twice in [1, 4]. So the "
        "nodes move by a vector of squared length 1 + 1 + 1 + 1 + 4 = 8, and no "
        "record does worse. With sigma = 2, μ² is 8/4.",
    ),
    hints=(
        "Take one node. If the record comes $c$ times below it, how far does its sum "
        "move at most, and what does that add to the squared length?",
        "Give step $t = 1, 2, \\dots$ the number $t - 1$. In which node of height $h$ "
        "does it lie, and is that node complete?",
        "With restarts the epochs are separate releases, and all alike.",
    ),
    checks=(
        (
            "a new tree in each epoch",
            partial(_demand, restart=True, cases=((4, 2, 2.0), (7, 3, 5.0))),
        ),
        (
            "one tree over two epochs",
            partial(_demand, restart=False, cases=((4, 2, 1.5), (3, 2, 2.0))),
        ),
        (
            "one tree over more epochs",
            partial(_demand, restart=False, cases=((5, 3, 3.0), (7, 9, 2.0))),
        ),
        ("both, for any epochs", _anywhere),
    ),
    praise="In one tree the price grows almost like the number of epochs, with "
    "restarts only like its root. In return a restart leaves the noise of each old "
    "tree in all later sums.",
)

EXPLANATION = r"""If a record comes $c$ times below a node, then the node's sum moves by
up to $c$, since all its vectors may point in one direction. The noise of the nodes is
independent, so squares add up: $\mu^2 = \max \sum_v c_v^2/\sigma^2$, over the places
that a record may have.

```python
import math
from collections import Counter


def epochs_mu(steps, epochs, restart, sigma):
    if restart:  # the epochs are separate releases, and the first record is the worst
        return math.sqrt(epochs * steps.bit_length()) / sigma
    T, worst = steps * epochs, 0
    for place in range(steps):
        count = Counter()
        for t in range(place, T, steps):
            size = 1
            while (t // size + 1) * size <= T:  # the node ends within the stream
                count[size, t // size] += 1
                size *= 2
        worst = max(worst, sum(c * c for c in count.values()))
    return math.sqrt(worst) / sigma
```

*What wrong answers overlook.* The product of the price of one pass and the root of the
number of epochs counts $\sum_v c_v$. It is right if no node holds a record twice, as
with restarts. In one tree the tall nodes hold it in every epoch, and $c^2$ is much more
than $c$. In the other direction, `epochs` times the price of one pass is too much,
since small nodes hold a record only once."""
