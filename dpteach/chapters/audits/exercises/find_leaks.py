"""Exercise: find the leaks in a private sum of two layers' gradients."""

# ruff: noqa: ARG005  (formulas of one table share one signature)

import numpy as np

from ....grading.exercise import Exercise
from ....grading.ladder import (
    demand_fresh_noise,
    demand_measured_noise,
    demand_whole_numbers,
    found_noise,
    matching_hint,
    ratio_hint,
)
from ....grading.report import Fault
from ....grading.student import Student


def _clip(G: np.ndarray, C: float) -> np.ndarray:
    return G / np.maximum(np.linalg.norm(G, axis=1, keepdims=True) / C, 1.0)


def _joined(G1: np.ndarray, G2: np.ndarray) -> np.ndarray:
    return np.concatenate([G1, G2], axis=1)


def _step(G1: np.ndarray, G2: np.ndarray, C: float, batch: int) -> np.ndarray:
    return _clip(_joined(G1, G2), C).sum(axis=0) / batch


def _by_layer(G1, G2, C: float, batch: float) -> np.ndarray:
    return np.concatenate([_clip(G, C).sum(axis=0) for G in (G1, G2)]) / batch


_LAYERS = (
    "Each layer is clipped by itself. A record that is long in both then pulls by more "
    "than C."
)
_COUNT = (
    "You divide by the number of records that came. That number is private; `batch` is "
    "a public constant."
)
# Wrong answers that many give, and what they reveal: without noise, then with it.
_MISREAD = (
    (_by_layer, _LAYERS),
    (lambda G1, G2, C, _: _by_layer(G1, G2, C, max(len(G1), 1)), _LAYERS),
    (lambda G1, G2, C, _: _step(G1, G2, C, max(len(G1), 1)), _COUNT),
    (
        lambda G1, G2, C, b: _clip(_joined(G1, G2).sum(axis=0)[None], C)[0] / b,
        "The sum was clipped, not each record: one record may turn it around.",
    ),
    (
        lambda G1, G2, C, b: _joined(G1, G2).sum(axis=0) / b,
        "Nothing was clipped.",
    ),
)
_FACTORS = (
    (lambda C, *_: 1 / C, "C is missing: a record pulls by up to C."),
    (
        lambda C, sigma, batch, n: batch,
        "The noise is added after the division by `batch`: it belongs to the sum.",
    ),
    (
        lambda C, sigma, batch, n: 1 / batch,
        "The noise is divided by the batch twice.",
    ),
    (
        lambda C, sigma, batch, n: batch / max(n, 1),
        "The noise is divided by the number of records that came, which is private.",
    ),
    (lambda C, sigma, *_: C * sigma, "That is a variance, not a deviation."),
)


def _layers(rng: np.random.Generator, n: int, p: int, q: int):
    size = 10.0 ** np.linspace(-1, 1, n)[:, None] if n else np.zeros((0, 1))
    return rng.normal(size=(n, p)) * size, rng.normal(size=(n, q)) * size


# n, p, q, C and batch
_CASES = (
    (6, 3, 3, 0.8, 8), (9, 2, 5, 2.5, 7), (4, 1, 1, 0.3, 5), (33, 40, 7, 1.5, 20),
    (1, 3, 2, 0.8, 1), (2, 400, 2, 0.8, 2),
)  # fmt: skip


def _without_noise(student: Student, rng: np.random.Generator) -> None:
    for n, p, q, C, batch in _CASES:
        G1, G2 = _layers(rng, n, p, q)
        G1[2:3], G2[2:3] = 0.0, 0.0
        # two records just below the clip norm, and just above it
        goal = C * np.array([0.95, 1.05])[:n]
        size = np.linalg.norm(_joined(G1, G2)[:2], axis=1) / goal
        G1[:2] /= size[:, None]
        G2[:2] /= size[:, None]
        zero = np.random.default_rng(1)
        found = student.array((p + q,), G1, G2, C, 0.0, batch, zero)
        wanted = _step(G1, G2, C, batch)
        if not np.allclose(found, wanted, rtol=1e-6, atol=1e-9):
            raise Fault(
                f"the step at sigma = 0, for {n} records, layers of {p} and {q} "
                f"weights, C = {C} and batch = {batch}",
                np.array2string(found, precision=4),
                np.array2string(wanted, precision=4),
                matching_hint(
                    found,
                    _MISREAD,
                    (G1, G2, C, batch),
                    "What is the norm of a whole record, over both layers?",
                    wanted,
                ),
            )


