"""Floor 6. Grading of answers, random ones too: exact feedback at once.

``exercise`` has ``Exercise``, ``questions`` has ``Number``, ``Choice`` and ``Order``,
``report`` has ``Report`` and ``Fault``, and ``ladder`` the ways to check noise. The
exercises themselves stand with their chapters.
"""

from .report import Report

__all__ = ["Report"]
