"""The drawings of the chapter on check-ins: clients, slots, and many small pieces."""

from math import comb, sqrt

import numpy as np

from ...algorithms import fixed_window_instance
from ..shared.axes import Axes
from ..shared.drawing import Drawing, arrow, bar, box, line, note


def _phone(x: float, y: float, role: str) -> str:
    return (
        f'<rect x="{x:g}" y="{y:g}" width="22" height="34" rx="4" '
        f'fill="var(--dpt-raised)" stroke="var(--dpt-{role})" stroke-width="1.5"/>'
        f'<circle cx="{x + 11:g}" cy="{y + 28:g}" r="1.5" fill="var(--dpt-soft)"/>'
    )


def _slot(x: float, y: float, line: str, role: str) -> str:
    return box(x, y, 60, 30, line, role=role)


_HOME, _AWAY = "non-private", "reference"
_PHONES = ("private", _AWAY, _HOME, "private", "private")

clients_and_slots = Drawing(
    (
        note(180, 16, "Check-ins: each client tosses coins of her own"),
        *(_phone(37 + 66 * k, 28, role) for k, role in enumerate(_PHONES)),
        arrow((48, 62), (48, 106), role="private"),
        arrow((114, 62), (66, 106), role=_AWAY),
        note(180, 80, "at home", soft=True),
        arrow((246, 62), (246, 106), role="private"),
        arrow((312, 62), (312, 106), role="private"),
        _slot(18, 110, "one of 2", "private"),
        _slot(150, 110, "dummy", "broken"),
        _slot(84, 110, "dummy", "broken"),
        _slot(216, 110, "report", "private"),
        _slot(282, 110, "report", "private"),
        note(180, 160, "the server steps through its slots, in order", soft=True),
        '<path d="M10 178H350" stroke="var(--dpt-grid)" stroke-width="1"/>',
        note(180, 202, "Shuffling: somebody else forgets the order"),
        *(_phone(37 + 66 * k, 214, "private") for k in range(5)),
        *(arrow((48 + 66 * k, 248), (120 + 30 * k, 282)) for k in range(5)),
        box(100, 286, 160, 34, "shuffler", role="measured"),
        *(arrow((120 + 30 * k, 320), (48 + 66 * (2 * k % 5), 352)) for k in range(5)),
        *(_slot(18 + 66 * k, 356, "report", "private") for k in range(5)),
        note(180, 406, "everybody reports; nobody knows whose is whose", soft=True),
    ),
    416,
    "Two ways to hide whose report is whose. Above, check-ins: of five clients one "
    "stays at home, two pick the same slot, of whom one is used, and two pick slots of "
    "their own; the two slots that nobody picked hold dummies. Below, shuffling: five "
    "clients all report to a shuffler, which passes the reports on in a random order.",
)


def _chance(clients: int) -> float:
    """Return the probability of so many clients in one slot of the example."""
    return comb(1000, clients) * 0.002**clients * 0.998 ** (1000 - clients)


def _in_slot(clients: int) -> str:
    x, tall = 40 + 40 * clients, 400 * _chance(clients)
    role = "broken" if clients == 0 else "private"
    return (
        bar(x, 160 - tall, 28, tall, role=role)
        + note(x + 14, 154 - tall, f"{_chance(clients):.3f}")
        + note(x + 14, 178, f"{clients}")
    )


in_one_slot = Drawing(
    (
        note(10, 18, "Chance of so many clients in one slot", anchor="start"),
        *(_in_slot(clients) for clients in range(8)),
        line((30, 160), (356, 160)),
        note(10, 196, "a dummy", anchor="start", soft=True),
        note(354, 196, "one is used, the others turned away", anchor="end", soft=True),
    ),
    206,
    "Bars for the number of clients in one of 250 slots, when each of 1000 clients "
    "comes with probability one half. None: 0.135, and the slot holds a dummy. One or "
    "two: 0.271 each. Three: 0.181. Four: 0.090, and so on. In each of these one "
    "client is used and the others are turned away.",
)

two_promises = Drawing(
    (
        box(8, 44, 84, 44, "a client", "her record", role="private"),
        arrow((92, 66), (138, 66)),
        box(138, 44, 84, 44, "the server", "the coins"),
        arrow((222, 66), (268, 66)),
        box(268, 44, 84, 44, "the public", "all models"),
        note(115, 34, "a report"),
        note(245, 34, "a model"),
        line((115, 72), (115, 124), role="bound", dashed=True),
        line((245, 72), (245, 124), role="measured", dashed=True),
        note(115, 142, "ε₀ = 1"),
        note(115, 160, "her own noise"),
        note(245, 142, "ε = 0.348"),
        note(245, 160, "noise and secret coins"),
    ),
    170,
    "From left to right: a client, the server, the public. What passes from the client "
    "to the server is a report with a promise of 1, which rests on her own noise. What "
    "passes from the server to the public is a model with a promise of 0.348, which "
    "rests on her noise and on coins that stay secret.",
)

