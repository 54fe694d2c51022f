"""Exercise: local noise with a gamma length and a uniform direction."""

import numpy as np

from ....grading.distributions import (
    FALSE_ALARM,
    demand_standard_normal,
    distance_by_chance,
    normal_distance,
)
from ....grading.exercise import Exercise
from ....grading.ladder import demand_whole_numbers, sample_distinct
from ....grading.report import Fault
from ....grading.spherical import (
    demand_uniform_angle,
    length_as_normal,
    mean_length_by_chance,
    unit_rows,
)
from ....grading.student import Student
from ._rows import demand_cut_rows, demand_either_sign, two_calls

_ROWS = 2000
_CALLS = 800  # of three users each
_RATE = FALSE_ALARM / 12


def _noise(
    student: Student, rng: np.random.Generator, p: int, eps: float, rows: int = _ROWS
) -> np.ndarray:
    """Return what is added to rows of zeros."""
    seed = np.random.default_rng(int(rng.integers(2**62)))
    return student.array((rows, p), np.zeros((rows, p)), eps, seed)


def _messages(student: Student, rng: np.random.Generator) -> None:
    seed = int(rng.integers(2**62))
    V = rng.normal(size=(6, 4))
    V *= np.array([0.2, 0.7, 1.3, 3.0, 40.0, 0.0])[:, None] / np.linalg.norm(
        V, axis=1, keepdims=True
    )
    case = "the reports on 6 rows, less those on 0, at eps = 2 and the same seed"
    demand_cut_rows(student, V, 2.0, seed, case)


def _fresh(student: Student, rng: np.random.Generator) -> None:
    a, b = two_calls(student, rng, 2)
    _demand_no_part_fixed(a, b)
    if np.allclose(a, a[0]):
        raise Fault(
            f"the noise of {len(a)} users in one call",
            "the same vector for all of them",
            "a draw of its own for each",
            "Subtract two reports, and the noise is gone.",
        )


def _demand_no_part_fixed(a: np.ndarray, b: np.ndarray) -> None:
    """Demand that two calls share neither directions nor lengths."""
    lengths = [np.linalg.norm(each, axis=1, keepdims=True) for each in (a, b)]
    same = {
        "directions": np.allclose(a * lengths[1], b * lengths[0]),
        "lengths": np.allclose(*lengths) and np.ptp(lengths[0]) > 1e-9,
    }
    for which in (name for name, found in same.items() if found):
        raise Fault(
            "the noise of 40 users in two calls with different rng",
            f"the same {which} twice",
            "fresh noise in each call",
            "Directions and lengths must both be drawn from the argument rng.",
        )


def _length(student: Student, rng: np.random.Generator) -> None:
    # the last one measures the scale to a percent
    for p, eps in ((5, 1.0), (2, 4.0), (1, 0.5), (400, 0.5)):
        length = np.linalg.norm(_noise(student, rng, p, eps), axis=1)
        low, high = mean_length_by_chance(_ROWS, p, _RATE)
        mean, scale = float(length.mean()), 2 / eps
        if not low * scale <= mean <= high * scale:
            raise Fault(
                f"the mean length of the noise, {_ROWS} rows, p = {p}, eps = {eps:g}",
                f"{mean:.4g}",
                f"{low * scale:.4g} to {high * scale:.4g}, which is chance around "
                f"{p * scale:.4g}",
                _length_hint(length, p, eps),
            )
        distance = normal_distance(length_as_normal(length / scale, p))
        most = distance_by_chance(_ROWS, _RATE)
        if distance > most:
            raise Fault(
                f"the distribution of the noise's length, p = {p}, eps = {eps:g}",
                f"Kolmogorov distance {distance:.3f} from what the density asks for",
                f"at most {most:.3f}, which is chance",
                "The mean length is right, but the distribution is not. How much room "
                "is there at distance r from 0, in p dimensions?",
            )


