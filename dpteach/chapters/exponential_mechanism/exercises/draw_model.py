"""Exercise: an exact sampler over a finite list of models, by inversion."""

from collections.abc import Callable
from itertools import pairwise
from math import log

import numpy as np

from ....grading.exercise import Exercise
from ....grading.ladder import demand_whole_numbers
from ....grading.report import Fault
from ....grading.student import Student
from ....mechanisms.finite_exponential import exponential_choice_probabilities

# ruff: noqa: ARG005  (formulas of one table share one signature)

Case = tuple[np.ndarray, float, float]  # risk, eps, B


def _ends(chances: np.ndarray) -> np.ndarray:
    """Lay pieces of these lengths end to end; the last one ends at 1."""
    return np.cumsum(chances) / chances.sum()


def _place(chances: np.ndarray, u: float) -> int:
    return int(np.searchsorted(_ends(chances)[:-1], u, side="right"))


def _chances(risk: np.ndarray, c: float) -> np.ndarray:
    return exponential_choice_probabilities(-risk, exponent=c)


# Wrong lengths that many have, as functions of (risk, eps, B), and the reason.
_MISREAD: tuple[tuple[Callable[..., np.ndarray], str], ...] = (
    (
        lambda risk, eps, B: _chances(-risk, eps / B),
        "Models with a large risk have the longest pieces. Which sign has the "
        "exponent?",
    ),
    (
        lambda risk, eps, B: _chances(risk, eps / (2 * B)),
        "The exponent is half as large as it may be. B is the range of what one change "
        "of the data does to the risk, and nothing is paid twice.",
    ),
    (
        lambda risk, eps, B: _chances(risk, 2 * eps / B),
        "The exponent is twice what the budget allows.",
    ),
    (
        lambda risk, eps, B: _chances(risk, eps),
        "B does not enter: a change of the data can move differences of risks by B.",
    ),
    (
        lambda risk, eps, B: _chances(risk, eps * B),
        "B multiplies the exponent. If one record can change more, should the draw be "
        "sharper or flatter?",
    ),
    (
        lambda risk, eps, B: _chances(risk, eps / B / len(risk)),
        "The exponent depends on the number of models. It should not.",
    ),
    (
        lambda risk, eps, B: _chances(risk, eps / max(np.ptp(risk), 1e-9)),
        "That takes the range from the data. B is for all data sets at once.",
    ),
    (
        lambda risk, eps, B: 1 / (1 + risk - risk.min()),
        "That falls as a power of the risk. Then one record's factor is not bounded "
        "by e to the ε.",
    ),
    (
        lambda risk, eps, B: np.ones(len(risk)),
        "Every model is as likely as any other. That looks at no data.",
    ),
)


def _points(chances: np.ndarray) -> list[float]:
    """Choose points just inside both ends of each piece that is not too short."""
    ends = np.concatenate([[0.0], _ends(chances)])
    found = [0.0]
    for low, high in pairwise(ends):
        if high - low > 1e-7:
            inside = 1e-3 * (high - low)
            found += [float(low + inside), float(high - inside)]
    return found


def _judge(student: Student, cases: list[Case]) -> None:
    seen: list[tuple[Case, float, int]] = []
    fault = None
    for risk, eps, B in cases:
        chances = _chances(risk, eps / B)
        for u in _points(chances):
            place = _number(student, (risk, eps, B), u)
            seen.append(((risk, eps, B), u, place))
            wanted = _place(chances, u)
            if place != wanted and fault is None:
                fault = (
                    f"the model at u = {u:.5g}, of {len(risk)} models whose risks are "
                    f"{_shown(risk)}, at eps = {eps:.4g} and B = {B:.4g}",
                    f"{place}",
                    f"{wanted}",
                )
    if fault is not None:
        raise Fault(*fault, _hint(student, seen))


def _number(student: Student, case: Case, u: float) -> int:
    risk, eps, B = case
    place = student.number(risk, eps, B, u)
    if place != np.floor(place) or not 0 <= place < len(risk):
        raise Fault(
            f"the result for {len(risk)} models and u = {u!r}",
            f"{place:g}",
            f"a whole number from 0 to {len(risk) - 1}",
            "Return the place of the model, not its risk or its probability."
            if place != len(risk)
            else "Do your places count from 0? Can your cumulative sum end below 1 by "
            "rounding?",
        )
    return int(place)


def _shown(risk: np.ndarray) -> str:
    more = ", …" if len(risk) > 5 else ""
    return "(" + ", ".join(f"{each:.9g}" for each in risk[:5]) + more + ")"


# Asked when an answer is wrong: on these points the wrong lengths all differ.
_PROBES: tuple[Case, ...] = (
    (np.array([1.0, 4.0, 0.0, 2.0]), 0.4, 0.5),
    (np.array([2.0, 0.0, 1.0]), 2.0, 1.6),
)


def _hint(student: Student, seen: list[tuple[Case, float, int]]) -> str:
    seen = seen + [
        (case, float(u), _number(student, case, float(u)))
        for case in _PROBES
        for u in np.linspace(0.003, 0.997, 80)
    ]
    for formula, told in _MISREAD:
        if all(_place(formula(*case), u) == place for case, u, place in seen):
            return told
    return (
        "Lay the probabilities on a line from 0 to 1, in the order of the models. How "
        "long is each piece, and in which one does u lie? Where risks are large, is "
        "a weight 0 or infinite?"
    )


