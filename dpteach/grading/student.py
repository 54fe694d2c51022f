"""A student's function, with the checks' ways to call it, wherever it runs.

``Student`` holds the rules, which are the same in a notebook, on a page and under the
judge. It calls the function through ``Calls``: in this process (``Here``), or in
another one (``judge.remote``).
"""

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np

from ..auditing import NotGaussian
from .calling import Outcome, Unknown, call, misfit
from .clock import TimeUp, limited, of_this_thread
from .report import Fault

# So many seconds all calls of one grading may take together.
_ALTOGETHER = 60.0


class Ended(RuntimeError):
    """The process of a function has ended, or does not answer as it should.

    Parameters
    ----------
    reason : str
        What happened.
    hint : str
        What may have caused it.
    """

    def __init__(self, reason: str, hint: str) -> None:
        super().__init__(reason)
        self.hint = hint


class Calls(Protocol):
    """Ways to a function that was handed in, here or in another process."""

    def demand_signature(self, name: str, parameters: tuple[str, ...]) -> None:
        """Demand that it is there, and takes these arguments."""
        ...

    def call(
        self,
        arguments: Sequence[Any],
        seconds: float,
        seeds: Sequence[int] | None = None,
    ) -> Outcome:
        """Call it on copies, once or once for each seed.

        Raises ``TimeUp`` when the time is over, ``Ended`` when the process is gone, and
        ``NotGaussian`` when a draw cannot be replayed.
        """
        ...


class Here:
    """A function in this process.

    Parameters
    ----------
    function : callable
        What the student wrote.
    """

    def __init__(self, function: Callable) -> None:
        self.function = function

    def demand_signature(self, name: str, parameters: tuple[str, ...]) -> None:
        """Demand that it takes these arguments."""
        demand_fit(name, parameters, misfit(self.function, parameters))

    def call(
        self,
        arguments: Sequence[Any],
        seconds: float,
        seeds: Sequence[int] | None = None,
    ) -> Outcome:
        """Call it on copies, once or once for each seed."""
        uncaught = (TimeUp, NotGaussian, KeyboardInterrupt)
        elapsed = of_this_thread()
        outcome = limited(
            lambda: call(self.function, arguments, seeds, uncaught), seconds, elapsed
        )
        outcome.seconds = elapsed.seconds()
        return outcome


def demand_fit(name: str, parameters: tuple[str, ...], signature: str | None) -> None:
    """Refuse a function of another signature than the exercise's."""
    if signature is not None:
        raise Fault(
            f"the parameters of {name}",
            f"{name}{signature}",
            f"{name}({', '.join(parameters)})",
            "The check calls your function with these arguments, in this order.",
        )


