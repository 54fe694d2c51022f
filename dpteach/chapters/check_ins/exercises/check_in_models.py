"""Exercise: the server of a check-in protocol, with one report a slot, and dummies."""

import numpy as np

from ....grading.exercise import Exercise
from ....grading.ladder import matching_hint
from ....grading.report import Fault
from ....grading.student import Student

_Drawn = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]
_Case = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray, float]


def _models(
    X: np.ndarray, y: np.ndarray, noise: np.ndarray, slot: np.ndarray,
    ticket: np.ndarray, eta: float, wrong: str = "",
) -> np.ndarray:  # fmt: skip
    """Run the protocol; ``wrong`` names a mistake that many make."""
    m, p = noise.shape
    slot = slot % m if wrong == "home" else slot
    theta, path = np.zeros(p), np.zeros((m, p))
    for i in range(m):
        there = np.flatnonzero(slot == i)
        slopes = np.sign(X[there] @ theta - y[there])[:, None] * X[there]
        rank = {"first": there, "largest": -ticket[there]}.get(wrong, ticket[there])
        g = slopes[np.argmin(rank)] if len(there) else np.zeros(p)
        if len(there) and wrong == "mean":
            g = slopes.mean(axis=0)
        report = (-g if wrong == "uphill" else g) + noise[i]
        if not len(there) and wrong == "quiet":
            report = np.zeros(p)
        root = 1.0 if wrong == "constant" else np.sqrt(i + 1)
        theta = theta - eta / root * report
        length = np.linalg.norm(theta)
        theta = theta / length if length > 1 and wrong != "free" else theta
        path[i] = theta
    return path


def _told(wrong: str):
    return lambda *case: _models(*case, wrong=wrong)


# Wrong answers that many give, and what they reveal.
_MISREAD = (
    (
        _told("quiet"),
        "An empty slot made no noise. Then the published models tell that nobody came.",
    ),
    (
        _told("first"),
        "You use the first client of the list. Which one is used must be left to "
        "chance: to the tickets.",
    ),
    (_told("largest"), "The other end of the tickets wins."),
    (
        _told("mean"),
        "You average all who came to a slot. This protocol uses one report a slot.",
    ),
    (
        _told("home"),
        "Clients with slot −1 stay at home. In Python, index −1 is the last one.",
    ),
    (_told("constant"), "The step does not fall. What does it look like after slot 4?"),
    (_told("free"), "A model leaves the unit ball."),
    (_told("uphill"), "The models walk uphill: a report here is plus the gradient."),
    (
        lambda *case: np.vstack([0 * case[2][:1], _models(*case)[:-1]]),
        "Those are the models before each slot. The models after it are asked for.",
    ),
    (
        lambda *case: np.tile(_models(*case)[-1], (len(case[2]), 1)),
        "Each row is the last model. Does your list hold one array many times, which "
        "`-=` changes everywhere at once?",
    ),
)


def _compare(student: Student, case: _Case, what: str, hint: str) -> None:
    shape = case[2].shape
    found, wanted = student.array(shape, *case), _models(*case)
    if np.allclose(found, wanted, rtol=1e-7, atol=1e-9):
        return
    row = int(np.argmax(np.abs(found - wanted).max(axis=1) > 1e-9))
    count = int(np.sum(case[3] == row))
    raise Fault(
        f"{what}: the model after slot {row + 1} of {shape[0]}, which {count} of "
        f"{len(case[0])} clients picked; eta = {case[5]:.3g}",
        np.array2string(found[row][:4], precision=5),
        np.array2string(wanted[row][:4], precision=5),
        matching_hint(found, _MISREAD, case, hint, wanted),
    )


def _clients(
    rng: np.random.Generator, n: int, m: int, p: int, p0: float, noise: float = 0.5
) -> _Drawn:
    X = rng.standard_normal((n, p))
    X /= np.maximum(np.linalg.norm(X, axis=1, keepdims=True), 1.0)
    y = X @ np.full(p, 0.3) + 0.1 * rng.standard_normal(n)
    slot = np.where(rng.random(n) < p0, rng.integers(m, size=n), -1)
    return X, y, noise * rng.standard_normal((m, p)), slot, rng.random(n)


def _one_each(student: Student, rng: np.random.Generator) -> None:
    X, y, noise, _, ticket = _clients(rng, 4, 4, 2, 1.0)
    case = X, y, noise, np.array([2, 0, 3, 1]), ticket, 0.3
    hint = (
        "Follow the first slot that differs by hand: who reports, at which model, how "
        "long is the step, and may the model be that long?"
    )
    _compare(student, case, "one client a slot", hint)


def _empty(student: Student, rng: np.random.Generator) -> None:
    X, y, noise, _, ticket = _clients(rng, 3, 6, 3, 1.0)
    case = X, y, noise, np.array([4, -1, 1]), ticket, 0.3
    _compare(
        student, case, "empty slots", "What is sent for a slot that nobody picked?"
    )
    X, y, noise, _, ticket = _clients(rng, 2, 3, 2, 1.0)
    case = X, y, noise, np.array([-1, -1]), ticket, 0.5
    _compare(student, case, "nobody comes", "All three reports are dummies.")


def _shared(student: Student, rng: np.random.Generator) -> None:
    X, y, noise, _, ticket = _clients(rng, 9, 3, 2, 1.0)
    case = X, y, noise, np.array([0, 2, 0, 1, 2, 2, -1, 0, 2]), ticket, 0.3
    _compare(student, case, "several clients a slot", "Who of them is used?")


