"""Exercise: BANCO's bet, where the printed closed form overflows or cancels."""

from collections.abc import Callable
from functools import partial

import numpy as np

from ....grading.exercise import Exercise
from ....grading.report import Fault
from ....grading.student import Student
from ....numerics import log_sinh_integral

_TOLERANCE = 1e-9
_AT_ZERO = 1e-12
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(400)
_Points = tuple[tuple[float, float, float], ...]


def _wanted(points: _Points) -> np.ndarray:
    x, y, a = np.array(points).T
    with np.errstate(divide="ignore"):
        return np.sign(x) * a * np.exp(log_sinh_integral(a * np.abs(x), a * a * y))


def _mean(f: Callable, x: float, y: float, a: float) -> float:
    """Take the mean of f(β, x, y) over −a ≤ β ≤ a, where that is easy."""
    with np.errstate(all="ignore"):
        return float(f(a * _NODES, x, y) @ _WEIGHTS / 2)


def _bump(b: np.ndarray, x: float, y: float) -> np.ndarray:
    return b * np.exp(b * x - b * b * y)


# Wrong answers that many give, and what they reveal.
_MISREAD: tuple[tuple[Callable[[float, float, float], float], str], ...] = (
    (
        lambda x, y, a: 2 * a * _mean(_bump, x, y, a),
        "That is the integral; the bet is a mean over the stakes from −a to a.",
    ),
    (
        lambda x, y, a: 2 * _mean(_bump, x, y, a),
        "It is twice what it should be: how long is the interval from −a to a?",
    ),
    (
        lambda x, y, a: _mean(lambda b, x, y: np.exp(b * x - b * b * y), x, y, a),
        "That is the mean of the bettors' wealth; each stakes β times its own.",
    ),
    (
        lambda x, y, a: _mean(lambda b, x, y: _bump(b, x, -y), x, y, a),
        "Variance makes a bettor poorer: look at the sign before β² y.",
    ),
    (
        lambda x, y, a: _mean(lambda b, x, y: np.where(b > 0, _bump(b, x, y), 0.0),
                              x, y, a),
        "Stakes below 0 belong to the mean as well; they lose where others win.",
    ),
    (
        lambda x, y, a: _mean(lambda b, x, y: _bump(b, x, y / 2), x, y, a),
        "The exponent is β x − β² y, with all of y.",
    ),
    (
        lambda x, y, a: np.sqrt(np.pi) * x * np.exp(x * x / (4 * y)) / (4 * a * y**1.5),
        "That is the limit of many reports. Here the ends of the interval count too.",
    ),
    (
        lambda x, y, a: abs(_mean(_bump, x, y, a)),
        "The bet has the sign of x: it is odd in x.",
    ),
)  # fmt: skip


def _compare(student: Student, points: _Points, hint: str) -> None:
    for (x, y, a), wanted in zip(points, _wanted(points), strict=True):
        found = student.number(x, y, a)
        if abs(found - wanted) > _TOLERANCE * abs(wanted):
            off = abs(found - wanted) / abs(wanted)
            raise Fault(
                f"the bet at x = {x:.4g}, y = {y:.4g}, a = {a:.4g}",
                f"{found:.12g}, which is off by {off:.1e} of the bet",
                f"{wanted:.12g}, to a relative error of 1e-9",
                _hint(found, wanted, (x, y, a), hint),
            )


def _hint(
    found: float, wanted: float, point: tuple[float, float, float], other: str
) -> str:
    near = 1e-4
    if abs(found - wanted) <= near * abs(wanted):
        return f"The formula is right here, but not the last digits. {other}"
    with np.errstate(all="ignore"):
        for formula, told in _MISREAD:
            value = formula(*point)
            if np.isfinite(value) and abs(found - value) <= near * abs(value):
                return told
    return other


def _points(
    student: Student, _: np.random.Generator, points: _Points, hint: str
) -> None:
    _compare(student, points, hint)


def _at_zero(
    student: Student,
    _: np.random.Generator,
    points: tuple[tuple[float, float], ...] = ((10.0, 0.25), (50.0, 0.6), (1e-4, 1.0)),
) -> None:
    for y, a in points:
        found = student.number(0.0, y, a)
        if abs(found) > _AT_ZERO:
            raise Fault(
                f"the bet at x = 0, y = {y:.4g}, a = {a:.4g}",
                f"{found:.4g}",
                "0: nothing was won in either direction",
                "The stakes β and −β cancel.",
            )


def _anywhere(student: Student, rng: np.random.Generator) -> None:
    _at_zero(student, rng, ((1e5, 0.6), (1e6, 1.0)))
    points = [(1e-7, 1e-6, 1.0), (-1e-7, 1e6, 1.0), (500.0, 1e6, 1.0)]
    while len(points) < 40:
        a = 10 ** rng.uniform(-3, 0)
        X, Y = 10 ** rng.uniform(-7, 2.7), 10 ** rng.uniform(-6, 6)
        x = float(rng.choice([-1, 1]) * X / a)
        points.append((x, float(Y / a**2), float(a)))
    _compare(
        student,
        tuple(points),
        "Where does the integrand live? Put your nodes there, and take out the "
        "largest exponent before you exponentiate.",
    )


