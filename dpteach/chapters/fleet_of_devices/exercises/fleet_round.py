"""Exercise: repair a round of federated averaging from which devices drop out."""

# ruff: noqa: ARG005  (formulas of one table share one signature)

import numpy as np

from ....grading.distributions import RUNS
from ....grading.exercise import Exercise
from ....grading.ladder import (
    demand_fresh_noise,
    demand_noise_around,
    matching_hint,
    wrong_deviation,
)
from ....grading.report import Fault
from ....grading.student import Student


def _cut(V: np.ndarray, L: float) -> np.ndarray:
    return V / np.maximum(np.linalg.norm(V, axis=1, keepdims=True) / L, 1.0)


def _sum(V: np.ndarray, came: np.ndarray, L: float) -> np.ndarray:
    good = came & np.isfinite(V).all(axis=1)
    return _cut(V[good], L).sum(axis=0)


_COUNT = (
    "You divide by how many updates arrived. Without one device, all others then weigh "
    "more. The divisor is the public m."
)
_SCALED = (
    "Short updates are made longer. Clipping shortens what is longer than L, and "
    "leaves the rest as it is."
)
_DROPPED = "Devices that dropped out are in the sum. Their rows must count zero."


def _unit(V: np.ndarray, L: float) -> np.ndarray:
    norms = np.linalg.norm(V, axis=1, keepdims=True)
    return V * L / np.where(norms == 0, 1.0, norms)


# Functions of (theta, V, came, m, L, eta) that give a wrong model at sigma = 0.
_MODELS = (
    (lambda w, V, c, m, L, eta: w + eta * _unit(V[c], L).sum(0) / m, _SCALED),
    (
        lambda w, V, c, m, L, eta: w + eta * _unit(V[c], L).sum(0) / max(c.sum(), 1),
        "Two faults at once. " + _SCALED + " And " + _COUNT[0].lower() + _COUNT[1:],
    ),
    (
        lambda w, V, c, m, L, eta: w + eta * _sum(V, c, L) / max(c.sum(), 1),
        _COUNT,
    ),
    (lambda w, V, c, m, L, eta: w + eta * _cut(V, L).sum(0) / m, _DROPPED),
    (lambda w, V, c, m, L, eta: w + eta * V[c].sum(0) / m, "No update was clipped."),
    (
        lambda w, V, c, m, L, eta: w - eta * _sum(V, c, L) / m,
        "An update is how far a model moved, not a gradient: add it.",
    ),
)
# Functions of (L, sigma, eta, m, n) that the noise may be too large by.
_FACTORS = (
    (lambda L, sigma, eta, m, n: 1 / L, "L is missing: a device moves the sum by L."),
    (lambda L, sigma, eta, m, n: m, "The noise belongs to the sum, before dividing."),
    (
        lambda L, sigma, eta, m, n: max(n, 1) / m,
        "The noise is made for what arrived. One device is what it hides, and one "
        "moves the sum by L, whoever else is there.",
    ),
    (
        lambda L, sigma, eta, m, n: L * sigma,
        "That is a variance: rng.normal takes a standard deviation.",
    ),
)
_P = 4


