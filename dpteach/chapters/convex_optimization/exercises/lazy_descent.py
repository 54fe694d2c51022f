"""Exercise: follow the regularized leader on least squares, and average its models."""

# ruff: noqa: ARG005  (formulas of one table share one signature)

from collections.abc import Callable

import numpy as np

from ....grading.exercise import Exercise
from ....grading.ladder import matching_hint
from ....grading.report import Fault
from ....grading.student import Student


def _in_ball(v: np.ndarray, R: float) -> np.ndarray:
    return v / max(1.0, float(np.linalg.norm(v)) / R)


def _models(
    X: np.ndarray,
    y: np.ndarray,
    project: Callable[[np.ndarray], np.ndarray],
    rate: float,
    greedy: bool = False,
) -> np.ndarray:
    """Compute θ_1, …, θ_{n+1}; ``greedy`` steps from the model, not from the sum."""
    theta, s, path = np.zeros(X.shape[1]), np.zeros(X.shape[1]), []
    for x, label in zip(X.astype(float), y, strict=True):
        path.append(theta)
        g = (x @ theta - label) * x
        s = s + g
        theta = project(theta - rate * g if greedy else -rate * s)
    return np.array([*path, theta])


def _ball(X, y, R: float, reg: float) -> np.ndarray:
    return _models(X, y, lambda v: _in_ball(v, R), 1 / reg)


def _wanted(X, y, R: float, reg: float) -> np.ndarray:
    return _ball(X, y, R, reg)[:-1].mean(axis=0)


def _frozen(X, y, R: float, reg: float) -> np.ndarray:
    sums = np.cumsum(-y[:, None] * X, axis=0)
    later = [_in_ball(-s / reg, R) for s in sums[:-1]]
    return np.mean([0.0 * sums[0], *later], axis=0)


def _projected_sum(X, y, R: float, reg: float) -> np.ndarray:
    return _models(X, y, lambda v: _in_ball(v, R), 1 / reg, greedy=True)


# Wrong answers that many give, and what they reveal.
_MISREAD = (
    (
        lambda X, y, R, reg: _projected_sum(X, y, R, reg)[:-1].mean(axis=0),
        "Each step begins at the projected model, which is greedy descent. Lazy "
        "descent keeps the sum of the gradients as it is, and projects a copy.",
    ),
    (
        lambda X, y, R, reg: _models(X, y, lambda v: v, 1 / reg)[:-1].mean(axis=0),
        "No model was brought back into the ball.",
    ),
    (
        lambda X, y, R, reg: _in_ball(
            _models(X, y, lambda v: v, 1 / reg)[:-1].mean(axis=0), R
        ),
        "Only the average was brought back into the ball: each model must be, since "
        "the next gradient is taken there.",
    ),
    (
        lambda X, y, R, reg: _models(X, y, lambda v: np.clip(v, -R, R), 1 / reg)[
            :-1
        ].mean(axis=0),
        "Each entry is cut by itself: that is the projection on a box.",
    ),
    (
        lambda X, y, R, reg: _ball(X, y, R, reg)[-1],
        "That is the last model; the average is asked for.",
    ),
    (
        lambda X, y, R, reg: _ball(X, y, R, reg)[1:].mean(axis=0),
        "The average begins at θ_2. Each model that met a record counts: θ_1 to θ_n.",
    ),
    (
        lambda X, y, R, reg: _ball(X, y, R, reg).mean(axis=0),
        "The average contains θ_{n+1}, too, which no record has met.",
    ),
    (
        lambda X, y, R, reg: _models(X, y, lambda v: _in_ball(v, R), -1 / reg)[
            :-1
        ].mean(axis=0),
        "The model moves along the sum of the gradients, not against it: it goes "
        "uphill.",
    ),
    (
        lambda X, y, R, reg: _models(X, y, lambda v: _in_ball(v, R), reg)[:-1].mean(
            axis=0
        ),
        "reg multiplies the sum. More regularization means smaller models.",
    ),
    (
        _frozen,
        "Every gradient is taken at 0. Take it at the model that meets the record.",
    ),
)


def _compare(
    student: Student, X: np.ndarray, y: np.ndarray, R: float, reg: float, hint: str
) -> None:
    found = student.array((X.shape[1],), X, y, R, reg)
    wanted = _wanted(X, y, R, reg)
    if np.allclose(found, wanted, rtol=1e-6, atol=1e-9):
        return
    raise Fault(
        f"the average model for {X.shape[0]} records in {X.shape[1]} dimensions, "
        f"R = {R:g}, reg = {reg:g}",
        f"{_shown(found)}",
        f"{_shown(wanted)}",
        matching_hint(found, _MISREAD, (X, y, R, reg), hint, wanted),
    )


def _shown(v: np.ndarray) -> str:
    entries = ", ".join(f"{each:.5g}" for each in v[:3])
    return f"({entries}{', …' if len(v) > 3 else ''})"


def _data(rng: np.random.Generator, n: int, p: int) -> tuple[np.ndarray, np.ndarray]:
    X = rng.normal(size=(n, p))
    return X, X @ rng.normal(size=p) + 3 + rng.normal(size=n)


def _wide_ball(student: Student, rng: np.random.Generator) -> None:
    X, y = _data(rng, 6, 3)
    _compare(
        student, X, y, 1e6, 9.0, "The ball is so wide here that it does not matter."
    )


def _at_the_rim(student: Student, rng: np.random.Generator) -> None:
    # Labels that pull one way, then the other: the sum remembers, a model forgets.
    X = np.abs(rng.normal(size=(12, 2))) + 0.5
    y = np.where(np.arange(12) < 7, 9.0, -9.0) * rng.uniform(0.8, 1.2, 12)
    _compare(student, X, y, 0.8, 4.0, "Here the models reach the boundary of the ball.")


