"""Floor 1. What the fields of events may be."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import checks
from .relation import Relation


def noise(**named: Any) -> float:
    # infinite noise is what a release that spends nothing has
    ((name, value),) = named.items()
    infinite = isinstance(value, float) and value == math.inf
    return math.inf if infinite else checks.positive(**{name: value})


def count_or_zero(**named: Any) -> int:
    return checks.count(0, **named)


def failure(**named: Any) -> float:
    ((name, value),) = named.items()
    share = rate(**named)
    if share == 1:
        raise ValueError(
            f"`{name}` must be below 1, got {value!r}. NotPrivate says that nothing is "
            "hidden."
        )
    return share


def rate(**named: Any) -> float:
    return checks.between(0, 1, **named)


def two_or_more(**named: Any) -> int:
    return checks.count(2, **named)


def numbers(name: str, values: Any) -> list[float]:
    if isinstance(values, str) or not isinstance(values, Sequence | np.ndarray):
        raise TypeError(
            f"`{name}` must be a list of numbers, got {values!r:.60}. Give one number "
            "for each case."
        )
    if len(values) == 0:
        raise ValueError(f"`{name}` must hold at least one number, got [].")
    return [float(checks.finite(**{name: each})) for each in values]


def not_replaced(event: Any, name: str) -> None:
    if event.relation is Relation.REPLACE:
        raise ValueError(
            f"`relation` must not be Relation.REPLACE for a {name}: which replacement "
            "is worst is not proved here. Take Relation.ADD_REMOVE, then restate "
            "(ε, δ) by group_privacy(size=2)."
        )
