"""Floor 6. Exercises that grade themselves: instant feedback, exact where it can be."""

from .grader import Exercise, check
from .questions import Choice, Number, Order
from .report import Fault, Report

__all__ = ["Choice", "Exercise", "Fault", "Number", "Order", "Report", "check"]
