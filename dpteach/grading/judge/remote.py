"""A student's function in another process, with the checks' ways to call it.

``RemoteStudent`` offers what ``Student`` offers, so that every check grades through it
as it grades in a notebook. It speaks to the process over the ``wire``.
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...auditing import NotGaussian, Tape
from ..report import Fault
from ..student import Student
from .wire import Broken, Worked, is_special, packed, unpacked

# How many numbers one call may draw from a tape.
_MOST_DRAWN = 1_000_000

_ALONE = (
    "Where marks are given there are NumPy and SciPy, but no dpteach: an answer stands "
    "on its own."
)

# The methods that a tape can replay, and where each has its size.
_SIZE_AT = {
    "standard_normal": 0, "normal": 2, "lognormal": 2, "multivariate_normal": 2,
    "laplace": 2, "gumbel": 2, "logistic": 2, "gamma": 2, "standard_gamma": 1,
    "exponential": 1, "standard_exponential": 0, "chisquare": 1,
    "random": 0, "uniform": 2,
}  # fmt: skip


class RemoteStudent(Student):
    """A function in a worker, with the checks' ways to call it.

    Parameters
    ----------
    worked : Worked
        The worker.
    name : str
        The function's name.
    parameters : tuple of str
        The names of its parameters, in order.
    seconds : float
        How long one call may take.
    ordinary : bool, optional
        Refuse to pass a tape, so that noise is measured with ordinary generators. Code
        that tells a tape from a generator gains nothing by it.
    """

    def __init__(
        self,
        worked: Worked,
        name: str,
        parameters: tuple[str, ...],
        seconds: float,
        *,
        ordinary: bool = False,
    ) -> None:
        super().__init__(_nowhere, name, parameters, seconds)
        self.worked, self.ordinary, self.taped = worked, ordinary, False
        self.line = ""

    def call(self, *arguments: Any) -> Any:
        """Call the function once, and demand that it leaves its arguments alone."""
        player = next(filter(is_special, arguments), None)
        if player is not None:
            self.taped = True
            if self.ordinary:
                raise NotGaussian(
                    "With an ordinary generator the noise was measured.",
                    "other distribution",
                )
        given, blob = packed(list(arguments))
        request = {"call": self.name, "given": given}
        return self._called(request, blob, arguments, self.seconds, player)

    def sample(
        self, runs: int, shape: tuple[int, ...], rng: np.random.Generator, *arguments
    ) -> np.ndarray:
        """Call the function ``runs`` times with fresh generators as last argument."""
        seeds = [int(seed) for seed in rng.integers(2**62, size=runs)]
        given, blob = packed(list(arguments))
        request = {"call": self.name, "given": given, "seeds": seeds}
        seconds = 5.0 + 4 * self.seconds
        results = self._called(request, blob, arguments, seconds, None)
        if isinstance(results, np.ndarray) and results.shape == (runs, *shape):
            return self._as_array(results, results.shape, arguments)
        if not isinstance(results, list | np.ndarray) or len(results) != runs:
            raise Fault(self.case(arguments), "a malformed answer", "an array", "")
        return np.stack([self._as_array(each, shape, arguments) for each in results])

    def demand_signature(self) -> None:
        """Demand a function of as many arguments as the exercise says."""
        request = {"find": self.name, "parameters": list(self.parameters)}
        found, _ = self._exchange(request, b"", f"the function {self.name}", 5.0)
        wanted = f"{self.name}({', '.join(self.parameters)})"
        if found.get("missing"):
            trouble = self._trouble()
            alone = self._wants_package and "NameError" in trouble
            raise Fault(
                f"the function {self.name}",
                "none of this name" + trouble,
                wanted,
                "Hand in the notebook with the cell that defines it, by this name."
                + (f" {_ALONE}" if alone else ""),
            )
        if "odd" in found:
            raise Fault(
                f"the function {self.name}", f"a {found['odd']}", f"{wanted}", ""
            )
        if not found.get("fits"):
            raise Fault(
                f"the parameters of {self.name}",
                f"{self.name}{str(found.get('signature'))[:200]}",
                wanted,
                "The check calls your function with these arguments, in this order.",
            )

    def _trouble(self) -> str:
        told = [each for each in self.worked.trouble if "dpteach" not in each]
        return f"; a line of the notebook stopped with {told[0]}" if told else ""

    @property
    def _wants_package(self) -> bool:
        return any("dpteach" in each for each in self.worked.trouble)

    def _stumbled(self, case: str, error: BaseException) -> Fault:
        fault = super()._stumbled(case, error)
        names = "NameError", "ModuleNotFoundError"
        if self._wants_package and type(error).__name__ in names:
            fault.hint = _ALONE
        return fault

    def _where(self, error: BaseException) -> str:
        del error
        return f", in the line “{self.line}”" if self.line else ""

    def _exchange(
        self, request: dict, blob: bytes, case: str, seconds: float, on_draw: Any = None
    ) -> tuple[dict, bytes]:
        try:
            return self.worked.exchange(request, blob, seconds, on_draw)
        except Broken as broken:
            if str(broken) == "no result in time":
                raise Fault(
                    case,
                    f"no result after {seconds:g} s",
                    "a result within a fraction of a second",
                    "Does a loop never end, or does its counter never move?",
                ) from None
            hint = "Does your code end Python, or need very much memory?"
            if str(broken) == "a malformed answer":
                hint = "Does your code write to a file or a pipe that it did not open?"
            raise Fault(case, str(broken), "a result", hint) from None

    def _called(
        self,
        request: dict,
        blob: bytes,
        arguments: tuple[Any, ...],
        seconds: float,
        player: np.random.Generator | None,
    ) -> Any:
        draws = _Draws(player)
        case = self.case(arguments)
        found, blob = self._exchange(request, blob, case, seconds, draws)
        if draws.refused is not None:
            raise draws.refused
        if "error" in found:
            self.line = str(found.get("line", ""))[:200]
            raise self._stumbled(case, _error(str(found["error"])[:300]))
        self.printed.text = str(found.get("printed", ""))[:200]
        self._demand_own(found.get("global"))
        self._demand_left(found.get("changed"), arguments)
        try:
            return unpacked(found["result"], blob)
        except Exception:
            raise Fault(case, "a malformed answer", "a result", "") from None

    def _demand_own(self, touched: Any) -> None:
        if not isinstance(touched, list) or not any(touched):
            return
        source = (
            "the global state of numpy.random"
            if touched[0]
            else "Python's random module"
        )
        raise self._not_its_own(source)

    def _demand_left(self, changed: Any, arguments: tuple[Any, ...]) -> None:
        if isinstance(changed, list):
            given = [
                _other(each) if told is True else each
                for each, told in zip(arguments, changed, strict=False)
            ]
            self._demand_untouched(arguments, given)


class _Draws:
    """Answers what a worker asks of a tape. Nothing that it asks can cost much."""

    def __init__(self, rng: np.random.Generator | None) -> None:
        self.rng, self.refused = rng, None
        self.left = _MOST_DRAWN

    def __call__(self, request: dict, blob: bytes) -> tuple[dict, bytes]:
        try:
            drawn = self._drawn(str(request["draw"]), request, blob)
        except NotGaussian as error:
            self.refused = error
            return {"error": ["RuntimeError", "this draw cannot be replayed"]}, b""
        except Exception as error:
            return {"error": [type(error).__name__, str(error)[:300]]}, b""
        ((spec,), blob) = packed([drawn])
        return {"drawn": spec}, blob

    def _drawn(self, name: str, request: dict, blob: bytes) -> Any:
        if name not in _SIZE_AT or self.rng is None:
            if isinstance(self.rng, Tape):
                self.rng.other.append(name[:40])
            raise NotGaussian(
                f"You draw from rng.{name[:40]}, so the noise was measured.",
                "other distribution",
            )
        args, named, values = unpacked(request["given"], blob)
        keywords = dict(zip(named, values, strict=True))
        size = keywords.get("size", args[_SIZE_AT[name]] if _fits(name, args) else ())
        self.left -= numbers_asked(size, [*args, *keywords.values()])
        if self.left < 0:
            raise MemoryError("so many draws cannot be replayed")
        return getattr(self.rng, name)(*args, **keywords)


def _fits(name: str, args: Sequence[Any]) -> bool:
    return len(args) > _SIZE_AT[name]


def numbers_asked(size: Any, parameters: Sequence[Any]) -> int:
    """Bound how many numbers a draw makes."""
    wanted = math.prod(int(k) for k in np.ravel(size)) if size is not None else 1
    shapes = [np.shape(each) for each in parameters if isinstance(each, np.ndarray)]
    widest = math.prod(max(shape) if shape else 1 for shape in shapes)
    return max(1, abs(wanted)) * max(1, widest)


def _other(value: Any) -> Any:
    """Return an array that differs from this one."""
    return np.zeros((*value.shape, 2)) if isinstance(value, np.ndarray) else value


def _error(told: str) -> BaseException:
    """Make an error of this name, which tells this."""
    name, _, text = told.partition(": ")
    kind = type(name[:60].replace("\0", "") or "Error", (Exception,), {})
    return kind(text)


def _nowhere(*_: Any) -> None:
    raise AssertionError("the function is in another process")
