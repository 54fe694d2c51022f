"""Exercise: DP-FTRL in one pass over a stream, all of it."""

import numpy as np

from .....grading.exercise import Exercise
from .....grading.ladder import (
    demand_fresh_noise,
    matching_hint,
)
from .....grading.report import Fault
from .....grading.student import Student
from .misreadings import FAR, PATHS, cut, gradient, noiseless
from .noise import demand_noise


def _data(rng: np.random.Generator, n: int, p: int) -> tuple[np.ndarray, np.ndarray]:
    """Draw records whose gradients at 0 are about half below 0.8, and half above."""
    X = rng.normal(size=(n, p))
    goal = np.where(np.arange(n) % 2, 0.3, 4.0) * rng.uniform(0.7, 1.4, n)
    y = rng.choice([-1.0, 1.0], n) * np.sqrt(goal)
    return X * (np.sqrt(goal) / np.linalg.norm(X, axis=1))[:, None], y


def _shown(model: np.ndarray) -> str:
    return f"({', '.join(f'{each:.4g}' for each in model)})"


def _compare(student: Student, X, y, C: float, R: float, reg: float) -> None:
    shape, draws = (len(X) + 1, X.shape[1]), np.random.default_rng(5)
    found = student.array(shape, X, y, C, R, 0.0, reg, draws)
    wanted = noiseless(X, y, C, R, reg)
    off = np.abs(found - wanted).max(axis=1)
    if off.max() > 1e-8 * max(1.0, np.abs(wanted).max()):
        row = int(np.argmax(off > 1e-8 * max(1.0, np.abs(wanted).max())))
        raise Fault(
            f"model {row + 1} of {len(X) + 1} at sigma = 0, for C = {C:g}, R = {R:g}, "
            f"reg = {reg:g}",
            _shown(found[row]),
            _shown(wanted[row]),
            matching_hint(
                found, PATHS, (X, y, C, R, reg),
                "Write down the first three models by hand, and compare. At which "
                "model is each gradient taken, and what does the sum keep?", wanted,
            ),
        )  # fmt: skip


def _without_noise(student: Student, rng: np.random.Generator) -> None:
    for n, p, C, reg in (
        (5, 2, 0.8, 3.0), (1, 3, 0.8, 2.0), (2, 1, 1.7, 1.5), (33, 7, 0.8, 9.0),
        (6, 2, 9.0, 20.0), (2, 400, 0.8, 2.0),
    ):  # fmt: skip
        _compare(student, *_data(rng, n, p), C, FAR, reg)


def _ball(student: Student, rng: np.random.Generator) -> None:
    """Six records pull one way and four another: lazy and greedy end elsewhere."""
    y = np.array([1.0] * 6 + [-1.0] * 4)
    _compare(student, np.ones((10, 1)), 5 * y, 1.0, 0.5, 2.0)
    for n, p, R in ((8, 2, 0.3), (13, 3, 0.2)):
        _compare(student, *_data(rng, n, p), 0.8, R, 1.5)


def _zeros(student: Student, _: np.random.Generator) -> None:
    """Nothing pulls; whole numbers, as they come from a table, are records too."""
    _compare(student, np.zeros((3, 2)), np.zeros(3), 1.0, 2.0, 4.0)
    _compare(student, np.eye(3, 2, dtype=int), np.array([1, 2, 0]), 0.7, 2.0, 4.0)


def _fresh(student: Student, rng: np.random.Generator) -> None:
    X, y = _data(rng, 5, 3)
    demand_fresh_noise(student, (6, 3), rng, X, y, 1.0, FAR, 1.0, 2.0)


def _together(student: Student, rng: np.random.Generator) -> None:
    for n, p, R in ((6, 2, FAR), (9, 2, 0.5), (5, 1, 0.3)):
        X, y = _data(rng, n, p)
        _compare_noisy(student, X, y, R, int(rng.integers(2**62)))


def _compare_noisy(student: Student, X, y, R: float, seed: int) -> None:
    """One seed draws the same noise for records of zeros: then all can be compared."""
    (n, p), C, sigma, reg = X.shape, 0.9, 1.1, 2.5

    def run(X: np.ndarray, y: np.ndarray, R: float) -> np.ndarray:
        draws = np.random.default_rng(seed)
        return student.array((n + 1, p), X, y, C, R, sigma, reg, draws)

    noise, found = -reg * run(0 * X, 0 * y, FAR), run(X, y, R)
    pulls = [gradient(w, x, v, C) for w, x, v in zip(found, X, y, strict=False)]
    sums = np.concatenate([np.zeros((1, p)), np.cumsum(pulls, axis=0)])
    wanted = cut(-(sums + noise) / reg, R)
    off = np.abs(found - wanted).max(axis=1)
    if off.max() > 1e-8:
        row = int(np.argmax(off > 1e-8))
        raise Fault(
            f"model {row + 1} of {n + 1} at sigma = {sigma}, R = {R:g}, with gradients "
            f"at the models that you released before it",
            _shown(found[row]),
            _shown(wanted[row]),
            "The gradient of record t is taken at the released model t, noise and ball "
            "included. The sum keeps all of it, and only the model is cut.",
        )


