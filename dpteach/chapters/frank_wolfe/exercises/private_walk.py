"""Exercise: the whole walk of private Frank-Wolfe, on the LASSO."""

import numpy as np

from ....grading.exercise import Exercise
from ....grading.ladder import matching_hint
from ....grading.report import Fault
from ....grading.student import Student

_Case = tuple[np.ndarray, np.ndarray, float, float, np.ndarray]


def _walk(
    X: np.ndarray, y: np.ndarray, s: float, b: float, z: np.ndarray, wrong: str = ""
) -> np.ndarray:
    """Run the walk; ``wrong`` names a mistake that many make."""
    p = X.shape[1]
    theta, path = np.zeros(p), [np.zeros(p)]
    for t in range(1, len(z) + 1):
        at = 0 * theta if wrong == "at the start" else theta
        g = X.T @ (X @ at - y) / (len(X) if wrong == "mean" else 1)
        alpha = (1 if wrong == "no radius" else s) * np.concatenate([g, -g])
        noise = z[t - 1] * (1 if wrong == "no scale" else b)
        if wrong == "shared":
            noise = np.concatenate([noise[:p], noise[:p]])
        noisy = alpha + noise if wrong == "sign" else alpha - noise
        k = int(np.argmax(alpha + noise) if wrong == "uphill" else np.argmin(noisy))
        corner = np.zeros(p)
        corner[k % p] = s if k < p else -s
        gamma = {"equal": 1 / (len(z) + 1), "later": 2 / (t + 2)}.get(
            wrong, 2 / (t + 1)
        )
        kept = theta if wrong == "adds" else (1 - gamma) * theta
        theta = kept + gamma * corner
        path.append(theta)
    return np.array(path)


def _told(wrong: str):
    return lambda *case: _walk(*case, wrong=wrong)


# Wrong answers that many give, and what they reveal.
_MISREAD = (
    (
        _told("sign"),
        "The noise has the wrong sign. Gumbel noise is not symmetric: a large draw "
        "must help its corner to win.",
    ),
    (_told("uphill"), "The corner with the highest score wins. The lowest is best."),
    (
        _told("equal"),
        "All steps are equal. Then the start never leaves the model. Which step comes "
        "first?",
    ),
    (_told("later"), "The steps are one late: the first one should go all the way."),
    (
        _told("mean"),
        "The scores are those of a mean. The noise was made for a sum of losses.",
    ),
    (_told("no scale"), "The draws are used as they come, without the scale."),
    (
        _told("shared"),
        "The two corners of an axis share a draw. Each corner has one of its own.",
    ),
    (_told("no radius"), "The scores are those of corners of size 1."),
    (
        _told("at the start"),
        "All gradients are taken at the start. Where does the walk stand by now?",
    ),
    (_told("adds"), "The old model is not shrunk: the walk leaves the set."),
)


def _compare(student: Student, case: _Case, what: str, hint: str) -> None:
    X, z = case[0], case[4]
    shape = len(z) + 1, X.shape[1]
    found, wanted = student.array(shape, *case), _walk(*case)
    if np.allclose(found, wanted, rtol=1e-8, atol=1e-9):
        return
    row = int(np.argmax(np.abs(found - wanted).max(axis=1) > 1e-9))
    raise Fault(
        f"{what}: model {row + 1} of {shape[0]}, for {len(X)} records with {shape[1]} "
        f"features, s = {case[2]:.3g}, b = {case[3]:.3g}",
        np.array2string(found[row][:5], precision=5),
        np.array2string(wanted[row][:5], precision=5),
        matching_hint(found, _MISREAD, case, hint, wanted),
    )


