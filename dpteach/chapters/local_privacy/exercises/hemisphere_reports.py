"""Exercise: reports of a fixed length, likelier on the side of the vector."""

# ruff: noqa: ARG005  (formulas of one table share one signature)

from math import exp, gamma, log, pi, sqrt, tanh

import numpy as np

from ....grading.distributions import (
    FALSE_ALARM,
    demand_standard_normal,
)
from ....grading.exercise import Exercise
from ....grading.ladder import demand_fresh_noise, sample_distinct
from ....grading.report import Fault
from ....grading.spherical import demand_uniform_angle
from ....grading.student import Student
from ._rows import demand_either_sign, two_calls

_ROWS = 3000
_CALLS = 400  # of three users each
_COINS = 8000  # with so many, odds that are a tenth too weak are caught
_RATE = FALSE_ALARM / 14

# A unit vector, the mean of a uniform direction on its side: c. The length is coth/c.
# Wrong lengths over the right one, from p and ε, and what they reveal.
_LENGTHS = (
    (
        lambda p, eps: tanh(eps / 2) * _lean(p),
        "All reports have length 1, so their mean is much shorter than v.",
    ),
    (
        lambda p, eps: _lean(p),
        "The odds are made up for, but the half sphere is not: a uniform point on the "
        "side of v is, on average, only a fraction of v.",
    ),
    (
        lambda p, eps: tanh(eps / 2),
        "The half sphere is made up for, but the odds are not: some reports lie on "
        "the wrong side and cancel others.",
    ),
    (
        lambda p, eps: tanh(eps / 2) * (exp(eps) + 1) / exp(eps),
        "You divide by the probability of the right side alone. The wrong side pulls "
        "the mean back.",
    ),
    (
        lambda p, eps: tanh(eps / 2) / tanh(eps),
        "Is that the hyperbolic tangent of ε in place of ε/2?",
    ),
)


def _lean(p: int) -> float:
    return gamma(p / 2) / (sqrt(pi) * gamma((p + 1) / 2))


def _length(p: int, eps: float) -> float:
    return 1 / (_lean(p) * tanh(eps / 2))


def _sent(
    student: Student, rng: np.random.Generator, v: np.ndarray, eps: float, rows: int
) -> np.ndarray:
    """Return the reports of many users who hold the same vector."""
    V = np.tile(v, (rows, 1))
    seed = np.random.default_rng(int(rng.integers(2**62)))
    return student.array(V.shape, V, eps, seed)


def _lengths(student: Student, rng: np.random.Generator) -> None:
    for n, p, eps in (
        (33, 2, 0.3), (6, 3, 2.0), (64, 7, 1.0), (1, 1, 1.0), (5, 300, 1.0),
    ):  # fmt: skip
        V = rng.standard_normal((n, p))
        V *= rng.uniform(0, 1, (n, 1)) / np.linalg.norm(V, axis=1, keepdims=True)
        V[0] = 0.0  # a user may hold the zero vector
        seed = np.random.default_rng(int(rng.integers(2**62)))
        found = np.linalg.norm(student.array(V.shape, V, eps, seed), axis=1)
        wanted = _length(p, eps)
        off = np.abs(found / wanted - 1)
        if off.max() > 1e-6:
            k = int(off.argmax())
            raise Fault(
                f"the length of report {k + 1} of {n}, for p = {p} and eps = {eps:g}",
                f"{found[k]:.4g}",
                f"{wanted:.4g}, the same for every user",
                _length_hint(found / wanted, p, eps),
            )


def _length_hint(ratio: np.ndarray, p: int, eps: float) -> str:
    if np.ptp(ratio) > 1e-6:
        return "The length must not depend on the row: it would tell how long v is."
    for formula, told in _LENGTHS:
        value = formula(p, eps)
        if abs(ratio[0] / value - 1) < 1e-6 and abs(value - 1) > 1e-6:
            return told
    return (
        "The mean of a report must be v. What is the mean of a uniform point on one "
        "half of the sphere, and what do the odds leave of it?"
    )


