"""Exercise: the noise of prefix sums over several passes, with honest restarts."""

from math import sqrt

import numpy as np

from ....grading.exercise import Exercise
from ....grading.ladder import (
    demand_fresh_noise,
    demand_measured_noise,
    demand_whole_numbers,
    found_noise,
)
from ....grading.report import Fault
from ....grading.student import Student


def _passes(own: np.ndarray, left: np.ndarray, epochs: int) -> np.ndarray:
    """Lay out the noise of all sums: ``own`` draws in a pass, ``left`` after it."""
    (T, k), out = own.shape, []
    for e in range(epochs):
        rows = np.zeros((T, epochs * k))
        rows[:, e * k : (e + 1) * k] = own
        for before in range(e):
            rows[:, before * k : (before + 1) * k] += left
        out.append(rows)
    return np.concatenate(out)


def _right(B: np.ndarray, epochs: int) -> np.ndarray:
    return _passes(B, B[-1], epochs)


# Wrong answers that many give, as matrices from draws to sums, and what they reveal.
_MISREAD = (
    (
        lambda B, epochs: _passes(B, 0 * B[-1], epochs),
        "Nothing is left of the passes before. Then the exact sum was carried over, "
        "and its gradients are released once more in each model.",
    ),
    (
        lambda B, epochs: np.tile(B, (epochs, 1)),
        "Every pass has the same noise. Subtract two sums of different passes, and "
        "the noise is gone.",
    ),
    (
        lambda B, epochs: np.tile(B, (epochs, 1)) + np.repeat(
            np.arange(epochs), len(B)
        )[:, None] * B[-1],
        "All passes share their draws. Each needs a z of its own.",
    ),
    (
        lambda B, epochs: _passes(B, B.sum(axis=0), epochs),
        "You carry over the sum of all the noises of a pass. Its last sum contains all "
        "of its gradients, with the last noise alone.",
    ),
    (
        lambda B, epochs: _passes(B, B[0], epochs),
        "You carry over the noise of the first sum of a pass, not of the last.",
    ),
    (
        lambda B, epochs: np.cumsum(_passes(B, 0 * B[-1], epochs), axis=0),
        "The rows of Bz are noises of sums already. They must not be added up again.",
    ),
    (
        lambda B, epochs: _only_the_last(B, epochs),
        "Only the pass just before is left. But the noise of every finished pass stays "
        "in the sum for good.",
    ),
    (
        lambda B, epochs: _passes(B.T, B.T[-1], epochs),
        "Those are B's columns. The noise of a sum is a row of B times z.",
    ),
)  # fmt: skip


def _only_the_last(B: np.ndarray, epochs: int) -> np.ndarray:
    (T, k), out = B.shape, _passes(B, 0 * B[-1], epochs)
    for e in range(1, epochs):
        out[e * T : (e + 1) * T, (e - 1) * k : e * k] = B[-1]
    return out


def _fresh(student: Student, rng: np.random.Generator) -> None:
    demand_fresh_noise(student, (6,), rng, np.tri(3), 2, 1.0)


def _cases(rng: np.random.Generator) -> tuple[tuple[np.ndarray, int, float], ...]:
    few = np.tri(4) * rng.uniform(0.2, 1, (4, 4)) + np.eye(4)
    tall = rng.uniform(0.1, 1, (3, 5))  # more draws than sums, as a tree has
    more = ((np.ones((1, 1)), 4, 2.5), (np.tri(17), 2, 0.9))
    return (few, 1, 1.7), (few, 3, 1.7), (tall, 2, 0.6), *more


def _covariance(student: Student, rng: np.random.Generator) -> None:
    for B, epochs, sigma in _cases(rng):
        told = f"{len(B)} sums a pass, {B.shape[1]} draws, epochs = {epochs}"
        N, shape = _right(B, epochs), (epochs * len(B),)
        found = found_noise(student, shape, B, epochs, sigma)
        if isinstance(found, str):
            root = np.linalg.cholesky(N @ N.T)
            demand_measured_noise(
                student, shape, rng, (B, epochs, sigma),
                lambda samples, root=root, sigma=sigma: np.linalg.solve(
                    root, samples.T / sigma
                ).T,
                f"the noise of the sums, each made independent of the others; {told}",
                found,
            )  # fmt: skip
            continue
        if np.abs(found.mean).max() > 1e-9:
            raise Fault(
                f"the sums when all draws are 0; {told}",
                f"an entry of {found.mean[np.abs(found.mean).argmax()]:.4g}",
                "0 in all",
                "Noise must be centered at 0.",
            )
        _compare(found.covariance, N, (B, epochs, sigma), told)


def _compare(
    covariance: np.ndarray, N: np.ndarray, arguments: tuple, told: str
) -> None:
    sigma, T = arguments[2], len(arguments[0])
    wanted = sigma**2 * N @ N.T
    off = np.abs(covariance - wanted) > 1e-7 * wanted.max()
    if not off.any():
        return
    if np.diag(off).any():
        k = int(np.argmax(np.diag(off)))
        what = f"the standard deviation of sum {k % T + 1} in pass {k // T + 1}; {told}"
        seen, right = sqrt(covariance[k, k]), sqrt(wanted[k, k])
    else:
        i, k = (int(each) for each in np.argwhere(off)[0])
        what = (
            f"the covariance of sum {i % T + 1} in pass {i // T + 1} with sum "
            f"{k % T + 1} in pass {k // T + 1}; {told}"
        )
        seen, right = covariance[i, k], wanted[i, k]
    raise Fault(what, f"{seen:.4g}", f"{right:.4g}", _hint(covariance, arguments))


