"""Floor 0. Argument checks: each error names the argument, its value and the remedy.

A public function calls these once, by keyword: ``n = count(n=n)``. They return the
numbers as Python's own, because a NumPy integer of 32 bits overflows in silence, and a
NumPy float of 16 bits turns all that it meets into 16 bits. Private functions trust
their arguments, because a public function has checked them.
"""

import math
import os
from collections.abc import Callable, Iterable
from numbers import Integral, Real
from typing import Any

import numpy as np

from .arrays import is_array, namespace

REMEDIES = {
    "epsilon": "Give a privacy budget above 0, such as epsilon=1.",
    "delta": "Give a probability well below 1/n, such as delta=1e-6.",
    "noise_multiplier": (
        "Zero noise gives no privacy. For a noiseless run, pass "
        "rng=dpteach.auditing.Tape([]), a tape of zeros."
    ),
    "steps": "Give the number of steps, T, as an int.",
    "learning_rate": "Give a step size η above 0; see dp_sgd_learning_rate.",
    "clip_norm": "Give the norm L above 0 to which each gradient is clipped.",
    "radius": "Give a radius above 0; Everywhere() is the set without a bound.",
    "constraint": "Give a set, such as constraints.L2Ball(1.0).",
    "relation": "Give Relation.ADD_REMOVE, Relation.ZERO_OUT or Relation.REPLACE.",
}

LARGEST_COUNT = 2**53
LARGEST_ENTRY = 1e150


def _memory() -> float:
    """Find how many bytes of memory the machine has."""
    try:
        return float(os.sysconf("SC_PAGE_SIZE")) * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):  # not on Windows
        return 16e9


def _say(name: str, must: str, value: Any) -> str:
    shown = repr(value)
    if len(shown) > 80:
        shown = shown[:77] + "..."
    return (f"`{name}` must be {must}, got {shown}. " + REMEDIES.get(name, "")).rstrip()


def _number(name: str, value: Any, must: str) -> Any:
    """Return a real number as a Python number."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError(_say(name, must, value))
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    # -0.0 becomes 0
    return value if type(value) is int and math.isfinite(number) else number + 0.0


def _given(numbers: Iterable[Any]) -> Any:
    """Hand one number back as it is, several as a tuple in their order."""
    found = tuple(numbers)
    return found[0] if len(found) == 1 else found


def _accepted(named: dict[str, Any], must: str, fits: Callable[[Any], bool]) -> Any:
    numbers = {name: _number(name, value, must) for name, value in named.items()}
    for name, number in numbers.items():
        if not fits(number):
            raise ValueError(_say(name, must, named[name]))
    return _given(numbers.values())


def positive(**named: Any) -> Any:
    """Return finite numbers above 0, refuse others."""
    must = "a finite number above 0"
    return _accepted(named, must, lambda number: 0 < number < math.inf)


def moderate(**named: Any) -> Any:
    """Return numbers from 1e-100 to 1e100, refuse others.

    For lengths, rates and noise that a formula squares and multiplies: a float can hold
    what comes out.
    """
    must = "a finite number above 0, from 1e-100 to 1e100"
    return _accepted(named, must, lambda number: 1e-100 <= number <= 1e100)


def nonnegative(**named: Any) -> Any:
    """Return finite numbers of at least 0, refuse others."""
    must = "a finite number, at least 0"
    return _accepted(named, must, lambda number: 0 <= number < math.inf)


def finite(**named: Any) -> Any:
    """Return finite numbers, refuse others."""
    return _accepted(named, "a finite number", math.isfinite)


def probability(**named: Any) -> float:
    """Return a number strictly between 0 and 1, refuse others."""
    must = "a number strictly between 0 and 1"
    return _accepted(named, must, lambda number: 0 < number < 1)


def between(low: float, high: float, **named: Any) -> Any:
    """Return numbers from ``low`` to ``high``, both included; refuse others."""
    must = f"a number from {low} to {high}"
    return _accepted(named, must, lambda number: low <= number <= high)


def count(minimum: int = 1, **named: Any) -> Any:
    """Return ints of at least ``minimum``, refuse others.

    None may exceed 2⁵³: up to there a float holds every integer, so that formulas and
    counts agree.
    """
    found = []
    for name, value in named.items():
        must = f"an int, at least {minimum}"
        if isinstance(value, bool) or not isinstance(value, Integral):
            raise TypeError(_say(name, must, value))
        number = int(value)
        must = must if number <= LARGEST_COUNT else "at most 2**53, about 9e15"
        if not minimum <= number <= LARGEST_COUNT:
            raise ValueError(_say(name, must, value))
        found.append(number)
    return _given(found)


def fits(entries: float, **named: Any) -> None:
    """Refuse sizes of which an array of ``entries`` floats exceeds the memory."""
    if 8 * entries > _memory():
        (name, value), *_ = named.items()
        # 1e300: as many as a float can say
        must = f"small enough for memory ({min(8 * entries, 1e300):.2g} bytes needed)"
        raise ValueError(_say(name, must, value))


def fields(thing: Any, check: Callable[..., Any], *names: str) -> None:
    """Check fields of a frozen dataclass, and keep them as Python's numbers."""
    for name in names:
        object.__setattr__(thing, name, check(**{name: getattr(thing, name)}))


