"""Exercise: above-threshold, with the noise handed in."""

from collections.abc import Callable

import numpy as np

from ....grading.exercise import Exercise
from ....grading.ladder import demand_whole_numbers
from ....grading.report import Fault
from ....grading.student import Student

Case = tuple[np.ndarray, float, float, np.ndarray]  # answers, tau, eps, draws


def _stop(answers: np.ndarray, limits: np.ndarray) -> int:
    above = answers >= limits
    return int(np.argmax(above)) if above.any() else len(answers)


def _right(answers: np.ndarray, tau: float, eps: float, draws: np.ndarray) -> int:
    noise = 4 / eps * draws[1 : len(answers) + 1]
    return _stop(answers + noise, tau + 2 / eps * draws[0] + 0 * answers)


def _scaled(
    b1: float, b2: float
) -> Callable[[np.ndarray, float, float, np.ndarray], int]:
    def stop(answers: np.ndarray, tau: float, eps: float, draws: np.ndarray) -> int:
        noise = b2 / eps * draws[1 : len(answers) + 1]
        return _stop(answers + noise, tau + b1 / eps * draws[0] + 0 * answers)

    return stop


def _fresh(answers: np.ndarray, tau: float, eps: float, draws: np.ndarray) -> int:
    t = len(answers)
    return _stop(answers + 4 / eps * draws[1 : t + 1], tau + 2 / eps * draws[:t])


def _one(answers: np.ndarray, tau: float, eps: float, draws: np.ndarray) -> int:
    noise = 4 / eps * draws[min(1, len(answers))]  # there may be no answers
    return _stop(answers + noise, tau + 2 / eps * draws[0] + 0 * answers)


def _shared(answers: np.ndarray, tau: float, eps: float, draws: np.ndarray) -> int:
    noise = 4 / eps * draws[: len(answers)]
    return _stop(answers + noise, tau + 2 / eps * draws[0] + 0 * answers)


def _multiplied(answers: np.ndarray, tau: float, eps: float, draws: np.ndarray) -> int:
    noise = 4 * eps * draws[1 : len(answers) + 1]
    return _stop(answers + noise, tau + 2 * eps * draws[0] + 0 * answers)


_MISREAD: tuple[tuple[Callable[..., int], str], ...] = (
    (_scaled(0, 0), "No noise is in it: a stop tells a count exactly."),
    (
        _scaled(0, 4),
        "The threshold has no noise. Then every look costs ε/4 more, without end.",
    ),
    (
        _scaled(0, 2),
        "The threshold has no noise, and the answers half of theirs. Then every look "
        "costs ε/2 more, without end.",
    ),
    (
        _scaled(2, 0),
        "The answers have no noise: the order of two of them then shows exactly.",
    ),
    (
        _scaled(2, 2),
        "The answers have half the noise that they need. Two neighbors can move an "
        "answer and the threshold's noise in opposite directions.",
    ),
    (
        _scaled(1, 1),
        "That is the noise of one answer alone. The stop compares two noisy numbers.",
    ),
    (
        _fresh,
        "The threshold's noise is drawn once, before the first look: draws[0].",
    ),
    (_one, "Every answer needs noise of its own: draws[t + 1]."),
    (
        _shared,
        "The first answer and the threshold share one draw, which cancels in part.",
    ),
    (_multiplied, "The noise grows with ε. Less ε, more noise."),
)


def _number(student: Student, case: Case) -> int:
    place = student.number(*case)
    if place != np.floor(place) or not 0 <= place <= len(case[0]):
        raise Fault(
            f"the result for {len(case[0])} answers",
            f"{place:g}",
            f"a whole number from 0 to {len(case[0])}",
            "Return the place of the answer at which it stops, counted from 0, and "
            "the number of answers if it never does. The answer itself stays secret.",
        )
    return int(place)


def _judge(student: Student, cases: list[Case]) -> None:
    seen: list[tuple[Case, int]] = []
    fault = None
    for case in cases:
        place, expected = _number(student, case), _right(*case)
        seen.append((case, place))
        if place != expected and fault is None:
            answers, tau, eps, draws = case
            shown = ", ".join(f"{each:.6g}" for each in answers[:5])
            fault = (
                f"the stop for answers ({shown}{', …' if len(answers) > 5 else ''}), "
                f"tau = {tau:.6g}, eps = {eps:.4g} and draws[0] = {draws[0]:.4g}",
                f"{place}",
                f"{expected}",
            )
    if fault is not None:
        raise Fault(*fault, _hint(student, seen))


def _random(rng: np.random.Generator, count: int) -> list[Case]:
    cases = []
    for _ in range(count):
        T, eps, tau = int(rng.integers(2, 9)), rng.uniform(0.3, 3), rng.normal(0, 9)
        answers = tau + rng.normal(-2, 3, T) / eps
        cases.append((answers, float(tau), float(eps), rng.laplace(size=T + 1)))
    return cases


def _hint(student: Student, seen: list[tuple[Case, int]]) -> str:
    probes = _random(np.random.default_rng(0), 60)
    seen = seen + [(case, _number(student, case)) for case in probes]
    for formula, told in _MISREAD:
        if all(formula(*case) == place for case, place in seen):
            return told
    return (
        "The threshold gets 2/ε times draws[0], once. The answer at t gets 4/ε times "
        "draws[t + 1]. Which t is the first at which the one is at least the other?"
    )


