"""What one record can change besides the output, for every public algorithm.

Each algorithm runs on the same data with one record or answer replaced: by an ordinary
one, and by all kinds of hostile ones, in 32 and in 64 bits. What differs from one run
to another, apart from the output, tells of that record. ``python -m tests.effects``
writes the table that the chapter on machines shows.

An algorithm joins by the case or the row with which it joins other tests, ``COMMON`` or
``BAD_INPUT``.
"""

import gc
import inspect
import random
import re
import sys
import tracemalloc
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from types import FrameType
from typing import Any

import numpy as np

from dpteach import Problem, constraints, losses, secure
from dpteach.algorithms import exponential_mechanism
from dpteach.algorithms.pure.rejection_samplers import Rejection
from dpteach.arrays import is_array
from dpteach.chapters.machines.effects import COLUMNS, RECORD, written
from dpteach.privacy import Release
from tests.algorithms.case import cases
from tests.public import PACKAGE, functions
from tests.test_bad_input import CASES

# How an argument is called that holds records, or what was computed from them.
DATA = ("problem", "X", "values", "scores", "answers", "v", "value", "counts")
# What a record runs through before any algorithm sees it.
POSED = "Problem"
# No promise is made for these: no event prices what they return.
NOT_PRIVATE = ("stochastic_gradient_descent",)
# The largest, a nodata value (in 64 bits the largest of which a square is finite),
# NetCDF's fill value, what squares to infinity in 32 bits, the least, and zero.
SIZES = {
    "float32": (3.4028235e38, -3.4e38, 9.96921e36, 1e30, 1e-45, -0.0),
    "float64": (1.7e308, -1e150, 9.96921e36, 1e30, 5e-324, -0.0),
}
# Samplers whose number of trials is another one's.
REJECTION = {
    "problem": Problem(
        np.array([[1.0, 0.0], [0.0, 0.5], [0.5, 0.5], [-1.0, 0.0]]),
        np.array([1.0, -1.0, 1.0, 1.0]),
        losses.logistic,
        constraints.L2Ball(1.0),
    ),
    "epsilon": 40.0,
    "lipschitz": 1.0,
    "sampler": Rejection(),
    "rng": 0,
}


@dataclass(frozen=True)
class Seen:
    """What somebody sees who looks at anything but the output."""

    error: str = ""
    message: str = ""
    warned: bool = False
    # calls of functions of this package, and of all functions
    iterations: int = 0
    time: int = 0
    memory: int = 0
    finite: bool = True


def watch(run: Callable[[], Any]) -> Seen:
    """Run it, and count. The system's randomness is the same each time, too."""
    counts, own = [0, 0], str(PACKAGE)
    system, secure.randbelow = secure.randbelow, random.Random(0).randrange

    def count(frame: FrameType, event: str, _: Any) -> None:
        if event in ("call", "c_call"):
            counts[1] += 1
            if event == "call" and frame.f_code.co_filename.startswith(own):
                counts[0] += 1

    error, out = None, None
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        tracemalloc.start()
        gc.disable()  # a collection, and what it calls, comes when it likes
        sys.setprofile(count)
        try:
            out = run()
        except Exception as raised:
            error = raised
        finally:
            sys.setprofile(None)
            gc.enable()
            secure.randbelow = system
            memory = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
    return Seen(
        type(error).__name__ if error else "",
        str(error) if error else "",
        bool(caught),
        *counts,
        memory,
        error is not None or _finite(out),
    )


def _finite(out: Any) -> bool:
    if isinstance(out, Problem):
        return True
    arrays = (out.theta, out.path) if isinstance(out, Release) else (out,)
    return all(np.isfinite(np.asarray(each, dtype=float)).all() for each in arrays)


def rows(p: int, sizes: tuple[float, ...]) -> Iterator[np.ndarray]:
    """List ordinary and hostile records."""
    yield np.full(p, 0.5 / p)
    yield -np.eye(1, p)[0]
    for size in sizes:
        yield np.full(p, size)
        yield size * (-1.0) ** np.arange(p)
        yield size * np.eye(1, p, p - 1)[0]


def labels(loss: losses.Loss, sizes: tuple[float, ...]) -> tuple[float, ...]:
    """List labels that the loss takes."""
    if loss.classes:
        return (0, loss.classes - 1)
    if loss.labels is losses.NUMBERS:
        return (0.5, *sizes)
    return (-1.0, 1.0) if loss.labels is losses.SIGNS else (-1.0, 0.0, 1.0)


def records(
    p: int, loss: losses.Loss, sizes: tuple[float, ...]
) -> Iterator[tuple[np.ndarray, float]]:
    """List pairs of a row and a label: all rows with two labels, all labels too."""
    some = labels(loss, sizes)
    for k, x in enumerate(rows(p, sizes)):
        for y in some if k < 2 else (some[0], some[-1 if len(some) < 4 else 1]):
            yield x, y


AT = 3  # where the record stands


def problems(valid: Problem, dtype: str) -> Iterator[Callable[[], Problem]]:
    """List what makes the problem with one record replaced."""
    for x, y in records(valid.X.shape[1], valid.loss, SIZES[dtype]):
        X, answers = valid.X.astype(dtype), valid.y.astype(dtype)
        place = min(AT, len(X) - 1)
        X[place], answers[place] = x, y
        yield lambda X=X, y=answers: Problem(X, y, valid.loss, valid.constraint)


