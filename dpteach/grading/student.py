"""A student's function, called with care: whatever it does, the notebook survives."""

import inspect
import io
import linecache
import random
import traceback
import warnings
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from typing import Any

import numpy as np

from ..auditing import NotGaussian
from .clock import TimeUp, limited
from .report import Fault


class _Printed(io.TextIOBase):
    """Keeps the beginning of what is printed, and forgets the rest."""

    def __init__(self) -> None:
        self.text = ""

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        self.text += text[: 200 - len(self.text)] if len(self.text) < 200 else ""
        return len(text)


class Student:
    """A function handed in for an exercise, with the checks' ways to call it.

    Parameters
    ----------
    function : callable
        What the student wrote.
    name : str
        How the exercise calls it.
    parameters : tuple of str
        The names of its parameters, in order.
    seconds : float
        How long one call may take.
    """

    def __init__(
        self, function: Callable, name: str, parameters: tuple[str, ...], seconds: float
    ) -> None:
        self.function, self.name, self.parameters = function, name, parameters
        self.seconds, self.printed = seconds, _Printed()

    def call(self, *arguments: Any) -> Any:
        """Call the function once, on copies, and demand that it leaves them alone."""
        given = [_copy(each) for each in arguments]
        result = self._watched(lambda: self.function(*given), arguments, self.seconds)
        self._demand_untouched(arguments, given)
        return result

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
        seeds = rng.integers(2**62, size=runs)
        given = [_copy(each) for each in arguments]
        results = self._watched(
            lambda: [
                self.function(*given, np.random.default_rng(int(seed)))
                for seed in seeds
            ],
            arguments,
            5.0 + 4 * self.seconds,
        )
        self._demand_untouched(arguments, given)
        return np.stack([self._as_array(each, shape, arguments) for each in results])

    def demand_signature(self) -> None:
        """Demand that the function takes as many arguments as the exercise says."""
        try:
            inspect.signature(self.function).bind(*self.parameters)
        except ValueError:  # a built-in that does not tell
            return
        except TypeError:
            found = inspect.signature(self.function)
            raise Fault(
                f"the parameters of {self.name}",
                f"{self.name}{found}",
                f"{self.name}({', '.join(self.parameters)})",
                "The check calls your function with these arguments, in this order.",
            ) from None

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

    def _watched(
        self, body: Callable[[], Any], arguments: tuple[Any, ...], seconds: float
    ) -> Any:
        before = _global_state()
        try:
            with (
                warnings.catch_warnings(),
                np.errstate(all="ignore"),
                redirect_stdout(self.printed),
                redirect_stderr(self.printed),
            ):
                warnings.simplefilter("ignore")
                result = limited(body, seconds)
        except TimeUp:
            raise Fault(
                self.case(arguments),
                f"no result after {seconds:g} s",
                "a result within a fraction of a second",
                "Does a loop never end, or does its counter never move?",
            ) from None
        except (NotGaussian, Fault, KeyboardInterrupt):
            raise
        except (Exception, SystemExit) as error:
            raise self._stumbled(self.case(arguments), error) from None
        self._demand_own_randomness(before)
        return result

    def _stumbled(self, case: str, error: BaseException) -> Fault:
        said = f"{type(error).__name__}: {error}".rstrip(": ")
        return Fault(
            case,
            (said if len(said) < 200 else said[:197] + "...") + self._where(error),
            "a result, without an error",
            "Call your function with such arguments in a cell of its own to see more.",
        )

    def _where(self, error: BaseException) -> str:
        code = getattr(inspect.unwrap(self.function), "__code__", None)
        if code is None:
            return ""
        lines = [
            frame.lineno
            for frame in traceback.extract_tb(error.__traceback__)
            if frame.filename == code.co_filename and frame.lineno
        ]
        if not lines:
            return ""
        text = linecache.getline(code.co_filename, lines[-1]).strip()
        return f", in the line “{text}”" if text else ""

    def _demand_own_randomness(self, before: tuple[Any, Any]) -> None:
        now = _global_state()
        if np.array_equal(now[0][1], before[0][1]) and now[0][2:4] == before[0][2:4]:
            if now[1] == before[1]:
                return
            source = "Python's random module"
        else:
            source = "the global state of numpy.random"
        np.random.set_state(before[0])  # noqa: NPY002  (as if it had not been touched)
        random.setstate(before[1])
        raise self._not_its_own(source)

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

    def _demand_untouched(self, arguments: tuple[Any, ...], given: list[Any]) -> None:
        for name, was, is_now in zip(self.parameters, arguments, given, strict=False):
            if isinstance(was, np.ndarray) and not np.array_equal(was, is_now):
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


def _global_state() -> tuple[Any, Any]:
    return np.random.get_state(), random.getstate()  # noqa: NPY002  (to watch it)


def _unfit(result: Any, found: np.ndarray, shape: tuple[int, ...]) -> tuple[str, str]:
    """Say what is wrong with a result, and what may be the reason."""
    if result is None:
        return "None", "Is the return missing?"
    if found.dtype.kind not in "fiu":
        kind = type(result).__name__
        what = f"{kind} of {found.dtype}" if found.ndim else f"a {kind}"
        return what, (
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


def _copy(value: Any) -> Any:
    return value.copy() if isinstance(value, np.ndarray) else value