def _long(student: Student, rng: np.random.Generator) -> None:
    for n, m, p, p0, noise, eta in (
        (64, 33, 7, 0.5, 0.2, 0.7),
        (33, 64, 1, 1.0, 2.0, 1.5),
        (200, 20, 2, 0.3, 2.0, 1),
        (5, 3, 400, 0.9, 0.05, 0.5),
    ):  # fmt: skip
        case = *_clients(rng, n, m, p, p0, noise), float(eta)
        hint = (
            "Does every slot make one update, and is a model that is too long "
            "shortened as a whole?"
        )
        _compare(student, case, "a whole run", hint)


def _special(student: Student, rng: np.random.Generator) -> None:
    case = *_clients(rng, 1, 1, 1, 1.0), 0.4
    _compare(student, case, "one client, one slot", "There is only one update.")
    X, y, noise, slot, ticket = _clients(rng, 12, 4, 2, 1.0)
    X[2:5], slot[:2], y[:2], ticket[:2] = 0.0, 0, 0.0, (-1.0, -2.0)
    whole = X, y, noise, slot.astype(np.int32), np.rint(1e6 * ticket).astype(int), 0.4
    _compare(
        student, whole, "rows and errors of 0", "What is the sign of an error of 0?"
    )


EXERCISE = Exercise(
    name="check_in_models",
    parameters=("X", "y", "noise", "slot", "ticket", "eta"),
    title="The server of a check-in run",
    statement="""\
Client $j$ holds a row of `X`, shape $(n, p)$, of norm at most 1, and a label from `y`,
shape $(n,)$. Her loss is $|\\langle\\theta, x_j\\rangle - y_j|$ with gradient
$\\mathrm{sign}(\\langle\\theta, x_j\\rangle - y_j)\\,x_j$, where $\\mathrm{sign}(0) =
0$. All coins were tossed before. `slot[j]` is the slot that client $j$ picked, from 0
to $m - 1$, or $-1$ if she stays at home. Of all who picked a slot, the one with the
**lowest** `ticket` is used; tickets differ.

Write `check_in_models(X, y, noise, slot, ticket, eta)`, which returns the models
after each slot, shape $(m, p)$. The array `noise` has that shape, too. Start at
$\\theta = 0$. In slot $i = 1, \\dots, m$ the report is the gradient of the client who
is used, at the present model, plus row $i$ of `noise`. If nobody picked the slot, it
is a dummy: the report on a zero gradient. Then step to $\\theta -
\\frac{\\eta}{\\sqrt i}\\cdot$ report, and project onto the unit ball,
$\\lVert\\theta\\rVert_2 \\le 1$. Leave the arguments as
they are. `ticket` may hold whole numbers.""",
    starter="""\
import numpy as np


def check_in_models(X, y, noise, slot, ticket, eta):
    m, p = noise.shape
    theta, path = np.zeros(p), []
    for i in range(m):
        theta = theta - eta * noise[i]  # your code here
        path.append(theta)
    return np.array(path)""",
    worked=(
        """\
check_in_models(
    np.array([[1.0], [-1.0]]),
    np.array([2.0, 2.0]),
    np.array([[0.5], [0.2]]),
    np.array([0, 0]),
    np.array([0.7, 0.3]),
    0.4,
)""",
        "[[-0.6], [-0.6565685]]",
        "Both clients picked the first slot. The second one has the lower ticket. At "
        "θ = 0 her gradient is −1 · (−1) = 1, so the report is 1.5 and the model "
        "−0.4 · 1.5 = −0.6. Nobody picked the second slot: the dummy is 0.2, and the "
        "step −0.4/√2 · 0.2 = −0.0566.",
    ),
    hints=(
        "In each slot there are three cases: nobody, one client, or several.",
        "What does an outsider see of an empty slot, if it makes no update?",
        "A gradient depends on the model. At which model does a client compute hers?",
    ),
    checks=(
        ("one client a slot", _one_each),
        ("slots that nobody picked", _empty),
        ("several clients a slot", _shared),
        ("whole runs in 1, 2, 7 and 400 dimensions", _long),
        ("one client, rows and errors of 0, and whole numbers", _special),
    ),
    praise="Every slot makes one noisy update, whoever came. So published models do "
    "not tell which clients took part, and the theorem rests on that.",
)

EXPLANATION = """\
In each slot one report arrives, and the server does the same with it, whether it comes
from a client or is a dummy.

```python
import numpy as np


def check_in_models(X, y, noise, slot, ticket, eta):
    m, p = noise.shape
    theta, path = np.zeros(p), []
    for i in range(m):
        there = np.flatnonzero(slot == i)
        report = noise[i].copy()  # a dummy is a report on a zero gradient
        if len(there) > 0:
            j = there[np.argmin(ticket[there])]
            report += np.sign(X[j] @ theta - y[j]) * X[j]
        theta = theta - eta / np.sqrt(i + 1) * report
        theta = theta / max(1.0, np.linalg.norm(theta))
        path.append(theta)
    return np.array(path).reshape(m, p)
```

**The dummy.** If an empty slot left the model as it was, everybody would see two equal
models in a row and know that nobody had come. The coins of the clients who might have
come would be public, and the proof that hides client 1 behind them would fail.

**The ticket.** Clients with random tickets are chosen uniformly, which makes the
updates unbiased. With the first of the list in its place, privacy would still hold,
but those late in the list would never be heard.

**The index.** Clients with slot $-1$ are at home. Code that writes `path[slot[j]]` lets
them all into the last slot, because Python counts $-1$ from the end.
"""
