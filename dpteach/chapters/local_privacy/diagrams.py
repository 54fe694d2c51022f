"""Diagrams of the chapter on local privacy: who adds the noise, and how long it is."""

from math import exp, gamma

import numpy as np

from ..shared.axes import Axes
from ..shared.drawing import Drawing, arrow, box, line, note, ring

_WAVE = "l3,-7 l3,11 l3,-13 l3,12 l2,-5"


def _phone(x: float, y: float, *, noisy: bool) -> str:
    wave = (
        f'<path d="M{x - 7:g},{y - 1:g} {_WAVE}" fill="none" '
        'stroke="var(--dpt-bound)" stroke-width="1.5"/>'
    )
    return (
        f'<rect x="{x - 11:g}" y="{y - 18:g}" width="22" height="36" rx="4" '
        'fill="var(--dpt-raised)" stroke="var(--dpt-soft)" stroke-width="1.5"/>'
        + wave
        * noisy
    )


def _model(x: float, name: str, sent: str, *server: str, local: bool) -> tuple:
    ways = []
    for away in (-52, 0, 52):
        ways.append(_phone(x + away, 44, noisy=local))
        ways.append(arrow((x + away, 66), (x + 0.5 * away, 118)))
    return (
        note(x, 14, name),
        *ways,
        note(x + 48, 96, sent, anchor="start", soft=True),
        box(x - 68, 120, 136, 42, *server, role="soft" if local else "bound"),
        arrow((x, 162), (x, 192)),
        note(x, 208, "everybody"),
    )


two_models = Drawing(
    (
        *_model(86, "central", "record", "trusted server", "+ noise, once",
                local=False),
        *_model(262, "local", "report", "any server", "takes the mean", local=True),
    ),
    216,
    "Left, the central model: three phones send plain records to a trusted server, "
    "which adds noise once and publishes the result. Right, the local model: three "
    "phones add noise themselves, and the reports go to a server that anybody may "
    "watch.",
)  # fmt: skip


_LENGTHS = Axes(24, 166, 320, 130, across=(0, 32), up=(0, 0.5))
_DIMENSIONS = ((2, "private"), (5, "measured"), (20, "bound"))


def _length(r: float, p: int) -> float:
    return r ** (p - 1) * exp(-r) / gamma(p)


how_long_noise_is = Drawing(
    (
        *(
            _LENGTHS.curve([(k / 8, _length(k / 8, p)) for k in range(257)], role=role)
            for p, role in _DIMENSIONS
        ),
        _LENGTHS.base(),
        line(_LENGTHS.at(1, 0), _LENGTHS.at(1, 0.46), role="reference", dashed=True),
        note(_LENGTHS.at(1.5, 0)[0], 44, "the gradient, at most 1", anchor="start"),
        note(_LENGTHS.at(2.8, 0)[0], 92, "p = 2", anchor="start"),
        note(_LENGTHS.at(6.5, 0)[0], 122, "p = 5", anchor="start"),
        note(_LENGTHS.at(22, 0)[0], 140, "p = 20", anchor="start"),
        *(note(_LENGTHS.at(r, 0)[0], 184, f"{r}") for r in (0, 5, 10, 20, 30)),
        note(184, 204, "length of the noise, at G = 1 and ε = 2", soft=True),
    ),
    214,
    "Densities of the length of the noise in 2, 5 and 20 dimensions, at G equal to 1 "
    "and epsilon equal to 2. Their means are 2, 5 and 20, while the gradient that is "
    "hidden has length 1 at most.",
)

_CHANCES = np.random.default_rng(3)
_TRUE = (0.6, 0.8)
_LONG = _CHANCES.gamma(2.0, 1.0, 200)  # p = 2, G = 1, ε = 2, as in the example
_ANGLE = _CHANCES.uniform(0, 2 * np.pi, 200)
_REPORTS = np.stack(
    [_TRUE[0] + _LONG * np.cos(_ANGLE), _TRUE[1] + _LONG * np.sin(_ANGLE)], axis=1
)
_PLANE = Axes(70, 210, 220, 190, across=(-5.2, 6.4), up=(-4.2, 5.8))
_INSIDE = [r for r in _REPORTS.tolist() if abs(r[0]) < 5 and abs(r[1]) < 4]

reports_and_mean = Drawing(
    (
        *(ring(*_PLANE.at(x, y), 1, role="reference", filled=True) for x, y in _INSIDE),
        arrow(_PLANE.at(0, 0), _PLANE.at(*_TRUE), role="non-private"),
        ring(*_PLANE.at(*_REPORTS.mean(axis=0)), 6, role="private"),
        note(180, 232, "dots: reports. Arrow: the gradient. Ring: their mean"),
    ),
    242,
    "Two hundred reports of one and the same gradient, scattered widely around it, "
    "most of them farther from it than it is long. Their mean, a single point, lies "
    "close to the end of the gradient.",
)
