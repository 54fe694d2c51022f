"""Exercise: the update of composite DP-FTRL, with exact zeros."""

import numpy as np

from ....grading.exercise import Exercise
from ....grading.ladder import matching_hint
from ....grading.report import Fault
from ....grading.student import Student


def _soft(s: np.ndarray, threshold: float) -> np.ndarray:
    return -np.sign(s) * np.maximum(np.abs(s) - threshold, 0.0)


def _ball(theta: np.ndarray, R: float) -> np.ndarray:
    return theta / max(float(np.linalg.norm(theta)) / R, 1.0)


def _leader(s: np.ndarray, t: int, a: float, reg: float, R: float) -> np.ndarray:
    return _ball(_soft(s, t * a) / reg, R)


# Wrong models that many give, and what they reveal.
_MISREAD = (
    (
        lambda s, t, a, reg, R: _ball(_soft(s, a) / reg, R) + 0 * t,
        "The penalty is counted once. After t records it has been added t times.",
    ),
    (
        lambda s, t, a, reg, R: -_leader(s, t, a, reg, R),
        "The model goes uphill: the leader points against the sum of gradients.",
    ),
    (
        lambda s, t, a, reg, R: _ball(_soft(s / reg, t * a), R),
        "The sum is divided before the threshold. Where does Λ stand in the condition "
        "for a zero?",
    ),
    (
        lambda s, t, a, reg, R: _soft(s, t * a) / reg + 0 * R,
        "The result is not in the ball.",
    ),
    (
        lambda s, t, a, reg, R: _soft(-_ball(-s / reg, R), t * a / reg),
        "The point is projected first and thresholded after it; the other order keeps "
        "more.",
    ),
    (
        lambda s, t, a, reg, R: np.clip(_soft(s, t * a) / reg, -R, R),
        "Each entry is cut by itself: that is a box, not a ball.",
    ),
    (
        lambda s, t, a, reg, R: _ball(np.where(np.abs(s) > t * a, -s / reg, 0.0), R),
        "Small entries become zero, but the others must shrink as well.",
    ),
    (
        lambda s, t, a, reg, R: _ball(-s / reg, R) + 0 * t * a,
        "The penalty is missing.",
    ),
    (
        lambda s, t, a, reg, R: _ball(-(s - t * a) / reg, R),
        "The penalty pulls negative entries up, and positive ones down: toward zero.",
    ),
    (
        lambda s, t, a, reg, R: (
            R * _soft(s, t * a) / max(float(np.linalg.norm(_soft(s, t * a))), 1e-300)
            + 0 * reg
        ),
        "A model inside the ball stays where it is.",
    ),
)


def _demand(
    student: Student, s: np.ndarray, t: int, a: float, reg: float, R: float
) -> None:
    found, wanted = student.array(s.shape, s, t, a, reg, R), _leader(s, t, a, reg, R)
    off = np.abs(found - wanted) > 1e-6 * (1e-3 + np.abs(wanted))
    blurred = (wanted == 0) & (found != 0)
    if off.any() or blurred.any():
        j = int(np.argmax(off if off.any() else blurred))
        hint = "Nearly right, but zeros must be exact: a small number is not a zero."
        if off.any():
            other = "Write the condition for one entry: when may it be zero?"
            hint = matching_hint(found, _MISREAD, (s, t, a, reg, R), other, wanted)
        raise Fault(
            f"entry {j}, where the sum is {s[j]:.4g}, at t = {t}, a = {a:.4g}, "
            f"reg = {reg:.4g}, R = {R:.4g}",
            f"{found[j]:.4g}",
            f"{wanted[j] + 0.0:.4g}",
            hint,
        )


def _case(student: Student, rng: np.random.Generator, t: int, *radii: float) -> None:
    s = np.sign(rng.normal(size=6)) * np.array([3.0, 0.4, 1.3, 7.25, 0.0, 0.9])
    for R in radii:
        _demand(student, s, t, 1.0 / t, 2.0 if R > 1 else 9.0, R)


def _anywhere(student: Student, rng: np.random.Generator) -> None:
    for _ in range(20):
        p, t = int(rng.integers(1, 9)), int(rng.integers(1, 200))
        a, reg, R = (float(10 ** rng.uniform(-1.5, 1)) for _ in range(3))
        _demand(student, t * a * rng.normal(scale=2.0, size=p), t, a, reg, R)
    for p in (33, 400):
        _demand(student, rng.normal(scale=2.0, size=p), 5, 0.2, 1.5, 2.0)


