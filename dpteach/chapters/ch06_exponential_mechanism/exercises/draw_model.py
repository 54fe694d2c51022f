"""Exercise: an exact sampler over a finite list of models, tested by its counts."""

from collections.abc import Callable
from math import log, sqrt

import numpy as np

from ....grading.distributions import FALSE_ALARM
from ....grading.exercise import Exercise
from ....grading.ladder import demand_fresh_noise
from ....grading.report import Fault
from ....grading.student import Student
from ....mechanisms.finite_exponential import exponential_choice_probabilities

# ruff: noqa: ARG005  (formulas of one table share one signature)

RUNS = 1500
_RATE = FALSE_ALARM / 100  # for each of less than 100 bounds


def _chances(risk: np.ndarray, c: float) -> np.ndarray:
    return exponential_choice_probabilities(-risk, exponent=c)


def _normalized(weight: np.ndarray) -> np.ndarray:
    return weight / weight.sum()


# Wrong distributions that many have, as functions of (risk, eps, B), and the reason.
_MISREAD: tuple[tuple[Callable[..., np.ndarray], str], ...] = (
    (
        lambda risk, eps, B: _chances(-risk, eps / B),
        "Models with a large risk are drawn most often. Which sign has the exponent?",
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
        lambda risk, eps, B: _chances(risk / len(risk), eps / B),
        "The exponent depends on the number of models. It should not.",
    ),
    (
        lambda risk, eps, B: _normalized(1 / (1 + risk - risk.min())),
        "That falls as a power of the risk. Then one record's factor is not bounded "
        "by e to the ε.",
    ),
    (
        lambda risk, eps, B: np.eye(len(risk))[int(np.argmin(risk))],
        "The best model is always drawn. That hides nothing.",
    ),
    (
        lambda risk, eps, B: np.full(len(risk), 1 / len(risk)),
        "Every model is as likely as any other. That looks at no data.",
    ),
)


def _room(runs: int, chance: float) -> float:
    """Return how far a count strays, by Bernstein's inequality."""
    level, variance = log(2 / _RATE), runs * chance * (1 - chance)
    return level / 3 + sqrt(level**2 / 9 + 2 * level * variance)


def _fits(counts: np.ndarray, chances: np.ndarray) -> bool:
    runs = int(counts.sum())
    room = [_room(runs, each) for each in chances]
    return bool(np.all(np.abs(counts - runs * chances) <= room))


def _counts(
    student: Student,
    rng: np.random.Generator,
    risk: np.ndarray,
    eps: float,
    B: float,
    runs: int,
) -> np.ndarray:
    drawn = student.sample(runs, (), rng, risk, eps, B)
    inside = (drawn >= 0) & (drawn < len(risk)) & (drawn == np.floor(drawn))
    if not inside.all():
        raise Fault(
            f"the results for {len(risk)} models",
            f"{drawn[~inside][0]:g} among them",
            f"whole numbers from 0 to {len(risk) - 1}",
            "Return the place of the model that was drawn, not its risk or its "
            "probability. Can your cumulative sum end below 1 by rounding?",
        )
    return np.bincount(drawn.astype(int), minlength=len(risk))


def _judge(
    student: Student,
    rng: np.random.Generator,
    cases: list[tuple[np.ndarray, float, float]],
    runs: int = RUNS,
) -> None:
    seen = [(case, _counts(student, rng, *case, runs)) for case in cases]
    for (risk, eps, B), counts in seen:
        chances = _chances(risk, eps / B)
        if _fits(counts, chances):
            continue
        at = int(np.argmax(np.abs(counts - runs * chances)))
        others = [
            told
            for formula, told in _MISREAD
            if all(_fits(count, formula(*case)) for case, count in seen)
        ]
        raise Fault(
            f"how often model {at} of {len(risk)} was drawn, at eps = {eps:.3g} and "
            f"B = {B:.3g}, with a risk {risk[at] - risk.min():.4g} above the least",
            f"{counts[at]} times in {runs}",
            f"{runs * chances[at]:.0f}, give or take {_room(runs, chances[at]):.0f}",
            others[0]
            if others
            else "The probabilities must be in proportion to the weights. Compute "
            "those of two models, and compare how often each is drawn.",
        )


def _by_hand(student: Student, rng: np.random.Generator) -> None:
    _judge(
        student,
        rng,
        [
            (np.array([12.0, 10.0, 11.0]), 2 * log(3), 2.0),
            (np.array([1.0, 1.5, 0.0, 0.5]), 1.6, 0.5),
        ],
    )


def _fresh(student: Student, rng: np.random.Generator) -> None:
    seeds = rng.integers(2**62, size=40)
    risk = np.zeros(1000)
    drawn = [
        student.number(risk, 1.0, 1.0, np.random.default_rng(int(seed)))
        for seed in seeds
    ]
    if len(set(drawn)) < 20:  # by chance at a rate far below 1e-30
        demand_fresh_noise(student, (), rng, risk, 1.0, 1.0)
        raise Fault(
            "40 draws from 1000 models of equal risk",
            f"only {len(set(drawn))} different models",
            "nearly 40 different ones",
            "Every model of the same risk must be as likely as any other.",
        )
    again = student.number(risk, 1.0, 1.0, np.random.default_rng(int(seeds[0])))
    if again != drawn[0]:
        raise Fault(
            "two calls with the same seed in rng",
            "two different models",
            "the same model twice",
            "Some randomness comes from elsewhere. Draw all of it from rng.",
        )


