"""``check``: what a student calls, and the exercise that answers it."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

import numpy as np

from .. import checks
from .exercises import load, names
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
    return (f"your function prints “{shown}”; that does no harm.",)


def _short(value: Any) -> str:
    shown = repr(value)
    return shown if len(shown) <= 60 else f"a {type(value).__name__}"


def check(name: str, answer: Any, *, seed: int | None = None) -> Report:
    """Check your answer to an exercise, and learn in a moment what is right and why.

    Parameters
    ----------
    name : str
        The exercise: the name of the function that it asks for, or of a question.
    answer : callable, float or str
        Your function itself; for a question a number, a letter or an order of letters.
    seed : int, optional
        Draws the cases that are tried. A report shows its seed: give it again to see
        the same cases. Without it they are fresh each time.

    Returns
    -------
    Report
        Shows itself in a notebook; ``print`` it elsewhere. ``passed`` is the verdict.

    Raises
    ------
    ValueError, TypeError
        If there is no such exercise, or the answer is not of its kind.

    Examples
    --------
    >>> import numpy as np
    >>> def clip(G, C):  # normalises every row, short ones too
    ...     return C * G / np.linalg.norm(G, axis=1, keepdims=True)
    >>> print(check("clip", clip, seed=0))
    clip: not yet, 1 of 7 checks
      ✓ long rows are cut to norm C
      ✗ short rows stay as they are (not yet)
    ...
    """
    checks.instance(str, name=name)
    if name not in names():
        near = get_close_matches(name, names(), n=1)
        meant = f' Did you mean "{near[0]}"?' if near else ""
        raise ValueError(
            f"`name` must be one of {', '.join(names())}; got {name!r}.{meant}"
        )
    if seed is None:
        seed = secrets.randbits(32)
    checks.count(0, seed=seed)
    return load(name).grade(answer, int(seed))
