"""Floor 1. What an algorithm publishes, and what the curator alone may see."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..arrays import Array
from .relation import Event


@dataclass(frozen=True)
class Release:
    """Everything that an algorithm publishes, and what it cost; nothing else.

    Parameters
    ----------
    theta : Array
        The published model, shape ``(*runs, p)``.
    path : Array
        Every model that was output, in order, shape ``(steps, *runs, p)``.
    event : Event
        What one run spent; ``accounting.epsilon_of(event, delta)`` prices it. Several
        ``runs`` are alternatives for a figure, not one publication, so publish only
        one. The price was proved for sums as float64 rounds them, and for noise of real
        numbers: floating-point noise is for teaching, ``dpteach.secure`` for a release.
    """

    theta: Array
    path: Array
    event: Event


@dataclass
class Trace:
    """The curator's notes: values that are not private, for figures. Never publish it.

    Parameters
    ----------
    rows : list of mappings, optional
        One mapping per step, filled in by the algorithm that is given the trace.

    Examples
    --------
    >>> trace = Trace()
    >>> trace.record(t=0, gradient=1.5)
    >>> trace["gradient"]
    [1.5]
    """

    rows: list[Mapping[str, Any]] = field(default_factory=list)

    def record(self, **values: Any) -> None:
        """Write down one step."""
        self.rows.append(values)

    def __getitem__(self, name: str) -> list[Any]:
        """Read one quantity over all steps."""
        return [row[name] for row in self.rows]