def _ties_and_one(student: Student, rng: np.random.Generator) -> None:
    _judge(
        student,
        rng,
        [
            (np.array([3.0]), 0.5, 1.0),
            (np.array([2.0, 0.0, 2.0, 0.0, 0.0]), 1.0, 1.5),
        ],
    )


def _many(student: Student, rng: np.random.Generator) -> None:
    """Tell noise that is not of this mechanism: here Laplace noise wins more often."""
    risk = np.full(40, 3.0)
    risk[17] = 0.0
    _judge(student, rng, [(risk, 1.0, 1.0)], runs=8000)


def _extremes(student: Student, rng: np.random.Generator) -> None:
    level = 1e5 * (1 + rng.random())
    _judge(
        student,
        rng,
        [
            (level + np.array([0.0, 1.0, 0.3, 2.0]), 1.2, 1.0),
            (-level + np.array([0.5, 0.0, 4000.0]), 0.9, 0.7),
            (np.array([0.0, 7.0, 3.0]), 1e-3, 1.0),
        ],
    )


EXERCISE = Exercise(
    name="draw_model",
    parameters=("risk", "eps", "B", "rng"),
    title="An exact sampler",
    statement="""\
There are $m$ models, and `risk`, an array of shape $(m,)$, holds the risk of each on
the data. If the data are exchanged for a neighbor, the risks change by an array whose
largest and least entry differ by at most `B`.

Write `draw_model(risk, eps, B, rng)`, which draws a model by the exponential mechanism
with the largest exponent that costs at most `eps`, and returns its place, an integer
from 0 to $m - 1$. The probabilities must be exact, up to rounding: no chain of steps.

There may be one model only. Risks may be very large, and it is their differences that
count. All randomness must come from `rng`, a NumPy `Generator`.""",
    starter="""\
import numpy as np


def draw_model(risk, eps, B, rng):
    weight = np.exp(-eps * risk / 2)  # your code here
    return int(np.argmax(weight))""",
    worked=(
        """\
many = [
    draw_model(np.array([12.0, 10.0, 11.0]), 2 * np.log(3), 2.0, rng)
    for rng in map(np.random.default_rng, range(4000))
]
round(float(np.mean(np.array(many) == 1)), 1)""",
        "0.7",
        "The exponent is ln 3, so the weights are 1/9, 1 and 1/3, and model 1 has "
        "probability 9/13 = 0.692.",
    ),
    hints=(
        "Subtract the least risk first. What does that do to the probabilities, and "
        "what to the weights of risks of 100,000?",
        "Put the probabilities on a line from 0 to 1, one after the other. A uniform "
        "number falls into each piece as often as the piece is long.",
        "`numpy.cumsum` gives the right ends of the pieces, and `numpy.searchsorted` "
        "finds the piece. What if rounding leaves the last end just below 1?",
    ),
    checks=(
        ("the draws are fresh, and come from rng", _fresh),
        ("three and four models, by their probabilities", _by_hand),
        ("ties, and one model alone", _ties_and_one),
        ("one good model among forty", _many),
        ("risks at a high level, and a small budget", _extremes),
    ),
    praise="No chain, no burn-in and no δ: with a list of models the exponential "
    "mechanism is a few lines. What is hard is a list of e^p models.",
)

EXPLANATION = """\
**Step 1. The exponent.** Neighboring data sets change the risks by an array of range at
most $B$. So the logarithms of the density ratio lie in an interval of length $cB$ that
contains 0, and $c = \\varepsilon/B$ is the largest exponent that costs $\\varepsilon$.

**Step 2. The weights.** Probabilities are in proportion to $e^{-c\\,\\text{risk}}$. A
common factor cancels, so subtract the least risk first. Then the largest weight is 1,
and risks of 100,000 do not turn all weights into 0.

**Step 3. The draw.** Lay the weights end to end on a line. A uniform point on that line
falls into each piece in proportion to its length. This is the inverse of the cumulative
distribution.

```python
import numpy as np


def draw_model(risk, eps, B, rng):
    weight = np.exp(-eps / B * (risk - risk.min()))
    ends = np.cumsum(weight)
    place = np.searchsorted(ends, rng.random() * ends[-1], side="right")
    return int(min(place, len(risk) - 1))
```

The uniform number is multiplied by the last end instead of by 1, so rounding cannot
push it beyond the last piece. Adding standard Gumbel noise to $-c\\,\\text{risk}$ and
taking the largest has exactly the same distribution. Answers with $\\varepsilon/2$ in
the exponent pay for the normalizer a second time, which the proof does not ask for.
"""
