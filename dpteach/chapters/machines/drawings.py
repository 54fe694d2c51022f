"""Drawings of the chapter on machines: exact coins, grids, and a restored run."""

from math import factorial
from statistics import NormalDist

from ..shared.axes import Axes
from ..shared.drawing import Drawing, arrow, bar, box, line, note, ring

_GAMMA = 0.5
_ENDS = [
    _GAMMA ** (k - 1) / factorial(k - 1) - _GAMMA**k / factorial(k)
    for k in (1, 2, 3, 4)
]


def _toss(number: int) -> str:
    k, y = number + 1, 30 + 52 * number
    heads = k % 2 == 1
    chance = f"1/{2 * k}"
    return "".join(
        (
            box(10, y, 130, 32, f"{k}. coin of {chance}"),
            arrow((75, y + 32), (75, y + 52)) if k < len(_ENDS) else "",
            note(84, y + 47, "heads", anchor="start", soft=True) if k < 4 else "",
            arrow((140, y + 16), (196, y + 16)),
            note(166, y + 11, "tails", soft=True),
            box(198, y, 76, 32, "heads" if heads else "tails",
                role="private" if heads else "reference"),
            note(352, y + 21, f"{_ENDS[number]:.4f}", anchor="end"),
        )
    )  # fmt: skip


a_coin_from_coins = Drawing(
    (
        note(75, 18, "γ = 1/2"),
        note(236, 18, "returned"),
        note(352, 18, "chance", anchor="end"),
        *(_toss(number) for number in range(4)),
        note(10, 244, "heads in all: 0.5000 + 0.1042 + … = 0.6065",
             anchor="start"),
    ),
    254,
    "The loop for gamma one half. The first coin has probability one half; if it "
    "comes up tails, heads is returned, with probability 0.5. If it comes up heads, "
    "a coin of one quarter follows; its tails returns tails, with probability 0.375. "
    "Then a coin of one sixth: heads, 0.1042. Then one of one eighth: tails, 0.0182. "
    "The probabilities of heads add up to 0.6065, which is e to the minus one half.",
)  # fmt: skip

_COARSE = Axes(30, 76, 300, 60, across=(-0.25, 2.25), up=(0, 1))
_FINE = Axes(30, 190, 300, 60, across=(0.88, 1.12), up=(0, 1))
_GRID = 0.02


def _ruler(axes: Axes, marks: list[float], ends: tuple[float, float]) -> str:
    ticks = "".join(
        line(axes.at(mark, 0), (axes.at(mark, 0)[0], axes.bottom - 10))
        for mark in marks
    )
    for answer, role in zip((0.95, 1.05), ("reference", "private"), strict=True):
        end = ends[answer > 1]
        start = axes.at(answer, 0)
        ticks += ring(start[0], start[1] - 24, 4, role=role, filled=True)
        ticks += arrow(
            (start[0], start[1] - 24), (axes.at(end, 0)[0], axes.bottom - 12), role=role
        )
    return axes.base() + ticks


two_grids = Drawing(
    (
        note(
            10, 18, "grid 1: the floors differ by one step, which is 1", anchor="start"
        ),
        _ruler(_COARSE, [0, 1, 2], (0, 1)),
        *(note(_COARSE.at(k, 0)[0], 94, f"{k}") for k in (0, 1, 2)),
        note(
            10,
            134,
            "grid 0.02: they differ by five steps, which is 0.1",
            anchor="start",
        ),
        _ruler(_FINE, [0.88 + _GRID * k for k in range(13)], (0.94, 1.04)),
        *(note(_FINE.at(k, 0)[0], 208, f"{k:g}") for k in (0.9, 1, 1.1)),
        note(180, 234, "gray 0.95 and blue 1.05 are 0.1 apart", soft=True),
    ),
    244,
    "Two rulers with the same two answers, 0.95 and 1.05. On a grid of 1 they are "
    "rounded down to 0 and 1, which are ten times as far apart as the answers. On a "
    "grid of 0.02 they are rounded down to 0.94 and 1.04, as far apart as before.",
)

_FLOATS = Axes(24, 76, 312, 60, across=(16, 128), up=(0, 1))
_FIXED = Axes(24, 172, 312, 60, across=(16, 128), up=(0, 1))


def _ticks(axes: Axes, marks: list[int], role: str) -> str:
    return axes.base() + "".join(
        line(axes.at(mark, 0), (axes.at(mark, 0)[0], axes.bottom - 16), role=role)
        for mark in marks
    )


two_rulers = Drawing(
    (
        note(10, 18, "floats: steps double at each power of two", anchor="start"),
        note(10, 36, "one record moves a total more, and more", anchor="start"),
        _ticks(
            _FLOATS,
            [*range(16, 32, 2), *range(32, 64, 4), *range(64, 129, 8)],
            "broken",
        ),
        *(note(_FLOATS.at(k, 0)[0], 94, f"{k}") for k in (16, 32, 64, 128)),
        note(
            10, 132, "a grid: one step everywhere, nothing is rounded", anchor="start"
        ),
        _ticks(_FIXED, list(range(16, 129, 4)), "private"),
        *(note(_FIXED.at(k, 0)[0], 190, f"{k}") for k in (16, 32, 64, 128)),
        note(180, 214, "one float in 2²⁰ is drawn", soft=True),
    ),
    224,
    "Two rulers from 16 to 128. On the upper one, of floating-point numbers, the "
    "distance of neighboring marks doubles at 32 and at 64. On the lower one, a grid, "
    "it is the same everywhere.",
)

