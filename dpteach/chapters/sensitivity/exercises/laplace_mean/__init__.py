"""Exercise: publish the mean of bounded numbers with Laplace noise."""

from math import log, sqrt

import numpy as np

from .....auditing import NotGaussian, Tape
from .....grading.bounded import Laplaces, demand_uncut_laplace
from .....grading.distributions import FALSE_ALARM, distance_by_chance
from .....grading.exercise import Exercise
from .....grading.ladder import (
    demand_distinct,
    demand_fresh_noise,
    matching_hint,
    ratio_hint,
)
from .....grading.report import Fault
from .....grading.student import Student
from .misreadings import (
    MEANS,
    SCALES,
    moves,
    noiseless,
)

_ADD, _REPLACE = False, True
# How often to look where the noise must be measured.
_QUICK, _CLOSE = 1_000, 10_000
# How often where the close look makes the scale suspect: then 3% off is caught.
_SURE, _SUSPECT = 60_000, 0.01
_NOT_LINEAR = "The result is not linear in your draws, so the noise was measured."
# A budget so large that its noise is rounding.
_NO_NOISE = 1e12


def _scales(student: Student, *arguments) -> np.ndarray | str:
    """Find by how much each Laplace draw moves the result; else say why not."""

    def run(sizes: np.ndarray) -> tuple[float, int]:
        replayed = Laplaces(sizes)
        tape = Tape((), others=replayed)
        found = student.number(*arguments, tape)
        if tape.draws or set(tape.other) - {"laplace"}:
            drawn = "rng.normal" if tape.draws else f"rng.{tape.other[0]}"
            told = f"You draw from {drawn}, so the noise was measured."
            raise NotGaussian(told, "other distribution")
        return found, replayed.draws

    try:
        still, draws = run(np.zeros(0))
        rows = np.eye(min(draws, 100))
        scales = np.array([run(row)[0] - still for row in rows])
        # What is folded or rounded may move by as much as it should for a draw of 1.
        signs = np.random.default_rng(7).choice([-1.0, 1.0], size=len(rows))
        for size in (-30.0, 30.0):
            moved, wanted = run(size * signs)[0] - still, size * scales @ signs
            if not np.isclose(moved, wanted, rtol=1e-6, atol=1e-9 * abs(still)):
                raise NotGaussian(_NOT_LINEAR, "not affine")
        return scales
    except NotGaussian as error:
        return str(error)


def _without_noise(student: Student, rng: np.random.Generator) -> None:
    for low, high, n, came, replace in (
        (-1.0, 3.0, 6, 6, _REPLACE),
        (0.0, 2.0, 8, 5, _ADD),
        (-4.0, -1.0, 5, 7, _ADD),
        (2.0, 2.5, 1, 1, _REPLACE),
        (-1.0, 0.5, 30, 33, _ADD),
    ):
        x = (low + high) / 2 + 2 * (high - low) * rng.normal(size=came)
        x[0] = high + 4 * n * (high - low)  # so large that it moves the mean out too
        _compare(student, x, low, high, n, replace)


def _compare(
    student: Student, x: np.ndarray, low: float, high: float, n: int, replace: bool
) -> None:
    draws = np.random.default_rng(3)
    found = student.number(x, low, high, n, _NO_NOISE, replace, draws)
    wanted = noiseless(x, low, high, n)
    if abs(found - wanted) > 1e-6 * max(1.0, abs(wanted)):
        raise Fault(
            f"the mean of {len(x)} numbers at eps = {_NO_NOISE:g}, where noise is "
            f"nothing, with low = {low:g}, high = {high:g}, n = {n}, "
            f"replace = {replace}",
            f"{round(found, 8) + 0:.6g}",
            f"{wanted:.6g}",
            matching_hint(
                np.asarray(found),
                MEANS,
                (x, low, high, n),
                "Clip each number, add them up, divide by n.",
                wanted,
            ),
        )


def _empty(student: Student, rng: np.random.Generator) -> None:
    x, limits = np.zeros(0), (-1.0, 3.0)
    _compare(student, x, *limits, 4, _ADD)
    _check_scale(student, rng, x, (*limits, 4, 0.5, _ADD), _QUICK)


def _whole_numbers(student: Student, rng: np.random.Generator) -> None:
    _compare(student, rng.integers(-9, 10, size=5), -0.5, 2.5, 5, _REPLACE)


def _fresh(student: Student, rng: np.random.Generator) -> None:
    x = rng.normal(size=5)
    demand_fresh_noise(student, (), rng, x, -1.0, 1.0, 5, 0.5, _REPLACE)


_Case = tuple[float, float, int, float, bool]  # low, high, n, eps, replace