def _fresh(student: Student, rng: np.random.Generator) -> None:
    V = np.zeros((40, 3))
    demand_fresh_noise(student, V.shape, rng, V, 1.0)
    _demand_own_lines(*two_calls(student, rng, 3))


def _demand_own_lines(a: np.ndarray, b: np.ndarray) -> None:
    unit = a / np.linalg.norm(a, axis=1, keepdims=True)
    if np.triu(np.abs(unit @ unit.T) > 1 - 1e-12, 1).any():
        raise Fault(
            "the reports of 40 users in one call",
            "the same line for two of them",
            "a direction of its own for each",
            "Reports along one line show which users lie on opposite sides.",
        )
    if np.allclose(np.abs(a), np.abs(b)):
        raise Fault(
            "the reports of 40 users in two calls with different rng",
            "the same lines twice",
            "fresh randomness in each call",
            "Directions, too, must be drawn from the argument rng.",
        )


def _share_by_chance(share: float, coins: int = _COINS) -> float:
    """Bound how far the share of heads is off by chance (Bernstein)."""
    x = log(2 / _RATE) / coins
    return x / 3 + sqrt((x / 3) ** 2 + 2 * share * (1 - share) * x)


def _sides(student: Student, rng: np.random.Generator) -> None:
    for p, eps, norm in (
        (1, 1.0, 1.0), (3, 2.0, 1.0), (3, 2.0, 0.5), (2, 1.0, 0.0), (40, 2.0, 1.0),
    ):  # fmt: skip
        v = rng.standard_normal(p)
        v /= np.linalg.norm(v)
        sent = _sent(student, rng, norm * v, eps, _COINS)
        found = float((sent @ v > 0).mean())
        wanted = 0.5 + 0.5 * norm * tanh(eps / 2)
        most = _share_by_chance(wanted)
        if abs(found - wanted) > most:
            raise Fault(
                f"the share of {_COINS} reports on the side of a vector of norm "
                f"{norm:g}, p = {p}, eps = {eps:g}",
                f"{found:.3f}",
                f"{wanted - most:.3f} to {wanted + most:.3f}, which is chance around "
                f"{wanted:.3f}",
                "In fewer dimensions it was nearly right. Does one coin decide for the "
                "whole report?"
                if p == 40
                else _side_hint(found, eps, norm, most),
            )
    demand_either_sign(student, 1.0, rng)


def _side_hint(found: float, eps: float, norm: float, most: float) -> str:
    full = exp(eps) / (1 + exp(eps))
    if norm < 1 and abs(found - full) < most:
        return (
            "Short vectors get the odds of long ones. Then every mean has norm 1, "
            "whatever v is."
        )
    if abs(found - 0.5) < most:
        return "Both sides are alike, so the report says nothing about v."
    if abs(found - 1) < most:
        return "Every report is on the side of v: that gives v's side away for sure."
    if abs(found - (1 - (0.5 + 0.5 * norm * tanh(eps / 2)))) < most:
        return "The reports prefer the side that is turned away from v."
    return (
        "A vector of norm 1 has odds of e to the ε for its side. How must the "
        "probability depend on the norm, so that the mean is v?"
    )


