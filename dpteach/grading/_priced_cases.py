"""What graders of accountants share: cases in order, and numbers with enough digits."""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from .report import Fault
from .student import Student

# How a fault begins where floats were too small for an answer.
_BROKEN = ("nan", "inf", "-inf", "OverflowError", "ZeroDivision", "ValueError")


def at_each(
    judge: Callable[[Student, Any, str], None], cases: Iterable[Any], hint: str
) -> Callable[[Student, np.random.Generator], None]:
    """Make a check that judges each of these cases, with one hint for all."""

    def check(student: Student, _: np.random.Generator) -> None:
        for case in cases:
            judge(student, case, hint)

    return check


def called(student: Student, case: tuple[Any, ...], hint: str) -> float:
    """Call the answer; ``hint`` is told where its floats overflow."""
    try:
        return student.number(*case)
    except Fault as fault:
        if fault.seen.startswith(_BROKEN):
            fault.hint = hint
        raise


def apart(found: float, limit: float) -> tuple[str, str]:
    """Write two numbers with as many digits as tell them apart, and at least five."""
    for digits in (5, 8, 12):
        if f"{found:.{digits}g}" != f"{limit:.{digits}g}":
            return f"{found:.{digits}g}", f"{limit:.{digits}g}"
    return repr(found), repr(limit)
