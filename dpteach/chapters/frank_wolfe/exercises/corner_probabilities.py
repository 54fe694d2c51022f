"""Exercise: repair the private choice of a corner in Algorithm 6."""

import numpy as np

from ....grading.exercise import Exercise
from ....grading.ladder import demand_whole_numbers, matching_hint
from ....grading.report import Fault
from ....grading.student import Student


def _weighted(scores: np.ndarray, c: float) -> np.ndarray:
    weight = np.exp(-c * (scores - scores.min()))
    return weight / weight.sum()


def _scores(g: np.ndarray, s: float) -> np.ndarray:
    return s * np.concatenate([g, -g])


def _wanted(g: np.ndarray, n: int, L1: float, s: float, eps0: float) -> np.ndarray:
    return _weighted(_scores(g, s), eps0 / (2 * L1 * s)) + 0 * n


def _pairs(g: np.ndarray) -> np.ndarray:
    return np.stack([g, -g], axis=1).ravel()


# Wrong answers that many give, and what they reveal.
_MISREAD = (
    (
        lambda g, n, L1, s, e: _weighted(_scores(g, s), n * e / (2 * L1 * s)),
        "Your sensitivity shrinks with n. That is right for a mean, but a record moves "
        "a sum by its own gradient, however many others there are.",
    ),
    (
        lambda g, n, L1, s, e: _weighted(_scores(g, s), n * e / (L1 * s)),
        "Your sensitivity shrinks with n. That is right for a mean, but a record moves "
        "a sum by its own gradient, however many others there are.",
    ),
    (
        lambda g, _n, L1, s, e: _weighted(_scores(g, s), e / (L1 * s)),
        "A record can raise one score and lower another at the same time: how far "
        "can two scores move apart?",
    ),
    (
        lambda g, _n, L1, s, e: _weighted(-_scores(g, s), e / (2 * L1 * s)),
        "The corner with the highest score is the likeliest: Frank-Wolfe goes "
        "downhill. Or do your corners with a minus stand first?",
    ),
    (
        lambda g, _n, L1, s, e: _weighted(_scores(g, s), e / (2 * L1)),
        "How far does a score move, in terms of L1 and the length of a corner?",
    ),
    (
        lambda g, _n, L1, s, e: _weighted(_scores(g, 1.0), e / (2 * L1 * s)),
        "The corners have length s, and so have their scores.",
    ),
    (
        lambda g, _n, _L1, s, e: _weighted(_scores(g, s), e / (2 * s)),
        "How steep a record can be is missing: nothing here depends on L1.",
    ),
    (
        lambda g, _n, L1, s, e: _weighted(_scores(g, s), e / (4 * L1 * s)),
        "Private, but with twice the noise that it needs. The two corners of a "
        "coordinate move apart by 2 · L1 · s, and that is all.",
    ),
    (
        lambda g, _n, L1, s, e: _weighted(_scores(g, s), e / (2 * L1 * s * len(g))),
        "Only one corner is published, so the coordinates do not share the budget.",
    ),
    (
        lambda g, _n, L1, s, e: _weighted(s * _pairs(g), e / (2 * L1 * s)),
        "The numbers are right but not their order: first all corners with a plus, "
        "then all with a minus.",
    ),
)


def _table(student: Student, *case) -> np.ndarray:
    g = case[0]
    try:
        found = student.array((2 * len(g),), *case)
    except Fault as fault:
        fault.hint = fault.hint or "How many corners are there on each axis?"
        raise
    if (found < 0).any() or abs(found.sum() - 1) > 1e-6:
        seen = f"sum {found.sum():.4g}" + (
            ", some below 0" if (found < 0).any() else ""
        )
        raise Fault(
            f"the probabilities of the {2 * len(g)} corners",
            seen,
            "numbers of at least 0 with sum 1",
            "Divide by the sum of all weights, over all corners.",
        )
    return found


def _case(g: np.ndarray, n: int, L1: float, s: float, eps0: float) -> str:
    entries = ", ".join(f"{x:.3g}" for x in g[:4]) + (", …" if len(g) > 4 else "")
    return f"g = [{entries}], n = {n}, L1 = {L1:.3g}, s = {s:.3g}, eps0 = {eps0:.3g}"


