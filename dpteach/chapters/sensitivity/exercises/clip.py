"""Exercise: scale every row of G to Euclidean norm at most C."""

import numpy as np

from ....grading.exercise import Exercise
from ....grading.ladder import matching_hint
from ....grading.report import Fault
from ....grading.student import Student


def _clipped(G: np.ndarray, C: float) -> np.ndarray:
    return G / np.maximum(np.linalg.norm(G, axis=1, keepdims=True) / C, 1.0)


def _norms(G: np.ndarray) -> np.ndarray:
    return np.linalg.norm(G, axis=1, keepdims=True)


# Wrong answers that many give, and what they reveal.
_MISREAD = (
    (
        lambda G, C: np.clip(G, -C, C),
        "Each entry is cut by itself, which turns the row.",
    ),
    (
        lambda G, C: G / max(1.0, float(np.linalg.norm(G)) / C),
        "The norm is that of the whole matrix. Each record has a row, and each row its "
        "own norm.",
    ),
    (
        lambda G, C: C * G / _norms(G),
        "Every row gets norm C, the short ones too, so short rows pull harder.",
    ),
    (
        lambda G, C: G * np.minimum(1.0, C / _norms(G) ** 2),
        "The squared norm stands where the norm should: a root is missing.",
    ),
    (
        lambda G, C: G / np.maximum(np.abs(G).sum(axis=1, keepdims=True) / C, 1.0),
        "That is the norm of absolute values, not the Euclidean one.",
    ),
    (
        lambda G, C: G / np.maximum(np.linalg.norm(G, axis=0) / C, 1.0),
        "Those are the norms of the columns; a record is a row.",
    ),
    (
        lambda G, C: np.where(_norms(G) > C, 0.0, G),
        "Long rows are dropped. Keep their direction, and shorten them.",
    ),
    (
        lambda G, C: G / np.maximum(_norms(G), 1.0) + 0 * C,
        "Long rows are cut to norm 1, not to norm C.",
    ),
    (
        lambda G, C: C * G / np.maximum(_norms(G), 1.0),
        "Every row is multiplied by C, the short ones too.",
    ),
    (lambda G, C: G + 0 * C, "Nothing was cut: the rows came back as they were."),
)


def _compare(
    student: Student, G: np.ndarray, C: float, hint: str, known: bool = True
) -> None:
    found, wanted = student.array(G.shape, G, C), _clipped(G, C)
    seen = np.linalg.norm(found, axis=1)
    # C / (norm + 1e-6), as some libraries have it, is close enough.
    off = np.abs(found - wanted).max(axis=1, initial=0.0)
    if len(G) == 0 or (off <= 1e-4 * np.linalg.norm(wanted, axis=1) + 1e-12).all():
        if (seen <= C * (1 + 1e-6)).all():  # single precision will do
            return
        off = seen
    row = int(np.argmax(off / np.maximum(np.linalg.norm(wanted, axis=1), 1e-12)))
    size, goal = np.linalg.norm(G[row]), np.linalg.norm(wanted[row])
    turned = abs(seen[row] - goal) <= 1e-4 * goal
    raise Fault(
        f"row {row}, of norm {size:.4g} before the call, with C = {C:.4g}",
        f"norm {seen[row]:.4g}" + (", in another direction" if turned else ""),
        f"norm {goal:.4g}" + (" in the direction it had" if turned else ""),
        matching_hint(found, _MISREAD if known else (), (G, C), hint, wanted),
    )


def _long_rows(student: Student, rng: np.random.Generator) -> None:
    G = rng.normal(size=(8, 5)) + 3.0
    _compare(student, 10 * G, 1.0, "Each row has its own norm, and its own factor.")


def _short_rows(student: Student, rng: np.random.Generator) -> None:
    G = 0.01 * rng.normal(size=(8, 5))
    _compare(student, G, 1.0, "Rows that are short enough come back unchanged.")


def _mixed_rows(student: Student, rng: np.random.Generator) -> None:
    G = rng.normal(size=(40, 7)) * 10.0 ** rng.uniform(-2, 2, size=(40, 1))
    _compare(student, G, 0.7, "Long and short rows are mixed here.")


def _zero_row(student: Student, rng: np.random.Generator) -> None:
    G = rng.normal(size=(4, 3))
    G[2] = 0.0
    found = student.array(G.shape, G, 1.0)
    hint = "One row is zeros here, and it is right. What is wrong with another one?"
    if found[2].any():
        hint = "A row of zeros has norm 0: do you divide by it?"
    _compare(student, G, 1.0, hint)