def _other_constants(student: Student, rng: np.random.Generator) -> None:
    for n, p, R, reg in (
        (9, 4, 0.3, 40.0), (15, 1, 2.0, 0.7), (5, 6, 1.5, 3.0), (33, 40, 1.5, 90.0),
        (3, 400, 1.5, 90.0),
    ):  # fmt: skip
        X, y = _data(rng, n, p)
        X[0] = 0.0  # the sum of the gradients is then 0 at first
        _compare(student, X, y, R, reg, "Here the ball and reg have other sizes.")


def _one_record(student: Student, rng: np.random.Generator) -> None:
    X, y = _data(rng, 1, 3)
    _compare(student, X, y, 1.0, 1.0, "The only record meets θ_1 = 0.")


def _whole_numbers(student: Student, rng: np.random.Generator) -> None:
    X = rng.integers(-3, 4, size=(6, 3))
    X[0] = 3
    y = rng.integers(3, 9, size=6)
    hint = "X holds integers here. Do your arrays of zeros hold integers too?"
    _compare(student, X, y, 0.9, 5.0, hint)


EXERCISE = Exercise(
    name="lazy_descent",
    parameters=("X", "y", "R", "reg"),
    title="Follow the regularized leader",
    statement="""\
Records $(x_t, y_t)$, the rows of `X` of shape $(n, p)$ and the entries of `y`, come one
after the other, $n \\ge 1$. The loss of one is
$\\frac12(\\langle x_t, \\theta\\rangle - y_t)^2$. Write `lazy_descent(X, y, R, reg)`,
which learns by lazy gradient descent in the ball of radius `R`. Begin with
$\\theta_1 = 0$ and $s_0 = 0$, and for $t = 1, \\dots, n$ set

$$s_t = s_{t-1} + \\nabla\\ell(\\theta_t; (x_t, y_t)), \\qquad
\\theta_{t+1} = \\arg\\min_{\\|\\theta\\|_2 \\le \\texttt{R}}\\
\\langle s_t, \\theta\\rangle + \\tfrac12\\,\\texttt{reg}\\,\\|\\theta\\|_2^2 .$$

Return the average of $\\theta_1, \\dots, \\theta_n$, an array of shape $(p,)$. Leave
`X` and `y` as they are. `X` and `y` may hold whole numbers.""",
    starter="""\
import numpy as np


def lazy_descent(X, y, R, reg):
    return np.zeros(X.shape[1])  # your code here""",
    worked=(
        """\
lazy_descent(
    np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 1.0]]),
    np.array([6.0, 8.0, 0.0]),
    R=5.0,
    reg=2.0,
)""",
        "[2, 1.33333]",
        "θ₁ = 0 meets (1, 0) with label 6: s₁ = (−6, 0), and θ₂ = (3, 0). It meets "
        "(0, 1) with label 8: s₂ = (−6, −8), −s₂/2 = (3, 4), of norm 5, which is θ₃. "
        "The average of (0, 0), (3, 0) and (3, 4) is (2, 4/3).",
    ),
    hints=(
        "Where is the gradient of $\\langle s, \\theta\\rangle + \\frac12\\texttt{reg}"
        "\\|\\theta\\|^2$ zero? What if that point lies outside the ball?",
        "Two things are kept from step to step: the sum $s$, and the model. Only one "
        "of them is ever projected.",
        "Collect each model *before* its record is used.",
    ),
    checks=(
        ("in a wide ball, it is gradient descent with rate 1/reg", _wide_ball),
        ("at the boundary, the sum is not projected", _at_the_rim),
        ("other radii and other regularizations", _other_constants),
        ("one record", _one_record),
        ("whole numbers", _whole_numbers),
    ),
    praise="With noise from a tree added to s, this is DP-FTRL: only a sum touches the "
    "records.",
)

EXPLANATION = r"""
**Step 1. The minimum without the ball.** The gradient of
$\langle s, \theta\rangle + \frac12\texttt{reg}\lVert\theta\rVert^2$ is
$s + \texttt{reg}\,\theta$. It is zero at $\theta = -s/\texttt{reg}$.

**Step 2. The minimum in the ball.** Completing the square turns the objective into
$\frac12\texttt{reg}\,\lVert\theta + s/\texttt{reg}\rVert^2$ plus a constant. So the
minimum over the ball is the point of the ball that is nearest to $-s/\texttt{reg}$: the
projection, which shortens a vector that is longer than $R$ and leaves its direction.

**Step 3. What is kept.** The sum $s$ is never projected. The model is computed anew
from it in each step. Each model is added to the total *before* its record is used, so
the average runs over $\theta_1, \dots, \theta_n$ and does not include $\theta_{n+1}$.

```python
import numpy as np


def lazy_descent(X, y, R, reg):
    n, p = X.shape
    theta, s, total = np.zeros(p), np.zeros(p), np.zeros(p)
    for x, label in zip(X, y):
        total = total + theta
        s = s + (x @ theta - label) * x
        theta = -s / reg
        theta = theta / max(1.0, np.linalg.norm(theta) / R)
    return total / n
```

**What wrong answers overlook.** Moving on from the *projected* model, by
$\theta - g/\texttt{reg}$, is the greedy form of gradient descent. Inside of the ball
both are the same. At its border they part: the lazy form remembers how far the sum
points outward, and the greedy form forgets it. Only the lazy form is a function of a
running sum, which is what DP-FTRL makes private.
"""
