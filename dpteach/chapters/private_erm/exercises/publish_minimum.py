"""Exercise: publish a regularized minimum, with noise that hides one record."""

from functools import partial

import numpy as np

from ....grading.distributions import FALSE_ALARM, RUNS
from ....grading.exercise import Exercise
from ....grading.ladder import demand_fresh_noise, ratio_hint
from ....grading.report import Fault
from ....grading.spherical import (
    SIGNS,
    Radial,
    demand_both_signs,
    demand_measured_radial,
    found_radial,
    mean_length_by_chance,
)
from ....grading.student import Student

# ruff: noqa: ARG005  (formulas of one table share one signature)


def least_scale(n: int, L: float, alpha: float, tol: float, eps: float) -> float:
    """Return the least scale that hides a replacement, and where solvers stop."""
    return (2 * L / n + 2 * tol) / (alpha * eps)


# Scales that many give, as functions of (n, L, alpha, tol, eps, p), and the reason.
SCALES = (
    (
        lambda n, L, m, tol, eps, p: (L / n + 2 * tol) / (m * eps),
        "That hides a record that comes or goes. Replacing a record takes one gradient "
        "away, and brings another.",
    ),
    (
        lambda n, L, m, tol, eps, p: 2 * L / n / (m * eps),
        "That is enough for exact minima. Where does each run of the solver stop?",
    ),
    (
        lambda n, L, m, tol, eps, p: (2 * L / n + tol) / (m * eps),
        "One solver's error is covered. There are two runs, and they may err in "
        "opposite directions.",
    ),
    (
        lambda n, L, m, tol, eps, p: (L / n + tol) / (m * eps),
        "That is half of the distance: both the record and the solver count twice.",
    ),
    (
        lambda n, L, m, tol, eps, p: L / n / (m * eps),
        "That hides a record that comes or goes, between exact minima.",
    ),
    (
        lambda n, L, m, tol, eps, p: (2 * L + 2 * tol) / (m * eps),
        "That is for a sum of losses. Here alpha belongs to a mean, in which one "
        "record counts for 1/n.",
    ),
    (
        lambda n, L, m, tol, eps, p: 2 * L / (m * eps),
        "That is for a sum of losses, and for exact minima. Here alpha belongs to "
        "a mean.",
    ),
    (
        lambda n, L, m, tol, eps, p: (2 * L / n + 2 * tol / n) / (m * eps),
        "The tolerance is divided by n. It belongs to the gradient of the mean "
        "already; that of the sum would be n times as large.",
    ),
    (
        lambda n, L, m, tol, eps, p: (2 * L / n + 2 * tol) / eps,
        "alpha does not enter: a flatter objective lets its minimum move farther.",
    ),
    (
        lambda n, L, m, tol, eps, p: least_scale(n, L, m, tol, eps) * p**0.5,
        "A factor of √p: that would be needed if each entry had noise of its own.",
    ),
)


_Case = tuple[int, float, float, float, float]  # n, L, alpha, tol, eps


def _told(case: _Case, p: int) -> str:
    n, L, alpha, tol, eps = case
    return (
        f"the noise at n = {n}, L = {L:g}, alpha = {alpha:g}, tol = {tol:g}, "
        f"eps = {eps:g}, in p = {p} dimensions"
    )


def _fresh(student: Student, rng: np.random.Generator) -> None:
    theta = rng.normal(size=3)
    demand_fresh_noise(student, (3,), rng, theta, 20, 1.0, 0.5, 0.01, 1.0)


def _centered(student: Student, rng: np.random.Generator) -> None:
    """With one seed the noise is the same, so that two results differ by the model."""
    seed, case = int(rng.integers(2**62)), (40, 1.6, 0.3, 0.01, 0.65)
    thetas = np.array([[0.0, 0.0, 0.0], [3.0, -0.2, 40.0], [0.01, 0.0, -0.02]])
    at_zero, *published = (
        student.array((3,), theta, *case, np.random.default_rng(seed))
        for theta in thetas
    )
    for theta, at in zip(thetas[1:], published, strict=True):
        if not np.allclose(at - at_zero, theta, rtol=1e-6, atol=1e-9):
            raise Fault(
                f"what is published for theta = {_shown(theta)}, less what is "
                "published for theta = 0 at the same seed",
                _shown(at - at_zero),
                "theta itself",
                _center_hint(at - at_zero, theta, case[0]),
            )


def _shown(v: np.ndarray) -> str:
    return "(" + ", ".join(f"{each:.4g}" for each in v + 0.0) + ")"