def _by_hand(student: Student, _: np.random.Generator) -> None:
    answers = np.array([3.0, 8.0, 12.0])
    _judge(
        student,
        [
            (answers, 10.0, 2.0, np.array([1.0, 0.0, 2.0, 0.0])),
            (answers, 10.0, 2.0, np.array([3.0, 0.0, 1.0, 0.0])),
            (answers, 10.0, 4.0, np.array([0.0, 8.0, 0.0, 0.0])),
        ],
    )


def _any(student: Student, rng: np.random.Generator) -> None:
    _judge(student, _random(rng, 60))


def _edges(student: Student, _: np.random.Generator) -> None:
    none = np.zeros(3)
    _judge(
        student,
        [
            (np.array([4.0, 5.0]), 5.0, 1.0, none),  # a tie stops
            (np.array([1.0, 2.0]), 5.0, 1.0, none),  # it never stops
            (np.array([]), 5.0, 1.0, none[:1]),
            (np.array([9.0]), 5.0, 1.0, none[:2]),
            (np.array([9.0, 9.0]), 5.0, 1.0, np.array([0.0, 0.0, 0.0, 7.0, 7.0])),
            (np.ones(33), 5.0, 1.0, np.zeros(40)),  # never, and draws are left over
            (np.append(np.ones(32), 9.0), 5.0, 1.0, np.zeros(40)),
        ],
    )


def _whole_numbers(student: Student, rng: np.random.Generator) -> None:
    for answers in rng.integers(0, 9, size=(6, 4)):
        demand_whole_numbers(student, (), answers, 6.0, 1.0, rng.laplace(size=5))
    # noise that loses its fraction stops too early, or too late
    for first, tau, draw in ((6, 6.0, -0.125), (5, 6.5, 0.475)):
        case = np.array([first, 9]), tau, 1.0, np.array([0.0, draw, 0.0])
        demand_whole_numbers(student, (), *case)


EXERCISE = Exercise(
    name="stop_at",
    parameters=("answers", "tau", "eps", "draws"),
    title="When to stop",
    statement="""\
A stream of `answers`, an array of shape $(T,)$, is compared with the threshold `tau`.
One record moves every answer by at most 1, in any direction. Write
`stop_at(answers, tau, eps, draws)`, which returns the place of the first answer that
lies above the threshold, roughly, so that the stop is $\\varepsilon$-private for every
$T$: the algorithm *above-threshold*, with the noise scales $2/\\varepsilon$ for the
threshold and $4/\\varepsilon$ for answers. Places are counted from 0. If it never
stops, return $T$. A noisy answer that equals the noisy threshold stops it.

Take the randomness from `draws`: independent Laplace numbers of scale 1, at least
$T + 1$ of them. The threshold uses `draws[0]`, and the answer at $t$ uses
`draws[t + 1]`. There may be no answers. Leave `answers` and `draws` as they are.
`answers` may hold whole numbers.""",
    starter="""\
import numpy as np


def stop_at(answers, tau, eps, draws):
    for t in range(len(answers)):
        if answers[t] + draws[t + 1] / eps >= tau:  # your code here
            return t
    return len(answers)""",
    worked=(
        "stop_at(np.array([3.0, 8.0, 12.0]), 10.0, 2.0, np.array([1.0, 0.0, 2.0, "
        "0.0]))",
        "1",
        "The noisy threshold is 10 + (2/2) · 1 = 11. The noisy answers are 3, then "
        "8 + (4/2) · 2 = 12, which is above it.",
    ),
    hints=(
        "What is drawn once, and what is drawn at every look?",
        "A larger ε means less noise: both scales are divided by it.",
        "Compute the noisy threshold before the loop.",
    ),
    checks=(
        ("three answers, by hand", _by_hand),
        ("any answers", _any),
        ("ties, no answers, no stop, more draws than looks", _edges),
        ("whole numbers", _whole_numbers),
    ),
    praise="A thousand looks cost what one does. What is paid for is the stop, and "
    "there is only one.",
)

EXPLANATION = """\
**Step 1. The threshold, once.** Its noise $2/\\varepsilon \\cdot$ `draws[0]` is drawn
before the first look and kept. It is what makes all looks that did not stop it free: a
neighbor on which all answers are higher by 1 behaves as if this number were lower by 1.

**Step 2. Every answer, afresh.** Only the answer that stops it is paid for: it may move
by 1, and the noisy threshold by 1 the other way, so its noise hides 2.

```python
def stop_at(answers, tau, eps, draws):
    limit = tau + 2 / eps * draws[0]
    for t, answer in enumerate(answers):
        if answer + 4 / eps * draws[t + 1] >= limit:
            return t
    return len(answers)
```

**What wrong answers overlook.** Without noise on the threshold, every look costs
$\\varepsilon/4$ more. With fresh noise for the threshold at each look it is no better:
then nothing is shared by the looks. And the answer itself is not returned, because the
noise that made it the first is not noise any more.
"""
