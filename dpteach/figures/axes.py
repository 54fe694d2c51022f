"""Axes: what a panel measures. Declared once, they never rescale the picture."""

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np

from .. import checks
from .marks import Drawn

# A mark's place is counted in parts of its panel: 8000 make one width or height.
UNIT = 8000
Ticks = Sequence[float] | Mapping[float, str]


@dataclass(frozen=True)
class Axes:
    """One panel of a figure: what its axes show, and their limits.

    Parameters
    ----------
    x, y : str
        What the axes show, with symbol and unit, in plain text (``"steps T"``).
    xlim, ylim : tuple of float
        Where they begin and end, the same in all states.
    xscale, yscale : {"linear", "log"}, optional
        How numbers are spaced.
    xticks, yticks : sequence or mapping, optional
        Where to write a number; if left out, at round numbers. ``()`` gives none. Or a
        word at each number: ``{1: "before", 2: "after"}``.
    title : str, optional
        The title above the panel, if there are several.

    Raises
    ------
    ValueError, TypeError
        If limits do not ascend, or a logarithmic axis would start at 0 or below.

    Examples
    --------
    >>> Axes("steps T", "excess risk", xlim=(0, 100), ylim=(0, 1), yscale="log")
    Traceback (most recent call last):
    ...
    ValueError: `ylim` must start above 0 on a logarithmic axis, got (0, 1).
    """

    x: str
    y: str
    _: KW_ONLY
    xlim: tuple[float, float]
    ylim: tuple[float, float]
    xscale: str = "linear"
    yscale: str = "linear"
    xticks: "Ticks | None" = None
    yticks: "Ticks | None" = None
    title: str = ""

    def __post_init__(self) -> None:
        """Check the arguments."""
        checks.instance(str, x=self.x, y=self.y, title=self.title)
        checks.one_of(("linear", "log"), xscale=self.xscale, yscale=self.yscale)
        for name, ticks in (("xticks", self.xticks), ("yticks", self.yticks)):
            if ticks is not None:
                _check_ticks(name, ticks)
        for name, limits, scale in (
            ("xlim", self.xlim, self.xscale),
            ("ylim", self.ylim, self.yscale),
        ):
            if not isinstance(limits, tuple) or len(limits) != 2:
                raise TypeError(
                    f"`{name}` must be two numbers, got {limits!r}. "
                    "Give the axis a lower and an upper limit."
                )
            checks.finite(**{name: limits[0]})
            checks.finite(**{name: limits[1]})
            if not limits[0] < limits[1]:
                raise ValueError(f"`{name}` must ascend, got {limits!r}.")
            if scale == "log" and limits[0] <= 0:
                raise ValueError(
                    f"`{name}` must start above 0 on a logarithmic axis, "
                    f"got {limits!r}."
                )

    def place(self, mark: Drawn) -> np.ndarray:
        """Compute where a mark lies: parts of the panel from its lower left corner.

        Returns
        -------
        Array
            Shape ``(n, 2)``, int16. What lies far outside is moved to four panels'
            distance.
        """
        outline = mark.outline
        across = _fraction(outline[:, 0], self.xlim, self.xscale, "x", mark.label)
        up = _fraction(outline[:, 1], self.ylim, self.yscale, "y", mark.label)
        units = np.rint(UNIT * np.c_[across, up])
        return np.clip(units, -4 * UNIT, 4 * UNIT).astype(np.int16)

    def across(self, values: np.ndarray) -> np.ndarray:
        """Compute where values lie on the x axis, from its left end.

        Returns
        -------
        Array
            Shape ``(n,)``, integers in the parts of ``place``.
        """
        parts = _fraction(values, self.xlim, self.xscale, "x", "what a click picks")
        return np.rint(UNIT * parts).astype(int)


def _check_ticks(name: str, ticks: Any) -> None:
    words = isinstance(ticks, dict)
    kinds = tuple | list | range | np.ndarray | dict
    if not isinstance(ticks, kinds) or (words and not ticks):
        raise TypeError(
            f"`{name}` must be a sequence of numbers, got {ticks!r}. "
            "Leave it out for round numbers, or give () for none."
        )
    for tick in ticks:
        checks.finite(**{name: tick})
        if words:
            checks.instance(str, **{name: ticks[tick]})


def _fraction(
    values: np.ndarray, limits: tuple[float, float], scale: str, axis: str, label: str
) -> np.ndarray:
    if scale == "log":
        if (values <= 0).any():
            raise ValueError(
                f"`{axis}` of the mark {label!r} must be above 0 on a logarithmic "
                f"axis, got {values.min():g}. Bars there need base=, their lower end."
            )
        values, limits = np.log(values), (float(np.log(limits[0])), np.log(limits[1]))
    return (values - limits[0]) / (limits[1] - limits[0])
