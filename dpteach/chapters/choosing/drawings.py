"""Drawings of the chapter on choosing: rates, the recipe, and what a budget means."""

from math import exp, log10, sqrt
from statistics import NormalDist

from ...accounting import gaussian_mu
from ..shared.axes import Axes
from ..shared.drawing import Drawing, arrow, bar, box, line, note, ring

_BUDGET = 10_000.0  # n times epsilon
_POWERS = [k / 10 for k in range(5, 61)]
_RATES = Axes(52, 198, 220, 170, across=(0.5, 6), up=(-3.5, 0))


def _rate(power: float, name: str) -> float:
    p = 10.0**power
    return {
        "p/(nε)": p / _BUDGET,
        "√p/(nε)": sqrt(p) / _BUDGET,
        "√(p/(nε))": sqrt(p / _BUDGET),
        "p^¼/√(nε)": p**0.25 / sqrt(_BUDGET),
    }[name]


def _curve(name: str, role: str) -> str:
    points = [(x, log10(_rate(x, name))) for x in _POWERS]
    return _RATES.curve([q for q in points if -3.5 <= q[1] <= 0], role=role)


rates = Drawing(
    (
        note(10, 16, "Excess a record, with nε = 10⁴, no constants", anchor="start"),
        _curve("p/(nε)", "bound"),
        _curve("√(p/(nε))", "non-private"),
        _curve("p^¼/√(nε)", "measured"),
        _curve("√p/(nε)", "private"),
        _RATES.base(),
        line((_RATES.left, _RATES.bottom), (_RATES.left, _RATES.bottom - 170)),
        *(note(46, _RATES.at(0, -k)[1] + 4, f"10{s}", anchor="end", soft=True)
          for k, s in ((0, "⁰"), (1, "⁻¹"), (2, "⁻²"), (3, "⁻³"))),
        *(note(_RATES.at(k, -3.5)[0], 216, f"10{s}", soft=True)
          for k, s in ((1, "¹"), (2, "²"), (4, "⁴"), (6, "⁶"))),
        note(162, 234, "weights p", soft=True),
        note(*_RATES.at(2.7, -1.75), "objective", anchor="start"),
        note(*_RATES.at(2, -0.8), "output", anchor="end"),
        note(276, _RATES.at(0, log10(_rate(6, "p^¼/√(nε)")))[1] + 6, "DP-FTRL",
             anchor="start"),
        note(276, _RATES.at(0, log10(_rate(6, "√p/(nε)")))[1] + 10, "DP-SGD",
             anchor="start"),
    ),
    244,
    "Rates of the excess risk per record against the number of weights, when n "
    "epsilon is ten thousand. Output perturbation is the highest. Pure objective "
    "perturbation grows as p and is low only for few weights. DP-SGD grows as the "
    "root of p and is the lowest; DP-FTRL lies above it.",
)  # fmt: skip

_STEPS = (
    ("1. the schema", "unit, columns, limits"),
    ("2. the budget", "δ, then ε"),
    ("3. the plan", "algorithm, Λ, W"),
    ("4. the preview", "on drawn tables"),
    ("fit", "one run"),
    ("5. the label", "what was spent"),
)


def _step(number: int) -> str:
    y = 12 + 52 * number
    touches = number == 4
    tail = arrow((134, y + 38), (134, y + 52)) if number < 5 else ""
    records = (
        box(276, y, 80, 38, "records", role="private")
        + arrow((276, y + 19), (236, y + 19))
        if touches
        else ""
    )
    return box(
        34, y, 200, 38, *_STEPS[number], role="private" if touches else "soft"
    ) + (records + tail)


