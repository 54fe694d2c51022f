"""Exercise: a factorization of prefix sums with less noise than the tree."""

from math import sqrt
from typing import Any

import numpy as np

from ....grading.exercise import Exercise
from ....grading.report import Fault
from ....grading.student import Student

# The worst sum's noise at one price, in units of one release's: of Honaker's tree, and
# the least that any factorization can have (certified to five digits).
_GOAL = {16: (3.7225, 1.7045), 64: (5.1545, 2.1114)}
_LENGTHS = (16, 64)
_SMALL = (1, 2, 5, 13)


def _pair(student: Student, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Call the function, and demand two matrices that can be multiplied."""
    result = student.call(n)
    case = f"the result of {student.name}({n})"
    wanted = f"a pair (B, C): B of shape ({n}, m), C of shape (m, {n})"
    if not isinstance(result, tuple | list) or len(result) != 2:
        raise Fault(case, _kind(result), wanted, "Return both: return B, C.")
    B, C = (_matrix(each, name, case) for each, name in zip(result, "BC", strict=True))
    if B.shape != C.shape[::-1] or len(B) != n:
        raise Fault(
            case, f"shapes {B.shape} and {C.shape}", wanted, _shape_hint(B, C, n)
        )
    return B, C


def _kind(result: Any) -> str:
    if result is None:
        return "None"
    if isinstance(result, np.ndarray):
        return f"one array of shape {result.shape}"
    size = f" of {len(result)}" if isinstance(result, tuple | list) else ""
    return f"a {type(result).__name__}{size}"


def _matrix(value: Any, name: str, case: str) -> np.ndarray:
    try:
        found = np.asarray(value)
    except ValueError:  # rows of different lengths
        found = np.asarray(None)
    if found.dtype.kind not in "fiu" or found.ndim != 2:
        raise Fault(
            f"{name} in {case}",
            f"an array of {found.dtype} with {found.ndim} axes",
            "a matrix of real numbers",
            "",
        )
    if not np.isfinite(found).all():
        at = tuple(int(k) for k in np.argwhere(~np.isfinite(found))[0])
        raise Fault(
            f"{name} in {case}",
            f"{found[at]} at index {at}",
            "finite numbers",
            "Is something divided by 0, or too large?",
        )
    return found.astype(float)


def _shape_hint(B: np.ndarray, C: np.ndarray, n: int) -> str:
    if B.shape[1] == n and C.shape[0] == n and len(B) != n:
        return "Is that the pair (C, B)? The decoder comes first."
    return "The inner sizes must agree, and the outer ones be n."


def _product(student: Student, rng: np.random.Generator) -> None:
    for n in (*_SMALL, *_LENGTHS, int(rng.integers(20, 60)), 100):
        B, C = _pair(student, n)
        found, wanted = B @ C, np.tri(n)
        off = np.abs(found - wanted)
        if off.max() > 1e-6:
            t, j = np.unravel_index(int(off.argmax()), off.shape)
            raise Fault(
                f"(B @ C)[{t}, {j}] at n = {n}",
                f"{found[t, j]:.4g}",
                f"{wanted[t, j]:.4g}, as in the lower triangle of ones",
                _product_hint(B, C, n),
            )


def _product_hint(B: np.ndarray, C: np.ndarray, n: int) -> str:
    A, product = np.tri(n), B @ C
    if np.allclose(product, A.T, atol=1e-6):
        return "These are sums to the end of the stream: transposed."
    if len(B) == len(C) and np.allclose(C @ B, A, atol=1e-6):
        return "Is that the pair (C, B)? The decoder comes first."
    scale = np.vdot(A, product) / np.vdot(A, A)
    if abs(scale) > 1e-6 and np.allclose(product, scale * A, atol=1e-6):
        return f"All sums come out times {scale:.4g}. They must be the sums themselves."
    if np.allclose(product, np.eye(n), atol=1e-6):
        return "The product is the identity: nothing is added up."
    if np.allclose(product, A - np.eye(n), atol=1e-6):
        return "Row t adds up the vectors before t; the t-th belongs to it."
    return "If you chose C, then B is fixed by B C = A, where C has an inverse."


def _error(B: np.ndarray, C: np.ndarray) -> tuple[float, float]:
    """Find the longest column of C and the longest row of B."""
    columns, rows = np.linalg.norm(C, axis=0), np.linalg.norm(B, axis=1)
    return float(columns.max()), float(rows.max())


def _noise(student: Student, _: np.random.Generator) -> None:
    for n in _LENGTHS:
        B, C = _pair(student, n)
        column, row = _error(B, C)
        tree, least = _GOAL[n]
        if column * row > tree * (1 - 1e-3):
            raise Fault(
                f"the noise of the worst sum at n = {n}, at exact μ = 1",
                f"{column:.4g} (C's longest column) × {row:.4g} (B's longest row) = "
                f"{column * row:.4f}",
                f"less than {tree:.4f}, that of Honaker's tree (none has less than "
                f"{least:.4f})",
                _noise_hint(column, row, n),
            )


def _noise_hint(column: float, row: float, n: int) -> str:
    root, levels = sqrt(n), n.bit_length()
    if abs(column * row / root - 1) < 1e-3:
        if column < row:
            return (
                "Each vector has noise of its own, and the last sum contains all of it."
            )
        return "Each sum has noise of its own, and one vector is in all of them."
    if abs(column * row / sqrt(levels * (levels - 1)) - 1) < 1e-3:
        return "This is the plain tree. Its decoder ignores what the other nodes say."
    if abs(column * row / _GOAL[n][0] - 1) < 2e-3:
        return "This is Honaker's tree itself. Use all nodes, or leave the tree."
    if column > 2 * row or row > 2 * column:
        return "One factor is small at the other's expense: look for a balance."
    return "Take a C between the identity and the triangle of ones."


EXERCISE = Exercise(
    name="beat_the_tree",
    parameters=("n",),
    title="Beat the tree",
    statement="""\
Let $A$ be the $n \\times n$ lower triangle of ones, which adds up prefixes. Write
`beat_the_tree(n)`, which returns two real matrices `B`, of shape $(n, m)$, and `C`, of
shape $(m, n)$, with $BC = A$; any $m$ will do.

A stream $x$ is released as $B(Cx + z) = Ax + Bz$. One vector of norm 1 moves $Cx$ by at
most the longest column of $C$, so for $\\mu = 1$ the noise $z$ has just that deviation.
The noise of the worst sum is then

$$\\max_j \\lVert C e_j\\rVert \\cdot \\max_t \\lVert B_t\\rVert.$$

Make it smaller than that of the tree with Honaker's weights: less than 3.7225 for
$n = 16$, and less than 5.1545 for $n = 64$. The product is tested at other lengths too.
No randomness is needed.""",
    starter="""\
import numpy as np


def beat_the_tree(n):
    B = np.eye(n)
    C = np.tri(n)
    return B, C  # noise on each sum; your code here""",
    worked=(
        "beat_the_tree(1)",
        "([[1.0]], [[1.0]])",
        "One sum of one vector: any pair b · c = 1 will do, and the noise is 1.",
    ),
    hints=(
        "Noise on each vector, B = A and C = I, has a short column and a long row. "
        "Noise on each sum has it the other way round. Look for a pair in between.",
        "A has constant diagonals. So has a matrix whose square is A: its coefficients "
        "are those of a power series whose square is 1 + x + x² + …",
        "Or start from any invertible C and solve for B. Or keep the tree's nodes, and "
        "take the weights of least squares for B.",
    ),
    checks=(
        ("the product adds up prefixes", _product),
        ("the worst sum has less noise than the tree's", _noise),
    ),
    praise="You have beaten the tree. At n = 16 nothing goes below 1.7045; the square "
    "root of A has 1.9439.",
)