EXERCISE = Exercise(
    name="bet_size",
    parameters=("x", "y", "a"),
    title="A bet that does not overflow",
    statement="""\
BANCO walks as far along its direction as a bettor would stake:

$$
m(x, y, a) = \\frac{1}{2a}\\int_{-a}^{a}\\beta\\,e^{\\beta x-\\beta^2 y}\\,d\\beta.
$$

Write `bet_size(x, y, a)`, which returns this number to a **relative** error of
$10^{-9}$, and 0 (to $10^{-12}$) at $x = 0$. All three arguments are numbers; $x$ may
have either sign, $0 < a \\le 1$, $y > 0$. Their range is wide: $a|x|$ goes from
$10^{-7}$ to 500, and $a^2y$ from $10^{-6}$ to $10^6$. The answer itself always fits
into a float.

The integral has a closed form. Written as a paper prints it, it overflows once
$a^2y > 709$, and its terms cancel where $x$ is small. You may use it where it is safe,
or another form of it, or no closed form at all. NumPy and `math` are enough.""",
    starter="""\
import numpy as np


def bet_size(x, y, a):
    beta = np.linspace(-a, a, 2001)
    return np.mean(beta * np.exp(beta * x - beta**2 * y))  # your code here""",
    worked=(
        "round(bet_size(1.3, 2.7, 0.4), 10)",
        "0.0552458671",
        "Small enough to be done by any rule. Stakes go from −0.4 to 0.4; those with "
        "the sign of x = 1.3 weigh more, so that the mean is above 0.",
    ),
    hints=(
        "Join each stake to its opposite: "
        "$\\beta e^{\\beta x} - \\beta e^{-\\beta x} = 2\\beta\\sinh(\\beta x)$. Now "
        "all terms are positive, and nothing cancels, however small $x$ is.",
        "Work with logarithms of the terms. Take the largest one out of the sum, and "
        "put it back at the very end: then nothing overflows before the answer does.",
        "For large $a^2y$ the integrand is a narrow bump around $\\beta = x/2y$, of "
        "width $1/\\sqrt{2y}$; or it is steep at the end $\\beta = a$. A rule for "
        "integrals that puts its nodes there, and only there, needs few of them.",
    ),
    checks=(
        (
            "moderate x",
            partial(
                _points,
                points=((1.3, 2.7, 0.4), (-3.0, 5.0, 0.6838), (10.0, 40.0, 0.1)),
                hint="Is each factor there, and does your sum have enough stakes?",
            ),
        ),
        ("no bet at x = 0", _at_zero),
        (
            "x near 0",
            partial(
                _points,
                points=((1e-4, 40.0, 0.25), (-1e-6, 2.0, 0.5), (3e-6, 1e-3, 1.0)),
                hint="Large numbers of both signs cancel: most digits are lost.",
            ),
        ),
        (
            "many reports",
            partial(
                _points,
                points=(
                    (10.0, 12.0 * 901, 0.25),
                    (10.0, 13.0 * 901, 0.25),
                    (-300.0, 1e6, 0.25),
                    (3000.0, 1e6, 0.25),
                ),
                hint="Few of your stakes may lie where the integrand is not 0.",
            ),
        ),
        (
            "large x",
            partial(
                _points,
                points=((1000.0, 700.0, 0.5), (-400.0, 3.0, 1.0), (5e3, 1e4, 0.1)),
                hint="The integrand is steep at one end: are there enough stakes near "
                "it?",
            ),
        ),
        ("forty points anywhere", _anywhere),
    ),
    praise="Step 13 of a run at ε = 1 in ten dimensions overflows with the printed "
    "formula. Yours will still bet at step ten million.",
)

EXPLANATION = """\
Two things go wrong in floats, and each has its own cure. Where $x$ is small, positive
and negative stakes nearly cancel, so join them: $\\beta e^{\\beta x} - \\beta
e^{-\\beta x} = 2\\beta\\sinh(\\beta|x|)$, and every term is positive. Where $a^2y$ is
large, the terms overflow or vanish, so take the largest exponent out of the sum and
put it back at the end.

```python
import math

import numpy as np

NODES, WEIGHTS = np.polynomial.legendre.leggauss(100)


def bet_size(x, y, a):
    X, Y = a * abs(x), a * a * y  # stakes in units of a: t from 0 to 1
    if X == 0:
        return 0.0
    top = min(1.0, X / (2 * Y))  # where the integrand is largest
    reach = min(9 / math.sqrt(Y), 45 / max(X - 2 * Y, 1e-9))
    low, high = max(0.0, top - reach), min(1.0, top + 9 / math.sqrt(Y))
    t = low + (high - low) * (NODES + 1) / 2
    sinh = t * X + np.log(-np.expm1(-2 * t * X) / 2)  # its logarithm
    logs = np.log(t) + sinh - t * t * Y
    most = logs.max()
    total = (high - low) * (WEIGHTS @ np.exp(logs - most)) / 2
    return math.copysign(a * math.exp(most + math.log(total)), x)
```

**The nodes.** In units of $a$ the integrand is $t\\sinh(tX)\\,e^{-t^2Y}$. For large $Y$
it is a bump around $X/2Y$ of width about $1/\\sqrt{2Y}$. If $X > 2Y$, it rises up to
the end $t = 1$ within about $1/(X - 2Y)$. A hundred nodes are enough if they all lie
there. An even grid over the whole interval needs thousands, and misses the bump anyway
when $Y$ is a million.

**The last digits.** `expm1` keeps the digits of $1 - e^{-2tX}$ when $tX$ is tiny. With
`exp(t*X) - exp(-t*X)` they are lost: at $X = 10^{-7}$ only nine digits would be left.
"""
