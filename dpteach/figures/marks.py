"""Marks: what an experiment returns for a figure to draw, as data and nothing else.

Each mark has a label, which the legend shows, and a role, which fixes its color, dash
and marker (``style.ROLES``). Its numbers belong to one state of the sliders; how many
there are must not change from state to state.
"""

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, field
from functools import cache
from typing import Any, TypeAlias

import numpy as np

from .. import checks
from ..accounting import Price, price_of
from ..arrays import to_numpy
from ..privacy import Composed, Event
from .style import ROLES, SHADES, write


def _column(name: str, value: Any, length: int | None) -> np.ndarray:
    column = _numbers(name, value)
    if column.ndim == 0 and length is not None:
        column = np.full(length, float(column))
    if column.ndim != 1 or len(column) == 0:
        raise ValueError(
            f"`{name}` must have one axis and at least one entry, got shape "
            f"{column.shape}. Reshape it first."
        )
    if not np.isfinite(column).all():
        raise ValueError(
            f"`{name}` must be finite throughout, got NaN or infinity. "
            "Leave those points out, in every state."
        )
    if length is not None and len(column) != length:
        raise ValueError(
            f"`{name}` must have {length} entries like x, got {len(column)}."
        )
    column.flags.writeable = False
    return column


def _numbers(name: str, value: Any) -> np.ndarray:
    try:
        given = np.asarray(to_numpy(value))
    except (TypeError, ValueError):
        given = np.array(None)
    # what is masked is no number, and would be drawn as one
    if given.dtype.kind not in "iuf" or isinstance(value, np.ma.MaskedArray):
        raise TypeError(
            f"`{name}` must be an array of numbers, none masked, got {value!r:.60}. "
            "Give a list or an array."
        )
    return given.astype(float)  # a copy: marks are frozen


def _columns(mark: Any, *names: str) -> None:
    # Each named field becomes a read-only float array, all of one length.
    length = None
    for name in names:
        column = _column(name, getattr(mark, name), length)
        length = len(column)
        object.__setattr__(mark, name, column)


def _named(mark: Any) -> None:
    checks.instance(str, label=mark.label, role=mark.role)
    if not mark.label.strip():
        raise ValueError(
            f"`label` must say what is drawn, got {mark.label!r}. "
            "Name the curve as the legend should."
        )
    checks.one_of(tuple(ROLES), role=mark.role)
    checks.count(0, panel=mark.panel)


@dataclass(frozen=True, eq=False)
class Line:
    """A curve through points.

    Parameters
    ----------
    x, y : Array
        Shape ``(n,)``, in the units of the axes.
    label : str
        Its entry in the legend.
    role : str
        ``"private"``, ``"non_private"``, ``"bound"``, ``"measured"``, ``"reference"``
        or ``"broken"``.
    panel : int, optional
        The number of its panel.

    Raises
    ------
    ValueError, TypeError
        If a number is not finite, lengths differ or the role is unknown.

    Examples
    --------
    >>> Line([1, 2], [0.5, float("nan")], "excess risk", "measured")
    Traceback (most recent call last):
    ...
    ValueError: `y` must be finite throughout, got NaN or infinity. \
Leave those points out, in every state.
    """

    x: Any
    y: Any
    label: str
    role: str
    _: KW_ONLY
    panel: int = 0

    def __post_init__(self) -> None:
        """Check the arguments."""
        _named(self)
        _columns(self, "x", "y")

    @property
    def outline(self) -> np.ndarray:
        """The points of its path, shape ``(n, 2)``."""
        return np.c_[self.x, self.y]


@dataclass(frozen=True, eq=False)
class Band:
    """The region between two curves, such as where nine of ten runs lie.

    Parameters
    ----------
    x, low, high : Array
        Shape ``(n,)``.
    label, role : str
        As for ``Line``; a band and a line of one label share an entry in the legend.
    panel : int, optional
        The number of its panel.

    Raises
    ------
    ValueError, TypeError
        If a number is not finite, lengths differ, or low exceeds high.

    Examples
    --------
    >>> Band([1, 2], [0, 0], [1, 2], "80% of runs", "measured").outline.tolist()
    [[1.0, 0.0], [2.0, 0.0], [2.0, 2.0], [1.0, 1.0]]
    """

    x: Any
    low: Any
    high: Any
    label: str
    role: str
    _: KW_ONLY
    panel: int = 0

    def __post_init__(self) -> None:
        """Check the arguments."""
        _named(self)
        _columns(self, "x", "low", "high")
        if (self.low > self.high).any():
            raise ValueError(
                f"`high` must be at least `low` everywhere, got {self.high!r:.60}. "
                "Swap the two."
            )

    @property
    def outline(self) -> np.ndarray:
        """The corners of its path, shape ``(2n, 2)``: along low, back along high."""
        return np.r_[np.c_[self.x, self.low], np.c_[self.x, self.high][::-1]]


