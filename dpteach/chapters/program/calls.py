"""A reader's program as its checks see it: functions to call, and to replace."""

import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import update_wrapper
from types import FunctionType
from typing import Any

import numpy as np

from ... import tiny
from ...grading.report import Fault
from ...grading.student import Here, Student
from ..catalog import load


@dataclass(frozen=True)
class Part:
    """One function of the program, with all that is needed to ask for it.

    Parameters
    ----------
    name : str
        Of the function, which is also its name in ``dpteach.tiny``.
    places, keywords : tuple of str
        Its parameters: those given by their place, then those given by their name.
    sentence : str
        What a report says that the part does.
    chapter : str
        The page of the book that explains it.
    task : str
        What to write, in Markdown.
    starter : str
        What the file begins the part with. It runs, and fails the check.
    uses : tuple of str, optional
        The earlier parts that it calls.
    exercise : str, optional
        An exercise of a chapter whose answers serve here.
    joined : str, optional
        What turns such an answer into this part.
    """

    name: str
    places: tuple[str, ...]
    keywords: tuple[str, ...]
    sentence: str
    chapter: str
    task: str
    starter: str
    uses: tuple[str, ...] = ()
    exercise: str = ""
    joined: str = ""

    @property
    def call(self) -> str:
        """How it is called."""
        named = [f"{each}=…" for each in self.keywords]
        return f"{self.name}({', '.join([*self.places, *named])})"


class Adapted(Here):
    """A function that is called as another one is."""

    def demand_signature(self, name: str, parameters: tuple[str, ...]) -> None:
        """Demand nothing: the part's own parameters have been looked at."""


class Caller(Student):
    """A part's function; among its arguments are functions, and lists of runs."""

    def case(self, arguments: tuple[Any, ...]) -> str:
        """Describe one call, such as ``delta with epsilon = 0.3, …``."""
        shown = [
            f"{name} = {_shown(value)}"
            for name, value in zip(self.parameters, arguments, strict=False)
            if not isinstance(value, np.random.Generator) and not callable(value)
        ]
        return f"{self.name} with {', '.join(shown)}"


def _shown(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"an array of shape {value.shape}"
    return f"{value:.4g}" if isinstance(value, float) else str(value)


class Program:
    """The functions of a file, to be called, watched and replaced.

    Parameters
    ----------
    names : dict
        What the file defines: the globals of its functions.
    """

    def __init__(self, names: dict[str, Any]) -> None:
        self.names = names

    def is_books(self, part: Part) -> bool:
        """Whether the file takes this part from the book."""
        return self.names.get(part.name) is getattr(tiny, part.name)

    def demand(self, part: Part) -> None:
        """Demand that the part is there, and takes its arguments."""
        function = self.names.get(part.name)
        if not callable(function):
            raise Fault(
                "your file", f"no function {part.name}", part.call, "This part is next."
            )
        try:
            signature = inspect.signature(function)
        except ValueError:  # a built-in that does not tell
            return
        try:
            signature.bind(*part.places, **dict.fromkeys(part.keywords))
        except TypeError:
            raise Fault(
                f"the parameters of {part.name}",
                f"{part.name}{signature}",
                part.call,
                "The parts that come later call it with these.",
            ) from None

    def student(self, part: Part) -> Student:
        """Give the checks a part to call, with all its arguments in order."""
        function = self.names[part.name]

        def called(*arguments: Any) -> Any:
            named = zip(part.keywords, arguments[len(part.places) :], strict=True)
            return function(*arguments[: len(part.places)], **dict(named))

        return self.caller(part, called, part.places + part.keywords)

    def caller(
        self, part: Part, called: Callable, parameters: tuple[str, ...]
    ) -> Student:
        """Give the checks a function that calls a part."""
        here = Adapted(update_wrapper(called, self.names[part.name]))
        return Caller(here, part.name, parameters, 5.0)

    def pass_exercise(
        self, part: Part, name: str, answer: Callable, rng: np.random.Generator
    ) -> None:
        """Demand that an answer that is made of a part passes an exercise."""
        exercise = load(name)
        here = Adapted(update_wrapper(answer, self.names[part.name]))
        fault = exercise.run(exercise.student(here), int(rng.integers(2**32))).fault
        if fault is not None:
            if name != part.name:
                fault.quantity += f" (your {part.name}, tried in the exercise {name})"
            raise fault

    @contextmanager
    def replaced(self, **functions: Callable) -> Iterator[list[str]]:
        """Let other functions stand in for earlier parts; list what was called."""
        before, calls = {name: self.names[name] for name in functions}, []
        for name, function in functions.items():
            self.names[name] = _stand_in(before[name], function, name, calls)
        try:
            yield calls
        finally:
            self.names.update(before)


def _stand_in(part: Callable, function: Callable, name: str, calls: list) -> Callable:
    """Take a part's arguments however they are given, and hand them on in order."""

    def called(*arguments: Any, **named: Any) -> Any:
        calls.append(name)
        given = inspect.signature(part).bind(*arguments, **named)
        return function(*given.args, *given.kwargs.values())

    return called


def of_the_book(name: str, **below: Callable) -> Callable:
    """Return a part of ``dpteach.tiny`` above other parts than its own."""
    part = getattr(tiny, name)
    return FunctionType(part.__code__, {**vars(tiny), **below}, name)


def demand_full_precision(part: Part, result: Any) -> None:
    """Demand floats of 64 bits: noise in shorter ones cannot be replayed."""
    kind = np.asarray(result).dtype
    if kind.kind == "f" and kind.itemsize < 8:
        raise Fault(
            f"the numbers that {part.name} returns",
            f"{kind}",
            "float64",
            f"Noise is replayed to many digits, and {kind} keeps few of them. NumPy's "
            "usual floats do.",
        )


def squares(rng: np.random.Generator, n: int, p: int) -> Callable[..., np.ndarray]:
    """Return the gradients of a least-squares loss; most are longer than 1."""
    X, y = 2 * rng.normal(size=(n, p)), 3 * rng.normal(size=n)
    return lambda theta: (X @ theta - y)[:, None] * X


def demand_calls(part: Part, calls: list[str]) -> None:
    """Demand that all earlier parts were called on which a part stands."""
    for name in part.uses:
        if name not in calls:
            raise Fault(
                f"what {part.name} calls",
                f"no call of {name}",
                f"{name}, which stands earlier in your file",
                "In a program each thing stands once, so that it is mended once.",
            )


def demand_same(
    found: np.ndarray, wanted: np.ndarray, what: str, hint: str, near: float = 1e-5
) -> None:
    """Demand the book's models, one a row; the first row that differs is shown."""
    off = np.abs(found - wanted).max(axis=-1)
    if (rows := np.flatnonzero(off > near * max(1.0, np.abs(wanted).max()))).size:
        row = rows[0]
        raise Fault(
            f"row {row} of {what}",
            np.array2string(found[row], precision=4),
            f"{np.array2string(wanted[row], precision=4)}, as in the book's program",
            hint,
        )
