"""An exercise that asks for a function, with all that sets, teaches and grades it."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from .report import Report, first_fault
from .student import Calls, Here, Student

Check = Callable[[Student, np.random.Generator], None]


@dataclass(frozen=True)
class Exercise:
    """A function to write, with all that is needed to set, teach and grade it.

    Parameters
    ----------
    name : str
        The name of the function, and of the exercise.
    parameters : tuple of str
        The names of its parameters, in order; a last one called ``rng`` is a Generator.
    title, statement : str
        What to do, in Markdown; formulas between dollar signs.
    starter : str
        The code that the student finds and changes. It runs, and fails the checks.
    worked : tuple of str
        A call, and what it returns, worked out by hand in a third entry.
    hints : tuple of str
        From gentle to strong; each is folded away.
    checks : tuple
        Pairs of a sentence and a function of a ``Student`` and a ``Generator``, which
        raises a ``Fault``. The first that does ends the grading.
    praise : str
        What a right solution teaches.
    seconds : float, optional
        How long one call of the student's function may take.
    """

    name: str
    parameters: tuple[str, ...]
    title: str
    statement: str
    starter: str
    worked: tuple[str, str, str]
    hints: tuple[str, ...]
    checks: tuple[tuple[str, Check], ...]
    praise: str
    seconds: float = 5.0

    def grade(self, answer: Any, seed: int) -> Report:
        """Run the checks up to the first that fails."""
        if not callable(answer):
            raise TypeError(
                f"`answer` must be your function itself, got {_short(answer)}. "
                f'Write check("{self.name}", {self.name}), without brackets after it.'
            )
        return self.run(self.student(Here(answer)), seed)

    def student(self, calls: Calls) -> Student:
        """Give the checks their ways to call a function, wherever it runs."""
        return Student(calls, self.name, self.parameters, self.seconds)

    def run(self, student: Student, seed: int) -> Report:
        """Run the checks up to the first that fails, in a notebook and for marks."""
        checks = [
            partial(check, student, np.random.default_rng([seed, number]))
            for number, (_, check) in enumerate(self.checks)
        ]
        fault, passed = first_fault([student.demand_signature, *checks])
        reached = max(0, passed - 1)
        sentences = tuple(sentence for sentence, _ in self.checks)
        notes = _notes(student)
        return Report(self.name, sentences, fault, reached, seed, notes, self.praise)

    def share(self, report: Report) -> float:
        """Return the share of the points that an answer gets if parts count.

        Each check that it passed beyond those that the untouched starter passes counts
        the same. So a starter earns nothing, whatever it happens to do right.
        """
        if report.passed:
            return 1.0
        assert report.seed is not None
        free = self.starters_reach(report.seed)
        return max(0, report.reached - free) / (len(self.checks) - free)

    def starters_reach(self, seed: int) -> int:
        """Count the checks that the untouched starter passes."""
        namespace: dict[str, Any] = {}
        exec(self.starter, namespace)
        return self.grade(namespace[self.name], seed).reached


def _notes(student: Student) -> tuple[str, ...]:
    text = " ".join(student.printed.split())
    if not text:
        return ()
    shown = text if len(text) <= 60 else text[:60] + "…"
    return (f"your function prints “{shown}”, which is harmless.",)


def _short(value: Any) -> str:
    shown = repr(value)
    return shown if len(shown) <= 60 else f"a {type(value).__name__}"
