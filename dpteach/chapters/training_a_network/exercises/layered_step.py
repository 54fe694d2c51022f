"""Exercise: repair a training step of a network with two layers."""

# ruff: noqa: ARG005  (formulas of one table share one signature)

import numpy as np

from ....grading.distributions import RUNS
from ....grading.exercise import Exercise
from ....grading.ladder import (
    demand_fresh_noise,
    demand_noise_around,
    demand_noise_for_short_gradients,
    matching_hint,
    wrong_deviation,
)
from ....grading.report import Fault
from ....grading.student import Student


def _whole(G: np.ndarray, H: np.ndarray) -> np.ndarray:
    return np.concatenate([G, H], axis=1)


def _cut(V: np.ndarray, C: float) -> np.ndarray:
    return V / np.maximum(np.linalg.norm(V, axis=1, keepdims=True) / C, 1.0)


def _sum(G: np.ndarray, H: np.ndarray, C: float) -> np.ndarray:
    V = _whole(G, H)
    return _cut(V[np.isfinite(V).all(axis=1)], C).sum(axis=0)


def _by_layer(G: np.ndarray, H: np.ndarray, C: float) -> np.ndarray:
    return np.concatenate([_cut(G, C).sum(axis=0), _cut(H, C).sum(axis=0)])


_LAYERS = (
    "Each layer is cut to C by itself, so a record may pull by √2 · C. Cut the "
    "gradient as a whole."
)
_COUNT = (
    "You divide by the number of records that came. That number is secret and random; "
    "the expected batch size is public."
)
_SUM = (
    "Each record's gradient must be cut before the sum. If only the sum is cut, one "
    "record may still turn the whole step."
)
# Functions of (w, G, H, C, lr, batch) that give a wrong step at sigma = 0.
_STEPS = (
    (lambda w, G, H, C, lr, b: w - lr * _sum(G, H, C) / len(G), _COUNT),
    (lambda w, G, H, C, lr, b: w - lr * _by_layer(G, H, C) / len(G), _LAYERS),
    (lambda w, G, H, C, lr, b: w - lr * _by_layer(G, H, C) / b, _LAYERS),
    (
        lambda w, G, H, C, lr, b: w - lr * _whole(G, H).sum(axis=0) / b,
        "No gradient was clipped.",
    ),
    (
        lambda w, G, H, C, lr, b: (
            w - lr * _cut(_whole(G, H).sum(axis=0)[None], C)[0] / b
        ),
        _SUM,
    ),
)
# Functions of (C, sigma, lr, batch, n) that the noise may be too large by.
_FACTORS = (
    (lambda C, sigma, lr, b, n: 1 / C, "C is missing: a record pulls by up to C."),
    (
        lambda C, sigma, lr, b, n: b,
        "The noise is added after the division by batch: it belongs to the sum.",
    ),
    (
        lambda C, sigma, lr, b, n: b / max(n, 1),
        "The noise is divided by the number of records that came.",
    ),
    (
        lambda C, sigma, lr, b, n: C * sigma,
        "That is a variance: rng.normal takes a standard deviation.",
    ),
    (
        lambda C, sigma, lr, b, n: np.sqrt(max(n, 1)),
        "The noise is drawn once for each record; one draw for the sum is enough.",
    ),
)
_P, _Q = 3, 2