def _hint(covariance: np.ndarray, arguments: tuple) -> str:
    B, epochs, sigma = arguments
    right = _right(B, epochs)
    for wrong, told in _MISREAD:
        try:
            N = wrong(B, epochs)
        except ValueError:  # such as columns that are too few
            continue
        same = N.shape[0] == len(covariance) and np.allclose(
            sigma**2 * N @ N.T, covariance
        )
        if same and not np.allclose(N @ N.T, right @ right.T):
            return told
    if np.allclose(sigma**4 * right @ right.T, covariance):
        return "The noise is sigma squared: rng.normal takes a standard deviation."
    return "Follow one draw: in which sums of its own pass is it, and in which later?"


def _no_noise(student: Student, rng: np.random.Generator) -> None:
    """Let one sum of a pass have no noise: in the first pass it is 0, later it is not.

    In the second pass it has the noise that the first has left.
    """
    B = np.tri(3)
    B[1] = 0.0
    draws = np.random.default_rng(int(rng.integers(2**62)))
    found = student.array((6,), B, 2, 1.0, draws)
    for k, wanted in ((1, 0.0), (4, found[2])):
        if abs(found[k] - wanted) > 1e-9:
            raise Fault(
                f"the noise of sum 2 in pass {k // 3 + 1}, where row 2 of B is zero",
                f"{found[k]:.4g}",
                f"{wanted:.4g}",
                "A row of zeros adds no noise of its own.",
            )


def _whole_numbers(student: Student, rng: np.random.Generator) -> None:
    demand_whole_numbers(student, (8,), rng.integers(0, 3, size=(4, 5)), 2, 0.7)


EXERCISE = Exercise(
    name="restart_noise",
    parameters=("B", "epochs", "sigma", "rng"),
    title="An honest restart",
    statement="""\
DP-FTRL goes through $T$ batches `epochs` times. In each pass the noise of the $T$ sums
is the rows of $Bz$, where $B$ has shape $(T, m)$ and $z$ has $m$ independent entries
from $\\mathcal N(0, \\texttt{sigma}^2)$. Each pass begins with a fresh $z$. But a sum
goes on from pass to pass, and what a pass hands on is its last *noisy* sum.

The code below is wrong in two ways. Repair `restart_noise(B, epochs, sigma, rng)`: it
returns the noise that is in each of the sums of all passes, in their order, as an array
of shape $(\\texttt{epochs}\\cdot T,)$. Take one coordinate of the model, so that each
sum is a number. All randomness must come from `rng`, a NumPy `Generator`.
`B` may hold whole numbers.""",
    starter="""\
import numpy as np


def restart_noise(B, epochs, sigma, rng):
    b = B @ rng.normal(0.0, sigma, B.shape[1])
    return np.concatenate([b for _ in range(epochs)])  # repair this""",
    worked=(
        """\
many = [restart_noise(np.tri(2), 2, 1.0, np.random.default_rng(k)) for k in range(9999)]
np.var(many, axis=0).round(0).tolist()""",
        "[1.0, 2.0, 3.0, 4.0]",
        "Noise on each of two vectors: in the first pass the sums have variances 1 and "
        "2. The second pass begins with the variance 2 that is left, and adds 1 and 2.",
    ),
    hints=(
        "What would an attacker see who subtracts the first sum of pass 1 from the "
        "first sum of pass 2?",
        "The noise of a sum is that of its own pass plus what all finished passes have "
        "left. What is in the last sum of a pass?",
        "Keep a number, left, that begins at 0. After each pass add the last entry of "
        "its $Bz$.",
    ),
    checks=(
        ("the noise is fresh, and drawn from rng", _fresh),
        ("the noise of all sums has the right covariance", _covariance),
        ("a row of zeros", _no_noise),
        ("whole numbers", _whole_numbers),
    ),
    praise="The old noise stays for good, and its variance grows with the passes. That "
    "is what an honest restart costs; keeping the exact sum would cost privacy.",
)

EXPLANATION = """\


```python
import numpy as np


def restart_noise(B, epochs, sigma, rng):
    left, out = 0.0, []
    for _ in range(epochs):
        b = B @ rng.normal(0.0, sigma, B.shape[1])
        out.append(left + b)
        left = left + b[-1]
    return np.concatenate(out)
```

**Step 1. Fresh draws.** The code drew $z$ once and used it in every pass. Then the
first sums of two passes have the same noise, so their difference shows the gradients of
a whole pass without any noise.

**Step 2. What is left.** The last sum of a pass is $s + b_T$, and the next pass goes on
from there. So each finished pass leaves its $b_T$ in all later sums. After $e$ passes
the variance of what is left is $e\\,\\sigma^2\\lVert B_T\\rVert^2$.

**What wrong answers overlook.** Leaving nothing behind looks better, as the noise is
less. But it means that the exact sum was kept, and every later model releases the
gradients of the finished passes again. Carrying over all noises of a pass, and not the
last one alone, adds noise that no sum contains.
"""
