"""Exercise: repair a step of DP-SGD whose batch comes in micro-batches."""

# ruff: noqa: ARG005  (formulas of one table share one signature)

from math import ceil, sqrt

import numpy as np

from ....grading.distributions import RUNS
from ....grading.exercise import Exercise
from ....grading.ladder import (
    demand_fresh_noise,
    demand_noise_around,
    demand_noise_for_short_gradients,
    matching_hint,
    ratio_hint,
)
from ....grading.report import Fault
from ....grading.student import Student
from ...dp_sgd.exercises.private_step import cut


def _parts(G: np.ndarray, size: int) -> list[np.ndarray]:
    return [G[i : i + size] for i in range(0, len(G), size)]


def _whole(G: np.ndarray, size: int) -> np.ndarray:
    return G[: len(G) // size * size]


_LATE = (
    "Each record's gradient must be cut, not the sum or the mean of a micro-batch: "
    "there one record may turn the whole."
)
# Functions of (G, C, batch, size) that give a wrong answer at sigma = 0.
_SUMS = (
    (lambda G, C, b, k: sum(cut(part.sum(0), C) for part in _parts(G, k)) / b, _LATE),
    (lambda G, C, b, k: sum(cut(part.mean(0), C) for part in _parts(G, k)) / b, _LATE),
    (
        lambda G, C, b, k: cut(_whole(G, k), C).sum(0) / b,
        "The last micro-batch is shorter than the others, and its records are lost.",
    ),
    (
        lambda G, C, b, k: sum(cut(part, C).mean(0) for part in _parts(G, k)) / b,
        "The micro-batches are averaged before they are added up.",
    ),
    (
        lambda G, C, b, k: cut(G, C).sum(0) / len(G),
        "You divide by the number of records that came. That number is secret; the "
        "expected batch size is public.",
    ),
)
# Functions of (C, sigma, batch, count) that the noise may be too large by.
_FACTORS = (
    (
        lambda C, sigma, b, count: sqrt(count),
        "Each micro-batch gets the whole noise. One draw for all of them is enough.",
    ),
    (
        lambda C, sigma, b, count: 1 / sqrt(count),
        "Each micro-batch gets an equal share of the deviation. But variances add up, "
        "not deviations, so the total is too small.",
    ),
    (
        lambda C, sigma, b, count: 1 / count,
        "The noise was divided by the number of micro-batches.",
    ),
    (lambda C, sigma, b, count: 1 / C, "C is missing: a record pulls by up to C."),
    (
        lambda C, sigma, b, count: b,
        "The noise is added after the division by batch: it belongs to the sum.",
    ),
)


def _wanted(G: np.ndarray, C: float, batch: float) -> np.ndarray:
    return cut(G, C).sum(axis=0) / batch


def _data(rng: np.random.Generator, n: int, p: int) -> np.ndarray:
    """Half of the gradients are longer than the clip norms in use, half are not."""
    G = rng.normal(size=(n, p))
    goal = np.where(np.arange(n) % 2, 0.3, 5.0) * rng.uniform(0.7, 1.4, n)
    return G * (goal / np.linalg.norm(G, axis=1))[:, None]


def _without_noise(student: Student, rng: np.random.Generator) -> None:
    for n, p, size, batch, C in (
        (6, 3, 2, 5.0, 0.8), (7, 4, 3, 6.0, 0.8), (2, 2, 5, 3.0, 0.8),
        (9, 3, 4, 5.0, 6.0), (33, 40, 8, 20.0, 0.8), (1, 1, 2, 3.0, 0.8),
        (5, 3, 1, 4.0, 0.8), (3, 400, 2, 2.0, 0.8),
    ):  # fmt: skip
        G = _data(rng, n, p)
        if n > 2:
            G[2] = 0.0
        arguments = (G, C, 0.0, batch, size, np.random.default_rng(n))
        found, wanted = student.array((p,), *arguments), _wanted(G, C, batch)
        if not np.allclose(found, wanted, rtol=2e-4, atol=1e-6):
            raise Fault(
                f"the result at sigma = 0, for {n} records in micro-batches of {size}",
                f"an array of length {np.linalg.norm(found):.4g}",
                f"one of length {np.linalg.norm(wanted):.4g}, whatever size is",
                matching_hint(
                    found,
                    _SUMS,
                    (G, C, batch, size),
                    "Cut each gradient, add all of them up, and divide by batch once.",
                    wanted,
                ),
            )


def _fresh(student: Student, rng: np.random.Generator) -> None:
    demand_fresh_noise(student, (3,), rng, _data(rng, 5, 3), 1.0, 1.0, 4.0, 2)


def _noise(student: Student, rng: np.random.Generator) -> None:
    _noise_at(student, rng, (7, 16), (0.8, 1.3, 5.0, 2), RUNS)
    # Other sizes that are forgotten show at once, so a quick look is enough.
    _noise_at(student, rng, (6, 4), (2.5, 0.6, 3.0, 3), RUNS[:1])
    _noise_at(student, rng, (0, 4), (1.5, 0.7, 4.0, 2), RUNS[:1])


def _noise_of_short_gradients(student: Student, rng: np.random.Generator) -> None:
    demand_noise_for_short_gradients(
        lambda: _noise_at(student, rng, (6, 4), (30.0, 0.9, 4.0, 2), RUNS[:1])
    )


def _noise_at(
    student: Student,
    rng: np.random.Generator,
    shape: tuple[int, int],
    constants: tuple[float, float, float, int],
    stages: tuple[int, ...],
) -> None:
    C, sigma, batch, size = constants
    n, p = shape
    G = _data(rng, n, p)
    arguments, goal = (G, C, sigma, batch, size), C * sigma / batch
    mean, count = _wanted(G, C, batch), ceil(n / size)
    case = f"the noise at C = {C}, sigma = {sigma}, batch = {batch:g}, {n} records "
    case += f"in micro-batches of {size}"
    known = C, sigma, batch, max(count, 1)
    demand_noise_around(
        student, rng, arguments, mean, goal, (case, "the result"),
        lambda ratios: _noise_fault(case, ratios, goal, known), stages,
    )  # fmt: skip


def _noise_fault(case: str, ratios: np.ndarray, goal: float, constants: tuple) -> Fault:
    hint = "Draw one number for each coordinate: differences must carry noise too."
    if ratios[-1] == 0:
        hint = "There is none. Is it drawn however many micro-batches there are?"
    elif ratios[-1] - ratios[0] < 1e-6 * ratios[-1]:
        other = "One draw is enough, for the sum of all micro-batches."
        hint = ratio_hint(ratios[-1], _FACTORS, constants, other, 1.0)
    return Fault(
        f"the standard deviation of {case}",
        f"from {ratios[0]:.3g} to {ratios[-1]:.3g} times what is asked for",
        f"C · sigma / batch = {goal:.4g}, in every direction",
        hint,
    )


EXERCISE = Exercise(
    name="accumulated_step",
    parameters=("G", "C", "sigma", "batch", "size", "rng"),
    title="Find the bug in accumulation",
    statement="""\
A batch does not fit into memory. So it is processed in **micro-batches** of `size`
records, the last of which may be shorter, and the results are accumulated. Rows of `G`,
of shape $(n, p)$, are the gradients of the records that came. The function below should
return the noisy gradient of the whole batch,

$$\\frac{1}{\\texttt{batch}} \\Big(\\sum_i \\mathrm{clip}_C(g_i)
+ \\mathcal N(0,\\ C^2 \\sigma^2 I_p)\\Big),$$

and it must not depend on `size` how much noise that has. `batch` is the **expected**
number of records, a public constant; the batch may even be empty. The code below has
three faults. Repair it. All randomness must come from `rng`, a NumPy `Generator`.""",
    starter="""\
import numpy as np


def accumulated_step(G, C, sigma, batch, size, rng):
    total, count = np.zeros(G.shape[1]), len(G) // size
    for k in range(count):
        g = G[k * size : (k + 1) * size].sum(axis=0)
        g = g * min(1.0, C / np.linalg.norm(g))
        total += g + C * sigma / count * rng.standard_normal(G.shape[1])
    return total / batch""",
    worked=(
        """\
accumulated_step(
    np.array([[3.0, 4.0], [0.1, 0.0], [0.0, -0.5]]),
    C=1.0,
    sigma=0.0,
    batch=2.0,
    size=2,
    rng=np.random.default_rng(0),
)""",
        "[0.35, 0.15]",
        "Without noise. The first gradient has norm 5 and is cut to (0.6, 0.8); the "
        "two others stay. The sum of all three, the last of which is alone in its "
        "micro-batch, is (0.7, 0.3), and half of that is asked for.",
    ),
    hints=(
        "Which record can move the result by more than C / batch? Try one with a very "
        "long gradient, at `sigma = 0`.",
        "Seven records in micro-batches of two: which rows does the loop read?",
        "Three independent draws of deviation s add up to one of deviation √3 · s, not "
        "3 s. How many draws does the sum need at all?",
    ),
    checks=(
        ("without noise, the result is that of the whole batch", _without_noise),
        ("the noise is fresh, and drawn from rng", _fresh),
        ("the noise has the size of one draw, whatever size is", _noise),
        ("the noise does not depend on the gradients", _noise_of_short_gradients),
    ),
    praise="Clip each record, accumulate, and add noise once: then a micro-batch is a "
    "matter of memory, and ε never hears of it.",
)

EXPLANATION = r"""
The code has three faults.

1. **It clips the sum of a micro-batch.** Then one record with a very long gradient
   decides the direction of its whole micro-batch. Leaving it out may turn the clipped
   sum around, which moves the result by $2C$. Each record must be clipped by itself.
2. **It drops the last records.** `len(G) // size` micro-batches of `size` records do
   not reach the end, unless `size` divides the number of records.
3. **It adds noise that depends on `size`.** `count` independent draws of deviation
   $C\sigma/\texttt{count}$ add up to a deviation of only
   $C\sigma/\sqrt{\texttt{count}}$, and for an empty batch there is no noise at all. One
   draw for the whole batch is enough.

```python
import numpy as np


def accumulated_step(G, C, sigma, batch, size, rng):
    total = np.zeros(G.shape[1])
    for start in range(0, len(G), size):
        part = G[start : start + size]
        norms = np.linalg.norm(part, axis=1, keepdims=True)
        total += (part / np.maximum(norms / C, 1.0)).sum(axis=0)
    noise = C * sigma * rng.standard_normal(G.shape[1])
    return (total + noise) / batch
```

**Why it is right.** A sum of sums is the sum, so `size` changes memory and nothing
else. One record moves the total by $C$ at most. The noise is added once, even if no
record came, and both are divided by a public number.

**What wrong answers overlook.** Noise of deviation $C\sigma$ for *each* micro-batch is
private, but it costs accuracy for nothing. Dividing by `len(G)` publishes a private
number. A maximum with 1 in the divisor also takes care of a gradient of zeros.
"""