def _nothing_left(student: Student, rng: np.random.Generator) -> None:
    _demand(student, rng.uniform(-1, 1, size=4), 10, 0.2, 3.0, 0.5)
    _demand(student, np.zeros(3), 1, 0.1, 1.0, 1.0)


def _whole_numbers(student: Student, rng: np.random.Generator) -> None:
    s = rng.integers(-9, 10, size=6)
    for R in (40.0, 0.7):
        try:
            _demand(student, s, 3, 0.5, 2.0, R)
        except Fault as fault:
            fault.hint = "s holds integers. An array that is made like it does too."
            raise


EXERCISE = Exercise(
    name="sparse_leader",
    parameters=("s", "t", "a", "reg", "R"),
    title="A leader with zeros",
    statement="""\
Composite DP-FTRL keeps the penalty $a\\|\\theta\\|_1$ as it is, while each loss is
replaced by its tangent. After $t$ records, with the noisy sum `s` of their gradients,
the next model is

$$\\theta_{t+1} = \\arg\\min_{\\|\\theta\\|_2 \\le R}\\ \\langle s, \\theta\\rangle +
\\sum_{i=1}^{t} a\\|\\theta\\|_1 + \\frac{\\Lambda}{2}\\|\\theta\\|_2^2.$$

Write `sparse_leader(s, t, a, reg, R)`, which returns it; `reg` is $\\Lambda$. Zeros
must be exact. `s` has shape $(p,)$; leave it as it is. `s` may hold whole numbers.""",
    starter="""\
import numpy as np


def sparse_leader(s, t, a, reg, R):
    return -s / reg  # your code here""",
    worked=(
        "sparse_leader(np.array([3.0, -0.5, 1.2, -7.25]), 4, 0.25, 2.0, 5.0)",
        "[-1.0, 0.0, -0.1, 3.125]",
        "The four penalties together are the ℓ1 norm times 1. So 3 becomes 3 − 1 = 2, "
        "and −2/2 = −1; the sum −0.5 is smaller than 1 and gives 0. The model has norm "
        "3.28, inside the ball.",
    ),
    hints=(
        "Without the ball the entries are separate: each minimizes a function of its "
        "own. Draw it: a parabola plus a kink at 0.",
        "At the least point 0 lies between the slopes on both sides. At 0 those of "
        "the penalty are $\\pm ta$: for which $s_j$ does that hold?",
        "The ball treats all directions alike. Show that the constrained least point "
        "is the free one, scaled.",
    ),
    checks=(
        ("one record, far from the boundary", lambda *a: _case(*a, 1, 50.0)),
        ("many records: how strong is the penalty?", lambda *a: _case(*a, 8, 50.0)),
        ("at the boundary", lambda *a: _case(*a, 1, 1.5, 5.0, 0.3, 0.6)),
        ("nothing is left", _nothing_left),
        ("twenty cases anywhere", _anywhere),
        ("whole numbers", _whole_numbers),
    ),
    praise="The threshold grows like t, and the noise in s only like the logarithm of "
    "t. So entries that consist of noise alone return to zero.",
)

EXPLANATION = r"""After $t$ records the penalties add up to $ta\|\theta\|_1$. Without
the ball the entries are separate problems: minimize $s_j u + ta|u| + \frac\Lambda2u^2$.
If $|s_j| \le ta$, then the kink at 0 is stronger than the slope, and the least point is
exactly 0. Else the slope vanishes at $u = -(s_j \mp ta)/\Lambda$.

```python
import numpy as np


def sparse_leader(s, t, a, reg, R):
    kept = np.sign(s) * np.maximum(np.abs(s) - t * a, 0.0)
    theta = -kept / reg
    return theta / max(1.0, np.linalg.norm(theta) / R)
```

*Why may the ball be applied last?* On the ball a multiplier $\nu \ge 0$ is added to
$\Lambda$, and the least point is $-\mathrm{kept}/(\Lambda + \nu)$. That is the free
one, scaled. So zeros stay zeros, and the length becomes $R$.

*What wrong answers overlook.* The penalty of one record, $a$, in place of $ta$: then
the threshold does not grow, while the noise in `s` does. And a threshold after the
division by $\Lambda$, or after the ball, is a different one."""