class Student:
    """A function handed in for an exercise, with the checks' ways to call it.

    Parameters
    ----------
    calls : Calls
        The way to the function.
    name : str
        How the exercise calls it.
    parameters : tuple of str
        The names of its parameters, in order.
    seconds : float
        How long one call may take.
    """

    def __init__(
        self, calls: Calls, name: str, parameters: tuple[str, ...], seconds: float
    ) -> None:
        self.calls, self.name, self.parameters = calls, name, parameters
        self.seconds, self.left, self.printed = seconds, _ALTOGETHER, ""

    def call(self, *arguments: Any) -> Any:
        """Call the function once, on copies, and demand that it leaves them alone."""
        return self._called(arguments, self.seconds, None)

    def array(self, shape: tuple[int, ...], *arguments: Any) -> np.ndarray:
        """Call the function, and demand a finite array of this shape."""
        return self._as_array(self.call(*arguments), shape, arguments)

    def number(self, *arguments: Any) -> float:
        """Call the function, and demand one finite number."""
        return float(self._as_array(self.call(*arguments), (), arguments))

    def sample(
        self, runs: int, shape: tuple[int, ...], rng: np.random.Generator, *arguments
    ) -> np.ndarray:
        """Call the function ``runs`` times with fresh generators as last argument."""
        seeds = [int(seed) for seed in rng.integers(2**62, size=runs)]
        results = self._called(arguments, 5.0 + 4 * self.seconds, seeds)
        if isinstance(results, np.ndarray) and results.shape == (runs, *shape):
            return self._as_array(results, results.shape, arguments)
        return np.stack([self._as_array(each, shape, arguments) for each in results])

    def demand_signature(self) -> None:
        """Demand that the function takes as many arguments as the exercise says."""
        self.calls.demand_signature(self.name, self.parameters)

    def case(self, arguments: tuple[Any, ...]) -> str:
        """Describe one call, such as ``clip(G, C) with G of shape (8, 5), C = 1``."""
        parts = [
            f"{name} of shape {value.shape}"
            if isinstance(value, np.ndarray)
            else f"{name} = {value if isinstance(value, bool) else f'{value:.4g}'}"
            for name, value in zip(self.parameters, arguments, strict=False)
            if not isinstance(value, np.random.Generator)
        ]
        return f"{self.name}({', '.join(self.parameters)}) with {', '.join(parts)}"

    def _called(
        self, arguments: tuple[Any, ...], seconds: float, seeds: list[int] | None
    ) -> Any:
        if self.left <= 0:  # a limit of 0 would be none
            raise self._too_slow(arguments, seconds)
        try:
            outcome = self.calls.call(arguments, min(seconds, self.left), seeds)
        except TimeUp:
            raise self._too_slow(arguments, seconds) from None
        except Ended as ended:
            raise Fault(
                self.case(arguments), str(ended), "a result", ended.hint
            ) from None
        self.left -= outcome.seconds
        if outcome.error:
            raise self._stumbled(arguments, outcome)
        self.printed = self.printed or outcome.printed
        if outcome.global_source:
            raise self._not_its_own(outcome.global_source)
        self._demand_untouched(outcome.changed)
        return outcome.result

    def _too_slow(self, arguments: tuple[Any, ...], seconds: float) -> Fault:
        if seconds > self.left:
            return Fault(
                f"all calls of {self.name} together",
                f"no result after {_ALTOGETHER:g} s",
                "all results within a few seconds",
                "Is something computed in each call that could be computed once?",
            )
        return Fault(
            self.case(arguments),
            f"no result after {seconds:g} s",
            "a result within a fraction of a second",
            "Does a loop never end, or does its counter never move?",
        )

    def _stumbled(self, arguments: tuple[Any, ...], outcome: Outcome) -> Fault:
        error = outcome.error
        hint = (
            "Call your function with such arguments in a cell of its own to see more."
        )
        where = f", in the line “{outcome.line}”" if outcome.line else ""
        return Fault(
            self.case(arguments),
            (error if len(error) < 200 else error[:197] + "...") + where,
            "a result, without an error",
            outcome.hint or hint,
        )

    def _not_its_own(self, source: str) -> Fault:
        takes_rng = self.parameters[-1] == "rng"
        return Fault(
            f"the source of the randomness in {self.name}",
            f"{source}, used or seeded",
            "draws from the argument rng alone" if takes_rng else "no randomness",
            "Global randomness can be seeded by anyone, anywhere: then the noise is "
            "known, and protects nobody."
            if takes_rng
            else "The result is a plain function of the arguments.",
        )

    def _demand_untouched(self, changed: Sequence[bool]) -> None:
        for name, is_changed in zip(self.parameters, changed, strict=False):
            if is_changed:
                raise Fault(
                    f"the argument {name} after the call",
                    "other values than before",
                    "the same values: the caller still needs them",
                    "Operators such as *= and += write into the caller's array; "
                    "compute a new one.",
                )

    def _as_array(
        self, result: Any, shape: tuple[int, ...], arguments: tuple[Any, ...]
    ) -> np.ndarray:
        try:
            found = np.asarray(result)
            fits = found.dtype.kind in "fiu" and found.shape == shape
            if fits and np.isfinite(found).all():
                return found.astype(float)
        except Exception:  # rows of different lengths, or something stranger
            found = np.asarray(None)
        wanted = f"an array of numbers, of shape {shape}" if shape else "a number"
        seen, hint = _unfit(result, found, shape)
        raise Fault(f"the result of {self.case(arguments)}", seen, wanted, hint)


def _unfit(result: Any, found: np.ndarray, shape: tuple[int, ...]) -> tuple[str, str]:
    """Say what is wrong with a result, and what may be the reason."""
    if result is None:
        return "None", "Is the return missing?"
    if found.dtype.kind not in "fiu":
        kind = type(result).__name__
        what = f"{kind} of {found.dtype}" if found.ndim else f"a {kind}"
        return repr(result) if isinstance(result, Unknown) else what, (
            "Return numbers, in an array. True and False are none, and a function with "
            "yield or async gives none."
            if shape
            else ""
        )
    if found.shape != shape:
        return f"shape {found.shape}", _shape_hint(found, shape)
    at = tuple(int(k) for k in np.argwhere(~np.isfinite(found))[0])
    where = f" at index {at}" if shape else ""
    return f"{found[at]}{where}", "Is something divided by 0, or too large?"


def _shape_hint(found: np.ndarray, shape: tuple[int, ...]) -> str:
    if found.size == 1 and not shape:
        return "Return the number itself, not an array that holds it."
    if found.ndim == len(shape) and found.shape == shape[::-1]:
        return "The axes are in the wrong order."
    return ""