def _hint(found: np.ndarray, case: tuple, other: str) -> str:
    return matching_hint(found, _MISREAD, case, other, _wanted(*case))


def _downhill(student: Student, rng: np.random.Generator) -> None:
    g = np.array([3.0, -5.0, 1.0]) + 0.1 * rng.random(3)
    case = g, 40, 2.0, 1.5, 1.0
    found = _table(student, *case)
    scores = _scores(g, 1.5)
    ranks = np.argsort(scores)
    if (np.diff(found[ranks]) > 1e-9).any() or found.max() - found.min() < 1e-9:
        best, top = int(np.argmin(scores)) + 1, int(np.argmax(found)) + 1
        raise Fault(
            f"which corners are likelier, at {_case(*case)}",
            f"corner {top} is the likeliest, with {found.max():.3g}; the order of "
            f"all six is {' '.join(str(k + 1) for k in np.argsort(-found))}",
            f"the lower ⟨v, g⟩, the likelier: corner {best} first, then "
            f"{' '.join(str(k + 1) for k in ranks[1:])}",
            _hint(found, case, "Each corner has a score of its own."),
        )


def _private(student: Student, rng: np.random.Generator) -> None:
    for p, n, L1, s, eps0 in ((1, 100, 1.7, 1.2, 0.5), (3, 30, 0.7, 2.5, 1.5)):
        base = np.zeros(p)
        base[0] = 3 * L1 / eps0
        for g in (base, -base, L1 * rng.normal(size=p)):
            move = -L1 * np.sign(rng.normal(size=p))
            move[0] = -L1 * np.sign(g[0])
            case = g + move, n, L1, s, eps0
            first = _table(student, g, n, L1, s, eps0)
            second = _table(student, *case)
            with np.errstate(all="ignore"):
                found = float(np.max(np.abs(np.log(first / second))))
            if not found <= eps0 * (1 + 1e-6):
                gone = "A corner that had a chance has none on the neighbor."
                raise Fault(
                    f"the exact ε between {_case(g, n, L1, s, eps0)} and a neighbor, "
                    f"whose g is [{', '.join(f'{x:.3g}' for x in case[0])}]",
                    "∞" if not np.isfinite(found) else f"{found:.4g}",
                    f"at most eps0 = {eps0:.4g}",
                    _hint(second, case, "The choice tells more than eps0 allows.")
                    if np.isfinite(found)
                    else gone,
                )


def _sharp(student: Student, rng: np.random.Generator) -> None:
    for p, n, L1, s, eps0 in (
        (3, 50, 1.7, 1.2, 0.8), (4, 7, 0.5, 3.0, 2.0), (1, 1, 1.3, 0.4, 0.1),
        (400, 5000, 2.0, 1.0, 0.05),
    ):  # fmt: skip
        case = 4 * L1 * rng.normal(size=p) / eps0, n, L1, s, eps0
        found, wanted = _table(student, *case), _wanted(*case)
        if not np.allclose(found, wanted, rtol=2e-4, atol=1e-9):
            k = int(np.argmax(np.abs(found - wanted)))
            raise Fault(
                f"the chance of corner {k + 1} of {2 * p} at {_case(*case)}",
                f"{found[k]:.4g}",
                f"{wanted[k]:.4g}, with the largest c that is private",
                _hint(found, case, "Which c makes two scores e^eps0 apart, at most?"),
            )


def _extremes(student: Student, _: np.random.Generator) -> None:
    for g in (np.zeros(3), np.array([4e4, -1e4, 0.0]), -np.array([1e6])):
        case = g, 10**6, 2.0, 1.0, 1.0
        try:
            found, wanted = _table(student, *case), _wanted(*case)
        except Fault as fault:
            fault.hint = (
                "Here a score is far from 0, and exponentials overflow. A constant may "
                "be subtracted from all scores first. " + fault.hint
            )
            raise
        if not np.allclose(found, wanted, rtol=2e-4, atol=1e-9):
            raise Fault(
                f"the probabilities at {_case(*case)}",
                ", ".join(f"{x:.3g}" for x in found),
                ", ".join(f"{x:.3g}" for x in wanted),
                "Equal scores have equal probabilities; one far below the rest has "
                "nearly all.",
            )