_SLOTS = Axes(50, 166, 280, 136, across=(0, 1000), up=(0, 1))
_MS = range(10, 1001, 10)


def _full(slots: int) -> float:
    """Return the share of slots that somebody picked, as in the example."""
    return 1 - (1 - 0.5 / slots) ** 1000


used_and_full = Drawing(
    (
        _SLOTS.base(),
        _SLOTS.curve([(m, m * _full(m) / 500) for m in _MS], role="private"),
        _SLOTS.curve([(m, 1 - _full(m)) for m in _MS], role="broken"),
        line(_SLOTS.at(250, 0), _SLOTS.at(250, 1), dashed=True),
        note(_SLOTS.at(600, 0)[0], 40, "of 500 clients: used", anchor="start"),
        note(_SLOTS.at(520, 0)[0], 142, "of the slots: dummies", anchor="start"),
        *(
            note(38, _SLOTS.at(0, y)[1] + 4, f"{100 * y:g}%", anchor="end")
            for y in (0, 0.5, 1)
        ),
        *(note(_SLOTS.at(m, 0)[0], 183, f"{m}") for m in (0, 250, 500, 1000)),
        note(184, 202, "slots m"),
    ),
    210,
    "Two curves against the number of slots, when 500 of 1000 clients come on average. "
    f"Both rise. With 250 slots {250 * _full(250) / 5:.0f} percent of those who come "
    f"are used, and {100 - 100 * _full(250):.0f} percent of the slots hold dummies. "
    f"With 1000 slots it is {1000 * _full(1000) / 5:.0f} and "
    f"{100 - 100 * _full(1000):.0f} percent.",
)

_PIECES = 100
_SIGNS = np.random.default_rng(5).choice([-1, 1], size=(6, _PIECES))
_WALK = Axes(30, 170, 285, 136, across=(0, _PIECES), up=(-30, 60))

small_pieces = Drawing(
    (
        line(_WALK.at(0, 0), _WALK.at(_PIECES, 0)),
        *(
            _WALK.curve(enumerate([0, *np.cumsum(signs).tolist()]), role="private")
            for signs in _SIGNS
        ),
        _WALK.curve([(0, 0), (60, 60)], role="broken", dashed=True),
        _WALK.curve([(t, 2 * sqrt(t)) for t in range(_PIECES + 1)], role="bound"),
        note(_WALK.at(56, 0)[0] - 14, 44, "all one way", anchor="end"),
        note(320, 112, "2√m", anchor="start"),
        note(180, 190, "slots, up to 100", soft=True),
        note(24, _WALK.at(0, 0)[1] + 4, "0", anchor="end", soft=True),
    ),
    200,
    "Six sums of a hundred pieces of size 1 whose signs are random. All stay within "
    "about twice the root of the number of pieces, while pieces that all point one way "
    "would add up to a hundred.",
)

_RUNS = range(1, 21)
_PRICES = [
    fixed_window_instance(3.0, 1e-4, runs=k, slots=1, check_in_probability=1 / 20)
    for k in _RUNS
]
_PAST = next(k for k, price in zip(_RUNS, _PRICES, strict=True) if price > 3.0)
_PRICE = Axes(50, 156, 280, 130, across=(0, 20), up=(0, 5))

many_runs = Drawing(
    (
        _PRICE.base(),
        _PRICE.curve(list(zip(_RUNS, _PRICES, strict=True)), role="private"),
        line(_PRICE.at(0, 3), _PRICE.at(20, 3), role="broken", dashed=True),
        note(_PRICE.at(0.4, 3)[0], _PRICE.at(0, 3)[1] - 6, "ε₀", anchor="start"),
        note(_PRICE.at(9, 0)[0], _PRICE.at(0, 2)[1], "exact price", anchor="start"),
        *(
            note(38, _PRICE.at(0, y)[1] + 4, f"{y}", anchor="end")
            for y in (0, 1, 2, 3, 4, 5)
        ),
        *(note(_PRICE.at(k, 0)[0], 173, f"{k}") for k in (1, 5, 10, 15, 20)),
        note(190, 192, "runs, with a report in each at most"),
    ),
    200,
    f"A curve of the exact price against the number of runs. It rises from "
    f"{_PRICES[0]:.2f} for one run to {_PRICES[-1]:.2f} for twenty. From {_PAST} runs "
    "on it lies above the dashed line at 3, the promise of a single report.",
)