the_recipe = Drawing(
    (
        *(_step(number) for number in range(6)),
        '<path d="M270 12H278V202H270" fill="none" stroke="var(--dpt-soft)"/>',
        note(284, 104, "without", anchor="start", soft=True),
        note(284, 120, "a look at", anchor="start", soft=True),
        note(284, 136, "the records", anchor="start", soft=True),
    ),
    320,
    "Six boxes from top to bottom: the schema; the budget; the plan; the preview; the "
    "fit; the label. The first four are done without a look at the records. An arrow "
    "from the records leads to the fit alone.",
)

_CELLS = (
    ("age", "42", "from 0 to 100", ("−0.16", "0")),
    ("ward", "B", "A, B or C", ("−0.41", "0.82", "−0.41", "0")),
    ("weight", "n/a", "from 20 to 200", ("0", "1")),
    ("remarks", "late", "ignored", ()),
)


def _cell(number: int) -> str:
    name, cell, public, columns = _CELLS[number]
    y = 34 + 50 * number
    parts = [
        box(8, y, 62, 36, cell, role="private"),
        note(78, y + 15, name, anchor="start"),
        note(78, y + 31, public, anchor="start", soft=True),
    ]
    parts += [
        box(178 + 44 * k, y, 42, 36, value, role="soft")
        for k, value in enumerate(columns)
    ]
    return "".join(parts)


one_row = Drawing(
    (
        note(8, 20, "a row", anchor="start"),
        note(78, 20, "what is public", anchor="start"),
        note(178, 20, "columns of the model", anchor="start"),
        *(_cell(number) for number in range(4)),
    ),
    234,
    "A row of four cells and the columns that it becomes. The age 42, between 0 and "
    "100, becomes −0.16, and 0 because it is not missing. The ward B of three becomes "
    "three columns of which its own is positive, and a 0. A missing weight becomes 0, "
    "and 1 for missing. Remarks are ignored.",
)

_ERRORS = (
    ("no model at all", 83.9, "reference"),
    ("private, no search", 64.3, "private"),
    ("private, a search", 64.3, "private"),
    ("private, tables.fit", 54.0, "private"),
    ("not private", 52.9, "non-private"),
)


def _error(number: int) -> str:
    name, error, role = _ERRORS[number]
    y = 34 + 32 * number
    return (
        note(136, y + 16, name, anchor="end")
        + bar(144, y, 2 * error, 22, role=role)
        + note(150 + 2 * error, y + 16, f"{error}", anchor="start")
    )


errors = Drawing(
    (
        note(10, 18, "Root mean squared error, in points of the scale", anchor="start"),
        *(_error(number) for number in range(5)),
        line((144, 28), (144, 192)),
    ),
    202,
    "Bars of the root mean squared error on the patients: no model at all 83.9, "
    "private without a search 64.3, private with a search 64.3, private by tables.fit "
    "54.0, least squares without privacy 52.9.",
)

_GUESS = Axes(48, 190, 260, 150, across=(0, 8), up=(0.5, 1))
_BUDGETS = [0.02, *(k / 8 for k in range(1, 65))]


def _gaussian(epsilon: float) -> float:
    return NormalDist().cdf(gaussian_mu(epsilon, 1e-6) / 2)


right_guesses = Drawing(
    (
        _GUESS.curve(
            [(0, 0.5), *((e, exp(e) / (1 + exp(e))) for e in _BUDGETS)], role="bound"
        ),
        _GUESS.curve([(e, _gaussian(e)) for e in _BUDGETS], role="private"),
        _GUESS.base(),
        line((48, 190), (48, 40)),
        *(note(42, _GUESS.at(0, y)[1] + 4, f"{y:.0%}", anchor="end", soft=True)
          for y in (0.5, 0.75, 1)),
        *(note(_GUESS.at(k, 0.5)[0], 208, f"{k}", soft=True) for k in (0, 1, 2, 4, 8)),
        note(_GUESS.at(3.1, 0)[0], 34, "pure ε", anchor="start"),
        note(_GUESS.at(4.4, 0)[0], _GUESS.at(0, 0.62)[1], "Gaussian, δ = 10⁻⁶",
             anchor="start"),
        note(10, 16, "Right guesses about one record, at most", anchor="start"),
        note(352, 208, "ε", anchor="end", soft=True),
    ),
    218,
    "The share of right guesses about one record, at even odds, against epsilon from "
    "0 to 8. Under a pure promise it rises from one half to 73 percent at 1 and 98 "
    "percent at 4. For one Gaussian release with the same epsilon at delta one in a "
    "million it is 55 percent at 1, 66 percent at 4 and 78 percent at 8.",
)  # fmt: skip