def _any_threshold(student: Student, rng: np.random.Generator) -> None:
    for C in (0.05, 40.0):
        G = C * rng.normal(size=(6, 4)) * np.array([[0.1], [1], [3], [0.2], [9], [30]])
        _compare(
            student, G, C, "Here C is not 1. Does every part of your formula use it?"
        )


def _small_shapes(student: Student, rng: np.random.Generator) -> None:
    _compare(student, 5.0 + rng.random((1, 1)), 2.0, "One record with one entry.")
    _compare(student, rng.normal(size=(2, 400)), 20.0, "Two records, 400 entries each.")
    try:
        _compare(student, np.zeros((0, 3)), 1.0, "")
    except Fault as fault:
        fault.hint = "Random batches are sometimes empty. " + fault.hint
        raise


def _whole_numbers(student: Student, rng: np.random.Generator) -> None:
    G = rng.integers(-9, 10, size=(6, 4))
    G[0] = 9
    hint = "G holds integers here. Does the array that you fill hold integers too?"
    _compare(student, G, 1.0, hint, known=False)


EXERCISE = Exercise(
    name="clip",
    parameters=("G", "C"),
    title="Clip the gradients of a batch",
    statement="""\
Each row of the array `G`, of shape $(n, p)$, is the gradient of one record. Write
`clip(G, C)`, which leaves `G` as it is, and returns an array of the same shape in which
every row $g$ has become

$$g \\cdot \\min\\{1,\\ C / \\|g\\|_2\\}.$$

So no record pulls with a force of more than `C`, and none changes its direction. A row
that is short enough stays as it is; a row of zeros stays zero. `G` may have no rows at
all, because a random batch is sometimes empty. `G` may hold whole numbers.""",
    starter="""\
import numpy as np


def clip(G, C):
    return G  # your code here""",
    worked=(
        "clip(np.array([[3.0, 4.0], [0.3, 0.4]]), 1.0)",
        "[[0.6, 0.8], [0.3, 0.4]]",
        "The first row has norm 5, so it is divided by 5. The second has norm 0.5, "
        "which is less than 1: it stays.",
    ),
    hints=(
        "How many norms does `G` have that matter here: one, n, or p?",
        "`numpy.linalg.norm` takes an `axis`. With `keepdims=True` the result has "
        "shape $(n, 1)$, and multiplies or divides `G` row by row.",
        "To avoid 0/0, divide by something that is never below 1 instead of "
        "multiplying by something that is never above 1.",
    ),
    checks=(
        ("long rows are cut to norm C", _long_rows),
        ("short rows stay as they are", _short_rows),
        ("a row of zeros stays zero", _zero_row),
        ("long and short rows together", _mixed_rows),
        ("a small and a large C", _any_threshold),
        ("one record, and no record", _small_shapes),
        ("whole numbers", _whole_numbers),
    ),
    praise="Now the sum of the rows moves by at most C when one record leaves, "
    "whatever the data are: C is its sensitivity.",
)

EXPLANATION = r"""
A record is a row, so every row needs a norm of its own, and a factor of its own. With
`axis=1` NumPy takes the norm along each row. With `keepdims=True` the norms come as a
column of shape $(n, 1)$, which then divides `G` row by row.

```python
import numpy as np


def clip(G, C):
    norms = np.linalg.norm(G, axis=1, keepdims=True)
    return G / np.maximum(norms / C, 1.0)
```

**Why the maximum.** To multiply by $\min\{1, C/\lVert g\rVert_2\}$ is to divide by
$\max\{\lVert g\rVert_2/C,\ 1\}$. This never divides by zero, because the divisor
is at least 1. A row of zeros therefore stays zero without a special case.

**Why short rows stay.** If all rows were stretched to norm $C$, a record with a tiny
gradient would pull as hard as any other. That would be normalizing, which is another
algorithm.

**What wrong answers overlook.** `np.clip(G, -C, C)` cuts each entry by itself. It turns
the row, and the norm of the result may still be $C\sqrt p$. A norm without `axis` is
that of the whole matrix, so one long row would shorten all others, and the sum of rows
would no longer have sensitivity $C$. `G *= ...` changes the caller's array, and it
fails for whole numbers.
"""
