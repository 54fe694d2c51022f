"""The states of a figure: every combination of slider values that is computed."""

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import isclose
from typing import Any

import numpy as np

from .. import checks
from .style import write

# More states than this make a page slow to build and slow to load.
MOST_STATES = 500
MOST_IN_HAND = 1_000_000  # computed by the page itself, one at a time


def even(low: float, high: float, step: float) -> tuple[float, ...]:
    """List the stops of a slider from ``low`` to ``high``, a step apart.

    Parameters
    ----------
    low, high, step : float
        The first stop, the last one, and how far apart two are.

    Returns
    -------
    tuple of float
        Written in decimals: 0.3, not the sum of three tenths.

    Examples
    --------
    >>> even(0.1, 0.5, 0.1)
    (0.1, 0.2, 0.3, 0.4, 0.5)
    """
    count = round((high - low) / step)
    return tuple(round(low + k * step, 9) for k in range(count + 1))


def geometric(low: float, high: float, count: int) -> tuple[float, ...]:
    """List the stops of a slider from ``low`` to ``high``, a ratio apart.

    Parameters
    ----------
    low, high : float
        The first stop, and the last one.
    count : int
        How many stops.

    Returns
    -------
    tuple of float
        Each as readers see it: three digits.

    Examples
    --------
    >>> geometric(0.1, 10, 5)
    (0.1, 0.316, 1.0, 3.16, 10.0)
    """
    return tuple(float(f"{stop:.3g}") for stop in np.geomspace(low, high, count))


