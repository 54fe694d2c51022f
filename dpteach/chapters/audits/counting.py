"""A drawing of the chapter on auditing: how much so many runs can prove."""

from math import log10

from ...auditing import event_epsilon_lower_bound
from ..shared.axes import Axes
from ..shared.drawing import Drawing, note, ring

_RUNS = [round(10 ** (1 + k / 10)) for k in range(41)]
_SURE = 0.001
_PROOF = Axes(40, 170, 290, 140, across=(1, 5), up=(0, 10))


def _proved(runs: int, missed: float) -> float:
    """Return what a test proves that misses so often, and never gives a false alarm."""
    seen = runs - round(missed * runs)
    found = event_epsilon_lower_bound(seen, runs, 0, runs, delta=0.0, false_alarm=_SURE)
    return max(0.0, found)


def _curve(missed: float, role: str) -> str:
    points = ((log10(runs), _proved(runs, missed)) for runs in _RUNS)
    return _PROOF.curve(points, role=role)


what_runs_prove = Drawing(
    (
        note(10, 18, "the most ε that is proved", anchor="start"),
        _PROOF.base(),
        _curve(0.0, "private"),
        _curve(0.5, "bound"),
        ring(*_PROOF.at(3, _proved(1000, 0.0)), 4, role="private", filled=True),
        note(_PROOF.at(3, 0)[0] - 10, _PROOF.at(3, _proved(1000, 0.0))[1] - 8,
             f"1,000 runs: {_proved(1000, 0.0):.1f}", anchor="end"),
        note(334, _PROOF.at(5, 5.6)[1], "sees half", anchor="end"),
        note(322, 34, "sees all", anchor="end"),
        *(note(34, _PROOF.at(1, y)[1] + 4, f"{y:g}", anchor="end") for y in (0, 5, 10)),
        *(note(_PROOF.at(k, 0)[0], 187, f"{10**k:,}") for k in (1, 2, 3, 4, 5)),
        note(185, 206, "runs with the canary, and as many without"),
    ),
    214,
    "Two curves against the number of runs, from 10 to 100,000. A test that always "
    "sees the canary and never gives a false alarm proves "
    f"{_proved(100, 0.0):.1f} with 100 runs, {_proved(1000, 0.0):.1f} with 1,000 and "
    f"{_proved(100_000, 0.0):.1f} with 100,000. One that sees it half the time proves "
    f"only a little less: {_proved(1000, 0.5):.1f} with 1,000.",
)  # fmt: skip
