"""The drawings of the chapter on BANCO: one round, and a gambler for each stake."""

from math import exp

from ..shared.axes import Axes
from ..shared.drawing import Drawing, arrow, box, line, note

one_round = Drawing(
    (
        box(
            10,
            14,
            340,
            56,
            "user t, with her record: clips the gradient,",
            "adds noise, and reports once",
            role="measured",
        ),
        arrow((180, 70), (180, 116)),
        note(190, 101, "report ĝ, noisy", anchor="start", soft=True),
        box(10, 118, 340, 34, "server: sees reports alone", role="soft"),
        arrow((90, 152), (90, 190)),
        note(82, 175, "coin ⟨ĝ, q⟩", anchor="end", soft=True),
        arrow((270, 152), (270, 190)),
        note(278, 175, "vector ĝ", anchor="start", soft=True),
        box(10, 192, 160, 52, "the gambler", "wins the coin", role="private"),
        box(190, 192, 160, 52, "the direction q", "takes a step", role="bound"),
        arrow((90, 244), (90, 270), (150, 275)),
        note(60, 266, "bet m", anchor="end", soft=True),
        arrow((270, 244), (270, 270), (210, 275)),
        note(300, 266, "new q", anchor="start", soft=True),
        box(110, 276, 140, 36, "model w = m q", role="soft"),
        arrow((180, 312), (180, 340)),
        note(180, 356, "sent to user t + 1, and public"),
    ),
    366,
    "One round of BANCO. A user clips her gradient, adds noise, and reports once. "
    "The server turns the report into two things: a coin, which the gambler wins or "
    "loses, and a step of the direction. The new bet times the new direction is the "
    "model that the next user is sent.",
)

_MOST, _WON, _SPREAD = 0.25, 12.0, 40.0  # a at epsilon 1, and an x and a y
_WEALTH = Axes(30, 170, 300, 130, across=(-0.26, 0.26), up=(0, 2.7))
_STAKES = [_MOST * k / 40 for k in range(-40, 41)]
_PEAK = _WON / (2 * _SPREAD)


def _wealth(place: float, won: float) -> float:
    return exp(place * won - place**2 * _SPREAD)


gamblers = Drawing(
    (
        _WEALTH.curve([(b, _wealth(b, _WON)) for b in _STAKES], role="private",
                      fill="private"),
        _WEALTH.curve([(b, _wealth(b, 0)) for b in _STAKES], role="reference"),
        _WEALTH.base(),
        line(_WEALTH.at(_PEAK, 0), _WEALTH.at(_PEAK, _wealth(_PEAK, _WON)),
             role="bound", dashed=True),
        *(note(_WEALTH.at(b, 0)[0], 188, f"{b:g}".replace("-", "−"))
          for b in (-0.25, 0, _PEAK, 0.25)),
        note(180, 206, "stake β of a gambler", soft=True),
        note(20, 20, "wealth, after x = 0 (gray)", anchor="start"),
        note(20, 38, "and after x = 12 (blue)", anchor="start"),
    ),
    216,
    "The wealth of gamblers with stakes from minus a quarter to a quarter, at y equal "
    "to 40. If the coins add up to 0, the wealth is the same on both sides of 0. If "
    "they add up to 12, it is largest at a stake of 0.15, and gamblers with a "
    "negative stake have little left.",
)  # fmt: skip