EXPLANATION = """\
One answer among many is the square root of the matrix of prefix sums, used twice.

```python
import numpy as np


def beat_the_tree(n):
    k = np.arange(1, n)
    c = np.cumprod(np.concatenate([[1.0], (2 * k - 1) / (2 * k)]))
    lag = np.subtract.outer(np.arange(n), np.arange(n))
    C = np.where(lag < 0, 0.0, c[np.abs(lag)])
    return C, C
```

**Step 1. The product.** Matrices with constant diagonals multiply like power series.
The matrix of prefix sums is $1 + x + x^2 + \\dots = 1/(1 - x)$, so its square root is
the series of $(1 - x)^{-1/2}$. Its coefficients are $c_0 = 1$ and
$c_k = c_{k-1}\\frac{2k-1}{2k}$.

**Step 2. The noise.** The first column of $C$ and the last row of $B$ have the same
entries. So the worst sum has noise $\\sum_{k<n}c_k^2$, which is 1.944 for $n = 16$
and 2.389 for $n = 64$. Honaker's tree has 3.72 and 5.15.

**What wrong answers overlook.** Noise on each vector has the shortest columns, but the
last row of $B$ collects all noise. Noise on each sum has the shortest rows, but one
vector is in all sums. The plain tree ignores what the nodes of one block say about each
other. Dividing $C$ by a number and multiplying $B$ by it changes nothing.
"""
