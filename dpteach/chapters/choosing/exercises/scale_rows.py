"""Exercise: scale a table by public limits, so that no row depends on another."""

# ruff: noqa: ARG001  (misreadings, and checks, share one signature)

import numpy as np

from ....grading.exercise import Exercise
from ....grading.ladder import matching_hint
from ....grading.report import Fault
from ....grading.student import Student


def _mapped(X: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    return 2 * (np.clip(X, low, high) - low) / (high - low) - 1


def _scaled(X: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    Z = _mapped(X, low, high)
    return Z / np.maximum(np.linalg.norm(Z, axis=1, keepdims=True), 1.0)


def _unclipped(X: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    Z = 2 * (X - low) / (high - low) - 1
    return Z / np.maximum(np.linalg.norm(Z, axis=1, keepdims=True), 1.0)


def _to_one(X: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    Z = (_mapped(X, low, high) + 1) / 2
    return Z / np.maximum(np.linalg.norm(Z, axis=1, keepdims=True), 1.0)


def _own_limits(X: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    spread = np.max(X, axis=0) - np.min(X, axis=0)
    Z = 2 * (X - np.min(X, axis=0)) / np.where(spread > 0, spread, 1.0) - 1
    return Z / np.maximum(np.linalg.norm(Z, axis=1, keepdims=True), 1.0)


def _normed(Z: np.ndarray) -> np.ndarray:
    norms = np.linalg.norm(Z, axis=1, keepdims=True)
    return Z / np.where(norms > 0, norms, 1.0)


# Wrong answers that many give, and what they reveal.
_MISREAD = (
    (
        _own_limits,
        "The limits were read off the data, so one extreme row moves all the others.",
    ),
    (
        lambda X, low, high: _scaled(X, low, high) * 0 + _mapped(X, low, high),
        "The entries are right, but a long row was not shortened to norm 1.",
    ),
    (
        lambda X, low, high: _normed(_mapped(X, low, high)),
        "Short rows were stretched to norm 1 as well. They should stay as they are.",
    ),
    (
        lambda X, low, high: (
            _mapped(X, low, high)
            / max(float(np.linalg.norm(_mapped(X, low, high), axis=1).max()), 1.0)
        ),
        "All rows were divided by the longest one, so if that row leaves, all move.",
    ),
    (
        lambda X, low, high: _mapped(X, low, high) / np.sqrt(X.shape[1]) + 0 * low,
        "Every row was divided by the root of p. That is private, but it shortens rows "
        "that are short already.",
    ),
    (_unclipped, "A value beyond its limits was not moved to them first."),
    (_to_one, "That maps to [0, 1]; the statement asks for [-1, 1]."),
)


def _compare(
    student: Student, X: np.ndarray, low: np.ndarray, high: np.ndarray, hint: str
) -> None:
    found, wanted = student.array(X.shape, X, low, high), _scaled(X, low, high)
    off = np.abs(found - wanted).max(axis=1, initial=0.0)
    if not (off > 1e-9).any():
        return
    row = int(np.argmax(off))
    raise Fault(
        f"row {row} of {len(X)}, {np.array2string(X[row], precision=4)}",
        np.array2string(found[row], precision=4),
        np.array2string(wanted[row], precision=4),
        matching_hint(found, _MISREAD, (X, low, high), hint, wanted),
    )


def _limits(rng: np.random.Generator, p: int) -> tuple[np.ndarray, np.ndarray]:
    low = rng.uniform(-50, 50, size=p)
    return low, low + 10.0 ** rng.uniform(-2, 3, size=p)


def _draw(
    rng: np.random.Generator, n: int, p: int, reach: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Draw rows around the middle; with a reach above 1 some leave the limits."""
    low, high = _limits(rng, p)
    Z = rng.uniform(-reach, reach, size=(n, p))
    return low + (Z + 1) / 2 * (high - low), low, high


def _short(student: Student, rng: np.random.Generator) -> None:
    X, low, high = _draw(rng, 33, 3, 0.3)
    _compare(student, X, low, high, "These rows are all inside, and short.")


def _long(student: Student, rng: np.random.Generator) -> None:
    X, low, high = _draw(rng, 33, 7, 1.0)
    _compare(student, X, low, high, "These rows are inside, and most are long.")


def _outside(student: Student, rng: np.random.Generator) -> None:
    for n, p in ((64, 2), (33, 7), (2, 3), (2, 400)):
        X, low, high = _draw(rng, n, p, 4.0)
        X[0] = 1e12
        _compare(student, X, low, high, "Some values are beyond their limits here.")


def _alone(student: Student, rng: np.random.Generator) -> None:
    """Demand that a row comes out the same whoever else is in the table."""
    X, low, high = _draw(rng, 33, 4, 1.5)
    X[0] *= 1e3
    together = student.array(X.shape, X, low, high)
    for row in (0, 17):
        alone = student.array((1, 4), X[row : row + 1], low, high)
        if np.abs(alone[0] - together[row]).max() > 1e-9:
            raise Fault(
                f"row {row} alone, and among 33 rows",
                f"{np.array2string(alone[0], precision=4)} and "
                f"{np.array2string(together[row], precision=4)}",
                "the same row twice",
                "Something is computed from the whole table: a least value, a mean, "
                "or a longest row. Use only low and high.",
            )


def _shapes(student: Student, rng: np.random.Generator) -> None:
    for n, p in ((1, 1), (1, 7), (64, 1), (0, 3)):
        X, low, high = _draw(rng, n, p, 2.0)
        _compare(student, X, low, high, f"A table of {n} rows and {p} columns.")
    X, low, high = _draw(rng, 2, 3, 1.0)
    middle = np.tile((low + high) / 2, (2, 1))
    _compare(student, middle, low, high, "Rows of norm 0: do you divide by it?")


EXERCISE = Exercise(
    name="scale_rows",
    parameters=("X", "low", "high"),
    title="Scale by public limits",
    statement="""\
Each row of the array `X`, of shape $(n, p)$, is a record. `low` and `high`, of shape
$(p,)$, are the least and the largest value that each column can have, fixed before
anyone looked at the data; `low` is below `high` in every column. Write
`scale_rows(X, low, high)`, which returns a **new** array of the same shape:

1. a value beyond its limits is moved to the nearer one;
2. column $j$ is mapped to $[-1, 1]$, so that `low[j]` becomes $-1$ and `high[j]`
   becomes 1;
3. a row that is then longer than 1 is shortened to norm 1; the others stay.

No row may depend on another one. `X` may have no rows.""",
    starter="""\
import numpy as np


def scale_rows(X, low, high):
    return (X - X.min(axis=0)) / np.ptp(X, axis=0)  # your code here""",
    worked=(
        "scale_rows(\n    np.array([[50.0, 20.0], [200.0, 40.0]]),\n"
        "    np.array([0.0, 0.0]),\n    np.array([100.0, 40.0]),\n)",
        "[[0.0, 0.0], [0.7071068, 0.7071068]]",
        "In the first row 50 and 20 are the middles of their limits. In the second, "
        "200 is moved to 100, so the row is (1, 1). It has norm √2 and is shortened.",
    ),
    hints=(
        "Which of `X.min`, `X.max`, `X.mean` and `low`, `high` may you use?",
        "`np.clip` takes arrays as limits, one for each column.",
        "To shorten only long rows, divide each by the larger of its norm and 1.",
    ),
    checks=(
        ("short rows inside the limits", _short),
        ("long rows are shortened", _long),
        ("values beyond their limits", _outside),
        ("a row does not depend on the others", _alone),
        ("one row, one column, no row", _shapes),
    ),
    praise="Now every gradient of a linear model has a bound that is known before the "
    "data are, and no row can move another one. This step costs no privacy at all.",
)
EXPLANATION = """\
A full answer:

```python
import numpy as np


def scale_rows(X, low, high):
    inside = np.clip(X, low, high)
    Z = 2 * (inside - low) / (high - low) - 1
    norms = np.linalg.norm(Z, axis=1, keepdims=True)
    return Z / np.maximum(norms, 1.0)
```

**Why it is right.** Each line looks at one row and at constants that were fixed
beforehand. So if a record is added or removed, all other rows stay as they are, and the
sum over the records moves by one row, of norm at most 1.

**What wrong answers overlook.** Scaling by the least and the largest value of the data
looks the same on a screen. But one extreme record then changes every row, so the sum
moves by far more than 1, and the noise was sized for 1. Dividing by the longest row has
the same fault. Filling in a missing value by the mean of its column would be a third
way to let rows meet; fill in the middle of the limits.
"""
