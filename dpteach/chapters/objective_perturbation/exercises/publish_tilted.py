"""Exercise: objective perturbation, from the draw to the minimum.

The grader reads the tilt off the published model: at the minimum b = −∇𝒥(θ).
"""

from collections.abc import Callable
from functools import partial

import numpy as np

from ....grading.distributions import FALSE_ALARM
from ....grading.exercise import Exercise
from ....grading.ladder import (
    demand_distinct,
    demand_fresh_noise,
    matching_hint,
    ratio_hint,
)
from ....grading.report import Fault
from ....grading.spherical import (
    SIGNS,
    Radial,
    demand_both_signs,
    demand_measured_radial,
    found_radial,
)
from ....grading.student import Student

# ruff: noqa: ARG005  (formulas of one table share one signature)

Case = tuple[np.ndarray, np.ndarray, float, float]  # X, y, Lam, eps
NOISELESS = 1e12  # an ε for which the tilt is too small to matter
RUNS = (100, 1000)  # what is far off is seen early: a run is a minimization


def least_scale(Lam: float, eps: float) -> float:
    """Return the least scale of the tilt, s = L/(ε − κ) with L = 1."""
    return 1 / (eps - np.log1p(0.25 / Lam))


def _fit(X: np.ndarray, y: np.ndarray, Lam: float) -> np.ndarray:
    """Find the minimum by Newton's method; a step is halved until it descends."""

    def objective(w: np.ndarray) -> float:
        return float(np.logaddexp(0, -y * (X @ w)).sum() + Lam / 2 * w @ w)

    theta = np.zeros(X.shape[1])
    for _ in range(50):
        share = (1 - np.tanh(y * (X @ theta) / 2)) / 2
        g = Lam * theta - X.T @ (y * share)
        H = (X.T * (share * (1 - share))) @ X + Lam * np.eye(len(theta))
        step = np.linalg.solve(H, g)
        if np.linalg.norm(g) < 1e-12 * (1 + np.abs(X).sum()):
            break
        while objective(theta - step) > objective(theta) and np.abs(step).max() > 1e-15:
            step = step / 2
        theta = theta - step
    return theta


# Wrong minima that many find, as functions of (X, y, Lam, eps), and the reason.
_MISREAD: tuple[tuple[Callable[..., np.ndarray], str], ...] = (
    (
        lambda X, y, Lam, eps: _fit(X, y, Lam * max(len(y), 1)),
        "That is the minimum for a mean of the losses. The risk is a sum.",
    ),
    (
        lambda X, y, Lam, eps: _fit(X, y, 2 * Lam),
        "The regularization is (Λ/2)‖θ‖², so its gradient is Λθ, not 2Λθ.",
    ),
    (
        lambda X, y, Lam, eps: _fit(X, y, Lam / 2),
        "The regularization is (Λ/2)‖θ‖², so its gradient is Λθ, not Λθ/2.",
    ),
    (
        lambda X, y, Lam, eps: _fit(X, -y, Lam),
        "The sign of the labels, or of the loss's gradient, is off.",
    ),
    (
        lambda X, y, Lam, eps: X.T @ y / (2 * Lam),
        "That is one step from 0. The minimum needs more of them.",
    ),
)
# Scales that many give, as functions of (Lam, eps, p), and the reason.
_SCALES: tuple[tuple[Callable[..., float], str], ...] = (
    (
        lambda Lam, eps, p: 1 / eps,
        "That leaves nothing of ε for the determinant: a record also changes the "
        "curvature of the objective.",
    ),
    (
        lambda Lam, eps, p: 2 / eps,
        "That is the source's scale, which keeps half of ε for the determinant. Here "
        "the least scale is asked for.",
    ),
    (
        lambda Lam, eps, p: 1 / (eps - np.log1p(1 / Lam)),
        "Which curvature can one record have? The second derivative of logistic loss "
        "is 1/4 at most.",
    ),
    (
        lambda Lam, eps, p: 2 / (eps - np.log1p(0.25 / Lam)),
        "That hides a record that is replaced. Here one is added or removed.",
    ),
    (
        lambda Lam, eps, p: least_scale(Lam, eps) / Lam,
        "That scale is divided by Λ, as for noise on the minimum. The tilt is in units "
        "of a gradient.",
    ),
)


