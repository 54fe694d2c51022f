"""Exercise: what logged values and gradients prove of L, β and m."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ....grading.exercise import Exercise
from ....grading.report import Fault
from ....grading.student import Student

Log = tuple[np.ndarray, np.ndarray, np.ndarray]  # points, values, gradients


class Pairs(NamedTuple):
    """All ordered pairs (u, v) of different logged points; row k is that of pair k."""

    d: np.ndarray  # v − u
    far: np.ndarray  # ‖v − u‖₂
    rise: np.ndarray  # f(v) − f(u)
    slope: np.ndarray  # ∇f(u)
    turn: np.ndarray  # ∇f(v) − ∇f(u)
    gap: np.ndarray  # f(v) − f(u) − ⟨∇f(u), v − u⟩
    later: np.ndarray  # whether v was logged after u
    near: np.ndarray  # whether v was logged right before or right after u
    again: bool  # whether a point was logged twice


def pairs(U: np.ndarray, f: np.ndarray, G: np.ndarray) -> Pairs:
    """Form all ordered pairs of different points."""
    differ = (U[:, None] != U).any(axis=2)
    i, j = np.nonzero(differ)
    d, rise = U[j] - U[i], f[j] - f[i]
    gap = rise - (G[i] * d).sum(axis=1)
    far = np.linalg.norm(d, axis=1)
    near, again = abs(j - i) == 1, bool((~differ).sum() > len(U))
    return Pairs(d, far, rise, G[i], G[j] - G[i], gap, j > i, near, again)


def _steep(of: Pairs) -> np.ndarray:
    return np.abs(of.rise) / of.far


def _bends(of: Pairs) -> np.ndarray:
    return 2 * of.gap / of.far**2


def reference(U: np.ndarray, f: np.ndarray, G: np.ndarray) -> np.ndarray:
    """Return the least L, the least β and the largest m that no pair refutes."""
    of = pairs(U, f, G)
    bends = _bends(of)
    return np.array([_steep(of).max(), bends.max(), bends.min()])


# Wrong numbers that many give for L, and what they reveal.
_SLOPES: tuple[tuple[Callable[[Pairs], np.ndarray], str], ...] = (
    (
        lambda of: np.linalg.norm(of.slope, axis=1),
        "That is the longest gradient. It is a bound on L as well, but the definition "
        "compares values.",
    ),
    (
        lambda of: (of.rise / of.far)[of.later],
        "Falls are not seen, only rises. A fall is a slope, too.",
    ),
    (
        lambda of: _steep(of)[of.near],
        "Only points that follow each other in the log are compared. The definition "
        "speaks of any two points.",
    ),
)
# Wrong curvatures of all pairs, of which β is the largest and m the least.
_CURVATURES: tuple[tuple[Callable[[Pairs], np.ndarray], str], ...] = (
    (
        lambda of: of.gap / of.far**2,
        "Half of it: in the definition the constant is divided by 2.",
    ),
    (
        lambda of: -_bends(of),
        "The sign is turned around: in each pair the gradient is that of the other "
        "end. A tangent touches f where its gradient was taken.",
    ),
    (
        lambda of: 2 * of.rise / of.far**2,
        "No tangent is subtracted: that is the rise of f, not its gap.",
    ),
    (
        lambda of: _bends(of)[of.later],
        "Each pair is taken in one order only. From the other end the tangent is "
        "another one.",
    ),
    (
        lambda of: np.linalg.norm(of.turn, axis=1) / of.far,
        "That is how fast the gradient turns. For a convex function it bounds β as "
        "well, but the definition compares f with its tangent.",
    ),
    (
        lambda of: np.maximum(_bends(of), 0.0),
        "Below 0 your answer stays at 0. The pairs say by how much f is not convex.",
    ),
    (
        lambda of: np.append(_bends(of), [0.0] * of.again),
        "Two equal points count as a pair without curvature. They prove nothing.",
    ),
)
# For each of L, β and m: what it is the largest or the least of, and wrong values.
_KINDS = (
    (np.max, _steep, _SLOPES),
    (np.max, _bends, _CURVATURES),
    (np.min, _bends, _CURVATURES),
)


def misread(which: int, found: list[float], of: list[Pairs], other: str) -> str:
    """Explain a wrong L, β or m (number 0, 1 or 2) by what it is for several logs."""
    reduced, right, known = _KINDS[which]
    wanted = [reduced(right(each)) for each in of]
    for formula, told in known:
        given = [reduced(formula(each)) for each in of]
        same = np.allclose(given, wanted, rtol=1e-6)
        if np.allclose(given, found, rtol=1e-6) and not same:
            return told
    return other


def waves(U: np.ndarray, sign: int = 1) -> Log:
    """Log a function that is not convex."""
    f = np.cos(U).sum(axis=1) + 0.1 * (U**2).sum(axis=1) + U[:, 0]
    G = -np.sin(U) + 0.2 * U
    G[:, 0] += 1
    return U, sign * f, sign * G


_POINTS = np.array([[-0.9, -1.2], [0.3, 1.7], [-0.3, 0.5], [1.1, 1.4], [-1.8, 0.9]])
# On these two all the wrong numbers above differ.
PROBES = waves(_POINTS), waves(_POINTS[::-1], sign=-1)


_NAMES = "Lβm"
_OTHER = (
    "What does |f(u) − f(v)| ≤ L‖u − v‖ say of L, for one pair of points?",
    "By how much is f above its tangent, for one pair of points?",
    "By how much is f above its tangent, for one pair of points?",
)


def _judge(student: Student, log: Log, what: str) -> None:
    found, wanted = student.array((3,), *log), reference(*log)
    wrong = ~np.isclose(found, wanted, rtol=1e-6, atol=1e-9)
    if wrong.any():
        first = int(np.argmax(wrong))
        raise Fault(
            f"(L, β, m) from a log of {what}, where {_NAMES[first]} is not right",
            _shown(found, wanted),
            _shown(wanted, found),
            _hint(student, log, found, first),
        )


def _hint(student: Student, log: Log, found: np.ndarray, first: int) -> str:
    wanted = reference(*log)
    if np.allclose(np.sort(found), np.sort(wanted), rtol=1e-6):
        return "These are the three numbers, in another order than L, β, m."
    if np.array_equal(found, np.trunc(wanted)):
        return "What comes after the point is cut off: what kind of array holds it?"
    given = [found, *(student.array((3,), *each) for each in PROBES)]
    seen = [each[first] for each in given]
    of = [pairs(*each) for each in (log, *PROBES)]
    return misread(first, seen, of, _OTHER[first])


def _shown(numbers: np.ndarray, others: np.ndarray) -> str:
    """Print three numbers, with enough digits to tell them from three others."""
    said = ""
    for digits in (4, 8, 12):
        said, other = (
            ", ".join(f"{each:.{digits}g}" for each in three)
            for three in (numbers, others)
        )
        if said != other:
            break
    return f"({said})"


def _huber(U: np.ndarray) -> Log:
    x = U[:, 0]
    far = np.abs(x) > 1
    return U, np.where(far, np.abs(x) - 0.5, x**2 / 2), np.clip(U, -1, 1)


def _quadratic(U: np.ndarray, A: np.ndarray, b: np.ndarray) -> Log:
    return U, ((U @ A) * U).sum(axis=1) / 2 + U @ b, U @ A + b


def _logistic(U: np.ndarray, X: np.ndarray) -> Log:
    scores = U @ X.T
    return U, np.logaddexp(0, -scores).sum(axis=1), -1 / (1 + np.exp(scores)) @ X


def _two_points(student: Student, _: np.random.Generator) -> None:
    for points in ([0.0, 3.0], [2.0, -0.5]):
        U, f, G = _huber(np.array(points)[:, None])
        what = f"2 points: U = {points}, f = {f.tolist()}, G = {G[:, 0].tolist()}"
        _judge(student, (U, f, G), what)


def _quadratics(student: Student, rng: np.random.Generator) -> None:
    for n, p in ((5, 2), (12, 4), (3, 400)):
        root, b = rng.normal(size=(p, p)), rng.normal(size=p)
        log = _quadratic(rng.normal(size=(n, p)), root @ root.T, b)
        _judge(student, log, f"a quadratic at {n} points in {p} dimensions")


def _losses(student: Student, rng: np.random.Generator) -> None:
    log = _huber(3 * rng.normal(size=(7, 1)))
    _judge(student, log, "the Huber loss at 7 points on a line")
    for n in (10, 33):
        log = _logistic(rng.normal(size=(n, 3)), rng.normal(size=(20, 3)))
        _judge(student, log, f"a logistic risk at {n} points in 3 dimensions")


def _not_convex(student: Student, rng: np.random.Generator) -> None:
    log = waves(3 * rng.normal(size=(9, 2)))
    _judge(student, log, "cosines and a parabola at 9 points in 2 dimensions")
    near = log[0] / 10_000, log[1], 10_000 * log[2]
    _judge(student, near, "the same, at 9 points that are 10,000 times as close")
    U, f, G = _logistic(rng.normal(size=(6, 2)), rng.normal(size=(15, 2)))
    _judge(student, (U, -f, -G), "a logistic risk, turned upside down, at 6 points")


def _standing(student: Student, rng: np.random.Generator) -> None:
    U, f, G = _logistic(rng.normal(size=(6, 2)), rng.normal(size=(15, 2)))
    visits = np.array([2, 2, 0, 1, 3, 0, 4, 5, 5])
    log = U[visits], f[visits], G[visits]
    _judge(student, log, "a logistic risk at 9 points, of which 6 are different")


def _whole_numbers(student: Student, rng: np.random.Generator) -> None:
    U = rng.permutation(np.array([[0, 1], [4, 1], [1, -3], [1, 2], [-2, -4]]))
    log = U, U[:, 0] ** 2 + 3 * U[:, 1] ** 2, U * np.array([2, 6])
    _judge(student, log, "u₁² + 3u₂² at 5 points with whole entries")


EXERCISE = Exercise(
    name="measure_constants",
    parameters=("U", "f", "G"),
    title="What does a log prove?",
    statement="""\