EXERCISE = Exercise(
    name="dp_ftrl_path",
    parameters=("X", "y", "C", "R", "sigma", "reg", "rng"),
    title="One pass of DP-FTRL",
    statement="""\
Records arrive one after the other: record $t$ is row $t$ of `X`, of shape $(n, p)$,
with the label $y_t$ and the loss $\\frac12(\\langle x_t, \\theta\\rangle - y_t)^2$.
Write `dp_ftrl_path`, which returns all models $\\theta_1, \\dots, \\theta_{n+1}$ of
DP-FTRL as an array of shape $(n + 1, p)$. Begin with $\\theta_1 = 0$. For
$t = 1, \\dots, n$ let

$$g_t = \\mathrm{clip}_C\\big(\\nabla\\ell(\\theta_t; d_t)\\big), \\qquad
\\theta_{t+1} =
\\Pi_R\\Big(-\\frac{1}{\\texttt{reg}}\\,(g_1 + \\dots + g_t + b_t)\\Big).$$

Here $\\mathrm{clip}_C$ shortens a vector to norm $C$ if it is longer, and $\\Pi_R$ does
the same with the norm $R$. The noise $b_t$ of sum $t$ is that of a **binary tree**: for
each 1 in the binary digits of $t$ it adds up the draw of one node, such as those of
$[1, 4]$ and $[5, 6]$ for $t = 6$. A node has one draw, of deviation $C\\cdot$`sigma` in
each coordinate, which serves whenever the node is needed. All randomness must come from
`rng`, a NumPy `Generator`. `X` and `y` may hold whole numbers.""",
    starter="""\
import numpy as np


def dp_ftrl_path(X, y, C, R, sigma, reg, rng):
    path = [np.zeros(X.shape[1])]
    for x, label in zip(X, y, strict=True):  # projected descent; your code here
        g = (x @ path[-1] - label) * x
        theta = path[-1] - g / reg
        path.append(theta / max(1.0, np.linalg.norm(theta) / R))
    return np.array(path)""",
    worked=(
        """\
dp_ftrl_path(
    np.array([[1.0], [1.0], [1.0]]),
    np.array([3.0, 3.0, -3.0]),
    C=1.0,
    R=0.5,
    sigma=0.0,
    reg=1.0,
    rng=np.random.default_rng(0),
)""",
        "[[0.0], [0.5], [0.5], [0.5]]",
        "Without noise. All three gradients are longer than 1 and are cut: to −1, −1 "
        "and +1. The sums are −1, −2 and −1, so the leaders are 1, 2 and 1, and each "
        "is brought back to 0.5. Projected descent would end at −0.5.",
    ),
    hints=(
        "Keep two things apart: the exact sum of the gradients, and the noise of the "
        "tree. Only their sum leaves the function.",
        "Sum $t$ needs one node that sum $t - 1$ did not: the one that ends at $t$. "
        "The noise of what is left of $[1, t]$ is that of sum `t & (t - 1)`.",
        "What is cut by the ball, the sum or the model? Try six gradients to the right "
        "and four to the left.",
    ),
    checks=(
        ("without noise, the leader follows the clipped gradients", _without_noise),
        ("at the border, the leader is lazy", _ball),
        ("records of zeros, and of whole numbers", _zeros),
        ("the noise is fresh, and drawn from rng", _fresh),
        ("the sums have the noise of a tree, no less and no more", demand_noise),
        ("noise, gradients and the ball work together", _together),
    ),
    praise="All models are √(⌊lg n⌋ + 1)/sigma-GDP, in any order of the records, and "
    "no record had to be drawn at random.",
)

EXPLANATION = r"""DP-FTRL is a running sum, and a model that is read off it.

```python
import numpy as np


def dp_ftrl_path(X, y, C, R, sigma, reg, rng):
    n, p = X.shape
    s, b, path = np.zeros(p), np.zeros((n + 1, p)), [np.zeros(p)]
    for t in range(1, n + 1):
        g = (X[t - 1] @ path[-1] - y[t - 1]) * X[t - 1]
        s = s + g / max(1.0, np.linalg.norm(g) / C)
        b[t] = b[t & (t - 1)] + rng.normal(0.0, C * sigma, p)
        theta = -(s + b[t]) / reg
        path.append(theta / max(1.0, np.linalg.norm(theta) / R))
    return np.array(path)
```

*The noise.* The number `t & (t - 1)` is $t$ without its lowest 1. So $[1, t]$ is the
prefix up to there and one further node, the one that ends at $t$. Its draw is made now,
and all later sums that need this node find it in `b`. A record lies in at most
$\lfloor\lg n\rfloor + 1$ nodes, and each node moves by at most $C$.

*The sum is never cut.* Only the model is brought back to the ball. So gradients that
pulled beyond the border are remembered, and later ones must first undo them. Projected
descent forgets them, and its models are no function of the sums: then noise on sums
would not protect it.

*What wrong answers overlook.* Fresh noise on each sum is averaged away by whoever sees
many sums. Noise on each gradient is private, but the noise of a sum then grows with
$t$. And gradients at models without noise belong to another algorithm: the released
model $\theta_t$ is what record $t$ meets."""