@dataclass(frozen=True, eq=False)
class Points:
    """Single points, drawn with the role's marker.

    Parameters
    ----------
    x, y : Array
        Shape ``(n,)``.
    label, role : str
        As for ``Line``.
    panel : int, optional
        The number of its panel.
    moves : str, optional
        The slider that moves when the first point is dragged on the page.

    Raises
    ------
    ValueError, TypeError
        If a number is not finite, lengths differ or the role is unknown.

    Examples
    --------
    >>> Points([100], [0.02], "your choice of T", "private").outline.tolist()
    [[100.0, 0.02]]
    """

    x: Any
    y: Any
    label: str
    role: str
    _: KW_ONLY
    panel: int = 0
    moves: str = ""

    def __post_init__(self) -> None:
        """Check the arguments."""
        _named(self)
        checks.instance(str, moves=self.moves)
        _columns(self, "x", "y")

    @property
    def outline(self) -> np.ndarray:
        """The centers, shape ``(n, 2)``."""
        return np.c_[self.x, self.y]


@dataclass(frozen=True, eq=False)
class Bars:
    """Upright bars, as of a histogram.

    Parameters
    ----------
    x, height : Array
        Shape ``(n,)``: the middle of each bar, and the height where it ends.
    label, role : str
        As for ``Line``.
    panel : int, optional
        The number of its panel.
    base : float, optional
        Where bars start; on a logarithmic axis, give its lower limit.
    width : float, optional
        Of a bar, in the units of x.

    Raises
    ------
    ValueError, TypeError
        If a number is not finite, lengths differ or the width is not above 0.

    Examples
    --------
    >>> Bars([1, 2], [3, 5], "runs", "measured").outline[:2].tolist()
    [[0.6, 0.0], [1.4, 3.0]]
    """

    x: Any
    height: Any
    label: str
    role: str
    _: KW_ONLY
    panel: int = 0
    base: float = 0.0
    width: float = 0.8

    def __post_init__(self) -> None:
        """Check the arguments."""
        _named(self)
        _columns(self, "x", "height")
        checks.fields(self, checks.finite, "base")
        checks.fields(self, checks.positive, "width")

    @property
    def outline(self) -> np.ndarray:
        """Two opposite corners of each bar, shape ``(2n, 2)``."""
        return _corners(
            self.x - self.width / 2, self.base, self.x + self.width / 2, self.height
        )


@dataclass(frozen=True, eq=False)
class Cells:
    """Rectangles filled to some degree: entries of a matrix, or nodes of a tree.

    Parameters
    ----------
    x, y : Array
        Shape ``(n,)``: the middle of each cell.
    level : Array
        Shape ``(n,)``: from 0, empty, to 1, full; drawn in nine shades.
    label, role : str
        As for ``Line``.
    panel : int, optional
        The number of its panel.
    width, height : Array, optional
        Of a cell, in the units of x and y; a number, or one for each.

    Raises
    ------
    ValueError, TypeError
        If a number is not finite, lengths differ, or a level lies outside [0, 1].

    Examples
    --------
    >>> tree = Cells([1.5, 3.5, 2.5], [0, 0, 1], [1, 0, 0.5], "node in use", "private",
    ...              width=[2, 2, 4])
    >>> tree.shade.tolist()
    [8, 0, 4]
    """

    x: Any
    y: Any
    level: Any
    label: str
    role: str
    _: KW_ONLY
    panel: int = 0
    width: Any = 1.0
    height: Any = 1.0

    def __post_init__(self) -> None:
        """Check the arguments."""
        _named(self)
        _columns(self, "x", "y", "level", "width", "height")
        if (self.level < 0).any() or (self.level > 1).any():
            raise ValueError(
                f"`level` must lie between 0 and 1, got {self.level!r:.60}. "
                "Divide by the largest value."
            )

    @property
    def outline(self) -> np.ndarray:
        """Two opposite corners of each cell, shape ``(2n, 2)``."""
        return _corners(
            *(self.x - self.width / 2, self.y - self.height / 2),
            *(self.x + self.width / 2, self.y + self.height / 2),
        )

    @property
    def shade(self) -> np.ndarray:
        """Which of the shades each cell has, shape ``(n,)``."""
        return np.rint(self.level * (SHADES - 1)).astype(np.int16)

    @property
    def scattered(self) -> bool:
        """Whether they are many dots of one shade, and not a heat map."""
        return len(self.x) > 100 and len(set(self.shade)) == 1