def one_of(choices: tuple[Any, ...], **named: Any) -> None:
    """Refuse what is not one of ``choices``."""
    for name, value in named.items():
        if value not in choices:
            listed = ", ".join(repr(choice) for choice in choices)
            raise ValueError(_say(name, f"one of {listed}", value))


def flag(**named: Any) -> None:
    """Refuse what is neither True nor False."""
    for name, value in named.items():
        if not isinstance(value, bool | np.bool_):
            raise TypeError(_say(name, "True or False", value))


def instance(kind: type | tuple[type, ...], **named: Any) -> None:
    """Refuse what is not an instance of ``kind``."""
    for name, value in named.items():
        if not isinstance(value, kind) or isinstance(value, type):  # not the class
            kinds = kind if isinstance(kind, tuple) else (kind,)
            listed = " or ".join(each.__name__ for each in kinds)
            raise TypeError(_say(name, f"a {listed}", value))


def shape(entries: float = 1, /, **named: Any) -> Any:
    """Return a tuple of ints of at least 1, refuse others, and what exceeds the memory.

    ``entries`` is how many floats are kept for each of the runs that the shape counts.
    """
    ((name, value),) = named.items()
    if not isinstance(value, tuple):
        raise TypeError(_say(name, "a tuple of ints, such as (50,)", value))
    found = tuple(count(**{name: each}) for each in value)
    fits(entries * math.prod(found), **named)
    return found


def array(**named: Any) -> None:
    """Refuse what is not an array, or computes otherwise than arrays do.

    In a NumPy ``matrix`` ``*`` is another product, and a masked array leaves out what
    is masked: neither the algorithms nor their sensitivities were proved for those.
    """
    for name, value in named.items():
        if not is_array(value) or isinstance(value, np.matrix | np.ma.MaskedArray):
            raise TypeError(
                f"`{name}` must be an array, got {type(value).__name__}. Fill in what "
                f"is masked, if so, and wrap it: numpy.asarray({name}, dtype=float)."
            )


def filled(**named: Any) -> None:
    """Refuse arrays without an entry."""
    for name, value in named.items():
        if 0 in value.shape:
            raise ValueError(
                f"`{name}` must have at least one entry, got shape "
                f"{tuple(value.shape)}."
            )


def finite_array(*, ndim: int, **named: Any) -> None:
    """Refuse what is not an array of finite floats on ``ndim`` axes.

    They have 32 or 64 bits: in 16, sums of thousands of records overflow or are rounded
    away.
    """
    array(**named)
    for name, value in named.items():
        if value.ndim != ndim:
            raise ValueError(
                f"`{name}` must have {ndim} axes, got shape {tuple(value.shape)}. "
                f"Reshape it first."
            )
        xp = namespace(value)
        if not xp.isdtype(value.dtype, (xp.float32, xp.float64)):
            raise TypeError(
                f"`{name}` must hold floats of 32 or 64 bits, got {value.dtype}. "
                f"Convert it first, as with numpy.asarray({name}, dtype=float)."
            )
        largest = 0.0 if 0 in value.shape else float(xp.max(xp.abs(value)))
        if not largest <= LARGEST_ENTRY:  # nor is NaN
            raise ValueError(
                f"`{name}` must be finite throughout and at most {LARGEST_ENTRY:g} in "
                f"size, got {largest:.6g}. Repair those records, or take a larger unit."
            )
