"""Floor 0. Argument checks: each error names the argument, its value and the remedy.

A public function calls these once, by keyword: ``n = count(n=n)``. They return the
numbers as Python's own, because a NumPy integer of 32 bits overflows in silence, and a
NumPy float of 16 bits turns all that it meets into 16 bits. Private functions trust
their arguments, because a public function has checked them.
"""

import math
import os
import sys
from collections.abc import Callable
from enum import Enum
from numbers import Integral, Number, Real
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
    "labels": "Give losses.SIGNS, losses.BOUNDED or losses.NUMBERS.",
    "relation": "Give Relation.ADD_REMOVE, Relation.ZERO_OUT or Relation.REPLACE.",
}

LARGEST_ENTRY = 1e150
LARGEST, LEAST = sys.float_info.max, 5e-324  # of all floats above 0


def _memory() -> float:
    """Find how many bytes of memory the machine has."""
    known = "SC_PHYS_PAGES" in getattr(os, "sysconf_names", ())  # not on Windows
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") if known else 16e9


# A message may show these, or a tuple of them; anything else may hold records.
_PLAIN = (Number, str, type, Enum, np.dtype, type(None))


def shown(value: Any) -> str:
    """Show an argument in a message: a number or a word itself, else its kind."""
    parts = value if isinstance(value, tuple) else (value,)
    if not all(isinstance(part, _PLAIN) for part in parts):
        return f"an object of type {type(value).__name__}"
    # Python refuses to write out the digits of a very long int.
    if isinstance(value, int) and value.bit_length() > 10_000:
        return f"an int of {value.bit_length()} bits"
    return _short(repr(value))


def _short(text: str) -> str:
    return text if len(text) <= 80 else text[:77] + "..."


def _say(name: str, must: str, value: Any) -> str:
    remedy = REMEDIES.get(name, "")
    return f"`{name}` must be {must}, got {shown(value)}. {remedy}".rstrip()


def _numbers(named: dict, must: str, low: float, high: float, kind: type = Real) -> Any:
    """Return one number as Python's own, or several as a tuple in their order."""
    found = []
    for name, value in named.items():
        if isinstance(value, bool) or not isinstance(value, kind):
            raise TypeError(_say(name, must, value))
        try:  # + 0.0, because -0.0 becomes 0
            number = int(value) if isinstance(value, Integral) else float(value) + 0.0
        except OverflowError:  # a fraction that no float holds
            number = math.inf
        if not low <= number <= high:  # nor is NaN
            raise ValueError(_say(name, must, value))
        found.append(number)
    return found[0] if len(found) == 1 else tuple(found)


def positive(**named: Any) -> Any:
    """Return finite numbers above 0, refuse others."""
    return _numbers(named, "a finite number above 0", LEAST, LARGEST)


def moderate(**named: Any) -> Any:
    """Return numbers from 1e-100 to 1e100, refuse others.

    For lengths, rates and noise that a formula squares and multiplies: a float can hold
    what comes out.
    """
    return _numbers(named, "a finite number from 1e-100 to 1e100", 1e-100, 1e100)


def nonnegative(**named: Any) -> Any:
    """Return finite numbers of at least 0, refuse others."""
    return _numbers(named, "a finite number, at least 0", 0, LARGEST)


def finite(**named: Any) -> Any:
    """Return finite numbers, refuse others."""
    return _numbers(named, "a finite number", -LARGEST, LARGEST)


def answer(**named: Any) -> Any:
    """Return finite numbers that were computed from data; refuse others unseen."""
    try:
        return finite(**named)
    except (TypeError, ValueError) as error:
        raise type(error)(_unseen(named, "a finite number")) from None


def tally(**named: Any) -> Any:
    """Return counts of records; refuse what is none, unseen."""
    try:
        return count(0, **named)
    except (TypeError, ValueError) as error:
        must = "an int, at least 0, at most 2**53"
        raise type(error)(_unseen(named, must)) from None


def _unseen(named: dict, must: str) -> str:
    names = " and ".join(f"`{name}`" for name in named)
    return f"{names} must be {must}, got something else. Look at it where it is safe."


def probability(**named: Any) -> float:
    """Return a number strictly between 0 and 1, refuse others."""
    must = "a number strictly between 0 and 1"
    return _numbers(named, must, LEAST, math.nextafter(1, 0))


def below_one(**named: Any) -> float:
    """Return a number that is at least 0 and below 1, refuse others."""
    must = "a number that is at least 0 and below 1"
    return _numbers(named, must, 0, math.nextafter(1, 0))


def between(low: float, high: float, **named: Any) -> Any:
    """Return numbers from ``low`` to ``high``, both included; refuse others."""
    return _numbers(named, f"a number from {low} to {high}", low, high)


def count(minimum: int = 1, **named: Any) -> Any:
    """Return ints of at least ``minimum``, refuse others.

    None may exceed 2⁵³: up to there a float holds every integer, so that formulas and
    counts agree.
    """
    must = f"an int, at least {minimum}, at most 2**53"
    return _numbers(named, must, minimum, 2**53, Integral)


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


# How the tables and matrices of other libraries become arrays.
_CONVERSIONS = {
    "pandas": "{}.to_numpy(dtype=float)",
    "polars": "{}.to_numpy().astype(float)",
    "scipy": "{}.toarray()",
}


def _library(value: Any) -> str:
    return type(value).__module__.partition(".")[0]


def array(**named: Any) -> None:
    """Refuse what is not an array, or computes otherwise than arrays do.

    In a NumPy ``matrix`` ``*`` is another product, and a masked array leaves out what
    is masked: neither the algorithms nor their sensitivities were proved for those.
    """
    for name, value in named.items():
        if not is_array(value) or isinstance(value, np.matrix | np.ma.MaskedArray):
            line = _CONVERSIONS.get(_library(value), "numpy.asarray({}, dtype=float)")
            must = f"an unmasked array, such as {line.format(name)}"
            raise TypeError(_say(name, must, type(value)))


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
        xp, shape = namespace(value), tuple(value.shape)
        if len(shape) != ndim:
            must = f"an array with {ndim} axes (reshape it)"
            raise ValueError(_say(name, must, shape))
        if not xp.isdtype(value.dtype, (xp.float32, xp.float64)):
            must = f"of 32- or 64-bit floats, as numpy.asarray({name}, dtype=float)"
            raise TypeError(_say(name, must, value.dtype))
        # No copy of what may be most of the memory; a NaN is both ends.
        largest = 0.0 if 0 in shape else float(max(xp.max(value), -xp.min(value)))
        if not largest <= LARGEST_ENTRY:  # nor is NaN
            raise ValueError(
                f"`{name}` must be finite and at most {LARGEST_ENTRY:g} in each "
                "record, got an entry that is not. Repair such records before the "
                "analysis."
            )