def _records(
    rng: np.random.Generator, n: int, p: int, steps: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    X = rng.uniform(-1, 1, (n, p))
    y = np.clip(X @ rng.uniform(-0.6, 0.6, p) + 0.1 * rng.normal(size=n), -1, 1)
    return X, y, rng.gumbel(size=(steps - 1, 2 * p))


def _several(student: Student, rng: np.random.Generator) -> None:
    for n, p, T, s, b in (
        (33, 3, 16, 1.5, 3.0), (64, 7, 40, 2.0, 2.0), (64, 1, 24, 0.5, 4.0),
        (5, 400, 4, 0.5, 1.0),
    ):  # fmt: skip
        X, y, z = _records(rng, n, p, T)
        _compare(
            student, (X, y, s, b, z), "a walk",
            "Begin with one vote: which corner has the lowest noisy score?",
        )  # fmt: skip


def _extremes(student: Student, rng: np.random.Generator) -> None:
    X, y, z = _records(rng, 2, 3, 12)
    _compare(
        student, (X, y, 1.0, 1000.0, z), "almost only noise",
        "Even a walk among random corners is a walk.",
    )  # fmt: skip
    X, y, z = _records(rng, 64, 3, 12)
    _compare(
        student, (X, y, 3.0, 1e-3, z), "hardly any noise",
        "Then the walk is that of Frank-Wolfe.",
    )  # fmt: skip


def _first_votes(student: Student, rng: np.random.Generator) -> None:
    for _ in range(10):
        X, y, z = _records(rng, 33, 7, 2)
        _compare(
            student, (X, y, 1.0, 1.0, z), "a single vote",
            "The first vote is held at 0, where each residual is minus a label.",
        )  # fmt: skip


def _close_votes(student: Student, rng: np.random.Generator) -> None:
    """All corners are nearly tied: if b, s or g is a percent off, another one wins."""
    for p in (2, 3, 7):
        X, y, z = _records(rng, 33, p, 2)
        s, b = 1.5, 2.0
        scores = s * np.concatenate([-X.T @ y, X.T @ y])
        z[0] = scores / b
        z[0, np.argsort(scores)[p]] += 1e-3 * np.abs(scores).max() / b
        _compare(
            student, (X, y, s, b, z), "a close vote",
            "The corners are nearly tied here. Is a score or its noise a little off?",
        )  # fmt: skip


def _special(student: Student, rng: np.random.Generator) -> None:
    X, y, z = _records(rng, 1, 2, 4)
    _compare(student, (0 * X, y, 1.0, 1.0, z), "a record of 0", "Only noise decides.")
    X, y, z = _records(rng, 20, 4, 6)
    X = np.sign(X).astype(int)
    _compare(student, (X, y, 1.5, 2.0, z), "whole numbers", "X may hold integers.")


EXERCISE = Exercise(
    name="private_walk",
    parameters=("X", "y", "s", "b", "z"),
    title="The walk of private Frank-Wolfe",
    statement="""\
Rows of `X`, shape $(n, p)$, and labels `y`, shape $(n,)$, make the risk
$\\frac12\\sum_i(\\langle x_i, \\theta\\rangle - y_i)^2$ on the ball
$\\lVert\\theta\\rVert_1 \\le s$. Its corners are numbered $+s e_1, \\dots, +s e_p,
-s e_1, \\dots, -s e_p$.

The array `z`, shape $(T-1, 2p)$, holds independent draws of the standard Gumbel
distribution, one for each corner and vote. Corner $v$ with number $k$ shall win vote
$t$ if $\\langle v, \\nabla\\mathcal{L}(\\theta_t)\\rangle - b\\,z_{tk}$ is the
**lowest**; then it wins with probability proportional to
$e^{-\\langle v, \\nabla\\mathcal{L}(\\theta_t)\\rangle/b}$.

Write `private_walk(X, y, s, b, z)`, which starts at $\\theta_1 = 0$, goes from
$\\theta_t$ to $(1-\\gamma_t)\\,\\theta_t + \\gamma_t\\,v$ with $\\gamma_t = 2/(t+1)$
for $t = 1, \\dots, T - 1$, and returns all $T$ models, shape $(T, p)$. Leave the
arguments
as they are. `X` may hold whole numbers.""",
    starter="""\
import numpy as np


def private_walk(X, y, s, b, z):
    p = X.shape[1]
    theta = np.zeros(p)
    path = [theta]
    for t in range(1, len(z) + 1):
        theta = theta - 2 / (t + 1) * theta  # your code here
        path.append(theta)
    return np.array(path)""",
    worked=(
        """\
private_walk(
    np.array([[1.0], [1.0]]),
    np.array([1.0, 0.0]),
    1.0,
    0.5,
    np.array([[0.0, 1.0], [0.0, 3.0]]),
)""",
        "[[0.0], [1.0], [-0.3333333]]",
        "At 0 the gradient is −1, so the corners +1 and −1 have scores −1 and 1. With "
        "noise they are −1 − 0 = −1 and 1 − 0.5 = 0.5. The corner +1 wins, and γ = 1 "
        "goes all the way. At 1 the gradient is 1; with noise the scores are 1 and "
        "−1 − 1.5 = −2.5. The corner −1 wins, and γ = 2/3 leads to 1/3 − 2/3.",
    ),
    hints=(
        "How many scores are there, and how do those of $+s e_j$ and $-s e_j$ differ?",
        "From the number of the winner: which axis is it on, and which side?",
        "The gradient of a sum of squares needs one product with X and one with its "
        "transpose, at the present model.",
    ),
    checks=(
        ("walks of up to 40 models, in 1, 3, 7 and 400 dimensions", _several),
        ("ten single votes", _first_votes),
        ("close votes", _close_votes),
        ("almost only noise, and hardly any", _extremes),
        ("a record of 0, and whole numbers", _special),
    ),
    praise="Your walk touches at most T − 1 features, and what it publishes is T − 1 "
    "winners: that is all that privacy is paid for.",
)

EXPLANATION = """\
Each step needs the gradient at the present model, $2p$ scores, and the winner's number.

```python
import numpy as np


def private_walk(X, y, s, b, z):
    p = X.shape[1]
    theta = np.zeros(p)
    path = [theta]
    for t in range(1, len(z) + 1):
        gradient = X.T @ (X @ theta - y)  # of the sum, not of the mean
        scores = s * np.concatenate([gradient, -gradient])
        winner = np.argmin(scores - b * z[t - 1])
        corner = np.zeros(p)
        corner[winner % p] = s if winner < p else -s
        gamma = 2 / (t + 1)
        theta = (1 - gamma) * theta + gamma * corner
        path.append(theta)
    return np.array(path)
```

**The sign of the noise.** The trick with Gumbel noise says that the *largest* of
$-\\alpha_v/b + z_v$ is distributed as the exponential mechanism. Multiply by $-b$: it
is the lowest of $\\alpha_v - b\\,z_v$. With a plus the winner has another
distribution, because Gumbel noise leans to one side, and the proof does not cover it.

**A sum, not a mean.** Dividing the gradient by $n$ and keeping $b$ would drown the
votes in noise. Dividing both by $n$ changes nothing. Dividing only $b$ by $n$ is the
printed fault that this chapter audits.

**The first step.** $\\gamma_1 = 1$, so the start is forgotten at once, and every later
model is an average of corners that won a vote. That is why at most $T - 1$ features are
used.
"""
