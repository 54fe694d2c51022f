"""Figures that move on the page and in a kernel, declared once; `show`; questions."""

from .axes import Axes
from .marks import Band, Bars, Cells, Line, Points, Sentence, Spent

__all__ = ["Axes", "Band", "Bars", "Cells", "Line", "Points", "Sentence", "Spent"]