def _length_hint(length: np.ndarray, p: int, eps: float) -> str:
    if p not in (2, 5):
        return f"It was nearly right for other p. How does it grow with p, here {p}?"
    mean, root = float(length.mean()), float(np.sqrt((length**2).mean()))
    for value, told in (
        (2 / eps, "That is the length in one dimension. In p of them there is more "
                  "room far out: r to the power p − 1 joins the density."),
        (p / eps, "Two rows of norm 1 are up to 2 apart, not 1."),
        (4 * p / eps, "Twice too long: rows of norm 1 are at most 2 apart."),
        (p * eps / 2, "It grows with eps. More privacy asks for longer noise."),
        (p * eps, "It grows with eps. More privacy asks for longer noise."),
    ):  # fmt: skip
        if abs(mean / value - 1) < 0.04:
            return told
    if abs(root / (2 / eps * np.sqrt(2 * p)) - 1) < 0.04:
        return (
            "That is Laplace noise in each entry: its density falls with the sum of "
            "the entries' sizes, not with the length."
        )
    if abs(root / (2 / eps * np.sqrt(p)) - 1) < 0.04:
        return "That is normal noise in each entry, or close to it."
    if abs(mean / (2 * p / eps * np.sqrt(p)) - 1) < 0.1:
        return "The direction must have norm 1 before it gets its length."
    return (
        "Which distribution does the length have, if the density is e to the −ε‖z‖/2?"
    )


def _direction(student: Student, rng: np.random.Generator) -> None:
    unit = _unit_rows(_noise(student, rng, 2, 2.0, 2 * _ROWS))
    told = f"the noise's direction, p = 2, {2 * _ROWS} users"
    demand_uniform_angle(unit, told, _RATE)
    up = float((_unit_rows(_noise(student, rng, 1, 2.0)) > 0).mean())
    most = distance_by_chance(_ROWS, _RATE)  # Hoeffding's bound for a coin
    if abs(up - 0.5) > most:
        raise Fault(
            f"the sign of the noise for p = 1, over {_ROWS} users",
            f"positive in {100 * up:.0f}% of the cases",
            f"{50 - 100 * most:.0f} to {50 + 100 * most:.0f}%, which is chance",
            "In one dimension there are two directions.",
        )
    demand_either_sign(student, 2.0, rng)


def _unit_rows(z: np.ndarray) -> np.ndarray:
    return unit_rows(z, f"the noise of {len(z)} users, p = {z.shape[1]}")


def _as_normals(rng: np.random.Generator, z: np.ndarray, eps: float) -> np.ndarray:
    """Turn each row's length into a normal number, and its direction into p of them."""
    size = np.linalg.norm(rng.normal(size=z.shape), axis=1, keepdims=True)
    length = length_as_normal(np.linalg.norm(z, axis=1) * eps / 2, z.shape[1])
    return np.c_[length, _unit_rows(z) * size]


