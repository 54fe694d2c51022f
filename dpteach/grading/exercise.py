"""An exercise that asks for a function, with all that sets, teaches and grades it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from .report import Fault, Report
from .student import Student

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
        student = Student(answer, self.name, self.parameters, self.seconds)
        fault, reached = None, 0
        try:
            student.demand_signature()
            for number, (_, run) in enumerate(self.checks):
                run(student, np.random.default_rng([seed, number]))
                reached += 1
        except Fault as found:
            fault = found
        sentences = tuple(sentence for sentence, _ in self.checks)
        notes = _notes(student)
        return Report(self.name, sentences, fault, reached, seed, notes, self.praise)


def _notes(student: Student) -> tuple[str, ...]:
    text = " ".join(student.printed.text.split())
    if not text:
        return ()
    shown = text if len(text) <= 60 else text[:60] + "…"
    return (f"your function prints “{shown}”, which is harmless.",)


def _short(value: Any) -> str:
    shown = repr(value)
    return shown if len(shown) <= 60 else f"a {type(value).__name__}"