def _center_hint(moved: np.ndarray, theta: np.ndarray, n: int) -> str:
    if not moved.any():
        return "That is the noise alone. To what should it be added?"
    if np.allclose(moved, theta / n):
        return "theta is a minimum already. Of a sum or of a mean, it is the same one."
    return (
        "The noise, or what it is added to, depends on the model. But the model is "
        "made from the records, and s must be right for all of them."
    )


def _noise(student: Student, rng: np.random.Generator) -> None:
    _demand_distribution(student, rng, 3, (40, 1.6, 0.3, 0.01, 0.65), RUNS[:1])
    # Other constants that are forgotten show at once; the distribution needs more runs.
    _demand_distribution(student, rng, 2, (25, 0.7, 1.9, 0.03, 3.0), RUNS)
    # The length is a sum of p exponential variables: so many show a scale 3% off.
    _demand_distribution(student, rng, 40, (9, 1.2, 0.8, 0.02, 1.5), RUNS[1:])
    _demand_distribution(student, rng, 3, (1, 0.8, 0.5, 0.02, 1.1), RUNS[:1])
    _many_dimensions(student, rng)


def _many_dimensions(student: Student, rng: np.random.Generator) -> None:
    runs, p, case = 5, 400, (9, 1.2, 0.8, 0.02, 1.5)
    theta = rng.normal(size=p)
    z = (student.sample(runs, (p,), rng, theta, *case) - theta) / least_scale(*case)
    length = float(np.linalg.norm(z, axis=1).mean())
    low, high = mean_length_by_chance(runs, p, FALSE_ALARM / 4)
    if not low <= length <= high:
        raise Fault(
            f"the mean length of {_told(case, p)}",
            f"about {length / p:.3g} times what it should be, over {runs} runs",
            f"{low / p:.3g} to {high / p:.3g} times it, which is chance",
            "It was right for small p. How does the length grow with p?",
        )


def _one_dimension(student: Student, rng: np.random.Generator) -> None:
    theta, case = rng.normal(size=1), (60, 2.5, 0.07, 0.0, 0.4)
    _demand_distribution(student, rng, 1, case, RUNS[:1])
    noise = student.sample(SIGNS, (1,), rng, theta, *case) - theta
    demand_both_signs(noise, _told(case, 1))


def _whole_numbers(student: Student, rng: np.random.Generator) -> None:
    theta, case = rng.integers(-9, 10, size=4), (40, 1.6, 0.3, 0.01, 0.65)
    seed = int(rng.integers(2**62))
    whole, real = (
        student.array((4,), each, *case, np.random.default_rng(seed))
        for each in (theta, theta.astype(float))
    )
    if not np.allclose(whole, real):
        raise Fault(
            f"what is published for theta = {_shown(theta)}, an array of integers",
            _shown(whole),
            f"{_shown(real)}, as for the same array of floats at the same seed",
            "An array that is made like theta holds integers too.",
        )


def _demand_distribution(
    student: Student,
    rng: np.random.Generator,
    p: int,
    case: _Case,
    stages: tuple[int, ...],
) -> None:
    theta, least = rng.normal(size=p), least_scale(*case)
    found = found_radial(partial(_drawn, student, theta, case), p)
    if isinstance(found, Radial):
        _demand_radial(found, case, p)
        return
    for runs in stages:
        z = (student.sample(runs, (p,), rng, theta, *case) - theta) / least
        demand_measured_radial(z, _told(case, p), _length_hint(found), FALSE_ALARM / 4)


def _drawn(student: Student, theta: np.ndarray, case: _Case, rng) -> np.ndarray:
    return student.array(theta.shape, theta, *case, rng) - theta


def _demand_radial(found: Radial, case: _Case, p: int) -> None:
    told, least = _told(case, p), least_scale(*case)
    if abs(found.shape / p - 1) > 1e-9:
        raise Fault(
            f"the distribution of the length of {told}",
            f"a gamma distribution of shape {found.shape:g}",
            "the distribution that belongs to the density",
            "e to the −‖b‖/s is the density at one point. How much room is there at "
            "distance r from 0, in p dimensions?",
        )
    ratio = found.scale / least
    if abs(ratio - 1) > 1e-6:
        side = (
            "Too little noise protects nobody."
            if ratio < 1
            else "This is more than is needed: how far can one record move theta, at "
            "most?"
        )
        raise Fault(
            f"the scale s of {told}",
            f"{found.scale:.4g}, which is {ratio:.3g} times the least",
            "the least s that is enough for eps",
            ratio_hint(found.scale, SCALES, (*case, p), side, least),
        )