def _whole_numbers(student: Student, rng: np.random.Generator) -> None:
    g = rng.integers(-9, 10, size=4)
    g[0] = 7  # times 1.5 it is no whole number, whatever the others are
    demand_whole_numbers(student, (8,), g, 20, 0.8, 1.5, 0.4)


EXERCISE = Exercise(
    name="corner_probabilities",
    parameters=("g", "n", "L1", "s", "eps0"),
    title="Repair the choice of a corner",
    statement="""\
Private Frank-Wolfe on the ball $\\|\\theta\\|_1 \\le s$ chooses one of its $2p$ corners
in every step. Number them $+s e_1, \\dots, +s e_p, -s e_1, \\dots, -s e_p$. Corner $v$
has the score $\\langle v, g\\rangle$, and the **lowest** is the best. Here `g`, of
shape $(p,)$, is the gradient of a *sum* of `n` losses. One record more or less moves
each of its entries by at most `L1`, up or down.

Choose corner $v$ with probability proportional to $\\exp(-c\\,\\langle v, g\\rangle)$.
Return all $2p$ probabilities, for the **largest** $c$ at which the choice is
`eps0`-differentially private, whatever the data. The function below follows a
printed formula, and has several faults. Repair it. Scores may be large.
`g` may hold whole numbers.""",
    starter="""\
import numpy as np


def corner_probabilities(g, n, L1, s, eps0):
    sensitivity = L1 * s / n
    weight = np.exp(s * g * eps0 / sensitivity)
    return weight / weight.sum()""",
    worked=(
        "corner_probabilities(np.array([2.0]), 100, 1.0, 1.0, 1.0)",
        "[0.119203, 0.880797]",
        "Two corners, +1 and −1, with scores 2 and −2. A record moves one score up by "
        "1 and the other down by 1, so c = 1/2 and the chances are as e⁻¹ to e¹. The "
        "number of records plays no part.",
    ),
    hints=(
        "What does one record change: the sum of the gradients, or their mean? So "
        "where does `n` come in?",
        "How many corners are there, and which of the two on an axis leads downhill?",
        "If one score rises by Δ, another may fall by Δ. By how much can the ratio of "
        "their two weights change?",
    ),
    checks=(
        ("the lower a corner's score, the more likely it is", _downhill),
        ("no record changes a probability by more than a factor e^eps0", _private),
        ("c is the largest that is private", _sharp),
        ("equal scores, and large ones", _extremes),
        ("whole numbers", _whole_numbers),
    ),
    praise="One choice costs eps0 with bounded range: T of them cost ρ = T · eps0²/8.",
)

EXPLANATION = """\
Four things were wrong: the sum was treated as a mean, the sign led uphill, half of
the corners were missing, and a record's effect on a *ratio* of two probabilities was
counted once instead of twice.

```python
import numpy as np


def corner_probabilities(g, n, L1, s, eps0):
    scores = s * np.concatenate([g, -g])
    c = eps0 / (2 * L1 * s)
    weight = np.exp(-c * (scores - scores.min()))
    return weight / weight.sum()
```

**No n.** `g` is the gradient of a sum. One more record moves each of its entries by
up to `L1`, however many records there are. Dividing the sensitivity by $n$ would make
$c$ too large by a factor of $n$: the printed fault of this chapter.

**All corners, downhill.** $+s e_j$ and $-s e_j$ have opposite scores. The lowest
score is the best, so it has the largest weight.

**Twice the sensitivity.** If the score of one corner rises by $\\Delta = L_1s$, that of
the opposite corner falls by as much. So the ratio of two weights changes by up to
$e^{2c\\Delta}$, and $c = \\varepsilon_0/2\\Delta$. A single probability needs both
directions as well, since the sum of all weights moves along.

**Large scores.** Subtracting the lowest score changes no probability, and no
exponential can overflow.
"""