def _empty(student: Student, rng: np.random.Generator) -> None:
    G1, G2 = _layers(rng, 0, 2, 3)
    found = student.array((5,), G1, G2, 1.0, 0.0, 4, rng)
    if found.any():
        raise Fault(
            "the step at sigma = 0, for a batch without records",
            np.array2string(found, precision=4),
            "zeros",
            "The sum of no gradients is zero.",
        )


def _fresh(student: Student, rng: np.random.Generator) -> None:
    G1, G2 = _layers(rng, 5, 2, 2)
    demand_fresh_noise(student, (4,), rng, G1, G2, 1.0, 1.0, 4)


def _noise(student: Student, rng: np.random.Generator) -> None:
    for n, p, q, C, sigma, batch in (
        (6, 9, 7, 0.8, 1.7, 8),
        (0, 2, 2, 2.5, 0.6, 3),
        (5, 2, 4, 1.6, 2.2, 9),
        (4, 3, 2, 200.0, 0.9, 5),  # no gradient is as long as C
    ):
        G1, G2 = _layers(rng, n, p, q)
        arguments = G1, G2, C, sigma, batch
        told = (
            f"the noise for {n} records, layers of {p} and {q} weights, C = {C}, "
            f"sigma = {sigma} and batch = {batch}"
        )
        mean, scale = _step(G1, G2, C, batch), C * sigma / batch
        found = found_noise(student, (p + q,), *arguments)
        if isinstance(found, str):
            demand_measured_noise(
                student, (p + q,), rng, arguments,
                lambda samples, mean=mean, scale=scale: (samples - mean) / scale,
                told, found,
            )  # fmt: skip
        else:
            _demand_size(found.covariance, scale, told, (C, sigma, batch, n))
            _demand_mean(found.mean, mean, told)


def _demand_size(
    covariance: np.ndarray, scale: float, told: str, constants: tuple
) -> None:
    ratios = np.sqrt(np.linalg.eigvalsh(covariance).clip(min=0)) / scale
    if np.abs(ratios - 1).max() > 1e-6:
        hint = (
            "Some direction has less noise than others: is one draw used twice? A "
            "difference of two weights may have no noise at all."
        )
        if ratios[-1] <= 1e-6:
            hint = "There is none. Is it drawn however many records came?"
        elif ratios[-1] - ratios[0] <= 1e-6 * ratios[-1]:
            hint = ratio_hint(
                ratios[0], _FACTORS, constants, "How far does one record move the sum?"
            )
        low = ratios[0] if ratios[0] > 1e-6 else 0.0
        raise Fault(
            f"the standard deviation of {told}, by direction",
            f"from {low * scale:.4g} to {ratios[-1] * scale:.4g}",
            f"{scale:.4g} in every direction",
            hint,
        )


def _demand_mean(found: np.ndarray, wanted: np.ndarray, told: str) -> None:
    if not np.allclose(found, wanted, rtol=1e-6, atol=1e-9):
        raise Fault(
            "the step when all normals are zero, instead of " + told,
            np.array2string(found, precision=4),
            np.array2string(wanted, precision=4),
            "The noise has mean zero: does yours pull to one side?",
        )


def _whole_numbers(student: Student, rng: np.random.Generator) -> None:
    G1, G2 = rng.integers(-3, 4, size=(5, 2)), rng.integers(-3, 4, size=(5, 3))
    demand_whole_numbers(student, (5,), G1, G2, 1.2, 0.7, 4)