_LAMBDA = 1 / gaussian_mu(1.0, 1e-6)  # one normal release at epsilon 1
_FEATURES = [k / 4 for k in range(201)]
_SHORT = Axes(44, 176, 270, 140, across=(0, 50), up=(0, 52))

pure_or_normal = Drawing(
    (
        _SHORT.curve([(p, sqrt(p * (p + 1))) for p in _FEATURES], role="bound"),
        _SHORT.curve([(p, _LAMBDA * sqrt(p)) for p in _FEATURES], role="private"),
        _SHORT.base(),
        line((44, 176), (44, 36)),
        line(_SHORT.at(17, 0), _SHORT.at(17, sqrt(17 * 18)), dashed=True),
        *(note(_SHORT.at(p, 0)[0], 194, f"{p}") for p in (1, 17, 50)),
        *(note(38, _SHORT.at(0, e)[1] + 4, f"{e}", anchor="end", soft=True)
          for e in (0, 25, 50)),
        note(180, 212, "features p", soft=True),
        note(_SHORT.at(36, 0)[0], 50, "pure, δ = 0", anchor="end"),
        note(_SHORT.at(30, 0)[0], _SHORT.at(0, 14)[1], "normal, δ = 10⁻⁶",
             anchor="start"),
        note(10, 20, "Bound on the excess in all, ε = 1, L = W = 1", anchor="start"),
    ),
    222,
    "Two bounds on the excess risk against the number of features at epsilon 1. With "
    "the noise of pure privacy it grows as the number of features, with normal noise "
    "as its root. The two cross at 17 features.",
)  # fmt: skip

_HALF, _CENTER = 54, (92, 118)


def _corners(reach: float, turned: bool) -> tuple[tuple[float, float], ...]:
    """Return the corners of a square about the center, or of one on its tip."""
    x, y = _CENTER
    signs = ((1, 0), (0, 1), (-1, 0), (0, -1), (1, 0))
    square = ((1, 1), (1, -1), (-1, -1), (-1, 1), (1, 1))
    return tuple(
        (x + reach * a, y - reach * b) for a, b in (signs if turned else square)
    )


square_and_circle = Drawing(
    (
        note(10, 18, "two features", anchor="start"),
        ring(*_CENTER, _HALF * 2**0.5, role="bound"),
        line(*_corners(_HALF, turned=False), role="private", fill="private"),
        line(*_corners(_HALF, turned=True), role="reference"),
        line(_CENTER, _corners(_HALF, turned=False)[0], role="bound"),
        *(ring(*each, 4, role="reference", filled=True)
          for each in _corners(_HALF, turned=True)[:4]),
        note(194, 58, "norm at most √p:", anchor="start"),
        note(194, 74, "hidden by a noise vector", anchor="start"),
        note(194, 108, "entries at most 1:", anchor="start"),
        note(194, 124, "hidden by noise on votes", anchor="start"),
        note(194, 158, "models, with 2p corners", anchor="start", soft=True),
        line((190, 54), (154, 74), role="bound"),
        line((190, 104), (146, 104), role="private"),
        line((190, 154), (120, 144), role="reference"),
    ),
    212,
    "For two features, a square of records with entries of at most 1. The circle "
    "around it has radius root 2: it is what a vector of noise must hide. Inside the "
    "square, on its tip, lies the set of models with its four corners; a score of a "
    "corner is one entry, so it moves by at most 1.",
)  # fmt: skip
