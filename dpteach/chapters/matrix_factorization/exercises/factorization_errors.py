"""Exercise: the sensitivity and the errors of a factorization."""

from math import sqrt

import numpy as np

from ....grading.exercise import Exercise
from ....grading.ladder import matching_hint
from ....grading.report import Fault
from ....grading.student import Student


def _errors(B: np.ndarray, C: np.ndarray) -> np.ndarray:
    moved = np.sqrt((C**2).sum(axis=0).max())
    squares = (B**2).sum(axis=1)
    return moved * np.array([1.0, sqrt(squares.mean()), sqrt(squares.max())])


# Wrong answers that many give, and what they reveal.
_MISREAD = (
    (
        lambda B, C: _errors(B, C.T),
        "Those are C's rows. One record enters one vector, and that is a column.",
    ),
    (
        lambda B, C: _errors(B.T, C),
        "Those are B's columns. The noise of a sum is a row of B times z.",
    ),
    (
        lambda B, C: (
            _errors(B, C) * sqrt((C**2).sum(axis=0).mean() / (C**2).sum(axis=0).max())
        ),
        "You take an average over C's columns. A record in the longest one must be "
        "protected, too.",
    ),
    (
        lambda B, C: _errors(B, C) * np.linalg.norm(C) / _errors(B, C)[0],
        "That is the norm of all of C. A record takes part once, in one column.",
    ),
    (
        lambda B, C: _errors(B, C) * np.linalg.norm(C, 2) / _errors(B, C)[0],
        "That is the largest singular value of C: for a record that takes part in "
        "every step.",
    ),
    (
        lambda B, C: _errors(B, C) / [1.0, _errors(B, C)[0], _errors(B, C)[0]],
        "The errors lack the sensitivity: z must be as large as C's longest column.",
    ),
    (
        lambda B, C: _errors(B, C) ** 2,
        "Those are squares. Standard deviations are asked for.",
    ),
    (
        lambda B, C: (
            _errors(B, C)[0]
            * np.array([1, np.sqrt((B**2).sum(1)).mean(), np.sqrt((B**2).sum(1)).max()])
        ),
        "The mean error is the root of the mean square, not the mean of the roots.",
    ),
    (
        lambda B, C: (
            np.abs(C).sum(axis=0).max()
            * np.array([1, sqrt((B**2).sum(1).mean()), sqrt((B**2).sum(1).max())])
        ),
        "You add up absolute values. Gaussian noise is sized by Euclidean norms.",
    ),
    (
        lambda B, C: _errors(B, C) * [1, sqrt(len(B)), 1],
        "The mean error is a mean over the T sums, so divide by T under the root.",
    ),
)


def _compare(student: Student, B: np.ndarray, C: np.ndarray, told: str) -> None:
    found, wanted = student.array((3,), B, C), _errors(B, C)
    if not np.allclose(found, wanted, rtol=1e-6):
        hint = matching_hint(found, _MISREAD, (B, C), _HINT, wanted)
        raise Fault(
            told,
            np.array2string(found, precision=4),
            np.array2string(wanted, precision=4),
            hint,
        )


_HINT = "Which column of C, and which row of B, belongs to which of the three numbers?"


def _skewed(student: Student, rng: np.random.Generator) -> None:
    # Matrices whose rows and columns differ, so that each mistake shows.
    for n in (8, 5):
        C = np.tri(n) * rng.uniform(-1, 1, (n, n)) + np.diag(rng.uniform(1, 3, n))
        C[-1, :-1] = rng.uniform(2, 3, n - 1)  # the longest row
        C[:, 1] *= 4.5 / np.linalg.norm(C[:, 1])  # the longest column
        B = np.linalg.solve(C.T, np.tri(n).T).T
        _compare(student, B, C, f"a factorization of {n} × {n} matrices")


