"""Exercise: the density of the model that objective perturbation publishes."""

from functools import partial
from math import lgamma, log, pi

import numpy as np

from ....algorithms.pure.objective import objective_perturbation_log_density
from ....constraints import Everywhere
from ....grading.exercise import Exercise
from ....grading.ladder import matching_hint
from ....grading.report import Fault
from ....grading.student import Student
from ....losses import logistic
from ....problem import Problem

Case = tuple[np.ndarray, np.ndarray, np.ndarray, float, float]


def _wanted(
    theta: np.ndarray, X: np.ndarray, y: np.ndarray, Lam: float, s: float
) -> float:
    D = Problem(X, y, logistic, Everywhere())
    kind = {"lipschitz": 1.0, "regularization": Lam, "noise_multiplier": s}
    return float(objective_perturbation_log_density(D, theta[None, :], **kind)[0])


def _parts(
    theta: np.ndarray, X: np.ndarray, y: np.ndarray, Lam: float
) -> tuple[np.ndarray, np.ndarray]:
    share = 1 / (1 + np.exp(y * (X @ theta)))
    bowl = X.T @ ((share * (1 - share))[:, None] * X)
    return -X.T @ (y * share) + Lam * theta, bowl + Lam * np.eye(len(theta))


def _misread(
    theta: np.ndarray,
    X: np.ndarray,
    y: np.ndarray,
    Lam: float,
    s: float,
    *,
    power: float = 1.0,
    ridge: float = 1.0,
    pull: float = 1.0,
    sign: float = 1.0,
    norm: str = "l2",
    volume: str = "ball",
    share: str = "sum",
) -> float:
    """Compute the log density as one of many misreadings has it."""
    g, H = _parts(theta, X, sign * y, Lam)
    p, n = len(theta), max(len(y), 1)
    g = g + (pull - 1) * Lam * theta
    H = H + (ridge - 1) * Lam * np.eye(p)
    if share == "mean":
        g, H = (g - Lam * theta) / n + Lam * theta, (H - Lam * np.eye(p)) / n
        H = H + Lam * np.eye(p)
    length = {
        "l2": float(np.linalg.norm(g)),
        "l1": float(np.abs(g).sum()),
        "squared": float(g @ g),
    }[norm]
    away = {
        "ball": log(2) + p / 2 * log(pi) - lgamma(p / 2) + p * log(s) + lgamma(p),
        "none": 0.0,
        "line": log(2 * s),
        "laplace": p * log(2 * s),
        "unit": log(2) + p / 2 * log(pi) - lgamma(p / 2) + lgamma(p),
        "gamma": p * log(s) + lgamma(p),
    }[volume]
    if power == 0:
        return -length / s - away
    return float(power * np.linalg.slogdet(H)[1]) - length / s - away


def _as(**change: object) -> partial:
    return partial(_misread, **change)


# Wrong densities that many give, and what they reveal.
_MISREAD = (
    (
        _as(power=-1.0),
        "You divide by the determinant. Where the objective is strongly curved, do "
        "many tilts lead to nearby models, or few?",
    ),
    (_as(power=0.0), "That is the density of the tilt, at the tilt that leads here."),
    (
        _as(ridge=0.0),
        "The regularization is part of the objective, so it adds to the curvature.",
    ),
    (
        _as(pull=0.0),
        "The regularization is part of the objective, so it adds to the gradient.",
    ),
    (
        _as(norm="l1", volume="laplace"),
        "Those are independent Laplace numbers. The tilt's density depends on its "
        "Euclidean length.",
    ),
    (
        _as(volume="none"),
        "The density of the tilt must integrate to 1: a constant is missing.",
    ),
    (_as(volume="unit"), "The constant of the tilt depends on s, too."),
    (
        _as(volume="gamma"),
        "That is the constant of the length alone. All directions of that length "
        "share it.",
    ),
    (_as(share="mean"), "The loss is a sum over records, not a mean."),
    (_as(sign=-1.0), "The sign of the labels, or of the gradient of the loss, is off."),
)


def _judge(student: Student, case: Case, where: str) -> None:
    found, wanted = student.number(*case), _wanted(*case)
    if abs(found - wanted) > 1e-7 * max(1.0, abs(wanted)):
        seen, asked = f"{found:.8g}", f"{wanted:.8g}"
        hint = "Which tilt leads to this model, and how does the model move with it?"
        if abs(found - np.exp(wanted)) < 1e-9 and wanted > -15:
            hint = "That is the density; its logarithm is asked for."
        else:
            hint = matching_hint(np.asarray(found), _MISREAD, case, hint, wanted)
        raise Fault(f"the log density {where}", seen, asked, hint)


def _no_data(student: Student, _: np.random.Generator) -> None:
    none = np.zeros((0, 1)), np.zeros(0)
    _judge(student, (np.array([0.5]), *none, 3.0, 2.5), "of one model without data")


def _records(rng: np.random.Generator, n: int, p: int) -> tuple[np.ndarray, np.ndarray]:
    X = rng.normal(size=(n, p))
    X = X / np.linalg.norm(X, axis=1, keepdims=True)
    return X, np.where(rng.random(n) < 0.5, 1.0, -1.0)