def _data(
    rng: np.random.Generator, n: int, p: int = _P, q: int = _Q
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Half of the gradients are longer than the clip norms in use, half are not."""
    V = rng.normal(size=(n, p + q))
    goal = np.where(np.arange(n) % 2, 0.3, 5.0) * rng.uniform(0.7, 1.4, n)
    V *= (goal / np.linalg.norm(V, axis=1))[:, None]
    return rng.normal(size=p + q), V[:, :p].copy(), V[:, p:].copy()


def _demand_step(
    student: Student, w, G, H, constants: tuple, case: str, hint: str
) -> None:
    C, lr, batch = constants
    rng = np.random.default_rng(1)
    found = student.array(w.shape, w, G, H, C, 0.0, lr, batch, rng)
    wanted = w - lr * _sum(G, H, C) / batch
    if not np.allclose(found, wanted, rtol=2e-4, atol=1e-6):
        moved, goal = np.linalg.norm(found - w), np.linalg.norm(wanted - w)
        raise Fault(
            f"the step at sigma = 0, {case}, with C = {C}, lr = {lr}, batch = {batch}",
            f"a move of length {moved:.4g}",
            f"one of length {goal:.4g}, against the clipped gradients",
            matching_hint(found, _STEPS, (w, G, H, C, lr, batch), hint, wanted),
        )


def _without_noise(student: Student, rng: np.random.Generator) -> None:
    for n, p, q, constants in (
        (6, 3, 2, (0.8, 0.3, 6)), (9, 3, 2, (6.0, 0.3, 5)), (4, 3, 2, (0.8, 0.2, 8)),
        (33, 20, 1, (0.8, 0.3, 20)), (1, 1, 1, (0.8, 0.3, 1)),
        (3, 400, 2, (0.8, 0.3, 2)),
    ):  # fmt: skip
        w, G, H = _data(rng, n, p, q)
        G[2:3], H[2:3] = 0.0, 0.0  # a gradient of zeros
        _demand_step(
            student, w, G, H, constants, f"for {n} records",
            "Clip each gradient, add them up, divide by batch, step downhill.",
        )  # fmt: skip


def _sensitivity(student: Student, rng: np.random.Generator) -> None:
    w, G, H = _data(rng, 7)
    G[3], H[3], C, lr, batch = 30 * G[3], 30 * H[3], 0.8, 0.3, 5

    def step(keep: np.ndarray) -> np.ndarray:
        rng = np.random.default_rng(1)
        return student.array(w.shape, w, G[keep], H[keep], C, 0.0, lr, batch, rng)

    full, most = step(np.arange(7)), lr * C / batch
    for j in range(7):
        moved = np.linalg.norm(full - step(np.delete(np.arange(7), j)))
        if moved > most * (1 + 1e-5):  # in single precision, too
            raise Fault(
                f"how far the step at sigma = 0 moves when record {j} leaves",
                f"{moved:.4g}",
                f"at most lr · C / batch = {most:.4g}",
                "One record moves the step by more than C allows, and the noise covers "
                "only C.",
            )


def _not_finite(student: Student, rng: np.random.Generator) -> None:
    for value, entry in ((np.inf, 1), (-np.inf, 0), (np.nan, -1)):
        for layer in (1, 2):
            data = _data(rng, 6)
            data[layer][2, entry] = value
            C, lr, batch = 0.8, 0.3, 5
            _demand_step(
                student, *data, (C, lr, batch),
                f"for 6 records, of which one has {value} in its gradient",
                "That record counts as zero, all of it. Else one record could turn the "
                "whole model into nan, for all to see.",
            )  # fmt: skip


def _fresh(student: Student, rng: np.random.Generator) -> None:
    w, G, H = _data(rng, 5)
    demand_fresh_noise(student, w.shape, rng, w, G, H, 1.0, 1.0, 0.1, 4)


def _noise(student: Student, rng: np.random.Generator) -> None:
    _noise_at(student, rng, 7, (0.8, 1.3, 0.3, 5), RUNS)
    _noise_at(student, rng, 7, (2.5, 0.6, 0.1, 3), RUNS[:1])
    demand_noise_for_short_gradients(
        lambda: _noise_at(student, rng, 6, (40.0, 0.9, 0.2, 4), RUNS[:1])
    )


_UNEVEN = (
    "Does each entry get a number of its own, and in both layers? A layer "
    "without noise is published as it is."
)


def _noise_at(
    student: Student,
    rng: np.random.Generator,
    n: int,
    constants: tuple[float, float, float, int],
    stages: tuple[int, ...],
) -> None:
    C, sigma, lr, batch = constants
    w, G, H = _data(rng, n)
    arguments = w, G, H, C, sigma, lr, batch
    mean, goal = w - lr * _sum(G, H, C) / batch, lr * C * sigma / batch
    step = f"at C = {C}, sigma = {sigma}, lr = {lr}, batch = {batch}"
    names = f"the noise {step}", f"the step {step},"
    demand_noise_around(
        student, rng, arguments, mean, goal, names,
        lambda ratios: wrong_deviation(
            ratios, ("lr · C · sigma / batch", goal), names[0], _UNEVEN, _FACTORS,
            (*constants, n),
        ), stages,
    )  # fmt: skip


def _empty_batch(student: Student, rng: np.random.Generator) -> None:
    w, G, H = _data(rng, 0)
    _demand_step(
        student, w, G, H, (1.0, 0.1, 5), "for a batch without records",
        "The sum of no gradients is zero.",
    )  # fmt: skip
    try:
        demand_fresh_noise(student, w.shape, rng, w, G, H, 1.0, 1.0, 0.1, 5)
    except Fault as fault:
        fault.hint = "Without noise, everybody would see that the batch was empty."
        raise
    _noise_at(student, rng, 0, (1.5, 0.7, 0.2, 4), RUNS[:1])


EXERCISE = Exercise(
    name="layered_step",
    parameters=("w", "G", "H", "C", "sigma", "lr", "batch", "rng"),
    title="Repair a training step of a network",
    statement="""\
A network has two layers. Row $i$ of `G`, of shape $(n, p)$, is the gradient of record
$i$ in the weights of the first layer, row $i$ of `H`, of shape $(n, q)$, that in the
weights of the second. The array `w` holds all $p + q$ weights, those of the first layer
first. The function below has four faults. Repair it, so that it returns

$$w - \\frac{\\texttt{lr}}{\\texttt{batch}} \\Big(\\sum_i \\mathrm{clip}_C(g_i)
+ \\mathcal N(0,\\ C^2 \\sigma^2 I_{p+q})\\Big),$$

where $g_i$ is the **whole** gradient of record $i$, and $\\mathrm{clip}_C$ shortens it
to norm at most $C$. A record whose gradient holds a number that is not finite counts as
0. `batch` is the **expected** number of records, a public constant; a batch may be
empty. All randomness must come from `rng`, a NumPy `Generator`. Leave the arguments as
they are.""",
    starter="""\
import numpy as np


def layered_step(w, G, H, C, sigma, lr, batch, rng):
    sums = []
    for layer in (G, H):
        norms = np.linalg.norm(layer, axis=1, keepdims=True)
        sums.append((layer / np.maximum(norms / C, 1.0)).sum(axis=0))
    step = np.concatenate(sums)
    step[: G.shape[1]] += rng.normal(0.0, C * sigma, G.shape[1])
    return w - lr * step / max(len(G), 1)""",
    worked=(
        """\
layered_step(
    np.zeros(3),
    np.array([[3.0, 0.0], [0.1, 0.0]]),
    np.array([[4.0], [0.2]]),
    C=1.0,
    sigma=0.0,
    lr=0.5,
    batch=4,
    rng=np.random.default_rng(0),
)""",
        "[-0.0875, 0.0, -0.125]",
        "Without noise. The first gradient is (3, 0, 4), of norm 5, and is cut to "
        "(0.6, 0, 0.8). The second, (0.1, 0, 0.2), stays. The sum is "
        "(0.7, 0, 1), and the step is −0.5/4 of that.",
    ),
    hints=(
        "How far can one record move the result, if each of its two parts has norm C?",
        "Put the two layers side by side first: one row per record, one norm per row.",
        "Which entries of the model get no noise? And what does `len(G)` reveal?",
    ),
    checks=(
        ("without noise, the step is that of the clipped gradients", _without_noise),
        ("no record moves the step by more than lr · C / batch", _sensitivity),
        ("a record that is not finite counts as 0", _not_finite),
        ("the noise is fresh, and drawn from rng", _fresh),
        ("the noise has the right size, in both layers", _noise),
        ("a batch without records", _empty_batch),
    ),
    praise="After T steps this is √T/sigma-GDP, however deep the network is.",
)

EXPLANATION = r"""There are four faults. Each layer is clipped by itself, so one record
may move the sum by $\sqrt2\,C$. The noise is added to the first layer alone, and the
second one is published as it is. The divisor is the number of records that came. And
one record with a gradient of `nan` turns the whole model into `nan`, which nobody can
overlook.

```python
import numpy as np


def layered_step(w, G, H, C, sigma, lr, batch, rng):
    V = np.concatenate([G, H], axis=1)
    V = V[np.isfinite(V).all(axis=1)]
    norms = np.linalg.norm(V, axis=1, keepdims=True)
    total = (V / np.maximum(norms / C, 1.0)).sum(axis=0)
    return w - lr / batch * (total + rng.normal(0.0, C * sigma, w.shape))
```

*One vector.* For privacy a network is one vector of weights. A record's pull is the
norm of the whole of it. Clipping by layer is possible, too: clip norms $C_1$ and $C_2$
allow a pull of $\sqrt{C_1^2 + C_2^2}$, and the noise must be made for that.

*A record that is not finite.* Leaving it out is allowed, because it is decided by this
record alone: whether it counts depends on nobody else. So the sum still moves by at
most $C$."""
