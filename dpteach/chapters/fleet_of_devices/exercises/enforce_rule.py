"""Exercise: enforce a rule of participation over a log of check-ins."""

# ruff: noqa: ARG001, ARG005  (checks of one table share one signature; so do formulas)

import numpy as np

from ....grading.exercise import Exercise
from ....grading.ladder import matching_hint
from ....grading.report import Fault
from ....grading.student import Student


def _admit(rounds: np.ndarray, devices: np.ndarray, k: int, d: int) -> np.ndarray:
    out, last, turns = np.zeros(len(rounds)), {}, {}
    for i, (t, u) in enumerate(zip(rounds.tolist(), devices.tolist(), strict=True)):
        if turns.get(u, 0) < k and (u not in last or t - last[u] >= d):
            out[i], last[u], turns[u] = 1, t, turns.get(u, 0) + 1
    return out


def _misread(
    rounds: np.ndarray,
    devices: np.ndarray,
    k: int,
    d: int,
    *,
    resets: bool = False,
    spends: bool = False,
    shared: bool = False,
    many: bool = False,
) -> np.ndarray:
    """Apply a wrong rule: see the table below."""
    out, last, turns = np.zeros(len(rounds)), {}, {}
    for i, (t, u) in enumerate(zip(rounds.tolist(), devices.tolist(), strict=True)):
        u = 0 if shared else u
        far = u not in last or t - last[u] >= d or (many and t == last[u])
        good = far and turns.get(u, 0) < k
        out[i] = good
        if good or resets:
            last[u] = t
        turns[u] = turns.get(u, 0) + (good or spends)
    return out


# Wrong answers that many give, and what they reveal.
_WRONG = (
    (
        lambda r, u, k, d: _admit(r, u, k, d + 1),
        "A device may come back exactly d rounds after its last turn.",
    ),
    (
        lambda r, u, k, d: _admit(r, u, k, max(d - 1, 0)),
        "Some turns of a device are only d - 1 rounds apart.",
    ),
    (
        lambda r, u, k, d: _admit(r, u, len(r), d),
        "Nobody counts the turns: a device may have k at most.",
    ),
    (
        lambda r, u, k, d: _admit(r, u, k, 0),
        "Turns are counted, but nothing keeps them d rounds apart.",
    ),
    (
        lambda r, u, k, d: _misread(r, u, k, d, resets=True),
        "A check-in that was sent home starts the pause anew. Only a turn does.",
    ),
    (
        lambda r, u, k, d: _misread(r, u, k, d, spends=True),
        "A check-in that was sent home is counted as a turn.",
    ),
    (
        lambda r, u, k, d: _misread(r, u, k, d, shared=True),
        "The rule is for each device by itself; yours is for all of them together.",
    ),
    (
        lambda r, u, k, d: _misread(r, u, k, d, many=True),
        "A device that checks in twice in one round has one turn in it, not two.",
    ),
    (
        lambda r, u, k, d: 1 - _admit(r, u, k, d),
        "Those are the ones that are sent home.",
    ),
)


def _compare(
    student: Student, rounds: list[int], devices: list[int], k: int, d: int, hint: str
) -> None:
    log = np.array(rounds, dtype=int), np.array(devices, dtype=int)
    found, wanted = student.array((len(rounds),), *log, k, d), _admit(*log, k, d)
    off = found != wanted
    if off.any():
        i = int(np.argmax(off))
        raise Fault(
            f"line {i} of a log of {len(rounds)} lines: device {devices[i]} in round "
            f"{rounds[i]}, with k = {k} and d = {d}",
            f"{found[i]:g}",
            f"{wanted[i]:g}",
            matching_hint(found, _WRONG, (*log, k, d), hint, wanted),
        )


def _eager(student: Student, rng: np.random.Generator) -> None:
    for k, d, T in ((6, 3, 20), (2, 1, 6), (5, 7, 60)):
        case = "One device, which checks in every round."
        _compare(student, list(range(T)), [5] * T, k, d, case)


def _border(student: Student, rng: np.random.Generator) -> None:
    case = "One device, at the border: d - 1 rounds later, then d rounds later."
    _compare(student, [2, 6, 7, 11, 12], [1] * 5, 9, 5, case)
    case = "One device, sent home just before it may come again."
    _compare(student, [0, 3, 4, 7, 8, 11, 12], [8] * 7, 3, 4, case)


