"""The states of a figure: every combination of slider values that is computed."""

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import isclose, log
from typing import Any

import numpy as np

from .. import checks
from .style import write

# More states than this make a page slow to build and slow to load.
MOST_STATES = 500


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


class States:
    """All states of a figure, and the way from one to another.

    Parameters
    ----------
    sliders : mapping of str to Slider
        In the order in which they are shown.
    linked : Linked or None
        Which of them are tied.
    """

    def __init__(self, sliders: Mapping[str, Slider], linked: Linked | None) -> None:
        self.keys = tuple(sliders)
        self.order = linked.order if linked else ()
        _check_sliders(sliders, linked)
        self.base = tuple(key for key in self.keys if key not in self.order[:1])
        self.shape = tuple(len(sliders[key].values or ()) for key in self.base)
        if (count := int(np.prod(self.shape))) > MOST_STATES:
            raise ValueError(
                f"`sliders` must make at most {MOST_STATES} states, got {count}. "
                "Use fewer values, or a separate figure for one slider."
            )
        self.values = self._all(sliders, linked)
        self.stops = {key: self._stops(key, sliders[key]) for key in self.keys}
        self.positions = np.array(
            [[_nearest(self.stops[k], s[k]) for k in self.keys] for s in self.values]
        )
        self._check_stops()
        first = {key: sliders[key].start for key in self.base}
        self.start = next(
            s for s, state in enumerate(self.values) if first.items() <= state.items()
        )

    def _all(
        self, sliders: Mapping[str, Slider], linked: Linked | None
    ) -> list[dict[str, Any]]:
        # The first slider changes slowest: this is the order of the table's rows
        grid = itertools.product(*[sliders[key].values or () for key in self.base])
        states = [dict(zip(self.base, each, strict=True)) for each in grid]
        if linked:
            for state in states:
                given = {key: state[key] for key in self.order[1:]}
                state[linked.order[0]] = _solved(linked, given)
        return states

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


def _solved(linked: Linked, given: Mapping[str, Any]) -> float:
    value = linked.solve(**given)
    try:
        checks.finite(**{linked.order[0]: value})
    except (TypeError, ValueError) as error:
        named = ", ".join(f"{name}={write(v)}" for name, v in given.items())
        raise type(error)(f"{error} So says `linked.solve` at {named}.") from None
    return float(value)


def _nearest(stops: list[Any], value: Any) -> int:
    if isinstance(value, str):
        return stops.index(value)
    if min(stops) > 0:  # budgets, steps and noise are compared by their ratio
        return min(range(len(stops)), key=lambda k: abs(log(stops[k] / value)))
    return min(range(len(stops)), key=lambda k: abs(stops[k] - value))