def _by_hand(student: Student, _: np.random.Generator) -> None:
    _judge(
        student,
        [
            (np.array([12.0, 10.0, 11.0]), 2 * log(3), 2.0),
            (np.array([4.0, 6.0, 0.0, 2.0]), 0.4, 0.5),
        ],
    )


def _any(student: Student, rng: np.random.Generator) -> None:
    cases = []
    for m in (2, 7, 33):
        eps, B = (float(each) for each in rng.uniform(0.3, 2.5, size=2))
        cases.append((rng.uniform(0, 4, size=m), eps, B))
    _judge(student, cases)


def _edges(student: Student, rng: np.random.Generator) -> None:
    one = np.array([3.0])
    for u in (0.0, 0.5, float(np.nextafter(1.0, 0.0))):
        _number(student, (one, 0.5, 1.0), u)
    ties = (np.array([2.0, 0.0, 2.0, 0.0, 0.0]), 1.0, 1.5)
    for _ in range(30):  # about a third of such sums end below 1 by rounding
        case = rng.uniform(0, 1, 200), 1.0, 1.0
        _number(student, case, float(np.nextafter(1.0, 0.0)))
    _judge(student, [(one, 0.5, 1.0), ties])


def _extremes(student: Student, rng: np.random.Generator) -> None:
    level = float(rng.uniform(1e5, 2e5))
    _judge(
        student,
        [
            (level + np.array([0.0, 1.0, 0.3, 2.0]), 1.2, 1.0),
            (-level + np.array([0.5, 0.0, 4000.0]), 0.9, 0.7),
            (np.array([0.0, 7.0, 3.0]), 1e-3, 1.0),
        ],
    )


def _whole_numbers(student: Student, rng: np.random.Generator) -> None:
    risk = rng.permutation(7)
    for u in np.linspace(0.05, 0.95, 10).tolist():
        demand_whole_numbers(student, (), risk, 0.3, 1.0, u)


EXERCISE = Exercise(
    name="draw_model",
    parameters=("risk", "eps", "B", "u"),
    title="An exact sampler",
    statement="""\
There are $m$ models, and `risk`, an array of shape $(m,)$, holds the risk of each on
the data. If the data are exchanged for a neighbor, the risks change by an array whose
largest and least entry differ by at most `B`.

Write `draw_model(risk, eps, B, u)`, which draws a model by the exponential mechanism
with the largest exponent that costs at most `eps`, and returns its place, an integer
from 0 to $m - 1$. Use **inversion**: `u` is a uniform number with $0 \\le u < 1$, as
`rng.random()` gives it. Lay pieces as long as the probabilities on the line from 0 to
1, in the order of the models, and return the one in which `u` lies.

There may be one model only. Risks may be very large, and it is their differences that
count. Leave `risk` as it is. `risk` may hold whole numbers.""",
    starter="""\
import numpy as np


def draw_model(risk, eps, B, u):
    weight = np.exp(-eps * risk / 2)  # your code here
    return int(np.argmax(weight))""",
    worked=(
        "draw_model(np.array([12.0, 10.0, 11.0]), 2 * np.log(3), 2.0, 0.7)",
        "1",
        "The exponent is ln 3, so the weights are in the ratio 1 to 9 to 3. The pieces "
        "end at 1/13, 10/13 and 1, and 0.7 is below 10/13 = 0.769.",
    ),
    hints=(
        "Subtract the least risk first. What does that do to the probabilities, and "
        "what to the weights of risks of 100,000?",
        "`numpy.cumsum` gives the right ends of the pieces, and `numpy.searchsorted` "
        "finds the piece.",
        "What if rounding leaves the last end just below 1, and u is above it?",
    ),
    checks=(
        ("three and four models, by hand", _by_hand),
        ("any risks", _any),
        ("one model, ties, and both ends of the line", _edges),
        ("risks at a high level, and a small budget", _extremes),
        ("whole numbers", _whole_numbers),
    ),
    praise="No chain, no burn-in and no δ: with a list of models the exponential "
    "mechanism is a few lines. What is hard is a list of e^p models.",
)

EXPLANATION = """\
**Step 1. The exponent.** Neighboring data sets change the risks by an array of range at
most $B$. So the logarithms of the ratio of two probabilities lie in an interval of
length $cB$ that contains 0, and $c = \\varepsilon/B$ is the largest exponent that costs
$\\varepsilon$.

**Step 2. The weights.** Probabilities are in proportion to $e^{-c\\,\\text{risk}}$. A
common factor cancels, so subtract the least risk first. Then the largest weight is 1,
and risks of 100,000 do not turn all weights into 0.

**Step 3. The draw.** Lay the weights end to end on a line. A uniform point on that line
falls into each piece in proportion to its length. This is the inverse of the cumulative
distribution.

```python
import numpy as np


def draw_model(risk, eps, B, u):
    weight = np.exp(-eps / B * (risk - risk.min()))
    ends = np.cumsum(weight)
    place = np.searchsorted(ends, u * ends[-1], side="right")
    return int(min(place, len(risk) - 1))
```

The uniform number is multiplied by the last end instead of by 1, so rounding cannot
push it beyond the last piece. Adding standard Gumbel noise to $-c\\,\\text{risk}$ and
taking the largest has exactly the same distribution. Answers with $\\varepsilon/2$ in
the exponent pay for the normalizer a second time, which the proof does not ask for.
"""