An algorithm has visited $n$ points, the rows $u_1, \\dots, u_n$ of `U`, which has the
shape $(n, p)$. It logged the values $f(u_i)$ in `f`, of shape $(n,)$, and the gradients
$\\nabla f(u_i)$ in the rows of `G`, of shape $(n, p)$. Nothing else is known of $f$.
What must its three constants be? By definition, for **any two points** $u, v$:

$$|f(v) - f(u)| \\le L\\,\\|v - u\\|_2,$$

$$\\tfrac m2\\|v - u\\|_2^2 \\le f(v) - f(u) - \\langle\\nabla f(u), v - u\\rangle
\\le \\tfrac\\beta2\\|v - u\\|_2^2.$$

Write `measure_constants(U, f, G)`, which returns an array of three numbers: the least
$L$, the least $\\beta$ and the largest $m$ with which these inequalities hold for all
pairs of logged points, **each pair in both orders**. Use no other facts.

A point may come several times. Two equal points prove nothing; at least two points
differ. $f$ need not be convex: then $m$, and even $\\beta$, may be negative. Return
them as they are. A relative error of $10^{-6}$ is small enough. The entries may be
whole numbers.""",
    starter="""\
import numpy as np


def measure_constants(U, f, G):
    steepest = np.linalg.norm(G, axis=1).max()
    return np.array([steepest, 0.0, 0.0])  # your code here""",
    worked=(
        """\
measure_constants(
    np.array([[0.0], [3.0]]), np.array([0.0, 2.5]), np.array([[0.0], [1.0]])
)""",
        "[0.8333333, 0.5555556, 0.1111111]",
        "The Huber loss at 0 and 3. It rises by 2.5 over a distance of 3: L is at "
        "least 2.5/3. The tangent at 0 is flat: the gap at 3 is 2.5, and 2 · 2.5/9 = "
        "0.556. The tangent at 3 has slope 1 and the value −0.5 at 0: the gap is 0.5, "
        "and 2 · 0.5/9 = 0.111. In truth L = 1, β = 1 and m = 0.",
    ),
    hints=(
        "Take one pair. Solve each inequality for its constant.",
        "A pair asks $L$ and $\\beta$ to be at least something, and $m$ to be at most "
        "something. Which of all these demands is the hardest to meet?",
        "With `U[:, None] - U` you have all differences at once, in both orders. Two "
        "loops do as well.",
    ),
    checks=(
        ("two points on a line, by hand", _two_points),
        ("quadratics in several dimensions", _quadratics),
        ("Huber and logistic losses", _losses),
        ("functions that are not convex", _not_convex),
        ("points that come several times", _standing),
        ("whole numbers", _whole_numbers),
    ),
    praise="A log can refute claims of a smaller L or β, or of a larger m. It can "
    "never prove a claim, because beyond the logged points f may do anything.",
)

