"""Exercise: the two sums of private least squares, with the noise that each needs."""

from math import sqrt

import numpy as np

from ....auditing import NoiseMap, exact_mu
from ....grading.exercise import Exercise
from ....grading.ladder import (
    demand_fresh_noise,
    demand_measured_noise,
    demand_whole_numbers,
    found_noise,
    matching_hint,
)
from ....grading.report import Fault
from ....grading.student import Student


def _cut(X: np.ndarray, L: float) -> np.ndarray:
    return X / np.maximum(np.linalg.norm(X, axis=1, keepdims=True) / L, 1.0)


def _moments(X: np.ndarray, y: np.ndarray) -> np.ndarray:
    return np.column_stack([X.T @ X, X.T @ y])


def _noiseless(X: np.ndarray, y: np.ndarray, L: float) -> np.ndarray:
    return _moments(_cut(X, L), np.clip(y, -1.0, 1.0))


# Wrong sums that many give, and what they reveal.
_MISREAD = (
    (lambda X, y, L: _moments(X, y) + 0 * L, "Nothing was cut: neither rows nor y."),
    (
        lambda X, y, L: _moments(_cut(X, L), y),
        "The labels were not cut. A promise that |y| ≤ 1 is no bound.",
    ),
    (
        lambda X, y, L: _moments(X, np.clip(y, -1, 1)) + 0 * L,
        "The rows were not cut.",
    ),
    (
        lambda X, y, L: _moments(np.clip(X, -L, L), np.clip(y, -1, 1)),
        "Each entry of a row is cut by itself: the row may still be longer than L.",
    ),
    (
        lambda X, y, L: _moments(
            L * X / np.linalg.norm(X, axis=1, keepdims=True), np.clip(y, -1, 1)
        ),
        "Short rows are stretched.",
    ),
)


def _data(rng: np.random.Generator, n: int, p: int, L: float):
    """Half of the rows and of the labels are too long, half are not."""
    X = rng.normal(size=(n, p))
    goal = L * np.where(np.arange(n) % 2, 0.4, 2.5)
    X *= (goal / np.linalg.norm(X, axis=1))[:, None]
    return X, np.where(np.arange(n) % 4 < 2, 0.6, 2.0) * np.sign(rng.normal(size=n))


def _without_noise(student: Student, rng: np.random.Generator) -> None:
    for n, p, L in (
        (8, 3, 1.0), (12, 2, 0.7), (4, 1, 2.5), (33, 7, 1.2), (1, 3, 1.0),
        (2, 400, 1.0),
    ):  # fmt: skip
        X, y = _data(rng, n, p, L)
        if n > 1:
            X[1] = 0.0
        found = student.array((p, p + 1), X, y, L, 0.0, np.random.default_rng(n))
        wanted = _noiseless(X, y, L)
        off = np.abs(found - wanted)
        if off.max() > 1e-4 * np.abs(wanted).max():
            i, j = (int(k) for k in np.unravel_index(off.argmax(), off.shape))
            raise Fault(
                f"entry [{i}, {j}] at sigma = 0, for {n} records and L = {L}",
                f"{found[i, j]:.4g}",
                f"{wanted[i, j]:.4g}",
                matching_hint(
                    found,
                    _MISREAD,
                    (X, y, L),
                    "First cut x and y, then add up the products.",
                    wanted,
                ),
            )


def _fresh(student: Student, rng: np.random.Generator) -> None:
    X, y = _data(rng, 6, 2, 1.0)
    demand_fresh_noise(student, (2, 3), rng, X, y, 1.0, 1.0)


def _moves(p: int, L: float) -> list[np.ndarray]:
    """List how one record may move the result: rows of norm L in many directions."""
    rows = np.vstack([np.eye(p), np.random.default_rng(0).normal(size=(12, p))])
    rows *= L / np.linalg.norm(rows, axis=1, keepdims=True)
    return [
        np.column_stack([np.outer(x, x), y * x]).ravel() for x in rows for y in (1, -1)
    ]


def _noise(student: Student, rng: np.random.Generator) -> None:
    for p, L, sigma, size in (
        (1, 1.0, 1.7, 1.0), (2, 1.0, 0.9, 1.0), (2, 0.6, 1.7, 1.0), (2, 3.0, 1.3, 0.2),
        (3, 1.0, 1.1, 1.0),
    ):  # fmt: skip
        X, y = (size * each for each in _data(rng, 4, p, L))
        found = found_noise(student, (p, p + 1), X, y, L, sigma)
        if isinstance(found, str):
            _demand_measured(student, X, y, L, sigma, rng, found)
        else:
            _demand_private_and_exact(found, p, L, sigma, size)
            _demand_centered(found, X, y, L, sigma)


