"""Drawings of the chapter on accountants: losses in bars, and a smooth bump."""

from cmath import exp as cexp
from math import comb, exp

from ..shared.axes import Axes
from ..shared.drawing import Drawing, bar, line, note

_YES = exp(1) / (1 + exp(1))  # randomized response at epsilon 1: the loss is 1 or -1


def _list(releases: int, bottom: float) -> str:
    bars = []
    for ups in range(releases + 1):
        loss = 2 * ups - releases
        chance = comb(releases, ups) * _YES**ups * (1 - _YES) ** (releases - ups)
        bars.append(
            bar(180 + 18 * loss - 6, bottom - 70 * chance, 12, 70 * chance,
                role="private")
        )  # fmt: skip
    said = "1 release" if releases == 1 else f"{releases} releases"
    return (
        "".join(bars)
        + line((10, bottom), (350, bottom))
        + note(10, bottom - 10, said, anchor="start")
    )


lists_of_losses = Drawing(
    (
        _list(1, 70),
        _list(2, 138),
        _list(8, 206),
        *(
            note(180 + 18 * loss, 224, f"{loss}".replace("-", "−"))
            for loss in (-8, 0, 8)
        ),
        note(180, 242, "privacy loss, under P", soft=True),
    ),
    252,
    "Bars for the distribution of the privacy loss of one, two and eight answers by "
    "randomized response at epsilon 1. One answer has the losses minus 1 and 1. Two "
    "have minus 2, 0 and 2. Eight have nine values from minus 8 to 8, with most of the "
    "weight between 0 and 6.",
)

_TILT, _EPSILON = 3.5, 4.0  # c, for one Gaussian release with a mu of 1


def _integrand(u: float) -> float:
    s = complex(_TILT, u)
    return (cexp(-s * _EPSILON + (s + s * s) / 2) / (s * (s + 1))).real


def _height(u: float) -> float:
    return _integrand(u) / _integrand(0)


_BUMP = Axes(30, 150, 300, 116, across=(-5, 5), up=(0, 1.1))
_LINE = [k / 20 for k in range(-100, 101)]

smooth_bump = Drawing(
    (
        _BUMP.curve(
            [(u, _height(u)) for u in _LINE], role="private"
        ),
        _BUMP.base(),
        *(
            line(_BUMP.at(u, 0), _BUMP.at(u, max(0, _height(u))), role="bound")
            for u in (k / 2 for k in range(-8, 9))
        ),
        *(note(_BUMP.at(u, 0)[0], 168, f"{u}".replace("-", "−")) for u in (-4, 0, 4)),
        note(10, 18, "the integrand, and points of its sum (orange)", anchor="start"),
        note(180, 188, "u, at c = 3.5: one release with μ = 1, ε = 4", soft=True),
    ),
    198,
    "The real part of the integrand along the line, for one Gaussian release with mu 1 "
    "at epsilon 4. It is a smooth bump around 0 that has all but vanished at 4, and a "
    "sum over points half a unit apart follows it closely.",
)  # fmt: skip