EXPLANATION = r"""
**Step 1. Solve each inequality for its constant.** For one ordered pair $(u, v)$ of
different points, let $d = \lVert v - u\rVert$ and let
$B = 2\bigl(f(v) - f(u) - \langle\nabla f(u), v - u\rangle\bigr)/d^2$ be the bend that
this pair shows. The inequalities say $L \ge |f(v) - f(u)|/d$, then $\beta \ge B$, and
$m \le B$.

**Step 2. The hardest demand.** All pairs must be satisfied. So the least $L$ is the
largest slope, the least $\beta$ is the largest bend, and the largest $m$ is the *least*
bend.

**Step 3. Both orders.** The slope is the same from $u$ to $v$ and back. The bend is
not, because it uses the gradient of the point where it starts. Equal points are
skipped; they would divide by zero and prove nothing.

```python
import numpy as np


def measure_constants(U, f, G):
    way = U[None, :] - U[:, None]  # entry (i, j) leads from u_i to u_j
    squared = (way**2).sum(axis=2)
    pairs = squared > 0
    rise = f[None, :] - f[:, None]
    above_tangent = rise - np.einsum("ik,ijk->ij", G, way)
    slope = np.abs(rise)[pairs] / np.sqrt(squared[pairs])
    bend = 2 * above_tangent[pairs] / squared[pairs]
    return np.array([slope.max(), bend.max(), bend.min()])
```

**What wrong answers overlook.** The largest norm of a logged gradient is not asked for:
the definition of $L$ compares values. Starting the maximum of the bends at 0 hides a
negative $\beta$ or a negative $m$, which a function that is not convex does have. Only
neighboring rows of the log are not all pairs.
"""
