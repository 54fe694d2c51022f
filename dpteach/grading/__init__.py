"""Floor 6. Exercises that grade themselves: instant feedback, exact where it can be.

Who writes exercises finds the rest in ``exercise`` (``Exercise``), ``questions``
(``Number``, ``Choice``, ``Order``), ``report`` (``Fault``) and ``ladder``.
"""

from .grader import check
from .readiness import self_test
from .report import Report

__all__ = ["Report", "check", "self_test"]