def _corners(left: Any, low: Any, right: Any, high: Any) -> np.ndarray:
    first = np.c_[left, np.broadcast_to(low, left.shape)]
    return np.stack([first, np.c_[right, high]], axis=1).reshape(-1, 2)


@dataclass(frozen=True)
class Sentence:
    """What the figure says in this state, in words that are read out when they change.

    Parameters
    ----------
    text : str
        Plain text. ``{steps}`` stands for the slider of that name: on the page, the
        number in the sentence can itself be moved, by keyboard or touch.
    numbers : mapping of str to float, optional
        What else stands in braces, such as ``{"error": 0.02}``: a figure that is in
        hand computes these numbers on the page.

    Raises
    ------
    ValueError, TypeError
        If there is no text, or a number is not finite.

    Examples
    --------
    >>> Sentence("After {steps} steps the model is 0.02 from the best.").text[:5]
    'After'
    """

    text: str
    numbers: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Check the arguments."""
        checks.instance(str, text=self.text)
        checks.instance(dict, numbers=self.numbers)
        if not self.text.strip():
            raise ValueError(f"`text` must say something, got {self.text!r}.")
        for name, number in self.numbers.items():
            checks.finite(**{name: number})

    @property
    def written(self) -> str:
        """The text with its numbers in it; sliders are still in braces."""
        written = self.text
        for name, number in self.numbers.items():
            written = written.replace(f"{{{name}}}", write(float(number)))
        return written


@dataclass(frozen=True)
class Spent:
    r"""What the state spends, which the figure prices: total ε, δ and neighbors.

    Every figure with ε on it needs one. The price is computed from the event, never
    typed in.

    Parameters
    ----------
    event : Event or tuple of Event
        The event of a release, as algorithms return it. Several events, one for each
        point of a curve, are stated as a range of totals.
    delta : float, optional
        :math:`\delta`, at which they are priced; 0 if only pure ε is spent.
    at_least : bool, optional
        Whether the price is only a lower bound, such as what an audit found about a
        broken variant.

    Raises
    ------
    ValueError, TypeError
        If an event is not an event, delta is not a probability, or 0 is not enough.

    Examples
    --------
    >>> from dpteach.privacy import Gaussian, Relation
    >>> noise = Gaussian(42.25, releases=100, relation=Relation.ADD_REMOVE)
    >>> print(Spent(noise, 1e-6).statement)
    Total privacy cost: ε = 1, δ = 10⁻⁶, when one record is added or removed.
    """

    event: Event | tuple[Event, ...]
    delta: float = 0.0
    _: KW_ONLY
    at_least: bool = False

    def __post_init__(self) -> None:
        """Check the arguments."""
        events = self._events
        if not events:
            raise ValueError("`event` must hold at least one event, got ().")
        for event in events:
            checks.instance(Event, event=event)
        checks.instance(bool, at_least=self.at_least)
        Composed(events)  # they must share a relation
        if type(self.delta) in (int, float) and self.delta == 0:
            price_of(Composed(events), delta=0.0)  # refuses what is not pure
        else:
            checks.fields(self, checks.probability, "delta")

    @property
    def _events(self) -> tuple[Event, ...]:
        return self.event if isinstance(self.event, tuple) else (self.event,)

    @property
    def statement(self) -> str:
        """The sentence that the figure prints."""
        prices = [_price(event, self.delta) for event in self._events]
        low = write(min(price.epsilon for price in prices))
        high = write(max(price.epsilon for price in prices))
        total = f"ε = {low}" if low == high else f"ε from {low} to {high}"
        least = "at least " if self.at_least else ""
        kinds = {price.kind for price in prices} - {"exact"}
        kind = f" ({' or '.join(sorted(kinds))})" if kinds else ""
        return f"{TOTAL} {least}{total}{kind}, δ = {write(self.delta)}, {self._when}."

    @property
    def template(self) -> str:
        """The statement of one exact price, its numbers in braces."""
        return f"{TOTAL} ε = {{total_epsilon}}, δ = {{total_delta}}, {self._when}."

    @property
    def _when(self) -> str:
        relation = self._events[0].relation
        return RELATIONS[relation.name] if relation else "whatever changes"


@cache  # one event occurs in many states, and some take a second to price
def _price(event: Event, delta: float) -> Price:
    return price_of(event, delta=delta)


TOTAL = "Total privacy cost:"
RELATIONS = {
    "ADD_REMOVE": "when one record is added or removed",
    "ZERO_OUT": "when one record’s contribution becomes zero",
    "REPLACE": "when one record is replaced",
}

Drawn: TypeAlias = Line | Band | Points | Bars | Cells
Mark: TypeAlias = Drawn | Sentence | Spent