EXERCISE = Exercise(
    name="find_leaks",
    parameters=("G1", "G2", "C", "sigma", "batch", "rng"),
    title="Find the leaks",
    statement="""\
A model has two layers. Row $i$ of `G1`, of shape $(n, p)$, and row $i$ of `G2`, of
shape $(n, q)$, are the two parts of the gradient of record $i$. The function below is
said to return a private step, with parameter $\\mu = 1/\\texttt{sigma}$ if a record is
added or removed. It has at least three leaks, and each was found in the code of a
library. Repair it, so that it returns, as one array of shape $(p + q,)$,

$$\\frac{1}{\\texttt{batch}} \\Big(\\sum_i \\mathrm{clip}_C(g_i)
+ \\mathcal N(0,\\ C^2 \\sigma^2 I_{p+q})\\Big),$$

where $g_i$ is the whole gradient of record $i$, over both layers, and
$\\mathrm{clip}_C(g) = g \\cdot \\min\\{1,\\ C/\\lVert g\\rVert_2\\}$. The weights of
`G1` come first. `batch` is a public constant, and there may be no records at all. All
randomness must come from `rng`. Leave the arguments as they are. `G1` and `G2` may hold
whole numbers.""",
    starter="""\
import numpy as np


def find_leaks(G1, G2, C, sigma, batch, rng):
    seed = rng.integers(2**32)
    parts = []
    for G in (G1, G2):
        norms = np.linalg.norm(G, axis=1, keepdims=True)
        total = (G * np.minimum(1.0, C / norms)).sum(axis=0)
        noise = np.random.default_rng(seed).normal(0.0, C * sigma, total.shape)
        parts.append((total + noise) / len(G))
    return np.concatenate(parts)""",
    worked=(
        "find_leaks(np.array([[3.0]]), np.array([[4.0]]), 1.0, 0.0, 2, "
        "np.random.default_rng(0))",
        "[0.3, 0.4]",
        "Without noise. The record's gradient is (3, 4), of norm 5. Clipped to 1 it is "
        "(0.6, 0.8), and half of that is (0.3, 0.4).",
    ),
    hints=(
        "Put in one record that is long in both layers, at `sigma = 0`. How long is "
        "the result times `batch`?",
        "Who may know how many records came?",
        "With two layers of the same shape, subtract the noise of one from that of the "
        "other. What is left?",
    ),
    checks=(
        ("without noise, a record is clipped as a whole", _without_noise),
        ("a batch without records", _empty),
        ("the noise is fresh, and drawn from rng", _fresh),
        ("the noise has the right size, in every direction", _noise),
        ("whole numbers", _whole_numbers),
    ),
    praise="Three leaks from three libraries: clipping by layer, one key for two "
    "layers, and a private divisor. None of them makes the model look any worse, "
    "which is why only an audit finds them.",
)

EXPLANATION = r"""
The function has four faults, and three of them break the promise.

1. **Each layer is clipped by itself.** A record that is long in both layers keeps norm
   $C$ in each, so it moves the result by $C\sqrt2$. The norm must be taken over the
   whole gradient.
2. **Both layers get the same noise.** The seed is drawn once, and a new generator
   starts from it for each layer. If the layers have equal shapes, subtracting one from
   the other removes the noise.
3. **The sum is divided by the number of records.** If a record may be added or removed,
   that number is private. With few records the mean gives it away.
4. A row of zeros divides by zero.

```python
import numpy as np


def find_leaks(G1, G2, C, sigma, batch, rng):
    G = np.concatenate([G1, G2], axis=1)
    norms = np.linalg.norm(G, axis=1, keepdims=True)
    total = (G / np.maximum(norms / C, 1.0)).sum(axis=0)
    return (total + rng.normal(0.0, C * sigma, total.shape)) / batch
```

**Why it is private now.** After the clip, one record moves the sum by $C$ at most, in
all $p + q$ coordinates together. Each coordinate gets its own noise of deviation
$C\sigma$. So the noisy sum is $1/\sigma$-GDP, and dividing by a public constant is
post-processing. For no records the sum is zero, and noise alone comes out.

**What wrong answers overlook.** Clipping each layer to $C/\sqrt2$ would be private, but
it is another algorithm than the one asked for. Noise on the *mean* must be divided by
`batch`, too.
"""