def _data(
    rng: np.random.Generator, n: int, lost: int, p: int = _P
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Half of the updates are longer than 1, half are not; some devices drop out."""
    V = rng.normal(size=(n, p))
    goal = np.where(np.arange(n) % 2, 0.3, 5.0) * rng.uniform(0.7, 1.4, n)
    V *= (goal / np.linalg.norm(V, axis=1))[:, None]
    came = np.ones(n, dtype=bool)
    came[rng.permutation(n)[:lost]] = False
    return rng.normal(size=p), V, came


def _demand_model(
    student: Student, data: tuple, constants: tuple, case: str, hint: str
) -> None:
    (w, V, came), (m, L, eta) = data, constants
    rng = np.random.default_rng(1)
    found = student.array(w.shape, w, V, came, m, L, 0.0, eta, rng)
    wanted = w + eta * _sum(V, came, L) / m
    if not np.allclose(found, wanted, rtol=2e-4, atol=1e-6):
        raise Fault(
            f"the model at sigma = 0, {case}, with m = {m}, L = {L}, eta = {eta}",
            np.array2string(found, precision=4),
            np.array2string(wanted, precision=4),
            matching_hint(found, _MODELS, (w, V, came, m, L, eta), hint, wanted),
        )


def _everybody(student: Student, rng: np.random.Generator) -> None:
    for n, p, constants in (
        (6, 4, (7, 1.0, 0.5)), (9, 4, (5, 1.0, 1.0)), (4, 4, (8, 1.0, 0.3)),
        (33, 20, (30, 1.0, 0.5)), (1, 1, (1, 1.0, 0.5)), (5, 3, (5, 1.0, 0.5)),
        (2, 400, (2, 1.0, 0.5)),
    ):  # fmt: skip
        w, V, came = _data(rng, n, 0, p)
        if n == 33:
            w[:], V[2] = w[0], 0.0  # equal weights; a device that learned nothing
        _demand_model(
            student, (w, V, came), constants, f"when all of {n} devices answer",
            "Clip each update, add them up, divide by m.",
        )  # fmt: skip


def _dropouts(student: Student, rng: np.random.Generator) -> None:
    for n, lost in ((8, 3), (7, 6)):
        _demand_model(
            student, _data(rng, n, lost), (8, 1.0, 0.5),
            f"when {lost} of {n} devices drop out",
            "A device that drops out adds zero. Nothing else changes.",
        )  # fmt: skip


def _sensitivity(student: Student, rng: np.random.Generator) -> None:
    w, V, came = _data(rng, 7, 2)
    m, L, eta = 5, 0.8, 0.5

    def model(here: np.ndarray) -> np.ndarray:
        rng = np.random.default_rng(1)
        return student.array(w.shape, w, V, here, m, L, 0.0, eta, rng)

    full, most = model(came), eta * L / m
    for u in np.flatnonzero(came):
        moved = np.linalg.norm(full - model(came & (np.arange(7) != u)))
        if moved > most * (1 + 1e-5):
            raise Fault(
                f"how far the model at sigma = 0 moves when device {u} drops out",
                f"{moved:.4g}",
                f"at most eta · L / m = {most:.4g}",
                "The noise hides a move of L in the sum, and no more.",
            )


def _not_finite(student: Student, rng: np.random.Generator) -> None:
    for value, entry in ((np.inf, 1), (-np.inf, 0), (np.nan, -1)):
        data = _data(rng, 6, 1)
        data[1][np.flatnonzero(data[2])[0], entry] = value
        _demand_model(
            student, data, (5, 1.0, 0.5),
            f"when one of 6 updates has {value} in it",
            "Training diverged on that device. Its update counts zero, all of it.",
        )  # fmt: skip


def _fresh(student: Student, rng: np.random.Generator) -> None:
    demand_fresh_noise(student, (_P,), rng, *_data(rng, 5, 1), 5, 1.0, 1.0, 0.5)


def _noise(student: Student, rng: np.random.Generator) -> None:
    _noise_at(student, rng, (8, 3), (6, 0.8, 1.3, 0.5), RUNS)
    _noise_at(student, rng, (5, 0), (7, 2.5, 0.6, 1.0), RUNS[:1])


_UNEVEN = "Does each entry get a number of its own?"


def _noise_at(
    student: Student,
    rng: np.random.Generator,
    size: tuple[int, int],
    constants: tuple[int, float, float, float],
    stages: tuple[int, ...],
) -> None:
    m, L, sigma, eta = constants
    w, V, came = _data(rng, *size)
    mean, goal = w + eta * _sum(V, came, L) / m, eta * L * sigma / m
    case = f"at m = {m}, L = {L}, sigma = {sigma}, eta = {eta}, {came.sum()} arrived"
    names = f"the noise {case}", f"the model {case},"
    kept = L, sigma, eta, m, int(came.sum())
    demand_noise_around(
        student, rng, (w, V, came, *constants), mean, goal, names,
        lambda ratios: wrong_deviation(
            ratios, ("eta · L · sigma / m", goal), names[0], _UNEVEN, _FACTORS, kept
        ), stages,
    )  # fmt: skip


def _nobody(student: Student, rng: np.random.Generator) -> None:
    for size in ((4, 4), (0, 0)):
        data = _data(rng, *size)
        _demand_model(
            student, data, (5, 1.0, 0.5), f"when none of {size[0]} devices answers",
            "The sum of no updates is zero.",
        )  # fmt: skip
        try:
            demand_fresh_noise(student, (_P,), rng, *data, 5, 1.0, 1.0, 0.5)
        except Fault as fault:
            fault.hint = "Without noise, everybody would see that nobody answered."
            raise
        _noise_at(student, rng, size, (5, 1.5, 0.7, 0.5), RUNS[:1])


EXERCISE = Exercise(
    name="fleet_round",
    parameters=("theta", "V", "arrived", "m", "L", "sigma", "eta", "rng"),
    title="Repair a round with dropouts",
    statement="""\
A round of federated averaging. Row $u$ of `V`, of shape $(n, p)$, is the update of
device $u$: how far its model moved. `arrived`, of shape $(n,)$, holds True or False:
whether that update came back. The function below has four faults. Repair it, so that it
returns

$$\\theta + \\frac{\\eta}{m} \\Big(\\sum_{u \\text{ arrived}} \\mathrm{clip}_L(v_u)
+ \\mathcal N(0,\\ L^2 \\sigma^2 I_p)\\Big),$$

where $\\mathrm{clip}_L$ shortens an update to norm at most $L$, and leaves a shorter
one as it is. `m` is a public constant, whoever came. An update that holds a number that
is not finite counts as 0. Nobody may have come. All randomness must come from `rng`, a
NumPy `Generator`. Leave the arguments as they are.""",
    starter="""\
import numpy as np


def fleet_round(theta, V, arrived, m, L, sigma, eta, rng):
    came = V[arrived]
    if len(came) == 0:
        return theta
    norms = np.linalg.norm(came, axis=1, keepdims=True)
    total = (came * L / norms).sum(axis=0)
    noise = rng.normal(0.0, L * sigma, len(theta))
    return theta + eta * (total + noise) / len(came)""",
    worked=(
        """\
fleet_round(
    np.zeros(2),
    np.array([[3.0, 4.0], [0.2, 0.0], [9.0, 9.0]]),
    np.array([True, True, False]),
    m=4,
    L=1.0,
    sigma=0.0,
    eta=1.0,
    rng=np.random.default_rng(0),
)""",
        "[0.2, 0.2]",
        "Without noise. The first update has norm 5 and is cut to (0.6, 0.8), the "
        "second stays (0.2, 0), and the third never came. The sum is (0.8, 0.8), and "
        "a quarter of it is the step.",
    ),
    hints=(
        "One device leaves the round. Which terms of the result change?",
        "What becomes of an update of norm L/10? And of one whose norm is 0, or `nan`?",
        "What does everybody see of a round to which nobody came?",
    ),
    checks=(
        ("without noise, when all devices answer", _everybody),
        ("without noise, when some drop out", _dropouts),
        ("no device moves the model by more than eta · L / m", _sensitivity),
        ("an update that is not finite counts as 0", _not_finite),
        ("the noise is fresh, and drawn from rng", _fresh),
        ("the noise has the right size, whoever came", _noise),
        ("nobody came", _nobody),
    ),
    praise="Whoever drops out, a device moves this sum by L at most, and the noise is "
    "made for just that.",
)

EXPLANATION = r"""There are four faults. Every update is scaled to norm $L$, so that
short ones grow. The divisor is the number that arrived. A round to which nobody came
publishes the model as it was, without noise. And one update of `nan` turns the whole
model into `nan`.

```python
import numpy as np


def fleet_round(theta, V, arrived, m, L, sigma, eta, rng):
    came = V[arrived]
    came = came[np.isfinite(came).all(axis=1)]
    norms = np.linalg.norm(came, axis=1, keepdims=True)
    total = (came / np.maximum(norms / L, 1.0)).sum(axis=0)
    return theta + eta / m * (total + rng.normal(0.0, L * sigma, theta.shape))
```

*The divisor.* With 90 updates of 100 the step is one tenth shorter. That is all. If it
were divided by 90, then without one more device it would be divided by 89, and every
other update would weigh more. *The empty round.* Its noise looks like a waste. But a
model that does not move says that nobody was there, with certainty."""
