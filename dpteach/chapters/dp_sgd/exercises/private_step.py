"""Exercise: repair one step of DP-SGD for least squares."""

# ruff: noqa: ARG005  (formulas of one table share one signature)

from math import sqrt

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


def gradients(w: np.ndarray, X: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Compute the gradient of each record's squared loss, a row each."""
    return (X @ w - y)[:, None] * X


def cut(G: np.ndarray, C: float) -> np.ndarray:
    """Scale each row to norm at most C."""
    return G / np.maximum(np.linalg.norm(G, axis=-1, keepdims=True) / C, 1.0)


def _total(w, X, y, C: float) -> np.ndarray:
    return cut(gradients(w, X, y), C).sum(axis=0)


_LATE = (
    "Each record's gradient must be cut before the sum. If only the sum is cut, one "
    "record may still turn the whole step."
)
_NO_CLIP = "No gradient was clipped."
# Functions of (w, X, y, C, lr, batch) that give a wrong step at sigma = 0.
STEPS = (
    (lambda w, X, y, C, lr, b: w - lr * cut(gradients(w, X, y).sum(0), C) / b, _LATE),
    (lambda w, X, y, C, lr, _: w - lr * cut(gradients(w, X, y).mean(0), C), _LATE),
    (lambda w, X, y, _, lr, b: w - lr * gradients(w, X, y).sum(0) / b, _NO_CLIP),
    (
        lambda w, X, y, C, lr, _: w - lr * _total(w, X, y, C) / max(len(X), 1),
        "You divide by the number of records that came. That number is secret and "
        "random; the expected batch size is public.",
    ),
    (
        lambda w, X, y, C, lr, b: (
            w - lr * np.clip(gradients(w, X, y), -C, C).sum(0) / b
        ),
        "Each coordinate is cut by itself, so a record may pull by C in each of them.",
    ),
)

_VARIANCE = "That is a variance: rng.normal takes a standard deviation."
# Functions of (C, sigma, lr, batch, n) that the noise may be too large by.
FACTORS = (
    (
        lambda C, *_: 1 / C,
        "C is missing: a record pulls with a force of up to C.",
    ),
    (
        lambda C, sigma, lr, b, n: b,
        "The noise is added after the division by batch: it belongs to the sum.",
    ),
    (
        lambda C, sigma, lr, b, n: b / max(n, 1),
        "The noise is divided by the number of records that came.",
    ),
    (
        lambda C, sigma, lr, b, n: sqrt(max(n, 1)),
        "The noise is drawn once for each record; one draw for the sum is enough.",
    ),
    (lambda C, sigma, *_: C * sigma, _VARIANCE),
)


def _noiseless(w, X, y, C: float, lr: float, batch: int) -> np.ndarray:
    return w - lr * cut(gradients(w, X, y), C).sum(axis=0) / batch


def _data(rng: np.random.Generator, n: int, p: int):
    """Half of the gradients are longer than the clip norms in use, half are not."""
    w, X, y = rng.normal(size=p), rng.normal(size=(n, p)), rng.normal(size=n)
    size = np.linalg.norm(gradients(w, X, y), axis=1)
    goal = np.where(np.arange(n) % 2, 0.3, 5.0) * rng.uniform(0.7, 1.4, n)
    X = X * np.sqrt(goal / size)[:, None]
    return w, X, X @ w - np.sign(rng.normal(size=n)) * goal / np.linalg.norm(X, axis=1)


def _without_noise(student: Student, rng: np.random.Generator) -> None:
    for n, p, batch, C in (
        (6, 4, 6, 0.8), (9, 3, 5, 6.0), (4, 1, 8, 0.8), (33, 40, 20, 0.8),
        (1, 3, 1, 0.8), (2, 400, 2, 0.8),
    ):  # fmt: skip
        w, X, y = _data(rng, n, p)
        X[1:2] = 0.0  # a gradient of zeros
        lr = 0.3
        seed = np.random.default_rng(int(n))
        found = student.array((p,), w, X, y, C, 0.0, lr, batch, seed)
        wanted = _noiseless(w, X, y, C, lr, batch)
        # In single precision, a difference of w and of X w - y is left.
        if not np.allclose(found, wanted, rtol=2e-4, atol=1e-5):
            moved, goal = np.linalg.norm(found - w), np.linalg.norm(wanted - w)
            raise Fault(
                f"the step at sigma = 0, for {n} records, C = {C}, lr = {lr}, "
                f"batch = {batch}",
                f"a move of length {moved:.4g}{_aside(found - w, wanted - w)}",
                f"one of length {goal:.4g}, against the clipped gradients",
                matching_hint(
                    found,
                    STEPS,
                    (w, X, y, C, lr, batch),
                    "Clip each gradient, add them up, divide by batch, step downhill.",
                    wanted,
                ),
            )


def _aside(move: np.ndarray, goal: np.ndarray) -> str:
    lengths = np.linalg.norm(move) * np.linalg.norm(goal)
    if not lengths:
        return ""
    angle = np.degrees(np.arccos(np.clip(move @ goal / lengths, -1.0, 1.0)))
    return f", turned by {angle:.0f}°" if angle > 1 else ""


def _sensitivity(student: Student, rng: np.random.Generator) -> None:
    w, X, y = _data(rng, 7, 4)
    X[3], y[3] = 30 * X[3], 30 * y[3] + 40
    C, lr, batch = 0.8, 0.3, 5

    def step(X: np.ndarray, y: np.ndarray) -> np.ndarray:
        rng = np.random.default_rng(1)
        return student.array((4,), w, X, y, C, 0.0, lr, batch, rng)

    full, most = step(X, y), lr * C / batch
    for j in range(len(X)):
        moved = np.linalg.norm(full - step(np.delete(X, j, 0), np.delete(y, j)))
        if moved > most * (1 + 1e-5):  # in single precision, too
            raise Fault(
                f"how far the step at sigma = 0 moves when record {j} leaves",
                f"{moved:.4g}",
                f"at most lr · C / batch = {most:.4g}",
                "One record moves the step by more than C allows, and the noise covers "
                "only C.",
            )


def _fresh(student: Student, rng: np.random.Generator) -> None:
    w, X, y = _data(rng, 5, 3)
    demand_fresh_noise(student, (3,), rng, w, X, y, 1.0, 1.0, 0.1, 4)


def _noise(student: Student, rng: np.random.Generator) -> None:
    _noise_at(student, rng, (7, 16), (0.8, 1.3, 0.3, 5), RUNS)
    # Other constants that are forgotten show at once, so a quick look is enough.
    _noise_at(student, rng, (7, 4), (2.5, 0.6, 0.1, 3), RUNS[:1])


def _noise_of_short_gradients(student: Student, rng: np.random.Generator) -> None:
    demand_noise_for_short_gradients(
        lambda: _noise_at(student, rng, (6, 3), (40.0, 0.9, 0.2, 4), RUNS[:1])
    )


_Constants = tuple[float, float, float, int]  # C, sigma, lr, batch


_UNEVEN = (
    "Is one number added to all coordinates? Then differences of coordinates "
    "carry no noise at all: draw one for each coordinate."
)


def _noise_at(
    student: Student,
    rng: np.random.Generator,
    shape: tuple[int, int],
    constants: _Constants,
    stages: tuple[int, ...],
) -> None:
    C, sigma, lr, batch = constants
    w, X, y = _data(rng, *shape)
    arguments = w, X, y, C, sigma, lr, batch
    mean, goal = _noiseless(w, X, y, C, lr, batch), lr * C * sigma / batch
    step = f"at C = {C}, sigma = {sigma}, lr = {lr}, batch = {batch}"
    names = f"the noise {step}", f"the step {step},"
    demand_noise_around(
        student, rng, arguments, mean, goal, names,
        lambda ratios: wrong_deviation(
            ratios, ("lr · C · sigma / batch", goal), names[0], _UNEVEN, FACTORS,
            (*constants, len(X)),
        ), stages,
    )  # fmt: skip


def _empty_batch(student: Student, rng: np.random.Generator) -> None:
    w, X, y = rng.normal(size=4), np.zeros((0, 4)), np.zeros(0)
    still = student.array((4,), w, X, y, 1.0, 0.0, 0.1, 5, np.random.default_rng(2))
    if not np.allclose(still, w):
        raise Fault(
            "the step at sigma = 0, for a batch without records",
            f"a move of length {np.linalg.norm(still - w):.3g}",
            "no move",
            "The sum of no gradients is zero.",
        )
    try:
        demand_fresh_noise(student, (4,), rng, w, X, y, 1.0, 1.0, 0.1, 5)
    except Fault as fault:
        fault.quantity += ", for a batch without records"
        fault.hint = "Without noise, everybody would see that the batch was empty."
        raise
    _noise_at(student, rng, (0, 4), (1.5, 0.7, 0.2, 4), RUNS[:1])


EXERCISE = Exercise(
    name="private_step",
    parameters=("w", "X", "y", "C", "sigma", "lr", "batch", "rng"),
    title="Repair a step of DP-SGD",
    statement="""\
The function below should take one step of DP-SGD for least squares, and has several
faults. Repair it. For the records $(x_i, y_i)$ in the rows of `X`, of shape $(n, p)$,
and the entries of `y`, with the loss $\\frac12 (\\langle w, x_i\\rangle - y_i)^2$, it
should return

$$w - \\frac{\\texttt{lr}}{\\texttt{batch}} \\Big(\\sum_i \\mathrm{clip}_C(g_i)
+ \\mathcal N(0,\\ C^2 \\sigma^2 I_p)\\Big), \\qquad
\\mathrm{clip}_C(g) = g \\cdot \\min\\{1,\\ C/\\|g\\|_2\\},$$

where $g_i$ is the gradient of record $i$ at $w$. The records were drawn by tossing a
coin for each, so their number varies: `batch` is the **expected** number, a public
constant, and a batch may be empty. All randomness must come from `rng`, a NumPy
`Generator`. Leave the arguments as they are.""",
    starter="""\
import numpy as np


def private_step(w, X, y, C, sigma, lr, batch, rng):
    residuals = X @ w - y
    gradient = (residuals[:, None] * X).mean(axis=0)
    gradient = gradient * min(1.0, C / np.linalg.norm(gradient))
    noise = rng.normal(0.0, sigma)
    return w - lr * (gradient + noise / batch)""",
    worked=(
        """\
private_step(
    np.zeros(2),
    np.array([[3.0, 4.0], [0.1, 0.0]]),
    np.array([1.0, 1.0]),
    C=1.0,
    sigma=0.0,
    lr=0.5,
    batch=4,
    rng=np.random.default_rng(0),
)""",
        "[0.0875, 0.1]",
        "Without noise. The gradients at 0 are −y x: (−3, −4), of norm 5, and "
        "(−0.1, 0). Cut to norm 1 the first is (−0.6, −0.8); the second stays. Their "
        "sum is (−0.7, −0.8), and the step is −0.5/4 of that.",
    ),
    hints=(
        "How far can one record move the result? Remove a record with a huge label, at "
        "`sigma = 0`, and look.",
        "What has shape $(n, p)$, and what has shape $(p,)$? Clipping acts on the "
        "first, noise on the second.",
        "How many numbers does `rng.normal(0.0, sigma)` draw? And in what unit is the "
        "force of one record measured?",
    ),
    checks=(
        ("without noise, the step is that of the clipped gradients", _without_noise),
        ("no record moves the step by more than lr · C / batch", _sensitivity),
        ("the noise is fresh, and drawn from rng", _fresh),
        ("the noise has the right size, in every direction", _noise),
        ("the noise does not depend on the gradients", _noise_of_short_gradients),
        ("a batch without records", _empty_batch),
    ),
    praise="After T steps this is √T/sigma-GDP: clip each gradient, add noise to the "
    "sum, and divide by a public number.",
)

EXPLANATION = r"""There are five faults. The starter clips the mean instead of each
gradient. It divides by the number of records that came, inside the mean. It draws one
number of noise for all coordinates. Its noise lacks the factor $C$. And a batch without
records gives a mean of nothing, which is not a number.

```python
import numpy as np


def private_step(w, X, y, C, sigma, lr, batch, rng):
    G = (X @ w - y)[:, None] * X
    G = G / np.maximum(np.linalg.norm(G, axis=1, keepdims=True) / C, 1.0)
    noise = rng.normal(0.0, C * sigma, size=w.shape)
    return w - lr / batch * (G.sum(axis=0) + noise)
```

*Clip each gradient.* Then one record moves the sum by at most $C$, whatever it holds.
If only the sum is clipped, one long gradient may turn all of it.

*Add noise to the sum, in units of $C$.* The sum moves by at most $C$, so noise of
deviation $C\sigma$ makes the step $1/\sigma$-GDP. Each coordinate needs a number of its
own: with one number for all, the difference of two coordinates has no noise.

*Divide by a constant.* The number of records that came differs between neighbors. A
division by it moves the result by more than $C$ over the batch size, and reveals the
number itself. The expected size is public and costs nothing."""