def _together(student: Student, rng: np.random.Generator) -> None:
    """Demand that length and direction are independent, and users are too."""
    p, eps = 3, 1.5
    rows = _as_normals(rng, _noise(student, rng, p, eps), eps)
    _demand_independent(rows.reshape(_ROWS // 2, -1), "two users")
    # What ties all users of one call together shows best if they are few.
    few = sample_distinct(student, _CALLS, (3, p), rng, np.zeros((3, p)), eps)
    rows = _as_normals(rng, few.reshape(-1, p), eps)
    _demand_independent(rows.reshape(_CALLS, -1), "the only three users of a call")


def _demand_independent(normals: np.ndarray, whose: str) -> None:
    try:
        demand_standard_normal(normals, "", "", _RATE)
    except Fault as found:
        raise Fault(
            f"lengths and directions of {whose}, each turned into a normal number",
            found.seen,
            found.wanted,
            "The length must not depend on the direction, nor one user on another.",
        ) from None


def _whole_numbers(student: Student, rng: np.random.Generator) -> None:
    demand_whole_numbers(student, (6, 3), rng.integers(-2, 3, size=(6, 3)), 1.5)


EXERCISE = Exercise(
    name="local_reports",
    parameters=("V", "eps", "rng"),
    title="Reports that need no trusted server",
    statement="""\
Row $i$ of the array `V`, of shape $(n, p)$, is what user $i$ would like to send. Write
`local_reports(V, eps, rng)`, which returns an array of the same shape: each row cut to
norm at most 1 (short rows stay as they are), plus noise of its own with density

$$
f(z) \\propto e^{-\\frac{\\varepsilon}{2}\\lVert z\\rVert_2},
\\qquad z \\in \\mathbb R^p.
$$

Two rows of norm 1 are at most 2 apart, so each report is $\\varepsilon$-differentially
private whoever sees it. All randomness must come from `rng`, a NumPy `Generator`, and
must not depend on the values in `V`. Leave `V` as it is.
`V` may hold whole numbers.""",
    starter="""\
import numpy as np


def local_reports(V, eps, rng):
    return V + rng.laplace(0.0, 2 / eps, size=V.shape)  # your code here""",
    worked=(
        """\
many = local_reports(np.zeros((10**4, 5)), 1.0, np.random.default_rng(0))
round(float(np.mean(np.linalg.norm(many, axis=1))))""",
        "10",
        "In p = 5 dimensions the length r has a density proportional to r⁴ times "
        "e^(−r/2): its mean is 10, where the naive guess, the mean of e^(−r/2), is 2.",
    ),
    hints=(
        "The density depends on the length alone. So the direction is uniform on the "
        "sphere: divide a normal vector by its norm.",
        "The sphere of radius $r$ has an area proportional to $r^{p-1}$. So the length "
        "has density $\\propto r^{p-1}e^{-\\varepsilon r/2}$. Which distribution is "
        "that?",
        "NumPy has `rng.standard_gamma` and `rng.gamma`. Mind what NumPy calls scale: "
        "it multiplies.",
    ),
    checks=(
        ("rows are cut to norm 1, and the noise does not depend on them", _messages),
        ("each user has fresh noise", _fresh),
        ("the length of the noise", _length),
        ("its direction", _direction),
        ("length, direction and users are independent", _together),
        ("whole numbers", _whole_numbers),
    ),
    praise="With p = 100 a report's noise is 100 times as long as with p = 1, at the "
    "same ε. That is the price of local privacy, and the reason why n must be large.",
)

EXPLANATION = """\
A report is the row, cut to norm 1, plus a vector whose direction and length are drawn
independently.

```python
import numpy as np


def local_reports(V, eps, rng):
    n, p = V.shape
    cut = V / np.maximum(1.0, np.linalg.norm(V, axis=1, keepdims=True))
    direction = rng.standard_normal((n, p))
    direction = direction / np.linalg.norm(direction, axis=1, keepdims=True)
    length = rng.gamma(p, 2 / eps, size=(n, 1))
    return cut + length * direction
```

**Step 1. The cut.** A row is divided by its norm only if that is above 1. Short rows
stay as they are, since a cut is a bound and not a scale.

**Step 2. The direction.** The density depends on the length of $z$ alone, so all
directions are alike. A vector of independent normal numbers prefers no direction, and
divided by its norm it is uniform on the sphere.

**Step 3. The length.** All vectors of length about $r$ form a shell whose volume grows
like $r^{p-1}$. So the length has density proportional to
$r^{p-1}e^{-\\varepsilon r/2}$. That is a gamma distribution of shape $p$ and scale
$2/\\varepsilon$.

**What wrong answers overlook.** An exponential length forgets the shell: it is right
for $p = 1$ only, and has no finite price for $p \\ge 2$. The scale $1/\\varepsilon$
forgets that two rows of norm 1 are up to 2 apart. Laplace noise in each entry has a
density that falls with the sum of the entries' sizes. And noise that is shared by users
can be subtracted.
"""