def _log(
    rng: np.random.Generator, T: int, N: int, rate: float
) -> tuple[list[int], list[int]]:
    rounds, who = np.nonzero(rng.random((T, N)) < rate)
    order = np.lexsort((rng.random(len(who)), rounds))
    numbers = rng.choice(90_000, size=N, replace=False) + 10_000
    return rounds[order].tolist(), numbers[who[order]].tolist()


def _several(student: Student, rng: np.random.Generator) -> None:
    for T, N, rate, k, d in (
        (30, 4, 0.5, 3, 5),
        (60, 12, 0.3, 4, 9),
        (40, 6, 0.9, 40, 3),
    ):
        case = f"{N} devices, whose numbers are names and nothing more."
        _compare(student, *_log(rng, T, N, rate), k, d, case)


def _gaps(student: Student, rng: np.random.Generator) -> None:
    case = "Rounds are not the lines of the log: some rounds have no check-in."
    _compare(student, [3, 3, 40, 41, 90], [7, 9, 7, 9, 7], 2, 30, case)


def _twice(student: Student, rng: np.random.Generator) -> None:
    case = "A device checks in twice in one round."
    _compare(student, [4, 4, 4, 5, 9, 9], [2, 2, 6, 2, 2, 2], 4, 3, case)
    _compare(student, [], [], 2, 3, "Nobody came.")
    _compare(student, [0], [3], 1, 1, "One line.")


EXERCISE = Exercise(
    name="enforce_rule",
    parameters=("rounds", "devices", "k", "d"),
    title="Who may take part",
    statement="""\
A server keeps a log of check-ins. Line $i$ says that device `devices[i]` offered to
take part in round `rounds[i]`. Both are arrays of whole numbers, of one length. Rounds
never go down from line to line; a device may check in twice in one round.

Return an array with a 1 for each line that is admitted, and a 0 for each that is sent
home. A device is admitted whenever the rule allows it:

- it has had fewer than `k` turns so far;
- its last *turn*, if any, was in a round at least `d` earlier.

A check-in that was sent home has no effect on later ones. `k` and `d` are at least
1.""",
    starter="""\
import numpy as np


def enforce_rule(rounds, devices, k, d):
    admitted = np.ones(len(rounds), dtype=int)
    admitted[1:] = rounds[1:] - rounds[:-1] >= d  # your code here
    return admitted""",
    worked=(
        "enforce_rule(np.array([0, 0, 2, 3, 6]), np.array([7, 9, 7, 7, 7]), 2, 3)",
        "[1, 1, 0, 1, 0]",
        "Devices 7 and 9 have their first turn in round 0. Round 2 is too early for "
        "device 7, and round 3 is not. By round 6 it has had two turns.",
    ),
    hints=(
        "What must the server remember of each device? Two numbers are enough.",
        "A `dict` from a device to its last turn, and one to its number of turns. When "
        "may they change?",
        "Only a turn that was granted changes them. Whoever is sent home may come back "
        "as early as if nothing had happened.",
    ),
    checks=(
        ("one eager device", _eager),
        ("exactly d rounds later, and after being sent home", _border),
        ("several devices", _several),
        ("rounds without check-ins", _gaps),
        ("twice in one round, one line, and an empty log", _twice),
    ),
    praise="This is the whole enforcement. On it rests the price: k turns, d rounds "
    "apart.",
)

EXPLANATION = r"""
For each device the server remembers its last turn and how many it has had. Both change
only when it is admitted.

```python
import numpy as np


def enforce_rule(rounds, devices, k, d):
    last, turns, admitted = {}, {}, []
    for t, u in zip(rounds.tolist(), devices.tolist()):
        ready = u not in last or t - last[u] >= d
        good = ready and turns.get(u, 0) < k
        if good:
            last[u], turns[u] = t, turns.get(u, 0) + 1
        admitted.append(int(good))
    return np.array(admitted, dtype=int)
```

**What wrong answers overlook.** The pause runs from the last *turn*. If a check-in that
was sent home restarted it, an eager device would never come in again. And the rule is
about rounds, not about lines of the log. **Who may see the log?** It has no data, but
it says when a phone was charged and idle. The promise of the chapter is about what a
device holds, not about the log.
"""