def _own_rows(student: Student, rng: np.random.Generator) -> None:
    """Users of two kinds in turn: one holds v, the next one −v/2."""
    p, eps, seed = 3, 2.0, np.random.default_rng(int(rng.integers(2**62)))
    v = rng.standard_normal(p)
    v /= np.linalg.norm(v)
    held = np.tile([1.0, -0.5], _COINS // 2)
    sent = student.array((_COINS, p), held[:, None] * v, eps, seed)
    for each in (1.0, -0.5):
        ahead = sent[held == each] @ (each * v) > 0
        wanted = 0.5 + 0.5 * abs(each) * tanh(eps / 2)
        most = _share_by_chance(wanted, len(ahead))
        if abs(ahead.mean() - wanted) > most:
            raise Fault(
                f"{_COINS} users, of whom every other one holds v, the others −v/2: "
                f"the share of the reports of {each:g} v that are on its side",
                f"{ahead.mean():.3f}",
                f"{wanted - most:.3f} to {wanted + most:.3f}, which is chance around "
                f"{wanted:.3f}",
                "Where all users hold the same vector, the shares are right. Does each "
                "report depend on its own row alone?",
            )


def _uniform(student: Student, rng: np.random.Generator) -> None:
    """Turn what is sent into a uniform direction, and then into normal numbers."""
    for p, eps, norm in ((2, 1.0, 0.0), (2, 1.0, 0.8), (3, 1.5, 1.0)):
        v = rng.standard_normal(p)
        v /= np.linalg.norm(v)
        sent = _sent(student, rng, norm * v, eps, _ROWS)
        unit = sent / np.linalg.norm(sent, axis=1, keepdims=True)
        told = f"the reports' direction, p = {p}, eps = {eps:g}, norm {norm:g}"
        flat = _flattened(unit, v, 0.5 + 0.5 * norm * tanh(eps / 2))
        if p == 2:
            even = f"{told}, once the sides are evened out"
            demand_uniform_angle(flat if norm else unit, even, _RATE)
            continue
        _demand_independent(_as_normals(rng, flat).reshape(-1, 2 * p), f"{told}: two")
    # What ties all users of one call together shows best if they are few.
    few = sample_distinct(student, _CALLS, (3, 2), rng, np.zeros((3, 2)), 1.0)
    few = few.reshape(-1, 2) / np.linalg.norm(few.reshape(-1, 2), axis=1)[:, None]
    told = f"the directions in {_CALLS} calls, p = 2: the only three"
    _demand_independent(_as_normals(rng, few).reshape(_CALLS, -1), told)


def _as_normals(rng: np.random.Generator, unit: np.ndarray) -> np.ndarray:
    """Give uniform directions the lengths of normal vectors."""
    return unit * np.linalg.norm(rng.normal(size=unit.shape), axis=1, keepdims=True)


def _demand_independent(normals: np.ndarray, whose: str) -> None:
    try:
        demand_standard_normal(normals, "", "", _RATE)
    except Fault as fault:
        raise Fault(
            f"{whose} users, each turned into normal numbers",
            fault.seen,
            fault.wanted,
            "On each side no direction may be more likely than another, nor may "
            "one user's report depend on another's.",
        ) from None


def _flattened(unit: np.ndarray, v: np.ndarray, same: float) -> np.ndarray:
    """Move the heights over v so that a right report becomes uniform: p is 2 or 3."""
    p = len(v)
    height = np.clip(unit @ v, -1, 1)

    def below(h: np.ndarray) -> np.ndarray:
        return 1 - np.arccos(h) / np.pi if p == 2 else (h + 1) / 2

    share = below(height)
    level = np.where(
        share < 0.5, (1 - same) * 2 * share, (1 - same) + same * (2 * share - 1)
    )
    moved = np.cos(np.pi * (1 - level)) if p == 2 else 2 * level - 1
    across = unit - height[:, None] * v
    across /= np.maximum(np.linalg.norm(across, axis=1, keepdims=True), 1e-300)
    return moved[:, None] * v + np.sqrt(1 - moved**2)[:, None] * across


EXERCISE = Exercise(
    name="hemisphere_reports",
    parameters=("V", "eps", "rng"),
    title="Reports that all have one length",
    statement="""\
Row $i$ of the array `V`, of shape $(n, p)$, is what user $i$ would like to send. No row
is longer than 1; some are shorter, or zero. Write `hemisphere_reports(V, eps, rng)`,
which returns an array of the same shape. The report of a row $v$ is $B u$, where the
direction $u$ is on the side of $v$, that is $\\langle u, v\\rangle \\ge 0$, with
probability

$$
\\frac12 + \\frac{\\lVert v\\rVert}{2}\\,
\\frac{e^\\varepsilon - 1}{e^\\varepsilon + 1},
$$

and otherwise on the other side. On its side it is uniform. The number $B$ depends only
on $p$ and $\\varepsilon$; choose it so that the mean of every report is $v$. For a row
of zeros all directions are equally likely. All randomness must come from `rng`, a NumPy
`Generator`. Leave `V` as it is.
There are at most 300 coordinates.""",
    starter="""\
import numpy as np


def hemisphere_reports(V, eps, rng):
    U = rng.standard_normal(V.shape)
    return U / np.linalg.norm(U, axis=1, keepdims=True)  # your code here""",
    worked=(
        """\
many = hemisphere_reports(np.ones((4, 1)), 1.0, np.random.default_rng(0))
np.abs(many[:, 0]).round(2).tolist()""",
        "[2.16, 2.16, 2.16, 2.16]",
        "For p = 1 a direction is a sign, and the right sign is sent with probability "
        "e/(1 + e) = 0.731. Its mean is 0.731 − 0.269 = 0.462, so B = 1/0.462 = 2.16.",
    ),
    hints=(
        "Draw a uniform direction first. Then turn it around, if it is not on the side "
        "that a coin has chosen.",
        "Averaged over one side of the sphere, $u$ points along $v$ and has length "
        "$\\Gamma(\\frac p2)/(\\sqrt\\pi\\,\\Gamma(\\frac{p+1}2))$. For $p = 1$ this "
        "is 1, for $p = 2$ it is $2/\\pi$, and for $p = 3$ one half.",
        "With probability $q$ for the right side, a mean of length $c$ becomes "
        "$(2q - 1)\\,c$. Insert $q$, and see how the norm of $v$ drops out of $B$. "
        "Python has `math.gamma`.",
    ),
    checks=(
        ("every report has the length that makes its mean v", _lengths),
        ("each user has fresh randomness", _fresh),
        ("each side has its probability", _sides),
        ("each report is that of its own row", _own_rows),
        ("on a side all directions are alike", _uniform),
    ),
    praise="These reports are shorter than the spherical noise by a factor of about "
    "the root of p, and no randomizer can do better by more than a constant.",
)

EXPLANATION = """\
A report says on which side of the origin the vector lies, and lies about it with a
known probability. Everything else about its direction is pure chance.

```python
import math

import numpy as np


def hemisphere_reports(V, eps, rng):
    n, p = V.shape
    U = rng.standard_normal((n, p))
    U = U / np.linalg.norm(U, axis=1, keepdims=True)
    odds = math.tanh(eps / 2)
    norm = np.linalg.norm(V, axis=1)
    same = rng.random(n) < 0.5 + 0.5 * norm * odds
    side = np.where(np.sum(U * V, axis=1) >= 0, 1.0, -1.0)
    turn = np.where(same, side, -side)
    lean = math.gamma(p / 2) / (math.sqrt(math.pi) * math.gamma((p + 1) / 2))
    return U * turn[:, None] / (lean * odds)
```

**Step 1. Privacy.** The density of a direction is either twice the probability of its
side or twice the rest, times the uniform density. Both probabilities lie between
$1/(1 + e^\\varepsilon)$ and $e^\\varepsilon/(1 + e^\\varepsilon)$, because no norm is
above 1. So two records make densities that differ by a factor of at most
$e^\\varepsilon$.

**Step 2. The mean.** A uniform point on the side of $v$ has the mean
$c\\,v/\\lVert v\\rVert$, and one on the other side has the opposite mean. Weighted with
their probabilities, what is left is $c\\,\\tanh(\\varepsilon/2)\\,v$: the norm cancels.
So $B = 1/(c\\,\\tanh(\\varepsilon/2))$.

**What wrong answers overlook.** A length that ignores $c$, or the odds, gives a mean
that is too short. The same odds for short vectors are private, but then every mean has
norm 1. And a length that depends on the row is seen by everybody, without any noise at
all.
"""