def _known(student: Student, rng: np.random.Generator) -> None:
    for n in (2, 33, 64, 1):
        A, told = np.tri(n), f"T = {n}"
        _compare(student, A, np.eye(n), f"noise on each vector, {told}")
        _compare(student, np.eye(n), A, f"noise on each sum, {told}")
    n = int(rng.integers(3, 9))
    C = np.r_[np.eye(n), np.ones((1, n))]  # as many rows as needed, like a tree
    B = np.tri(n) @ np.linalg.pinv(C)
    _compare(student, B, C, f"an encoder with {n + 1} rows and {n} columns")
    B, C = np.c_[np.tri(n), np.zeros(n)], np.eye(n + 1, n)
    _compare(student, B, C, "an encoder whose last row is zero")
    _compare(student, np.tri(3, dtype=int), np.eye(3, dtype=int), "whole numbers")


EXERCISE = Exercise(
    name="factorization_errors",
    parameters=("B", "C"),
    title="How good is a factorization?",
    statement="""\
The decoder `B`, of shape $(T, m)$, and the encoder `C`, of shape $(m, T)$, release $T$
prefix sums as $B(Cx + z)$. Write `factorization_errors(B, C)`, which returns an array
of three numbers, for one participation of a record and $\\lambda = L = 1$:

1. the **sensitivity**: how far one vector of norm at most 1 moves $Cx$, at most;
2. the **mean error**: the root mean square, over all $T$ sums, of the noise of a sum;
3. the **worst error**: the largest standard deviation of a sum's noise.

The noise $z$ has the sensitivity as its standard deviation, in every entry. Entries may
be negative, and $m$ may be larger than $T$. `B` and `C` may hold whole numbers.""",
    starter="""\
import numpy as np


def factorization_errors(B, C):
    sensitivity = np.linalg.norm(C)
    return np.array([sensitivity, sensitivity, sensitivity])  # your code here""",
    worked=(
        """\
root = np.array([[1.0, 0.0], [0.5, 1.0]])
factorization_errors(root, root)""",
        "[1.11803399, 1.18585412, 1.25]",
        "The square root for T = 2. C's first column has the squared norm 1.25, so the "
        "sensitivity is 1.118. B's rows have the squared norms 1 and 1.25: the mean "
        "is 1.125, the largest 1.25. So the errors are 1.118 times 1.061 and 1.118.",
    ),
    hints=(
        "A record is in one vector of the stream. Which part of $C$ does that vector "
        "meet: a row or a column?",
        "Entry $t$ of $Bz$ is a sum of independent numbers, weighted by row $t$ of "
        "$B$. Their squares add up.",
        "`np.linalg.norm` takes an `axis`. The mean error needs the mean of the "
        "*squared* norms of the rows.",
    ),
    checks=(
        ("matrices whose rows and columns all differ", _skewed),
        ("matrices that are known, small, large and not square", _known),
    ),
    praise="Only these two numbers matter: the longest column of C and the rows of B. "
    "All of this chapter is about making both of them small together.",
)

EXPLANATION = """\


```python
import numpy as np


def factorization_errors(B, C):
    sensitivity = np.linalg.norm(C, axis=0).max()
    squares = np.sum(B**2, axis=1)
    mean = sensitivity * np.sqrt(squares.mean())
    worst = sensitivity * np.sqrt(squares.max())
    return np.array([sensitivity, mean, worst])
```

**Step 1. Sensitivity.** A vector $v$ in step $j$ adds $Ce_j$ times $v$ to the encoded
stream, which is as long as column $j$ if $v$ has norm 1. The record may come in any
step, so the longest column counts.

**Step 2. The noise of a sum.** Sum $t$ gets $\\sum_k B_{tk}z_k$. The $z_k$ are
independent and have the sensitivity as their deviation, so the variance is its square
times the squared norm of row $t$.

**Step 3. Two summaries.** The mean error is the root of the mean of these variances,
and the worst error the root of the largest.

**What wrong answers overlook.** An average over columns of $C$ leaves the record in the
longest column with too little noise. The norm of the whole matrix, or its largest
singular value, is for records that come in every step. And the mean of standard
deviations is less than the root of the mean variance.
"""