@dataclass(frozen=True)
class Slider:
    """The values that one parameter of an experiment takes.

    Parameters
    ----------
    values : sequence, optional
        Ascending numbers, or words in any order. Left out for a slider that follows
        others (``Linked``): it then stops at the values that the states have.
    start : number or str, optional
        The value at the start; if left out, the middle one.

    Raises
    ------
    ValueError, TypeError
        If there are fewer than two values, or they do not ascend, or ``start`` is not
        one of them.

    Examples
    --------
    >>> Slider([0.1, 1.0, 10.0], 2.0)
    Traceback (most recent call last):
    ...
    ValueError: `start` must be one of the values, got 2.0. The values are 0.1, 1, 10.
    """

    values: Sequence[Any] | None = None
    start: Any = None

    def __post_init__(self) -> None:
        """Check the arguments."""
        if self.values is None and self.start is None:
            return  # it follows, and stops at the values that the states have
        if not isinstance(self.values, tuple | list | range | np.ndarray):
            raise TypeError(
                f"`values` must be a sequence, got {self.values!r}. "
                "Give a list; a slider that follows has neither values nor start."
            )
        values = tuple(map(_item, self.values))
        _check_values(values)
        start = _item(self.start)
        if start is None:
            start = values[len(values) // 2]
        elif not _plain(start) or start not in values:
            raise ValueError(
                f"`start` must be one of the values, got {self.start!r}. "
                f"The values are {', '.join(map(write, values))}."
            )
        object.__setattr__(self, "values", values)
        object.__setattr__(self, "start", start)


def _item(value: Any) -> Any:
    # NumPy's numbers as Python's
    return value.item() if isinstance(value, np.generic) else value


def _plain(value: Any) -> bool:
    # True is 1 to Python, and an array is equal to nothing and everything.
    return isinstance(value, int | float | str) and not isinstance(value, bool)


def _check_values(values: tuple[Any, ...]) -> None:
    if len(values) < 2:
        raise ValueError(
            f"`values` must hold at least two values, got {values!r}. "
            "A parameter that does not move needs no slider."
        )
    if all(isinstance(value, str) for value in values):
        if len(set(values)) < len(values):
            raise ValueError(f"`values` must differ from each other, got {values!r}.")
        return
    for value in values:
        checks.finite(values=value)
    if any(a >= b for a, b in itertools.pairwise(values)):
        raise ValueError(f"`values` must ascend, got {values!r}. Sort them.")
    if len({write(value) for value in values}) < len(values):
        raise ValueError(
            f"`values` must differ in their first three digits, got {values!r}. "
            "Space them wider, because readers see three digits."
        )


@dataclass(frozen=True)
class Linked:
    """Sliders that are tied, such as ε, λ and T: all but one determine the last.

    Parameters
    ----------
    order : tuple of str
        The sliders' names. At the start the first one follows; when a reader moves it,
        the next one follows instead, and so on.
    solve : callable
        Computes the value of the first from those of the others, by name.

    Raises
    ------
    ValueError, TypeError
        If fewer than two names are given, or ``solve`` cannot be called.

    Examples
    --------
    >>> tied = Linked(("noise_multiplier", "mu", "steps"),
    ...               lambda mu, steps: steps**0.5 / mu)
    >>> tied.solve(mu=1.0, steps=100)
    10.0
    """

    order: tuple[str, ...]
    solve: Callable[..., float]

    def __post_init__(self) -> None:
        """Check the arguments."""
        if not isinstance(self.order, tuple) or len(set(self.order)) < 2:
            raise TypeError(
                f"`order` must be a tuple of two or more names, got {self.order!r}. "
                "Name the sliders that are tied."
            )
        if not callable(self.solve):
            raise TypeError(
                f"`solve` must be a function, got {self.solve!r}. "
                "It computes the first slider's value from the others'."
            )


class Grid(Sequence):
    """Every combination of the values of free sliders, made when it is asked for.

    Parameters
    ----------
    stops : mapping of str to sequence
        The values of each slider. The first slider changes slowest: this is the order
        of the table's rows.
    """

    def __init__(self, stops: Mapping[str, Sequence[Any]]) -> None:
        self.stops = stops
        self.shape = tuple(len(values) for values in stops.values())

    @property
    def positions(self) -> np.ndarray:
        """The stop of each slider in each state, shape ``(states, sliders)``."""
        place = np.indices(self.shape, dtype=np.int16)
        return place.reshape(len(self.shape), -1).T

    def __len__(self) -> int:
        """Return how many combinations there are."""
        return int(np.prod(self.shape))

    def __getitem__(self, state: Any) -> Any:
        """Return a combination by its number."""
        if isinstance(state, slice):
            return [self[k] for k in range(*state.indices(len(self)))]
        at = np.unravel_index(range(len(self))[state], self.shape)
        columns = zip(self.stops.items(), at, strict=True)
        return {key: values[int(k)] for (key, values), k in columns}


class States:
    """All states of a figure, and the way from one to another.

    Parameters
    ----------
    sliders : mapping of str to Slider
        In the order in which they are shown.
    linked : Linked or None
        Which of them are tied.
    most : int, optional
        How many states there may be.
    """

    def __init__(
        self,
        sliders: Mapping[str, Slider],
        linked: Linked | None,
        most: int = MOST_STATES,
    ) -> None:
        self.keys = tuple(sliders)
        self.order = linked.order if linked else ()
        _check_sliders(sliders, linked)
        self.base = tuple(key for key in self.keys if key not in self.order[:1])
        self.shape = tuple(len(sliders[key].values or ()) for key in self.base)
        if (count := int(np.prod(self.shape))) > most:
            raise ValueError(
                f"`sliders` must make at most {most} states, got {count}. "
                "Use fewer values, or a separate figure for one slider."
            )
        grid = Grid({key: sliders[key].values or () for key in self.base})
        self.values: Sequence[dict[str, Any]] = grid
        if linked:
            self.values = [_completed(linked, state) for state in grid]
        self.stops = {key: self._stops(key, sliders[key]) for key in self.keys}
        self.positions = grid.positions
        if linked:
            self.positions = self._tied_positions(grid, linked.order[0])
            self._check_stops()
        first = [self.stops[key].index(sliders[key].start) for key in self.base]
        self.start = int(np.ravel_multi_index(first, self.shape))

    def _stops(self, key: str, slider: Slider) -> list[Any]:
        if slider.values is not None:
            return list(slider.values)
        # One stop for all values that look the same to readers, or differ by rounding
        stops: list[float] = []
        for value in sorted(state[key] for state in self.values):
            near = bool(stops) and isclose(value, stops[-1], rel_tol=1e-4)
            if not near and write(value) not in map(write, stops[-1:]):
                stops.append(value)
        return stops

    def _tied_positions(self, grid: Grid, last: str) -> np.ndarray:
        # The one that follows is where the stop nearest to its value is.
        places = dict(zip(self.base, grid.positions.T, strict=True))
        places[last] = _nearest(self.stops[last], [each[last] for each in self.values])
        return np.stack([places[key] for key in self.keys], axis=1)

    def move(self, now: int, key: str, to: int, recent: Sequence[str] = ()) -> int:
        """Find the state after ``key`` is moved to its stop ``to``.

        The moved slider gets as near to that stop as the states allow. Next in
        priority, sliders that are not tied keep their values; then the tied ones do,
        the most recently touched first.

        Parameters
        ----------
        now : int
            The state before.
        key : str
            The slider that is moved.
        to : int
            Its stop.
        recent : sequence of str, optional
            Tied sliders, least recently touched first; if left out, in their first
            order.

        Returns
        -------
        int
            The number of the state.
        """
        if not self.order:  # every combination is a state
            wanted = self.positions[now].copy()
            wanted[self.keys.index(key)] = to
            return int(np.ravel_multi_index(wanted, self.shape))
        tied = [name for name in (recent or self.order) if name != key]
        free = [name for name in self.keys if name != key and name not in self.order]
        columns = [self.keys.index(name) for name in [key, *free, *reversed(tied)]]
        wanted = self.positions[now].copy()
        wanted[self.keys.index(key)] = to
        miss = np.abs(self.positions - wanted)[:, columns]
        return int(np.lexsort(miss.T[::-1])[0])

    def text(self, state: int, key: str) -> str:
        """Write the value that a slider has in a state."""
        return write(self.values[state][key])

    def _check_stops(self) -> None:
        for k, key in enumerate(self.keys):
            missed = set(range(len(self.stops[key]))) - set(self.positions[:, k])
            if missed:
                stop = self.stops[key][min(missed)]
                raise ValueError(
                    f"`{key}` must stop only where there is a state, got "
                    f"{write(stop)}, which no values of the sliders it is tied to come "
                    "near. Leave it out."
                )


def _check_sliders(sliders: Mapping[str, Slider], linked: Linked | None) -> None:
    if not sliders:
        raise TypeError(
            "`sliders` must be given as keywords, got none. "
            "Name at least one, such as epsilon=Slider([0.5, 1, 2])."
        )
    for key, slider in sliders.items():
        checks.instance(Slider, **{key: slider})
        if slider.values is None and (not linked or linked.order[0] != key):
            raise ValueError(
                f"`{key}` must have values, got {slider!r}. "
                "Only the slider that follows at the start may go without."
            )
    if linked and (unknown := set(linked.order) - set(sliders)):
        raise ValueError(
            f"`linked` must name sliders, got {min(unknown)!r}. "
            f"The sliders are {', '.join(sliders)}."
        )


def _completed(linked: Linked, state: dict[str, Any]) -> dict[str, Any]:
    given = {key: state[key] for key in linked.order[1:]}
    return state | {linked.order[0]: _solved(linked, given)}


def _solved(linked: Linked, given: Mapping[str, Any]) -> float:
    value = linked.solve(**given)
    try:
        checks.finite(**{linked.order[0]: value})
    except (TypeError, ValueError) as error:
        named = ", ".join(f"{name}={write(v)}" for name, v in given.items())
        raise type(error)(f"{error} So says `linked.solve` at {named}.") from None
    return float(value)


def _nearest(stops: list[float], values: list[float]) -> np.ndarray:
    at, found = np.array(stops, dtype=float), np.array(values)
    if at.min() > 0:  # budgets, steps and noise are compared by their ratio
        at, found = np.log(at), np.log(found)
    return np.abs(at - found[:, None]).argmin(axis=1)