_NOISES = ("z1", "z2", "z3", "z4", "z5")


def _steps(y: float, first: int, noises: tuple[str, ...], role: str) -> str:
    return "".join(
        box(8 + 70 * k, y, 58, 40, f"step {k + 1}", noises[k - first],
            role=role if k >= 3 else "soft")
        + (arrow((66 + 70 * k, y + 20), (77 + 70 * k, y + 20)) if k < 4 else "")
        for k in range(first, 5)
    )  # fmt: skip


restored_run = Drawing(
    (
        note(8, 18, "the run, until it fails", anchor="start"),
        _steps(28, 0, _NOISES, "private"),
        arrow((187, 68), (187, 122), (214, 122), role="broken"),
        note(178, 100, "a checkpoint with", anchor="end", soft=True),
        note(178, 116, "the generator’s state", anchor="end", soft=True),
        _steps(104, 3, ("z4", "z5"), "broken"),
        note(218, 96, "restored", anchor="start", soft=True),
        note(180, 176, "Both step 4s carry z4: their difference has no noise."),
    ),
    186,
    "A run of five steps with the draws of noise z1 to z5. After step 3 a checkpoint "
    "stores the state of the generator. After a failure the run is restored from it, "
    "and its new steps 4 and 5 have the draws z4 and z5 again. The difference of two "
    "such steps has no noise.",
)

_SIDE = ("how long it took", "whether it failed", "what it logged")

what_comes_out = Drawing(
    (
        box(6, 60, 66, 44, "records"),
        arrow((72, 82), (104, 82)),
        box(106, 30, 84, 168, "program", role="soft"),
        arrow((190, 54), (226, 54), role="private"),
        box(228, 34, 126, 40, "the release", role="private"),
        *(arrow((190, 104 + 36 * k), (226, 104 + 36 * k), role="broken")
          for k in range(3)),
        *(box(228, 90 + 36 * k, 126, 28, each, role="broken")
          for k, each in enumerate(_SIDE)),
        note(291, 22, "in the proof", soft=True),
        note(291, 216, "not in the proof", soft=True),
    ),
    226,
    "Records go into a program. Four arrows leave it. One is the release, which the "
    "proof covers. The others are how long it took, whether it failed, and what it "
    "logged, which the proof does not cover.",
)  # fmt: skip

_NORMAL = NormalDist()
_MU = 1.0
_ODDS = Axes(44, 214, 250, 190, across=(0, 1), up=(0, 1))
_ALARMS = [
    1e-6,
    0.002,
    0.005,
    0.01,
    0.02,
    0.04,
    *(k / 20 for k in range(1, 20)),
    1 - 1e-6,
]


def _found(alarms: float) -> float:
    return _NORMAL.cdf(_NORMAL.inv_cdf(alarms) + _MU)


_EVEN = _NORMAL.cdf(-_MU / 2)  # the false alarms of the best guess at even odds

two_rows_of_a_label = Drawing(
    (
        _ODDS.curve([(0, 0), (1, 1)], role="reference", dashed=True),
        _ODDS.curve([(a, _found(a)) for a in _ALARMS], role="private"),
        _ODDS.base(),
        line(_ODDS.at(0, 0), _ODDS.at(0, 1)),
        ring(*_ODDS.at(0.01, _found(0.01)), 4, role="private", filled=True),
        note(_ODDS.at(0.07, 0)[0], _ODDS.at(0, _found(0.01))[1] + 7,
             f"1 false alarm in 100: {_found(0.01):.1%} found", anchor="start"),
        ring(*_ODDS.at(_EVEN, _found(_EVEN)), 4, role="private", filled=True),
        line(_ODDS.at(_EVEN, _found(_EVEN)), _ODDS.at(0.49, 0.4)),
        note(*_ODDS.at(0.5, 0.34), f"at even odds: {_found(_EVEN):.0%} right",
             anchor="start"),
        note(169, 232, "false alarms, of those who are not members", soft=True),
        note(10, 16, "members found: at μ = 1 (blue), by chance (dashed)",
             anchor="start"),
        note(38, 218, "0", anchor="end", soft=True),
        note(38, 32, "1", anchor="end", soft=True),
    ),
    242,
    "The share of members that the best attack finds against its false alarms, at mu "
    "equal to 1. The curve lies above the diagonal of pure chance. At one false "
    "alarm in a hundred it finds 9.2 percent. Where false alarms and misses are "
    "equally frequent it is right 69 percent of the time.",
)  # fmt: skip

_STOP = 0.1  # as in the example


def _count(runs: int) -> str:
    chance = _STOP * (1 - _STOP) ** (runs - 1)
    x, tall = 16 + 13.6 * (runs - 1), 950 * chance
    named = note(x + 5, 158, f"{runs}") if runs in {1, 5, 10, 15, 20} else ""
    return bar(x, 140 - tall, 10, tall, role="private") + named


a_random_stop = Drawing(
    (
        note(10, 20, "chance that the search stops after so many runs", anchor="start"),
        *(_count(runs) for runs in range(1, 25)),
        line((10, 140), (346, 140)),
        line((143, 140), (143, 50), role="bound", dashed=True),
        note(149, 60, "mean: 10 runs", anchor="start"),
        note(180, 180, "number of runs", soft=True),
    ),
    190,
    "Bars for the number of runs, when a coin stops the search with probability one "
    "tenth after each: 0.1 for one run, 0.09 for two, 0.081 for three, and so on. One "
    "run is the likeliest number, and the mean is ten.",
)