def tables(arguments: dict, dtype: str) -> Iterator[dict[str, Any]]:
    """List the arguments with one record, or answer, replaced."""
    name = next(each for each in DATA if each in arguments)
    valid = arguments[name]
    if name == "X":
        for x, y in records(valid.shape[1], losses.squared, SIZES[dtype]):
            X = valid.astype(dtype)
            X[min(AT, len(X) - 1)] = x
            changed = {"X": X}
            if "y" in arguments:
                changed["y"] = arguments["y"].astype(dtype)
                changed["y"][min(AT, len(X) - 1)] = y
            yield arguments | changed
    elif name in ("counts", "answers"):
        for value in (0, 1):
            changed = [*valid[:-1], value]
            kept = np.array(changed) if is_array(valid) else changed
            yield arguments | {name: kept}
    elif is_array(valid):
        for size in (0.5, *SIZES[dtype]):
            changed = valid.astype(dtype)
            changed[-1] = size
            yield arguments | {name: changed}
    elif isinstance(valid, list | tuple):
        for size in (0.5, *SIZES["float64"]):
            yield arguments | {name: [*valid[:-1], size]}
    else:
        for size in (0.5, *SIZES["float64"]):
            yield arguments | {name: size}


def algorithms() -> dict[str, list[tuple[Callable, dict]]]:
    """Find every public function that takes data and chance, and how to call it."""
    found: dict[str, list[tuple[Callable, dict]]] = {}
    for case in cases().values():
        arguments = {"problem": case.problem(), "rng": 0, **case.arguments}
        found.setdefault(case.algorithm.__name__, []).append(
            (case.algorithm, arguments)
        )
    for name, function in functions().items():
        drawn = "rng" in inspect.signature(function).parameters
        exact = function.__module__ == secure.__name__
        if function.__name__ in (*found, *NOT_PRIVATE) or not (drawn or exact):
            continue
        for arguments in CASES[function]:
            if any(each in arguments for each in DATA):
                label = name.removeprefix("dpteach.") if exact else function.__name__
                found.setdefault(label, []).append((function, arguments))
    found["exponential_mechanism, Rejection"] = [(exponential_mechanism, REJECTION)]
    return dict(sorted(found.items()))


def groups(name: str) -> Iterator[list[Seen]]:
    """Watch runs that may be compared: one function, set of arguments, dtype."""
    for function, arguments in algorithms()[name]:
        for dtype in SIZES:
            group = []
            for run in comparable(function, arguments, dtype):
                if not group:
                    watch(run)  # what is imported or cached at first
                group.append(watch(run))
            yield group


def comparable(
    function: Callable, arguments: dict, dtype: str
) -> Iterator[Callable[[], Any]]:
    if "problem" not in arguments:
        for changed in tables(arguments, dtype):
            yield lambda kind=changed: function(**kind)
        return
    for problem in problems(arguments["problem"], dtype):
        try:
            D = problem()
        except ValueError:  # posing a problem has a row of its own
            continue
        # made anew, so that nothing of it is cached
        yield lambda D=D: function(**arguments | {"problem": replace(D)})


def posed() -> Iterator[list[Seen]]:
    """Watch what makes a problem."""
    for loss in (losses.squared, losses.logistic):
        valid = Problem(np.eye(5), np.ones(5), loss, cases()["dp_sgd"].constraint)
        for dtype in SIZES:
            every = list(problems(valid, dtype))
            watch(every[0])  # what is imported or cached at first
            yield [watch(make) for make in every]


def row(seen: list[list[Seen]]) -> dict[str, str]:
    """Say of each thing besides the output whether it tells of a record."""
    every = [each for group in seen for each in group]
    raised = sorted({each.error for each in every if each.error})
    messages = {each.message for each in every if each.error}
    well = [[each for each in group if not each.error] for group in seen]

    def depends(name: str, room: float = 0.0, bytes_: int = 0) -> str:
        for group in well:
            values = [getattr(each, name) for each in group]
            if values and max(values) > min(values) * (1 + room) + bytes_:
                return "depends"
        return "same"

    return {
        "raises": ", ".join(raised) or "no",
        "message": _kinds(messages),
        "warns": "yes" if any(each.warned for each in every) else "no",
        "iterations": depends("iterations"),
        "time": depends("time"),
        "memory": depends("memory", room=0.1, bytes_=4096),
        "finite": "yes" if all(each.finite for each in every) else "no",
    }


def _kinds(messages: set[str]) -> str:
    """Say whether messages tell more than which argument a record made unfit."""
    if not messages:
        return ""
    named = {re.match(r"`(\w+)`", message) for message in messages}
    plain = len(messages) == len({each and each[1] for each in named})
    return "names the argument" if plain else "tells more"


def table(names: list[str] | None = None) -> dict[str, dict[str, str]]:
    """Compute the rows of some algorithms, or of all of them and posing a problem."""
    every = [POSED, *algorithms()]
    return {
        name: row(list(posed() if name == POSED else groups(name)))
        for name in (names or every)
    }


def main() -> None:
    """Write the table."""
    rows = table(sys.argv[1:])
    for name, each in rows.items():
        print(f"{name:34}", *(each[column] for column in COLUMNS), each["finite"])
    if not sys.argv[1:]:
        RECORD.write_text(written(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