def _length_hint(reason: str) -> str:
    if "rng.laplace" in reason:
        return (
            f"{reason} Laplace noise in each entry falls with the sum of the entries' "
            "sizes; the density falls with the length."
        )
    if "measured" not in reason:
        return reason
    return (
        f"{reason} How far can one record move theta? And how much room is there at "
        "distance r from 0, in p dimensions?"
    )


EXERCISE = Exercise(
    name="publish_minimum",
    parameters=("theta", "n", "L", "alpha", "tol", "eps", "rng"),
    title="Publish a minimum",
    statement="""\
A library was asked for the minimum of

$$\\frac1n \\sum_{i=1}^n \\ell(\\theta; d_i) +
\\frac{\\alpha}{2}\\lVert\\theta\\rVert_2^2,$$

where every loss is convex in $\\theta$, and its gradient has norm at most `L` whatever
the record and the model. The solver stopped at `theta`, an array of shape $(p,)$, where
the gradient of this objective has norm at most `tol`, which may be 0.

Write `publish_minimum(theta, n, L, alpha, tol, eps, rng)`, which returns `theta` plus
noise $b \\in \\mathbb R^p$ with density

$$f(b) \\propto e^{-\\lVert b\\rVert_2/s}$$

and the **least** scale $s$ that makes it $\\varepsilon$-differentially private for
`eps`, whatever the losses and the data, when one of the $n$ records is **replaced** by
another. On either data set the solver may stop wherever the gradient is that small.

All randomness must come from `rng`, a NumPy `Generator`. Leave `theta` as it is.
`theta` may hold whole numbers.""",
    starter="""\
import numpy as np


def publish_minimum(theta, n, L, alpha, tol, eps, rng):
    s = L / (alpha * eps)
    return theta + rng.laplace(0.0, s, size=theta.shape)  # your code here""",
    worked=(
        """\
many = [
    publish_minimum(np.zeros(5), 100, 1.0, 0.1, 0.01, 1.0, np.random.default_rng(k))
    for k in range(4000)
]
round(float(np.mean(np.linalg.norm(many, axis=1))), 1)""",
        "2.0",
        "With these constants s is 0.4: why? In p = 5 dimensions noise of this density "
        "has mean length ps, which is 2. In one dimension it would be 0.4.",
    ),
    hints=(
        "Multiply the objective by n. Which Λ and which tolerance γ does it have? Put "
        "both into the chapter's bound on the distance between two minima.",
        "The density depends on the length of $b$ alone. So its direction is uniform "
        "on the sphere, and independent of the length.",
        "The sphere of radius $r$ has an area proportional to $r^{p-1}$. So the length "
        "has density $\\propto r^{p-1}e^{-r/s}$. Which distribution is that?",
    ),
    checks=(
        ("the noise is fresh, and drawn from rng", _fresh),
        ("the noise is added to theta, and does not depend on it", _centered),
        ("the noise has the density, with the least scale", _noise),
        ("one dimension, and exact minima", _one_dimension),
        ("whole numbers", _whole_numbers),
    ),
    praise="Neither smoothness nor clipping nor steps are needed: strong convexity "
    "alone bounds what one record moves. The noise has mean length p times that over "
    "ε.",
)

EXPLANATION = """\
**Step 1. The sensitivity.** In units of the mean, replacing a record changes the
gradient by at most $2L/n$, and each of the two runs stops where the gradient has norm
at most `tol`. The objective is $\\alpha$-strongly convex, so a gradient of norm $g$
means a distance of at most $g/\\alpha$ from the minimum. Together the two published
points are at most $(2L/n + 2\\,\\text{tol})/\\alpha$ apart.

**Step 2. The scale.** At each point the log-density of the noise changes by at most
this distance over $s$. So $s$ is the distance over $\\varepsilon$.

**Step 3. The draw.** The density depends on the length of $b$ alone, so the direction
is uniform: normalize a normal vector. The sphere of radius $r$ has an area proportional
to $r^{p-1}$, so the length has density $\\propto r^{p-1}e^{-r/s}$, which is a gamma
distribution of shape $p$ and scale $s$.

```python
import numpy as np


def publish_minimum(theta, n, L, alpha, tol, eps, rng):
    s = (2 * L / n + 2 * tol) / (alpha * eps)
    direction = rng.standard_normal(len(theta))
    direction = direction / np.linalg.norm(direction)
    return theta + rng.gamma(len(theta), s) * direction
```

Independent Laplace noise for each entry, as in the starter, has another density: it
falls with the sum of the entries' sizes. It would need the sensitivity in that norm,
which can be $\\sqrt p$ times larger. And a length that is only exponential forgets that
there is more room far from 0 than near it.
"""
