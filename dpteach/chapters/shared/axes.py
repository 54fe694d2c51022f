"""Axes of a drawn diagram: where a number stands, and curves through numbers."""

from collections.abc import Iterable
from dataclasses import dataclass

from .drawing import line


@dataclass(frozen=True)
class Axes:
    """A rectangle of a drawing in which numbers have places.

    Parameters
    ----------
    left, bottom, width, height : float
        The rectangle, in the drawing's units.
    across, up : tuple of float
        The numbers at its left and right end, and at its bottom and top.

    Examples
    --------
    >>> Axes(10, 110, 200, 100, across=(0, 4), up=(0, 1)).at(2, 0.5)
    (110.0, 60.0)
    """

    left: float
    bottom: float
    width: float
    height: float
    across: tuple[float, float]
    up: tuple[float, float]

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Say where a point stands."""
        right = (x - self.across[0]) / (self.across[1] - self.across[0])
        above = (y - self.up[0]) / (self.up[1] - self.up[0])
        return (
            round(float(self.left + self.width * right), 1),
            round(float(self.bottom - self.height * above), 1),
        )

    def curve(
        self,
        points: Iterable[tuple[float, float]],
        *,
        role: str,
        dashed: bool = False,
        fill: str | None = None,
    ) -> str:
        """Draw a curve through points, or fill the area below it."""
        placed = [self.at(x, y) for x, y in points]
        if fill:
            floor = self.at(0, self.up[0])[1]
            placed = [(placed[0][0], floor), *placed, (placed[-1][0], floor)]
        return line(*placed, role=role, dashed=dashed, fill=fill)

    def base(self) -> str:
        """Draw the line at the bottom."""
        return line((self.left, self.bottom), (self.left + self.width, self.bottom))