_SHARED = (
    "Do two entries share a draw? Or is the noise of one sum for less than its own "
    "sensitivity?"
)
_SHORT = (
    "These records are short, but others need not be: only L bounds them, and it sets "
    "the noise."
)


def _demand_private_and_exact(
    found: NoiseMap, p: int, L: float, sigma: float, size: float
) -> None:
    most, mus = sqrt(2) / sigma, [exact_mu(found.matrix, d) for d in _moves(p, L)]
    sizes = _sizes(found.matrix.reshape(p, p + 1, -1), L, sigma)
    case = f"at L = {L}, sigma = {sigma}, p = {p}"
    if max(mus) > most * (1 + 1e-6):
        raise Fault(
            f"the privacy of one record {case}",
            f"μ = {max(mus):.4g}",
            f"μ of at most √2/sigma = {most:.4g}, as it is in both sums",
            _hint(sizes, L, sigma, _SHARED if size == 1 else _SHORT),
        )
    if max(sizes) > 1 + 1e-6:
        raise Fault(
            f"the noise {case}",
            f"{max(sizes):.4g} times what privacy needs"
            + (" in the first sum" if max(sizes[:-1]) == max(sizes) else ""),
            "1 times",
            _hint(sizes, L, sigma, "Each sum has a sensitivity of its own."),
        )


def _demand_centered(
    found: NoiseMap, X: np.ndarray, y: np.ndarray, L: float, sigma: float
) -> None:
    wanted = _noiseless(X, y, L)
    off = np.abs(found.mean.reshape(wanted.shape) - wanted).max()
    if off > 1e-4 * (np.abs(wanted).max() + L * sigma):
        raise Fault(
            f"the result at L = {L}, sigma = {sigma}, when all normals drawn are 0",
            f"off by up to {off:.3g}",
            "the sums without noise",
            "The noise must have mean 0, and the sums beneath it must be the same "
            "whatever sigma is.",
        )


def _sizes(B: np.ndarray, L: float, sigma: float) -> list[float]:
    """Compare each deviation, once M is averaged with its transpose, with its need."""
    p = len(B)
    M, m = (B[:, :p] + B[:, :p].swapaxes(0, 1)) / 2, B[:, p]
    need = np.where(np.eye(p), 1.0, sqrt(0.5)) * L**2 * sigma
    first = (np.linalg.norm(M, axis=2) / need).ravel()
    return [*first, float(np.linalg.norm(m, axis=1).max()) / (L * sigma)]


# By how much both deviations may be off, as functions of (L, sigma), and why.
_SIZES = (
    (
        lambda L, _: (1 / L, 1.0),
        "The first sum holds products: how long is x xᵀ if x has length L?",
    ),
    (lambda L, _: (1 / L**2, 1 / L), "L is missing in the noise."),
    (
        lambda L, sigma: (L**2 * sigma, L * sigma),
        "That is a variance: rng.normal takes a standard deviation.",
    ),
    (
        lambda *_: (sqrt(2), sqrt(2)),
        "The noise of each sum is for that sum alone: √2 is in the price, not in the "
        "noise.",
    ),
    (
        lambda *_: (2.0, 2.0),
        "A record that is zeroed out moves a sum by its own length, not by twice that.",
    ),
)


def _hint(sizes: list[float], L: float, sigma: float, other: str) -> str:
    found = sizes[0], sizes[-1]
    if not np.allclose(found, 1, rtol=1e-4):
        for size, told in _SIZES:
            if np.allclose(found, size(L, sigma), rtol=1e-4):
                return told
    if len(sizes) > 2 and np.allclose(sizes[:2], (1, sqrt(2))):
        return (
            "One triangle of M is drawn and copied to the other. An entry off the "
            "diagonal then has twice the variance that an average with its twin has."
        )
    return other


def _demand_measured(
    student: Student,
    X: np.ndarray,
    y: np.ndarray,
    L: float,
    sigma: float,
    rng: np.random.Generator,
    hint: str,
) -> None:
    p = X.shape[1]
    if p == 1 or L != 0.6:  # slow, and one case with all constants will do
        return
    scale = np.array([L**2, L**2 / sqrt(2), L**2, L, L]) * sigma

    def normals(samples: np.ndarray) -> np.ndarray:
        noise = samples - _noiseless(X, y, L)
        M = (noise[:, :, :2] + noise[:, :, :2].swapaxes(1, 2)) / 2
        parts = M[:, 0, 0], M[:, 0, 1], M[:, 1, 1], noise[:, 0, 2], noise[:, 1, 2]
        return np.stack(parts, axis=1) / scale

    what = f"the noise of both sums at L = {L}, sigma = {sigma}"
    demand_measured_noise(student, (2, 3), rng, (X, y, L, sigma), normals, what, hint)