def _problem(rng: np.random.Generator, n: int, p: int) -> tuple[np.ndarray, np.ndarray]:
    """Draw rows that are shorter than their bound, some of them zero."""
    X = rng.normal(size=(n, p))
    X = 0.6 * X / np.linalg.norm(X, axis=1, keepdims=True)
    X[n // 2 :: 7] = 0.0
    side = np.where(X[:, 0] < 0, -1.0, 1.0)  # few labels are on the other side
    return X, side * np.where(rng.random(n) < 0.9, 1.0, -1.0)


def _told(case: Case) -> str:
    X, _, Lam, eps = case
    n, p = X.shape
    return f"n = {n}, p = {p}, Lam = {Lam:g}, eps = {eps:g}"


def _tilt(student: Student, case: Case, rng: np.random.Generator) -> np.ndarray:
    """Read the tilt off what is published."""
    X, y, Lam, _ = case
    theta = student.array((X.shape[1],), *case, rng)
    share = (1 - np.tanh(y * (X @ theta) / 2)) / 2  # 1/(1 + e^z), for any z
    return X.T @ (y * share) - Lam * theta


def _without_tilt(student: Student, rng: np.random.Generator) -> None:
    for n, p, Lam in (
        (33, 3, 0.7), (2, 1, 3.0), (64, 7, 40.0), (64, 2, 0.2), (3, 400, 2.0),
    ):  # fmt: skip
        X, y = _problem(rng, n, p)
        seed = np.random.default_rng(int(rng.integers(2**62)))
        found = student.array((p,), X, y, Lam, NOISELESS, seed)
        wanted = _fit(X, y, Lam)
        given = (X, y, Lam, NOISELESS)
        if not np.allclose(found, wanted, rtol=1e-5, atol=1e-7):
            raise Fault(
                f"the model for {_told(given)}, where the tilt is nearly 0",
                _shown(found),
                _shown(wanted),
                matching_hint(
                    found,
                    _MISREAD,
                    given,
                    "Is the gradient of the whole objective 0 at your model?",
                    wanted,
                ),
            )
        _demand_small_gradient(found, given)


def _demand_small_gradient(found: np.ndarray, case: Case) -> None:
    X, y, Lam, _ = case
    size = np.linalg.norm(X.T @ (y / (1 + np.exp(y * (X @ found)))) - Lam * found)
    if size > 1.1e-8:
        raise Fault(
            f"the norm of the gradient at your model for {_told(case)}, where the "
            "tilt is nearly 0",
            f"{size:.2g}",
            "1e-08 at most",
            "Go on until the gradient is that small, however many steps it takes.",
        )


def _shown(v: np.ndarray) -> str:
    more = ", …" if len(v) > 3 else ""
    return "(" + ", ".join(f"{each:.5g}" for each in v[:3] + 0.0) + more + ")"


def _fresh(student: Student, rng: np.random.Generator) -> None:
    demand_fresh_noise(student, (3,), rng, *_problem(rng, 33, 3), 0.7, 1.0)


def _scale(student: Student, rng: np.random.Generator) -> None:
    for n, p, Lam, eps in ((33, 3, 0.7, 1.1), (64, 2, 5.0, 0.3)):
        _demand_tilt(student, rng, (*_problem(rng, n, p), Lam, eps))


def _edges(student: Student, rng: np.random.Generator) -> None:
    for n, p, Lam, eps in ((1, 1, 0.4, 2.0), (2, 7, 60.0, 0.05)):
        case = *_problem(rng, n, p), Lam, eps
        _demand_tilt(student, rng, case)
        if p == 1:
            seeds = rng.integers(2**62, size=SIGNS)
            tilts = [_tilt(student, case, np.random.default_rng(int(k))) for k in seeds]
            demand_both_signs(np.array(tilts), f"the tilt at {_told(case)}")


def _demand_tilt(student: Student, rng: np.random.Generator, case: Case) -> None:
    X, _, Lam, eps = case
    p, least = X.shape[1], least_scale(Lam, eps)
    found = found_radial(partial(_tilt, student, case), p)
    told = f"the tilt −∇𝒥 at your model, at {_told(case)}"
    if isinstance(found, Radial):
        _demand_radial(found, case, told)
        return
    hint = (
        f"{found} Must noise be added before the minimum is sought, or after? And how "
        "much room is there at distance r from 0, in p dimensions?"
    )
    for runs in RUNS:
        z = np.stack(
            [
                _tilt(student, case, np.random.default_rng(int(seed)))
                for seed in rng.integers(2**62, size=runs)
            ]
        )
        demand_distinct(student, z)
        demand_measured_radial(z / least, told, hint, FALSE_ALARM / 8)


def _demand_radial(found: Radial, case: Case, told: str) -> None:
    X, _, Lam, eps = case
    p, least = X.shape[1], least_scale(Lam, eps)
    if abs(found.shape / p - 1) > 1e-9:
        raise Fault(
            f"the length of {told}",
            f"a gamma distribution of shape {found.shape:g}",
            "the distribution that belongs to the density",
            "How much room is there at distance r from 0, in p dimensions?",
        )
    ratio = found.scale / least
    if abs(ratio - 1) > 1e-4:
        side = (
            "That is too little for eps."
            if ratio < 1
            else "This is more than is needed."
        )
        raise Fault(
            f"the scale s of {told}",
            f"{found.scale:.4g}, which is {ratio:.3g} times the least",
            "the least s that the theorem allows",
            ratio_hint(found.scale, _SCALES, (Lam, eps, p), side, least),
        )


EXERCISE = Exercise(
    name="publish_tilted",
    parameters=("X", "y", "Lam", "eps", "rng"),
    title="Objective perturbation",
    statement="""\
Rows of `X`, shape $(n, p)$, are known to have norm at most 1, and may be shorter; `y`
holds $-1$ and $1$. Write `publish_tilted(X, y, Lam, eps, rng)`, which returns the
minimum over $\\mathbb R^p$ of

$$\\sum_{i=1}^n \\ln\\bigl(1 + e^{-y_i\\langle x_i, \\theta\\rangle}\\bigr) +
\\frac\\Lambda2\\lVert\\theta\\rVert_2^2 + \\langle b, \\theta\\rangle,$$

where $b$ has density $\\propto e^{-\\lVert b\\rVert_2/s}$ with the **least** $s$ that
the chapter's first theorem on privacy allows for `eps` if one record is added or
removed. `Lam` is large enough for that.

Find the minimum until the gradient has norm at most $10^{-8}$: Newton's method needs a
few steps. All randomness must come from `rng`, a NumPy `Generator`. Leave `X` and `y`
as they are.""",
    starter="""\
import numpy as np


def publish_tilted(X, y, Lam, eps, rng):
    theta = np.zeros(X.shape[1])
    for _ in range(30):
        share = 1 / (1 + np.exp(y * (X @ theta)))
        g = -X.T @ (y * share) + Lam * theta
        H = X.T @ ((share * (1 - share))[:, None] * X) + Lam * np.eye(len(theta))
        theta = theta - np.linalg.solve(H, g)
    return theta + rng.laplace(0.0, 1 / (Lam * eps), size=theta.shape)  # your code""",
    worked=(
        """\
many = [
    publish_tilted(np.zeros((1, 5)), np.ones(1), 2.0, 1.0, np.random.default_rng(k))
    for k in range(4000)
]
round(float(np.mean(np.linalg.norm(many, axis=1))), 1)""",
        "2.8",
        "A row of zeros has no gradient, so the model is −b/2. The scale is "
        "s = 1/(1 − ln 1.125) = 1.134, the mean length of b is 5s = 5.67, and half of "
        "that is 2.8.",
    ),
    hints=(
        "Draw b first. Where does it enter the gradient, and where the Hessian?",
        "One record changes the curvature by at most β = 1/4, because the norm of its "
        "row is at most 1. So κ = ln(1 + 1/(4Λ)).",
        "The direction of b is uniform, and its length has a gamma distribution of "
        "shape p.",
    ),
    checks=(
        ("without a tilt, the exact minimum", _without_tilt),
        ("the tilt is fresh, and drawn from rng", _fresh),
        ("the tilt has the density, with the least scale", _scale),
        ("one record and one dimension; a small budget", _edges),
    ),
    praise="The grader found your tilt from your model alone: at the minimum it is "
    "minus the gradient. The proof of privacy rests on the same map.",
)

EXPLANATION = """\
**Step 1. The scale.** One record moves the gradient by at most $L = 1$ and adds a
matrix of rank 1 with an eigenvalue of at most $\\beta = \\frac14$. So
$\\kappa = \\ln(1 + \\beta/\\Lambda)$ of the budget goes to the determinant, and
$s = 1/(\\varepsilon - \\kappa)$. Both bounds are public; the rows that came may be
shorter, and that must not matter.

**Step 2. The tilt.** Its direction is uniform and its length gamma distributed with
shape $p$.

**Step 3. The minimum.** The tilt adds $b$ to the gradient and nothing to the Hessian.

```python
import numpy as np


def publish_tilted(X, y, Lam, eps, rng):
    p = X.shape[1]
    s = 1 / (eps - np.log(1 + 0.25 / Lam))
    direction = rng.standard_normal(p)
    b = rng.gamma(p, s) * direction / np.linalg.norm(direction)
    theta = np.zeros(p)
    for _ in range(100):
        share = 1 / (1 + np.exp(y * (X @ theta)))
        g = -X.T @ (y * share) + Lam * theta + b
        if np.linalg.norm(g) <= 1e-10:
            break
        H = X.T @ ((share * (1 - share))[:, None] * X) + Lam * np.eye(p)
        theta = theta - np.linalg.solve(H, g)
    return theta
```

Noise that is added to the minimum, as in the starter, is output perturbation: it goes
in all directions alike, and needs a scale of $1/(\\Lambda\\varepsilon)$. Answers with
$s = 1/\\varepsilon$ forget that a record also changes how many tilts end near a model.
"""