def _noise(student: Student, rng: np.random.Generator) -> None:
    cases: tuple[tuple[int, _Case], ...] = (
        (7, (0.0, 2.0, 7, 0.3, _REPLACE)),
        (7, (-1.0, 3.0, 7, 0.4, _REPLACE)),
        (6, (-1.0, 3.0, 9, 0.4, _ADD)),
        (9, (-5.0, 1.0, 8, 2.5, _ADD)),
        (4, (2.0, 3.0, 5, 0.7, _ADD)),
        (5, (-4.0, -3.0, 5, 1.5, _REPLACE)),
    )
    for k, (came, case) in enumerate(cases):
        low, high, *_ = case
        x = rng.uniform(low - 1, high + 1, size=came)
        # Other constants that are forgotten show at once, so a quick look is enough.
        _check_scale(student, rng, x, case, _CLOSE if k == 0 else _QUICK)


def _noise_of_close_numbers(student: Student, rng: np.random.Generator) -> None:
    for replace in (_REPLACE, _ADD):
        x = 1 + 0.1 * rng.normal(size=6)
        try:
            _check_scale(student, rng, x, (-1.0, 3.0, 6, 0.8, replace), _QUICK)
        except Fault as fault:
            fault.hint = (
                "These numbers are close together, far from both limits. But the noise "
                "must be enough for all data, so only the limits count."
            )
            raise


def _check_scale(
    student: Student,
    rng: np.random.Generator,
    x: np.ndarray,
    case: _Case,
    runs: int,
) -> None:
    low, high, n, eps, replace = case
    least = moves(low, high, replace) / (n * eps)
    told = (
        f"the noise at low = {low:g}, high = {high:g}, n = {n}, eps = {eps:g}, "
        f"replace = {replace}, for {len(x)} records"
    )
    demand_uncut_laplace(lambda tape: np.array(student.number(x, *case, tape)), told)
    scales = _scales(student, x, *case)
    if isinstance(scales, str):
        center = noiseless(x, low, high, n)
        found = student.sample(runs, (), rng, x, *case)
        if len(np.unique(found)) < 0.99 * runs:  # single precision repeats a few
            demand_distinct(student, found)
        z = (found - center) / least
        _demand_laplace(z, told, scales)
        if runs == _CLOSE and abs(np.abs(z).mean() - 1) > _SUSPECT:
            z = (student.sample(_SURE, (), rng, x, *case) - center) / least
            _demand_laplace(z, told, scales)
    else:
        ratio = _only_draw(scales / least, told)
        if abs(ratio - 1) > 1e-5:  # in single precision
            raise _not_the_least(ratio, least, told, (*case, len(x)))


def _only_draw(ratios: np.ndarray, told: str) -> float:
    """Demand that a single draw reaches the result; return by how much."""
    reaching = np.abs(ratios[np.abs(ratios) > 1e-12])
    if len(reaching) == 1:
        return float(reaching[0])
    raise Fault(
        f"how many Laplace draws reach the result; {told}",
        f"{len(reaching)}",
        "one",
        "Sums of Laplace draws have another distribution, and one draw for each "
        "record reveals how many there are."
        if len(reaching)
        else "Is noise drawn at all?",
    )


def _not_the_least(ratio: float, least: float, told: str, case: tuple) -> Fault:
    """Explain noise whose scale is not the least that is enough."""
    side = (
        "Too little noise protects nobody."
        if ratio < 1
        else "This is more noise than is needed: what can one record change, at most?"
    )
    return Fault(
        f"the scale of {told}",
        f"{ratio * least:.4g}, which is {ratio:.3g} times the least",
        "the least that is enough for eps",
        ratio_hint(ratio, SCALES, case, side, 1.0),
    )


def _demand_laplace(z: np.ndarray, told: str, hint: str) -> None:
    """Demand standard Laplace draws: sizes of mean 1, and the right distribution.

    With 10,000 of them a scale that is 8% off is caught, and a distribution at a
    distance of 0.03; with 60,000 a scale that is 3% off. The ten calls of one grading
    fail by chance at a rate of 1e-6 in all.
    """
    rate = FALSE_ALARM / 30
    scale, x = float(np.abs(z).mean()), log(1 / rate) / z.size
    low, high = 1 - sqrt(2 * x), 1 + sqrt(2 * x) + x  # tails of a mean of exponentials
    if not low <= scale <= high:
        raise Fault(
            f"the scale of {told}",
            f"about {scale:.3g} times the least, over {z.size} runs",
            f"{max(low, 0):.3g} to {high:.3g} times it, which is chance",
            f"{hint} What can one record change, at most?",
        )
    z = np.sort(z)
    tail, i = np.exp(-np.abs(z)) / 2, np.arange(z.size)
    below = np.where(z < 0, tail, 1 - tail)
    distance = max((below - i / z.size).max(), ((i + 1) / z.size - below).max())
    most = distance_by_chance(z.size, rate)
    if distance > most:
        raise Fault(
            f"the distribution of {told}",
            f"Kolmogorov distance {distance:.3f} from a Laplace distribution, over "
            f"{z.size} runs",
            f"at most {most:.3f}, which is chance",
            f"{hint} The statement asks for Laplace noise, centered at 0.",
        )