def _on_a_line(student: Student, rng: np.random.Generator) -> None:
    for theta in (-0.7, 0.4):
        case = (np.array([theta]), *_records(rng, 7, 1), 0.8, 1.5)
        _judge(student, case, f"at theta = {theta}, with 7 records on a line")


def _in_space(student: Student, rng: np.random.Generator) -> None:
    for n, p in ((5, 2), (20, 4), (6, 3)):
        X, y = _records(rng, n, p)
        X[1] = 0.0  # a record that says nothing
        case = (rng.normal(size=p), X, y, 0.7, 1.8)
        _judge(student, case, f"at a model in {p} dimensions, with {n} records")


def _far(student: Student, rng: np.random.Generator) -> None:
    case = (rng.normal(size=400), *_records(rng, 10, 400), 2e3, 40.0)
    _judge(student, case, "at a model in 400 dimensions, with Lam = 2000")
    case = (np.array([400.0, -400.0]), *_records(rng, 6, 2), 0.5, 300.0)
    _judge(student, case, "at a model of norm 566")


EXERCISE = Exercise(
    name="tilted_log_density",
    parameters=("theta", "X", "y", "Lam", "s"),
    title="How likely is this model?",
    statement="""\
Objective perturbation publishes the minimum of
$$\\mathcal J(\\theta) + \\langle b, \\theta\\rangle, \\qquad \\mathcal J(\\theta) =
\\sum_{i=1}^n \\ln\\bigl(1 + e^{-y_i \\langle x_i, \\theta\\rangle}\\bigr)
+ \\frac{\\Lambda}{2}\\lVert\\theta\\rVert_2^2,$$
where the tilt $b$ has density proportional to $e^{-\\lVert b\\rVert_2/s}$ on
$\\mathbb{R}^p$.

Write `tilted_log_density(theta, X, y, Lam, s)`, which returns the **logarithm of the
density** of the published model at `theta`, shape `(p,)`. Rows of `X`, shape `(n, p)`,
are the $x_i$; `y` holds $-1$ and $1$. The constant counts: the density integrates to 1.

There may be no records. In many dimensions a determinant can be too large for a
floating-point number, though its logarithm is not.""",
    starter="""\
import numpy as np


def tilted_log_density(theta, X, y, Lam, s):
    tilt = X.T @ (y / (1 + np.exp(y * (X @ theta)))) - Lam * theta
    return -np.linalg.norm(tilt) / s  # your code here""",
    worked=(
        "tilted_log_density(np.array([0.5]), np.zeros((0, 1)), np.zeros(0), 3.0, 2.5)",
        "-1.1108256",
        "Without data the model is −b/3. So it is 0.5 if b = −1.5, where the density "
        "of b is e^(−0.6)/5 = 0.1098. The model moves a third as far as b, so its "
        "density is three times that: 0.3293, with the logarithm ln 3 − 0.6 − ln 5.",
    ),
    hints=(
        "At the minimum the gradient vanishes. So each model belongs to one tilt. "
        "Which?",
        "By how much does the tilt change if the model moves a little? That is a "
        "matrix. Volumes change by its determinant.",
        "The constant of the tilt: spheres of radius t have the surface "
        "$2\\pi^{p/2}t^{p-1}/\\Gamma(p/2)$, and $\\int_0^\\infty t^{p-1}e^{-t/s}\\,dt "
        "= s^p\\,\\Gamma(p)$.",
    ),
    checks=(
        ("without data, by hand", _no_data),
        ("on a line", _on_a_line),
        ("in a plane, and in four dimensions", _in_space),
        ("where numbers are large", _far),
    ),
    praise="This is an exact audit: compute it for two neighbors, and the largest "
    "difference is the true ε. No sampling is needed.",
)

EXPLANATION = """\
**Step 1. Which tilt leads here?** At the minimum the gradient of the tilted objective
is 0, so $b = -\\nabla\\mathcal J(\\theta)$. Each model belongs to exactly one tilt.

**Step 2. The density of that tilt.** It is $e^{-\\lVert b\\rVert_2/s}$ over its
integral. In polar coordinates the integral is the surface of the unit sphere,
$2\\pi^{p/2}/\\Gamma(p/2)$, times the integral of $t^{p-1}e^{-t/s}$ over all
lengths $t$. That is a Gamma function: $s^p$ times $\\Gamma(p)$.

**Step 3. The change of variables.** A small region of models around $\\theta$ belongs
to a region of tilts that is larger by the factor $\\det\\nabla^2\\mathcal J(\\theta)$.
So the density of the model is that of the tilt *times* the determinant.

```python
from math import lgamma, log, pi

import numpy as np


def tilted_log_density(theta, X, y, Lam, s):
    p = len(theta)
    share = (1 - np.tanh(y * (X @ theta) / 2)) / 2
    tilt = X.T @ (y * share) - Lam * theta
    H = X.T @ ((share * (1 - share))[:, None] * X) + Lam * np.eye(p)
    constant = log(2) + p / 2 * log(pi) - lgamma(p / 2) + p * log(s) + lgamma(p)
    return np.linalg.slogdet(H)[1] - np.linalg.norm(tilt) / s - constant
```

Use `slogdet`, because the determinant itself overflows in many dimensions. Answers that
divide by it have a density that does not integrate to 1. Answers without the constant
cannot be compared between different $s$.
"""
