"""A student's function in a worker, as the checks' ``Student`` calls it.

A generator that replays chosen draws stays here: the worker asks for each draw.
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...auditing import NotGaussian, Tape
from ..calling import Outcome, replays
from ..report import Fault
from ..student import Ended, demand_fit
from .frames import clean, packed, unpacked
from .wire import Malformed, Worker, WorkerEnded

# How many numbers one call may draw from a tape.
_MOST_DRAWN = 1_000_000

_NO_PACKAGE = (
    "Where marks are given there are NumPy and SciPy, but no dpteach: an answer stands "
    "on its own."
)

# The methods that may be replayed, and where each has its size.
_SIZE_AT = {
    "beta": 2, "binomial": 2, "chisquare": 1, "choice": 1, "exponential": 1,
    "gamma": 2, "geometric": 1, "gumbel": 2, "integers": 2, "laplace": 2,
    "logistic": 2, "lognormal": 2, "multivariate_normal": 2, "normal": 2, "pareto": 1,
    "poisson": 1, "random": 0, "rayleigh": 1, "standard_cauchy": 0,
    "standard_exponential": 0, "standard_gamma": 1, "standard_normal": 0,
    "standard_t": 1, "uniform": 2, "weibull": 1,
}  # fmt: skip


class Remote:
    """A function in a worker: what ``student.Calls`` asks for.

    Parameters
    ----------
    worker : Worker
        The worker.
    name : str
        The function's name.
    refuse_replay : bool, optional
        Pass no generator that replays draws, so that noise is measured with ordinary
        ones. Code that tells the two apart gains nothing by it.
    """

    def __init__(
        self, worker: Worker, name: str, *, refuse_replay: bool = False
    ) -> None:
        self.worker, self.name, self.refuse_replay = worker, name, refuse_replay
        self.replayed = False

    def demand_signature(self, name: str, parameters: tuple[str, ...]) -> None:
        """Demand that it is there, is a function, and takes these arguments."""
        request = {
            "kind": "signature", "name": name, "parameters": list(parameters),
        }  # fmt: skip
        answer, _ = self._exchange(request, b"", 5.0)
        expected = f"{name}({', '.join(parameters)})"
        if answer.get("missing"):
            errors = [each for each in self.worker.errors if "dpteach" not in each]
            stop = (
                f"; a line of the notebook stopped with {errors[0]}" if errors else ""
            )
            hint = "Hand in the notebook with the cell that defines it, by this name."
            if self._lacks_package and "NameError" in stop:
                hint += f" {_NO_PACKAGE}"
            raise Fault(
                f"the function {name}", f"none of this name{stop}", expected, hint
            )
        if "not_callable" in answer:
            kind = clean(answer["not_callable"], 80)
            hint = "Something else got the function's name after it was defined."
            raise Fault(f"the function {name}", f"a {kind}", expected, hint)
        signature = answer.get("misfit")
        demand_fit(
            name, parameters, None if signature is None else clean(signature, 300)
        )

    def call(
        self,
        arguments: Sequence[Any],
        seconds: float,
        seeds: Sequence[int] | None = None,
    ) -> Outcome:
        """Call it, once or once for each seed."""
        generator = next(filter(replays, arguments), None)
        if generator is not None:
            self.replayed = True
            if self.refuse_replay:
                raise NotGaussian(
                    "With an ordinary generator the noise was measured.",
                    "other distribution",
                )
        spec, blob = packed(list(arguments))
        request = {"kind": "call", "name": self.name, "arguments": spec, "seeds": seeds}
        draws = Draws(generator)
        answer, blob = self._exchange(request, blob, seconds, draws)
        outcome = _outcome(answer, blob, None if seeds is None else len(seeds))
        outcome.seconds = self.worker.seconds
        if outcome.error:
            if draws.refusal is not None:
                raise draws.refusal
            kind = outcome.error.partition(":")[0]
            if self._lacks_package and kind in ("NameError", "ModuleNotFoundError"):
                outcome.hint = _NO_PACKAGE
        return outcome

    @property
    def _lacks_package(self) -> bool:
        return any("dpteach" in each for each in self.worker.errors)

    def _exchange(
        self, request: dict, blob: bytes, seconds: float, draws: Any = None
    ) -> tuple[dict, bytes]:
        try:
            return self.worker.exchange(request, blob, seconds, draws)
        except WorkerEnded as error:
            hint = "Does your code end Python, or need very much memory?"
            raise Ended(str(error), hint) from None
        except Malformed as error:
            hint = (
                "Is the result very large? Or does your code write to a file or a pipe "
                "that it did not open?"
            )
            raise Ended(str(error), hint) from None


def _outcome(answer: dict, blob: bytes, calls: int | None) -> Outcome:
    """Read what an untrusted process says of a call."""
    try:
        if answer.get("error"):
            line = clean(answer.get("line", ""), 200)
            return Outcome(error=clean(answer["error"], 300), line=line)
        result = unpacked(answer["result"], blob)
        if calls is not None and len(result) != calls:
            raise ValueError("malformed")
        return Outcome(
            result=result,
            printed=clean(answer["printed"], 200),
            global_source=clean(answer["global_source"], 60),
            changed=tuple(map(bool, answer["changed"])),
        )
    except Exception:
        raise Ended("a malformed answer", "") from None


class Draws:
    """Answers what a worker asks of a generator. Nothing that it asks costs much.

    Parameters
    ----------
    generator : Generator or None
        What replays the draws.
    """

    def __init__(self, generator: np.random.Generator | None) -> None:
        self.generator, self.left = generator, _MOST_DRAWN
        self.refusal: NotGaussian | None = None

    def __call__(self, request: dict, blob: bytes) -> tuple[dict, bytes]:
        """Answer one request with numbers, or with an error that the worker raises."""
        try:
            drawn = self._drawn(clean(request["draw"], 40), request, blob)
        except NotGaussian as error:
            self.refusal = error
            return {"error": ["ValueError", str(error)]}, b""
        except Exception as error:
            return {"error": [type(error).__name__, str(error)[:300]]}, b""
        spec, blob = packed(drawn)
        return {"drawn": spec}, blob

    def _drawn(self, name: str, request: dict, blob: bytes) -> Any:
        if name not in _SIZE_AT or self.generator is None:
            if isinstance(self.generator, Tape):
                self.generator.other.append(name)
            raise NotGaussian(
                f"You draw from rng.{name}, so the noise was measured.",
                "other distribution",
            )
        arguments, names, values = unpacked(request["given"], blob)
        keywords = dict(zip(names, values, strict=True))
        place = _SIZE_AT[name]
        size = keywords.get("size", arguments[place] if place < len(arguments) else ())
        self.left -= numbers_asked(size, [*arguments, *keywords.values()])
        if self.left < 0:
            raise MemoryError("so many draws cannot be replayed")
        return getattr(self.generator, name)(*arguments, **keywords)


def numbers_asked(size: Any, parameters: Sequence[Any]) -> int:
    """Bound how many numbers a draw makes."""
    count = math.prod(int(k) for k in np.ravel(size)) if size is not None else 1
    shapes = [np.shape(each) for each in parameters if isinstance(each, np.ndarray)]
    widest = math.prod(max(shape) if shape else 1 for shape in shapes)
    return max(1, abs(count)) * max(1, widest)