EXERCISE = Exercise(
    name="laplace_mean",
    parameters=("x", "low", "high", "n", "eps", "replace", "rng"),
    title="A private mean",
    statement="""\
Numbers in the array `x` should lie between `low` and `high`; those that do not are
moved to the nearer limit. Write `laplace_mean`, which returns **one number**, the mean

$$\\frac1n \\Big(\\sum_i \\mathrm{clip}(x_i) + \\mathrm{Lap}(s)\\Big),
\\qquad \\mathrm{clip}(x) = \\min\\{\\max\\{x, \\texttt{low}\\}, \\texttt{high}\\},$$

with the **least** scale $s$ that makes it $\\varepsilon$-private for `eps`. The
argument `replace` says which data sets are neighbors:

* `True`: they differ in the value of one number. `x` has `n` entries.
* `False`: one has a number more than the other. How many came is private, so `x` may
  have any number of entries, even none. `n` is a **public** constant of similar size.

`low` is below `high`; either may be negative. The scale must be right for all data, not
only for the data at hand. All randomness must come from `rng`, a NumPy `Generator`, and
`x` stays as it is. `x` may hold whole numbers.""",
    starter="""\
import numpy as np


def laplace_mean(x, low, high, n, eps, replace, rng):
    return x.mean() + rng.laplace(scale=1 / eps)  # your code here""",
    worked=(
        """\
laplace_mean(
    np.array([0.5, 7.0, -2.0]),
    low=0.0,
    high=2.0,
    n=4,
    eps=1e12,
    replace=False,
    rng=np.random.default_rng(0),
)""",
        "0.625",
        "At such an eps the noise is nothing. Clipped, the numbers are 0.5, 2 and 0; "
        "their sum is 2.5, and 2.5/4 = 0.625. It is divided by `n`, not by 3.",
    ),
    hints=(
        "Take two neighbors, as different as can be. How far apart are their sums?",
        "A number that is replaced may go from one limit to the other. One that is "
        "added was not there before: which value moves the sum most?",
        "Noise of scale $s$ on the sum is noise of scale $s/n$ on the mean: divide by "
        "n once.",
    ),
    checks=(
        ("without noise, it is the sum of clipped numbers over n", _without_noise),
        ("whole numbers", _whole_numbers),
        ("the noise is fresh, and drawn from rng", _fresh),
        ("the noise has the least scale, for either kind of neighbors", _noise),
        ("the noise does not depend on the numbers", _noise_of_close_numbers),
        ("no records", _empty),
    ),
    praise="The scale follows from the neighbors: it is the width of the interval if a "
    "number is replaced, and its end farther from 0 if a number comes or goes.",
)

EXPLANATION = r"""
**Step 1. Clip first.** Numbers outside of the limits are moved to the nearer limit.
Without this no scale would be enough, because one record could be as large as you like.

**Step 2. How far can the sum move?** This is the sensitivity, and it depends on who the
neighbors are.

* If a number is *replaced*, it may go from one limit to the other. The sum moves by
  `high - low` at most.
* If a number is *added or removed*, it was not there before. The sum moves by its
  absolute value, at most $\max\{|\texttt{low}|, |\texttt{high}|\}$.

**Step 3. Laplace noise.** With sensitivity $\Delta$ the least scale for
$\varepsilon$-privacy is $\Delta/\varepsilon$. The noise goes onto the sum, and then
both are divided by the public $n$.

```python
import numpy as np


def laplace_mean(x, low, high, n, eps, replace, rng):
    total = np.clip(x, low, high).sum()
    sensitivity = high - low if replace else max(abs(low), abs(high))
    return (total + rng.laplace(scale=sensitivity / eps)) / n
```

**What wrong answers overlook.** Under the add-or-remove relation, the number of records
is itself private. So dividing by `len(x)` uses a secret, and for no records at all it
divides by zero. A sensitivity that is read from the data, such as `x.max() - x.min()`,
may be tiny for these numbers and says nothing about others. With `low` = 5 and `high` =
6 the two relations differ by a factor of six, and the *wider* scale belongs to the one
in which a record comes or goes.
"""
