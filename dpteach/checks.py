"""Floor 0. Checks at the public door: each names the argument, its value, the remedy.

A public function calls these once, keyword-style: ``positive(epsilon=epsilon)``. What
lies behind the door trusts its arguments.
"""

import math
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
    "steps": "Give the number of steps T as an int, at least 1.",
    "learning_rate": "Give a step size η above 0; see dp_sgd_learning_rate.",
    "clip_norm": "Give the norm L above 0 to which each gradient is clipped.",
    "radius": "Give a radius above 0; Everywhere() is the set without a bound.",
    "constraint": "Give a set, such as constraints.L2Ball(1.0).",
    "relation": "Give Relation.ADD_REMOVE, Relation.ZERO_OUT or Relation.REPLACE.",
}


def _say(name: str, must: str, value: Any) -> str:
    shown = repr(value)
    if len(shown) > 80:
        shown = shown[:77] + "..."
    remedy = REMEDIES.get(name, "")
    return f"`{name}` must be {must}, got {shown}.{' ' + remedy if remedy else ''}"


def _number(name: str, value: Any, must: str) -> float:
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError(_say(name, must, value))
    return float(value)


def positive(**named: Any) -> None:
    """Refuse what is not a finite number above 0."""
    for name, value in named.items():
        must = "a finite number above 0"
        number = _number(name, value, must)
        if not (math.isfinite(number) and number > 0):
            raise ValueError(_say(name, must, value))


def nonnegative(**named: Any) -> None:
    """Refuse what is not a finite number of at least 0."""
    for name, value in named.items():
        must = "a finite number, at least 0"
        number = _number(name, value, must)
        if not (math.isfinite(number) and number >= 0):
            raise ValueError(_say(name, must, value))


def finite(**named: Any) -> None:
    """Refuse what is not a finite number."""
    for name, value in named.items():
        if not math.isfinite(_number(name, value, "a finite number")):
            raise ValueError(_say(name, "a finite number", value))


def probability(**named: Any) -> None:
    """Refuse what is not a number strictly between 0 and 1."""
    for name, value in named.items():
        must = "a number strictly between 0 and 1"
        number = _number(name, value, must)
        if not 0 < number < 1:
            raise ValueError(_say(name, must, value))


def between(low: float, high: float, **named: Any) -> None:
    """Refuse what is not a number from ``low`` to ``high``, both included."""
    for name, value in named.items():
        must = f"a number from {low} to {high}"
        number = _number(name, value, must)
        if not low <= number <= high:
            raise ValueError(_say(name, must, value))


def count(minimum: int = 1, **named: Any) -> None:
    """Refuse what is not an int of at least ``minimum``."""
    for name, value in named.items():
        must = f"an int, at least {minimum}"
        if isinstance(value, bool) or not isinstance(value, Integral):
            raise TypeError(_say(name, must, value))
        if value < minimum:
            raise ValueError(_say(name, must, value))


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


def shape(**named: Any) -> None:
    """Refuse what is not a tuple of ints of at least 1."""
    for name, value in named.items():
        if not isinstance(value, tuple):
            raise TypeError(_say(name, "a tuple of ints, such as (50,)", value))
        for each in value:
            count(**{name: each})


def finite_array(*, ndim: int, **named: Any) -> None:
    """Refuse what is not a floating-point array of ``ndim`` axes, finite throughout."""
    for name, value in named.items():
        if not is_array(value):
            raise TypeError(
                f"`{name}` must be an array, got {type(value).__name__}. "
                f"Wrap it: numpy.asarray({name}, dtype=float)."
            )
        if value.ndim != ndim:
            raise ValueError(
                f"`{name}` must have {ndim} axes, got shape {tuple(value.shape)}. "
                f"Reshape it first."
            )
        xp = namespace(value)
        if not xp.isdtype(value.dtype, "real floating"):
            raise TypeError(
                f"`{name}` must hold floating-point numbers, got dtype {value.dtype}. "
                f"Convert it first, as with numpy.asarray({name}, dtype=float)."
            )
        if not bool(xp.all(xp.isfinite(value))):
            raise ValueError(
                f"`{name}` must be finite throughout, got NaN or infinity. "
                f"Remove or repair those records first."
            )