def _whole_numbers(student: Student, rng: np.random.Generator) -> None:
    X, y = rng.integers(-3, 4, size=(5, 3)), rng.integers(-1, 2, size=5)
    demand_whole_numbers(student, (3, 4), X, y, 1.3, 0.8)


EXERCISE = Exercise(
    name="noisy_moments",
    parameters=("X", "y", "L", "sigma", "rng"),
    title="Two sums, two sensitivities",
    statement="""\
DP-FTRL for least squares needs two sums only: $M = \\sum_i x_i x_i^\\top$ and
$m = \\sum_i y_i x_i$. Each is published from a tree of its own; here is one node of
both. The rows of `X`, of shape $(n, p)$, are the $x_i$.

Write `noisy_moments(X, y, L, sigma, rng)`, which returns an array of shape
$(p, p + 1)$: the noisy $M$, and the noisy $m$ as its last column.

* Shorten each row to norm at most $L$ and cut each label to $[-1, 1]$, because nobody
  promises that they are.
* Add Gaussian noise to each sum. Its standard deviation is `sigma` times that sum's
  **sensitivity**: how far, in Euclidean norm, it moves at most when one record is
  zeroed out. For $M$ this is the norm of the matrix as a vector of $p^2$ entries.
* Each entry gets a draw of its own. You may then average $M$ with its transpose.

A record is in both sums, so both together are $\\sqrt2/\\sigma$-GDP.
`X` and `y` may hold whole numbers.""",
    starter="""\
import numpy as np


def noisy_moments(X, y, L, sigma, rng):
    M, m = X.T @ X, X.T @ y
    both = np.column_stack([M, m])
    return both + sigma * rng.standard_normal(both.shape)  # your code here""",
    worked=(
        """\
noisy_moments(
    np.array([[3.0, 4.0], [0.6, 0.0]]),
    np.array([0.5, -2.0]),
    1.0,
    0.0,
    np.random.default_rng(0),
)""",
        "[[0.72, 0.48, -0.3], [0.48, 0.64, 0.4]]",
        "Without noise: the first row has norm 5 and becomes (0.6, 0.8), the second "
        "stays. The label −2 becomes −1. So M = [[0.36 + 0.36, 0.48], [0.48, 0.64]] "
        "and m = 0.5 · (0.6, 0.8) − (0.6, 0) = (−0.3, 0.4).",
    ),
    hints=(
        "Zero out one record: by which matrix does $M$ move, and by which vector $m$?",
        "The Frobenius norm of $x x^\\top$ is a simple function of $\\|x\\|$. Compute "
        "it for $x = (3, 4)$.",
        "Try $L = 2$: the two noises then differ by a factor. Which?",
    ),
    checks=(
        ("without noise, both are sums of cut records", _without_noise),
        ("the noise is fresh, and drawn from rng", _fresh),
        ("a record is as private as promised, and no noise is wasted", _noise),
        ("whole numbers", _whole_numbers),
    ),
    praise="If you forget that a record is in two trees, you promise √2 times too much "
    "privacy. And L enters one of the trees as its square.",
)

EXPLANATION = r"""If a record is zeroed out, $M$ moves by $xx^\top$ and $m$ by $yx$.
Their norms are $\|x\|^2 \le L^2$ and $|y|\,\|x\| \le L$. So the two sums need noise of
different size.

```python
import numpy as np


def noisy_moments(X, y, L, sigma, rng):
    X = X / np.maximum(np.linalg.norm(X, axis=1, keepdims=True) / L, 1.0)
    y = np.clip(y, -1.0, 1.0)
    p = X.shape[1]
    M = X.T @ X + L**2 * sigma * rng.standard_normal((p, p))
    m = X.T @ y + L * sigma * rng.standard_normal(p)
    return np.column_stack([M, m])
```

*Why cut first?* The noise is made for rows of norm at most $L$ and labels of size at
most 1. Nobody promises that the data keep to it, so the code must see to it.

*May $M$ be made symmetric?* Yes, that is post-processing: the mean of $M$ and its
transpose looks at nothing but $M$. You may also draw only the triangle, if entries off
the diagonal get half of the variance; both places of one entry then carry the same
draw.

*What wrong answers overlook.* With $L = 1$ both noises have the same size, so a missing
square shows only at another $L$."""
